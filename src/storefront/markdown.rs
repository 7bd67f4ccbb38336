//! The owner's pages: Markdown (CommonMark) to HTML.

use pulldown_cmark::{CowStr, Event, HeadingLevel, LinkType, Parser, Tag, TagEnd, html};

use crate::domain::is_web_address;

/// Converts Markdown to HTML. Raw HTML is dropped, links may lead to web and mail addresses and
/// pages of this site (OWASP ASVS 1.3.1), and headings start at the second level.
pub(crate) fn to_html(text: &str) -> String {
    let events = Parser::new(text).filter_map(|event| match event {
        Event::Html(_) | Event::InlineHtml(_) => None,
        Event::Start(Tag::HtmlBlock) | Event::End(TagEnd::HtmlBlock) => None,
        Event::Start(Tag::Link {
            link_type,
            dest_url,
            title,
            id,
        }) => Some(Event::Start(Tag::Link {
            dest_url: safe(link_type, dest_url),
            link_type,
            title,
            id,
        })),
        Event::Start(Tag::Image {
            link_type,
            dest_url,
            title,
            id,
        }) => Some(Event::Start(Tag::Image {
            dest_url: Some(dest_url)
                .filter(|address| is_web_address(address))
                .unwrap_or_else(|| CowStr::from("")),
            link_type,
            title,
            id,
        })),
        Event::Start(Tag::Heading {
            level,
            id,
            classes,
            attrs,
        }) => Some(Event::Start(Tag::Heading {
            level: below(level),
            id,
            classes,
            attrs,
        })),
        Event::End(TagEnd::Heading(level)) => Some(Event::End(TagEnd::Heading(below(level)))),
        other => Some(other),
    });
    let mut page = String::new();
    html::push_html(&mut page, events);
    page
}

/// Returns the text of Markdown in one line, for search engines.
pub(crate) fn to_text(text: &str) -> String {
    let mut words = String::new();
    for event in Parser::new(text) {
        match event {
            Event::Text(text) | Event::Code(text) => words += &text,
            Event::SoftBreak
            | Event::HardBreak
            | Event::End(TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::Item) => words += " ",
            _ => {}
        }
    }
    let words: Vec<&str> = words.split_whitespace().collect();
    words.join(" ")
}

fn safe(kind: LinkType, address: CowStr<'_>) -> CowStr<'_> {
    let own = address.starts_with('/') && !address.starts_with("//") && !address.contains('\\');
    let mail = kind == LinkType::Email || address.to_lowercase().starts_with("mailto:");
    if own || mail || is_web_address(&address) {
        address
    } else {
        "".into()
    }
}

/// Lowers a heading by one level: the first is the page's title.
fn below(level: HeadingLevel) -> HeadingLevel {
    match level {
        HeadingLevel::H1 | HeadingLevel::H2 => HeadingLevel::H2,
        HeadingLevel::H3 => HeadingLevel::H3,
        HeadingLevel::H4 => HeadingLevel::H4,
        HeadingLevel::H5 => HeadingLevel::H5,
        HeadingLevel::H6 => HeadingLevel::H6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raw_html_and_scripts_are_removed_from_markdown() {
        let text = "# Big\n\n<script>alert(1)</script>\n\nan <b onclick=x>old</b> \
                    [a](javascript:alert(1)) [b](https://shop.example/) [c](//evil.example) \
                    [d](/pages/terms) <me@shop.example> ![p](data:image/svg+xml,x)";
        let html = to_html(text);
        for refused in ["<script", "<b", "javascript", "evil", "data:", "<h1"] {
            assert!(!html.contains(refused), "{html}");
        }
        for kept in [
            "<h2>Big</h2>",
            "an old",
            "href=\"https://shop.example/\"",
            "href=\"/pages/terms\"",
            "href=\"mailto:me@shop.example\"",
        ] {
            assert!(html.contains(kept), "{kept} in {html}");
        }
    }
}
