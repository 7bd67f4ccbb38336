//! Pictures that failed to load.

use reqwest::Method;
use serde_json::{Value, json};

use super::overview::{found, needing};
use crate::api::product_forms::send;
use crate::support::harness::{Shop, product_with, succeeds};
use crate::support::people::{People, Someone};

/// A report of three addresses.
fn visitors_report(people: &People, id: &str, image: &str) {
    for n in 0..3 {
        let address = format!("10.8.0.{n}");
        let noted = report_from(people, &address, id, image);
        assert_eq!(noted, (200, json!({"noted": true})), "{id} {image}");
    }
}

fn report_from(people: &People, address: &str, id: &str, image: &str) -> (u16, Value) {
    let path = format!("/product/picture-failed/{id}");
    let answer = people.post_from(address, &path, &json!({"image": image}));
    (answer.status().as_u16(), answer.json().unwrap())
}

fn report(
    people: &People,
    who: Option<&Someone>,
    how: &str,
    id: &str,
    image: &str,
) -> (u16, Value) {
    let path = format!("/product/picture-{how}/{id}");
    let mut request = people.request(Method::POST, &path);
    if let Some(someone) = who {
        request = request.header("cookie", &someone.cookie);
    }
    let response = request.json(&json!({"image": image})).send().unwrap();
    (response.status().as_u16(), response.json().unwrap())
}

#[test]
fn a_failed_picture_is_listed_until_it_loads_for_an_owner() {
    let address = |n: usize| format!("https://images.example.com/{n}.jpg");
    let products: Vec<Value> = (0..4)
        .map(|n| {
            product_with(
                n,
                json!({"_id": format!("p{n}"), "images": [address(n), address(n + 10)]}),
            )
        })
        .collect();
    let people = People::with(Shop::with(&products), &[]);
    let owner = people.join_as_admin("owner@example.com");
    let (nobody, owner_too) = (None, Some(&owner));
    for (id, image) in [("p0", 0), ("p1", 11), ("p1", 1), ("p2", 2), ("p2", 2)] {
        visitors_report(&people, id, &address(image));
    }
    let missing = || needing(&people, &owner, "pictures");
    assert_eq!(missing(), ["p0", "p1", "p2"]);
    let looks = found(&people, &owner, "/report/needs").to_string();
    assert!(
        looks.contains("3 deals have a picture that did not load"),
        "{looks}"
    );

    // Only existing pictures are reported, and only owners delete reports.
    assert_eq!(report(&people, nobody, "failed", "p3", &address(2)).0, 404);
    assert_eq!(
        report(&people, nobody, "failed", "gone", &address(2)).0,
        404
    );
    assert_eq!(report(&people, nobody, "failed", "p3", "").0, 400);
    assert_eq!(report(&people, nobody, "loads", "p0", &address(0)).0, 401);
    let (_, answer) = report(&people, owner_too, "loads", "p0", &address(0));
    assert_eq!(answer, json!({"forgotten": true}));
    assert_eq!(
        report(&people, owner_too, "loads", "p1", &address(1)).0,
        200
    );
    assert_eq!(missing(), ["p1", "p2"]);

    // Removed pictures are not reported.
    let changed = send(
        &people,
        &owner,
        Method::PUT,
        "/product/update-product/p1",
        &product_with(1, json!({"images": [address(5)]})),
    );
    assert_eq!(changed.status(), 200);
    let gone = send(
        &people,
        &owner,
        Method::DELETE,
        "/product/delete-product/p2",
        &json!({}),
    );
    assert_eq!(gone.status(), 200);
    assert_eq!(missing(), Vec::<String>::new());
    succeeds(people.shop.run(&["check"]));
}

#[test]
fn at_most_a_thousand_failed_pictures_are_recorded() {
    let images: Vec<String> = (0..10)
        .map(|n| format!("https://images.example.com/{n}.jpg"))
        .collect();
    let products: Vec<Value> = (0..101)
        .map(|n| product_with(n, json!({"_id": format!("p{n}"), "images": images})))
        .collect();
    let people = People::with(Shop::with(&products), &[]);
    let owner = people.join_as_admin("owner@example.com");
    for n in 0..101 {
        for image in &images {
            assert_eq!(
                report(&people, Some(&owner), "failed", &format!("p{n}"), image).0,
                200
            );
        }
    }
    let database = people.shop.database();
    let count = "SELECT count(*) FROM broken_images";
    let recorded: i64 = database.query_row(count, [], |row| row.get(0)).unwrap();
    assert_eq!(recorded, 1_000);
}

#[test]
fn reports_of_one_visitor_do_not_remove_a_picture() {
    let address = |n: usize| format!("https://images.example.com/{n}.jpg");
    let products: Vec<Value> = (0..30)
        .map(|n| product_with(n, json!({"_id": format!("p{n}"), "images": [address(n)]})))
        .collect();
    let people = People::with(Shop::with(&products), &[]);
    let owner = people.join_as_admin("owner@example.com");
    let missing = || needing(&people, &owner, "pictures");
    let shared = || {
        let page = people.server.get("/details/p0").text().unwrap();
        page.contains(&format!("property=\"og:image\" content=\"{}\"", address(0)))
    };
    assert!(shared());
    // However often, and with any header.
    for n in 0..5 {
        let path = "/product/picture-failed/p0";
        let request = people.request(Method::POST, path);
        let request = request.header("user-agent", format!("Mozilla/5.0 {n}"));
        let request = request.header("x-forwarded-for", "10.8.0.1");
        let answer = request.json(&json!({"image": address(0)})).send().unwrap();
        assert_eq!(answer.status(), 200);
    }
    assert_eq!(missing(), Vec::<String>::new());
    // Several agree: the owner looks, and messengers keep the picture.
    visitors_report(&people, "p0", &address(0));
    assert_eq!(missing(), ["p0"]);
    assert!(shared());
    report(&people, Some(&owner), "failed", "p0", &address(0));
    assert!(!shared());

    // An address has twenty reports an hour.
    let noted = |n: usize| {
        let (status, answer) = report_from(&people, "10.8.1.1", &format!("p{n}"), &address(n));
        assert_eq!(status, 200);
        answer["noted"].as_bool().unwrap()
    };
    let taken = (0..30).filter(|n| noted(*n)).count();
    assert_eq!(taken, 20);

    // A week later it is forgotten.
    let database = people.shop.database();
    let sql = "UPDATE broken_images SET at = at - 7 * 86400000";
    assert_eq!(database.execute(sql, []).unwrap(), 1);
    assert_eq!(missing(), Vec::<String>::new());
}
