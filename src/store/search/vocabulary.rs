//! The words and stems that the full-text index meets, found fast.

use std::hash::BuildHasher as _;
use std::num::NonZeroU32;

use hashbrown::{DefaultHashBuilder, HashTable};

use super::joining::number;
use super::terms::new_stem;

/// Words and stems, each with a place.
#[derive(Default)]
pub(crate) struct Vocabulary {
    /// Where the tokens stand, by their texts.
    known: HashTable<Known>,
    hasher: DefaultHashBuilder,
    tokens: Arena,
    /// What is asked of a token for each word, apart from the rest: the less memory that
    /// is spread over, the faster.
    met: Vec<Met>,
}

/// Texts behind one another.
#[derive(Default)]
struct Arena {
    all: String,
    /// Where each ends.
    ends: Vec<u32>,
}

impl Arena {
    fn len(&self) -> usize {
        self.ends.len()
    }

    fn push(&mut self, text: &str) {
        self.all.push_str(text);
        self.ends.push(number(self.all.len()));
    }

    fn get(&self, place: usize) -> &str {
        let from = match place.checked_sub(1) {
            Some(before) => self.ends[before],
            None => 0,
        };
        &self.all[from as usize..self.ends[place] as usize]
    }
}

/// Where a word or a stem was met.
struct Met {
    /// One more than the place of its stem, once that was asked for.
    stem: Option<NonZeroU32>,
    /// The last key that joined each of its terms.
    last: [u32; 2],
}

/// Bytes of a token's text that it is found by without looking at the token: two numbers
/// of eight bytes.
const FIRST: usize = 16;

/// Where a token stands.
struct Known {
    place: u32,
    length: u32,
    first: [u64; 2],
}

impl Known {
    fn of(text: &str, place: usize) -> Self {
        let mut first = [0; FIRST];
        let length = text.len().min(FIRST);
        first[..length].copy_from_slice(&text.as_bytes()[..length]);
        let (halves, _) = first.as_chunks::<8>();
        Self {
            place: number(place),
            length: number(text.len()),
            first: [halves[0], halves[1]].map(u64::from_le_bytes),
        }
    }

    fn is(&self, wanted: &Self, text: &str, tokens: &Arena) -> bool {
        self.length == wanted.length
            && self.first == wanted.first
            && (text.len() <= FIRST || tokens.get(self.place as usize) == text)
    }
}

impl Vocabulary {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// The bytes of their texts.
    pub(crate) fn bytes(&self) -> usize {
        self.tokens.all.len()
    }

    /// The place of a word or stem, which is new if need be.
    pub(crate) fn place(&mut self, text: &str) -> usize {
        let Self {
            known,
            hasher,
            tokens,
            met,
        } = self;
        let hash = hasher.hash_one(text);
        let wanted = Known::of(text, tokens.len());
        if let Some(found) = known.find(hash, |known| known.is(&wanted, text, tokens)) {
            return found.place as usize;
        }
        let place = tokens.len();
        tokens.push(text);
        met.push(Met {
            stem: None,
            last: [0; 2],
        });
        known.insert_unique(hash, wanted, |known| {
            hasher.hash_one(tokens.get(known.place as usize))
        });
        place
    }

    /// The place of the stem of a word; it may be the word itself.
    pub(crate) fn stem_of(&mut self, token: usize, word: &str) -> usize {
        if let Some(after_stem) = self.met[token].stem {
            return after_stem.get() as usize - 1;
        }
        let stem = self.place(&new_stem(word));
        self.met[token].stem = NonZeroU32::new(number(stem + 1));
        stem
    }

    /// Whether this key did not join the token's term in this scope last; it has then.
    pub(crate) fn meets(&mut self, token: usize, scope: usize, key: u32) -> bool {
        std::mem::replace(&mut self.met[token].last[scope], key) != key
    }

    /// The text of a token.
    pub(crate) fn text(&self, token: usize) -> &str {
        self.tokens.get(token)
    }
}
