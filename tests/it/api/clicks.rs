//! POST /product/increament-views/{id}

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use serde_json::{Value, json};

use crate::support::harness::{Done, Shop, pause, product_with};

fn shop_with_one() -> Shop {
    Shop::with(&[product_with(1, json!({"_id": "one"}))])
}

#[test]
fn a_click_is_counted_and_answered_with_the_new_count() {
    let shop = shop_with_one();
    let server = shop.serve();
    let before = server.json("/product/product/one")["product"].clone();
    for expected in 1..=3 {
        let response = server.post("/product/increament-views/one");
        assert_eq!(response.status(), 200);
        assert_eq!(
            response.json::<Value>().unwrap(),
            json!({"clicks": expected})
        );
    }
    let after = server.json("/product/product/one")["product"].clone();
    assert_eq!(after["clicks"], 3);
    assert_eq!(after["updatedAt"], before["updatedAt"]);
}

#[test]
fn a_click_on_an_unknown_product_is_a_404() {
    let shop = shop_with_one();
    let server = shop.serve();
    assert_eq!(server.post("/product/increament-views/two").status(), 404);
    let response = server.get("/product/increament-views/one");
    assert_eq!(response.status(), 405);
    assert_eq!(response.headers()["allow"], "POST");
    assert_eq!(server.json("/product/product/one")["product"]["clicks"], 0);
}

#[test]
fn no_click_is_lost_or_counted_twice_when_many_come_at_once() {
    const CLIENTS: i64 = 16;
    const CLICKS: i64 = 40;
    let shop = shop_with_one();
    let server = shop.serve();
    let counts: Vec<i64> = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|_| {
                scope.spawn(|| {
                    (0..CLICKS)
                        .map(|_| {
                            let response = server.post("/product/increament-views/one");
                            assert_eq!(response.status(), 200);
                            response.json::<Value>().unwrap()["clicks"]
                                .as_i64()
                                .unwrap()
                        })
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        clients
            .into_iter()
            .flat_map(|client| client.join().unwrap())
            .collect()
    });
    let mut sorted = counts;
    sorted.sort_unstable();
    assert_eq!(sorted, (1..=CLIENTS * CLICKS).collect::<Vec<_>>());
}

#[test]
fn acknowledged_clicks_survive_a_kill() {
    let shop = shop_with_one();
    let server = shop.serve();
    let acknowledged = AtomicI64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let url = server.url("/product/increament-views/one");
                while let Ok(response) = server.client().post(&url).send() {
                    if response.status() == 200 {
                        acknowledged.fetch_add(1, Ordering::SeqCst);
                    }
                }
            });
        }
        while acknowledged.load(Ordering::SeqCst) < 200 {
            pause();
        }
        server.signal("KILL");
    });
    let acknowledged = acknowledged.load(Ordering::SeqCst);
    let server = shop.serve();
    let clicks = server.json("/product/product/one")["product"]["clicks"]
        .as_i64()
        .unwrap();
    assert!(
        (acknowledged..=acknowledged + 8).contains(&clicks),
        "{acknowledged} were answered, {clicks} are stored"
    );
}

#[test]
fn cached_responses_include_all_acknowledged_clicks() {
    let shop = shop_with_one();
    let server = shop.serve();
    let id = server.list("")[0]["_id"].as_str().unwrap().to_owned();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _done = Done(&done);
        // Other threads request the same pages, so that cached responses are available.
        for _ in 0..3 {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    server.list("");
                }
            });
        }
        for _ in 0..200 {
            let answer = server.post(&format!("/product/increament-views/{id}"));
            let counted = answer.json::<Value>().unwrap()["clicks"].as_i64().unwrap();
            let listed = server.list("")[0]["clicks"].as_i64().unwrap();
            assert!(listed >= counted, "{listed} after {counted}");
            let product = server.json(&format!("/product/product/{id}"));
            assert!(product["product"]["clicks"].as_i64().unwrap() >= counted);
            let page = server.get("/").text().unwrap();
            assert!(page.contains(&format!(">{counted} Click")));
        }
    });
}
