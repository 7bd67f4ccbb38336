//! Words that say little about a product, compounds, and the weight of words.

use serde_json::{Value, json};

use crate::pages::server_rendering::page;
use crate::support::harness::{Shop, product_with};

/// Products of these titles, without other words that a search could find.
fn shop_of(titles: &[&str]) -> Shop {
    let products = (0..).zip(titles);
    let products: Vec<_> = products
        .map(|(n, title)| {
            let words =
                json!({"title": title, "description": "Good to have at home.", "totalRatings": 10});
            product_with(n, words)
        })
        .collect();
    Shop::with(&products)
}

#[test]
fn stop_words_of_a_search_need_not_match() {
    let shop = shop_of(&[
        "Cotton kurti, women",
        "Vitamin C tablets",
        "Vitamin A tablets",
    ]);
    let server = shop.serve();
    assert_eq!(
        server.titles("search=kurti+for+women"),
        ["Cotton kurti, women"]
    );
    assert_eq!(server.titles("search=kurti+for"), ["Cotton kurti, women"]);
    // They still count for the order.
    let vitamins = server.titles("search=vitamin+a&sortBy=relevance");
    assert_eq!(vitamins, ["Vitamin A tablets", "Vitamin C tablets"]);
    // A search of nothing else is for these.
    assert!(server.titles("search=with").is_empty());
}

#[test]
fn hindi_words_are_found_in_their_spellings_and_plurals() {
    let shop = shop_of(&["Canvas shoes, blue", "Cotton towel"]);
    let server = shop.serve();
    for search in ["joote", "jutaa", "joote+blue"] {
        let answer = server.json(&format!(
            "/product/get-products?search={search}&exact=false"
        ));
        assert_eq!(answer["data"][0]["title"], "Canvas shoes, blue", "{search}");
    }
}

#[test]
fn a_discount_among_the_words_of_a_search_is_a_filter() {
    let shoes = |n: usize, discount: i64| {
        let words = json!({"title": format!("Shoes {n}"), "price": 1000, "discount": discount});
        product_with(n, words)
    };
    let shop = Shop::with(&[shoes(1, 20), shoes(2, 60), shoes(3, 50)]);
    let server = shop.serve();
    let found = server.json("/product/get-products?search=shoes+min+50%25+off");
    assert_eq!(found["meta"]["total"], 2);
    assert_eq!(found["meta"]["minDiscountRead"], 50);
    assert_eq!(found["meta"]["wordsRead"], "shoes");
    let shown = page(&server, "/?search=shoes+50%25+off");
    assert!(shown.contains("“shoes”, 50% off or more"), "{shown}");
}

#[test]
fn a_rating_among_the_words_of_a_search_is_a_filter() {
    let shoes = |n: usize, rating: f64| {
        product_with(
            n,
            json!({"title": format!("Shoes {n}"), "averageRating": rating}),
        )
    };
    let shop = Shop::with(&[shoes(1, 3.9), shoes(2, 4.4)]);
    let server = shop.serve();
    let found = server.json("/product/get-products?search=shoes+4+star");
    assert_eq!(found["meta"]["total"], 1);
    assert_eq!(found["meta"]["minRatingRead"], 4);
    assert_eq!(found["meta"]["wordsRead"], "shoes");
    let shown = page(&server, "/?search=4+stars+and+above+shoes");
    assert!(shown.contains("“shoes”, 4★ and up"), "{shown}");
}

#[test]
fn a_measure_is_left_out_before_the_thing_itself() {
    let shop = shop_of(&[
        "Pressure cooker, steel",
        "Cooker ring",
        "Pressure gauge, 5l tank",
    ]);
    let server = shop.serve();
    let shown = page(&server, "/?search=pressure+cooker+5l");
    assert!(shown.contains("Pressure</mark> <mark>cooker"), "{shown}");
}

