//! Pages for search engines, feed readers and link previews.

use roxmltree::Document;
use scraper::{Html, Selector};
use serde_json::{Value, json};

use crate::pages::server_rendering::page;
use crate::support::harness::{Server, Shop, product, product_with, succeeds};

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

fn content(page: &Html, selector: &str) -> String {
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
fn a_product_that_is_not_there_is_a_404_that_nobody_lists() {
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
fn the_list_names_its_products_and_the_address_to_remember() {
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
fn robots_txt_leads_to_the_sitemap_and_closes_no_screen_that_says_noindex() {
    let (_shop, server) = shop();
    let response = server.get("/robots.txt");
    assert_eq!(
        response.headers()["content-type"],
        "text/plain; charset=utf-8"
    );
    let text = response.text().unwrap();
    assert!(text.starts_with("User-agent: *\n"));
    let closed: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("Disallow: "))
        .collect();
    for screen in ["/profile", "/admin", "/add-product", "/update-product/one"] {
        // A rule closes everything that begins with it (RFC 9309, section 2.2.2).
        assert!(
            !closed.iter().any(|rule| screen.starts_with(rule)),
            "{text}"
        );
        let page = Html::parse_document(&page(&server, screen));
        assert_eq!(content(&page, "meta[name=robots]"), "noindex", "{screen}");
    }
    for described in ["/docs", "/openapi.json"] {
        assert_eq!(server.get(described).headers()["x-robots-tag"], "noindex");
    }
    assert!(text.ends_with(&format!("\nSitemap: {SITE}/sitemap.xml\n")));
}

const SITEMAP: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// Addresses of a sitemap with their last change.
fn addresses(xml: &str, set: &str) -> Vec<(String, Option<String>)> {
    let document = Document::parse(xml).unwrap();
    let root = document.root_element();
    assert_eq!(root.tag_name().namespace(), Some(SITEMAP));
    assert_eq!(root.tag_name().name(), set);
    root.children()
        .map(|entry| {
            let named = |name: &str| {
                let child = entry
                    .children()
                    .find(|child| child.has_tag_name((SITEMAP, name)));
                child.map(|child| child.text().unwrap().to_owned())
            };
            (named("loc").unwrap(), named("lastmod"))
        })
        .collect()
}

#[test]
fn the_sitemap_holds_every_product_with_its_last_change_the_pages_and_categories_with_deals() {
    let (shop, server) = shop();
    succeeds(shop.run(&["settings", "set", "page.about=# About\n\nWe find deals."]));
    let response = server.get("/sitemap.xml");
    assert_eq!(response.headers()["content-type"], "application/xml");
    let found = addresses(&response.text().unwrap(), "urlset");
    let lists = [
        "/",
        "/?category=Electronics",
        "/?category=Home",
        "/pages/about",
    ];
    for list in lists {
        assert!(found.contains(&(format!("{SITE}{list}"), None)), "{list}");
    }
    for product in server.list("") {
        let address = format!("{SITE}/details/{}", product["_id"].as_str().unwrap());
        let changed = product["updatedAt"].as_str().unwrap().to_owned();
        assert!(found.contains(&(address, Some(changed))));
    }
    assert_eq!(found.len(), lists.len() + 2, "no category without deals");
    let empty = Html::parse_document(&page(&server, "/?category=Books"));
    assert_eq!(content(&empty, "meta[name=robots]"), "noindex, follow");
    assert_eq!(server.get("/sitemap-2.xml").status(), 404);
    assert_eq!(server.get("/sitemap-x.xml").status(), 404);
}

#[test]
fn more_addresses_than_a_sitemap_may_hold_are_spread_over_several() {
    let (shop, server) = shop();
    shop.database()
        .execute_batch(
            "DROP TRIGGER search_postings_on_insert;
             WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers LIMIT 5000)
             INSERT INTO products (id, title, description, price, discount, final_price, category, source,
                 affiliate_link, images, average_rating, total_ratings, created_at, updated_at)
             SELECT 'id-' || n, 'Title', 'Description', 100, 0, 100, 'Home', 'Amazon',
                 'https://shop.example/' || n, '[\"https://pictures.example/1.jpg\"]', 4, 4, n, n
             FROM numbers;",
        )
        .unwrap();
    let index = server.get("/sitemap.xml").text().unwrap();
    let parts = addresses(&index, "sitemapindex");
    assert_eq!(parts.len(), 3);
    let mut all = Vec::new();
    for (address, _) in parts {
        let path = address.strip_prefix(SITE).unwrap().to_owned();
        let part = addresses(&server.get(&path).text().unwrap(), "urlset");
        assert!((1..=5_000).contains(&part.len()), "{path}");
        all.extend(part.into_iter().map(|(address, _)| address));
    }
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 3 + 5_002);
}

#[test]
fn an_address_with_a_slash_at_its_end_leads_to_the_one_without() {
    let (_shop, server) = shop();
    for (path, location) in [
        ("/details/one/", "/details/one"),
        ("/pages/about/?utm_source=x", "/pages/about?utm_source=x"),
        ("/admin/", "/admin"),
    ] {
        let response = server.get(path);
        assert_eq!(response.status(), 308, "{path}");
        assert_eq!(response.headers()["location"], location);
    }
    // These would lead to another host.
    for path in ["//evil.example/", "/%5Cevil.example/", "/\\evil.example/"] {
        assert_eq!(server.get(path).status(), 404, "{path}");
    }
}

#[test]
fn a_sitemap_takes_no_query() {
    let (_shop, server) = shop();
    for path in ["/sitemap.xml", "/sitemap-0.xml", "/sitemap-1.xml"] {
        for query in ["?", "?anything", "?a=1&b=2"] {
            let response = server.get(&format!("{path}{query}"));
            assert_eq!(response.status(), 308, "{path}{query}");
            assert_eq!(response.headers()["location"], path);
        }
        assert_eq!(server.get(path).status(), 200, "{path}");
    }
    assert_eq!(server.get("/sitemap-x.xml?anything").status(), 404);
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
    assert_eq!(response.headers()["content-type"], "application/atom+xml");
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
fn pages_and_feeds_that_have_not_changed_are_not_sent_again() {
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
