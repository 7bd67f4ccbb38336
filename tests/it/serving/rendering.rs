//! Pages that the server is too busy to render, and texts that are hard to render.

use serde_json::{Value, json};

use super::metrics::{metrics, read, value};
use crate::pages::server_rendering::page;
use crate::support::crowd::{BROWSER, PROXY, RENDERED, Raw, allow_many_files, receive, send};
use crate::support::harness::{Server, Shop, product, product_with, wait_until};
use crate::support::random::Random;

const CRAWLER: &str = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
/// Page that the browser renders.
const LEFT_TO_BROWSERS: &str = "<div id=\"root\"></div>";

fn shop() -> Shop {
    Shop::with(&(0..60).map(product).collect::<Vec<_>>())
}

/// Requests so many different pages at once, of the addresses in turn.
fn crowd(server: &Server, count: usize, addresses: usize, agent: &str, round: usize) -> Vec<Raw> {
    let open: Vec<_> = (0..count)
        .map(|number| {
            let path = format!("/?maxPrice={}", 1_000 + round * count + number);
            send(server, number % addresses, agent, &path)
        })
        .collect();
    open.into_iter().map(receive).collect()
}

/// Requests pages until one with this status is not rendered, and returns it.
fn busy(server: &Server, addresses: usize, agent: &str, status: &str) -> Raw {
    let mut found = None;
    let mut round = 0;
    wait_until("a page is not rendered", || {
        let answers = crowd(server, 400, addresses, agent, round);
        round += 1;
        found = answers
            .into_iter()
            .find(|answer| answer.status() == status && !answer.body().contains(RENDERED));
        found.is_some()
    });
    found.unwrap()
}

#[test]
fn a_busy_server_leaves_pages_to_browsers_with_their_data_and_nobody_stores_them() {
    allow_many_files();
    let shop = shop();
    let server = shop.serve_with(&[PROXY[0], PROXY[1], "--metrics-listen", "127.0.0.1:0"]);
    let (url, before) = metrics(&server);
    assert_eq!(value(&before, "deals_render_skipped_total"), 0.0);
    for addresses in [1, 40] {
        let answer = busy(&server, addresses, BROWSER, "200");
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        assert!(answer.body().contains(LEFT_TO_BROWSERS));
        assert!(
            answer
                .body()
                .contains("\"/product/get-products?page=1&limit=10")
        );
        assert!(answer.body().contains("<title>"));
        assert!(
            answer
                .body()
                .contains("The server is too busy to do without it")
        );
    }
    let after = read(&server, &url);
    assert!(value(&after, "deals_render_skipped_total") > 1.0);
    assert!(value(&after, "deals_render_seconds_count") > 1.0);
    assert_eq!(value(&after, "deals_render_failed_total"), 0.0);
    assert!(server.has_logged("too busy to render pages"));
    // The next page is right again.
    let next = receive(send(&server, 50, BROWSER, "/?page=2"));
    assert!(next.body().contains(RENDERED) && next.header("cache-control") == Some("no-cache"));
}

#[test]
fn a_busy_server_asks_crawlers_to_come_later() {
    allow_many_files();
    let shop = shop();
    let server = shop.serve_with(&PROXY);
    for agent in [CRAWLER, "curl/8.5.0"] {
        let answer = busy(&server, 1, agent, "503");
        assert!(answer.header("retry-after").is_some());
        // Not left to a browser.
        assert!(!answer.body().contains("get-products"));
    }
}

#[test]
fn every_page_of_a_crowd_is_answered_and_the_next_one_is_right() {
    allow_many_files();
    let shop = shop();
    let server = shop.serve_with(&PROXY);
    for addresses in [1, 40] {
        for answer in crowd(&server, 400, addresses, BROWSER, addresses) {
            // A machine with other work may not get to all of them in time.
            let comes_later = answer.header("retry-after").is_some();
            assert_eq!(answer.status(), if comes_later { "503" } else { "200" });
        }
        let next = receive(send(
            &server,
            50,
            BROWSER,
            &format!("/?minPrice={addresses}"),
        ));
        assert!(next.body().contains(RENDERED));
    }
}

