//! The program's own format: a JSON array or newline-delimited JSON, read as it comes.

use std::cell::Cell;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read};

use serde::de::{DeserializeSeed, Deserializer as _, Error as _, SeqAccess, Visitor};
use serde_json::Deserializer;
use serde_json::de::IoRead;

use super::error::ReadError;
use super::row::MAX_ROW;
use super::wrapper::{self, Wrapper};
use crate::domain::ProductDraft;

/// Maximum length of a buffered line in bytes.
const MAX_LINE: u64 = 1 << 20;

/// White space skipped before the first value, which the JSON reader does not count.
#[derive(Clone, Copy, Default)]
struct Skipped {
    lines: usize,
    /// Columns after the last line break.
    columns: usize,
}

impl Skipped {
    /// Adds the position in the whole file to an error of the JSON reader.
    fn locate(self, error: &serde_json::Error) -> ReadError {
        let text = error.to_string();
        let reason = text.split(" at line ").next().unwrap_or(&text);
        let columns = if error.line() == 1 { self.columns } else { 0 };
        ReadError::NotJson(format!(
            "{}, at line {} column {}",
            reworded(error, reason),
            error.line() + self.lines,
            error.column() + columns
        ))
    }

    fn error(self, error: serde_json::Error) -> ReadError {
        if error.is_io() {
            ReadError::io(error.into())
        } else {
            self.locate(&error)
        }
    }
}

/// Rewords an error of the JSON reader for users.
fn reworded<'a>(error: &serde_json::Error, reason: &'a str) -> &'a str {
    const PLAIN: [(&str, &str); 11] = [
        ("expected `:`", "a colon is missing after a name"),
        ("expected `,`", "a comma or a closing bracket is missing"),
        ("key must be", "a name must be in double quotes"),
        ("expected", "expected a value; texts need double quotes"),
        ("trailing comma", "there is a comma after the last value"),
        ("trailing characters", "there is more after the end"),
        (
            "control character",
            "a text contains a line break or control character",
        ),
        (
            "invalid escape",
            "a text contains an invalid escape after a backslash",
        ),
        ("invalid unicode", "a text is not UTF-8"),
        ("invalid number", "a number is not valid in JSON"),
        (
            "recursion limit",
            "values are nested too deeply (the recursion limit)",
        ),
    ];
    if error.is_eof() {
        return "the file ends in the middle of a product";
    }
    let known = PLAIN.iter().find(|(words, _)| reason.starts_with(words));
    known.map_or(reason, |(_, plain)| plain)
}

/// Calls `each` with every product and its number, from 1, until `each` fails. Keeps one product in
/// memory, whose reader fails after `budget` bytes. `is_wrapped` if the products are known to be in
/// an object.
///
/// # Errors
///
/// [`ReadError`], or the error of `each`.
pub(in crate::catalog) fn read<E: From<ReadError>>(
    mut input: impl BufRead,
    budget: &Cell<u64>,
    is_wrapped: bool,
    mut each: impl FnMut(u64, ProductDraft) -> Result<(), E>,
) -> Result<(), E> {
    skip_byte_order_mark(&mut input).map_err(ReadError::io)?;
    let (first, skipped) = skip_space(&mut input).map_err(ReadError::io)?;
    let mut number = 0;
    let each = |draft| {
        number += 1;
        budget.set(MAX_ROW);
        each(number, draft)
    };
    match first {
        None => Err(ReadError::Empty.into()),
        Some(b'[') => read_array(json(&mut input), skipped, None, each),
        Some(b'{') if is_wrapped => read_array(json(&mut input), skipped, Some(budget), each),
        Some(b'{') => {
            let (start, is_wrapper) = wrapper::start(&mut input).map_err(ReadError::io)?;
            let mut input = start.as_slice().chain(input);
            if is_wrapper {
                read_array(json(&mut input), skipped, Some(budget), each)
            } else {
                read_lines(input, budget, skipped, each)
            }
        }
        // Anything that starts like another JSON value is an invalid row.
        Some(b'"' | b'-' | b'0'..=b'9') => read_lines(input, budget, skipped, each),
        // CSV, HTML, or a spreadsheet.
        Some(_) => Err(ReadError::NotJson(format!(
            "it does not begin with [ or {{, as an array of products or one product per line \
             does, at line {} column {}",
            skipped.lines + 1,
            skipped.columns + 1
        ))
        .into()),
    }
}

