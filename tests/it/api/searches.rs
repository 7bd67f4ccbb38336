//! Searches that are not written as the products are.

use serde_json::{Value, json};

use crate::support::harness::{Shop, product_with};

#[test]
fn a_misspelt_search_that_finds_nothing_suggests_one_that_does() {
    let shop = Shop::with(&[
        product_with(1, json!({"title": "Electric kettles", "category": "Home"})),
        product_with(2, json!({"title": "Braided cable"})),
        product_with(3, json!({"title": "Capable hands", "category": "Books"})),
    ]);
    let server = shop.serve();
    let suggestion = |query: &str| {
        server.json(&format!("/product/get-products?{query}"))["meta"]["suggestion"].clone()
    };
    assert_eq!(suggestion("search=cabel"), "cable");
    assert_eq!(suggestion("search=KETTELS"), "kettles");
    assert_eq!(suggestion("search=electrik+kettels"), "electric kettles");
    assert_eq!(
        suggestion("search=cabel+cabel+braidet"),
        "cable cable braided"
    );
    assert_eq!(
        suggestion("search=cabel+braidet+ketles+electrik"),
        Value::Null
    );
    // A stem is in the index, and is no word.
    assert_eq!(suggestion("search=braidad"), "braided");
    // What is found needs no other search; what is far from everything has none.
    assert_eq!(suggestion("search=cable"), Value::Null);
    assert_eq!(suggestion("search=qqqqqq"), Value::Null);
    // Known words that no product has together.
    assert_eq!(suggestion("search=kettles+cable"), Value::Null);
    // A correction that the other filters leave nothing of is none.
    assert_eq!(suggestion("search=cabel&category=Home"), Value::Null);
}

#[test]
fn words_are_found_however_they_are_joined_or_split() {
    let shop = Shop::with(&[
        product_with(
            1,
            json!({"title": "Boys T-Shirt, blue", "category": "Clothing"}),
        ),
        product_with(
            2,
            json!({"title": "Girls tshirt, red", "category": "Clothing"}),
        ),
        product_with(3, json!({"title": "AirPods Pro with case"})),
        product_with(4, json!({"title": "iPhone 15 cover"})),
        product_with(5, json!({"title": "The third book", "category": "Books"})),
    ]);
    let server = shop.serve();
    let titles = |search: &str| -> Vec<String> {
        let mut titles = server.titles(&format!("search={search}"));
        titles.sort();
        titles
    };
    let shirts = ["Boys T-Shirt, blue", "Girls tshirt, red"];
    assert_eq!(titles("tshirt"), shirts);
    assert_eq!(titles("t+shirt"), shirts);
    assert_eq!(titles("t-shirts+red"), ["Girls tshirt, red"]);
    assert_eq!(titles("air+pods+pro"), ["AirPods Pro with case"]);
    assert_eq!(titles("iphone15"), ["iPhone 15 cover"]);
    let suggestion = |search: &str| {
        server.json(&format!("/product/get-products?search={search}"))["meta"]["suggestion"].clone()
    };
    assert_eq!(suggestion("air+podspro"), "airpods pro");
    assert_eq!(suggestion("airpodspro+case"), "airpods pro case");
    // A shirt is not the third of anything.
    assert_eq!(suggestion("thshirt"), "tshirt");
    // Another number is another thing.
    assert_eq!(suggestion("iphone+17+cover"), Value::Null);
}

#[test]
fn a_price_among_the_words_narrows_the_list_and_its_counts() {
    let shop = Shop::with(&[
        product_with(
            1,
            json!({"title": "Canvas shoes", "price": 900, "discount": 0}),
        ),
        product_with(
            2,
            json!({"title": "Leather shoes", "price": 2500, "discount": 0}),
        ),
        product_with(
            3,
            json!({"title": "Shoe brush", "price": 2500, "discount": 80}),
        ),
    ]);
    let server = shop.serve();
    let total = |query: &str| {
        let answer = server.json(&format!("/product/get-products?{query}"));
        answer["meta"]["total"].clone()
    };
    assert_eq!(total("search=shoes+under+1000"), 2);
    assert_eq!(total("search=shoes+above+%E2%82%B91,000"), 1);
    assert_eq!(total("search=between+500+and+1k"), 2);
    assert_eq!(total("search=under+600&minPrice=550"), 0);
    let facets = server.json("/product/facets?search=shoes+under+1000");
    assert_eq!(facets["all"], 2);
    let answer = server.json("/product/get-products?search=canvsa+under+1000");
    assert_eq!(answer["meta"]["suggestion"], "canvas under 1000");
}
