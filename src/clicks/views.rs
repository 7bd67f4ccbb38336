//! Views of product pages and searches without results, collected in memory and written at
//! intervals: a write per view would cost more than the view, and losing some seconds of them is
//! harmless.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::domain::FailedSearch;
use crate::store::NewViews;

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
        if let Some(words) = FailedSearch::normalize(search) {
            let mut new = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            add(&mut new.searches, words);
        }
    }

    /// Takes what was gathered since the last time.
    pub fn take(&self) -> NewViews {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn add(counts: &mut HashMap<String, u64>, name: String) {
    if counts.len() < MOST || counts.contains_key(&name) {
        *counts.entry(name).or_default() += 1;
    }
}
