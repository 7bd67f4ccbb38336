//! Files in the office: preview, mappings by name, refused rows.

use reqwest::Method;
use reqwest::blocking::Response;
use serde_json::{Value, json};

use super::import;
use super::writers::{semicolons, xlsx};
use crate::support::harness::{product, succeeds, text};
use crate::support::people::{People, Someone};

const FILE: &str = "title,description,mrp,price,link,image,department,note\n\
    Tea,Green tea of 100 g,499,399,https://shop.example/1,https://p.example/1.jpg,Toys,x\n\
    Cup,A cup for tea of 200 ml,$5,,https://shop.example/2,https://p.example/2.jpg,Toys,\n\
    Pot,A pot for tea of 1 l,300,,https://shop.example/3,https://p.example/3.jpg,Kitchen,\n";

fn owner() -> (People, Someone) {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    (people, owner)
}

fn send(people: &People, owner: &Someone, method: Method, path: &str, body: Vec<u8>) -> Response {
    let request = people.request(method, path).header("cookie", &owner.cookie);
    let request = request.header("content-type", "application/json");
    request.body(body).send().unwrap()
}

fn preview(people: &People, owner: &Someone, query: &str, file: &[u8]) -> Value {
    let path = format!("/product/import/preview?{query}");
    let response = send(people, owner, Method::POST, &path, file.to_vec());
    let status = response.status();
    let body: Value = response.json().unwrap();
    assert_eq!(status, 200, "{body}");
    body
}

#[test]
fn an_import_preview_shows_format_columns_and_rows() {
    let (people, owner) = owner();
    let seen = preview(&people, &owner, "", FILE.as_bytes());
    assert_eq!(seen["format"], "csv");
    assert_eq!(seen["missing"], json!(["source"]));
    assert_eq!(seen["categories"], json!([{"name": "Toys", "rows": 2}]));
    let unused = json!({"name": "note", "used": false, "fields": [], "first": "x"});
    assert!(seen["columns"].as_array().unwrap().contains(&unused));
    let used = json!({"name": "mrp", "used": true, "fields": ["price"], "first": "499"});
    assert!(seen["columns"].as_array().unwrap().contains(&used));
    assert_eq!((&seen["valid"], &seen["refused"]), (&json!(0), &json!(3)));

    let seen = preview(&people, &owner, "source=Croma", FILE.as_bytes());
    assert_eq!(seen["missing"], json!([]));
    assert_eq!((&seen["valid"], &seen["refused"]), (&json!(1), &json!(2)));
    assert_eq!(seen["rows"][2]["row"], 4);
    assert_eq!(seen["rows"][2]["product"]["category"], "Home");
    assert_eq!(seen["rows"][1]["product"], Value::Null);
    let reasons = seen["rows"][1]["problems"].to_string();
    assert!(reasons.contains("is in dollars"), "{reasons}");
    let problems = seen["problems"].to_string();
    assert!(
        problems.contains("“Toys” is not one of your categories"),
        "{problems}"
    );

    let products: Vec<Value> = (1..=25).map(product).collect();
    let seen = preview(&people, &owner, "", &xlsx(&products));
    assert_eq!(seen["format"], "xlsx");
    assert_eq!(seen["rows"].as_array().unwrap().len(), 20);
    assert_eq!(seen["valid"], 25);
    assert_eq!(people.server.list("").len(), 0);

    let refused = send(
        &people,
        &owner,
        Method::POST,
        "/product/import/preview",
        b"%PDF-1.4".to_vec(),
    );
    assert_eq!(refused.status(), 400);
    assert!(
        refused
            .text()
            .unwrap()
            .contains("it is a PDF: export the products as CSV or XLSX")
    );
    let wrong = send(
        &people,
        &owner,
        Method::POST,
        "/product/import/preview?format=ods",
        vec![],
    );
    assert_eq!(wrong.status(), 400);
    let anonymous = people
        .request(Method::POST, "/product/import/preview")
        .body(FILE);
    assert_eq!(anonymous.send().unwrap().status(), 401);
}

