//! The API's description as other people's tools use it: linted, and made into a client.

use std::fs;
use std::process::Command;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::harness::{Shop, product, product_with};
use crate::support::npm::{assert_success, folder, install};
use crate::support::people::People;

fn operations(document: &Value) -> impl Iterator<Item = (&String, &String, &Value)> {
    let paths = document["paths"].as_object().unwrap();
    paths.iter().flat_map(|(path, item)| {
        let operations = item.as_object().unwrap();
        operations
            .iter()
            .map(move |(method, operation)| (path, method, operation))
    })
}

#[test]
fn a_generated_client_lists_adds_and_updates_products() {
    let people = People::with(Shop::with(&[product(1), product(2)]), &[]);
    let token = people.join_as_admin("owner@b.example").token;
    let client = folder("tests/client");
    install(&client);
    fs::create_dir_all(client.join("generated")).unwrap();
    let description = people.server.get("/openapi.json").text().unwrap();
    fs::write(client.join("generated/openapi.json"), description).unwrap();
    for script in ["lint", "generate", "compile"] {
        let output = Command::new("npm")
            .args(["run", "--silent", script])
            .current_dir(&client)
            .output()
            .unwrap();
        assert_success(script, &output);
    }
    let output = Command::new("node")
        .args(["generated/script.js", &people.server.url(""), &token])
        .current_dir(&client)
        .output()
        .unwrap();
    assert_success("the script", &output);
}

#[test]
fn each_openapi_operation_has_a_verb_and_a_sentence() {
    const VERBS: [&str; 39] = [
        "add", "ask", "change", "check", "count", "delete", "export", "find", "forget", "get",
        "import", "list", "record", "register", "report", "resend", "reset", "send", "sign",
        "preview", "put", "read", "resolve", "revoke", "set", "save", "strike", "suggest", "undo",
        "update", "verify", "mail", "remove", "invite", "accept", "end", "renew", "post", "rename",
    ];
    let shop = Shop::with(&[product(1)]);
    let server = shop.serve();
    let document = server.json("/openapi.json");
    for (path, method, operation) in operations(&document) {
        let id = operation["operationId"].as_str().unwrap();
        assert!(VERBS.contains(&id.split('_').next().unwrap()), "{id}");
        let description = operation["description"].as_str().unwrap();
        assert!(description.ends_with('.'), "{id}: {description}");
        let security = operation["security"].as_array().unwrap();
        let needs_session = !security.is_empty() && !security.contains(&json!({}));
        let name = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
        let address = server.url(&path.replace(['{', '}'], ""));
        let status = server.client().request(name, address).send().unwrap();
        let status = status.status().as_u16();
        // A token in the path is none of the headers.
        if path != "/user/me/{token}" {
            assert_eq!(status == 401, needs_session, "{id}: {status}");
        }
    }
    let cookie = &document["components"]["securitySchemes"]["cookie"]["name"];
    let cookie = cookie.as_str().unwrap();
    assert!(
        cookie.starts_with("session-"),
        "http, with a port: {cookie}"
    );
    assert!(!document.to_string().contains("multipleOf"));
}

#[test]
fn every_read_with_an_etag_documents_304() {
    let shop = Shop::with(&[product(1)]);
    let server = shop.serve();
    let id = server.list("")[0]["_id"].as_str().unwrap().to_owned();
    let document = server.json("/openapi.json");
    let mut described = 0;
    for (path, method, operation) in operations(&document) {
        if method != "get" || path.starts_with("/user") || path.ends_with("z") {
            continue;
        }
        let answer = server.get(&path.replace("{id}", &id).replace("{slug}", "about"));
        let Some(tag) = answer.headers().get("etag") else {
            continue;
        };
        let tag = tag.to_str().unwrap().to_owned();
        let address = server.url(&path.replace("{id}", &id).replace("{slug}", "about"));
        let again = server.client().get(address).header("if-none-match", tag);
        assert_eq!(again.send().unwrap().status(), 304, "{path}");
        assert!(operation["responses"]["304"].is_object(), "{path}");
        described += 1;
    }
    assert!(described >= 7, "{described}");
}

