//! Above the unfiltered list, as in `shelves.tsx`: a summary of the shop and short ranked lists.

use jiff::Timestamp;
use maud::{Markup, html};

use crate::domain::{CONSTANTS, Facets, Home, Product};
use crate::http::pages::format::{count, counted, day, rupees};
use crate::http::pages::product::{Loading, first_picture, price_text, saved};
use crate::http::pages::routes::details_path;
use crate::http::storefront::Storefront;

pub(super) fn above_the_list(front: &Storefront, facets: &Facets, home: &Home) -> Markup {
    html! {
        (intro(front, facets, home.updated))
        @if facets.all > CONSTANTS.min_for_shelves { (shelves(home)) }
    }
}

fn intro(front: &Storefront, facets: &Facets, updated: Option<Timestamp>) -> Markup {
    let more = if facets.sources.len() >= CONSTANTS.max_sellers {
        "+"
    } else {
        ""
    };
    let sellers = i64::try_from(facets.sources.len()).unwrap_or_default();
    let tagline = &front.settings.shop.tagline;
    html! {
        @if let Some(updated) = updated {
            p class="intro" {
                @if !tagline.is_empty() { strong { (tagline) } " " }
                (counted(facets.all, "deal")) " from "
                (count(sellers)) (more) (if sellers == 1 { " seller" } else { " sellers" })
                " · updated " (day(updated))
            }
        }
    }
}

fn shelves(home: &Home) -> Markup {
    let clicked = home.popular.partition_point(|product| product.clicks > 0);
    let clicked = &home.popular[..clicked.min(CONSTANTS.shelf)];
    let shelves = [&home.savings, clicked, &home.newest];
    let shelves = shelves.iter().filter(|shelf| !shelf.is_empty()).count();
    let today = format!("All {}", count(home.today));
    html! {
        div class="shelves" data-shelves=(shelves) {
            (shelf("Biggest savings", "/?sortBy=discount", "All", &home.savings, |product| html! {
                span class="save" { (rupees(saved(product))) " saved" }
            }))
            (shelf("Most clicked", "/?sortBy=clicks", "All", clicked, |product| html! {
                span { (counted(product.clicks, "Click")) }
            }))
            (shelf("New today", "/", &today, &home.newest, |product| html! {
                span { (product.details.source) }
            }))
        }
    }
}

fn shelf(
    heading: &str,
    all: &str,
    all_label: &str,
    products: &[Product],
    below_price: impl Fn(&Product) -> Markup,
) -> Markup {
    html! {
        @if !products.is_empty() {
            section class="shelf" {
                div class="shelf-head" {
                    h2 { (heading) }
                    a href=(all) aria-label={ (all_label) ": " (heading) } { (all_label) }
                }
                ol {
                    @for product in products {
                        li {
                            a href=(details_path(&product.id)) class="tile" {
                                (first_picture(product, Loading::Lazy))
                                span class="clamp-2" { (product.details.title) }
                                span class="tile-sum" {
                                    b { (price_text(product)) }
                                    (below_price(product))
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
