//! Registering, verifying, signing in and out, passwords; the numbers are OWASP
//! ASVS 5.0.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::support::harness::{Shop, text};
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
    // 15.3.1: nothing else.
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
    // 7.4.1: neither secret is good any more.
    assert_eq!(people.me(&asha.token), 401);
    assert_eq!(people.change_password_status(&asha), 401);
    // Without a session it works too.
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
        let expected: BTreeMap<String, String> =
            serde_json::from_value(case["errors"].clone()).unwrap();
        if expected.is_empty() {
            // It got past its rules: nothing is said of the form's own fields,
            // except that such a password may be too easy to guess.
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
fn bodies_that_are_no_fitting_json_are_refused_with_a_sentence() {
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

/// 6.2.4, 6.2.11
#[test]
fn passwords_that_are_easy_to_guess_are_refused_with_the_reason() {
    let people = People::new();
    for password in ["password1", "12345678", "asha@example.com", "dealsdeals"] {
        let form = json!({"username": "asha", "email": "asha@example.com", "password": password});
        let response = people.post("/user/register", &form);
        assert_eq!(response.status(), 400, "{password}");
        assert!(error(response).contains("too easy to guess"), "{password}");
    }
}

/// 6.2.1, 6.2.8, 6.2.9
#[test]
fn passwords_count_to_their_last_character_whatever_it_is() {
    let shop = Shop::new();
    let long = "correct horse battery staple ".repeat(4);
    let emoji = "🐘🚲🌧🍵🔑📚🎻🌵".repeat(8);
    for (email, password) in [("long@example.com", &long), ("emoji@example.com", &emoji)] {
        let output = shop.user(
            &["add", email, "--username", "asha", "--password-stdin"],
            password,
        );
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    let people = People::with(shop, &[]);
    let status = |email: &str, password: &str| {
        let credentials = json!({"email": email, "password": password});
        people.post("/user/sign-in", &credentials).status().as_u16()
    };
    // The command line takes the whole first line, with the space at its end.
    assert_eq!(status("long@example.com", &long), 200);
    assert_eq!(status("emoji@example.com", &emoji), 200);
    let cut = format!("{}{}", &long[..72], "x".repeat(40));
    assert_eq!(status("long@example.com", &cut), 401);
}

/// 2.3.1, 2.3.2
#[test]
fn nobody_signs_in_before_the_code_and_the_right_password_sends_another() {
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

/// decisions section 6: a code activates only the password that came with it.
#[test]
fn a_code_activates_the_password_that_came_with_it_and_no_other() {
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
    // With two that wait, another code needs to say for which.
    let resend = |body: Value| assert_eq!(people.post("/user/resend-code", &body).status(), 200);
    resend(json!({"email": "asha@example.com"}));
    resend(json!({"email": "asha@example.com", "registration": own}));
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
    let code = people.register("asha@example.com");
    let database = people.shop.database();
    let left: i64 = database
        .query_row("SELECT expires_at FROM codes", [], |row| row.get(0))
        .unwrap();
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap()
        .as_millis();
    let left = left - i64::try_from(now).unwrap();
    assert!((590_000..=600_000).contains(&left), "{left} ms are left");
    database
        .execute("UPDATE codes SET expires_at = expires_at - 601000", [])
        .unwrap();
    let body = json!({"email": "asha@example.com", "code": code});
    let response = people.post("/user/verify-code", &body);
    assert_eq!(response.status(), 400);
    assert_eq!(error(response), "please enter correct otp");
    // Gone, not only late.
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
    // The name tells this form from a stranger's, and is no way to send links to anybody.
    assert!(mail.data.contains("Asha"), "{}", mail.data);
    assert!(!mail.data.contains("evil.example"), "{}", mail.data);
    // 3.7.2: links lead to the configured address, whatever Host says.
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

/// 6.2.2, 6.2.3, 6.4.3, 7.4.3
#[test]
fn a_forgotten_password_is_replaced_by_a_code_and_ends_every_session() {
    let people = People::new();
    let asha = people.join("asha@example.com");
    let body = json!({"email": "asha@example.com"});
    assert_eq!(people.post("/user/forgot-password", &body).status(), 200);
    let mail = people.mailbox.next();
    assert_eq!(mail.subject(), "Your code for a new password");
    let reset = |code: &str| {
        let body = json!({
            "email": "asha@example.com", "code": code, "password": "another-fine-password",
        });
        people.post("/user/reset-password", &body).status().as_u16()
    };
    // A code for one thing is none for another.
    let verify = json!({"email": "asha@example.com", "code": mail.code()});
    assert_eq!(people.post("/user/verify-code", &verify).status(), 400);
    assert_eq!(reset(&mail.code()), 200);
    assert_eq!(reset(&mail.code()), 400);
    assert_eq!(people.mailbox.next().subject(), "Your password was changed");
    assert_eq!(people.me(&asha.token), 401);
    let old = json!({"email": "asha@example.com", "password": PASSWORD});
    assert_eq!(people.post("/user/sign-in", &old).status(), 401);
    let new = json!({"email": "asha@example.com", "password": "another-fine-password"});
    assert_eq!(people.post("/user/sign-in", &new).status(), 200);
}

#[test]
fn a_changed_password_ends_every_session_but_gives_the_changer_a_new_one() {
    let people = People::new();
    let phone = people.join("asha@example.com");
    let laptop = people.sign_in("asha@example.com");
    let change = |current: &str, new: &str| {
        let request = people.request(reqwest::Method::POST, "/user/change-password");
        let body = json!({"currentPassword": current, "newPassword": new});
        request
            .header("cookie", &laptop.cookie)
            .json(&body)
            .send()
            .unwrap()
    };
    assert_eq!(
        change("not-my-password", "another-fine-password").status(),
        401
    );
    assert_eq!(change(PASSWORD, "password1").status(), 400);
    let changed = crate::support::people::someone(change(PASSWORD, "another-fine-password"));
    assert_eq!(people.me(&phone.token), 401);
    assert_eq!(people.me(&laptop.token), 401);
    assert_eq!(people.change_password_status(&laptop), 401);
    assert_eq!(people.me(&changed.token), 200);
    assert_eq!(people.change_password_status(&changed), 400);
    assert_eq!(people.mailbox.next().subject(), "Your password was changed");
}

/// 11.4.2
#[test]
fn passwords_are_stored_as_bcrypt_of_cost_12() {
    let people = People::new();
    people.join("asha@example.com");
    let hash: String = people
        .shop
        .database()
        .query_row("SELECT password_hash FROM users", [], |row| row.get(0))
        .unwrap();
    assert!(hash.starts_with("$2b$12$"), "{hash}");
}

/// 7.4.3: a sign-in that is under way does not outlive the password it began with.
#[test]
fn a_password_that_is_replaced_meanwhile_lets_nobody_in() {
    let people = People::new();
    people.join("asha@example.com");
    let token = std::thread::scope(|scope| {
        let signing_in = scope.spawn(|| {
            let body = json!({"email": "asha@example.com", "password": PASSWORD});
            let response = people.post("/user/sign-in", &body);
            let body: Value = response.json().unwrap();
            body["token"].as_str().map(str::to_owned)
        });
        people.shop.user(
            &["set-password", "asha@example.com", "--password-stdin"],
            "another-fine-password",
        );
        signing_in.join().unwrap()
    });
    if let Some(token) = token {
        assert_eq!(people.me(&token), 401);
    }
}

#[test]
fn signing_out_everywhere_ends_every_session() {
    let people = People::new();
    let phone = people.join("asha@example.com");
    let laptop = people.sign_in("asha@example.com");
    assert_eq!(people.server.post("/user/logout-everywhere").status(), 401);
    let out = people
        .request(reqwest::Method::POST, "/user/logout-everywhere")
        .header("cookie", &laptop.cookie)
        .send()
        .unwrap();
    assert_eq!(out.status(), 200);
    for ended in [phone, laptop] {
        assert_eq!(people.me(&ended.token), 401);
        assert_eq!(people.change_password_status(&ended), 401);
    }
}
