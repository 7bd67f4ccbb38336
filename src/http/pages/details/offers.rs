//! Coupons and other offers beside a product, as in `offers.tsx`.

use jiff::Timestamp;
use maud::{Markup, html};

use crate::domain::{Offer, Product};
use crate::http::pages::format::day;

/// Renders the current coupons and other offers.
pub(super) fn offers(product: &Product) -> Markup {
    let now = Timestamp::now();
    let offers = product.details.offers.iter();
    let open: Vec<&Offer> = offers.filter(|offer| offer.is_open(now)).collect();
    html! {
        @if !open.is_empty() {
            section class="offers" {
                h2 { "Offers" }
                ul {
                    @for offer in open {
                        li {
                            @if !offer.code.is_empty() { code { (offer.code) } }
                            span { (offer.summary()) }
                        }
                    }
                }
                @if let Some(at) = product.offers_checked_at { p class="seen" { "Checked on " (day(at)) "." } }
            }
        }
    }
}
