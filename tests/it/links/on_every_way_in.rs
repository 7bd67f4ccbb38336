//! Links are cleaned and tagged on every way in.

use reqwest::Method;
use serde_json::{Value, json};

use crate::api::product_forms::{accepted, send, shop};
use crate::support::harness::{misused, product_with, succeeds};
use crate::support::people::{People, Someone, error};

const COPIED: &str = "https://www.amazon.in/Any-Title/dp/B0ABCD1234/ref=sr_1_1?tag=other-21&qid=1";
const STORED: &str = "https://www.amazon.in/dp/B0ABCD1234?tag=x-21";

fn read(people: &People, owner: &Someone, link: &str, source: &str) -> Value {
    let body = json!({"link": link, "source": source});
    accepted(people, owner, Method::POST, "/product/link", &body)
}

fn add(people: &People, owner: &Someone, number: usize, changes: Value) -> Value {
    let body = product_with(number, changes);
    let response = send(people, owner, Method::POST, "/product/add-product", &body);
    assert_eq!(response.status(), 201);
    response.json::<Value>().unwrap()
}

fn link_of(people: &People, id: &str) -> Value {
    people.server.json(&format!("/product/product/{id}"))["product"]["affiliateLink"].clone()
}

#[test]
fn the_affiliate_tag_is_set_in_links_of_forms_api_and_imports() {
    let (people, owner) = shop();
    let untouched = add(&people, &owner, 2, json!({"affiliateLink": COPIED}));
    assert_eq!(untouched["product"]["affiliateLink"], COPIED);
    let id = untouched["product"]["_id"].as_str().unwrap();

    let said = succeeds(
        people
            .shop
            .run(&["links", "tag", "--source", "Amazon", "x-21"]),
    );
    assert!(said.contains("1 of 2 links changed"), "{said}");
    assert_eq!(link_of(&people, id), STORED);

    // Adding the same product again, by another copy of its link.
    let again = add(
        &people,
        &owner,
        3,
        json!({"affiliateLink": "https://m.amazon.in/gp/aw/d/B0ABCD1234?x=1"}),
    );
    assert_eq!(again["product"]["affiliateLink"], STORED);
    assert_eq!(again["duplicateOf"], id);
    let unique = send(
        &people,
        &owner,
        Method::POST,
        "/product/add-product?unique=true",
        &product_with(4, json!({"affiliateLink": COPIED})),
    );
    assert_eq!(unique.status(), 409);

    // Changing one.
    let other = "https://www.amazon.in/x/dp/B0ABCD9999?tag=other-21";
    let body = product_with(3, json!({"affiliateLink": other}));
    let path = format!(
        "/product/update-product/{}",
        again["product"]["_id"].as_str().unwrap()
    );
    let changed = accepted(&people, &owner, Method::PUT, &path, &body);
    let cleaned = "https://www.amazon.in/dp/B0ABCD9999?tag=x-21";
    assert_eq!(changed["product"]["affiliateLink"], cleaned);

    // A file, by both ways: the row is the product with the clean link.
    let row = json!([product_with(
        5,
        json!({"affiliateLink": COPIED, "title": "From a file"})
    )]);
    let said = succeeds(people.shop.import(&row.to_string(), &[]));
    assert!(said.contains("1 updated"), "{said}");
    assert_eq!(link_of(&people, id), STORED);
    let row = json!([product_with(
        6,
        json!({"affiliateLink": COPIED, "title": "Uploaded"})
    )]);
    let report = accepted(&people, &owner, Method::POST, "/product/import", &row);
    assert_eq!(
        (&report["added"], &report["updated"]),
        (&json!(0), &json!(1))
    );

    // A link that is not understood, or of another shop, stays byte for byte.
    for link in [
        "https://unknown.example/dp/B0ABCD1234?tag=other-21",
        "https://amzn.in/d/abc",
        "https://www.flipkart.com/x/p/itm12345678?pid=ABC&affid=them",
    ] {
        let added = add(&people, &owner, 7, json!({"affiliateLink": link}));
        assert_eq!(added["product"]["affiliateLink"], link);
    }
}

