//! The verdict on a price: the same on cards, details and in the API.

use serde_json::{Value, json};

use super::prices::{history, lamp, make_up, verdict};
use crate::pages::server_rendering::page;
use crate::support::harness::{Shop, product_with, wait_until};
use crate::support::people::People;

#[test]
fn the_large_pick_has_the_lowest_price_of_90_days() {
    type Prices = &'static [(i64, i64, i64)];
    const HISTORIES: [(&str, Prices); 3] = [
        // The largest drop, but once lower.
        (
            "dipped",
            &[
                (90, 200_000, 200_000),
                (60, 200_000, 60_000),
                (50, 200_000, 200_000),
                (2, 200_000, 70_000),
            ],
        ),
        ("lowest", &[(90, 200_000, 120_000), (2, 200_000, 70_000)]),
        ("least", &[(90, 200_000, 100_000), (2, 200_000, 70_000)]),
    ];
    let deals = HISTORIES.map(|(id, _)| {
        let link = format!("https://shop.example/{id}");
        lamp(
            &json!({"_id": id, "title": id, "price": 2_000, "discount": 65, "affiliateLink": link}),
        )
    });
    // The home page of a small shop has no picks.
    let others = (0..10).map(|number| product_with(number, json!({})));
    let shop = Shop::with(&deals.into_iter().chain(others).collect::<Vec<_>>());
    for (id, prices) in HISTORIES {
        make_up(&shop, id, prices);
    }
    let server = shop.serve();
    wait_until("the proofs are worked out", || {
        server.json("/product/facets")["proven"] == 3
    });
    let picks = &server.json("/product/home")["picks"];
    assert_eq!(
        [0, 1, 2].map(|at| &picks[at]["_id"]),
        ["lowest", "dipped", "least"]
    );
    assert_eq!(picks[1]["verdict"]["kind"], "lowest_30");
}

#[test]
fn a_deal_with_one_review_is_no_pick_beside_others() {
    let rated = |number: usize, category: &str, reviews: usize| {
        let title = format!("Deal {number}");
        let fields = json!({"title": title, "category": category, "totalRatings": reviews});
        product_with(number, fields)
    };
    let mut deals: Vec<_> = (0..12).map(|n| rated(n, "Books", 100 + n)).collect();
    deals.push(rated(12, "Clothing", 1));
    let home = Shop::with(&deals).serve().json("/product/home");
    let picks = home["picks"].as_array().unwrap();
    assert!(
        picks.len() >= 3 && picks.iter().all(|pick| pick["category"] == "Books"),
        "{picks:?}"
    );
}

#[test]
fn cards_details_and_the_api_have_the_same_price_verdict() {
    let others = |id: &str, changes: Value| {
        let mut other =
            json!({"_id": id, "title": id, "affiliateLink": format!("https://shop.example/{id}")});
        let fields = other.as_object_mut().unwrap();
        fields.extend(changes.as_object().unwrap().clone());
        lamp(&other)
    };
    let shop = Shop::with(&[
        lamp(&json!({"discount": 30})),
        others("usual", json!({"price": 1100, "discount": 60})),
        others("new", json!({})),
    ]);
    let people = People::with(shop, &[]);
    make_up(
        &people.shop,
        "lamp",
        &[(90, 100_000, 100_000), (2, 100_000, 70_000)],
    );
    make_up(
        &people.shop,
        "usual",
        &[(90, 110_000, 43_000), (30, 110_000, 44_000)],
    );
    let server = &people.server;
    wait_until("the proof is worked out", || {
        server.json("/product/facets")["proven"] == 1
    });
    let list = page(server, "/?sortBy=price");
    for (id, kind, words, sentence) in [
        (
            "lamp",
            "lowest_90",
            "Lowest in 90 days",
            "Usually ₹1,000. ₹300 less today, the lowest in 90 days.",
        ),
        (
            "usual",
            "list_price_misleads",
            "Near usual price",
            "Listed as −60%, but it was ₹430–₹440 on 90 of the last 90 days.",
        ),
    ] {
        let said = verdict(server, id);
        assert_eq!(
            (&said["kind"], &said["words"], &said["sentence"]),
            (&json!(kind), &json!(words), &json!(sentence))
        );
        let card = &server.list(&format!("search={id}&view=card"))[0]["verdict"];
        assert_eq!(
            (&card["kind"], &card["words"], &card["path"]),
            (&said["kind"], &said["words"], &said["path"])
        );
        assert!(card.get("sentence").is_none());
        let line = format!(">{words}</span>");
        assert_eq!(list.matches(&line).count(), 1, "{list}");
        let path = said["path"].as_str().unwrap();
        let details = page(server, &format!("/details/{id}"));
        assert!(list.contains(path) && details.contains(path), "{path}");
        assert!(details.contains(sentence), "{details}");
        let told = history(&people, id);
        let figures = told["figures"].as_array().unwrap();
        assert_eq!(figures[figures.len() - 1]["saved"], id == "lamp");
        for figure in figures {
            let name = figure["name"].as_str().unwrap();
            assert!(details.contains(&format!("<dt>{name}</dt>")), "{name}");
        }
        assert!(details.contains(told["plot"]["path"].as_str().unwrap()));
        for date in told["plot"]["dates"].as_array().unwrap() {
            let date = date.as_str().unwrap();
            assert!(details.contains(&format!("<li>{date}</li>")), "{date}");
        }
    }
    let told = history(&people, "lamp");
    let lowest = &told["figures"][0];
    assert!(
        lowest["name"]
            .as_str()
            .unwrap()
            .starts_with("Lowest before ")
    );
    assert_eq!(lowest["amount"], 1000);
    assert_eq!(told["figures"][2]["amount"], 300);
    assert!(list.contains("New here") && list.contains(">Really cheaper<"));
    assert_eq!(server.titles("minProven=10"), ["Lamp"]);
    assert_eq!(server.titles("minProven=30.01").len(), 0);
    assert_eq!(server.titles("sortBy=proven")[0], "Lamp");
    assert!(page(server, "/?minProven=10").contains("Remove Really cheaper"));
    // A price that changes has another verdict at once.
    let rows = json!([lamp(&json!({"discount": 0}))]).to_string();
    assert!(people.shop.import(&rows, &[]).status.success());
    let card = &server.list("search=lamp&view=card")[0];
    assert_eq!(card["verdict"]["words"], "Usual price");
}

