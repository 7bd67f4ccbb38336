//! Size of a year of click sums, and the time of its reports: `cargo bench --bench reports [SUMS]`, with
//! the number of sums of a day.
#![expect(
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    reason = "a benchmark may stop at the first thing that goes wrong"
)]

mod support;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use deals::domain::{ReportBy, ReportQuery, day_in_india};
use deals::store::Store;
use jiff::Timestamp;
use rusqlite::{Connection, params};
use support::shop::{PROGRAM, Shop};
use support::{grouped, quantile, row, sizes, timed};

/// Clicked products, as in a shop of real deals.
const PRODUCTS: u64 = 2_738;
const DAYS: i64 = 365;
/// Days whose sums are of hours.
const RECENT: i64 = 15;
/// Runs of each report.
const RUNS: usize = 5;

fn main() {
    let sums_of_day = match sizes()[..] {
        [one] => one,
        _ => 7_945,
    };
    let shop = Shop::with(1_000);
    let before = bytes(&shop.db());
    let sums = add_year(&shop.db(), sums_of_day);
    row("sums", [grouped(sums as f64)]);
    let year = (bytes(&shop.db()) - before) as f64;
    row("bytes for each", [format!("{:.1}", year / sums as f64)]);
    let copy = shop.db().with_extension("copy");
    run(&shop, &["backup", &copy.to_string_lossy()]);
    let year = (std::fs::metadata(copy).unwrap().len() - before) as f64;
    row("    in a backup", [format!("{:.1}", year / sums as f64)]);
    let store = Store::open(&shop.db()).unwrap();
    let today = day_in_india(Timestamp::now());
    for by in [
        "day", "product", "source", "category", "channel", "place", "verdict",
    ] {
        let query = ReportQuery {
            from: today - DAYS + 1,
            to: today,
            by: ReportBy::parse(by).unwrap(),
            source: None,
            category: None,
            product: None,
            channel: None,
        };
        let mut times: Vec<f64> = (0..RUNS)
            .map(|_| timed(|| store.report_clicks(&query).unwrap()).0 * 1_000.0)
            .collect();
        let median = grouped(quantile(&mut times, 0.5));
        row(&format!("report by {by}: ms"), [median]);
    }
}

fn run(shop: &Shop, arguments: &[&str]) {
    let output = Command::new(PROGRAM)
        .args(arguments)
        .arg("--db")
        .arg(shop.db())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
}

/// Size of the database without the WAL and free pages.
fn bytes(path: &Path) -> u64 {
    let connection = Connection::open(path).unwrap();
    let number = |name: &str| -> u64 {
        connection
            .pragma_query_value(None, name, |row| row.get(0))
            .unwrap()
    };
    (number("page_count") - number("freelist_count")) * number("page_size")
}

/// Adds a year of clicks as the job would have folded them; returns the number of sums.
fn add_year(path: &Path, sums_of_day: usize) -> u64 {
    let connection = Connection::open(path).unwrap();
    connection
        .execute_batch(
            "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 2738)
             INSERT INTO clicked_products (number, id, title, source, category)
             SELECT n, 'p' || n, 'Product ' || n, 'Source ' || n % 20, 'Category ' || n % 9 FROM n",
        )
        .unwrap();
    let sql = "SELECT (unixepoch() + 19800) / 86400";
    let today: i64 = connection.query_row(sql, [], |row| row.get(0)).unwrap();
    let mut random = 1_u64;
    let mut below = |end: u64| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random % end
    };
    for day in today - DAYS + 1..=today {
        let mut kinds = BTreeMap::new();
        while kinds.len() < sums_of_day {
            // Few products have most clicks, and most clicks are counted.
            let product = 1 + below(PRODUCTS) * below(PRODUCTS) / PRODUCTS;
            let verdict = if below(5) > 0 { 0 } else { below(9) };
            let kind = product * 2_048 + below(14) * 128 + below(4) * 16 + verdict;
            *kinds.entry(kind).or_insert(0_u64) += 1;
        }
        let transaction = connection.unchecked_transaction().unwrap();
        let mut add = transaction
            .prepare_cached(
                "INSERT INTO click_sums VALUES (?, ?, ?) \
                 ON CONFLICT DO UPDATE SET clicks = clicks + excluded.clicks",
            )
            .unwrap();
        let is_recent = day > today - RECENT;
        for hour in 0..24 {
            let of_hour = |kind: &u64| (kind / 16 + kind) % 24 == hour;
            for (kind, clicks) in kinds.iter().filter(|(kind, _)| of_hour(kind)) {
                let hour = 1_000_000 + day * 24 + i64::try_from(hour).unwrap();
                let period = if is_recent { hour } else { day };
                add.execute(params![period, kind, clicks]).unwrap();
            }
        }
        drop(add);
        transaction.commit().unwrap();
    }
    let sql = "SELECT count(*) FROM click_sums";
    connection.query_row(sql, [], |row| row.get(0)).unwrap()
}
