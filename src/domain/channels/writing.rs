//! Posts by templates, within the length that a messenger takes.

use super::deal::DealWords;
use super::markup::{Markup, Tag};
use super::template::{PLACEHOLDERS, Piece, Template, holds};
use crate::domain::{is_invisible, short_rupees};

/// First line of the post of a deal that is over.
const OVER: &str = "ENDED";

/// A post as it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostText {
    /// The text with markup.
    pub text: String,
    /// UTF-16 units as the messenger counts them.
    pub length: usize,
    /// True if the title was shortened.
    pub cuts_title: bool,
    /// True if a line was cut that alone is too long.
    pub cuts_line: bool,
    /// Number of lines that found no room.
    pub left_out: usize,
}

impl Template {
    /// Writes a post of at most so many UTF-16 units. The title is shortened first, then lines are left out
    /// from the end, never the one with the link; what is still too long keeps the link and the beginning.
    pub fn write(&self, deal: &DealWords, markup: Markup, most: usize, is_over: bool) -> PostText {
        let mut values = PLACEHOLDERS.map(|name| value(deal, name));
        let lines = |values: &[String; 9]| {
            let text = markup.styled(Tag::Bold, OVER);
            let over = Line {
                length: markup.length(OVER, &text),
                text,
                pieces: None,
            };
            let all = self.0.iter();
            let lines = all.filter_map(|line| write(line, values, markup, usize::MAX));
            let lines = is_over.then_some(over).into_iter().chain(lines);
            lines.collect::<Vec<_>>()
        };
        let mut written = lines(&values);
        let mut cuts_title = false;
        if length_of(&written) > most && self.has("title") {
            let beyond = length_of(&written) - most;
            let titles = self.0.iter().flatten();
            let titles = titles.filter(|piece| **piece == Piece::Value("title"));
            let each = beyond.div_ceil(titles.count());
            let title = deal.title.trim_end();
            let short = shortened(title, units(title).saturating_sub(each));
            cuts_title = short != title;
            values[0] = short;
            written = lines(&values);
        }
        let before = written.len();
        let is_kept = |line: &Line<'_>| line.pieces.is_none_or(|line| holds(line, "link"));
        while length_of(&written) > most && written.len() > 1 + usize::from(is_over) {
            let last = written.iter().rposition(|line| !is_kept(line));
            written.remove(last.unwrap_or(written.len() - 1));
        }
        let left_out = before - written.len();
        let cuts_line = length_of(&written) > most;
        if cuts_line && let Some(last) = written.pop() {
            let room = most.saturating_sub(length_of(&written) + written.len());
            let pieces = last.pieces.unwrap_or(&LINK);
            written.extend(cut(pieces, &values, markup, room));
        }
        PostText {
            length: length_of(&written),
            cuts_title,
            cuts_line,
            left_out,
            text: written
                .iter()
                .map(|line| line.text.as_str())
                .collect::<Vec<_>>()
                .join("\n"),
        }
    }
}

/// Returns the value of a placeholder.
fn value(deal: &DealWords, name: &str) -> String {
    match name {
        "title" => deal.title.clone(),
        "price" => deal.price.map_or_else(String::new, |price| {
            let price = short_rupees(price);
            match deal.as_of.as_str() {
                "" => price,
                as_of => format!("{price} (as of {as_of})"),
            }
        }),
        "struck" => deal
            .list
            .map_or_else(String::new, |(list, _)| short_rupees(list)),
        "saving" => deal
            .list
            .map_or_else(String::new, |(_, percent)| format!("−{percent}%")),
        "verdict" => deal.verdict.clone(),
        "code" => deal.codes.join(", "),
        "seller" => deal.seller.clone(),
        "end" => deal.end.clone(),
        _ => deal.link.clone(),
    }
}

/// A line as it is sent.
struct Line<'a> {
    text: String,
    /// UTF-16 units as the messenger counts them.
    length: usize,
    /// Its template; none for the words that a deal is over.
    pieces: Option<&'a [Piece]>,
}

/// A line with nothing but the link.
const LINK: [Piece; 1] = [Piece::Value("link")];

/// Writes as much of a line as has room: its link, and the beginning of the rest.
fn cut<'a>(
    line: &'a [Piece],
    values: &[String; 9],
    markup: Markup,
    most: usize,
) -> Option<Line<'a>> {
    let mut room = most;
    loop {
        let written = write(line, values, markup, room)?;
        let beyond = written.length.saturating_sub(most);
        if beyond == 0 {
            return Some(written);
        }
        if room == 0 {
            return write(&LINK, values, markup, 0);
        }
        // Escapes make a text longer than what is cut of it.
        room = (room * most / written.length).max(room.saturating_sub(beyond));
    }
}

