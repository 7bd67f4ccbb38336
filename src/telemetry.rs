//! Logging.

use std::io::IsTerminal;

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
/// A sentence that says what is wrong with `DEALS_LOG`.
pub fn init(format: LogFormat) -> Result<(), String> {
    let mut wanted = std::env::var("DEALS_LOG").unwrap_or_default();
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
    let log = fmt::layer()
        // A closed standard error must not stop the thread that logs.
        .log_internal_errors(false)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal() && format == LogFormat::Text)
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
