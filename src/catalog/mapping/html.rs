//! Text of HTML, with a line per block.

use quick_xml::escape::resolve_html5_entity;

/// Elements that begin a new line.
const BLOCKS: [&str; 24] = [
    "p",
    "div",
    "br",
    "li",
    "ul",
    "ol",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "tr",
    "table",
    "section",
    "article",
    "blockquote",
    "dl",
    "dt",
    "dd",
    "hr",
    "pre",
    "header",
    "footer",
];
/// Elements that stay within a line.
const INLINE: [&str; 24] = [
    "a", "b", "i", "u", "s", "em", "strong", "span", "small", "sup", "sub", "font", "img", "td",
    "th", "tbody", "thead", "code", "big", "mark", "center", "label", "figure", "iframe",
];
/// Elements whose content is not text.
const HIDDEN: [&str; 2] = ["script", "style"];

/// Returns the text; what only looks like a tag stays, as in `5 < 6`. Without a tag, only entities
/// are replaced.
pub(super) fn to_text(html: &str) -> String {
    if !html.contains(['<', '&']) {
        return html.to_owned();
    }
    let mut text = String::with_capacity(html.len());
    let mut rest = html;
    let mut has_tags = false;
    while let Some(at) = rest.find('<') {
        let (before, after) = rest.split_at(at);
        text.push_str(before);
        let Some((name, is_end, following)) = tag(after) else {
            text.push('<');
            rest = &after[1..];
            continue;
        };
        rest = following;
        has_tags = true;
        if HIDDEN.contains(&name.as_str()) && !is_end {
            let end = rest.to_ascii_lowercase().find(&format!("</{name}"));
            rest = end.map_or("", |end| &rest[end..]);
        } else if BLOCKS.contains(&name.as_str()) {
            text.push('\n');
        } else if name == "td" || name == "th" {
            text.push(' ');
        }
    }
    text.push_str(rest);
    let text = unescaped(&text);
    if has_tags { tidy(&text) } else { text }
}

/// Returns the name of the tag that the text begins with, whether it is an end tag, and the text
/// after it.
fn tag(text: &str) -> Option<(String, bool, &str)> {
    if let Some(comment) = text.strip_prefix("<!--") {
        let rest = comment.split_once("-->").map_or("", |(_, rest)| rest);
        return Some((String::new(), false, rest));
    }
    let (inside, rest) = text.strip_prefix('<')?.split_once('>')?;
    let is_end = inside.starts_with('/');
    let inside = inside.trim_start_matches('/');
    let name: String = inside
        .chars()
        .take_while(char::is_ascii_alphanumeric)
        .collect::<String>()
        .to_ascii_lowercase();
    let after = inside[name.len()..].chars().next();
    let is_name = after.is_none_or(|c| c.is_whitespace() || c == '/');
    let mut known = BLOCKS.iter().chain(&INLINE).chain(&HIDDEN);
    (is_name && known.any(|tag| *tag == name)).then_some((name, is_end, rest))
}

fn unescaped(text: &str) -> String {
    const LONGEST: usize = 32;
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        let (before, after) = rest.split_at(at);
        plain.push_str(before);
        let name = after[1..].split_once(';').map(|(name, _)| name);
        let known = name.filter(|name| name.len() <= LONGEST);
        match known.and_then(|name| Some((name, character(name)?))) {
            Some((name, character)) => {
                plain.push_str(&character);
                rest = &after[name.len() + 2..];
            }
            None => {
                plain.push('&');
                rest = &after[1..];
            }
        }
    }
    plain.push_str(rest);
    plain
}

fn character(name: &str) -> Option<String> {
    let Some(number) = name.strip_prefix('#') else {
        return resolve_html5_entity(name).map(str::to_owned);
    };
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => number.parse().ok()?,
    };
    char::from_u32(code)
        .filter(|c| *c != '\0')
        .map(String::from)
}

/// Removes spaces around lines, and empty lines.
fn tidy(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let words: Vec<&str> = line.split([' ', '\t', '\u{a0}']).collect();
        let words = words.into_iter().filter(|word| !word.is_empty());
        words.collect::<Vec<_>>().join(" ")
    });
    let lines: Vec<String> = lines.filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_becomes_lines_of_text() {
        for (html, text) in [
            ("plain  text\n\n& as it is", "plain  text\n\n& as it is"),
            ("<p>One &amp; two</p><p>Three</p>", "One & two\nThree"),
            (
                "<ul><li>Red</li>\n <li>Blue&nbsp;ink</li></ul>",
                "Red\nBlue ink",
            ),
            ("a<br/>b<BR>c", "a\nb\nc"),
            ("<style>p{}</style>x<script>alert('<p>')</script>y", "xy"),
            ("<span style=\"color:red\">Tea</span>", "Tea"),
            ("5 < 6 and 7 > 3", "5 < 6 and 7 > 3"),
            ("<model X> stays", "<model X> stays"),
            (
                "&#8377;499 &#x20B9;5 &unknown; AT&T",
                "₹499 ₹5 &unknown; AT&T",
            ),
            ("<!-- note -->x", "x"),
            ("<p", "<p"),
        ] {
            assert_eq!(to_text(html), text, "{html}");
        }
    }
}
