//! What administrators did: the trail that is kept of every change.

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::{NewProduct, Product};

/// The most characters of a text that the trail keeps.
const EXCERPT: usize = 200;

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// A product was added.
    Added,
    /// A product was changed.
    Changed,
    /// A product was deleted.
    Deleted,
    /// A file was imported.
    Imported,
}

impl Action {
    /// The name on the wire and in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Changed => "changed",
            Self::Deleted => "deleted",
            Self::Imported => "imported",
        }
    }

    /// Finds an action by its exact name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Added, Self::Changed, Self::Deleted, Self::Imported]
            .into_iter()
            .find(|action| action.as_str() == name)
    }
}

/// One line of the trail.
#[derive(Debug, Clone, PartialEq)]
pub struct Activity {
    /// When.
    pub at: Timestamp,
    /// Who, by the name at that time; `command line` for the owner's own tools.
    pub actor: String,
    /// What.
    pub action: Action,
    /// The product's `_id`, unless it was a whole file.
    pub product: Option<String>,
    /// The product's title at that time.
    pub title: Option<String>,
    /// The fields that changed as `{"price": {"from": …, "to": …}}`, or the counts
    /// of an import.
    pub details: Map<String, Value>,
}

/// The fields in which two versions of a product differ, in the order of the form.
pub fn changed_fields(before: &Product, after: &NewProduct) -> Map<String, Value> {
    let old = before.details.fields();
    let new = after.fields();
    old.zip(new)
        .filter(|((_, from), (_, to))| from != to)
        .map(|((name, from), (_, to))| {
            (
                name.to_owned(),
                json!({ "from": excerpt(from), "to": excerpt(to) }),
            )
        })
        .collect()
}

fn excerpt(value: Value) -> Value {
    match value {
        Value::String(text) if text.chars().count() > EXCERPT => {
            let start: String = text.chars().take(EXCERPT).collect();
            format!("{start}…").into()
        }
        other => other,
    }
}
