//! What people look at and search for in vain, gathered in memory and written every few seconds:
//! a write for each look would cost more than the look, and losing some seconds of them is no harm.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;

use crate::domain::FailedSearch;
use crate::periodic::{Next, Periodic};
use crate::store::{Store, UsageCounts};

/// How often what was gathered is written.
const EVERY: Duration = Duration::from_secs(10);
/// The most products, and the most searches, gathered between two writes; what comes beyond is left
/// out.
const MOST: usize = 10_000;

/// What was not written yet.
#[derive(Clone, Default)]
pub struct Looks(Arc<Mutex<UsageCounts>>);

impl Looks {
    /// A product's own page was looked at.
    pub fn seen(&self, product: &str) {
        let mut looked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        add(&mut looked.views, product.to_owned());
    }

    /// A search found nothing. What may be somebody's address or number is not kept.
    pub fn searched_in_vain(&self, search: &str) {
        if let Some(words) = FailedSearch::normalize(search) {
            let mut looked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            add(&mut looked.failed_searches, words);
        }
    }

    /// Hands over what was gathered.
    fn take(&self) -> UsageCounts {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Writes what is gathered from now on, until the thread is dropped, which writes the rest.
    ///
    /// # Errors
    ///
    /// When the system gives no thread.
    pub fn keep_in(&self, store: Store) -> std::io::Result<Periodic> {
        let (looks, last) = (self.clone(), self.clone());
        let at_last = store.clone();
        let write = move || {
            looks.write(&store);
            Next::Again
        };
        Periodic::start("looks", EVERY, write, move || last.write(&at_last))
    }

    fn write(&self, store: &Store) {
        let looked = self.take();
        if looked.is_empty() {
            return;
        }
        if let Err(error) = store.add_usage(looked, Timestamp::now()).wait() {
            tracing::warn!(%error, "views of some seconds are lost");
        }
    }
}

fn add(counts: &mut HashMap<String, u64>, name: String) {
    if counts.len() < MOST || counts.contains_key(&name) {
        *counts.entry(name).or_default() += 1;
    }
}
