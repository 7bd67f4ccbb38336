//! The calls about products.

use actix_web::{Responder, web};

use super::error::ApiError;
use super::extract::ListParameters;
use super::state::AppState;
use super::wire::{ClicksResponse, ListResponse, ProductResponse};

/// `GET /product/get-products`: one page of the list.
pub(super) async fn get_products(
    state: web::Data<AppState>,
    ListParameters(query): ListParameters,
) -> Result<impl Responder, ApiError> {
    let asked = query.clone();
    let page = state
        .query(move |store| store.list_products(&asked))
        .await?;
    Ok(web::Json(ListResponse::new(&query, page)))
}

/// `GET /product/product/{id}`: one product.
pub(super) async fn get_product(
    state: web::Data<AppState>,
    id: web::Path<String>,
) -> Result<impl Responder, ApiError> {
    let product = state.query(move |store| store.find_product(&id)).await?;
    Ok(web::Json(ProductResponse {
        product: product.into(),
    }))
}

/// `POST /product/increament-views/{id}`: counts a click; answered once it is
/// committed (decisions, section 7).
pub(super) async fn record_click(
    state: web::Data<AppState>,
    id: web::Path<String>,
) -> Result<impl Responder, ApiError> {
    let clicks = state.store().record_click(id.into_inner()).await?;
    Ok(web::Json(ClicksResponse { clicks }))
}
