//! Reports of pictures that browsers failed to show, and of those that load again.

use actix_web::{HttpRequest, Responder, web};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::json;

use crate::clicks::{Note, Report, Request};
#[cfg(test)]
use crate::http::api::openapi::schemas::{AdminRefusals, BodyRefusals, Missing, ProductId};
use crate::http::api::permissions::{May, WriteProducts, is_staff};
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::serving::rate_limit::Client;
use crate::http::state::AppState;
use crate::store::StoreError;

#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct PictureRequest {
    /// One of the product's image addresses
    #[serde(default)]
    #[cfg_attr(test, schema(required = true))]
    image: String,
}

impl PictureRequest {
    fn image(self) -> Result<String, ApiError> {
        if self.image.is_empty() {
            return Err(ApiError::missing("image"));
        }
        Ok(self.image)
    }
}

// It counts once three addresses agree, or an administrator's browser says so.
/// Reports that a browser could not show a product's picture.
#[cfg_attr(test, utoipa::path(
    operation_id = "report_failed_picture",
    post, path = "/product/picture-failed/{id}", tag = "products", request_body = PictureRequest, params(ProductId),
    responses(
        (status = 200, description = "Whether it was noted: an address has 20 an hour", body = serde_json::Value),
        Missing, BodyRefusals,
    ),
))]
pub(crate) async fn failed(
    state: web::Data<AppState>,
    request: HttpRequest,
    client: Client,
    id: web::Path<String>,
    Json(body): Json<PictureRequest>,
) -> Result<impl Responder, ApiError> {
    let (id, image) = (id.into_inner(), body.image()?);
    let (product, picture) = (id.clone(), image.clone());
    let exists = state.query(move |store| store.has_picture(&product, &picture));
    if !exists.await? {
        return Err(NO_PICTURE);
    }
    let now = Timestamp::now();
    let by_owner = is_staff(&request).await;
    let report = if by_owner {
        Report::Agreed
    } else {
        let headers = request.headers();
        state.picture_reports().add(
            &Request {
                header: &|name| headers.get(name)?.to_str().ok(),
                address: &client.octets(),
                is_own: false,
                is_https: false,
                host: "",
                product: &id,
                note: Note::default(),
                now,
            },
            &image,
        )
    };
    if report == Report::Agreed {
        let noted = state.store().picture_failed(id, image, by_owner, now);
        noted.await.map_err(|error| match error {
            StoreError::NotFound => NO_PICTURE,
            other => other.into(),
        })?;
    }
    Ok(web::Json(json!({ "noted": report != Report::Ignored })))
}

const NO_PICTURE: ApiError = ApiError::NotFound("There is no such picture.");

/// Removes a picture from the list of failed ones, because it loads in an owner's browser.
#[cfg_attr(test, utoipa::path(
    operation_id = "forget_failed_picture",
    post, path = "/product/picture-loads/{id}", tag = "administration", request_body = PictureRequest,
    params(ProductId), security(("token" = []), ("cookie" = []), ("key" = ["products:write"])),
    responses(
        (status = 200, description = "Whether it was listed", body = serde_json::Value), AdminRefusals, BodyRefusals,
    ),
))]
pub(crate) async fn loads(
    state: web::Data<AppState>,
    _may: May<WriteProducts>,
    id: web::Path<String>,
    Json(body): Json<PictureRequest>,
) -> Result<impl Responder, ApiError> {
    let forgotten = state
        .store()
        .picture_loads(id.into_inner(), body.image()?)
        .await?;
    Ok(web::Json(json!({ "forgotten": forgotten })))
}
