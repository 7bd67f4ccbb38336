//! Machines of which one leads and writes, and the others follow it and take over.
//!
//! An epoch is the time of one leader, an object in a bucket that is created once. The leader acknowledges a
//! write once Litestream has sent it and no newer epoch exists. A follower that takes over begins the next
//! epoch, and then reads the files of the one before to their end: what was acknowledged was sent before the
//! new epoch began, so it is among them. No clock decides that.

use std::fs;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, absolute};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail, ensure};
use jiff::Timestamp;
use rustix::system::uname;

use super::engine::Engine;
use super::source::Source;
use super::{Copy, POLL, Role};
use crate::bucket::{Access, Bucket, PutMode};
use crate::maintenance::backups::BackupPlace;
use crate::store::{
    FOLLOWED, Store, StoreError, find_damage, is_there, new_id, open_lock, with_suffix,
};

/// Objects that say who leads in an epoch, and that it lives.
const EPOCH: &str = "epoch";
const ALIVE: &str = "alive";
/// Suffix of the file that says which epoch this machine began.
const CLAIM: &str = ".cluster";
/// The last word of the sign of a leader that is to be replaced.
const RELEASED: &str = "released";
/// Reasons not to go on, with what to do.
const LOST: &str = "the bucket has lost the objects of the cluster. Put them back.";
const UNFIT: &str =
    "of 8 clients, not one got an answer that it created an object. Use another provider.";
const NOBODY: &str = "no machine took over. Look at the log of one that follows.";

/// A machine of a cluster.
pub struct Cluster {
    bucket: Bucket,
    engine: Engine,
    waits: bool,
    /// The epoch that it leads or follows, and its name in it if it leads.
    epoch: u64,
    name: String,
    is_durable: AtomicBool,
    /// The last sign of life, with its epoch, and for how long it was seen.
    seen: (u64, String, Duration),
}

impl Cluster {
    /// Describes the machine with a database and the socket of Litestream; `waits` is false if a write is
    /// answered before it is in the bucket.
    ///
    /// # Errors
    ///
    /// When the place is no bucket that can be used.
    pub fn open(place: &BackupPlace, socket: &Path, waits: bool, database: &Path) -> Result<Self> {
        let BackupPlace::Bucket(address) = place else {
            bail!("{place} is a folder. Name a bucket with --cluster, like s3://bucket/shop.");
        };
        let (socket, database) = (socket.to_owned(), absolute(database)?);
        Ok(Self {
            bucket: Bucket::open(address, &Access::Variables)?,
            engine: Engine { socket, database },
            waits,
            epoch: 0,
            name: String::new(),
            is_durable: AtomicBool::new(false),
            seen: Default::default(),
        })
    }

    /// Returns the newest epoch, 0 before the first.
    fn newest(&self) -> Result<u64> {
        let objects = self.bucket.list(EPOCH)?;
        let numbers = objects.iter().filter_map(|object| object.name.parse().ok());
        Ok(numbers.max().unwrap_or_default())
    }

    /// Reads who leads in an epoch, or the last sign of life; empty if there is none.
    fn read(&self, kind: &str, epoch: u64) -> Result<String> {
        let found = self.bucket.read_small(&format!("{kind}/{epoch:08}"))?;
        Ok(String::from_utf8_lossy(&found.unwrap_or_default()).into_owned())
    }

    fn give_sign(&self, epoch: u64, word: &str) -> Result<()> {
        let (name, now) = (format!("{ALIVE}/{epoch:08}"), Timestamp::now());
        Ok((self.bucket).write_small(&name, format!("{now} {word}"), PutMode::Overwrite)?)
    }

    fn files(&self, epoch: u64) -> BackupPlace {
        BackupPlace::Bucket(self.bucket.address().join(&format!("ltx/{epoch:08}")))
    }

    /// Returns the files of the newest epoch that has some, at most this one. Before its first file, which is
    /// the whole shop, a leader has acknowledged nothing.
    fn newest_files(&self, epoch: u64) -> Result<BackupPlace> {
        for place in (1..=epoch).rev().map(|epoch| self.files(epoch)) {
            if Source::open(&place)?.look(0)?.0.is_some() {
                return Ok(place);
            }
        }
        bail!("nothing was sent yet. Start Litestream where `deals replica` says that one leads.")
    }

