//! Page views of products and searches without results, collected in memory and written at
//! intervals: a write per page view would cost more than the page view, and losing some seconds of them is
//! harmless.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Request;
use super::codes::{Codes, number_of};
use super::visitors::{HOUR, MAX_ADDRESSES, MAX_CLICKS_OF_ADDRESS};
use super::windows::Windows;
use crate::domain::FailedSearch;
use crate::store::NewPageViews;

/// Maximum products, and maximum searches, gathered between two writes; the rest is left out.
const MOST: usize = 10_000;
/// Maximum page views per hour from one address: as many as clicks.
const MAX_PAGE_VIEWS: u32 = MAX_CLICKS_OF_ADDRESS;
/// Maximum searches without results per hour from one address.
const MAX_SEARCHES: u32 = 60;
/// Maximum page views and searches remembered, so that a visitor's are counted once an hour.
const MAX_REMEMBERED: usize = 100_000;

/// Page views and searches that are not written yet. Cloning is cheap, and clones share them.
#[derive(Clone, Default)]
pub struct PageViewCounter(Arc<Shared>);

#[derive(Default)]
struct Shared {
    codes: Codes,
    gathered: Mutex<Gathered>,
}

struct Gathered {
    new: NewPageViews,
    /// Page views and searches by visitor that were counted within the hour.
    counted: Windows<()>,
    addresses: Windows<AddressViews>,
}

/// Page views and searches from an address in an hour.
#[derive(Default)]
struct AddressViews {
    page_views: u32,
    searches: u32,
}

impl Default for Gathered {
    fn default() -> Self {
        Self {
            new: NewPageViews::default(),
            counted: Windows::new(HOUR, MAX_REMEMBERED),
            addresses: Windows::new(HOUR, MAX_ADDRESSES),
        }
    }
}

impl PageViewCounter {
    /// Counts a view of a product's own page, once an hour for each visitor.
    pub fn add_product(&self, request: &Request<'_>) {
        let product = request.product;
        self.add_once_an_hour(request, "view", product, |gathered, address, now| {
            let of = gathered.addresses.get(address, now);
            of.page_views = of.page_views.saturating_add(1);
            (of.page_views <= MAX_PAGE_VIEWS).then_some(&mut gathered.new.products)
        });
    }

    /// Counts a search that found nothing, once an hour for each visitor, unless it may be somebody's
    /// address or number.
    pub fn add_search(&self, request: &Request<'_>, search: &str) {
        if let Some(words) = FailedSearch::normalize(search) {
            self.add_once_an_hour(request, "search", &words, |gathered, address, now| {
                let of = gathered.addresses.get(address, now);
                of.searches = of.searches.saturating_add(1);
                (of.searches <= MAX_SEARCHES).then_some(&mut gathered.new.searches)
            });
        }
    }

    fn add_once_an_hour(
        &self,
        request: &Request<'_>,
        kind: &str,
        name: &str,
        counts: impl FnOnce(&mut Gathered, u64, i64) -> Option<&mut HashMap<String, u64>>,
    ) {
        let Some(visitor) = request.visitor(&self.0.codes) else {
            return;
        };
        let code = visitor.code.to_be_bytes();
        let key = number_of(&[&code, kind.as_bytes(), name.as_bytes()]);
        let now = request.now.as_millisecond();
        let mut gathered = self.gathered();
        if gathered.counted.find(key, now).is_some() {
            return;
        }
        let Some(counts) = counts(&mut gathered, visitor.address, now) else {
            return;
        };
        if counts.len() < MOST || counts.contains_key(name) {
            *counts.entry(name.to_owned()).or_default() += 1;
        }
        gathered.counted.get(key, now);
    }

    /// Takes the counts gathered since the last call.
    pub fn take_new(&self) -> NewPageViews {
        std::mem::take(&mut self.gathered().new)
    }

    fn gathered(&self) -> MutexGuard<'_, Gathered> {
        let gathered = self.0.gathered.lock();
        gathered.unwrap_or_else(PoisonError::into_inner)
    }
}
