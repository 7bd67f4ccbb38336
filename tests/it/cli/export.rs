//! deals export, the same for administrators, and the activity log.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::harness::{Shop, product, product_with, text};
use crate::support::people::{People, Someone};

fn ask(people: &People, someone: Option<&Someone>, path: &str) -> reqwest::blocking::Response {
    let mut request = people.request(Method::GET, path);
    if let Some(someone) = someone {
        request = request.header("cookie", &someone.cookie);
    }
    request.send().unwrap()
}

#[test]
fn an_imported_export_is_exported_again_byte_for_byte() {
    let shop = Shop::new();
    {
        let server = shop.serve_with(&["--demo"]);
        let id = server.list("")[0]["_id"].as_str().unwrap().to_owned();
        server.post(&format!("/product/increament-views/{id}"));
    }
    // Valid for updates, but not for adding.
    let rows = json!([
        product_with(
            1,
            json!({"_id": "free", "title": "x", "description": "y", "price": 0})
        ),
        product_with(
            2,
            json!({"averageRating": 4.125, "description": "Zeile\n\"quoted\" 🎉 हिन्दी"})
        ),
        product_with(2, json!({"_id": "twin", "discount": 12.5, "price": 0.07})),
        product_with(
            3,
            json!({"discount": 23, "price": 109_900, "finalPrice": 84_999})
        ),
    ]);
    let imported = shop.import(&rows.to_string(), &[]);
    assert!(imported.status.success(), "{}", text(&imported.stderr));
    for format in ["json", "ndjson"] {
        let first = shop.run(&["export", "--format", format]);
        assert!(first.status.success());
        assert_eq!(text(&first.stderr), "exported 59 products\n");
        let other = Shop::with(&[]);
        copy_categories(&shop, &other);
        let imported = other.import(&text(&first.stdout), &[]);
        assert!(imported.status.success(), "{}", text(&imported.stderr));
        let second = other.run(&["export", "--format", format]);
        assert_eq!(text(&second.stdout), text(&first.stdout));
    }
    let lines = text(&shop.run(&["export", "--format", "ndjson"]).stdout);
    assert_eq!(lines.lines().count(), 59);
}

