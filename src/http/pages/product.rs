//! What the list and the details both show of a product, as in `price-line.tsx`, `buy-link.tsx`, `picture.tsx` and `marked.tsx`.

use maud::{Markup, html};

use super::format::{percent, rupees};
use crate::domain::{Product, is_picture_address, is_web_address, marked_pieces};

/// Where a picture is when nothing is scrolled yet.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The one that is waited for most.
    First,
    Seen,
    Below,
}

pub(super) fn picture(src: &str, alt: &str, place: Place) -> Markup {
    let loading = (place == Place::Below).then_some("lazy");
    let priority = (place == Place::First).then_some("high");
    html! {
        div class="picture" {
            img src=[picture_address(src)] alt=(alt) loading=[loading] fetchpriority=[priority]
                referrerpolicy="no-referrer";
        }
    }
}

/// What a page may lead to (OWASP ASVS 1.2.2). No other link is stored; a database that
/// somebody else changed may hold one.
fn web_address(link: &str) -> Option<&str> {
    Some(link).filter(|link| is_web_address(link))
}

/// What a page may show.
pub(super) fn picture_address(picture: &str) -> Option<&str> {
    Some(picture).filter(|picture| is_picture_address(picture))
}

/// The final price first; the original one, struck, and the saving when discounted.
pub(super) fn price_line(product: &Product, large: bool) -> Markup {
    let details = &product.details;
    let discounted = details.discount.get() > 0;
    html! {
        p class=(if large { "price price-large" } else { "price" }) {
            span {
                @if discounted { span { "Final price " } }
                (rupees(product.final_price))
            }
            @if discounted {
                s {
                    span { "Original price " }
                    (rupees(details.price))
                }
                span { "−" (percent(details.discount)) }
            }
        }
    }
}

/// The way to the seller.
pub(super) fn buy_link(product: &Product) -> Markup {
    let details = &product.details;
    html! {
        a class="btn btn-primary" href=[web_address(&details.affiliate_link)] target="_blank"
            rel="sponsored nofollow noopener" data-buy {
            span { "Buy It on " (details.source) }
            span { "(opens in a new tab)" }
        }
    }
}

/// A text with some of its words marked.
pub(super) fn marked(text: &str, words: &[String]) -> Markup {
    html! {
        @for piece in marked_pieces(text, words) {
            @if piece.marked { mark { (piece.text) } } @else { (piece.text) }
        }
    }
}
