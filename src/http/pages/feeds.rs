//! Feeds of the newest deals: Atom (RFC 4287) and JSON Feed 1.1. Addresses start with the public URL, never
//! with a request's Host.

use std::io;

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use jiff::{RoundMode, Timestamp, TimestampRound, Unit};
use maud::html;
use quick_xml::events::BytesText;
use serde_json::{Value, json};
use url::Url;

use super::address::{feed_address, filters_address};
use super::format::hundredths;
use super::sharing::Picture;
use super::sitemaps::{Xml, document, is_xml, text};
use super::summary;
use crate::domain::{Filters, ListQuery, Product, rfc3339, time_in_india};
use crate::http::error::ApiError;
use crate::http::routes::{Route, get};
use crate::http::serving::cached::cached;
use crate::http::serving::response_cache::Content;
use crate::http::state::AppState;
use crate::storefront::list_query::parse_lenient;
use crate::storefront::{Shelf, Storefront, absolute, details_path, heading};

/// Routes of this file.
pub(super) fn routes() -> Vec<Route> {
    vec![
        get("/feed.xml", atom_feed).compressed(),
        get("/feed.json", json_feed).compressed(),
    ]
}

/// Deals in a feed.
const IN_FEED: u32 = 50;
const ATOM: &str = "http://www.w3.org/2005/Atom";
/// Prices, as catalogues for merchants have them.
const MERCHANT: &str = "http://base.google.com/ns/1.0";

/// The newest deals of those that the list's filters choose.
struct Feed<'a> {
    title: String,
    /// Path and query of the feed.
    own: String,
    /// The list's page.
    list: Url,
    updated: Timestamp,
    public_url: &'a Url,
    /// Beginning of ids.
    base: Url,
    shop: &'a str,
    products: &'a [Product],
}

/// `GET /feed.xml`.
pub(crate) async fn atom_feed(
    state: web::Data<AppState>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    feed(&state, &request, "/feed.xml", |feed| {
        let xml = feed.atom()?;
        Ok(Content::new(
            StatusCode::OK,
            "application/atom+xml; charset=utf-8",
            xml,
        ))
    })
    .await
}

/// `GET /feed.json`.
pub(crate) async fn json_feed(
    state: web::Data<AppState>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    feed(&state, &request, "/feed.json", |feed| {
        let json = serde_json::to_vec(&feed.json()).map_err(ApiError::serialization)?;
        Ok(Content::new(StatusCode::OK, "application/feed+json", json))
    })
    .await
}

