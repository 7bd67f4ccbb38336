//! What is known of a click besides that it was made: whether somebody meant it, where it was
//! made, and where its visitor came from.

pub(super) mod overview;
pub(super) mod reports;

use jiff::civil::{Date, DateTime, date};
use jiff::{Span, Timestamp};

/// Makes an enum whose variants have a code in the database, a name on the wire, and words for
/// people.
macro_rules! coded {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $code:literal, $wire:literal, $label:literal;)+ }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$doc])* $variant,)+ }

        impl $name {
            /// All of them, in the order of their codes.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The number in the database.
            pub fn code(self) -> i64 {
                match self { $(Self::$variant => $code,)+ }
            }

            /// The name on the wire.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $wire,)+ }
            }

            /// What people read.
            pub fn label(self) -> &'static str {
                match self { $(Self::$variant => $label,)+ }
            }

            /// Finds one by its number in the database.
            pub fn of_code(code: i64) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.code() == code)
            }

            /// Finds one by its exact name.
            pub fn parse(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.name() == name)
            }
        }
    };
}

coded! {
    /// What a click was found to be (decisions, section 7).
    Verdict {
        /// Somebody went to the seller.
        Counted = 0, "counted", "Counted";
        /// A browser loaded it ahead.
        Prefetch = 1, "prefetch", "Loaded ahead by a browser, not clicked";
        /// A messenger drew a preview.
        Preview = 2, "preview", "A messenger drew a preview";
        /// A program that names itself.
        Bot = 3, "bot", "Names itself a bot";
        /// No browser.
        Program = 4, "program", "A program, not a browser";
        /// A browser that a program runs.
        Automated = 5, "automated", "A browser run by a program";
        /// The shop's own people.
        Yours = 6, "yours", "You";
        /// The same visitor and deal within an hour.
        Repeat = 7, "repeat", "The same visitor, again within an hour";
        /// Too many for one visitor.
        Burst = 8, "burst", "More clicks than a person makes";
    }
}

coded! {
    /// From where a visitor came to the shop.
    Channel {
        /// Nothing is known: typed, a bookmark, or a messenger, which says nothing.
        Direct = 0, "direct", "Direct or messenger";
        /// A search engine.
        Search = 1, "search", "Search";
        /// Telegram.
        Telegram = 2, "telegram", "Telegram";
        /// WhatsApp.
        Whatsapp = 3, "whatsapp", "WhatsApp";
        /// Instagram.
        Instagram = 4, "instagram", "Instagram";
        /// Facebook.
        Facebook = 5, "facebook", "Facebook";
        /// X, once Twitter.
        X = 6, "x", "X";
        /// YouTube.
        Youtube = 7, "youtube", "YouTube";
        /// Reddit.
        Reddit = 8, "reddit", "Reddit";
        /// A mail.
        Mail = 9, "mail", "Mail";
        /// The feed.
        Feed = 10, "feed", "Feed";
        /// A notification.
        Push = 11, "push", "Notification";
        /// An assistant.
        Ai = 12, "ai", "AI assistant";
        /// Any other site.
        Site = 13, "site", "Another site";
    }
}

coded! {
    /// On which screen a click was made.
    Place {
        /// A list.
        List = 0, "list", "List";
        /// A product's own page.
        Details = 1, "details", "Details";
        /// The results of a search.
        Search = 2, "search", "Search results";
        /// The saved deals.
        Saved = 3, "saved", "Saved deals";
    }
}

/// A click with what it was found to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Click {
    /// What it was found to be.
    pub verdict: Verdict,
    /// Why, where that says more than the verdict: the program's name.
    pub why: String,
    /// What the program calls itself, at most [`Click::AGENT`] characters.
    pub agent: String,
    /// From where the visitor came.
    pub channel: Channel,
    /// On which screen it was made.
    pub place: Place,
    /// When.
    pub at: Timestamp,
}

impl Click {
    /// Characters of an agent that are kept.
    pub const AGENT: usize = 200;
}

/// A click that was left out, as the owner reads of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// When.
    pub at: Timestamp,
    /// The product's `_id`.
    pub product: String,
    /// Its title, the last one when it is gone.
    pub title: String,
    /// What it was found to be.
    pub verdict: Verdict,
    /// Why, where that says more.
    pub why: String,
    /// What the program calls itself.
    pub agent: String,
}

impl LeftOut {
    /// The reason as a sentence.
    pub fn reason(&self) -> String {
        if self.why.is_empty() {
            self.verdict.label().to_owned()
        } else {
            format!("{}: {}", self.verdict.label(), self.why)
        }
    }
}

/// India's time is five and a half hours ahead of UTC, all year; in milliseconds, as is an hour.
const OFFSET: i64 = (5 * 60 + 30) * 60_000;
const HOUR: i64 = 60 * 60_000;
const EPOCH: Date = date(1970, 1, 1);

/// The day of a time in India, in days since 1970.
pub fn day_in_india(at: Timestamp) -> i64 {
    hour_in_india(at).div_euclid(24)
}

/// The hour of a time in India, in hours since 1970 there.
pub fn hour_in_india(at: Timestamp) -> i64 {
    (at.as_millisecond() + OFFSET).div_euclid(HOUR)
}

/// A time as people in India read it, like `22 Nov, 14:05`.
pub fn time_in_india(at: Timestamp) -> String {
    let local = at.as_millisecond().saturating_add(OFFSET);
    let local = Timestamp::from_millisecond(local).unwrap_or(at);
    local.strftime("%-d %b, %H:%M").to_string()
}

/// The date of a day that is counted from 1970.
pub fn date_of(day: i64) -> Date {
    EPOCH.saturating_add(Span::new().days(day.clamp(-700_000, 2_900_000)))
}

/// The day of a date, counted from 1970.
pub fn day_of(date: Date) -> i64 {
    // Between dates there are whole days.
    (date - EPOCH).get_days().into()
}

/// The time of an hour that is counted from 1970.
pub fn time_of(hour: i64) -> DateTime {
    let within = i8::try_from(hour.rem_euclid(24)).unwrap_or(0);
    date_of(hour.div_euclid(24)).at(within, 0, 0, 0)
}
