//! The list, as in `listing-page.tsx`, `results.tsx`, `empty-list.tsx`, `empty-shop.tsx` and `pager.tsx`.

mod active_filters;
pub(super) mod address;
pub(super) mod filters;
mod headings;
mod home;

use maud::{Markup, html};

use self::active_filters::active_filters;
use self::address::{default_sort, feed_address, page_address, page_parameters};
use self::filters::{changed, filter_panel, sort_row, tabs};
pub(super) use self::headings::heading;
use self::headings::price_range;
use super::format::{count, counted};
use super::icons;
use super::product::{Loading, card, strip};
use super::ui::{hidden_fields, notice};
use crate::domain::{CONSTANTS, ListQuery, Listing, Order, Product};
use crate::http::storefront::{ListShown, Storefront};

/// Renders the list with its filters, and above an unfiltered one the picks.
pub(super) fn listing(front: &Storefront, query: &ListQuery, shown: &ListShown) -> Markup {
    let ListShown {
        found,
        facets,
        home,
    } = shown;
    let pages = found.page.total_pages(query.limit);
    if found.page.total == 0 && query.page == 1 && is_unfiltered(query) {
        return empty_shop(front);
    }
    let home = home.as_ref().filter(|_| *query == ListQuery::default());
    html! {
        @if let Some(home) = home { (home::above_the_list(front, facets, home)) }
        div class="list" {
            (filter_panel(query, facets))
            div {
                div class="list-head" {
                    div class="list-title" {
                        @if home.is_some() { h2 tabindex="-1" { (heading(query)) } }
                        @else { h1 tabindex="-1" { (heading(query)) } }
                        p role="status" {
                            (counted(found.page.total, "deal")) (price_limits(found)) (also(found))
                        }
                    }
                    (tabs(query, facets))
                    (sort_row(query))
                }
                (active_filters(query))
                (results(query, shown, pages))
                @if i64::from(query.page) <= pages && found.page.total > 0 {
                    (pager(query, pages))
                    @if query.page == 1 {
                        a href=(feed_address(&query.filters)) class="btn btn-plain"
                            rel=[(query.filters.count() > 0).then_some("nofollow")] { "Feed of this list" }
                    }
                }
            }
        }
        @if let Some(home) = home { (home::below_the_list(facets, home)) }
    }
}

/// Returns true if the query has no filters: only its order and page may differ from the home page's.
pub(super) fn is_unfiltered(query: &ListQuery) -> bool {
    let unsorted = changed(query, |next| {
        next.sort_by = default_sort(&next.filters);
        next.order = Order::Desc;
    });
    page_address(&unsorted) == "/"
}

/// Renders the list of a shop without products: nothing to filter or sort.
fn empty_shop(front: &Storefront) -> Markup {
    let shop = &front.settings.shop;
    let tagline = &shop.tagline;
    html! {
        div class="opening" {
            img src=(front.logo.path) alt="" width="64" height="64";
            h1 tabindex="-1" { "Opening soon" }
            @if !tagline.is_empty() { p { (tagline) } }
            p { "The first deals will be here soon, each with the day its price was seen." }
            div {
                @for (name, link) in shop.channels() {
                    a href=(link) class="btn" { "Follow on " (name) }
                }
                a href="/feed.xml" class="btn" { "Follow by feed" }
            }
        }
    }
}

/// Price limits read from a search, like ` · up to ₹1,000.00`.
fn price_limits(found: &Listing<Product>) -> String {
    let (least, most) = found.price_read;
    price_range(least, most).map_or_else(String::new, |range| format!(" · {range}"))
}

/// Other words that were searched for, like ` · also “saree”`.
fn also(found: &Listing<Product>) -> String {
    let words: Vec<_> = found.also.iter().map(|word| format!("“{word}”")).collect();
    match words.as_slice() {
        [] => String::new(),
        words => format!(" · also {}", words.join(", ")),
    }
}

fn results(query: &ListQuery, shown: &ListShown, pages: i64) -> Markup {
    let found = &shown.found;
    let items = &found.page.items;
    // Picks are seen first.
    let is_below = shown.home.is_some() && *query == ListQuery::default();
    if items.is_empty() {
        return nothing(query, shown, pages);
    }
    html! {
        ul class="cards" {
            @for (index, product) in items.iter().enumerate() {
                @let loading = match index {
                    _ if is_below => Loading::Lazy,
                    0 => Loading::First,
                    _ if index < CONSTANTS.eager_cards => Loading::Eager,
                    _ => Loading::Lazy,
                };
                li { (card(product, index, loading, &found.matches)) }
            }
        }
    }
}

fn nothing(query: &ListQuery, shown: &ListShown, pages: i64) -> Markup {
    let ListShown { found, home, .. } = shown;
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
        let page = count(i64::from(query.page));
        return notice(&format!("There is no page {page}."), &last);
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
        @if !found.relaxed.is_empty() {
            ul class="relaxed" {
                @for (name, total) in &found.relaxed {
                    @let (label, without) = active_filters::without(query, name);
                    li {
                        a href=(page_address(&without)) class="link" {
                            "Without " (label) ": " (counted(*total, "deal"))
                        }
                    }
                }
            }
        }
        form action="/" {
            button type="submit" class="btn" { "Clear filters" }
        }
    };
    html! {
        (notice(&title, &rest))
        @if let Some(home) = home {
            (strip(home.picks.heading(), "/", "All deals", &home.picks.products))
        }
    }
}

/// Renders links to the previous, the next and a numbered page.
fn pager(query: &ListQuery, pages: i64) -> Markup {
    let page = i64::from(query.page);
    let first = changed(query, |_| ());
    let others = page_parameters(&first);
    html! {
        nav aria-label="Pages" class="pager" {
            div {
                (turn(query, "prev", (page > 1).then(|| query.page - 1), &html! {
                    (icons::CHEVRON_LEFT)
                    "Previous"
                }))
                p aria-live="polite" {
                    "Page " (count(page)) " of " (count(pages))
                }
                (turn(query, "next", (page < pages).then(|| query.page + 1), &html! {
                    "Next"
                    (icons::CHEVRON_RIGHT)
                }))
            }
            @if pages >= CONSTANTS.min_for_page_field {
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

/// Renders a link to a page, or a disabled button without one.
fn turn(query: &ListQuery, relation: &str, to: Option<u32>, label: &Markup) -> Markup {
    let Some(page) = to else {
        return html! { button type="button" class="btn" disabled { (label) } };
    };
    let address = page_address(&ListQuery {
        page,
        ..query.clone()
    });
    html! { a class="btn" rel=(relation) href=(address) { (label) } }
}