/// Products with texts that end elements, strings or words.
fn hostile() -> Vec<Value> {
    let texts = [
        "</script><script>alert(1)</script>".to_owned(),
        "line\u{2028}separator\u{2029}and \\ud800 \\u003c/script>".to_owned(),
        format!("a{}", "\u{301}".repeat(400)),
        "<!--<script>".to_owned(),
        "${alert(1)} {{constructor}} `".to_owned(),
    ];
    (0..texts.len())
        .map(|number| {
            let changes = json!({
                "_id": format!("hostile-{number}"),
                "title": texts[number],
                "description": format!("{} {}", texts[number], "\u{301}".repeat(9_000)),
                "source": texts[number].chars().take(40).collect::<String>(),
            });
            product_with(number, changes)
        })
        .collect()
}

#[test]
fn hostile_texts_are_rendered_as_texts() {
    let rows = hostile();
    let shop = Shop::with(&rows);
    let server = shop.serve();
    for row in &rows {
        let id = row["_id"].as_str().unwrap();
        for address in [format!("/details/{id}"), "/".to_owned()] {
            let page = page(&server, &address);
            assert!(page.contains(RENDERED), "{address} is not rendered");
            let document = scraper::Html::parse_document(&page);
            let scripts =
                scraper::Selector::parse("#root script, #root iframe, #root noscript").unwrap();
            assert_eq!(document.select(&scripts).count(), 0, "{address}");
            let headings = scraper::Selector::parse("#root h1, #root h2").unwrap();
            let texts: Vec<String> = document
                .select(&headings)
                .map(|heading| heading.text().collect())
                .collect();
            let title = row["title"].as_str().unwrap();
            assert!(
                texts.iter().any(|text| text == title),
                "{address}: {texts:?}"
            );
        }
    }
}

#[test]
fn the_largest_product_is_rendered() {
    let shop = Shop::with(&[product_with(
        1,
        json!({
            "_id": "large",
            "title": "&".repeat(500),
            "description": "<&>\"' ".repeat(1_666),
            "images": (0..20).map(|n| format!("https://pictures.example/{n}.jpg")).collect::<Vec<_>>(),
        }),
    )]);
    let server = shop.serve();
    assert!(page(&server, "/details/large").contains(RENDERED));
    assert!(page(&server, "/?search=%26").contains(RENDERED));
}

/// Parts of texts that mean something to JSON, JavaScript, HTML or Unicode.
const PARTS: [&str; 24] = [
    "<",
    ">",
    "&",
    "\"",
    "'",
    "`",
    "\\",
    "</script>",
    "<!--",
    "-->",
    "]]>",
    "&lt;",
    "&#0;",
    "\\u0000",
    "${x}",
    "\u{2028}",
    "\u{feff}",
    "\u{202e}",
    "\u{301}",
    "👩‍👩‍👧",
    "हि",
    "ﷺ",
    " ",
    "a",
];

#[test]
fn random_texts_are_rendered_as_texts() {
    let mut random = Random::new(53);
    let mut text = |most: usize| {
        let length = 1 + random.below(most);
        let parts: String = (0..length)
            .map(|_| PARTS[random.below(PARTS.len())])
            .collect();
        // Neither empty nor changed by trimming.
        format!("x{parts}x")
    };
    let rows: Vec<Value> = (0..100)
        .map(|number| {
            let changes = json!({
                "_id": format!("random-{number}"),
                "title": text(40),
                "description": text(200),
                "source": text(6),
            });
            product_with(number, changes)
        })
        .collect();
    let shop = Shop::with(&rows);
    let server = shop.serve();
    let heading = scraper::Selector::parse("#root h1").unwrap();
    let foreign = scraper::Selector::parse("#root script, #root x").unwrap();
    for product in server.list("limit=100") {
        let id = product["_id"].as_str().unwrap();
        let page = page(&server, &format!("/details/{id}"));
        assert!(page.contains(RENDERED), "{product} is not rendered");
        let document = scraper::Html::parse_document(&page);
        let heading: String = document.select(&heading).next().unwrap().text().collect();
        // HTML has one kind of line end.
        assert_eq!(heading, product["title"].as_str().unwrap());
        assert_eq!(document.select(&foreign).count(), 0, "{product}");
    }
}
