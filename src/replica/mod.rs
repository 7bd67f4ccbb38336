//! A copy that follows another shop, its leader, by the files that Litestream writes beside the leader.
//!
//! `source` finds the next file in a bucket or a folder, and `ltx` reads its pages. They are written into the
//! copy in one transaction, so that readers and caches see what they see of any commit.

mod cluster;
mod engine;
mod ltx;
mod source;

use std::fs;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use crate::accounts::Secrets;
use crate::maintenance::backups::BackupPlace;
use crate::store::{
    FOLLOWED, OpenError, PageWriter, ServerLock, Store, find_damage, is_there, open_lock,
    with_suffix,
};
use source::{LtxFile, Source};

pub use cluster::Cluster;

/// Time between two searches for other files than the next one, should that be missing.
const SEARCH: Duration = Duration::from_secs(30);
/// Time between two looks for the next file.
pub const POLL: Duration = Duration::from_millis(500);

/// Does what a machine does again and again; returns the time until then, or `None` if the server is to start anew.
pub type Tend = Box<dyn FnMut(&Store) -> Result<Option<Duration>> + Send>;
/// The copy of a machine that follows, and what a machine does.
pub type Role = (Option<(ServerLock, Store)>, Tend);

/// A copy that follows its leader.
pub struct Copy {
    path: PathBuf,
    place: BackupPlace,
    secret: Option<String>,
    source: Source,
    writer: PageWriter,
    /// The last transaction in it.
    position: u64,
    /// When it was seen that no file is missing; `None` after an error.
    searched: Option<Instant>,
}

/// Returns the place that a copy follows, and the last transaction in it; `None` for another database.
pub fn position_of(database: &Path) -> Option<(String, u64)> {
    let text = fs::read_to_string(with_suffix(database, FOLLOWED)).ok()?;
    let (place, position) = text.lines().next()?.rsplit_once(' ')?;
    Some((place.to_owned(), position.parse().ok()?))
}

impl Copy {
    /// Opens the copy at `path` of the shop whose files are at `place`. Makes one if there is none, or if it
    /// is damaged.
    ///
    /// # Errors
    ///
    /// When another database is at `path`, or no copy can be made.
    pub fn open(
        place: &BackupPlace,
        path: &Path,
        secret: Option<&str>,
    ) -> Result<(ServerLock, Store, Self)> {
        let lock = ServerLock::acquire(path)?;
        ensure!(
            !is_there(path) || with_suffix(path, FOLLOWED).exists(),
            "{} is a shop of its own, which a copy would replace. Choose another file with --db.",
            path.display()
        );
        let source = Source::open(place)?;
        let is_sound = || !matches!(find_damage(path), Err(OpenError::Damaged { .. }));
        let known = position_of(path).filter(|(from, at)| {
            *from == place.to_string() && *at > 0 && is_there(path) && is_sound()
        });
        let position = known.map_or(0, |(_, position)| position);
        if position == 0 {
            write_position(path, place, 0)?;
            for ending in ["", "-wal", "-shm"] {
                let _ = fs::remove_file(with_suffix(path, ending));
            }
        }
        let mut copy = Self {
            path: path.to_owned(),
            place: place.clone(),
            secret: secret.map(ToOwned::to_owned),
            source,
            writer: PageWriter::open(path)?,
            position,
            searched: None,
        };
        if position == 0 {
            copy.advance()?;
            find_damage(path)?;
        }
        tracing::info!(place = %copy.place, position = copy.position, "following");
        let store = Store::follow(&mut copy.writer)?;
        Ok((lock, store, copy))
    }

    /// Applies every file that there is.
    ///
    /// # Errors
    ///
    /// When one can't be read or applied, or when this program can't serve the copy then.
    pub fn advance(&mut self) -> Result<()> {
        let searched = self.searched.take();
        let is_due = searched.is_none_or(|at| at.elapsed() > SEARCH);
        // After an error, another file may have what could not be read from the next one.
        let mut is_by_name = searched.is_some();
        let mut wanted = None;
        loop {
            let position = self.position;
            let next = position.saturating_add(1);
            if is_by_name && self.apply(LtxFile::new(0, next, next))? {
                continue;
            }
            if !is_due {
                self.searched = searched;
                break;
            }
            // A leader that writes all the time has more whenever somebody looks.
            if wanted.is_some_and(|newest| newest <= position) {
                self.searched = Some(Instant::now());
                break;
            }
            let (found, newest) = self.source.look(position)?;
            if let Some(file) = found {
                wanted = Some(newest);
                // Files of many transactions are read one after the other, while there are some.
                is_by_name = file.last <= next;
                self.apply(file)?;
                continue;
            }
            ensure!(
                newest > 0,
                "{} has no files of Litestream. Start Litestream beside the leader, or correct the address.",
                self.place
            );
            ensure!(
                newest == position,
                "the files end at transaction {newest}, and this copy is at {position}. Start Litestream \
                 beside the leader; if it began anew, stop this server and delete its database."
            );
            self.searched = Some(Instant::now());
            break;
        }
        self.writer.settle();
        let key = Some(self.writer.check()?);
        Secrets::find(self.secret.as_deref(), &self.path, key)?;
        Ok(())
    }

    /// Applies a file; false if it is not there.
    fn apply(&mut self, file: LtxFile) -> Result<bool> {
        let Some(opened) = self.source.read(file)? else {
            return Ok(false);
        };
        let range = (file.first, file.last);
        let read = |write: &mut ltx::Write<'_>| ltx::read(opened, range, write);
        self.writer.apply(read).with_context(|| file.name())?;
        self.position = file.last;
        write_position(&self.path, &self.place, file.last)?;
        Ok(true)
    }
}

fn write_position(database: &Path, place: &BackupPlace, position: u64) -> io::Result<()> {
    let file = open_lock(&with_suffix(database, FOLLOWED), database)?;
    file.write_all_at(format!("{place} {position}\n").as_bytes(), 0)
}
