//! Pages of visitors: their heads, their data, and the app's markup of it, which `rendering` makes.

pub(super) mod address;
pub(super) mod assets;
mod feeds;
mod format;
mod head;
pub(super) mod owner;
mod page;
mod routes;
mod served;
pub(super) mod sharing;
mod shell;
mod shelves;
mod sitemaps;
mod structured;
pub(super) mod subscriptions;

use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, LOCATION, RETRY_AFTER};
use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;
use url::form_urlencoded;

pub(super) use head::summary;
pub(super) use routes::SCREENS;
pub(super) use shell::style_sources;
pub(super) use shelves::{category_routes, shelf};

use super::api::permissions::may_preview;
use super::api::products::cards::{AlikeResponse, HomeResponse};
use super::api::products::prices::PriceHistoryResponse;
use super::api::products::removed::RemovedResponse;
use super::api::responses::{CardListResponse, ProductResponse};
use super::error::ApiError;
use super::page_views;
use super::routes::{Route, get};
use super::serving::cached::{cached, cached_front};
use super::serving::response_cache::Content;
use super::state::AppState;
use crate::storefront::Shelf;
use crate::storefront::list_query::parse_lenient;
use jiff::Timestamp;

use self::address::{cards_path, page_address, shelf_path};
use self::head::Head;
use self::page::{Page, Reader, empty};
use self::routes::call_path;
use self::served::{Answers, text};
use crate::domain::{Alike, Filters, ListQuery, Product};
use crate::store::{Store, StoreError};

/// Routes of every page and file.
pub(super) fn routes() -> Vec<Route> {
    let mut routes = vec![
        get("/", list).compressed(),
        get("/details/{id}", product).compressed(),
    ];
    routes.extend(shelves::routes());
    routes.extend(owner::routes());
    routes.extend(sharing::routes());
    routes.extend(sitemaps::routes());
    routes.extend(feeds::routes());
    routes.extend(assets::routes());
    routes.extend(subscriptions::routes());
    routes.extend(SCREENS.map(|path| get(path, screen).compressed()));
    routes
}

/// `GET /`, with any filters.
pub(super) async fn list(
    state: web::Data<AppState>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let front = match state.storefront().await {
        Ok(front) => front,
        Err(error) => return Ok(fallback_page(&state, &request, &error)),
    };
    let query = parse_lenient(request.query_string(), front.names());
    if names_former_category(request.query_string(), &query) {
        return Ok(HttpResponse::Found()
            .insert_header((LOCATION, page_address(&query, None)))
            .insert_header((CACHE_CONTROL, "no-cache"))
            .finish());
    }
    let reader = Reader::new(&state, &request);
    let asked = query.clone();
    let answer = cached(&state, &request, move |store| {
        list_page(&reader, store, &query, None)
    });
    Ok(match answer.await {
        Ok(answer) => {
            page_views::count_search(&state, &request, &asked, &answer).await;
            answer
        }
        Err(error) => fallback_page(&state, &request, &error),
    })
}

/// True if the address has a category by a name that it had.
fn names_former_category(query_string: &str, query: &ListQuery) -> bool {
    let mut given = form_urlencoded::parse(query_string.as_bytes());
    let given = given.find(|(name, _)| name == "category");
    let now = query.filters.category.as_ref();
    given
        .zip(now)
        .is_some_and(|((_, given), now)| given.trim() != now.as_str())
}

fn list_page(
    reader: &Reader,
    store: &Store,
    query: &ListQuery,
    shelf: Option<&Shelf>,
) -> Result<Content, ApiError> {
    let state = &reader.state;
    let front = state.storefronts().current(store)?;
    let shown = front.list(store, query)?;
    let page = &shown.found.page;
    let past_the_end = i64::from(query.page) > page.total_pages(query.limit);
    let status = if past_the_end {
        StatusCode::NOT_FOUND
    } else {
        StatusCode::OK
    };
    let list = text(&CardListResponse::new(query, &shown.found))?;
    let mut answers = Answers::from([(cards_path(query), list)]);
    if let Some(home) = &shown.home {
        answers.insert(HOME.to_owned(), text(&HomeResponse::from(home))?);
    }
    let read = shown.found.read_query(query);
    if let Some(nearby) = shown.found.nearby(&read) {
        let mut listing = store.list_products(&nearby)?;
        front.apply_rules(&mut listing.page.items);
        let list = text(&CardListResponse::new(&nearby, &listing))?;
        answers.insert(cards_path(&nearby), list);
    }
    if let Some(shelf) = shelf {
        answers.insert(shelf_path(shelf), text(&shelf.body())?);
    }
    Page {
        head: Head::of_list(state.public_url(), &front, &read, shelf, &shown.found).markup(&front),
        address: page_address(query, shelf),
        query,
        facets: shown.facets,
        answers,
    }
    .write(reader, &front, status)
    .map(|content| content.with_total(shown.found.typed_total()))
}

/// Path of the call for the picks.
const HOME: &str = "/product/home";

