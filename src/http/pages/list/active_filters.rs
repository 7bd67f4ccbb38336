//! The active filters, as in `active-filters.tsx`.

use maud::{Markup, html};

use super::filters::changed;
use crate::domain::{Filters, ListQuery};
use crate::http::api::list_query::page_address;
use crate::http::pages::format::{percent, rupees};
use crate::http::pages::icons;

/// Renders the active filters, each with a link that removes it.
pub(in crate::http::pages) fn active_filters(query: &ListQuery) -> Markup {
    let active = active(query);
    html! {
        @if !active.is_empty() {
            ul aria-label="Active filters" class="chips" {
                @for (_, label, without) in &active {
                    li {
                        a href=(page_address(without)) aria-label={ "Remove " (label) }
                            class="chip" {
                            span { (label) }
                            (icons::X)
                        }
                    }
                }
                li { a href="/" { "Clear filters" } }
            }
        }
    }
}

/// Returns a filter's label and the query without it.
pub(in crate::http::pages) fn without(query: &ListQuery, name: &str) -> (String, ListQuery) {
    let found = active(query).into_iter().find(|(known, ..)| *known == name);
    found.map_or_else(
        || (name.to_owned(), query.clone()),
        |(_, label, without)| (label, without),
    )
}

/// Returns each active filter: its name, label, and the query without it.
fn active(query: &ListQuery) -> Vec<(&'static str, String, ListQuery)> {
    let filters = &query.filters;
    let without = |take_out: fn(&mut Filters)| changed(query, |next| take_out(&mut next.filters));
    let mut active = Vec::new();
    if let Some(search) = &filters.search {
        active.push((
            "search",
            format!("“{search}”"),
            without(|filters| filters.search = None),
        ));
    }
    if let Some(category) = filters.category {
        active.push((
            "category",
            category.to_string(),
            without(|filters| filters.category = None),
        ));
    }
    if let Some(source) = &filters.source {
        active.push((
            "source",
            source.clone(),
            without(|filters| filters.source = None),
        ));
    }
    if let Some(price) = filters.min_price {
        let label = format!("From {}", rupees(price));
        active.push((
            "minPrice",
            label,
            without(|filters| filters.min_price = None),
        ));
    }
    if let Some(price) = filters.max_price {
        let label = format!("Up to {}", rupees(price));
        active.push((
            "maxPrice",
            label,
            without(|filters| filters.max_price = None),
        ));
    }
    if let Some(discount) = filters.min_discount {
        let label = format!("{} off or more", percent(discount));
        active.push((
            "minDiscount",
            label,
            without(|filters| filters.min_discount = None),
        ));
    }
    if let Some(proven) = filters.min_proven {
        let label = format!("Proven {} or more", percent(proven));
        active.push((
            "minProven",
            label,
            without(|filters| filters.min_proven = None),
        ));
    }
    if filters.ending_soon {
        active.push((
            "endingSoon",
            "Ending soon".to_owned(),
            without(|filters| filters.ending_soon = false),
        ));
    }
    active
}
