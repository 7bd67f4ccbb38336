//! The home page: picks by the price history, categories, and the tabs of the list.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::server_rendering::page;
use crate::office::prices::make_up;
use crate::support::harness::{Server, Shop, product_with, wait_until};

/// A deal for ₹700 with a list price of ₹10,000.
fn deal(number: usize, category: &str, source: &str) -> Value {
    product_with(
        number,
        json!({
            "_id": format!("d{number}"),
            "title": format!("Deal {number}"),
            "price": 10_000,
            "discount": 93,
            "category": category,
            "source": source,
            "affiliateLink": format!("https://shop.example/{number}"),
        }),
    )
}

/// Twenty deals of four categories and five sellers.
fn shop() -> Shop {
    let sellers = ["Croma", "Croma", "Croma", "Myntra", "Flipkart"];
    let categories = ["Electronics", "Clothing", "Books", "Home"];
    let deals: Vec<_> = (0..20)
        .map(|n| deal(n, categories[n % 4], sellers[n % 5]))
        .collect();
    Shop::with(&deals)
}

/// Makes a deal cost `before` rupees until two days ago.
fn was(shop: &Shop, number: usize, before: i64) {
    let history = [(90, 1_000_000, before * 100), (2, 1_000_000, 70_000)];
    make_up(shop, &format!("d{number}"), &history);
}

fn ids(tiles: &Value) -> Vec<&str> {
    let tiles = tiles.as_array().unwrap();
    tiles
        .iter()
        .map(|tile| tile["_id"].as_str().unwrap())
        .collect()
}

/// Returns what a visitor reads on a page: without the data for the app.
fn shown(server: &Server, address: &str) -> String {
    let page = page(server, address);
    page.split_once("id=\"served\"").unwrap().0.to_owned()
}

#[test]
fn picks_are_the_largest_drops_in_the_price_history() {
    let shop = shop();
    // The largest drops: three of Croma, of which two may stay, and two of Electronics.
    for (number, before) in [
        (0, 2_000),
        (1, 1_900),
        (2, 1_800),
        (4, 1_700),
        (8, 1_600),
        (3, 900),
    ] {
        was(&shop, number, before);
    }
    let server = shop.serve();
    wait_until("the proofs are worked out", || {
        server.json("/product/facets")["proven"] == 6
    });
    let home = server.json("/product/home");
    assert_eq!(ids(&home["picks"]), ["d0", "d1", "d4", "d8", "d3"]);
    assert_eq!(home["cheaper"], true);
    assert_eq!(home["note"], Value::Null);
    let large = &home["picks"][0]["verdict"];
    assert_eq!(large["words"], "Lowest in 90 days");
    let sentence = large["sentence"].as_str().unwrap();
    assert!(sentence.contains("the lowest in 90 days"));
    let shown = shown(&server, "/");
    let (top, list) = shown.split_once("class=\"list\"").unwrap();
    // Each pick says what its history proves, the large one in a sentence too.
    assert!(top.contains(sentence) && sentence.contains(" less today"));
    for pick in &home["picks"].as_array().unwrap()[1..] {
        let less = pick["verdict"]["less"].as_str().unwrap();
        assert!(top.contains(&format!("<b>{less}</b>")), "{less}");
    }
    // The large one stands on its history.
    assert!(top.contains(large["began"].as_str().unwrap()) && top.contains("today · Lowest in 90"));
    assert!(top.contains("Really cheaper today") && top.contains(">All 6</a>"));
    assert!(top.contains("Each price is dated and compared with its own past."));
    assert!(top.contains("href=\"/?minProven=10&amp;sortBy=drop\""));
    // The list price proves nothing.
    assert!(!top.contains("10,000") && !top.contains("9,300"), "{top}");
    assert!(list.contains("Biggest drop") && !list.contains("href=\"/?sortBy=endsAt"));
    let dropped = server.titles("sortBy=drop&limit=6");
    assert_eq!(dropped, [0, 1, 2, 4, 8, 3].map(|n| format!("Deal {n}")));
}

