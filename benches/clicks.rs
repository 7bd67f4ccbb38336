//! Durable clicks per second, compared with one synced commit per click on the same disk, and their
//! effect on list latency: `cargo bench --bench clicks [SIZES]`.
#![expect(
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    reason = "a benchmark may stop at the first thing that goes wrong"
)]

mod support;

use rusqlite::Connection;
use support::load::{Client, load};
use support::shop::Shop;
use support::{grouped, row, sizes, timed};

const CLICKERS: usize = 64;
const SECONDS: f64 = 4.0;

fn main() {
    let sizes = sizes();
    let measured: Vec<[f64; 7]> = sizes.iter().map(|size| measure(*size)).collect();
    row("products", sizes.iter().map(|size| grouped(*size as f64)));
    let column = |at: usize| measured.iter().map(move |values| values[at]);
    row(
        "SQLite as it comes, a commit for each: clicks/s",
        column(0).map(grouped),
    );
    row(
        "SQLite in WAL mode, a commit for each: clicks/s",
        column(1).map(grouped),
    );
    row("64 connections: clicks/s", column(2).map(grouped));
    for (at, name) in ["    of SQLite as it comes", "    of SQLite in WAL mode"]
        .into_iter()
        .enumerate()
    {
        let ratios = measured
            .iter()
            .map(|values| format!("{:.1}", values[2] / values[at]));
        row(name, ratios);
    }
    row(
        "pages that a click alone writes to the WAL",
        column(6).map(|value| format!("{value:.1}")),
    );
    row(
        "slowest click: ms",
        column(3).map(|value| format!("{value:.1}")),
    );
    row(
        "list page, p99 while 64 ask for a file: ms",
        column(4).map(|value| format!("{value:.2}")),
    );
    row(
        "list page, p99 while 64 click: ms",
        column(5).map(|value| format!("{value:.2}")),
    );
}

fn measure(size: usize) -> [f64; 7] {
    let shop = Shop::with(size);
    // The last one is the server's.
    let [as_it_comes, with_wal] = ["DELETE", "WAL"].map(|journal| one_by_one(&shop, journal));
    let (server, _) = shop.serve();
    let clicks: Vec<String> = server
        .ids()
        .iter()
        .map(|id| format!("/product/increament-views/{id}"))
        .collect();
    let pages: Vec<String> = (1..=50)
        .map(|page| format!("/product/get-products?page={page}"))
        .collect();
    let address = server.address.as_str();
    let pages_each = pages_of_a_click(&shop, address, &clicks);
    let together = load(address, "POST", &clicks, CLICKERS, SECONDS);
    // Both loads use both cores; only the writes of the clicks differ.
    let beside = |method: &str, paths: &[String]| {
        std::thread::scope(|scope| {
            let others = scope.spawn(|| load(address, method, paths, CLICKERS, SECONDS));
            let listed = load(address, "GET", &pages, 4, SECONDS);
            (others.join().unwrap(), listed)
        })
    };
    let (_, alone) = beside("GET", &["/favicon.svg".to_owned()]);
    let (clicked, listed) = beside("POST", &clicks);
    [
        as_it_comes,
        with_wal,
        together.per_second,
        together.slowest.max(clicked.slowest),
        alone.p99,
        listed.p99,
        pages_each,
    ]
}

/// Returns the WAL growth per click, with fewer clicks than trigger a checkpoint.
fn pages_of_a_click(shop: &Shop, address: &str, clicks: &[String]) -> f64 {
    let frames = || {
        let wal = std::fs::metadata(shop.db().with_extension("sqlite-wal")).unwrap();
        wal.len() / (24 + 4_096)
    };
    let mut client = Client::connect(address);
    let mut click = |path: &String| {
        client.send("POST", path);
        assert_eq!(client.receive().0, 200);
    };
    click(&clicks[0]);
    let before = frames();
    let counted = 50;
    (0..counted).for_each(|n| click(&clicks[n * 7 % clicks.len()]));
    (frames() - before) as f64 / counted as f64
}

/// Commits and syncs one transaction per click, in a given journal mode.
fn one_by_one(shop: &Shop, journal: &str) -> f64 {
    let connection = Connection::open(shop.db()).unwrap();
    connection
        .pragma_update_and_check(None, "journal_mode", journal, |_| Ok(()))
        .unwrap();
    connection
        .pragma_update(None, "synchronous", "FULL")
        .unwrap();
    let mut click = connection
        .prepare("UPDATE products SET clicks = clicks + 1 WHERE key = ?")
        .unwrap();
    let clicks = 1_000;
    let (seconds, ()) = timed(|| {
        for key in 0..clicks {
            click.execute([key % 100 + 1]).unwrap();
        }
    });
    f64::from(clicks) / seconds
}
