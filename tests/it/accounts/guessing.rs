//! Strangers who guess passwords, lock out an owner, or hijack registrations (security, R23 to
//! R25).

use std::time::Duration;

use reqwest::Method;
use reqwest::blocking::Response;
use serde_json::{Value, json};

use crate::support::harness::succeeds;
use crate::support::people::{PASSWORD, People, error};

const OWNER: &str = "owner@example.com";

/// A new address for each call, so that only the account's limit applies.
struct Strangers<'a> {
    people: &'a People,
    calls: std::cell::Cell<u32>,
}

impl<'a> Strangers<'a> {
    fn of(people: &'a People) -> Self {
        Self {
            people,
            calls: std::cell::Cell::new(0),
        }
    }

    fn post(&self, path: &str, body: &Value) -> Response {
        let call = self.calls.get();
        self.calls.set(call + 1);
        let address = format!("10.9.{}.{}", call / 250, call % 250);
        self.people.post_from(&address, path, body)
    }

    fn sign_in(&self, email: &str, password: &str) -> u16 {
        let body = json!({"email": email, "password": password});
        self.post("/user/sign-in", &body).status().as_u16()
    }

    /// Guesses until the account has a delay of at least `seconds`.
    fn guess_until_delayed(&self, email: &str, seconds: u64) {
        for n in 0..40 {
            let body = json!({"email": email, "password": format!("wrong-guess-{n}")});
            let answer = self.post("/user/sign-in", &body);
            if answer.status() != 429 {
                continue;
            }
            let wait = answer.headers()["retry-after"].to_str().unwrap();
            let wait = wait.parse().unwrap();
            if wait >= seconds {
                return;
            }
            std::thread::sleep(Duration::from_secs(wait));
        }
        panic!("nothing slows the guesses");
    }

    fn forgot(&self, email: &str) -> String {
        let answer = self.post("/user/forgot-password", &json!({"email": email}));
        assert_eq!(answer.status(), 200);
        let answer: Value = answer.json().unwrap();
        answer["request"].as_str().unwrap().to_owned()
    }

    fn register(&self, name: &str, email: &str, password: &str) -> String {
        let form = json!({"username": name, "email": email, "password": password});
        let answer = self.post("/user/register", &form);
        assert_eq!(answer.status(), 201);
        let answer: Value = answer.json().unwrap();
        answer["registration"].as_str().unwrap().to_owned()
    }
}

/// All cookies that an answer sets, in the form of a request header.
fn cookies(answer: &Response) -> String {
    let all = answer.headers().get_all("set-cookie").iter();
    let pairs = all.map(|cookie| cookie.to_str().unwrap().split(';').next().unwrap());
    pairs.collect::<Vec<_>>().join("; ")
}

/// Requests of a browser with these cookies.
fn browse(people: &People, cookies: &str, path: &str, body: &Value) -> Response {
    let request = people.request(Method::POST, path).json(body);
    let request = request
        .header("cookie", cookies)
        .header("sec-fetch-site", "same-origin");
    request.send().unwrap()
}

fn wrong(code: &str, n: u32) -> String {
    format!("{:06}", (code.parse::<u32>().unwrap() + n) % 1_000_000)
}

#[test]
fn signing_in_to_an_own_registration_keeps_the_delay_of_the_account() {
    let people = People::new();
    people.join_as_admin(OWNER);
    let strangers = Strangers::of(&people);
    strangers.register("evil", OWNER, "evil-horse-77");
    let mut guesses = Vec::new();
    for round in 0..4 {
        guesses.extend((0..4).map(|n| strangers.sign_in(OWNER, &format!("guess-{round}-{n}"))));
        // A registration of their own is refused while the account has a delay.
        let own = strangers.sign_in(OWNER, "evil-horse-77");
        assert!(matches!(own, 403 | 429), "{own}");
    }
    let tried = guesses.iter().filter(|status| **status == 401).count();
    assert!(guesses.contains(&429) && tried < 12, "{guesses:?}");
}

#[test]
fn the_right_password_of_a_pending_registration_causes_no_delay() {
    let people = People::new();
    let strangers = Strangers::of(&people);
    let handle = strangers.register("asha", "asha@example.com", PASSWORD);
    let body = json!({"email": "asha@example.com", "password": PASSWORD});
    for _ in 0..8 {
        let answer = strangers.post("/user/sign-in", &body);
        assert_eq!(answer.status(), 403);
        let answer: Value = answer.json().unwrap();
        assert_eq!(answer["error"], "Please verify your email first.");
        assert_eq!(answer["registration"], handle.as_str());
    }
}

