//! A product's page, as in `details-page.tsx`, `product-details.tsx`, `shelves.tsx`, `long-text.tsx`, `gallery.tsx`, `share-button.tsx`, `report-over.tsx` and `shop.tsx`.

use maud::{Markup, html};

use super::history::price_history;
use super::offers::offers;
use crate::domain::{
    Alike, CONSTANTS, Category, Facets, Filters, Product, RemovedProduct, State, line_fields,
    rfc3339,
};
use crate::http::api::products::prices::PriceHistoryResponse;
use crate::http::pages::format::{counted, day};
use crate::http::pages::icons;
use crate::http::pages::layout::category_address;
use crate::http::pages::list::address::filters_address;
use crate::http::pages::product::{
    Loading, all_of, buy_link, picture, price_line, price_text, rating_line, saving_line, seller,
    strip,
};
use crate::http::pages::routes::details_path;
use crate::http::pages::ui::notice;
use crate::http::pages::verdict::verdict_plate;
use crate::http::storefront::Storefront;

/// Data of the page.
pub(in crate::http::pages) struct Contents<'a> {
    pub(in crate::http::pages) product: Option<&'a Product>,
    /// Without a product: the one that was deleted.
    pub(in crate::http::pages) removed: Option<&'a RemovedProduct>,
    pub(in crate::http::pages) alike: &'a Alike,
    pub(in crate::http::pages) history: Option<&'a PriceHistoryResponse>,
    pub(in crate::http::pages) front: &'a Storefront,
    pub(in crate::http::pages) facets: &'a Facets,
}

/// Renders a product's page, or that there is none.
pub(in crate::http::pages) fn details(contents: &Contents<'_>) -> Markup {
    let Contents {
        product,
        removed,
        alike,
        history,
        front,
        facets,
    } = *contents;
    let category = product
        .map(|product| product.details.category)
        .or(removed.map(|removed| removed.category));
    html! {
        div class="back" data-over[product.is_some()] {
            (back())
            (crumbs(category))
        }
        @match product {
            Some(product) => {
                (article(product, alike, history, front))
                @let details = &product.details;
                (shelves(details.category, &details.source, alike, facets))
            }
            None => {
                (missing(removed))
                @if let Some(removed) = removed {
                    (shelves(removed.category, &removed.source, alike, facets))
                }
            }
        }
    }
}

fn back() -> Markup {
    html! {
        form action="/" {
            button type="submit" class="btn btn-plain" {
                (icons::ARROW_LEFT)
                "Back"
            }
        }
    }
}

fn crumbs(category: Option<Category>) -> Markup {
    html! {
        @if let Some(category) = category {
            nav aria-label="Breadcrumb" {
                ol class="crumbs" {
                    li { a href="/" { "All deals" } }
                    li { a href=(category_address(category)) { (category) } }
                }
            }
        }
    }
}

fn missing(removed: Option<&RemovedProduct>) -> Markup {
    let rest = html! {
        p class="hint" {
            @match removed {
                Some(removed) => (removed.sentence()),
                None => "It may have been removed from the shop.",
            }
        }
        a class="btn" href="/" { "See all deals" }
    };
    html! {
        h1 tabindex="-1" class="sr-only" { "Product" }
        (notice("Product not found.", &rest))
    }
}

fn article(
    product: &Product,
    alike: &Alike,
    history: Option<&PriceHistoryResponse>,
    front: &Storefront,
) -> Markup {
    let details = &product.details;
    let shown = product.shown.as_deref();
    html! {
        article class="product" {
            (gallery(product))
            div class="buy-box" {
                @let long_title = long_title(&details.title);
                div class=[long_title] {
                    h1 tabindex="-1" id="t0" { (details.title) }
                    @if long_title.is_some() { (more()) }
                }
                @if let Some(notice) = shown.and_then(|shown| shown.notice.as_ref()) {
                    p class="deal-notice" {
                        (notice)
                        @if let Some((back, words)) = alike.back_again() {
                            " " a href=(details_path(&back.id)) { (words) }
                        }
                    }
                }
                p class="product-rating" {
                    (rating_line(product, " out of 5"))
                    @if !product.hides_ratings() { " · " }
                    (counted(product.clicks, "Click"))
                }
                (price_line(product, true))
                (saving_line(product))
                @if let Some(words) = shown.and_then(|shown| shown.effective.as_ref()) {
                    p class="effective" { (words) }
                }
                @if let Some(ends) = shown.and_then(|shown| shown.ends.as_ref()) {
                    p class="ends" { (ends) }
                }
                (verdict_plate(product))
                (buy_bar(product))
                (offers(product))
                p class="fineprint" { (front.disclosure) }
                @if let Some(shown) = shown && !shown.disclosure.is_empty() {
                    p class="fineprint" { (shown.disclosure) }
                }
                p class="printed-link" { (details.affiliate_link) }
                div class="buy-more" {
                    button type="button" class="btn needs-script" {
                        (icons::SHARE_2)
                        span { "Share" }
                    }
                    @if product.state != State::Ended {
                        button type="button" class="btn btn-plain over needs-script" { "Is this deal over?" }
                    }
                }
            }
            div class="product-more" {
                @if product.state != State::Ended { (price_history(history)) }
                section class="panel description" {
                    h2 { "Description" }
                    div class=[is_long(&details.description, CONSTANTS.long_text).then_some("long")] {
                        p { (details.description) }
                        @if is_long(&details.description, CONSTANTS.long_text) { (more()) }
                    }
                }
                (facts(product))
            }
        }
    }
}

