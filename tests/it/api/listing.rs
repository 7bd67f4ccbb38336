//! GET /product/get-products

use std::cmp::Ordering;

use serde_json::{Value, json};

use crate::support::harness::{Server, Shop, product, product_with};

const SORTS: [&str; 6] = [
    "createdAt",
    "price",
    "ratings.averageRating",
    "clicks",
    "discount",
    "finalPrice",
];
const CATEGORIES: [&str; 4] = ["Electronics", "Clothing", "Books", "Home"];

fn products_with_ties() -> Vec<Value> {
    (0..180)
        .map(|n| {
            product_with(
                n,
                json!({
                    "price": 100 + n % 7,
                    "discount": n % 3 * 25,
                    "category": CATEGORIES[n % 4],
                    "averageRating": (n % 5) as f64 / 2.0,
                    "clicks": n % 4,
                    "createdAt": format!("2026-01-0{}T00:00:00.000Z", 1 + n % 6),
                    "_id": format!("id-{:03}", (n * 97) % 180),
                }),
            )
        })
        .collect()
}

fn every_page(server: &Server, query: &str, limit: usize) -> Vec<Value> {
    let mut all = Vec::new();
    for page in 1.. {
        let answer = server.json(&format!(
            "/product/get-products?{query}&limit={limit}&page={page}"
        ));
        assert_eq!(answer["meta"]["currentPage"], page);
        assert_eq!(answer["meta"]["limit"], limit);
        all.extend(answer["data"].as_array().unwrap().clone());
        if answer["meta"]["totalPages"] == page {
            assert_eq!(answer["meta"]["total"], all.len());
            return all;
        }
    }
    unreachable!()
}

fn compare(sort: &str, a: &Value, b: &Value) -> Ordering {
    let value = |product: &Value| match sort {
        "ratings.averageRating" => product["ratings"]["averageRating"].clone(),
        _ => product[sort].clone(),
    };
    let by_value = match (value(a), value(b)) {
        (Value::String(a), Value::String(b)) => a.cmp(&b),
        (a, b) => a.as_f64().unwrap().total_cmp(&b.as_f64().unwrap()),
    };
    by_value.then_with(|| a["_id"].as_str().unwrap().cmp(b["_id"].as_str().unwrap()))
}

#[test]
fn every_sort_and_order_of_every_category_is_exact_to_the_last_page() {
    let shop = Shop::with(&products_with_ties());
    let server = shop.serve();
    let all = every_page(&server, "", 100);
    assert_eq!(all.len(), 180);
    for sort in SORTS {
        for order in ["asc", "desc"] {
            for category in CATEGORIES.into_iter().chain(["all"]) {
                let mut expected: Vec<Value> = all
                    .iter()
                    .filter(|product| category == "all" || product["category"] == category)
                    .cloned()
                    .collect();
                expected.sort_by(|a, b| match order {
                    "asc" => compare(sort, a, b),
                    _ => compare(sort, b, a),
                });
                let query = format!("sortBy={sort}&order={order}&category={category}");
                assert_eq!(every_page(&server, &query, 7), expected, "{query}");
                // A search has the same order.
                let query = format!("{query}&search=product");
                assert_eq!(every_page(&server, &query, 50), expected, "{query}");
            }
        }
    }
}

#[test]
fn a_page_holds_ten_products_and_newest_come_first() {
    let shop = Shop::with(&(0..23).map(product).collect::<Vec<_>>());
    let server = shop.serve();
    let answer = server.json("/product/get-products");
    assert_eq!(
        answer["meta"],
        json!({"currentPage": 1, "totalPages": 3, "total": 23, "limit": 10})
    );
    assert_eq!(answer["data"][0]["title"], "Product 22");
    assert_eq!(answer["data"].as_array().unwrap().len(), 10);
}

#[test]
fn a_page_past_the_end_is_empty() {
    let shop = Shop::with(&[product(1)]);
    let server = shop.serve();
    let answer = server.json("/product/get-products?page=4000000000&limit=100");
    assert_eq!(answer["data"], json!([]));
    assert_eq!(answer["meta"]["totalPages"], 1);
    let answer = server.json("/product/get-products?category=Books");
    assert_eq!(answer["meta"]["totalPages"], 1);
    assert_eq!(answer["meta"]["total"], 0);
}

#[test]
fn empty_and_unknown_query_parameters_are_ignored() {
    let shop = Shop::with(&[product(1), product(2)]);
    let server = shop.serve();
    let plain = server.json("/product/get-products");
    for query in [
        "page=&limit=&sortBy=&order=&category=&search=",
        "search=%20%20",
        "category=all&utm_source=whatsapp",
    ] {
        assert_eq!(
            server.json(&format!("/product/get-products?{query}")),
            plain
        );
    }
}