#[test]
fn the_home_page_says_since_when_prices_are_watched() {
    let shop = shop();
    let server = shop.serve();
    let home = server.json("/product/home");
    assert_eq!(home["cheaper"], false);
    assert_eq!(home["picks"].as_array().unwrap().len(), 5);
    let shown = shown(&server, "/");
    let (top, _) = shown.split_once("class=\"list\"").unwrap();
    assert!(top.contains("Good to begin with"));
    let today = home["note"].as_str().unwrap();
    assert!(
        today.starts_with("We have watched prices since "),
        "{today}"
    );
    assert!(top.contains(today));
    assert!(top.contains("20 deals from 3 sellers. Each price is dated."));
    assert!(!top.contains("Really cheaper") && !shown.contains("Biggest drop</a>"));
    for (category, from) in [("Electronics", "₹700"), ("Home", "₹700")] {
        let tiles = home["categories"].as_array().unwrap();
        let tile = tiles.iter().find(|tile| tile["name"] == category).unwrap();
        assert_eq!(
            (&tile["from"], &tile["products"]),
            (&json!(from), &json!(5))
        );
    }
    assert!(top.contains("5 deals") && top.contains("from\u{a0}₹700"));
}

#[test]
fn only_one_variant_of_a_deal_is_a_pick() {
    let titles = [
        "Fast HDMI Cable (2 m)",
        "Fast HDMI Cable, 5 m",
        "Fast HDMI Cable",
        "USB Charger",
        "Radio",
    ];
    let deals = (0..).zip(titles).map(|(number, title)| {
        let mut deal = deal(number, "Electronics", "Amazon");
        deal["title"] = title.into();
        deal
    });
    let shop = Shop::with(&deals.collect::<Vec<_>>());
    let server = shop.serve();
    let home = server.json("/product/home");
    let mut picked = ids(&home["picks"]);
    picked.sort_unstable();
    assert_eq!(picked.len(), 3, "{picked:?}");
    assert_eq!(picked[1..], ["d3", "d4"]);
}

#[test]
fn only_one_deal_with_the_same_review_count_is_a_pick() {
    let deals = [42_697, 42_697, 500, 500, 17].into_iter().enumerate();
    let deals = deals.map(|(number, reviews)| {
        let mut deal = deal(number, "Electronics", "Amazon");
        deal["totalRatings"] = reviews.into();
        deal
    });
    let shop = Shop::with(&deals.collect::<Vec<_>>());
    let home = shop.serve().json("/product/home");
    let mut picked = ids(&home["picks"]);
    picked.sort_unstable();
    assert_eq!(picked.len(), 4, "{picked:?}");
    assert_eq!(picked[1..], ["d2", "d3", "d4"]);
}

#[test]
fn twenty_counted_clicks_move_a_pick_to_the_front() {
    let deals = (0..12).map(|n| {
        let mut deal = deal(n, "Books", "Amazon");
        deal["totalRatings"] = json!(100 * (n + 1));
        deal
    });
    let shop = Shop::with(&deals.collect::<Vec<_>>());
    let click = |counted: i64| {
        let database = shop.database();
        let clicks = "UPDATE products SET clicks = 500 WHERE id = 'd0'";
        database.execute(clicks, []).unwrap();
        let sql = "INSERT OR REPLACE INTO clicked_products (id, title, source, category, counted) \
             VALUES ('d0', 'Deal 0', 'Amazon', 'Books', ?)";
        database.execute(sql, [counted]).unwrap();
    };
    click(19);
    let server = shop.serve();
    let first = |server: &Server| {
        let home = server.json("/product/home");
        ids(&home["picks"])[0].to_owned()
    };
    assert_eq!(first(&server), "d11");
    click(20);
    assert_eq!(first(&server), "d0");
}

