//! The command line: one file for each subcommand. The only room that prints.

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

/// The release and the commit it was built from.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("DEALS_COMMIT"), ")");

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the site and its API
    Serve(serve::Serve),
    /// Add and update products from a JSON file
    Import(import::ImportCommand),
    /// Write every product as a file that import reads
    Export(export::ExportCommand),
    /// Show and change the shop's name, mark, colour, contact and pages
    Settings(settings::SettingsCommand),
    /// Show and choose what may be shown of each seller's products
    Source(source::SourceCommand),
    /// Report clicks, told apart by day, product, seller and more
    Report(past::report::ReportCommand),
    /// Print what a product cost before, and what that tells of its price
    Prices(past::prices::PricesCommand),
    /// Show who added, changed, deleted and imported what, and when
    Log(past::log::LogCommand),
    /// Copy the database to a file while the server runs
    Backup(backup::BackupCommand),
    /// Put a verified backup in the place of the database
    Restore(backup::RestoreCommand),
    /// Look for what is wrong with the shop, and say what to do
    Check(check::CheckCommand),
    /// Make the full-text index again
    Reindex(reindex::ReindexCommand),
    /// Print the unit by which systemd runs the server
    Systemd(setup::SystemdCommand),
    /// Print completions of this command line for a shell
    Completions(setup::CompletionsCommand),
    /// Print the manual page, or write one for each command
    Man(setup::ManCommand),
    /// Add, list, promote, demote and remove accounts
    User(user::UserCommand),
}

/// Runs the command line: exit status 0 for success, 1 when the work failed,
/// 2 for wrong usage.
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

/// Opens a database that must be there already: a command that only reads or changes
/// what it holds makes no empty one.
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

/// Who does what is done here, in the activity log.
const OWNER: &str = "command line";

/// Prints a line of the result. Whoever reads it may have gone, as in
/// `deals … | head -1`: the work was done all the same, so that is no failure.
fn say(line: impl Display) {
    let _ = writeln!(io::stdout(), "{line}");
}

/// Prints a line about the work to standard error.
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
