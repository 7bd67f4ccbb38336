//! robots.txt and sitemaps. Addresses start with the public URL, never with a request's
//! Host.

use std::collections::HashSet;
use std::io;

use actix_web::http::StatusCode;
use actix_web::http::header::LOCATION;
use actix_web::{HttpRequest, HttpResponse, web};
use jiff::Timestamp;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use url::Url;

use crate::domain::{Filters, rfc3339};
use crate::http::error::ApiError;
use crate::http::routes::{Route, get};
use crate::http::serving::cached::cached;
use crate::http::serving::response_cache::Content;
use crate::http::state::AppState;
use crate::store::Store;
use crate::storefront::{
    Storefront, absolute, category_path, collection_path, details_path, seller_path,
};

/// Routes of this file.
pub(super) fn routes() -> Vec<Route> {
    vec![
        get("/robots.txt", robots),
        get("/sitemap.xml", sitemap).compressed(),
        get("/sitemap-{number}.xml", sitemap_part).compressed(),
    ]
}

/// Addresses per sitemap. The 50,000 of sitemaps.org would take 100 ms and not fit the response
/// cache.
const PER_SITEMAP: u32 = 5_000;
const SITEMAP: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";
const XML: &str = "application/xml";

pub(super) type Xml = Writer<Vec<u8>>;

/// `GET /robots.txt` (RFC 9309). A screen that says `noindex` is not closed, because a crawler has to
/// read it: lists of several filters say so, and links to them `nofollow`. Their feeds can't.
pub(crate) async fn robots(state: web::Data<AppState>, request: HttpRequest) -> HttpResponse {
    let text = format!(
        "User-agent: *\nDisallow: /user/\nDisallow: /feed.xml?\nDisallow: /feed.json?\n\nSitemap: {}\n",
        absolute(state.public_url(), "/sitemap.xml")
    );
    let kind = "text/plain; charset=utf-8";
    Content::new(StatusCode::OK, kind, text.into_bytes()).revalidated(&request)
}

/// `GET /sitemap.xml`: all addresses, or an index of sitemaps if there are too many.
pub(crate) async fn sitemap(
    state: web::Data<AppState>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    if let Some(redirect) = redirect_without_query(&request) {
        return Ok(redirect);
    }
    let public_url = state.public_url().clone();
    let shared = state.get_ref().clone();
    cached(&state, &request, move |store| {
        let products = store.count_products()?;
        let lists = lists(store, &*shared.storefronts().current(store)?)?;
        // The first sitemap has the lists.
        let all = products + i64::try_from(lists.len()).unwrap_or_default();
        let xml = if all <= i64::from(PER_SITEMAP) {
            addresses(&public_url, &lists, &store.list_ids(0, PER_SITEMAP)?)
        } else {
            index(&public_url, products)
        };
        Ok(Content::new(StatusCode::OK, XML, xml?))
    })
    .await
}

/// `GET /sitemap-{number}.xml`: the lists for 0, then the products.
pub(crate) async fn sitemap_part(
    state: web::Data<AppState>,
    request: HttpRequest,
    number: web::Path<u32>,
) -> Result<HttpResponse, ApiError> {
    if let Some(redirect) = redirect_without_query(&request) {
        return Ok(redirect);
    }
    let public_url = state.public_url().clone();
    let number = number.into_inner();
    let shared = state.get_ref().clone();
    cached(&state, &request, move |store| {
        let xml = match number.checked_sub(1) {
            None => {
                let lists = lists(store, &*shared.storefronts().current(store)?)?;
                addresses(&public_url, &lists, &[])
            }
            Some(before) => {
                let found = store.list_ids(before.saturating_mul(PER_SITEMAP), PER_SITEMAP)?;
                if found.is_empty() {
                    return Err(ApiError::UnknownPath);
                }
                addresses(&public_url, &[], &found)
            }
        };
        Ok(Content::new(StatusCode::OK, XML, xml?))
    })
    .await
}

