//! Parses the command line and sets the exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    deals::cli::run()
}
