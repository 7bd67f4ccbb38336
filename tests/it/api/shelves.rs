//! Lists with an address of their own: of categories and sellers.

use reqwest::blocking::Client;
use reqwest::header::ACCEPT;
use scraper::Html;
use serde_json::{Value, json};

use crate::pages::seo::{SITE, attribute, content, structured};
use crate::pages::server_rendering::page;
use crate::support::harness::{Server, Shop, product_with};

fn shop() -> (Shop, Server) {
    let of = |n: usize, category: &str, source: &str| {
        product_with(
            n,
            json!({"_id": format!("p{n}"), "category": category, "source": source,
                   "title": format!("{category} of {source}"), "price": 100 + n}),
        )
    };
    let mut deals: Vec<Value> = (0..12).map(|n| of(n, "Books", "Tea & Co.")).collect();
    deals.push(of(20, "Home", "TEA CO"));
    deals.push(of(21, "Home", "चाय"));
    deals.push(of(22, "Home", "!!!"));
    let shop = Shop::with(&deals);
    let server = shop.serve_with(&["--public-url", SITE]);
    (shop, server)
}

#[test]
fn a_category_has_a_page_of_its_own_with_other_filters_on_top() {
    let (_shop, server) = shop();
    let html = page(&server, "/category/books");
    assert!(html.contains("<h1 tabIndex=\"-1\">Books</h1>"), "{html}");
    assert!(html.contains("href=\"/category/books?page=2\""), "{html}");
    assert!(html.contains("href=\"/feed.xml?category=Books\""), "{html}");
    let own = "aria-label=\"Remove Books\"";
    assert!(!html.contains(own) && page(&server, "/?category=Books").contains(own));
    let head = Html::parse_document(&html);
    let canonical = format!("{SITE}/category/books");
    assert_eq!(
        attribute(&head, "link[rel=canonical]", "href"),
        Some(canonical.clone())
    );
    assert_eq!(content(&head, "meta[property='og:url']"), canonical);
    assert!(content(&head, "meta[name=description]").starts_with("12 deals in Books"));
    assert_eq!(structured(&head)["itemListElement"][1]["item"], canonical);
    assert_eq!(attribute(&head, "meta[name=robots]", "content"), None);
    let second = Html::parse_document(&page(&server, "/category/books?page=2"));
    assert_eq!(
        attribute(&second, "link[rel=prev]", "href"),
        Some(canonical.clone())
    );
    let by_query = Html::parse_document(&page(&server, "/?category=Books"));
    assert_eq!(
        attribute(&by_query, "link[rel=canonical]", "href"),
        Some(canonical)
    );
    let cheapest = server.list("category=Books&sortBy=finalPrice&order=asc");
    let most = &cheapest[2]["finalPrice"];
    let filtered = page(
        &server,
        &format!("/category/books?maxPrice={most}&category=Home"),
    );
    assert!(filtered.contains(">3 deals<"), "{filtered}");
    assert!(content(&Html::parse_document(&filtered), "meta[name=robots]").contains("noindex"));
}

#[test]
fn a_seller_has_a_page_of_its_own_by_the_letters_of_its_name() {
    let (_shop, server) = shop();
    let html = page(&server, "/seller/tea-co");
    assert!(html.contains("Deals at Tea &amp; Co."), "{html}");
    assert!(
        html.contains("href=\"/?source=TEA%20CO\""),
        "another of that address"
    );
    assert!(html.contains("href=\"/seller/tea-co?page=2\""), "{html}");
    assert!(
        html.contains("href=\"/feed.xml?source=Tea+%26+Co.\""),
        "{html}"
    );
    let head = Html::parse_document(&html);
    assert!(content(&head, "meta[name=description]").starts_with("12 deals at Tea & Co."));
    assert_eq!(attribute(&head, "meta[name=robots]", "content"), None);
    let hindi = "/seller/%E0%A4%9A%E0%A4%BE%E0%A4%AF";
    assert!(page(&server, hindi).contains("Home of चाय"));
    let details = page(&server, "/details/p21");
    assert!(details.contains("href=\"/category/home\""), "{details}");
    let sitemap = server.get("/sitemap.xml").text().unwrap();
    assert_eq!(
        sitemap
            .matches(&format!("<loc>{SITE}/seller/tea-co</loc>"))
            .count(),
        1
    );
    assert!(
        sitemap.contains(hindi) && !sitemap.contains("/seller/<"),
        "{sitemap}"
    );
    assert_eq!(server.get("/seller/nobody").status(), 404);
}

#[test]
fn an_unknown_shelf_is_a_page_that_says_so() {
    let (_shop, server) = shop();
    for path in [
        "/category/none",
        "/category/books/none",
        "/category/a/b/c",
        "/seller/x/y",
    ] {
        let asked = Client::new()
            .get(server.url(path))
            .header(ACCEPT, "text/html");
        let answer = asked.send().unwrap();
        assert_eq!(answer.status(), 404, "{path}");
        assert!(answer.text().unwrap().contains("Page not found"), "{path}");
    }
    let answer = server.get("/category/books/");
    assert_eq!(answer.status(), 308);
    assert_eq!(answer.headers()["location"], "/category/books");
    assert_eq!(
        server.json("/product/shelf/category/books")["path"],
        "/category/books"
    );
    assert_eq!(server.get("/product/shelf/shop/books").status(), 404);
}

#[test]
fn every_page_links_to_the_sellers_with_the_most_deals_and_those_that_the_owner_described() {
    let (shop, server) = shop();
    // Two names give one address, and one gives none.
    let footer = "<h2>Sellers</h2><ul><li><a href=\"/seller/tea-co\">Tea &amp; Co.</a></li>\
                  <li><a href=\"/seller/%E0%A4%9A%E0%A4%BE%E0%A4%AF\">चाय</a></li></ul>";
    for path in ["/", "/details/p3", "/seller/tea-co"] {
        let html = page(&server, path);
        assert!(html.contains(footer), "{path}: {html}");
    }
    // A described one is there without deals too.
    shop.set_rules("Later", r#"{"text": "From *May* on."}"#);
    let html = page(&server, "/seller/later");
    assert!(html.contains("From <em>May</em> on."), "{html}");
    assert!(page(&server, "/").contains("<a href=\"/seller/later\">Later</a>"));
}

#[test]
fn pages_link_to_twelve_sellers_at_most_those_described_first() {
    let of = |n: usize| product_with(n, json!({"source": format!("Seller {n:02}")}));
    let shop = Shop::with(&(0..20).map(of).collect::<Vec<_>>());
    shop.set_rules("Seller 19", r#"{"text": "Loose leaves."}"#);
    let html = page(&shop.serve(), "/details/none");
    assert_eq!(html.matches("href=\"/seller/").count(), 12, "{html}");
    assert!(html.contains("href=\"/seller/seller-19\""), "{html}");
}
