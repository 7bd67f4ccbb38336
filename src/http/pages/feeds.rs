//! robots.txt, sitemaps and the feed. Addresses start with the public URL, never with a request's
//! Host.

use std::collections::HashSet;
use std::io;

use actix_web::http::StatusCode;
use actix_web::http::header::LOCATION;
use actix_web::{HttpRequest, HttpResponse, web};
use jiff::{RoundMode, Timestamp, TimestampRound, Unit};
use maud::html;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use url::Url;

use super::address::{feed_address, filters_address};
use super::headings::heading;
use super::sharing::Picture;
use super::summary;
use crate::domain::{Filters, ListQuery, Product, rfc3339};
use crate::http::error::ApiError;
use crate::http::routes::{Route, get};
use crate::http::serving::cached::cached;
use crate::http::serving::response_cache::Content;
use crate::http::state::AppState;
use crate::store::Store;
use crate::storefront::list_query::parse_lenient;
use crate::storefront::{
    Shelf, Storefront, absolute, category_path, collection_path, details_path, seller_path,
};

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        get("/robots.txt", robots),
        get("/sitemap.xml", sitemap).compressed(),
        get("/sitemap-{number}.xml", sitemap_part).compressed(),
        get("/feed.xml", feed).compressed(),
    ]
}

/// Addresses per sitemap. The 50,000 of sitemaps.org would take 100 ms and not fit the response
/// cache.
const PER_SITEMAP: u32 = 5_000;
/// Deals in the feed.
const IN_FEED: u32 = 50;
const SITEMAP: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";
const XML: &str = "application/xml";
const ATOM: &str = "http://www.w3.org/2005/Atom";

type Xml = Writer<Vec<u8>>;

/// `GET /robots.txt` (RFC 9309). A screen that says `noindex` is not closed, because a crawler has to
/// read it: lists of several filters say so, and links to them `nofollow`. Their feeds can't.
pub(crate) async fn robots(state: web::Data<AppState>, request: HttpRequest) -> HttpResponse {
    let text = format!(
        "User-agent: *\nDisallow: /user/\nDisallow: /feed.xml?\n\nSitemap: {}\n",
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

/// `GET /feed.xml`: the newest deals (RFC 4287), of those that the list's filters choose.
pub(crate) async fn feed(
    state: web::Data<AppState>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let public_url = state.public_url().clone();
    let shared = state.get_ref().clone();
    let front = state.storefront().await?;
    let query = ListQuery {
        limit: IN_FEED,
        filters: parse_lenient(request.query_string(), front.names()).filters,
        ..ListQuery::default()
    };
    cached(&state, &request, move |store| {
        let front = shared.storefronts().current(store)?;
        let mut newest = store.list_products(&query)?;
        front.apply_rules(&mut newest.page.items);
        let base = match store.feed_base()? {
            Some(base) => {
                Url::parse(&base).map_err(|error| ApiError::Internal(error.to_string()))?
            }
            None => public_url.clone(),
        };
        let addresses = Addresses {
            public_url: &public_url,
            base: &base,
        };
        let xml = newest_deals(&addresses, &front, &query, &newest.page.items)?;
        Ok(Content::new(StatusCode::OK, "application/atom+xml", xml))
    })
    .await
}

/// Where the shop is, and what the ids of its feed begin with.
struct Addresses<'a> {
    public_url: &'a Url,
    base: &'a Url,
}

fn newest_deals(
    addresses: &Addresses<'_>,
    front: &Storefront,
    query: &ListQuery,
    products: &[Product],
) -> Result<Vec<u8>, ApiError> {
    let name = front.name();
    let Addresses { public_url, base } = addresses;
    let updated = products.iter().map(|product| product.content_at).max();
    // An empty feed changes once an hour at most.
    let hour = TimestampRound::new()
        .smallest(Unit::Hour)
        .mode(RoundMode::Trunc);
    let now = Timestamp::now();
    let updated = updated.unwrap_or_else(|| now.round(hour).unwrap_or(now));
    let shelf = Shelf::of_filters(front, &query.filters);
    let list = filters_address(query.filters.clone(), shelf.as_ref());
    let own = feed_address(&query.filters);
    let title = match heading(query) {
        _ if query.filters == Filters::default() => format!("{name}: the newest"),
        heading => format!("{name}: the newest of {heading}"),
    };
    document(|xml| {
        let feed = xml.create_element("feed").with_attribute(("xmlns", ATOM));
        feed.write_inner_content(|xml| {
            text(xml, "title", &title)?;
            text(xml, "id", absolute(base, &own).as_str())?;
            text(xml, "updated", &rfc3339(updated))?;
            link(
                xml,
                "self",
                "application/atom+xml",
                &absolute(public_url, &own),
            )?;
            link(xml, "alternate", "text/html", &absolute(public_url, &list))?;
            xml.create_element("author")
                .write_inner_content(|xml| text(xml, "name", name))?;
            for product in products {
                entry(xml, addresses, product)?;
            }
            Ok(())
        })?;
        Ok(())
    })
}

fn entry(xml: &mut Xml, addresses: &Addresses<'_>, product: &Product) -> io::Result<()> {
    let Addresses { public_url, base } = addresses;
    let path = details_path(&product.id);
    let details = &product.details;
    xml.create_element("entry").write_inner_content(|xml| {
        text(xml, "title", &details.title)?;
        text(xml, "id", absolute(base, &path).as_str())?;
        text(xml, "published", &rfc3339(product.published_at))?;
        text(xml, "updated", &rfc3339(product.content_at))?;
        link(xml, "alternate", "text/html", &absolute(public_url, &path))?;
        xml.create_element("category")
            .with_attribute(("term", details.category.as_str()))
            .write_empty()?;
        let summary = summary(product);
        text(xml, "summary", &summary)?;
        if let Some(picture) = Picture::in_feed(public_url, product) {
            // Readers show the picture of the content.
            let content = html! {
                p { img src=(picture.address) alt=(picture.alt); }
                p { (summary) }
            };
            let content: String = content
                .into_string()
                .chars()
                .filter(|c| is_xml(*c))
                .collect();
            xml.create_element("content")
                .with_attribute(("type", "html"))
                .write_text_content(BytesText::new(&content))?;
        }
        Ok(())
    })?;
    Ok(())
}

fn link(xml: &mut Xml, relation: &str, kind: &str, address: &Url) -> io::Result<()> {
    xml.create_element("link")
        .with_attributes([
            ("rel", relation),
            ("type", kind),
            ("href", address.as_str()),
        ])
        .write_empty()?;
    Ok(())
}

/// Writes an element with a text, without the characters that XML does not allow.
fn text(xml: &mut Xml, name: &str, value: &str) -> io::Result<()> {
    let value: String = value.chars().filter(|c| is_xml(*c)).collect();
    xml.create_element(name)
        .write_text_content(BytesText::new(&value))?;
    Ok(())
}

/// XML 1.0, section 2.2.
fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{fffd}' | '\u{10000}'..)
}

fn document(write: impl FnOnce(&mut Xml) -> io::Result<()>) -> Result<Vec<u8>, ApiError> {
    let mut xml = Writer::new(Vec::new());
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))
        .and_then(|()| write(&mut xml))
        .map_err(|error| ApiError::Internal(error.to_string()))?;
    Ok(xml.into_inner())
}
