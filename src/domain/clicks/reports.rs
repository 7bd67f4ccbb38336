//! What an owner asks of the clicks.

use jiff::Timestamp;
use jiff::civil::Date;

use super::{Channel, date_of, day_in_india, day_of};
use crate::domain::{Category, FieldError};

/// By what clicks are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportBy {
    /// Days in India.
    Day,
    /// Hours in India, of the last days only.
    Hour,
    /// Products.
    Product,
    /// Sellers.
    Source,
    /// Categories.
    Category,
    /// From where visitors came.
    Channel,
    /// On which screen.
    Place,
    /// What they were found to be.
    Verdict,
}

impl ReportBy {
    /// All of them, with their names on the wire.
    pub const NAMES: [(&str, Self); 8] = [
        ("day", Self::Day),
        ("hour", Self::Hour),
        ("product", Self::Product),
        ("source", Self::Source),
        ("category", Self::Category),
        ("channel", Self::Channel),
        ("place", Self::Place),
        ("verdict", Self::Verdict),
    ];

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        let named = Self::NAMES.iter().find(|(_, by)| *by == self);
        named.map_or("", |(name, _)| name)
    }

    /// Finds one by its exact name.
    pub fn parse(name: &str) -> Option<Self> {
        let named = Self::NAMES.iter().find(|(other, _)| *other == name);
        named.map(|(_, by)| *by)
    }
}

/// Which clicks a report is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportQuery {
    /// The first day, in days since 1970 in India.
    pub from: i64,
    /// The last day.
    pub to: i64,
    /// By what they are told apart.
    pub by: ReportBy,
    /// Of one seller only.
    pub source: Option<String>,
    /// Of one category only.
    pub category: Option<Category>,
    /// Of one product only, by its `_id`.
    pub product: Option<String>,
    /// From one channel only.
    pub channel: Option<Channel>,
}

/// A line of a report.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReportRow {
    /// The day, the hour, the product's `_id` or the name of what it is about.
    pub key: String,
    /// What people read.
    pub label: String,
    /// Clicks that somebody meant.
    pub counted: u64,
    /// The others.
    pub left_out: u64,
    /// Looks at its page, for a product.
    pub views: Option<Views>,
}

impl ReportRow {
    /// A line of something that has no page of its own to be looked at.
    pub fn new(key: &str, label: &str, counted: u64, left_out: u64) -> Self {
        Self {
            key: key.to_owned(),
            label: label.to_owned(),
            counted,
            left_out,
            views: None,
        }
    }
}

/// How often a product's own page was looked at, and led to its seller.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Views {
    /// Looks.
    pub seen: u64,
    /// Counted clicks on that page.
    pub clicked: u64,
}

impl Views {
    /// Clicks in a hundred looks, with one decimal. Nothing without a look, and nothing where
    /// there are more clicks: then looks were lost, or made without being counted.
    pub fn rate(self) -> Option<f64> {
        let of = |count: u64| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
        let is_known = self.seen > 0 && self.clicked <= self.seen;
        is_known.then(|| (of(self.clicked) / of(self.seen) * 1_000.0).round() / 10.0)
    }
}

/// How long hours are kept, in days: two weeks can be compared at any hour of the last one.
pub const HOURS_KEPT: i64 = 15;
/// The days of a report that names none.
const DAYS: i64 = 30;
/// The most days of one report.
const MOST_DAYS: i64 = 3_660;

/// A report as it is asked for: days like `2026-11-22`, or `30d` for so many up to the last.
#[derive(Debug, Clone, Default)]
pub struct ReportRequest {
    /// The first day.
    pub from: Option<String>,
    /// The last day.
    pub to: Option<String>,
    /// The name of a [`ReportBy`].
    pub by: Option<String>,
    /// A seller.
    pub source: Option<String>,
    /// The name of a category.
    pub category: Option<String>,
    /// A product's `_id`.
    pub product: Option<String>,
    /// The name of a channel.
    pub channel: Option<String>,
}

impl ReportRequest {
    /// What is asked for, now.
    ///
    /// # Errors
    ///
    /// What is wrong with each part.
    pub fn read(self, now: Timestamp) -> Result<ReportQuery, Vec<FieldError>> {
        let today = day_in_india(now);
        let mut errors = Vec::new();
        let mut refuse =
            |field: &str, message: String| errors.push(FieldError::new(field, message));
        let to = day(self.to.as_deref(), today, today).unwrap_or_else(|message| {
            refuse("to", format!("to {message}"));
            today
        });
        let from = day(self.from.as_deref(), to, to - DAYS + 1).unwrap_or_else(|message| {
            refuse("from", format!("from {message}"));
            to
        });
        if to > today {
            let today = date_of(today);
            refuse(
                "to",
                format!("The range ends in the future: today is {today}."),
            );
        }
        if from > to {
            refuse("from", "The range ends before it begins.".to_owned());
        } else if to - from >= MOST_DAYS {
            refuse("from", format!("A report is of at most {MOST_DAYS} days."));
        }
        let by = self
            .by
            .as_deref()
            .map_or(Some(ReportBy::Day), ReportBy::parse);
        if by.is_none() {
            let names = ReportBy::NAMES.map(|(name, _)| name).join(", ");
            refuse("by", format!("by must be one of {names}."));
        }
        if by == Some(ReportBy::Hour) && from <= today - HOURS_KEPT {
            let first = date_of(today - HOURS_KEPT + 1);
            let message =
                format!("Hours are kept for {HOURS_KEPT} days: begin on {first} or later.");
            refuse("from", message);
        }
        let category = self.category.map(|name| Category::parse(&name));
        if category == Some(None) {
            let names = Category::ALL.map(Category::as_str).join(", ");
            refuse("category", format!("category must be one of {names}."));
        }
        let channel = self.channel.map(|name| Channel::parse(&name));
        if channel == Some(None) {
            let names: Vec<_> = Channel::ALL.iter().map(|channel| channel.name()).collect();
            refuse(
                "channel",
                format!("channel must be one of {}.", names.join(", ")),
            );
        }
        match by {
            Some(by) if errors.is_empty() => Ok(ReportQuery {
                from,
                to,
                by,
                source: self.source,
                category: category.flatten(),
                product: self.product,
                channel: channel.flatten(),
            }),
            _ => Err(errors),
        }
    }
}

/// A day by its date, or by how many days there are up to the last one; `usual` without either.
fn day(text: Option<&str>, last: i64, usual: i64) -> Result<i64, String> {
    let Some(text) = text else {
        return Ok(usual);
    };
    let days = text
        .strip_suffix('d')
        .and_then(|days| days.parse::<u16>().ok());
    match (days, text.parse::<Date>()) {
        (Some(days @ 1..), _) => Ok(last - i64::from(days) + 1),
        (_, Ok(date)) => Ok(day_of(date)),
        _ => Err(format!(
            "must be a day like {}, or 30d for so many days.",
            date_of(last)
        )),
    }
}
