//! Searches that list what their suggestion finds, and those with a price or few results.

use serde_json::{Value, json};

use crate::pages::server_rendering::page;
use crate::support::harness::{Server, Shop, product_with};

fn cables(number: usize) -> Shop {
    let cable = |n| {
        product_with(
            n,
            json!({"title": format!("Braided cable {n}"), "price": 900, "discount": 0}),
        )
    };
    let mut products: Vec<Value> = (0..number).map(cable).collect();
    products.push(product_with(
        number,
        json!({"title": "Electric kettle", "category": "Home", "price": 2_000, "discount": 0}),
    ));
    products.push(product_with(
        number + 1,
        json!({"title": "Stinging nettle", "category": "Books", "price": 500, "discount": 0}),
    ));
    Shop::with(&products)
}

fn titles(page: &str) -> usize {
    page.matches("<article").count()
}

fn canonical(page: &str) -> &str {
    let rest = page.split_once("rel=\"canonical\" href=\"").unwrap().1;
    let address = rest.split_once('"').unwrap().0;
    address
        .split_once("//")
        .unwrap()
        .1
        .split_once('/')
        .unwrap()
        .1
}

const NOT_FOUND: &str = "Nothing found for “cabel”. These are deals for “cable”.";

#[test]
fn a_search_that_finds_nothing_lists_what_its_suggestion_finds() {
    let shop = cables(12);
    let server = shop.serve();
    let shown = page(&server, "/?search=cabel");
    assert_eq!(titles(&shown), 10);
    assert!(shown.contains(NOT_FOUND), "{shown}");
    let back = "<a rel=\"nofollow\" class=\"link\" href=\"/?search=cabel&amp;exact=true\"";
    assert!(shown.contains(back), "{shown}");
    assert!(shown.contains("<title>“cable” · Deals</title>"), "{shown}");
    assert!(
        shown.contains("value=\"cabel\""),
        "the field keeps what was typed"
    );
    assert!(shown.contains("content=\"noindex, follow\""));
    assert_eq!(canonical(&shown), "?search=cable");
    // Chips and filters go on from the words that found something.
    assert!(
        shown.contains("/?search=cable&amp;minPrice=500&amp;maxPrice=2000"),
        "{shown}"
    );
}

#[test]
fn the_pages_of_a_corrected_search_are_corrected_too() {
    let shop = cables(12);
    let server = shop.serve();
    let second = page(&server, "/?search=cabel&page=2");
    assert_eq!(titles(&second), 2);
    assert!(second.contains(NOT_FOUND), "{second}");
    assert_eq!(server.get("/?search=cabel&page=3").status(), 404);
}

#[test]
fn an_exact_search_lists_only_what_was_typed() {
    let shop = cables(5);
    let server = shop.serve();
    let exact = page(&server, "/?search=cabel&exact=true");
    assert_eq!(titles(&exact), 0);
    assert!(exact.contains("No deals match “cabel”."), "{exact}");
    assert!(exact.contains("Did you mean"), "{exact}");
    assert!(exact.contains("content=\"noindex, follow\""));
    assert_eq!(canonical(&exact), "?search=cabel&amp;exact=true");
    // Where the word finds something, it is the same list.
    let found = page(&server, "/?search=cable&exact=true");
    assert_eq!(titles(&found), 5);
    assert_eq!(canonical(&found), "?search=cable");
    assert_eq!(canonical(&page(&server, "/?exact=true")), "");
}

#[test]
fn the_api_lists_what_a_suggestion_finds_only_if_it_is_asked_to() {
    let shop = cables(5);
    let server = shop.serve();
    let answer = |query: &str| server.json(&format!("/product/get-products?search={query}"));
    let usual = answer("cabel");
    assert_eq!(
        (&usual["meta"]["total"], &usual["meta"]["suggestion"]),
        (&json!(0), &json!("cable"))
    );
    assert_eq!(usual["meta"]["wordsRead"], Value::Null);
    let corrected = answer("cabel&exact=false");
    assert_eq!(corrected["data"].as_array().unwrap().len(), 5);
    assert_eq!(corrected["meta"]["suggestion"], "cable");
    assert_eq!(corrected["meta"]["wordsRead"], "cable");
    let facets =
        |query: &str| server.json(&format!("/product/facets?search=cabel{query}"))["all"].clone();
    assert_eq!((facets(""), facets("&exact=false")), (json!(0), json!(5)));
    let found = answer("cable&exact=false");
    assert_eq!(
        (&found["meta"]["total"], &found["meta"]["suggestion"]),
        (&json!(5), &Value::Null)
    );
    let refused = server.get("/product/get-products?search=cabel&exact=1");
    assert_eq!(refused.status(), 400);
    assert!(
        refused
            .text()
            .unwrap()
            .contains("exact must be true or false.")
    );
}