/// Sends a file with a mapping in one form.
fn send_mapped(people: &People, owner: &Someone, path: &str, by: &Value, file: &str) -> Value {
    let form = format!(
        "--x\r\nContent-Disposition: form-data; name=\"mapping\"\r\n\r\n{by}\r\n\
         --x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\n{file}\r\n--x--\r\n"
    );
    let request = people.request(Method::POST, path);
    let request = request.header("cookie", &owner.cookie);
    let request = request.header("content-type", "multipart/form-data; boundary=x");
    request.body(form).send().unwrap().json().unwrap()
}

#[test]
fn an_import_preview_asks_for_an_ambiguous_link_column() {
    let (people, owner) = owner();
    let file = "title,description,category,source,image,price,link,url,ends\n\
        Tea of the hills,Green tea of 100 g,Home,Tea shop,https://p.example/1.jpg,5,https://tea.example/1,https://go.example/a,25/03/2027\n";
    let path = "/product/import/preview";
    let seen = preview(&people, &owner, "", file.as_bytes());
    let question = json!([{"field": "affiliateLink", "columns": ["link", "url"]}]);
    assert_eq!(seen["questions"], question);
    assert_eq!(seen["dates"], "dmy");
    // A mapping that decides something else leaves it open.
    let mut mapping = seen["mapping"].clone();
    mapping["fields"]["description"] = json!({"columns": ["title"]});
    let seen = send_mapped(&people, &owner, path, &mapping, file);
    assert_eq!(seen["questions"], question);
    let refused = send_mapped(&people, &owner, "/product/import", &mapping, file);
    let error = refused["error"].as_str().unwrap();
    assert!(error.contains("“link” and “url” could each be the link"));

    mapping["fields"]["affiliateLink"] = json!({"columns": ["url"]});
    let seen = send_mapped(&people, &owner, path, &mapping, file);
    assert_eq!(seen["questions"], json!([]));
    let link = &seen["rows"][0]["product"]["affiliateLink"];
    assert_eq!(link, "https://go.example/a");
    let done = send_mapped(&people, &owner, "/product/import", &mapping, file);
    assert_eq!(done["added"], 1, "{done}");
    let lines = done["reading"].to_string();
    assert!(lines.contains("affiliateLink ← url"), "{lines}");
    assert!(
        lines.contains("columns that are not used: description, link"),
        "{lines}"
    );
}

#[test]
fn an_import_preview_says_why_a_link_column_was_chosen() {
    let (people, owner) = owner();
    let file = "title,description,category,source,image,price,link,aff link\n\
        Tea of the hills,Green tea of 100 g,Home,Tea shop,https://p.example/1.jpg,5,https://tea.example/1,https://go.example/a\n";
    let mut seen = preview(&people, &owner, "", file.as_bytes());
    for _ in 0..2 {
        let reason = "its name says that it earns a commission";
        let reasons = json!([{"field": "affiliateLink", "message": reason}]);
        assert_eq!(seen["reasons"], reasons);
        let columns = json!({"field": "affiliateLink", "columns": ["aff link", "link"]});
        assert!(seen["sources"].as_array().unwrap().contains(&columns));
        let link = &seen["rows"][0]["product"]["affiliateLink"];
        assert_eq!(link, "https://go.example/a");
        let mut mapping = seen["mapping"].clone();
        mapping["fields"]["description"] = json!({"columns": ["title"]});
        let path = "/product/import/preview";
        seen = send_mapped(&people, &owner, path, &mapping, file);
    }
}

#[test]
fn files_of_any_format_are_imported_from_the_browser() {
    let (people, owner) = owner();
    let products = [product(1), product(2)];
    for (file, added) in [(semicolons(&products), 2), (xlsx(&products), 0)] {
        let done = send(&people, &owner, Method::POST, "/product/import", file);
        assert_eq!(done.status(), 200);
        assert_eq!(done.json::<Value>().unwrap()["added"], added);
    }
    let path = "/product/import?source=Croma&category=Home&skipInvalid=true";
    let done = send(
        &people,
        &owner,
        Method::POST,
        path,
        FILE.as_bytes().to_vec(),
    );
    let done: Value = done.json().unwrap();
    assert_eq!(
        (&done["added"], &done["skipped"]),
        (&json!(2), &json!(1)),
        "{done}"
    );
}

