//! Machines of which one leads and writes, and the others follow it and take over.
//!
//! An epoch is the time of one leader, an object in a bucket that is created once. The leader acknowledges a
//! write once Litestream has sent it and no newer epoch exists. A follower that takes over begins the next
//! epoch, and then reads the files of the one before to their end: what was acknowledged was sent before the
//! new epoch began, so it is among them. No clock decides that.

use std::fs;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf, absolute};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};
use jiff::Timestamp;
use rustix::system::uname;

use super::engine::Engine;
use super::source::Source;
use super::{Copy, write_position};
use crate::bucket::{Access, Bucket};
use crate::maintenance::backups::BackupPlace;
use crate::store::{
    Confirm, FOLLOWED, ServerLock, Store, StoreError, find_damage, is_there, new_id, open_lock,
    with_suffix,
};

/// Time without a sign of life after which a follower takes over.
const SILENCE: Duration = Duration::from_secs(10);
/// How often a leader asks others to take over, four times a second.
const TIMES: u32 = 80;
/// Objects that say who leads in an epoch, and that it lives.
const EPOCH: &str = "epoch";
const ALIVE: &str = "alive";
/// Suffix of the file that says which epoch this machine began.
const CLAIM: &str = ".cluster";
/// In place of a followed place: the database is of a machine that led.
pub(super) const LED: &str = "led";
/// The last word of the sign of a leader that is to be replaced.
const RELEASED: &str = "released";
/// Clients that race for objects, and the number of objects.
const CLIENTS: usize = 8;
const OBJECTS: usize = 20;

/// A machine of a cluster.
pub struct Cluster {
    bucket: Bucket,
    socket: PathBuf,
    database: PathBuf,
    waits: bool,
}

