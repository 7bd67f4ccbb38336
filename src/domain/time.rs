//! Times: RFC 3339, file names, and days and hours in India.

use std::fmt;

use jiff::Timestamp;
use jiff::civil::{Date, DateTime, date};
use jiff::fmt::temporal::DateTimePrinter;
use jiff::tz::Offset;
use jiff::{SignedDuration, Span};
use serde::{Serialize, Serializer};

/// Indian Standard Time, ahead of UTC; India has no daylight saving time.
const INDIA: SignedDuration = SignedDuration::from_mins(5 * 60 + 30);
const EPOCH: Date = date(1970, 1, 1);

/// Writes a time as RFC 3339 in UTC, with milliseconds.
#[derive(Debug, Clone, Copy, utoipa::ToSchema)]
#[schema(value_type = String, format = DateTime)]
pub struct Rfc3339(pub Timestamp);

impl fmt::Display for Rfc3339 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&rfc3339(self.0))
    }
}

impl Serialize for Rfc3339 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&rfc3339(self.0))
    }
}

/// Formats a time as RFC 3339 in UTC, with milliseconds.
pub fn rfc3339(time: Timestamp) -> String {
    const PRINTER: DateTimePrinter = DateTimePrinter::new().precision(Some(3));
    PRINTER.timestamp_to_string(&time)
}

/// Formats a time in UTC for a file name, like `20261122T140500Z`.
pub fn timestamp_for_file(time: Timestamp) -> String {
    time.strftime("%Y%m%dT%H%M%SZ").to_string()
}

/// Returns the date and time of day in India.
pub fn in_india(at: Timestamp) -> DateTime {
    Offset::UTC.saturating_add(INDIA).to_datetime(at)
}

/// Formats a time in India, like `22 Nov, 14:05`.
pub fn time_in_india(at: Timestamp) -> String {
    in_india(at).strftime("%-d %b, %H:%M").to_string()
}

/// Formats a time with its clock, like `22 Nov 2026, 14:05 (India)`.
pub fn moment_in_india(at: Timestamp) -> String {
    in_india(at)
        .strftime("%-d %b %Y, %H:%M (India)")
        .to_string()
}

/// Formats a day in India, like `12 Nov 2026`.
pub fn date_in_india(at: Timestamp) -> String {
    in_india(at).strftime("%-d %b %Y").to_string()
}

/// Returns the day in India, in days since 1970.
pub fn day_in_india(at: Timestamp) -> i64 {
    hour_in_india(at).div_euclid(24)
}

/// Returns the hour in India, in hours since 1970.
pub fn hour_in_india(at: Timestamp) -> i64 {
    (at.as_millisecond() + INDIA.as_secs() * 1_000).div_euclid(3_600_000)
}

/// Returns the beginning of an hour in India, in hours since 1970.
pub fn beginning_of_hour(hour: i64) -> Timestamp {
    let at = hour.saturating_mul(3_600_000) - INDIA.as_secs() * 1_000;
    Timestamp::from_millisecond(at).unwrap_or_default()
}

/// Converts days since 1970 to a date.
pub fn date_of(day: i64) -> Date {
    EPOCH.saturating_add(Span::new().days(day.clamp(-700_000, 2_900_000)))
}

/// Converts a date to days since 1970.
pub fn day_of(date: Date) -> i64 {
    (date - EPOCH).get_days().into()
}

/// Converts hours since 1970 to a time.
pub fn time_of(hour: i64) -> DateTime {
    date_of(hour.div_euclid(24)).at(hour.rem_euclid(24) as i8, 0, 0, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_milliseconds() {
        let time = Timestamp::from_millisecond(1_700_000_000_000).unwrap();
        assert_eq!(rfc3339(time), "2023-11-14T22:13:20.000Z");
        assert_eq!(timestamp_for_file(time), "20231114T221320Z");
    }

    #[test]
    fn a_day_in_india_begins_at_half_past_six_in_the_evening_utc() {
        let before: Timestamp = "2026-03-01T18:29:59.999Z".parse().unwrap();
        let after = before + SignedDuration::from_millis(1);
        assert_eq!(time_in_india(before), "1 Mar, 23:59");
        assert_eq!(date_in_india(after), "2 Mar 2026");
        assert_eq!(day_in_india(after), day_in_india(before) + 1);
        assert_eq!(date_of(day_in_india(after)), in_india(after).date());
        assert_eq!(time_of(hour_in_india(after)), in_india(after));
        let early: Timestamp = "1969-12-31T18:29:59.5Z".parse().unwrap();
        assert_eq!(hour_in_india(early), -1);
    }
}
