//! Requests with an `Idempotency-Key`: their answers, which a repetition gets again.
//!
//! The answer is stored in the transaction of what the request made, so that neither exists without the
//! other, however the server ends.

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension, params};

use super::Store;
use super::db::error::{Answer, Result, StoreError};
use super::db::pending::Pending;
use super::db::rows::{run, scalar};

/// Time for which an answer is kept.
const LIFETIME: SignedDuration = SignedDuration::from_hours(24);
/// Maximum number of rows of an account, and in all.
const MAX_OF_USER: i64 = 5_000;
const MAX_ROWS: i64 = 10_000;
/// Maximum size of all answers in bytes.
const MAX_BYTES: i64 = 64 * 1_024 * 1_024;

/// A request that its client may repeat.
#[derive(Debug, Clone)]
pub struct RepeatableRequest {
    /// Account id.
    pub user: String,
    /// The `Idempotency-Key`.
    pub key: String,
    /// SHA-256 of method, path, query and body.
    pub fingerprint: [u8; 32],
}

/// Builds an answer from the created records.
pub type MakeAnswer<'a, T> = Box<dyn FnOnce(&T) -> Result<Answer> + Send + 'a>;

/// Answer to keep with what a request makes.
pub struct Keep<'a, T> {
    /// The request.
    pub request: RepeatableRequest,
    /// Builds the answer from the created records.
    pub answer: MakeAnswer<'a, T>,
}

impl Store {
    /// Checks that a request was not answered before.
    ///
    /// # Errors
    ///
    /// [`StoreError::Repeated`] with the first answer, and [`StoreError::KeyReused`] if the key belongs
    /// to another request.
    pub fn refuse_repeated(&self, request: &RepeatableRequest, now: Timestamp) -> Result<()> {
        self.read(|connection| refuse_repeated(connection, request, now))
    }

    /// True if there are answers to delete.
    pub fn has_old_answers(&self, now: Timestamp) -> Result<bool> {
        self.read(|connection| {
            let sql = "SELECT EXISTS (SELECT 1 FROM idempotency_keys WHERE at < ?)";
            Ok(scalar(connection, sql, [oldest(now)])?)
        })
    }

    /// Deletes the answers that are older than 24 hours.
    pub fn delete_old_answers(&self, now: Timestamp) -> Pending<()> {
        self.execute("DELETE FROM idempotency_keys WHERE at < ?", [oldest(now)])
    }
}

fn oldest(now: Timestamp) -> i64 {
    (now - LIFETIME).as_millisecond()
}

/// Runs `make` unless the request was answered before, and keeps its answer.
pub(crate) fn once<T>(
    connection: &Connection,
    keep: Option<Keep<'_, T>>,
    now: Timestamp,
    make: impl FnOnce() -> Result<T>,
) -> Result<T> {
    let Some(keep) = keep else {
        return make();
    };
    refuse_repeated(connection, &keep.request, now)?;
    let made = make()?;
    record(connection, keep, &made, now)?;
    Ok(made)
}

/// Like [`Store::refuse_repeated`], within a transaction.
pub(crate) fn refuse_repeated(
    connection: &Connection,
    request: &RepeatableRequest,
    now: Timestamp,
) -> Result<()> {
    let sql = "SELECT fingerprint, status, answer FROM idempotency_keys \
               WHERE user = (SELECT key FROM users WHERE id = ?1) AND key = ?2 AND at >= ?3";
    let found = connection
        .prepare_cached(sql)?
        .query_row(params![request.user, request.key, oldest(now)], |row| {
            let answer = Answer {
                status: row.get(1)?,
                body: row.get(2)?,
            };
            Ok((row.get::<_, [u8; 32]>(0)?, answer))
        })
        .optional()?;
    match found {
        None => Ok(()),
        Some((fingerprint, answer)) if fingerprint == request.fingerprint => {
            Err(StoreError::Repeated(answer))
        }
        Some(_) => Err(StoreError::KeyReused),
    }
}

