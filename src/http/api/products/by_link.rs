//! Products by their seller and link, for programs that do not keep ids.

use actix_web::{HttpResponse, Responder, web};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::body::ProductBody;
use super::{MAX_TRIES, changed_meanwhile, with_rules};
use crate::domain::{ProductDraft, with_shop, without_shop};
use crate::http::api::permissions::{May, ReadProducts, WriteProducts};
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::routes::{Route, get, put};
use crate::http::state::AppState;
use crate::store::{Store, StoreError};

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        get("/product/by-link", find_product_by_link)
            .summary("Finds the product with this link, or null.")
            .answers::<ByLinkResponse<'_>>("The product"),
        put("/product/by-link", put_product_by_link)
            .without_code()
            .summary(
                "Adds a product, or changes the seller's deal with the same link. May be \
                 repeated.",
            )
            .answers::<PutResponse<'_>>("Changed")
            .creates::<PutResponse<'_>>("Added")
            .refuses(409, "Changed by somebody else meanwhile"),
    ]
}

#[derive(Serialize, ToSchema)]
pub(crate) struct ByLinkResponse<'a> {
    #[schema(required = true)]
    product: Option<ProductBody<'a>>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct LinkQuery {
    /// The seller's name
    #[param(value_type = Option<String>)]
    #[serde(default)]
    source: String,
    /// The affiliate link
    #[param(value_type = Option<String>)]
    #[serde(default)]
    link: String,
}

pub(crate) async fn find_product_by_link(
    state: web::Data<AppState>,
    _may: May<ReadProducts>,
    query: web::Query<LinkQuery>,
) -> Result<impl Responder, ApiError> {
    let LinkQuery { source, link } = query.into_inner();
    let mut found = state
        .query(move |store| store.find_product_by_link(source.trim(), link.trim()))
        .await?;
    if let Some(product) = &mut found {
        with_shop(&mut product.details.images, state.public_url());
    }
    Ok(HttpResponse::Ok().json(ByLinkResponse {
        product: found.as_ref().map(ProductBody::from),
    }))
}

#[derive(Serialize, ToSchema)]
pub(crate) struct PutResponse<'a> {
    product: ProductBody<'a>,
    /// False if the seller's deal with this link was changed
    added: bool,
}

pub(crate) async fn put_product_by_link(
    state: web::Data<AppState>,
    actor: May<WriteProducts>,
    Json(draft): Json<ProductDraft>,
) -> Result<HttpResponse, ApiError> {
    let categories = state.query(Store::categories).await?;
    let mut new = draft
        .clone()
        .into_product(&categories)
        .map_err(ApiError::Invalid)?;
    without_shop(&mut new.images, state.public_url());
    let mut known: Option<String> = None;
    for _ in 0..MAX_TRIES {
        let (source, link) = (new.source.clone(), new.affiliate_link.clone());
        let id = known.take();
        let find = move |store: &Store| match id {
            Some(id) => store.find_product(&id).map(Some),
            None => store.find_product_by_link(&source, &link),
        };
        let now = Timestamp::now();
        let outcome = match state.query(find).await? {
            None => {
                let inserted =
                    state
                        .store()
                        .insert_product(new.clone(), actor.name(), now, true, None);
                inserted.await.map(|added| (added.product, true))
            }
            Some(current) => {
                let mut details = draft
                    .clone()
                    .into_changed(&current.details, &categories)
                    .map_err(ApiError::Invalid)?;
                without_shop(&mut details.images, state.public_url());
                let changed = state.store().update_product(
                    current.id,
                    details,
                    actor.name(),
                    current.updated_at,
                    draft.has_offers(),
                    now,
                );
                changed.await.map(|product| (product, false))
            }
        };
        match outcome {
            // Somebody else added, changed or deleted it meanwhile.
            Err(StoreError::Conflict(_) | StoreError::NotFound) => {}
            // Found by its externalId, or added meanwhile.
            Err(StoreError::Duplicate(id)) => known = Some(id),
            outcome => {
                let (product, added) = outcome?;
                tracing::info!(
                    by = actor.id(),
                    product = product.id,
                    added,
                    "a product was put"
                );
                let product = with_rules(&state, product).await?;
                let body = PutResponse {
                    product: ProductBody::from(&product),
                    added,
                };
                return Ok(if added {
                    HttpResponse::Created().json(body)
                } else {
                    HttpResponse::Ok().json(body)
                });
            }
        }
    }
    Err(changed_meanwhile())
}
