//! Sections of the home page.

use jiff::Timestamp;
use reqwest::Method;
use serde_json::{Value, json};

use crate::api::pictures::{path_of, picture, uploaded};
use crate::api::product_forms::send as send_to;
use crate::pages::server_rendering::page;
use crate::support::harness::{Shop, misused, product_with, succeeds, wait_until};
use crate::support::people::{People, Someone};

/// Twelve deals of three sellers and four categories.
fn shop() -> (People, Someone) {
    let sellers = ["Croma", "Myntra", "Ajio"];
    let categories = ["Electronics", "Clothing", "Books", "Home"];
    let deal = |n: usize| {
        let changes = json!({
            "_id": format!("d{n}"), "title": format!("Deal {n}"), "source": sellers[n % 3],
            "category": categories[n % 4], "affiliateLink": format!("https://shop.example/{n}"),
        });
        product_with(n, changes)
    };
    let deals: Vec<Value> = (0..12).map(deal).collect();
    let people = People::with(Shop::with(&deals), &[]);
    let owner = people.join_as_admin("owner@example.com");
    (people, owner)
}

fn send(
    people: &People,
    owner: &Someone,
    method: Method,
    path: &str,
    body: &Value,
) -> (u16, Value) {
    let answer = send_to(people, owner, method, path, body);
    (answer.status().as_u16(), answer.json().unwrap())
}

fn save(people: &People, owner: &Someone, sections: &Value) -> (u16, Value) {
    let version = people.server.json("/settings")["version"].clone();
    let body = json!({ "version": version, "frontPage": sections });
    send(people, owner, Method::PUT, "/settings", &body)
}

fn kinds(home: &Value) -> Vec<&str> {
    let sections = home["sections"].as_array().unwrap();
    let kinds = sections.iter().map(|it| it["kind"].as_str().unwrap());
    kinds.collect()
}

#[test]
fn sections_stand_above_the_list_in_their_order() {
    let (people, owner) = shop();
    let server = &people.server;
    let usual = page(server, "/");
    assert_eq!(server.json("/product/home")["sections"], Value::Null);
    let sections = json!([
        { "kind": "text", "title": "Welcome", "text": "We *check* each <b>price</b>." },
        { "kind": "category", "name": "Books", "deals": 3 },
        { "kind": "seller", "name": "Croma", "title": "Our <favourite>" },
        { "kind": "ending" },
        { "kind": "seller", "name": "Nobody" },
        { "kind": "newest", "deals": 4 },
    ]);
    let (status, saved) = save(&people, &owner, &sections);
    assert_eq!(status, 200, "{saved}");
    assert_eq!(
        saved["frontPage"][3],
        json!({ "kind": "ending", "deals": 6 })
    );
    let home = server.json("/product/home");
    // Nothing ends soon, and nobody sells.
    assert_eq!(kinds(&home), ["text", "category", "seller", "newest"]);
    assert_eq!(home["sections"][1]["link"], "/?category=Books");
    let deals = home["sections"].as_array().unwrap().iter();
    let deals: Vec<usize> = deals
        .map(|it| it["products"].as_array().map_or(0, Vec::len))
        .collect();
    assert_eq!(deals, [0, 3, 4, 4]);
    let shown = page(server, "/");
    let shown = shown.split_once("id=\"served\"").unwrap().0;
    let parts = [
        "<h2>Welcome</h2>",
        "<p>We <em>check</em> each price.</p>",
        "<h2>Books</h2><a href=\"/?category=Books\">All of them</a>",
        "<h2>Our &lt;favourite&gt;</h2><a href=\"/?source=Croma\"",
        "<h2>Newest</h2>",
        "id=\"deals\"",
        "aria-label=\"Pages\"",
    ];
    let places = parts.map(|part| {
        shown
            .find(part)
            .unwrap_or_else(|| panic!("{part}: {shown}"))
    });
    assert!(places.is_sorted(), "{places:?}");
    assert!(!shown.contains("class=\"best\"") && !shown.contains("Ending soon</h2>"));
    // Only the home page has them.
    assert!(!page(server, "/?category=Books").contains("Welcome"));
    let (status, _) = save(&people, &owner, &json!([]));
    assert_eq!(status, 200);
    assert_eq!(page(server, "/"), usual);
}

