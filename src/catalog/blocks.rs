//! Reads the products of a file from blocks of it in memory, which takes half the time of
//! reading byte by byte, as long as the file has the usual form.
//!
//! Nothing is judged here: at whatever is not expected, and at the end, the caller reads on
//! from the last product that was given, byte by byte, and tells what is wrong and where.

use std::io::{self, BufRead, Read};

use memchr::{memchr_iter, memrchr};
use serde_json::Deserializer;

use super::rows::ReadError;
use crate::domain::ProductDraft;

/// Bytes that are read at once.
const BLOCK: u64 = 128 * 1_024;
/// Bytes in memory above which the rest is left to the caller.
const MOST: usize = 4 * 1_024 * 1_024;

/// A file from the place of a value on.
pub(super) struct Blocks<R> {
    input: R,
    buffer: Vec<u8>,
    /// Where in the buffer the last product begins that was given.
    last: usize,
    /// Where in the buffer the next value is to be found.
    next: usize,
    /// Where the buffer begins.
    position: Position,
}

/// A place in a file.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Position {
    /// Lines before it.
    pub(super) lines: u64,
    /// Bytes before it in its line.
    pub(super) columns: u64,
}

impl Position {
    fn advance(&mut self, bytes: &[u8]) {
        self.lines += memchr_iter(b'\n', bytes).count() as u64;
        match memrchr(b'\n', bytes) {
            Some(last) => self.columns = (bytes.len() - last - 1) as u64,
            None => self.columns += bytes.len() as u64,
        }
    }
}

/// What is left to be read.
pub(super) struct Rest<R> {
    pub(super) input: io::Chain<io::Cursor<Vec<u8>>, R>,
    pub(super) position: Position,
    /// How many products were given. If any were, the last of them is at the beginning of
    /// the rest once more.
    pub(super) given: u64,
}

impl<R: BufRead> Blocks<R> {
    /// Reads on from this place.
    pub(super) fn new(input: R, position: Position) -> Self {
        Self {
            input,
            buffer: Vec::new(),
            last: 0,
            next: 0,
            position,
        }
    }

    /// Gives products with their numbers, from 1, until something else comes, or an error;
    /// tells what is left. The products stand in an array, or else behind one another.
    ///
    /// # Errors
    ///
    /// Those of the file and of `each`.
    pub(super) fn read<E: From<ReadError>>(
        mut self,
        in_array: bool,
        each: &mut impl FnMut(u64, ProductDraft) -> Result<(), E>,
    ) -> Result<Rest<R>, E> {
        let mut given = 0;
        loop {
            let separator = match given {
                _ if !in_array => None,
                0 => Some(b'['),
                _ => Some(b','),
            };
            let found = self.skip_to_object(separator);
            if !found.map_err(ReadError::Io)? {
                break;
            }
            let Some((draft, length)) = self.product().map_err(ReadError::Io)? else {
                break;
            };
            given += 1;
            each(given, draft)?;
            self.last = self.next;
            self.next += length;
        }
        self.let_go();
        Ok(Rest {
            input: io::Cursor::new(self.buffer).chain(self.input),
            position: self.position,
            given,
        })
    }

    /// Skips a separator and white space; tells whether an object comes then.
    fn skip_to_object(&mut self, mut separator: Option<u8>) -> io::Result<bool> {
        loop {
            while let Some(byte) = self.buffer.get(self.next) {
                match byte {
                    b' ' | b'\t' | b'\r' | b'\n' => {}
                    b'{' if separator.is_none() => return Ok(true),
                    byte if Some(*byte) == separator => separator = None,
                    _ => return Ok(false),
                }
                self.next += 1;
            }
            if !self.read_more()? {
                return Ok(false);
            }
        }
    }

    /// Reads the next value, and tells how long it is.
    fn product(&mut self) -> io::Result<Option<(ProductDraft, usize)>> {
        loop {
            let mut values = Deserializer::from_slice(&self.buffer[self.next..]).into_iter();
            match values.next() {
                Some(Ok(draft)) => return Ok(Some((draft, values.byte_offset()))),
                Some(Err(error)) if error.is_eof() && self.read_more()? => {}
                _ => return Ok(None),
            }
        }
    }

    /// Lets go of what is before the last product.
    fn let_go(&mut self) {
        self.position.advance(&self.buffer[..self.last]);
        self.buffer.drain(..self.last);
        self.next -= self.last;
        self.last = 0;
    }

    /// Reads another block; tells whether there was anything, and room for it.
    fn read_more(&mut self) -> io::Result<bool> {
        self.let_go();
        if self.buffer.len() > MOST {
            return Ok(false);
        }
        let read = (&mut self.input)
            .take(BLOCK)
            .read_to_end(&mut self.buffer)?;
        Ok(read > 0)
    }
}
