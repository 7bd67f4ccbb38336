//! A product's page, as `frontend/src/features/details` writes it.

use maud::{Markup, html};

use super::format::{count, counted, day, rating};
use super::icons;
use super::product::{Place, buy_link, picture, price_line};
use super::ui::{Look, button, notice};
use crate::domain::{Product, rfc3339};

/// The details of a product, or that there is none.
pub(super) fn details(product: Option<&Product>, disclosure: &str) -> Markup {
    html! {
        div class="py-2 wide:py-4" { (back()) }
        @match product {
            Some(product) => (article(product, disclosure)),
            None => (missing()),
        }
    }
}

fn back() -> Markup {
    html! {
        form method="get" action="/" class="print:hidden" {
            button type="submit" class=(button(Look::Plain, "-ml-3")) {
                (icons::ARROW_LEFT.draw(18, ""))
                "Back"
            }
        }
    }
}

fn missing() -> Markup {
    let rest = html! {
        p class="text-sm text-ink-2" { "It may have been removed from the shop." }
        a data-discover="true" class=(button(Look::Quiet, "")) href="/" { "See all deals" }
    };
    html! {
        h1 tabindex="-1" class="sr-only" { "Product" }
        (notice("Product not found.", &rest))
    }
}

fn article(product: &Product, disclosure: &str) -> Markup {
    let details = &product.details;
    html! {
        article class="pb-16 wide:grid wide:pb-0 \
            wide:grid-cols-[minmax(0,35rem)_minmax(0,1fr)] wide:gap-10" {
            (gallery(product))
            div class="flex flex-col gap-4 pt-4 wide:pt-0" {
                h1 tabindex="-1" class="text-lg font-semibold" { (details.title) }
                p class="tabular text-sm text-ink-2" {
                    span aria-hidden="true" { "★ " }
                    (rating(details.average_rating)) " out of 5 · "
                    (counted(details.total_ratings, "review", "reviews"))
                }
                (price_line(product, true))
                div class="fixed inset-x-0 \
                    bottom-[calc(3.5rem+env(safe-area-inset-bottom))] z-30 grid \
                    grid-cols-[minmax(0,1fr)_minmax(6.25rem,auto)] \
                    grid-rows-[minmax(2.75rem,auto)] gap-2 border-t border-line bg-paper px-4 \
                    py-2 wide:static wide:grid-cols-[minmax(0,20rem)_minmax(6.25rem,auto)] \
                    wide:justify-start wide:border-0 wide:p-0 noscript:grid-cols-1 \
                    print:hidden" {
                    (buy_link(product, "min-w-0 wide:max-w-xs"))
                    button type="button" class=(button(Look::Quiet, "justify-start noscript:hidden")) {
                        (icons::SHARE.draw(16, ""))
                        "Share"
                    }
                }
                p class="text-xs text-ink-3 print:hidden" { (disclosure) }
                p class="hidden text-sm break-all print:block" { (details.affiliate_link) }
                section {
                    h2 class="pb-1 text-base font-semibold" { "Description" }
                    p class="whitespace-pre-line text-base text-ink-2" { (details.description) }
                }
                (facts(product))
            }
        }
    }
}

fn gallery(product: &Product) -> Markup {
    let details = &product.details;
    let pictures = &details.images;
    let several = pictures.len() > 1;
    html! {
        section aria-label="Pictures" {
            ul tabindex=[several.then_some("0")]
                class="-mx-4 flex snap-x snap-mandatory overflow-x-auto [scrollbar-width:none] \
                wide:mx-0 wide:rounded" {
                @for (index, address) in pictures.iter().enumerate() {
                    @let alt = if several {
                        format!("{}, picture {}", details.title, index + 1)
                    } else {
                        details.title.clone()
                    };
                    @let place = if index == 0 { Place::First } else { Place::Below };
                    li class="w-full shrink-0 snap-center" {
                        (picture(
                            address,
                            &alt,
                            "aspect-4/3 max-h-96 w-full rounded-none wide:max-h-none wide:rounded",
                            place,
                        ))
                    }
                }
            }
            @if several { (thumbnails(pictures)) }
        }
    }
}

fn thumbnails(pictures: &[String]) -> Markup {
    html! {
        ul class="flex flex-wrap gap-1 pt-2 wide:gap-2 \
            noscript:hidden print:hidden" {
            @for (index, address) in pictures.iter().enumerate() {
                @let shown = index == 0;
                @let border = if shown { "border-accent" } else { "border-line hover:border-ink-3" };
                li {
                    button type="button" aria-current=(shown)
                        aria-label={ "Show picture " (index + 1) " of " (pictures.len()) }
                        class={ "block overflow-hidden rounded border " (border) } {
                        (picture(address, "", "size-11 rounded-none wide:size-16", Place::Below))
                    }
                }
            }
        }
    }
}

fn facts(product: &Product) -> Markup {
    let details = &product.details;
    let clicks = if product.clicks == 1 {
        "Click"
    } else {
        "Clicks"
    };
    let added = html! {
        time datetime=(rfc3339(product.created_at)) { (day(product.created_at)) }
    };
    html! {
        dl class="grid grid-cols-[8rem_minmax(0,1fr)] text-sm" {
            (fact("Category", &html! { (details.category) }))
            (fact("Source", &html! { (details.source) }))
            (fact("Rating", &html! { (rating(details.average_rating)) " out of 5" }))
            (fact("Reviews", &html! { (count(details.total_ratings)) }))
            (fact(clicks, &html! { (count(product.clicks)) }))
            (fact("Added", &added))
        }
    }
}

fn fact(name: &str, value: &Markup) -> Markup {
    html! {
        div class="col-span-2 grid grid-cols-subgrid border-t border-line py-2" {
            dt class="text-ink-3" { (name) }
            dd class="tabular" { (value) }
        }
    }
}
