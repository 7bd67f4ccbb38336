//! `deals backup` and `deals restore`.

mod restore;

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use super::options::{self, Database, number};
use super::{Usage, complain, counted, say, say_json};
use crate::bucket::{Access, Address};
use crate::maintenance::backups::{BackupPlace, Remote, rotate, with_copy};
use crate::maintenance::disk::readable;
use crate::store::{Contents, back_up, check_replaceable, with_suffix};
use crate::telemetry::is_drawn_to;

pub(super) use restore::RestoreCommand;

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
  deals backup s3://my-bucket/shop --keep 30          # compressed
  deals backup --test s3://my-bucket/shop             # is the key right?

The key of a bucket is in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, its region in AWS_REGION, and
AWS_ENDPOINT_URL names Cloudflare, Tigris, MinIO and others: see docs/scaling.md.

All copies leave the file there as it is when anything fails.")]
pub(super) struct BackupCommand {
    /// The file to write, or - for standard output; an existing file is replaced. Or a bucket, like
    /// s3://bucket/shop, which gets another backup
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    database: Database,

    /// The number of backups to keep: FILE is the newest, FILE.1 the one before, and so on
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=65_535))]
    keep: Option<u16>,

    /// Only write, read back and delete a small object in the bucket
    #[arg(long, conflicts_with = "keep")]
    test: bool,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

impl BackupCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let db = &self.database.db;
        if let BackupPlace::Bucket(address) = place(&self.file)? {
            return self.upload(&address);
        }
        if self.test {
            let reason = "--test needs a bucket, like s3://bucket/shop.";
            return Err(Usage(reason.to_owned()).into());
        }
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
            summary(&contents)
        ));
        Ok(())
    }

    fn upload(&self, address: &Address) -> anyhow::Result<()> {
        let db = &self.database.db;
        let remote = Remote::open(address, &Access::Variables)?;
        if self.test {
            remote.test()?;
            if self.json {
                return say_json(&json!({ "bucket": address.to_string(), "ok": true }));
            }
            say(format_args!(
                "{address} can be used: a small object was written, read and deleted"
            ));
            return Ok(());
        }
        let bar = Bar::new("copied");
        let (backup, contents) = remote.make(db, &mut |done, of| bar.show(done, of))?;
        bar.finish();
        if let Some(keep) = self.keep {
            remote.discard_old(&remote.list()?.made, keep.into())?;
        }
        if self.json {
            let mut body = body(Path::new(&backup.name), &contents);
            body["compressed"] = backup.bytes.into();
            return say_json(&body);
        }
        say(format_args!(
            "backed up {} to {}: {}, {} compressed",
            db.display(),
            backup.name,
            summary(&contents),
            readable(backup.bytes)
        ));
        Ok(())
    }
}

/// Returns where a file, folder or bucket is.
fn place(file: &Path) -> anyhow::Result<BackupPlace> {
    match file.to_str() {
        Some(text) => options::place(text)
            .map_err(|reason| Usage(format!("{text:?} can't be used: {reason}.")).into()),
        None => Ok(BackupPlace::Folder(file.to_owned())),
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
    let bar = Bar::new("copied");
    let (mut copy, contents) = with_copy(db, &mut |done, of| bar.show(done, of))?;
    bar.finish();
    io::copy(&mut copy, &mut io::stdout().lock()).context("cannot write to standard output")?;
    complain(format_args!(
        "backed up {}: {}",
        db.display(),
        summary(&contents)
    ));
    Ok(())
}

fn copied(db: &Path, file: &Path) -> anyhow::Result<Contents> {
    let bar = Bar::new("copied");
    let contents = back_up(db, file, &mut |done, of| bar.show(done, of))?;
    bar.finish();
    Ok(contents)
}

fn summary(contents: &Contents) -> String {
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

/// A progress bar on a terminal, otherwise nothing.
struct Bar(Option<ProgressBar>);

impl Bar {
    fn new(verb: &'static str) -> Self {
        if !is_drawn_to() {
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
