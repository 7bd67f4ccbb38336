//! Calls about products.

pub(crate) mod body;
pub(crate) mod bulk;
pub(crate) mod by_link;
pub(crate) mod cards;
pub(crate) mod categories;
pub(crate) mod changes;
pub(crate) mod collections;
pub(crate) mod message;
pub(crate) mod over;
pub(crate) mod pictures;
pub(crate) mod prices;
pub(crate) mod removed;
pub(crate) mod shelves;
pub(crate) mod suggestions;

use std::borrow::Cow;

use actix_web::http::StatusCode;
use actix_web::{FromRequest as _, HttpRequest, HttpResponse, Responder, web};
use jiff::Timestamp;
use serde::Deserialize;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;
use utoipa::{IntoParams, PartialSchema, ToSchema};

use self::body::sent::{ProductChangeRequest, ProductRequest};
use self::cards::{AlikeResponse, HomeResponse};
use super::list_query::{ListParameters, asks_for_cards};
use super::openapi::schemas::{FilterParameters, Paging, Reading, View};
use super::permissions::{May, ReadProducts, WriteProducts, may_preview};
use super::responses::{
    AddedResponse, CardListResponse, FacetsResponse, ListResponse, MessageResponse,
    ProductResponse, StatesResponse,
};
use crate::domain::{ListQuery, Product, ProductDraft, Scope, without_shop};
use crate::http::error::ApiError;
use crate::http::extract::{HashedJson, Json};
use crate::http::idempotency::{IdempotencyKey, once};
use crate::http::page_views;
use crate::http::routes::{Route, delete, get, post, put};
use crate::http::serving::cached::cached;
use crate::http::serving::response_cache::Content;
use crate::http::state::AppState;
use crate::store::{Added, Store, StoreError};

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        get("/product/get-products", get_products)
            .summary("Returns one page of the list.")
            .details(
                "Programs that keep a copy of the catalogue use `GET /product/changes`, which \
                 takes updatedSince and a cursor.",
            )
            .query::<FilterParameters>()
            .query::<Paging>()
            .query::<Reading>()
            .query::<View>()
            .more_with(Scope::ProductsRead)
            .answers::<ListResponse<'_>>("The products")
            .or_unchanged(),
        get("/product/facets", count_choices)
            .summary("Counts the products that each option of a filter would leave.")
            .query::<FilterParameters>()
            .query::<Reading>()
            .more_with(Scope::ProductsRead)
            .answers::<FacetsResponse>("The counts")
            .or_unchanged(),
        get("/product/states", count_states)
            .summary("Counts live, scheduled, ended and draft products.")
            .answers::<StatesResponse>("The counts"),
        get("/product/home", get_home)
            .summary("Returns the picks and categories around the unfiltered list.")
            .details("`cheaper` is true if price histories prove the picks.")
            .answers::<HomeResponse<'_>>("The picks and categories")
            .or_unchanged(),
        get("/product/alike/{id}", list_related_products)
            .summary("Returns related products: similar ones, and others of the seller.")
            .answers::<AlikeResponse<'_>>("The products")
            .or_missing()
            .or_unchanged(),
        get("/product/product/{id}", get_product)
            .summary("Returns one product.")
            .more_with(Scope::ProductsRead)
            .answers::<ProductResponse<'_>>("The product")
            .or_missing()
            .or_unchanged(),
        post("/product/add-product", add_product)
            .without_code()
            .summary("Adds a product.")
            .details(
                "With `unique`, only if the seller has no deal with this link yet, in any state. \
                 The answer names an older one as `duplicateOf`.",
            )
            .creates::<AddedResponse<'_>>("Added")
            .refuses(409, "With unique: the deal that is there, by its id"),
        put("/product/update-product/{id}", update_product)
            .without_code()
            .summary("Changes a product.")
            .details("With `updatedAt` in the body only that version is changed; any other is 409.")
            .body::<ProductChangeRequest>()
            .answers::<ProductResponse<'_>>("Changed")
            .refuses(409, "Changed by somebody else meanwhile")
            .or_missing(),
        delete("/product/delete-product/{id}", delete_product)
            .without_code()
            .summary("Deletes a product.")
            .answers::<MessageResponse>("Deleted")
            .refuses(507, "The shop's disk is full")
            .or_missing(),
    ]
}

