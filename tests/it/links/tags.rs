//! Changing a seller's tag rewrites its links, as one act that can be undone.

use std::collections::BTreeMap;

use reqwest::Method;
use serde_json::{Value, json};

use crate::api::product_forms::{accepted, send};
use crate::support::harness::{Shop, product_with, succeeds};
use crate::support::people::{People, Someone, error};

const LINKS: usize = 1_000;

fn asin(number: usize) -> String {
    format!("B0{number:08}")
}

fn people() -> (People, Someone) {
    let products: Vec<Value> = (0..LINKS)
        .map(|number| {
            let id = asin(number);
            let link = format!(
                "https://www.amazon.in/title-{number}/dp/{id}/ref=x?tag=other-21&n={number}"
            );
            product_with(
                number,
                json!({"_id": format!("p{number}"), "affiliateLink": link}),
            )
        })
        .chain([
            product_with(2_000, json!({"_id": "f", "source": "Flipkart"})),
            product_with(2_001, json!({"_id": "unknown"})),
        ])
        .collect();
    let people = People::with(Shop::with(&products), &[]);
    let owner = people.join_as_admin("owner@example.com");
    (people, owner)
}

/// Link and version of each product.
fn links(people: &People) -> BTreeMap<String, (String, String)> {
    let exported = succeeds(people.shop.run(&["export"]));
    let products: Vec<Value> = serde_json::from_str(&exported).unwrap();
    let text = |product: &Value, field: &str| product[field].as_str().unwrap().to_owned();
    products
        .iter()
        .map(|it| {
            (
                text(it, "_id"),
                (text(it, "affiliateLink"), text(it, "updatedAt")),
            )
        })
        .collect()
}

fn activity(people: &People, owner: &Someone) -> Value {
    let request = people.request(Method::GET, "/product/activity");
    let response = request.header("cookie", &owner.cookie).send().unwrap();
    response.json::<Value>().unwrap()["data"].clone()
}

#[test]
fn changing_the_tag_of_a_thousand_links_can_be_undone() {
    let (people, owner) = people();
    let before = links(&people);
    let acts = activity(&people, &owner).as_array().unwrap().len();
    let body = json!({"tag": "x-21"});
    let path = "/source/Amazon/tag";
    let preview = accepted(
        &people,
        &owner,
        Method::POST,
        &format!("{path}?preview=true"),
        &body,
    );
    assert_eq!(
        (&preview["products"], &preview["changed"], &preview["equal"]),
        (&json!(LINKS + 1), &json!(LINKS), &json!(0))
    );
    assert_eq!(preview["examples"].as_array().unwrap().len(), 3);
    assert_eq!(
        preview["examples"][0]["to"],
        "https://www.amazon.in/dp/B000000000?tag=x-21"
    );
    assert!(preview.get("undo").is_none());
    let dry =
        succeeds(
            people
                .shop
                .run(&["links", "tag", "--source", "Amazon", "x-21", "--dry-run"]),
        );
    assert!(dry.contains("1,000 of 1,001 links would change"), "{dry}");
    assert_eq!(links(&people), before, "nothing was changed");

    let seen_before = people.server.json("/product/product/p7")["product"]["priceSeenOn"].clone();
    let done = accepted(&people, &owner, Method::POST, path, &body);
    assert_eq!(done["changed"], LINKS);
    let after = links(&people);
    for number in 0..LINKS {
        let (link, version) = &after[&format!("p{number}")];
        let stored = format!("https://www.amazon.in/dp/{}?tag=x-21", asin(number));
        assert_eq!(link, &stored);
        assert!(
            *version > before[&format!("p{number}")].1,
            "a form with the old link is stale"
        );
    }
    for other in ["f", "unknown"] {
        assert_eq!(after[other], before[other]);
    }
    let shown = people.server.json("/product/product/p7")["product"].clone();
    assert_eq!(
        shown["affiliateLink"],
        "https://www.amazon.in/dp/B000000007?tag=x-21"
    );
    assert_eq!(
        shown["priceSeenOn"], seen_before,
        "a new link is no price check"
    );
    let log = activity(&people, &owner);
    assert_eq!(log.as_array().unwrap().len(), acts + 1, "one act");
    assert_eq!(log[0]["details"]["links"], LINKS);
    assert_eq!(
        log[0]["details"]["tag.Amazon"],
        json!({"from": "", "to": "x-21"})
    );

    // One of them is changed by somebody meanwhile, and stays.
    let mut body = product_with(
        5,
        json!({"affiliateLink": after["p5"].0, "title": "Changed since"}),
    );
    body["_id"] = "p5".into();
    accepted(
        &people,
        &owner,
        Method::PUT,
        "/product/update-product/p5",
        &body,
    );
    let undo = format!("/product/undo/{}", done["undo"].as_str().unwrap());
    let undone = accepted(&people, &owner, Method::POST, &undo, &json!({}));
    assert_eq!(undone["restored"], LINKS - 1);
    let restored = links(&people);
    for (id, (link, _)) in &restored {
        let expected = if id == "p5" {
            &after[id].0
        } else {
            &before[id].0
        };
        assert_eq!(link, expected, "{id}");
    }
    let log = activity(&people, &owner);
    assert_eq!(log[0]["undo"], true);
    assert_eq!(
        log[0]["details"]["tag.Amazon"],
        json!({"from": "x-21", "to": ""})
    );
    let again = send(&people, &owner, Method::POST, &undo, &json!({}));
    assert_eq!(
        (again.status().as_u16(), error(again).as_str()),
        (404, "It is too late to undo this.")
    );
    let link = "https://www.amazon.in/x/dp/B0ABCD1234?tag=other-21";
    let body = product_with(3_000, json!({"affiliateLink": link}));
    let added = send(&people, &owner, Method::POST, "/product/add-product", &body);
    assert_eq!(
        added.json::<Value>().unwrap()["product"]["affiliateLink"],
        link
    );
}

