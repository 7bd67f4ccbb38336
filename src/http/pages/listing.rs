//! The list's page, as `frontend/src/features/listing` writes it.

use maud::{Markup, html};

use super::filters::{active_filters, changed, filter_panel, search_box, sort_row, usual_sort};
use super::format::{count, counted, rating, truncate};
use super::icons;
use super::product::{Place, buy_link, marked, picture, price_line};
use super::routes::details_path;
use super::ui::{Look, button, hidden_fields, notice};
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
        div class="sticky top-0 z-30 -mx-4 bg-paper px-4 py-2 wide:static wide:mx-0 wide:px-0 \
            wide:pt-6" { (search_box(query)) }
        div class="wide:grid wide:grid-cols-[13.75rem_minmax(0,1fr)] wide:gap-x-8 wide:pt-4" {
            (filter_panel(query, facets))
            div {
                div class="list-head" {
                    div class="row-start-2 flex items-baseline gap-2 wide:row-start-1" {
                        h1 tabindex="-1"
                            class="min-w-0 text-base font-semibold wrap-anywhere wide:text-lg" {
                            (heading(query))
                        }
                        p role="status" class="tabular shrink-0 text-sm text-ink-3" {
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
        ul aria-busy="false"
            class="grid wide:grid-cols-2 wide:gap-x-6 wide:gap-y-8 full:grid-cols-3" {
            @for (index, product) in items.iter().enumerate() {
                @let place = match index {
                    0 => Place::First,
                    1..SEEN => Place::Seen,
                    _ => Place::Below,
                };
                li class="border-b border-line wide:border-0" {
                    (card(product, place, &found.matches))
                }
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
        article class="relative grid grid-cols-[6rem_minmax(0,1fr)] gap-x-3 gap-y-1.5 py-2.5 \
            wide:flex wide:h-full wide:flex-col wide:gap-y-2 wide:py-0" {
            (picture(
                details.images.first().map_or("", String::as_str),
                "",
                "size-24 wide:aspect-4/3 wide:h-auto wide:w-full",
                place,
            ))
            div class="flex min-w-0 flex-col gap-1 wide:flex-1" {
                h2 class="text-sm font-semibold wide:min-h-10" {
                    a data-discover="true" href=(path) id={ "deal-" (product.id) }
                        class="stretched line-clamp-2 rounded" { (marked(&details.title, matches)) }
                }
                (price_line(product, false))
                p class="tabular truncate text-xs text-ink-3" {
                    span aria-hidden="true" { "★ " }
                    span class="sr-only" { "Rated " }
                    (rating(details.average_rating)) " · " (reviews) " · " (clicks) " · "
                    (details.source)
                }
                p class="line-clamp-1 text-sm text-ink-2 max-wide:tall:line-clamp-2 wide:line-clamp-3 \
                    wide:min-h-15" {
                    (marked(&truncate(&details.description, DESCRIPTION_LENGTH), matches))
                }
            }
            div class="relative col-span-2 grid grid-cols-[minmax(0,1fr)_minmax(8rem,auto)] gap-2 \
                wide:mt-auto wide:pt-1 print:hidden" {
                (buy_link(product, "min-w-0"))
                a data-discover="true" href=(path) id={ "details-" (product.id) }
                    class=(button(Look::Quiet, "")) { "View Details" }
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
            a data-discover="true" class=(button(Look::Quiet, "")) href=(page_address(&last)) {
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
            p class="text-sm text-ink-2" { "As soon as there are some, they are here." }
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
            p class="text-base" {
                "Did you mean "
                a data-discover="true" href=(page_address(&meant))
                    class="rounded font-semibold text-accent underline underline-offset-2" {
                    (suggestion)
                }
                "?"
            }
        }
        p class="text-sm text-ink-2" { "Try fewer or other words, or look at everything." }
        form method="get" action="/" {
            button type="submit" class=(button(Look::Quiet, "")) { "Clear filters" }
        }
    };
    notice(&title, &rest)
}

/// Previous and next, and a page by its number.
fn pager(query: &ListQuery, pages: i64) -> Markup {
    let page = i64::from(query.page);
    let others = page_parameters(&changed(query, |_| ()));
    html! {
        nav aria-label="Pages" class="flex flex-wrap items-center gap-x-3 gap-y-2 \
            pt-6 wide:mt-8 wide:border-t wide:border-line print:hidden" {
            form method="get" class="flex flex-wrap items-center gap-2 wide:gap-3" {
                (hidden_fields(&others))
                button type="submit" class=(button(Look::Quiet, "")) name="page" value=(page - 1)
                    disabled[page <= 1] {
                    (icons::CHEVRON_LEFT.draw(16, ""))
                    "Previous"
                }
                p aria-live="polite" class="tabular text-sm" {
                    "Page " (count(page)) " of " (count(pages))
                }
                button type="submit" class=(button(Look::Quiet, "")) name="page" value=(page + 1)
                    disabled[page >= pages] {
                    "Next"
                    (icons::CHEVRON_RIGHT.draw(16, ""))
                }
            }
            @if pages > FEW {
                form method="get" class="flex items-center gap-2" {
                    (hidden_fields(&others))
                    label for="go-to-page" class="text-sm text-ink-3" { "Go to page" }
                    input id="go-to-page" name="page" inputmode="numeric" pattern="[0-9]*"
                        autocomplete="off" value="" class="tabular h-11 w-16 rounded border \
                        border-line bg-paper px-2 text-center text-base hover:border-ink-3 \
                        wide:h-9 wide:text-sm";
                    button type="submit" class=(button(Look::Quiet, "")) { "Go" }
                }
            }
        }
    }
}
