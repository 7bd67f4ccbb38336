//! Bounds on visitors' reports that a deal is over: anybody can send one.

use std::sync::{Mutex, PoisonError};

use super::Request;
use super::codes::{Codes, number_of};
use super::visitors::{HOUR, MAX_ADDRESSES};
use super::windows::Windows;

/// Maximum reports per hour from one address, and from all.
const MAX_OF_ADDRESS: u32 = 20;
const MAX_OF_ALL: u32 = 1_000;
/// Time for which a report of the same address does not count again.
const DAY: i64 = 24 * HOUR;
/// Maximum number of remembered reports; the oldest are dropped.
const MAX_REPORTS: usize = MAX_OF_ALL as usize * 24;

/// Reports of the last day.
#[derive(Default)]
pub struct OverReports {
    codes: Codes,
    reports: Mutex<RecentOverReports>,
}

struct RecentOverReports {
    /// By address and product.
    sent: Windows<bool>,
    addresses: Windows<u32>,
    all: Windows<u32>,
}

impl Default for RecentOverReports {
    fn default() -> Self {
        Self {
            sent: Windows::new(DAY, MAX_REPORTS),
            addresses: Windows::new(HOUR, MAX_ADDRESSES),
            all: Windows::new(HOUR, 1),
        }
    }
}

impl OverReports {
    /// Returns true if a visitor's report of the request's product counts: once in a day, within the
    /// bounds of the hour.
    pub fn is_first_report(&self, request: &Request<'_>) -> bool {
        // The address alone: a client chooses the other headers.
        let Some(visitor) = request.visitor(&self.codes) else {
            return false;
        };
        let now = request.now.as_millisecond();
        let mut reports = self.reports.lock().unwrap_or_else(PoisonError::into_inner);
        let key = number_of(&[&visitor.address.to_be_bytes(), request.product.as_bytes()]);
        if reports.sent.find(key, now).is_some() {
            return false;
        }
        let (of_address, of_all) = (
            *reports.addresses.get(visitor.address, now),
            *reports.all.get(0, now),
        );
        if of_address >= MAX_OF_ADDRESS || of_all >= MAX_OF_ALL {
            return false;
        }
        *reports.addresses.get(visitor.address, now) += 1;
        *reports.all.get(0, now) += 1;
        *reports.sent.get(key, now) = true;
        true
    }
}
