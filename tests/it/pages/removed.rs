//! The page of a deleted deal: which deal it was and deals like it, for 90 days.

use jiff::{SignedDuration, Timestamp};
use reqwest::Method;
use scraper::{Html, Selector};
use serde_json::{Value, json};

use crate::api::product_forms::accepted;
use crate::pages::seo::attribute;
use crate::pages::server_rendering::page;
use crate::support::harness::{Shop, product_with, text, wait_until};
use crate::support::people::{People, Someone};
use crate::support::times::{HOUR, after};

const DAY: i64 = 24 * HOUR;

fn deal(id: &str, title: &str, more: Value) -> Value {
    let mut fields = json!({
        "_id": id,
        "title": title,
        "category": "Home",
        "affiliateLink": format!("https://shop.example/{id}"),
    });
    let more = more.as_object().unwrap().clone();
    fields.as_object_mut().unwrap().extend(more);
    product_with(1, fields)
}

fn shop() -> (People, Someone) {
    let people = People::with(
        Shop::with(&[
            deal("gone", "Copper kettle, 2 l", json!({"source": "Croma"})),
            deal("same", "Copper kettle, 1 l", json!({})),
            deal("words", "Kettle of steel", json!({})),
            deal(
                "seller",
                "Atlas",
                json!({"source": "Croma", "category": "Books"}),
            ),
            deal("far", "Globe", json!({"category": "Books"})),
            deal("draft", "A lamp, draft", json!({"status": "draft"})),
            deal("later", "A lamp, later", json!({"startsAt": after(HOUR)})),
            deal(
                "over",
                "A lamp, over",
                json!({"endsAt": "2026-11-12T10:00:00+05:30"}),
            ),
        ]),
        &[],
    );
    let owner = people.join_as_admin("owner@example.com");
    (people, owner)
}

fn delete(people: &People, owner: &Someone, id: &str) {
    let path = format!("/product/delete-product/{id}");
    accepted(people, owner, Method::DELETE, &path, &json!({}));
}

fn bulk(people: &People, owner: &Someone, ids: &[&str]) -> Value {
    let body = json!({"ids": ids, "action": "delete"});
    accepted(people, owner, Method::POST, "/product/bulk", &body)
}

/// Status of a product's page.
fn status(people: &People, id: &str) -> u16 {
    let path = format!("/details/{id}");
    people.server.get(&path).status().as_u16()
}

