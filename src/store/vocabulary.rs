//! The words and stems that the full-text index meets, found fast.

use std::hash::BuildHasher as _;
use std::num::NonZeroU32;

use hashbrown::{DefaultHashBuilder, HashTable};

use super::words::stem;

/// Words and stems, each with a place.
#[derive(Default)]
pub(super) struct Vocabulary {
    /// Where the tokens stand, by their texts.
    known: HashTable<Known>,
    hasher: DefaultHashBuilder,
    tokens: Vec<Token>,
    /// What is asked of a token for each word, apart from the rest: the less memory that
    /// is spread over, the faster.
    met: Vec<Met>,
}

/// A word or a stem.
struct Token {
    text: Box<str>,
    /// The numbers of its terms in the index, once they are known; anywhere, and in titles.
    numbers: [Option<NonZeroU32>; 2],
}

/// Where a word or a stem was met.
struct Met {
    /// One more than the place of its stem, once that was asked for.
    stem: Option<NonZeroU32>,
    /// The last key that joined each of its terms.
    last: [u32; 2],
}

/// Bytes of a token's text that it is found by without looking at the token.
const FIRST: usize = 16;

/// Where a token stands.
struct Known {
    place: u32,
    length: u32,
    first: [u8; FIRST],
}

impl Known {
    fn of(text: &str, place: usize) -> Self {
        let mut first = [0; FIRST];
        let length = text.len().min(FIRST);
        first[..length].copy_from_slice(&text.as_bytes()[..length]);
        Self {
            place: number(place),
            length: number(text.len()),
            first,
        }
    }

    fn is(&self, wanted: &Self, text: &str, tokens: &[Token]) -> bool {
        self.length == wanted.length
            && self.first == wanted.first
            && (text.len() <= FIRST || &*tokens[self.place as usize].text == text)
    }
}

impl Vocabulary {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// The place of a word or stem, which is new if need be.
    pub(super) fn place(&mut self, text: &str) -> usize {
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
        tokens.push(Token {
            text: text.into(),
            numbers: [None; 2],
        });
        met.push(Met {
            stem: None,
            last: [0; 2],
        });
        known.insert_unique(hash, wanted, |known| {
            hasher.hash_one(&*tokens[known.place as usize].text)
        });
        place
    }

    /// The place of the stem of a word; it may be the word itself.
    pub(super) fn stem_of(&mut self, token: usize, word: &str) -> usize {
        if let Some(after_stem) = self.met[token].stem {
            return after_stem.get() as usize - 1;
        }
        let stem = self.place(&stem(word));
        self.met[token].stem = NonZeroU32::new(number(stem + 1));
        stem
    }

    /// Whether this key did not join the token's term in this scope last; it has then.
    pub(super) fn meets(&mut self, token: usize, scope: usize, key: u32) -> bool {
        std::mem::replace(&mut self.met[token].last[scope], key) != key
    }

    /// The text of a token.
    pub(super) fn text(&self, token: usize) -> &str {
        &self.tokens[token].text
    }

    /// The number of a token's term in the index, if it is known.
    pub(super) fn number(&self, token: usize, scope: usize) -> Option<i64> {
        self.tokens[token].numbers[scope].map(|number| number.get().into())
    }

    /// Remembers the number of a token's term.
    pub(super) fn set_number(&mut self, token: usize, scope: usize, number: i64) {
        let number = u32::try_from(number).ok().and_then(NonZeroU32::new);
        self.tokens[token].numbers[scope] = number;
    }
}

/// Tokens are some hundred thousand at most before they are forgotten.
pub(super) fn number(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}
