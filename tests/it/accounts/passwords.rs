//! Passwords: which are accepted, how they are stored, and what changing one ends; numbers refer to
//! OWASP ASVS 5.0.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::support::harness::{Shop, text};
use crate::support::people::{PASSWORD, People, error, someone};

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
fn long_passwords_are_compared_to_their_last_character() {
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
    // The command line takes the whole first line with its trailing space.
    assert_eq!(status("long@example.com", &long), 200);
    assert_eq!(status("emoji@example.com", &emoji), 200);
    let cut = format!("{}{}", &long[..72], "x".repeat(40));
    assert_eq!(status("long@example.com", &cut), 401);
}

/// 6.2.2, 6.2.3, 6.4.3, 7.4.3
#[test]
fn a_password_reset_ends_every_session() {
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
    // A code is valid for one purpose only.
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
fn a_password_change_ends_every_other_session() {
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
    let changed = someone(change(PASSWORD, "another-fine-password"));
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
    let shop = Shop::new();
    let mut command = shop.command();
    command.env_remove("TEST_BCRYPT_COST").stdin(Stdio::piped());
    let arguments = ["user", "add", "asha@example.com", "--username", "Asha"];
    let mut adding = command
        .args(arguments)
        .arg("--password-stdin")
        .spawn()
        .unwrap();
    writeln!(adding.stdin.take().unwrap(), "{PASSWORD}").unwrap();
    assert!(adding.wait().unwrap().success());
    let hash: String = shop
        .database()
        .query_row("SELECT password_hash FROM users", [], |row| row.get(0))
        .unwrap();
    assert!(hash.starts_with("$2b$12$"), "{hash}");
}

/// 7.4.3: a sign-in in progress fails if its password is replaced.
#[test]
fn a_sign_in_fails_if_its_password_is_replaced_meanwhile() {
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