/// Role of a machine of a cluster.
pub enum Role {
    /// It has the shop, and writes.
    Leads(Arc<dyn Confirm>),
    /// It has a copy.
    Follows(Box<(ServerLock, Store, Copy)>),
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
        Ok(Self {
            bucket: Bucket::open(address, &Access::Variables)?,
            socket: socket.to_owned(),
            database: absolute(database)?,
            waits,
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

    fn write(&self, kind: &str, epoch: u64, text: String) -> Result<bool> {
        let name = format!("{kind}/{epoch:08}");
        Ok(self.bucket.write_small(&name, text, kind == EPOCH)?)
    }

    fn give_sign(&self, epoch: u64, word: &str) -> Result<bool> {
        self.write(ALIVE, epoch, format!("{} {word}", Timestamp::now()))
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

    fn engine(&self, epoch: u64) -> Result<Engine> {
        Engine::new(&self.socket, &self.database, &self.files(epoch).to_string())
    }

    /// Returns the epoch that this machine began last, and the name that it has there. A file from another
    /// machine, or of another cluster, says nothing.
    fn claim(&self) -> Option<(u64, String)> {
        let file = with_suffix(&self.database, CLAIM);
        let text = fs::read_to_string(&file).ok()?;
        let (rest, holder) = text.lines().next()?.rsplit_once(' ')?;
        let (place, epoch) = rest.rsplit_once(' ')?;
        let own = format!("{}-", fs::metadata(&file).ok()?.ino());
        let is_own = place == self.bucket.address().to_string() && holder.starts_with(&own);
        Some((epoch.parse().ok()?, holder.to_owned())).filter(|_| is_own)
    }

    /// Begins an epoch; false if another machine did.
    fn begin(&self, epoch: u64) -> Result<bool> {
        let name = with_suffix(&self.database, CLAIM);
        let file = open_lock(&name, &self.database)?;
        let host = uname().nodename().to_string_lossy().into_owned();
        let holder = format!("{}-{}@{host}", file.metadata()?.ino(), new_id());
        let text = format!("{} {epoch} {holder}\n", self.bucket.address());
        file.write_all_at(text.as_bytes(), 0)?;
        file.sync_all()?;
        let made = self.write(EPOCH, epoch, holder.clone());
        // It may have been made although the answer was lost.
        let is_own = self.read(EPOCH, epoch)? == holder;
        if !is_own {
            fs::remove_file(name)?;
            made?;
        }
        Ok(is_own)
    }

    /// Checks that one of several clients that create an object is told that it did.
    fn race(&self) -> Result<()> {
        for _ in 0..OBJECTS {
            let name = format!("race/{}", new_id());
            let create = || self.bucket.write_small(&name, name.clone(), true);
            let outcomes = scope(|scope| {
                let clients = [(); CLIENTS].map(|()| scope.spawn(create));
                clients.map(|client| client.join().unwrap_or(Ok(false)))
            });
            self.bucket.delete(&name)?;
            let winners = outcomes.iter().filter(|it| matches!(it, Ok(true))).count();
            let error = outcomes.into_iter().find_map(Result::err);
            let place = self.bucket.address();
            ensure!(
                winners == 1,
                "{place} let {winners} of {CLIENTS} clients create the same object, so it can't decide who leads. \
                 Use another provider. {error:?}"
            );
        }
        Ok(())
    }

    /// Finds out what this machine does. Completes a take-over that it began, or begins the first epoch.
    ///
    /// # Errors
    ///
    /// When it can do nothing.
    pub fn join(self, secret: Option<&str>) -> Result<Role> {
        let (database, followed) = (&self.database, with_suffix(&self.database, FOLLOWED));
        let (is_copy, engine) = (followed.exists(), self.engine(0)?);
        if let Some((epoch, holder)) = self.claim().filter(|_| !is_copy && is_there(database)) {
            return self.lead(epoch, holder);
        }
        if self.newest()? == 0 {
            let is_known = self.claim().is_some() || is_copy;
            ensure!(
                !is_known,
                "the bucket has lost the objects of the cluster. Put them back."
            );
            engine.check()?;
            self.race()?;
            engine.start_anew()?;
            self.begin(1)?;
        }
        let newest = self.newest()?;
        let holder = self.read(EPOCH, newest)?;
        if self.claim() == Some((newest, holder.clone())) {
            if is_copy {
                let files = self.newest_files(newest - 1)?;
                let (lock, store, mut copy) = Copy::open(&files, database, secret)?;
                copy.advance()?;
                find_damage(database)?;
                drop((copy, store, lock));
                engine.start_anew()?;
                fs::remove_file(followed)?;
            }
            let is_lost = !is_there(database) && self.newest_files(newest).is_ok();
            ensure!(
                !is_lost,
                "the database is gone. Delete the file {CLAIM} too, to follow."
            );
            return self.lead(newest, holder);
        }
        engine.forget();
        let (lock, store, mut copy) = Copy::open(&self.newest_files(newest)?, database, secret)?;
        copy.standby = Some(Standby {
            cluster: self,
            epoch: newest,
            seen: None,
        });
        Ok(Role::Follows(Box::new((lock, store, copy))))
    }

    fn lead(self, epoch: u64, holder: String) -> Result<Role> {
        Ok(Role::Leads(Arc::new(Leader {
            engine: self.engine(epoch)?,
            cluster: self,
            epoch,
            holder,
            // Until it is looked at, before the server answers.
            is_durable: AtomicBool::new(true),
            is_deposed: AtomicBool::new(false),
        })))
    }

    /// Says who leads.
    ///
    /// # Errors
    ///
    /// When the bucket can't be read.
    pub fn state(&self) -> Result<String> {
        let epoch = self.newest()?;
        let [holder, sign] = [EPOCH, ALIVE].map(|kind| self.read(kind, epoch));
        Ok(format!("{} leads in epoch {epoch}: {}", holder?, sign?))
    }

    /// Has another machine lead.
    ///
    /// # Errors
    ///
    /// When none does.
    pub fn release(&self) -> Result<()> {
        let epoch = self.newest()?;
        for _ in 0..TIMES {
            // The leader may replace it before a follower looks.
            self.give_sign(epoch, RELEASED)?;
            sleep(Duration::from_millis(250));
            if self.newest()? > epoch {
                return Ok(());
            }
        }
        bail!("no machine took over. Look at the log of one that follows.")
    }
}

/// The machine that writes.
struct Leader {
    cluster: Cluster,
    engine: Engine,
    epoch: u64,
    holder: String,
    is_durable: AtomicBool,
    is_deposed: AtomicBool,
}

impl Leader {
    /// Has everything sent, and then looks whether this machine still leads.
    fn secure(&self) -> Result<()> {
        let outcome = self.engine.sync().and_then(|()| self.look(self.epoch + 1));
        self.is_durable.store(outcome.is_ok(), Ordering::SeqCst);
        outcome
    }

    fn look(&self, epoch: u64) -> Result<()> {
        let holder = self.cluster.read(EPOCH, epoch)?;
        let is_own = holder.is_empty() || holder == self.holder;
        self.is_deposed.fetch_or(!is_own, Ordering::SeqCst);
        ensure!(is_own, "{holder} leads now");
        Ok(())
    }
}

impl Confirm for Leader {
    fn is_durable(&self) -> bool {
        self.is_durable.load(Ordering::SeqCst)
    }

    fn admit(&self) -> Result<(), StoreError> {
        let is_held = self.cluster.waits && !self.is_durable();
        match is_held || self.is_deposed.load(Ordering::SeqCst) {
            true => Err(StoreError::Unconfirmed),
            false => Ok(()),
        }
    }

    fn confirm(&self) -> Result<(), StoreError> {
        if !self.cluster.waits {
            return self.admit();
        }
        // Not what another thread found out: that may have begun before the commit.
        self.secure().map_err(|error| {
            tracing::warn!("writes are refused: {error:#}");
            StoreError::Unconfirmed
        })
    }

    fn tend(&self) -> Result<bool> {
        let outcome = self.secure().and_then(|()| self.look(self.epoch));
        if self.is_deposed.load(Ordering::SeqCst) {
            write_position(&self.cluster.database, LED, 0)?;
            return Ok(false);
        }
        let word = outcome.as_ref().map_or("at risk", |()| "durable");
        self.cluster.give_sign(self.epoch, word)?;
        outcome.map(|()| true)
    }
}

/// Looks after the leader, and takes over.
pub(super) struct Standby {
    cluster: Cluster,
    epoch: u64,
    /// The last sign of life, and when it was first seen.
    seen: Option<(String, Instant)>,
}

impl Copy {
    /// Looks after the leader, in a cluster. Returns true if this machine is to lead.
    ///
    /// # Errors
    ///
    /// When the leader can't be looked after, or this machine can't take over.
    pub fn watch(&mut self) -> Result<bool> {
        let Some(standby) = &mut self.standby else {
            return Ok(false);
        };
        let mut seen = standby.seen.take();
        let cluster = &standby.cluster;
        while !cluster.read(EPOCH, standby.epoch + 1)?.is_empty() {
            standby.epoch += 1;
            seen = None;
        }
        let files = cluster.files(standby.epoch);
        self.is_waiting = self.place != files.to_string();
        let newest = || cluster.newest_files(standby.epoch);
        if self.is_waiting && newest()?.to_string() == files.to_string() {
            (self.source, self.place) = (Source::open(&files)?, files.to_string());
            (self.position, self.searched, self.is_waiting) = (0, None, false);
        }
        let sign = cluster.read(ALIVE, standby.epoch)?;
        let is_released = sign.ends_with(RELEASED);
        let since = seen.filter(|(seen, _)| *seen == sign).map(|it| it.1);
        let since = since.unwrap_or_else(Instant::now);
        // One that takes over first reads and checks everything.
        let patience = SILENCE * if sign.is_empty() { 6 } else { 1 };
        standby.seen = Some((sign, since));
        if since.elapsed() < patience && !is_released {
            return Ok(false);
        }
        let is_complete = self.searched.is_some() || self.is_waiting;
        ensure!(is_complete, "this copy is not complete");
        self.writer.check()?;
        cluster.engine(standby.epoch)?.check()?;
        tracing::warn!("the leader has left, or gives no sign of life: taking over");
        cluster.begin(standby.epoch + 1)
    }
}
