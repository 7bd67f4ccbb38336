//! Texts of a file's first rows, from which it is decided what its columns are.

use std::collections::BTreeSet;

use serde_json::Value;

use super::cells::normal;
use super::values::{rating, words};
use crate::catalog::formats::{Columns, Row};
use crate::domain::is_web_address;

/// Texts of the first rows by column.
pub(super) struct Sample<'r> {
    pub(super) rows: &'r [Row],
    pub(super) columns: Vec<Vec<(usize, String)>>,
    pub(super) names: &'r [String],
}

impl<'r> Sample<'r> {
    pub(super) fn new(columns: &'r Columns, rows: &'r [Row]) -> Self {
        let names = columns.names();
        let mut texts = vec![Vec::new(); names.len()];
        for (at, row) in rows.iter().enumerate() {
            for (column, value) in &row.cells {
                let text = match value {
                    Value::String(text) if text.len() > 2_000 => continue,
                    Value::String(text) => text.trim().to_owned(),
                    other => other.to_string(),
                };
                if !words::is_empty(&text) {
                    texts[*column].push((at, text));
                }
            }
        }
        Self {
            rows,
            columns: texts,
            names,
        }
    }

    pub(super) fn texts(&self, column: usize) -> impl Iterator<Item = &str> {
        self.columns[column].iter().map(|(_, text)| text.as_str())
    }

    /// Returns the text of the first of these columns that has one in a row.
    pub(super) fn first(&self, row: usize, columns: &[usize]) -> Option<&str> {
        columns.iter().find_map(|column| {
            let texts = &self.columns[*column];
            let at = texts.binary_search_by_key(&row, |(at, _)| *at).ok()?;
            Some(texts[at].1.as_str())
        })
    }

    /// True if two columns have different values in a row.
    pub(super) fn differ(
        &self,
        one: usize,
        other: usize,
        same: impl Fn(&str, &str) -> bool,
    ) -> bool {
        (0..self.rows.len()).any(|row| {
            let pair = self.first(row, &[one]).zip(self.first(row, &[other]));
            pair.is_some_and(|(one, other)| !same(one, other))
        })
    }

    /// True if the texts of a column contradict what its name says.
    pub(super) fn is_unfit(&self, field: &str, column: usize) -> bool {
        let mut texts = self.texts(column);
        match field {
            "averageRating" => texts.any(|text| rating::count(text) > Some(5.0)),
            "totalRatings" => {
                texts.any(|text| rating::count(text).is_none() && rating::stars(text).is_some())
            }
            // A quantity may also be the size of a pack.
            "status" => {
                let name = normal(&self.names[column]);
                ["quantity", "qty"].contains(&name.as_str())
                    && !texts.all(|text| text.parse::<i64>().is_ok())
            }
            _ => false,
        }
    }

    pub(super) fn hosts(&self, column: usize) -> BTreeSet<&str> {
        self.texts(column).filter_map(host).collect()
    }

    pub(super) fn has_links(&self, column: usize) -> bool {
        let mut texts = self.texts(column).peekable();
        texts.peek().is_some() && texts.all(is_web_address)
    }
}

/// Returns the host of an address without `www.`.
fn host(address: &str) -> Option<&str> {
    let host = address.split_once("://")?.1.split(['/', '?', '#']).next()?;
    Some(host.strip_prefix("www.").unwrap_or(host))
}
