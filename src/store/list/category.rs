//! The category that similar products suggest for a new one.

use super::related::{as_json, sharing_words};
use crate::domain::{Category, folded_words};
use crate::store::Store;
use crate::store::categories::LABEL;
use crate::store::db::error::Result;

/// Most words of a text for which a category is looked for: they bound the time.
const WORDS: usize = 40;
/// Most similar products that decide.
const DECIDING: usize = 20;

impl Store {
    /// Returns the category of most live products with such words in their titles, and the number of
    /// these products; none if they are of several categories.
    pub fn category_like(&self, text: &str) -> Result<Option<(Category, u64)>> {
        self.read(|connection| {
            let words: Vec<String> = folded_words(text).into_iter().take(WORDS).collect();
            let mut best = sharing_words(connection, &words, 1)?;
            let least = best.first().map_or(0, |(_, points)| points.div_ceil(2));
            best.retain(|(_, points)| *points >= least);
            best.truncate(DECIDING);
            let mut statement = connection.prepare_cached(&format!(
                "SELECT {LABEL} AS label, sum(found.value), count(*) FROM json_each(?) AS found \
                 JOIN live_products ON live_products.key = CAST(found.key AS INTEGER) \
                 GROUP BY label ORDER BY 2 DESC"
            ))?;
            let rows = statement.query_map([as_json(best)], |row| {
                Ok((row.get(0)?, row.get::<_, i64>(1)?, row.get(2)?))
            })?;
            let all: Vec<(String, i64, u64)> = rows.collect::<rusqlite::Result<_>>()?;
            let points: i64 = all.iter().map(|(_, points, _)| points).sum();
            let first = all.into_iter().find(|(_, own, _)| own * 2 > points);
            Ok(
                first
                    .and_then(|(name, _, products)| Some((Category::from_label(&name)?, products))),
            )
        })
    }
}
