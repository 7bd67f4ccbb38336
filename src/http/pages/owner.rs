//! Pages derived from the owner's settings: the owner's pages, the mark and the manifest.

use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, LOCATION};
use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::{Value, json};

use super::head::Head;
use super::page::{Page, Reader, empty};
use super::served::{Answers, text};
use super::sharing::Icon;
use super::{assets, fallback_page};
use crate::domain::{Filters, ListQuery};
use crate::http::api::files::upload::shared_fields;
use crate::http::api::settings::PageResponse;
use crate::http::error::ApiError;
use crate::http::routes::{Route, get, post};
use crate::http::serving::cached::{cached, cached_front};
use crate::http::serving::response_cache::Content;
use crate::http::state::AppState;
use crate::store::Store;
use crate::storefront::Storefront;

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        get("/pages/{slug}", page).compressed(),
        get("/mark/{file}", mark),
        post("/shared-deal", shared_deal),
        get("/manifest.webmanifest", manifest).compressed(),
    ]
}

/// `GET /pages/{slug}`.
pub(crate) async fn page(
    state: web::Data<AppState>,
    request: HttpRequest,
    slug: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    let reader = Reader::new(&state, &request);
    let answer = cached(&state, &request, move |store| {
        owner_page(&reader, store, &slug)
    });
    let answer = answer.await;
    Ok(answer.unwrap_or_else(|error| fallback_page(&state, &request, &error)))
}

fn owner_page(reader: &Reader, store: &Store, slug: &str) -> Result<Content, ApiError> {
    let state = &reader.state;
    let front = state.storefronts().current(store)?;
    let Some(page) = front.settings.shop.page(slug) else {
        let title = format!("Page not found · {}", front.name());
        return Ok(empty(&front, &title, "", StatusCode::NOT_FOUND));
    };
    let answers = [(
        format!("/settings/pages/{slug}"),
        text(&PageResponse::new(page))?,
    )];
    Page {
        head: Head::of_owner_page(state.public_url(), &front, page).markup(&front),
        address: format!("/pages/{slug}"),
        query: &ListQuery::default(),
        facets: store.count_facets(&Filters::default())?,
        answers: Answers::from(answers),
    }
    .write(reader, &front, StatusCode::OK)
}

/// `GET /mark/{file}`: the mark under its hashed name. Opened by itself, it may run nothing.
pub(crate) async fn mark(
    state: web::Data<AppState>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let shared = state.get_ref().clone();
    let front = state
        .work(move |store| Ok(shared.storefronts().current(store)?))
        .await?;
    if front.logo.path != request.path() {
        return Err(ApiError::UnknownPath);
    }
    Ok(HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, assets::HASHED))
        .insert_header((
            CONTENT_SECURITY_POLICY,
            "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        ))
        .content_type(front.logo.kind)
        .body(front.logo.bytes.clone()))
}

/// `POST /shared-deal`: what an app shared, where the service worker did not take it. It leads to the
/// form with the same fields in the fragment, which reaches no server. Photos are not kept.
pub(crate) async fn shared_deal(
    request: HttpRequest,
    body: web::Payload,
) -> Result<HttpResponse, ApiError> {
    let fields = shared_fields(&request, body).await?;
    // Everything but what a form is written in is escaped.
    let mut written = url::form_urlencoded::Serializer::new(String::new());
    let fields = written.extend_pairs(fields).finish();
    Ok(HttpResponse::SeeOther()
        .insert_header((LOCATION, format!("/add-product#{fields}")))
        .finish())
}

/// `GET /manifest.webmanifest`: how phones install the shop.
pub(crate) async fn manifest(
    state: web::Data<AppState>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    cached_front(&state, &request, |front| {
        let bytes = serde_json::to_vec(&manifest_of(front)).map_err(ApiError::serialization)?;
        Ok(Content::new(
            StatusCode::OK,
            "application/manifest+json",
            bytes,
        ))
    })
    .await
}

fn manifest_of(front: &Storefront) -> Value {
    let shop = &front.settings.shop;
    // A drawing has any size; a picture's size is not known.
    let is_drawing = front.logo.kind == "image/svg+xml";
    let mark = json!({ "src": front.logo.path, "type": front.logo.kind, "sizes": "any" });
    let drawn = Icon::OF_MANIFEST.map(|icon| {
        let side = icon.side();
        json!({
            "src": icon.path(front), "type": "image/png", "sizes": format!("{side}x{side}"),
            "purpose": if icon.is_maskable() { "maskable" } else { "any" },
        })
    });
    let icons: Vec<Value> = is_drawing
        .then_some(mark)
        .into_iter()
        .chain(drawn)
        .collect();
    let description = if shop.tagline.is_empty() {
        "Product deals with prices in rupees, from the shops you know."
    } else {
        &shop.tagline
    };
    json!({
        "name": front.name(),
        "short_name": front.name(),
        "description": description,
        "lang": "en-IN",
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#ffffff",
        "theme_color": front.bands[0],
        "icons": icons,
        "share_target": {
            "action": "/shared-deal",
            "method": "POST",
            "enctype": "multipart/form-data",
            "params": {
                "title": "title", "text": "text", "url": "url",
                "files": [{ "name": "photo", "accept": ["image/*"] }],
            },
        },
        "shortcuts": [
            { "name": "Add a deal", "url": "/add-product" },
            { "name": "Saved deals", "url": "/saved" },
        ],
    })
}