pub(crate) async fn get_products(
    state: web::Data<AppState>,
    request: HttpRequest,
    ListParameters(query): ListParameters,
) -> Result<HttpResponse, ApiError> {
    let (asked, shared) = (query.clone(), state.get_ref().clone());
    let cards = asks_for_cards(request.query_string());
    if asked.filters.is_for_office() {
        May::<ReadProducts>::extract(&request).await?;
        let content = state
            .work(move |store| list(&shared, store, &query, cards))
            .await?;
        return Ok(content.private(&request));
    }
    let answer = cached(&state, &request, move |store| {
        list(&shared, store, &query, cards)
    })
    .await?;
    page_views::count_search(&state, &request, &asked, &answer).await;
    Ok(answer)
}

fn list(
    state: &AppState,
    store: &Store,
    query: &ListQuery,
    cards: bool,
) -> Result<Content, ApiError> {
    let front = state.storefronts().current(store)?;
    let mut listing = store.list_products(query)?;
    front.apply_rules(&mut listing.page.items);
    let answer = if cards {
        Content::json(&CardListResponse::new(query, &listing))?
    } else {
        Content::json(&ListResponse::new(query, &listing))?
    };
    Ok(answer.with_total(listing.typed_total()))
}

/// Answers with what `make` builds from a product. Drafts and scheduled products are shown to
/// administrators only.
async fn about_product(
    state: &AppState,
    request: &HttpRequest,
    id: String,
    make: fn(&Product) -> Result<Content, ApiError>,
) -> Result<HttpResponse, ApiError> {
    let work = |find: fn(&Store, &str) -> Result<Product, StoreError>| {
        let (shared, id) = (state.clone(), id.clone());
        move |store: &Store| {
            let mut product = find(store, &id)?;
            shared
                .storefronts()
                .current(store)?
                .apply_rules([&mut product]);
            make(&product)
        }
    };
    match cached(state, request, work(Store::find_public_product)).await {
        Err(ApiError::NotFound(_)) if may_preview(request).await => {
            let content = state.work(work(Store::find_product)).await?;
            Ok(content.private(request))
        }
        answer => answer,
    }
}

pub(crate) async fn count_choices(
    state: web::Data<AppState>,
    request: HttpRequest,
    ListParameters(query): ListParameters,
) -> Result<HttpResponse, ApiError> {
    let for_office = query.filters.is_for_office();
    let count = move |store: &Store| {
        let facets = if query.corrects {
            store.list_with_facets(&query)?.1
        } else {
            store.count_facets(&query.filters)?
        };
        Content::json(&FacetsResponse::from(facets))
    };
    if for_office {
        May::<ReadProducts>::extract(&request).await?;
        return Ok(state.work(count).await?.private(&request));
    }
    cached(&state, &request, count).await
}

pub(crate) async fn get_home(
    state: web::Data<AppState>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let shared = state.get_ref().clone();
    cached(&state, &request, move |store| {
        let front = shared.storefronts().current(store)?;
        Content::json(&HomeResponse::from(&front.home(store)?))
    })
    .await
}

pub(crate) async fn list_related_products(
    state: web::Data<AppState>,
    request: HttpRequest,
    id: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    let (viewed, shared) = (id.clone(), state.get_ref().clone());
    let answer = cached(&state, &request, move |store| {
        let mut alike = store.alike(&store.find_public_product(&id)?)?;
        let front = shared.storefronts().current(store)?;
        front.apply_rules_to_related(&mut alike);
        Content::json(&AlikeResponse::from(&alike))
    })
    .await?;
    // The app asks for it when it shows the product, and for the product alone also ahead of that.
    page_views::count_product(&state, &request, &viewed, &answer).await;
    Ok(answer)
}

pub(crate) async fn get_product(
    state: web::Data<AppState>,
    request: HttpRequest,
    id: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    let id = id.into_inner();
    about_product(&state, &request, id, |product| {
        Content::json(&ProductResponse::from(product))
    })
    .await
}

