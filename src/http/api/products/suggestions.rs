//! Suggestions for a new product.

use actix_web::{Responder, web};
use serde::{Deserialize, Serialize};

#[cfg(test)]
use crate::domain::Category;
#[cfg(test)]
use crate::http::api::openapi::schemas::{AdminRefusals, Refusals};
use crate::http::api::permissions::{May, ReadProducts};
use crate::http::error::ApiError;
use crate::http::state::AppState;

#[derive(Deserialize)]
pub(crate) struct WordsQuery {
    #[serde(default)]
    words: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct CategoryLikeResponse {
    /// Null if there is no similar product, or they are of several categories
    #[cfg_attr(test, schema(required = true, value_type = Option<Category>))]
    category: Option<&'static str>,
    /// Number of similar products of the category
    products: u64,
}

/// Suggests a category for a new product: that of the products with similar titles.
#[cfg_attr(test, utoipa::path(
    operation_id = "suggest_category",
    get, path = "/product/category-like", tag = "administration",
    params(("words" = Option<String>, Query, description = "The title, and other words about the product")),
    security(("token" = []), ("cookie" = []), ("key" = ["products:read"])),
    responses((status = 200, description = "The category", body = CategoryLikeResponse), AdminRefusals, Refusals),
))]
pub(crate) async fn category_like(
    state: web::Data<AppState>,
    _may: May<ReadProducts>,
    query: web::Query<WordsQuery>,
) -> Result<impl Responder, ApiError> {
    let words = query.into_inner().words;
    let found = state
        .query(move |store| store.category_like(&words))
        .await?;
    Ok(web::Json(CategoryLikeResponse {
        category: found.map(|(category, _)| category.as_str()),
        products: found.map_or(0, |(_, products)| products),
    }))
}
