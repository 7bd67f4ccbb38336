//! Writing the full-text index: what changed is gathered until the commit, and then
//! written once for each set of products, however many of them joined or left it.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::{Connection, OptionalExtension, params};

use super::StoreError;
use super::key_set::{Chunk, place};
use super::words::terms_of;
use crate::domain::folded_words;

/// What is found by words, as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Texts {
    pub(super) title: String,
    pub(super) description: String,
    pub(super) source: String,
    pub(super) category: String,
}

/// Products whose words changed on one connection since its last commit.
#[derive(Clone, Default)]
pub(super) struct Changes(Arc<Mutex<Gathered>>);

#[derive(Default)]
struct Gathered {
    /// Each one's key, and its texts before and after.
    products: Vec<(i64, Option<Texts>, Option<Texts>)>,
}

impl Changes {
    /// Makes the function of the triggers known to a connection, which reports to
    /// the result.
    pub(super) fn of(connection: &Connection) -> rusqlite::Result<Self> {
        let changes = Self::default();
        let reported = changes.clone();
        connection.create_scalar_function(
            c"index_words",
            9,
            FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_INNOCUOUS,
            move |context| {
                let change = (context.get(0)?, texts(context, 1)?, texts(context, 5)?);
                reported.gathered().products.push(change);
                Ok(None::<i64>)
            },
        )?;
        Ok(changes)
    }

    fn gathered(&self) -> MutexGuard<'_, Gathered> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many changes wait to be written.
    pub(super) fn len(&self) -> usize {
        self.gathered().products.len()
    }

    /// Forgets all but the first so many: what came after was rolled back.
    pub(super) fn truncate(&self, len: usize) {
        self.gathered().products.truncate(len);
    }

    /// Writes what changed, in the transaction that is open.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when the database refuses; the transaction must be undone.
    pub(super) fn write(&self, connection: &Connection) -> Result<(), StoreError> {
        let products = std::mem::take(&mut self.gathered().products);
        if products.is_empty() {
            return Ok(());
        }
        // Nothing outside sees the batch, so a panic leaves only the transaction to undo.
        let written = catch_unwind(AssertUnwindSafe(|| {
            let mut batch = Batch::default();
            for (key, before, after) in &products {
                batch.change(*key, before.as_ref(), after.as_ref());
            }
            batch.write(connection)
        }));
        written.unwrap_or_else(|_| Err(StoreError::Other("indexing failed".to_owned())))
    }
}

fn texts(context: &Context<'_>, from: usize) -> rusqlite::Result<Option<Texts>> {
    if context.get::<Option<String>>(from)?.is_none() {
        return Ok(None);
    }
    Ok(Some(Texts {
        title: context.get(from)?,
        description: context.get(from + 1)?,
        source: context.get(from + 2)?,
        category: context.get(from + 3)?,
    }))
}

/// Products that join and leave the sets of terms, gathered in memory.
#[derive(Default)]
pub(super) struct Batch {
    terms: HashMap<String, usize>,
    /// For each term the keys that join and leave.
    moves: Vec<Moves>,
    /// The terms of words that were met, so that each word is taken apart once.
    words: HashMap<String, Vec<usize>>,
    title_words: HashMap<String, Vec<usize>>,
    postings: usize,
}

#[derive(Default)]
struct Moves {
    joining: Vec<i64>,
    leaving: Vec<i64>,
}

impl Batch {
    /// How many memberships it holds: some eight bytes each.
    pub(super) fn len(&self) -> usize {
        self.postings
    }

    /// Adds a product whose texts were, and are now, these.
    pub(super) fn change(&mut self, key: i64, before: Option<&Texts>, after: Option<&Texts>) {
        let before = before.map_or_else(Vec::new, |texts| self.terms_of(texts));
        let after = after.map_or_else(Vec::new, |texts| self.terms_of(texts));
        for term in &after {
            if before.binary_search(term).is_err() {
                self.moves[*term].joining.push(key);
                self.postings += 1;
            }
        }
        for term in before {
            if after.binary_search(&term).is_err() {
                self.moves[term].leaving.push(key);
                self.postings += 1;
            }
        }
    }