#[test]
fn a_refused_section_changes_nothing_and_names_its_field() {
    let (people, owner) = shop();
    let gone = format!("/picture/{}-9x9.webp", "0".repeat(32));
    for (section, field, said) in [
        (
            json!({ "kind": "banner", "picture": "https://a.example/b.png", "alt": "Sale", "link": "javascript:alert(1)" }),
            "link",
            "like /pages/about or https://example.com",
        ),
        (
            json!({ "kind": "banner", "picture": "javascript:x", "alt": "Sale" }),
            "picture",
            "one of the shop",
        ),
        (
            json!({ "kind": "banner", "picture": gone, "alt": "Sale" }),
            "picture",
            "Upload it again.",
        ),
        (
            json!({ "kind": "category", "name": "Toys" }),
            "name",
            "There is no category Toys.",
        ),
        (
            json!({ "kind": "newest", "deals": 13 }),
            "deals",
            "from 3 to 12",
        ),
    ] {
        let (status, answer) = save(&people, &owner, &json!([{ "kind": "picks" }, section]));
        assert_eq!(status, 400);
        let errors = answer["fields"]
            .as_object()
            .unwrap_or_else(|| panic!("{answer}"));
        let message = errors[&format!("frontPage[1].{field}")].as_str().unwrap();
        assert!(
            message.starts_with("Section no. 2: ") && message.contains(said),
            "{message}"
        );
    }
    let thirteen: Vec<Value> = (0..13)
        .map(|n| json!({ "kind": "text", "text": n.to_string() }))
        .collect();
    let (status, answer) = save(&people, &owner, &json!(thirteen));
    assert_eq!(status, 400);
    assert!(
        answer["fields"]["frontPage"]
            .as_str()
            .unwrap()
            .contains("at most 12")
    );
    assert_eq!(people.server.json("/settings")["frontPage"], json!([]));
}

