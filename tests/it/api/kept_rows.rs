//! What was written of a product for one list is sent in others, and nobody can tell.

use std::cell::Cell;

use reqwest::Method;
use serde_json::{Value, json};

use crate::api::product_forms::send;
use crate::office::lifetimes::{HOUR, after};
use crate::support::harness::{Server, Shop, product_with, succeeds, wait_until};
use crate::support::people::People;

const PRODUCTS: usize = 30;

/// Asks for lists that nobody asked for before.
#[derive(Default)]
struct Lists(Cell<usize>);

impl Lists {
    /// A list of all products, twice: as they are written and as they were.
    fn hold_what_the_products_are(&self, server: &Server, after: &str) {
        for _ in 0..2 {
            let number = self.0.get();
            self.0.set(number + 1);
            let sort = ["createdAt", "price", "clicks", "discount"][number % 4];
            let query = format!("limit=100&sortBy={sort}&minPrice=0.{number:02}");
            let list = server.list(&query);
            assert!(list.len() >= PRODUCTS - 1, "{after}: {}", list.len());
            for listed in list {
                let id = listed["_id"].as_str().unwrap();
                let one = &server.json(&format!("/product/product/{id}"))["product"];
                assert_eq!(listed, *one, "{after}");
            }
        }
    }
}

fn some(number: usize) -> Value {
    let source = ["Amazon", "Flipkart", "Myntra"][number % 3];
    product_with(
        number,
        json!({"_id": format!("p{number}"), "source": source}),
    )
}

#[test]
fn lists_hold_what_the_products_are_whoever_changes_them() {
    let products: Vec<Value> = (0..PRODUCTS).map(some).collect();
    let people = People::with(Shop::with(&products), &[]);
    let owner = people.join_as_admin("owner@example.com");
    let (shop, server, lists) = (&people.shop, &people.server, Lists::default());
    let hold = |after: &str| lists.hold_what_the_products_are(server, after);
    let ask = |method: Method, path: &str, body: &Value| {
        let answer = send(&people, &owner, method, path, body);
        assert!(answer.status().is_success(), "{path}: {}", answer.status());
        answer.json::<Value>().unwrap()
    };
    hold("the start");

    server.post("/product/increament-views/p3");
    hold("a click");
    let mut other = some(4);
    other["affiliateLink"] = json!("https://shop.example/other");
    ask(Method::PUT, "/product/update-product/p4", &other);
    hold("another link");
    other["endsAt"] = json!(after(HOUR));
    ask(Method::PUT, "/product/update-product/p4", &other);
    hold("an end");
    other["offers"] = json!([{"kind": "coupon", "code": "SAVE10", "percent": 10}]);
    ask(Method::PUT, "/product/update-product/p4", &other);
    hold("a coupon");

    // Another process.
    let mut changed = some(5);
    changed["description"] = json!("Another text of some length");
    let file = json!([changed, some(PRODUCTS), some(6)]).to_string();
    succeeds(shop.import(&file, &[]));
    hold("an import");
    succeeds(shop.import(&file, &[]));
    hold("an import that changes nothing");
    succeeds(shop.run(&["source", "set", "Flipkart", "amazon-india"]));
    hold("a seller's rules");
    succeeds(shop.run(&["source", "set", "Flipkart", "open"]));
    hold("a seller that allows everything");

    // By hand, where no word of the search changes, of a seller without rules.
    for (column, value) in [
        ("affiliate_link", "'https://shop.example/by-hand'"),
        ("images", "'[\"https://shop.example/by-hand.png\"]'"),
        ("updated_at", "updated_at + 1"),
        ("total_ratings", "77"),
        ("badge", "1"),
        (
            "offers",
            "'[{\"kind\":\"coupon\",\"code\":\"HAND\",\"percent\":5}]'",
        ),
        ("offers", "'[]'"),
    ] {
        let sql = format!("UPDATE products SET {column} = {value} WHERE id = 'p6'");
        assert_eq!(shop.database().execute(&sql, []).unwrap(), 1);
        hold(column);
    }

    // As a large import says it.
    let sql = "BEGIN; UPDATE products SET total_ratings = 78 WHERE id = 'p6'; \
               INSERT INTO product_changes (key, clicks_only) VALUES (0, 0); COMMIT";
    shop.database().execute_batch(sql).unwrap();
    hold("more changes than are listed");

    let body = json!({"ids": ["p8", "p9"], "action": "delete"});
    let outcome = ask(Method::POST, "/product/bulk", &body);
    hold("two that are deleted");
    let undo = format!("/product/undo/{}", outcome["undo"].as_str().unwrap());
    ask(Method::POST, &undo, &json!({}));
    hold("two that are back");
    // It gets the key of the last one.
    ask(
        Method::DELETE,
        &format!("/product/delete-product/p{PRODUCTS}"),
        &json!({}),
    );
    ask(
        Method::POST,
        "/product/add-product",
        &product_with(99, json!({})),
    );
    hold("another one in the place of the last");
}

#[test]
fn a_coupon_that_is_over_is_in_no_list_that_comes_later() {
    let offers =
        json!([{"kind": "coupon", "code": "QUICK", "percent": 50, "endsAt": after(2_500)}]);
    let shop = Shop::with(&[product_with(1, json!({"offers": offers}))]);
    let (server, number) = (shop.serve(), Cell::new(0));
    let offered = || {
        number.set(number.get() + 1);
        let query = format!("minPrice=0.{:02}", number.get() % 90 + 1);
        server.list(&query)[0]["offers"].clone()
    };
    assert_eq!(offered()[0]["code"], "QUICK");
    wait_until("the coupon is over", || offered() == json!([]));
}

#[test]
fn each_click_is_in_the_next_list_while_others_ask_for_theirs() {
    let products: Vec<Value> = (0..PRODUCTS).map(some).collect();
    let shop = Shop::with(&products);
    let server = &shop.serve();
    std::thread::scope(|scope| {
        for other in 0..2 {
            scope.spawn(move || {
                for number in 0..900 {
                    server.list(&format!(
                        "limit=9{other}&sortBy=price&maxPrice={}",
                        5_000 + number
                    ));
                }
            });
        }
        for clicks in 1..=150 {
            server.post("/product/increament-views/p3");
            // What others wrote before the click may be kept after it.
            for again in 0..4 {
                let most = 6_000 + 4 * clicks + again;
                let list = server.list(&format!("limit=100&sortBy=price&maxPrice={most}"));
                let clicked = list.iter().find(|product| product["_id"] == "p3").unwrap();
                assert_eq!(clicked["clicks"], clicks);
            }
        }
    });
}
