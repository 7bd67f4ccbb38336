//! Starts and ends of deals in every list, count and page, cached or not.

use std::time::Instant;

use jiff::Timestamp;
use reqwest::Method;
use reqwest::blocking::Response;
use serde_json::{Value, json};

use crate::pages::server_rendering::page;
use crate::support::harness::{Server, Shop, product_with, succeeds, wait_until};
use crate::support::people::{People, Someone};
use crate::support::times::{HOUR, after};

pub(super) fn live(n: usize) -> Value {
    product_with(n, json!({"_id": format!("live{n}")}))
}

pub(super) fn with_times(id: &str, changes: &Value) -> Value {
    let mut row = product_with(
        7,
        json!({"_id": id, "title": format!("Lamp {id}"), "affiliateLink": format!("https://shop.example/{id}")}),
    );
    let fields = row.as_object_mut().unwrap();
    fields.extend(changes.as_object().unwrap().clone());
    row
}

/// Number of live products by each place that states it.
fn numbers(server: &Server) -> Vec<i64> {
    let total = |query: &str| {
        server.json(&format!("/product/get-products?{query}"))["meta"]["total"]
            .as_i64()
            .unwrap()
    };
    let facets = |query: &str| server.json(&format!("/product/facets?{query}"));
    let sitemap = server.get("/sitemap.xml").text().unwrap();
    vec![
        total(""),
        total("page=30"),
        total("category=Electronics"),
        total("search=product+lamp"),
        total("sortBy=price&minPrice=1"),
        total("source=Amazon&search=description"),
        facets("")["all"].as_i64().unwrap(),
        facets("search=description")["all"].as_i64().unwrap(),
        sitemap.matches("/details/").count() as i64,
    ]
}

/// Requests an address until it is cached; returns it with its tag.
fn hot(server: &Server, path: &str) -> (String, String) {
    for _ in 0..3 {
        server.get(path);
    }
    let answer = server.get(path);
    let tag = answer.headers()["etag"].to_str().unwrap().to_owned();
    (path.to_owned(), tag)
}

fn known(server: &Server, (path, tag): &(String, String)) -> Response {
    let request = server.client().get(server.url(path));
    request.header("if-none-match", tag).send().unwrap()
}

pub(super) fn admin_get(people: &People, someone: &Someone, path: &str) -> Response {
    let request = people.request(Method::GET, path);
    request.header("cookie", &someone.cookie).send().unwrap()
}

pub(super) fn admin_json(people: &People, owner: &Someone, path: &str) -> Value {
    let response = admin_get(people, owner, path);
    assert_eq!(response.status(), 200, "{path}");
    response.json().unwrap()
}

pub(super) fn state(answer: &Value) -> &str {
    answer["product"]["state"].as_str().unwrap()
}

#[test]
fn an_ended_deal_leaves_every_list_within_a_second() {
    let shop = Shop::with(&[live(1), live(2), live(3)]);
    let server = shop.serve();
    let before = numbers(&server);
    let end = Instant::now();
    let row = with_times(
        "soon",
        &json!({"endsAt": after(2_500), "title": "Product lamp"}),
    );
    assert!(shop.import(&json!([row]).to_string(), &[]).status.success());
    let with_it = numbers(&server);
    if end.elapsed().as_millis() < 2_000 {
        for (before, with_it) in before
            .iter()
            .zip(&with_it)
            .filter(|(before, _)| **before > 0)
        {
            assert_eq!(*with_it, before + 1, "{with_it:?}");
        }
    }
    let kept = [
        "/",
        "/product/get-products",
        "/product/facets",
        "/product/product/soon",
        "/details/soon",
        "/feed.xml",
        "/product/home",
        "/product/alike/live1",
    ]
    .map(|path| hot(&server, path));
    wait_until("the deal is over", || {
        state(&server.json("/product/product/soon")) == "ended"
    });
    wait_until("the lists have followed", || {
        server.list("").len() == 3 && server.json("/product/facets")["all"] == 3
    });
    assert_eq!(numbers(&server), before);
    for address in &kept {
        let answer = known(&server, address);
        assert_eq!(answer.status(), 200, "{}", address.0);
    }
    assert!(!page(&server, "/").contains("/details/soon"));
    // Deals that ended before the server started have ended.
    server.stop();
    let server = shop.serve();
    assert_eq!(numbers(&server), before);
}

#[test]
fn a_deal_that_starts_while_no_server_runs_is_live_at_the_next_start() {
    let shop = Shop::with(&[
        live(1),
        with_times("later", &json!({"startsAt": after(1_200)})),
        with_times(
            "over",
            &json!({"startsAt": after(400), "endsAt": after(1_200)}),
        ),
    ]);
    let begun = after(1_300);
    wait_until("their times have come", || after(0) > begun);
    let server = shop.serve();
    let mut ids: Vec<String> = server
        .list("")
        .iter()
        .map(|product| product["_id"].as_str().unwrap().to_owned())
        .collect();
    ids.sort();
    assert_eq!(ids, ["later", "live1"]);
    assert_eq!(state(&server.json("/product/product/over")), "ended");
    assert_eq!(server.json("/product/facets")["all"], 2);
    let checked = succeeds(shop.run(&["check"]));
    assert!(checked.contains("agree with the products"), "{checked}");
}

#[test]
fn a_clock_set_back_revives_deals_that_have_not_ended() {
    let shop = Shop::with(&[live(1), with_times("back", &json!({"endsAt": after(HOUR)}))]);
    {
        // As after a server whose clock was two hours ahead.
        let database = shop.database_without_index();
        let ahead = Timestamp::now().as_millisecond() + 2 * HOUR;
        database
            .execute_batch(&format!(
                "UPDATE products SET state = 2 WHERE id = 'back'; UPDATE schedule SET applied_at = {ahead}"
            ))
            .unwrap();
    }
    let server = shop.serve();
    assert_eq!(server.json("/product/facets")["all"], 2);
    assert_eq!(server.list("").len(), 2);
}