#[test]
fn invalid_list_parameters_are_refused_with_the_allowed_values() {
    let shop = Shop::new();
    let server = shop.serve();
    let page = "page must be a whole number of at least 1.";
    let limit = "limit must be a whole number from 1 to 100.";
    for (query, field, message) in [
        ("page=0", "page", page),
        ("page=-1", "page", page),
        ("page=1.5", "page", page),
        ("page=%2B1", "page", page),
        ("page=99999999999999999999", "page", page),
        ("limit=0", "limit", limit),
        ("limit=101", "limit", limit),
        ("limit=ten", "limit", limit),
        ("order=up", "order", "order must be asc or desc."),
        (
            "sortBy=password",
            "sortBy",
            "sortBy must be one of createdAt, price, ratings.averageRating, clicks, discount, finalPrice, proven, drop, endsAt, relevance.",
        ),
        (
            "category=Toys",
            "category",
            "category must be one of all, Electronics, Clothing, Books, Home.",
        ),
        ("page=1&page=2", "page", "page is given more than once."),
    ] {
        let response = server.get(&format!("/product/get-products?{query}"));
        assert_eq!(response.status(), 400, "{query}");
        let body: Value = response.json().unwrap();
        assert_eq!(body["error"], message, "{query}");
        assert_eq!(body["fields"][field], message, "{query}");
    }
    let long = "a".repeat(201);
    let response = server.get(&format!("/product/get-products?search={long}"));
    assert_eq!(response.status(), 400);
    let response = server.get(&format!("/product/get-products?search={}", "é".repeat(200)));
    assert_eq!(response.status(), 200);
}

fn searchable() -> Shop {
    Shop::with(&[
        product_with(
            1,
            json!({"title": "Braided USB-C cable", "source": "Croma"}),
        ),
        product_with(2, json!({"title": "Charging cables, pack of three"})),
        product_with(3, json!({"title": "Café crème kettle", "category": "Home"})),
        product_with(4, json!({"title": "Electronic scale"})),
        product_with(5, json!({"title": "हिन्दी कहानियाँ", "category": "Books"})),
        product_with(
            6,
            json!({"title": "100% cotton \"classic\" shirt", "category": "Clothing"}),
        ),
    ])
}

#[test]
fn search_finds_every_word_wherever_it_stands() {
    let shop = searchable();
    let server = shop.serve();
    let found = |search: &str| {
        let query = form(&[("search", search), ("sortBy", "price"), ("order", "asc")]);
        server.titles(&query)
    };
    // Title and source; words in any order.
    assert_eq!(found("croma cable"), ["Braided USB-C cable"]);
    assert_eq!(found("USB-C"), ["Braided USB-C cable"]);
    // Plurals and singulars.
    assert_eq!(found("cable").len(), 2);
    assert_eq!(found("cables").len(), 2);
    assert_eq!(found("charge"), ["Charging cables, pack of three"]);
    // Case and diacritics, both ways.
    assert_eq!(found("CAFE creme"), ["Café crème kettle"]);
    assert_eq!(found("Crème"), ["Café crème kettle"]);
    // The category is searched too.
    assert_eq!(found("kettle home"), ["Café crème kettle"]);
    // The description.
    assert_eq!(found("description number 4"), ["Electronic scale"]);
    // Other scripts.
    assert_eq!(found("हिन्दी"), ["हिन्दी कहानियाँ"]);
    // Words that do not occur.
    assert!(found("cable sofa").is_empty());
}

#[test]
fn search_matches_the_last_word_as_a_prefix() {
    let shop = searchable();
    let server = shop.serve();
    let found = |search: &str| server.titles(&form(&[("search", search)]));
    for typed in ["kett", "kettl", "kettle", "k"] {
        assert_eq!(found(typed), ["Café crème kettle"], "{typed}");
    }
    // Every prefix of a word with a shorter stem.
    for typed in [
        "electronic sc",
        "scale electro",
        "scale electroni",
        "scale electronic",
    ] {
        assert_eq!(found(typed), ["Electronic scale"], "{typed}");
    }
    assert!(found("kett creme").is_empty());
}

#[test]
fn quotes_and_operators_in_a_search_are_plain_text() {
    let shop = searchable();
    let server = shop.serve();
    let found = |search: &str| server.titles(&form(&[("search", search)]));
    assert_eq!(found("\"classic\"").len(), 1);
    assert_eq!(found("100% cotton").len(), 1);
    for search in [
        "\"",
        "'",
        "%' OR 1=1--",
        "NEAR(",
        "NEAR(cable, 2)",
        "cable AND",
        "OR",
        "NOT cable",
        "title: cable",
        "cable*",
        "^cable",
        "(cable",
        "cable\u{0}",
        "\u{fffd}",
        "-cable",
        "{cable}",
        "%",
        "*",
        "😀",
    ] {
        let response = server.get(&format!(
            "/product/get-products?{}",
            form(&[("search", search)])
        ));
        assert_eq!(response.status(), 200, "{search:?}");
    }
    assert!(
        found("\"*%(").is_empty(),
        "text without words matches nothing"
    );
}

#[test]
fn search_follows_every_change_of_a_product() {
    let shop = Shop::with(&[product_with(1, json!({"title": "Blue lamp"}))]);
    let server = shop.serve();
    assert_eq!(server.titles("search=lamp"), ["Blue lamp"]);
    let changed = json!([product_with(1, json!({"title": "Green chair"}))]);
    assert!(shop.import(&changed.to_string(), &[]).status.success());
    assert!(server.titles("search=lamp").is_empty());
    assert_eq!(server.titles("search=chair"), ["Green chair"]);
}

fn form(pairs: &[(&str, &str)]) -> String {
    let encode = |text: &str| {
        text.bytes().fold(String::new(), |mut encoded, byte| {
            encoded.push_str(&format!("%{byte:02X}"));
            encoded
        })
    };
    let pairs: Vec<String> = pairs
        .iter()
        .map(|(name, value)| format!("{name}={}", encode(value)))
        .collect();
    pairs.join("&")
}
