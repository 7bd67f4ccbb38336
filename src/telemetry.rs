//! Logging.

use std::io::IsTerminal;

use tracing::Level;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};

/// How lines of the log are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// For people
    Text,
    /// One JSON object for each line, for programs
    Json,
}

/// Sends the log to standard error, so that standard output stays for results.
/// `DEALS_LOG` chooses what is logged: a level (`error`, `warn`, `info`, `debug`,
/// `trace`) or a list of directives like `warn,deals=debug`; `info` without it.
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
            .with_target("actix_server", Level::WARN),
        // A single word that is no level would be taken for the name of a module,
        // and nothing at all would be logged.
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
        // What can't be written, because nobody reads the log any more, must not
        // stop the thread that logs.
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

/// A panic is a line of the log like any other, whichever thread it ends.
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
