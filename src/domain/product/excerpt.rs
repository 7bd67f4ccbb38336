//! Beginnings of descriptions beside the title and the price of a card.

/// Words of shops before the title.
const INTRODUCTIONS: [&str; 4] = [
    "key features of ",
    "specifications of ",
    "flipkart.com: buy ",
    "buy ",
];

/// Beginnings of what a shop says after the title to sell it.
const OFFERS: [&str; 3] = ["buy ", "only for ", "at best price"];

/// Fewest letters and digits worth a line.
const WORTH: usize = 3;

/// Returns how many UTF-16 code units at the beginning of an excerpt say nothing new on a card: the
/// title, `Key Features of` before it, and after it a price, which may be outdated, or `Buy … Online`.
/// `None` if it does not begin with the title.
pub fn repeated_units(title: &str, excerpt: &str) -> Option<usize> {
    let rest = without_price(after_title(title, excerpt)?);
    let letters = rest.chars().filter(|c| c.is_alphanumeric());
    let is_worth =
        letters.take(WORTH).count() == WORTH && !OFFERS.iter().any(|it| strip(rest, it).is_some());
    let shown = if is_worth { rest.len() } else { 0 };
    let repeated = &excerpt[..excerpt.len() - shown];
    Some(repeated.encode_utf16().count())
}

/// Returns what follows the title, from its first word on; `None` if the excerpt has another beginning.
fn after_title<'a>(title: &str, excerpt: &'a str) -> Option<&'a str> {
    if let Some(cut) = excerpt.strip_suffix('…')
        && strip(title, cut).is_some()
    {
        return Some("");
    }
    let introduced = INTRODUCTIONS.iter().find_map(|it| strip(excerpt, it));
    let rest = strip(introduced.unwrap_or(excerpt), title.trim())?;
    let is_word = rest.starts_with(char::is_alphanumeric);
    (!is_word).then(|| rest.trim_start_matches(is_between))
}

/// Removes a price at the beginning, like `Price: Rs. 639`.
fn without_price(text: &str) -> &str {
    let Some(rest) = strip(text, "price") else {
        return text;
    };
    let rest = rest.trim_start_matches(is_between);
    let rest = strip(rest, "rs")
        .unwrap_or(rest)
        .trim_start_matches(is_between);
    let amount = rest.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, ',' | '.'));
    if amount.len() == rest.len() {
        text
    } else {
        amount.trim_start_matches(is_between)
    }
}

/// True for white space and punctuation, except for opening brackets and quotes.
fn is_between(c: char) -> bool {
    !c.is_alphanumeric() && !matches!(c, '(' | '[' | '“' | '‘' | '"')
}

/// Removes a beginning, of which the case may differ.
fn strip<'a>(text: &'a str, beginning: &str) -> Option<&'a str> {
    let mut rest = text.chars();
    let is_same = |wanted: char| {
        rest.next()
            .is_some_and(|found| found.to_lowercase().eq(wanted.to_lowercase()))
    };
    beginning.chars().all(is_same).then_some(rest.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown<'a>(title: &str, excerpt: &'a str) -> &'a str {
        let skipped = repeated_units(title, excerpt).unwrap_or(0);
        let units: Vec<u16> = excerpt.encode_utf16().take(skipped).collect();
        excerpt
            .strip_prefix(&*String::from_utf16(&units).unwrap())
            .unwrap()
    }

    #[test]
    fn the_title_before_a_description_is_repeated() {
        assert_eq!(
            shown("Verity", "Verity by Colleen Hoover"),
            "by Colleen Hoover"
        );
        assert_eq!(shown("YNA Kurta", "yna kurta - soft cotton"), "soft cotton");
        assert_eq!(shown("Bangle Set", "Bangle Set (Pack of 2)"), "(Pack of 2)");
        assert_eq!(
            shown("Kurta", "Key Features of Kurta Fabric: Cotton"),
            "Fabric: Cotton"
        );
        assert_eq!(shown("Lampe 𝄞", "Lampe 𝄞: warm light"), "warm light");
    }

    #[test]
    fn other_beginnings_are_shown() {
        for excerpt in [
            "Verityism explained",
            "A novel",
            "Key Features of it",
            "Very",
            "",
        ] {
            assert_eq!(shown("Verity", excerpt), excerpt);
        }
    }

    #[test]
    fn a_price_or_an_offer_after_the_title_is_not_shown() {
        assert_eq!(
            shown("Boots", "Boots\n Price: Rs. 9,848\n \n Live it up"),
            "Live it up"
        );
        assert_eq!(
            shown("Boots", "Boots price of the year"),
            "price of the year"
        );
        assert_eq!(
            shown("Boots", "Boots - Buy Boots For Only Rs. 299 Online"),
            ""
        );
        assert_eq!(
            shown("Heels", "Flipkart.com: Buy Heels only for Rs. 799 from…"),
            ""
        );
        assert_eq!(shown("Boots", "Boots (2)"), "");
        assert_eq!(shown("Boots of real leather", "Boots of…"), "");
    }
}
