//! Visitors' reports of pictures that failed to load, in memory until several agree: anybody can send
//! one.

use std::sync::{Mutex, PoisonError};

use super::Request;
use super::codes::{Codes, number_of};
use super::visitors::{HOUR, MAX_ADDRESSES};
use super::windows::Windows;

/// Number of addresses that must agree.
const MUST_AGREE: usize = 3;
/// Maximum reports per hour from one address.
const MAX_OF_ADDRESS: u32 = 20;
/// Maximum number of pictures with reports, and the time for which they are remembered.
const MAX_PICTURES: usize = 10_000;
const DAY: i64 = 24 * HOUR;

/// Result of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Report {
    /// The address has sent too many in the hour.
    Ignored,
    /// Others must agree.
    Noted,
    /// Several addresses agree.
    Agreed,
}

/// Reports of the last day.
#[derive(Default)]
pub struct PictureReports {
    codes: Codes,
    reports: Mutex<RecentPictureReports>,
}

struct RecentPictureReports {
    /// Codes of the addresses that reported a picture.
    pictures: Windows<Vec<u64>>,
    addresses: Windows<u32>,
}

impl Default for RecentPictureReports {
    fn default() -> Self {
        Self {
            pictures: Windows::new(DAY, MAX_PICTURES),
            addresses: Windows::new(HOUR, MAX_ADDRESSES),
        }
    }
}

impl PictureReports {
    /// Adds a visitor's report of a picture that the request's product has.
    pub fn add(&self, request: &Request<'_>, image: &str) -> Report {
        // The address alone: a client chooses the other headers.
        let Some(visitor) = request.visitor(&self.codes) else {
            return Report::Ignored;
        };
        let now = request.now.as_millisecond();
        let mut reports = self.reports.lock().unwrap_or_else(PoisonError::into_inner);
        let sent = reports.addresses.get(visitor.address, now);
        if *sent >= MAX_OF_ADDRESS {
            return Report::Ignored;
        }
        *sent += 1;
        let picture = number_of(&[request.product.as_bytes(), image.as_bytes()]);
        let reporters = reports.pictures.get(picture, now);
        if !reporters.contains(&visitor.address) && reporters.len() < MUST_AGREE {
            reporters.push(visitor.address);
        }
        if reporters.len() < MUST_AGREE {
            return Report::Noted;
        }
        Report::Agreed
    }
}
