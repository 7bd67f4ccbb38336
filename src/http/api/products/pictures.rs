//! The calls by which browsers tell of pictures that they could not show, and of those that load
//! again.

use actix_web::{Responder, web};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::json;

#[cfg(test)]
use crate::http::api::openapi::schemas::{AdminRefusals, BodyRefusals, Missing};
use crate::http::api::session::Admin;
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::state::AppState;
use crate::store::StoreError;

/// The body of both calls.
#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct PictureRequest {
    /// One of the product's image addresses
    #[serde(default)]
    image: String,
}

/// Notes that a browser could not show a picture of a product, for the owner to look at.
#[cfg_attr(test, utoipa::path(post, path = "/product/picture-failed/{id}", tag = "products", request_body = PictureRequest, params(("id" = String, Path, description = "The product's _id")), responses((status = 200, description = "It is noted, or a thousand others are", body = serde_json::Value), Missing, BodyRefusals)))]
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

/// Takes a picture off the list of those that failed, because it loads in an owner's browser.
#[cfg_attr(test, utoipa::path(post, path = "/product/picture-loads/{id}", tag = "administration", request_body = PictureRequest, params(("id" = String, Path, description = "The product's _id")), security(("token" = []), ("cookie" = [])), responses((status = 200, description = "Whether it was on the list", body = serde_json::Value), AdminRefusals, BodyRefusals)))]
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
