//! Clicks and the dimensions that their sums tell apart: classification (person, bot, own), screen, and the
//! visitor's channel.

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
    Classification {
        /// A person went to the seller.
        Counted = 0, "counted", "Counted";
        Prefetch = 1, "prefetch", "Loaded ahead by a browser, not clicked";
        Preview = 2, "preview", "Link preview in a chat app";
        Bot = 3, "bot", "Bots";
        Program = 4, "program", "Scripts";
        Automated = 5, "automated", "A browser run by software";
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
        Direct = 0, "direct", "Direct or chat app";
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
        Discord = 14, "discord", "Discord";
    }
}

coded! {
    /// Screen on which a click was made.
    Place {
        List = 0, "list", "Deal list";
        Details = 1, "details", "Deal page";
        Search = 2, "search", "Search results";
        Saved = 3, "saved", "Saved deals";
    }
}

named! {
    /// Report dimension.
    ReportBy {
        /// Days in India.
        Day = "day";
        /// Hours in India; stored for [`HOURS_KEPT`](super::HOURS_KEPT) days.
        Hour = "hour";
        Product = "product";
        Source = "source";
        Category = "category";
        /// Traffic sources.
        Channel = "channel";
        /// Screens.
        Place = "place";
        /// Classifications.
        Classification = "verdict";
    }
}

impl ReportBy {
    /// Returns the dimension by which sums are stored; none if rows follow from day or product.
    pub fn dimension(self) -> Option<Dimension> {
        match self {
            Self::Channel => Some(Dimension::CHANNEL),
            Self::Place => Some(Dimension::PLACE),
            Self::Classification => Some(Dimension::CLASSIFICATION),
            Self::Day | Self::Hour | Self::Product | Self::Source | Self::Category => None,
        }
    }
}

/// Where a [`ClickKind`] has the code of a dimension.
#[derive(Debug, Clone, Copy)]
pub struct Dimension {
    shift: u32,
    bits: u32,
    /// Returns the wire name and the label of a code.
    pub named: fn(i64) -> Option<(&'static str, &'static str)>,
}

// The product has bits 11 to 40. A further dimension begins at bit 41, so that sums stored without it
// have its code 0.
impl Dimension {
    /// Why a click is counted or not.
    pub const CLASSIFICATION: Self = Self::new(0, 4, Classification::named);
    /// The screen.
    pub const PLACE: Self = Self::new(4, 3, Place::named);
    /// The traffic source.
    pub const CHANNEL: Self = Self::new(7, 4, Channel::named);
    const PRODUCT: Self = Self::new(11, 30, |_| None);

    const fn new(
        shift: u32,
        bits: u32,
        named: fn(i64) -> Option<(&'static str, &'static str)>,
    ) -> Self {
        Self { shift, bits, named }
    }
}

/// Product, channel, place and classification of a sum of clicks, in one number: with a column for each, the
/// table would be a quarter larger (docs/benchmarks.md).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClickKind(pub i64);

impl ClickKind {
    /// Number of "Other deals", under which sums beyond a limit are.
    pub const OTHER_DEALS: i64 = 0;

    /// Returns the code of a dimension.
    pub fn code(self, dimension: Dimension) -> i64 {
        (self.0 >> dimension.shift) & ((1 << dimension.bits) - 1)
    }

    /// Returns the number of the product in `clicked_products`.
    pub fn product(self) -> i64 {
        self.code(Dimension::PRODUCT)
    }

    /// Returns true for clicks of people.
    pub fn is_counted(self) -> bool {
        self.code(Dimension::CLASSIFICATION) == Classification::Counted.code()
    }

    /// Returns the kind under which clicks with this classification are added up beyond a limit.
    #[must_use]
    pub fn of_other_deals(self) -> Self {
        Self(self.code(Dimension::CLASSIFICATION))
    }
}

/// A classified click.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Click {
    /// Classification.
    pub classification: Classification,
    /// Detail of the classification, such as the program's name; may be empty.
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

    /// Returns a counted click with the first code of every dimension.
    pub fn at(at: Timestamp) -> Self {
        Self {
            classification: Classification::Counted,
            why: String::new(),
            agent: String::new(),
            channel: Channel::Direct,
            place: Place::List,
            at,
        }
    }

    /// Returns the kind of the sum to which the click belongs, for a number in `clicked_products`.
    pub fn kind(&self, product: i64) -> ClickKind {
        let codes = [
            (Dimension::PRODUCT, product),
            (Dimension::CHANNEL, self.channel.code()),
            (Dimension::PLACE, self.place.code()),
            (Dimension::CLASSIFICATION, self.classification.code()),
        ];
        ClickKind(codes.iter().map(|(at, code)| code << at.shift).sum())
    }
}

/// An uncounted click, as the owner sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct LeftOut {
    pub at: Timestamp,
    pub product: String,
    /// Its current or last title.
    pub title: String,
    pub classification: Classification,
    /// Detail of the classification; may be empty.
    pub why: String,
    pub agent: String,
}

impl LeftOut {
    /// Returns label and detail of the classification.
    pub fn reason(&self) -> String {
        if self.why.is_empty() {
            self.classification.label().to_owned()
        } else {
            format!("{}: {}", self.classification.label(), self.why)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_has_the_codes_of_its_click() {
        let largest = (1 << Dimension::PRODUCT.bits) - 1;
        for product in [ClickKind::OTHER_DEALS, 1, largest] {
            for classification in Classification::ALL {
                for (channel, place) in Channel::ALL.into_iter().zip(Place::ALL.into_iter().cycle())
                {
                    let click = Click {
                        classification,
                        channel,
                        place,
                        ..Click::at(Timestamp::UNIX_EPOCH)
                    };
                    let kind = click.kind(product);
                    assert_eq!(kind.product(), product);
                    let codes = [
                        Dimension::CHANNEL,
                        Dimension::PLACE,
                        Dimension::CLASSIFICATION,
                    ];
                    assert_eq!(
                        codes.map(|dimension| kind.code(dimension)),
                        [channel.code(), place.code(), classification.code()]
                    );
                    assert_eq!(kind.is_counted(), classification == Classification::Counted);
                    let other = Click {
                        classification,
                        ..Click::at(click.at)
                    };
                    assert_eq!(kind.of_other_deals(), other.kind(ClickKind::OTHER_DEALS));
                }
            }
        }
    }
}
