//! Mails without an account: the same words as plain text and as HTML.

use maud::{DOCTYPE, html};

use crate::mail::{Message, escape_html};

/// A paragraph of a mail.
pub(super) struct Paragraph {
    /// Words and address of the link that it begins with.
    pub(super) link: Option<(String, String)>,
    pub(super) lines: Vec<String>,
}

impl Paragraph {
    pub(super) fn of(line: impl Into<String>) -> Self {
        Self {
            link: None,
            lines: vec![line.into()],
        }
    }

    pub(super) fn linked(words: String, address: String, lines: Vec<String>) -> Self {
        Self {
            link: Some((words, address)),
            lines,
        }
    }

    fn text(&self) -> String {
        let link = self.link.as_ref().map(|(words, address)| (words, address));
        let (words, address) = link.unzip();
        let lines = words.into_iter().chain(&self.lines).chain(address);
        lines.map(|line| format!("{line}\n")).collect()
    }
}

/// A mail that is the same for all its receivers.
pub(super) struct Letter {
    subject: String,
    text: String,
    html: String,
    shop: String,
}

impl Letter {
    pub(super) fn new(
        subject: String,
        shop: &str,
        heading: &str,
        paragraphs: &[Paragraph],
    ) -> Self {
        let texts: Vec<String> = paragraphs.iter().map(Paragraph::text).collect();
        let html = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="color-scheme" content="light dark";
                    meta name="supported-color-schemes" content="light dark";
                    title { (heading) }
                }
                body style="font-family: sans-serif; font-size: 16px; line-height: 1.5; max-width: 36em" {
                    h1 style="font-size: 20px" { (heading) }
                    @for Paragraph { link, lines } in paragraphs {
                        p {
                            @if let Some((words, address)) = link { a href=(address) { strong { (words) } } br; }
                            @for (nth, line) in lines.iter().enumerate() { @if nth > 0 { br; } (line) }
                        }
                    }
                }
            }
        };
        Self {
            subject,
            text: format!("{heading}\n\n{}", texts.join("\n")),
            html: html.into_string(),
            shop: shop.to_owned(),
        }
    }

    /// Addresses it, with the receiver's own link after `words`. A mail program's click on it ends such mails.
    pub(super) fn to(&self, email: String, words: &str, link: String) -> Message {
        let escaped = escape_html(&link);
        let escaped_words = escape_html(words);
        let footer =
            format!("<p><small>{escaped_words} <a href=\"{escaped}\">{escaped}</a></small></p>");
        Message {
            to: email,
            subject: self.subject.clone(),
            text: format!("{}\n-- \n{words}\n{link}\n", self.text),
            html: self.html.replace("</body>", &format!("{footer}</body>")),
            shop: self.shop.clone(),
            unsubscribe: Some(link),
        }
    }
}
