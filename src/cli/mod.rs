//! The command line: one file per subcommand. Only this module prints.

mod backup;
mod check;
mod export;
mod import;
mod options;
mod past;
mod reindex;
mod reset_key;
mod serve;
mod settings;
mod setup;
mod source;
mod user;

use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::domain::counted;
use crate::store::Store;

/// A site for affiliate product deals: the server, its database and its tools in
/// one program.
#[derive(Debug, Parser)]
#[command(name = "deals", version = VERSION, about, disable_help_subcommand = true)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// Version and commit.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("DEALS_COMMIT"), ")");

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the site and its API
    Serve(serve::Serve),
    /// Add and update products from a JSON file
    Import(import::ImportCommand),
    /// Export every product to a file that import reads
    Export(export::ExportCommand),
    /// Show or change the shop's name, mark, colour, contact and pages
    Settings(settings::SettingsCommand),
    /// Show or change what may be shown of each seller's products
    Source(source::SourceCommand),
    /// Report clicks by day, product, seller and more
    Report(past::report::ReportCommand),
    /// Print a product's former prices and what they prove
    Prices(past::prices::PricesCommand),
    /// Show the activity log: who added, changed, deleted or imported what
    Log(past::log::LogCommand),
    /// Back up the database to a file while the server runs
    Backup(backup::BackupCommand),
    /// Replace the database with a verified backup
    Restore(backup::RestoreCommand),
    /// Check the shop for problems, and say how to fix them
    Check(check::CheckCommand),
    /// Rebuild the full-text index
    Reindex(reindex::ReindexCommand),
    /// Print a systemd unit for the server
    Systemd(setup::SystemdCommand),
    /// Print shell completions
    Completions(setup::CompletionsCommand),
    /// Print the manual page, or write one for each command
    Man(setup::ManCommand),
    /// Add, list, promote, demote and remove accounts
    User(user::UserCommand),
}

/// Runs the command line. Returns exit status 0 for success, 1 for failure, 2 for wrong usage.
pub fn run() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Serve(serve) => serve.run(),
        Command::Import(import) => import.run(),
        Command::Export(export) => export.run(),
        Command::Settings(settings) => settings.run(),
        Command::Source(source) => source.run(),
        Command::Report(report) => report.run(),
        Command::Prices(prices) => prices.run(),
        Command::Log(log) => log.run(),
        Command::Backup(backup) => backup.run(),
        Command::Restore(restore) => restore.run(),
        Command::Check(check) => check.run(),
        Command::Reindex(reindex) => reindex.run(),
        Command::Systemd(systemd) => systemd.run(),
        Command::Completions(completions) => completions.run(),
        Command::Man(man) => man.run(),
        Command::User(user) => user.run(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(format_args!("deals: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

/// Opens an existing database: most commands must not create an empty one.
fn open_existing(path: &Path) -> anyhow::Result<Store> {
    must_exist(path)?;
    Ok(Store::open(path)?)
}

fn must_exist(path: &Path) -> anyhow::Result<()> {
    if path.exists() {
        return Ok(());
    }
    anyhow::bail!(
        "there is no database {}. Choose it with --db.",
        path.display()
    )
}

/// Actor in the activity log.
const OWNER: &str = "command line";

/// Prints a line of the result. A closed pipe, as in `deals … | head -1`, is no failure: the work
/// has been done.
fn say(line: impl Display) {
    let _ = writeln!(io::stdout(), "{line}");
}

/// Prints a line to standard error.
fn complain(line: impl Display) {
    let _ = writeln!(io::stderr(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }
}
