//! Kinds of things: what a title does not say, what is made for a thing, and words that are no misspellings.

use serde_json::{Value, json};

use crate::pages::server_rendering::page;
use crate::support::harness::{Server, Shop, product_with};

/// Products of these titles, without other words that a search could find.
fn shop_of(titles: &[&str]) -> Shop {
    let products = (0..).zip(titles);
    let products: Vec<Value> = products
        .map(|(n, title)| product_with(n, json!({"title": title, "description": "Good to have."})))
        .collect();
    Shop::with(&products)
}

fn by_relevance(server: &Server, search: &str) -> Vec<String> {
    server.titles(&format!("search={search}&sortBy=relevance&limit=100"))
}

fn suggestion(server: &Server, search: &str) -> Value {
    let answer = server.json(&format!("/product/get-products?search={search}"));
    answer["meta"]["suggestion"].clone()
}

/// Returns the words that a page's search lists.
fn words_read(server: &Server, search: &str) -> Value {
    let path = format!("/product/get-products?search={search}&exact=false");
    server.json(&path)["meta"]["wordsRead"].clone()
}

#[test]
fn a_search_for_a_kind_finds_lines_of_products_whose_titles_do_not_say_it() {
    let shop = shop_of(&[
        "Samsung Galaxy M14 5G (Smoky Teal, 128 GB)",
        "Redmi 9 Activ (Black, 4 GB RAM) | 5000 mAh Battery",
        "OnePlus Nord Watch, 60 Hz",
        "Redmi 80 cm (32 inches) HD Ready LED TV",
        "Samsung Galaxy M14 Back Cover",
        "Tempered Glass for Samsung Galaxy M14",
        "Apple MacBook Air (M2)",
        "The Hitchhiker's Guide to the Galaxy",
        "Banarasi silk saree",
    ]);
    let server = shop.serve();
    let galaxy = "Samsung Galaxy M14 5G (Smoky Teal, 128 GB)";
    let redmi = "Redmi 9 Activ (Black, 4 GB RAM) | 5000 mAh Battery";
    for (search, found) in [
        ("samsung+phone", vec![galaxy]),
        ("samsung+mobile", vec![galaxy]),
        ("redmi+smartphone", vec![redmi]),
        ("phone", vec![galaxy, redmi]),
        ("watch", vec!["OnePlus Nord Watch, 60 Hz"]),
        ("laptop", vec!["Apple MacBook Air (M2)"]),
        ("saree", vec!["Banarasi silk saree"]),
    ] {
        let mut titles = by_relevance(&server, search);
        titles.sort_by_key(|title| found.iter().position(|other| title == other));
        assert_eq!(titles, found, "{search}");
    }
}

#[test]
fn an_edited_title_names_another_kind() {
    let shop = shop_of(&["Samsung Galaxy M14 5G"]);
    let server = shop.serve();
    assert_eq!(by_relevance(&server, "phone").len(), 1);
    let changed = json!({"title": "Samsung Galaxy M14 cover", "description": "Good to have."});
    let changed = json!([product_with(0, changed)]);
    assert!(shop.import(&changed.to_string(), &[]).status.success());
    assert!(by_relevance(&server, "phone").is_empty());
}

#[test]
fn a_word_of_the_category_counts_for_the_order() {
    let products = [
        json!({"title": "Night train to Ambarkhed", "category": "Books"}),
        json!({"title": "Shelf for books", "category": "Home", "clicks": 9}),
    ];
    let products = (0..).zip(products);
    let products: Vec<Value> = products.map(|(n, it)| product_with(n, it)).collect();
    let shop = Shop::with(&products);
    let server = shop.serve();
    let found = by_relevance(&server, "books");
    assert_eq!(found, ["Night train to Ambarkhed", "Shelf for books"]);
}

#[test]
fn the_thing_itself_comes_before_hundreds_of_accessories() {
    let accessories = [
        "Laptop stand",
        "Cable for laptop",
        "Laptop sleeve",
        "Cooling pad, laptop",
    ];
    let made_for = |n: usize| {
        let title = format!("{} {n}", accessories[n % accessories.len()]);
        product_with(
            n,
            json!({"title": title, "clicks": 500, "totalRatings": 9000}),
        )
    };
    let mut products: Vec<Value> = (0..250).map(made_for).collect();
    products.push(product_with(
        250,
        json!({"title": "Ideabook 14, a laptop with backlit keyboard", "clicks": 0}),
    ));
    let shop = Shop::with(&products);
    let server = shop.serve();
    let found = by_relevance(&server, "laptop");
    assert_eq!(found[0], "Ideabook 14, a laptop with backlit keyboard");
    let stand = &by_relevance(&server, "laptop+stand")[0];
    assert!(stand.starts_with("Laptop stand"), "{stand}");
}

