//! Texts among the values of settings.

use serde_json::Value;

use crate::domain::{is_invisible, without_controls};

/// Returns a text without the spaces around it; null is an empty one.
pub(super) fn text<'a>(value: &'a Value, what: &str) -> Result<&'a str, String> {
    match value {
        Value::Null => Ok(""),
        Value::String(text) => Ok(text.trim()),
        _ => Err(format!("{what} must be a text.")),
    }
}

/// Validates a single line of at most `most` characters.
pub(super) fn line(value: &Value, what: &str, most: usize) -> Result<String, String> {
    let line = without_controls(text(value, what)?);
    let line = line.trim();
    if line.chars().any(char::is_control) {
        return Err(format!("{what} must be one line."));
    }
    if !line.is_empty() && line.chars().all(is_invisible) {
        return Err(format!("{what} must have visible characters."));
    }
    if line.chars().count() > most {
        return Err(format!("{what} must be at most {most} characters."));
    }
    Ok(line.to_owned())
}
