//! Dates as people and spreadsheets write them: `31/12/26`, `31-Dec-2026`, `2026-12-31T23:59`.

use jiff::civil::{Date, DateTime, Time, date};
use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};

use super::super::rule::DayOrder;
use super::super::steps;
use crate::domain::{rfc3339, truncate};

/// Maximum length of a date in bytes.
const LONGEST: usize = 100;
const TIMES: [&str; 4] = ["%H:%M:%S", "%H:%M", "%I:%M %p", "%I:%M%p"];
const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];
const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
/// Days that Excel counts from 1900 in the years 1982 to 2119, and seconds since 1970.
const SERIALS: std::ops::Range<f64> = 30_000.0..80_000.0;
const SECONDS: std::ops::Range<f64> = 9e8..5e9;

/// Order of the days and months of a column.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::catalog::mapping) enum Order {
    #[default]
    DayFirst,
    MonthFirst,
    /// Unknown.
    Open,
}

impl From<DayOrder> for Order {
    fn from(order: DayOrder) -> Self {
        match order {
            DayOrder::Dmy => Self::DayFirst,
            DayOrder::Mdy => Self::MonthFirst,
        }
    }
}

/// Converts a text to a time. Without a zone it is India's; without a time of day, an end is the
/// last second of its day.
///
/// # Errors
///
/// A sentence that names the text.
pub(in crate::catalog::mapping) fn time(
    text: &str,
    is_end: bool,
    order: Order,
) -> Result<Timestamp, String> {
    let text = text.trim();
    let shown = truncate(text, 40);
    let example = match order {
        Order::MonthFirst => "12/31/2026",
        _ => "31/12/2026",
    };
    let none = || format!("“{shown}” is not a date: write it like {example} or 2026-12-31T23:59.");
    // Each space of a longer text would be tried as the end of the day.
    if text.len() > LONGEST {
        return Err(none());
    }
    if let Ok(time) = text.parse() {
        return Ok(time);
    }
    if order == Order::Open
        && let Some((first, second)) = numeric(text)
        && first <= 12
        && second <= 12
        && first != second
    {
        return Err(format!(
            "“{shown}” may have the day or the month first: say which with --dates dmy or mdy, or \
             with “order” in a mapping."
        ));
    }
    let (local, offset) = local(text, order == Order::MonthFirst).ok_or_else(none)?;
    let local = match local {
        (date, Some(time)) if time != Time::midnight() || !is_end || offset.is_some() => {
            date.to_datetime(time)
        }
        (date, _) if is_end => date.to_datetime(Time::constant(23, 59, 59, 0)),
        (date, _) => date.to_datetime(Time::midnight()),
    };
    let offset = Offset::from_seconds(offset.unwrap_or(5 * 3_600 + 1_800));
    let time = offset
        .ok()
        .and_then(|offset| offset.to_timestamp(local).ok());
    time.ok_or_else(none)
}

/// Like [`time`], as it is on the wire.
pub(in crate::catalog::mapping) fn parse(
    text: &str,
    is_end: bool,
    order: Order,
) -> Result<String, String> {
    time(text, is_end, order).map(rfc3339)
}

/// Returns the first two numbers of a date like 31/12/2026, whose last is a year.
pub(in crate::catalog::mapping) fn numeric(text: &str) -> Option<(u32, u32)> {
    let day = text.split_whitespace().next()?;
    let numbers = day.split(['/', '-', '.']).map(|part| part.parse().ok());
    let numbers: Option<Vec<u32>> = numbers.collect();
    match numbers?[..] {
        [first @ 1..=31, second @ 1..=31, _] => Some((first, second)),
        _ => None,
    }
}

/// A date, and its time of day if it has one.
type Local = (Date, Option<Time>);

/// Reads a local time, with the seconds of its zone if it names one.
fn local(text: &str, month_first: bool) -> Option<(Local, Option<i32>)> {
    if let Ok(number) = text.parse::<f64>() {
        return counted(number).map(|local| (local, None));
    }
    let zones = [("IST", None), ("UTC", Some(0)), ("GMT", Some(0))];
    let named = zones
        .iter()
        .find_map(|(name, offset)| Some((text.strip_suffix(name)?.trim_end(), *offset)));
    let (text, offset) = named.unwrap_or((text, None));
    if let Ok(time) = text.replace(' ', "T").parse::<DateTime>()
        && text.contains(':')
    {
        return Some(((time.date(), Some(time.time())), offset));
    }
    if let Some(date) = day(text, month_first) {
        return Some(((date, None), offset));
    }
    // The time of day follows the date.
    let mut spaces = text.match_indices([' ', 'T', ',']);
    let (date, time) = spaces.find_map(|(at, _)| {
        steps(text.len() - at);
        let time = text[at + 1..].trim().trim_start_matches("at ");
        let time = TIMES
            .iter()
            .find_map(|format| Time::strptime(format, time).ok())?;
        Some((
            day(text[..at].trim_end_matches([',', ' ']), month_first)?,
            time,
        ))
    })?;
    Some(((date, Some(time)), offset))
}

