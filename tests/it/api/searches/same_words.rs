//! The owner's words for the same thing.

use serde_json::{Value, json};

use crate::pages::server_rendering::page;
use crate::support::harness::{Server, Shop, product_with, succeeds, text};
use crate::support::people::People;

fn shop() -> Shop {
    let titles = [
        "Nauvari lugda",
        "Banarasi saree",
        "Linen kurta",
        "Anarkali set",
        "Headphones",
    ];
    let products: Vec<Value> = (0..)
        .zip(titles)
        .map(|(n, title)| product_with(n, json!({"title": title, "description": "Good to have."})))
        .collect();
    Shop::with(&products)
}

fn found(server: &Server, search: &str) -> (Vec<String>, Value) {
    let answer = server.json(&format!("/product/get-products?search={search}"));
    let titles = answer["data"].as_array().unwrap().iter();
    let mut titles: Vec<String> = titles
        .map(|product| product["title"].as_str().unwrap().to_owned())
        .collect();
    titles.sort();
    (titles, answer["meta"]["also"].clone())
}

fn set(shop: &Shop, lines: &str) -> std::process::Output {
    shop.run(&["settings", "set", &format!("sameWords={lines}")])
}

#[test]
fn near_kinds_of_a_thing_are_found_after_it() {
    let titles = [
        "Leather sandal",
        "House slippers",
        "Track pants",
        "Round clutch",
        "Wooden wardrobe",
        "Silk stole",
        "Frying pan",
        "Pan/Tilt camera",
        "Oil lamp",
        "Cotton vest",
        "Gold bangle",
    ];
    let products: Vec<Value> = (1..)
        .zip(titles)
        .map(|(n, title)| product_with(n, json!({"title": title, "description": "Good to have."})))
        .collect();
    let shop = Shop::with(&products);
    let server = shop.serve();
    for (search, titles, also) in [
        (
            "slipper",
            vec!["House slippers", "Leather sandal"],
            vec!["sandal"],
        ),
        ("handbag", vec!["Round clutch"], vec!["clutch"]),
        ("almari", vec!["Wooden wardrobe"], vec!["wardrobe"]),
        ("chuni", vec!["Silk stole"], vec!["stole"]),
        ("kadhai", vec!["Frying pan"], vec!["frypan"]),
        ("diya", vec!["Oil lamp"], vec!["lamp"]),
        ("banian", vec!["Cotton vest"], vec!["vest"]),
        ("kada", vec!["Gold bangle"], vec!["bangle"]),
        // Another word that titles write as two.
        ("jogger", vec!["Track pants"], vec!["trackpant"]),
    ] {
        let search = format!("search={search}&sortBy=relevance");
        assert_eq!(server.titles(&search), titles, "{search}");
        let answer = server.json(&format!("/product/get-products?{search}"));
        assert_eq!(answer["meta"]["also"], json!(also), "{search}");
    }
}

#[test]
fn the_owners_words_are_in_force_at_once() {
    let shop = shop();
    let server = shop.serve();
    let sarees = vec!["Banarasi saree".to_owned(), "Nauvari lugda".to_owned()];
    assert_eq!(
        found(&server, "lugda"),
        (vec!["Nauvari lugda".to_owned()], Value::Null)
    );
    succeeds(set(&shop, "Lugda = saree\n# a kind\nkurta > anarkali"));
    assert_eq!(found(&server, "lugda"), (sarees.clone(), json!(["saree"])));
    assert_eq!(found(&server, "saree"), (sarees.clone(), json!(["lugda"])));
    // Another spelling of a word of the line, which the shop knows.
    assert_eq!(found(&server, "sari"), (sarees, json!(["saree", "lugda"])));
    assert_eq!(found(&server, "kurta").0, ["Anarkali set", "Linen kurta"]);
    assert_eq!(found(&server, "anarkali").0, ["Anarkali set"]);
    assert_eq!(server.json("/product/facets?search=lugda")["all"], 2);
    assert!(page(&server, "/?search=lugda").contains("2 deals · also “saree”"));
    succeeds(set(&shop, ""));
    assert_eq!(found(&server, "lugda").0, ["Nauvari lugda"]);
}

#[test]
fn wrong_lines_of_words_are_refused_with_their_number_and_reason() {
    let people = People::with(shop(), &[]);
    let owner = people.join_as_admin("root@example.com");
    let put = |lines: Value| {
        let version = people.server.json("/settings")["version"].clone();
        let request = people.server.client().put(people.server.url("/settings"));
        let request = request.bearer_auth(&owner.token);
        let answer = request
            .json(&json!({"version": version, "sameWords": lines}))
            .send()
            .unwrap();
        (answer.status().as_u16(), answer.json::<Value>().unwrap())
    };
    let (status, saved) = put(json!("lugda = saree"));
    assert_eq!(
        (status, &saved["sameWords"]),
        (200, &json!("lugda = saree"))
    );
    let (status, refused) = put(json!(
        "lugda = saree\nsaree\nkurta > kurti > top\nblack tee = tshirt"
    ));
    assert_eq!(status, 400);
    assert_eq!(
        refused["fields"]["sameWords"],
        "Line 2: write it like saree = sari, or kurta > kurti. \
         Line 3: give each kind a line of its own. Line 4: “black tee” must be one word."
    );
    let many: Vec<String> = (0..201).map(|n| format!("a{n} = b{n}")).collect();
    for lines in [json!(3), json!(["a = b"]), json!(many.join("\n"))] {
        assert_eq!(put(lines).0, 400);
    }
    let wrong: Vec<String> = (0..9).map(|n| format!("a{n}")).collect();
    let (_, refused) = put(json!(wrong.join("\n")));
    let message = refused["fields"]["sameWords"].as_str().unwrap();
    assert!(message.ends_with("And 4 more."), "{message}");
    let activity = people.request(reqwest::Method::GET, "/product/activity");
    let activity: Value = activity
        .bearer_auth(&owner.token)
        .send()
        .unwrap()
        .json()
        .unwrap();
    assert_eq!(
        activity["data"][0]["details"],
        json!({"sameWords": {"from": "", "to": "lugda = saree"}})
    );
    // A refused change leaves the saved words.
    assert_eq!(
        people.server.json("/settings")["sameWords"],
        "lugda = saree"
    );
}

#[test]
fn the_command_line_sets_the_owners_words_from_a_file() {
    let shop = shop();
    let wrong = set(&shop, "lugda");
    assert_eq!(wrong.status.code(), Some(2));
    assert!(
        text(&wrong.stderr).contains("Line 1: write it like saree = sari"),
        "{}",
        text(&wrong.stderr)
    );
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "lugda = saree\nkurta > anarkali\n").unwrap();
    let file = format!("@{}", file.path().display());
    succeeds(set(&shop, &file));
    let told = shop.run(&["settings", "get", "sameWords"]);
    assert_eq!(text(&told.stdout), "lugda = saree\nkurta > anarkali\n");
    let all = shop.run(&["settings", "get"]);
    assert!(
        text(&all.stdout).contains("sameWords    2 lines"),
        "{}",
        text(&all.stdout)
    );
}
