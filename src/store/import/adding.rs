//! Adding the new products of an import, hidden. While they are, a second thread takes the
//! words of those before them apart, and sorts them for the full-text index.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::parts::{Part, make_index};
use super::publish::Publishing;
use super::staging::DETAILS;
use super::waiting::Waiting;
use crate::store::StoreError;
use crate::store::db::preflight::folder_of;
use crate::store::search::batch::{Batch, Part as Words};
use crate::store::search::changes::{Change, Changes};
use crate::store::search::key_set::CHUNK_KEYS;

/// Products of a first transaction; further ones are made to take about so long.
const FIRST_ROWS: i64 = 1_000;
const WANTED: Duration = Duration::from_millis(400);
/// Products of a transaction at most, and of what is added at once within one. Their texts
/// are in memory, and should not be many more bytes than this.
pub(crate) const MOST_ROWS: i64 = 2_500;
const MOST_AT_ONCE: i64 = 1_000;
const MOST_BYTES: usize = 3 * 1_024 * 1_024;
/// How many times products wait in memory for their words to be taken apart, at most, and
/// how many times in all where nobody has to wait for this thread meanwhile: it makes the
/// indexes then.
const AHEAD: usize = 2;
const AHEAD_ALONE: usize = 100;

/// Numbers of products by their source and category.
pub(crate) type Hidden = HashMap<(String, String), i64>;

/// What the second thread tells.
enum News {
    /// The words of products that were added together are taken apart; this is whose they
    /// are.
    TakenApart(Hidden),
    /// These can be written.
    Words(Words),
    /// It can't go on.
    Failed(StoreError),
}

/// The end of the second thread, which waits where a part of the words was not written.
struct Teller {
    tell: Sender<News>,
    begin_part: SyncSender<()>,
}

/// The other end.
struct Listener {
    news: Receiver<News>,
    end_part: Receiver<()>,
    /// Additions whose words are not taken apart.
    waiting: usize,
    /// Whether a part of the words was heard of and its last one was not: until then the
    /// other thread does nothing else.
    amid_parts: bool,
}

impl Listener {
    /// Why the other thread hears nothing any more.
    fn failure(&self) -> StoreError {
        let failure = self.news.iter().find_map(|news| match news {
            News::Failed(error) => Some(error),
            News::TakenApart(_) | News::Words(_) => None,
        });
        failure.unwrap_or_else(failed)
    }

    /// The next news, if there are any, or are about to be.
    fn next(&self) -> Option<News> {
        match self.amid_parts {
            true => self.news.recv().ok(),
            false => self.news.try_recv().ok(),
        }
    }
}

