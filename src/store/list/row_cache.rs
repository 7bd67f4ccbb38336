//! What was written of products, to be sent again until they change.
//!
//! To find ten products at any place of a large shop, and to write them, takes half the time of a list
//! that nobody asked for before. Like the sorts, the rows here are those of a change, and they follow
//! the changes up to that of a list's snapshot.

use std::ops::Range;
use std::sync::{RwLock, RwLockWriteGuard};

use super::changes::changed_since;
use super::snapshot::Snapshot;
use crate::store::db::error::StoreError;
use crate::store::products::columns::{ProductRow, read_rows};

/// Bytes of all rows that are kept.
const RING: usize = 96 * 1_024 * 1_024;
/// Rows that are kept at most.
const PLACES: usize = 128 * 1_024;

/// The rows that were written, by the keys of their products.
#[derive(Default)]
pub struct RowCache(RwLock<Written>);

/// Where the rows of a list go, and where they may come from.
pub struct Rows<'a> {
    /// The rows that were written before, for the same use.
    pub cache: &'a RowCache,
    /// The version of what a row is made of besides its product: rows of another one are dropped.
    pub version: i64,
    /// What the rows are added to.
    pub text: &'a mut Vec<u8>,
}

/// Rows that were found.
struct Found {
    text: Vec<u8>,
    /// The bytes of each, or none where it was not found.
    lengths: Vec<Option<usize>>,
}

#[derive(Default)]
struct Written {
    /// The last change that the rows know.
    change: i64,
    /// [`Rows::version`].
    version: i64,
    /// The rows, each behind the one that was written before it: the newest in the place of the
    /// oldest. Nothing is allocated or freed for them one by one.
    ring: Vec<u8>,
    /// Where the next row goes, counted through all rounds.
    end: usize,
    /// Where the row of a product is, by the last bits of its key.
    places: Vec<Place>,
}

#[derive(Clone, Copy, Default)]
struct Place {
    key: u32,
    /// How long the row is; none without one.
    bytes: u32,
    /// As [`Written::end`].
    start: usize,
}

impl Rows<'_> {
    /// Adds the products with these keys: as they were written before, or as `write` writes them now,
    /// which tells whether that holds until the product changes.
    pub(super) fn add<E: From<StoreError>>(
        &mut self,
        snapshot: &Snapshot<'_>,
        keys: &[i64],
        mut write: impl FnMut(&mut Vec<u8>, ProductRow<'_>) -> Result<bool, E>,
    ) -> Result<(), E> {
        let text = &mut *self.text;
        let found = self.cache.find(snapshot, self.version, keys)?;
        text.reserve(found.text.len());
        let both = || keys.iter().copied().zip(&found.lengths);
        let missing: Vec<i64> = both()
            .filter_map(|(key, row)| row.is_none().then_some(key))
            .collect();
        let (mut rest, mut rows) = (both(), found.text.as_slice());
        let mut add_found = |text: &mut Vec<u8>| {
            rest.find_map(|(key, bytes)| match bytes {
                Some(bytes) => {
                    let row = rows.split_off(..*bytes).unwrap_or_default();
                    text.extend_from_slice(row);
                    None
                }
                None => Some(key),
            })
        };
        let mut written = Vec::with_capacity(missing.len());
        read_rows(snapshot.connection, &missing, |row| {
            let key = add_found(text);
            let start = text.len();
            let holds = write(text, row)?;
            if let Some(key) = key.filter(|_| holds) {
                written.push((key, start..text.len()));
            }
            Ok::<_, E>(())
        })?;
        add_found(text);
        self.cache
            .keep(snapshot.change, self.version, text, &written);
        Ok(())
    }
}

impl RowCache {
    /// What was written of the products with these keys, where that is still so in the snapshot.
    fn find(
        &self,
        snapshot: &Snapshot<'_>,
        version: i64,
        keys: &[i64],
    ) -> Result<Found, StoreError> {
        if let Ok(written) = self.0.read()
            && (written.change, written.version) == (snapshot.change, version)
        {
            return Ok(written.find(keys));
        }
        let mut written = self.write();
        Ok(if written.follow(snapshot, version)? {
            written.find(keys)
        } else {
            Found {
                text: Vec::new(),
                lengths: vec![None; keys.len()],
            }
        })
    }

    /// Keeps rows that were written as of a change, if that is still the last one.
    fn keep(&self, change: i64, version: i64, text: &[u8], rows: &[(i64, Range<usize>)]) {
        if rows.is_empty() {
            return;
        }
        let mut written = self.write();
        if (written.change, written.version) != (change, version) {
            return;
        }
        for (key, range) in rows {
            if let (Ok(key), Some(row)) = (u32::try_from(*key), text.get(range.clone())) {
                written.insert(key, row);
            }
        }
    }

    /// The lock for changing; whatever a thread that panicked was doing is forgotten.
    fn write(&self) -> RwLockWriteGuard<'_, Written> {
        self.0.write().unwrap_or_else(|poisoned| {
            self.0.clear_poison();
            let mut written = poisoned.into_inner();
            *written = Written::default();
            written
        })
    }
}

