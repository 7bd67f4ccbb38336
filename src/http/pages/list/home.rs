//! Around the unfiltered list, as in `home.tsx`: the promise of the shop and picks above it, categories below.

use maud::{Markup, html};

use super::address::filters_address;
use crate::domain::{CONSTANTS, CategoryTile, Facets, Filters, Home, PriceVerdict, Product};
use crate::http::pages::format::{count, counted};
use crate::http::pages::product::{Loading, first_picture, price_text, rating_line, seller};
use crate::http::pages::routes::details_path;
use crate::http::pages::verdict::verdict_line;
use crate::http::storefront::{HomeShown, Storefront};

pub(super) fn above_the_list(front: &Storefront, facets: &Facets, shown: &HomeShown) -> Markup {
    html! {
        div class="home" {
            (strap(front, facets, shown))
            @if is_large(facets) { (picks(shown, facets)) }
        }
    }
}

pub(super) fn below_the_list(facets: &Facets, shown: &HomeShown) -> Markup {
    let categories = &shown.home.categories;
    html! {
        @if is_large(facets) && categories.len() >= Home::SECTION { (tiles(categories)) }
    }
}

fn is_large(facets: &Facets) -> bool {
    facets.all > CONSTANTS.min_for_picks
}

fn strap(front: &Storefront, facets: &Facets, shown: &HomeShown) -> Markup {
    let tagline = match &front.settings.shop.tagline {
        own if own.is_empty() => &CONSTANTS.tagline,
        own => own,
    };
    let more = if facets.sources.len() >= CONSTANTS.max_sellers {
        "+"
    } else {
        ""
    };
    let sellers = i64::try_from(facets.sources.len()).unwrap_or_default();
    html! {
        section class="strap" {
            div {
                h1 tabindex="-1" { (tagline) }
                p {
                    (counted(facets.all, "deal")) " from "
                    (count(sellers)) (more) (if sellers == 1 { " seller" } else { " sellers" })
                    ". " (shown.promise)
                }
            }
            ul {
                @if let Some(seen) = &shown.seen { li { "Latest price " (seen) } }
                li { "No ads, no tracking" }
                li { a href="#earn" { "How we earn" } }
            }
        }
    }
}

fn picks(shown: &HomeShown, facets: &Facets) -> Markup {
    let all = format!("All {}", count(facets.proven));
    let picks = &shown.picks;
    let about = if picks.are_cheaper {
        Some("below every price of their last 30 days")
    } else {
        picks.note.as_deref()
    };
    html! {
        @if !picks.products.is_empty() {
            section {
                div class="home-head" {
                    h2 { (picks.heading()) }
                    @if let Some(about) = about { p { (about) } }
                    @if picks.are_cheaper {
                        a href="/?minProven=10&sortBy=drop" {
                            (all)
                        }
                    }
                }
                ol class="best" {
                    @for (at, product) in picks.products.iter().enumerate() {
                        li { (pick(product, at, picks.are_cheaper)) }
                    }
                }
            }
        }
    }
}

fn pick(product: &Product, at: usize, is_cheaper: bool) -> Markup {
    let loading = match at {
        0 => Loading::First,
        1 => Loading::Eager,
        _ => Loading::Lazy,
    };
    let verdict = product.verdict.as_deref().filter(|_| is_cheaper);
    html! {
        a href=(details_path(&product.id)) class="best-deal" {
            (first_picture(product, loading))
            div {
                span class="clamp-2" { (product.details.title) }
                span class="price" {
                    span { (price_text(product)) }
                    @if let Some(less) = verdict.and_then(PriceVerdict::less) {
                        b { (less) }
                    }
                }
                @if is_cheaper { (verdict_line(product)) }
                @if let Some(verdict) = verdict.filter(|_| at == 0) { small { (verdict.sentence) } }
                span class="best-foot" {
                    (seller(&product.details.source))
                    @if !is_cheaper { small { (rating_line(product, "")) } }
                }
            }
        }
    }
}

fn tiles(categories: &[CategoryTile]) -> Markup {
    html! {
        ul class="home shop-tiles" {
            @for tile in categories {
                @let list = Filters { category: Some(tile.category), ..Filters::default() };
                li {
                    a href=(filters_address(list)) class="shop-tile" {
                        span {
                            b { (tile.category) }
                            small {
                                (counted(tile.products, "deal"))
                                @if let Some(from) = tile.from_price() { " · from\u{a0}" (from) }
                            }
                        }
                        (first_picture(&tile.picture, Loading::Lazy))
                    }
                }
            }
        }
    }
}