#[test]
fn fillers_are_left_out_of_a_search_that_finds_nothing() {
    let shop = shop_of(&["Redmi mobile", "Best book of tea", "Office laptop"]);
    let server = shop.serve();
    let meta = |search: &str| {
        let answer = server.json(&format!("/product/get-products?search={search}"));
        (
            answer["meta"]["total"].clone(),
            answer["meta"]["suggestion"].clone(),
        )
    };
    assert_eq!(meta("sasta+mobile"), (json!(0), json!("mobile")));
    assert_eq!(meta("laptop+ke+liye"), (json!(0), json!("laptop")));
    assert_eq!(meta("सस्ता+laptop"), (json!(0), json!("laptop")));
    assert_eq!(meta("cheap+moble"), (json!(0), json!("mobile")));
    assert_eq!(meta("best+book"), (json!(1), json!(null)));
    assert_eq!(meta("best+deals"), (json!(0), json!(null)));
    let shown = page(&server, "/?search=sasta+mobile");
    assert!(shown.contains("Redmi <mark>mobile</mark>"), "{shown}");
    assert!(!shown.contains("Nothing found for"), "{shown}");
    // Descriptions have “good” and “home”, titles do not.
    let meta = server.json("/product/get-products?search=good+laptop&exact=false")["meta"].clone();
    assert_eq!(meta["wordsRead"], "laptop");
    let meta = server.json("/product/get-products?search=best+book&exact=false")["meta"].clone();
    assert_eq!(meta["wordsRead"], Value::Null);
    let shown = page(&server, "/?search=sabse+sasta");
    assert!(shown.contains("Redmi mobile"), "{shown}");
}

#[test]
fn a_compound_finds_its_two_words() {
    let shop = shop_of(&["Power Bank 20000mAh", "Powerbank 10000mAh", "Power strip"]);
    let server = shop.serve();
    let found = server.titles("search=powerbank&sortBy=relevance");
    assert_eq!(found, ["Powerbank 10000mAh", "Power Bank 20000mAh"]);
    assert_eq!(
        server.titles("search=powerbank+20000mah"),
        ["Power Bank 20000mAh"]
    );
}

#[test]
fn a_rare_word_in_the_title_weighs_more_than_a_frequent_one() {
    let shirts: Vec<String> = (0..8).map(|n| format!("Men\u{2019}s shirt {n}")).collect();
    let mut titles: Vec<&str> = shirts.iter().map(String::as_str).collect();
    titles.extend(["Running shoes", "Men\u{2019}s cardigan"]);
    let mut products = Vec::new();
    for (n, title) in titles.into_iter().enumerate() {
        let words =
            json!({"title": title, "description": "For men who like shoes.", "totalRatings": 10});
        products.push(product_with(n, words));
    }
    let server = Shop::with(&products);
    let server = server.serve();
    let found = server.titles("search=mens+shoes&sortBy=relevance&limit=1");
    assert_eq!(found, ["Running shoes"]);
}

#[test]
fn a_book_that_names_a_thing_comes_after_the_thing() {
    let of = |n, title: &str, category: &str, ratings: i64| {
        let words = json!({"title": title, "category": category, "totalRatings": ratings});
        product_with(n, words)
    };
    let shop = Shop::with(&[
        of(1, "Steam iron, 1000 W", "Home", 5),
        of(2, "Iron Flame", "Books", 100_000),
    ]);
    let server = shop.serve();
    let first = |search: &str| server.titles(&format!("search={search}&sortBy=relevance"));
    assert_eq!(first("iron"), ["Steam iron, 1000 W", "Iron Flame"]);
}

#[test]
fn no_word_is_corrected_to_one_of_two_letters() {
    let shop = shop_of(&["Meter of PH", "Phone stand"]);
    let server = shop.serve();
    let answer = server.json("/product/get-products?search=pht");
    assert_eq!(answer["meta"]["suggestion"], Value::Null);
    assert_eq!(server.titles("search=phn"), ["Phone stand"]);
}
