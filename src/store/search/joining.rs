//! Which terms products join, gathered in little memory until they are sorted out.

/// Memberships that are kept as they came before they are packed, of four bytes each.
const FRESH: usize = 1 << 18;

/// Memberships of products in terms. Each takes a little more than a byte: of a word's
/// places only the distances are kept.
#[derive(Default)]
pub(crate) struct Joining {
    /// The terms that the last products join, as they came.
    fresh: Vec<u32>,
    /// The places of these products, and where in `fresh` their terms end.
    products: Vec<(u16, u32)>,
    /// Those before, sorted by the term: what is more than the term before, how many bytes
    /// follow, and of each place what is more than the one before.
    packed: Vec<Box<[u8]>>,
    bytes: usize,
    /// How many products join each term.
    counts: Vec<u32>,
}

impl Joining {
    /// Bytes that are packed.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Adds a membership of the product that comes next.
    pub(crate) fn push(&mut self, term: u32) {
        self.fresh.push(term);
    }

    /// Ends the memberships of a product, which stands there in the chunk, behind all
    /// before it.
    pub(crate) fn end_product(&mut self, place: u16) {
        self.products.push((place, number(self.fresh.len())));
        if self.fresh.len() >= FRESH {
            self.pack();
        }
    }

    /// How many products join each term; of all that came if they are packed.
    pub(crate) fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// Sorts the last products' memberships by the term.
    pub(crate) fn pack(&mut self) {
        if self.fresh.is_empty() {
            return;
        }
        let terms = self.fresh.iter().max().map_or(0, |last| index(*last) + 1);
        let mut ends = vec![0_u32; terms];
        for term in &self.fresh {
            ends[index(*term)] += 1;
        }
        if self.counts.len() < terms {
            self.counts.resize(terms, 0);
        }
        let mut before = 0;
        for (end, count) in ends.iter_mut().zip(&mut self.counts) {
            *count += *end;
            // Where the term's places begin; the next loop moves it to where they end.
            (*end, before) = (before, before + *end);
        }
        let mut places = vec![0; self.fresh.len()];
        let mut from = 0;
        for (place, to) in self.products.drain(..) {
            for term in &self.fresh[from..index(to)] {
                let end = &mut ends[index(*term)];
                places[index(*end)] = place;
                *end += 1;
            }
            from = index(to);
        }
        self.fresh.clear();
        let packed = pack(&places, &ends);
        self.bytes += packed.len();
        self.packed.push(packed);
    }

    /// The places of some terms, one term's after the other's, each in ascending order.
    pub(crate) fn places_of(&self, terms: &[u32]) -> Vec<u16> {
        const UNWANTED: u32 = u32::MAX;
        let mut next = vec![UNWANTED; self.counts.len()];
        let mut all = 0;
        for term in terms {
            next[index(*term)] = all;
            all += self.counts[index(*term)];
        }
        let mut places = vec![0; index(all)];
        for packed in &self.packed {
            let mut rest = &packed[..];
            let mut term = 0;
            while let Some(more) = take(&mut rest) {
                term += more;
                let bytes = take(&mut rest).unwrap_or_default();
                let (mut its, others) = rest.split_at(index(bytes));
                rest = others;
                let next = &mut next[index(term)];
                if *next == UNWANTED {
                    continue;
                }
                let mut place = 0;
                while let Some(more) = take(&mut its) {
                    place += more;
                    places[index(*next)] = place as u16;
                    *next += 1;
                }
            }
        }
        places
    }
}

/// Packs places that are sorted by their terms, given where those of each end.
fn pack(places: &[u16], ends: &[u32]) -> Box<[u8]> {
    let mut packed = Vec::with_capacity(places.len() + places.len() / 2);
    let mut its = Vec::new();
    let mut from = 0;
    let mut last = 0;
    for (term, to) in (0..).zip(ends) {
        let joining = &places[from..index(*to)];
        from = index(*to);
        if joining.is_empty() {
            continue;
        }
        let mut before = 0;
        for place in joining {
            put(&mut its, u32::from(*place) - before);
            before = u32::from(*place);
        }
        put(&mut packed, term - last);
        put(&mut packed, number(its.len()));
        packed.append(&mut its);
        last = term;
    }
    packed.into_boxed_slice()
}

/// Writes a number as seven bits to a byte, the lowest first, with the eighth set where
/// more follow (LEB128).
fn put(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads a number that [`put`] wrote; `None` at the end.
fn take(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0;
    let mut bits = 0;
    loop {
        let (first, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u32::from(first & 0x7f) << bits;
        if *first < 0x80 {
            return Some(number);
        }
        bits += 7;
    }
}

fn index(number: u32) -> usize {
    number as usize
}

/// Tokens, their bytes, and memberships that are not packed are some millions at most.
pub(crate) fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_term_has_the_places_that_joined_it() {
        let mut joining = Joining::default();
        for place in (0..60_000).step_by(7) {
            for term in [place % 3, 5 + place % 50, 1_000 + place] {
                joining.push(term);
            }
            joining.end_product(place as u16);
            if place % 1_001 == 0 {
                joining.pack();
            }
        }
        joining.pack();
        let wanted = [1_007, 2, 54, 0];
        let expected: Vec<u16> = [
            (7..=7).collect::<Vec<u32>>(),
            (0..60_000).filter(|place| place % 3 == 2).collect(),
            (0..60_000).filter(|place| place % 50 == 49).collect(),
            (0..60_000).filter(|place| place % 3 == 0).collect(),
        ]
        .concat()
        .into_iter()
        .filter(|place| place % 7 == 0)
        .map(|place| place as u16)
        .collect();
        assert_eq!(joining.places_of(&wanted), expected);
        assert_eq!(joining.counts()[1_007], 1);
    }
}
