//! Logging.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

/// Sends the log to standard error, so that standard output stays for results.
/// `DEALS_LOG` chooses what is logged (`warn`, `debug`, `deals=trace`, …); `info`
/// without it.
pub fn init() {
    let filter = EnvFilter::try_from_env("DEALS_LOG")
        .unwrap_or_else(|_| EnvFilter::new("info,actix_server=warn"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false)
        .init();
}