#[test]
fn the_most_clicked_of_the_week_are_those_that_people_clicked() {
    let (people, owner) = shop();
    let database = people.shop.database();
    let now = (Timestamp::now().as_second() + 19_800) / 3_600;
    for (id, hour, classification, clicks) in [
        ("d3", now - 2, 0, 5),
        ("d7", now - 167, 0, 9),
        ("d1", now - 169, 0, 50),
        ("d2", now - 1, 2, 70),
        ("d4", now - 3, 0, 2),
        ("d3", now - 100, 0, 3),
    ] {
        let sql = "INSERT OR IGNORE INTO clicked_products (id, title, source, category) \
                   VALUES (?, 'x', 'x', 'Books')";
        database.execute(sql, [id]).unwrap();
        let sql = "INSERT INTO click_sums SELECT 1000000 + ?, number * 2048 + ?, ? \
                   FROM clicked_products WHERE id = ?";
        database
            .execute(sql, (hour, classification, clicks, id))
            .unwrap();
    }
    let sections = json!([{ "kind": "clicked", "deals": 12 }]);
    assert_eq!(save(&people, &owner, &sections).0, 200);
    let home = people.server.json("/product/home");
    let section = &home["sections"][0];
    let ids = section["products"].as_array().unwrap().iter();
    let ids: Vec<&str> = ids.map(|it| it["_id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["d7", "d3", "d4"]);
    assert_eq!(section["link"], "/?sortBy=clicks");
    assert!(page(&people.server, "/").contains("<h2>Most clicked this week</h2>"));
}

#[test]
fn a_preview_shows_unsaved_sections_to_administrators_only() {
    let (people, owner) = shop();
    let path = "/settings/front-page/preview";
    let body = json!({ "frontPage": [{ "kind": "newest" }, { "kind": "categories" }] });
    let (status, home) = send(&people, &owner, Method::POST, path, &body);
    assert_eq!((status, kinds(&home)), (200, vec!["newest", "categories"]));
    assert_eq!(people.server.json("/settings")["frontPage"], json!([]));
    assert_eq!(people.server.json("/product/home")["sections"], Value::Null);
    let (status, answer) = send(
        &people,
        &owner,
        Method::POST,
        path,
        &json!({ "frontPage": [{ "kind": "text" }] }),
    );
    assert_eq!(status, 400);
    assert_eq!(
        answer["fields"]["frontPage[0].text"],
        "Section no. 1: Add a text."
    );
    let user = people.join("user@example.com");
    assert_eq!(send(&people, &user, Method::POST, path, &body).0, 403);
}

#[test]
fn the_picture_of_a_banner_is_kept() {
    let (people, owner) = shop();
    let [used, unused] = [90, 91].map(|side| uploaded(&people, &owner, &picture(side, 9)));
    let banner =
        json!([{ "kind": "banner", "picture": used, "alt": "Sale", "link": "/pages/about" }]);
    let (status, saved) = save(&people, &owner, &banner);
    assert_eq!(
        (status, &saved["frontPage"][0]["picture"]),
        (200, &json!(path_of(&used)))
    );
    let shown = page(&people.server, "/");
    assert!(
        shown.contains("<a href=\"/pages/about\" class=\"banner\">"),
        "{shown}"
    );
    assert!(shown.contains("alt=\"Sale\"") && shown.contains("width=\"90\" height=\"9\""));
    let age = "UPDATE pictures SET used_at = used_at - 8 * 86400000";
    people.shop.database().execute(age, []).unwrap();
    let (_, people) = people.restart();
    let status = |address: &str| people.server.get(path_of(address)).status().as_u16();
    wait_until("the other picture is deleted", || status(&unused) == 404);
    assert_eq!(status(&used), 200);
}

#[test]
fn sections_are_set_on_the_command_line_and_read_in_the_log() {
    let (people, owner) = shop();
    let set = |value: &str| people.shop.run(&["settings", "set", value]);
    let sections = r#"[{"kind":"category","name":"Books","deals":4}]"#;
    succeeds(set(&format!("frontPage={sections}")));
    let told = succeeds(people.shop.run(&["settings", "get", "frontPage"]));
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(
        told,
        json!([{ "kind": "category", "deals": 4, "name": "Books" }])
    );
    let home = people.server.json("/product/home");
    assert_eq!(home["sections"][0]["title"], "Books");
    let (_, log) = send(
        &people,
        &owner,
        Method::GET,
        "/product/activity",
        &Value::Null,
    );
    assert!(
        log["data"][0]["details"]["frontPage"]["to"][0]["name"] == "Books",
        "{log}"
    );
    let refused = misused(set(r#"frontPage=[{"kind":"seller"}]"#));
    assert!(refused.contains(": Choose one."), "{refused}");
    succeeds(set("frontPage="));
    assert_eq!(people.server.json("/product/home")["sections"], Value::Null);
}

#[test]
fn a_section_shows_a_collection_while_it_runs_in_its_order() {
    let (people, owner) = shop();
    let server = &people.server;
    let listed = server.json("/product/get-products?limit=4")["data"].clone();
    let ids = |deals: &Value| -> Vec<Value> {
        let deals = deals.as_array().unwrap().iter();
        deals.map(|deal| deal["_id"].clone()).collect()
    };
    let mut chosen = ids(&listed);
    chosen.rotate_left(1);
    let body = json!({ "name": "Diwali deals", "products": chosen });
    let (status, added) = send(&people, &owner, Method::POST, "/collection", &body);
    assert_eq!(status, 201, "{added}");
    let shown = json!({ "kind": "collection", "name": "diwali-deals", "deals": 3 });
    let other = json!({ "kind": "collection", "name": "other" });
    let (status, refused) = save(&people, &owner, &json!([shown, other]));
    assert_eq!(status, 400);
    let message = "Section no. 2: There is no collection other.";
    assert_eq!(refused["fields"]["frontPage[1].name"], message);
    let (status, saved) = save(&people, &owner, &json!([shown]));
    assert_eq!(status, 200, "{saved}");
    let home = server.json("/product/home");
    assert_eq!(kinds(&home), ["collection"]);
    let section = &home["sections"][0];
    assert_eq!(section["title"], "Diwali deals");
    assert_eq!(section["link"], "/collection/diwali-deals");
    assert_eq!(ids(&section["products"]), chosen[..3]);
    let heading = "<h2>Diwali deals</h2><a href=\"/collection/diwali-deals\"";
    assert!(page(server, "/").contains(heading));

    let over =
        json!({ "version": added["collection"]["version"], "endsAt": "2020-01-01T00:00:00Z" });
    let path = "/collection/diwali-deals";
    let (status, changed) = send(&people, &owner, Method::PUT, path, &over);
    assert_eq!(status, 200, "{changed}");
    assert_eq!(kinds(&server.json("/product/home")), Vec::<&str>::new());
}
