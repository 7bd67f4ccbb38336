//! Mail, backups and copies as an administrator sets them up in the office.

mod address;
mod backups;
mod copies;
mod front_page;
mod mail;

use reqwest::Method;
use reqwest::blocking::Response;
use serde_json::{Value, json};

use crate::support::harness::{Server, Shop, product, succeeds, text};
use crate::support::people::PASSWORD;

/// Lets chosen servers be those of the tests.
const HERE: [&str; 2] = ["--fetch-network", "127.0.0.0/8"];

/// A shop whose options name neither a mail server nor a place for backups.
struct Office {
    shop: Shop,
    server: Server,
    token: String,
}

impl Office {
    fn open(options: &[&str]) -> Self {
        let shop = Shop::with(&[product(1), product(2)]);
        let arguments = [
            "add",
            "owner@example.com",
            "--username",
            "owner",
            "--admin",
            "--password-stdin",
        ];
        succeeds(shop.user(&arguments, PASSWORD));
        Self::serve(shop, options)
    }

    fn serve(shop: Shop, options: &[&str]) -> Self {
        let server = shop.serve_with(options);
        let form = json!({"email": "owner@example.com", "password": PASSWORD});
        let request = server
            .client()
            .post(server.url("/user/sign-in"))
            .json(&form);
        let body: Value = request.send().unwrap().json().unwrap();
        Self {
            shop,
            token: body["token"].as_str().unwrap().to_owned(),
            server,
        }
    }

    /// Starts the server anew; returns its log too.
    fn restart(self, options: &[&str]) -> (String, Self) {
        let log = self.server.stop();
        (log, Self::serve(self.shop, options))
    }

    fn send(&self, method: Method, path: &str, body: Option<&Value>) -> Response {
        let request = self.server.client().request(method, self.server.url(path));
        let request = request.bearer_auth(&self.token);
        let request = match body {
            Some(body) => request.json(body),
            None => request,
        };
        request.send().unwrap()
    }

    fn get(&self, path: &str) -> Value {
        let response = self.send(Method::GET, path, None);
        assert_eq!(response.status(), 200, "{path}");
        response.json().unwrap()
    }

    fn post(&self, path: &str) -> (u16, Value) {
        answer(self.send(Method::POST, path, Some(&json!({}))))
    }

    /// Saves settings on top of the present ones.
    fn save(&self, path: &str, change: &Value) -> (u16, Value) {
        let mut body = change.clone();
        body["version"] = self.get(path)["version"].clone();
        answer(self.send(Method::PUT, path, Some(&body)))
    }

    fn saved(&self, path: &str, change: &Value) -> Value {
        let (status, body) = self.save(path, change);
        assert_eq!(status, 200, "{body}");
        body
    }

    /// Returns the messages of a refused change, by field.
    fn refused(&self, path: &str, change: &Value) -> Value {
        let (status, body) = self.save(path, change);
        assert_eq!(status, 400, "{body}");
        body["fields"].clone()
    }

    /// Returns the line of `deals check` about a subject.
    fn check(&self, subject: &str, options: &[&str]) -> String {
        let output = self.shop.run(&[&["check"], options].concat());
        let lines = text(&output.stdout);
        let line = lines.lines().find(|line| line[7..].starts_with(subject));
        line.unwrap_or_else(|| panic!("{lines}")).to_owned()
    }

    /// Replaces the shop's key, and sets the owner's password anew.
    fn with_another_key(self, options: &[&str]) -> Self {
        self.server.stop();
        succeeds(self.shop.run(&["user", "reset-key", "--yes"]));
        let set = ["set-password", "owner@example.com", "--password-stdin"];
        succeeds(self.shop.user(&set, PASSWORD));
        Self::serve(self.shop, options)
    }

    /// Returns the details of a need of the office.
    fn need(&self, key: &str) -> String {
        let needs = self.get("/report/needs");
        let mut needs = needs["data"].as_array().unwrap().iter();
        let need = needs.find(|need| need["key"] == key).unwrap();
        need["details"].as_str().unwrap().to_owned()
    }

    /// Whether a text is in a file beside the database, or in the database itself.
    fn is_stored(&self, secret: &str) -> bool {
        let entries = std::fs::read_dir(self.shop.folder()).unwrap();
        entries.flatten().any(|entry| {
            let bytes = std::fs::read(entry.path()).unwrap_or_default();
            bytes
                .windows(secret.len())
                .any(|part| part == secret.as_bytes())
        })
    }
}

fn answer(response: Response) -> (u16, Value) {
    let status = response.status().as_u16();
    (status, response.json().unwrap_or_default())
}