/// Fields of a product without its prices.
fn priced(prices: Value) -> Value {
    let mut body = product(1);
    let fields = body.as_object_mut().unwrap();
    fields.retain(|name, _| !["price", "discount", "finalPrice"].contains(&name.as_str()));
    fields.extend(prices.as_object().unwrap().clone());
    body
}

#[test]
fn the_description_accepts_the_prices_that_the_server_accepts() {
    let people = People::with(Shop::with(&[product(1)]), &[]);
    let token = people.join_as_admin("owner@b.example").token;
    let document = people.server.json("/openapi.json");
    let mut schema = json!({ "$ref": "#/components/schemas/ProductRequest" });
    schema["components"] = document["components"].clone();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    for (prices, is_valid) in [
        (json!({ "price": 19.99, "discount": 0 }), true),
        (json!({ "price": 29.99, "finalPrice": 19.99 }), true),
        (json!({ "discount": 10, "finalPrice": 19.99 }), true),
        (
            json!({ "price": 100, "discount": 10, "finalPrice": 90 }),
            true,
        ),
        (json!({ "price": 19.99 }), false),
        (json!({ "discount": 10 }), false),
        (json!({ "finalPrice": 19.99 }), false),
        (json!({}), false),
    ] {
        let body = priced(prices.clone());
        assert_eq!(validator.is_valid(&body), is_valid, "{prices}");
        let request = people.request(Method::POST, "/product/add-product");
        let answer = request.bearer_auth(&token).json(&body).send().unwrap();
        assert_eq!(answer.status() == 201, is_valid, "{prices}");
    }
}

#[test]
fn a_multipart_form_with_a_file_is_imported() {
    let people = People::with(Shop::new(), &[]);
    let token = people.join_as_admin("owner@b.example").token;
    let row = |number| product_with(number, json!({})).to_string();
    let file = |content: &str| {
        format!(
            "--xx\r\ncontent-disposition: form-data; name=\"f\"; filename=\"products.json\"\r\n\
             content-type: application/json\r\n\r\n{content}\r\n"
        )
    };
    let text = "--xx\r\ncontent-disposition: form-data; name=\"note\"\r\n\r\nhello\r\n";
    let import = |parts: &[&str]| {
        let answer = people
            .request(Method::POST, "/product/import")
            .bearer_auth(&token)
            .header("content-type", "multipart/form-data; boundary=xx")
            .body(parts.concat() + "--xx--\r\n")
            .send()
            .unwrap();
        (answer.status().as_u16(), answer.json::<Value>().unwrap())
    };
    let array = file(&format!("[{},{}]", row(1), row(2)));
    let (status, report) = import(&[text, &array, text]);
    assert_eq!((status, &report["added"]), (200, &json!(2)), "{report}");
    let lines = file(&format!("{}\n{}\n", row(2), row(3)));
    let (status, report) = import(&[&lines]);
    assert_eq!((status, &report["added"]), (200, &json!(1)), "{report}");
    let (status, report) = import(&[text]);
    assert_eq!(
        (status, &report["error"]),
        (400, &json!("The form has no file."))
    );
    let (status, report) = import(&[&file(&row(8)), &file(&row(9))]);
    let message = json!("Send one file in a form, not several.");
    assert_eq!((status, &report["error"]), (400, &message));
}

#[test]
fn user_me_works_without_the_token_in_the_address() {
    let people = People::new();
    let program = people.join("asha@b.example");
    let browser = people.sign_in_by_browser("asha@b.example");
    let me = || people.request(Method::GET, "/user/me");
    for session in [&program, &browser] {
        let expected = people.server.json(&format!("/user/me/{}", session.token));
        for request in [
            me().bearer_auth(&session.token),
            me().header("cookie", &session.cookie),
        ] {
            let answer = request.send().unwrap();
            assert_eq!(answer.status(), 200);
            assert_eq!(answer.headers()["cache-control"], "no-store");
            assert_eq!(answer.json::<Value>().unwrap(), expected);
        }
    }
    // Elsewhere a browser's token has no authority.
    let request = people.request(Method::POST, "/user/logout-everywhere");
    let refused = request.bearer_auth(&browser.token).send().unwrap();
    assert_eq!(refused.status(), 401);
}
