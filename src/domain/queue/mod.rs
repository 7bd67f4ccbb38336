//! The queue of drafts: so many go live in an hour, between two times of the day.

use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{FieldError, Lifetime, date_in_india, in_india, time_in_india};

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// How drafts leave the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueRules {
    /// Number of drafts that go live in an hour.
    pub per_hour: i64,
    /// First minute of the day in India; the same as `to` for the whole day.
    pub from: i64,
    /// Minute of the day in India that ends it, the next day if it is before `from`.
    pub to: i64,
    /// True while none goes live.
    pub is_paused: bool,
    /// True if each channel that is on posts them; otherwise those of `channels` do.
    pub every_channel: bool,
    /// Ids of channels.
    pub channels: Vec<String>,
    /// When the last one went live.
    pub last_at: Option<Timestamp>,
    /// Number of changes of these rules and of the order.
    pub version: i64,
}

/// A change of the queue; missing fields keep their values.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct QueueRequest {
    /// Ids of drafts that go first, in this order; those that have left the queue are ignored
    #[serde(default)]
    #[schema(max_items = 1_000)]
    pub order: Option<Vec<String>>,
    /// Number of drafts that go live in an hour
    #[serde(default)]
    #[schema(minimum = 1, maximum = 60)]
    pub per_hour: Option<i64>,
    /// Time in India, like 09:00, from which on drafts go live
    #[serde(default)]
    pub from: Option<String>,
    /// Time in India until which drafts go live; the same as from for the whole day
    #[serde(default)]
    pub to: Option<String>,
    /// Whether none goes live
    #[serde(default)]
    pub paused: Option<bool>,
    /// Whether each channel that is on posts them
    #[serde(default)]
    pub every_channel: Option<bool>,
    /// Ids of the channels that post them otherwise
    #[serde(default)]
    #[schema(max_items = 20)]
    pub channels: Option<Vec<String>>,
    /// Of the queue that the client saw
    #[serde(default)]
    pub version: Option<i64>,
}

impl QueueRules {
    /// Maximum number of drafts in the queue.
    pub const MOST: usize = 1_000;
    /// Maximum number of drafts that go live in an hour.
    pub const MOST_PER_HOUR: i64 = 60;
    const MOST_CHANNELS: usize = 20;

    /// Returns the rules after a change.
    ///
    /// # Errors
    ///
    /// A message per invalid field.
    pub fn change(&self, request: &QueueRequest) -> Result<Self, Vec<FieldError>> {
        let mut errors = Vec::new();
        let mut rules = self.clone();
        if let Some(per_hour) = request.per_hour {
            rules.per_hour = per_hour;
            if !(1..=Self::MOST_PER_HOUR).contains(&per_hour) {
                let message = format!("Enter a whole number from 1 to {}.", Self::MOST_PER_HOUR);
                errors.push(FieldError::new("perHour", message));
            }
        }
        for (field, sent, minute) in [
            ("from", &request.from, &mut rules.from),
            ("to", &request.to, &mut rules.to),
        ] {
            let Some(sent) = sent else { continue };
            if let Some(read) = minute_of(sent) {
                *minute = read;
            } else {
                let sent: String = sent.chars().take(20).collect();
                let message =
                    format!("“{sent}” is not a time from 00:00 to 23:59: write one like 09:00.");
                errors.push(FieldError::new(field, message));
            }
        }
        let order = request.order.as_ref().map_or(0, Vec::len);
        if order > Self::MOST {
            let message = format!("Send at most {} ids; this order has {order}.", Self::MOST);
            errors.push(FieldError::new("order", message));
        }
        if let Some(channels) = &request.channels {
            rules.channels.clone_from(channels);
            if channels.len() > Self::MOST_CHANNELS {
                let message = format!("Choose at most {} channels.", Self::MOST_CHANNELS);
                errors.push(FieldError::new("channels", message));
            }
        }
        rules.is_paused = request.paused.unwrap_or(self.is_paused);
        rules.every_channel = request.every_channel.unwrap_or(self.every_channel);
        rules.version += 1;
        if errors.is_empty() {
            Ok(rules)
        } else {
            Err(errors)
        }
    }

    /// Returns when the next draft goes live, at `now` at the earliest. Those that were missed do not
    /// count: the time since the last one is what spaces them.
    pub fn next(&self, now: Timestamp) -> Timestamp {
        self.after(self.last_at, now)
    }

    /// Returns when the next drafts go live: one after the other from [`Self::next`] on.
    pub fn times(&self, now: Timestamp) -> impl Iterator<Item = Timestamp> {
        let after = |at: &Timestamp| Some(self.after(Some(*at), *at));
        std::iter::successors(Some(self.next(now)), after)
    }

