//! Filters of the list: price, discount and source, with counts and relevance.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::harness::{Server, Shop, product_with};

const CATEGORIES: [&str; 4] = ["Electronics", "Clothing", "Books", "Home"];
const SOURCES: [&str; 3] = ["Amazon", "Flipkart & Sons", "दुकान"];

fn mixed() -> Shop {
    let products: Vec<Value> = (0..150)
        .map(|n| {
            product_with(
                n,
                json!({
                    "title": format!("{} number {n}", ["Blue lamp", "Red chair", "Green lamp"][n % 3]),
                    "price": 50 + (n * 37) % 400,
                    "discount": (n % 5) * 20,
                    "category": CATEGORIES[n % 4],
                    "source": SOURCES[(n / 2) % 3],
                    "clicks": (n * 7) % 11,
                    "averageRating": ([3.9, 4.0, 4.9][(n / 4) % 3]),
                }),
            )
        })
        .collect();
    Shop::with(&products)
}

fn rupees(product: &Value) -> f64 {
    product["finalPrice"].as_f64().unwrap()
}

/// Query parameters, and the predicate that they stand for.
type Filter = (&'static str, fn(&Value) -> bool);

const FILTERS: [Filter; 8] = [
    ("minPrice=120.5", |product| rupees(product) >= 120.5),
    ("maxPrice=200", |product| rupees(product) <= 200.0),
    ("minDiscount=40", |product| {
        product["discount"].as_f64().unwrap() >= 40.0
    }),
    ("source=Flipkart+%26+Sons", |product| {
        product["source"] == "Flipkart & Sons"
    }),
    (
        "source=%E0%A4%A6%E0%A5%81%E0%A4%95%E0%A4%BE%E0%A4%A8",
        |product| product["source"] == "दुकान",
    ),
    ("minRating=4", |product| {
        product["ratings"]["averageRating"].as_f64().unwrap() >= 4.0
    }),
    ("category=Books", |product| product["category"] == "Books"),
    ("search=lamps", |product| {
        product["title"].as_str().unwrap().contains("lamp")
    }),
];

fn ids(products: &[Value]) -> Vec<&str> {
    products
        .iter()
        .map(|product| product["_id"].as_str().unwrap())
        .collect()
}

fn every_page(server: &Server, query: &str) -> Vec<Value> {
    let mut all = Vec::new();
    for page in 1.. {
        let answer = server.json(&format!(
            "/product/get-products?{query}&limit=100&page={page}"
        ));
        all.extend(answer["data"].as_array().unwrap().clone());
        if answer["meta"]["totalPages"] == page {
            assert_eq!(answer["meta"]["total"], all.len(), "{query}");
            return all;
        }
    }
    unreachable!()
}

#[test]
fn every_combination_of_filters_lists_exactly_the_matching_products() {
    let shop = mixed();
    let server = shop.serve();
    for sort in ["sortBy=price&order=asc", "sortBy=clicks&order=desc"] {
        let all = every_page(&server, sort);
        assert_eq!(all.len(), 150);
        for combination in 0_u32..1 << FILTERS.len() {
            let chosen: Vec<Filter> = (0..FILTERS.len())
                .filter(|bit| combination >> bit & 1 == 1)
                .map(|bit| FILTERS[bit])
                .collect();
            let query: Vec<&str> = chosen.iter().map(|(name, _)| *name).chain([sort]).collect();
            let query = query.join("&");
            let expected: Vec<Value> = all
                .iter()
                .filter(|product| {
                    // Any of several sellers.
                    let (sellers, others): (Vec<Filter>, Vec<Filter>) = chosen
                        .iter()
                        .partition(|(name, _)| name.starts_with("source"));
                    others.iter().all(|(_, passes)| passes(product))
                        && (sellers.is_empty() || sellers.iter().any(|(_, passes)| passes(product)))
                })
                .cloned()
                .collect();
            assert_eq!(ids(&every_page(&server, &query)), ids(&expected), "{query}");
        }
    }
}

#[test]
fn facet_counts_match_the_filtered_list() {
    let shop = mixed();
    let server = shop.serve();
    let total = |query: String| {
        let answer = server.json(&format!("/product/get-products?{query}"));
        answer["meta"]["total"].as_i64().unwrap()
    };
    for others in [
        "",
        "search=lamp",
        "minPrice=100&maxPrice=300",
        "minDiscount=60&search=red",
        "search=%22",
    ] {
        for chosen in [
            "",
            "category=Home",
            "source=Amazon",
            "category=Books&source=Amazon",
            "source=Amazon&source=Nobody&source=Flipkart+%26+Sons",
        ] {
            let facets = server.json(&format!("/product/facets?{others}&{chosen}"));
            let source = chosen.split('&').filter(|part| part.starts_with("source"));
            let source = source.collect::<Vec<_>>().join("&");
            let category = chosen.split('&').find(|part| part.starts_with("category"));
            let category = category.unwrap_or_default();
            assert_eq!(facets["all"], total(format!("{others}&{source}")));
            for choice in facets["categories"].as_array().unwrap() {
                let name = choice["name"].as_str().unwrap();
                let expected = total(format!("{others}&{source}&category={name}"));
                assert_eq!(choice["products"], expected, "{others} {chosen} {name}");
            }
            assert_eq!(facets["categories"].as_array().unwrap().len(), 4);
            let mut found = 0;
            for choice in facets["sources"].as_array().unwrap() {
                let name = choice["name"].as_str().unwrap().replace('&', "%26");
                let expected = total(format!("{others}&{category}&source={name}"));
                assert_eq!(choice["products"], expected, "{others} {chosen} {name}");
                found += expected;
            }
            assert_eq!(
                found,
                total(format!("{others}&{category}")),
                "{others} {chosen}"
            );
        }
    }
}

#[test]
fn counts_follow_every_change_of_a_product() {
    let shop = Shop::with(&[product_with(1, json!({"source": "Croma"}))]);
    let server = shop.serve();
    let sources = || server.json("/product/facets")["sources"].clone();
    assert_eq!(sources(), json!([{"name": "Croma", "products": 1}]));
    let moved = json!([product_with(
        2,
        json!({"_id": server.list("")[0]["_id"], "source": "Zepto", "category": "Home"})
    )]);
    assert!(shop.import(&moved.to_string(), &[]).status.success());
    assert_eq!(sources(), json!([{"name": "Zepto", "products": 1}]));
    let categories = server.json("/product/facets")["categories"].clone();
    assert_eq!(categories[3], json!({"name": "Home", "products": 1}));
}

#[test]
fn invalid_filters_are_refused_with_the_allowed_values() {
    let shop = Shop::new();
    let server = shop.serve();
    let price = |name: &str| {
        format!("{name} must be rupees from 0 to 1000000000, with at most 2 decimals.")
    };
    let long = format!("source={}", "a".repeat(101));
    let many: Vec<_> = (0..9).map(|number| format!("source=S{number}")).collect();
    let many = many.join("&");
    let rule = "source must be at most 100 characters, and given at most 8 times.";
    for (query, field, message) in [
        ("minPrice=-1", "minPrice", price("minPrice")),
        ("minPrice=1.234", "minPrice", price("minPrice")),
        ("maxPrice=1e3", "maxPrice", price("maxPrice")),
        ("maxPrice=1000000001", "maxPrice", price("maxPrice")),
        ("maxPrice=.5", "maxPrice", price("maxPrice")),
        (
            "minPrice=10&maxPrice=9.99",
            "maxPrice",
            "maxPrice must be at least minPrice.".to_owned(),
        ),
        (
            "minDiscount=101",
            "minDiscount",
            "minDiscount must be percent from 0 to 100, with at most 2 decimals.".to_owned(),
        ),
        (&long, "source", rule.to_owned()),
        (&many, "source", rule.to_owned()),
        (
            "minRating=3.5",
            "minRating",
            "minRating must be a whole number of stars from 1 to 5.".to_owned(),
        ),
        (
            "sortBy=relevance",
            "sortBy",
            "sortBy relevance needs a search.".to_owned(),
        ),
    ] {
        for call in ["get-products", "facets"] {
            let response = server.get(&format!("/product/{call}?{query}"));
            assert_eq!(response.status(), 400, "{query}");
            let body: Value = response.json().unwrap();
            assert_eq!(body["fields"][field], message, "{query}");
        }
    }
}

#[test]
fn relevance_ranks_titles_above_descriptions() {
    let shop = Shop::with(&[
        product_with(
            1,
            json!({"title": "Desk", "description": "Goes with any lamp.", "clicks": 90}),
        ),
        product_with(2, json!({"title": "Lamp", "clicks": 1})),
        product_with(3, json!({"title": "Lamps for the garden", "clicks": 5})),
        product_with(
            4,
            json!({"title": "Bench", "description": "A lamp table.", "totalRatings": 900}),
        ),
        product_with(
            5,
            json!({"title": "Garden chair", "description": "No lamp included."}),
        ),
    ]);
    let server = shop.serve();
    assert_eq!(
        server.titles("search=lamp&sortBy=relevance"),
        [
            "Lamps for the garden",
            "Lamp",
            "Desk",
            "Bench",
            "Garden chair"
        ]
    );
    assert_eq!(
        server.titles("search=lamp&sortBy=relevance&order=asc&limit=3&page=2"),
        ["Lamp", "Lamps for the garden"]
    );
    // Every word must be in the title.
    assert_eq!(
        server.titles("search=garden+lamp&sortBy=relevance"),
        ["Lamps for the garden", "Garden chair"]
    );
}

#[test]
fn a_search_returns_the_words_that_matched() {
    let shop = Shop::with(&[
        product_with(
            1,
            json!({"title": "Charging Cables", "description": "Two cables, café style."}),
        ),
        product_with(
            2,
            json!({"title": "A cablecar poster", "description": "For travellers who charge on."}),
        ),
    ]);
    let server = shop.serve();
    let matches = |search: &str| {
        server.json(&format!("/product/get-products?search={search}"))["meta"]["matches"].clone()
    };
    assert_eq!(
        matches("charge+cable"),
        json!(["cablecar", "cables", "charge", "charging"])
    );
    assert_eq!(matches("CAF%C3%89"), json!(["cafe"]));
    assert_eq!(
        server.json("/product/get-products")["meta"].get("matches"),
        None
    );
}

#[test]
fn unchanged_lists_are_answered_with_304() {
    let shop = Shop::with(&[product_with(1, json!({}))]);
    let server = shop.serve();
    let id = server.list("")[0]["_id"].as_str().unwrap().to_owned();
    for path in [
        "/product/get-products?page=1".to_owned(),
        "/product/facets".to_owned(),
        format!("/product/product/{id}"),
    ] {
        let first = server.get(&path);
        let tag = first.headers()["etag"].clone();
        assert_eq!(first.headers()["cache-control"], "no-cache");
        for encoding in ["br", "gzip", "identity"] {
            let again = server
                .client()
                .get(server.url(&path))
                .header("accept-encoding", encoding)
                .header("if-none-match", &tag)
                .send()
                .unwrap();
            assert_eq!(
                again.status(),
                StatusCode::NOT_MODIFIED,
                "{path} {encoding}"
            );
            assert_eq!(again.headers()["etag"], tag);
            assert_eq!(again.bytes().unwrap().len(), 0);
        }
    }
    let path = "/product/get-products";
    let tag = server.get(path).headers()["etag"].clone();
    server.post(&format!("/product/increament-views/{id}"));
    let changed = server
        .client()
        .get(server.url(path))
        .header("if-none-match", &tag)
        .send()
        .unwrap();
    assert_eq!(changed.status(), 200);
}

#[test]
fn facets_count_the_filters_that_are_offered_above_lists() {
    let deals: Vec<_> = (0..20)
        .map(|n| {
            product_with(
                n,
                json!({
                    "title": format!("Deal {n}"),
                    "category": CATEGORIES[n % 2],
                    "source": SOURCES[n / 15],
                    "price": 200 * (n + 1),
                    "discount": 5 * n,
                    "averageRating": ([2.9, 3.5, 4.2][n % 3]),
                }),
            )
        })
        .collect();
    let shop = Shop::with(&deals);
    let server = shop.serve();
    for (query, price, discount) in [
        ("", "", ""),
        ("category=Clothing&", "", ""),
        ("search=deal&source=Amazon&", "", ""),
        ("", "maxPrice=900&", "minDiscount=20&"),
    ] {
        let facets = server.json(&format!("/product/facets?{query}{price}{discount}"));
        // Each in the place of others of its kind.
        let counted = [
            format!("{query}{discount}maxPrice=500"),
            format!("{query}{discount}minPrice=500&maxPrice=2000"),
            format!("{query}{price}minDiscount=40"),
            format!("{query}{price}{discount}minRating=4"),
            format!("{query}{price}{discount}minRating=3"),
            format!("{query}{discount}minPrice=2000&maxPrice=10000"),
            format!("{query}{discount}minPrice=10000"),
            format!("{query}{price}minDiscount=20"),
            format!("{query}{price}minDiscount=60"),
        ]
        .map(|chip| {
            let answer = server.json(&format!("/product/get-products?{chip}"));
            answer["meta"]["total"].clone()
        });
        assert_eq!(facets["chips"], json!(counted), "{query}{price}{discount}");
    }
    let shown = |address: &str| server.get(address).text().unwrap();
    let cheap = "class=\"chip\" href=\"/?maxPrice=500\"";
    assert!(shown("/").contains(cheap), "{}", shown("/"));
    let filtered = shown("/?maxPrice=500");
    assert!(!filtered.contains(cheap), "a filter that is set");
}

#[test]
fn several_sellers_are_one_list_with_one_address() {
    let shop = mixed();
    let server = shop.serve();
    let page = server
        .get("/?source=Flipkart+%26+Sons&source=Amazon&source=Amazon&minRating=4")
        .text()
        .unwrap();
    let canonical = "/?source=Amazon&amp;source=Flipkart+%26+Sons&amp;minRating=4\"";
    assert!(
        page.contains(&format!(
            "rel=\"canonical\" href=\"{}{canonical}",
            server.url("")
        )),
        "{page}"
    );
    assert!(page.contains("Deals at Amazon or Flipkart &amp; Sons, 4★ and up"));
    // Each is removed alone, without scripts too.
    assert!(page.contains("href=\"/?source=Amazon&amp;minRating=4\""));
    assert!(page.contains("name=\"source\" value=\"Amazon\""));
    let feed = server.json("/feed.json?source=Amazon&source=Flipkart+%26+Sons&minRating=4");
    let list = server
        .json("/product/get-products?source=Amazon&source=Flipkart+%26+Sons&minRating=4&limit=100");
    let in_feed = feed["items"].as_array().unwrap().len();
    assert_eq!(list["meta"]["total"], in_feed);
}
