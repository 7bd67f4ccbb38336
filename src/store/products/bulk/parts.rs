//! Writes of many products in parts: each part is a transaction of its own, so that clicks and other
//! writes come in between.

use std::time::{Duration, Instant};

use rusqlite::Connection;

use crate::store::Store;
use crate::store::db::error::Result;

/// Number of products of the first part, and of the largest and smallest one.
const FIRST: usize = 100;
pub(crate) const PART: usize = 500;
const SMALLEST: usize = 10;
/// Time of a part, commit included, above which the next one is smaller: a click waits for a part, and may
/// share its transaction with another.
const PART_TIME: Duration = Duration::from_millis(60);

/// Number of products that a part may still take.
pub(crate) struct Room(usize);

impl Room {
    /// Returns whether the part takes another product, and counts it.
    pub(crate) fn takes_one(&mut self) -> bool {
        let takes = self.0 > 0;
        self.0 -= usize::from(takes);
        takes
    }

    /// Returns the number.
    pub(crate) fn left(&self) -> usize {
        self.0
    }
}

impl Store {
    /// Calls `part` in a transaction of its own until it returns true, and returns the state. If a part
    /// fails, the ones before it stay.
    pub(crate) fn write_in_parts<S: Send + 'static>(
        &self,
        mut state: S,
        part: fn(&Connection, &mut S, &mut Room) -> Result<bool>,
    ) -> Result<S> {
        let mut size = FIRST;
        loop {
            let begun = Instant::now();
            let written = self.write(move |connection| {
                let is_last = part(connection, &mut state, &mut Room(size))?;
                Ok((state, is_last))
            });
            let (next, is_last) = written.wait()?;
            if is_last {
                return Ok(next);
            }
            state = next;
            let is_slow = begun.elapsed() > PART_TIME;
            size = if is_slow { size / 2 } else { size * 2 };
            size = size.clamp(SMALLEST, PART);
        }
    }
}
