//! Secrets that an attacker must not learn; numbers refer to OWASP ASVS 5.0.

use serde_json::{Value, json};

use crate::support::harness::succeeds;
use crate::support::people::{PASSWORD, People};

/// 6.3.8
#[test]
fn sign_in_answers_are_the_same_with_and_without_an_account() {
    let people = People::new();
    people.join("known@example.com");
    let answer = |from: &str, path: &str, body: &Value| {
        let response = people.post_from(from, path, body);
        let status = response.status().as_u16();
        let mut body: Value = response.json().unwrap();
        for own in ["email", "registration", "request"] {
            if let Some(own) = body.get_mut(own) {
                *own = "".into();
            }
        }
        (status, body)
    };
    for (path, extra) in [
        ("/user/sign-in", json!({"password": "not-this-password"})),
        (
            "/user/register",
            json!({"username": "asha", "password": PASSWORD}),
        ),
        ("/user/resend-code", json!({})),
        ("/user/forgot-password", json!({})),
        ("/user/verify-code", json!({"code": "000000"})),
        (
            "/user/reset-password",
            json!({"code": "000000", "password": "another-fine-password"}),
        ),
    ] {
        let body = |email: &str| {
            let mut body = extra.clone();
            body["email"] = email.into();
            body
        };
        assert_eq!(
            answer("10.0.0.1", path, &body("known@example.com")),
            answer("10.0.0.2", path, &body("unknown@example.com")),
            "{path}"
        );
    }
    // The known address gets a mail about it.
    let subjects: Vec<String> = (0..4)
        .map(|_| people.mailbox.next().subject().to_owned())
        .collect();
    assert!(
        subjects.contains(&"You already have an account".to_owned()),
        "{subjects:?}"
    );
}

/// 14.2.1, 16.2.5, 13.3.2
#[test]
fn secrets_are_not_in_the_log_the_database_or_backups() {
    let people = People::new();
    let code = people.register("asha@example.com");
    let body = json!({"email": "asha@example.com", "code": code});
    assert_eq!(people.post("/user/verify-code", &body).status(), 200);
    let asha = people.sign_in_by_browser("asha@example.com");
    people.me(&asha.token);
    people.post(
        "/user/forgot-password",
        &json!({"email": "asha@example.com"}),
    );
    let reset = people.mailbox.next().code();
    let cookie = asha.cookie.split_once('=').unwrap().1.to_owned();
    let copy = people.shop.file("copy.sqlite");
    people
        .shop
        .database()
        .execute("VACUUM INTO ?", [copy.to_str().unwrap()])
        .unwrap();
    let key = std::fs::read(people.shop.file("deals.sqlite.key")).unwrap();
    let mut files = vec![std::fs::read(&copy).unwrap()];
    for name in ["deals.sqlite", "deals.sqlite-wal"] {
        files.push(std::fs::read(people.shop.file(name)).unwrap_or_default());
    }
    let (log, _people) = people.restart();
    assert!(log.contains("signed in"), "{log}");
    files.push(log.into_bytes());
    for secret in [
        code.as_bytes(),
        reset.as_bytes(),
        PASSWORD.as_bytes(),
        asha.token.as_bytes(),
        cookie.as_bytes(),
        &key,
    ] {
        for file in &files {
            let found = file.windows(secret.len()).any(|window| window == secret);
            assert!(!found, "{}", String::from_utf8_lossy(secret));
        }
    }
    let log = files.last().unwrap();
    assert!(
        !log.windows(4).any(|window| window == b"asha"),
        "an address is in the log"
    );
}

#[test]
fn email_addresses_without_an_account_are_not_stored() {
    let people = People::new();
    for path in ["/user/forgot-password", "/user/resend-code"] {
        for address in ["Stranger@example.com", "stranger@example.com"] {
            let answer = people.post(path, &json!({"email": address}));
            assert_eq!(answer.status(), 200, "{path}");
        }
    }
    // Both spellings count against one limit.
    let database = people.shop.database();
    let count = |sql: &str| -> i64 { database.query_row(sql, [], |row| row.get(0)).unwrap() };
    assert_eq!(
        count("SELECT max(email_key) = min(email_key) FROM code_events"),
        1
    );
    succeeds(people.shop.run(&["backup", "backup.sqlite"]));
    for name in ["deals.sqlite", "deals.sqlite-wal", "backup.sqlite"] {
        let file = std::fs::read(people.shop.file(name)).unwrap_or_default();
        let stored = String::from_utf8_lossy(&file).to_lowercase();
        assert!(!stored.contains("stranger@example.com"), "{name}");
    }
}

/// 14.3.2
#[test]
fn account_responses_are_never_cached() {
    let people = People::new();
    for path in ["/user/me/x", "/user/nope"] {
        let response = people.server.get(path);
        assert_eq!(response.headers()["cache-control"], "no-store", "{path}");
    }
    let response = people.post("/user/sign-in", &json!({}));
    assert_eq!(response.headers()["cache-control"], "no-store");
}
