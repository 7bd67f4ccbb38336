//! The copy of the database that waits for its download.

use std::fs::File;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::http::error::ApiError;
use crate::store::new_id;

/// Time in which a copy is to be downloaded.
pub(crate) const KEPT: Duration = Duration::from_secs(600);

/// The copy that was made last. Its file has no name, so nothing is left of it once it is dropped.
pub(crate) struct Copies {
    making: Arc<Semaphore>,
    ready: Mutex<Option<ReadyCopy>>,
}

/// A copy that can be downloaded once.
pub(crate) struct ReadyCopy {
    id: String,
    made: Instant,
    /// The copy.
    pub(crate) file: File,
    /// Name for the file.
    pub(crate) name: String,
    /// Its size in bytes.
    pub(crate) bytes: u64,
}

impl Default for Copies {
    fn default() -> Self {
        Self {
            making: Arc::new(Semaphore::new(1)),
            ready: Mutex::default(),
        }
    }
}

impl Copies {
    /// Takes the turn of making a copy, released when dropped.
    pub(crate) fn begin(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        let turn = Arc::clone(&self.making).try_acquire_owned();
        turn.map_err(|_| {
            let message = "A copy is being made already. Try again in a moment.";
            ApiError::Conflict(message.to_owned())
        })
    }

    /// Keeps a copy in place of the last one, and returns its id.
    pub(crate) fn keep(&self, file: File, name: String, bytes: u64) -> String {
        let id = new_id();
        *self.ready() = Some(ReadyCopy {
            id: id.clone(),
            made: Instant::now(),
            file,
            name,
            bytes,
        });
        id
    }

    /// Takes the copy with this id, if it is still there.
    pub(crate) fn take(&self, id: &str) -> Option<ReadyCopy> {
        let taken = self.ready().take_if(|copy| copy.id == id);
        taken.filter(|copy| copy.made.elapsed() < KEPT)
    }

    fn ready(&self) -> MutexGuard<'_, Option<ReadyCopy>> {
        self.ready.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