    /// Returns the epoch that this machine began last, and its name in it. A copy of the file, as on another
    /// machine, says nothing.
    fn claim(&self) -> Option<(u64, String)> {
        let file = with_suffix(&self.engine.database, CLAIM);
        let text = fs::read_to_string(&file).ok()?;
        let (epoch, name) = text.lines().next()?.split_once(' ')?;
        let is_own = name.starts_with(&format!("{}-", fs::metadata(file).ok()?.ino()));
        is_own.then_some((epoch.parse().ok()?, name.to_owned()))
    }

    /// Begins an epoch; false if another machine did.
    fn begin(&mut self, epoch: u64) -> Result<bool> {
        self.engine.forget()?;
        let claim = with_suffix(&self.engine.database, CLAIM);
        let file = open_lock(&claim, &self.engine.database)?;
        let host = uname().nodename().to_string_lossy().into_owned();
        let name = format!("{}-{}@{host}", file.metadata()?.ino(), new_id());
        file.write_all_at(format!("{epoch} {name}\n").as_bytes(), 0)?;
        file.sync_all()?;
        let object = format!("{EPOCH}/{epoch:08}");
        let made = (self.bucket).write_small(&object, name.clone(), PutMode::Create);
        // It may have been made although the answer was lost.
        if self.read(EPOCH, epoch)? == name {
            (self.epoch, self.name) = (epoch, name);
            return Ok(true);
        }
        fs::remove_file(claim)?;
        Ok(made.map(|()| false)?)
    }

    /// Checks that one of eight clients that create an object gets an answer that it did.
    fn race(&self) -> Result<()> {
        for _ in 0..20 {
            let name = format!("race/{}", new_id());
            let create = || (self.bucket).write_small(&name, name.clone(), PutMode::Create);
            let made = scope(|all| [(); 8].map(|()| all.spawn(create)).map(|it| it.join().ok()));
            self.bucket.delete(&name)?;
            ensure!(made.iter().flatten().flatten().count() == 1, UNFIT);
        }
        Ok(())
    }

    /// Finds out what this machine does. Completes a take-over that it began, or begins the first epoch.
    ///
    /// # Errors
    ///
    /// When it can do nothing.
    pub fn join(mut self, secret: Option<&str>) -> Result<Role> {
        let database = self.engine.database.clone();
        let (followed, newest) = (with_suffix(&database, FOLLOWED), self.newest());
        let (is_copy, claim) = (followed.exists(), self.claim().unwrap_or_default());
        let has_led = !is_copy && claim.0 > 0;
        if has_led && is_there(&database) && !matches!(newest, Ok(newest) if newest > claim.0) {
            (self.epoch, self.name) = claim;
            // It may send it to another place.
            let _ = self.engine.leave();
            return Ok(self.leading());
        }
        self.epoch = newest?;
        if self.epoch == 0 {
            ensure!(!is_copy && claim.0 == 0, LOST);
            self.race()?;
            ensure!(self.begin(1)?, "another machine leads. Start again.");
            return Ok(self.leading());
        }
        self.name = self.read(EPOCH, self.epoch)?;
        let takes_over = is_copy && claim == (self.epoch, self.name.clone());
        // It may not run.
        let _ = self.engine.forget();
        if has_led {
            tracing::warn!("{} leads now: following it", self.name);
            // The database may have what nobody else has.
            for ending in ["-shm", "-wal", ""] {
                let kept = with_suffix(&database, &format!(".led{ending}"));
                let _ = fs::rename(with_suffix(&database, ending), kept);
            }
        }
        let files = self.newest_files(self.epoch - u64::from(takes_over))?;
        let (lock, store, mut copy) = Copy::open(&files, &database, secret)?;
        if takes_over {
            copy.advance()?;
            find_damage(&database)?;
            fs::remove_file(followed)?;
            return Ok(self.leading());
        }
        let tend = move |_: &_| self.follow(&mut copy);
        Ok((Some((lock, store)), Box::new(tend)))
    }

