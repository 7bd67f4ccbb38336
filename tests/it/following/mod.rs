//! Copies that follow a shop, `deals serve --follow`, by files that a test writes as Litestream does.
//! `tests/soak/litestream/following.sh` does the same with Litestream.

mod answers;
mod cluster;
mod engine;
mod files;
mod starts;
mod taking_over;

use std::fs;

use serde_json::json;

use crate::support::harness::{Server, Shop, product, wait_until};
use crate::support::litestream::Litestream;

/// Public address of the leader and of the copy.
const URL: &str = "https://deals.example";

/// A leader, and the folder of a machine that follows it.
struct Pair {
    shop: Shop,
    leader: Server,
    files: Litestream,
    copy: Shop,
}

impl Pair {
    /// A leader with 30 products, whose files begin with all of them.
    fn new() -> Self {
        let products: Vec<_> = (1..=30).map(product).collect();
        let shop = Shop::with(&products);
        let leader = shop.serve_with(&["--public-url", URL]);
        let files = Litestream::into_folder(&shop.db(), &shop.file("replica"));
        let copy = Shop::new();
        let key = |shop: &Shop| shop.file("deals.sqlite.key");
        fs::copy(key(&shop), key(&copy)).unwrap();
        Self {
            shop,
            leader,
            files,
            copy,
        }
    }

    fn options(&self) -> Vec<String> {
        let place = self.shop.file("replica").to_str().unwrap().to_owned();
        [
            "--follow",
            &place,
            "--leader",
            "https://leader.example",
            "--public-url",
            URL,
        ]
        .map(str::to_owned)
        .to_vec()
    }

    fn follow(&self) -> Server {
        let options = self.options();
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        self.copy.serve_with(&options)
    }

    /// Clicks on the product of the leader with this title.
    fn click(&self, title: &str) {
        let id = self.id(title);
        let clicked = self.leader.post(&format!("/product/increament-views/{id}"));
        assert_eq!(clicked.status(), 200);
    }

    fn id(&self, title: &str) -> String {
        let all = self.leader.list("limit=100");
        let found = all.iter().find(|product| product["title"] == title);
        found.unwrap()["_id"].as_str().unwrap().to_owned()
    }

    fn import(&self, numbers: impl Iterator<Item = usize>) {
        let products: Vec<_> = numbers.map(product).collect();
        let output = self.shop.import(&json!(products).to_string(), &[]);
        assert!(output.status.success());
    }
}

/// The clicks of the most clicked product.
fn clicks(server: &Server) -> i64 {
    let list = server.list("sortBy=clicks&limit=1");
    list[0]["clicks"].as_i64().unwrap()
}

fn total(server: &Server) -> i64 {
    let answer = server.json("/product/get-products?limit=1");
    answer["meta"]["total"].as_i64().unwrap()
}

fn wait_for_clicks(server: &Server, number: i64) {
    wait_until("the copy has the clicks", || clicks(server) == number);
}

fn is_ready(server: &Server) -> bool {
    server.get("/readyz").status() == 200
}