#[test]
fn reading_a_link_reports_seller_product_tag_and_duplicate() {
    let (people, owner) = shop();
    let known = read(&people, &owner, COPIED, "");
    assert_eq!(known["link"], COPIED);
    assert_eq!(
        (&known["seller"], &known["productId"]),
        (&json!("Amazon"), &json!("B0ABCD1234"))
    );
    assert_eq!(
        (&known["replacedTag"], &known["duplicateOf"]),
        (&Value::Null, &Value::Null)
    );

    succeeds(people.shop.run(&["settings", "set", "tag.Amazon=x-21"]));
    let added = add(&people, &owner, 2, json!({"affiliateLink": COPIED}));
    let wrapped = "https://linksredirect.com/?cid=1&url=https%3A%2F%2Fwww.amazon.in%2Fdp%2FB0ABCD1234%3Ftag%3Dnet-21";
    for (link, network, tag) in [
        (COPIED, Value::Null, "other-21"),
        (wrapped, json!("Cuelinks"), "net-21"),
    ] {
        let known = read(&people, &owner, link, "");
        assert_eq!(known["link"], STORED);
        assert_eq!(
            (&known["network"], &known["replacedTag"]),
            (&network, &json!(tag))
        );
        assert_eq!(known["duplicateOf"], added["product"]["_id"]);
    }
    // The name that the shop's deals have, and the shop's own one without any.
    let flipkart = "https://www.flipkart.com/x/p/itm12345678?pid=ABCD12345678";
    assert_eq!(read(&people, &owner, flipkart, "")["seller"], "Flipkart");
    add(
        &people,
        &owner,
        3,
        json!({"source": "flipkart.com", "affiliateLink": flipkart}),
    );
    assert_eq!(
        read(&people, &owner, flipkart, "")["seller"],
        "flipkart.com"
    );
    let short = read(&people, &owner, "https://amzn.in/d/abc", "");
    assert_eq!(
        (&short["short"], &short["seller"]),
        (&json!(true), &json!("Amazon"))
    );

    let wrong = send(
        &people,
        &owner,
        Method::POST,
        "/product/link",
        &json!({"link": "amazon"}),
    );
    assert_eq!(wrong.status(), 400);
    let anonymous = people.post("/product/link", &json!({"link": COPIED}));
    assert_eq!(anonymous.status(), 401);
    let user = people.join("asha@example.com");
    let refused = send(
        &people,
        &user,
        Method::POST,
        "/product/link",
        &json!({"link": COPIED}),
    );
    assert_eq!(refused.status(), 403);
}

#[test]
fn an_invalid_tag_or_shop_is_refused_without_changes() {
    let (people, owner) = shop();
    let said = misused(
        people
            .shop
            .run(&["links", "tag", "--source", "Amazon", "x 21"]),
    );
    assert!(said.contains("A tag has no spaces"), "{said}");
    let tag = |source: &str, tag: &str| {
        let path = format!("/source/{source}/tag");
        let response = send(&people, &owner, Method::POST, &path, &json!({"tag": tag}));
        assert_eq!(response.status(), 400, "{source}");
        error(response)
    };
    assert!(tag("Amazon", "x 21").contains("A tag has no spaces"));
    assert!(tag("Amazon", "tag=x-21").contains("without the parameter's name"));
    assert!(tag("Corner%20shop", "me").contains("Add it under Other sellers"));
    assert!(tag("Myntra", "me").contains("Where links of Myntra have a tag is not known"));
    let unknown = send(&people, &owner, Method::POST, "/source/Amazon", &json!({}));
    assert_eq!(unknown.status(), 404);
    let sources = accepted_sources(&people, &owner);
    assert_eq!(sources["data"][0]["tag"], "");

    let version = sources["version"].clone();
    let shop = |changes: Value| {
        let mut shop = json!({"name": "Corner", "hosts": ["corner.example"],
            "productId": "/p/{id}", "tagParameter": "ref"});
        for (name, value) in changes.as_object().unwrap() {
            shop[name] = value.clone();
        }
        let body = json!({"version": version, "shops": [shop]});
        send(&people, &owner, Method::PUT, "/settings", &body)
    };
    for (changes, words) in [
        (
            json!({"productId": "/p/"}),
            "Write where the product's id is",
        ),
        (
            json!({"productId": "/{id}"}),
            "each page of Corner would be a product",
        ),
        (json!({"hosts": []}), "Corner needs 1 to 10 hosts"),
        (json!({"tagParameter": "a b"}), "must be a name like tag"),
        (json!({"name": ""}), "needs the name of its seller"),
    ] {
        let said = error(shop(changes));
        assert!(said.contains(words), "{said}");
    }
    assert_eq!(shop(json!({})).status(), 200);
    succeeds(
        people
            .shop
            .run(&["links", "tag", "--source", "Corner", "me"]),
    );
    let link = "https://www.corner.example/lamp/p/77?ref=them&colour=red";
    let added = add(
        &people,
        &owner,
        2,
        json!({"source": "Corner", "affiliateLink": link}),
    );
    let stored = "https://corner.example/lamp/p/77?ref=me";
    assert_eq!(added["product"]["affiliateLink"], stored);
    let public = people.server.get("/settings").text().unwrap();
    assert!(
        !public.contains("corner.example") && !public.contains("\"me\""),
        "{public}"
    );
}

fn accepted_sources(people: &People, owner: &Someone) -> Value {
    let request = people.request(Method::GET, "/settings/sources");
    let response = request.header("cookie", &owner.cookie).send().unwrap();
    response.json().unwrap()
}