#[test]
fn keep_cheapest_of_products_with_the_same_link_can_be_undone() {
    let of = |id: &str, link: &str, price: u32, status: &str| {
        let title = format!("Thing {id}");
        let more = json!({"_id": id, "title": title, "affiliateLink": link, "source": "Amazon", "status": status});
        let mut product = product_with(1, more);
        product["price"] = price.into();
        product["discount"] = 0.into();
        product
    };
    let same = "https://www.amazon.in/gp/product/B0ABCD1234";
    let people = People::with(
        Shop::with(&[
            of(
                "dear",
                "https://www.amazon.in/one/dp/B0ABCD1234?tag=p-21",
                400,
                "live",
            ),
            of("cheap", same, 300, "live"),
            of("draft", &format!("{same}?x=1"), 200, "draft"),
            of("other", "https://www.amazon.in/dp/B0ABCD9999", 100, "live"),
        ]),
        &[],
    );
    let owner = people.join_as_admin("owner@example.com");
    let listed = || -> Value {
        let path = "/product/link-duplicates";
        let answer = send(&people, &owner, Method::GET, path, &json!({}));
        answer.json().unwrap()
    };
    let found = listed();
    assert_eq!(
        (&found["total"], &found["data"][0]["keep"]),
        (&json!(1), &json!("cheap"))
    );
    let keep = |ids: &[&str], value: &str| {
        let body = json!({"ids": ids, "action": "keepCheapest", "value": value});
        send(&people, &owner, Method::POST, "/product/bulk", &body)
    };
    for ids in [&["dear", "cheap", "draft"][..], &["cheap", "other"]] {
        assert_eq!(keep(ids, "cheap").status(), 409, "{ids:?} are no group");
    }
    assert_eq!(keep(&["dear", "cheap"], "dear").status(), 409);
    let done: Value = keep(&["dear", "cheap"], "cheap").json().unwrap();
    assert_eq!(done["changed"], 1, "{done}");
    let left = listed();
    assert_eq!(left["data"][0]["keep"], Value::Null, "{left}");
    let undo = format!("/product/undo/{}", done["undo"].as_str().unwrap());
    assert_eq!(
        send(&people, &owner, Method::POST, &undo, &json!({})).status(),
        200
    );
    assert_eq!(listed(), found);
}