#[test]
fn a_saved_mapping_is_used_by_commands() {
    let (people, owner) = owner();
    let call = |method, path: &str, body: &Value| {
        let response = send(&people, &owner, method, path, body.to_string().into_bytes());
        (response.status().as_u16(), response.text().unwrap())
    };
    let seen = preview(&people, &owner, "source=Croma", FILE.as_bytes());
    let mut mapping = seen["mapping"].clone();
    mapping["fields"]["category"]["table"]["Toys"] = "Books".into();

    // With the file, before it is saved.
    let path = "/product/import/preview?source=Croma";
    let mapped = send_mapped(&people, &owner, path, &mapping, FILE);
    assert_eq!(
        mapped["rows"][0]["product"]["category"], "Books",
        "{mapped}"
    );

    let path = "/product/mappings/Tea%20shop";
    assert_eq!(call(Method::PUT, path, &mapping).0, 200);
    let names: Value =
        serde_json::from_str(&call(Method::GET, "/product/mappings", &Value::Null).1).unwrap();
    assert_eq!(names["saved"], json!(["Tea shop"]));
    let saved: Value = serde_json::from_str(&call(Method::GET, path, &Value::Null).1).unwrap();
    assert_eq!(saved, mapping);
    let seen = preview(
        &people,
        &owner,
        "source=Croma&mapping=Tea%20shop",
        FILE.as_bytes(),
    );
    assert_eq!(seen["valid"], 2);

    let options = [
        "--mapping",
        "Tea shop",
        "--source",
        "Croma",
        "--skip-invalid",
    ];
    let said = succeeds(import(&people.shop, "tea.csv", FILE.as_bytes(), &options));
    assert!(said.contains("2 added"), "{said}");
    let output = import(
        &people.shop,
        "tea.csv",
        FILE.as_bytes(),
        &["--mapping", "Coffee"],
    );
    let error = text(&output.stderr);
    assert!(
        error.contains("there is no mapping Coffee: name a file, a saved one, or one of"),
        "{error}"
    );

    for (name, body, message) in [
        ("csv", mapping.clone(), "the name of a format"),
        (
            "x",
            json!({"fields": {"titel": {"columns": ["a"]}}}),
            "which products do not have",
        ),
        ("x", json!({"fields": 1}), "fields"),
    ] {
        let (status, said) = call(Method::PUT, &format!("/product/mappings/{name}"), &body);
        assert_eq!(status, 400, "{said}");
        assert!(said.contains(message), "{said}");
    }
    assert_eq!(call(Method::DELETE, path, &Value::Null).0, 204);
    assert_eq!(call(Method::DELETE, path, &Value::Null).0, 404);
    assert_eq!(call(Method::GET, path, &Value::Null).0, 404);
    for path in ["/product/mappings", "/product/mappings/csv"] {
        assert_eq!(people.server.get(path).status(), 401);
    }
}

#[test]
fn refused_rows_are_downloaded_with_their_reasons() {
    let (people, owner) = owner();
    let path = "/product/import/refused?source=Croma";
    let response = send(
        &people,
        &owner,
        Method::POST,
        path,
        FILE.as_bytes().to_vec(),
    );
    assert_eq!(
        response.headers()["content-type"],
        "text/csv; charset=utf-8"
    );
    let csv = response.text().unwrap();
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 3, "{csv}");
    assert!(lines[0].ends_with(",note,Refused because"), "{csv}");
    assert!(lines[2].contains("is in dollars"), "{csv}");
    // The program's own format too.
    let own = json!([product(1), {"title": "Tea", "price": 5}]).to_string();
    let response = send(
        &people,
        &owner,
        Method::POST,
        "/product/import/refused",
        own.into_bytes(),
    );
    let csv = response.text().unwrap();
    assert_eq!(csv.lines().count(), 2, "{csv}");
    assert!(csv.contains("Tea"), "{csv}");
}