    /// Says who leads, after another machine does if this one `releases` them.
    ///
    /// # Errors
    ///
    /// When the bucket can't be read, or no machine takes over.
    pub fn state(&self, releases: bool) -> Result<String> {
        let (first, mut signs) = (self.newest()?, 0);
        let mut epoch = first;
        while releases && epoch == first {
            ensure!(signs < 80, NOBODY);
            // The leader may replace it before a follower looks.
            self.give_sign(epoch, RELEASED)?;
            sleep(Duration::from_millis(250));
            (epoch, signs) = (self.newest()?, signs + 1);
        }
        let [name, sign] = [EPOCH, ALIVE].map(|kind| self.read(kind, epoch));
        Ok(format!("{} leads in epoch {epoch}: {}", name?, sign?))
    }

    /// Has everything sent, and then looks whether another machine leads.
    fn secure(&self) -> Result<()> {
        let place = self.files(self.epoch);
        let outcome = self.engine.sync(&place).and_then(|()| {
            let next = self.read(EPOCH, self.epoch + 1)?;
            ensure!(next.is_empty(), "{next} leads now");
            Ok(())
        });
        self.is_durable.store(outcome.is_ok(), Ordering::SeqCst);
        outcome
    }

    /// Returns what a leader does every few seconds, until another machine leads.
    fn leading(self) -> Role {
        let leader = Arc::new(self);
        (None, Box::new(move |store| leader.lead(store)))
    }

    fn lead(self: &Arc<Self>, store: &Store) -> Result<Option<Duration>> {
        let leader = Arc::clone(self);
        store.confirm_by(Arc::new(move |is_committed| leader.confirm(is_committed)));
        if !self.read(EPOCH, self.epoch + 1)?.is_empty() {
            return Ok(None);
        }
        ensure!(self.read(EPOCH, self.epoch)? == self.name, LOST);
        let outcome = self.secure();
        let word = outcome.as_ref().map_or("at risk", |()| "durable");
        self.give_sign(self.epoch, word)?;
        outcome.map(|()| Some(Duration::from_secs(3)))
    }

    /// Brings the copy up to date, looks after the leader, and takes over.
    fn follow(&mut self, copy: &mut Copy) -> Result<Option<Duration>> {
        let start = Instant::now();
        if !self.read(EPOCH, self.epoch + 1)?.is_empty() {
            self.epoch += 1;
        }
        let place = self.files(self.epoch);
        // Before a new leader has sent the whole shop, what the one before still sends is not applied.
        if copy.place != place && self.newest_files(self.epoch)? == place {
            (copy.source, copy.place) = (Source::open(&place)?, place.clone());
            (copy.position, copy.searched) = (0, None);
        }
        if copy.place == place {
            copy.advance()?;
        }
        let sign = self.read(ALIVE, self.epoch)?;
        let is_known = (self.seen.0, &self.seen.1) == (self.epoch, &sign);
        // Without looks that failed: while the bucket is away, a leader can give no sign.
        let silence = (self.seen.2 + POLL + start.elapsed()) * u32::from(is_known);
        // One that takes over first reads and checks everything, without a sign of life.
        let patience = Duration::from_secs(if sign.is_empty() { 60 } else { 10 });
        self.seen = (self.epoch, sign, silence);
        if silence < patience && !self.seen.1.ends_with(RELEASED) {
            return Ok(Some(POLL));
        }
        tracing::warn!("the leader has left, or gives no sign of life: taking over");
        let begun = self.begin(self.epoch + 1);
        if let Err(error) = &begun {
            tracing::warn!("this machine can't take over: {error:#}");
        }
        Ok(Some(POLL).filter(|_| !matches!(begun, Ok(true))))
    }

    fn confirm(&self, is_committed: bool) -> Result<(), StoreError> {
        let outcome = match is_committed {
            _ if !self.waits => Ok(()),
            // Not what another thread found out: that may have begun before the commit.
            true => self.secure(),
            false if self.is_durable.load(Ordering::SeqCst) => Ok(()),
            false => Err(anyhow!("an earlier write")),
        };
        outcome.map_err(|error| StoreError::Unconfirmed(format!("{error:#}")))
    }
}