#[test]
fn a_category_without_well_rated_bestsellers_has_a_pick() {
    // The ten books with the most ratings are badly rated; one with few is not. Clothing is rated once.
    let categories = ["Electronics", "Clothing", "Home"];
    let deals = (0..30).map(|n| {
        let (category, seller) = match n {
            0..11 => ("Books", "Amazon"),
            _ if n % 3 == 1 => ("Clothing", "Flipkart"),
            _ => (categories[n % 3], "Amazon"),
        };
        let mut deal = deal(n, category, seller);
        let few = if category == "Clothing" { 1 } else { 9_000 - n };
        deal["totalRatings"] = json!(if n == 0 { 12 } else { few });
        deal["averageRating"] = json!(if (1..11).contains(&n) { 3.9 } else { 4.2 });
        deal
    });
    let shop = Shop::with(&deals.collect::<Vec<_>>());
    let home = shop.serve().json("/product/home");
    assert_eq!(home["cheaper"], false);
    let picks = home["picks"].as_array().unwrap();
    let mut found: Vec<_> = picks.iter().map(|pick| &pick["category"]).collect();
    assert_eq!(picks.len(), 5);
    found.retain(|category| *category != "Clothing");
    assert_eq!(found.len(), 4, "one of Clothing: {home}");
    for category in ["Electronics", "Books", "Home"] {
        assert!(found.contains(&&json!(category)), "{found:?}");
    }
    assert!(ids(&home["picks"]).contains(&"d0"));
}