#[test]
fn a_known_browser_signs_in_while_strangers_guess_the_password() {
    let people = People::new();
    people.join_as_admin(OWNER);
    people.shop.sign_up("mallory@example.com", PASSWORD);
    let credentials = |password: &str| json!({"email": OWNER, "password": password});
    let signed_in = browse(&people, "", "/user/sign-in", &credentials(PASSWORD));
    let known = cookies(&signed_in);
    assert!(known.contains("browser-"), "{known}");
    for cookie in signed_in.headers().get_all("set-cookie") {
        let cookie = cookie.to_str().unwrap();
        assert!(
            cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"),
            "{cookie}"
        );
    }
    let mallory = json!({"email": "mallory@example.com", "password": PASSWORD});
    let other = cookies(&browse(&people, "", "/user/sign-in", &mallory));
    let strangers = Strangers::of(&people);
    strangers.guess_until_delayed(OWNER, 20);

    // The right password from elsewhere, and from a browser that knows another account.
    assert_eq!(strangers.sign_in(OWNER, PASSWORD), 429);
    let sign_in = |cookies: &str, password: &str| {
        browse(&people, cookies, "/user/sign-in", &credentials(password)).status()
    };
    assert_eq!(sign_in(&other, PASSWORD), 429);
    assert_eq!(
        sign_in(&known.replace("browser-", "browser-x"), "wrong-guess"),
        401
    );
    assert_eq!(sign_in(&known, PASSWORD), 200);
    // The delay of all others remains.
    assert_eq!(strangers.sign_in(OWNER, PASSWORD), 429);
    // A known browser is throttled too.
    let is_slowed = (0..12).any(|_| sign_in(&known, "wrong-guess") == 429);
    assert!(is_slowed, "a browser that is known may guess");
}

#[test]
fn a_browser_is_forgotten_when_the_password_changes() {
    let people = People::new();
    people.join_as_admin(OWNER);
    let credentials = |password: &str| json!({"email": OWNER, "password": password});
    let old = cookies(&browse(
        &people,
        "",
        "/user/sign-in",
        &credentials(PASSWORD),
    ));
    // Guesses by strangers do not affect a signed-in user.
    let strangers = Strangers::of(&people);
    strangers.guess_until_delayed(OWNER, 20);
    let change = json!({"currentPassword": PASSWORD, "newPassword": "another-fine-password"});
    let changed = browse(&people, &old, "/user/change-password", &change);
    assert_eq!(changed.status(), 200);
    let new = cookies(&changed);
    let sign_in = |cookies: &str| {
        let body = credentials("another-fine-password");
        browse(&people, cookies, "/user/sign-in", &body).status()
    };
    assert_eq!(sign_in(&old), 429);
    assert_eq!(sign_in(&new), 200);
}

#[test]
fn a_mailed_code_works_while_strangers_guess() {
    let people = People::new();
    people.join_as_admin(OWNER);
    let strangers = Strangers::of(&people);
    let request = strangers.forgot(OWNER);
    let code = people.mailbox.next().code();
    let theirs: Vec<String> = (0..4).map(|_| strangers.forgot(OWNER)).collect();
    let reset = |request: Value, code: &str| {
        let body = json!({
            "email": OWNER, "code": code, "request": request, "password": "another-fine-password",
        });
        strangers
            .post("/user/reset-password", &body)
            .status()
            .as_u16()
    };
    for n in 1..=24 {
        assert_eq!(reset(json!(theirs[n as usize % 4]), &wrong(&code, n)), 400);
        assert_eq!(reset(Value::Null, &wrong(&code, n)), 400);
    }
    // Their handles reject the code, and without a handle the request is ambiguous.
    assert_eq!(reset(json!(theirs[0]), &code), 400);
    assert_eq!(reset(Value::Null, &code), 400);
    assert_eq!(reset(json!(17), &code), 400);
    assert_eq!(reset(json!(request), &code), 200);
    // A code works once.
    assert_eq!(reset(json!(request), &code), 400);
}

#[test]
fn five_wrong_codes_invalidate_a_password_reset_code() {
    let people = People::new();
    people.join_as_admin(OWNER);
    let strangers = Strangers::of(&people);
    let request = strangers.forgot(OWNER);
    let code = people.mailbox.next().code();
    let reset = |code: &str| {
        let body = json!({
            "email": OWNER, "code": code, "request": request, "password": "another-fine-password",
        });
        strangers
            .post("/user/reset-password", &body)
            .status()
            .as_u16()
    };
    for n in 1..=5 {
        assert_eq!(reset(&wrong(&code, n)), 400);
    }
    assert_eq!(reset(&code), 400);
}