#[test]
fn one_wrong_word_of_several_is_corrected() {
    let shop = cables(5);
    let server = shop.serve();
    let shown = page(&server, "/?search=braided+cabel");
    assert_eq!(titles(&shown), 5);
    let words = "Nothing found for “braided cabel”. These are deals for “braided cable”.";
    assert!(shown.contains(words), "{shown}");
}

#[test]
fn a_corrected_search_keeps_its_price_and_filters() {
    let shop = cables(5);
    let server = shop.serve();
    let shown = page(&server, "/?search=cabel+under+1000&category=Electronics");
    assert_eq!(titles(&shown), 5);
    let words = "Nothing found for “cabel under 1000”. These are deals for “cable under 1000”.";
    assert!(shown.contains(words), "{shown}");
    assert_eq!(
        canonical(&shown),
        "?search=cable&amp;category=Electronics&amp;maxPrice=1000"
    );
}

#[test]
fn filters_that_leave_nothing_do_not_change_a_word_that_finds_deals() {
    let shop = cables(5);
    let server = shop.serve();
    let shown = page(&server, "/?search=kettle&category=Books");
    assert_eq!(titles(&shown), 0);
    assert!(shown.contains("No deals match “kettle”."), "{shown}");
    assert!(shown.contains("Without Books: 1 deal"), "{shown}");
    let shelf = page(&server, "/category/books?search=kettle");
    assert!(shelf.contains("Without Books: 1 deal"), "{shelf}");
    let twice = page(&server, "/?search=kettle+under+600&minPrice=700");
    assert!(!twice.contains("Without :"), "{twice}");
    let priced = page(&server, "/?search=kettle+under+600");
    assert_eq!(titles(&priced), 0);
    assert!(priced.contains("Without Up to ₹600: 1 deal"), "{priced}");
}

#[test]
fn a_search_without_a_suggestion_finds_nothing() {
    let shop = cables(5);
    let server = shop.serve();
    let long = "x".repeat(200);
    for search in ["qqqqqq", "%22", &long, "cabel+qqqqqq"] {
        let shown = page(&server, &format!("/?search={search}"));
        assert_eq!(titles(&shown), 0, "{search}");
        assert!(shown.contains("No deals match"), "{search}");
        assert!(!shown.contains("Nothing found for"), "{search}");
    }
}

#[test]
fn words_that_are_in_no_deal_together_list_the_thing_searched() {
    let shop = cables(5);
    let server = shop.serve();
    for (search, thing) in [("kettle+cable", "cable"), ("cable+kettle", "kettle")] {
        let shown = page(&server, &format!("/?search={search}"));
        let said = format!(
            "Nothing found for “{}”. These are deals for “{thing}”.",
            search.replace('+', " ")
        );
        assert!(shown.contains(&said), "{shown}");
    }
    assert!(page(&server, "/?search=cable+kettle").contains("“cable”: 5 deals"));
    let misspelt = page(&server, "/?search=cabel+300+tak");
    assert!(
        misspelt.contains("Without Up to ₹300: 5 deals"),
        "{misspelt}"
    );
    let asked = |query: &str| server.json(&format!("/product/get-products?search={query}"));
    assert_eq!(asked("kettle+cable")["meta"]["total"], 0);
    // Words around the thing, in English and Hindi.
    for search in ["sasta+kettle", "best+kettle+for+me", "kettle+ki+price"] {
        let found = asked(&format!("{search}&exact=false"));
        assert_eq!(found["data"][0]["title"], "Electric kettle", "{search}");
    }
    let found = asked("kettle+3000+se+kam");
    assert_eq!(found["meta"]["maxPriceRead"], 3_000);
    assert_eq!(found["meta"]["total"], 1);
    let found = asked("kettle+500-1000");
    assert_eq!(found["meta"]["total"], 0);
}

#[test]
fn joined_words_are_split_where_the_rest_of_the_search_is() {
    let other = |n| {
        product_with(
            n,
            json!({"title": format!("Shirt {n} for men, with round collar")}),
        )
    };
    let mut products: Vec<Value> = (0..20).map(other).collect();
    products.push(product_with(
        20,
        json!({"title": "Plain men round neck tee"}),
    ));
    let shop = Shop::with(&products);
    let server = shop.serve();
    let answer = server.json("/product/get-products?search=menround+neck");
    assert_eq!(answer["meta"]["suggestion"], "men round neck");
}

#[test]
fn a_feed_is_of_the_words_as_they_are() {
    let shop = cables(5);
    let server = shop.serve();
    let feed = |address: &str| server.get(address).text().unwrap();
    assert!(!feed("/feed.xml?search=cabel").contains("<entry>"));
    let shown = page(&server, "/?search=cabel");
    assert!(shown.contains("href=\"/feed.xml?search=cable\""), "{shown}");
    assert!(feed("/feed.xml?search=cable").contains("<entry>"));
}

