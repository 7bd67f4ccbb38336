//! What was written of a product for one list is sent in others, and nobody can tell.

use std::cell::Cell;

use deals::domain::{ListQuery, Order, SortBy};
use deals::store::{ListRows, RowCache, Store, StoreError};
use reqwest::Method;
use serde_json::{Value, json};

use crate::api::product_forms::send;
use crate::support::harness::{Server, Shop, product_with, succeeds, wait_until};
use crate::support::people::People;
use crate::support::times::{HOUR, after};

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
    // Somebody looks at a price, and nothing else happens.
    let sql = "INSERT OR REPLACE INTO price_looks \
               SELECT key, unixepoch() * 1000 - 600000 FROM products WHERE id = 'p10'";
    assert_eq!(shop.database().execute(sql, []).unwrap(), 1);
    hold("a look at a price");
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

    // As a large import says it: that something changed, and not what.
    let sql = "BEGIN; UPDATE products SET total_ratings = 78 WHERE id = 'p6'; \
               DELETE FROM product_changes WHERE number = (SELECT max(number) FROM product_changes); \
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
fn what_the_time_changes_is_changed_in_lists_that_come_later() {
    let offers =
        json!([{"kind": "coupon", "code": "QUICK", "percent": 50, "endsAt": after(2_500)}]);
    let shop = Shop::with(&[
        product_with(1, json!({"_id": "coupon", "offers": offers})),
        product_with(2, json!({"_id": "end", "endsAt": after(24 * HOUR + 2_500)})),
    ]);
    let (server, number) = (shop.serve(), Cell::new(0));
    let listed = |id: &str| {
        number.set(number.get() + 1);
        let list = server.list(&format!("sortBy=price&maxPrice={}", 1_000 + number.get()));
        list.into_iter()
            .find(|product| product["_id"] == id)
            .unwrap()
    };
    listed("end");
    wait_until("the coupon is over", || {
        listed("coupon")["offers"] == json!([])
    });
    wait_until("the end is less than a day away", || {
        listed("end")["shown"]["ends"].is_string()
    });
}

#[test]
fn a_product_is_written_once_for_all_lists_until_it_changes() {
    let shop = Shop::with(&(0..PRODUCTS).map(some).collect::<Vec<_>>());
    let (store, cache) = (Store::open(&shop.db()).unwrap(), RowCache::default());
    // The ids of a list, and of those that had to be written for it.
    let list = |limit: u32, order: Order, settings: i64| {
        let (mut text, mut written) = (Vec::new(), Vec::new());
        let query = ListQuery {
            limit,
            order,
            sort_by: SortBy::Price,
            ..ListQuery::default()
        };
        let rows = ListRows {
            cache: &cache,
            settings,
            text: &mut text,
        };
        let found = store.write_list(&query, rows, |text, row| {
            text.extend_from_slice(format!("{} ", row.id).as_bytes());
            written.push(row.id.to_owned());
            Ok::<_, StoreError>(row.id != "p2")
        });
        assert_eq!(found.unwrap().page.items.len(), limit as usize);
        (String::from_utf8(text).unwrap(), written.join(" "))
    };
    let both = ("p0 p1 p2 p3 ".to_owned(), "p0 p1 p2 p3".to_owned());
    assert_eq!(list(4, Order::Asc, 1), both);
    assert_eq!(list(4, Order::Asc, 1), (both.0.clone(), "p2".to_owned()));
    // Those that are missing stand first, last and between.
    assert_eq!(
        list(6, Order::Asc, 1),
        ("p0 p1 p2 p3 p4 p5 ".to_owned(), "p2 p4 p5".to_owned())
    );
    let sql = "UPDATE products SET clicks = clicks + 1 WHERE id IN ('p0', 'p3')";
    shop.database().execute(sql, []).unwrap();
    assert_eq!(
        list(5, Order::Asc, 1),
        ("p0 p1 p2 p3 p4 ".to_owned(), "p0 p2 p3".to_owned())
    );
    let last = format!("p{} p{} ", PRODUCTS - 1, PRODUCTS - 2);
    assert_eq!(list(2, Order::Desc, 1).0, last);
    assert_eq!(list(2, Order::Desc, 1), (last, String::new()));
    // Other settings write all of them anew, and those of before keep nothing.
    assert_eq!(list(4, Order::Asc, 2), both);
    assert_eq!(list(4, Order::Asc, 1), both);
    assert_eq!(list(4, Order::Asc, 2), (both.0, "p2".to_owned()));
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
