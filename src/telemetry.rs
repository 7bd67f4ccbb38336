//! Logging.

use std::io::IsTerminal;

use tracing::Level;
use tracing_subscriber::EnvFilter;

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
    let wanted = std::env::var("DEALS_LOG").unwrap_or_default();
    let filter = match wanted.trim() {
        "" | "info" => EnvFilter::new("info,actix_server=warn"),
        // A single word that is no level would be taken for the name of a module,
        // and nothing at all would be logged.
        word if !word.contains(['=', ',']) && word.parse::<Level>().is_err() => {
            return Err(format!(
                "DEALS_LOG is {word:?}: write error, warn, info, debug or trace"
            ));
        }
        directives => EnvFilter::try_new(directives)
            .map_err(|error| format!("DEALS_LOG is {directives:?}: {error}"))?,
    };
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        // What can't be written, because nobody reads the log any more, must not
        // stop the thread that logs.
        .log_internal_errors(false)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal() && format == LogFormat::Text)
        .with_target(false);
    match format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().flatten_event(true).init(),
    }
    log_panics();
    Ok(())
}

/// A panic is a line of the log like any other, whichever thread it ends.
fn log_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string);
        let thread = std::thread::current();
        tracing::error!(
            reason = panic.payload_as_str().unwrap_or("unknown"),
            place,
            thread = thread.name(),
            "panicked: this is a fault of the program"
        );
    }));
}