/// `GET /details/{id}`.
pub(super) async fn product(
    state: web::Data<AppState>,
    request: HttpRequest,
    id: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    let reader = Reader::new(&state, &request);
    let viewed = id.clone();
    let path = request.path().to_owned();
    let answer = cached(&state, &request, move |store| {
        let found = if_there(store.find_public_product(&id))?;
        product_page(&reader, store, &id, path, found)
    });
    Ok(match answer.await {
        // Administrators see drafts and scheduled products.
        Ok(answer) if answer.status() == StatusCode::NOT_FOUND && may_preview(&request).await => {
            preview(&state, &request, viewed).await?
        }
        Ok(answer) => {
            page_views::count_product(&state, &request, &viewed, &answer).await;
            answer
        }
        Err(error) => fallback_page(&state, &request, &error),
    })
}

/// Renders a product that is not public, which must not be stored.
async fn preview(
    state: &AppState,
    request: &HttpRequest,
    id: String,
) -> Result<HttpResponse, ApiError> {
    let reader = Reader::new(state, request);
    let path = request.path().to_owned();
    // In the lane whose threads have an engine.
    let content = state.lanes().pages.run(reader.party.clone(), move |_| {
        let store = reader.state.store();
        let found = if_there(store.find_product(&id))?;
        product_page(&reader, store, &id, path, found)
    });
    Ok(content.await?.private(request))
}

fn if_there<T>(found: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
    match found {
        Err(StoreError::NotFound) => Ok(None),
        found => found.map(Some),
    }
}

fn product_page(
    reader: &Reader,
    store: &Store,
    id: &str,
    path: String,
    mut found: Option<Product>,
) -> Result<Content, ApiError> {
    let state = &reader.state;
    let front = state.storefronts().current(store)?;
    let removed = match &found {
        Some(_) => None,
        None => if_there(store.find_removed(id, Timestamp::now()))?,
    };
    let mut alike = match (&found, &removed) {
        (Some(product), _) => store.alike(product)?,
        (None, Some(removed)) => store.alike_to_removed(removed)?,
        (None, None) => Alike::default(),
    };
    front.apply_rules(&mut found);
    front.apply_rules_to_related(&mut alike);
    let call = |name| call_path(name, id);
    let (status, head, answers) = match &found {
        Some(product) => {
            let missing = store.missing_pictures(id, Timestamp::now())?;
            let head = Head::of_product(state.public_url(), &front, product, &missing);
            let history = PriceHistoryResponse::of_product(product);
            let answers = Answers::from([
                (call("product"), text(&ProductResponse::from(product))?),
                (call("alike"), text(&AlikeResponse::from(&alike))?),
                (call("price-history"), text(&history)?),
            ]);
            (StatusCode::OK, head.markup(&front), answers)
        }
        None => {
            let title = format!("Product not found · {}", front.name());
            let status = match removed {
                Some(_) => StatusCode::GONE,
                None => StatusCode::NOT_FOUND,
            };
            let named = removed.as_ref();
            let named = named.map(|removed| RemovedResponse::new(removed, &alike));
            let mut answers = Answers::from([
                (call("product"), text(&json!({ "product": null }))?),
                (call("removed"), text(&named)?),
            ]);
            if removed.is_none() {
                let home = front.home(store)?;
                answers.insert(HOME.to_owned(), text(&HomeResponse::from(&home))?);
            }
            (status, head::plain(&front, &title), answers)
        }
    };
    Page {
        head,
        address: path,
        query: &ListQuery::default(),
        facets: store.count_facets(&Filters::default())?,
        answers,
    }
    .write(reader, &front, status)
}

/// Screens that the app renders alone.
pub(super) async fn screen(
    state: web::Data<AppState>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let path = request.path().to_owned();
    let answer = cached_front(&state, &request, move |front| {
        Ok(empty(
            front,
            front.name(),
            needs_script(&path),
            StatusCode::OK,
        ))
    });
    let answer = answer.await;
    Ok(answer.unwrap_or_else(|error| fallback_page(&state, &request, &error)))
}

/// The app's page at an unknown address.
pub(super) async fn unknown_page(
    state: &AppState,
    request: &HttpRequest,
) -> Result<HttpResponse, ApiError> {
    cached_front(state, request, |front| {
        let title = format!("Page not found · {}", front.name());
        Ok(empty(front, &title, "", StatusCode::NOT_FOUND))
    })
    .await
}

/// Answers without data while the database fails; the app retries.
fn fallback_page(state: &AppState, request: &HttpRequest, error: &ApiError) -> HttpResponse {
    use actix_web::ResponseError as _;
    // Logs the cause.
    let refusal = error.error_response();
    let front = state.storefronts().newest();
    let content = empty(&front, front.name(), "", refusal.status());
    let mut response = content.revalidated(request);
    if let Some(when) = refusal.headers().get(RETRY_AFTER) {
        response.headers_mut().insert(RETRY_AFTER, when.clone());
    }
    response
}

/// Says why a screen needs JavaScript.
fn needs_script(path: &str) -> &'static str {
    match path {
        "/search" => "Every list of deals has a search that works without it.",
        "/saved" => "Saved deals are kept on your device, where only a script can read them.",
        "/profile" | "/login" => "So does signing in, but deals need no account.",
        path if path.starts_with("/admin") || path.contains("-product") => {
            "On the server, the command deals does what the office does: see deals --help."
        }
        _ => "So do accounts, but deals need none.",
    }
}
