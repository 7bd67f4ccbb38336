//! The shop's own pictures, which products name by their paths.

use std::collections::HashSet;

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, params};

use super::Store;
use super::db::error::{Result, StoreError};
use super::db::pending::Pending;
use super::db::rows::{column, run, scalar};
use crate::domain::{NewPicture, PictureFile, PictureName};

/// Maximum size of all pictures in bytes.
const MOST_BYTES: i64 = 1 << 30;
/// Time for which an unused picture is kept.
const LIFETIME: SignedDuration = SignedDuration::from_hours(7 * 24);
/// Time after which the use of a picture is noted again.
const NOTED: SignedDuration = SignedDuration::from_hours(24);

/// Number and size of the pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PictureCount {
    /// Number of pictures.
    pub pictures: u64,
    /// Size of their files in bytes.
    pub bytes: u64,
}

impl Store {
    /// Adds a picture, or notes that it is needed if it is there.
    ///
    /// Fails with [`StoreError::Pictures`] if the shop has too many.
    pub fn add_picture(&self, picture: NewPicture, now: Timestamp) -> Pending<PictureName> {
        self.write(move |connection| {
            add(connection, &picture, now)?;
            Ok(picture.name)
        })
    }

    /// Returns the smallest WebP file of a picture that has at least this side; if a size is given, only
    /// if it is the picture's.
    pub fn picture_file(&self, file: &PictureFile) -> Result<Vec<u8>> {
        self.read(|connection| {
            let (width, height) = file.size.unzip();
            let sql = "SELECT webp FROM picture_files JOIN pictures USING (hash) \
                       WHERE hash = ?1 AND side >= ?2 \
                       AND width = coalesce(?3, width) AND height = coalesce(?4, height) \
                       ORDER BY side LIMIT 1";
            let values = params![file.hash, file.side, width, height];
            Ok(scalar(connection, sql, values)?)
        })
    }

    /// Calls `each` with every picture.
    pub fn for_each_picture<E: From<StoreError>>(
        &self,
        mut each: impl FnMut(NewPicture) -> Result<(), E>,
    ) -> Result<(), E> {
        for name in self.picture_names()? {
            let files = self.read(|connection| {
                let sql = "SELECT side, webp FROM picture_files WHERE hash = ? ORDER BY side DESC";
                let mut statement = connection.prepare_cached(sql)?;
                let rows =
                    statement.query_map([&name.hash], |row| Ok((row.get(0)?, row.get(1)?)))?;
                Ok(rows.collect::<rusqlite::Result<Vec<_>>>()?)
            })?;
            // One may have been swept meanwhile.
            if !files.is_empty() {
                each(NewPicture { name, files })?;
            }
        }
        Ok(())
    }

