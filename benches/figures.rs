//! Measures what README.md says of the program, and writes it to `benches/figures.json`, with which
//! `tests/it/figures.rs` compares README.md: `cargo bench --profile release --bench figures`, the
//! profile that README.md builds.
#![expect(
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "a benchmark may stop at the first thing that goes wrong"
)]

mod support;

use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};
use support::load::load;
use support::queries::different_queries;
use support::row;
use support::shop::{PROGRAM, Shop};

const PRODUCTS: usize = 100_000;
const ROUNDS: u64 = 5;
const SECONDS: f64 = 2.0;
const CONNECTIONS: usize = 16;

fn main() {
    let mut figures = Map::new();
    let mut note = |name: &str, value: f64| {
        row(name, [format!("{value:.1}")]);
        figures.insert(name.to_owned(), json!(value.round() as i64));
    };
    note(
        "executable_mb",
        fs::metadata(PROGRAM).unwrap().len() as f64 / 1e6,
    );
    let shop = Shop::with(PRODUCTS);
    let (server, _) = shop.serve();
    note("idle_mib", server.memory("VmRSS"));
    let same = vec!["/product/get-products".to_owned()];
    let run = |paths: &[String]| load(&server.address, "GET", paths, CONNECTIONS, SECONDS);
    for round in 0..ROUNDS {
        let queries = different_queries(PRODUCTS, round);
        let under = |path: &str| -> Vec<String> {
            queries
                .iter()
                .map(|query| format!("{path}?{query}"))
                .collect()
        };
        run(&same);
        run(&under("/product/get-products"));
        run(&under("/"));
    }
    note("loaded_mib", server.memory("VmRSS"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/figures.json");
    let text = serde_json::to_string_pretty(&Value::Object(figures)).unwrap();
    fs::write(path, text + "\n").unwrap();
}
