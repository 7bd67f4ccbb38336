//! JSON that is safe to print on a terminal.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

use crate::domain::is_active;

/// Writes active characters as `\u` escapes: the same text for a program, harmless on a terminal.
struct Escaping;

impl Formatter for Escaping {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment;
        while let Some(at) = rest.find(is_active) {
            let (before, found) = rest.split_at(at);
            writer.write_all(before.as_bytes())?;
            let mut after = found.chars();
            for c in after.by_ref().take(1) {
                // All active characters have one UTF-16 unit.
                write!(writer, "\\u{:04x}", u32::from(c))?;
            }
            rest = after.as_str();
        }
        writer.write_all(rest.as_bytes())
    }
}

/// Writes a value as one line of JSON, without a line break at its end.
pub fn write_json(output: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    value
        .serialize(&mut Serializer::with_formatter(output, Escaping))
        .map_err(io::Error::from)
}