#[test]
fn an_export_file_is_written_atomically() {
    let shop = Shop::with(&[product(1)]);
    let output = shop.run(&["export", "-o", "out.json"]);
    assert!(output.status.success());
    let written: Value =
        serde_json::from_slice(&std::fs::read(shop.file("out.json")).unwrap()).unwrap();
    assert_eq!(written.as_array().unwrap().len(), 1);
    assert!(!shop.file("out.json.part").exists());
    let output = shop.run(&["export", "-o", "missing/out.json"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("cannot write missing/out.json"));
    let output = shop.run(&["export", "--db", "nowhere.sqlite"]);
    assert!(text(&output.stderr).contains("there is no database nowhere.sqlite"));
    assert!(!shop.file("nowhere.sqlite").exists());
    let empty = Shop::with(&[]);
    assert_eq!(text(&empty.run(&["export"]).stdout), "[]\n");
}

/// OWASP ASVS 1.2.10
#[test]
fn csv_cells_are_escaped_against_formulas() {
    let shop = Shop::with(&[
        product_with(1, json!({"title": "=HYPERLINK(\"https://evil.example\")"})),
        product_with(2, json!({"title": "+1 lamp, \"blue\""})),
        product_with(3, json!({"title": "@home"})),
        product_with(4, json!({"title": "-10 % off"})),
        product_with(5, json!({"title": "＝1+1"})),
        product_with(6, json!({"title": "＋1 －1 ＠home"})),
        product_with(7, json!({"title": "\u{200b}=1+1"})),
        product_with(8, json!({"title": "\u{2060}@home"})),
    ]);
    let output = shop.run(&["export", "--format", "csv"]);
    let table = text(&output.stdout);
    let mut reader = csv::Reader::from_reader(table.trim_start_matches('\u{feff}').as_bytes());
    assert_eq!(reader.headers().unwrap().get(1), Some("title"));
    let titles: Vec<String> = reader
        .records()
        .map(|row| row.unwrap()[1].to_owned())
        .collect();
    assert_eq!(
        titles,
        [
            "'=HYPERLINK(\"https://evil.example\")",
            "'+1 lamp, \"blue\"",
            "'@home",
            "'-10 % off",
            "'＝1+1",
            "'＋1 －1 ＠home",
            "'\u{200b}=1+1",
            "'\u{2060}@home",
        ]
    );
}

#[test]
fn only_administrators_download_exports() {
    let people = People::with(Shop::with(&(0..300).map(product).collect::<Vec<_>>()), &[]);
    let asha = people.join("asha@example.com");
    let owner = people.join_as_admin("owner@example.com");
    for format in ["json", "ndjson", "csv"] {
        let path = format!("/product/export?format={format}");
        assert_eq!(ask(&people, None, &path).status(), 401);
        assert_eq!(ask(&people, Some(&asha), &path).status(), 403);
        let response = ask(&people, Some(&owner), &path);
        assert_eq!(response.status(), 200);
        let name = response.headers()["content-disposition"].to_str().unwrap();
        assert_eq!(name, format!("attachment; filename=\"products.{format}\""));
        let written = people.shop.run(&["export", "--format", format]);
        assert_eq!(response.bytes().unwrap(), written.stdout);
    }
    let response = ask(&people, Some(&owner), "/product/export?format=xml");
    assert_eq!(response.status(), 400);
}

#[test]
fn every_product_change_is_in_the_activity_log() {
    let people = People::with(Shop::with(&[product_with(1, json!({"_id": "one"}))]), &[]);
    let asha = people.join("asha@example.com");
    let owner = people.join_as_admin("owner@example.com");
    let send = |method: Method, path: &str, body: Value| {
        let request = people.request(method, path).header("cookie", &owner.cookie);
        assert!(request.json(&body).send().unwrap().status().is_success());
    };
    let changed = product_with(1, json!({"title": "New\ntitle", "price": 5}));
    send(Method::PUT, "/product/update-product/one", changed.clone());
    // The same again is no change.
    send(Method::PUT, "/product/update-product/one", changed);
    send(Method::POST, "/product/add-product", product(2));
    send(Method::DELETE, "/product/delete-product/one", json!({}));

    assert_eq!(ask(&people, None, "/product/activity").status(), 401);
    assert_eq!(ask(&people, Some(&asha), "/product/activity").status(), 403);
    let answer: Value = ask(&people, Some(&owner), "/product/activity")
        .json()
        .unwrap();
    let lines = answer["data"].as_array().unwrap();
    let told: Vec<(&str, &str)> = lines
        .iter()
        .map(|line| {
            (
                line["actor"].as_str().unwrap(),
                line["action"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("owner", "deleted"),
            ("owner", "added"),
            ("owner", "changed"),
            ("command line", "set"),
            ("command line", "imported"),
        ]
    );
    assert_eq!(lines[0]["title"], "New\ntitle");
    assert_eq!(
        lines[2]["details"],
        json!({
            "title": {"from": "Product 1", "to": "New\ntitle"},
            "price": {"from": 101, "to": 5},
            "finalPrice": {"from": 90.9, "to": 4.5},
        })
    );
    let added = json!({"person.owner@example.com": {"from": "", "to": "added as admin"}});
    assert_eq!(lines[3]["details"], added);
    assert_eq!(lines[4]["details"], json!({"added": 1, "updated": 0}));
    assert_eq!(answer["meta"]["total"], 5);
}

/// Gives a shop the categories of another one, which a file of products does not have.
fn copy_categories(from: &Shop, to: &Shop) {
    let connection = to.database();
    let file = from.db();
    connection
        .execute("ATTACH ? AS other", [file.to_str().unwrap()])
        .unwrap();
    connection
        .execute_batch(
            "INSERT INTO categories SELECT * FROM other.categories \
             WHERE key NOT IN (SELECT key FROM categories); DETACH other",
        )
        .unwrap();
}
