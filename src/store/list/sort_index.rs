//! Every sort's product keys in order, in memory.
//!
//! A sort is a sequence of blocks of keys. Skipping whole blocks by their counts finds a position
//! among a million products in microseconds, also within a category, and inserting or removing a
//! key rewrites only its block. Only keys are stored, about six bytes per product and sort; values
//! are read from the database when a product moves.

use roaring::RoaringBitmap;

use crate::domain::SortBy;

/// Initial size of a block, and the size at which it is split.
const BLOCK: usize = 512;
const FULL_BLOCK: usize = 1_024;
/// Block number of keys that are in no block.
const NOWHERE: u16 = u16::MAX;
/// Category number of keys without one.
const UNKNOWN: u16 = u16::MAX;

/// All sorts, as of one change.
pub(crate) struct SortIndex {
    /// Number of the last applied change (`product_changes`).
    pub(crate) change: i64,
    /// Number of each product's category.
    categories: Vec<u16>,
    sorts: Vec<IndexedSort>,
    keys: RoaringBitmap,
}

#[derive(Default)]
struct IndexedSort {
    blocks: Vec<Block>,
    /// Block numbers in sort order.
    sequence: Vec<u16>,
    block_of: Vec<u16>,
    counts: Counts,
}

#[derive(Default)]
struct Block {
    keys: Vec<u32>,
    counts: Counts,
}

/// Number of keys, in total and per category.
#[derive(Default)]
struct Counts {
    all: u32,
    /// By the category's number, as far as there are products.
    by_category: Vec<u32>,
}

impl Counts {
    fn of_categories(&self, categories: Option<&[u16]>) -> usize {
        let of = |number: &u16| self.by_category.get(usize::from(*number)).copied();
        let count = match categories {
            Some(numbers) => numbers.iter().filter_map(of).sum(),
            None => self.all,
        };
        count as usize
    }

    fn increment(&mut self, category: u16) {
        self.all += 1;
        if category == UNKNOWN {
            return;
        }
        let at = usize::from(category);
        if self.by_category.len() <= at {
            self.by_category.resize(at + 1, 0);
        }
        self.by_category[at] += 1;
    }

    fn add(&mut self, other: &Self) {
        self.all += other.all;
        if self.by_category.len() < other.by_category.len() {
            self.by_category.resize(other.by_category.len(), 0);
        }
        for (count, more) in self.by_category.iter_mut().zip(&other.by_category) {
            *count += more;
        }
    }

    fn decrement(&mut self, category: u16) {
        self.all = self.all.saturating_sub(1);
        if let Some(count) = self.by_category.get_mut(usize::from(category)) {
            *count = count.saturating_sub(1);
        }
    }
}

impl SortIndex {
    /// Makes an index of the products of each category, without sorts.
    pub(crate) fn new(change: i64, categories: &[(u16, RoaringBitmap)]) -> Self {
        let mut sorts = Self {
            change,
            categories: Vec::new(),
            sorts: Vec::new(),
            keys: RoaringBitmap::new(),
        };
        for (category, keys) in categories {
            for key in keys {
                sorts.set_category(key, *category);
            }
        }
        sorts
    }

    /// Adds the next sort, in the order of [`SortBy::ALL`]; false if it exceeds about thirty
    /// million keys.
    pub(crate) fn add_sort(&mut self, keys: &[u32]) -> bool {
        let sort = IndexedSort::new(keys, &self.categories);
        let fits = sort.is_some();
        if self.keys.is_empty() {
            self.keys = keys.iter().copied().collect();
        }
        self.sorts.extend(sort);
        fits
    }

    /// Sets the category of a key that is in no sort.
    pub(crate) fn set_category(&mut self, key: u32, category: u16) {
        let key = key as usize;
        if self.categories.len() <= key {
            self.categories.resize(key + 1, UNKNOWN);
        }
        self.categories[key] = category;
    }

    pub(crate) fn keys(&self) -> &RoaringBitmap {
        &self.keys
    }

    pub(crate) fn contains(&self, key: u32) -> bool {
        self.keys.contains(key)
    }

    /// Returns the keys of a page of all products, or of those with these numbers of categories.
    pub(crate) fn page(
        &self,
        sort_by: SortBy,
        descending: bool,
        categories: Option<&[u16]>,
        offset: usize,
        limit: usize,
    ) -> Vec<i64> {
        let sort = &self.sorts[sort_by as usize];
        let is_wanted =
            |key: u32| categories.is_none_or(|it| it.contains(&self.categories[key as usize]));
        let count = |block: usize| sort.blocks[block].counts.of_categories(categories);
        sort.page(descending, offset, limit, count, is_wanted)
    }

