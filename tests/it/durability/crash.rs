//! Acknowledged writes survive any stop of the server. `DEALS_CRASH_ROUNDS` sets how often it is
//! killed; `tests/soak/crash.sh` kills it a hundred times.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::harness::{Server, Shop, pause, product, product_with, succeeds};
use crate::support::random::Random;

const PASSWORD: &str = "tiger-lamp-42";
/// Threads of each of the two kinds.
const CLICKING: usize = 16;
const EDITING: usize = 16;

/// State of an editing thread: acknowledged prices, and the one change in doubt.
#[derive(Default)]
struct Edits {
    prices: HashMap<String, f64>,
    deleted: HashSet<String>,
    pending: Option<Pending>,
}

enum Pending {
    Add(String),
    Price(String, f64),
    Delete(String),
}

struct Api<'a> {
    server: &'a Server,
    token: &'a str,
}

impl Api<'_> {
    /// Returns the response if it confirms the work.
    fn call(&self, method: Method, path: &str, body: Option<&Value>) -> Option<Value> {
        let mut request = self
            .server
            .client()
            .request(method, self.server.url(path))
            .bearer_auth(self.token);
        if let Some(body) = body {
            request = request.json(body);
        }
        let answer = request.send().ok()?;
        assert!(answer.status().is_success(), "{} {path}", answer.status());
        answer.json().ok()
    }
}

fn edit(api: &Api<'_>, edits: &mut Edits, thread: usize, round: usize, acknowledged: &AtomicUsize) {
    for step in 0.. {
        let link = format!("https://shop.example/{thread}/{round}/{step}");
        let new = product_with(step, json!({ "affiliateLink": link }));
        edits.pending = Some(Pending::Add(link));
        let Some(added) = api.call(Method::POST, "/product/add-product", Some(&new)) else {
            return;
        };
        let id = added["product"]["_id"].as_str().unwrap().to_owned();
        edits
            .prices
            .insert(id.clone(), new["price"].as_f64().unwrap());
        acknowledged.fetch_add(1, Ordering::Relaxed);

        let price = 1_000.0 + step as f64;
        edits.pending = Some(Pending::Price(id.clone(), price));
        let mut changed = new.clone();
        changed["price"] = json!(price);
        let path = format!("/product/update-product/{id}");
        if api.call(Method::PUT, &path, Some(&changed)).is_none() {
            return;
        }
        edits.prices.insert(id.clone(), price);
        acknowledged.fetch_add(1, Ordering::Relaxed);

        if step % 3 == 2 {
            edits.pending = Some(Pending::Delete(id.clone()));
            let path = format!("/product/delete-product/{id}");
            if api.call(Method::DELETE, &path, None).is_none() {
                return;
            }
            edits.prices.remove(&id);
            edits.deleted.insert(id);
            acknowledged.fetch_add(1, Ordering::Relaxed);
        }
        edits.pending = None;
    }
}

fn check(edits: &Edits, server: &Server, there: &HashMap<String, Value>) {
    let pending = edits.pending.as_ref();
    for (id, price) in &edits.prices {
        match pending {
            Some(Pending::Delete(doubtful)) if doubtful == id && !there.contains_key(id) => {}
            Some(Pending::Price(doubtful, other)) if doubtful == id => {
                let found = there[id]["price"].as_f64().unwrap();
                assert!(found == *price || found == *other, "{id}: {found}");
            }
            _ => assert_eq!(there[id]["price"].as_f64().unwrap(), *price, "{id}"),
        }
    }
    for id in &edits.deleted {
        assert!(!there.contains_key(id), "{id} came back");
        assert_eq!(server.get(&format!("/product/product/{id}")).status(), 404);
    }
}

/// Every product by its id, as the export of another process has them.
fn everything(shop: &Shop) -> HashMap<String, Value> {
    let exported = succeeds(shop.run(&["export"]));
    let products: Vec<Value> = serde_json::from_str(&exported).unwrap();
    let by_id = products
        .into_iter()
        .map(|product| (product["_id"].as_str().unwrap().to_owned(), product));
    by_id.collect()
}

