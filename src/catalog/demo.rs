//! The demo shop: embedded products and pictures.

use std::cell::Cell;

use jiff::Timestamp;
use rust_embed::{EmbeddedFile, RustEmbed};
use serde_json::{Map, json};

use super::demo_clicks;
use super::demo_life;
use super::formats::{ReadError, deals};
use crate::domain::{CategoryRequest, SettingsChange};
use crate::store::{Import, Store, StoreError};

#[derive(RustEmbed)]
#[folder = "assets/demo/"]
struct Demo;

/// Error while adding the demo products.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// The embedded catalogue is invalid.
    #[error("the demo catalogue cannot be used: {0}")]
    Catalogue(String),
    /// Database error.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<ReadError> for DemoError {
    fn from(error: ReadError) -> Self {
        Self::Catalogue(error.to_string())
    }
}

/// Fills an empty database with the demo products and half a year of prices, and returns the number
/// of products; `None` if it has products already. Two months of clicks and the owner's pages are made
/// up with `with_clicks` only: they stay when the products are deleted.
///
/// # Errors
///
/// [`DemoError`]; the products may have been added without their clicks and prices.
pub fn fill(
    store: &Store,
    import: Import,
    with_clicks: bool,
    now: Timestamp,
) -> Result<Option<u64>, DemoError> {
    let catalogue = Demo::get("products.json")
        .ok_or_else(|| DemoError::Catalogue("it is missing".to_owned()))?;
    if !store.count_sources()?.is_empty() {
        return Ok(None);
    }
    add_categories(store, now)?;
    let categories = store.categories()?;
    deals::read::<DemoError>(&*catalogue.data, &Cell::default(), false, |row, draft| {
        let mut product = draft.into_imported(&categories).map_err(|errors| {
            let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
            DemoError::Catalogue(format!("row {row}: {}", errors.join(" ")))
        })?;
        product.details.lifetime = demo_life::lifetime(&product.details.title, now);
        product.created_at = Some(demo_life::added(row, now));
        product.clicks = product.clicks.filter(|_| with_clicks);
        Ok(import.stage(product)?)
    })?;
    let Some(counts) = import.publish_if_empty(now)? else {
        return Ok(None);
    };
    if with_clicks {
        demo_clicks::make_up(store, now)?;
        add_pages(store, now)?;
    }
    demo_life::make_up(store, now)?;
    Ok(Some(counts.added))
}

/// Categories of the second level: the name of the one above, the name and the drawing.
const CATEGORIES: [[&str; 3]; 3] = [
    ["Electronics", "Audio", "headphones"],
    ["Electronics", "Computers", "laptop"],
    ["Home", "Kitchen", "cooking-pot"],
];

/// Adds the categories that are missing, in the first level if the one above is in the second.
fn add_categories(store: &Store, now: Timestamp) -> Result<(), StoreError> {
    for [above, name, drawing] in CATEGORIES {
        let categories = store.categories()?;
        let above = categories.find(above);
        let above = above.and_then(|above| categories.listed(above));
        if categories.find(name).is_some() {
            continue;
        }
        let request = CategoryRequest {
            name: Some(name.to_owned()),
            parent: above
                .filter(|above| above.parent.is_none())
                .map(|above| above.slug.clone()),
            drawing: Some(drawing.to_owned()),
            ground: above.map(|above| above.ground),
            ..CategoryRequest::default()
        };
        // A refused one is reported with the products.
        let _refused = store
            .add_category(request, demo_life::ACTOR.to_owned(), now)
            .wait()?;
    }
    Ok(())
}

/// Pages of the owner, as names of files whose first line is the title.
const PAGES: [&str; 3] = ["about", "contact", "privacy"];

fn add_pages(store: &Store, now: Timestamp) -> Result<(), StoreError> {
    let pages = PAGES.iter().filter_map(|slug| {
        let file = Demo::get(&format!("pages/{slug}.md"))?;
        let (title, text) = str::from_utf8(&file.data).ok()?.split_once("\n\n")?;
        Some(json!({ "slug": slug, "title": title.trim_start_matches("# "), "text": text }))
    });
    let change = SettingsChange::new(Map::from_iter([("pages".to_owned(), pages.collect())]));
    let changed = store.change_settings(change, None, demo_life::ACTOR.to_owned(), now)?;
    changed
        .map(|_| ())
        .map_err(|error| StoreError::Other(format!("{error:?}")))
}

/// Returns a picture of the demo catalogue by file name.
pub fn picture(name: &str) -> Option<EmbeddedFile> {
    name.ends_with(".svg").then(|| Demo::get(name)).flatten()
}