/// Reads one product per line, which takes 7 % off an import's time (`benches/import.rs`). The
/// first line that is not one complete product is left to the streaming reader, which ignores line
/// breaks.
fn read_lines<E: From<ReadError>>(
    mut input: impl BufRead,
    budget: &Cell<u64>,
    mut skipped: Skipped,
    mut each: impl FnMut(ProductDraft) -> Result<(), E>,
) -> Result<(), E> {
    let mut line = Vec::new();
    loop {
        line.clear();
        budget.set(MAX_ROW);
        let mut start = input.by_ref().take(MAX_LINE);
        let length = start.read_until(b'\n', &mut line).map_err(ReadError::io)?;
        if length == 0 {
            return Ok(());
        }
        let is_cut = length as u64 == MAX_LINE && !line.ends_with(b"\n");
        if is_cut {
            break;
        }
        if !line.trim_ascii().is_empty() {
            let Ok(draft) = serde_json::from_slice(&line) else {
                break;
            };
            each(draft)?;
        }
        skipped.lines += 1;
        skipped.columns = 0;
    }
    json(&mut line.as_slice().chain(input))
        .into_iter()
        .try_for_each(|draft| each(draft.map_err(|error| skipped.error(error))?))
}

/// JSON reader for all inputs, compiled once because it is large.
type JsonReader<'a> = Deserializer<IoRead<BufReader<&'a mut dyn Read>>>;

fn json(input: &mut dyn Read) -> JsonReader<'_> {
    Deserializer::from_reader(BufReader::new(input))
}

/// Reads an array of products, in a wrapping object if there is a budget for its other fields.
fn read_array<E: From<ReadError>>(
    mut json: JsonReader<'_>,
    skipped: Skipped,
    wrapped: Option<&Cell<u64>>,
    each: impl FnMut(ProductDraft) -> Result<(), E>,
) -> Result<(), E> {
    let mut failure = None;
    let rows = Rows {
        each,
        failure: &mut failure,
    };
    let outcome = match wrapped {
        Some(budget) => json.deserialize_map(Wrapper(rows, budget)),
        None => json.deserialize_seq(rows),
    };
    let outcome = outcome.and_then(|()| json.end());
    match (failure, outcome) {
        (Some(failure), _) => Err(failure),
        (None, Err(error)) => Err(skipped.error(error).into()),
        (None, Ok(())) => Ok(()),
    }
}

struct Rows<'a, F, E> {
    each: F,
    /// Keeps the error of `each` while the JSON reader unwinds with its own.
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

