//! A product's page, as in `details-page.tsx`, `product-details.tsx`, `gallery.tsx` and `share-button.tsx`.

use maud::{Markup, html};

use super::format::{count, counted, day, rating};
use super::icons;
use super::product::{Place, buy_link, picture, price_line};
use super::ui::notice;
use crate::domain::{Product, rfc3339};

/// The details of a product, or that there is none.
pub(super) fn details(product: Option<&Product>, disclosure: &str) -> Markup {
    html! {
        div class="back" { (back()) }
        @match product {
            Some(product) => (article(product, disclosure)),
            None => (missing()),
        }
    }
}

fn back() -> Markup {
    html! {
        form action="/" {
            button type="submit" class="btn btn-plain" {
                (icons::ARROW_LEFT.draw())
                "Back"
            }
        }
    }
}

fn missing() -> Markup {
    let rest = html! {
        p class="hint" { "It may have been removed from the shop." }
        a class="btn" href="/" { "See all deals" }
    };
    html! {
        h1 tabindex="-1" class="sr-only" { "Product" }
        (notice("Product not found.", &rest))
    }
}

fn article(product: &Product, disclosure: &str) -> Markup {
    let details = &product.details;
    html! {
        article class="product" {
            (gallery(product))
            div class="product-text" {
                h1 tabindex="-1" { (details.title) }
                p class="product-rating" {
                    (rating(details.average_rating)) " out of 5 · "
                    (counted(details.total_ratings, "review", "reviews"))
                }
                (price_line(product, true))
                div class="buy-bar" {
                    (buy_link(product))
                    button type="button" class="btn share needs-script" {
                        (icons::SHARE_2.draw())
                        "Share"
                    }
                }
                p class="fineprint" { (disclosure) }
                p class="printed-link" { (details.affiliate_link) }
                section class="description" {
                    h2 { "Description" }
                    p { (details.description) }
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
                class="gallery" {
                @for (index, address) in pictures.iter().enumerate() {
                    @let alt = if several {
                        format!("{}, picture {}", details.title, index + 1)
                    } else {
                        details.title.clone()
                    };
                    @let place = if index == 0 { Place::First } else { Place::Below };
                    li {
                        (picture(
                            address,
                            &alt,
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
        ul class="thumbs needs-script" {
            @for (index, address) in pictures.iter().enumerate() {
                @let shown = index == 0;
                li {
                    button type="button" aria-current=(shown)
                        aria-label={ "Show picture " (index + 1) " of " (pictures.len()) } {
                        (picture(address, "", Place::Below))
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
        dl class="facts" {
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
        div {
            dt { (name) }
            dd { (value) }
        }
    }
}
