//! Price history, as in `price-history.tsx`.

use maud::{Markup, html};

use crate::domain::PLOT;
use crate::http::api::products::prices::PriceHistoryResponse;
use crate::http::pages::format::{day, rupees};

/// Renders the price history, or nothing without one.
pub(super) fn price_history(history: Option<&PriceHistoryResponse>) -> Markup {
    let Some(history) = history.filter(|history| history.since.is_some()) else {
        return html! {};
    };
    let figures = [
        ("Lowest in 30 days", history.low30),
        ("Lowest in 90 days", history.low90),
        ("Usual price", history.usual),
    ];
    let known = figures
        .into_iter()
        .filter_map(|(name, price)| Some((name, price?)));
    html! {
        section class="history" {
            h2 { "Price history" }
            @for line in &history.lines { p { (line) } }
            @if let Some(path) = &history.path {
                svg viewBox={ "0 0 " (PLOT.0) " " (PLOT.1) } preserveAspectRatio="none" aria-hidden="true" {
                    path d=(path);
                }
                dl class="facts" {
                    @for (name, price) in known {
                        div {
                            dt { (name) }
                            dd { (rupees(price)) }
                        }
                    }
                }
                details {
                    summary { "All prices" }
                    ul {
                        @for point in &history.points {
                            li { (day(point.from.0)) ": " (rupees(point.final_price)) }
                        }
                    }
                }
            }
        }
    }
}
