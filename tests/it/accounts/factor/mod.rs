//! The second factor: an app's codes, recovery codes, remembered devices, and what asks again.

mod asked_again;
mod guesses;
mod losses;
mod signing_in;

use std::cell::Cell;
use std::time::{SystemTime, UNIX_EPOCH};

use reqwest::Method;
use reqwest::blocking::{RequestBuilder, Response};
use serde_json::{Value, json};
use totp_rs::{Builder, Secret, Totp};

use crate::support::harness::Shop;
use crate::support::people::{PASSWORD, People, Someone};

const OWNER: &str = "owner@example.com";

/// An authenticator app.
struct App(Totp);

impl App {
    fn of(secret: &str) -> Self {
        let secret = Secret::try_from_base32(secret).unwrap();
        Self(Builder::new().with_secret(secret).build().unwrap())
    }

    /// The code of a clock that is so many seconds ahead.
    fn code_at(&self, seconds_ahead: i64) -> String {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        let time = now.as_secs().checked_add_signed(seconds_ahead).unwrap();
        self.0.generate(time).to_string()
    }

    fn code(&self) -> String {
        self.code_at(0)
    }

    fn wrong_code(&self) -> String {
        let right = [-30, 0, 30, 60].map(|ahead| self.code_at(ahead));
        let mut wrong = (0..).map(|n: u32| format!("{n:06}"));
        wrong.find(|code| !right.contains(code)).unwrap()
    }
}

/// A shop with an administrator who has a second factor.
struct Factored {
    people: People,
    owner: Someone,
    app: App,
    recovery_codes: Vec<String>,
    calls: Cell<u32>,
}

impl Factored {
    fn new() -> Self {
        Self::with(&[])
    }

    fn with(options: &[&str]) -> Self {
        let people = People::with(Shop::new(), options);
        let owner = people.join_as_admin(OWNER);
        let (app, recovery_codes) = enrol(&people, &owner);
        Self {
            people,
            owner,
            app,
            recovery_codes,
            calls: Cell::new(0),
        }
    }

    /// Posts from a new address each time, so that only the account's limits apply.
    fn post(&self, path: &str, body: &Value) -> Response {
        let call = self.calls.get();
        self.calls.set(call + 1);
        let address = format!("10.9.{}.{}", call / 250, call % 250);
        self.people.post_from(&address, path, body)
    }

    /// A browser with these cookies.
    fn browse(&self, cookies: &str, path: &str, body: &Value) -> Response {
        let request = self.people.request(Method::POST, path).json(body);
        let call = self.calls.get();
        self.calls.set(call + 1);
        request
            .header("cookie", cookies)
            .header("sec-fetch-site", "same-origin")
            .header(
                "x-forwarded-for",
                format!("10.8.{}.{}", call / 250, call % 250),
            )
            .send()
            .unwrap()
    }

    /// Enters the password and returns the handle of the sign-in.
    fn pending(&self) -> String {
        pending_of(self.post("/user/sign-in", &credentials(PASSWORD)))
    }

    fn enter(&self, pending: &str, code: &str) -> Response {
        self.post(
            "/user/sign-in-code",
            &json!({"pending": pending, "code": code}),
        )
    }

    /// Enters wrong codes until the account has a delay, and returns the answer that says so.
    fn guess_until_delayed(&self) -> Response {
        // Before the first wrong code, because checking a password takes as long as the first delay.
        let sign_ins: Vec<_> = (0..8).map(|_| self.pending()).collect();
        let wrong = self.app.wrong_code();
        for pending in sign_ins {
            for _ in 0..5 {
                let answer = self.enter(&pending, &wrong);
                match answer.status().as_u16() {
                    401 => {}
                    429 => return answer,
                    other => panic!("{other}"),
                }
            }
        }
        panic!("nothing slows the guesses");
    }

    /// The app's present code, also if it was used.
    fn fresh_code(&self) -> String {
        let sql = "UPDATE totp_factors SET last_step = 0";
        self.people.shop.database().execute(sql, []).unwrap();
        self.app.code()
    }

    /// Signs in by a browser that is remembered, and returns its cookies.
    fn remembered(&self) -> String {
        let pending = self.pending();
        let form = json!({"pending": pending, "code": self.fresh_code(), "remember": true});
        let answer = self.browse("", "/user/sign-in-code", &form);
        assert_eq!(answer.status(), 200);
        cookies(&answer)
    }

    fn is_asked_for_a_code(&self, cookies: &str) -> bool {
        let answer = self.browse(cookies, "/user/sign-in", &credentials(PASSWORD));
        let status = answer.status().as_u16();
        assert!(status == 200 || status == 401, "{status}");
        let body: Value = answer.json().unwrap();
        assert_eq!(body["next"] == "totp", status == 401, "{body}");
        status == 401
    }

    fn log(&self) -> String {
        self.people.shop.log()
    }
}

fn credentials(password: &str) -> Value {
    json!({"email": OWNER, "password": password})
}

fn by(people: &People, someone: &Someone, method: Method, path: &str) -> RequestBuilder {
    people.request(method, path).bearer_auth(&someone.token)
}

fn post_as(people: &People, someone: &Someone, path: &str, body: &Value) -> Response {
    let request = by(people, someone, Method::POST, path);
    request.json(body).send().unwrap()
}

/// Sets a second factor up.
fn enrol(people: &People, someone: &Someone) -> (App, Vec<String>) {
    let begun = post_as(
        people,
        someone,
        "/user/totp/begin",
        &json!({"password": PASSWORD}),
    );
    assert_eq!(begun.status(), 201);
    let begun: Value = begun.json().unwrap();
    let app = App::of(begun["secret"].as_str().unwrap());
    loop {
        // The oldest code that is right, so that two more can follow.
        let body = json!({"code": app.code_at(-30)});
        let enabled = post_as(people, someone, "/user/totp/enable", &body);
        // A step may end meanwhile.
        if enabled.status() == 200 {
            return (app, recovery_codes(enabled));
        }
    }
}

fn recovery_codes(answer: Response) -> Vec<String> {
    let answer: Value = answer.json().unwrap();
    let codes = answer["recoveryCodes"].as_array().unwrap().iter();
    codes
        .map(|code| code.as_str().unwrap().to_owned())
        .collect()
}

fn pending_of(answer: Response) -> String {
    assert_eq!(answer.status(), 401);
    let body: Value = answer.json().unwrap();
    body["pending"].as_str().unwrap().to_owned()
}

/// Status, code and sentence of a refusal.
fn refusal(answer: Response) -> (u16, String, String) {
    let status = answer.status().as_u16();
    let body: Value = answer.json().unwrap();
    let text = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
    (status, text("code"), text("error"))
}

/// All cookies that an answer sets, in the form of a request header.
fn cookies(answer: &Response) -> String {
    let all = answer.headers().get_all("set-cookie").iter();
    let pairs = all.map(|cookie| cookie.to_str().unwrap().split(';').next().unwrap());
    pairs.collect::<Vec<_>>().join("; ")
}
