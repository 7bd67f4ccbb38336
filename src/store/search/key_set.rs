//! Sets of products by their keys: what a search or a filter lets through.

/// Keys of a chunk: the unit in which sets are stored and combined.
pub(crate) const CHUNK_KEYS: usize = 1 << CHUNK_BITS;
const CHUNK_BITS: u32 = 16;
const WORDS: usize = CHUNK_KEYS / 64;
/// Bytes of a chunk as one bit for each key.
const BITMAP_BYTES: usize = CHUNK_KEYS / 8;
/// Keys from which on a bit for each of the chunk is shorter than a list.
const FEWEST_IN_BITMAP: usize = BITMAP_BYTES / 2;

/// The chunk that a key belongs to, and its place there.
pub(crate) fn place(key: i64) -> (usize, u16) {
    let key = usize::try_from(key).unwrap_or_default();
    (key >> CHUNK_BITS, (key % CHUNK_KEYS) as u16)
}

/// The first and the last key of a chunk.
pub(crate) fn keys_of(chunk: usize) -> [i64; 2] {
    let first = i64::try_from(chunk * CHUNK_KEYS).unwrap_or(i64::MAX);
    [first, first.saturating_add(CHUNK_KEYS as i64 - 1)]
}

/// One chunk: a bit for each key.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Chunk(Box<[u64; WORDS]>);

impl Chunk {
    pub(crate) fn empty() -> Self {
        Self(Box::new([0; WORDS]))
    }

    /// Adds the keys that a stored form names: a bit for each key where that is
    /// shorter, or the places as sixteen bits each, lowest byte first.
    pub(crate) fn add_stored(&mut self, stored: &[u8]) {
        if stored.len() == BITMAP_BYTES {
            let (words, _) = stored.as_chunks::<8>();
            for (word, bytes) in self.0.iter_mut().zip(words) {
                *word |= u64::from_le_bytes(*bytes);
            }
        } else {
            let (places, _) = stored.as_chunks::<2>();
            for place in places {
                self.add(u16::from_le_bytes(*place));
            }
        }
    }

    /// The stored form of a chunk with so many keys.
    pub(crate) fn to_stored(&self, count: usize) -> Vec<u8> {
        if count < FEWEST_IN_BITMAP {
            bytes_of(&self.places().collect::<Vec<_>>())
        } else {
            let mut bytes = vec![0; BITMAP_BYTES];
            let (words, _) = bytes.as_chunks_mut::<8>();
            for (bytes, word) in words.iter_mut().zip(self.0.iter()) {
                *bytes = word.to_le_bytes();
            }
            bytes
        }
    }

    pub(crate) fn add(&mut self, place: u16) {
        let place = usize::from(place) % CHUNK_KEYS;
        self.0[place / 64] |= 1 << (place % 64);
    }

    pub(crate) fn remove(&mut self, place: u16) {
        let place = usize::from(place) % CHUNK_KEYS;
        self.0[place / 64] &= !(1 << (place % 64));
    }

    pub(crate) fn contains(&self, place: usize) -> bool {
        self.0[place / 64] >> (place % 64) & 1 == 1
    }

    pub(crate) fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Keeps what the other has too, and tells whether anything is left.
    fn keep(&mut self, other: &Self) -> bool {
        let mut left = 0;
        for (word, with) in self.0.iter_mut().zip(other.0.iter()) {
            *word &= with;
            left |= *word;
        }
        left != 0
    }

    fn remove_all(&mut self, other: &Self) {
        for (word, without) in self.0.iter_mut().zip(other.0.iter()) {
            *word &= !without;
        }
    }

    /// The places of the keys, in ascending order.
    pub(crate) fn places(&self) -> impl Iterator<Item = u16> {
        self.0.iter().enumerate().flat_map(|(index, word)| {
            let mut left = *word;
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros() as usize;
                (left != 0).then(|| {
                    left &= left - 1;
                    (index * 64 + bit) as u16
                })
            })
        })
    }
}

/// The stored form of places in ascending order.
pub(crate) fn stored(places: &[u16]) -> Vec<u8> {
    if places.len() < FEWEST_IN_BITMAP {
        return bytes_of(places);
    }
    let mut chunk = Chunk::empty();
    places.iter().for_each(|place| chunk.add(*place));
    chunk.to_stored(places.len())
}

/// How many places a stored form holds.
pub(crate) fn stored_count(stored: &[u8]) -> usize {
    if stored.len() < BITMAP_BYTES {
        return stored.len() / 2;
    }
    let (words, _) = stored.as_chunks::<8>();
    let ones = words
        .iter()
        .map(|word| u64::from_le_bytes(*word).count_ones() as usize);
    ones.sum()
}

fn bytes_of(places: &[u16]) -> Vec<u8> {
    let mut bytes = vec![0; 2 * places.len()];
    let (pairs, _) = bytes.as_chunks_mut::<2>();
    for (pair, place) in pairs.iter_mut().zip(places) {
        *pair = place.to_le_bytes();
    }
    bytes
}