fn remembered(people: &People) -> Vec<String> {
    let database = people.shop.database();
    let sql = "SELECT id FROM removed_products ORDER BY id";
    let mut statement = database.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

#[test]
fn the_page_of_a_deleted_deal_shows_related_deals() {
    let (people, owner) = shop();
    let server = &people.server;
    assert_eq!(server.get("/product/removed/gone").status(), 404);
    delete(&people, &owner, "gone");
    // Also from the cache.
    for _ in 0..3 {
        assert_eq!(status(&people, "gone"), 410);
    }
    let html = page(server, "/details/gone");
    assert!(html.contains("Product not found."));
    // In India.
    let today = Timestamp::now() + SignedDuration::from_mins(330);
    let words = format!(
        "“Copper kettle, 2 l” from Croma was removed from the shop on {}.",
        today.strftime("%-d %b %Y")
    );
    assert!(html.contains(&words), "{html}");
    let html = Html::parse_document(&html);
    let robots = attribute(&html, "meta[name=robots]", "content");
    assert_eq!(robots.as_deref(), Some("noindex"));
    let links = Selector::parse(".strip a").unwrap();
    let links: Vec<_> = html
        .select(&links)
        .filter_map(|it| it.attr("href"))
        .collect();
    // The same words, without a variant's title being left out; the seller has too few for a row.
    assert_eq!(links, ["/details/same", "/details/words"]);

    let answer = server.json("/product/removed/gone");
    assert_eq!(answer["title"], "Copper kettle, 2 l");
    let removed_at = answer["removedAt"].as_str().unwrap();
    let age = Timestamp::now().duration_since(removed_at.parse().unwrap());
    assert!(age.as_secs().abs() < 600, "{removed_at}");
    assert_eq!(answer["similar"][0]["_id"], "same");
    for path in ["product", "alike", "price-history"] {
        let answer = server.get(&format!("/product/{path}/gone"));
        assert_eq!(answer.status(), 404, "{path}");
        let error: Value = answer.json().unwrap();
        assert_eq!(error["error"], "Product not found.");
    }
    assert_eq!(status(&people, "never"), 404);
    // Nothing is like it: the picks of the home page are there instead.
    let never = page(server, "/details/never");
    assert!(never.contains("class=\"strip\"") && !never.contains("More like this"));
}

#[test]
fn deleted_drafts_and_scheduled_deals_have_no_page() {
    let (people, owner) = shop();
    for id in ["draft", "later"] {
        delete(&people, &owner, id);
        assert_eq!(status(&people, id), 404, "{id}");
        let call = people.server.get(&format!("/product/removed/{id}"));
        assert_eq!(call.status(), 404, "{id}");
    }
    delete(&people, &owner, "over");
    assert_eq!(status(&people, "over"), 410, "its page was public");
    assert_eq!(remembered(&people), ["over"]);
}

#[test]
fn the_products_of_a_killed_import_leave_no_page() {
    let (people, _) = shop();
    let hide = "INSERT INTO hidden_products (first, last) \
                SELECT min(key), max(key) FROM products WHERE id IN ('words', 'seller', 'far')";
    people.shop.database().execute(hide, []).unwrap();
    let (_, people) = people.restart();
    wait_until("the leftovers are deleted", || {
        let sql = "SELECT count(*) FROM products";
        let left = people.shop.database().query_row(sql, [], |row| row.get(0));
        left == Ok(5)
    });
    assert_eq!(remembered(&people), [""; 0]);
}

#[test]
fn a_deleted_deal_is_forgotten_after_ninety_days() {
    let (people, owner) = shop();
    delete(&people, &owner, "gone");
    let make_older = |age: i64| {
        let at = Timestamp::now().as_millisecond() - age;
        let sql = "UPDATE removed_products SET removed_at = ?";
        people.shop.database().execute(sql, [at]).unwrap();
    };
    make_older(90 * DAY - HOUR);
    assert_eq!(status(&people, "gone"), 410);
    make_older(90 * DAY + HOUR);
    assert_eq!(status(&people, "gone"), 404);
    assert_eq!(people.server.get("/product/removed/gone").status(), 404);
    assert!(!page(&people.server, "/details/gone").contains("Copper kettle, 2 l"));
    assert_eq!(remembered(&people), ["gone"]);
    let (_, people) = people.restart();
    wait_until("the job forgets it", || remembered(&people).is_empty());
}

#[test]
fn a_restored_deal_no_longer_counts_as_deleted() {
    let (people, owner) = shop();
    let done = bulk(&people, &owner, &["gone", "far", "draft"]);
    assert_eq!(remembered(&people), ["far", "gone"]);
    assert_eq!(status(&people, "gone"), 410);
    let undo = format!("/product/undo/{}", done["undo"].as_str().unwrap());
    accepted(&people, &owner, Method::POST, &undo, &json!({}));
    assert_eq!(remembered(&people), [""; 0]);
    assert_eq!(status(&people, "gone"), 200);

    bulk(&people, &owner, &["gone", "far"]);
    assert_eq!(status(&people, "gone"), 410);
    let again = [
        deal("gone", "Copper kettle, 3 l", json!({})),
        deal("far", "Globe", json!({"status": "draft"})),
    ];
    let output = people.shop.import(&json!(again).to_string(), &[]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(status(&people, "gone"), 200);
    assert_eq!(status(&people, "far"), 404, "a draft now");
    delete(&people, &owner, "gone");
    assert!(page(&people.server, "/details/gone").contains("“Copper kettle, 3 l”"));
}

#[test]
fn the_last_fifty_thousand_deleted_deals_are_remembered() {
    let (people, owner) = shop();
    let sql = "INSERT INTO removed_products VALUES (?1, 'old' || ?1, 'Old', 'Croma', 'Home', ?2)";
    let now = Timestamp::now().as_millisecond();
    for number in [1, 2, 50_000] {
        let database = people.shop.database();
        database.execute(sql, [number, now]).unwrap();
    }
    delete(&people, &owner, "gone");
    assert_eq!(remembered(&people), ["gone", "old2", "old50000"]);
}