    /// The terms of a product, by their numbers here, sorted.
    fn terms_of(&mut self, texts: &Texts) -> Vec<usize> {
        let mut found = vec![
            self.term(format!("@{}", texts.category)),
            self.term(format!("${}", texts.source)),
        ];
        for text in [&texts.description, &texts.source, &texts.category] {
            for word in folded_words(text) {
                self.word(word, false, &mut found);
            }
        }
        for word in folded_words(&texts.title) {
            self.word(word, true, &mut found);
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn word(&mut self, word: String, in_title: bool, found: &mut Vec<usize>) {
        let known = if in_title {
            &self.title_words
        } else {
            &self.words
        };
        if let Some(terms) = known.get(&word) {
            found.extend_from_slice(terms);
            return;
        }
        let mut terms = Vec::new();
        for term in terms_of(&word) {
            if in_title {
                terms.push(self.term(format!("={term}")));
            }
            terms.push(self.term(term));
        }
        found.extend_from_slice(&terms);
        let known = if in_title {
            &mut self.title_words
        } else {
            &mut self.words
        };
        known.insert(word, terms);
    }

    fn term(&mut self, term: String) -> usize {
        let next = self.moves.len();
        let number = *self.terms.entry(term).or_insert(next);
        if number == next {
            self.moves.push(Moves::default());
        }
        number
    }

    /// Writes everything to the index, in the transaction that is open, and leaves
    /// the batch empty.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when the database refuses; the transaction must be undone.
    pub(super) fn write(self, connection: &Connection) -> Result<(), StoreError> {
        let mut terms = self.known_terms(connection)?;
        let mut postings = Vec::new();
        for (index, (_, term)) in terms.iter().enumerate() {
            let moves = &self.moves[term.moves];
            for (keys, joins) in [(&moves.leaving, false), (&moves.joining, true)] {
                for &key in keys {
                    let (chunk, place) = place(key);
                    postings.push((chunk, term.number, index, place, joins));
                }
            }
        }
        // In the order of the table. Whoever leaves does so before anybody joins.
        postings.sort_unstable_by_key(|&(chunk, number, _, place, joins)| {
            (chunk, number, joins, place)
        });
        let mut rest = postings.as_slice();
        while let Some(&(chunk, number, index, ..)) = rest.first() {
            let same = rest.partition_point(|&(c, n, ..)| (c, n) <= (chunk, number));
            let (now, later) = rest.split_at(same);
            let term = &mut terms[index].1;
            term.chunks |= 1 << (chunk % 64);
            let moves = now.iter().map(|&(.., place, joins)| (place, joins));
            term.products += write_posting(connection, posting_place(chunk, number), moves)?;
            rest = later;
        }
        write_terms(connection, &terms)
    }

    /// The terms that anything happens to, sorted, as the index knows them; new ones
    /// get the next numbers.
    fn known_terms(&self, connection: &Connection) -> Result<Vec<(&str, Term)>, StoreError> {
        let mut find = connection
            .prepare_cached("SELECT number, products, chunks FROM search_terms WHERE term = ?")?;
        let mut last: i64 = find.query_row([""], |row| row.get(0))?;
        let mut used: Vec<(&str, usize)> = (self.terms.iter())
            .filter(|(_, index)| !self.moves[**index].is_empty())
            .map(|(term, index)| (term.as_str(), *index))
            .collect();
        used.sort_unstable();
        let mut terms = Vec::with_capacity(used.len());
        for (text, moves) in used {
            let known = find.query_row([text], |row| {
                Ok(Term {
                    moves,
                    number: row.get(0)?,
                    products: row.get(1)?,
                    chunks: row.get(2)?,
                })
            });
            let term = known.optional()?.unwrap_or_else(|| {
                last += 1;
                Term {
                    moves,
                    number: last,
                    products: 0,
                    chunks: 0,
                }
            });
            terms.push((text, term));
        }
        connection
            .prepare_cached("UPDATE search_terms SET number = ? WHERE term = ''")?
            .execute([last])?;
        Ok(terms)
    }
}

impl Moves {
    fn is_empty(&self) -> bool {
        self.joining.is_empty() && self.leaving.is_empty()
    }
}

/// A row of `search_terms`, and what happens to it.
struct Term {
    moves: usize,
    number: i64,
    products: i64,
    chunks: i64,
}

/// Where the keys of a chunk stand that have the term of this number.
pub(super) fn posting_place(chunk: usize, number: i64) -> i64 {
    (i64::try_from(chunk).unwrap_or(i64::MAX) << 32) | number
}

/// Lets keys leave and join, and tells how many more there are then.
fn write_posting(
    connection: &Connection,
    place: i64,
    moves: impl Iterator<Item = (u16, bool)>,
) -> Result<i64, StoreError> {
    let mut chunk = Chunk::empty();
    let mut find = connection.prepare_cached("SELECT keys FROM search_postings WHERE place = ?")?;
    let mut rows = find.query([place])?;
    let existed = match rows.next()? {
        Some(row) => {
            let stored = row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?;
            chunk.add_stored(stored);
            true
        }
        None => false,
    };
    let before = chunk.count();
    for (place, joins) in moves {
        if joins {
            chunk.add(place);
        } else {
            chunk.remove(place);
        }
    }
    let after = chunk.count();
    if after > 0 {
        connection
            .prepare_cached("INSERT OR REPLACE INTO search_postings (place, keys) VALUES (?, ?)")?
            .execute(params![place, chunk.to_stored()])?;
    } else if existed {
        connection
            .prepare_cached("DELETE FROM search_postings WHERE place = ?")?
            .execute([place])?;
    }
    let count = |keys| i64::try_from(keys).unwrap_or_default();
    Ok(count(after) - count(before))
}

fn write_terms(connection: &Connection, terms: &[(&str, Term)]) -> Result<(), StoreError> {
    let mut keep = connection.prepare_cached(
        "INSERT OR REPLACE INTO search_terms (term, number, products, chunks) VALUES (?, ?, ?, ?)",
    )?;
    let mut forget = connection.prepare_cached("DELETE FROM search_terms WHERE term = ?")?;
    for (text, term) in terms {
        if term.products > 0 {
            keep.execute(params![text, term.number, term.products, term.chunks])?;
        } else {
            forget.execute([text])?;
        }
    }
    Ok(())
}

/// Products between two writings of the index while it is made anew.
const REBUILT_AT_ONCE: usize = 4_000_000;

/// Makes the whole index from the products.
///
/// # Errors
///
/// [`StoreError`] when the database refuses; the transaction must be undone.
pub(super) fn rebuild(connection: &Connection) -> Result<(), StoreError> {
    connection
        .execute_batch("DELETE FROM search_postings; DELETE FROM search_terms WHERE term <> ''")?;
    let mut statement = connection
        .prepare("SELECT key, title, description, source, category FROM products ORDER BY key")?;
    let mut rows = statement.query([])?;
    let mut batch = Batch::default();
    while let Some(row) = rows.next()? {
        let texts = Texts {
            title: row.get(1)?,
            description: row.get(2)?,
            source: row.get(3)?,
            category: row.get(4)?,
        };
        batch.change(row.get(0)?, None, Some(&texts));
        if batch.len() > REBUILT_AT_ONCE {
            std::mem::take(&mut batch).write(connection)?;
        }
    }
    batch.write(connection)
}
