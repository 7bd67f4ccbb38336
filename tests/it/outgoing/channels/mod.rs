//! Channels to which deals are posted.

mod discord;
mod failing;
mod managing;
mod rules;
pub mod service;
mod telegram;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::harness::{Shop, wait_until};
use crate::support::people::{People, Someone};
use service::Service;

const TOKEN: &str = "123456:A-very_secret-token";

/// A shop with an administrator, and the services to which it posts.
pub struct Posting {
    pub people: People,
    pub owner: Someone,
    pub service: Service,
}

impl Posting {
    fn with(products: &[Value]) -> Self {
        Self::at(Shop::with(products))
    }

    pub fn at(shop: Shop) -> Self {
        let service = Service::start();
        let api = service.url("");
        let options = ["--telegram-api", &api, "--fetch-network", "127.0.0.0/8"];
        let people = People::with(shop, &options);
        let owner = people.join_as_admin("owner@example.com");
        Self {
            people,
            owner,
            service,
        }
    }

    pub fn call(&self, method: Method, path: &str, body: &Value) -> (u16, Value) {
        let request = self.people.request(method, path).json(body);
        let answer = request.header("cookie", &self.owner.cookie).send().unwrap();
        (answer.status().as_u16(), answer.json().unwrap_or_default())
    }

    /// Adds a channel, and returns its id.
    pub fn add(&self, body: &Value) -> String {
        let (status, added) = self.call(Method::POST, "/channel", body);
        assert_eq!(status, 201, "{added}");
        added["channel"]["id"].as_str().unwrap().to_owned()
    }

    /// Adds a chat of Telegram with more values.
    pub fn chat(&self, more: Value) -> String {
        let mut body = json!({"kind": "telegram", "name": "Loot", "token": TOKEN, "chat": "@loot"});
        body.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        self.add(&body)
    }

    /// Posts a product, which must not wait already.
    fn post(&self, channel: &str, product: &str) {
        let results = self.post_all(channel, &[product]);
        assert_eq!(results, ["queued"], "{product}");
    }

    /// Posts products, and returns what became of each.
    pub fn post_all(&self, channel: &str, products: &[&str]) -> Vec<String> {
        let path = format!("/channel/{channel}/post");
        let (status, said) = self.call(Method::POST, &path, &json!({"ids": products}));
        assert_eq!(status, 200, "{said}");
        let data = said["data"].as_array().unwrap().iter();
        data.map(|one| one["result"].as_str().unwrap().to_owned())
            .collect()
    }

    pub fn save(&self, id: &str, product: &Value) {
        let path = format!("/product/update-product/{id}");
        let (status, said) = self.call(Method::PUT, &path, product);
        assert_eq!(status, 200, "{said}");
    }

    pub fn shown(&self, channel: &str) -> Value {
        let (_, listed) = self.call(Method::GET, "/channel", &json!({}));
        let mut all = listed["data"].as_array().unwrap().iter();
        all.find(|one| one["id"] == channel).unwrap().clone()
    }

    /// Returns the posts of a channel, the newest first.
    pub fn posts(&self, channel: &str) -> Vec<Value> {
        let (_, listed) = self.call(
            Method::GET,
            &format!("/channel/{channel}/posts"),
            &json!({}),
        );
        listed["data"].as_array().unwrap().clone()
    }

    /// Waits until the newest post is in this state, and returns it.
    fn newest(&self, channel: &str, state: &str) -> Value {
        wait_until(state, || {
            let posts = self.posts(channel);
            posts.first().is_some_and(|post| post["state"] == state)
        });
        self.posts(channel)[0].clone()
    }

    /// Waits until nothing is queued, as far as it is due.
    fn settled(&self) {
        wait_until("nothing is due", || {
            self.number(
                "SELECT count(*) FROM outgoing WHERE kind = 'post' AND next_at <= unixepoch('subsec') * 1000",
            ) == 0
        });
    }

    pub fn number(&self, sql: &str) -> i64 {
        let database = self.people.shop.database();
        database.query_row(sql, [], |row| row.get(0)).unwrap()
    }

    pub fn execute(&self, sql: &str) {
        self.people.shop.database().execute_batch(sql).unwrap();
    }

    /// Makes what is postponed due now, as if the time had passed.
    fn pass_time(&self) {
        self.execute("UPDATE outgoing SET next_at = 0; DELETE FROM outgoing_waits");
    }
}
