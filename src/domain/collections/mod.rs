//! Collections: deals that belong together, by a rule or chosen one by one.

mod archived;
mod change;

use std::collections::BTreeMap;

use jiff::Timestamp;

pub use self::archived::ArchivedShop;
pub use self::change::CollectionRequest;
use super::Categories;

/// A collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collection {
    /// Part of its address.
    pub slug: String,
    /// At most 60 characters, unlike that of another in any case.
    pub name: String,
    /// Markdown, at most 2,000 characters.
    pub text: String,
    /// Address of its picture; may be empty.
    pub picture: String,
    /// The list's query; `None` if the products are chosen.
    pub rule: Option<String>,
    /// Ids of the chosen products in their order, at most [`Collection::MAX_PRODUCTS`].
    pub products: Vec<String>,
    /// Start, if not at once.
    pub starts_at: Option<Timestamp>,
    /// End, if any.
    pub ends_at: Option<Timestamp>,
    /// True if the home page shows it.
    pub on_home: bool,
    /// True if the menu leads to it.
    pub in_menu: bool,
    /// True between start and end, as last applied.
    pub is_running: bool,
    /// Time of the last change, in milliseconds.
    pub version: i64,
}

impl Collection {
    /// Maximum number of collections.
    pub const MOST: usize = 100;
    /// Maximum number of chosen products.
    pub const MAX_PRODUCTS: usize = 200;

    /// Returns true between start and end.
    pub fn runs(&self, now: Timestamp) -> bool {
        self.starts_at.is_none_or(|start| start <= now) && self.ends_at.is_none_or(|end| now < end)
    }

    /// Describes it for the activity log.
    pub fn describe(&self) -> String {
        let what = match &self.rule {
            Some(rule) => rule.clone(),
            None => format!("{} chosen products", self.products.len()),
        };
        let time = |word: &str, at: Option<Timestamp>| {
            at.map(|at| format!(", {word} {}", super::moment_in_india(at)))
        };
        [
            Some(format!("{}: {what}", self.name)),
            time("from", self.starts_at),
            time("until", self.ends_at),
            self.on_home.then(|| ", on the home page".to_owned()),
            self.in_menu.then(|| ", in the menu".to_owned()),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// Names that a query may have.
#[derive(Clone, Copy)]
pub struct ListNames<'a> {
    /// The categories.
    pub categories: &'a Categories,
    /// The collections.
    pub collections: &'a [Collection],
    /// Former names of sellers, each with the present one.
    pub sellers: Option<&'a BTreeMap<String, String>>,
}