/// Stores the answer to a request, in the transaction of its changes.
pub(crate) fn record<T>(
    connection: &Connection,
    keep: Keep<'_, T>,
    made: &T,
    now: Timestamp,
) -> Result<()> {
    let Keep { request, answer } = keep;
    let answer = answer(made)?;
    let sql = "SELECT key FROM users WHERE id = ?";
    let user: Option<i64> = scalar(connection, sql, [&request.user]).optional()?;
    let user = user.ok_or_else(|| StoreError::Other("the account was deleted".to_owned()))?;
    run(
        connection,
        "INSERT OR REPLACE INTO idempotency_keys (user, key, fingerprint, status, answer, bytes, at) \
         SELECT ?1, ?2, ?3, ?4, ?5, length(?5) + coalesce(max(bytes), 0), ?6 FROM idempotency_keys",
        params![
            user,
            request.key,
            request.fingerprint,
            answer.status,
            answer.body,
            now.as_millisecond()
        ],
    )?;
    let newest = connection.last_insert_rowid();
    run(
        connection,
        "DELETE FROM idempotency_keys WHERE number <= ?",
        [newest - MAX_ROWS],
    )?;
    run(
        connection,
        "DELETE FROM idempotency_keys WHERE user = ?1 AND number <= (SELECT number \
         FROM idempotency_keys WHERE user = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2)",
        [user, MAX_OF_USER],
    )?;
    run(
        connection,
        "DELETE FROM idempotency_keys WHERE bytes <= (SELECT max(bytes) FROM idempotency_keys) - ? \
         AND number < (SELECT max(number) FROM idempotency_keys)",
        [MAX_BYTES],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: SignedDuration = SignedDuration::from_hours(24);

    fn store() -> (Store, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("deals.sqlite")).unwrap();
        store
            .write(|connection| {
                Ok(connection.execute_batch(
                    "INSERT INTO users (id, username, email, email_key, role, password_hash, created_at) \
                     VALUES ('a', 'a', 'a', 'a', 'admin', '', 0), ('b', 'b', 'b', 'b', 'admin', '', 0), \
                     ('c', 'c', 'c', 'c', 'admin', '', 0)",
                )?)
            })
            .wait()
            .unwrap();
        (store, folder)
    }

    fn request(user: &str, key: u32) -> RepeatableRequest {
        RepeatableRequest {
            user: user.to_owned(),
            key: key.to_string(),
            fingerprint: [7; 32],
        }
    }

    /// Answers requests with these numbers as keys, each with so many bytes, in one transaction.
    fn answer(store: &Store, user: &'static str, keys: std::ops::Range<u32>, bytes: usize) {
        let write = store.write(move |connection| {
            for key in keys {
                let keep = Keep {
                    request: request(user, key),
                    answer: Box::new(move |()| {
                        let body = vec![b'x'; bytes];
                        Ok(Answer { status: 201, body })
                    }),
                };
                once(connection, Some(keep), Timestamp::UNIX_EPOCH, || Ok(()))?;
            }
            Ok(())
        });
        write.wait().unwrap();
    }

    fn is_kept(store: &Store, user: &str, key: u32) -> bool {
        let found = store.refuse_repeated(&request(user, key), Timestamp::UNIX_EPOCH);
        assert!(matches!(found, Ok(()) | Err(StoreError::Repeated(_))));
        found.is_err()
    }

    fn rows(store: &Store) -> i64 {
        let count = |connection: &Connection| {
            let sql = "SELECT count(*) FROM idempotency_keys";
            Ok(scalar(connection, sql, [])?)
        };
        store.read(count).unwrap()
    }

    #[test]
    fn idempotent_answers_are_limited_per_account_and_in_all() {
        let (store, _folder) = store();
        answer(&store, "a", 0..5_001, 1);
        assert!(!is_kept(&store, "a", 0) && is_kept(&store, "a", 1));
        answer(&store, "b", 0..5_000, 1);
        assert!(is_kept(&store, "a", 1));
        assert_eq!(rows(&store), 10_000);
        answer(&store, "c", 0..10, 1);
        assert!(!is_kept(&store, "a", 10) && is_kept(&store, "a", 11));
        assert_eq!(rows(&store), 10_000);
    }

    #[test]
    fn idempotent_answers_are_limited_to_64_megabytes() {
        let (store, _folder) = store();
        let megabyte = 1_024 * 1_024;
        answer(&store, "a", 0..64, megabyte);
        assert!(is_kept(&store, "a", 0));
        answer(&store, "b", 0..1, megabyte);
        assert!(!is_kept(&store, "a", 0) && is_kept(&store, "a", 1));
        answer(&store, "b", 1..2, 65 * megabyte);
        assert_eq!(rows(&store), 1);
    }

    #[test]
    fn an_idempotent_answer_is_kept_for_a_day() {
        let (store, _folder) = store();
        answer(&store, "a", 0..1, 1);
        let day = Timestamp::UNIX_EPOCH + DAY;
        let later = day + SignedDuration::from_millis(1);
        let asked = request("a", 0);
        assert!(store.refuse_repeated(&asked, day).is_err());
        assert!(!store.has_old_answers(day).unwrap());
        assert!(store.refuse_repeated(&asked, later).is_ok());
        assert!(store.has_old_answers(later).unwrap());
        store.delete_old_answers(later).wait().unwrap();
        assert_eq!(rows(&store), 0);
    }
}
