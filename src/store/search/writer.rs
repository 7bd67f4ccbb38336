//! Writing the sets of the full-text index.

use std::borrow::Cow;
use std::collections::HashMap;

use rusqlite::{CachedStatement, Connection, OptionalExtension, params};

use super::batch::{Batch, Moves, Part, Term};
use super::key_set::{Chunk, longer_stored, stored_count};
use crate::store::StoreError;

/// Where the keys of a chunk stand that have the term of this number.
pub(crate) fn posting_place(chunk: usize, number: i64) -> i64 {
    (i64::try_from(chunk).unwrap_or(i64::MAX) << 32) | number
}

/// How many chunks the keys in the index fall into.
///
/// # Errors
///
/// [`StoreError`] when the database can't be read.
pub(crate) fn chunk_count(connection: &Connection) -> Result<i64, StoreError> {
    let mut statement =
        connection.prepare_cached("SELECT max(place) >> 32 FROM search_postings")?;
    let last: Option<i64> = statement.query_row([], |row| row.get(0))?;
    Ok(last.map_or(0, |last| last + 1))
}

/// Words on their way to the index.
#[derive(Default)]
pub(crate) struct Indexing {
    pub(crate) batch: Batch,
    pub(crate) terms: Terms,
}

impl Indexing {
    /// Writes everything that waits, in the transaction that is open.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when the database refuses; the transaction must be undone, and
    /// what waits be thrown away.
    pub(crate) fn write(&mut self, connection: &Connection) -> Result<(), StoreError> {
        while let Some(part) = self.batch.next_part() {
            self.terms.write(connection, &part)?;
        }
        Ok(())
    }
}

/// The numbers of the index's terms, as far as they were met.
#[derive(Default)]
pub(crate) struct Terms {
    /// By what the batch knows them by; 0 is none.
    of_terms: Vec<i64>,
    forgotten: u32,
    others: HashMap<String, i64>,
}

/// Terms that are remembered by their texts, at most: beginnings of words, and words of
/// products that were there before.
const REMEMBERED: usize = 50_000;

/// A term's number, and whether it is new to the index.
#[derive(Clone, Copy)]
struct Numbered {
    number: i64,
    is_new: bool,
}

impl Terms {
    /// Writes a part of a batch. The index is sound after each part, and complete after
    /// the last one.
    ///
    /// # Errors
    ///
    /// As [`Indexing::write`].
    pub(crate) fn write(&mut self, connection: &Connection, part: &Part) -> Result<(), StoreError> {
        let moves = &part.moves;
        let numbered = self.number_terms(connection, part)?;
        // In the order of the table, and whoever leaves before anybody joins.
        let place = |at: usize| posting_place(moves[at].chunk, numbered[at].number);
        let mut order: Vec<(i64, bool, usize)> = (0..moves.len())
            .map(|at| (place(at), moves[at].leaving.is_none(), at))
            .collect();
        order.sort_unstable();
        let new_from = chunk_count(connection)?;
        let mut postings = Postings::of(connection)?;
        let mut totals = Vec::new();
        let mut last = None;
        for (place, _, at) in order {
            let chunk = place >> 32;
            let term = numbered[at];
            // Nothing is there yet in a chunk that is new, but for what was just written.
            let is_new = (term.is_new || chunk >= new_from) && last != Some(place);
            let more = postings.write(place, &moves[at], is_new)?;
            if !term.is_new {
                totals.push((term.number, more, 1_i64 << (chunk % 64)));
            }
            last = Some(place);
        }
        totals.sort_unstable();
        let mut update = connection.prepare_cached(
            "UPDATE search_terms SET products = products + ?2, chunks = chunks | ?3 WHERE number = ?1",
        )?;
        for (number, more, chunk) in totals {
            update.execute(params![number, more, chunk])?;
        }
        Ok(())
    }