#[test]
fn a_known_browser_gets_mails_after_strangers_used_up_the_quota() {
    let people = People::new();
    people.join_as_admin(OWNER);
    let credentials = json!({"email": OWNER, "password": PASSWORD});
    let known = cookies(&browse(&people, "", "/user/sign-in", &credentials));
    let strangers = Strangers::of(&people);
    for _ in 0..12 {
        strangers.forgot(OWNER);
    }
    for _ in 0..10 {
        people.mailbox.next();
    }
    assert!(people.mailbox.unread().is_empty(), "ten mails an hour");
    let asked = browse(
        &people,
        &known,
        "/user/forgot-password",
        &json!({"email": OWNER}),
    );
    let asked: Value = asked.json().unwrap();
    let body = json!({
        "email": OWNER, "code": people.mailbox.next().code(),
        "request": asked["request"], "password": "another-fine-password",
    });
    assert_eq!(strangers.post("/user/reset-password", &body).status(), 200);
}

/// Guesses until the owner has a delay, runs commands, and returns whether the owner can sign in.
fn gets_in_after(commands: &[&[&str]], password: &str) {
    let people = People::new();
    people.join_as_admin(OWNER);
    let strangers = Strangers::of(&people);
    strangers.guess_until_delayed(OWNER, 10);
    for command in commands {
        succeeds(people.shop.user(command, password));
    }
    assert_eq!(strangers.sign_in(OWNER, password), 200);
}

#[test]
fn promoting_an_account_ends_its_sign_in_delay() {
    gets_in_after(&[&["promote", OWNER]], PASSWORD);
}

#[test]
fn setting_a_password_lifts_the_delay_at_once() {
    let set = ["set-password", OWNER, "--password-stdin"];
    gets_in_after(&[&set], "another-fine-password");
}

#[test]
fn removing_an_account_lifts_the_delay_of_the_next_owner_of_the_address() {
    let add = ["add", OWNER, "--username", "owner", "--password-stdin"];
    gets_in_after(&[&["remove", OWNER], &add], PASSWORD);
}

/// In any order, with any combination of codes.
#[test]
fn a_registration_is_activated_only_by_its_own_code() {
    let people = People::new();
    let strangers = Strangers::of(&people);
    let email = "asha@example.com";
    let hers = strangers.register("Asha", email, PASSWORD);
    let her_mail = people.mailbox.next();
    let theirs = strangers.register("evil", email, "evil-horse-77");
    let their_mail = people.mailbox.next();
    for (mail, name) in [(&her_mail, "Asha"), (&their_mail, "evil")] {
        assert!(mail.data.contains(name), "{}", mail.data);
        assert!(
            mail.data.contains(" (India) with the name"),
            "{}",
            mail.data
        );
    }
    let verify = |registration: Value, code: &str| {
        let body = json!({"email": email, "code": code, "registration": registration});
        strangers.post("/user/verify-code", &body)
    };
    // Without a handle, neither.
    for mail in [&her_mail, &their_mail] {
        let refused = verify(Value::Null, &mail.code());
        assert_eq!(refused.status(), 400);
        assert_eq!(error(refused), "please enter correct otp");
    }
    assert_eq!(verify(json!(hers), &their_mail.code()).status(), 400);
    assert_eq!(verify(json!(theirs), &her_mail.code()).status(), 400);
    assert_eq!(verify(json!(["x"]), &her_mail.code()).status(), 400);
    assert_eq!(verify(json!(hers), &her_mail.code()).status(), 200);
    assert_eq!(verify(json!(theirs), &their_mail.code()).status(), 400);
    assert_eq!(strangers.sign_in(email, "evil-horse-77"), 401);
    assert_eq!(people.sign_in(email).user["username"], "Asha");
}

#[test]
fn wrong_codes_of_strangers_use_up_no_attempts_of_the_user() {
    let people = People::new();
    let strangers = Strangers::of(&people);
    let email = "asha@example.com";
    let handle = strangers.register("Asha", email, PASSWORD);
    let code = people.mailbox.next().code();
    for n in 1..=8 {
        let body = json!({"email": email, "code": wrong(&code, n)});
        assert_eq!(strangers.post("/user/verify-code", &body).status(), 400);
    }
    let body = json!({"email": email, "code": code});
    assert_eq!(
        strangers.post("/user/verify-code", &body).status(),
        400,
        "guessed at too often"
    );
    let body = json!({"email": email, "code": code, "registration": handle});
    assert_eq!(strangers.post("/user/verify-code", &body).status(), 200);
}