    /// Returns the keys of a page of the set `keys`; skips blocks by their number of matches.
    pub(crate) fn page_of(
        &self,
        keys: &RoaringBitmap,
        sort_by: SortBy,
        descending: bool,
        offset: usize,
        limit: usize,
    ) -> Vec<i64> {
        let sort = &self.sorts[sort_by as usize];
        let mut counts = vec![0_usize; sort.blocks.len()];
        for block in keys.iter().filter_map(|key| sort.block_of(key)) {
            counts[usize::from(block)] += 1;
        }
        let is_wanted = |key| keys.contains(key);
        sort.page(descending, offset, limit, |block| counts[block], is_wanted)
    }

    pub(crate) fn walk(&self, sort_by: SortBy, descending: bool) -> impl Iterator<Item = u32> {
        let blocks = self.sorts[sort_by as usize].blocks(descending);
        blocks.flat_map(move |block| block.walk(descending))
    }

    /// Returns the keys from `first` to `last` in ascending order, both included.
    pub(crate) fn between(&self, sort_by: SortBy, first: u32, last: u32) -> RoaringBitmap {
        let sort = &self.sorts[sort_by as usize];
        let start = sort.block_of(first);
        let blocks = sort.sequence.iter();
        let blocks = blocks.skip_while(|block| Some(**block) != start);
        let from = blocks.flat_map(|block| sort.blocks[usize::from(*block)].keys.iter());
        // Set bits first: inserting unordered keys into a bitmap would search for the position of
        // each.
        let mut bits = vec![0_u8; sort.block_of.len() / 8 + 1];
        for &key in from.skip_while(|key| **key != first) {
            bits[key as usize / 8] |= 1 << (key % 8);
            if key == last {
                break;
            }
        }
        RoaringBitmap::from_lsb0_bytes(0, &bits)
    }

    /// Number of products, in total or with these numbers of categories.
    pub(crate) fn len(&self, categories: Option<&[u16]>) -> usize {
        self.sorts[SortBy::CreatedAt as usize]
            .counts
            .of_categories(categories)
    }

    /// Counts the keys of a set by the number of their category.
    pub(crate) fn count_categories(&self, keys: &RoaringBitmap) -> Vec<u32> {
        let mut counts = Counts::default();
        for key in keys {
            counts.increment(category_of(&self.categories, key));
        }
        counts.by_category
    }

    pub(crate) fn remove(&mut self, sort_by: SortBy, key: u32) {
        let category = category_of(&self.categories, key);
        if sort_by == SortBy::CreatedAt {
            self.keys.remove(key);
        }
        self.sorts[sort_by as usize].remove(key, category);
    }

    /// Returns the last key for which `is_before` is true, by binary search.
    pub(crate) fn last_before<E>(
        &self,
        sort_by: SortBy,
        mut is_before: impl FnMut(u32) -> Result<bool, E>,
    ) -> Result<Option<u32>, E> {
        let blocks = self.sorts[sort_by as usize].blocks(false);
        let blocks: Vec<&[u32]> = blocks
            .map(|block| block.keys.as_slice())
            .filter(|keys| !keys.is_empty())
            .collect();
        let last = count_first(blocks.len(), |at| is_before(blocks[at][0]))?;
        let Some(keys) = last.checked_sub(1).map(|at| blocks[at]) else {
            return Ok(None);
        };
        let before = count_first(keys.len(), |at| is_before(keys[at]))?;
        Ok(before.checked_sub(1).map(|at| keys[at]))
    }

    /// Inserts a key after `after`, or first; false if the sort is full.
    pub(crate) fn insert(&mut self, sort_by: SortBy, key: u32, after: Option<u32>) -> bool {
        if sort_by == SortBy::CreatedAt {
            self.keys.insert(key);
        }
        self.sorts[sort_by as usize].insert(
            key,
            category_of(&self.categories, key),
            after,
            &self.categories,
        )
    }
}

impl IndexedSort {
    fn new(keys: &[u32], categories: &[u16]) -> Option<Self> {
        let mut sort = Self::default();
        for part in keys.chunks(BLOCK) {
            sort.add_block(part, sort.sequence.len(), categories)?;
        }
        for block in &sort.blocks {
            sort.counts.add(&block.counts);
        }
        Some(sort)
    }

