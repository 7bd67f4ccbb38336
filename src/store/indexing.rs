//! Writing the sets of the full-text index.

use rusqlite::{Connection, OptionalExtension, Statement, params};

use super::StoreError;
use super::batch::{Batch, Moves};
use super::key_set::{Chunk, longer_stored, stored_places};

/// Where the keys of a chunk stand that have the term of this number.
pub(super) fn posting_place(chunk: usize, number: i64) -> i64 {
    (i64::try_from(chunk).unwrap_or(i64::MAX) << 32) | number
}

/// How many chunks the keys in the index fall into.
///
/// # Errors
///
/// [`StoreError`] when the database can't be read.
pub(super) fn chunk_count(connection: &Connection) -> Result<i64, StoreError> {
    let mut statement =
        connection.prepare_cached("SELECT max(place) >> 32 FROM search_postings")?;
    let last: Option<i64> = statement.query_row([], |row| row.get(0))?;
    Ok(last.map_or(0, |last| last + 1))
}

impl Batch {
    /// Writes everything that waits to the index, in the transaction that is open.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when the database refuses; the transaction must be undone, and
    /// the batch thrown away.
    pub(super) fn write(&mut self, connection: &Connection) -> Result<(), StoreError> {
        while self.write_part(connection)? {}
        Ok(())
    }

    /// Writes a part of what waits: tells whether there was any. The index is sound
    /// after each part, and complete after the last one.
    ///
    /// # Errors
    ///
    /// As [`Batch::write`].
    pub(super) fn write_part(&mut self, connection: &Connection) -> Result<bool, StoreError> {
        let moves = self.moves();
        if moves.is_empty() {
            self.forget();
            return Ok(false);
        }
        let numbers = self.number_terms(connection, &moves)?;
        // In the order of the table, and whoever leaves before anybody joins.
        let mut order: Vec<(i64, bool, usize)> = moves
            .iter()
            .zip(&numbers)
            .enumerate()
            .map(|(at, (moves, number))| {
                (
                    posting_place(moves.chunk, *number),
                    moves.leaving.is_empty(),
                    at,
                )
            })
            .collect();
        order.sort_unstable();
        let new_from = chunk_count(connection)?;
        let mut find =
            connection.prepare_cached("SELECT keys FROM search_postings WHERE place = ?")?;
        let mut write = connection
            .prepare_cached("INSERT OR REPLACE INTO search_postings (place, keys) VALUES (?, ?)")?;
        let mut totals = Vec::with_capacity(order.len());
        let mut last = None;
        for (place, _, at) in order {
            let chunk = place >> 32;
            // Nothing is there yet in a chunk that is new, but for what was just written.
            let is_new = chunk >= new_from && last != Some(place);
            let statements = (&mut *find, &mut *write);
            let more = write_posting(connection, statements, place, &moves[at], is_new)?;
            totals.push((numbers[at], more, 1_i64 << (chunk % 64)));
            last = Some(place);
        }
        totals.sort_unstable();
        let mut update = connection.prepare_cached(
            "UPDATE search_terms SET products = products + ?2, chunks = chunks | ?3 WHERE number = ?1",
        )?;
        for (number, more, chunk) in totals {
            update.execute(params![number, more, chunk])?;
        }
        Ok(true)
    }

    /// The numbers of the terms; those that are new get one, in the order of the
    /// alphabet.
    fn number_terms(
        &mut self,
        connection: &Connection,
        moves: &[Moves],
    ) -> Result<Vec<i64>, StoreError> {
        let mut numbers: Vec<Option<i64>> =
            moves.iter().map(|moves| self.number(&moves.term)).collect();
        let unknown = numbers
            .iter()
            .enumerate()
            .filter(|(_, number)| number.is_none());
        let mut unknown: Vec<(String, usize)> = unknown
            .map(|(at, _)| (self.text(&moves[at].term), at))
            .collect();
        unknown.sort_unstable();
        let mut find =
            connection.prepare_cached("SELECT number FROM search_terms WHERE term = ?")?;
        let mut add = connection
            .prepare_cached("INSERT INTO search_terms (term, products, chunks) VALUES (?, 0, 0)")?;
        for (text, at) in unknown {
            let known = find.query_row([&text], |row| row.get(0)).optional()?;
            let number = match known {
                Some(number) => number,
                None => add.insert([&text])?,
            };
            self.set_number(&moves[at].term, number);
            numbers[at] = Some(number);
        }
        Ok(numbers.into_iter().flatten().collect())
    }
}

/// Lets keys of a chunk leave and join a term's set, and tells how many more there are
/// then.
fn write_posting(
    connection: &Connection,
    (find, write): (&mut Statement<'_>, &mut Statement<'_>),
    place: i64,
    moves: &Moves,
    is_new: bool,
) -> Result<i64, StoreError> {
    let count = |keys| i64::try_from(keys).unwrap_or_default();
    if is_new
        && moves.leaving.is_empty()
        && let Some(stored) = stored_places(&moves.joining)
    {
        write.execute(params![place, stored])?;
        return Ok(count(moves.joining.len()));
    }
    let stored: Option<Vec<u8>> = find.query_row([place], |row| row.get(0)).optional()?;
    if let Some(stored) = &stored
        && moves.leaving.is_empty()
        && let Some(longer) = longer_stored(stored, &moves.joining)
    {
        write.execute(params![place, longer])?;
        return Ok(count(moves.joining.len()));
    }
    let mut chunk = Chunk::empty();
    let mut before = 0;
    if let Some(stored) = stored {
        chunk.add_stored(&stored);
        before = chunk.count();
    }
    moves.leaving.iter().for_each(|place| chunk.remove(*place));
    moves.joining.iter().for_each(|place| chunk.add(*place));
    let after = chunk.count();
    if after > 0 {
        write.execute(params![place, chunk.to_stored(after)])?;
    } else if before > 0 {
        connection
            .prepare_cached("DELETE FROM search_postings WHERE place = ?")?
            .execute([place])?;
    }
    Ok(count(after) - count(before))
}
