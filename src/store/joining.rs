//! Which terms products join, gathered in little memory until they are sorted.

/// Memberships in the order in which products came.
#[derive(Default)]
pub(super) struct Joining {
    /// Twice the token, and one more in its title. In pieces, because a list that grows
    /// takes three times its memory while it does.
    pieces: Vec<Vec<u32>>,
    /// For each product its place in the chunk, and how many memberships there are with it.
    products: Vec<(u16, u32)>,
    len: usize,
}

impl Joining {
    /// Memberships in a piece.
    const PIECE: usize = 1 << 16;

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The term of each.
    pub(super) fn terms(&self) -> impl Iterator<Item = u32> {
        self.pieces.iter().flatten().copied()
    }

    /// Adds a membership of the product that comes next.
    pub(super) fn push(&mut self, term: u32) {
        if self.len.is_multiple_of(Self::PIECE) {
            self.pieces.push(Vec::with_capacity(Self::PIECE));
        }
        if let Some(piece) = self.pieces.last_mut() {
            piece.push(term);
        }
        self.len += 1;
    }

    /// Ends the memberships of a product, which stands there in the chunk.
    pub(super) fn end_product(&mut self, place: u16) {
        self.products
            .push((place, u32::try_from(self.len).unwrap_or(u32::MAX)));
    }

    /// Gives each membership with the place, and lets go of what was given.
    pub(super) fn drain(self, mut each: impl FnMut(u32, u16)) {
        let mut products = self.products.into_iter();
        let mut product = products.next();
        for (at, term) in (0..).zip(self.pieces.into_iter().flatten()) {
            while let Some((_, end)) = product
                && end <= at
            {
                product = products.next();
            }
            if let Some((place, _)) = product {
                each(term, place);
            }
        }
    }
}
