//! Reports of pictures that browsers failed to show, and of those that load again.

use actix_web::{Responder, web};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::json;

#[cfg(test)]
use crate::http::api::openapi::schemas::{AdminRefusals, BodyRefusals, Missing, ProductId};
use crate::http::api::session::Admin;
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::state::AppState;
use crate::store::StoreError;

#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct PictureRequest {
    /// One of the product's image addresses
    #[serde(default)]
    image: String,
}

/// Reports that a browser could not show a product's picture.
#[cfg_attr(test, utoipa::path(
    post, path = "/product/picture-failed/{id}", tag = "products", request_body = PictureRequest, params(ProductId),
    responses(
        (status = 200, description = "Recorded, unless a thousand others are", body = serde_json::Value), Missing,
        BodyRefusals,
    ),
))]
pub(crate) async fn failed(
    state: web::Data<AppState>,
    id: web::Path<String>,
    Json(body): Json<PictureRequest>,
) -> Result<impl Responder, ApiError> {
    let noted = state
        .store()
        .picture_failed(id.into_inner(), body.image, Timestamp::now())
        .await;
    noted.map_err(|error| match error {
        StoreError::NotFound => ApiError::NotFound("There is no such picture."),
        other => other.into(),
    })?;
    Ok(web::Json(json!({ "noted": true })))
}

/// Removes a picture from the list of failed ones, because it loads in an owner's browser.
#[cfg_attr(test, utoipa::path(
    post, path = "/product/picture-loads/{id}", tag = "administration", request_body = PictureRequest,
    params(ProductId), security(("token" = []), ("cookie" = [])),
    responses(
        (status = 200, description = "Whether it was listed", body = serde_json::Value), AdminRefusals, BodyRefusals,
    ),
))]
pub(crate) async fn loads(
    state: web::Data<AppState>,
    _admin: Admin,
    id: web::Path<String>,
    Json(body): Json<PictureRequest>,
) -> Result<impl Responder, ApiError> {
    let forgotten = state
        .store()
        .picture_loads(id.into_inner(), body.image)
        .await?;
    Ok(web::Json(json!({ "forgotten": forgotten })))
}
