//! Errors of files that cannot be read.

use std::fmt;
use std::io;

/// Error while reading a file. Each completes a sentence that begins with the file's name.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file is empty.
    #[error("it is empty: expected a JSON array of products, or one product per line")]
    Empty,
    /// Not JSON; the message ends with line and column.
    #[error("it is not valid JSON: {0}")]
    NotJson(String),
    /// The file is not in a format that is read; the message says what to do.
    #[error("{0}")]
    File(String),
    /// The file could not be read.
    #[error("it could not be read: {0}")]
    Io(io::Error),
    /// The receiver of the rows has stopped the reader.
    #[error("reading it was stopped, because it takes longer than a minute: send it in parts")]
    Stopped,
}

impl ReadError {
    /// Makes an error whose message says what to do.
    pub(in crate::catalog) fn file(message: impl Into<String>) -> Self {
        Self::File(message.into())
    }

    /// Returns the message of one of our own readers, or the I/O error.
    pub(in crate::catalog) fn io(error: io::Error) -> Self {
        match message_of(&error) {
            Some(message) => Self::File(message),
            None => Self::Io(error),
        }
    }
}

/// Message that passes through readers of libraries as an I/O error.
#[derive(Debug)]
struct ReaderMessage(String);

impl fmt::Display for ReaderMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ReaderMessage {}

/// Makes an I/O error of a message for the user.
pub(super) fn invalid_file(message: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, ReaderMessage(message.into()))
}

/// Returns the message, if the error is one of [`refused`].
pub(super) fn message_of(error: &io::Error) -> Option<String> {
    let message = error.get_ref()?.downcast_ref::<ReaderMessage>()?;
    Some(message.0.clone())
}
