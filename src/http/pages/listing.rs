//! The list, as in `listing-page.tsx`, `results.tsx`, `product-card.tsx` and `pager.tsx`.

use maud::{Markup, html};

use super::filters::{active_filters, changed, filter_panel, search_box, sort_row, usual_sort};
use super::format::{count, counted, rating, truncate};
use super::icons;
use super::product::{Place, buy_link, marked, picture, price_line};
use super::routes::details_path;
use super::ui::{hidden_fields, notice};
use crate::domain::{Facets, ListQuery, Listing, Order, Product};
use crate::http::api::list_query::{page_address, page_parameters};

/// Characters of the description on a card (spec section 9).
const DESCRIPTION_LENGTH: usize = 100;
/// Cards that are seen without scrolling, on most screens.
const SEEN: usize = 4;
/// More pages than this can be gone to by number.
const FEW: i64 = 3;

/// What the list shows, in a few words.
pub(super) fn heading(query: &ListQuery) -> String {
    match (&query.filters.search, query.filters.category) {
        (Some(search), Some(category)) => format!("“{search}” in {category}"),
        (Some(search), None) => format!("“{search}”"),
        (None, Some(category)) => category.to_string(),
        (None, None) => "All deals".to_owned(),
    }
}

/// The list with everything around it.
pub(super) fn listing(query: &ListQuery, facets: &Facets, found: &Listing<Product>) -> Markup {
    html! {
        div class="search-bar" { (search_box(query)) }
        div class="list" {
            (filter_panel(query, facets))
            div {
                div class="list-head" {
                    div class="list-title" {
                        h1 tabindex="-1" { (heading(query)) }
                        p role="status" {
                            (counted(found.page.total, "deal", "deals"))
                        }
                    }
                    (sort_row(query))
                }
                (active_filters(query))
                (results(query, found))
                (pager(query, found.page.total_pages(query.limit)))
            }
        }
    }
}

fn results(query: &ListQuery, found: &Listing<Product>) -> Markup {
    let items = &found.page.items;
    if items.is_empty() {
        return nothing(query, found);
    }
    html! {
        ul class="cards" {
            @for (index, product) in items.iter().enumerate() {
                @let place = match index {
                    0 => Place::First,
                    1..SEEN => Place::Seen,
                    _ => Place::Below,
                };
                li { (card(product, place, &found.matches)) }
            }
        }
    }
}

fn card(product: &Product, place: Place, matches: &[String]) -> Markup {
    let details = &product.details;
    let path = details_path(&product.id);
    let clicks = counted(product.clicks, "Click", "Clicks");
    let reviews = counted(details.total_ratings, "review", "reviews");
    html! {
        article class="card" {
            (picture(
                details.images.first().map_or("", String::as_str),
                "",
                place,
            ))
            div class="card-text" {
                h2 { a href=(path) { (marked(&details.title, matches)) } }
                (price_line(product, false))
                p class="rating" {
                    span { "Rated " }
                    (rating(details.average_rating)) " · " (reviews) " · " (clicks) " · "
                    (details.source)
                }
                p class="summary" {
                    (marked(&truncate(&details.description, DESCRIPTION_LENGTH), matches))
                }
            }
            div class="card-actions" {
                (buy_link(product))
                a href=(path) class="btn" { "View Details" }
            }
        }
    }
}

fn nothing(query: &ListQuery, found: &Listing<Product>) -> Markup {
    let pages = found.page.total_pages(query.limit);
    if i64::from(query.page) > pages {
        let last = ListQuery {
            page: u32::try_from(pages).unwrap_or(1),
            ..query.clone()
        };
        let last = html! {
            a class="btn" href=(page_address(&last)) {
                "Go to the last page"
            }
        };
        return notice(&format!("There is no page {}.", query.page), &last);
    }
    let unsorted = changed(query, |next| {
        next.sort_by = usual_sort(&next.filters);
        next.order = Order::Desc;
    });
    if page_address(&unsorted) == "/" {
        let rest = html! {
            p class="hint" { "As soon as there are some, they are here." }
        };
        return notice("No deals yet.", &rest);
    }
    let title = match &query.filters.search {
        Some(search) => format!("No deals match “{search}”."),
        None => "No deals match these filters.".to_owned(),
    };
    let rest = html! {
        @if let Some(suggestion) = &found.suggestion {
            @let meant = changed(query, |next| next.filters.search = Some(suggestion.clone()));
            p {
                "Did you mean "
                a href=(page_address(&meant)) class="link" { (suggestion) }
                "?"
            }
        }
        p class="hint" { "Try fewer or other words, or look at everything." }
        form action="/" {
            button type="submit" class="btn" { "Clear filters" }
        }
    };
    notice(&title, &rest)
}

/// Previous and next, and a page by its number.
fn pager(query: &ListQuery, pages: i64) -> Markup {
    let page = i64::from(query.page);
    let others = page_parameters(&changed(query, |_| ()));
    html! {
        nav aria-label="Pages" class="pager" {
            form class="pager-turn" {
                (hidden_fields(&others))
                button type="submit" class="btn" name="page" value=(page - 1)
                    disabled[page <= 1] {
                    (icons::CHEVRON_LEFT.draw())
                    "Previous"
                }
                p aria-live="polite" {
                    "Page " (count(page)) " of " (count(pages))
                }
                button type="submit" class="btn" name="page" value=(page + 1)
                    disabled[page >= pages] {
                    "Next"
                    (icons::CHEVRON_RIGHT.draw())
                }
            }
            @if pages > FEW {
                form {
                    (hidden_fields(&others))
                    label for="go-to-page" { "Go to page" }
                    input id="go-to-page" name="page" inputmode="numeric" pattern="[0-9]*"
                        autocomplete="off" value="" class="number-field";
                    button type="submit" class="btn" { "Go" }
                }
            }
        }
    }
}