    /// The numbers of the terms; those that are new get one, in the order of the
    /// alphabet, and are counted already.
    fn number_terms(
        &mut self,
        connection: &Connection,
        part: &Part,
    ) -> Result<Vec<Numbered>, StoreError> {
        if part.forgotten != self.forgotten {
            self.of_terms.clear();
            self.forgotten = part.forgotten;
        }
        if self.others.len() > REMEMBERED {
            self.others.clear();
        }
        let mut unknown: Vec<usize> = (0..part.moves.len())
            .filter(|at| self.known(&part.moves[*at].term).is_none())
            .collect();
        unknown.sort_unstable_by_key(|at| &part.moves[*at].term.text);
        let mut add = connection.prepare_cached(
            "INSERT OR IGNORE INTO search_terms (term, products, chunks) VALUES (?, ?, ?)",
        )?;
        let mut find =
            connection.prepare_cached("SELECT number FROM search_terms WHERE term = ?")?;
        let mut new = Vec::new();
        for at in unknown {
            let Moves {
                term,
                chunk,
                joining,
                ..
            } = &part.moves[at];
            if self.known(term).is_some() {
                // An earlier one of these has the same text.
                continue;
            }
            let count = i64::try_from(stored_count(joining)).unwrap_or_default();
            let is_new = add.execute(params![term.text, count, 1_i64 << (chunk % 64)])? > 0;
            let number = match is_new {
                true => connection.last_insert_rowid(),
                false => find.query_row([&term.text], |row| row.get(0))?,
            };
            if is_new {
                new.push(at);
            }
            self.remember(term, number);
        }
        new.sort_unstable();
        let numbered = part.moves.iter().enumerate().map(|(at, moves)| Numbered {
            number: self.known(&moves.term).unwrap_or_default(),
            is_new: new.binary_search(&at).is_ok(),
        });
        Ok(numbered.collect())
    }

    fn known(&self, term: &Term) -> Option<i64> {
        match term.place {
            Some(place) => {
                let number = self.of_terms.get(place as usize).copied();
                number.filter(|number| *number != 0)
            }
            None => self.others.get(&term.text).copied(),
        }
    }

    fn remember(&mut self, term: &Term, number: i64) {
        match term.place {
            Some(place) => {
                let place = place as usize;
                if self.of_terms.len() <= place {
                    self.of_terms.resize(place + 1, 0);
                }
                self.of_terms[place] = number;
            }
            None => drop(self.others.insert(term.text.clone(), number)),
        }
    }
}

/// The statements that change the sets.
struct Postings<'a> {
    find: CachedStatement<'a>,
    write: CachedStatement<'a>,
    delete: CachedStatement<'a>,
}

impl<'a> Postings<'a> {
    fn of(connection: &'a Connection) -> Result<Self, StoreError> {
        Ok(Self {
            find: connection.prepare_cached("SELECT keys FROM search_postings WHERE place = ?")?,
            write: connection.prepare_cached(
                "INSERT OR REPLACE INTO search_postings (place, keys) VALUES (?, ?)",
            )?,
            delete: connection.prepare_cached("DELETE FROM search_postings WHERE place = ?")?,
        })
    }

