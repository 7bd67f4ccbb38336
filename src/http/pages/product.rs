//! Parts of a product that several screens show, as in `product-card.tsx`, `seller.tsx`, `price-line.tsx`, `buy-link.tsx`, `strip.tsx`, `picture.tsx` and `marked.tsx`.

use maud::{Markup, Render, html};

use super::format::{count, counted, percent, rating, rupees};
use super::routes::details_path;
use crate::domain::{
    Paise, Product, State, is_harmless_link, is_harmless_picture, marked_pieces, time_in_india,
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
        div class="picture" {
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

/// Renders the final price, then the struck original and the saving; of an ended deal only its
/// price, struck.
pub(super) fn price_line(product: &Product, large: bool) -> Markup {
    let details = &product.details;
    if product.state == State::Ended {
        return html! {
            p class="price price-large" {
                @if !product.hides_price() { s { (rupees(details.final_price)) } }
            }
        };
    }
    let discounted = details.discount.get() > 0 && !product.hides_price();
    html! {
        p class=(if large { "price price-large" } else { "price" }) {
            span { (price_text(product)) }
            @if let Some(at) = product.price_as_of() {
                small { "as of " (time_in_india(at)) }
            }
            @if discounted {
                s { (rupees(details.price)) }
                @if large { (discount_badge(product)) }
                span class="save" { "You save " (rupees(saved(product))) }
            }
            @if let Some(shown) = &product.shown {
                @if let Some(words) = &shown.effective { b class="effective" { (words) } }
                @if let Some(badge) = shown.badge { b class="badge" { (badge.as_str()) } }
                @if let Some(ends) = &shown.ends { b class="badge ends" { (ends) } }
            }
        }
    }
}

/// Final price, or where it can be seen.
pub(super) fn price_text(product: &Product) -> String {
    if product.hides_price() {
        format!("See price on {}", product.details.source)
    } else {
        rupees(product.details.final_price)
    }
}

/// Returns true if the page may state a price: the seller's programme allows it and the deal has
/// not ended.
pub(super) fn offers_price(product: &Product) -> bool {
    !product.hides_price() && product.state != State::Ended
}

pub(super) fn saved(product: &Product) -> Paise {
    let saved = product.details.price.get() - product.details.final_price.get();
    Paise::new(saved).unwrap_or(product.details.final_price)
}

fn discount_badge(product: &Product) -> Markup {
    let discount = product.details.discount;
    html! {
        @if discount.get() > 0 && !product.hides_price() { span class="badge" { "−" (percent(discount)) } }
    }
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

pub(super) fn card(product: &Product, loading: Loading, matches: &[String]) -> Markup {
    let details = &product.details;
    let path = details_path(&product.id);
    let clicks = (product.clicks == 0).then_some("meta-none");
    html! {
        article class="card" {
            (first_picture(product, loading))
            (discount_badge(product))
            h2 { a href=(path) { (Marked(&details.title, matches)) } }
            (price_line(product, false))
            p class="rating" { (rating_line(product, "")) }
            p class="meta" {
                (seller(&details.source))
                span class=[clicks] { (counted(product.clicks, "Click")) }
            }
            p class="summary" {
                (Marked(&CardBody::excerpt(&details.description), matches))
            }
            div class="card-actions" {
                (buy_link(product))
                a href=(path) class="btn btn-plain" { "View Details" }
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
            span class="price" {
                span { (price_text(product)) }
                @if details.price > product.details.final_price && !product.hides_price() {
                    span class="save" { "You save " (rupees(saved(product))) }
                }
            }
            (seller(&details.source))
        }
    }
}

/// Link text, like `All 1,204 in Books`.
pub(super) fn all_of(total: i64, what: &str) -> String {
    format!("All {} {what}", count(total))
}

pub(super) fn buy_link(product: &Product) -> Markup {
    let details = &product.details;
    let link = Some(&details.affiliate_link).filter(|link| is_harmless_link(link));
    html! {
        a class="btn btn-primary" href=[link] target="_blank"
            rel="sponsored nofollow noopener" data-buy {
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