pub(crate) async fn count_states(
    state: web::Data<AppState>,
    _may: May<ReadProducts>,
) -> Result<impl Responder, ApiError> {
    let counts = state.query(Store::count_states).await?;
    Ok(web::Json(StatesResponse {
        live: counts.live,
        scheduled: counts.scheduled,
        ended: counts.ended,
        drafts: counts.drafts,
    }))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct AddQuery {
    /// Refuse a second deal of a seller with the same link
    #[param(value_type = Option<bool>)]
    unique: Option<String>,
}

pub(crate) async fn add_product(
    state: web::Data<AppState>,
    actor: May<WriteProducts>,
    key: IdempotencyKey,
    query: web::Query<AddQuery>,
    HashedJson(draft, hash): HashedJson<ProductDraft>,
) -> Result<HttpResponse, ApiError> {
    let categories = state.query(Store::categories).await?;
    let mut details = draft.into_product(&categories).map_err(ApiError::Invalid)?;
    without_shop(&mut details.images, state.public_url());
    let unique = query.unique.as_deref() == Some("true");
    let front = state.storefront().await?;
    let answer = move |added: &Added| {
        let mut added = added.clone();
        front.apply_rules([&mut added.product]);
        serde_json::to_vec(&AddedResponse::from(&added))
    };
    let request = key.complete(actor.id(), &hash);
    once(&state, request, StatusCode::CREATED, answer, async |keep| {
        let now = Timestamp::now();
        let added = state
            .store()
            .insert_product(details, actor.name(), now, unique, keep)
            .await?;
        tracing::info!(
            by = actor.id(),
            product = added.product.id,
            "a product was added"
        );
        Ok(added)
    })
    .await
}

/// Applies the sellers' rules to a product that was written, as to one that is read.
async fn with_rules(state: &AppState, mut product: Product) -> Result<Product, ApiError> {
    state.storefront().await?.apply_rules([&mut product]);
    Ok(product)
}

/// Maximum retries of an update that conflicts with another one.
const MAX_TRIES: usize = 5;

pub(crate) async fn update_product(
    state: web::Data<AppState>,
    actor: May<WriteProducts>,
    id: web::Path<String>,
    Json(mut draft): Json<ProductDraft>,
) -> Result<impl Responder, ApiError> {
    let id = id.into_inner();
    if draft.id().is_some_and(|sent| sent != id) {
        return Err(ApiError::invalid(
            "_id",
            "The _id does not belong to this address.",
        ));
    }
    let version = draft.version().map_err(ApiError::Invalid)?;
    for _ in 0..MAX_TRIES {
        let wanted = id.clone();
        let current =
            state.query(move |store| Ok((store.find_product(&wanted)?, store.categories()?)));
        let (current, categories) = current.await?;
        if version.is_some_and(|version| version != current.updated_at) {
            return Err(changed_meanwhile());
        }
        let mut details = draft
            .clone()
            .into_changed(&current.details, &categories)
            .map_err(ApiError::Invalid)?;
        without_shop(&mut details.images, state.public_url());
        let updated = state
            .store()
            .update_product(
                id.clone(),
                details,
                actor.name(),
                current.updated_at,
                draft.has_offers(),
                Timestamp::now(),
            )
            .await;
        match updated {
            Err(StoreError::Conflict(_)) => {}
            other => {
                let product = other?;
                tracing::info!(
                    by = actor.id(),
                    product = product.id,
                    "a product was changed"
                );
                let product = with_rules(&state, product).await?;
                return Ok(HttpResponse::Ok().json(ProductResponse::from(&product)));
            }
        }
    }
    Err(changed_meanwhile())
}

fn changed_meanwhile() -> ApiError {
    ApiError::Changed("Somebody else changed this product in the meantime.".to_owned())
}

pub(crate) async fn delete_product(
    state: web::Data<AppState>,
    actor: May<WriteProducts>,
    id: web::Path<String>,
) -> Result<impl Responder, ApiError> {
    state
        .store()
        .delete_product(id.to_string(), actor.name(), Timestamp::now())
        .await?;
    tracing::info!(by = actor.id(), product = %id, "a product was deleted");
    Ok(web::Json(MessageResponse {
        message: "Product deleted successfully",
    }))
}

impl PartialSchema for ProductDraft {
    fn schema() -> RefOr<Schema> {
        ProductRequest::schema()
    }
}

impl ToSchema for ProductDraft {
    fn name() -> Cow<'static, str> {
        ProductRequest::name()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        ProductRequest::schemas(schemas);
    }
}
