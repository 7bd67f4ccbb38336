//! Rules of a seller's programme on every page and in every response.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::classifications::ask;
use crate::api::product_forms::send;
use crate::pages::server_rendering::page;
use crate::support::harness::{Shop, product_with, succeeds};
use crate::support::people::{People, error};

fn two_sellers() -> People {
    let of = |n: usize, source: &str| {
        product_with(
            n,
            json!({"_id": format!("p{n}"), "source": source, "title": format!("{source} thing")}),
        )
    };
    People::with(Shop::with(&[of(1, "Amazon"), of(2, "Flipkart")]), &[])
}

fn run(people: &People, arguments: &[&str]) -> String {
    succeeds(people.shop.run(arguments))
}

fn structured(page: &str) -> Value {
    let (_, rest) = page.split_once("application/ld+json\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn prices_above_the_maximum_age_of_their_seller_are_hidden() {
    let people = two_sellers();
    let before = page(&people.server, "/details/p1");
    assert!(
        people.server.json("/product/product/p1")["product"]
            .get("shown")
            .is_none()
    );
    people.shop.set_rules("Amazon", "amazon-india");

    let shown = people.server.json("/product/product/p1")["product"]["shown"].clone();
    let as_of = shown["asOf"].as_str().unwrap().to_owned();
    assert_eq!(
        (&shown["hidesPrice"], &shown["hidesRatings"]),
        (&json!(false), &json!(true))
    );
    let details = page(&people.server, "/details/p1");
    assert_ne!(details, before, "a running server follows at once");
    assert!(details.contains(&format!("as of {as_of}")), "{details}");
    assert!(details.contains("As an Amazon Associate I earn from qualifying purchases."));
    assert!(!details.contains('★'), "{details}");
    let data = structured(&details);
    assert!(
        data.get("aggregateRating").is_none() && data["offers"]["price"] == "90.9",
        "{data}"
    );
    let list = page(&people.server, "/");
    let stars = list.matches('★').count() - list.matches("★ and up").count();
    assert_eq!(stars, 1, "Flipkart's own");
    assert!(list.contains(&format!("<small>as of {as_of}</small>")));
    let feed = people.server.get("/feed.xml").text().unwrap();
    assert!(
        feed.contains(&format!("₹90.90 (−10%) as of {as_of} at Amazon.")),
        "{feed}"
    );
    assert!(feed.contains("₹91.80 (−10%) at Flipkart."), "{feed}");
    let alike = people.server.json("/product/alike/p2");
    let tile = &alike["similar"][0];
    assert_eq!(
        (&tile["source"], &tile["shown"]["hidesPrice"]),
        (&json!("Amazon"), &json!(true))
    );

    let yesterday = Timestamp::now().as_millisecond() - 24 * 3_600_000 - 1_000;
    let sql = "UPDATE products SET updated_at = ? WHERE id = 'p1'";
    people.shop.database().execute(sql, [yesterday]).unwrap();
    let shown = people.server.json("/product/product/p1")["product"]["shown"].clone();
    assert_eq!(
        (&shown["hidesPrice"], &shown["asOf"]),
        (&json!(true), &Value::Null)
    );
    for path in ["/", "/details/p1"] {
        let page = page(&people.server, path);
        let (seen, _) = page.split_once("id=\"served\"").unwrap();
        assert!(seen.contains("See price on Amazon"), "{path}");
        assert!(!seen.contains("₹90.90"), "{path} shows the price");
    }
    let details = page(&people.server, "/details/p1");
    assert!(structured(&details).get("offers").is_none());
    assert!(!details.contains("product:price:amount"));
    assert!(
        details.contains("content=\"See price on Amazon. The description"),
        "{details}"
    );
    let feed = people.server.get("/feed.xml").text().unwrap();
    assert!(
        feed.contains("See price on Amazon. The description"),
        "{feed}"
    );
    people.shop.set_rules("Amazon", "open");
    assert!(page(&people.server, "/details/p1").contains("₹90.90"));
}

#[test]
fn a_price_is_as_old_as_its_last_check() {
    let people = two_sellers();
    let owner = people.join_as_admin("owner@example.com");
    people.shop.set_rules("Amazon", "amazon-india");
    let answer = people.server.get("/product/product/p1");
    assert_eq!(
        answer.headers()["cache-control"],
        "no-store",
        "no copy outlives its price"
    );
    let is_hidden =
        || people.server.json("/product/product/p1")["product"]["shown"]["hidesPrice"] == true;
    let set = |at: i64| {
        let database = people.shop.database();
        database.execute("DELETE FROM price_checks", []).unwrap();
        let sql = "UPDATE products SET updated_at = ? WHERE id = 'p1'";
        database.execute(sql, [at]).unwrap();
    };
    let now = Timestamp::now().as_millisecond();
    let yesterday = now - 25 * 3_600_000;
    set(yesterday);
    assert!(is_hidden());
    let send = |path: &str, body: Value| send(&people, &owner, reqwest::Method::POST, path, &body);
    let bulk = json!({"ids": ["p1"], "action": "category", "value": "Home"});
    let undo: Value = send("/product/bulk", bulk).json().unwrap();
    assert!(is_hidden(), "another category is no look at the price");
    send(
        &format!("/product/undo/{}", undo["undo"].as_str().unwrap()),
        json!({}),
    );
    assert!(is_hidden(), "nor is taking that back");
    let export = run(&people, &["export"]);
    let imported = succeeds(people.shop.import(&export, &[]));
    assert!(imported.contains("2 unchanged"), "{imported}");
    assert!(
        !is_hidden(),
        "an import that finds it as it was looked at it"
    );
    set(yesterday);
    let bulk = json!({"ids": ["p1"], "action": "discount", "value": 12});
    send("/product/bulk", bulk);
    assert!(!is_hidden());
    // A price that was checked in the future has no known age, and breaks no page.
    set(253_402_200_000_000);
    assert!(is_hidden());
    assert_eq!(people.server.get("/").status(), 200);
}

#[test]
fn check_names_sellers_that_show_what_their_programme_forbids() {
    let people = two_sellers();
    let owner = people.join_as_admin("owner@example.com");
    let checked = || run(&people, &["check"]);
    assert!(
        checked().contains("1 deals of Amazon show prices of any age and stars"),
        "{}",
        checked()
    );
    let sources: Value = ask(&people, &owner, "/settings/sources").json().unwrap();
    let amazon = &sources["data"][0];
    assert_eq!(
        (&amazon["advice"], &amazon["chosen"]),
        (&json!("amazon-india"), &json!(false))
    );
    let put = |version: i64, rules: Value| {
        let body = json!({"version": version, "source.Amazon": rules});
        send(&people, &owner, reqwest::Method::PUT, "/settings", &body)
    };
    let version = sources["version"].as_i64().unwrap();
    assert_eq!(
        put(version, json!({"preset": "amazon-india"})).status(),
        200
    );
    assert_eq!(put(version, json!("open")).status(), 409);
    assert!(checked().contains("nothing is shown that a known programme forbids"));
    let wrong = put(version + 1, json!({"stars": true}));
    assert_eq!(wrong.status(), 400);
    assert!(error(wrong).starts_with("There is no rule stars."));

    let own = json!({"showRatings": true, "priceMaxAge": 12});
    assert_eq!(put(version + 1, own).status(), 200);
    let sources: Value = ask(&people, &owner, "/settings/sources").json().unwrap();
    let rules = &sources["data"][0]["rules"];
    assert_eq!(
        (&rules["showRatings"], &rules["priceMaxAge"]),
        (&json!(true), &json!(12))
    );
    assert!(checked().contains("1 deals of Amazon show stars"));
    for (rules, words) in [
        (json!("closed"), "There is no preset \"closed\"."),
        (
            json!({"showPrice": "maybe"}),
            "showPrice must be on or off.",
        ),
        (json!({"priceMaxAge": 0}), "whole hours from 1 to 2160"),
    ] {
        let wrong = put(version + 2, rules);
        assert_eq!(wrong.status(), 400);
        let said = error(wrong);
        assert!(said.contains(words), "{said}");
    }
    let activity: Value = ask(&people, &owner, "/product/activity").json().unwrap();
    let first = activity["data"][1]["details"].as_object().unwrap();
    let changed: Vec<&String> = first.keys().collect();
    assert_eq!(changed, ["source.Amazon"], "{activity}");
    assert_eq!(people.server.get("/settings/sources").status(), 401);
}
