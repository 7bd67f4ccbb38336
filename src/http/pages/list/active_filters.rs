//! The active filters, as in `active-filters.tsx`.

use maud::{Markup, html};

use super::address::page_address;
use super::filters::{changed, end_soon, relation};
use crate::domain::{Filters, ListQuery};
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
                        a href=(page_address(without)) rel=[relation(without)] aria-label={ "Remove " (label) }
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
    let active = Filters::NAMES.into_iter().filter_map(|name| {
        let filters = query.filters.without(name)?;
        let without = changed(query, |next| {
            next.filters = filters.clone();
            if name == "endingSoon" {
                end_soon(next, false);
            }
        });
        Some((name, label(&query.filters, name)?, without))
    });
    active.collect()
}

fn label(filters: &Filters, name: &str) -> Option<String> {
    Some(match name {
        "search" => format!("“{}”", filters.search.as_ref()?),
        "category" => filters.category?.to_string(),
        "source" => filters.source.clone()?,
        "minPrice" => format!("From {}", rupees(filters.min_price?)),
        "maxPrice" => format!("Up to {}", rupees(filters.max_price?)),
        "minDiscount" => format!("{} off or more", percent(filters.min_discount?)),
        "minProven" => filters.min_proven.map(|_| "Really cheaper".to_owned())?,
        _ => "Ending soon".to_owned(),
    })
}
