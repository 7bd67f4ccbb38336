//! Pages for search engines, feed readers and link previews.

use roxmltree::Document;
use scraper::{Html, Selector};
use serde_json::{Value, json};

use crate::pages::server_rendering::page;
use crate::support::harness::{Server, Shop, product, product_with};

pub const SITE: &str = "https://deals.example.com";

pub fn shop() -> (Shop, Server) {
    let shop = Shop::with(&[
        product_with(
            1,
            json!({
                "title": "Steel \"kettle\" & <cup>",
                "description": "Boils water.\nQuietly.</script>",
                "price": 1999.5,
                "discount": 25,
                "category": "Home",
                "source": "Croma",
                "images": ["https://pictures.example/1.jpg?a=1&b=2", "https://pictures.example/2.jpg"],
                "averageRating": 4.3,
                "totalRatings": 1200,
            }),
        ),
        product_with(2, json!({"averageRating": 0})),
    ]);
    let server = shop.serve_with(&["--public-url", SITE]);
    (shop, server)
}

pub fn attribute(page: &Html, selector: &str, name: &str) -> Option<String> {
    let selector = Selector::parse(selector).unwrap();
    let element = page.select(&selector).next()?;
    element.value().attr(name).map(str::to_owned)
}

pub fn content(page: &Html, selector: &str) -> String {
    attribute(page, selector, "content").unwrap_or_else(|| panic!("no {selector}"))
}

fn text(page: &Html, selector: &str) -> Option<String> {
    let selector = Selector::parse(selector).unwrap();
    Some(page.select(&selector).next()?.text().collect())
}

pub fn structured(page: &Html) -> Value {
    serde_json::from_str(&text(page, "script[type='application/ld+json']").unwrap()).unwrap()
}

pub fn path_of(server: &Server, title: &str) -> String {
    let found = server.list("limit=100");
    let product = found.iter().find(|product| product["title"] == title);
    format!("/details/{}", product.unwrap()["_id"].as_str().unwrap())
}

#[test]
fn a_product_can_be_shared_with_its_picture_price_and_rating() {
    let (_shop, server) = shop();
    let path = path_of(&server, "Steel \"kettle\" & <cup>");
    let page = Html::parse_document(&page(&server, &path));
    let title = "Steel \"kettle\" & <cup> · Deals";
    let lead = "₹1,499.63 (−25%) at Croma. Boils water. Quietly.</script>";
    assert_eq!(text(&page, "head > title").unwrap(), title);
    assert_eq!(content(&page, "meta[name=description]"), lead);
    let canonical = format!("{SITE}{path}");
    assert_eq!(
        attribute(&page, "link[rel=canonical]", "href").unwrap(),
        canonical
    );
    for (property, expected) in [
        ("og:type", "product"),
        ("og:title", "Steel \"kettle\" & <cup>"),
        ("og:description", lead),
        ("og:url", &canonical),
        ("og:image", "https://pictures.example/1.jpg?a=1&b=2"),
        ("og:image:alt", "Steel \"kettle\" & <cup>"),
        ("og:site_name", "Deals"),
        ("product:price:amount", "1499.63"),
        ("product:price:currency", "INR"),
    ] {
        assert_eq!(
            content(&page, &format!("meta[property='{property}']")),
            expected
        );
    }
    let card = content(&page, "meta[name='twitter:card']");
    assert_eq!(card, "summary", "the picture may be small");
    assert_eq!(attribute(&page, "meta[name=robots]", "content"), None);
    assert_eq!(
        structured(&page),
        json!({
            "@context": "https://schema.org",
            "@type": "Product",
            "@id": canonical,
            "url": canonical,
            "name": "Steel \"kettle\" & <cup>",
            "description": "Boils water.\nQuietly.</script>",
            "category": "Home",
            "image": ["https://pictures.example/1.jpg?a=1&b=2", "https://pictures.example/2.jpg"],
            "offers": {
                "@type": "Offer",
                "url": canonical,
                "price": "1499.63",
                "priceCurrency": "INR",
                "availability": "https://schema.org/InStock",
                "seller": {"@type": "Organization", "name": "Croma"},
            },
        })
    );
}

#[test]
fn an_unknown_product_is_a_404_with_noindex() {
    let (_shop, server) = shop();
    assert_eq!(server.get("/details/nope").status(), 404);
    let page = Html::parse_document(&page(&server, "/details/nope"));
    assert_eq!(
        text(&page, "head > title").unwrap(),
        "Product not found · Deals"
    );
    assert_eq!(content(&page, "meta[name=robots]"), "noindex");
    assert!(text(&page, "main").unwrap().contains("Product not found."));
}

