//! Files that wrap their products in an object: `{"products": [...]}`.

use std::cell::Cell;
use std::fmt;
use std::io::{self, BufRead};

use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, Visitor};

use super::row::{MAX_ROW, MAX_SKIPPED};

/// Field with the products.
const FIELD: &str = "products";

/// Consumes the start of a wrapping object, which white space may interrupt. Returns the consumed
/// bytes, and whether it is one.
pub(super) fn start(input: &mut impl BufRead) -> io::Result<(Vec<u8>, bool)> {
    let mut consumed = Vec::new();
    for token in ["{", "\"products\"", ":", "["] {
        let mut rest = token.as_bytes();
        while let [expected, after @ ..] = rest {
            let Some(&byte) = input.fill_buf()?.first() else {
                return Ok((consumed, false));
            };
            if byte == *expected {
                rest = after;
            } else if rest.len() < token.len() || !byte.is_ascii_whitespace() {
                return Ok((consumed, false));
            }
            consumed.push(byte);
            input.consume(1);
        }
    }
    Ok((consumed, true))
}

/// Reads a wrapping object with a reader of the array; ignores its other fields, for which the
/// budget of bytes is larger.
pub(super) struct Wrapper<'a, R>(pub(super) R, pub(super) &'a Cell<u64>);

impl<'de, R> Visitor<'de> for Wrapper<'_, R>
where
    R: DeserializeSeed<'de, Value = ()>,
{
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with products")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut rows = Some(self.0);
        while let Some(field) = map.next_key::<String>()? {
            match rows.take_if(|_| field == FIELD) {
                Some(rows) => map.next_value_seed(rows)?,
                None => {
                    self.1.set(MAX_SKIPPED);
                    map.next_value::<IgnoredAny>()?;
                }
            }
            self.1.set(MAX_ROW);
        }
        Ok(())
    }
}