#[test]
fn products_with_equivalent_links_are_listed_as_duplicates() {
    let of = |id: &str, link: &str, source: &str| {
        product_with(
            1,
            json!({"_id": id, "title": format!("Thing {id}"), "affiliateLink": link, "source": source}),
        )
    };
    let people = People::with(
        Shop::with(&[
            of(
                "a",
                "https://www.amazon.in/one/dp/B0ABCD1234?tag=p-21",
                "Amazon",
            ),
            of("b", "https://www.amazon.in/gp/product/B0ABCD1234", "Amazon"),
            of("c", "https://www.amazon.in/dp/B0ABCD1234", "Other"),
            of("d", "https://www.amazon.in/dp/B0ABCD9999", "Amazon"),
            of("e", "https://www.amazon.in/s?k=x&tag=p-21", "Amazon"),
            of("f", "https://www.amazon.in/s?k=x&tag=q-21", "Amazon"),
        ]),
        &[],
    );
    let owner = people.join_as_admin("owner@example.com");
    let listed = |people: &People| -> Value {
        let json = succeeds(people.shop.run(&["links", "duplicates", "--json"]));
        serde_json::from_str(&json).unwrap()
    };
    let ids = |group: &Value| -> Vec<String> {
        let products = group["products"].as_array().unwrap().iter();
        products
            .map(|it| it["_id"].as_str().unwrap().to_owned())
            .collect()
    };
    let found = listed(&people);
    assert_eq!(found.as_array().unwrap().len(), 2, "{found}");
    assert_eq!(
        (&found[0]["productId"], ids(&found[0])),
        (&json!("B0ABCD1234"), vec!["a".into(), "b".into()])
    );
    assert_eq!(
        (&found[1]["productId"], ids(&found[1])),
        (&Value::Null, vec!["e".into(), "f".into()])
    );
    let request = people.request(Method::GET, "/product/link-duplicates");
    let answer = request.header("cookie", &owner.cookie).send().unwrap();
    assert_eq!(answer.json::<Value>().unwrap()["total"], 2);
    assert_eq!(people.server.get("/product/link-duplicates").status(), 401);

    let preview =
        succeeds(
            people
                .shop
                .run(&["links", "tag", "--source", "Amazon", "x-21", "--dry-run"]),
        );
    assert!(
        preview.contains("2 have the same link as another"),
        "{preview}"
    );
    succeeds(
        people
            .shop
            .run(&["links", "tag", "--source", "Amazon", "x-21"]),
    );
    assert_eq!(
        people.server.json("/product/get-products")["meta"]["total"],
        6,
        "none is merged"
    );
    assert_eq!(listed(&people), {
        let mut cleaned = found.clone();
        for group in [0, 1] {
            for place in [0, 1] {
                let link = [
                    "https://www.amazon.in/dp/B0ABCD1234?tag=x-21",
                    "https://www.amazon.in/s?k=x&tag=x-21",
                ][group];
                cleaned[group]["products"][place]["affiliateLink"] = link.into();
            }
        }
        cleaned
    });
}

#[test]
fn links_clean_rewrites_existing_links() {
    let (people, _) = people();
    let none = succeeds(people.shop.run(&["links", "clean"]));
    assert!(none.contains("no seller has a tag"), "{none}");
    succeeds(
        people
            .shop
            .run(&["links", "tag", "--source", "Amazon", "x-21"]),
    );
    // As a tool, or a former version, may have left it.
    let sql = "UPDATE products SET affiliate_link = 'https://www.amazon.in/dp/B000000003?tag=y' WHERE id = 'p3'";
    people.shop.database().execute(sql, []).unwrap();
    let dry = succeeds(people.shop.run(&["links", "clean", "--dry-run"]));
    assert!(dry.contains("1 of 1,001 links would change"), "{dry}");
    let done = succeeds(people.shop.run(&["links", "clean"]));
    assert!(done.contains("1 of 1,001 links changed"), "{done}");
    assert_eq!(
        links(&people)["p3"].0,
        "https://www.amazon.in/dp/B000000003?tag=x-21"
    );
    // Without the tag, links stay.
    let kept = links(&people);
    succeeds(people.shop.run(&["links", "tag", "--source", "Amazon", ""]));
    assert_eq!(links(&people), kept);
}

#[test]
fn a_tag_is_for_every_name_of_its_shop() {
    let link = |tag: &str| format!("https://www.amazon.in/dp/{}?tag={tag}", asin(7));
    let named = |number, source: &str| {
        let id = source.replace([' ', '.'], "-");
        let own = json!({"_id": id, "source": source, "affiliateLink": link("other-21")});
        product_with(number, own)
    };
    let people = People::with(
        Shop::with(&[
            named(1, "Amazon"),
            named(2, "amazon.in"),
            named(3, "Amazonia"),
        ]),
        &[],
    );
    let owner = people.join_as_admin("owner@example.com");
    let body = json!({"tag": "mine-21"});
    let changed = accepted(&people, &owner, Method::POST, "/source/Amazon/tag", &body);
    assert_eq!(changed["changed"], 2, "{changed}");
    let stored = |id: &str| links(&people)[id].0.clone();
    assert_eq!(stored("amazon-in"), link("mine-21"));
    assert_eq!(stored("Amazonia"), link("other-21"));

    // A later file with another name of the shop has the tag, too.
    let late = json!([named(4, "AMAZON India")]).to_string();
    succeeds(people.shop.import(&late, &[]));
    assert_eq!(stored("AMAZON-India"), link("mine-21"));

    let undo = format!("/product/undo/{}", changed["undo"].as_str().unwrap());
    accepted(&people, &owner, Method::POST, &undo, &json!({}));
    assert_eq!(stored("amazon-in"), link("other-21"));
}