fn long_title(title: &str) -> Option<&'static str> {
    if is_long(title, CONSTANTS.long_title) {
        Some("long")
    } else {
        is_long(title, CONSTANTS.phone_title).then_some("long-phone")
    }
}

fn is_long(text: &str, most: usize) -> bool {
    text.chars().nth(most).is_some()
}

/// Renders the price and the link to the seller: at the bottom of the screen on phones.
fn buy_bar(product: &Product) -> Markup {
    let verdict = product.verdict.as_ref();
    html! {
        div class="buy-bar" {
            @if product.state != State::Ended {
                p aria-hidden="true" {
                    (price_text(product))
                    @if let Some(verdict) = verdict { small { (verdict.words) } }
                }
            }
            (buy_link(product, 0))
        }
    }
}

/// Button that expands a long text.
fn more() -> Markup {
    html! { button type="button" class="more needs-script" aria-expanded="false" { "more" } }
}

fn shelves(category: Category, source: &str, alike: &Alike, facets: &Facets) -> Markup {
    let known = facets.categories.iter().find(|(name, _)| *name == category);
    let in_category = known.map_or(0, |(_, products)| *products);
    let of_seller = filters_address(Filters {
        source: Some(source.to_owned()),
        ..Filters::default()
    });
    html! {
        (strip(
            "More like this",
            &category_address(category),
            &all_of(in_category, &format!("in {category}")),
            &alike.similar,
        ))
        (strip(
            &format!("More from {source}"),
            &of_seller,
            &all_of(alike.seller_total, &format!("of {source}")),
            &alike.seller,
        ))
    }
}

fn gallery(product: &Product) -> Markup {
    let details = &product.details;
    let pictures = &details.images;
    let several = pictures.len() > 1;
    html! {
        section aria-label="Pictures" class="pictures" data-several[several] {
            div class="pictures-frame" {
                ul tabindex=[several.then_some("0")]
                    class="gallery" {
                    @for (index, address) in pictures.iter().enumerate() {
                        @let alt = if several {
                            format!("{}, picture {}", details.title, index + 1)
                        } else {
                            details.title.clone()
                        };
                        @let loading = if index == 0 { Loading::First } else { Loading::Lazy };
                        li {
                            (picture(address, &alt, loading))
                        }
                    }
                }
                @if several {
                    p class="counter needs-script" { "1 / " (pictures.len()) }
                }
                button type="button" class="enlarge needs-script" aria-label="Enlarge" {
                    (icons::MAXIMIZE_2)
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
                        (picture(address, "", Loading::Lazy))
                    }
                }
            }
        }
    }
}

fn facts(product: &Product) -> Markup {
    let details = &product.details;
    let date = |time| {
        html! { time datetime=(rfc3339(time)) { (day(time)) } }
    };
    html! {
        dl class="panel facts" {
            (fact("Category", &html! { (details.category) }))
            (fact("Source", &seller(&details.source)))
            @for (field, _) in line_fields().filter(|(_, line)| line.on_page) {
                @if let Some(text) = details.lines.get(field.name) {
                    (fact(field.label, &html! { (text) }))
                }
            }
            (fact("Added", &date(product.published_at)))
            (fact("Updated", &date(product.updated_at)))
            @if let (State::Live, Some(end)) = (product.state, details.lifetime.ends_at) {
                (fact("Ends", &date(end)))
            }
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
