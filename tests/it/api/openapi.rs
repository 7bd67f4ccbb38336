//! The API's description, compared with the server.

use std::collections::BTreeSet;

use reqwest::Method;
use reqwest::blocking::Response;
use serde_json::{Value, json};

use crate::support::harness::{Server, Shop, product};
use crate::support::people::People;

fn document(server: &Server) -> Value {
    server.json("/openapi.json")
}

/// Documented calls: path, and method in capitals.
fn calls(document: &Value) -> BTreeSet<(String, String)> {
    let paths = document["paths"].as_object().unwrap();
    paths
        .iter()
        .flat_map(|(path, item)| {
            let methods = item.as_object().unwrap().keys();
            methods.map(move |method| (path.clone(), method.to_uppercase()))
        })
        .collect()
}

fn request(server: &Server, method: &str, path: &str) -> Response {
    let method = Method::from_bytes(method.as_bytes()).unwrap();
    let address = server.url(&path.replace(['{', '}'], ""));
    server.client().request(method, address).send().unwrap()
}

#[test]
fn every_described_call_is_routed() {
    let shop = Shop::with(&[product(1)]);
    let server = shop.serve();
    let document = document(&server);
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
    let calls = calls(&document);
    assert!(calls.len() > 25, "{calls:?}");
    for (path, method) in calls {
        let answer = request(&server, &method, &path);
        assert_ne!(answer.status(), 405, "{method} {path}");
        let said = answer.text().unwrap();
        assert!(!said.contains("nothing at this address"), "{method} {path}");
    }
}

#[test]
fn calls_answer_401_exactly_as_described_in_openapi() {
    let shop = Shop::with(&[product(1)]);
    let server = shop.serve();
    let document = document(&server);
    for (path, method) in calls(&document) {
        let operation = &document["paths"][&path][method.to_lowercase()];
        let security = operation["security"].as_array().unwrap();
        let is_open = security.is_empty() || security.contains(&json!({}));
        // The token in its path is not one.
        let is_refused = !is_open || path == "/user/me/{token}";
        let status = request(&server, &method, &path).status();
        assert_eq!(status == 401, is_refused, "{method} {path}: {status}");
    }
}

#[test]
fn other_methods_get_405_with_the_allowed_methods() {
    let shop = Shop::with(&[product(1)]);
    let server = shop.serve();
    let document = document(&server);
    for (path, item) in document["paths"].as_object().unwrap() {
        let described = [
            ("get", "GET, HEAD"),
            ("post", "POST"),
            ("put", "PUT"),
            ("delete", "DELETE"),
        ];
        let described = described
            .iter()
            .filter(|(method, _)| !item[*method].is_null());
        let mut allowed: Vec<&str> = described.map(|(_, names)| *names).collect();
        if path == "/category/{slug}" {
            // A page, which the description leaves out.
            allowed.push("GET, HEAD");
        }
        let answer = request(&server, "PATCH", path);
        assert_eq!(answer.status(), 405, "{path}");
        assert_eq!(answer.headers()["allow"], allowed.join(", "), "{path}");
    }
}

#[test]
fn every_openapi_reference_resolves() {
    let shop = Shop::with(&[product(1)]);
    let document = document(&shop.serve());
    let text = document.to_string();
    let references = text.split("\"$ref\":\"#").skip(1);
    let mut count = 0;
    for reference in references {
        let pointer = reference.split('"').next().unwrap();
        assert!(document.pointer(pointer).is_some(), "{pointer}");
        count += 1;
    }
    assert!(count > 20);
}

struct Api<'a> {
    people: &'a People,
    document: Value,
    token: String,
}

impl Api<'_> {
    /// Makes a call like `admin get /product/product/{id}` with `part` in place of the braces;
    /// asserts the status, and that the answer matches its description.
    fn call(&self, call: &str, part: &str, body: Option<Value>, status: u16) -> Value {
        let words: Vec<&str> = call.split(' ').collect();
        let (is_admin, method, path) = match words[..] {
            ["admin", method, path] => (true, method, path),
            [method, path] => (false, method, path),
            _ => panic!("{call}"),
        };
        let address = path.replace("{id}", part).replace("{token}", part);
        let name = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
        let mut request = self.people.request(name, &address);
        if is_admin {
            request = request.bearer_auth(&self.token);
        }
        if let Some(body) = body {
            request = request.json(&body);
        }
        let answer = request.send().unwrap();
        let answered = answer.status();
        let body: Value = answer.json().unwrap();
        assert_eq!(answered, status, "{call}: {body}");
        self.assert_described(method, path.split('?').next().unwrap(), status, &body);
        body
    }

    fn assert_described(&self, method: &str, path: &str, status: u16, answer: &Value) {
        let response = &self.document["paths"][path][method]["responses"][status.to_string()];
        let schema = &response["content"]["application/json"]["schema"];
        self.assert_is(schema, &format!("{method} {path} {status}"), answer);
    }

    fn assert_is(&self, schema: &Value, call: &str, answer: &Value) {
        assert!(schema.is_object(), "{call} is not described");
        let mut whole = schema.clone();
        whole["components"] = self.document["components"].clone();
        let validator = jsonschema::draft202012::new(&whole).unwrap();
        let problems: Vec<String> = validator
            .iter_errors(answer)
            .map(|problem| format!("{}: {problem}", problem.instance_path()))
            .collect();
        assert!(problems.is_empty(), "{call}: {problems:?} in {answer}");
    }
}

