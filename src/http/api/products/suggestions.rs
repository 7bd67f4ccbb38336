//! Suggestions for a new product.

use actix_web::{Responder, web};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::http::api::permissions::{May, ReadProducts};
use crate::http::error::ApiError;
use crate::http::routes::{Route, get};
use crate::http::state::AppState;

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        get("/product/category-like", suggest_category)
            .summary(
                "Suggests a category for a new product: that of the products with similar titles.",
            )
            .answers::<CategoryLikeResponse>("The category"),
    ]
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct WordsQuery {
    /// The title, and other words about the product
    #[param(value_type = Option<String>)]
    #[serde(default)]
    words: String,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct CategoryLikeResponse {
    /// Null if there is no similar product, or they are of several categories
    #[schema(required = true)]
    category: Option<String>,
    /// Number of similar products of the category
    products: u64,
}

pub(crate) async fn suggest_category(
    state: web::Data<AppState>,
    _may: May<ReadProducts>,
    query: web::Query<WordsQuery>,
) -> Result<impl Responder, ApiError> {
    let words = query.into_inner().words;
    let found = state
        .query(move |store| store.category_like(&words))
        .await?;
    Ok(web::Json(CategoryLikeResponse {
        products: found.as_ref().map_or(0, |(_, products)| *products),
        category: found.map(|(category, _)| category.to_string()),
    }))
}
