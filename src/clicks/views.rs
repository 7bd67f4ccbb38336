//! Views of product pages and searches without results, gathered in memory and written now and then:
//! a write for each view would cost more than the view, and losing some seconds of them is no harm.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;

use crate::domain::VainSearch;
use crate::periodic::{Next, Periodic};
use crate::store::{NewViews, Store};

/// Time between two writes.
const EVERY: Duration = Duration::from_secs(10);
/// Most products, and most searches, gathered between two writes; the rest is left out.
const MOST: usize = 10_000;

/// Views and searches that are not written yet. Cloning is cheap, and clones share them.
#[derive(Clone, Default)]
pub struct Views(Arc<Mutex<NewViews>>);

impl Views {
    /// Counts a view of a product's own page.
    pub fn add_product(&self, product: &str) {
        let mut new = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        add(&mut new.products, product.to_owned());
    }

    /// Counts a search that found nothing, unless it may be somebody's address or number.
    pub fn add_search(&self, search: &str) {
        if let Some(words) = VainSearch::words_of(search) {
            let mut new = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            add(&mut new.searches, words);
        }
    }

    /// Takes what was gathered since the last time.
    fn take(&self) -> NewViews {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Writes what is gathered from now on, until the thread is dropped, which writes the rest.
    ///
    /// # Errors
    ///
    /// When the system gives no thread.
    pub fn keep_in(&self, store: Store) -> std::io::Result<Periodic> {
        let (views, last) = (self.clone(), self.clone());
        let at_last = store.clone();
        let write = move || {
            views.write(&store);
            Next::Again
        };
        Periodic::start("views", EVERY, write, move || last.write(&at_last))
    }

    fn write(&self, store: &Store) {
        let new = self.take();
        if new.is_empty() {
            return;
        }
        if let Err(error) = store.add_views(new, Timestamp::now()).wait() {
            tracing::warn!(%error, "views of some seconds are lost");
        }
    }
}

fn add(counts: &mut HashMap<String, u64>, name: String) {
    if counts.len() < MOST || counts.contains_key(&name) {
        *counts.entry(name).or_default() += 1;
    }
}
