//! Keeps the WAL short during an import.
//!
//! SQLite resets the WAL only after a complete checkpoint, when a write begins while nobody reads
//! from it. Beside an import and a busy list that never happens, and a million products would make a
//! WAL of ten gigabytes.

use std::time::Duration;

use rusqlite::{Connection, Row};

use super::open::wait_for_others;

/// Pause between two transactions, in which other processes may write: they try each millisecond.
const PAUSE: Duration = Duration::from_millis(4);
/// Pages of the WAL, of 4 KiB, from which it is checkpointed: a page that several transactions
/// changed is copied to the database once.
pub(crate) const CHECKPOINT_PAGES: i64 = 16_384;
/// Further pages until the next attempt after a checkpoint that could not reset the WAL.
const MORE_PAGES: i64 = CHECKPOINT_PAGES / 4;
/// Attempts, a pause apart, to copy all pages while others write, and the pages that may be left
/// then, for which others have to wait.
const TRIES: usize = 10;
const FEW_PAGES: i64 = 1_024;
/// How long the checkpoint that resets the WAL waits for other writers and for readers of the WAL.
const OTHERS_WAIT: Duration = Duration::from_millis(50);

/// Keeps the WAL short.
pub(crate) struct WalLimit {
    /// Pages from which the WAL is reset.
    most: i64,
}

impl Default for WalLimit {
    fn default() -> Self {
        Self {
            most: CHECKPOINT_PAGES,
        }
    }
}

impl WalLimit {
    /// Lets waiting processes write, and resets a long WAL.
    pub(crate) fn let_others_in(&mut self, connection: &Connection) {
        std::thread::sleep(PAUSE);
        if let Err(error) = self.shorten(connection) {
            tracing::warn!(%error, "the WAL could not be checkpointed");
        }
    }

    fn shorten(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        let pages = checkpoint(connection, "NOOP")?.pages;
        if pages < self.most {
            return Ok(());
        }
        self.most = if reset(connection)? {
            CHECKPOINT_PAGES
        } else {
            tracing::info!(pages, "somebody reads for long, so the WAL grows");
            pages + MORE_PAGES
        };
        Ok(())
    }
}

/// The result of `PRAGMA wal_checkpoint`.
struct Checkpoint {
    is_busy: bool,
    /// Pages of the WAL, and those that are copied; negative while another connection checkpoints.
    pages: i64,
    copied: i64,
}

fn checkpoint(connection: &Connection, how: &str) -> rusqlite::Result<Checkpoint> {
    let checkpoint = |row: &Row<'_>| {
        Ok(Checkpoint {
            is_busy: row.get(0)?,
            pages: row.get(1)?,
            copied: row.get(2)?,
        })
    };
    connection.query_row(&format!("PRAGMA wal_checkpoint({how})"), [], checkpoint)
}

/// Checkpoints so that the next writer starts the WAL anew; returns whether it will.
fn reset(connection: &Connection) -> rusqlite::Result<bool> {
    for left in (0..TRIES).rev() {
        // While others write. Pages newer than the oldest reader's snapshot are not copied.
        let Checkpoint { pages, copied, .. } = checkpoint(connection, "PASSIVE")?;
        let few = if left == 0 { FEW_PAGES } else { 0 };
        if pages >= 0 && pages - copied <= few {
            // The rest while nobody writes: a later reader needs no WAL, and earlier ones are
            // waited for.
            connection.busy_timeout(OTHERS_WAIT)?;
            let outcome = checkpoint(connection, "RESTART");
            connection.busy_handler(Some(wait_for_others))?;
            let outcome = outcome?;
            if !outcome.is_busy || outcome.pages >= 0 {
                return Ok(!outcome.is_busy);
            }
        }
        if left > 0 {
            std::thread::sleep(PAUSE);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::time::Instant;

    use super::*;

    #[test]
    fn a_failed_wal_reset_is_retried_some_pages_later() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some.sqlite");
        let [writer, reader] = [(); 2].map(|()| Connection::open(&path).unwrap());
        writer
            .execute_batch(
                "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; \
                 CREATE TABLE some (bytes BLOB)",
            )
            .unwrap();
        let write = || {
            let some = "INSERT INTO some VALUES (randomblob(40000))";
            writer.execute(some, []).unwrap();
        };
        let pages = || checkpoint(&writer, "NOOP").unwrap().pages;
        write();
        reader.execute_batch("BEGIN; SELECT * FROM some").unwrap();
        write();
        let mut wal = WalLimit { most: 5 };
        wal.let_others_in(&writer);
        let most = pages() + MORE_PAGES;
        assert_eq!(wal.most, most);
        write();
        wal.let_others_in(&writer);
        assert_eq!(wal.most, most);
        reader.execute_batch("COMMIT").unwrap();
        wal.most = 5;
        let before = pages();
        wal.let_others_in(&writer);
        assert_eq!(wal.most, CHECKPOINT_PAGES);
        write();
        assert!(pages() < before);
    }

    /// Reads one snapshot after another, each until the other of two readers has begun its next.
    fn read_in_turn(
        path: &Path,
        has_begun: &Sender<()>,
        other_has: &Receiver<()>,
        is_over: &AtomicBool,
    ) {
        let reader = Connection::open(path).unwrap();
        while !is_over.load(Ordering::Relaxed) {
            reader.execute_batch("BEGIN; SELECT * FROM some").unwrap();
            if has_begun.send(()).is_err() || other_has.recv().is_err() {
                return;
            }
            reader.execute_batch("COMMIT").unwrap();
        }
    }

    #[test]
    fn the_wal_is_reset_beside_constant_readers() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some.sqlite");
        let writer = Connection::open(&path).unwrap();
        writer
            .execute_batch(
                "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; \
                 CREATE TABLE some (bytes BLOB)",
            )
            .unwrap();
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let (path, is_over) = (&path, &is_over);
            let (first_has, to_second) = channel();
            let (second_has, to_first) = channel();
            scope.spawn(move || read_in_turn(path, &first_has, &to_first, is_over));
            scope.spawn(move || {
                if to_second.recv().is_ok() {
                    read_in_turn(path, &second_has, &to_second, is_over);
                }
            });
            // The time until then depends on the machine.
            let start = Instant::now();
            let mut has_begun_anew = false;
            while !has_begun_anew && start.elapsed() < Duration::from_mins(2) {
                let some = "INSERT INTO some VALUES (randomblob(40000))";
                writer.execute(some, []).unwrap();
                let mut wal = WalLimit { most: 5 };
                wal.let_others_in(&writer);
                has_begun_anew = wal.most == CHECKPOINT_PAGES;
            }
            is_over.store(true, Ordering::Relaxed);
            assert!(has_begun_anew, "it only grows");
        });
    }
}
