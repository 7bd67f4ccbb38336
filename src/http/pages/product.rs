//! Parts of a product that several screens show, as in `product-card.tsx`, `seller.tsx`, `price-line.tsx`, `buy-link.tsx`, `strip.tsx`, `picture.tsx`, `marked.tsx` and `age.tsx`.

use maud::{Markup, Render, html};

use super::format::{count, counted, percent, rating, rupees};
use super::routes::details_path;
use super::verdict::{verdict_line, verdict_words};
use crate::domain::{
    Paise, Product, State, date_in_india, is_harmless_link, is_harmless_picture, marked_pieces,
};
use crate::http::api::products::cards::CardBody;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Loading {
    /// Loaded first: it decides the page's largest contentful paint.
    First,
    Eager,
    /// Loaded when scrolled into view.
    Lazy,
}

pub(super) fn picture(src: &str, alt: &str, loading: Loading) -> Markup {
    let lazy = (loading == Loading::Lazy).then_some("lazy");
    let priority = (loading == Loading::First).then_some("high");
    html! {
        // A span, because a button may not contain a div.
        span class="picture" {
            img src=[picture_address(src)] alt=(alt) loading=[lazy] fetchpriority=[priority]
                referrerpolicy="no-referrer";
        }
    }
}

pub(super) fn first_picture(product: &Product, loading: Loading) -> Markup {
    let first = product.details.images.first();
    picture(first.map_or("", String::as_str), "", loading)
}

/// Returns an address if a page may show it.
pub(super) fn picture_address(picture: &str) -> Option<&str> {
    Some(picture).filter(|picture| is_harmless_picture(picture))
}

/// Renders the final price and the struck original; of an ended deal only its price, struck.
pub(super) fn price_line(product: &Product, large: bool) -> Markup {
    let details = &product.details;
    let class = if large { "price price-large" } else { "price" };
    if product.state == State::Ended {
        return html! {
            p class="price price-large" {
                @if !product.hides_price() { s { (rupees(details.final_price)) } }
            }
        };
    }
    html! {
        p class=(class) {
            span { (price_text(product)) }
            @if is_reduced(product) { s { (rupees(details.price)) } }
        }
    }
}

/// Renders what the price is below the list price; an empty line on a card without a discount.
pub(super) fn saving_line(product: &Product) -> Markup {
    html! {
        p class="save" {
            @if is_reduced(product) {
                "You save " (rupees(saving(product))) " · −" (percent(product.details.discount))
            }
        }
    }
}

fn is_reduced(product: &Product) -> bool {
    product.details.discount.get() > 0 && product.offers_price()
}

/// Final price, or where it can be seen.
pub(super) fn price_text(product: &Product) -> String {
    if product.hides_price() {
        format!("See price on {}", product.details.source)
    } else {
        rupees(product.details.final_price)
    }
}

pub(super) fn saving(product: &Product) -> Paise {
    let saved = product.details.price.get() - product.details.final_price.get();
    Paise::new(saved).unwrap_or(product.details.final_price)
}

/// Number of ratings and their average, if any; `out_of` follows the average.
pub(super) fn rating_line(product: &Product, out_of: &str) -> String {
    let details = &product.details;
    if product.hides_ratings() {
        return String::new();
    }
    if details.average_rating <= 0.0 {
        return "Not rated yet".to_owned();
    }
    format!(
        "★ {}{out_of} · {}",
        rating(details.average_rating),
        counted(details.total_ratings, "review")
    )
}

pub(super) fn seller(name: &str) -> Markup {
    let first: String = name.chars().take(1).flat_map(char::to_uppercase).collect();
    html! {
        span class="seller" {
            b aria-hidden="true" { (first) }
            (name)
        }
    }
}

/// Renders a card; `number` is its place on the page, for ids.
pub(super) fn card(
    product: &Product,
    number: usize,
    loading: Loading,
    matches: &[String],
) -> Markup {
    let details = &product.details;
    let path = details_path(&product.id);
    let shown = product.shown.as_deref();
    html! {
        article class="card" {
            (first_picture(product, loading))
            h2 id={ "t" (number) } { a href=(path) { (Marked(&details.title, matches)) } }
            (price_line(product, false))
            (saving_line(product))
            (verdict_line(product))
            p class="meta" {
                b { (details.source) }
                (rating_line(product, ""))
            }
            p class="age" {
                span { (counted(product.clicks, "Click")) }
                " · "
                @if let Some(ends) = shown.and_then(|shown| shown.ends.as_ref()) { b { (ends) } }
                @else { "Added " (date_in_india(product.published_at)) }
            }
            p class="summary" {
                @if let Some(words) = shown.and_then(|shown| shown.effective.as_ref()) {
                    b { (words) } br;
                }
                (Marked(&CardBody::excerpt(&details.description), matches))
            }
            div class="card-actions" {
                (buy_link(product, number))
                a href=(path) class="btn" id={ "v" (number) } aria-labelledby={ "v" (number) " t" (number) } {
                    "View Details"
                }
            }
        }
    }
}

/// Renders a row of tiles below a heading, or nothing without products.
pub(super) fn strip(heading: &str, all: &str, all_label: &str, products: &[Product]) -> Markup {
    html! {
        @if !products.is_empty() {
            section {
                div class="strip-head" {
                    h2 { (heading) }
                    a href=(all) { (all_label) }
                }
                ul class="strip" {
                    @for product in products { li { (mini(product)) } }
                }
            }
        }
    }
}

fn mini(product: &Product) -> Markup {
    let details = &product.details;
    html! {
        a href=(details_path(&product.id)) class="mini" {
            (first_picture(product, Loading::Lazy))
            span class="clamp-2" { (details.title) }
            span class="price" { span { (price_text(product)) } }
            (verdict_words(product))
            (seller(&details.source))
        }
    }
}

/// Link text, like `All 1,204 in Books`.
pub(super) fn all_of(total: i64, what: &str) -> String {
    format!("All {} {what}", count(total))
}

/// Renders the link to the seller, named after the heading with the same number.
pub(super) fn buy_link(product: &Product, number: usize) -> Markup {
    let details = &product.details;
    let link = Some(&details.affiliate_link).filter(|link| is_harmless_link(link));
    html! {
        a class="btn" href=[link] target="_blank" rel="sponsored nofollow noopener"
            data-buy id={ "b" (number) } aria-labelledby={ "b" (number) " t" (number) } {
            @if product.state == State::Ended { "See today's price at " } @else { "Buy It on " }
            (details.source)
        }
    }
}

/// Text with highlighted words.
struct Marked<'a>(&'a str, &'a [String]);

impl Render for Marked<'_> {
    fn render_to(&self, page: &mut String) {
        let Self(text, words) = self;
        if words.is_empty() {
            return text.render_to(page);
        }
        for piece in marked_pieces(text, words) {
            if piece.marked {
                html! { mark { (piece.text) } }.render_to(page);
            } else {
                piece.text.render_to(page);
            }
        }
    }
}
