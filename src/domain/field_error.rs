//! Validation errors, one per field.

use std::borrow::Cow;
use std::fmt;

use validator::ValidationError;

/// One invalid field and the message that the form shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    /// The field's name on the wire, like `title` or `images[2]`.
    pub field: String,
    /// One sentence.
    pub message: String,
}

impl FieldError {
    /// Makes an error from the field's wire name and one sentence.
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            message: message.into(),
        }
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.message)
    }
}

/// Makes a validation error with this message.
pub(super) fn refuse(message: impl Into<Cow<'static, str>>) -> ValidationError {
    ValidationError::new("invalid").with_message(message.into())
}

/// Returns an error with this message unless `holds`.
pub(super) fn require(holds: bool, message: &'static str) -> Result<(), ValidationError> {
    if holds { Ok(()) } else { Err(refuse(message)) }
}
