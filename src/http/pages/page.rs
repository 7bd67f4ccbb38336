//! Writes a page: its head, its root as the app renders it, and its data.

use actix_web::HttpRequest;
use actix_web::http::StatusCode;
use actix_web::http::header::{ACCEPT, USER_AGENT};
use maud::{Markup, html};

use super::address::facets_path;
use super::head;
use super::served::{Answers, element, json, text, without_answers};
use super::shell::template;
use crate::clicks::is_browser;
use crate::domain::{Facets, ListQuery};
use crate::http::api::responses::FacetsResponse;
use crate::http::error::ApiError;
use crate::http::serving::queue::Party;
use crate::http::serving::rate_limit::Client;
use crate::http::serving::response_cache::Content;
use crate::http::state::AppState;
use crate::storefront::{Storefront, category_path};

/// A page that the server renders.
pub(super) struct Page<'a> {
    pub(super) head: Markup,
    /// Address for which the app renders it.
    pub(super) address: String,
    /// Query of the list, on the list itself.
    pub(super) query: &'a ListQuery,
    /// Counts of its filters' options.
    pub(super) facets: Facets,
    /// Embedded answers of the API, by path.
    pub(super) answers: Answers,
}

/// The client of a page, as far as the page depends on it.
pub(super) struct Reader {
    pub(super) state: AppState,
    pub(super) party: Party,
    /// Whether it seems to be a browser, which can render a page by itself.
    is_browser: bool,
}

impl Reader {
    pub(super) fn new(state: &AppState, request: &HttpRequest) -> Self {
        let header = |name| request.headers().get(name)?.to_str().ok();
        let accepts_pages = header(ACCEPT).is_some_and(|kinds| kinds.contains("text/html"));
        Self {
            state: state.clone(),
            party: Client::from_request(request, &state.options().trusted_proxies).into(),
            is_browser: accepts_pages && header(USER_AGENT).is_some_and(is_browser),
        }
    }
}

impl Page<'_> {
    /// Writes the page, without its root if that could not be rendered: the browser does it then.
    ///
    /// # Errors
    ///
    /// [`ApiError::Busy`] if it could not be rendered, and the client cannot do it.
    pub(super) fn write(
        mut self,
        reader: &Reader,
        front: &Storefront,
        status: StatusCode,
    ) -> Result<Content, ApiError> {
        let facets = text(&FacetsResponse::from(self.facets))?;
        self.answers.insert(facets_path(self.query), facets);
        let data = json(front, &self.answers)?;
        let waiting = || reader.state.lanes().pages.waiting(&reader.party);
        let root = reader.state.renderer().root(&self.address, &data, waiting);
        let head = &self.head.0;
        let served = element(&data);
        match root {
            Some(root) => Ok(template().fill(front, status, head, &[&root], &served.0)),
            None if reader.is_browser => {
                let served = html! {
                    (no_script(front, "The server is too busy to do without it: reload the page in a minute."))
                    (served)
                };
                let page = template().fill(front, status, head, &[], &served.0);
                Ok(page.unrendered())
            }
            None => Err(ApiError::Busy),
        }
    }
}

/// A page that the app renders alone; `reason` says why to a browser without JavaScript.
pub(super) fn empty(front: &Storefront, title: &str, reason: &str, status: StatusCode) -> Content {
    let head = head::plain(front, title);
    let served = html! {
        (no_script(front, reason))
        (without_answers(front))
    };
    let page = template().fill(front, status, &head.0, &[], &served.0);
    page.app_only()
}

/// Renders what a page without its root shows to a browser without JavaScript.
fn no_script(front: &Storefront, reason: &str) -> Markup {
    html! {
        div class="page no-script" {
            div class="prose" {
                a href="/" class="brand" {
                    img src=(front.logo.path) alt="";
                    span { (front.name()) }
                }
                p { "This screen needs JavaScript. " (reason) }
                p { "Without it you can read, search and filter every deal, and go to the sellers:" }
                ul {
                    li { a href="/" { "All deals" } }
                    @for category in front.categories.shown().map(|listed| &listed.category) {
                        li { a href=(category_path(&front.categories, category)) { (category.as_str()) } }
                    }
                    @for page in &front.settings.shop.pages {
                        li { a href={ "/pages/" (page.slug) } { (page.title) } }
                    }
                    li { a href="/feed.xml" { "Feed of new deals" } }
                }
            }
        }
    }
}
