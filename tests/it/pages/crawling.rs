//! Ways of crawlers: robots.txt, sitemaps and links.

use std::collections::BTreeSet;

use roxmltree::Document;
use scraper::{Html, Selector};
use serde_json::{Value, json};

use super::seo::{SITE, content, shop};
use super::server_rendering::page;
use crate::support::harness::{Server, Shop, product_with, succeeds};

#[test]
fn robots_txt_does_not_close_noindex_screens() {
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
    assert!(closed.contains(&"/feed.xml?"), "{text}");
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
fn the_sitemap_lists_products_pages_and_categories() {
    let (shop, server) = shop();
    succeeds(shop.run(&["settings", "set", "page.about=# About\n\nWe find deals."]));
    let response = server.get("/sitemap.xml");
    assert_eq!(response.headers()["content-type"], "application/xml");
    let found = addresses(&response.text().unwrap(), "urlset");
    let lists = [
        "/",
        "/category/electronics",
        "/category/home",
        "/seller/amazon",
        "/seller/croma",
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
fn a_large_sitemap_is_split_into_several() {
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
    assert_eq!(all.len(), 5 + 5_002);
}

/// Follows links as crawlers do, and returns the paths that were asked for.
fn crawl(server: &Server) -> BTreeSet<String> {
    let links = Selector::parse("a[href]").unwrap();
    let mut waiting = vec!["/".to_owned()];
    let mut asked = BTreeSet::new();
    while let Some(path) = waiting.pop() {
        if !asked.insert(path.clone()) {
            continue;
        }
        let page = Html::parse_document(&page(server, &path));
        for link in page.select(&links) {
            let value = link.value();
            let is_followed = !value
                .attr("rel")
                .is_some_and(|rel| rel.contains("nofollow"));
            let to = value.attr("href").unwrap();
            let lists = ["/?", "/details/", "/category/", "/seller/"];
            let is_page = to == "/" || lists.iter().any(|list| to.starts_with(list));
            if is_followed && is_page {
                waiting.push(to.to_owned());
            }
        }
    }
    asked
}

#[test]
fn a_crawler_reaches_every_product() {
    let categories = ["Electronics", "Books", "Home"];
    let products: Vec<Value> = (0..70)
        .map(|n| {
            let (category, source) = (categories[n % 3], ["Amazon", "Croma"][n % 2]);
            product_with(
                n,
                json!({"category": category, "source": source, "_id": format!("p{n}")}),
            )
        })
        .collect();
    let shop = Shop::with(&products);
    let asked = crawl(&shop.serve());
    for n in 0..70 {
        assert!(asked.contains(&format!("/details/p{n}")), "p{n}");
    }
    for list in asked.iter().filter(|path| path.starts_with("/?")) {
        let query: Vec<_> = list[2..]
            .split('&')
            .filter_map(|it| it.split('=').next())
            .collect();
        let filters = query
            .iter()
            .filter(|name| !["page", "sortBy", "order"].contains(name));
        let range = query.contains(&"minPrice") && query.contains(&"maxPrice");
        assert!(filters.count() <= 1 + usize::from(range), "{list}");
    }
    assert!(asked.contains("/category/books?page=2"), "{asked:?}");
}

#[test]
fn addresses_with_a_trailing_slash_are_redirected() {
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
