//! Reports of pictures that browsers failed to show, and of those that load again.

use actix_web::{HttpRequest, Responder, web};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::clicks::{ClickNote, Report, Request};
use crate::domain::without_shop;
use crate::http::api::permissions::{May, WriteProducts, is_staff};
use crate::http::api::responses::NotedResponse;
use crate::http::error::ApiError;
use crate::http::extract::{ACCOUNT_BODY, Json};
use crate::http::routes::{Route, post};
use crate::http::serving::rate_limit::Client;
use crate::http::state::AppState;
use crate::store::StoreError;

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        post("/product/picture-failed/{id}", report_failed_picture)
            .limit(ACCOUNT_BODY)
            .summary("Reports that a browser could not show a product's picture.")
            .details(
                "It counts once three addresses or an administrator say so; 20 an hour of an \
                 address are noted.",
            )
            .answers::<NotedResponse>("Whether it was noted: an address has 20 an hour")
            .or_missing(),
        post("/product/picture-loads/{id}", forget_failed_picture)
            .without_code()
            .summary(
                "Removes a picture from the list of failed ones, because it loads in an owner's \
                 browser.",
            )
            .answers::<ForgottenResponse>("Whether it was listed"),
    ]
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct PictureRequest {
    /// One of the product's image addresses
    #[serde(default)]
    #[schema(required = true)]
    image: String,
}

impl PictureRequest {
    /// Returns the address as products store it.
    fn image(mut self, state: &AppState) -> Result<String, ApiError> {
        if self.image.is_empty() {
            return Err(ApiError::missing("image"));
        }
        without_shop(std::slice::from_mut(&mut self.image), state.public_url());
        Ok(self.image)
    }
}

// It counts once three addresses agree, or an administrator's browser says so.
pub(crate) async fn report_failed_picture(
    state: web::Data<AppState>,
    request: HttpRequest,
    client: Client,
    id: web::Path<String>,
    Json(body): Json<PictureRequest>,
) -> Result<impl Responder, ApiError> {
    let (id, image) = (id.into_inner(), body.image(&state)?);
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
                note: ClickNote::default(),
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
    Ok(web::Json(NotedResponse {
        noted: report != Report::Ignored,
    }))
}

const NO_PICTURE: ApiError = ApiError::NotFound("There is no such picture.");

#[derive(Serialize, ToSchema)]
pub(crate) struct ForgottenResponse {
    forgotten: bool,
}

pub(crate) async fn forget_failed_picture(
    state: web::Data<AppState>,
    _may: May<WriteProducts>,
    id: web::Path<String>,
    Json(body): Json<PictureRequest>,
) -> Result<impl Responder, ApiError> {
    let forgotten = state
        .store()
        .picture_loads(id.into_inner(), body.image(&state)?)
        .await?;
    Ok(web::Json(ForgottenResponse { forgotten }))
}
