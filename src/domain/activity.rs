//! The activity log: what administrators did, a line for every change.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::{NewProduct, Preset, Product, Settings};

/// The most characters of a text that the activity log keeps.
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
    /// Settings were changed.
    Set,
}

impl Action {
    /// The name on the wire and in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Changed => "changed",
            Self::Deleted => "deleted",
            Self::Imported => "imported",
            Self::Set => "set",
        }
    }

    /// Finds an action by its exact name.
    pub fn parse(name: &str) -> Option<Self> {
        [
            Self::Added,
            Self::Changed,
            Self::Deleted,
            Self::Imported,
            Self::Set,
        ]
        .into_iter()
        .find(|action| action.as_str() == name)
    }
}

/// One line of the activity log, or one for all lines of an act.
#[derive(Debug, Clone, PartialEq)]
pub struct Activity {
    /// The act that it is part of, by the key of the act's first line.
    pub deed: i64,
    /// How many lines it stands for; `product`, `title` and `gone` are of the first.
    pub lines: u64,
    /// Whether it took something back.
    pub undo: bool,
    /// When.
    pub at: Timestamp,
    /// Who, by the name at that time; `command line` for the owner's own tools.
    pub actor: String,
    /// What.
    pub action: Action,
    /// The product's `_id`, if it was about one.
    pub product: Option<String>,
    /// The product's title at that time.
    pub title: Option<String>,
    /// Whether the product is not there any more.
    pub gone: bool,
    /// The fields that changed as `{"price": {"from": …, "to": …}}`, or the counts
    /// of an import. Of many lines only what all have come to: `{"discount": {"to": …}}`.
    pub details: Map<String, Value>,
}

/// The fields in which two versions of a product differ, in the order of the form; not a final price
/// that follows from the others.
pub fn changed_fields(before: &Product, after: &NewProduct) -> Map<String, Value> {
    let old = before.details.fields();
    let new = after.fields();
    let follows = after.discount_is_exact()
        && (before.details.price, before.details.discount) != (after.price, after.discount);
    old.zip(new)
        .filter(|((name, from), (_, to))| from != to && !(follows && *name == "finalPrice"))
        .map(|((name, from), (_, to))| {
            (
                name.to_owned(),
                json!({ "from": excerpt(from), "to": excerpt(to) }),
            )
        })
        .collect()
}

/// What can be told of many products that were changed in one act, by the details of the first:
/// each came from a value of its own to the same one.
pub fn told_of_many(details: Map<String, Value>) -> Map<String, Value> {
    let changes = details.into_iter().filter_map(|(name, mut change)| {
        let to = change.get_mut("to")?.take();
        Some((name, json!({ "to": to })))
    });
    changes.collect()
}

/// The settings in which two versions differ, a page of the owner's as `page.about`.
pub fn changed_settings(before: &Settings, after: &Settings) -> Map<String, Value> {
    let (old, new) = (told(before), told(after));
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let value = |of: &Map<String, Value>, name: &str| {
        excerpt(of.get(name).cloned().unwrap_or_else(|| "".into()))
    };
    names
        .into_iter()
        .filter(|name| old.get(*name) != new.get(*name))
        .map(|name| {
            let change = json!({ "from": value(&old, name), "to": value(&new, name) });
            (name.clone(), change)
        })
        .collect()
}

/// The settings by their names; those that were not said are empty.
fn told(settings: &Settings) -> Map<String, Value> {
    let Ok(Value::Object(mut values)) = serde_json::to_value(&settings.shop) else {
        return Map::new();
    };
    values.remove("pages");
    values.remove("sources");
    values.values_mut().for_each(|value| {
        if value.is_null() {
            *value = "".into();
        }
    });
    for page in &settings.shop.pages {
        values.insert(format!("page.{}", page.slug), page.written().into());
    }
    for (source, rules) in &settings.shop.sources {
        let told = match rules.preset {
            Preset::Open => "open".to_owned(),
            Preset::AmazonIndia => "amazon-india".to_owned(),
            Preset::Own => serde_json::to_string(rules).unwrap_or_default(),
        };
        values.insert(format!("source.{source}"), told.into());
    }
    if let Some(mark) = &settings.mark {
        let told = format!("{}, {} bytes", mark.kind, mark.bytes.len());
        values.insert("mark".to_owned(), told.into());
    }
    values
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
