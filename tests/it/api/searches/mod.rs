//! Searches: suggestions, words, kinds, the order by relevance.

mod corrections;
mod kinds;
mod loose_words;
mod same_words;

use std::collections::BTreeSet;

use deals::domain::folded_words;
use rust_stemmers::{Algorithm, Stemmer};
use serde_json::{Value, json};

use crate::pages::server_rendering::page;
use crate::support::harness::{Shop, product_with};
use crate::support::npm::folder;
use crate::support::real_products;

#[test]
fn a_misspelt_search_without_results_gets_a_suggestion() {
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
    // A stem is in the index, but is no word.
    assert_eq!(suggestion("search=braidad"), "braided");
    // No suggestion for a search with results, nor without similar words.
    assert_eq!(suggestion("search=cable"), Value::Null);
    assert_eq!(suggestion("search=qqqqqq"), Value::Null);
    // Known words that no product has in common.
    assert_eq!(suggestion("search=kettles+cable"), Value::Null);
    // A first letter that sounds otherwise makes another word, like a brand.
    assert_eq!(suggestion("search=sable"), Value::Null);
    assert_eq!(suggestion("search=lectric+kettle"), "electric kettle");
    // No suggestion without results under the other filters.
    assert_eq!(suggestion("search=cabel&category=Home"), Value::Null);
}

#[test]
fn search_finds_joined_and_split_words() {
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
        product_with(6, json!({"title": "10,000 mAh powerbank"})),
        product_with(7, json!({"title": "Power bank with cable"})),
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
    assert_eq!(titles("iphone+15"), ["iPhone 15 cover"]);
    assert_eq!(
        titles("power+bank"),
        ["10,000 mAh powerbank", "Power bank with cable"]
    );
    let suggestion = |search: &str| {
        server.json(&format!("/product/get-products?search={search}"))["meta"]["suggestion"].clone()
    };
    assert_eq!(suggestion("air+podspro"), "airpods pro");
    assert_eq!(suggestion("airpodspro+case"), "airpods pro case");
    assert_eq!(suggestion("bluepowerbank"), Value::Null);
    assert_eq!(suggestion("tshirtblue"), Value::Null);
    assert_eq!(suggestion("shirtblue"), "shirt blue");
    // "shirt" is not corrected to "third".
    assert_eq!(suggestion("thshirt"), "tshirt");
    // Digits are not corrected.
    assert_eq!(suggestion("iphone+17+cover"), Value::Null);
}

#[test]
fn search_splits_a_word_only_into_adjacent_words() {
    let shop = Shop::with(&[
        product_with(1, json!({"title": "Silk saree, red"})),
        product_with(
            2,
            json!({"title": "Women's headphones", "description": "These are the best."}),
        ),
        product_with(
            3,
            json!({"title": "Size S are in stock, said the label of batteries"}),
        ),
        product_with(
            4,
            json!({"title": "The 21 Irrefutable Laws of Leadership by John C. Maxwell"}),
        ),
        product_with(5, json!({"title": "Claw hammer"})),
        product_with(6, json!({"title": "Women's hoes for the garden"})),
        product_with(7, json!({"title": "Shoes of leather"})),
        product_with(8, json!({"title": "USB-C lamp"})),
        product_with(9, json!({"title": "Clamp of steel"})),
        product_with(10, json!({"title": "Mixer with 2.5 L jar"})),
        product_with(11, json!({"title": "Kettle of 5 L"})),
    ]);
    let server = shop.serve();
    let titles = |search: &str| server.titles(&format!("search={search}"));
    assert_eq!(titles("saree"), ["Silk saree, red"]);
    assert_eq!(titles("sarees"), ["Silk saree, red"]);
    assert_eq!(titles("claw"), ["Claw hammer"]);
    assert_eq!(titles("shoes"), ["Shoes of leather"]);
    assert_eq!(titles("clamp"), ["Clamp of steel"]);
    assert_eq!(titles("usbc"), ["USB-C lamp"]);
    assert_eq!(titles("5l"), ["Kettle of 5 L"]);
}