impl Written {
    /// Drops the rows that are not those of the snapshot and the version any more; false where the
    /// rows are newer than the snapshot.
    fn follow(&mut self, snapshot: &Snapshot<'_>, version: i64) -> Result<bool, StoreError> {
        if self.version != version {
            self.clear();
            self.version = version;
        }
        if self.change < snapshot.change {
            match changed_since(snapshot.connection, self.change)? {
                Some(changes) => changes.into_keys().for_each(|key| self.remove(key)),
                None => self.clear(),
            }
            self.change = snapshot.change;
        }
        Ok(self.change == snapshot.change)
    }

    fn find(&self, keys: &[i64]) -> Found {
        let rows = keys.iter().map(|key| self.row(u32::try_from(*key).ok()?));
        let rows: Vec<Option<&[u8]>> = rows.collect();
        let found = rows.iter().flatten();
        let mut text = Vec::with_capacity(found.clone().map(|row| row.len()).sum());
        found.for_each(|row| text.extend_from_slice(row));
        Found {
            text,
            lengths: rows.iter().map(|row| row.map(<[u8]>::len)).collect(),
        }
    }

    fn row(&self, key: u32) -> Option<&[u8]> {
        let place = self.places.get(index(key))?;
        let was_overwritten = self.end - place.start > RING;
        if place.key != key || place.bytes == 0 || was_overwritten {
            return None;
        }
        let from = self.ring.get(place.start % RING..)?;
        from.get(..usize::try_from(place.bytes).ok()?)
    }

    fn insert(&mut self, key: u32, row: &[u8]) {
        if self.ring.is_empty() {
            // Memory of the kernel's that is taken when it is written to.
            self.ring = vec![0; RING];
            self.places = vec![Place::default(); PLACES];
        }
        let start = self.end % RING;
        if row.len() > RING - start {
            self.end += RING - start;
        }
        let from = self.ring.get_mut(self.end % RING..).unwrap_or_default();
        let (Some(to), Ok(bytes)) = (from.get_mut(..row.len()), u32::try_from(row.len())) else {
            return;
        };
        to.copy_from_slice(row);
        if let Some(place) = self.places.get_mut(index(key)) {
            let start = self.end;
            *place = Place { key, bytes, start };
        }
        self.end += row.len();
    }

    fn remove(&mut self, key: u32) {
        if let Some(place) = self.places.get_mut(index(key))
            && place.key == key
        {
            *place = Place::default();
        }
    }

    fn clear(&mut self) {
        self.places.fill(Place::default());
    }
}

/// Where the place of a product's row is.
fn index(key: u32) -> usize {
    usize::try_from(key).unwrap_or_default() % PLACES
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row that can be told from every other one.
    fn row_of(key: u32) -> Vec<u8> {
        key.to_le_bytes().repeat(150 + key as usize % 251)
    }

    #[test]
    fn the_newest_rows_are_found_whole_and_no_row_is_found_in_part() {
        let mut written = Written::default();
        let last = 3 * u32::try_from(PLACES).unwrap() / 2;
        for key in 1..=last {
            written.insert(key, &row_of(key));
        }
        assert_eq!(written.ring.len(), RING);
        let mut found = 0;
        for key in (1..=last).rev() {
            match written.row(key) {
                Some(row) => {
                    assert_eq!(row, row_of(key));
                    assert_eq!(found, last - key, "those before it are gone");
                    found += 1;
                }
                None => assert!(key < last - 50_000),
            }
        }
        assert!(found < last);
    }

    #[test]
    fn a_row_is_found_until_it_is_dropped_or_written_again() {
        let mut written = Written::default();
        assert_eq!(written.row(0), None);
        for row in [b"first".as_slice(), b"second"] {
            written.insert(7, row);
            assert_eq!(written.row(7), Some(row));
        }
        assert_eq!(written.row(0), None);
        let same_place = 7 + u32::try_from(PLACES).unwrap();
        written.remove(same_place);
        assert_eq!(written.row(7), Some(b"second".as_slice()));
        written.insert(same_place, b"other");
        assert_eq!(written.row(7), None);
        assert_eq!(written.row(same_place), Some(b"other".as_slice()));
        written.remove(same_place);
        assert_eq!(written.row(same_place), None);
        written.insert(8, &vec![b'x'; RING + 1]);
        assert_eq!(written.row(8), None);
        written.insert(9, b"last");
        written.clear();
        assert_eq!(written.row(9), None);
    }

    #[test]
    fn a_row_of_an_earlier_change_or_version_is_not_kept() {
        let cache = RowCache::default();
        cache.write().change = 2;
        cache.write().version = 3;
        for (change, version, is_kept) in [(1, 3, false), (2, 2, false), (2, 3, true)] {
            cache.keep(change, version, b"[row", &[(7, 1..4)]);
            let expected = is_kept.then_some(b"row".as_slice());
            assert_eq!(cache.write().row(7), expected);
        }
    }
}
