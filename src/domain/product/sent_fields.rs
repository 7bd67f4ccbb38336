//! Typed access to the fields of a JSON object.

use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::domain::field_error::{FieldError, words_of};
use crate::domain::without_reordering;

/// Unvalidated fields by wire name.
#[derive(Debug, Clone, Default)]
pub(super) struct SentFields(pub(super) Map<String, Value>);

impl SentFields {
    /// Removes a text, trimmed; empty if missing, which the field's rule reports.
    pub(super) fn take_text(
        &mut self,
        field: &str,
        wrong: &str,
        errors: &mut Vec<FieldError>,
    ) -> String {
        match self.0.remove(field) {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text.trim().to_owned(),
            Some(_) => {
                errors.push(FieldError::new(field, wrong));
                String::new()
            }
        }
    }

    /// Removes a number; NaN if it is none, which fails validation.
    pub(super) fn take_number(&mut self, field: &str) -> f64 {
        self.0
            .remove(field)
            .and_then(|value| value.as_f64())
            .unwrap_or(f64::NAN)
    }

    /// Removes an optional line of at most `most` characters; none if empty. Many files write ids as
    /// numbers.
    pub(super) fn take_line(
        &mut self,
        field: &str,
        most: usize,
        errors: &mut Vec<FieldError>,
    ) -> Option<String> {
        let mut refuse = |rule: String| {
            let message = format!("The {} must be {rule}.", words_of(field));
            errors.push(FieldError::new(field, message));
        };
        let text = match self.0.remove(field)? {
            Value::Null => return None,
            Value::String(text) => without_reordering(text.trim()),
            Value::Number(number) if number.is_u64() => number.to_string(),
            _ => {
                refuse("text".to_owned());
                return None;
            }
        };
        if text.chars().count() > most || text.chars().any(char::is_control) {
            refuse(format!("one line of at most {most} characters"));
        }
        Some(text).filter(|text| !text.is_empty())
    }

    pub(super) fn take_images(&mut self, errors: &mut Vec<FieldError>) -> Vec<String> {
        match self.0.remove("images") {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(items)) => items
                .into_iter()
                .map(|item| match item {
                    Value::String(text) => text.trim().to_owned(),
                    _ => String::new(),
                })
                .collect(),
            Some(_) => {
                errors.push(FieldError::new("images", "Images must be a list of URLs."));
                Vec::new()
            }
        }
    }

    pub(super) fn take_id(&mut self, errors: &mut Vec<FieldError>) -> Option<String> {
        match self.0.remove("_id") {
            None | Some(Value::Null) => None,
            Some(Value::String(id)) if is_id(&id) => Some(id),
            Some(_) => {
                errors.push(FieldError::new(
                    "_id",
                    "An _id must be 1 to 64 letters, digits, - or _.",
                ));
                None
            }
        }
    }

    pub(super) fn take_clicks(&mut self, errors: &mut Vec<FieldError>) -> Option<i64> {
        const LARGEST_EXACT_IN_JSON: i64 = 9_007_199_254_740_991;
        let value = self.0.remove("clicks").filter(|v| !v.is_null())?;
        let clicks = value
            .as_i64()
            .filter(|clicks| (0..=LARGEST_EXACT_IN_JSON).contains(clicks));
        if clicks.is_none() {
            errors.push(FieldError::new(
                "clicks",
                "Clicks must be a whole number of at least 0.",
            ));
        }
        clicks
    }

    /// Removes a time from a form; none if empty.
    pub(super) fn take_moment(
        &mut self,
        field: &str,
        errors: &mut Vec<FieldError>,
    ) -> Option<Timestamp> {
        let value = self.0.remove(field).filter(|value| !value.is_null())?;
        let text = value.as_str().unwrap_or("no time").trim();
        if text.is_empty() {
            return None;
        }
        let time = text.parse().ok();
        if time.is_none() {
            let what = if field == "startsAt" { "start" } else { "end" };
            errors.push(FieldError::new(field, zone_message(what)));
        }
        time
    }

    pub(super) fn take_time(
        &mut self,
        field: &str,
        errors: &mut Vec<FieldError>,
    ) -> Option<Timestamp> {
        let value = self.0.remove(field).filter(|v| !v.is_null())?;
        let time = value.as_str().and_then(|text| text.parse().ok());
        if time.is_none() {
            errors.push(FieldError::new(
                field,
                format!("{field} must be a time like 2026-01-31T08:30:00.000Z."),
            ));
        }
        time
    }
}

/// Returns the message for a start or end without a time zone.
pub fn zone_message(what: &str) -> String {
    format!("The {what} must be a time with its zone, like 2026-11-30T23:59:00+05:30.")
}

fn is_id(id: &str) -> bool {
    (1..=64).contains(&id.len())
        && id
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}
