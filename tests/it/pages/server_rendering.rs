//! Server-rendered pages, compared with React's rendering of the same data.

use std::fs;
use std::io::Read as _;
use std::process::Command;

use brotli::Decompressor;
use flate2::read::GzDecoder;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::support::harness::{Server, Shop, product_with, succeeds, text};
use crate::support::npm::{assert_success, folder, install};

/// Requests a page as a browser does.
pub fn page(server: &Server, address: &str) -> String {
    let response = server
        .client()
        .get(server.url(address))
        .header("accept", "text/html")
        .send()
        .unwrap();
    response.text().unwrap()
}

/// Asserts that React renders the same tree from the embedded data.
fn assert_as_the_app_makes_them(server: &Server, addresses: &[String]) {
    let frontend = folder("frontend");
    install(&frontend);
    let pages: Vec<Value> = addresses
        .iter()
        .map(|address| json!({ "address": address, "html": page(server, address) }))
        .collect();
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), json!(pages).to_string()).unwrap();
    let output = Command::new("npm")
        .args([
            "run",
            "--silent",
            "test",
            "--",
            "src/test/server-pages.test.tsx",
        ])
        .current_dir(&frontend)
        .env("CI", "true")
        .env("SERVER_PAGES", file.path())
        .output()
        .unwrap();
    assert_success("comparing the pages", &output);
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("1 passed"),
        "the pages were not compared"
    );
}

/// Products with values that are hard to escape.
fn awkward() -> Vec<Value> {
    let texts = [
        "</script><script>alert(1)</script>",
        "<b>bold</b> & \"quoted\" 'text' &amp; &lt;",
        "  spaces\n\nand\tlines\r\nof text \u{a0} ",
        "हिन्दी कहानियाँ, العربية, 日本語, 👩‍👩‍👧‍👦 e\u{301}",
        "Café Crème Ünïcödé ﬁne ½ Ⅷ ① cafés",
        "a<!--b-->c]]>d\u{2028}e\u{feff}",
        "{{ }} ${x} %s \\u003c \\",
        "x",
    ];
    (0..texts.len())
        .map(|n| {
            let images: Vec<String> = (0..=n % 3)
                .map(|m| format!("https://pictures.example/{n}-{m}.jpg?a=1&b=\"2\""))
                .collect();
            product_with(
                n,
                json!({
                    "title": format!("{} cable", texts[n]),
                    "description": format!("{} {}", texts[n], "charging cables ".repeat(n * 4)),
                    "source": format!("{} & Co", &texts[n].chars().take(40).collect::<String>()),
                    "price": ([0.01, 99.5, 100_000.0, 1_000_000_000.0, 12.34, 999.0, 1000.0, 5.0][n]),
                    "discount": ([0.0, 12.5, 33.33, 100.0, 0.01, 50.0, 99.99, 64.0][n]),
                    "averageRating": ([0.0, 4.25, 4.75, 5.0, 3.12, 4.05, 0.05, 2.5][n]),
                    "totalRatings": ([1, 2, 999, 1000, 123_456, 12_345_678, 5, 7][n]),
                    "clicks": n,
                    "images": images,
                    "affiliateLink": format!("https://shop.example/{n}?a=1&b='2'"),
                    "createdAt": format!("2026-0{}-28T18:3{}:00.000Z", n + 1, n),
                    "offers": if n == 5 { offers() } else { json!([]) },
                    "endsAt": hours_from_now([None, None, Some(5), Some(240)].get(n)),
                }),
            )
        })
        .collect()
}

fn offers() -> Value {
    json!([
        {"kind": "coupon", "code": "<SAVE>&10", "percent": 10},
        {"kind": "bank", "text": "\"H & D\" card", "percent": 5, "cap": 80, "instant": true},
        {"kind": "emi", "text": "No cost"},
    ])
}