fn api(people: &People) -> Api<'_> {
    Api {
        people,
        document: document(&people.server),
        token: people.join_as_admin("owner@b.example").token,
    }
}

#[test]
fn product_responses_match_the_openapi_description() {
    let people = People::with(Shop::with(&[product(1), product(2)]), &[]);
    let api = api(&people);
    let list = api.call("get /product/get-products?search=product", "", None, 200);
    let id = list["data"][0]["_id"].as_str().unwrap();
    let no = "missing";
    api.call("get /product/get-products?search=prodcut", "", None, 200);
    api.call("get /product/get-products?page=0&limit=x", "", None, 400);
    let walk = "get /product/changes?limit=1";
    let first = api.call(walk, "", None, 200);
    let cursor = first["meta"]["nextCursor"].as_str().unwrap();
    api.call(&format!("{walk}&cursor={cursor}"), "", None, 200);
    api.call("get /product/changes?cursor=x", "", None, 400);
    let cards = people.server.json("/product/get-products?view=card");
    let schema = &api.document["components"]["schemas"]["CardListResponse"];
    api.assert_is(schema, "a list of cards", &cards);
    api.call("get /product/facets?minPrice=1.5", "", None, 200);
    api.call("get /product/product/{id}", id, None, 200);
    api.call("get /product/product/{id}", no, None, 404);
    let click = "post /product/increament-views/{id}";
    api.call(click, id, None, 200);
    api.call(click, no, None, 404);
    let add = "post /product/add-product";
    api.call(add, "", Some(product(4)), 401);
    let add = "admin post /product/add-product";
    api.call(add, "", Some(product(3)), 201);
    api.call(add, "", Some(json!({})), 400);
    let update = "admin put /product/update-product/{id}";
    api.call(update, id, Some(product(5)), 200);
    api.call(update, no, Some(product(5)), 404);
    let rows = json!([product(6)]);
    api.call(
        "admin post /product/import?dryRun=true",
        "",
        Some(rows),
        200,
    );
    api.call("admin post /product/import", "", Some(json!([{}])), 400);
    api.call("admin get /product/export", "", None, 200);
    api.call("admin get /product/activity", "", None, 200);
    api.call("admin get /product/activity?page=0", "", None, 400);
    api.call("post /product/increament-views/{id}", id, None, 200);
    api.call("admin get /report/clicks?by=product", "", None, 200);
    api.call("admin get /report/clicks?by=x", "", None, 400);
    api.call("admin get /report/left-out", "", None, 200);
    api.call(
        "admin get /product/by-link?source=Amazon&link=x",
        "",
        None,
        200,
    );
    api.call(
        "admin get /product/category-like?words=product",
        "",
        None,
        200,
    );
    let change = json!({ "ids": [id], "action": "discount", "value": 12.5 });
    let changed = api.call("admin post /product/bulk", "", Some(change), 200);
    let undo = "admin post /product/undo/{id}";
    api.call(undo, changed["undo"].as_str().unwrap(), None, 200);
    api.call(undo, no, None, 404);
    api.call("admin delete /product/delete-product/{id}", id, None, 200);
    api.call("get /healthz", "", None, 200);
    api.call("get /readyz", "", None, 200);
}

#[test]
fn account_responses_match_the_openapi_description() {
    let people = People::new();
    let api = api(&people);
    let email = "asha@b.example";
    let named = || Some(json!({ "email": email }));
    let form = json!({ "username": "Asha", "email": email, "password": "tiger-lamp-42" });
    api.call("post /user/register", "", Some(form), 201);
    let code = json!({ "email": email, "code": "000000" });
    api.call("post /user/verify-code", "", Some(code), 400);
    api.call("post /user/resend-code", "", named(), 200);
    let wrong = json!({ "email": email, "password": "wrong-pass-1" });
    api.call("post /user/sign-in", "", Some(wrong), 401);
    api.call("post /user/forgot-password", "", named(), 200);
    api.call("get /user/me/{token}", &api.token, None, 200);
    api.call("get /user/me/{token}", "nonsense", None, 401);
    api.call("admin get /user/me", "", None, 200);
    api.call("get /user/me", "", None, 401);
    api.call("admin post /user/logout-everywhere", "", None, 200);
    api.call("admin post /user/logout-everywhere", "", None, 401);
    api.call("post /user/logout", "", None, 200);
}

#[test]
fn the_openapi_description_has_a_readable_page() {
    let shop = Shop::with(&[product(1)]);
    let server = shop.serve();
    let answer = server.get("/docs");
    assert_eq!(answer.status(), 200);
    let page = answer.text().unwrap();
    for (path, method) in calls(&document(&server)) {
        assert!(
            page.contains(&format!("{method} {path}")),
            "{method} {path}"
        );
    }
    assert!(!page.contains("<script"));
    let targets = page
        .split("href=\"#")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap());
    for target in targets {
        assert!(page.contains(&format!("id=\"{target}\"")), "{target}");
    }
    assert_eq!(server.get("/docs.css").status(), 200);
}