    /// Inserts a new block of these keys at `rank`.
    fn add_block(&mut self, keys: &[u32], rank: usize, categories: &[u16]) -> Option<()> {
        let id = u16::try_from(self.blocks.len()).ok();
        let id = id.filter(|id| *id != NOWHERE)?;
        let mut block = Block {
            keys: keys.to_vec(),
            ..Block::default()
        };
        for &key in keys {
            let at = key as usize;
            block.counts.increment(category_of(categories, key));
            if self.block_of.len() <= at {
                self.block_of.resize(at + 1, NOWHERE);
            }
            self.block_of[at] = id;
        }
        self.blocks.push(block);
        self.sequence.insert(rank, id);
        Some(())
    }

    fn block_of(&self, key: u32) -> Option<u16> {
        let block = self.block_of.get(key as usize).copied();
        block.filter(|block| *block != NOWHERE)
    }

    /// Returns a page of the wanted keys; `count` is their number in a block.
    fn page(
        &self,
        descending: bool,
        mut offset: usize,
        limit: usize,
        count: impl Fn(usize) -> usize,
        is_wanted: impl Fn(u32) -> bool,
    ) -> Vec<i64> {
        let mut page = Vec::with_capacity(limit);
        for block in self.numbers(descending) {
            let keys = count(block);
            if offset >= keys {
                offset -= keys;
                continue;
            }
            let wanted = self.blocks[block].walk(descending);
            let wanted = wanted.filter(|key| is_wanted(*key)).skip(offset);
            page.extend(wanted.take(limit - page.len()).map(i64::from));
            offset = 0;
            if page.len() == limit {
                break;
            }
        }
        page
    }

    fn blocks(&self, descending: bool) -> impl Iterator<Item = &Block> {
        self.numbers(descending).map(|number| &self.blocks[number])
    }

    fn numbers(&self, descending: bool) -> impl Iterator<Item = usize> {
        let blocks = self.sequence.len();
        (0..blocks).map(move |rank| {
            let rank = if descending { blocks - 1 - rank } else { rank };
            usize::from(self.sequence[rank])
        })
    }

    fn remove(&mut self, key: u32, category: u16) {
        let Some(id) = self.block_of(key) else { return };
        let block = &mut self.blocks[usize::from(id)];
        if let Some(at) = block.keys.iter().position(|other| *other == key) {
            block.keys.remove(at);
            block.counts.decrement(category);
            self.counts.decrement(category);
        }
        self.block_of[key as usize] = NOWHERE;
    }

    fn insert(&mut self, key: u32, category: u16, after: Option<u32>, categories: &[u16]) -> bool {
        let found = match after {
            Some(other) => self.block_of(other),
            None => self.sequence.first().copied(),
        };
        self.counts.increment(category);
        let Some(id) = found else {
            return self.add_block(&[key], 0, categories).is_some();
        };
        let block = &mut self.blocks[usize::from(id)];
        let before = block.keys.iter().position(|other| Some(*other) == after);
        block.keys.insert(before.map_or(0, |at| at + 1), key);
        block.counts.increment(category);
        if self.block_of.len() <= key as usize {
            self.block_of.resize(key as usize + 1, NOWHERE);
        }
        self.block_of[key as usize] = id;
        if self.blocks[usize::from(id)].keys.len() < FULL_BLOCK {
            return true;
        }
        self.split(id, categories).is_some()
    }

    fn split(&mut self, id: u16, categories: &[u16]) -> Option<()> {
        let rank = self.sequence.iter().position(|other| *other == id)?;
        let block = &mut self.blocks[usize::from(id)];
        let later = block.keys.split_off(FULL_BLOCK / 2);
        for &key in &later {
            block.counts.decrement(category_of(categories, key));
        }
        self.add_block(&later, rank + 1, categories)
    }
}

impl Block {
    fn walk(&self, descending: bool) -> impl Iterator<Item = u32> {
        (0..self.keys.len()).map(move |at| self.key_at(at, descending))
    }

    /// Returns the key at a position, counted from the end if `descending`.
    fn key_at(&self, position: usize, descending: bool) -> u32 {
        let at = if descending {
            self.keys.len() - 1 - position
        } else {
            position
        };
        self.keys[at]
    }
}

/// Returns the length of the prefix for which `holds` is true, by binary search.
fn count_first<E>(all: usize, mut holds: impl FnMut(usize) -> Result<bool, E>) -> Result<usize, E> {
    let (mut from, mut to) = (0, all);
    while from < to {
        let middle = usize::midpoint(from, to);
        if holds(middle)? {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    Ok(from)
}

/// Returns a key's category number; [`UNKNOWN`] if there is none.
fn category_of(categories: &[u16], key: u32) -> u16 {
    categories.get(key as usize).copied().unwrap_or(UNKNOWN)
}