#[test]
fn the_skyline_is_the_mean_of_the_prices_that_may_be_compared() {
    let shop = shop();
    let server = shop.serve();
    assert!(server.json("/product/home").get("path").is_none());
    assert!(shown(&server, "/").contains("class=\"sky sky-new\""));
    for number in 0..20 {
        was(&shop, number, 1_400);
    }
    let home = server.json("/product/home");
    assert_eq!(home["path"], "M0 3H60V17H64");
    for source in ["Croma", "Myntra", "Flipkart"] {
        shop.set_rules(source, r#"{"history": false}"#);
    }
    assert!(server.json("/product/home").get("path").is_none());
}

#[test]
fn two_sellers_share_the_picks() {
    let deals = (0..12).map(|n| deal(n, "Books", if n < 6 { "Amazon" } else { "Flipkart" }));
    let shop = Shop::with(&deals.collect::<Vec<_>>());
    let home = shop.serve().json("/product/home");
    let picks = home["picks"].as_array().unwrap();
    let of_flipkart = picks.iter().filter(|pick| pick["source"] == "Flipkart");
    assert_eq!((picks.len(), of_flipkart.count()), (5, 3));
}

#[test]
fn no_section_has_fewer_than_three_deals() {
    let shop = shop();
    was(&shop, 0, 2_000);
    was(&shop, 1, 2_000);
    let server = shop.serve();
    wait_until("the proofs are worked out", || {
        server.json("/product/facets")["proven"] == 2
    });
    assert_eq!(server.json("/product/home")["cheaper"], false);
    // None is well rated, by a seller whose ratings may be shown.
    for source in ["Croma", "Myntra", "Flipkart"] {
        shop.set_rules(source, r#"{"showRatings": false}"#);
    }
    let home = server.json("/product/home");
    assert_eq!(home["picks"], json!([]));
    assert!(!shown(&server, "/").contains("Good to begin with"));
}

#[test]
fn hidden_prices_are_on_no_pick_and_no_tile() {
    let shop = shop();
    for source in ["Croma", "Myntra", "Flipkart"] {
        shop.set_rules(source, r#"{"showPrice": false}"#);
    }
    let server = shop.serve();
    let home = server.json("/product/home");
    assert_eq!(home["picks"], json!([]));
    assert_eq!(home["categories"][0]["from"], Value::Null);
    let shown = shown(&server, "/");
    assert!(!shown.contains("₹700"), "{shown}");
    assert!(shown.contains("compared with their own past where the seller allows it."));
}

#[test]
fn deals_are_sorted_by_end_with_endless_ones_last() {
    let mut deals = vec![
        deal(1, "Books", "Croma"),
        deal(2, "Books", "Croma"),
        deal(3, "Home", "Croma"),
    ];
    for (n, hours) in [(0, 50), (2, 3)] {
        let end = Timestamp::now() + SignedDuration::from_hours(hours);
        deals[n]["endsAt"] = end.to_string().into();
    }
    let shop = Shop::with(&deals);
    let server = shop.serve();
    assert_eq!(
        server.titles("sortBy=endsAt&order=asc"),
        ["Deal 3", "Deal 1", "Deal 2"]
    );
    assert_eq!(
        server.titles("sortBy=endsAt"),
        ["Deal 2", "Deal 1", "Deal 3"]
    );
    let home = shown(&server, "/");
    assert!(home.contains("href=\"/?endingSoon=true&amp;sortBy=endsAt&amp;order=asc\""));
}

#[test]
fn the_heading_of_a_filtered_list_names_its_filters() {
    let shop = shop();
    let server = shop.serve();
    for (query, heading) in [
        ("", "All deals"),
        ("minProven=10", "Really cheaper"),
        ("endingSoon=true&category=Books", "Ending soon in Books"),
        ("source=Croma", "Deals at Croma"),
        (
            "category=Home&source=Croma&maxPrice=900",
            "Home at Croma, up to ₹900",
        ),
        ("minPrice=5&maxPrice=900", "Deals, ₹5 to ₹900"),
        ("minDiscount=22.5", "Deals, 23% off or more"),
        ("search=deal&minDiscount=40", "“deal”, 40% off or more"),
    ] {
        let shown = shown(&server, &format!("/?{query}"));
        assert!(shown.contains(&format!(">{heading}</h")), "{query}");
        if shown.contains("Page 1 of") && !shown.contains("No deals match") {
            let feed = format!(
                "href=\"/feed.xml{}",
                if query.is_empty() { "\"" } else { "?" }
            );
            assert!(shown.contains(&feed), "{query}");
        }
    }
    let feed = page(&server, "/feed.xml?search=deal+3");
    assert!(feed.contains("<title>Deal 3</title>") && !feed.contains("<title>Deal 4</title>"));
}

#[test]
fn screens_that_need_a_script_say_what_works_without() {
    let shop = shop();
    let server = shop.serve();
    for path in [
        "/login",
        "/register",
        "/saved",
        "/profile",
        "/admin",
        "/admin/products",
    ] {
        let page = page(&server, path);
        for words in [
            "This screen needs JavaScript. ",
            "Without it you can read, search and filter every deal, and go to the sellers:",
            "<a href=\"/\">All deals</a>",
            "<a href=\"/category/books\">Books</a>",
            "<a href=\"/feed.xml\">Feed of new deals</a>",
        ] {
            assert!(page.contains(words), "{path}: {words}");
        }
    }
}

#[test]
fn tiles_of_related_deals_show_their_price_verdict() {
    let shop = shop();
    was(&shop, 4, 2_000);
    let server = shop.serve();
    let details = shown(&server, "/details/d0");
    let (_, tiles) = details.split_once("More like this").unwrap();
    assert!(
        tiles.contains(
            "<span class=\"floor floor-low\" aria-hidden=\"true\">Lowest in 90 days</span>"
        ),
        "{tiles}"
    );
    // A list price proves nothing.
    assert!(!tiles.contains("You save"), "{tiles}");
}

#[test]
fn fewer_than_three_deals_of_a_seller_make_no_row() {
    let titles = [
        "Kettle", "Lamp", "Saree", "Novel", "Mouse", "Towel", "Clock",
    ];
    let deals = titles.iter().enumerate().map(|(n, title)| {
        let (category, source) = match n {
            0 => ("Books", "Croma"),
            1..=3 => ("Home", "Croma"),
            4 => ("Books", "Myntra"),
            _ => ("Clothing", "Myntra"),
        };
        let mut deal = deal(n, category, source);
        deal["title"] = json!(title);
        deal
    });
    let shop = Shop::with(&deals.collect::<Vec<_>>());
    let server = shop.serve();
    assert!(shown(&server, "/details/d0").contains("More from Croma"));
    assert!(!shown(&server, "/details/d4").contains("More from Myntra"));
}

#[test]
fn a_long_tagline_is_set_smaller_than_a_short_one() {
    let shop = shop();
    let server = shop.serve();
    for (letters, class) in [(40, "promise"), (41, "promise promise-long")] {
        let tagline = format!("tagline={}", "x".repeat(letters));
        assert!(shop.run(&["settings", "set", &tagline]).status.success());
        assert!(page(&server, "/").contains(&format!("<section class=\"{class}\">")));
    }
}