    fn after(&self, last: Option<Timestamp>, now: Timestamp) -> Timestamp {
        let gap = SignedDuration::from_millis(HOUR / self.per_hour.max(1));
        // A clock that was set back delays none.
        let spaced = last.map_or(now, |last| last.min(now) + gap);
        let at = spaced.max(now);
        let time = in_india(at)
            .time()
            .duration_since(jiff::civil::Time::midnight());
        let since_from = (time.as_millis() as i64 - self.from * MINUTE).rem_euclid(DAY);
        let open = ((self.to - self.from) * MINUTE).rem_euclid(DAY);
        if open == 0 || since_from < open {
            return at;
        }
        at + SignedDuration::from_millis(DAY - since_from)
    }
}

impl Lifetime {
    /// Returns why a draft can't go live now, in words.
    pub fn waits(&self, now: Timestamp) -> Option<String> {
        if let Some(end) = self.ends_at.filter(|end| *end <= now) {
            let day = date_in_india(end);
            return Some(format!(
                "Ended on {day}: it waits until it has another end."
            ));
        }
        let start = self.starts_at.filter(|start| *start > now)?;
        Some(format!("Waits for its start, {}.", time_in_india(start)))
    }
}

/// Formats a minute of the day, like `09:00`.
pub fn time_of_day(minute: i64) -> String {
    format!("{:02}:{:02}", minute / 60, minute % 60)
}

fn minute_of(text: &str) -> Option<i64> {
    let (hour, minute) = text.split_once(':')?;
    let number = |text: &str, most: i64| {
        let is_number = text.len() == 2 && text.bytes().all(|b| b.is_ascii_digit());
        let number: Option<i64> = text.parse().ok().filter(|_| is_number);
        number.filter(|number| *number <= most)
    };
    Some(number(hour, 23)? * 60 + number(minute, 59)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(per_hour: i64, from: &str, to: &str) -> QueueRules {
        QueueRules {
            per_hour,
            from: minute_of(from).unwrap(),
            to: minute_of(to).unwrap(),
            is_paused: false,
            every_channel: true,
            channels: Vec::new(),
            last_at: None,
            version: 1,
        }
    }

    /// A time of 22 November in India, or of a day after it.
    fn at(time: &str, days: i64) -> Timestamp {
        let midnight: Timestamp = "2026-11-21T18:30:00Z".parse().unwrap();
        midnight
            + SignedDuration::from_mins(minute_of(time).unwrap())
            + SignedDuration::from_hours(24 * days)
    }

    fn times(rules: &QueueRules, now: Timestamp) -> Vec<String> {
        rules.times(now).take(4).map(time_in_india).collect()
    }

    #[test]
    fn drafts_go_live_at_intervals_between_the_set_hours() {
        let mut queue = rules(3, "09:00", "21:00");
        let rest = ["22 Nov, 20:40", "23 Nov, 09:00", "23 Nov, 09:20"];
        assert_eq!(times(&queue, at("20:20", 0))[1..], rest);
        assert_eq!(times(&queue, at("08:59", 0))[0], "22 Nov, 09:00");
        assert_eq!(times(&queue, at("21:00", 0))[0], "23 Nov, 09:00");
        queue.last_at = Some(at("10:05", 0));
        assert_eq!(times(&queue, at("10:10", 0))[0], "22 Nov, 10:25");
    }

    #[test]
    fn what_was_missed_comes_spaced() {
        let mut queue = rules(4, "00:00", "00:00");
        queue.last_at = Some(at("08:00", 0));
        assert_eq!(
            times(&queue, at("12:07", 0)),
            [
                "22 Nov, 12:07",
                "22 Nov, 12:22",
                "22 Nov, 12:37",
                "22 Nov, 12:52"
            ]
        );
    }

    #[test]
    fn the_hours_may_pass_midnight() {
        let mut queue = rules(1, "22:30", "01:00");
        queue.last_at = Some(at("23:45", 0));
        assert_eq!(
            times(&queue, at("23:50", 0)),
            [
                "23 Nov, 00:45",
                "23 Nov, 22:30",
                "23 Nov, 23:30",
                "24 Nov, 00:30"
            ]
        );
        assert_eq!(times(&queue, at("12:00", 0))[0], "22 Nov, 22:30");
    }

    #[test]
    fn a_clock_that_was_set_back_delays_no_draft_by_more_than_an_interval() {
        let mut queue = rules(2, "00:00", "00:00");
        queue.last_at = Some(at("08:00", 400));
        assert_eq!(times(&queue, at("12:00", 0))[0], "22 Nov, 12:30");
    }

    #[test]
    fn invalid_rules_are_refused_by_field() {
        let request = QueueRequest {
            per_hour: Some(0),
            from: Some("9".to_owned()),
            to: Some("24:00".to_owned()),
            ..QueueRequest::default()
        };
        let errors = rules(1, "09:00", "21:00").change(&request).unwrap_err();
        let fields: Vec<_> = errors.iter().map(|error| error.field.clone()).collect();
        assert_eq!(fields, ["perHour", "from", "to"]);
        for time in [
            "+1:00", "24:00", "1:5", "-1:00", "09:60", "९:00", "09:00:00", "",
        ] {
            assert_eq!(minute_of(time), None, "{time}");
        }
    }
}
