//! The command line: one file per subcommand. Only this module prints.

mod accounts;
mod backup;
mod check;
mod export;
mod greeting;
mod healthcheck;
mod import;
mod links;
mod mail;
mod options;
mod reindex;
mod replica;
mod senders;
mod serve;
mod settings;
mod setup;

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::error::{ContextKind, ContextValue};
use clap::{Parser, Subcommand};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::json;

use options::environment;

use crate::accounts::KeyError;
use crate::catalog::json::write_json;
use crate::domain::add_link_rules;
use crate::domain::{counted, disarmed, rfc3339};
use crate::mail::MailConfigError;
use crate::store::Store;
use crate::telemetry;

/// A site for affiliate product deals: the server, its database and its tools in
/// one program.
#[derive(Debug, Parser)]
#[command(name = "deals", version = VERSION, about, disable_help_subcommand = true)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,

    /// A file of variables, one NAME=VALUE in each line [default: /etc/deals.env, if readable]
    #[arg(long, global = true, value_name = "FILE")]
    env_file: Option<PathBuf>,

    /// A file of shops and networks whose links are read, like the program's own in
    /// assets/link-rules.json, and before it
    #[arg(long, global = true, env = "DEALS_LINK_RULES", value_name = "FILE")]
    link_rules: Option<PathBuf>,
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
    /// Show or change the shop's name, logo, colour, contact and pages
    Settings(settings::SettingsCommand),
    /// Set a seller's affiliate tag, clean links, find products with the same link
    Links(links::LinksCommand),
    /// Back up the database to a file while the server runs
    Backup(backup::BackupCommand),
    /// Replace the database with a verified backup
    Restore(backup::RestoreCommand),
    /// Send a test mail
    Mail(mail::MailCommand),
    /// Check the shop for problems, and say how to fix them
    Check(check::CheckCommand),
    /// Exit with 0 if the server on this machine is ready, else with 1
    Healthcheck(healthcheck::HealthcheckCommand),
    /// Print a new link that makes the first administrator in a browser
    SetupLink(accounts::setup_link::SetupLinkCommand),
    /// Say which machine leads, or have another one lead
    Replica(replica::ReplicaCommand),
    /// Rebuild the full-text index
    Reindex(reindex::ReindexCommand),
    /// Print a systemd unit for the server
    Systemd(setup::SystemdCommand),
    /// Print shell completions
    Completions(setup::CompletionsCommand),
    /// Print the manual page, or write one for each command
    Man(setup::ManCommand),
    /// Add, list, promote, demote and remove accounts
    User(accounts::user::UserCommand),
    /// Manage the API keys of programs
    Key(accounts::key::KeyCommand),
}

/// Runs the command line. Returns exit status 0 for success, 1 for failure, 2 for wrong usage.
pub fn run() -> ExitCode {
    JSON_LINES.store(wants_json(), Ordering::Relaxed);
    if let Err(problem) = environment::load() {
        complain(format_args!("deals: {problem}"));
        return ExitCode::from(WRONG_USAGE);
    }
    let Cli {
        command,
        link_rules,
        ..
    } = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => {
            if JSON_LINES.load(Ordering::Relaxed) {
                complain(error.render().to_string().trim_end());
            } else {
                let _ = error.print();
            }
            if let Some(replacement) = replacement(&error) {
                complain(replacement);
            }
            return ExitCode::from(WRONG_USAGE);
        }
        Err(help) => {
            note_failure(help.print());
            return ended(Ok(()));
        }
    };
    if let Some(file) = link_rules {
        let added = std::fs::read_to_string(&file).map_err(|error| error.to_string());
        if let Err(problem) = added.and_then(|json| add_link_rules(&json)) {
            complain(format_args!(
                "deals: the link rules in {} cannot be used: {problem}. Write them as in \
                 assets/link-rules.json of the source.",
                file.display()
            ));
            return ExitCode::from(WRONG_USAGE);
        }
    }
    let serves = matches!(command, Command::Serve(_));
    if !serves && !matches!(command, Command::Check(_)) {
        for warning in environment::unknown() {
            complain(format_args!("deals: {warning}"));
        }
    }
    let outcome = match command {
        Command::Serve(serve) => serve.run(),
        Command::Import(import) => import.run(),
        Command::Export(export) => export.run(),
        Command::Settings(settings) => settings.run(),
        Command::Links(links) => links.run(),
        Command::Backup(backup) => backup.run(),
        Command::Restore(restore) => restore.run(),
        Command::Mail(mail) => mail.run(),
        Command::Check(check) => check.run(),
        Command::Healthcheck(healthcheck) => healthcheck.run(),
        Command::SetupLink(setup_link) => setup_link.run(),
        Command::Replica(replica) => replica.run(),
        Command::Reindex(reindex) => reindex.run(),
        Command::Systemd(systemd) => systemd.run(),
        Command::Completions(completions) => completions.run(),
        Command::Man(man) => man.run(),
        Command::User(user) => user.run(),
        Command::Key(key) => key.run(),
    };
    let code = if serves && outcome.is_ok() {
        ExitCode::SUCCESS
    } else {
        ended(outcome)
    };
    telemetry::flush();
    code
}

