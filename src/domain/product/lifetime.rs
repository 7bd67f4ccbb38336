//! Start, end and state of a product.

use jiff::{SignedDuration, Timestamp};

use super::sent_fields::SentFields;
use crate::domain::enums::named;
use crate::domain::{FieldError, date_in_india, day_in_india, in_india, time_in_india};

/// Start and end of a product; by default it starts at once and does not end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Lifetime {
    /// True if hidden, regardless of the time.
    pub is_draft: bool,
    /// Start; none for at once.
    pub starts_at: Option<Timestamp>,
    /// End, later than the start; none for never.
    pub ends_at: Option<Timestamp>,
}

named! {
    /// State of a product at a given time, declared in the order of the database codes.
    State {
        /// Listed.
        Live = "live";
        /// Hidden until its start.
        Scheduled = "scheduled";
        /// Not listed; its page shows that it ended.
        Ended = "ended";
        /// Hidden.
        Draft = "draft";
    }
}

impl State {
    /// The number in the database.
    pub fn code(self) -> i64 {
        self as i64
    }

    /// True if visitors may open its page.
    pub fn is_public(self) -> bool {
        matches!(self, Self::Live | Self::Ended)
    }
}

impl Lifetime {
    /// Time before the end in which a product "ends soon".
    pub const SOON: SignedDuration = SignedDuration::from_hours(24);

    /// Returns the state at `now`; ended from the millisecond of its end.
    pub fn state(&self, now: Timestamp) -> State {
        if self.is_draft {
            State::Draft
        } else if self.ends_at.is_some_and(|end| end <= now) {
            State::Ended
        } else if self.starts_at.is_some_and(|start| start > now) {
            State::Scheduled
        } else {
            State::Live
        }
    }

    /// The wire value of `status`: `draft` or `live`.
    pub fn status(&self) -> &'static str {
        if self.is_draft { "draft" } else { "live" }
    }

    /// Card text of a live product that ends within 24 hours, like `Ends today 23:59`.
    pub fn ends_soon(&self, now: Timestamp) -> Option<String> {
        let is_live = self.state(now) == State::Live;
        let end = self.ends_at.filter(|_| is_live)?;
        if end.duration_since(now) >= Self::SOON {
            return None;
        }
        let today = day_in_india(end) == day_in_india(now);
        let day = if today { "today" } else { "tomorrow" };
        Some(format!("Ends {day} {}", in_india(end).strftime("%H:%M")))
    }

    /// Page notice of an unlisted product, like `This deal ended on 12 Nov 2026.`
    pub fn notice(&self, now: Timestamp) -> Option<String> {
        let only = "only administrators see this page";
        match self.state(now) {
            State::Live => None,
            State::Ended => self
                .ends_at
                .map(|end| format!("This deal ended on {}.", date_in_india(end))),
            State::Scheduled => self
                .starts_at
                .map(|start| format!("Starts on {}: until then {only}.", time_in_india(start))),
            State::Draft => Some(format!("A draft: {only}.")),
        }
    }

    /// Parses the request's fields; missing ones keep the values of `current`.
    pub(super) fn from_sent(
        fields: &mut SentFields,
        current: Option<&Self>,
        errors: &mut Vec<FieldError>,
    ) -> Self {
        let mut lifetime = current.copied().unwrap_or_default();
        if let Some(status) = fields.0.remove("status").filter(|value| !value.is_null()) {
            match status.as_str() {
                Some("draft") => lifetime.is_draft = true,
                Some("live") => lifetime.is_draft = false,
                _ => errors.push(FieldError::new("status", "Status must be draft or live.")),
            }
        }
        let mut time = |field, current| {
            if fields.0.contains_key(field) {
                fields.take_moment(field, errors)
            } else {
                current
            }
        };
        lifetime.starts_at = time("startsAt", lifetime.starts_at);
        lifetime.ends_at = time("endsAt", lifetime.ends_at);
        if let (Some(start), Some(end)) = (lifetime.starts_at, lifetime.ends_at)
            && end <= start
        {
            errors.push(FieldError::new(
                "endsAt",
                "The end must be after the start.",
            ));
        }
        lifetime
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_deal_is_live_from_its_start_to_the_millisecond_before_its_end() {
        let lifetime = Lifetime {
            is_draft: false,
            starts_at: Some(at("2026-11-22T18:30:00Z")),
            ends_at: Some(at("2026-11-23T18:30:00Z")),
        };
        for (now, state) in [
            ("2026-11-22T18:29:59.999Z", State::Scheduled),
            ("2026-11-22T18:30:00Z", State::Live),
            ("2026-11-23T18:29:59.999Z", State::Live),
            ("2026-11-23T18:30:00Z", State::Ended),
        ] {
            assert_eq!(lifetime.state(at(now)), state, "{now}");
            let draft = Lifetime {
                is_draft: true,
                ..lifetime
            };
            assert_eq!(draft.state(at(now)), State::Draft, "{now}");
        }
        assert_eq!(
            Lifetime::default().state(at("2026-11-22T00:00:00Z")),
            State::Live
        );
    }

    #[test]
    fn the_last_day_is_counted_in_india() {
        let lifetime = Lifetime {
            ends_at: Some(at("2026-11-22T18:29:00Z")),
            ..Lifetime::default()
        };
        for (now, text) in [
            ("2026-11-21T18:29:00Z", None),
            ("2026-11-21T18:29:00.001Z", Some("Ends tomorrow 23:59")),
            ("2026-11-21T18:30:00Z", Some("Ends today 23:59")),
            ("2026-11-22T18:28:59Z", Some("Ends today 23:59")),
            ("2026-11-22T18:29:00Z", None),
        ] {
            assert_eq!(lifetime.ends_soon(at(now)).as_deref(), text, "{now}");
        }
    }
}
