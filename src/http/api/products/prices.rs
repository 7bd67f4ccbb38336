//! The calls about former prices.

use actix_web::{HttpRequest, HttpResponse, Responder, web};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::about_product;
use crate::domain::{
    FieldError, Paise, PriceBadge, PriceFigures, PriceHistory, PriceRun, Product, Rfc3339,
    date_in_india, price_path,
};
#[cfg(test)]
use crate::http::api::openapi::schemas::{AdminRefusals, BodyRefusals, Missing, Refusals};
use crate::http::api::responses::MessageResponse;
use crate::http::api::session::Admin;
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::serving::response_cache::Content;
use crate::http::state::AppState;
use crate::store::{Store, StoreError};

/// Former prices that are told at most: the last ones.
const MOST: usize = 400;

/// The answer of `price-history/{id}`.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct PriceHistoryResponse {
    /// Since when the price is watched; null where nothing is kept
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime))]
    pub(crate) since: Option<Rfc3339>,
    /// The lowest of the last 30 days, before it was what it is
    #[cfg_attr(test, schema(value_type = Option<f64>))]
    pub(crate) low30: Option<Paise>,
    /// The lowest of the last 90 days, before it was what it is
    #[cfg_attr(test, schema(value_type = Option<f64>))]
    pub(crate) low90: Option<Paise>,
    /// The median of the last 90 days, each price by its time
    #[cfg_attr(test, schema(value_type = Option<f64>))]
    pub(crate) usual: Option<Paise>,
    /// Lowest in 90 days, Good price, Usual price or List price raised
    pub(crate) badge: Option<&'static str>,
    /// What is said of it
    pub(crate) lines: Vec<String>,
    /// The line of its plot over 90 days, as the data of an SVG path of 600 by 120; null where the price
    /// was always the same
    pub(crate) path: Option<String>,
    /// Each price with its time, the oldest first
    pub(crate) points: Vec<PointBody>,
}

/// A price, and from when until when it was seen.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct PointBody {
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    pub(crate) from: Rfc3339,
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    pub(crate) until: Rfc3339,
    #[cfg_attr(test, schema(value_type = f64))]
    pub(crate) price: Paise,
    #[cfg_attr(test, schema(value_type = f64))]
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
    fn new(history: &PriceHistory, figures: Option<&PriceFigures>, now: Timestamp) -> Self {
        let (runs, points) = (history.runs(), history.points());
        let tracked = figures.map(|figures| {
            let day = date_in_india(figures.since);
            format!("Tracked since {day}.")
        });
        let text = figures.and_then(|figures| figures.badge_text.clone());
        Self {
            since: figures.map(|figures| Rfc3339(figures.since)),
            low30: figures.and_then(|figures| figures.low30),
            low90: figures.and_then(|figures| figures.low90),
            usual: figures.and_then(|figures| figures.usual),
            badge: figures.and_then(|figures| figures.badge.map(PriceBadge::as_str)),
            lines: text.into_iter().chain(tracked).collect(),
            path: price_path(runs, now),
            points: points
                .iter()
                .skip(points.len().saturating_sub(MOST))
                .map(PointBody::from)
                .collect(),
        }
    }

    /// What is told of a product's former prices: nothing where its price may not be shown.
    pub(crate) fn of(store: &Store, product: &Product) -> Result<Self, StoreError> {
        let now = Timestamp::now();
        let history = if product.hides_price() {
            PriceHistory::new(Vec::new(), now)
        } else {
            store.price_history(&product.id, now)?
        };
        let figures = history.figures(product.details.discount);
        Ok(Self::new(&history, figures.as_ref(), now))
    }
}

/// What a product cost before, and what that tells of its price.
#[cfg_attr(test, utoipa::path(get, path = "/product/price-history/{id}", tag = "products", params(("id" = String, Path, description = "The product's _id")), responses((status = 200, description = "The prices", body = PriceHistoryResponse), Missing, Refusals)))]
pub(crate) async fn price_history(
    state: web::Data<AppState>,
    request: HttpRequest,
    id: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    let id = id.into_inner();
    about_product(&state, &request, id, |store, product| {
        Content::json(&PriceHistoryResponse::of(store, product)?)
    })
    .await
}

/// The body of `strike-price`.
#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct StrikeRequest {
    /// When the wrong price was first seen, as price-history says it
    #[serde(default)]
    #[cfg_attr(test, schema(format = DateTime))]
    from: String,
}

/// Strikes out a former price that was wrong.
#[cfg_attr(test, utoipa::path(post, path = "/product/strike-price/{id}", tag = "administration", request_body = StrikeRequest, params(("id" = String, Path, description = "The product's _id")), security(("token" = []), ("cookie" = [])), responses((status = 200, description = "It counts no more", body = MessageResponse), Missing, AdminRefusals, BodyRefusals)))]
pub(crate) async fn strike_price(
    state: web::Data<AppState>,
    admin: Admin,
    id: web::Path<String>,
    Json(body): Json<StrikeRequest>,
) -> Result<impl Responder, ApiError> {
    let from = body.from.trim().parse().map_err(|_| {
        let rule = "from must be the time of a former price, like 2026-01-31T08:30:00.000Z.";
        ApiError::Invalid(vec![FieldError::new("from", rule)])
    })?;
    let struck = state
        .store()
        .strike_price(id.into_inner(), from, admin.name(), Timestamp::now())
        .await;
    match struck {
        Err(StoreError::NotFound) => Err(ApiError::NotFound("There is no such price.")),
        Err(StoreError::Conflict(_)) => Err(ApiError::Conflict(
            "This is the price now. Change the product instead.".to_owned(),
        )),
        other => {
            other?;
            Ok(web::Json(MessageResponse {
                message: "The price is struck out.",
            }))
        }
    }
}
