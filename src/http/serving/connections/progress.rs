//! Progress of a connection's request: the stream under HTTP and the middleware above it share it,
//! so that no more is read than is wanted. actix alone would read 128 kB ahead, and take any number
//! of requests from it.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use memchr::{memchr, memchr_iter};

use super::budget::Account;

/// Maximum bytes of a head: request line and header fields.
const MAX_HEAD: usize = 16 * 1_024;
/// Maximum bytes that are read at once, and bytes of a body that wait for its handler.
pub(super) const PIECE: usize = 2 * 1_024;
/// Bytes that a body in chunks may add: where it ends is unknown, and requests may follow in the
/// same piece.
const CHUNKED: usize = 64 * 1_024;

#[derive(Clone, Copy)]
enum Phase {
    /// Before the next head.
    Idle,
    Head,
    /// In a body, of which this much has not been read; `None` in chunks.
    Body(Option<u64>),
    /// The request has arrived, and its answer is not finished.
    Answer,
    /// Was answered before its body had arrived; the rest is read and dropped.
    Discard,
}

/// The next step of reading.
pub(super) enum ReadStep {
    /// Gives this many bytes to HTTP.
    Take(usize),
    /// Lets HTTP process the bytes received so far.
    Pause,
    /// Waits until the request is further.
    Wait,
    /// The head is too long; true if that is the address.
    TooLong(bool),
}

pub(crate) struct ConnectionProgress {
    account: Arc<Account>,
    phase: Cell<Phase>,
    /// Bytes of the request in memory.
    buffered: Cell<usize>,
    /// Bytes of its body that no handler has taken.
    untaken: Cell<usize>,
    has_line: Cell<bool>,
    pauses: Cell<bool>,
    waits: Cell<bool>,
    has_closed: Cell<bool>,
}

impl ConnectionProgress {
    pub(super) fn new(account: Arc<Account>) -> Rc<Self> {
        Rc::new(Self {
            account,
            phase: Cell::new(Phase::Idle),
            buffered: Cell::new(0),
            untaken: Cell::new(0),
            has_line: Cell::new(false),
            pauses: Cell::new(false),
            waits: Cell::new(false),
            has_closed: Cell::new(false),
        })
    }

    /// Decides what to do with bytes that were read. The bytes of one head are given at a time.
    pub(super) fn next(&self, ahead: &[u8]) -> ReadStep {
        if self.pauses.take() {
            return ReadStep::Pause;
        }
        let bytes = match self.phase.get() {
            Phase::Idle | Phase::Head => {
                let left = MAX_HEAD - self.buffered.get();
                if left == 0 {
                    return ReadStep::TooLong(!self.has_line.get());
                }
                let end = memchr_iter(b'\n', ahead).find_map(|at| match &ahead[at + 1..] {
                    [b'\n', ..] => Some(at + 2),
                    [b'\r', b'\n', ..] => Some(at + 3),
                    _ => None,
                });
                let bytes = end.unwrap_or(ahead.len()).min(left);
                self.pauses.set(end.is_some() || bytes == left);
                self.has_line
                    .set(self.has_line.get() || memchr(b'\n', &ahead[..bytes]).is_some());
                self.phase.set(Phase::Head);
                bytes
            }
            Phase::Body(left) if self.untaken.get() < PIECE => {
                let bytes = left.map_or(ahead.len(), |left| {
                    ahead.len().min(usize::try_from(left).unwrap_or(usize::MAX))
                });
                let left = left.map(|left| left - bytes as u64);
                self.untaken.set(self.untaken.get() + bytes);
                self.phase.set(match left {
                    Some(0) => Phase::Answer,
                    left => Phase::Body(left),
                });
                bytes
            }
            Phase::Discard => {
                self.pauses.set(true);
                return ReadStep::Take(ahead.len());
            }
            Phase::Body(_) | Phase::Answer => {
                self.waits.set(true);
                return ReadStep::Wait;
            }
        };
        self.buffered.set(self.buffered.get() + bytes);
        ReadStep::Take(bytes)
    }

    /// Records that the client sends no more.
    pub(super) fn close(&self) {
        self.has_closed.set(true);
    }

    /// True once the client has closed its side. One that only half-closes still reads its answer.
    pub(crate) fn has_closed(&self) -> bool {
        self.has_closed.get()
    }

    /// Bytes of a request that has begun and not arrived.
    pub(super) fn unfinished(&self) -> Option<usize> {
        match self.phase.get() {
            Phase::Idle | Phase::Answer => None,
            Phase::Head | Phase::Body(Some(_)) => Some(self.buffered.get()),
            Phase::Body(None) => Some(self.buffered.get() + CHUNKED),
            Phase::Discard => Some(0),
        }
    }

    pub(super) fn is_idle(&self) -> bool {
        matches!(self.phase.get(), Phase::Idle)
    }

    /// Begins a request whose head has arrived. `body` is the length of its body, `None` in chunks.
    pub(super) fn begin(&self, body: Option<u64>) {
        self.pauses.set(false);
        self.untaken.set(0);
        self.phase.set(match body {
            Some(0) => Phase::Answer,
            body => Phase::Body(body),
        });
    }

    /// Reads on when a handler has taken this much of the body.
    pub(super) fn taken(&self, bytes: usize) {
        self.untaken.set(self.untaken.get().saturating_sub(bytes));
        self.read_on();
    }

    /// Ends the body.
    pub(super) fn arrived(&self) {
        if let Phase::Body(_) = self.phase.get() {
            self.phase.set(Phase::Answer);
        }
    }

    /// Excludes the bytes received so far from the connection's memory.
    pub(super) fn forget(&self) {
        self.buffered.set(0);
    }

    /// Ends a request with its answer.
    pub(super) fn end(&self, has_arrived: bool) {
        self.buffered.set(0);
        self.has_line.set(false);
        self.phase.set(if has_arrived {
            Phase::Idle
        } else {
            Phase::Discard
        });
        self.read_on();
    }

    fn read_on(&self) {
        if self.waits.take() {
            self.account.wake();
        }
    }
}
