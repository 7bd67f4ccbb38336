//! Values that were left out or guessed, and prices that will not last, for sentences about a whole file.

use jiff::Timestamp;

use crate::domain::{date_in_india, group_digits, truncate};

/// Number of rows, with the first and its value.
type Seen = Option<(i64, u64, String)>;

/// Notes about a whole file, besides the problems of its rows.
#[derive(Debug, Default)]
pub(in crate::catalog) struct Doubts {
    sellers: Seen,
    ratings: Seen,
    ids: Seen,
    /// The next time at which one begins or ends.
    sales: Option<Timestamp>,
}

impl Doubts {
    /// Notes a seller that was read from the link.
    pub(in crate::catalog) fn seller(&mut self, row: u64, name: &str) {
        see(&mut self.sellers, row, name);
    }

    /// Notes a rating that cannot be read.
    pub(super) fn rating(&mut self, row: u64, text: &str) {
        see(&mut self.ratings, row, text);
    }

    /// Notes an id that is none.
    pub(super) fn id(&mut self, row: u64, text: &str) {
        see(&mut self.ids, row, text);
    }

    /// Notes a selling price that begins or ends later.
    pub(super) fn sale_changes(&mut self, at: Timestamp) {
        self.sales = Some(self.sales.map_or(at, |next| next.min(at)));
    }

    pub(in crate::catalog) fn sentences(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        if let Some((count, row, name)) = &self.sellers {
            let rows = if *count == 1 { "row" } else { "rows" };
            sentences.push(format!(
                "Seller read from the link in {} {rows} (the first: row {row}, “{name}”).",
                group_digits(*count)
            ));
        }
        let of = |(count, row, text): &(i64, u64, String)| {
            format!(
                "{} values (the first: row {row}, “{text}”)",
                group_digits(*count)
            )
        };
        if let Some(seen) = &self.ratings {
            sentences.push(format!(
                "Ratings that cannot be read were left out: {}.",
                of(seen)
            ));
        }
        if let Some(seen) = &self.ids {
            sentences.push(format!(
                "Ids that several products share, or that a spreadsheet has rounded, were left out: {}.",
                of(seen)
            ));
        }
        if let Some(next) = self.sales {
            sentences.push(format!(
                "Sale prices begin or end, the next on {}: import the file again then.",
                date_in_india(next)
            ));
        }
        sentences
    }
}

fn see(seen: &mut Seen, row: u64, text: &str) {
    let first = || (0, row, truncate(text.trim(), 40));
    seen.get_or_insert_with(first).0 += 1;
}