impl Publishing<'_> {
    /// Adds the new products, hidden, and their words; makes the indexes that were put off
    /// in between.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when the database refuses; what was added stays hidden.
    pub(crate) fn add_hidden(
        &mut self,
        put_off: Vec<String>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), StoreError> {
        let mut batch = std::mem::take(&mut self.indexing.batch);
        let (give, added) = sync_channel(AHEAD_ALONE);
        // As many as additions can wait, and one part of the words that is not written yet.
        let (tell, news) = channel();
        let (begin_part, end_part) = sync_channel(1);
        std::thread::scope(|scope| {
            let second = scope.spawn(move || {
                let teller = Teller { tell, begin_part };
                take_apart(&mut batch, &added, &teller);
                batch
            });
            let mut listener = Listener {
                news,
                end_part,
                waiting: 0,
                amid_parts: false,
            };
            let outcome = self.add_and_index(give, &mut listener, put_off, progress);
            // The other thread ends, where this one failed.
            drop(listener);
            self.indexing.batch = second.join().map_err(|_| failed())?;
            outcome
        })
    }

    fn add_and_index(
        &mut self,
        give: SyncSender<Waiting>,
        listener: &mut Listener,
        put_off: Vec<String>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), StoreError> {
        let mut size = FIRST_ROWS;
        let mut from = 0;
        let mut rows = 0;
        let mut aside = self.folder().filter(|_| self.is_alone());
        loop {
            let start = Instant::now();
            let changes = &self.writing.changes;
            let next = add_some(
                self.connection,
                self.is_alone(),
                (from, size),
                self.now,
                changes,
            )?;
            let Some((to, count)) = next else { break };
            let ratio = WANTED.as_secs_f64() / start.elapsed().as_secs_f64().max(0.001);
            let changes = changes.take();
            size = (size as f64 * ratio.clamp(0.5, 2.0)) as i64;
            size = match self.is_alone() {
                true => MOST_AT_ONCE,
                false => size.clamp(FIRST_ROWS / 2, MOST_ROWS),
            };
            size = size.min(rows_of(MOST_BYTES, &changes));
            from = to + 1;
            rows += count;
            progress(rows);
            self.let_others_in();
            let most = aside.as_ref().map_or(AHEAD, |_| AHEAD_ALONE);
            while listener.waiting >= most {
                let news = listener.news.recv().map_err(|_| failed())?;
                self.hear(news, listener)?;
            }
            let added = match &aside {
                Some(folder) if listener.waiting >= AHEAD => {
                    Waiting::put_aside(changes, folder).unwrap_or_else(|changes| {
                        // There is no room; the others are waited for from now on.
                        aside = None;
                        Waiting::Here(changes)
                    })
                }
                _ => Waiting::Here(changes),
            };
            if give.send(added).is_err() {
                return Err(listener.failure());
            }
            listener.waiting += 1;
            self.hear_all(listener)?;
        }
        drop(give);
        for index in put_off {
            make_index(self.connection, &index)?;
            self.hear_all(listener)?;
        }
        while let Ok(news) = listener.news.recv() {
            self.hear(news, listener)?;
        }
        Ok(())
    }

    /// Does everything that the other thread made ready by now.
    fn hear_all(&mut self, listener: &mut Listener) -> Result<(), StoreError> {
        while let Some(news) = listener.next() {
            self.hear(news, listener)?;
        }
        Ok(())
    }

    /// Does what the other thread made ready.
    fn hear(&mut self, news: News, listener: &mut Listener) -> Result<(), StoreError> {
        match news {
            News::TakenApart(hidden) => {
                listener.waiting -= 1;
                self.count(hidden);
            }
            News::Words(words) => {
                listener.amid_parts = !words.is_last;
                let transaction = self.part()?;
                self.indexing.terms.write(&transaction, &words)?;
                transaction.commit()?;
                drop(words);
                listener.end_part.recv().map_err(|_| failed())?;
                self.let_others_in();
            }
            News::Failed(error) => return Err(error),
        }
        Ok(())
    }

    fn folder(&self) -> Option<PathBuf> {
        let path = Path::new(self.connection.path()?);
        Some(folder_of(path).to_owned())
    }
}

/// How many products as these are take so many bytes of texts; one at least.
fn rows_of(bytes: usize, like: &[Change]) -> i64 {
    let texts = like.iter().filter_map(|(_, _, texts)| texts.as_ref());
    let all: usize = texts
        .map(|texts| texts.title.len() + texts.description.len())
        .sum();
    let rows = bytes.saturating_mul(like.len()) / all.max(1);
    i64::try_from(rows).unwrap_or(i64::MAX).max(1)
}

fn failed() -> StoreError {
    StoreError::Other("indexing failed".to_owned())
}

/// Takes products' words apart until nobody adds any, or nobody hears of it.
fn take_apart(batch: &mut Batch, added: &Receiver<Waiting>, teller: &Teller) {
    for waiting in added {
        let changes = match waiting.take() {
            Ok(changes) => changes,
            Err(error) => {
                // Nobody hears it where the other thread failed, too.
                let _ = teller.tell.send(News::Failed(error));
                return;
            }
        };
        // No other product joins the sets of the chunk before: each is written once.
        let leaves_chunk = changes
            .first()
            .is_some_and(|(key, ..)| batch.leaves_chunk(*key));
        if leaves_chunk && !teller.give_all(batch) {
            return;
        }
        let hidden = count_hidden(&changes);
        batch.change_all(changes);
        if teller.tell.send(News::TakenApart(hidden)).is_err() {
            return;
        }
        if batch.is_large() && !teller.give_all(batch) {
            return;
        }
    }
    teller.give_all(batch);
}

