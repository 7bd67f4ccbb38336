//! Categories that an owner makes, renames, orders, hides and merges.

use std::io::Write as _;
use std::process::{Output, Stdio};

use reqwest::Method;
use serde_json::{Value, json};

use crate::api::product_forms::{accepted, send};
use crate::pages::server_rendering::page;
use crate::support::harness::{Shop, piped, product_with, succeeds, text};
use crate::support::people::{People, Someone, error};

/// A shop with a deal in each of three categories.
fn shop() -> (People, Someone) {
    let of = |n: usize, category: &str| {
        let title = format!("{category} thing");
        product_with(
            n,
            json!({"_id": format!("p{n}"), "category": category, "title": title}),
        )
    };
    let deals = [of(1, "Electronics"), of(2, "Books"), of(3, "Home")];
    let people = People::with(Shop::with(&deals), &[]);
    let owner = people.join_as_admin("owner@b.example");
    (people, owner)
}

fn change(people: &People, owner: &Someone, slug: &str, body: Value) -> Value {
    accepted(
        people,
        owner,
        Method::PUT,
        &format!("/category/{slug}"),
        &body,
    )
}

fn add(people: &People, owner: &Someone, body: Value) -> Value {
    let added = send(people, owner, Method::POST, "/category", &body);
    assert_eq!(added.status(), 201);
    added.json().unwrap()
}

fn add_deal(people: &People, owner: &Someone, deal: &Value) -> Value {
    let added = send(people, owner, Method::POST, "/product/add-product", deal);
    assert_eq!(added.status(), 201);
    added.json().unwrap()
}

fn merge(people: &People, owner: &Someone, slug: &str, into: &str) -> u16 {
    let path = format!("/category/{slug}?into={into}");
    send(people, owner, Method::DELETE, &path, &json!({}))
        .status()
        .as_u16()
}

fn names(people: &People) -> Vec<String> {
    let all = people.server.json("/category");
    let all = all["data"].as_array().unwrap().iter();
    all.map(|it| format!("{} {}", it["name"].as_str().unwrap(), it["products"]))
        .collect()
}

/// Returns the address that a page leads to.
fn leads_to(people: &People, path: &str) -> String {
    let answer = people.server.get(path);
    match answer.headers().get("location") {
        Some(address) => address.to_str().unwrap().to_owned(),
        None => {
            let url = answer.url();
            let query = url
                .query()
                .map_or_else(String::new, |query| format!("?{query}"));
            format!("{}{query}", url.path())
        }
    }
}

#[test]
fn a_new_shop_has_the_four_categories_of_the_specification() {
    let (people, _) = shop();
    assert_eq!(
        names(&people),
        ["Electronics 1", "Clothing 0", "Books 1", "Home 1"]
    );
}

#[test]
fn a_new_category_works_everywhere_without_a_restart() {
    let (people, owner) = shop();
    add(
        &people,
        &owner,
        json!({"name": "Toys & Games", "drawing": "gift", "ground": 6}),
    );
    let deal = product_with(
        9,
        json!({"category": "Toys & Games", "title": "A wooden train"}),
    );
    add_deal(&people, &owner, &deal);
    assert_eq!(
        people.server.titles("category=Toys+%26+Games"),
        ["A wooden train"]
    );
    assert_eq!(
        people.server.titles("search=games"),
        ["A wooden train"],
        "a word of its name"
    );
    let facets = people.server.json("/product/facets");
    assert_eq!(
        facets["categories"][4],
        json!({"name": "Toys & Games", "products": 1})
    );
    let home = page(&people.server, "/");
    assert!(home.contains("\"/category/toys-games\""), "{home}");
    let sitemap = people.server.get("/sitemap.xml").text().unwrap();
    assert!(sitemap.contains("/category/toys-games<"), "{sitemap}");
    let imported = people.shop.import(
        &json!([product_with(10, json!({"category": "Toys & Games"}))]).to_string(),
        &[],
    );
    succeeds(imported);
    assert_eq!(names(&people)[4], "Toys & Games 2");
}

