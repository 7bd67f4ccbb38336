//! The JSON of products that was written for one list, to be sent in others until they change.
//!
//! To find ten products at any place of a large shop, and to write them, takes half the time of a list
//! that nobody asked for before. Like the sorts, the rows here are those of a change, and they follow
//! the changes up to that of a list's snapshot.

use std::ops::Range;
use std::sync::RwLock;

use super::product_changes::changed_since;
use super::snapshot::Snapshot;
use super::write_lock;
use crate::store::db::error::StoreError;
use crate::store::products::columns::{ProductRow, read_rows};
use crate::store::search::chunks::doc_id;

/// Bytes of all rows that are kept: those of 70,000 real products, which have 1,400 bytes each. A shop
/// of fewer takes less.
const RING: usize = 96 * 1_024 * 1_024;
/// Rows that are kept at most.
const PLACES: usize = 128 * 1_024;

/// The rows that were written, by the keys of their products.
#[derive(Default)]
pub struct RowCache(RwLock<Kept>);

/// Where the rows of a list go, and where they may come from.
pub struct ListRows<'a> {
    /// The rows that were written before, for the same use.
    pub cache: &'a RowCache,
    /// The version of the settings that rows are written by: those of an older one are dropped.
    pub settings: i64,
    /// What the rows are added to.
    pub text: &'a mut Vec<u8>,
}

/// Rows that were found.
struct FoundRows {
    text: Vec<u8>,
    /// The bytes of each, or none where it was not found.
    lengths: Vec<Option<usize>>,
}

#[derive(Default)]
struct Kept {
    /// The last change that the rows know.
    change: i64,
    /// [`ListRows::settings`].
    settings: i64,
    /// The rows, each behind the one that was written before it: the newest in the place of the
    /// oldest. Nothing is allocated or freed for them one by one.
    ring: Vec<u8>,
    /// Where the next row goes, counted through all rounds.
    end: u64,
    /// Where the row of a product is, by the last bits of its key.
    places: Vec<Place>,
}

#[derive(Clone, Copy, Default)]
struct Place {
    key: u32,
    /// How long the row is; 0 without one.
    bytes: u32,
    /// How long a row may be that is written in its place.
    room: u32,
    /// As [`Kept::end`].
    start: u64,
}

impl ListRows<'_> {
    /// Adds the products with these keys: as they were written before, or as `write` writes them now,
    /// which tells whether that holds until the product changes.
    pub(super) fn add<E: From<StoreError>>(
        &mut self,
        snapshot: &Snapshot<'_>,
        keys: &[i64],
        mut write: impl FnMut(&mut Vec<u8>, ProductRow<'_>) -> Result<bool, E>,
    ) -> Result<(), E> {
        let text = &mut *self.text;
        let found = self.cache.find(snapshot, self.settings, keys)?;
        text.reserve(found.text.len());
        let both = || keys.iter().copied().zip(&found.lengths);
        let missing: Vec<i64> = both()
            .filter_map(|(key, row)| row.is_none().then_some(key))
            .collect();
        let (mut rest, mut rows) = (both(), found.text.as_slice());
        // Up to the next product that was not found, which it names.
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
        let mut new = Vec::with_capacity(missing.len());
        read_rows(snapshot.connection, &missing, |row| {
            let key = add_found(text);
            let start = text.len();
            let holds = write(text, row)?;
            if let Some(key) = key.filter(|_| holds) {
                new.push((key, start..text.len()));
            }
            Ok::<_, E>(())
        })?;
        add_found(text);
        self.cache.keep(snapshot.change, self.settings, text, &new);
        Ok(())
    }
}

impl RowCache {
    /// What was written of the products with these keys, where that is still so in the snapshot.
    fn find(
        &self,
        snapshot: &Snapshot<'_>,
        settings: i64,
        keys: &[i64],
    ) -> Result<FoundRows, StoreError> {
        if let Ok(kept) = self.0.read()
            && !kept.is_behind(snapshot.change, settings)
        {
            return Ok(kept.find(snapshot.change, settings, keys));
        }
        let mut kept = write_lock(&self.0);
        kept.follow(snapshot, settings)?;
        Ok(kept.find(snapshot.change, settings, keys))
    }

    /// Keeps rows that were written as of a change, if that is still the last one.
    fn keep(&self, change: i64, settings: i64, text: &[u8], rows: &[(i64, Range<usize>)]) {
        if rows.is_empty() {
            return;
        }
        let mut kept = write_lock(&self.0);
        if !kept.is_of(change, settings) {
            return;
        }
        for (key, range) in rows {
            if let (Ok(key), Some(row)) = (doc_id(*key), text.get(range.clone())) {
                kept.insert(key, row);
            }
        }
    }
}

impl Kept {
    fn is_of(&self, change: i64, settings: i64) -> bool {
        (self.change, self.settings) == (change, settings)
    }

    fn is_behind(&self, change: i64, settings: i64) -> bool {
        self.change < change || self.settings < settings
    }

    /// Drops the rows that are not those of the snapshot and of the settings any more.
    fn follow(&mut self, snapshot: &Snapshot<'_>, settings: i64) -> Result<(), StoreError> {
        if self.settings < settings {
            self.clear();
            self.settings = settings;
        }
        if self.change < snapshot.change {
            match changed_since(snapshot.connection, self.change)? {
                Some(changes) => changes.into_keys().for_each(|key| self.remove(key)),
                None => self.clear(),
            }
            self.change = snapshot.change;
        }
        Ok(())
    }

