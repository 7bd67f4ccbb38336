//! The verdict on a price, as in `verdict.tsx`.

use maud::{Markup, html};

use super::format::day;
use crate::domain::{PriceVerdict, Product, SMALL, time_in_india};

/// Renders the line of a card: the verdict, else a hint; never empty.
pub(super) fn verdict_line(product: &Product) -> Markup {
    let as_of = product.price_as_of();
    html! {
        @if let Some(verdict) = product.verdict.as_deref() {
            p class=(class("verdict", verdict)) {
                (small_plot(verdict))
                (verdict.words)
                @if let Some(at) = as_of { small { " as of " (time_in_india(at)) } }
            }
        } @else {
            p class="verdict" {
                @if let Some(at) = as_of { "as of " (time_in_india(at)) }
                @else { "Check the price at " (product.details.source) }
            }
        }
    }
}

/// Renders the verdict on the price of a tile, in words only.
pub(super) fn verdict_words(product: &Product) -> Markup {
    html! {
        @if let Some(verdict) = product.verdict.as_deref() {
            small class=[verdict.kind.is_cheaper().then_some("cheaper")] { (verdict.words) }
        }
    }
}

/// Renders the verdict of the details as a sentence, and when the price was seen.
pub(super) fn verdict_plate(product: &Product) -> Markup {
    if !product.offers_price() {
        return html! {};
    }
    html! {
        @if let Some(verdict) = product.verdict.as_deref() {
            div class=(class("plate", verdict)) {
                (small_plot(verdict))
                p { (verdict.sentence) }
                (seen(product))
            }
        } @else {
            (seen(product))
        }
    }
}

fn seen(product: &Product) -> Markup {
    html! {
        p class="seen" {
            @if let Some(at) = product.price_as_of() { "Price as of " (time_in_india(at)) }
            @else { "Price seen on " (day(product.last_seen())) }
            ". Check the price at " (product.details.source) " before you buy."
        }
    }
}

fn class(part: &str, verdict: &PriceVerdict) -> String {
    let kind = if verdict.kind.is_cheaper() {
        " cheaper"
    } else {
        ""
    };
    format!("{part}{kind}")
}

fn small_plot(verdict: &PriceVerdict) -> Markup {
    html! {
        @if let Some(path) = &verdict.path {
            svg viewBox={ "0 0 " (SMALL.0) " " (SMALL.1) } aria-hidden="true" {
                path d=(path) {}
            }
        }
    }
}
