//! Dates as people write them: `31/12/2026`, `31 Dec 2026`, `2026-12-31T23:59`.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::Offset;

use crate::domain::{rfc3339, truncate};

/// Date formats besides ISO 8601; the day comes first, as in India.
const FORMATS: [&str; 6] = [
    "%d/%m/%Y", "%d-%m-%Y", "%d.%m.%Y", "%d %b %Y", "%d %B %Y", "%Y/%m/%d",
];
const MONTH_FIRST: [&str; 2] = ["%m/%d/%Y", "%m-%d-%Y"];
const TIMES: [&str; 4] = ["%H:%M:%S", "%H:%M", "%I:%M %p", "%I:%M%p"];

/// Converts a text to a time on the wire. Without a zone it is India's; without a time of day, an
/// end is the last second of its day.
///
/// # Errors
///
/// A sentence that names the text.
pub(super) fn parse(text: &str, is_end: bool, month_first: bool) -> Result<String, String> {
    let text = text.trim();
    if let Ok(time) = text.parse::<Timestamp>() {
        return Ok(rfc3339(time));
    }
    let local = local(text, is_end, month_first);
    let india = Offset::from_seconds(5 * 3_600 + 1_800);
    let time = local.and_then(|local| india.ok()?.to_timestamp(local).ok());
    time.map(rfc3339).ok_or_else(|| {
        let order = if month_first {
            "12/31/2026"
        } else {
            "31/12/2026"
        };
        format!(
            "“{}” is no date: write it like {order} or 2026-12-31T23:59.",
            truncate(text, 40)
        )
    })
}

fn local(text: &str, is_end: bool, month_first: bool) -> Option<DateTime> {
    if text.contains([':', 'T'])
        && let Ok(time) = text.replace(' ', "T").parse::<DateTime>()
    {
        return Some(time);
    }
    let day_of = |text: &str| {
        if let Ok(date) = text.parse::<Date>() {
            return Some(date);
        }
        let formats: &[&str] = if month_first { &MONTH_FIRST } else { &FORMATS };
        let mut formats = formats.iter();
        formats.find_map(|format| Date::strptime(format, text).ok())
    };
    if let Some(date) = day_of(text) {
        let end = Time::constant(23, 59, 59, 0);
        return Some(date.to_datetime(if is_end { end } else { Time::midnight() }));
    }
    // The time of day follows the date.
    let mut spaces = text.match_indices([' ', 'T']);
    spaces.find_map(|(at, _)| {
        let (date, time) = (&text[..at], text[at + 1..].trim());
        let time = TIMES
            .iter()
            .find_map(|format| Time::strptime(format, time).ok())?;
        Some(day_of(date.trim_end_matches(','))?.to_datetime(time))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_indias_with_the_day_first() {
        for (text, end) in [
            ("31/12/2026", "2026-12-31T18:29:59.000Z"),
            ("31-12-2026", "2026-12-31T18:29:59.000Z"),
            ("31.12.2026", "2026-12-31T18:29:59.000Z"),
            ("31 Dec 2026", "2026-12-31T18:29:59.000Z"),
            ("2026-12-31", "2026-12-31T18:29:59.000Z"),
            ("2026-12-31T23:59", "2026-12-31T18:29:00.000Z"),
            ("2026-12-31 23:59:30", "2026-12-31T18:29:30.000Z"),
            ("31/12/2026 11:59 PM", "2026-12-31T18:29:00.000Z"),
            ("31/12/2026 23:59", "2026-12-31T18:29:00.000Z"),
            ("2026-12-31T23:59:59Z", "2026-12-31T23:59:59.000Z"),
            ("2026-12-31T23:59:59+0530", "2026-12-31T18:29:59.000Z"),
        ] {
            assert_eq!(parse(text, true, false).as_deref(), Ok(end), "{text}");
        }
        assert_eq!(
            parse("12/31/2026", false, true).as_deref(),
            Ok("2026-12-30T18:30:00.000Z")
        );
    }

    #[test]
    fn days_that_do_not_exist_are_refused() {
        for text in [
            "31/02/2026",
            "12/31/2026",
            "tomorrow",
            "2026-02-30",
            "31/12",
        ] {
            let error = parse(text, false, false).unwrap_err();
            assert!(error.contains("is no date: write it like"), "{error}");
        }
    }
}
