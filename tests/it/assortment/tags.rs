//! Tags of products: in forms, filters, bulk changes and files.

use reqwest::Method;
use serde_json::{Value, json};

use crate::api::product_forms::{accepted, send};
use crate::support::harness::{Server, Shop, product_with, succeeds, text};
use crate::support::people::{People, Someone};

fn tagged(number: usize, tags: Value) -> Value {
    product_with(number, json!({"_id": format!("p{number}"), "tags": tags}))
}

fn with_owner(products: &[Value]) -> (People, Someone) {
    let people = People::with(Shop::with(products), &[]);
    let owner = people.join_as_admin("owner@example.com");
    (people, owner)
}

fn tags_of(server: &Server, id: &str) -> Value {
    server.json(&format!("/product/product/{id}"))["product"]["tags"].clone()
}

fn in_use(people: &People, owner: &Someone) -> Value {
    let answer = send(people, owner, Method::GET, "/product/tags", &json!(null));
    assert_eq!(answer.status(), 200);
    answer.json::<Value>().unwrap()["data"].clone()
}

#[test]
fn a_product_has_each_tag_once_whatever_its_case() {
    let (people, owner) = with_owner(&[tagged(1, json!(["दीवाली"]))]);
    let mut body = product_with(
        2,
        json!({"tags": ["Diwali", "  hostel   room ", "diwali", ""]}),
    );
    let added = send(&people, &owner, Method::POST, "/product/add-product", &body);
    let added: Value = added.json().unwrap();
    let id = added["product"]["_id"].as_str().unwrap().to_owned();
    assert_eq!(added["product"]["tags"], json!(["Diwali", "hostel room"]));
    let path = format!("/product/update-product/{id}");
    body.as_object_mut().unwrap().remove("tags");
    body["title"] = "Other title".into();
    accepted(&people, &owner, Method::PUT, &path, &body);
    assert_eq!(
        tags_of(&people.server, &id),
        json!(["Diwali", "hostel room"])
    );
    body["tags"] = json!(["DIWALI", "दीवाली"]);
    accepted(&people, &owner, Method::PUT, &path, &body);
    assert_eq!(
        in_use(&people, &owner),
        json!([{"name": "दीवाली", "products": 2}, {"name": "DIWALI", "products": 1}])
    );
    let log = send(
        &people,
        &owner,
        Method::GET,
        "/product/activity",
        &json!(null),
    );
    assert!(
        text(&log.bytes().unwrap())
            .contains(r#""tags":{"from":["Diwali","hostel room"],"to":["DIWALI","दीवाली"]}"#)
    );
    send(
        &people,
        &owner,
        Method::DELETE,
        &format!("/product/delete-product/{id}"),
        &json!(null),
    );
    assert_eq!(
        in_use(&people, &owner),
        json!([{"name": "दीवाली", "products": 1}])
    );
    body["tags"] = json!(null);
    accepted(
        &people,
        &owner,
        Method::PUT,
        "/product/update-product/p1",
        &body,
    );
    assert_eq!(tags_of(&people.server, "p1"), json!(null));
    assert_eq!(people.server.get("/product/tags").status(), 401);
}

#[test]
fn lists_feeds_and_counts_are_filtered_by_all_of_the_tags() {
    let shop = Shop::with(&[
        tagged(1, json!(["Diwali"])),
        tagged(2, json!(["diwali", "Hostel room"])),
        tagged(3, json!(["hostel"])),
        tagged(4, json!([])),
    ]);
    let server = shop.serve();
    for (query, expected) in [
        ("tag=DIWALI", &["Product 2", "Product 1"][..]),
        ("tag=diwali&tag=hostel+ROOM", &["Product 2"]),
        ("tag=Diwali,+hostel+room", &["Product 2"]),
        ("tag=diwali&search=product+1", &["Product 1"]),
        ("tag=hostel&category=Books", &[]),
        ("tag=diw", &[]),
    ] {
        assert_eq!(server.titles(query), expected, "{query}");
        let facets = server.json(&format!("/product/facets?{query}"));
        assert!(
            facets["all"].as_u64().unwrap() >= expected.len() as u64,
            "{query}"
        );
        let feed = server.get(&format!("/feed.xml?{query}")).text().unwrap();
        assert_eq!(feed.matches("<entry>").count(), expected.len(), "{feed}");
    }
    let long = format!("/product/get-products?tag={}", "x".repeat(31));
    let refused = server.get(&long);
    assert_eq!(refused.status(), 400);
    let fields = refused.json::<Value>().unwrap()["fields"].clone();
    assert_eq!(
        fields["tag"],
        "tag must be at most 12 tags of at most 30 characters, separated by commas."
    );
    let page = server.get("/?tag=Hostel+room&tag=Diwali").text().unwrap();
    assert!(page.contains("Deals tagged Hostel room, Diwali"));
    assert!(page.contains(r#"<span>Hostel room, Diwali</span>"#));
    let details = server.get("/details/p2").text().unwrap();
    assert!(details.contains(r#"<a href="/?tag=Hostel+room""#));
}

#[test]
fn tags_are_added_to_and_removed_from_many_products_and_that_is_undone() {
    let full: Vec<_> = (0..12).map(|n| format!("t{n}")).collect();
    let (people, owner) = with_owner(&[
        tagged(1, json!(["Diwali"])),
        tagged(2, json!(["hostel"])),
        tagged(3, json!(full)),
    ]);
    let server = &people.server;
    let bulk = |action: &str, value: Value| {
        let body = json!({"ids": ["p1", "p2", "p3"], "action": action, "value": value});
        send(&people, &owner, Method::POST, "/product/bulk", &body)
    };
    let added: Value = bulk("addTags", json!(["DIWALI", "New"])).json().unwrap();
    assert_eq!(added["changed"], 2, "one has 12 already");
    assert_eq!(tags_of(server, "p1"), json!(["Diwali", "New"]));
    assert_eq!(server.titles("tag=new"), ["Product 2", "Product 1"]);
    let removed: Value = bulk("removeTags", json!(["diwali"])).json().unwrap();
    assert_eq!(removed["changed"], 2);
    assert_eq!(tags_of(server, "p2"), json!(["hostel", "New"]));
    assert_eq!(server.titles("tag=diwali"), [""; 0]);
    let undo = format!("/product/undo/{}", removed["undo"].as_str().unwrap());
    assert_eq!(
        send(&people, &owner, Method::POST, &undo, &json!({})).status(),
        200
    );
    assert_eq!(tags_of(server, "p2"), json!(["hostel", "DIWALI", "New"]));
    assert_eq!(server.titles("tag=diwali"), ["Product 2", "Product 1"]);
    for value in [json!([]), json!(null), json!([7]), json!(["a,b"])] {
        let refused = bulk("addTags", value);
        assert_eq!(refused.status(), 400);
        assert!(refused.json::<Value>().unwrap()["fields"]["value"].is_string());
    }
}

#[test]
fn files_carry_tags_both_ways() {
    let shop = Shop::new();
    let columns = "title,description,price,discount,category,source,affiliateLink,images";
    let row = |number: usize, tags: &str| {
        format!(
            "Product {number},Description of it,100,0,Books,Shop,https://shop.example/{number},\
             https://pictures.example/{number}.jpg,\"{tags}\"\n"
        )
    };
    let import = |header: &str, rows: &str| {
        let file = shop.file("deals.csv");
        std::fs::write(&file, format!("{columns}{header}\n{rows}")).unwrap();
        succeeds(shop.run(&["import", file.to_str().unwrap()]))
    };
    let rows = [
        row(1, "Diwali, hostel | DIWALI"),
        row(2, r#"[""a"", ""b c""]"#),
        row(3, ""),
    ];
    assert!(import(",tags", &rows.concat()).contains("3 added"));
    let exported = || -> Value { serde_json::from_str(&succeeds(shop.run(&["export"]))).unwrap() };
    let tags = |products: &Value| -> Vec<Value> {
        let products = products.as_array().unwrap().iter();
        products.map(|product| product["tags"].clone()).collect()
    };
    let expected = [json!(["Diwali", "hostel"]), json!(["a", "b c"]), json!([])];
    assert_eq!(tags(&exported()), expected);
    // Without the column they stay; both kinds of export are imported without a change.
    let bare = row(1, "").replace(",\"\"", "");
    assert!(import("", &bare).contains("1 unchanged"));
    for format in ["csv", "json"] {
        let file = shop.file(&format!("export.{format}"));
        let written = shop.run(&["export", "--format", format]).stdout;
        std::fs::write(&file, written).unwrap();
        let said = succeeds(shop.run(&["import", file.to_str().unwrap()]));
        assert!(said.contains("3 unchanged"), "{said}");
    }
    assert!(import(",tags", &row(2, "")).contains("1 updated"));
    assert_eq!(tags(&exported())[1], json!([]));
    // Of other shops, what fits is taken.
    let many = (0..14)
        .map(|n| format!("t{n}"))
        .collect::<Vec<_>>()
        .join(", ");
    let table = format!(
        "Name,MRP,Category,Link,Image,Seller,Tags\nLamp,100,Books,https://shop.example/9,\
         https://pictures.example/9.jpg,Shop,\"{}, {many}\"\n",
        "x".repeat(31)
    );
    std::fs::write(shop.file("shop.csv"), table).unwrap();
    succeeds(shop.run(&["import", shop.file("shop.csv").to_str().unwrap()]));
    let exported = exported();
    let last = &exported.as_array().unwrap().last().unwrap()["tags"];
    assert_eq!(last.as_array().unwrap().len(), 12);
    assert_eq!(last[0], "t0");
}
