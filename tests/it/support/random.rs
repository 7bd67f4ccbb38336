//! Random numbers that are the same in each run, so that a failure can be repeated.

/// A small generator (xorshift64).
pub struct Random(u64);

impl Random {
    /// The seed may be any number but 0.
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