    /// Returns the names of all pictures.
    pub fn picture_names(&self) -> Result<Vec<PictureName>> {
        self.read(|connection| {
            let sql = "SELECT hash, width, height FROM pictures ORDER BY hash";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map([], |row| {
                let hash: String = row.get(0)?;
                Ok(PictureName::new(&hash, row.get(1)?, row.get(2)?))
            })?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Counts the pictures.
    pub fn count_pictures(&self) -> Result<PictureCount> {
        self.read(|connection| {
            let sql = "SELECT count(*), coalesce(sum(bytes), 0) FROM pictures";
            let mut statement = connection.prepare_cached(sql)?;
            Ok(statement.query_row([], |row| {
                Ok(PictureCount {
                    pictures: row.get(0)?,
                    bytes: row.get(1)?,
                })
            })?)
        })
    }

    /// Notes which pictures products and the home page have, and deletes those that none has had for a week. A product that
    /// is saved meanwhile keeps its pictures, because saving notes their use.
    pub fn sweep_pictures(&self, now: Timestamp) -> Result<usize> {
        let stale: Vec<String> = self.read(|connection| {
            let sql = "SELECT hash FROM pictures WHERE used_at < ?";
            Ok(column(connection, sql, [before(now, NOTED)])?)
        })?;
        if stale.is_empty() {
            return Ok(0);
        }
        let connection = self.connection_of_its_own()?;
        // Absolute addresses too: files have them.
        let sql = "SELECT value FROM listed_products, json_each(images) \
                   WHERE images LIKE '%/picture/%' UNION ALL \
                   SELECT json_extract(value, '$.picture') FROM settings, json_each(shop, '$.frontPage') \
                   UNION ALL SELECT picture FROM collections";
        let mut statement = connection.prepare(sql)?;
        let mut used = HashSet::new();
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            used.extend(
                PictureName::in_address(row.get_ref(0)?.as_str().unwrap_or_default())
                    .map(|it| it.hash),
            );
        }
        let (used, unused): (Vec<_>, Vec<_>) = stale.into_iter().partition(|it| used.contains(it));
        let swept = self.write(move |connection| {
            for hash in used {
                note_use(connection, &hash, now)?;
            }
            let mut deleted = 0;
            for hash in unused {
                let sql = "DELETE FROM pictures WHERE hash = ? AND used_at < ?";
                let old = before(now, LIFETIME);
                deleted += connection
                    .prepare_cached(sql)?
                    .execute(params![hash, old])?;
            }
            Ok(deleted)
        });
        swept.wait()
    }
}

fn before(now: Timestamp, time: SignedDuration) -> i64 {
    (now - time).as_millisecond()
}

pub(crate) fn add(connection: &Connection, picture: &NewPicture, now: Timestamp) -> Result<()> {
    let NewPicture { name, files } = picture;
    if note_use(connection, &name.hash, now)? {
        return Ok(());
    }
    let bytes: usize = files.iter().map(|(_, webp)| webp.len()).sum();
    let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
    check_room(connection, bytes)?;
    let sql = "INSERT INTO pictures (hash, width, height, bytes, used_at) VALUES (?, ?, ?, ?, ?)";
    let at = now.as_millisecond();
    run(
        connection,
        sql,
        params![name.hash, name.width, name.height, bytes, at],
    )?;
    for (side, webp) in files {
        let sql = "INSERT INTO picture_files (hash, side, webp) VALUES (?, ?, ?)";
        run(connection, sql, params![name.hash, side, webp])?;
    }
    Ok(())
}

/// Fails with [`StoreError::Pictures`] if there is no room for so many bytes more.
pub(crate) fn check_room(connection: &Connection, bytes: i64) -> Result<()> {
    let sql = "SELECT coalesce(sum(bytes), 0) FROM pictures";
    let sum: i64 = scalar(connection, sql, [])?;
    if sum.saturating_add(bytes) > MOST_BYTES {
        return Err(StoreError::Pictures);
    }
    Ok(())
}

/// Notes that a product needs a picture; false if there is none.
fn note_use(connection: &Connection, hash: &str, now: Timestamp) -> Result<bool> {
    let sql = "UPDATE pictures SET used_at = max(used_at, ?2) WHERE hash = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    Ok(statement.execute(params![hash, now.as_millisecond()])? > 0)
}

/// Message about an own picture that was swept.
pub const PICTURE_GONE: &str = "This picture is not in the shop any more. Upload it again.";

/// Notes that a product is saved with these images; fails with [`StoreError::MissingPicture`] if an own
/// picture is not there, unless it was among the `former` ones.
pub(crate) fn note_uses(
    connection: &Connection,
    images: &[String],
    former: &[String],
    now: Timestamp,
) -> Result<()> {
    for (index, image) in images.iter().enumerate() {
        if !note_picture(connection, image, former, now)? {
            return Err(StoreError::MissingPicture(index));
        }
    }
    Ok(())
}

/// Notes the use of a picture; returns false if it is an own one that is not there, unless it was among the
/// `former` ones.
pub(crate) fn note_picture(
    connection: &Connection,
    image: &String,
    former: &[String],
    now: Timestamp,
) -> Result<bool> {
    let Some(name) = PictureName::parse(image) else {
        return Ok(true);
    };
    Ok(note_use(connection, &name.hash, now)? || former.contains(image))
}
