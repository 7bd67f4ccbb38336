//! Registration, verification and form rules; numbers refer to OWASP ASVS 5.0.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::api::product_forms::expected_errors;
use crate::support::people::{PASSWORD, People, error};

#[test]
fn an_account_goes_from_registration_to_signed_out() {
    let people = People::new();
    let code = people.register("Asha@Example.com");
    let verified = people.post(
        "/user/verify-code",
        &json!({"email": "asha@example.com", "code": code}),
    );
    assert_eq!(verified.status(), 200);
    let asha = people.sign_in("ASHA@example.com");
    assert_eq!(asha.user["username"], "asha");
    assert_eq!(asha.user["email"], "Asha@Example.com");
    assert_eq!(asha.user["Role"], "user");
    // 15.3.1: no other fields.
    let answer = people.server.json(&format!("/user/me/{}", asha.token));
    let fields: Vec<&String> = answer["user"].as_object().unwrap().keys().collect();
    assert_eq!(fields, ["Role", "_id", "createdAt", "email", "username"]);
    assert_eq!(answer["user"], asha.user);

    let out = people
        .request(reqwest::Method::POST, "/user/logout")
        .header("cookie", &asha.cookie)
        .send()
        .unwrap();
    assert_eq!(out.status(), 200);
    let cleared = out.headers()["set-cookie"].to_str().unwrap().to_owned();
    assert!(cleared.contains("Max-Age=0"), "{cleared}");
    // 7.4.1: cookie and token are invalid.
    assert_eq!(people.me(&asha.token), 401);
    assert_eq!(people.change_password_status(&asha), 401);
    // Works without a session too.
    assert_eq!(people.server.post("/user/logout").status(), 200);
}

#[test]
fn every_rule_of_every_account_form_has_its_message() {
    let table = include_str!("../../fixtures/invalid-inputs.json");
    let cases: Vec<Value> = serde_json::from_str(table).unwrap();
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    let of_accounts = |case: &&Value| !matches!(case["form"].as_str(), Some("add" | "update"));
    for (number, case) in cases.iter().filter(of_accounts).enumerate() {
        let path = match case["form"].as_str().unwrap() {
            "login" => "/user/sign-in",
            "register" => "/user/register",
            "code" => "/user/verify-code",
            "forgot-password" => "/user/forgot-password",
            "reset-password" => "/user/reset-password",
            "change-password" => "/user/change-password",
            other => panic!("{other} has no call"),
        };
        let response = people
            .request(reqwest::Method::POST, path)
            .json(&case["input"])
            .header("cookie", &owner.cookie)
            .header(
                "x-forwarded-for",
                format!("10.1.{}.{}", number / 250, number % 250),
            )
            .send()
            .unwrap();
        let status = response.status().as_u16();
        let body: Value = response.json().unwrap();
        let expected = expected_errors(case);
        if expected.is_empty() {
            // Only the password may be refused, as too easy to guess.
            let said = body["fields"].as_object().cloned().unwrap_or_default();
            let easy = said
                .values()
                .all(|text| text.as_str().unwrap().contains("easy to guess"));
            assert!(easy, "{case}: {body}");
        } else {
            assert_eq!(status, 400, "{case}");
            let fields: BTreeMap<String, String> =
                serde_json::from_value(body["fields"].clone()).unwrap();
            assert_eq!(fields, expected, "{case}");
            assert!(
                expected
                    .values()
                    .any(|message| body["error"] == message.as_str())
            );
        }
    }
}

/// 1.5.2, 1.5.3, 3.5.3, 5.2.1
#[test]
fn invalid_json_bodies_of_account_forms_are_refused() {
    let people = People::new();
    let send = |kind: &str, body: String| {
        let request = people.request(reqwest::Method::POST, "/user/sign-in");
        request
            .header("content-type", kind)
            .body(body)
            .send()
            .unwrap()
    };
    let deep = format!("{{\"email\": {}{}}}", "[".repeat(5_000), "]".repeat(5_000));
    for (kind, body, status) in [
        ("application/json", "not json".to_owned(), 400),
        ("application/json", String::new(), 400),
        ("application/json", "[1, 2]".to_owned(), 400),
        (
            "application/json",
            "{\"email\": \"a\", \"email\": \"b\"}".to_owned(),
            400,
        ),
        (
            "application/json",
            "{\"email\": 5, \"password\": {}}".to_owned(),
            400,
        ),
        ("application/json", deep, 400),
        (
            "application/json",
            format!("{{\"x\": \"{}\"}}", "a".repeat(40_000)),
            413,
        ),
        ("text/plain", "{\"email\": \"a@b.co\"}".to_owned(), 415),
        (
            "application/x-www-form-urlencoded",
            "email=a".to_owned(),
            415,
        ),
    ] {
        let shown = body.chars().take(40).collect::<String>();
        let response = send(kind, body);
        assert_eq!(response.status(), status, "{kind} {shown}");
        assert!(error(response).ends_with('.'), "{shown}");
    }
}

