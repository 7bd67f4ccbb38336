//! `deals restore`.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use jiff::Timestamp;
use serde_json::{Value, json};

use super::{Bar, body, is_same, place, summary};
use crate::accounts::KEY_FILE;
use crate::bucket::{Access, Address};
use crate::cli::options::Database;
use crate::cli::{Usage, complain, say, say_json};
use crate::maintenance::backups::{Backup, BackupPlace, Remote, StoredBackups, file_name};
use crate::store::{
    Restored, check_replaceable, decompressor_of, folder_of, new_beside, replace, replace_by,
    verify_checksum, with_suffix,
};

#[derive(Debug, Args)]
#[command(after_help = "\
Stop the server first. The backup is copied and verified (checksum, pages, counts,
full-text index) before anything is replaced. The previous database is kept under another name,
which is printed. Everybody must sign in again.

Backups do not contain the shop's key, deals.sqlite.key: put its copy beside the
database, or nobody can sign in.

Examples:
  deals restore /backup/deals.sqlite
  deals restore s3://my-bucket/shop                   # the newest one
  deals restore s3://my-bucket/shop --list
  deals backup - | ssh backup.example.com 'deals restore --verify - --save deals.sqlite'")]
pub(in crate::cli) struct RestoreCommand {
    /// The backup, or - for standard input. Or a bucket, like s3://bucket/shop, for the newest in it
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

    /// Only list the backups in a bucket, the newest first
    #[arg(long, conflicts_with_all = ["verify", "save"])]
    list: bool,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

impl RestoreCommand {
    pub(in crate::cli) fn run(self) -> anyhow::Result<()> {
        if let Some(file) = &self.save
            && let BackupPlace::Bucket(address) = place(file)?
        {
            bail!("--save needs a file, and {address} is a bucket.");
        }
        if let BackupPlace::Bucket(address) = place(&self.file)? {
            return self.receive_from(&address);
        }
        if self.list {
            let reason = "--list needs a bucket, like s3://bucket/shop.";
            return Err(Usage(reason.to_owned()).into());
        }
        if self.file == Path::new("-") {
            return self.receive();
        }
        if self.save.is_some() {
            bail!("--save needs a backup on standard input: write - for the backup.");
        }
        self.restore(&self.file, &self.file.display().to_string())
    }

    /// Lists what a bucket has, or restores the newest or the named one.
    fn receive_from(&self, address: &Address) -> anyhow::Result<()> {
        if self.save.is_some() {
            bail!("--save needs a backup on standard input: write - for the backup.");
        }
        let (address, named) = Remote::locate(address);
        let remote = Remote::open(&address, &Access::Variables)?;
        let list = || {
            let StoredBackups { made, skipped } = remote.list()?;
            skipped.into_iter().for_each(complain);
            anyhow::Ok(made)
        };
        if self.list {
            return self.say_list(&list()?);
        }
        let name = match named {
            Some(name) => name,
            None => match list()?.into_iter().next() {
                Some(newest) => file_name(&newest.name).to_owned(),
                None => bail!("there is no backup in {address}. Correct the bucket or the prefix."),
            },
        };
        let db = &self.database.db;
        check_replaceable(db).with_context(|| format!("cannot write {}", db.display()))?;
        let mut received =
            new_beside(db).with_context(|| format!("cannot write beside {}", db.display()))?;
        let shown = remote.address_of(&name).to_string();
        let nothing = || format!("nothing was restored from {shown}");
        remote
            .fetch(&name, folder_of(db), received.as_file_mut())
            .with_context(nothing)?;
        let restored = replace_by(received, &shown, db, self.verify, Timestamp::now());
        self.report(restored.with_context(nothing)?, &shown)
    }

    fn say_list(&self, made: &[Backup]) -> anyhow::Result<()> {
        if self.json {
            let backups: Vec<Value> = made
                .iter()
                .map(|backup| {
                    let at = Timestamp::try_from(backup.at).unwrap_or_default();
                    json!({ "file": backup.name, "at": at.to_string(), "bytes": backup.bytes })
                })
                .collect();
            return say_json(&json!({ "backups": backups }));
        }
        for backup in made {
            say(format_args!("{}  {}", backup.name, backup.age_and_size()));
        }
        if made.is_empty() {
            complain("there is no backup. Correct the bucket or the prefix.");
        }
        Ok(())
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
        self.restore(received.path(), "standard input")?;
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

    fn restore(&self, file: &Path, name: &str) -> anyhow::Result<()> {
        let db = &self.database.db;
        if is_same(file, db) {
            bail!(
                "{} is the database itself: name a backup of it.",
                db.display()
            );
        }
        let bar = Bar::new("copied");
        let copy_beside = self.save.as_ref().unwrap_or(db);
        let restored = replace(
            file,
            copy_beside,
            self.verify,
            Timestamp::now(),
            &mut |done, of| bar.show(done, of),
        )
        .with_context(|| format!("nothing was restored from {name}"))?;
        bar.finish();
        self.report(restored, name)
    }

    fn report(&self, restored: Restored, name: &str) -> anyhow::Result<()> {
        let db = &self.database.db;
        let Restored {
            contents,
            has_checksum,
            replaced: old_file,
        } = restored;
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
                summary(&contents)
            ));
        } else {
            let db = db.display();
            say(format_args!(
                "restored {db} from {name}: {}",
                summary(&contents)
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
