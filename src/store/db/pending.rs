//! A write that is queued and not committed yet.

use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::sync::oneshot;

use crate::store::StoreError;

/// The result of a queued write: await it, or [`wait`](Self::wait) on a thread that may block.
#[must_use = "the write is acknowledged only through its answer"]
pub struct Pending<T>(oneshot::Receiver<Result<T, StoreError>>);

impl<T> Pending<T> {
    /// Returns the sender of the result, and its receiver.
    pub(super) fn new() -> (oneshot::Sender<Result<T, StoreError>>, Self) {
        let (sender, receiver) = oneshot::channel();
        (sender, Self(receiver))
    }

    /// A write that was not queued.
    pub(super) fn failed(error: StoreError) -> Self {
        let (sender, pending) = Self::new();
        drop(sender.send(Err(error)));
        pending
    }

    /// Blocks until the write was committed or failed.
    ///
    /// # Errors
    ///
    /// The job's error, or why it could not be committed.
    pub fn wait(self) -> Result<T, StoreError> {
        self.0.blocking_recv().unwrap_or_else(|_| Err(lost()))
    }
}

impl<T> Future for Pending<T> {
    type Output = Result<T, StoreError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.0)
            .poll(context)
            .map(|answer| answer.unwrap_or_else(|_| Err(lost())))
    }
}

/// The writer thread ended without a result.
pub(super) fn lost() -> StoreError {
    StoreError::Other("the writer gave no answer".to_owned())
}
