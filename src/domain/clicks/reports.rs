//! Click report queries and rows.

use jiff::Timestamp;
use jiff::civil::Date;
use serde::Deserialize;
use utoipa::IntoParams;

use super::{Channel, ReportBy};
use crate::domain::{Categories, Category, FieldError, date_of, day_in_india, day_of};

/// A validated report query.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct ReportQuery {
    /// The first day, in days since 1970 in India.
    pub from: i64,
    /// The last day.
    pub to: i64,
    pub by: ReportBy,
    pub source: Option<String>,
    pub category: Option<Category>,
    pub product: Option<String>,
    pub channel: Option<Channel>,
}

/// A line of a report.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct ReportRow {
    /// Day, hour, product `_id` or wire name.
    pub key: String,
    pub label: String,
    pub counted: u64,
    pub left_out: u64,
    /// Page views, for a product.
    pub page_views: Option<PageViews>,
}

impl ReportRow {
    /// Makes a row without page views.
    pub fn new(key: &str, label: &str, counted: u64, left_out: u64) -> Self {
        Self {
            key: key.to_owned(),
            label: label.to_owned(),
            counted,
            left_out,
            page_views: None,
        }
    }
}

/// Page views of a product and the clicks made there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PageViews {
    /// Page views.
    pub seen: u64,
    /// Counted clicks on the product's page.
    pub clicked: u64,
}

impl PageViews {
    /// Clicks per hundred page views, with one decimal; `None` without any, or with fewer than
    /// clicks, which means that some were lost.
    pub fn rate(self) -> Option<f64> {
        let is_known = self.seen > 0 && self.clicked <= self.seen;
        is_known.then(|| (self.clicked as f64 / self.seen as f64 * 1_000.0).round() / 10.0)
    }
}

/// Days for which hourly sums are stored; enough to compare two weeks at any hour.
pub const HOURS_KEPT: i64 = 15;
/// Default range, in days.
const DAYS: i64 = 30;
/// Maximum range, in days.
const MOST_DAYS: i64 = 3_660;

/// An unvalidated report query: days like `2026-11-22`, or `30d` for the last 30.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ReportRequest {
    /// First day in India; by default 30 days before the last
    pub from: Option<String>,
    /// Last day in India; today by default
    pub to: Option<String>,
    #[expect(missing_docs, reason = "described in its schema")]
    #[param(schema_with = ways, required = false)]
    pub by: Option<String>,
    /// Only of this seller
    pub source: Option<String>,
    /// Only of this category
    pub category: Option<String>,
    /// Only of the product with this _id
    pub product: Option<String>,
    /// Only from this channel
    pub channel: Option<String>,
}

fn ways() -> utoipa::openapi::Object {
    utoipa::openapi::ObjectBuilder::new()
        .schema_type(utoipa::openapi::schema::Type::String)
        .description(Some("How clicks are grouped; day without it"))
        .enum_values(Some(ReportBy::ALL.map(ReportBy::as_str)))
        .build()
}

impl ReportRequest {
    /// Validates the query as of `now`.
    ///
    /// # Errors
    ///
    /// Returns one error per invalid parameter.
    pub fn read(
        self,
        categories: &Categories,
        now: Timestamp,
    ) -> Result<ReportQuery, Vec<FieldError>> {
        let today = day_in_india(now);
        let mut errors = Vec::new();
        let mut refuse =
            |field: &str, message: String| errors.push(FieldError::new(field, message));
        let to = parse_day(self.to.as_deref(), today, today).unwrap_or_else(|message| {
            refuse("to", format!("to {message}"));
            today
        });
        let from = parse_day(self.from.as_deref(), to, to - DAYS + 1).unwrap_or_else(|message| {
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
            refuse("from", format!("A report covers at most {MOST_DAYS} days."));
        }
        let by = self
            .by
            .as_deref()
            .map_or(Some(ReportBy::Day), ReportBy::parse);
        if by.is_none() {
            let names = ReportBy::ALL.map(ReportBy::as_str).join(", ");
            refuse("by", format!("by must be one of {names}."));
        }
        if by == Some(ReportBy::Hour) && from <= today - HOURS_KEPT {
            let first = date_of(today - HOURS_KEPT + 1);
            let message =
                format!("Hours are kept for {HOURS_KEPT} days: begin on {first} or later.");
            refuse("from", message);
        }
        let category = self.category.map(|name| categories.find(&name).cloned());
        if category == Some(None) {
            let names = categories.names(", ");
            refuse("category", format!("category must be one of {names}."));
        }
        let channel = self.channel.map(|name| Channel::parse(&name));
        if channel == Some(None) {
            let names = Channel::ALL.map(Channel::as_str).join(", ");
            refuse("channel", format!("channel must be one of {names}."));
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

/// Parses a date, or `30d` counted back from `last`; `usual` without text.
fn parse_day(text: Option<&str>, last: i64, usual: i64) -> Result<i64, String> {
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
