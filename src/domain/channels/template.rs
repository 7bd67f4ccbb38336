//! Templates of posts: lines of text with placeholders and a few styles.

use super::markup::Tag;

/// Names of the placeholders.
pub(super) const PLACEHOLDERS: [&str; 9] = [
    "title", "price", "struck", "saving", "verdict", "code", "seller", "end", "link",
];
/// Maximum number of characters of a template.
const LONGEST: usize = 2_000;

/// Template of a channel that has none of its own.
pub const USUAL_TEMPLATE: &str = "<b>{title}</b>\n<b>{price}</b> <s>{struck}</s> {saving}\n{verdict}\n\
     Code <code>{code}</code>\n{end}\n{seller}: {link} #ad";

/// A parsed template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template(pub(super) Vec<Vec<Piece>>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    Text(String),
    Open(Tag),
    Close(Tag),
    Value(&'static str),
}

impl Template {
    /// Parses a template; an empty one is the usual.
    ///
    /// # Errors
    ///
    /// Returns the error as a sentence.
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

pub(super) fn holds(line: &[Piece], placeholder: &str) -> bool {
    let mut pieces = line.iter();
    pieces.any(|piece| matches!(piece, Piece::Value(name) if *name == placeholder))
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