impl<'de, F, E> DeserializeSeed<'de> for Rows<'_, F, E>
where
    F: FnMut(ProductDraft) -> Result<(), E>,
{
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
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

/// Skips leading white space and returns the next byte.
fn skip_space(input: &mut impl BufRead) -> io::Result<(Option<u8>, Skipped)> {
    let mut skipped = Skipped::default();
    loop {
        let Some(&byte) = input.fill_buf()?.first() else {
            return Ok((None, skipped));
        };
        match byte {
            b'\n' => {
                skipped.lines += 1;
                skipped.columns = 0;
            }
            b' ' | b'\t' | b'\r' => skipped.columns += 1,
            other => return Ok((Some(other), skipped)),
        }
        input.consume(1);
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn products_in_a_json_object_are_read() {
        for (text, products) in [
            ("{\"products\": [{}, {}], \"total\": 2}", 2),
            (" { \"products\"\n:\t[] }", 0),
            ("{\"products\": 1}\n{}", 2),
            ("{\"product\": 1}{}", 2),
        ] {
            let (read, error) = outcome(BufReader::with_capacity(1, text.as_bytes()));
            assert_eq!((read.len(), error), (products, None), "{text}");
        }
        let (read, error) = outcome("{\"products\": [{}, {]}".as_bytes());
        assert_eq!(read.len(), 1);
        assert!(error.unwrap().ends_with("line 1 column 20"));
    }

    /// Reader that returns a few bytes at a time.
    struct Slow<'a>(&'a [u8]);

    impl io::Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let few = buffer.len().min(1 + self.0.len() % 7);
            self.0.read(&mut buffer[..few])
        }
    }

    /// Returns the products that were read, and the error.
    fn outcome(input: impl BufRead) -> (Vec<String>, Option<String>) {
        let mut products = Vec::new();
        let read = read(input, &Cell::default(), false, |number, draft| {
            assert_eq!(number, products.len() as u64 + 1);
            products.push(format!("{draft:?}"));
            Ok::<_, ReadError>(())
        });
        (products, read.err().map(|error| error.to_string()))
    }

    #[test]
    fn json_arrays_and_lines_are_read_in_chunks_of_any_size() {
        let text = "मोबाइल, \\\"quoted\\\" {[]} ".repeat(12);
        let product =
            |number| format!("{{\"title\": \"{number}\",\n \"description\": \"{text}\"}}");
        for (begin, between, end) in [
            ("[", ",", "]"),
            (" \n [\n", " ,\n", "\n]\n"),
            ("", "\n", "\n"),
            ("\n\n", "", ""),
        ] {
            let products = (0..200).map(product).collect::<Vec<_>>();
            let text = format!("{begin}{}{end}", products.join(between));
            for size in [1, 7, 1_000] {
                let slow = BufReader::with_capacity(size, Slow(text.as_bytes()));
                let (read, error) = outcome(slow);
                assert_eq!((read.len(), error), (200, None), "{begin:?}, {size} bytes");
                assert!(read[7].contains("String(\"7\")"), "{}", read[7]);
            }
        }
    }

    #[test]
    fn errors_have_their_position_in_the_whole_file() {
        for (text, read, place) in [
            ("[{}, {]", 1, "line 1 column 7"),
            ("\n\n  [{},\n {]", 1, "line 4 column 3"),
            ("\n\n  [{]", 0, "line 3 column 5"),
            ("{}\n{}\n {\"title\" 1}", 2, "line 3 column 11"),
            ("  {}\n\n{\n}{}\n{\"title\" 1}", 3, "line 5 column 10"),
            (" {}{} {]", 2, "line 1 column 8"),
            ("[{}] []", 1, "line 1 column 6"),
            (
                "[{},",
                1,
                "the file ends in the middle of a product, at line 1 column 4",
            ),
            (
                "{title: 1}",
                0,
                "a name must be in double quotes, at line 1 column 2",
            ),
            ("[{\"a\": tea}]", 0, "at line 1 column 9"),
            (
                "[{\"a\": 1 \"b\"",
                0,
                "a comma or a closing bracket is missing, at line 1 column 10",
            ),
        ] {
            let (products, error) = outcome(text.as_bytes());
            assert_eq!(products.len(), read, "{text:?}");
            let error = error.unwrap();
            assert!(error.ends_with(place), "{text:?}: {error}");
        }
        // Lines longer than the buffer must work too.
        for length in (MAX_LINE as usize - 2)..=(MAX_LINE as usize + 2) {
            let long = format!("{{\"title\":\"{}\"}}", "x".repeat(length - 12));
            let (products, error) = outcome(format!("{long}\n{{}}\n{{]").as_bytes());
            assert_eq!((long.len(), products.len()), (length, 2));
            let error = error.unwrap();
            assert!(error.ends_with("line 3 column 2"), "{length}: {error}");
        }
        for text in ["title,price\nTea,5\n", "<html>", "PK\u{3}\u{4}"] {
            let (products, error) = outcome(text.as_bytes());
            assert!(products.is_empty());
            assert!(error.unwrap().contains("it does not begin with [ or {"));
        }
        assert!(matches!(
            read(" \n ".as_bytes(), &Cell::default(), false, |_, _| Ok::<
                _,
                ReadError,
            >(
                ()
            )),
            Err(ReadError::Empty)
        ));
    }
}
