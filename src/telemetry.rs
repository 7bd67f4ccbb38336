//! Logging. A thread of its own writes the log, so that a reader who stops reading (a log driver, a
//! terminal after Ctrl-S) blocks no other thread.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use tracing::Level;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};

/// Format of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// For people
    Text,
    /// One JSON object for each line, for programs
    Json,
}

/// Sends the log to standard error. `DEALS_LOG` sets a level (`error`, `warn`, `info`, `debug`,
/// `trace`; default `info`) or directives such as `warn,deals=debug`.
///
/// # Errors
///
/// Error in `DEALS_LOG`, as a sentence.
pub fn init(format: LogFormat) -> Result<(), String> {
    let wanted = std::env::var_os("DEALS_LOG").unwrap_or_default();
    let mut wanted = wanted.to_string_lossy().into_owned();
    wanted.retain(|each| !each.is_whitespace());
    let filter = match wanted.as_str() {
        "" | "info" => Targets::new()
            .with_default(Level::INFO)
            .with_target("actix_server", Level::WARN)
            // Repetitions of requests, which end well or in a sentence.
            .with_target("object_store", Level::WARN),
        // A word that is no level would be taken for a module's name, and nothing would be logged.
        word if !word.contains(['=', ',']) && word.parse::<Level>().is_err() => {
            return Err(format!(
                "DEALS_LOG is {word:?}: write error, warn, info, debug or trace"
            ));
        }
        spans if spans.contains('[') => {
            return Err(format!(
                "DEALS_LOG is {spans:?}: write modules and levels, like warn,deals=debug"
            ));
        }
        directives => directives
            .parse::<Targets>()
            .map_err(|error| format!("DEALS_LOG is {directives:?}: {error}"))?,
    };
    start_writing().map_err(|error| format!("cannot start the thread of the log: {error}"))?;
    let log = fmt::layer()
        // A closed standard error must not stop the thread that logs.
        .log_internal_errors(false)
        .with_writer(error_output)
        .with_ansi(is_drawn_to() && has_colours() && format == LogFormat::Text)
        .with_target(false);
    let log = match format {
        LogFormat::Text => log.boxed(),
        LogFormat::Json => log.json().flatten_event(true).boxed(),
    };
    tracing_subscriber::registry()
        .with(log.with_filter(filter))
        .init();
    log_panics();
    Ok(())
}

/// True if standard error is a terminal on which lines can be drawn anew.
pub fn is_drawn_to() -> bool {
    io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|name| name != "dumb")
}

/// False with `NO_COLOR` (no-color.org).
fn has_colours() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Maximum size of the lines that wait to be written, in bytes.
const WAITING: usize = 1 << 20;
/// Longest wait at the end for a reader that takes nothing.
const FLUSH: Duration = Duration::from_secs(1);

/// The log of a server.
static QUEUE: OnceLock<Queue> = OnceLock::new();

struct Queue {
    lines: Mutex<Sender<Vec<u8>>>,
    /// Size of the lines that wait, in bytes.
    waiting: AtomicUsize,
    /// Lines that found no room since the last one was written.
    dropped: AtomicU64,
}

/// Starts the thread that writes the log.
fn start_writing() -> io::Result<()> {
    let (sender, lines) = channel();
    let queue = QUEUE.get_or_init(|| Queue {
        lines: Mutex::new(sender),
        waiting: AtomicUsize::new(0),
        dropped: AtomicU64::new(0),
    });
    let writer = std::thread::Builder::new().name("log".to_owned());
    writer.spawn(move || write(queue, &lines))?;
    Ok(())
}

fn write(queue: &Queue, lines: &Receiver<Vec<u8>>) {
    for line in lines {
        // A closed or full output must not stop the server.
        let _ = io::stderr().write_all(&line);
        queue.waiting.fetch_sub(line.len(), Ordering::AcqRel);
        let dropped = queue.dropped.swap(0, Ordering::AcqRel);
        if dropped > 0 {
            tracing::warn!(
                dropped,
                "lines of the log were dropped, because nobody read it"
            );
        }
    }
}

/// Returns standard error; in a server the queue of the log, which drops lines rather than wait.
pub fn error_output() -> Box<dyn Write> {
    match QUEUE.get() {
        Some(queue) => Box::new(queue),
        None => Box::new(io::stderr()),
    }
}

impl Write for &Queue {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let waiting = self.waiting.fetch_add(line.len(), Ordering::AcqRel);
        let lines = self.lines.lock();
        let sent = waiting + line.len() <= WAITING
            && lines.is_ok_and(|lines| lines.send(line.to_vec()).is_ok());
        if !sent {
            self.waiting.fetch_sub(line.len(), Ordering::AcqRel);
            self.dropped.fetch_add(1, Ordering::AcqRel);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Waits until the log is written, or its reader takes nothing for a second.
pub fn flush() {
    let Some(queue) = QUEUE.get() else { return };
    let (mut before, mut since) = (usize::MAX, Instant::now());
    loop {
        let waiting = queue.waiting.load(Ordering::Acquire);
        if waiting == 0 || since.elapsed() > FLUSH {
            return;
        }
        if waiting != before {
            (before, since) = (waiting, Instant::now());
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Logs panics.
fn log_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let location = panic.location().map(ToString::to_string);
        let thread = std::thread::current();
        tracing::error!(
            reason = panic.payload_as_str().unwrap_or("unknown"),
            location,
            thread = thread.name(),
            "panicked: this is a fault of the program"
        );
    }));
}