    /// Lets keys of a chunk leave and join a term's set, and tells how many more there
    /// are then.
    fn write(&mut self, place: i64, moves: &Moves, is_new: bool) -> Result<i64, StoreError> {
        let count = |keys| i64::try_from(keys).unwrap_or_default();
        let joining = &moves.joining;
        let stored: Option<Vec<u8>> = match is_new {
            true => None,
            false => {
                let found = self.find.query_row([place], |row| row.get(0));
                found.optional()?
            }
        };
        if moves.leaving.is_none() {
            let more = match &stored {
                None => Some(Cow::Borrowed(joining)),
                Some(stored) => longer_stored(stored, joining).map(Cow::Owned),
            };
            if let Some(keys) = more {
                self.write.execute(params![place, *keys])?;
                return Ok(count(stored_count(joining)));
            }
        }
        let mut chunk = Chunk::empty();
        chunk.add_stored(&stored.unwrap_or_default());
        let before = chunk.count();
        if let Some(place) = moves.leaving {
            chunk.remove(place);
        }
        chunk.add_stored(joining);
        let after = chunk.count();
        if after > 0 {
            self.write.execute(params![place, chunk.to_stored(after)])?;
        } else if before > 0 {
            self.delete.execute([place])?;
        }
        Ok(count(after) - count(before))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::store::db::open;
    use crate::store::search::batch::{Limits, terms};
    use crate::store::search::changes::Texts;
    use crate::store::search::key_set::place;

    /// Numbers that look random (Numerical Recipes' linear congruence).
    struct Random(u64);

    impl Random {
        fn below(&mut self, end: usize) -> usize {
            self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (self.0 >> 16) as usize % end
        }

        fn texts(&mut self) -> Texts {
            let mut words = |most| {
                let count = 1 + self.below(most);
                let word = |random: &mut Self| match random.below(3) {
                    0 => format!("charging{}", random.below(60)),
                    1 => ["cables", "cable", "caf\u{e9}", "5g", "a", "\u{915}\u{93f}"]
                        [random.below(6)]
                    .to_owned(),
                    _ => format!("{}runs", ["b", "ba", "c", "\u{917}"][random.below(4)]),
                };
                (0..count).map(|_| word(self)).collect::<Vec<_>>().join(" ")
            };
            Texts {
                title: words(4),
                description: words(9),
                source: words(1),
                category: "Books".to_owned(),
            }
        }
    }

    type Sets = BTreeMap<String, BTreeSet<i64>>;

    /// What is in the index, and whether its counts are right.
    fn written(connection: &Connection) -> Sets {
        let mut sets = Sets::new();
        let mut statement = connection
            .prepare("SELECT number, term, products, chunks FROM search_terms")
            .unwrap();
        let mut rows = statement.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let (number, term): (i64, String) = (row.get(0).unwrap(), row.get(1).unwrap());
            let (products, chunks): (usize, i64) = (row.get(2).unwrap(), row.get(3).unwrap());
            let mut keys = BTreeSet::new();
            for chunk in 0..4_i64 {
                let place = posting_place(chunk as usize, number);
                let stored = connection.query_row(
                    "SELECT keys FROM search_postings WHERE place = ?",
                    [place],
                    |row| row.get::<_, Vec<u8>>(0),
                );
                let Some(stored) = stored.optional().unwrap() else {
                    continue;
                };
                assert!(
                    chunks >> chunk & 1 == 1,
                    "{term} says nothing of chunk {chunk}"
                );
                let mut set = Chunk::empty();
                set.add_stored(&stored);
                keys.extend(set.places().map(|place| (chunk << 16) + i64::from(place)));
            }
            assert_eq!(products, keys.len(), "{term}");
            if !keys.is_empty() {
                sets.insert(term, keys);
            }
        }
        sets
    }

    #[test]
    fn every_term_has_the_products_whose_words_it_is() {
        for seed in 0..6 {
            let mut random = Random(seed);
            // Some so small that everything is written and forgotten in little parts.
            let limits = Limits {
                remembered: 5 + random.below(60),
                bytes: 50 + random.below(2_000),
                tokens_at_once: 1 + random.below(9),
                memberships_at_once: 1 + random.below(60),
            };
            let writing = open::in_memory().unwrap();
            let connection = &writing.connection;
            let mut indexing = Indexing {
                batch: Batch::within(limits),
                ..Indexing::default()
            };
            let mut products: BTreeMap<i64, Texts> = BTreeMap::new();
            let mut next = 65_400;
            for _ in 0..60 {
                let mut changes = Vec::new();
                for _ in 0..random.below(12) {
                    let texts = random.texts();
                    products.insert(next, texts.clone());
                    changes.push((next, None, Some(texts)));
                    next += 1 + random.below(5) as i64;
                }
                indexing.batch.change_all(changes);
                if random.below(3) == 0 || indexing.batch.is_large() {
                    indexing.write(connection).unwrap();
                    let keys: Vec<i64> = products.keys().copied().collect();
                    let mut changed: BTreeMap<i64, _> = BTreeMap::new();
                    for _ in 0..random.below(9).min(keys.len()) {
                        let key = keys[random.below(keys.len())];
                        let after = (random.below(3) > 0).then(|| random.texts());
                        changed.insert(key, after);
                    }
                    let change = |(key, after): (i64, Option<Texts>)| {
                        let before = products.remove(&key);
                        products.extend(after.clone().map(|texts| (key, texts)));
                        (key, before, after)
                    };
                    let changes = changed.into_iter().map(change).collect();
                    indexing.batch.change_all(changes);
                    indexing.write(connection).unwrap();
                }
                next += if random.below(20) == 0 { 40_000 } else { 0 };
            }
            indexing.write(connection).unwrap();
            let mut expected = Sets::new();
            for (key, texts) in &products {
                for term in terms(texts) {
                    expected.entry(term).or_default().insert(*key);
                }
            }
            assert!(products.keys().any(|key| place(*key).0 == 0));
            assert!(products.keys().any(|key| place(*key).0 == 1));
            assert!(written(connection) == expected, "seed {seed}");
        }
    }
}
