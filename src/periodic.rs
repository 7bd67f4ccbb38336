//! Work that is done again and again beside the server.

use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

/// A thread that does some work every so often, until this is dropped, which waits for it: it may
/// have the database open, which must be closed before the program ends.
pub struct Periodic {
    stop: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// Whether the work goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// After the same time again.
    Again,
    /// Never again.
    Never,
}

impl Periodic {
    /// Does `work` every so often, and `last` once when it is dropped.
    ///
    /// # Errors
    ///
    /// When the system gives no thread.
    pub fn start(
        name: &str,
        every: Duration,
        mut work: impl FnMut() -> Next + Send + 'static,
        last: impl FnOnce() + Send + 'static,
    ) -> std::io::Result<Self> {
        let (stop, stopped) = sync_channel(0);
        let thread = Builder::new().name(name.to_owned()).spawn(move || {
            while let Err(RecvTimeoutError::Timeout) = stopped.recv_timeout(every) {
                if work() == Next::Never {
                    return;
                }
            }
            last();
        })?;
        Ok(Self {
            stop: Some(stop),
            thread: Some(thread),
        })
    }
}

impl Drop for Periodic {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
