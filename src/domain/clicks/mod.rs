//! Clicks: their verdict (person, bot, own), the screen, and the visitor's channel.

pub(super) mod overview;
pub(super) mod reports;

use jiff::Timestamp;

use super::enums::named;

/// Defines an enum as [`named!`], whose variants also have a database code and a label.
macro_rules! coded {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $code:literal, $wire:literal, $label:literal;)+ }) => {
        named! { $(#[$about])* $name { $(#[doc = $label] $(#[$doc])* $variant = $wire;)+ } }

        impl $name {
            /// The number in the database.
            pub fn code(self) -> i64 {
                match self { $(Self::$variant => $code,)+ }
            }

            /// The label on screens.
            pub fn label(self) -> &'static str {
                match self { $(Self::$variant => $label,)+ }
            }

            /// Finds a variant by its database code.
            pub fn from_code(code: i64) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.code() == code)
            }

            /// Returns the wire name and the label of a database code.
            pub fn named(code: i64) -> Option<(&'static str, &'static str)> {
                Self::from_code(code).map(|one| (one.as_str(), one.label()))
            }
        }
    };
}

coded! {
    /// Classification of a click (decisions, section 7).
    Verdict {
        /// A person went to the seller.
        Counted = 0, "counted", "Counted";
        Prefetch = 1, "prefetch", "Loaded ahead by a browser, not clicked";
        Preview = 2, "preview", "A messenger drew a preview";
        Bot = 3, "bot", "Bots";
        Program = 4, "program", "Scripts";
        Automated = 5, "automated", "A browser run by a program";
        Yours = 6, "yours", "Your own clicks";
        Repeat = 7, "repeat", "Repeat clicks";
        /// Exceeds the click limit of a visitor.
        Burst = 8, "burst", "More clicks than a person makes";
    }
}

coded! {
    /// Traffic source of a visitor.
    Channel {
        /// Unknown: typed, a bookmark, or a messenger that sends no referrer.
        Direct = 0, "direct", "Direct or messenger";
        Search = 1, "search", "Search";
        Telegram = 2, "telegram", "Telegram";
        Whatsapp = 3, "whatsapp", "WhatsApp";
        Instagram = 4, "instagram", "Instagram";
        Facebook = 5, "facebook", "Facebook";
        X = 6, "x", "X";
        Youtube = 7, "youtube", "YouTube";
        Reddit = 8, "reddit", "Reddit";
        Mail = 9, "mail", "Mail";
        Feed = 10, "feed", "Feed";
        Push = 11, "push", "Notification";
        Ai = 12, "ai", "AI assistant";
        Site = 13, "site", "Another site";
    }
}

coded! {
    /// Screen on which a click was made.
    Place {
        List = 0, "list", "List";
        Details = 1, "details", "Details";
        Search = 2, "search", "Search results";
        Saved = 3, "saved", "Saved deals";
    }
}

/// A classified click.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Click {
    /// Classification.
    pub verdict: Verdict,
    /// Detail of the verdict, such as the program's name; may be empty.
    pub why: String,
    /// User agent, at most [`Click::AGENT`] characters.
    pub agent: String,
    /// Traffic source.
    pub channel: Channel,
    /// Screen of the click.
    pub place: Place,
    /// When.
    pub at: Timestamp,
}

impl Click {
    /// Maximum stored length of a user agent, in characters.
    pub const AGENT: usize = 200;
}

/// An uncounted click, as the owner sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct LeftOut {
    pub at: Timestamp,
    pub product: String,
    /// Its current or last title.
    pub title: String,
    pub verdict: Verdict,
    /// Detail of the verdict; may be empty.
    pub why: String,
    pub agent: String,
}

impl LeftOut {
    /// Returns label and detail of the verdict.
    pub fn reason(&self) -> String {
        if self.why.is_empty() {
            self.verdict.label().to_owned()
        } else {
            format!("{}: {}", self.verdict.label(), self.why)
        }
    }
}