#[test]
fn search_results_contain_the_word() {
    let demo = folder("assets/demo/products.json");
    for file in [demo.to_str().unwrap(), &real_products::path()] {
        let shop = Shop::new();
        let imported = shop.run(&["import", file, "--skip-invalid"]);
        assert!(imported.status.success());
        let server = shop.serve();
        let pages = |search: &str| -> Vec<Value> {
            let page = |page| server.list(&format!("{search}&limit=100&page={page}"));
            let pages = (1..).map(page).take_while(|items| !items.is_empty());
            pages.flatten().collect()
        };
        let titles = pages("").into_iter();
        let words: BTreeSet<String> = titles
            .flat_map(|product| folded_words(product["title"].as_str().unwrap()))
            .filter(|word| word.len() > 3 && word.chars().all(|c| c.is_ascii_lowercase()))
            .collect();
        let mut hits = 0;
        for word in words.iter().step_by(words.len() / 100).take(100) {
            let path = format!("/product/get-products?search={word}");
            let also = server.json(&path)["meta"]["also"].clone();
            let also = also.as_array().cloned().unwrap_or_default();
            let also = also.iter().map(|other| other.as_str().unwrap());
            let words: Vec<&str> = also.chain([word.as_str()]).collect();
            for product in pages(&format!("search={word}")) {
                hits += 1;
                let holds = words.iter().any(|word| holds(&product, word));
                assert!(holds, "{word} finds {product}");
            }
        }
        assert!(hits > 100);
    }
}

/// True if a product has the word in any form, as a prefix, or as two adjacent words.
fn holds(product: &Value, word: &str) -> bool {
    let stem = |word: &str| Stemmer::create(Algorithm::English).stem(word).into_owned();
    let stem_of_word = stem(word);
    ["title", "description", "source", "category"]
        .iter()
        .any(|field| {
            let words = folded_words(product[field].as_str().unwrap());
            words
                .iter()
                .any(|held| held.starts_with(word) || stem(held) == stem_of_word)
                || words
                    .windows(2)
                    .any(|pair| stem(&pair.concat()) == stem_of_word)
        })
}

#[test]
fn a_search_suggestion_never_replaces_a_word_of_the_catalogue() {
    let shop = Shop::with(&[
        product_with(1, json!({"title": "A biography by Chapman"})),
        product_with(
            2,
            json!({"title": "Just a book of a sarees' history, spare part", "description": "Sold as it is."}),
        ),
        product_with(3, json!({"title": "Mehndi cones"})),
        product_with(4, json!({"title": "Car seat for a pet"})),
        product_with(5, json!({"title": "Kurt Weill, the songs"})),
        product_with(
            6,
            json!({"title": "The tie of the year", "description": "An old law of C."}),
        ),
    ]);
    let server = shop.serve();
    let suggestion = |search: &str| {
        server.json(&format!("/product/get-products?search={search}"))["meta"]["suggestion"].clone()
    };
    for word in [
        "chappal", "chappals", "juti", "kurta", "kurti", "tawa", "kadai",
    ] {
        assert_eq!(suggestion(word), Value::Null, "{word}");
    }
    // Other spellings of the same word are found at once.
    assert_eq!(server.titles("search=mehendi"), ["Mehndi cones"]);
    assert_eq!(suggestion("mehendi+conse"), "mehendi cones");
    // Words that are not adjacent, or stop words.
    for word in ["carpet", "claw", "thy"] {
        assert_eq!(suggestion(word), Value::Null, "{word}");
    }
}

