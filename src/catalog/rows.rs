//! Reads a JSON array, or newline-delimited JSON, one product at a time.

use std::fmt;
use std::io::{self, BufRead};

use serde::de::{DeserializeSeed, Deserializer as _, Error as _, SeqAccess, Visitor};
use serde_json::Deserializer;

use crate::domain::ProductDraft;

/// Why a file could not be read to its end.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file holds nothing at all.
    #[error("it is empty: expected a JSON array of products, or one product per line")]
    Empty,
    /// Not JSON; the message ends with the line and the column.
    #[error("it is not valid JSON: {0}")]
    NotJson(String),
    /// The file could not be read.
    #[error("it could not be read: {0}")]
    Io(io::Error),
}

impl From<serde_json::Error> for ReadError {
    fn from(error: serde_json::Error) -> Self {
        if error.is_io() {
            Self::Io(error.into())
        } else {
            Self::NotJson(error.to_string())
        }
    }
}

/// Gives every product of `input` to `each`, with its number (from 1), until
/// `each` fails. Holds one product in memory at a time.
///
/// # Errors
///
/// [`ReadError`], or the error of `each`.
pub(super) fn read<E: From<ReadError>>(
    mut input: impl BufRead,
    mut each: impl FnMut(u64, ProductDraft) -> Result<(), E>,
) -> Result<(), E> {
    skip_byte_order_mark(&mut input).map_err(ReadError::Io)?;
    let mut leading = Leading::default();
    let first = leading.skip(&mut input).map_err(ReadError::Io)?;
    match first {
        None => Err(ReadError::Empty.into()),
        Some(b'[') => read_array(leading.restore(input), each),
        Some(_) => {
            let rows = Deserializer::from_reader(leading.restore(input)).into_iter();
            for (number, draft) in (1..).zip(rows) {
                each(number, draft.map_err(ReadError::from)?)?;
            }
            Ok(())
        }
    }
}

fn read_array<E: From<ReadError>>(
    input: impl BufRead,
    each: impl FnMut(u64, ProductDraft) -> Result<(), E>,
) -> Result<(), E> {
    let mut failure = None;
    let mut json = Deserializer::from_reader(input);
    let outcome = json
        .deserialize_seq(Rows {
            each,
            failure: &mut failure,
        })
        .and_then(|()| json.end());
    match (failure, outcome) {
        (Some(failure), _) => Err(failure),
        (None, Err(error)) => Err(ReadError::from(error).into()),
        (None, Ok(())) => Ok(()),
    }
}

struct Rows<'a, F, E> {
    each: F,
    /// Where the error of `each` waits while the JSON reader unwinds with one of
    /// its own kind.
    failure: &'a mut Option<E>,
}

impl<'de, F, E> Visitor<'de> for Rows<'_, F, E>
where
    F: FnMut(u64, ProductDraft) -> Result<(), E>,
{
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of products")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut rows: A) -> Result<(), A::Error> {
        let mut number = 0;
        while let Some(draft) = rows.next_element_seed(Draft)? {
            number += 1;
            if let Err(failure) = (self.each)(number, draft) {
                *self.failure = Some(failure);
                return Err(A::Error::custom("stopped"));
            }
        }
        Ok(())
    }
}

struct Draft;

impl<'de> DeserializeSeed<'de> for Draft {
    type Value = ProductDraft;

    fn deserialize<D: serde::Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<ProductDraft, D::Error> {
        serde::Deserialize::deserialize(deserializer)
    }
}

fn skip_byte_order_mark(input: &mut impl BufRead) -> io::Result<()> {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    if input.fill_buf()?.starts_with(MARK) {
        input.consume(MARK.len());
    }
    Ok(())
}

/// The white space before the first value: read to see what follows, then given
/// to the JSON reader again as blank lines, so that its line numbers are right.
#[derive(Default)]
struct Leading {
    lines: u64,
    columns: u64,
}

impl Leading {
    fn skip(&mut self, input: &mut impl BufRead) -> io::Result<Option<u8>> {
        loop {
            let Some(&byte) = input.fill_buf()?.first() else {
                return Ok(None);
            };
            match byte {
                b'\n' => {
                    self.lines += 1;
                    self.columns = 0;
                }
                b' ' | b'\t' | b'\r' => self.columns += 1,
                other => return Ok(Some(other)),
            }
            input.consume(1);
        }
    }

    fn restore(&self, input: impl BufRead) -> impl BufRead {
        let lines = io::repeat(b'\n').take(self.lines);
        let columns = io::repeat(b' ').take(self.columns);
        io::BufReader::new(io::Read::chain(io::Read::chain(lines, columns), input))
    }
}

use io::Read as _;
