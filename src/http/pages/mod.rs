//! Pages that come with their content: the list and the details, written as the app
//! in the browser would write them, which then takes them over.
//! `tests/it/pages/server_rendering.rs` holds the two against each other.

pub(super) mod assets;
mod details;
pub(super) mod feeds;
mod filters;
mod format;
mod head;
mod icons;
mod layout;
mod listing;
mod product;
mod routes;
mod shell;
mod ui;

use std::collections::{BTreeMap, BTreeSet};

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use maud::{Markup, html};
use serde_json::{Value, json};

pub(super) use head::{absolute, summary};
pub(super) use routes::{SCREENS, details_path};
pub(super) use shell::style_sources;

use self::assets::require_page;
use super::api::list_query::{call_path, facets_path, of_page};
use super::api::responses::{FacetsResponse, ListResponse, ProductResponse};
use super::error::ApiError;
use super::serving::cached::{Cost, cached};
use super::serving::caching::revalidated;
use super::serving::response_cache::Content;
use super::state::AppState;
use crate::domain::{Facets, ListQuery, Listing, Product};
use crate::store::StoreError;
use head::Head;
use shell::template;

const HTML: &str = "text/html; charset=utf-8";

/// What a page is made of.
struct Page {
    head: Markup,
    root: Markup,
    /// The answers of the API that it was made from, by their path.
    answers: BTreeMap<String, Value>,
}

/// `GET /`, with any filter in the address.
pub(super) async fn list(
    state: web::Data<AppState>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    require_page(&request)?;
    let query = of_page(request.query_string());
    let shared = state.get_ref().clone();
    let cost = Cost::of(&state, &query);
    let answer = cached(&state, &request, cost, move |store| {
        let facets = store.count_facets(&query.filters)?;
        let found = store.list_products(&query)?;
        list_page(&shared, &query, facets, &found)
    });
    Ok(match answer.await {
        Ok(answer) => answer,
        Err(error) => without_content(&state, &request, &error),
    })
}

fn list_page(
    state: &AppState,
    query: &ListQuery,
    facets: Facets,
    found: &Listing<Product>,
) -> Result<Content, ApiError> {
    let past_the_end = i64::from(query.page) > found.page.total_pages(query.limit);
    let status = if past_the_end {
        StatusCode::NOT_FOUND
    } else {
        StatusCode::OK
    };
    let screen = listing::listing(query, &facets, found);
    let head = Head::of_list(state.public_url(), query, found).markup();
    let answers = [
        (
            call_path(query),
            table(value(&ListResponse::new(query, found))?),
        ),
        (
            facets_path(&query.filters),
            value(&FacetsResponse::from(facets))?,
        ),
    ];
    let page = Page {
        head,
        root: layout::frame(true, state.disclosure(), &screen),
        answers: answers.into(),
    };
    Ok(Content::new(status, HTML, page.write(state)))
}

/// `GET /details/{id}`.
pub(super) async fn product(
    state: web::Data<AppState>,
    request: HttpRequest,
    id: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    require_page(&request)?;
    let shared = state.get_ref().clone();
    let answer = cached(&state, &request, Cost::Inline, move |store| {
        let found = match store.find_product(&id) {
            Err(StoreError::NotFound) => None,
            found => Some(found?),
        };
        product_page(&shared, &id, found)
    });
    Ok(match answer.await {
        Ok(answer) => answer,
        Err(error) => without_content(&state, &request, &error),
    })
}

fn product_page(state: &AppState, id: &str, found: Option<Product>) -> Result<Content, ApiError> {
    let screen = details::details(found.as_ref(), state.disclosure());
    let (status, head) = match &found {
        Some(product) => {
            let head = Head::of_product(state.public_url(), product);
            (StatusCode::OK, head.markup())
        }
        None => (
            StatusCode::NOT_FOUND,
            head::plain("Product not found · Deals"),
        ),
    };
    let answer = match found {
        Some(product) => value(&ProductResponse::from(&product))?,
        None => json!({ "product": null }),
    };
    let page = Page {
        head,
        root: layout::frame(false, state.disclosure(), &screen),
        answers: [(routes::product_call_path(id), answer)].into(),
    };
    Ok(Content::new(status, HTML, page.write(state)))
}

/// The screens that the app makes by itself.
pub(super) async fn screen(
    state: web::Data<AppState>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    require_page(&request)?;
    Ok(empty(&state, &request, "Deals", StatusCode::OK))
}

/// The app at an address that leads nowhere.
pub(super) fn nowhere(state: &AppState, request: &HttpRequest) -> HttpResponse {
    empty(
        state,
        request,
        "Page not found · Deals",
        StatusCode::NOT_FOUND,
    )
}

/// When the database can't answer now, the app asks again by itself.
fn without_content(state: &AppState, request: &HttpRequest, error: &ApiError) -> HttpResponse {
    use actix_web::ResponseError as _;
    // Writes the cause into the log, as for every other answer.
    let refusal = error.error_response();
    empty(state, request, "Deals", refusal.status())
}

fn empty(state: &AppState, request: &HttpRequest, title: &str, status: StatusCode) -> HttpResponse {
    let page = Page {
        head: head::plain(title),
        root: html! {},
        answers: BTreeMap::new(),
    };
    revalidated(request, status, HTML, page.write(state))
}

impl Page {
    fn write(&self, state: &AppState) -> Vec<u8> {
        let served = head::data(&json!({
            "answers": self.answers,
            "disclosure": state.disclosure(),
        }));
        let served = html! {
            @if self.root.0.is_empty() {
                p class="page no-script" {
                    "This screen needs JavaScript. The " a href="/" { "deals" } " do not."
                }
            }
            script id="served" type="application/json" { (served) }
        };
        template().fill(&self.head.0, &self.root.0, &served.0)
    }
}

/// A page of the list as `frontend/src/api/served.ts` reads it: the names of the products'
/// fields stand once, above their values.
fn table(mut list: Value) -> Value {
    let products = list["data"].as_array().map_or(&[][..], Vec::as_slice);
    let products: Vec<BTreeMap<String, &Value>> = products.iter().map(flat).collect();
    let fields: BTreeSet<&String> = products.iter().flat_map(BTreeMap::keys).collect();
    let rows: Vec<Vec<Option<&&Value>>> = products
        .iter()
        .map(|product| fields.iter().map(|field| product.get(*field)).collect())
        .collect();
    list["data"] = json!({ "fields": fields, "rows": rows });
    list
}

/// The fields of a product, those of an object in it as `object.field`.
fn flat(product: &Value) -> BTreeMap<String, &Value> {
    let fields = product.as_object().into_iter().flatten();
    fields
        .flat_map(|(name, value)| match value {
            Value::Object(inner) => inner
                .iter()
                .map(|(inner, value)| (format!("{name}.{inner}"), value))
                .collect(),
            value => vec![(name.clone(), value)],
        })
        .collect()
}

fn value(answer: &impl serde::Serialize) -> Result<Value, ApiError> {
    serde_json::to_value(answer).map_err(ApiError::unwritten)
}