#[test]
fn a_search_finds_other_words_for_the_same_thing() {
    let titles = [
        "Banarasi saree",
        "Leather slippers",
        "Kolhapuri chappal",
        "Embroidered mojari",
        "Cotton kurti",
        "Linen kurta",
        "Plain T-shirt",
        "Wireless headphones",
    ];
    let products = (0..).zip(titles);
    let products: Vec<_> = products
        .map(|(n, title)| product_with(n, json!({"title": title, "description": "Good to have."})))
        .collect();
    let shop = Shop::with(&products);
    let server = shop.serve();
    let found = |search: &str| {
        let answer = server.json(&format!("/product/get-products?search={search}"));
        let titles = answer["data"].as_array().unwrap().iter();
        let titles: Vec<_> = titles
            .map(|product| product["title"].as_str().unwrap().to_owned())
            .collect();
        (titles, answer["meta"]["also"].clone())
    };
    for (search, titles, also) in [
        ("sari", vec!["Banarasi saree"], json!(["saree"])),
        ("saree", vec!["Banarasi saree"], Value::Null),
        (
            "chappals",
            vec!["Kolhapuri chappal", "Leather slippers"],
            json!(["slipper"]),
        ),
        (
            "leather+chappal",
            vec!["Leather slippers"],
            json!(["slipper"]),
        ),
        // The results have no other word.
        ("kolhapuri+chappal", vec!["Kolhapuri chappal"], Value::Null),
        ("juti", vec!["Embroidered mojari"], json!(["mojari"])),
        (
            "kurta",
            vec!["Linen kurta", "Cotton kurti"],
            json!(["kurti"]),
        ),
        ("kurti", vec!["Cotton kurti"], Value::Null),
        ("साड़ी", vec!["Banarasi saree"], json!(["saree"])),
        ("चप्पल", vec!["Leather slippers"], json!(["slipper"])),
        ("कुर्ता", vec!["Linen kurta"], json!(["kurta"])),
        ("tee", vec!["Plain T-shirt"], json!(["tshirt"])),
        ("plain+tee", vec!["Plain T-shirt"], json!(["tshirt"])),
    ] {
        assert_eq!(
            found(search),
            (
                titles.iter().map(|title| (*title).to_owned()).collect(),
                also
            ),
            "{search}"
        );
    }
    assert_eq!(server.json("/product/facets?search=sari")["all"], 1);
    let page = page(&server, "/?search=sari");
    assert!(page.contains("1 deal · also “saree”"), "{page}");
    assert!(page.contains("<mark>saree</mark>"), "{page}");
}

#[test]
fn a_price_in_the_search_filters_the_list() {
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

#[test]
fn relevance_ranks_a_thing_above_what_is_made_for_it() {
    let titles = [
        ("Cable for laptops", 900),
        ("Laptop stand", 900),
        ("Ideabook 14, a laptop for students", 1),
    ];
    let products: Vec<Value> = (1..)
        .zip(titles)
        .map(|(n, (title, clicks))| product_with(n, json!({"title": title, "clicks": clicks})))
        .collect();
    let shop = Shop::with(&products);
    let server = shop.serve();
    let first =
        |search: &str| server.titles(&format!("search={search}&sortBy=relevance"))[0].clone();
    assert_eq!(first("laptop"), "Ideabook 14, a laptop for students");
    assert_eq!(first("laptop+stand"), "Laptop stand");
}

#[test]
fn relevance_ranks_whole_words_above_prefixes() {
    let products: Vec<Value> = (1..=30)
        .map(|number| match number {
            1 => json!({"title": "Panasonic fan", "clicks": 500}),
            2 => json!({"title": "Frying pan", "clicks": 2}),
            3 => json!({"title": "Pans of steel", "clicks": 2}),
            4 => json!({"title": "Lid", "description": "It fits every pan.", "clicks": 900}),
            _ => json!({"title": format!("Panel {number}"), "clicks": number}),
        })
        .enumerate()
        .map(|(at, fields)| product_with(at + 1, fields))
        .collect();
    let shop = Shop::with(&products);
    let server = shop.serve();
    let titles = |query: &str| server.titles(&format!("search=pan&sortBy=relevance&{query}"));
    let all = titles("limit=100");
    assert_eq!(all[..3], ["Pans of steel", "Frying pan", "Panasonic fan"]);
    assert_eq!(all[29], "Lid");
    let pages = (1..=5).flat_map(|page| titles(&format!("limit=7&page={page}")));
    assert_eq!(pages.collect::<Vec<_>>(), all);
    let mut ascending = titles("limit=100&order=asc");
    ascending.reverse();
    assert_eq!(ascending, all);
}