/// Redirects to the address without its query, because each query would be a separate entry of the
/// response cache.
fn redirect_without_query(request: &HttpRequest) -> Option<HttpResponse> {
    let uri = request.uri();
    uri.query()?;
    let location = (LOCATION, uri.path());
    let mut response = HttpResponse::PermanentRedirect();
    Some(response.insert_header(location).finish())
}

fn index(public_url: &Url, products: i64) -> Result<Vec<u8>, ApiError> {
    let parts = (products + i64::from(PER_SITEMAP) - 1) / i64::from(PER_SITEMAP);
    document(|xml| {
        let index = xml
            .create_element("sitemapindex")
            .with_attribute(("xmlns", SITEMAP));
        index.write_inner_content(|xml| {
            for number in 0..=parts {
                let address = absolute(public_url, &format!("/sitemap-{number}.xml"));
                xml.create_element("sitemap")
                    .write_inner_content(|xml| text(xml, "loc", address.as_str()))?;
            }
            Ok(())
        })?;
        Ok(())
    })
}

/// Sellers in the sitemap, those with the most deals.
const SELLERS: usize = 1_000;

/// Addresses of the list, of the categories and sellers with deals and of the owner's pages.
fn lists(store: &Store, front: &Storefront) -> Result<Vec<String>, ApiError> {
    let facets = store.count_facets(&Filters::default())?;
    let categories = facets.categories.into_iter();
    let categories = categories.filter(|(_, products)| *products > 0);
    let pages = front.settings.shop.pages.iter();
    let collections = front.collections.iter().filter(|it| it.is_running);
    let sellers = store.sellers()?;
    let mut sellers: Vec<_> = sellers
        .iter()
        .filter_map(|name| seller_path(name))
        .collect();
    sellers.truncate(SELLERS);
    // Names that differ in letters only give one address.
    let mut seen = HashSet::new();
    sellers.retain(|path| seen.insert(path.clone()));
    Ok(["/".to_owned()]
        .into_iter()
        .chain(categories.map(|(category, _)| category_path(&front.categories, &category)))
        .chain(sellers)
        .chain(collections.map(|it| collection_path(&it.slug)))
        .chain(pages.map(|page| format!("/pages/{}", page.slug)))
        .collect())
}

fn addresses(
    public_url: &Url,
    lists: &[String],
    products: &[(String, Timestamp)],
) -> Result<Vec<u8>, ApiError> {
    document(|xml| {
        let set = xml
            .create_element("urlset")
            .with_attribute(("xmlns", SITEMAP));
        set.write_inner_content(|xml| {
            for path in lists {
                let address = absolute(public_url, path);
                xml.create_element("url")
                    .write_inner_content(|xml| text(xml, "loc", address.as_str()))?;
            }
            for (id, changed_at) in products {
                let address = absolute(public_url, &details_path(id));
                xml.create_element("url").write_inner_content(|xml| {
                    text(xml, "loc", address.as_str())?;
                    text(xml, "lastmod", &rfc3339(*changed_at))
                })?;
            }
            Ok(())
        })?;
        Ok(())
    })
}

/// Writes an element with a text, without the characters that XML does not allow.
pub(super) fn text(xml: &mut Xml, name: &str, value: &str) -> io::Result<()> {
    let value: String = value.chars().filter(|c| is_xml(*c)).collect();
    xml.create_element(name)
        .write_text_content(BytesText::new(&value))?;
    Ok(())
}

/// XML 1.0, section 2.2.
pub(super) fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{fffd}' | '\u{10000}'..)
}

pub(super) fn document(
    write: impl FnOnce(&mut Xml) -> io::Result<()>,
) -> Result<Vec<u8>, ApiError> {
    let mut xml = Writer::new(Vec::new());
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))
        .and_then(|()| write(&mut xml))
        .map_err(|error| ApiError::Internal(error.to_string()))?;
    Ok(xml.into_inner())
}
