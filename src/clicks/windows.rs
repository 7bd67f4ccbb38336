//! Values that are kept for a time, by key, in bounded memory.

use std::collections::{HashMap, VecDeque};

/// A value for each key, which begins anew when its time is over.
pub(super) struct Windows<T> {
    /// Milliseconds.
    length: i64,
    most: usize,
    values: HashMap<u64, (i64, T)>,
    /// Keys and when they began, the oldest first.
    order: VecDeque<(u64, i64)>,
}

impl<T: Default> Windows<T> {
    /// Keeps at most `most` values for `length` milliseconds each; of more, the oldest are dropped.
    pub(super) fn new(length: i64, most: usize) -> Self {
        Self {
            length,
            most,
            values: HashMap::new(),
            order: VecDeque::new(),
        }
    }

    /// Returns the value of a key whose time is not over.
    pub(super) fn find(&self, key: u64, now: i64) -> Option<&T> {
        let (began, value) = self.values.get(&key)?;
        ((now - began).abs() < self.length).then_some(value)
    }

    /// Returns the value of a key, a new one if there is none or its time is over.
    pub(super) fn get(&mut self, key: u64, now: i64) -> &mut T {
        while let Some((oldest, began)) = self.order.front().copied() {
            let is_full = self.order.len() >= self.most && !self.values.contains_key(&key);
            if !is_full && (now - began).abs() < self.length {
                break;
            }
            self.order.pop_front();
            if self.values.get(&oldest).is_some_and(|(at, _)| *at == began) {
                self.values.remove(&oldest);
            }
        }
        let order = &mut self.order;
        let (_, value) = self.values.entry(key).or_insert_with(|| {
            order.push_back((key, now));
            (now, T::default())
        });
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_restarts_after_its_time_window() {
        let mut counts = Windows::<u32>::new(1_000, 3);
        for (key, now, count) in [
            (1, 0, 1),
            (1, 999, 2),
            (1, 1_000, 1),
            (2, 1_000, 1),
            (3, 1_001, 1),
            (1, 1_002, 2),
            (4, 1_003, 1),
            (1, 1_004, 1),
            // A clock that was set back.
            (4, -500, 1),
        ] {
            let value = counts.get(key, now);
            *value += 1;
            assert_eq!(*value, count, "{key} at {now}");
            assert!(counts.values.len() <= 3 && counts.order.len() <= 3);
        }
    }
}