/// Writes a line, with so many UTF-16 units beside its link at most; none if all its placeholders are empty.
fn write<'a>(
    line: &'a [Piece],
    values: &[String; 9],
    markup: Markup,
    mut room: usize,
) -> Option<Line<'a>> {
    let of = |name: &str| {
        let mut named = PLACEHOLDERS.iter().zip(values);
        named
            .find(|(known, _)| **known == name)
            .map_or("", |(_, value)| value.as_str())
    };
    let is_value = |piece: &&Piece| matches!(piece, Piece::Value(_));
    let has_value = |piece: &Piece| matches!(piece, Piece::Value(name) if !of(name).is_empty());
    if line.iter().any(|piece| is_value(&piece)) && !line.iter().any(has_value) {
        return None;
    }
    let mut written = Line {
        text: String::new(),
        length: 0,
        pieces: Some(line),
    };
    // Styles that begin with the next text, so that none is around nothing.
    let mut begun: Vec<Tag> = Vec::new();
    let mut open: Vec<Tag> = Vec::new();
    let mut plain = String::new();
    for piece in line {
        let (text, is_link) = match piece {
            Piece::Open(tag) => {
                begun.push(*tag);
                continue;
            }
            Piece::Close(tag) => {
                if begun.pop().is_none() && open.pop().is_some() {
                    written.text += &markup.close(*tag);
                }
                continue;
            }
            Piece::Text(text) => (text.as_str(), false),
            Piece::Value(name) => (of(name), *name == "link"),
        };
        let short;
        let text = match is_link || units(text) <= room {
            true => text,
            false => {
                // A link needs the blank before it.
                let blank = if text.ends_with(' ') { " " } else { "" };
                short = shortened(text, room) + blank;
                room = 0;
                short.as_str()
            }
        };
        room = room.saturating_sub(if is_link { 0 } else { units(text) });
        // A blank before a value that is empty.
        let text = match plain.is_empty() || plain.ends_with(' ') {
            true => text.trim_start_matches(' '),
            false => text,
        };
        if text.is_empty() {
            continue;
        }
        for tag in begun.drain(..) {
            written.text += &markup.open(tag);
            open.push(tag);
        }
        plain += text;
        written.text += &match is_link {
            true => markup.link(text),
            false => markup.escape(text, open.contains(&Tag::Code)),
        };
    }
    written.text.truncate(written.text.trim_end().len());
    written.length = markup.length(plain.trim_end(), &written.text);
    Some(written)
}

