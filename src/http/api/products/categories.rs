//! Calls about categories.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, Responder, web};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::domain::CategoryRequest;
use crate::http::api::permissions::Admin;
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::routes::{Route, delete, get, post, put};
use crate::http::serving::cached::cached;
use crate::http::serving::response_cache::Content;
use crate::http::state::AppState;
use crate::store::Store;
use crate::storefront::CategoryBody;

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        get("/category", list_categories)
            .summary("Lists the categories in their order, each above those below it.")
            .answers::<CategoriesResponse<'_>>("The categories")
            .or_unchanged(),
        post("/category", add_category)
            .summary("Adds a category.")
            .creates::<CategoriesResponse<'_>>("Added; all categories"),
        put("/category/{slug}", change_category)
            .summary("Changes a category. Its former name and address keep leading to it.")
            .part("slug", "Slug of the category")
            .answers::<CategoriesResponse<'_>>("Changed; all categories")
            .or_missing(),
        delete("/category/{slug}", remove_category)
            .summary("Merges a category into another, or removes one that no deal has had.")
            .part("slug", "Slug of the category")
            .answers::<CategoriesResponse<'_>>("Merged or removed; the others")
            .refuses(409, "It is in use, or can't be merged into that one")
            .or_missing(),
    ]
}

/// The categories with their deals.
#[derive(Serialize, ToSchema)]
pub(crate) struct CategoriesResponse<'a> {
    data: Vec<CountedBody<'a>>,
}

/// A category with its deals.
#[derive(Serialize, ToSchema)]
struct CountedBody<'a> {
    #[serde(flatten)]
    category: CategoryBody<'a>,
    /// Part of its address
    slug: &'a str,
    /// Number of live products, with those of the categories below it
    products: i64,
    /// Text above its list
    text: &'a str,
}

fn content(store: &Store) -> Result<Content, ApiError> {
    let counted = store.count_categories()?;
    let data = counted.iter().map(|(listed, products)| CountedBody {
        category: CategoryBody::from(listed).without_slug(),
        slug: &listed.slug,
        products: *products,
        text: &listed.text,
    });
    Content::json(&CategoriesResponse {
        data: data.collect(),
    })
}

pub(crate) async fn list_categories(
    state: web::Data<AppState>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    cached(&state, &request, content).await
}

pub(crate) async fn add_category(
    state: web::Data<AppState>,
    request: HttpRequest,
    admin: Admin,
    Json(body): Json<CategoryRequest>,
) -> Result<impl Responder, ApiError> {
    let added = state
        .store()
        .add_category(body, admin.name(), Timestamp::now());
    added.await??;
    let content = state.work(content).await?;
    let mut answer = content.private(&request);
    *answer.status_mut() = StatusCode::CREATED;
    Ok(answer)
}

pub(crate) async fn change_category(
    state: web::Data<AppState>,
    request: HttpRequest,
    admin: Admin,
    slug: web::Path<String>,
    Json(body): Json<CategoryRequest>,
) -> Result<impl Responder, ApiError> {
    let (slug, now) = (slug.into_inner(), Timestamp::now());
    let changed = state.store().change_category(slug, body, admin.name(), now);
    changed.await??;
    Ok(state.work(content).await?.private(&request))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct IntoQuery {
    /// Slug of the category that its deals go into
    into: Option<String>,
}

pub(crate) async fn remove_category(
    state: web::Data<AppState>,
    request: HttpRequest,
    admin: Admin,
    slug: web::Path<String>,
    query: web::Query<IntoQuery>,
) -> Result<impl Responder, ApiError> {
    let (slug, now) = (slug.into_inner(), Timestamp::now());
    let into = query.into_inner().into.filter(|into| !into.is_empty());
    let removed = state.store().remove_category(slug, into, admin.name(), now);
    removed.await??;
    Ok(state.work(content).await?.private(&request))
}
