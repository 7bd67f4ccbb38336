//! Webhooks, with the real server and a receiver in the test's process.

mod delivering;
mod managing;
pub mod receiver;
mod upgrading;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::harness::{Shop, wait_until};
use crate::support::people::{People, Someone};
use receiver::Receiver;

/// A shop whose server may connect to this machine, an administrator and a receiver.
struct Hooked {
    people: People,
    owner: Someone,
    receiver: Receiver,
}

/// A webhook and its secret.
struct Made {
    id: String,
    secret: String,
}

const OPTIONS: [&str; 2] = ["--fetch-network", "127.0.0.0/8"];

impl Hooked {
    fn with(products: &[Value]) -> Self {
        Self::of(People::with(Shop::with(products), &OPTIONS))
    }

    fn of(people: People) -> Self {
        let owner = people.join_as_admin("owner@example.com");
        Self {
            people,
            owner,
            receiver: Receiver::start(),
        }
    }

    fn call(&self, method: Method, path: &str, body: &Value) -> (u16, Value) {
        let request = self.people.request(method, path).json(body);
        let answer = request.header("cookie", &self.owner.cookie).send().unwrap();
        (answer.status().as_u16(), answer.json().unwrap_or_default())
    }

    fn hook(&self, events: &[&str]) -> Made {
        self.hook_to(&self.receiver, events)
    }

    fn hook_to(&self, receiver: &Receiver, events: &[&str]) -> Made {
        let body = json!({"url": receiver.url("/hook"), "events": events});
        let (status, made) = self.call(Method::POST, "/webhooks", &body);
        assert_eq!(status, 201, "{made}");
        Made {
            id: made["webhook"]["id"].as_str().unwrap().to_owned(),
            secret: made["secret"].as_str().unwrap().to_owned(),
        }
    }

    fn add(&self, product: &Value) -> String {
        let (status, added) = self.call(Method::POST, "/product/add-product", product);
        assert_eq!(status, 201, "{added}");
        let added = added["product"]["_id"].as_str().or(added["_id"].as_str());
        added.unwrap().to_owned()
    }

    fn shown(&self, hook: &Made) -> Value {
        let (_, listed) = self.call(Method::GET, "/webhooks", &json!({}));
        let mut all = listed["data"].as_array().unwrap().iter();
        all.find(|one| one["id"] == hook.id.as_str())
            .unwrap()
            .clone()
    }

    /// Waits until an attempt has failed with these words, and returns the webhook.
    fn failed(&self, hook: &Made, words: &str) -> Value {
        let is_told = || {
            let shown = self.shown(hook);
            shown["lastError"].as_str().unwrap().contains(words)
        };
        wait_until("the attempt fails", is_told);
        self.shown(hook)
    }

    /// Waits until nothing waits any more, and returns the webhook.
    fn emptied(&self, hook: &Made) -> Value {
        wait_until("nothing waits", || self.shown(hook)["waiting"] == 0);
        self.shown(hook)
    }

    fn number(&self, sql: &str) -> i64 {
        let database = self.people.shop.database();
        database.query_row(sql, [], |row| row.get(0)).unwrap()
    }

    /// Makes what is postponed due now, as if the time had passed.
    fn pass_time(&self) {
        let sql =
            "UPDATE outgoing SET next_at = 0 WHERE next_at IS NOT NULL; DELETE FROM outgoing_waits";
        self.people.shop.database().execute_batch(sql).unwrap();
    }
}