fn hours_from_now(hours: Option<&Option<i64>>) -> Value {
    let hours = hours.copied().flatten().map(SignedDuration::from_hours);
    hours
        .map(|hours| (Timestamp::now() + hours).to_string())
        .into()
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

#[test]
fn server_pages_equal_the_markup_of_the_app() {
    let shop = Shop::new();
    let server = shop.serve_with(&["--demo", "--disclosure", "We <earn> & \"tell\"."]);
    let mut rows = awkward();
    rows.push(product_with(
        99,
        json!({"_id": "over", "endsAt": "2026-11-12T18:00:00+05:30", "description": "Over and done with. ".repeat(60)}),
    ));
    rows.push(product_with(99, json!({"_id": "back"})));
    let output = shop.import(&json!(rows).to_string(), &[]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    shop.set_rules("Amazon", "amazon-india");
    let croma = json!({"showPrice": false, "disclosure": "They <say> so."});
    shop.set_rules("Croma", &croma.to_string());
    let remove = "INSERT INTO removed_products (id, title, source, category, removed_at) \
        SELECT ?1, title || ?2, source, category, unixepoch() * 1000 \
        FROM products WHERE category = ?3 LIMIT 1";
    for values in [
        ["gone", " <b>&", "Home"],
        ["gone/too", &" and on and on".repeat(9), "Books"],
    ] {
        shop.database().execute(remove, values).unwrap();
    }
    let mut addresses: Vec<String> = [
        "/",
        "/?page=2",
        "/?page=6",
        "/?page=77",
        "/?page=007&limit=3",
        "/?category=Books",
        "/?category=Books&page=2",
        "/?category=Toys&page=x&sortBy=password&order=up&minPrice=-3&minDiscount=101",
        "/follow?category=Books&sent=1",
        "/follow?search=%3Ctea%3E+%26+%22&maxPrice=900&problem=address",
        "/subscriptions/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "/collection/hostel-room",
        "/collection/festive-gifts?sortBy=price",
        "/category/books",
        "/category/books?page=2&sortBy=price&minPrice=100",
        "/category/clothing?category=Home&search=shirt",
        "/seller/amazon?category=Electronics",
        "/seller/croma",
        "/?sortBy=price&order=asc&utm_source=whatsapp",
        "/?sortBy=relevance",
        "/?search=cable",
        "/?search=cable&sortBy=relevance&order=asc",
        "/?search=cable&sortBy=createdAt&category=Electronics",
        "/?search=CAF%C3%89",
        "/?search=cabel",
        "/?search=cabel&sortBy=price&minDiscount=5",
        "/?search=qqqqq",
        "/?search=%22",
        "/?search=%3Cb%3E%26amp%3B",
        "/?search=+kettle++",
        "/?search=a&search=b",
        "/?source=Amazon&minDiscount=25",
        "/?source=Nobody%20%26%20Co",
        "/?minPrice=100&maxPrice=2000.5&sortBy=finalPrice",
        "/?minPrice=1e3&maxPrice=0.10",
        "/?minPrice=300&maxPrice=200",
        "/?minPrice=%E2%82%B91,00,000.50&maxPrice=+2+00",
        "/?minDiscount=12.5&category=Home&source=Croma&search=lamp&page=1",
        "/?endingSoon=true",
        "/?endingSoon=yes&category=Home",
        "/?sortBy=discount",
        "/?sortBy=clicks&order=asc",
        "/?sortBy=ratings.averageRating",
        "/details/nope",
        "/details/gone",
        "/details/gone%2Ftoo",
        "/details/over",
        "/details/%3Cscript%3E",
    ]
    .map(str::to_owned)
    .into();
    addresses.push(format!("/?search={}", "x".repeat(201)));
    let products = server.list("limit=100");
    assert_eq!(products.len(), 57);
    for product in &products {
        addresses.push(format!(
            "/details/{}",
            encoded(product["_id"].as_str().unwrap())
        ));
    }
    for product in awkward() {
        addresses.push(format!(
            "/?source={}",
            encoded(product["source"].as_str().unwrap())
        ));
        addresses.push(format!(
            "/?search={}",
            encoded(product["title"].as_str().unwrap())
        ));
    }
    assert_as_the_app_makes_them(&server, &addresses);
}

#[test]
fn page_data_equals_the_api_responses() {
    let shop = Shop::with(&awkward());
    let server = shop.serve();
    for address in [
        "/",
        "/?search=cable&page=1",
        "/?search=cabel",
        "/?sortBy=price&page=9",
    ] {
        let page = page(&server, address);
        let (_, data) = page.split_once("<script id=\"served\"").unwrap();
        let (data, _) = data.split_once("</script>").unwrap();
        let (_, data) = data.split_once('>').unwrap();
        let data: Value = serde_json::from_str(data).unwrap();
        let answers = data["answers"].as_object().unwrap();
        assert!(answers.keys().any(|path| path.contains("get-products")));
        for (path, answer) in answers {
            assert_eq!(*answer, server.json(path), "{address}: {path}");
        }
    }
}

#[test]
fn an_empty_shop_has_a_page_too() {
    let shop = Shop::new();
    succeeds(shop.run(&["settings", "set", "telegram=https://t.me/sasta"]));
    let server = shop.serve();
    let addresses = [
        "/",
        "/?sortBy=price&order=asc",
        "/?category=Books",
        "/?search=lamp",
        "/?page=2",
        "/details/nope",
    ]
    .map(str::to_owned);
    let home = page(&server, "/");
    assert!(home.contains("Opening soon"));
    assert!(home.contains("href=\"https://t.me/sasta\">Follow on Telegram</a>"));
    for control in [
        "aria-label=\"Categories\"",
        "class=\"filters\"",
        "class=\"list-sort\"",
    ] {
        assert!(!home.contains(control), "{control}");
    }
    assert_as_the_app_makes_them(&server, &addresses);
}

/// Requests a page in one encoding and decodes it.
fn unpacked(server: &Server, address: &str, encoding: &str) -> String {
    let request = server.client().get(server.url(address));
    let request = request.header("accept", "text/html");
    let response = request.header("accept-encoding", encoding).send().unwrap();
    assert_eq!(response.headers()["content-encoding"], encoding);
    let body = response.bytes().unwrap();
    let mut page = String::new();
    match encoding {
        "br" => Decompressor::new(&*body, 4_096).read_to_string(&mut page),
        _ => GzDecoder::new(&*body).read_to_string(&mut page),
    }
    .unwrap();
    page
}

#[test]
fn a_compressed_page_equals_the_plain_one() {
    let shop = Shop::with(&[product_with(1, json!({"_id": "one"}))]);
    let server = shop.serve();
    for address in [
        "/",
        "/?sortBy=price&order=asc",
        "/?search=nothing+like+it",
        "/details/one",
        "/login",
        "/nowhere",
    ] {
        let plain = page(&server, address);
        for encoding in ["br", "gzip", "br", "gzip"] {
            assert_eq!(unpacked(&server, address, encoding), plain, "{address}");
        }
    }
}

#[test]
fn the_title_of_a_list_is_its_heading() {
    let shop = Shop::new();
    let server = shop.serve_with(&["--demo"]);
    for address in [
        "/?category=Books",
        "/?search=%3Ccable%3E&category=Electronics",
        "/?source=Amazon&minDiscount=12.5",
        "/?minPrice=100&maxPrice=100000",
        "/?minPrice=99.5",
        "/?maxPrice=1000&search=lamp",
        "/?minProven=10",
        "/?minProven=10&endingSoon=true&category=Home",
        "/?endingSoon=true",
    ] {
        let document = scraper::Html::parse_document(&page(&server, address));
        let text = |selector: &str| {
            let selector = scraper::Selector::parse(selector).unwrap();
            document
                .select(&selector)
                .next()
                .unwrap()
                .text()
                .collect::<String>()
        };
        assert_eq!(
            text("title"),
            format!("{} · Deals", text("#content h1")),
            "{address}"
        );
    }
}

#[test]
fn cards_of_versions_with_one_long_title_name_the_version() {
    let of = |number, version: &str| {
        let title = format!("Watch Xtend with voice assistant and call alerts, 7 days ({version})");
        product_with(number, json!({ "title": title }))
    };
    let products = [
        of(0, "Pitch Black"),
        of(1, "Cherry"),
        product_with(2, json!({})),
    ];
    let server = Shop::with(&products).serve();
    let shown = page(&server, "/?search=watch");
    for version in ["Pitch Black", "Cherry"] {
        assert!(shown.contains(&format!("<b>{version}</b> ")), "{shown}");
    }
    let cards = server.list("view=card");
    assert_eq!(
        cards
            .iter()
            .filter(|card| card.get("version").is_some())
            .count(),
        2
    );
}

#[test]
fn a_card_shows_of_its_description_what_the_title_does_not_say() {
    let product = json!({
        "title": "Lighthouse at Karvi",
        "description": "Lighthouse at Karvi: a novel of the coast",
    });
    let server = Shop::with(&[product_with(0, product), product_with(1, json!({}))]).serve();
    let shown = page(&server, "/");
    let line = "<span class=\"sr-only\">Lighthouse at Karvi: </span>a novel of the coast</p>";
    assert!(shown.contains(line), "{shown}");
    let cards = server.list("view=card&search=lighthouse");
    assert_eq!(cards[0]["repeated"], 21);
}
