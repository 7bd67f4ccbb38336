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

    /// Makes the error of a field that was not sent, like "Current password is required".
    pub fn missing(field: impl Into<String>) -> Self {
        let field = field.into();
        let words = words_of(&field);
        let mut letters = words.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        let name: String = first.chain(letters).collect();
        Self::new(field, format!("{name} is required"))
    }
}

/// Returns the words of a field's wire name: "external id" of `externalId`.
pub(crate) fn words_of(field: &str) -> String {
    let mut words = String::new();
    for letter in field.chars() {
        if letter.is_uppercase() {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    words
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
