//! Reads the products of a file from blocks of it in memory, which takes half the time of
//! reading byte by byte, as long as the file has the usual form.
//!
//! Nothing is judged here: at whatever is not expected the caller reads on from the last
//! product that was given, byte by byte, and tells what is wrong and where.

use std::io::{self, BufRead, Read};

use memchr::{memchr_iter, memrchr};
use serde_json::Deserializer;

use super::rows::ReadError;
use crate::domain::ProductDraft;

/// Bytes in memory above which the rest is left to the caller.
const MOST: usize = 4 * 1_024 * 1_024;

/// A file from the place of a value on.
pub(super) struct Blocks<R> {
    input: R,
    /// Whether the input was read to its end: a terminal could be asked for more.
    is_read: bool,
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

/// What follows a product.
enum Next {
    Object,
    End,
    Other,
}

/// What is left to be read.
pub(super) struct Rest<R> {
    pub(super) input: io::Chain<io::Cursor<Vec<u8>>, io::Take<R>>,
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
            is_read: false,
            buffer: Vec::new(),
            last: 0,
            next: 0,
            position,
        }
    }

    /// Gives products with their numbers, from 1, until something else comes, or an error;
    /// tells what is left, if anything is. The products stand in an array, or else behind
    /// one another.
    ///
    /// # Errors
    ///
    /// Those of the file and of `each`.
    pub(super) fn read<E: From<ReadError>>(
        mut self,
        in_array: bool,
        each: &mut impl FnMut(u64, ProductDraft) -> Result<(), E>,
    ) -> Result<Option<Rest<R>>, E> {
        let mut given = 0;
        loop {
            let separator = match given {
                _ if !in_array => None,
                0 => Some(b'['),
                _ => Some(b','),
            };
            match self.skip_to_next(separator).map_err(ReadError::Io)? {
                Next::Object => {}
                Next::End if given > 0 => return Ok(None),
                Next::End | Next::Other => break,
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
        let unread = if self.is_read { 0 } else { u64::MAX };
        Ok(Some(Rest {
            input: io::Cursor::new(self.buffer).chain(self.input.take(unread)),
            position: self.position,
            given,
        }))
    }

    /// Skips a separator and white space; tells what comes then. Products behind one another
    /// have no separator, and where those of an array may have one, the array may end.
    fn skip_to_next(&mut self, mut separator: Option<u8>) -> io::Result<Next> {
        let in_array = separator.is_some();
        let mut is_over = !in_array;
        loop {
            while let Some(byte) = self.buffer.get(self.next) {
                match byte {
                    b' ' | b'\t' | b'\r' | b'\n' => {}
                    b'{' if separator.is_none() && !(in_array && is_over) => {
                        return Ok(Next::Object);
                    }
                    b']' if separator == Some(b',') => {
                        is_over = true;
                        separator = None;
                    }
                    byte if Some(*byte) == separator => separator = None,
                    _ => return Ok(Next::Other),
                }
                self.next += 1;
            }
            if !self.read_more()? {
                let is_end = is_over && self.is_read;
                return Ok(if is_end { Next::End } else { Next::Other });
            }
        }
    }

    /// Reads the next value, and tells how long it is.
    fn product(&mut self) -> io::Result<Option<(ProductDraft, usize)>> {
        let mut is_cut = true;
        loop {
            let mut values = Deserializer::from_slice(&self.buffer[self.next..]).into_iter();
            match values.next() {
                Some(Ok(draft)) => return Ok(Some((draft, values.byte_offset()))),
                // A number that is cut is taken for a wrong one, where its field is not known.
                Some(Err(error)) if (error.is_eof() || is_cut) && self.read_more()? => {
                    is_cut = error.is_eof();
                }
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

    /// Reads what can be had at once; tells whether there was anything, and room for it.
    fn read_more(&mut self) -> io::Result<bool> {
        self.let_go();
        if self.is_read || self.buffer.len() > MOST {
            return Ok(false);
        }
        let block = self.input.fill_buf()?;
        let read = block.len();
        self.buffer.extend_from_slice(block);
        self.input.consume(read);
        self.is_read = read == 0;
        Ok(read > 0)
    }
}
