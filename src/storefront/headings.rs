//! The heading of a list, for titles, feeds and mails; `headings.ts` writes the same on the screen.

use crate::domain::{Category, Filters, Paise, in_line, short_rupees};

/// Says what a list has, like `Books at Amazon, up to ₹500`.
pub(crate) fn heading(filters: &Filters) -> String {
    if *filters == Filters::default() {
        return "All deals".to_owned();
    }
    let only = match (filters.min_proven.is_some(), filters.ending_soon) {
        (true, true) => Some("Really cheaper, ending soon"),
        (true, false) => Some("Really cheaper"),
        (false, true) => Some("Ending soon"),
        (false, false) => None,
    };
    let category = filters.category.as_ref().map(Category::as_str);
    let collection = filters.collection.as_ref().map(|it| it.name.as_str());
    let only = only.or(collection);
    let mut words = match (&filters.search, only, category) {
        (Some(search), ..) => format!("“{search}”"),
        (None, Some(only), _) => only.to_owned(),
        (None, None, category) => category.unwrap_or("Deals").to_owned(),
    };
    if let Some(category) = category.filter(|_| filters.search.is_some() || only.is_some()) {
        words += &format!(" in {category}");
    }
    if !filters.tags.is_empty() {
        words += &format!(" tagged {}", filters.tags.join(", "));
    }
    if !filters.sources.is_empty() {
        words += &format!(" at {}", filters.sources.join(" or "));
    }
    if let Some(least) = filters.min_discount {
        words += &format!(", {}% off or more", least.whole_percent());
    }
    if let Some(stars) = filters.min_rating {
        words += &format!(", {stars}★ and up");
    }
    if let Some(range) = price_range(filters.min_price, filters.max_price) {
        words += &format!(", {range}");
    }
    // Anybody may have written the words of a search.
    in_line(&words)
}

/// Formats price limits, like `up to ₹1,000`.
fn price_range(least: Option<Paise>, most: Option<Paise>) -> Option<String> {
    match (least, most) {
        (Some(least), Some(most)) => {
            Some(format!("{} to {}", short_rupees(least), short_rupees(most)))
        }
        (Some(least), None) => Some(format!("from {}", short_rupees(least))),
        (None, Some(most)) => Some(format!("up to {}", short_rupees(most))),
        (None, None) => None,
    }
}
