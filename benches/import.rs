//! Import speed, memory, and list latency meanwhile: `cargo bench --bench import [SIZES]`.
#![expect(
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    reason = "a benchmark may stop at the first thing that goes wrong"
)]

mod support;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use support::load::{Client, click_steadily};
use support::shop::{Shop, memory};
use support::{grouped, quantile, row, sizes, timed};

fn main() {
    let sizes = sizes();
    let measured: Vec<[f64; 7]> = sizes.iter().map(|size| measure(*size)).collect();
    row("products", sizes.iter().map(|size| grouped(*size as f64)));
    let column = |at: usize| measured.iter().map(move |values| values[at]);
    row(
        "SQLite alone, one table and its indexes: rows/s",
        column(0).map(grouped),
    );
    row("import into an empty shop: rows/s", column(1).map(grouped));
    let ratios = measured
        .iter()
        .map(|values| format!("{:.2}", values[1] / values[0]));
    row("    of SQLite alone", ratios);
    row("memory at most: MiB", column(2).map(grouped));
    row("the same file again: rows/s", column(3).map(grouped));
    row("beside a server: slowest click, ms", column(4).map(grouped));
    row(
        "    list page, p99 before, ms",
        column(5).map(|value| format!("{value:.2}")),
    );
    row(
        "    list page, p99 meanwhile, ms",
        column(6).map(|value| format!("{value:.2}")),
    );
}

fn measure(size: usize) -> [f64; 7] {
    let shop = Shop::new();
    let file = shop.catalogue(size, 1);
    let (seconds, most) = timed(|| watch_memory(shop.start_import(&file)));
    let imported = size as f64 / seconds;
    let (seconds, _) = timed(|| shop.start_import(&file).wait().unwrap());
    let again = size as f64 / seconds;
    let raw = raw_inserts(&shop, size);

    let busy = Shop::with(1_000);
    let file = busy.catalogue(size, 2);
    let (server, _) = busy.serve();
    let address = server.address.as_str();
    let ids = server.ids();
    let before = list_until(address, |times| times.len() > 2_000);
    let stop = AtomicBool::new(false);
    let (click, meanwhile) = std::thread::scope(|scope| {
        let clicks = scope.spawn(|| click_steadily(address, &ids, 100, &stop));
        let mut import = busy.start_import(&file);
        let meanwhile = list_until(address, |_| import.try_wait().unwrap().is_some());
        stop.store(true, Ordering::Relaxed);
        (clicks.join().unwrap(), meanwhile)
    });
    [raw, imported, most, again, click, before, meanwhile]
}

/// Waits for the program to end; returns its peak memory.
fn watch_memory(mut child: std::process::Child) -> f64 {
    let mut most: f64 = 0.0;
    while child.try_wait().unwrap().is_none() {
        most = most.max(memory(child.id(), "VmHWM"));
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    most
}

/// Requests different list pages in sequence; returns the 99th percentile in milliseconds.
fn list_until(address: &str, mut is_enough: impl FnMut(&[f64]) -> bool) -> f64 {
    let mut client = Client::connect(address);
    let mut times = Vec::new();
    let start = Instant::now();
    while !is_enough(&times) && start.elapsed().as_secs() < 600 {
        let page = times.len() % 100 + 1;
        times.push(client.get(&format!("/product/get-products?page={page}")).0);
    }
    quantile(&mut times, 0.99)
}

/// Copies the products into a table with the same columns and indexes in one transaction, without
/// full-text index, checks or counts.
fn raw_inserts(shop: &Shop, size: usize) -> f64 {
    let connection = rusqlite::Connection::open(shop.db()).unwrap();
    let columns = "key INTEGER PRIMARY KEY, id, title, description, price, discount, final_price, category, \
         source, affiliate_link, images, clicks, average_rating, total_ratings, created_at, updated_at";
    connection
        .execute_batch(&format!("CREATE TABLE copy ({columns})"))
        .unwrap();
    for column in [
        "id",
        "affiliate_link, source",
        "created_at, id",
        "price, id",
        "average_rating, id",
        "discount, id",
        "final_price, id",
        "clicks, total_ratings, id",
    ] {
        let name = column.replace(", ", "_");
        connection
            .execute_batch(&format!("CREATE INDEX copy_{name} ON copy ({column})"))
            .unwrap();
    }
    let copy = || {
        connection
            .execute("INSERT INTO copy SELECT * FROM products", [])
            .unwrap()
    };
    let (seconds, _) = timed(copy);
    size as f64 / seconds
}
