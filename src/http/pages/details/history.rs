//! Price history, as in `price-history.tsx`.

use maud::{Markup, html};

use crate::domain::PLOT;
use crate::http::api::products::prices::PriceHistoryResponse;
use crate::http::pages::format::{day, rupees};

/// Renders the price history, or nothing if the price never changed.
pub(super) fn price_history(history: Option<&PriceHistoryResponse>) -> Markup {
    let Some((history, plot)) = history.and_then(|it| Some((it, it.plot.as_ref()?))) else {
        return html! {};
    };
    html! {
        section class="panel history" {
            h2 { "What it cost before" }
            div class="price-plot" {
                ol class="levels" {
                    @for level in &plot.levels { li { (level) } }
                }
                svg viewBox={ "0 0 " (PLOT.0) " " (PLOT.1) } preserveAspectRatio="none" aria-hidden="true" {
                    path class="grid" d="M0 10H600M0 60H600M0 110H600" {}
                    path d=(plot.path) {}
                    @if !plot.gaps.is_empty() { path class="gap" d=(plot.gaps) {} }
                }
                ol class="dates" {
                    @for date in &plot.dates { li { (date) } }
                }
            }
            @if !history.figures.is_empty() {
                dl class="price-figures" {
                    @for figure in &history.figures {
                        div {
                            dt { (figure.name) }
                            dd class=[figure.saved.then_some("save")] { (rupees(figure.amount)) }
                        }
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
