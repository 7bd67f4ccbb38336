//! Activity log entries: one line per administrator's change.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::enums::named;
use super::{NewProduct, Preset, Product, Settings, SourceRules};

/// Maximum length of a logged text, in characters.
const EXCERPT: usize = 200;

named! {
    /// Kind of change.
    Action {
        Added = "added";
        Changed = "changed";
        Deleted = "deleted";
        Imported = "imported";
        Set = "set";
    }
}

/// One log line, or a summary of all lines of a batch.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Activity {
    /// Key of the batch's first line.
    pub batch: i64,
    /// Number of lines summarized; `product`, `title` and `gone` are those of the first.
    pub lines: u64,
    /// True if it reverted a change.
    pub undo: bool,
    pub at: Timestamp,
    /// User name at that time; `command line` for commands.
    pub actor: String,
    /// Id of the actor's account, which may be gone; `None` for keys, commands and the server.
    pub account: Option<String>,
    pub action: Action,
    pub product: Option<String>,
    /// The product's title at that time.
    pub title: Option<String>,
    /// True if the product no longer exists.
    pub gone: bool,
    /// Changed fields as `{"price": {"from": …, "to": …}}`, or the counts of an import. A summary
    /// has only the common new values, `{"discount": {"to": …}}`, and nothing of an undo.
    pub details: Map<String, Value>,
}

/// Detail of a bulk change of prices, in words; each product has prices of its own.
pub const PRICE_CHANGE: &str = "priceChange";

/// Returns the fields that differ, in the order of the form.
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

/// Reduces the details of a batch's first line to the new values, which all its products share.
pub fn common_changes(details: Map<String, Value>) -> Map<String, Value> {
    let changes_prices = details.contains_key(PRICE_CHANGE);
    let changes = details.into_iter().filter_map(|(name, mut change)| {
        let is_own = match changes_prices {
            true => name != PRICE_CHANGE,
            false => name == "finalPrice",
        };
        if is_own {
            return None;
        }
        let to = change.get_mut("to")?.take();
        Some((name, json!({ "to": to })))
    });
    changes.collect()
}

/// Returns the settings that differ; an owner's page is named like `page.about`.
pub fn changed_settings(before: &Settings, after: &Settings) -> Map<String, Value> {
    let (old, new) = (by_name(before), by_name(after));
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let value = |of: &Map<String, Value>, name: &str| {
        let unset = || Value::from("");
        of.get(name).cloned().unwrap_or_else(unset)
    };
    let changes = names.into_iter().filter_map(|name| {
        let (from, to) = (value(&old, name), value(&new, name));
        (from != to).then(|| {
            let change = json!({ "from": excerpt(from), "to": excerpt(to) });
            (name.clone(), change)
        })
    });
    changes.collect()
}

/// Returns the settings by name; unset ones are empty.
fn by_name(settings: &Settings) -> Map<String, Value> {
    let Ok(Value::Object(mut values)) = serde_json::to_value(&settings.shop) else {
        return Map::new();
    };
    values.remove("pages");
    values.remove("sources");
    values.remove("tags");
    values.remove("shops");
    values.remove("sellerNames");
    values.values_mut().for_each(|value| {
        if value.is_null() {
            *value = "".into();
        }
    });
    for page in &settings.shop.pages {
        values.insert(format!("page.{}", page.slug), page.to_markdown().into());
    }
    for (source, rules) in &settings.shop.sources {
        let words = match rules.preset {
            Preset::Open => "open".to_owned(),
            Preset::AmazonIndia => "amazon-india".to_owned(),
            Preset::Own => serde_json::to_string(&SourceRules {
                text: String::new(),
                ..rules.clone()
            })
            .unwrap_or_default(),
        };
        values.insert(format!("source.{source}"), words.into());
        values.insert(format!("sellerText.{source}"), rules.text.as_str().into());
    }
    for (source, tag) in &settings.shop.tags {
        values.insert(format!("tag.{source}"), tag.as_str().into());
    }
    for shop in &settings.shop.shops {
        let summary = format!(
            "{}, {}, {}",
            shop.hosts.join(" "),
            shop.product_id,
            shop.tag_parameter
        );
        values.insert(format!("shop.{}", shop.name), summary.into());
    }
    if let Some(logo) = &settings.logo {
        let summary = format!("{}, {} bytes", logo.kind, logo.bytes.len());
        values.insert("mark".to_owned(), summary.into());
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
