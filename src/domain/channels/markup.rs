//! Markup of messengers.

use std::borrow::Cow;

/// Markup of a messenger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Markup {
    /// Plain text.
    None,
    /// WhatsApp.
    WhatsApp,
    /// HTML of the Telegram Bot API.
    Telegram,
    /// Markdown of Discord.
    Discord,
}

/// Style of a part of a text, as templates name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    /// `<b>`
    Bold,
    /// `<i>`
    Italic,
    /// `<s>`
    Struck,
    /// `<u>`
    Underlined,
    /// `<code>`
    Code,
}

impl Tag {
    const ALL: [Self; 5] = [
        Self::Bold,
        Self::Italic,
        Self::Struck,
        Self::Underlined,
        Self::Code,
    ];

    /// Returns its name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Bold => "b",
            Self::Italic => "i",
            Self::Struck => "s",
            Self::Underlined => "u",
            Self::Code => "code",
        }
    }

    pub(super) fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tag| tag.name() == name)
    }
}

impl Markup {
    /// Returns what begins a style.
    pub(super) fn open(self, tag: Tag) -> Cow<'static, str> {
        match self {
            Self::Telegram => format!("<{}>", tag.name()).into(),
            _ => self.mark(tag).into(),
        }
    }

    /// Returns what ends a style.
    pub(super) fn close(self, tag: Tag) -> Cow<'static, str> {
        match self {
            Self::Telegram => format!("</{}>", tag.name()).into(),
            _ => self.mark(tag).into(),
        }
    }

    fn mark(self, tag: Tag) -> &'static str {
        match (self, tag) {
            (Self::None | Self::Telegram, _) | (Self::WhatsApp, Tag::Underlined) => "",
            (Self::WhatsApp, Tag::Bold) | (Self::Discord, Tag::Italic) => "*",
            (Self::WhatsApp, Tag::Italic) => "_",
            (Self::WhatsApp, Tag::Struck) => "~",
            (_, Tag::Code) => "`",
            (Self::Discord, Tag::Bold) => "**",
            (Self::Discord, Tag::Struck) => "~~",
            (Self::Discord, Tag::Underlined) => "__",
        }
    }

    /// Returns a text in which nothing is read as markup.
    pub(super) fn escape(self, text: &str, in_code: bool) -> String {
        match self {
            Self::None => text.to_owned(),
            Self::Telegram => {
                let text = text.replace('&', "&amp;").replace('<', "&lt;");
                text.replace('>', "&gt;")
            }
            // Neither has an escape there.
            Self::WhatsApp | Self::Discord if in_code => text.replace('`', ""),
            // A style beside a blank is none.
            Self::WhatsApp => {
                let text = text.replace(['*', '~', '`'], "").replace('_', " ");
                let words: Vec<&str> = text.split_whitespace().collect();
                words.join(" ")
            }
            Self::Discord => text.chars().fold(String::new(), |mut escaped, c| {
                if "\\*_~`|<>[]#@".contains(c) {
                    escaped.push('\\');
                }
                escaped.push(c);
                escaped
            }),
        }
    }

    /// Returns the UTF-16 units of a text as the messenger counts them: Discord with its markup.
    pub(super) fn length(self, plain: &str, marked: &str) -> usize {
        let counted = if self == Self::Discord { marked } else { plain };
        counted.encode_utf16().count()
    }

    /// Returns an address, which messengers make a link of.
    pub(super) fn link(self, address: &str) -> String {
        match self {
            Self::Telegram => self.escape(address, false),
            _ => address.to_owned(),
        }
    }

    /// Returns a text in a style.
    pub(super) fn styled(self, tag: Tag, text: &str) -> String {
        match self.escape(text, tag == Tag::Code) {
            text if text.is_empty() => text,
            text => format!("{}{text}{}", self.open(tag), self.close(tag)),
        }
    }
}
