//! What is wrong with what somebody sent.

use std::fmt;

/// What is wrong with one field, in the words the form shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    /// The field's name on the wire, like `title` or `images[2]`.
    pub field: String,
    /// One sentence.
    pub message: String,
}

impl FieldError {
    /// Joins a field's wire name and the sentence that says what is wrong.
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