#[test]
fn a_parent_lists_the_deals_of_the_categories_below_it() {
    let (people, owner) = shop();
    add(
        &people,
        &owner,
        json!({"name": "Audio", "parent": "electronics"}),
    );
    let deal = product_with(
        9,
        json!({"category": "Audio", "title": "Loud box", "price": 5_000}),
    );
    add_deal(&people, &owner, &deal);
    let by_price = "sortBy=price&order=asc&category=Electronics";
    assert_eq!(
        people.server.titles(by_price),
        ["Electronics thing", "Loud box"]
    );
    let filtered = format!("{by_price}&minPrice=10");
    assert_eq!(
        people.server.titles(&filtered),
        ["Electronics thing", "Loud box"]
    );
    assert_eq!(people.server.titles("category=Audio"), ["Loud box"]);
    let found = &people.server.list("category=Audio")[0];
    assert_eq!(found["category"], "Audio");
    assert_eq!(found["categoryPath"], json!(["Electronics", "Audio"]));
    assert_eq!(names(&people)[..2], ["Electronics 2", "Audio 1"]);
    assert_eq!(
        leads_to(&people, "/category/audio?page=2"),
        "/category/electronics/audio?page=2"
    );
}

#[test]
fn a_renamed_category_keeps_its_deals_and_its_former_name() {
    let (people, owner) = shop();
    change(&people, &owner, "books", json!({"name": "Reading"}));
    assert_eq!(people.server.titles("category=Reading"), ["Books thing"]);
    assert_eq!(people.server.titles("category=Books"), ["Books thing"]);
    assert_eq!(people.server.titles("search=reading"), ["Books thing"]);
    assert_eq!(
        people.server.list("category=Reading")[0]["category"],
        "Reading"
    );
    assert_eq!(leads_to(&people, "/category/books"), "/category/reading");
    assert_eq!(leads_to(&people, "/?category=Books"), "/?category=Reading");
    let deal = product_with(9, json!({"category": "Books"}));
    let added = add_deal(&people, &owner, &deal);
    assert_eq!(added["product"]["category"], "Reading");
    let exported = succeeds(people.shop.run(&["export"]));
    assert!(
        exported.contains("\"Reading\"") && !exported.contains("\"Books\""),
        "{exported}"
    );
    let log = send(
        &people,
        &owner,
        Method::GET,
        "/product/activity",
        &json!({}),
    );
    assert!(log.text().unwrap().contains("category.Books"));
}

#[test]
fn a_merged_category_leaves_its_deals_to_the_other() {
    let (people, owner) = shop();
    assert_eq!(merge(&people, &owner, "books", "home"), 200);
    assert_eq!(names(&people), ["Electronics 1", "Clothing 0", "Home 2"]);
    assert_eq!(people.server.list("category=Home").len(), 2);
    assert_eq!(people.server.list("search=books")[0]["category"], "Home");
    assert_eq!(leads_to(&people, "/category/books"), "/category/home");
    let checked = succeeds(people.shop.run(&["check"]));
    assert!(!checked.contains("wrong"), "{checked}");
    // The name is free for another category.
    add(&people, &owner, json!({"name": "Books"}));
    assert_eq!(people.server.list("category=Books").len(), 0);
    assert_eq!(people.server.list("category=Home").len(), 2);
}

#[test]
fn only_a_category_that_no_deal_has_had_is_removed() {
    let (people, owner) = shop();
    let refused = send(
        &people,
        &owner,
        Method::DELETE,
        "/category/books",
        &json!({}),
    );
    assert_eq!(refused.status(), 409);
    assert!(error(refused).contains("Books is in use"));
    let removed = send(
        &people,
        &owner,
        Method::DELETE,
        "/category/clothing",
        &json!({}),
    );
    assert_eq!(removed.status(), 200);
    assert_eq!(names(&people), ["Electronics 1", "Books 1", "Home 1"]);
}

#[test]
fn a_hidden_category_is_offered_nowhere_and_keeps_its_list() {
    let (people, owner) = shop();
    change(&people, &owner, "books", json!({"hidden": true}));
    assert!(!page(&people.server, "/").contains("/category/books"));
    let own = page(&people.server, "/category/books");
    assert!(own.contains("Books thing") && own.contains("noindex"));
    let sitemap = people.server.get("/sitemap.xml").text().unwrap();
    assert!(!sitemap.contains("/category/books"), "{sitemap}");
    assert_eq!(people.server.titles("category=Books"), ["Books thing"]);
    let facets = people.server.json("/product/facets");
    assert_eq!(facets["all"], 3);
    assert_eq!(facets["categories"].as_array().unwrap().len(), 3);
}