#[test]
fn the_list_has_structured_data_and_a_canonical_address() {
    let products: Vec<Value> = (0..25).map(product).collect();
    let shop = Shop::with(&products);
    let server = shop.serve_with(&["--public-url", SITE]);
    let read = |address: &str| Html::parse_document(&page(&server, address));

    let first = read("/");
    assert_eq!(text(&first, "head > title").unwrap(), "Deals");
    assert!(content(&first, "meta[name=description]").starts_with("25 deals: "));
    assert_eq!(content(&first, "meta[property='og:type']"), "website");
    let list = structured(&first);
    assert_eq!(list["@type"], "ItemList");
    assert_eq!(list["numberOfItems"], 25);
    let items = list["itemListElement"].as_array().unwrap();
    let shown = server.list("");
    assert_eq!(items.len(), 10);
    for (index, (item, product)) in items.iter().zip(&shown).enumerate() {
        assert_eq!(item["position"], index + 1);
        let address = format!("{SITE}/details/{}", product["_id"].as_str().unwrap());
        assert_eq!(item["url"], address);
    }

    let second = read("/?page=2&sortBy=price&utm_source=telegram");
    let link = |relation: &str| attribute(&second, &format!("link[rel={relation}]"), "href");
    assert_eq!(link("canonical").unwrap(), format!("{SITE}/?page=2"));
    assert_eq!(link("prev").unwrap(), format!("{SITE}/"));
    assert_eq!(link("next").unwrap(), format!("{SITE}/?page=3"));
    let category = read("/?category=Electronics");
    // The products are named on the first page only.
    assert_eq!(text(&second, "script[type='application/ld+json']"), None);
    assert_eq!(structured(&category)["@type"], "BreadcrumbList");
    assert_eq!(
        text(&category, "head > title").unwrap(),
        "Electronics · Deals"
    );
    assert_eq!(attribute(&category, "meta[name=robots]", "content"), None);
    // Filtered lists are not for the index.
    for address in ["/?search=product", "/?minPrice=5", "/?source=Amazon"] {
        assert_eq!(
            content(&read(address), "meta[name=robots]"),
            "noindex, follow"
        );
    }
    assert_eq!(server.get("/?page=4").status(), 404);
}

#[test]
fn addresses_never_come_from_the_host_header() {
    let (_shop, server) = shop();
    let path = path_of(&server, "Product 2");
    for address in ["/", &path, "/robots.txt", "/sitemap.xml", "/feed.xml"] {
        let answer = server
            .client()
            .get(server.url(address))
            .header("accept", "text/html")
            .header("host", "evil.example")
            .header("x-forwarded-host", "evil.example")
            .send()
            .unwrap()
            .text()
            .unwrap();
        assert!(answer.contains(SITE), "{address}");
        assert!(!answer.contains("evil.example"), "{address}");
    }
}

#[test]
fn the_feed_holds_the_newest_deals() {
    const ATOM: &str = "http://www.w3.org/2005/Atom";
    let products: Vec<Value> = (0..60)
        .map(|n| product_with(n, json!({"title": format!("Deal {n} <new> & \u{b}old")})))
        .collect();
    let shop = Shop::with(&products);
    let server = shop.serve_with(&["--public-url", SITE]);
    let page = Html::parse_document(&page(&server, "/"));
    let found = attribute(&page, "link[type='application/atom+xml']", "href").unwrap();
    assert_eq!(found, "/feed.xml");
    let response = server.get("/feed.xml");
    assert_eq!(
        response.headers()["content-type"],
        "application/atom+xml; charset=utf-8"
    );
    let xml = response.text().unwrap();
    let document = Document::parse(&xml).unwrap();
    let feed = document.root_element();
    assert!(feed.has_tag_name((ATOM, "feed")));
    let named = |node: roxmltree::Node<'_, '_>, name: &str| {
        let child = node
            .children()
            .find(|child| child.has_tag_name((ATOM, name)));
        child
            .unwrap_or_else(|| panic!("no {name}"))
            .text()
            .unwrap()
            .to_owned()
    };
    for required in ["title", "id", "updated"] {
        assert!(!named(feed, required).is_empty());
    }
    let entries: Vec<_> = feed
        .children()
        .filter(|child| child.has_tag_name((ATOM, "entry")))
        .collect();
    let newest = server.list("limit=50");
    assert_eq!(entries.len(), 50);
    for (entry, product) in entries.into_iter().zip(newest) {
        let title = product["title"].as_str().unwrap().replace('\u{b}', "");
        assert_eq!(named(entry, "title"), title);
        let address = format!("{SITE}/details/{}", product["_id"].as_str().unwrap());
        assert_eq!(named(entry, "id"), address);
        assert_eq!(
            named(entry, "updated"),
            product["updatedAt"].as_str().unwrap()
        );
        assert!(named(entry, "summary").starts_with('₹'));
        let link = entry
            .children()
            .find(|child| child.has_tag_name((ATOM, "link")));
        assert_eq!(link.unwrap().attribute("href"), Some(address.as_str()));
    }
}

#[test]
fn unchanged_pages_and_feeds_are_answered_with_304() {
    let (_shop, server) = shop();
    let path = path_of(&server, "Product 2");
    for address in [
        "/",
        "/?search=kettle",
        &path,
        "/sitemap.xml",
        "/feed.xml",
        "/login",
    ] {
        let first = server.get(address);
        let tag = first.headers()["etag"].clone();
        let again = server
            .client()
            .get(server.url(address))
            .header("if-none-match", tag)
            .send()
            .unwrap();
        assert_eq!(again.status(), 304, "{address}");
        assert_eq!(again.bytes().unwrap().len(), 0);
    }
}