#[test]
fn a_price_that_falls_further_stays_proven() {
    let shop = Shop::with(&[lamp(&json!({"discount": 30}))]);
    make_up(
        &shop,
        "lamp",
        &[(90, 100_000, 100_000), (2, 100_000, 70_000)],
    );
    let server = shop.serve();
    wait_until("the fall is proven", || {
        server.titles("minProven=30") == ["Lamp"]
    });
    let rows = json!([lamp(&json!({"discount": 35}))]).to_string();
    assert!(shop.import(&rows, &[]).status.success());
    assert_eq!(server.titles("minProven=30"), ["Lamp"]);
    wait_until("the further fall is proven", || {
        server.titles("minProven=35") == ["Lamp"]
    });
    assert_eq!(server.titles("sortBy=drop"), ["Lamp"]);
    assert_eq!(server.json("/product/facets")["proven"], 1);
}

#[test]
fn a_further_cut_makes_its_deal_the_first_of_the_home_page() {
    let categories = ["Electronics", "Clothing", "Books", "Home"];
    let deal = |number: usize, discount: i64| {
        product_with(
            number,
            json!({
                "_id": format!("d{number}"),
                "title": format!("Deal {number}"),
                "price": 1000,
                "discount": discount,
                "category": categories[number],
                "source": format!("Shop {number}"),
                "affiliateLink": format!("https://shop.example/{number}"),
            }),
        )
    };
    let discounts = [40, 30, 20, 10];
    let deals: Vec<_> = (0..4).map(|n| deal(n, discounts[n])).collect();
    let shop = Shop::with(&deals);
    for (number, discount) in discounts.into_iter().enumerate() {
        let price = (100 - discount) * 1_000;
        // The lowest of 30 days is yesterday's price.
        let history = [(90, 100_000, 100_000), (1, 100_000, price)];
        make_up(&shop, &format!("d{number}"), &history);
    }
    let server = shop.serve();
    let first = || server.json("/product/home")["picks"][0]["_id"].clone();
    wait_until("all falls are proven", || {
        server.json("/product/facets")["proven"] == 4
    });
    assert_eq!(first(), "d0");
    let rows = json!([deal(2, 45)]).to_string();
    assert!(shop.import(&rows, &[]).status.success());
    wait_until("the further cut is proven", || first() == "d2");
    assert_eq!(server.json("/product/home")["cheaper"], true);
    assert_eq!(server.json("/product/facets")["proven"], 4);
    assert_eq!(server.titles("minProven=10").len(), 4);
    wait_until("the further cut is sorted", || {
        server.titles("sortBy=drop")[0] == "Deal 2"
    });
    assert_eq!(
        verdict(&server, "d2")["sentence"],
        "Usually ₹1,000. ₹450 less today, the lowest in 90 days."
    );
    assert!(page(&server, "/feed.xml?minProven=10").contains("Deal 2"));
}

#[test]
fn a_low_of_an_odd_number_of_days_says_since_when_the_price_is_watched() {
    let shop = Shop::with(&[lamp(&json!({"discount": 30}))]);
    let server = shop.serve();
    for days in [49, 52, 58] {
        make_up(
            &shop,
            "lamp",
            &[(days, 100_000, 100_000), (2, 100_000, 70_000)],
        );
        wait_until("the low is told", || {
            verdict(&server, "lamp")["kind"] == "lowest_90"
        });
        let details = page(&server, "/details/lamp");
        assert!(details.contains("Lowest since "), "{details}");
        let said = verdict(&server, "lamp");
        let words = said["words"].as_str().unwrap();
        let day = words.strip_prefix("Lowest since ").unwrap();
        assert_eq!(said["watched"], format!("Watched since {day}."));
        assert!(details.contains(&format!("<p class=\"seen\">Watched since {day}.</p>")));
        assert!(details.contains(&format!("today · Watched since {day}")));
        assert!(!details.contains(&format!("{days} days")), "{details}");
    }
}

#[test]
fn two_rupees_less_are_no_good_deal_anywhere() {
    let shop = Shop::with(&[lamp(&json!({"price": 1000, "discount": 15}))]);
    make_up(
        &shop,
        "lamp",
        &[(57, 100_000, 85_200), (2, 100_000, 85_000)],
    );
    let server = shop.serve();
    wait_until("the price is judged", || {
        verdict(&server, "lamp")["kind"] == "usual"
    });
    assert_eq!(verdict(&server, "lamp")["words"], "Near usual price");
    assert!(server.titles("minProven=10").is_empty());
    for path in ["/", "/details/lamp"] {
        let html = page(&server, path);
        assert!(!html.contains("Lowest since"), "{html}");
        assert!(!html.contains("class=\"floor floor-low\""), "{html}");
        assert!(!html.contains("class=\"plate cheaper\""), "{html}");
    }
}