#[test]
fn a_thing_with_an_app_comes_after_the_phones() {
    let camera =
        json!({"title": "Wi-Fi camera, mobile app support", "clicks": 500, "totalRatings": 9000});
    let phone = json!({"title": "Keypad phone with radio", "clicks": 0});
    let products = [product_with(0, camera), product_with(1, phone)];
    let shop = Shop::with(&products);
    let server = shop.serve();
    let found = by_relevance(&server, "mobile");
    assert_eq!(
        found,
        [
            "Keypad phone with radio",
            "Wi-Fi camera, mobile app support"
        ]
    );
}

#[test]
fn an_everyday_word_is_not_corrected_to_another_one() {
    let shop = shop_of(&[
        "Launch of a rocket, poster",
        "Cotton kurti",
        "Gamma correction",
        "Pressure cooker",
        "Printed poster",
        "Smartwatch",
        "Box of matches",
    ]);
    let server = shop.serve();
    for search in [
        "lunch",
        "lunch+box",
        "kursi",
        "gamla",
        "cooler",
        "printer",
        "wash",
    ] {
        assert_eq!(suggestion(&server, search), Value::Null, "{search}");
    }
    // A compound is no more than one of its words.
    assert_eq!(words_read(&server, "lunch+box"), Value::Null);
    let shown = page(&server, "/?search=lunch+box");
    assert!(shown.contains("No deals match “lunch box”."), "{shown}");
    assert!(shown.contains("Follow this search"), "{shown}");
}

#[test]
fn a_word_that_the_shop_lacks_is_not_corrected_to_an_unrelated_one() {
    let shop = shop_of(&[
        "Handy book",
        "Gramma, a novel",
        "Jet of water",
        "Musli bar",
        "Aura of light",
        "Tales at night",
        "Feeling of a bottle",
        "Dial a number",
        "Indigo dye",
        "Holy water",
    ]);
    let server = shop.serve();
    for search in [
        "hindi+book",
        "grammar",
        "jee",
        "muslin",
        "agra",
        "talc",
        "feeding+bottle",
        "holi",
        "diwali",
        "tamil+book",
    ] {
        assert_eq!(suggestion(&server, search), Value::Null, "{search}");
    }
}

#[test]
fn a_word_of_several_products_is_not_corrected() {
    let mut titles = vec!["Sandu book", "Zandu wash", "Zandu balm", "Zandu oil"];
    let few = shop_of(&titles);
    assert_eq!(suggestion(&few.serve(), "zandu+book"), "sandu book");
    titles.push("Zandu cream");
    let several = shop_of(&titles);
    assert_eq!(suggestion(&several.serve(), "zandu+book"), Value::Null);
}

#[test]
fn a_title_with_the_thing_comes_before_one_with_only_the_other_words() {
    let products = [
        ("Women's track pants", "Wear them with shoes.", 900),
        ("Canvas shoes", "Made for women.", 1),
        ("Leather bellies", "Made for women.", 1),
        ("Shoes", "Red, made for women.", 1),
        ("Red gloves", "They match your shoes.", 900),
    ];
    let products: Vec<Value> = (1..)
        .zip(products)
        .map(|(n, (title, description, clicks))| {
            let fields = json!({"title": title, "description": description, "clicks": clicks});
            product_with(n, fields)
        })
        .collect();
    let shop = Shop::with(&products);
    let server = shop.serve();
    for search in ["women+shoes", "shoes+women", "shoes+for+women"] {
        let found = by_relevance(&server, search);
        assert_eq!(found.last().unwrap(), "Women's track pants", "{search}");
        assert_eq!(found.len(), 4, "{search}");
    }
    // A colour after the thing does not name it.
    assert_eq!(by_relevance(&server, "shoes+red"), ["Shoes", "Red gloves"]);
}

