//! Calls about collections.

use actix_web::http::StatusCode;
use actix_web::http::header::{ACCEPT, HeaderValue, VARY};
use actix_web::{FromRequest as _, HttpRequest, HttpResponse, Responder, web};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::domain::{
    Collection, CollectionRequest, Filters, ListQuery, Rfc3339, Scope, with_shop, without_shop,
};
use crate::http::api::permissions::{Admin, May, ReadProducts, may_preview};
use crate::http::api::responses::MessageResponse;
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::pages::shelf;
use crate::http::routes::{Route, delete, get, post, put};
use crate::http::serving::cached::cached;
use crate::http::serving::response_cache::Content;
use crate::http::state::AppState;
use crate::store::Store;
use crate::storefront::Storefront;
use crate::storefront::list_query::{check_rule, filter_of};

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        get("/collection", list_collections)
            .summary("Lists the collections that run, by name; with all, those too that do not.")
            .more_with(Scope::ProductsRead)
            .answers::<CollectionsResponse<'_>>("The collections")
            .or_unchanged(),
        post("/collection", add_collection)
            .summary("Adds a collection.")
            .creates::<CollectionResponse<'_>>("Added"),
        get("/collection/{slug}", get_collection)
            .summary("Returns a collection that runs.")
            .more_with(Scope::ProductsRead)
            .part("slug", "Slug of the collection")
            .answers::<CollectionResponse<'_>>("The collection")
            .or_unchanged()
            .or_missing(),
        put("/collection/{slug}", change_collection)
            .summary("Changes a collection; what is not sent stays.")
            .part("slug", "Slug of the collection")
            .answers::<CollectionResponse<'_>>("Changed")
            .refuses(409, "Changed by somebody else meanwhile")
            .or_missing(),
        delete("/collection/{slug}", remove_collection)
            .summary("Deletes a collection. Its deals stay.")
            .part("slug", "Slug of the collection")
            .answers::<MessageResponse>("Deleted")
            .or_missing(),
    ]
}

const NONE: ApiError = ApiError::NotFound("There is no such collection.");

/// Collections by name.
#[derive(Serialize, ToSchema)]
pub(crate) struct CollectionsResponse<'a> {
    data: Vec<CollectionBody<'a>>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct CollectionResponse<'a> {
    collection: CollectionBody<'a>,
}

/// A collection.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CollectionBody<'a> {
    slug: &'a str,
    name: &'a str,
    /// Markdown
    text: &'a str,
    /// Address of its picture; empty for none
    picture: String,
    /// Query of the list that it shows; null if its products are chosen
    #[schema(required = true)]
    rule: Option<&'a str>,
    /// Ids of the chosen products in their order
    products: &'a [String],
    /// Number of live products
    total: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime)]
    starts_at: Option<Rfc3339>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime)]
    ends_at: Option<Rfc3339>,
    on_home: bool,
    in_menu: bool,
    /// Whether visitors see it now
    runs: bool,
    /// Changes with every change
    version: i64,
}

fn body<'a>(
    front: &Storefront,
    state: &AppState,
    store: &Store,
    collection: &'a Collection,
) -> Result<CollectionBody<'a>, ApiError> {
    let filter = filter_of(collection, front.names());
    let query = ListQuery {
        limit: 1,
        filters: Filters {
            collection: Some(Box::new(filter)),
            ..Filters::default()
        },
        ..ListQuery::default()
    };
    let mut picture = [collection.picture.clone()];
    with_shop(&mut picture, state.public_url());
    let [picture] = picture;
    Ok(CollectionBody {
        slug: &collection.slug,
        name: &collection.name,
        text: &collection.text,
        picture,
        rule: collection.rule.as_deref(),
        products: &collection.products,
        total: store.list_products(&query)?.page.total,
        starts_at: collection.starts_at.map(Rfc3339),
        ends_at: collection.ends_at.map(Rfc3339),
        on_home: collection.on_home,
        in_menu: collection.in_menu,
        runs: collection.is_running,
        version: collection.version,
    })
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct AllQuery {
    /// For staff: also collections that have not begun or have ended
    #[param(value_type = Option<bool>)]
    #[serde(default)]
    all: bool,
}