/// Returns where to find what a removed command did.
fn replacement(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    let screen = match name.as_str() {
        "log" => "Activity",
        "prices" => "the deal's form",
        "report" => "Reports",
        "source" => "Sellers",
        "webhook" => "Webhooks",
        _ => return None,
    };
    Some(format!(
        "`deals {name}` was removed. Use {screen} of the office, or the API (docs/api.md)."
    ))
}

/// Says why a command failed; its output may have failed too.
fn ended(outcome: anyhow::Result<()>) -> ExitCode {
    note_failure(io::stdout().flush());
    let unwritten = OUTPUT_FAILURE.get().map_or(Ok(()), |reason| {
        Err(anyhow::anyhow!("cannot write to standard output: {reason}"))
    });
    let Err(error) = outcome.and(unwritten) else {
        return ExitCode::SUCCESS;
    };
    complain(format_args!("deals: {error:#}"));
    if is_usage(&error) {
        ExitCode::from(WRONG_USAGE)
    } else {
        ExitCode::FAILURE
    }
}

/// Why standard output could not be written.
static OUTPUT_FAILURE: OnceLock<String> = OnceLock::new();

/// Remembers that standard output failed. A closed pipe, as in `deals … | head -1`, is no failure:
/// the work has been done.
fn note_failure(written: io::Result<()>) {
    if let Err(error) = written
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        let _ = OUTPUT_FAILURE.set(error.to_string());
    }
}

/// Exit status for wrong usage, like that of clap.
const WRONG_USAGE: u8 = 2;

/// A wrong value of an argument, an option or a variable, as a sentence.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Usage(String);

fn is_usage(error: &anyhow::Error) -> bool {
    error.is::<Usage>()
        || error.is::<MailConfigError>()
        || matches!(error.downcast_ref(), Some(KeyError::Short(_)))
}

/// Opens an existing database: most commands must not create an empty one.
fn open_existing(path: &Path) -> anyhow::Result<Store> {
    must_exist(path)?;
    Ok(Store::open(path)?)
}

/// Opens a database, and says so if it did not exist.
fn open_or_create(path: &Path) -> anyhow::Result<Store> {
    let is_new = !path.exists();
    let store = Store::open(path)?;
    if is_new {
        say(created(path));
    }
    Ok(store)
}

fn created(path: &Path) -> String {
    let here = if path.parent() == Some(Path::new("")) {
        "./"
    } else {
        ""
    };
    format!("created {here}{}, a new shop", path.display())
}

fn must_exist(path: &Path) -> anyhow::Result<()> {
    if path.exists() {
        return Ok(());
    }
    let closed = if environment::is_closed() {
        " This user can't read the settings in /etc/deals.env."
    } else {
        ""
    };
    anyhow::bail!(
        "there is no database {}. Choose it with --db.{closed}",
        path.display()
    )
}

/// Actor in the activity log.
const OWNER: &str = "command line";

/// True with `--log-format json`: every line is a JSON object.
static JSON_LINES: AtomicBool = AtomicBool::new(false);

/// Reads `--log-format` before the command line is parsed, because errors of parsing are lines
/// too. The variable is for the server, whose settings other commands share.
fn wants_json() -> bool {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let format = match environment::option("--log-format", &arguments) {
        None if arguments.iter().any(|argument| argument == "serve") => {
            std::env::var_os("DEALS_LOG_FORMAT")
        }
        format => format,
    };
    format.is_some_and(|format| format == "json")
}

/// Prints a line of the result.
fn say(line: impl Display) {
    note_failure(print(&mut io::stdout(), "INFO", line));
}

/// Prints a line to standard error.
fn complain(line: impl Display) {
    let _ = print(&mut telemetry::error_output(), "ERROR", line);
}

/// Prints a result as it is, for programs and files.
fn write_out(bytes: &[u8]) {
    note_failure(io::stdout().write_all(bytes));
}

/// Prints a text as it is, but to a terminal without characters that act on it.
fn write_text(text: &str) {
    if io::stdout().is_terminal() {
        write_out(disarmed(text).as_bytes());
    } else {
        write_out(text.as_bytes());
    }
}

/// Prints a result for programs.
fn say_json(value: &impl Serialize) -> anyhow::Result<()> {
    let mut line = Vec::new();
    write_json(&mut line, value)?;
    line.push(b'\n');
    write_out(&line);
    Ok(())
}

/// Prints text without characters that act on a terminal: it may be a seller's.
fn print(output: &mut dyn Write, level: &str, text: impl Display) -> io::Result<()> {
    let text = text.to_string();
    let mut line = Vec::new();
    if JSON_LINES.load(Ordering::Relaxed) {
        let timestamp = rfc3339(Timestamp::now());
        let value = json!({ "timestamp": timestamp, "level": level, "message": text });
        write_json(&mut line, &value)?;
    } else {
        line.extend(disarmed(&text).bytes());
    }
    line.push(b'\n');
    output.write_all(&line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clap_definition_of_the_command_line_is_valid() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }
}
