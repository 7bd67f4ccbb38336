//! Codes that are guessed, requested too often, or arrive at once; numbers refer to OWASP ASVS 5.0.

use serde_json::{Value, json};

use crate::support::people::{PASSWORD, People, at_once};

/// 6.4.1, 6.5.1 to 6.5.5, 15.4.1
#[test]
fn fifty_concurrent_wrong_codes_invalidate_the_right_one() {
    let people = People::new();
    let code = people.register("asha@example.com");
    let verify = |address: &str, code: &str| {
        let body = json!({"email": "asha@example.com", "code": code});
        people
            .post_from(address, "/user/verify-code", &body)
            .status()
            .as_u16()
    };
    let right: u32 = code.parse().unwrap();
    let statuses = at_once(50, |n| {
        let wrong = (right + 1 + n as u32) % 1_000_000;
        verify(&format!("10.0.0.{n}"), &format!("{wrong:06}"))
    });
    assert!(statuses.iter().all(|status| *status == 400), "{statuses:?}");
    assert_eq!(verify("10.0.1.1", &code), 400);
    let tries: i64 = people
        .shop
        .database()
        .query_row("SELECT max(tries) FROM codes", [], |row| row.get(0))
        .unwrap();
    assert_eq!(tries, 5, "each try was counted once");
}

#[test]
fn four_wrong_codes_do_not_invalidate_the_registration_code() {
    let people = People::new();
    let code = people.register("asha@example.com");
    let right: u32 = code.parse().unwrap();
    let verify = |address: String, code: String| {
        let body = json!({"email": "asha@example.com", "code": code});
        people
            .post_from(&address, "/user/verify-code", &body)
            .status()
            .as_u16()
    };
    for n in 1..=4 {
        let wrong = format!("{:06}", (right + n) % 1_000_000);
        assert_eq!(verify(format!("10.0.0.{n}"), wrong), 400);
    }
    let statuses = at_once(8, |n| verify(format!("10.0.1.{n}"), code.clone()));
    assert_eq!(
        statuses.iter().filter(|status| **status == 200).count(),
        1,
        "{statuses:?}"
    );
}

#[test]
fn wrong_codes_of_a_day_are_counted_across_new_codes() {
    let people = People::new();
    people.register("asha@example.com");
    let database = people.shop.database();
    let mut address = 0;
    let mut verify = |code: &str| {
        address += 1;
        let body = json!({"email": "asha@example.com", "code": code});
        let from = format!("10.2.{}.{}", address / 250, address % 250);
        people
            .post_from(&from, "/user/verify-code", &body)
            .status()
            .as_u16()
    };
    let mut last = String::new();
    for round in 0..5 {
        // An hour later another mail may be sent.
        database
            .execute(
                "UPDATE code_events SET at = at - 3600000 WHERE kind <> 'failure'",
                [],
            )
            .unwrap();
        let body = json!({"email": "asha@example.com"});
        let from = format!("10.3.0.{round}");
        assert_eq!(
            people.post_from(&from, "/user/resend-code", &body).status(),
            200
        );
        last = people.mailbox.next().code();
        let right: u32 = last.parse().unwrap();
        if round < 4 {
            for n in 1..=5 {
                verify(&format!("{:06}", (right + n) % 1_000_000));
            }
        }
    }
    assert_eq!(verify(&last), 400, "twenty were wrong today");
    database
        .execute("UPDATE code_events SET at = at - 86400000", [])
        .unwrap();
    assert_eq!(verify(&last), 200, "another day");
}

/// 15.4.1
#[test]
fn unneeded_code_requests_do_not_use_up_the_mail_quota() {
    let people = People::new();
    people.join("asha@example.com");
    let body = json!({"email": "asha@example.com"});
    for n in 0..4 {
        let from = format!("10.4.0.{n}");
        assert_eq!(
            people.post_from(&from, "/user/resend-code", &body).status(),
            200
        );
    }
    assert_eq!(people.post("/user/forgot-password", &body).status(), 200);
    assert_eq!(
        people.mailbox.next().subject(),
        "Your code for a new password"
    );
    // And the other way round.
    let body = json!({"email": "new@example.com"});
    for n in 0..4 {
        let from = format!("10.4.1.{n}");
        assert_eq!(
            people
                .post_from(&from, "/user/forgot-password", &body)
                .status(),
            200
        );
    }
    people.register("new@example.com");
}

#[test]
fn twenty_registrations_of_one_address_create_one_account() {
    let people = People::new();
    let form = json!({"username": "asha", "email": "asha@example.com", "password": PASSWORD});
    let handles = at_once(20, |n| {
        let register = || people.post_from(&format!("10.0.0.{n}"), "/user/register", &form);
        // Passwords are hashed in turn, and a busy machine asks some to come again.
        let answers = std::iter::repeat_with(register);
        let answer = { answers }.find(|answer| answer.status() != 503).unwrap();
        assert_eq!(answer.status(), 201);
        let answer: Value = answer.json().unwrap();
        answer["registration"].as_str().unwrap().to_owned()
    });
    let codes: Vec<String> = (0..10).map(|_| people.mailbox.next().code()).collect();
    // Every code with every handle: one pair creates the account and ends all others.
    let mut made = 0;
    for (n, code) in codes.iter().enumerate() {
        for (m, handle) in handles.iter().enumerate() {
            let body = json!({"email": "asha@example.com", "code": code, "registration": handle});
            let address = format!("10.0.{}.{m}", n + 1);
            let answer = people.post_from(&address, "/user/verify-code", &body);
            made += usize::from(answer.status() == 200);
        }
    }
    assert_eq!(made, 1);
    assert!(people.mailbox.unread().is_empty(), "ten mails an hour");
    let users: i64 = people
        .shop
        .database()
        .query_row("SELECT count(*) FROM users", [], |row| row.get(0))
        .unwrap();
    assert_eq!(users, 1);
}

/// Returns the message of an accepted request.
fn said(answer: reqwest::blocking::Response) -> String {
    assert!(answer.status().is_success());
    let answer: Value = answer.json().unwrap();
    answer["message"].as_str().unwrap().to_owned()
}

#[test]
fn code_requests_of_one_stranger_do_not_use_up_the_mail_quota() {
    let people = People::new();
    people.join_as_admin("known@example.com");
    let mut answers = Vec::new();
    for email in ["known@example.com", "new@example.com"] {
        let ask = |address: &str, path: &str| {
            let form = json!({"username": "asha", "email": email, "password": PASSWORD});
            said(people.post_from(address, path, &form))
        };
        for path in ["/user/register", "/user/forgot-password"] {
            for _ in 0..4 {
                answers.push(ask("10.7.0.1", path));
            }
            let message = answers.last().unwrap();
            assert!(
                message.starts_with("Too many codes were requested"),
                "{message}"
            );
            // The owner of the address, from elsewhere.
            answers.push(ask("10.7.0.2", path));
            let has_mail = (email, path) != ("new@example.com", "/user/forgot-password");
            for _ in 0..if has_mail { 4 } else { 0 } {
                people.mailbox.next();
            }
        }
        answers.push(ask("10.7.0.1", "/user/resend-code"));
        // From everywhere together, an address has ten.
        for n in 0..9 {
            answers.push(ask(&format!("10.7.1.{n}"), "/user/resend-code"));
        }
        let message = answers.last().unwrap();
        assert!(
            message.starts_with("Too many codes were requested"),
            "{message}"
        );
    }
    let (known, new) = answers.split_at(answers.len() / 2);
    assert_eq!(known, new);
}
