//! Reads a JSON array, or newline-delimited JSON, one product at a time.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read as _};

use serde::de::{DeserializeSeed, Deserializer as _, Error as _, SeqAccess, Visitor};
use serde_json::Deserializer;

use super::blocks::{Blocks, Position, Rest};
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
/// `each` fails. Holds some hundred at most in memory.
///
/// # Errors
///
/// [`ReadError`], or the error of `each`.
pub(super) fn read<E: From<ReadError>>(
    mut input: impl BufRead,
    mut each: impl FnMut(u64, ProductDraft) -> Result<(), E>,
) -> Result<(), E> {
    skip_byte_order_mark(&mut input).map_err(ReadError::Io)?;
    let mut position = Position::default();
    let Some(first) = skip_space(&mut input, &mut position).map_err(ReadError::Io)? else {
        return Err(ReadError::Empty.into());
    };
    let in_array = first == b'[';
    let Some(rest) = Blocks::new(input, position).read(in_array, &mut each)? else {
        return Ok(());
    };
    let given = rest.given;
    // The last one that was given comes again.
    let mut number = given.saturating_sub(1);
    let mut each = |draft| {
        number += 1;
        match number > given {
            true => each(number, draft),
            false => Ok(()),
        }
    };
    let rest = restore(rest, in_array);
    if in_array {
        return read_array(rest, each);
    }
    for draft in Deserializer::from_reader(rest).into_iter() {
        each(draft.map_err(ReadError::from)?)?;
    }
    Ok(())
}

fn read_array<E: From<ReadError>>(
    input: impl BufRead,
    each: impl FnMut(ProductDraft) -> Result<(), E>,
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
    F: FnMut(ProductDraft) -> Result<(), E>,
{
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of products")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut rows: A) -> Result<(), A::Error> {
        while let Some(draft) = rows.next_element_seed(Draft)? {
            if let Err(failure) = (self.each)(draft) {
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

/// Skips the white space before the first value; tells what comes then.
fn skip_space(input: &mut impl BufRead, position: &mut Position) -> io::Result<Option<u8>> {
    loop {
        let Some(&byte) = input.fill_buf()?.first() else {
            return Ok(None);
        };
        match byte {
            b'\n' => {
                position.lines += 1;
                position.columns = 0;
            }
            b' ' | b'\t' | b'\r' => position.columns += 1,
            other => return Ok(Some(other)),
        }
        input.consume(1);
    }
}

/// What is left to be read, with as many lines and columns before it as there were, so
/// that the JSON reader tells the right ones. What is left of an array begins one again.
fn restore<R: BufRead>(rest: Rest<R>, in_array: bool) -> impl BufRead {
    let Position { lines, columns } = rest.position;
    let (lines, begin, columns) = match (in_array && rest.given > 0, columns) {
        (false, _) => (lines, "", columns),
        (true, 0) => (lines.saturating_sub(1), "[\n", 0),
        (true, _) => (lines, "[", columns - 1),
    };
    let before = io::repeat(b'\n')
        .take(lines)
        .chain(begin.as_bytes())
        .chain(io::repeat(b' ').take(columns));
    BufReader::new(before.chain(rest.input))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that gives a few bytes at a time.
    struct Slow<'a>(&'a [u8]);

    impl io::Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let few = buffer.len().min(1 + self.0.len() % 7);
            self.0.read(&mut buffer[..few])
        }
    }

    /// The products that are read, and why no more.
    fn outcome(input: impl BufRead) -> (Vec<String>, Option<String>) {
        let mut products = Vec::new();
        let read = read(input, |number, draft| {
            assert_eq!(number, products.len() as u64 + 1);
            products.push(format!("{draft:?}"));
            Ok::<_, ReadError>(())
        });
        (products, read.err().map(|error| error.to_string()))
    }

    /// The same, as serde_json alone reads.
    fn expected(text: &str) -> (Vec<String>, Option<String>) {
        let mut products = Vec::new();
        let mut add = |draft: ProductDraft| {
            products.push(format!("{draft:?}"));
            Ok::<_, ReadError>(())
        };
        let read = if text.trim_start().starts_with('[') {
            read_array(text.as_bytes(), add)
        } else {
            let rows = Deserializer::from_reader(text.as_bytes()).into_iter::<ProductDraft>();
            rows.map(|draft| draft.map_err(ReadError::from))
                .try_for_each(|draft| draft.and_then(&mut add))
        };
        (products, read.err().map(|error| error.to_string()))
    }

    fn products(count: usize, between: &str) -> String {
        let text = "मोबाइल, \\\"quoted\\\" {[]} ".repeat(12);
        let product =
            |number| format!("{{\"title\": \"{number}\",\n \"description\": \"{text}\"}}");
        (0..count).map(product).collect::<Vec<_>>().join(between)
    }

    #[test]
    fn files_are_read_as_the_json_reader_alone_reads_them() {
        for (count, places) in [(1, 40), (3, 40), (200, 3)] {
            for (begin, between, end) in [
                ("[", ",", "]"),
                (" \n [\n", " ,\n", "\n]\n"),
                ("", "\n", "\n"),
                ("\n\n", "", ""),
            ] {
                let text = format!("{begin}{}{end}", products(count, between));
                let (read, error) = outcome(text.as_bytes());
                assert_eq!((read.len(), error), (count, None));
                // However little is read at once.
                for size in [1, 7, 1_000] {
                    let slow = BufReader::with_capacity(size, Slow(text.as_bytes()));
                    assert_eq!(outcome(slow), expected(&text), "{size} bytes at a time");
                }
                // What is wrong with a file that is cut, or has something else somewhere.
                for at in 0..places {
                    let mut at = text.len() - 1 - at * (text.len() - 1) / places;
                    while !text.is_char_boundary(at) {
                        at -= 1;
                    }
                    for other in ["", "]", "}", ",", "1", "\"", "\\", "\n", "[{}]", "\u{1}"] {
                        let changed = format!("{}{other}{}", &text[..at], &text[at..]);
                        for text in [&changed, &changed[..at + other.len()]] {
                            let input = BufReader::with_capacity(512, text.as_bytes());
                            assert_eq!(outcome(input), expected(text), "{other:?} at {at}");
                        }
                    }
                }
            }
        }
    }
}