#[test]
fn categories_are_in_the_order_that_the_owner_chooses() {
    let (people, owner) = shop();
    change(&people, &owner, "home", json!({"position": 0}));
    change(&people, &owner, "electronics", json!({"position": 3}));
    assert_eq!(
        names(&people),
        ["Home 1", "Clothing 0", "Books 1", "Electronics 1"]
    );
}

#[test]
fn invalid_categories_are_refused_with_the_reason() {
    let (people, owner) = shop();
    for (body, reason) in [
        (json!({"name": "bOOKS"}), "a category Books already"),
        (json!({"name": "Audio/Video"}), "must not contain"),
        (json!({"name": "🎧".repeat(200)}), "1 to 40 characters"),
        (
            json!({"name": "Toys", "parent": "nothing"}),
            "There is no category",
        ),
        (json!({"name": "Toys", "drawing": "x"}), "no drawing"),
        (json!({"name": "Toys", "ground": 9}), "from 1 to 8"),
        (json!({}), "1 to 40 characters"),
    ] {
        let refused = send(&people, &owner, Method::POST, "/category", &body);
        assert_eq!(refused.status(), 400, "{body}");
        let answer = refused.text().unwrap();
        assert!(answer.contains(reason), "{body}: {answer}");
    }
    let own = json!({"parent": "books"});
    let refused = send(&people, &owner, Method::PUT, "/category/books", &own);
    assert!(refused.text().unwrap().contains("below itself"));
    assert_eq!(merge(&people, &owner, "books", "books"), 409);
    assert_eq!(merge(&people, &owner, "nothing", "books"), 404);
    assert_eq!(names(&people).len(), 4);
}

#[test]
fn a_shop_has_at_most_200_categories() {
    let (people, owner) = shop();
    for number in 4..200 {
        add(
            &people,
            &owner,
            json!({"name": format!("Category {number}")}),
        );
    }
    let one_more = json!({"name": "One more"});
    let refused = send(&people, &owner, Method::POST, "/category", &one_more);
    assert!(refused.text().unwrap().contains("200 categories already"));
    assert_eq!(people.server.json("/product/facets")["all"], 3);
}

#[test]
fn only_administrators_change_categories() {
    let (people, _) = shop();
    let body = json!({"name": "Toys"});
    assert_eq!(people.post("/category", &body).status(), 401);
    let editor = people.join("someone@b.example");
    let refused = send(&people, &editor, Method::POST, "/category", &body);
    assert_eq!(refused.status(), 403);
}

/// Imports deals of a category in NDJSON, and calls `meanwhile` when some of them have been read: pipes hold less.
fn import_and(people: &People, category: &str, meanwhile: impl FnOnce()) -> Output {
    let row = |n: usize| format!("{}\n", product_with(n, json!({"category": category})));
    let rows = |from: usize| (from..from + 1_200).map(row).collect::<String>();
    let mut command = people.shop.command();
    let mut import = piped(command.args(["import", "-"]).stdin(Stdio::piped()));
    let mut input = import.stdin.take().unwrap();
    input.write_all(rows(100).as_bytes()).unwrap();
    meanwhile();
    input.write_all(rows(2_000).as_bytes()).unwrap();
    drop(input);
    import.wait_with_output().unwrap()
}

#[test]
fn a_category_may_be_renamed_or_merged_while_an_import_reads_its_deals() {
    let (people, owner) = shop();
    succeeds(import_and(&people, "Books", || {
        change(&people, &owner, "books", json!({"name": "Novels"}));
    }));
    assert_eq!(names(&people)[2], "Novels 2401");
    succeeds(import_and(&people, "Novels", || {
        assert_eq!(merge(&people, &owner, "novels", "home"), 200);
    }));
    assert_eq!(
        names(&people),
        ["Electronics 1", "Clothing 0", "Home 2402"],
        "the deals are those of before"
    );
    // One that no deal has had can be removed.
    add(&people, &owner, json!({"name": "Maps"}));
    let import = import_and(&people, "Maps", || {
        let removed = send(
            &people,
            &owner,
            Method::DELETE,
            "/category/maps",
            &json!({}),
        );
        assert_eq!(removed.status(), 200);
    });
    assert_eq!(import.status.code(), Some(1));
    let said = text(&import.stderr);
    assert!(
        said.contains("a category of the file was removed meanwhile: import it again"),
        "{said}"
    );
    assert_eq!(names(&people)[2], "Home 2402");
}
