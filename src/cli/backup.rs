//! `deals backup` and `deals restore`.

use std::fs::File;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::options::Database;
use super::{Usage, complain, counted, say, say_json};
use crate::accounts::KEY_FILE;
use crate::maintenance::backups::rotate;
use crate::maintenance::disk::readable;
use crate::store::{
    Contents, Restored, back_up, check_replaceable, decompressor_of, folder_of, is_read_only,
    new_beside, replace, verify_checksum, with_suffix,
};

#[derive(Debug, Args)]
#[command(after_help = "\
The backup is a snapshot of the database, verified before it replaces an older one.
The server may run meanwhile. Backups do not contain the shop's key, so that a stolen
one does not help to guess passwords: keep a copy of deals.sqlite.key elsewhere.

Each backup carries a SHA-256 of its content, which `deals restore` and `deals check` verify.

Examples:
  deals backup /backup/deals.sqlite --keep 7
  deals backup /backup/deals.sqlite && rsync /backup/deals.sqlite backup.example.com:
  deals backup - | ssh backup.example.com 'deals restore --verify - --save deals.sqlite'

Both copies leave the file there as it is when anything fails.")]
pub(super) struct BackupCommand {
    /// The file to write, or - for standard output; an existing file is replaced
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    database: Database,

    /// The number of backups to keep: FILE is the newest, FILE.1 the one before, and so on
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    keep: Option<u16>,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

impl BackupCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let db = &self.database.db;
        if self.file == Path::new("-") {
            if self.keep.is_some() {
                let reason = "--keep needs a file: it does not work with standard output.";
                return Err(Usage(reason.to_owned()).into());
            }
            return to_standard_output(db);
        }
        if self.file.is_dir() {
            bail!("{} is a folder: name a file in it.", self.file.display());
        }
        if is_same(&self.file, db) {
            bail!(
                "{} is the database itself: choose another file for the backup.",
                db.display()
            );
        }
        check_replaceable(&self.file)
            .with_context(|| format!("cannot write {}", self.file.display()))?;
        let contents = match self.keep {
            None => copied(db, &self.file)?,
            Some(keep) => {
                // The older backups are rotated once the new one is complete.
                let new = with_suffix(&self.file, ".new");
                let contents = copied(db, &new)?;
                rotate(&self.file, keep.into())
                    .and_then(|()| std::fs::rename(&new, &self.file))
                    .with_context(|| format!("the backup is complete as {}", new.display()))?;
                contents
            }
        };
        if self.json {
            return say_json(&body(&self.file, &contents));
        }
        say(format_args!(
            "backed up {} to {}: {}",
            db.display(),
            self.file.display(),
            described(&contents)
        ));
        Ok(())
    }
}

fn is_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

fn to_standard_output(db: &Path) -> anyhow::Result<()> {
    if io::stdout().is_terminal() {
        bail!("will not write a database to a terminal: name a file, or pipe the output.");
    }
    // Beside the database, which has room for it, unless its disk is read-only.
    let temporary = std::env::temp_dir();
    let beside = if is_read_only(db) {
        &temporary
    } else {
        folder_of(db)
    };
    remove_leftovers(beside);
    let folder = tempfile::Builder::new()
        .prefix(TEMPORARY)
        .tempdir_in(beside)
        .with_context(|| format!("cannot create a temporary folder in {}", beside.display()))?;
    let file = folder.path().join("backup.sqlite");
    let contents = copied(db, &file)?;
    let mut copy = File::open(&file)?;
    // Unlinked while open, so that nothing is left if the reader ends this process.
    folder.close()?;
    io::copy(&mut copy, &mut io::stdout().lock()).context("cannot write to standard output")?;
    complain(format_args!(
        "backed up {}: {}",
        db.display(),
        described(&contents)
    ));
    Ok(())
}

/// Prefix of temporary folders for backups to standard output.
const TEMPORARY: &str = ".deals-backup-";
/// Age at which such a folder is a leftover of a killed process.
const LEFTOVER_AGE: Duration = Duration::from_secs(24 * 3_600);

