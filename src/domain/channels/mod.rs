//! Channels to which deals are posted: their rules, and the texts of posts.

mod change;
mod deal;
mod markup;
mod template;
mod writing;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use url::Url;
use utoipa::ToSchema;

pub use self::change::{ChannelChoice, ChannelRequest};
pub use self::deal::DealWords;
pub use self::markup::Markup;
pub use self::template::{Template, USUAL_TEMPLATE};
pub use self::writing::PostText;
use super::enums::named;
use super::{Product, Rfc3339, State, in_india, slug_of};

named! {
    /// Kind of channel.
    ChannelKind {
        /// A channel or group of Telegram.
        Telegram = "telegram";
        /// A webhook of a Discord channel.
        Discord = "discord";
        /// An address that takes signed messages.
        Webhook = "webhook";
        /// Posts are written and kept, and sent nowhere.
        Nowhere = "nowhere";
    }
}

named! {
    /// Result for a deal that somebody posts.
    PostQueued {
        /// It is posted within seconds.
        Queued = "queued";
        /// It waits already, or was posted lately.
        Already = "already";
        /// Visitors can't buy it now.
        NotLive = "not live";
    }
}

named! {
    /// State of a post.
    PostState {
        /// It is sent when its turn comes.
        Waiting = "waiting";
        /// It is being sent, or nobody knows whether it arrived.
        Sending = "sending";
        /// It is in the channel.
        Sent = "sent";
        /// It was given up.
        Failed = "failed";
    }
}

impl ChannelKind {
    /// Returns the markup of its posts.
    pub fn markup(self) -> Markup {
        match self {
            Self::Telegram => Markup::Telegram,
            Self::Discord => Markup::Discord,
            Self::Webhook | Self::Nowhere => Markup::None,
        }
    }

    /// Largest number of UTF-16 units of a post: a caption of Telegram, a message of Discord.
    pub fn longest_post(self) -> usize {
        match self {
            Self::Telegram | Self::Nowhere => 1_024,
            Self::Discord => 2_000,
            Self::Webhook => 4_096,
        }
    }

    /// Least time between two messages: 20 a minute to a group of Telegram, 30 to a webhook of Discord.
    pub fn spacing(self) -> SignedDuration {
        SignedDuration::from_secs(match self {
            Self::Telegram => 3,
            Self::Discord => 2,
            Self::Webhook | Self::Nowhere => 0,
        })
    }
}

/// A channel without its secret, as in answers.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = ChannelBody)]
#[serde(rename_all = "camelCase")]
pub struct PostChannel {
    /// Public identifier.
    pub id: String,
    /// Kind.
    pub kind: ChannelKind,
    /// Its name in the office and, as a slug, in links.
    pub name: String,
    /// Telegram: the chat, like `@deals`. Webhook: the address. Empty otherwise.
    pub chat: String,
    /// Template of its posts; empty for the usual one.
    pub template: String,
    /// Which deals are posted without anybody's doing.
    pub rule: ChannelRule,
    /// Whether posts are sent.
    #[serde(rename = "on")]
    pub is_on: bool,
    /// Why the server switched it off, a sentence; empty otherwise.
    pub off_reason: String,
    /// Time at which the token or secret was given; null without one.
    #[schema(required = true)]
    pub secret_set_at: Option<Rfc3339>,
    /// Time of the last post.
    #[schema(required = true)]
    pub last_posted_at: Option<Rfc3339>,
    /// Why the last failed attempt failed, a sentence; empty before the first failure.
    pub last_error: String,
    /// Time of the last failed attempt.
    #[schema(required = true)]
    pub last_error_at: Option<Rfc3339>,
    /// Posts that wait.
    pub waiting: u64,
    /// Time of creation.
    pub created_at: Rfc3339,
}

/// A deal in a channel.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = PostBody)]
#[serde(rename_all = "camelCase")]
pub struct Post {
    /// The product's `_id`.
    pub id: String,
    /// Its title when it was queued.
    pub title: String,
    /// Whether it was posted by the channel's rule.
    pub by_rule: bool,
    /// State.
    pub state: PostState,
    /// Time at which it was queued.
    pub queued_at: Rfc3339,
    /// Time at which it was sent.
    #[schema(required = true)]
    pub sent_at: Option<Rfc3339>,
    /// Text with markup as it was sent last; empty before.
    pub text: String,
    /// Why it failed, or what may be wrong with it, a sentence; or empty.
    pub error: String,
}

/// Rule by which a channel gets deals that go live or become cheaper.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ChannelRule {
    /// Whether deals are posted by the rule.
    #[schema(default = false)]
    pub on: bool,
    /// Query of the list that a deal must be in, like `category=Books&minDiscount=30`; empty for every deal.
    #[schema(max_length = 1_000)]
    pub query: String,
    /// Only deals whose price is proven to be lower than before.
    #[schema(default = false)]
    pub proven_only: bool,
    /// Posts by the rule in an hour, at most.
    #[schema(minimum = 1, maximum = 60, default = 4)]
    pub per_hour: u32,
    /// Hour in India from which nothing is posted by the rule; null for none.
    #[schema(required = true, maximum = 23, default = 23)]
    pub quiet_from: Option<u32>,
    /// Hour in India at which posts go on; may be on the next day.
    #[schema(required = true, maximum = 23, default = 7)]
    pub quiet_to: Option<u32>,
    /// Days until a deal may be posted again.
    #[schema(minimum = 1, maximum = 90, default = 14)]
    pub again_after_days: u32,
}

