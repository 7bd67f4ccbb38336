//! Errors as programs read them: codes, fields and the challenge of a 401.

use std::collections::BTreeSet;

use reqwest::Method;
use reqwest::blocking::{RequestBuilder, Response};
use serde_json::{Value, json};

use crate::support::harness::{Shop, product, product_with};
use crate::support::people::{PASSWORD, People};

fn shop() -> People {
    People::with(Shop::with(&[product_with(1, json!({"_id": "one"}))]), &[])
}

fn body(response: Response) -> Value {
    response.json().unwrap()
}

#[test]
fn each_error_has_a_code_beside_the_sentence() {
    let people = shop();
    let owner = people.join_as_admin("owner@b.example").token;
    let asha = people.join("asha@b.example").token;
    people.register("waiting@b.example");
    let get = |path: &str| people.request(Method::GET, path);
    let post = |path: &str| people.request(Method::POST, path);
    let put = |path: &str| people.request(Method::PUT, path).bearer_auth(&owner);
    let sign_in = |email: &str, password: &str| {
        let credentials = json!({ "email": email, "password": password });
        post("/user/sign-in").json(&credentials)
    };
    let json = |request: RequestBuilder, text: &str| {
        let request = request.header("content-type", "application/json");
        request.body(text.to_owned())
    };
    let code = json!({ "email": "waiting@b.example", "code": "000000" });
    let old = "2020-01-01T00:00:00.000Z";
    let stale = product_with(1, json!({ "updatedAt": old }));
    let history = people.server.json("/product/price-history/one");
    let current = json!({ "from": history["points"][0]["from"] });
    let many = "x".repeat(300 * 1_024);
    let cases = [
        (get("/product/get-products?limit=0"), 400, "invalid_fields"),
        (json(post("/user/sign-in"), "{"), 400, "malformed_request"),
        (
            get("/report/clicks?by=day&by=day").bearer_auth(&owner),
            400,
            "malformed_request",
        ),
        (
            post("/product/import").bearer_auth(&owner).body("{]"),
            400,
            "invalid_file",
        ),
        (post("/user/verify-code").json(&code), 400, "wrong_code"),
        (get("/product/states"), 401, "not_signed_in"),
        (
            get("/product/states").bearer_auth("nonsense"),
            401,
            "session_ended",
        ),
        (
            get("/product/states").header("cookie", "session=00"),
            401,
            "session_ended",
        ),
        (get("/user/me/nonsense"), 401, "session_ended"),
        (
            sign_in("owner@b.example", "wrong-pass-1"),
            401,
            "wrong_credentials",
        ),
        (
            get("/product/states").bearer_auth(&asha),
            403,
            "not_allowed",
        ),
        (sign_in("waiting@b.example", PASSWORD), 403, "not_verified"),
        (
            post("/user/logout").header("sec-fetch-site", "cross-site"),
            403,
            "cross_site",
        ),
        (get("/product/product/none"), 404, "not_found"),
        (get("/product/none"), 404, "unknown_path"),
        (get("/none"), 404, "unknown_path"),
        (post("/product/get-products"), 405, "method_not_allowed"),
        (post("/none"), 405, "method_not_allowed"),
        (
            put("/product/update-product/one").json(&stale),
            409,
            "changed_meanwhile",
        ),
        (
            post("/product/strike-price/one")
                .bearer_auth(&owner)
                .json(&current),
            409,
            "conflict",
        ),
        (
            put("/product/update-product/one").json(&many),
            413,
            "too_large",
        ),
        (
            get(&format!("/?search={}", "x".repeat(9_000))),
            414,
            "address_too_long",
        ),
        (
            put("/product/update-product/one").body("{}"),
            415,
            "not_json",
        ),
    ];
    for (request, status, code) in cases {
        // A browser gets a page for an unknown path.
        let response = request.header("accept", "application/json").send().unwrap();
        let (url, answered) = (response.url().clone(), response.status());
        let body = body(response);
        assert_eq!(answered, status, "{url} {code}: {body}");
        assert_eq!(body["code"], code, "{url}: {body}");
        assert!(body["error"].as_str().unwrap().len() > 10, "{url}: {body}");
    }
    let mut refused = Value::Null;
    for _ in 0..12 {
        refused = body(sign_in("owner@b.example", "wrong-pass-1").send().unwrap());
    }
    assert_eq!(refused["code"], "too_many_requests");
}

#[test]
fn browser_sign_in_over_plain_http_has_the_code_https_required() {
    let people = People::new();
    let credentials = json!({ "email": "a@b.example", "password": PASSWORD });
    let request = people.request(Method::POST, "/user/sign-in");
    let host = people.server.address().replace("127.0.0.1", "10.99.0.1");
    let response = request
        .header("origin", format!("http://{host}"))
        .header("host", &host)
        .json(&credentials)
        .send()
        .unwrap();
    assert_eq!(response.status(), 403);
    assert_eq!(body(response)["code"], "https_required");
}

