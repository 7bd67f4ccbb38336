//! Visitors' reports that a deal is over.

use actix_web::{HttpRequest, Responder, web};
use jiff::Timestamp;
use serde_json::json;

use crate::clicks::{Note, Request};
#[cfg(test)]
use crate::http::api::openapi::schemas::{Missing, ProductId, Refusals};
use crate::http::error::ApiError;
use crate::http::serving::rate_limit::Client;
use crate::http::state::AppState;
use crate::store::StoreError;

/// Reports that a deal is over. An address counts once a day and product, and 20 times an hour.
#[cfg_attr(test, utoipa::path(
    operation_id = "report_over",
    post, path = "/product/report-over/{id}", tag = "products", params(ProductId),
    responses((status = 200, description = "Whether it was counted", body = serde_json::Value), Missing, Refusals),
))]
pub(crate) async fn report_over(
    state: web::Data<AppState>,
    request: HttpRequest,
    client: Client,
    id: web::Path<String>,
) -> Result<impl Responder, ApiError> {
    let id = id.into_inner();
    let product = id.clone();
    if !state.query(move |store| store.is_live(&product)).await? {
        return Err(StoreError::NotFound.into());
    }
    let now = Timestamp::now();
    let headers = request.headers();
    let is_first = state.over_reports().is_first_report(&Request {
        header: &|name| headers.get(name)?.to_str().ok(),
        address: &client.octets(),
        is_own: false,
        is_https: false,
        host: "",
        product: &id,
        note: Note::default(),
        now,
    });
    if is_first {
        state.store().report_over(id, now).await?;
    }
    Ok(web::Json(json!({ "noted": is_first })))
}