#[test]
fn acknowledged_writes_survive_kills_at_random_moments() {
    let rounds = std::env::var("DEALS_CRASH_ROUNDS").ok();
    let rounds = rounds.map_or(3, |rounds| rounds.parse().unwrap());
    let shop = Shop::with(&[product(1)]);
    succeeds(shop.user(
        &[
            "add",
            "o@b.example",
            "--username",
            "Owner",
            "--admin",
            "--password-stdin",
        ],
        PASSWORD,
    ));
    let clicked = everything(&shop).into_keys().next().unwrap();
    let click = format!("/product/increament-views/{clicked}");
    let mut edits: Vec<Edits> = (0..EDITING).map(|_| Edits::default()).collect();
    let (mut sent, mut counted) = (0, 0);
    let mut random = Random::new(20_261_121);
    let mut token = None::<String>;
    for round in 0..rounds {
        // Tokens belong to the site's address, and each start takes another port.
        let mut server = shop.serve_with(&["--public-url", "http://localhost:8080"]);
        let token = token.get_or_insert_with(|| {
            let answer = server
                .client()
                .post(server.url("/user/sign-in"))
                .json(&json!({ "email": "o@b.example", "password": PASSWORD }))
                .send()
                .unwrap();
            answer.json::<Value>().unwrap()["token"]
                .as_str()
                .unwrap()
                .to_owned()
        });
        let acknowledged = AtomicUsize::new(0);
        let (clicks_sent, clicks_counted) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let enough = 100 + random.below(400);
        std::thread::scope(|scope| {
            for _ in 0..CLICKING {
                scope.spawn(|| {
                    loop {
                        clicks_sent.fetch_add(1, Ordering::Relaxed);
                        let Ok(answer) = server.client().post(server.url(&click)).send() else {
                            return;
                        };
                        assert_eq!(answer.status(), 200);
                        if answer.bytes().is_err() {
                            return;
                        }
                        clicks_counted.fetch_add(1, Ordering::Relaxed);
                        acknowledged.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
            for (thread, edits) in edits.iter_mut().enumerate() {
                let api = Api {
                    server: &server,
                    token,
                };
                let acknowledged = &acknowledged;
                scope.spawn(move || edit(&api, edits, thread, round, acknowledged));
            }
            while acknowledged.load(Ordering::Relaxed) < enough {
                pause();
            }
            server.signal("KILL");
        });
        server.wait_for_exit();
        sent += clicks_sent.into_inner();
        counted += clicks_counted.into_inner();

        let report = succeeds(shop.run(&["check"]));
        assert!(!report.contains("wrong"), "round {round}: {report}");
        let server = shop.serve();
        let there = everything(&shop);
        for edits in &mut edits {
            check(edits, &server, &there);
            settle(edits, &there);
        }
        let clicks = there[&clicked]["clicks"].as_u64().unwrap() as usize;
        assert!(
            (counted..=sent).contains(&clicks),
            "{clicks} of {counted} to {sent}"
        );
        // An unanswered change may have happened; adopt the found state.
        (sent, counted) = (clicks, clicks);
    }
}

/// Adopts the found state of the change in doubt.
fn settle(edits: &mut Edits, there: &HashMap<String, Value>) {
    match edits.pending.take() {
        Some(Pending::Delete(id)) if !there.contains_key(&id) => {
            edits.prices.remove(&id);
            edits.deleted.insert(id);
        }
        Some(Pending::Price(id, _)) => {
            let price = there[&id]["price"].as_f64().unwrap();
            edits.prices.insert(id, price);
        }
        Some(Pending::Add(link)) => {
            let added = there
                .iter()
                .find(|(_, product)| product["affiliateLink"] == link.as_str());
            if let Some((id, product)) = added {
                edits
                    .prices
                    .insert(id.clone(), product["price"].as_f64().unwrap());
            }
        }
        _ => {}
    }
}