    /// The rows of these products; none where the rows here are newer.
    fn find(&self, change: i64, settings: i64, keys: &[i64]) -> FoundRows {
        let is_of = self.is_of(change, settings);
        let row = |key: &i64| self.row(doc_id(*key).ok().filter(|_| is_of)?);
        let rows: Vec<Option<&[u8]>> = keys.iter().map(row).collect();
        let found = rows.iter().flatten();
        let mut text = Vec::with_capacity(found.clone().map(|row| row.len()).sum());
        found.for_each(|row| text.extend_from_slice(row));
        FoundRows {
            text,
            lengths: rows.iter().map(|row| row.map(<[u8]>::len)).collect(),
        }
    }

    fn row(&self, key: u32) -> Option<&[u8]> {
        let place = self.places.get(index(key))?;
        if place.key != key || place.bytes == 0 || !self.is_whole(place) {
            return None;
        }
        let from = self.ring.get(in_ring(place.start)..)?;
        from.get(..place.bytes as usize)
    }

    /// Whether nothing was written over it since.
    fn is_whole(&self, place: &Place) -> bool {
        self.end - place.start <= RING as u64
    }

    fn insert(&mut self, key: u32, row: &[u8]) {
        if self.ring.is_empty() {
            // Memory of the kernel's that is taken when it is written to.
            self.ring = vec![0; RING];
            self.places = vec![Place::default(); PLACES];
        }
        let Some(bytes) = u32::try_from(row.len()).ok().filter(|_| row.len() <= RING) else {
            return;
        };
        let Some(mut place) = self.places.get(index(key)).copied() else {
            return;
        };
        // What changes again and again stays where it is.
        let has_room = place.key == key && bytes <= place.room && self.is_whole(&place);
        if !has_room {
            let left = RING - in_ring(self.end);
            if row.len() > left {
                self.end += left as u64;
            }
            let (room, start) = (bytes, self.end);
            place = Place {
                key,
                bytes,
                room,
                start,
            };
            self.end += u64::from(bytes);
        }
        place.bytes = bytes;
        let from = self.ring.get_mut(in_ring(place.start)..);
        if let Some(to) = from.and_then(|from| from.get_mut(..row.len())) {
            to.copy_from_slice(row);
            self.places[index(key)] = place;
        }
    }

    fn remove(&mut self, key: u32) {
        if let Some(place) = self.places.get_mut(index(key))
            && place.key == key
        {
            place.bytes = 0;
        }
    }

    fn clear(&mut self) {
        self.places.fill(Place::default());
        self.end = 0;
    }
}

/// Where the place of a product's row is.
fn index(key: u32) -> usize {
    key as usize % PLACES
}

/// Where something that was counted through all rounds is in the ring.
fn in_ring(start: u64) -> usize {
    (start % RING as u64) as usize
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
        let mut kept = Kept::default();
        let last = 3 * u32::try_from(PLACES).unwrap() / 2;
        for key in 1..=last {
            kept.insert(key, &row_of(key));
        }
        assert_eq!(kept.ring.len(), RING);
        let mut found = 0;
        for key in (1..=last).rev() {
            match kept.row(key) {
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
    fn rows_that_change_again_and_again_take_no_more_than_once() {
        let mut kept = Kept::default();
        for round in 0..1_000 {
            for key in 1..=50 {
                let row = format!("{key} {round:0>500}");
                kept.insert(key, row.as_bytes());
                assert_eq!(kept.row(key), Some(row.as_bytes()));
                kept.remove(key);
                assert_eq!(kept.row(key), None);
            }
        }
        assert!(kept.end < 50 * 510);
        // What is longer goes behind them, what is shorter does not show what was there.
        kept.insert(1, &[b'x'; 600]);
        kept.insert(1, b"short");
        assert_eq!(kept.row(1), Some(b"short".as_slice()));
        kept.insert(2, b"2");
        assert_eq!(kept.row(2), Some(b"2".as_slice()));
    }

    #[test]
    fn a_row_is_found_until_it_is_dropped_or_written_again() {
        let mut kept = Kept::default();
        assert_eq!(kept.row(0), None);
        for row in [b"first".as_slice(), b"second"] {
            kept.insert(7, row);
            assert_eq!(kept.row(7), Some(row));
        }
        assert_eq!(kept.row(0), None);
        let same_place = 7 + u32::try_from(PLACES).unwrap();
        kept.remove(same_place);
        assert_eq!(kept.row(7), Some(b"second".as_slice()));
        kept.insert(same_place, b"other");
        assert_eq!(kept.row(7), None);
        assert_eq!(kept.row(same_place), Some(b"other".as_slice()));
        kept.remove(same_place);
        assert_eq!(kept.row(same_place), None);
        kept.insert(8, &vec![b'x'; RING + 1]);
        assert_eq!(kept.row(8), None);
        kept.insert(9, b"last");
        kept.clear();
        assert_eq!(kept.row(9), None);
    }

    #[test]
    fn a_row_of_an_earlier_change_or_of_other_settings_is_not_kept() {
        let cache = RowCache::default();
        write_lock(&cache.0).change = 2;
        write_lock(&cache.0).settings = 3;
        for (change, settings, is_kept) in [(1, 3, false), (2, 2, false), (2, 3, true)] {
            cache.keep(change, settings, b"[row", &[(7, 1..4)]);
            let expected = is_kept.then_some(b"row".as_slice());
            assert_eq!(write_lock(&cache.0).row(7), expected);
        }
    }
}