#[test]
fn the_words_and_the_price_of_a_search_are_filters_of_their_own() {
    let shop = cables(5);
    let server = shop.serve();
    let shown = page(&server, "/?search=cable+under+1000");
    assert!(
        shown.contains("<title>“cable”, up to ₹1,000 · Deals</title>"),
        "{shown}"
    );
    assert!(
        shown.contains("value=\"cable under 1000\""),
        "the field keeps what was typed"
    );
    for (address, label) in [
        ("/?maxPrice=1000", "Remove “cable”"),
        ("/?search=cable", "Remove Up to ₹1,000"),
    ] {
        let chip = format!("href=\"{address}\"");
        let chip = shown
            .split("<li>")
            .find(|item| item.contains(&chip) && item.contains(label));
        assert!(chip.is_some(), "{label}");
    }
    let fields = |page: &str| -> Vec<bool> {
        let fields = page
            .split("<input")
            .filter(|field| field.contains("name=\"maxPrice\""));
        fields
            .map(|field| field.split_once('>').unwrap().0.contains("value=\"1000\""))
            .collect()
    };
    assert!(fields(&shown).contains(&true), "{shown}");
    let priced = page(&server, "/?search=under+1000");
    assert!(
        priced.contains("<title>Deals, up to ₹1,000 · Deals</title>"),
        "{priced}"
    );
    assert_eq!(canonical(&priced), "?maxPrice=1000");
    // A bound that the other filters exclude is shown as it was typed.
    let impossible = page(&server, "/?search=under+600&minPrice=700");
    assert_eq!(titles(&impossible), 0);
    assert!(
        impossible.contains("“under 600”, from ₹700"),
        "{impossible}"
    );
}

/// Returns the parts of a page: the deals found, and what is below them.
fn few(server: &Server, address: &str) -> (String, String) {
    let shown = page(server, address);
    let (before, below) = shown.split_once("class=\"few-more\"").unwrap();
    (before.to_owned(), below.to_owned())
}

#[test]
fn one_to_three_deals_are_large_with_filters_to_remove_and_deals_nearby() {
    let shop = cables(9);
    let server = shop.serve();
    let (found, below) = few(&server, "/?search=%22cable+3%22+under+1000");
    assert!(found.contains("class=\"cards few\""), "{found}");
    assert_eq!(titles(&found), 1);
    assert!(
        below.contains("Without “&quot;cable 3&quot;”: 10 deals")
            || below.contains("Without “\"cable 3\"”: 10 deals"),
        "{below}"
    );
    // They share a word of the search.
    assert!(below.contains("“cable”, up to ₹1,000"), "{below}");
    assert_eq!(titles(&below), 5);
    assert!(!below.contains("Braided cable 3<"), "{below}");
    assert!(found.contains("Follow this search"), "{found}");
    // Four deals, and all deals of a small shop, are shown as ever.
    let four = cables(4);
    let four = four.serve();
    assert!(!page(&four, "/?search=cable").contains("cards few"));
    let small = cables(1);
    let small = small.serve();
    assert!(!page(&small, "/").contains("cards few"));
    assert!(page(&small, "/?search=cable").contains("cards few"));
}

#[test]
fn words_that_find_few_products_together_are_offered_with_one_word_less() {
    let shop = cables(5);
    let server = shop.serve();
    let shorter = |path: &str| server.json(path)["meta"]["shorter"].clone();
    let list = "/product/get-products?search=";
    assert_eq!(
        shorter(&format!("{list}braided%20kettle")),
        json!([{"search": "braided", "total": 5}, {"search": "kettle", "total": 1}])
    );
    // None of the pairs is in a product: each word alone, without stop words.
    assert_eq!(
        shorter(&format!("{list}braided%20nettle%20kettle%20for")),
        json!([
            {"search": "braided", "total": 5},
            {"search": "kettle", "total": 1},
            {"search": "nettle", "total": 1}
        ])
    );
    // The other filters stay.
    assert_eq!(
        shorter(&format!("{list}braided%20kettle&category=Home")),
        json!([{"search": "kettle", "total": 1}])
    );
    for one in ["kettle", "braided%20cable", "qqqq%20zzzz"] {
        assert_eq!(shorter(&format!("{list}{one}")), Value::Null, "{one}");
    }
    let shown = page(&server, "/?search=braided+kettle");
    assert!(shown.contains("href=\"/?search=braided\""), "{shown}");
    assert!(shown.contains("“braided”: 5 deals"), "{shown}");
}

#[test]
fn a_correction_does_not_cut_a_number_up() {
    let titles = ["Phones for 1 or 5 people", "USB cable 1 5 m for phones"];
    let products = (1..).zip(titles);
    let products: Vec<_> = products
        .map(|(n, title)| product_with(n, json!({"title": title, "description": "1 5 as is."})))
        .collect();
    let shop = Shop::with(&products);
    let server = shop.serve();
    let found = server.json("/product/get-products?search=iphone+15&exact=false");
    assert_eq!(found["meta"]["suggestion"], Value::Null, "{found}");
}