/// Returns a time that a spreadsheet counts in days, or a program in seconds or milliseconds.
fn counted(number: f64) -> Option<Local> {
    let (start, seconds) = if SERIALS.contains(&number) {
        (date(1899, 12, 30), number * 86_400.0)
    } else if SECONDS.contains(&number) || SECONDS.contains(&(number / 1_000.0)) {
        let seconds = if SECONDS.contains(&number) {
            number
        } else {
            number / 1_000.0
        };
        (date(1970, 1, 1), seconds + 19_800.0)
    } else if (19_000_101.0..30_000_000.0).contains(&number) {
        let day = Date::strptime("%Y%m%d", number.to_string()).ok()?;
        return Some((day, None));
    } else {
        return None;
    };
    #[expect(clippy::cast_possible_truncation, reason = "at most 5e9")]
    let seconds = seconds.round() as i64;
    let time = start.to_datetime(Time::midnight());
    let time = time.checked_add(SignedDuration::from_secs(seconds)).ok()?;
    Some((time.date(), Some(time.time())))
}

/// Reads a day; its month may have a name, and its year two digits.
fn day(text: &str, month_first: bool) -> Option<Date> {
    let mut month = None;
    let mut numbers: Vec<(i16, usize)> = Vec::new();
    let lower = text.to_lowercase();
    let parts = lower.split(|c: char| c.is_whitespace() || "/-.,".contains(c));
    for part in parts.filter(|part| !part.is_empty() && *part != "of") {
        let digits = ["st", "nd", "rd", "th"]
            .iter()
            .find_map(|ending| {
                part.strip_suffix(ending)
                    .filter(|it| it.parse::<u8>().is_ok())
            })
            .unwrap_or(part);
        if let Ok(number) = digits.parse() {
            numbers.push((number, digits.len()));
            continue;
        }
        let starts = |name: &str| {
            part.len() >= 3 && part.starts_with(name) && part.chars().all(char::is_alphabetic)
        };
        if let Some(at) = MONTHS.iter().position(|name| starts(name)) {
            if month.replace(i8::try_from(at + 1).ok()?).is_some() {
                return None;
            }
        } else if !DAYS.iter().any(|name| starts(name)) {
            return None;
        }
    }
    let year_of = |(year, digits): (i16, usize)| match digits {
        4 => Some(year),
        2 => Some(2_000 + year),
        _ => None,
    };
    let (year, month, day) = match (month, &numbers[..]) {
        (Some(month), [(year, 4), (day, _)]) => (Some(*year), month, *day),
        (Some(month), [(day, _), year]) => (year_of(*year), month, *day),
        (None, [(year, 4), (month, _), (day, _)]) => {
            (Some(*year), i8::try_from(*month).ok()?, *day)
        }
        (None, [(first, 1..=2), (second, 1..=2), year]) => {
            let (day, month) = if month_first {
                (second, first)
            } else {
                (first, second)
            };
            (year_of(*year), i8::try_from(*month).ok()?, *day)
        }
        _ => return None,
    };
    Date::new(year?, month, i8::try_from(day).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_with_the_day_first_in_indian_time() {
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
            ("31-Dec-26", "2026-12-31T18:29:59.000Z"),
            ("31.12.26", "2026-12-31T18:29:59.000Z"),
            ("Dec 31, 2026", "2026-12-31T18:29:59.000Z"),
            ("31st of December 2026", "2026-12-31T18:29:59.000Z"),
            ("Thu Dec 31 2026", "2026-12-31T18:29:59.000Z"),
            (
                "Thursday, 31 December, 2026 11:59 PM",
                "2026-12-31T18:29:00.000Z",
            ),
            ("46387", "2026-12-31T18:29:59.000Z"),
            ("1798675199", "2026-12-30T23:59:59.000Z"),
            ("20261231", "2026-12-31T18:29:59.000Z"),
            ("2026-12-31 23:59:59 IST", "2026-12-31T18:29:59.000Z"),
            ("2026-12-31T00:00:00", "2026-12-31T18:29:59.000Z"),
            ("31/12/2026 23:59:59 UTC", "2026-12-31T23:59:59.000Z"),
        ] {
            let read = parse(text, true, Order::DayFirst);
            assert_eq!(read.as_deref(), Ok(end), "{text}");
        }
        assert_eq!(
            parse("12/31/2026", false, Order::MonthFirst).as_deref(),
            Ok("2026-12-30T18:30:00.000Z")
        );
        let open = parse("05/06/2026", false, Order::Open).unwrap_err();
        assert!(
            open.contains("may have the day or the month first"),
            "{open}"
        );
        assert!(parse("05/05/2026", false, Order::Open).is_ok());
    }

    #[test]
    fn days_that_do_not_exist_are_refused() {
        for text in [
            "31/02/2026",
            "12/31/2026",
            "tomorrow",
            "2026-02-30",
            "31/12",
            "31 Dec",
        ] {
            let error = parse(text, false, Order::DayFirst).unwrap_err();
            assert!(error.contains("is not a date: write it like"), "{error}");
        }
    }
}