fn length_of(lines: &[Line<'_>]) -> usize {
    let lengths: usize = lines.iter().map(|line| line.length).sum();
    lengths + lines.len().saturating_sub(1)
}

fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

/// Returns the beginning of a text that has at most so many UTF-16 units with its ellipsis, without half of a
/// joined emoji.
fn shortened(text: &str, most: usize) -> String {
    if units(text) <= most {
        return text.to_owned();
    }
    let mut length = 1;
    let end = text.char_indices().find(|(_, c)| {
        length += c.len_utf16();
        length > most
    });
    let text = &text[..end.map_or(0, |(end, _)| end)];
    match text.trim_end_matches(is_invisible) {
        "" => String::new(),
        text => format!("{text}…"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Paise;

    fn deal() -> DealWords {
        DealWords {
            title: "Tea <b> & *kettle*".to_owned(),
            price: Paise::from_rupees(1_200.0),
            list: Paise::from_rupees(1_500.0).map(|list| (list, 20)),
            codes: vec!["TEA_10".to_owned()],
            seller: "Croma".to_owned(),
            link: "https://a.example/details/1?a=1&b=2".to_owned(),
            ..DealWords::default()
        }
    }

    fn written(template: &str, markup: Markup) -> String {
        let template = Template::parse(template).unwrap();
        template.write(&deal(), markup, 1_024, false).text
    }

    #[test]
    fn values_and_texts_are_no_markup_and_the_styles_are() {
        assert_eq!(
            written("", Markup::Telegram),
            "<b>Tea &lt;b&gt; &amp; *kettle*</b>\n<b>₹1,200</b> <s>₹1,500</s> −20%\n\
             Code <code>TEA_10</code>\nCroma: https://a.example/details/1?a=1&amp;b=2 #ad"
        );
        assert_eq!(
            written("", Markup::Discord),
            "**Tea \\<b\\> & \\*kettle\\***\n**₹1,200** ~~₹1,500~~ −20%\n\
             Code `TEA_10`\nCroma: https://a.example/details/1?a=1&b=2 \\#ad"
        );
        assert_eq!(
            written("1 < 2 <a href> {price", Markup::Telegram),
            "1 &lt; 2 &lt;a href&gt; {price"
        );
        assert_eq!(written("<i>{price}</i>!", Markup::None), "₹1,200!");
    }

    #[test]
    fn a_line_disappears_only_if_all_its_placeholders_are_empty() {
        assert_eq!(
            written("Hi\n\n{verdict}\n{end} · {seller}\nAt {end}", Markup::None),
            "Hi\n\n· Croma"
        );
        let telegram = written("<b>{end}</b> <s>{verdict}</s> {seller}", Markup::Telegram);
        assert_eq!(telegram, "Croma");
    }

    #[test]
    fn a_long_post_loses_the_end_of_the_title_and_never_the_link() {
        let template = Template::parse("").unwrap();
        for title in ["é".repeat(1_100), "👩‍💻".repeat(400), "word ".repeat(300)] {
            let long = DealWords { title, ..deal() };
            let post = template.write(&long, Markup::Telegram, 1_024, false);
            assert!((1_010..=1_024).contains(&post.length), "{}", post.length);
            assert!(post.cuts_title && post.left_out == 0, "{post:?}");
            assert!(post.text.contains("…</b>\n<b>₹1,200"), "{}", post.text);
            assert!(!post.text.contains("\u{200d}…"), "{}", post.text);
            assert!(post.text.ends_with("b=2 #ad"), "{}", post.text);
        }
        let chatty = Template::parse(&format!("{{title}}\n{{link}}\n{}", "x".repeat(1_100)));
        let post = chatty.unwrap().write(&deal(), Markup::None, 1_024, false);
        assert_eq!((post.text, post.left_out), (deal().link, 1));
    }

    #[test]
    fn a_line_that_alone_is_too_long_keeps_its_beginning_and_the_link() {
        for text in ["<&> ".repeat(400), "👩‍💻".repeat(450), "*_".repeat(950)] {
            let template = Template::parse(&format!("Hi\n<b>{text} {{link}}</b>")).unwrap();
            for (markup, most) in [(Markup::Telegram, 1_024), (Markup::Discord, 2_000)] {
                for is_over in [false, true] {
                    let post = template.write(&deal(), markup, most, is_over);
                    assert!(post.length <= most, "{post:?}");
                    assert!(post.length > most / 2 && post.cuts_line, "{post:?}");
                    let link = markup.link(&deal().link);
                    assert!(post.text.contains(&format!("… {link}")), "{post:?}");
                    assert!(!post.text.contains("\u{200d}…"), "{post:?}");
                    assert_eq!(post.text.contains("ENDED"), is_over);
                }
            }
        }
        let links = Template::parse(&"{link} {link}\n".repeat(140)).unwrap();
        let post = links.write(&deal(), Markup::Telegram, 1_024, false);
        assert!(post.length <= 1_024 && post.left_out > 0, "{post:?}");
        let one = Template::parse(&"{link} ".repeat(280)).unwrap();
        let post = one.write(&deal(), Markup::None, 1_024, false);
        assert_eq!((post.text, post.cuts_line), (deal().link, true));
        let wordy = Template::parse(&"x".repeat(1_100)).unwrap();
        let post = wordy.write(&deal(), Markup::Telegram, 1_024, false);
        assert_eq!((post.length, post.cuts_line), (1_024, true));
    }

    #[test]
    fn discord_counts_escapes_and_marks() {
        let starry = DealWords {
            title: "*".repeat(1_500),
            ..deal()
        };
        let template = Template::parse("<b>{title}</b>\n{link}").unwrap();
        let post = template.write(&starry, Markup::Discord, 2_000, false);
        assert!(post.cuts_title && post.length <= 2_000, "{}", post.length);
        assert_eq!(post.length, units(&post.text));
    }

    #[test]
    fn the_post_of_a_deal_that_is_over_says_so_first() {
        let over = DealWords {
            price: None,
            list: None,
            ..deal()
        };
        let template = Template::parse("<b>{title}</b>\n{price} {struck}\n{link}").unwrap();
        let post = template.write(&over, Markup::Telegram, 1_024, true);
        assert!(
            post.text.starts_with("<b>ENDED</b>\n<b>Tea"),
            "{}",
            post.text
        );
        assert!(!post.text.contains('₹'), "{}", post.text);
    }
}
