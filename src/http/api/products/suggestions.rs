//! Suggestions for a new product.

use actix_web::{Responder, web};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::http::api::permissions::{May, ReadProducts};
use crate::http::error::ApiError;
use crate::http::routes::{Route, get};
use crate::http::state::AppState;
use crate::store::Store;

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        get("/product/category-like", suggest_category)
            .summary(
                "Suggests a category for a new product: that of the products with similar titles.",
            )
            .answers::<CategoryLikeResponse>("The category"),
        get("/product/tags", list_tags)
            .summary("Lists the tags of products, drafts included, the most frequent first.")
            .answers::<TagsResponse>("At most 2,000 tags"),
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

/// Tags in use.
#[derive(Serialize, ToSchema)]
pub(crate) struct TagsResponse {
    data: Vec<TagBody>,
}

/// A tag and its products.
#[derive(Serialize, ToSchema)]
struct TagBody {
    /// As the oldest product spells it
    name: String,
    /// Number of products, in any state
    products: i64,
}

pub(crate) async fn list_tags(
    state: web::Data<AppState>,
    _may: May<ReadProducts>,
) -> Result<impl Responder, ApiError> {
    let tags = state.query(Store::tags_in_use).await?.into_iter();
    let data = tags.map(|(name, products)| TagBody { name, products });
    Ok(web::Json(TagsResponse {
        data: data.collect(),
    }))
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
