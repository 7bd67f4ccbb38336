//! Text of HTML, with a line per block.

use html5gum::emitters::default::DefaultEmitter;
use html5gum::{Token, Tokenizer};

use super::steps;

/// Elements that begin a new line.
const BLOCKS: [&[u8]; 36] = [
    b"p",
    b"div",
    b"br",
    b"li",
    b"ul",
    b"ol",
    b"h1",
    b"h2",
    b"h3",
    b"h4",
    b"h5",
    b"h6",
    b"tr",
    b"table",
    b"section",
    b"article",
    b"blockquote",
    b"dl",
    b"dt",
    b"dd",
    b"hr",
    b"pre",
    b"header",
    b"footer",
    b"main",
    b"nav",
    b"aside",
    b"details",
    b"summary",
    b"figcaption",
    b"caption",
    b"address",
    b"form",
    b"fieldset",
    b"title",
    b"option",
];
/// Elements whose content is not text.
const HIDDEN: [&[u8]; 7] = [
    b"script",
    b"style",
    b"noscript",
    b"svg",
    b"template",
    b"iframe",
    b"object",
];

/// Returns the text without tags; other `<` stay, as in `5 < 6`. A text without tags keeps its
/// lines.
pub(super) fn to_text(html: &str) -> String {
    steps(html.len());
    // Nothing after the last > is a tag: a < there is a sign, not the start of one that is cut off.
    let Some(end) = html.rfind('>').map(|last| last + 1) else {
        return html.to_owned();
    };
    let mut text = String::with_capacity(html.len());
    let mut has_tags = false;
    let mut hidden: Option<(Vec<u8>, usize)> = None;
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    for token in Tokenizer::new_with_emitter(&html[..end], emitter) {
        let Ok(token) = token;
        let (name, is_start) = match &token {
            Token::StartTag(tag) => (&tag.name, !tag.self_closing),
            Token::EndTag(tag) => (&tag.name, false),
            Token::String(part) if hidden.is_none() => {
                text.push_str(&String::from_utf8_lossy(part));
                continue;
            }
            Token::Comment(_) | Token::Doctype(_) => {
                has_tags = true;
                continue;
            }
            Token::String(_) | Token::Error(_) => continue,
        };
        has_tags = true;
        let name = name.as_slice();
        match &mut hidden {
            Some((inside, depth)) if *inside == name => {
                if is_start {
                    *depth += 1;
                } else if matches!(token, Token::EndTag(_)) {
                    *depth -= 1;
                    hidden = hidden.filter(|(_, depth)| *depth > 0);
                }
            }
            Some(_) => {}
            None if HIDDEN.contains(&name) && is_start => hidden = Some((name.to_vec(), 1)),
            None if BLOCKS.contains(&name) => text.push('\n'),
            None if name == b"td" || name == b"th" => text.push(' '),
            None => {}
        }
    }
    text.push_str(&html[end..]);
    if has_tags { tidy(&text) } else { text }
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
            ("<p>5 < 6</p> and a <b", "5 < 6\nand a <b"),
            ("<meta charset=utf-8>Word<o:p></o:p> text", "Word text"),
            ("<svg><path d='M0'/><title>no</title></svg>Icon", "Icon"),
            ("<svg/>Icon <x-rating stars=5>five</x-rating>", "Icon five"),
            ("<!-- note -->x", "x"),
            ("<p", "<p"),
        ] {
            assert_eq!(to_text(html), text, "{html}");
        }
    }
}
