//! The call that counts a click.

use actix_web::{HttpRequest, Responder, web};
use jiff::Timestamp;

#[cfg(test)]
use super::openapi::schemas::{Error, Missing, ProductId, Refusals};
use super::permissions::is_own;
use super::responses::ClicksResponse;
use crate::clicks::{Note, Request};
use crate::http::error::ApiError;
use crate::http::serving::rate_limit::Client;
use crate::http::state::AppState;

// Answered after the commit (decisions, section 7). An unreadable body does not cost the click.
/// Counts a click on a product's link. A body of at most 512 bytes may describe it.
#[cfg_attr(test, utoipa::path(
    post, path = "/product/increament-views/{id}", tag = "products", params(ProductId),
    responses(
        (status = 200, description = "The click is committed", body = ClicksResponse),
        (status = 403, description = "The request came from another site's page", body = Error),
        (status = 507, description = "The shop's disk is full", body = Error), Missing, Refusals,
    ),
))]
pub(crate) async fn record_click(
    state: web::Data<AppState>,
    request: HttpRequest,
    id: web::Path<String>,
    client: Client,
    body: web::Payload,
) -> Result<impl Responder, ApiError> {
    let body = body.to_bytes_limited(Note::MAX_BYTES).await;
    let note = match body {
        Ok(Ok(body)) => Note::read(&body),
        _ => Note::default(),
    };
    let is_own = is_own(&state, &request, client.address()).await;
    let headers = request.headers();
    let now = Timestamp::now();
    let classify = state.classifier().classify(&Request {
        header: &|name| headers.get(name)?.to_str().ok(),
        address: &client.octets(),
        is_own,
        is_https: state.public_url().scheme() == "https",
        host: state.public_url().host_str().unwrap_or_default(),
        product: &id,
        note,
        now,
    });
    let recorded = state.store().record_click(id.into_inner(), now, classify);
    let clicks = recorded.await?;
    Ok(web::Json(ClicksResponse { clicks }))
}
