//! Templates of posts: lines of text with placeholders and a few styles.

use super::deal::DealWords;
use super::markup::{Markup, Tag};
use crate::domain::{is_invisible, short_rupees};

/// Names of the placeholders.
const PLACEHOLDERS: [&str; 9] = [
    "title", "price", "struck", "saving", "verdict", "code", "seller", "end", "link",
];
/// Maximum number of characters of a template.
const LONGEST: usize = 2_000;
/// First line of the post of a deal that is over.
const OVER: &str = "ENDED";

/// Template of a channel that has none of its own.
pub const USUAL_TEMPLATE: &str = "<b>{title}</b>\n<b>{price}</b> <s>{struck}</s> {saving}\n{verdict}\n\
     Code <code>{code}</code>\n{end}\n{seller}: {link} #ad";

/// A parsed template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template(Vec<Vec<Piece>>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    Open(Tag),
    Close(Tag),
    Value(&'static str),
}

/// A post as it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostText {
    /// The text with markup.
    pub text: String,
    /// UTF-16 units without markup, as messengers count.
    pub length: usize,
    /// True if the title was shortened.
    pub cuts_title: bool,
    /// Number of lines that found no room.
    pub left_out: usize,
}

impl Template {
    /// Parses a template; an empty one is the usual.
    ///
    /// # Errors
    ///
    /// Returns a sentence about what is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        let count = text.chars().count();
        if count > LONGEST {
            return Err(format!(
                "A template has at most 2,000 characters, and this one has {count}."
            ));
        }
        let text = Some(text.trim_end()).filter(|text| !text.trim().is_empty());
        let lines = text.unwrap_or(USUAL_TEMPLATE).lines().map(line);
        Ok(Self(lines.collect::<Result<_, _>>()?))
    }

    /// True if a post tells what the deal is and leads to it.
    pub fn has(&self, placeholder: &str) -> bool {
        self.0.iter().any(|line| holds(line, placeholder))
    }

    /// Writes a post of at most so many UTF-16 units. The title is shortened first, then lines are left out
    /// from the end, never the one with the link.
    pub fn write(&self, deal: &DealWords, markup: Markup, most: usize, is_over: bool) -> PostText {
        let mut values = PLACEHOLDERS.map(|name| value(deal, name));
        let lines = |values: &[String; 9]| {
            let over = Line {
                text: markup.styled(Tag::Bold, OVER),
                length: OVER.len(),
                is_kept: true,
            };
            let lines = self.0.iter().filter_map(|line| write(line, values, markup));
            let lines = is_over.then_some(over).into_iter().chain(lines);
            lines.collect::<Vec<_>>()
        };
        let mut written = lines(&values);
        let mut cuts_title = false;
        if length_of(&written) > most {
            let beyond = length_of(&written) - most;
            let titles = self.0.iter().flatten();
            let titles = titles.filter(|piece| **piece == Piece::Value("title"));
            let each = beyond.div_ceil(titles.count().max(1));
            let title = deal.title.trim_end();
            let short = shortened(title, units(title).saturating_sub(each));
            cuts_title = short != title;
            values[0] = short;
            written = lines(&values);
        }
        let before = written.len();
        while length_of(&written) > most
            && let Some(last) = written.iter().rposition(|line| !line.is_kept)
        {
            written.remove(last);
        }
        PostText {
            length: length_of(&written),
            cuts_title,
            left_out: before - written.len(),
            text: written
                .iter()
                .map(|line| line.text.as_str())
                .collect::<Vec<_>>()
                .join("\n"),
        }
    }
}

/// Parses a line, in which every style ends.
fn line(text: &str) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    let mut open: Vec<Tag> = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let (piece, length) = match c {
            '{' => placeholder(rest)?,
            '<' => style(rest, &mut open)?,
            _ => None,
        }
        .unzip();
        if let Some(piece) = piece {
            pieces.extend(text_piece(&mut plain));
            pieces.push(piece);
        } else {
            plain.push(c);
        }
        rest = &rest[length.unwrap_or(c.len_utf8())..];
    }
    pieces.extend(text_piece(&mut plain));
    match open.pop() {
        Some(tag) => Err(format!(
            "<{0}> must end on its line: write </{0}> behind it.",
            tag.name()
        )),
        None => Ok(pieces),
    }
}

fn text_piece(plain: &mut String) -> Option<Piece> {
    let text = std::mem::take(plain);
    (!text.is_empty()).then_some(Piece::Text(text))
}

/// Reads a placeholder and its length; a brace that none begins with is text.
fn placeholder(rest: &str) -> Result<Option<(Piece, usize)>, String> {
    let Some((name, _)) = rest[1..].split_once('}') else {
        return Ok(None);
    };
    match PLACEHOLDERS.into_iter().find(|known| *known == name.trim()) {
        Some(known) => Ok(Some((Piece::Value(known), name.len() + 2))),
        None => Err(format!(
            "{{{name}}} is unknown: use {}.",
            PLACEHOLDERS.map(|name| format!("{{{name}}}")).join(", ")
        )),
    }
}

/// Reads the beginning or the end of a style, and its length; anything else is text.
fn style(rest: &str, open: &mut Vec<Tag>) -> Result<Option<(Piece, usize)>, String> {
    let Some((name, _)) = rest[1..].split_once('>') else {
        return Ok(None);
    };
    let length = name.len() + 2;
    if let Some(tag) = Tag::parse(name) {
        open.push(tag);
        return Ok(Some((Piece::Open(tag), length)));
    }
    let Some(tag) = name.strip_prefix('/').and_then(Tag::parse) else {
        return Ok(None);
    };
    if open.pop() != Some(tag) {
        return Err(format!("</{0}> has no <{0}> before it.", tag.name()));
    }
    Ok(Some((Piece::Close(tag), length)))
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
struct Line {
    text: String,
    /// UTF-16 units without markup.
    length: usize,
    /// True for a line that is never left out.
    is_kept: bool,
}

/// Writes a line; none if all its placeholders are empty.
fn write(line: &[Piece], values: &[String; 9], markup: Markup) -> Option<Line> {
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
        is_kept: holds(line, "link"),
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
    written.length = units(plain.trim_end());
    Some(written)
}

fn holds(line: &[Piece], placeholder: &str) -> bool {
    let mut pieces = line.iter();
    pieces.any(|piece| matches!(piece, Piece::Value(name) if *name == placeholder))
}

fn length_of(lines: &[Line]) -> usize {
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
    fn a_wrong_template_is_refused_with_what_is_wrong() {
        for (template, words) in [
            ("{prise}", "{prise} is unknown: use {title}, {price},"),
            ("a\n<b>{title}\n</b>", "<b> must end on its line"),
            ("{title}</i>", "</i> has no <i> before it."),
            ("<b><i>x</b></i>", "</b> has no <b> before it."),
        ] {
            let error = Template::parse(template).unwrap_err();
            assert!(error.contains(words), "{error}");
        }
        let long = Template::parse(&"é".repeat(2_001)).unwrap_err();
        assert!(long.contains("this one has 2001"), "{long}");
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
