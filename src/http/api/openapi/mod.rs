//! OpenAPI 3.1 description of the API.
//!
//! A test writes `assets/openapi.json` from the routes, so that the program does not contain half a
//! megabyte for it. `tests/it/api/openapi.rs` compares the file with a running server.

mod page;
pub(in crate::http) mod schemas;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use actix_web::http::header::{CONTENT_TYPE, LINK};
use actix_web::{HttpResponse, web};
use serde_json::{Value, json};

use crate::http::routes::{Route, get};
use crate::http::state::AppState;

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        get("/openapi.json", document).compressed(),
        get("/docs", docs).compressed(),
        get("/docs.css", style),
    ]
}

static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../../assets/openapi.json")).unwrap_or_default()
});

/// Keeps the description out of search results.
const NOT_INDEXED: (&str, &str) = ("x-robots-tag", "noindex");

/// `GET /openapi.json`.
pub(in crate::http) async fn document(state: web::Data<AppState>) -> HttpResponse {
    let mut document = DOCUMENT.clone();
    let url = state.public_url().as_str().trim_end_matches('/');
    document["servers"] = json!([{ "url": url }]);
    let cookie = state.options().cookies.name();
    document["components"]["securitySchemes"]["cookie"]["name"] = json!(cookie);
    HttpResponse::Ok().insert_header(NOT_INDEXED).json(document)
}

/// `GET /docs`: the description as a page.
pub(in crate::http) async fn docs() -> HttpResponse {
    HttpResponse::Ok()
        .insert_header(NOT_INDEXED)
        .insert_header((CONTENT_TYPE, "text/html; charset=utf-8"))
        .insert_header((LINK, "</openapi.json>; rel=\"service-desc\""))
        .body(page::page(&DOCUMENT))
}

pub(in crate::http) async fn style() -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "text/css; charset=utf-8"))
        .body(include_str!("../../../../assets/docs.css"))
}