pub(crate) async fn list_collections(
    state: web::Data<AppState>,
    request: HttpRequest,
    query: web::Query<AllQuery>,
) -> Result<HttpResponse, ApiError> {
    let (all, shared) = (query.all, state.get_ref().clone());
    let content = move |store: &Store| {
        let front = shared.storefronts().current(store)?;
        let shown = front.collections.iter().filter(|it| all || it.is_running);
        let data = shown.map(|it| body(&front, &shared, store, it));
        Content::json(&CollectionsResponse {
            data: data.collect::<Result<_, _>>()?,
        })
    };
    if all {
        May::<ReadProducts>::extract(&request).await?;
        return Ok(state.work(content).await?.private(&request));
    }
    cached(&state, &request, content).await
}

/// Its page has the same address: browsers accept HTML.
pub(crate) async fn get_collection(
    state: web::Data<AppState>,
    request: HttpRequest,
    slug: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    let accept = request.headers().get(ACCEPT);
    let is_page = accept.is_some_and(|accept| {
        let mut kinds = accept.to_str().unwrap_or_default().split([',', ';']);
        kinds.any(|kind| kind.trim() == "text/html")
    });
    let mut response = if is_page {
        shelf(state, request).await?
    } else {
        answer_collection(&state, &request, slug.into_inner()).await?
    };
    response
        .headers_mut()
        .append(VARY, HeaderValue::from_static("accept"));
    Ok(response)
}

async fn answer_collection(
    state: &AppState,
    request: &HttpRequest,
    slug: String,
) -> Result<HttpResponse, ApiError> {
    match cached(state, request, answer(state, slug.clone(), false)).await {
        Err(ApiError::NotFound(_)) if may_preview(request).await => {
            let content = state.work(answer(state, slug, true)).await?;
            Ok(content.private(request))
        }
        answer => answer,
    }
}

/// Returns what makes the answer with a collection, also with `all` if it does not run.
fn answer(
    state: &AppState,
    slug: String,
    all: bool,
) -> impl FnOnce(&Store) -> Result<Content, ApiError> + Send + 'static {
    let shared = state.clone();
    move |store: &Store| {
        let front = shared.storefronts().current(store)?;
        let mut found = front.collections.iter().filter(|it| all || it.is_running);
        let collection = found.find(|it| it.slug == slug).ok_or(NONE)?;
        Content::json(&CollectionResponse {
            collection: body(&front, &shared, store, collection)?,
        })
    }
}

pub(crate) async fn add_collection(
    state: web::Data<AppState>,
    request: HttpRequest,
    admin: Admin,
    Json(sent): Json<CollectionRequest>,
) -> Result<impl Responder, ApiError> {
    let mut answer = set(&state, &request, &admin, None, sent).await?;
    *answer.status_mut() = StatusCode::CREATED;
    Ok(answer)
}

pub(crate) async fn change_collection(
    state: web::Data<AppState>,
    request: HttpRequest,
    admin: Admin,
    slug: web::Path<String>,
    Json(sent): Json<CollectionRequest>,
) -> Result<impl Responder, ApiError> {
    set(&state, &request, &admin, Some(slug.into_inner()), sent).await
}

async fn set(
    state: &AppState,
    request: &HttpRequest,
    admin: &Admin,
    slug: Option<String>,
    mut sent: CollectionRequest,
) -> Result<HttpResponse, ApiError> {
    let categories = state.query(Store::categories).await?;
    if let Some(rule) = &mut sent.rule {
        *rule = rule.trim().trim_start_matches(['/', '?']).to_owned();
        if !rule.is_empty() {
            check_rule(rule, &categories).map_err(|message| ApiError::invalid("rule", message))?;
        }
    }
    if let Some(picture) = &mut sent.picture {
        without_shop(std::slice::from_mut(picture), state.public_url());
    }
    let now = Timestamp::now();
    let changed = state.store().set_collection(slug, sent, admin.name(), now);
    let slug = changed.await??.slug;
    Ok(state
        .work(answer(state, slug, true))
        .await?
        .private(request))
}

pub(crate) async fn remove_collection(
    state: web::Data<AppState>,
    admin: Admin,
    slug: web::Path<String>,
) -> Result<impl Responder, ApiError> {
    let (slug, now) = (slug.into_inner(), Timestamp::now());
    let removed = state.store().remove_collection(slug, admin.name(), now);
    removed.await??;
    Ok(web::Json(MessageResponse {
        message: "The collection is deleted.",
    }))
}