impl Default for ChannelRule {
    fn default() -> Self {
        Self {
            on: false,
            query: String::new(),
            proven_only: false,
            per_hour: 4,
            quiet_from: Some(23),
            quiet_to: Some(7),
            again_after_days: 14,
        }
    }
}

impl ChannelRule {
    /// Most posts that wait by the rule of a channel.
    pub const MOST_WAITING: i64 = 100;

    /// Returns the time before which a deal is not posted again.
    pub fn again_after(&self) -> SignedDuration {
        SignedDuration::from_hours(24 * i64::from(self.again_after_days))
    }

    /// Returns the first moment at which a post by the rule may be sent; `sent` are the times of the latest ones,
    /// the newest first.
    pub fn next_moment(&self, sent: &[Timestamp], now: Timestamp) -> Timestamp {
        let hour = SignedDuration::from_hours(1);
        let full = sent.get(self.per_hour.max(1) as usize - 1);
        let at = full.map_or(now, |first| now.max(*first + hour));
        let (Some(from), Some(to)) = (self.quiet_from, self.quiet_to) else {
            return at;
        };
        let there = in_india(at);
        let hours = there.hour().cast_unsigned().into();
        let is_quiet = match from <= to {
            true => (from..to).contains(&hours),
            false => hours >= from || hours < to,
        };
        if !is_quiet {
            return at;
        }
        let passed = i64::from(there.minute()) * 60 + i64::from(there.second());
        let passed = SignedDuration::new(passed, there.subsec_nanosecond());
        at - passed + hour * ((24 + to - hours) % 24).cast_signed()
    }
}

/// Returns the address of a deal's page for a channel, so that reports know where its visitors come from.
pub fn page_for(page: &Url, kind: ChannelKind, name: &str) -> Url {
    let mut page = page.clone();
    page.query_pairs_mut()
        .append_pair("utm_source", kind.as_str())
        .append_pair("utm_campaign", &slug_of(name));
    page
}

/// Returns what a post must follow: state and prices of a deal, as its seller's rules let them be shown.
pub fn shown_facts(product: Option<&Product>) -> String {
    match product {
        Some(product) if product.state == State::Live => {
            let details = &product.details;
            match product.offers_price() {
                true => format!("{} of {}", details.final_price.get(), details.price.get()),
                false => "live".to_owned(),
            }
        }
        _ => "over".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        format!("{text}+05:30").parse().unwrap()
    }

    #[test]
    fn posts_by_a_rule_keep_the_number_an_hour_and_the_quiet_hours() {
        let rule = ChannelRule {
            per_hour: 2,
            ..ChannelRule::default()
        };
        let next = |sent: &[&str], now: &str| {
            let sent: Vec<_> = sent.iter().map(|text| at(text)).collect();
            rule.next_moment(&sent, at(now))
        };
        let noon = "2026-11-25T12:00:00";
        assert_eq!(next(&["2026-11-25T11:30:00"], noon), at(noon));
        let two = ["2026-11-25T11:50:00", "2026-11-25T11:30:00"];
        assert_eq!(next(&two, noon), at("2026-11-25T12:30:00"));
        let old = ["2026-11-25T11:50:00", "2026-11-25T10:30:00"];
        assert_eq!(next(&old, noon), at(noon));
        for (now, then) in [
            ("2026-11-25T22:59:59.999", "2026-11-25T22:59:59.999"),
            ("2026-11-25T23:00:00", "2026-11-26T07:00:00"),
            ("2026-11-26T00:10:20.5", "2026-11-26T07:00:00"),
            ("2026-11-26T06:59:59.999", "2026-11-26T07:00:00"),
            ("2026-11-26T07:00:00", "2026-11-26T07:00:00"),
        ] {
            assert_eq!(next(&[], now), at(then), "{now}");
        }
        let late = ["2026-11-25T22:50:00", "2026-11-25T22:40:00"];
        let then = next(&late, "2026-11-25T22:55:00");
        assert_eq!(then, at("2026-11-26T07:00:00"));
    }

    #[test]
    fn quiet_hours_may_be_within_a_day_or_missing() {
        let within = ChannelRule {
            quiet_from: Some(13),
            quiet_to: Some(15),
            ..ChannelRule::default()
        };
        let (noon, two) = (at("2026-11-25T12:00:00"), at("2026-11-25T14:10:00"));
        assert_eq!(within.next_moment(&[], noon), noon);
        assert_eq!(within.next_moment(&[], two), at("2026-11-25T15:00:00"));
        let never = ChannelRule {
            quiet_to: None,
            ..within
        };
        assert_eq!(never.next_moment(&[], two), two);
    }

    #[test]
    fn links_name_the_channel() {
        let page = Url::parse("https://deals.example/details/1").unwrap();
        let link = page_for(&page, ChannelKind::Telegram, "Loot Deals ₹99!");
        assert_eq!(
            link.as_str(),
            "https://deals.example/details/1?utm_source=telegram&utm_campaign=loot-deals-99"
        );
    }
}
