//! A shop with a mail server, and its users.

use reqwest::Method;
use reqwest::blocking::{RequestBuilder, Response};
use serde_json::{Value, json};

use crate::support::harness::{Server, Shop, text};
use crate::support::mailbox::Mailbox;

pub const PASSWORD: &str = "tiger-lamp-42";

pub struct People {
    pub shop: Shop,
    pub mailbox: Mailbox,
    pub server: Server,
}

#[derive(Debug, Clone)]
pub struct Someone {
    pub token: String,
    /// Name and value of the session cookie.
    pub cookie: String,
    pub user: Value,
}

impl People {
    pub fn new() -> Self {
        Self::with(Shop::new(), &[])
    }

    pub fn with(shop: Shop, options: &[&str]) -> Self {
        Self::at(shop, Mailbox::open(), options)
    }

    pub fn at(shop: Shop, mailbox: Mailbox, options: &[&str]) -> Self {
        let server = serve(&shop, &mailbox, options);
        Self {
            shop,
            mailbox,
            server,
        }
    }

    /// Restarts the server; returns its log.
    pub fn restart(self) -> (String, Self) {
        let log = self.server.stop();
        let server = serve(&self.shop, &self.mailbox, &[]);
        let again = Self {
            shop: self.shop,
            mailbox: self.mailbox,
            server,
        };
        (log, again)
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.server.client().request(method, self.server.url(path))
    }

    pub fn post(&self, path: &str, body: &Value) -> Response {
        self.request(Method::POST, path).json(body).send().unwrap()
    }

    pub fn post_from(&self, address: &str, path: &str, body: &Value) -> Response {
        let request = self.request(Method::POST, path).json(body);
        request.header("x-forwarded-for", address).send().unwrap()
    }

    pub fn register(&self, email: &str) -> String {
        let form = json!({"username": "asha", "email": email, "password": PASSWORD});
        let response = self.post("/user/register", &form);
        assert_eq!(response.status(), 201);
        self.mailbox.next().code()
    }

    /// Creates an account and signs in.
    pub fn join(&self, email: &str) -> Someone {
        let code = self.register(email);
        let response = self.post("/user/verify-code", &json!({"email": email, "code": code}));
        assert_eq!(response.status(), 200);
        self.sign_in(email)
    }

    pub fn join_as_admin(&self, email: &str) -> Someone {
        let arguments = [
            "add",
            email,
            "--username",
            email.split('@').next().unwrap(),
            "--admin",
            "--password-stdin",
        ];
        let output = self.shop.user(&arguments, PASSWORD);
        assert!(output.status.success(), "{}", text(&output.stderr));
        self.sign_in(email)
    }

    /// Signs in as a program.
    pub fn sign_in(&self, email: &str) -> Someone {
        let credentials = json!({"email": email, "password": PASSWORD});
        someone(self.post("/user/sign-in", &credentials))
    }

    pub fn sign_in_by_browser(&self, email: &str) -> Someone {
        let credentials = json!({"email": email, "password": PASSWORD});
        let request = self
            .request(Method::POST, "/user/sign-in")
            .json(&credentials);
        someone(
            request
                .header("sec-fetch-site", "same-origin")
                .send()
                .unwrap(),
        )
    }

    pub fn me(&self, token: &str) -> u16 {
        self.server
            .get(&format!("/user/me/{token}"))
            .status()
            .as_u16()
    }

    /// Returns the status of a call that needs a signed-in user, by cookie.
    pub fn change_password_status(&self, someone: &Someone) -> u16 {
        // Invalid on purpose: 400 means that the user was authorized.
        let request = self
            .request(Method::POST, "/user/change-password")
            .header("cookie", &someone.cookie)
            .json(&json!({}));
        request.send().unwrap().status().as_u16()
    }
}

fn serve(shop: &Shop, mailbox: &Mailbox, options: &[&str]) -> Server {
    let mut command = shop.serve_command(&["--trusted-proxy", "127.0.0.1"]);
    command
        .args(options)
        .env("DEALS_SMTP_URL", mailbox.url())
        .env("DEALS_MAIL_FROM", "Deals <shop@example.com>");
    Server::start(command)
}

pub fn someone(response: Response) -> Someone {
    assert_eq!(response.status(), 200);
    let cookie = response.headers()["set-cookie"].to_str().unwrap();
    let cookie = cookie.split(';').next().unwrap().to_owned();
    let body: Value = response.json().unwrap();
    Someone {
        token: body["token"].as_str().unwrap().to_owned(),
        cookie,
        user: body["user"].clone(),
    }
}

pub fn error(response: Response) -> String {
    let body: Value = response.json().unwrap();
    body["error"].as_str().unwrap().to_owned()
}

/// Sends the same request from many threads; returns the results.
pub fn at_once<T: Send>(count: usize, send: impl Fn(usize) -> T + Sync) -> Vec<T> {
    std::thread::scope(|scope| {
        let send = &send;
        let threads: Vec<_> = (0..count).map(|n| scope.spawn(move || send(n))).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    })
}
