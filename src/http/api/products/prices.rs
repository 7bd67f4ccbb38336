//! Calls about former prices.

use actix_web::{HttpRequest, HttpResponse, Responder, web};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{about_product, with_rules};
use crate::domain::{Figure, Paise, PriceHistory, PricePlot, PriceRun, Product, Rfc3339};
use crate::http::api::permissions::{May, WriteProducts};
use crate::http::api::responses::{MessageResponse, ProductResponse};
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::routes::{Route, get, post};
use crate::http::serving::response_cache::Content;
use crate::http::state::AppState;
use crate::store::StoreError;

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        get("/product/price-history/{id}", get_price_history)
            .summary("Returns a product's former prices and what they prove.")
            .answers::<PriceHistoryResponse>("The prices")
            .or_missing()
            .or_unchanged(),
        post("/product/strike-price/{id}", strike_price)
            .without_code()
            .summary("Removes a wrong former price.")
            .answers::<MessageResponse>("Removed")
            .or_missing(),
        post("/product/confirm-price/{id}", record_price_check)
            .without_code()
            .summary(
                "Confirms that a product's final price still holds, which makes now the time of \
                 its last check.",
            )
            .answers::<ProductResponse<'_>>("Confirmed")
            .refuses(409, "The product has another price")
            .or_missing(),
    ]
}

/// Maximum number of former prices in an answer: the latest.
const MAX_POINTS: usize = 400;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PriceHistoryResponse {
    /// Whether the price can be watched with an alert
    pub(crate) alerts: bool,
    /// When recording began; null if nothing is recorded
    #[schema(required = true)]
    pub(crate) since: Option<Rfc3339>,
    /// Lowest of the 30 days before the current price
    #[schema(required = true)]
    pub(crate) low30: Option<Paise>,
    /// Lowest of the 90 days before the current price
    #[schema(required = true)]
    pub(crate) low90: Option<Paise>,
    /// Median of the last 90 days, weighted by time
    #[schema(required = true)]
    pub(crate) usual: Option<Paise>,
    /// Amounts that support the verdict; empty if too little is known
    pub(crate) figures: Vec<FigureBody>,
    /// Null if the price never changed
    #[schema(required = true)]
    pub(crate) plot: Option<PlotBody>,
    /// Prices with their times, the oldest first
    pub(crate) points: Vec<PointBody>,
}

/// An amount with its name, like Lowest before today.
#[derive(Serialize, ToSchema)]
pub(crate) struct FigureBody {
    pub(crate) name: String,
    pub(crate) amount: Paise,
    /// True for what a buyer saves
    pub(crate) saved: bool,
}

impl From<Figure> for FigureBody {
    fn from(figure: Figure) -> Self {
        Self {
            name: figure.name,
            amount: figure.amount,
            saved: figure.is_saved,
        }
    }
}

/// Plot of up to 90 days.
#[derive(Serialize, ToSchema)]
pub(crate) struct PlotBody {
    /// Line as the data of an SVG path of 600 by 120
    pub(crate) path: String,
    /// Times without a price check, as the data of an SVG path; may be empty
    pub(crate) gaps: String,
    /// Prices at equal distances from top to bottom
    pub(crate) levels: Vec<String>,
    /// Days at equal distances from left to right
    pub(crate) dates: Vec<String>,
    /// Points at the lowest and at today's price, as the data of an SVG path
    pub(crate) marks: String,
    /// The lowest price, like Lowest ₹700 on 12 Sep
    pub(crate) lowest: String,
    /// Prices from left to right
    pub(crate) readings: Vec<ReadingBody>,
}

/// A price of a plot, with the ends of its line.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReadingBody {
    pub(crate) left: i64,
    pub(crate) right: i64,
    /// Days and price, like 24 Aug to 12 Sep: ₹700
    pub(crate) words: String,
}

impl From<PricePlot> for PlotBody {
    fn from(plot: PricePlot) -> Self {
        Self {
            path: plot.path,
            gaps: plot.gaps,
            levels: plot.levels,
            dates: plot.dates,
            marks: plot.marks,
            lowest: plot.lowest,
            readings: plot
                .readings
                .into_iter()
                .map(|reading| ReadingBody {
                    left: reading.left,
                    right: reading.right,
                    words: reading.words,
                })
                .collect(),
        }
    }
}