/// 2.3.1, 2.3.2
#[test]
fn signing_in_before_verification_sends_another_code() {
    let people = People::new();
    let first = people.register("asha@example.com");
    let wrong = json!({"email": "asha@example.com", "password": "another-password"});
    let response = people.post("/user/sign-in", &wrong);
    assert_eq!(response.status(), 401);
    assert_eq!(error(response), "Invalid credentials");
    let right = json!({"email": "asha@example.com", "password": PASSWORD});
    let response = people.post("/user/sign-in", &right);
    assert_eq!(response.status(), 403);
    assert!(!response.headers().contains_key("set-cookie"));
    assert_eq!(error(response), "Please verify your email first.");
    let second = people.mailbox.next().code();
    assert!(people.mailbox.unread().is_empty());
    let verify = |code: &str| {
        let body = json!({"email": "asha@example.com", "code": code});
        people.post("/user/verify-code", &body).status().as_u16()
    };
    if first != second {
        assert_eq!(verify(&first), 400);
    }
    assert_eq!(verify(&second), 200);
    assert_eq!(verify(&second), 400, "a code works once");
}

/// decisions section 6: a code activates only the password it was sent for.
#[test]
fn a_code_activates_only_the_password_it_was_sent_for() {
    let people = People::new();
    let register = |username: &str, password: &str| {
        let form = json!({
            "username": username, "email": "asha@example.com", "password": password,
        });
        let response = people.post("/user/register", &form);
        assert_eq!(response.status(), 201);
        let body: Value = response.json().unwrap();
        (body["registration"].clone(), people.mailbox.next().code())
    };
    let (own, _lost) = register("asha", PASSWORD);
    register("mallory", "mallorys-own-password");
    // With two waiting registrations the handle is required.
    let resend = |address: &str, body: Value| {
        let answer = people.post_from(address, "/user/resend-code", &body);
        assert_eq!(answer.status(), 200);
    };
    resend("10.0.0.1", json!({"email": "asha@example.com"}));
    resend(
        "10.0.0.2",
        json!({"email": "asha@example.com", "registration": own}),
    );
    let code = people.mailbox.next().code();
    assert!(people.mailbox.unread().is_empty());
    let body = json!({"email": "asha@example.com", "code": code, "registration": own});
    assert_eq!(people.post("/user/verify-code", &body).status(), 200);
    assert_eq!(people.sign_in("asha@example.com").user["username"], "asha");
    let mallory = json!({"email": "asha@example.com", "password": "mallorys-own-password"});
    assert_eq!(people.post("/user/sign-in", &mallory).status(), 401);
}

#[test]
fn codes_expire_after_ten_minutes() {
    let people = People::new();
    let now = || jiff::Timestamp::now().as_millisecond();
    let before = now();
    let code = people.register("asha@example.com");
    let database = people.shop.database();
    let until: i64 = database
        .query_row("SELECT expires_at FROM codes", [], |row| row.get(0))
        .unwrap();
    assert!((before..=now()).contains(&(until - 600_000)), "{until}");
    database
        .execute("UPDATE codes SET expires_at = expires_at - 601000", [])
        .unwrap();
    let body = json!({"email": "asha@example.com", "code": code});
    let response = people.post("/user/verify-code", &body);
    assert_eq!(response.status(), 400);
    assert_eq!(error(response), "please enter correct otp");
    // Deleted, not only expired.
    let codes: i64 = database
        .query_row("SELECT count(*) FROM codes", [], |row| row.get(0))
        .unwrap();
    assert_eq!(codes, 0);
}

/// 1.3.11
#[test]
fn a_name_cannot_add_lines_to_a_mail() {
    let people = People::new();
    let form = json!({
        "username": "a\r\nBcc: evil@example.com", "email": "asha@example.com", "password": PASSWORD,
    });
    assert_eq!(people.post("/user/register", &form).status(), 400);
    let form = json!({
        "username": "<b>Asha</b> evil.example/win", "email": "asha@example.com", "password": PASSWORD,
    });
    assert_eq!(people.post("/user/register", &form).status(), 201);
    let mail = people.mailbox.next();
    assert_eq!(mail.recipients, ["RCPT TO:<asha@example.com>"]);
    assert_eq!(mail.subject(), "Your code to finish registering");
    // The name identifies the form, and must not allow sending links to others.
    assert!(mail.data.contains("Asha"), "{}", mail.data);
    assert!(!mail.data.contains("evil.example"), "{}", mail.data);
    // 3.7.2: links use the configured address, whatever the Host header says.
    let form = json!({"username": "asha", "email": "other@example.com", "password": PASSWORD});
    let request = people
        .request(reqwest::Method::POST, "/user/register")
        .json(&form)
        .header("host", "evil.example")
        .header("x-forwarded-host", "evil.example");
    assert_eq!(request.send().unwrap().status(), 201);
    let mail = people.mailbox.next();
    assert!(!mail.data.contains("evil"), "{}", mail.data);
    assert!(mail.data.contains(&people.server.url("")), "{}", mail.data);
}