/// Removes leftovers of killed processes; failures do not matter.
fn remove_leftovers(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let modified = entry.metadata().and_then(|entry| entry.modified());
        let age = modified.map(|time| time.elapsed().unwrap_or_default());
        if name.to_string_lossy().starts_with(TEMPORARY) && age.is_ok_and(|age| age > LEFTOVER_AGE)
        {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

fn copied(db: &Path, file: &Path) -> anyhow::Result<Contents> {
    let bar = Bar::new("copied");
    let contents = back_up(db, file, &mut |done, of| bar.show(done, of))?;
    bar.finish();
    Ok(contents)
}

fn described(contents: &Contents) -> String {
    format!(
        "{}, {}, {}, verified",
        counted(contents.products, "product"),
        counted(contents.accounts, "account"),
        readable(contents.bytes)
    )
}

fn body(file: &Path, contents: &Contents) -> Value {
    json!({
        "file": file.display().to_string(),
        "products": contents.products,
        "accounts": contents.accounts,
        "bytes": contents.bytes,
    })
}

#[derive(Debug, Args)]
#[command(after_help = "\
Stop the server first. The backup is copied and verified (checksum, pages, counts,
full-text index) before anything is replaced. The previous database is kept under another name,
which is printed. Everybody must sign in again.

Backups do not contain the shop's key, deals.sqlite.key: put its copy beside the
database, or nobody can sign in.

Examples:
  deals restore /backup/deals.sqlite
  deals backup - | ssh backup.example.com 'deals restore --verify - --save deals.sqlite'")]
pub(super) struct RestoreCommand {
    /// The backup, or - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    database: Database,

    /// Only verify the backup; nothing is replaced
    #[arg(long)]
    verify: bool,

    /// With --verify -, the file to save a verified backup as; an existing one is replaced then
    #[arg(long, value_name = "FILE", requires = "verify")]
    save: Option<PathBuf>,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

impl RestoreCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        if self.file == Path::new("-") {
            return self.receive();
        }
        if self.save.is_some() {
            bail!("--save needs a backup on standard input: write - for the backup.");
        }
        self.restore(&self.file)
    }

    /// Receives the backup in a file of its own, which is renamed only after it was verified.
    fn receive(&self) -> anyhow::Result<()> {
        let target = self.save.as_ref().unwrap_or(&self.database.db);
        check_replaceable(target).with_context(|| format!("cannot write {}", target.display()))?;
        let mut received = new_beside(target)
            .with_context(|| format!("cannot write beside {}", target.display()))?;
        io::copy(&mut io::stdin().lock(), received.as_file_mut())
            .context("cannot receive the backup")?;
        let has_checksum = verify_checksum(received.path());
        if !has_checksum.context("nothing was restored from standard input")? {
            if let Some(program) = decompressor_of(received.path()) {
                bail!(
                    "nothing was restored: standard input is compressed. \
                     Pipe it through `{program}` first."
                );
            }
            bail!(
                "nothing was restored: standard input ended without a backup's checksum. \
                 The program that sends it may have failed: look at its messages, and send it again."
            );
        }
        self.restore(received.path())?;
        if let Some(file) = &self.save {
            received.as_file().sync_all()?;
            received
                .persist(file)
                .with_context(|| format!("cannot write {}", file.display()))?;
            File::open(folder_of(file))?.sync_all()?;
            if !self.json {
                say(format_args!("saved as {}", file.display()));
            }
        }
        Ok(())
    }

    fn restore(&self, file: &Path) -> anyhow::Result<()> {
        let db = &self.database.db;
        if is_same(file, db) {
            bail!(
                "{} is the database itself: name a backup of it.",
                db.display()
            );
        }
        let name = match self.file.to_str() {
            Some("-") => "standard input".to_owned(),
            _ => file.display().to_string(),
        };
        let bar = Bar::new("copied");
        let copy_beside = self.save.as_ref().unwrap_or(db);
        let Restored {
            contents,
            has_checksum,
            replaced: old_file,
        } = replace(
            file,
            copy_beside,
            self.verify,
            Timestamp::now(),
            &mut |done, of| bar.show(done, of),
        )
        .with_context(|| format!("nothing was restored from {name}"))?;
        bar.finish();
        if !has_checksum {
            complain(format_args!(
                "note: {name} carries no checksum, as older backups and replaced databases do not: \
                 its structure was verified, not every value"
            ));
        }
        if self.json {
            let mut body = body(&self.file, &contents);
            body["previous"] = old_file.map(|file| file.display().to_string()).into();
            say_json(&body)?;
        } else if self.verify {
            say(format_args!(
                "{name} can be restored: {}",
                described(&contents)
            ));
        } else {
            let db = db.display();
            say(format_args!(
                "restored {db} from {name}: {}",
                described(&contents)
            ));
            if let Some(old_file) = old_file {
                let old_file = old_file.display();
                say(format_args!("the previous database is kept as {old_file}"));
            }
        }
        if self.verify {
            return Ok(());
        }
        let key = with_suffix(db, KEY_FILE);
        if contents.accounts > 0 && !key.exists() {
            complain(format_args!(
                "{} is missing: restore its copy, or set DEALS_SECRET, before you start the server.",
                key.display()
            ));
        }
        Ok(())
    }
}

/// A progress bar on a terminal, otherwise nothing.
struct Bar(Option<ProgressBar>);

impl Bar {
    fn new(verb: &'static str) -> Self {
        if !io::stderr().is_terminal() {
            return Self(None);
        }
        let bar = ProgressBar::new(0);
        let template = "{bar:40} {percent:>3} %  {bytes} {msg}  {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(verb);
        Self(Some(bar))
    }

    fn show(&self, done: u64, of: u64) {
        if let Some(bar) = &self.0 {
            bar.set_length(of);
            bar.set_position(done);
            if done == of {
                bar.set_message("copied, verifying");
            }
        }
    }

    fn finish(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
