//! Deterministic random numbers, so that failures can be reproduced.

/// A small generator (xorshift64).
pub struct Random(u64);

impl Random {
    /// The seed must not be 0.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end as u64).unwrap()
    }
}
