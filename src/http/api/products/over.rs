//! Visitors' reports that a deal is over.

use actix_web::{HttpRequest, Responder, web};
use jiff::Timestamp;

use crate::clicks::{ClickNote, Request};
use crate::http::api::responses::NotedResponse;
use crate::http::error::ApiError;
use crate::http::routes::{Route, post};
use crate::http::serving::rate_limit::Client;
use crate::http::state::AppState;
use crate::store::StoreError;

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        post("/product/report-over/{id}", report_over)
            .summary(
                "Reports that a deal is over. An address counts once a day and product, and 20 \
                 times an hour.",
            )
            .answers::<NotedResponse>("Whether it was counted")
            .or_missing(),
    ]
}

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
        note: ClickNote::default(),
        now,
    });
    if is_first {
        state.store().report_over(id, now).await?;
    }
    Ok(web::Json(NotedResponse { noted: is_first }))
}