/// The stored form of what is stored and of more, if all of that stands behind it; `None`
/// where it has to be made of the chunk.
pub(crate) fn longer_stored(stored: &[u8], more: &[u8]) -> Option<Vec<u8>> {
    let last = u16::from_le_bytes(*stored.last_chunk()?);
    let first = u16::from_le_bytes(*more.first_chunk()?);
    if stored.len() + more.len() >= BITMAP_BYTES || first <= last {
        return None;
    }
    Some([stored, more].concat())
}

/// A set of keys; chunks without any key take no room.
#[derive(Clone, Default)]
pub(crate) struct KeySet(Vec<Option<Chunk>>);

impl KeySet {
    pub(crate) fn insert(&mut self, key: i64) {
        let (chunk, place) = place(key);
        self.chunk_mut(chunk).add(place);
    }

    pub(crate) fn contains(&self, key: i64) -> bool {
        let (chunk, place) = place(key);
        matches!(self.0.get(chunk), Some(Some(chunk)) if chunk.contains(usize::from(place)))
    }

    /// The chunk with this number, made if there is none yet.
    pub(crate) fn chunk_mut(&mut self, number: usize) -> &mut Chunk {
        if self.0.len() <= number {
            self.0.resize(number + 1, None);
        }
        self.0[number].get_or_insert_with(Chunk::empty)
    }

    /// The numbers of the chunks that may hold a key.
    pub(crate) fn chunks(&self) -> impl Iterator<Item = usize> {
        let present = self.0.iter().enumerate();
        present.filter_map(|(number, chunk)| chunk.as_ref().map(|_| number))
    }

    pub(crate) fn len(&self) -> usize {
        self.0.iter().flatten().map(Chunk::count).sum()
    }

    /// Keeps what the other has too.
    pub(crate) fn keep(&mut self, other: &Self) {
        for (number, chunk) in self.0.iter_mut().enumerate() {
            let other = other.0.get(number).and_then(Option::as_ref);
            let kept = match (chunk.as_mut(), other) {
                (Some(chunk), Some(other)) => chunk.keep(other),
                _ => false,
            };
            if !kept {
                *chunk = None;
            }
        }
    }

    pub(crate) fn remove_all(&mut self, other: &Self) {
        for (chunk, other) in self.0.iter_mut().zip(&other.0) {
            if let (Some(chunk), Some(other)) = (chunk, other) {
                chunk.remove_all(other);
            }
        }
    }

    /// Takes the keys from `first` to `last` out.
    pub(crate) fn remove_range(&mut self, first: i64, last: i64) {
        let (from, to) = (place(first).0, place(last).0);
        for number in from..self.0.len().min(to + 1) {
            if from < number && number < to {
                self.0[number] = None;
            } else if let Some(chunk) = &mut self.0[number] {
                for place in 0..CHUNK_KEYS {
                    let key = i64::try_from((number << CHUNK_BITS) + place).unwrap_or_default();
                    if (first..=last).contains(&key) {
                        chunk.remove(u16::try_from(place).unwrap_or_default());
                    }
                }
            }
        }
    }

    /// Every key, in ascending order.
    pub(crate) fn keys(&self) -> impl Iterator<Item = i64> {
        self.0.iter().enumerate().flat_map(|(number, chunk)| {
            let first = number << CHUNK_BITS;
            let chunk = chunk.iter();
            chunk.flat_map(move |chunk| {
                let keys = chunk.places().map(move |place| first + usize::from(place));
                keys.filter_map(|key| i64::try_from(key).ok())
            })
        })
    }
}

impl FromIterator<i64> for KeySet {
    fn from_iter<I: IntoIterator<Item = i64>>(keys: I) -> Self {
        let mut set = Self::default();
        for key in keys {
            set.insert(key);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_combine_like_sets() {
        let a: KeySet = [1, 5, 70_000, 200_000].into_iter().collect();
        let b: KeySet = [5, 200_000, 900_000].into_iter().collect();
        let mut both = a.clone();
        both.keep(&b);
        assert_eq!(both.keys().collect::<Vec<_>>(), [5, 200_000]);
        let mut rest = a.clone();
        rest.remove_all(&b);
        assert_eq!(rest.keys().collect::<Vec<_>>(), [1, 70_000]);
        KeySet::default().remove_range(1, 5);
        let mut cut = a.clone();
        cut.remove_range(5, 199_999);
        assert_eq!(cut.keys().collect::<Vec<_>>(), [1, 200_000]);
        assert_eq!(a.len(), 4);
        assert!(a.contains(70_000) && !a.contains(2));
    }

    #[test]
    fn the_stored_form_holds_few_and_many_keys() {
        for step in [1, 3, 16, 17, 4_000] {
            let mut chunk = Chunk::empty();
            for place in (0..CHUNK_KEYS).step_by(step) {
                chunk.add(u16::try_from(place).unwrap());
            }
            let stored = chunk.to_stored(chunk.count());
            assert!(stored.len() <= BITMAP_BYTES);
            let mut read = Chunk::empty();
            read.add_stored(&stored);
            assert!(read == chunk, "every {step}");
        }
    }
}
