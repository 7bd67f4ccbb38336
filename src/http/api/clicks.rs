//! The call that counts a click.

use actix_web::{HttpRequest, Responder, web};
use jiff::Timestamp;

use super::permissions::is_own;
use super::responses::ClicksResponse;
use crate::clicks::{ClickNote, Request};
use crate::http::error::ApiError;
use crate::http::routes::{Route, post};
use crate::http::serving::rate_limit::Client;
use crate::http::state::AppState;

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        post("/product/increament-views/{id}", record_click)
            .summary(
                "Counts a click on a product's link. A body of at most 512 bytes may describe it.",
            )
            .details(
                "It is answered once the click is on the disk. The body may be {\"visit\", \
                 \"place\", \"from\", \"webdriver\"}; a wrong one costs no click.",
            )
            .answers::<ClicksResponse>("The click is committed")
            .refuses(403, "The request came from another site's page")
            .refuses(507, "The shop's disk is full")
            .or_missing(),
    ]
}

// Answered after the commit (decisions, section 7). An unreadable body does not cost the click.
pub(crate) async fn record_click(
    state: web::Data<AppState>,
    request: HttpRequest,
    id: web::Path<String>,
    client: Client,
    body: web::Payload,
) -> Result<impl Responder, ApiError> {
    let body = body.to_bytes_limited(ClickNote::MAX_BYTES).await;
    let note = match body {
        Ok(Ok(body)) => ClickNote::read(&body),
        _ => ClickNote::default(),
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