#[test]
fn openapi_and_documentation_list_the_same_error_codes() {
    let shop = Shop::with(&[product(1)]);
    let document = shop.serve().json("/openapi.json");
    let described: BTreeSet<String> =
        serde_json::from_value(document["components"]["schemas"]["ErrorCode"]["enum"].clone())
            .unwrap();
    let text = include_str!("../../../docs/api.md");
    let (_, section) = text.split_once("## Errors\n").unwrap();
    let section = section.split("\n## ").next().unwrap();
    let documented: BTreeSet<String> = section
        .lines()
        .filter_map(|line| Some(line.strip_prefix("| ")?.split('|').nth(1)?.to_owned()))
        .flat_map(|cell| {
            let codes = cell.split('`').skip(1).step_by(2).map(str::to_owned);
            codes.collect::<Vec<_>>()
        })
        .collect();
    assert!(described.len() > 20, "{described:?}");
    assert_eq!(documented, described);
}

#[test]
fn each_401_names_the_bearer_scheme() {
    let people = shop();
    let asha = people.join("asha@b.example");
    let challenge = |request: RequestBuilder| {
        let response = request.send().unwrap();
        assert_eq!(response.status(), 401);
        let challenges = response.headers().get_all("www-authenticate");
        let challenges: Vec<_> = challenges.iter().map(|it| it.to_str().unwrap()).collect();
        challenges.join(" and ")
    };
    let none = "Bearer realm=\"deals\"";
    let ended = "Bearer realm=\"deals\", error=\"invalid_token\"";
    let me = || people.request(Method::GET, "/user/me");
    assert_eq!(challenge(me()), none);
    assert_eq!(challenge(me().bearer_auth("nonsense")), ended);
    let wrong = json!({ "email": "asha@b.example", "password": "wrong-pass-1" });
    let sign_in = people.request(Method::POST, "/user/sign-in").json(&wrong);
    assert_eq!(challenge(sign_in), none);
    people
        .request(Method::POST, "/user/logout")
        .bearer_auth(&asha.token)
        .send()
        .unwrap();
    assert_eq!(challenge(me().bearer_auth(&asha.token)), ended);
    assert_eq!(challenge(me().header("cookie", &asha.cookie)), ended);
    let path = format!("/user/me/{}", asha.token);
    assert_eq!(challenge(people.request(Method::GET, &path)), ended);
}

#[test]
fn missing_fields_of_a_request_are_named() {
    let people = shop();
    let owner = people.join_as_admin("owner@b.example").token;
    let fields = |method: Method, path: &str, sent: Value| {
        let request = people.request(method, path).bearer_auth(&owner);
        let response = request.json(&sent).send().unwrap();
        assert_eq!(response.status(), 400, "{path} {sent}");
        let body = body(response);
        assert_eq!(body["code"], "invalid_fields", "{path} {sent}: {body}");
        body["fields"].clone()
    };
    let update = "/product/update-product/one";
    assert_eq!(
        fields(Method::PUT, update, json!({ "price": 450 })),
        json!({
            "title": "Title is required",
            "description": "Description is required",
            "discount": "Discount is required",
            "category": "Category is required",
            "source": "Source is required",
            "affiliateLink": "Affiliate link is required",
        })
    );
    // The form sends empty fields, which get the specification's sentences.
    let empty = product_with(
        1,
        json!({ "title": "", "affiliateLink": "", "discount": -1 }),
    );
    assert_eq!(
        fields(Method::POST, "/product/add-product", empty),
        json!({
            "title": "Title must be at least 2 characters.",
            "affiliateLink": "Please enter a valid affiliate link URL.",
            "discount": "Discount must be between 0 and 100.",
        })
    );
    let typed = product_with(1, json!({ "title": 5, "price": "450", "images": "x" }));
    let named = fields(Method::POST, "/product/add-product", typed);
    let named: Vec<_> = named.as_object().unwrap().keys().collect();
    assert_eq!(named, ["images", "price", "title"]);
    for (path, sent, expected) in [
        (
            "/user/sign-in",
            json!({}),
            json!({"email": "Email is required", "password": "Password is required"}),
        ),
        (
            "/user/change-password",
            json!({ "currentPassword": PASSWORD }),
            json!({ "newPassword": "New password is required" }),
        ),
        (
            "/report/this-device",
            json!({}),
            json!({ "counted": "Counted is required" }),
        ),
        (
            "/product/picture-failed/one",
            json!({}),
            json!({ "image": "Image is required" }),
        ),
        (
            "/product/strike-price/one",
            json!({}),
            json!({ "from": "From is required" }),
        ),
        (
            "/product/bulk",
            json!({}),
            json!({ "action": "Action is required", "ids": "Choose 1 to 1000 products." }),
        ),
    ] {
        assert_eq!(fields(Method::POST, path, sent), expected, "{path}");
    }
    for (path, sent, field) in [
        (
            "/product/bulk",
            json!({ "action": "end", "ids": ["one", 5] }),
            "ids[1]",
        ),
        (
            "/product/picture-failed/one",
            json!({ "image": 5 }),
            "image",
        ),
        (
            "/report/this-device",
            json!({ "counted": "yes" }),
            "counted",
        ),
    ] {
        let named = fields(Method::POST, path, sent);
        let message = named[field].as_str().unwrap();
        assert!(
            message.starts_with(&format!("{field} is not as expected")),
            "{message}"
        );
    }
}