impl Teller {
    /// Gives everything that waits to be written; tells whether somebody took it.
    fn give_all(&self, batch: &mut Batch) -> bool {
        while let Some(words) = batch.next_part() {
            let given = self.begin_part.send(()).is_ok();
            if !given || self.tell.send(News::Words(words)).is_err() {
                return false;
            }
        }
        true
    }
}

/// Adds the next rows, hidden, as far as their keys are of one chunk: tells the last of
/// them, and how many they are. `None` when there is no row left.
fn add_some(
    connection: &Connection,
    is_alone: bool,
    (from, size): (i64, i64),
    now: Timestamp,
    changes: &Changes,
) -> Result<Option<(i64, u64)>, StoreError> {
    let transaction = Part::begin(connection, is_alone)?;
    let next: i64 = transaction.query_row(
        "SELECT coalesce(max(key), 0) + 1 FROM products",
        [],
        |row| row.get(0),
    )?;
    let chunk = i64::try_from(CHUNK_KEYS).unwrap_or(i64::MAX);
    let room = chunk - next % chunk;
    let (to, count) = next_rows(connection, from, size.min(room))?;
    if count == 0 {
        return Ok(None);
    }
    hide(&transaction, next, count)?;
    let added = add_rows(&transaction, Rows::Between(from, to), now);
    if added.is_err() {
        changes.truncate(0);
    }
    let added = added?;
    transaction.commit()?;
    Ok(Some((to, added)))
}

/// Which rows are added of those that mean no product that is there.
#[derive(Clone, Copy)]
pub(crate) enum Rows {
    All,
    /// From one to another.
    Between(i64, i64),
    /// Those that were found out while the others were added.
    Late,
}

/// Adds rows as products, and tells how many.
pub(crate) fn add_rows(
    transaction: &Connection,
    rows: Rows,
    now: Timestamp,
) -> Result<u64, StoreError> {
    let (from, to, which) = match rows {
        Rows::All => (i64::MIN, i64::MAX, "row BETWEEN ?1 AND ?2"),
        Rows::Between(from, to) => (from, to, "row BETWEEN ?1 AND ?2"),
        // By their index: others wait while this is looked for.
        Rows::Late => (i64::MIN, i64::MAX, "row BETWEEN ?1 AND ?2 AND is_late"),
    };
    let added = transaction.execute(
        &format!(
            "INSERT INTO products (id, {DETAILS}, clicks, created_at, updated_at) \
             SELECT id, {DETAILS}, coalesce(clicks, 0), coalesce(created_at, ?3), \
                 coalesce(updated_at, created_at, ?3) \
             FROM staged WHERE target IS NULL AND {which} ORDER BY row"
        ),
        params![from, to, now.as_millisecond()],
    )?;
    Ok(added as u64)
}

pub(crate) fn count_hidden(changes: &[Change]) -> Hidden {
    let mut hidden = Hidden::new();
    for (_, before, after) in changes {
        for (texts, more) in [(before, -1), (after, 1)] {
            if let Some(texts) = texts {
                let of = (texts.source.clone(), texts.category.clone());
                *hidden.entry(of).or_default() += more;
            }
        }
    }
    hidden
}

/// The last of the next rows to add, and how many that are.
fn next_rows(connection: &Connection, from: i64, size: i64) -> Result<(i64, i64), StoreError> {
    Ok(connection
        .prepare_cached(
            "SELECT coalesce(max(row), 0), count(*) FROM (SELECT row FROM staged \
             WHERE target IS NULL AND row >= ?1 ORDER BY row LIMIT ?2)",
        )?
        .query_row([from, size], |row| Ok((row.get(0)?, row.get(1)?)))?)
}

/// Notes keys as hidden.
fn hide(transaction: &Connection, next: i64, count: i64) -> Result<(), StoreError> {
    let longer = transaction.execute(
        "UPDATE hidden_products SET last = last + ?2 WHERE last = ?1 - 1",
        params![next, count],
    )?;
    if longer == 0 {
        transaction.execute(
            "INSERT INTO hidden_products (first, last) VALUES (?1, ?1 + ?2 - 1)",
            params![next, count],
        )?;
    }
    Ok(())
}