async fn feed(
    state: &web::Data<AppState>,
    request: &HttpRequest,
    path: &'static str,
    write: fn(&Feed<'_>) -> Result<Content, ApiError>,
) -> Result<HttpResponse, ApiError> {
    let public_url = state.public_url().clone();
    let shared = state.get_ref().clone();
    let front = state.storefront().await?;
    let query = ListQuery {
        limit: IN_FEED,
        filters: parse_lenient(request.query_string(), front.names()).filters,
        ..ListQuery::default()
    };
    cached(state, request, move |store| {
        let front = shared.storefronts().current(store)?;
        let mut newest = store.list_products(&query)?.page.items;
        front.apply_rules(&mut newest);
        let base = store.feed_base()?;
        let base = base.map_or_else(|| Ok(public_url.clone()), |base| Url::parse(&base));
        let base = base.map_err(|error| ApiError::Internal(error.to_string()))?;
        write(&Feed::new(
            path,
            (&public_url, base),
            &front,
            &query,
            &newest,
        ))
    })
    .await
}

impl<'a> Feed<'a> {
    fn new(
        path: &str,
        (public_url, base): (&'a Url, Url),
        front: &'a Storefront,
        query: &ListQuery,
        products: &'a [Product],
    ) -> Self {
        let shop = front.name();
        let updated = products.iter().map(|product| product.content_at).max();
        // An empty feed changes once an hour at most.
        let hour = TimestampRound::new()
            .smallest(Unit::Hour)
            .mode(RoundMode::Trunc);
        let now = Timestamp::now();
        let shelf = Shelf::of_filters(front, &query.filters);
        let list = filters_address(query.filters.clone(), shelf.as_ref());
        Self {
            title: match query.filters == Filters::default() {
                true => format!("{shop}: the newest"),
                false => format!("{shop}: the newest of {}", heading(&query.filters)),
            },
            own: feed_address(path, &query.filters),
            list: absolute(public_url, &list),
            updated: updated.unwrap_or_else(|| now.round(hour).unwrap_or(now)),
            public_url,
            base,
            shop,
            products,
        }
    }

    fn atom(&self) -> Result<Vec<u8>, ApiError> {
        let own = absolute(self.public_url, &self.own);
        document(|xml| {
            let feed = xml
                .create_element("feed")
                .with_attributes([("xmlns", ATOM), ("xmlns:g", MERCHANT)]);
            feed.write_inner_content(|xml| {
                text(xml, "title", &self.title)?;
                text(xml, "id", absolute(&self.base, &self.own).as_str())?;
                text(xml, "updated", &rfc3339(self.updated))?;
                link(xml, "self", "application/atom+xml", &own)?;
                link(xml, "alternate", "text/html", &self.list)?;
                xml.create_element("author")
                    .write_inner_content(|xml| text(xml, "name", self.shop))?;
                for product in self.products {
                    self.entry(xml, product)?;
                }
                Ok(())
            })?;
            Ok(())
        })
    }

    fn entry(&self, xml: &mut Xml, product: &Product) -> io::Result<()> {
        let path = details_path(&product.id);
        let details = &product.details;
        let page = absolute(self.public_url, &path);
        xml.create_element("entry").write_inner_content(|xml| {
            text(xml, "title", &details.title)?;
            text(xml, "id", absolute(&self.base, &path).as_str())?;
            text(xml, "published", &rfc3339(product.published_at))?;
            text(xml, "updated", &rfc3339(product.content_at))?;
            link(xml, "alternate", "text/html", &page)?;
            xml.create_element("category")
                .with_attribute(("term", details.category.as_str()))
                .write_empty()?;
            text(xml, "summary", &summary(product))?;
            if product.offers_price() {
                let price = hundredths(details.final_price.get());
                text(xml, "g:price", &format!("{price} INR"))?;
            }
            if let Some(end) = details.lifetime.ends_at {
                text(xml, "g:expiration_date", &rfc3339(end))?;
            }
            let picture = Picture::in_feed(self.public_url, product);
            let content = content(product, picture.as_ref());
            let content: String = content.chars().filter(|c| is_xml(*c)).collect();
            xml.create_element("content")
                .with_attribute(("type", "html"))
                .write_text_content(BytesText::new(&content))?;
            Ok(())
        })?;
        Ok(())
    }

    fn json(&self) -> Value {
        let items: Vec<Value> = self.products.iter().map(|it| self.item(it)).collect();
        json!({
            "version": "https://jsonfeed.org/version/1.1",
            "title": self.title,
            "home_page_url": self.list,
            "feed_url": absolute(self.public_url, &self.own),
            "language": "en-IN",
            "authors": [{ "name": self.shop, "url": absolute(self.public_url, "/") }],
            "items": items,
        })
    }

    fn item(&self, product: &Product) -> Value {
        let path = details_path(&product.id);
        let details = &product.details;
        let picture = Picture::in_feed(self.public_url, product);
        let mut deal = json!({ "seller": details.source });
        if product.offers_price() {
            deal["price"] = hundredths(details.final_price.get()).into();
            deal["currency"] = "INR".into();
        }
        if let Some(end) = details.lifetime.ends_at {
            deal["ends_at"] = rfc3339(end).into();
        }
        let tags = [details.category.as_str()].into_iter();
        let tags: Vec<&str> = tags
            .chain(details.tags.iter().map(String::as_str))
            .collect();
        let mut item = json!({
            "id": absolute(&self.base, &path),
            "url": absolute(self.public_url, &path),
            "title": details.title,
            "summary": summary(product),
            "content_html": content(product, picture.as_ref()),
            "date_published": rfc3339(product.published_at),
            "date_modified": rfc3339(product.content_at),
            "tags": tags,
            "_deal": deal,
        });
        if let Some(picture) = picture {
            item["image"] = picture.address.as_str().into();
        }
        item
    }
}

/// Text that readers show: the picture, the price with the beginning of the description, and the end.
fn content(product: &Product, picture: Option<&Picture>) -> String {
    let end = product.details.lifetime.ends_at;
    let content = html! {
        @if let Some(picture) = picture {
            p { img src=(picture.address) alt=(picture.alt); }
        }
        p { (summary(product)) }
        @if let Some(end) = end { p { "Until " (time_in_india(end)) } }
    };
    content.into_string()
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