/// A price, and when it was first and last seen.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PointBody {
    pub(crate) from: Rfc3339,
    pub(crate) until: Rfc3339,
    pub(crate) price: Paise,
    pub(crate) final_price: Paise,
}

impl From<&PriceRun> for PointBody {
    fn from(run: &PriceRun) -> Self {
        Self {
            from: Rfc3339(run.from),
            until: Rfc3339(run.until),
            price: run.price,
            final_price: run.final_price,
        }
    }
}

impl PriceHistoryResponse {
    /// Returns a product's price history, or an empty one if its price must be hidden.
    pub(crate) fn of_product(product: &Product) -> Self {
        let nothing = PriceHistory::default();
        let history = if product.hides_price() {
            &nothing
        } else {
            &product.prices
        };
        let figures = history.figures();
        let figures = figures.as_ref();
        let verdict = history.verdict(product.details.discount);
        let points = history.points();
        Self {
            alerts: product.offers_alerts(),
            since: figures.map(|figures| Rfc3339(figures.since)),
            low30: figures.and_then(|figures| figures.low30),
            low90: figures.and_then(|figures| figures.low90),
            usual: figures.and_then(|figures| figures.usual),
            figures: verdict.map_or_else(Vec::new, |verdict| {
                let named = verdict.figures.into_iter();
                named.map(FigureBody::from).collect()
            }),
            plot: history.plot().map(PlotBody::from),
            points: points
                .iter()
                .skip(points.len().saturating_sub(MAX_POINTS))
                .map(PointBody::from)
                .collect(),
        }
    }
}

pub(crate) async fn get_price_history(
    state: web::Data<AppState>,
    request: HttpRequest,
    id: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    let id = id.into_inner();
    about_product(&state, &request, id, |product| {
        Content::json(&PriceHistoryResponse::of_product(product))
    })
    .await
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct StrikeRequest {
    /// When the wrong price was first seen, as in price-history
    #[serde(default)]
    #[schema(format = DateTime)]
    from: String,
}

pub(crate) async fn strike_price(
    state: web::Data<AppState>,
    actor: May<WriteProducts>,
    id: web::Path<String>,
    Json(body): Json<StrikeRequest>,
) -> Result<impl Responder, ApiError> {
    if body.from.trim().is_empty() {
        return Err(ApiError::missing("from"));
    }
    let from = body.from.trim().parse().map_err(|_| {
        let rule = "from must be the time of a former price, like 2026-01-31T08:30:00.000Z.";
        ApiError::invalid("from", rule)
    })?;
    let struck = state
        .store()
        .strike_price(id.into_inner(), from, actor.name(), Timestamp::now())
        .await;
    match struck {
        Err(StoreError::NotFound) => Err(ApiError::NotFound("There is no such price.")),
        Err(StoreError::Conflict(_)) => Err(ApiError::Conflict(
            "This is the current price. Change the product instead.".to_owned(),
        )),
        other => {
            other?;
            Ok(web::Json(MessageResponse {
                message: "The price is struck out.",
            }))
        }
    }
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ConfirmRequest {
    /// Final price in rupees, as seen at the seller's
    #[schema(required = true)]
    final_price: Option<f64>,
}

pub(crate) async fn record_price_check(
    state: web::Data<AppState>,
    actor: May<WriteProducts>,
    id: web::Path<String>,
    Json(body): Json<ConfirmRequest>,
) -> Result<impl Responder, ApiError> {
    let Some(rupees) = body.final_price else {
        return Err(ApiError::missing("finalPrice"));
    };
    let seen = Paise::from_rupees(rupees).ok_or_else(|| {
        ApiError::invalid(
            "finalPrice",
            "finalPrice must be rupees, with at most 2 decimals.",
        )
    })?;
    let confirmed = state
        .store()
        .confirm_price(id.into_inner(), seen, Timestamp::now())
        .await;
    if let Err(StoreError::Conflict(_)) = confirmed {
        let message = "The final price is another one now. Load the product again.";
        return Err(ApiError::Changed(message.to_owned()));
    }
    let product = confirmed?;
    tracing::info!(
        by = actor.id(),
        product = product.id,
        "a price was confirmed"
    );
    let product = with_rules(&state, product).await?;
    Ok(HttpResponse::Ok().json(ProductResponse::from(&product)))
}
