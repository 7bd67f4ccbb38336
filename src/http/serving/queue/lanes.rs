//! The lanes of the server and their limits.

use std::time::Duration;

use super::lane::{Lane, Threads};
use super::waiting::Limits;
use crate::http::rendering;

/// Fair queues, one for each kind of work.
pub(crate) struct Lanes {
    /// Pages, lists and feeds of visitors.
    pub(crate) pages: Lane,
    /// Whatever hashes a password.
    pub(crate) sign_ins: Lane,
    /// Files that are read and previews of many changes, in the office and by API keys.
    pub(crate) files: Lane,
    /// Pictures that are uploaded.
    pub(crate) pictures: Lane,
}

impl Lanes {
    pub(crate) fn start() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            // One thread more than cores, because one may wait for the disk.
            pages: Lane::start(
                &Threads {
                    name: "pages",
                    count: cores + 1,
                    is_background: false,
                    begin: rendering::warm_up,
                },
                Limits {
                    waiting: 1_024,
                    waiting_of_one: usize::MAX,
                    running_of_one: usize::MAX,
                    wait: Duration::from_secs(2),
                    newest_first: false,
                },
            ),
            // A hash takes a quarter of a second of a core. Half of the cores keeps lists quick
            // while many sign in.
            sign_ins: Lane::start(
                &Threads {
                    name: "sign-ins",
                    count: (cores / 2).max(1),
                    is_background: false,
                    begin: || (),
                },
                Limits {
                    waiting: 64,
                    waiting_of_one: 2,
                    running_of_one: usize::MAX,
                    wait: Duration::from_secs(10),
                    newest_first: true,
                },
            ),
            // Two, so that a long import leaves one to others.
            files: Lane::start(
                &Threads {
                    name: "files",
                    count: 2,
                    is_background: true,
                    begin: || (),
                },
                Limits {
                    waiting: 64,
                    waiting_of_one: 2,
                    running_of_one: 1,
                    wait: Duration::from_secs(60),
                    newest_first: false,
                },
            ),
            // One, for its memory. The files that wait are on the disk.
            pictures: Lane::start(
                &Threads {
                    name: "pictures",
                    count: 1,
                    is_background: false,
                    begin: || (),
                },
                Limits {
                    waiting: 64,
                    waiting_of_one: 20,
                    running_of_one: 1,
                    wait: Duration::from_secs(60),
                    newest_first: false,
                },
            ),
        }
    }
}