#[test]
fn a_thing_that_only_descriptions_mention_is_named() {
    let products = [
        ("Lint remover", "A trimmer for fabric."),
        ("Power cable", "Fits every trimmer."),
        ("Powerbank", "A power bank."),
        ("Steel kettle", "It boils water."),
        ("Canvas sling", "It is a handbag."),
    ];
    let products: Vec<Value> = (1..)
        .zip(products)
        .map(|(n, (title, description))| {
            product_with(n, json!({"title": title, "description": description}))
        })
        .collect();
    let shop = Shop::with(&products);
    let server = shop.serve();
    let mentioned = |search: &str| {
        server.json(&format!("/product/get-products?search={search}"))["meta"]["mentioned"].clone()
    };
    assert_eq!(mentioned("trimmer"), "trimmer");
    assert_eq!(mentioned("power+trimmer"), "trimmer");
    // A description has only another word for it.
    assert_eq!(mentioned("tote"), Value::Null);
    for search in [
        "power+bank",
        "kettle",
        "steel+kettle",
        "amazon",
        "boils+kettle",
        "unknown",
    ] {
        assert_eq!(mentioned(search), Value::Null, "{search}");
    }
    let shown = page(&server, "/?search=trimmer");
    let sentence = "Only descriptions mention “trimmer”.";
    assert!(shown.contains(sentence), "{shown}");
    assert!(!page(&server, "/?search=kettle").contains("Only descriptions"));
}

#[test]
fn a_misspelling_is_corrected_to_the_likeliest_word() {
    let shop = shop_of(&[
        "Samsung television",
        "Wireless headphones",
        "Bluetooth speaker",
        "Cotton kurta",
        "Mobile phone",
        "Smartwatch",
        "Washing powder, for wash and care",
        "Charger, to charge",
        "Laptop",
        "Running shoes",
        "Slim jeans",
        "Pressure cooker",
    ]);
    let server = shop.serve();
    for (search, meant) in [
        ("samsng", "samsung"),
        ("headfones", "headphones"),
        ("bluetoth+speker", "bluetooth speaker"),
        ("kurtta", "kurta"),
        ("moblie", "mobile"),
        // A letter left out is likelier than another letter.
        ("wach", "watch"),
        ("chargr", "charger"),
        ("leptop", "laptop"),
        ("shose", "shoe"),
        ("jens", "jeans"),
        ("presure+cokker", "pressure cooker"),
    ] {
        assert_eq!(suggestion(&server, search), meant, "{search}");
    }
}

#[test]
fn a_compound_of_a_kind_shows_the_kind_where_nothing_else_is_found() {
    let shop = shop_of(&[
        "Steel rice cooker",
        "Laptop cooler",
        "Box of matches",
        "Geyser, 3 litre",
    ]);
    let server = shop.serve();
    for (search, kind, shorter) in [
        ("pressure+cooker", "cooker", &["cooker"][..]),
        ("hawkins+pressure+cooker", "cooker", &["cooker"]),
        // Not the measure.
        ("pressure+cooker+3+litre", "cooker", &["3 litre", "cooker"]),
        ("air+cooler", "cooler", &["cooler"]),
    ] {
        let found = server.json(&format!(
            "/product/get-products?exact=false&search={search}"
        ));
        assert_eq!(found["meta"]["suggestion"], kind, "{search}");
        assert_eq!(found["meta"]["total"], 1, "{search}");
        let exact = server.json(&format!("/product/get-products?search={search}"));
        assert_eq!(exact["meta"]["total"], 0, "{search}");
        let shorter = shorter
            .iter()
            .map(|words| json!({"search": words, "total": 1}));
        assert_eq!(exact["meta"]["shorter"], shorter.collect::<Value>());
    }
}

#[test]
fn a_compound_in_two_words_finds_other_words_for_it() {
    let shop = shop_of(&["Steel tiffin carrier", "Box of matches"]);
    let server = shop.serve();
    let found = server.json("/product/get-products?search=lunch+box");
    assert_eq!(found["data"][0]["title"], "Steel tiffin carrier");
    assert_eq!(
        (&found["meta"]["total"], &found["meta"]["also"]),
        (&json!(1), &json!(["tiffin"]))
    );
}

#[test]
fn a_search_is_loosened_to_the_thing_that_a_title_names() {
    let products = [
        json!({"title": "Thin laptop", "description": "For office and study."}),
        json!({"title": "Thick laptop", "description": "For office and study."}),
        json!({"title": "Elephant counts", "description": "Of gaming and a vacuum."}),
        json!({"title": "Kurta for men", "description": "For office wear."}),
        json!({"title": "Canvas shoes", "description": "For walks."}),
    ];
    let products = (0..).zip(products);
    let products: Vec<Value> = products.map(|(n, it)| product_with(n, it)).collect();
    let shop = Shop::with(&products);
    let server = shop.serve();
    for (search, words) in [
        ("gaming+laptop", json!("laptop")),
        ("shoes+for+men", json!("shoes")),
        ("vacuum+cleaner", Value::Null),
        ("vacuum+saree", Value::Null),
    ] {
        assert_eq!(words_read(&server, search), words, "{search}");
    }
    let shown = page(&server, "/?search=gaming+laptop");
    assert!(shown.contains("These are deals for “laptop”."), "{shown}");
}
