//! How many list pages a second, against a fixed file from the same server and against
//! SQLite alone: `cargo bench --bench listing [SIZES]`.
#![expect(
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    reason = "a benchmark may stop at the first thing that goes wrong"
)]

mod support;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

use rusqlite::Connection;
use support::catalogue::Random;
use support::load::{click_steadily, load};
use support::shop::{Server, Shop};
use support::{grouped, quantile, row, sizes, timed};

const CONNECTIONS: usize = 16;
/// Each load is run so often for so long, in turn with the others; the median counts.
const ROUNDS: usize = 5;
const SECONDS: f64 = 1.5;

fn main() {
    let measured: Vec<Vec<(&str, f64, bool)>> = sizes().into_iter().map(measure).collect();
    row(
        "products",
        sizes().into_iter().map(|size| grouped(size as f64)),
    );
    for (at, (name, _, whole)) in measured[0].iter().enumerate() {
        let values = measured.iter().map(|measures| measures[at].1);
        row(
            name,
            values.map(|value| {
                if *whole {
                    grouped(value)
                } else {
                    format!("{value:.2}")
                }
            }),
        );
    }
}

fn measure(size: usize) -> Vec<(&'static str, f64, bool)> {
    let shop = Shop::with(size);
    let raw = raw_pages(&shop);
    let (server, first_answer) = shop.serve();
    let idle = server.memory("VmRSS");
    let address = server.address.as_str();
    let hot = ["/product/get-products".to_owned()];
    let fixed = [file_of_size(&server, server.client().get(&hot[0]).1)];
    let cold = different_pages(size);
    server.warm_up(size / 10);
    let run = |paths: &[String]| load(address, "GET", paths, CONNECTIONS, SECONDS);
    let ids = server.ids();
    let clicked = |paths: &[String]| {
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| click_steadily(address, &ids, 200, &stop));
            // Whatever comes of the load: the other thread is waited for.
            let load = catch_unwind(AssertUnwindSafe(|| run(paths)));
            stop.store(true, Ordering::Relaxed);
            load.unwrap()
        })
    };
    run(&fixed);
    run(&cold);
    let rounds: Vec<[f64; 4]> = (0..ROUNDS)
        .map(|_| [run(&fixed), run(&hot), clicked(&hot), run(&cold)].map(|load| load.per_second))
        .collect();
    let median = |at: usize| {
        let mut values: Vec<f64> = rounds.iter().map(|round| round[at]).collect();
        quantile(&mut values, 0.5)
    };
    let [fixed, hot_alone, hot_clicked, cold] = [0, 1, 2, 3].map(median);
    let first = page_time(&server, size, 1);
    let last = page_time(&server, size, size.div_ceil(10));
    let middle = page_time(&server, size, size / 20);
    vec![
        ("SQLite alone, one thread: pages/s", raw, true),
        ("fixed file of the same size: answers/s", fixed, true),
        ("one page again and again: answers/s", hot_alone, true),
        ("    of the fixed file", hot_alone / fixed, false),
        ("one page, with 200 clicks/s: answers/s", hot_clicked, true),
        ("    of the fixed file", hot_clicked / fixed, false),
        ("10,000 different pages: answers/s", cold, true),
        ("    of the fixed file", cold / fixed, false),
        ("    of SQLite alone", cold / raw, false),
        ("first page, not kept: ms", first, false),
        ("page in the middle: ms", middle, false),
        ("last page: ms", last, false),
        ("    of the first page", last / first, false),
        ("start to first answer: ms", first_answer, true),
        ("memory when idle: MiB", idle, true),
        ("memory after all this: MiB", server.memory("VmRSS"), true),
    ]
}

/// Pages of ten by a sort's index, read with one prepared statement and thrown away.
fn raw_pages(shop: &Shop) -> f64 {
    let connection = Connection::open(shop.db()).unwrap();
    let mut statement = connection
        .prepare("SELECT * FROM products WHERE price >= ? ORDER BY price, id LIMIT 10")
        .unwrap();
    let mut random = Random::new(3);
    let mut pages = 0;
    let (seconds, ()) = timed(|| {
        while pages < 20_000 {
            let mut rows = statement.query([random.below(5_000_000)]).unwrap();
            while let Some(row) = rows.next().unwrap() {
                std::hint::black_box(row.get_ref(2).unwrap());
            }
            pages += 1;
        }
    });
    f64::from(pages) / seconds
}

/// The embedded file, of those that are kept uncompressed, whose size is nearest to this.
fn file_of_size(server: &Server, size: usize) -> String {
    let icons = ["icon-512", "icon-maskable-512", "icon-192", "icon-180"];
    let files = icons.map(|name| format!("/{name}.png"));
    let distance = |path: &String| server.client().get(path).1.abs_diff(size);
    files.into_iter().min_by_key(distance).unwrap()
}

/// Ten thousand list pages over category, sort, order and page up to the last.
fn different_pages(size: usize) -> Vec<String> {
    let mut random = Random::new(5);
    let page = |_| {
        let category = *random.of(&["all", "Electronics", "Clothing", "Books", "Home"]);
        let products = if category == "all" {
            size
        } else {
            size * 24 / 100
        };
        let sort = *random.of(&[
            "createdAt",
            "price",
            "ratings.averageRating",
            "clicks",
            "discount",
            "finalPrice",
        ]);
        let order = *random.of(&["asc", "desc"]);
        let page = 1 + random.below(products / 10);
        format!("/product/get-products?category={category}&sortBy={sort}&order={order}&page={page}")
    };
    (0..10_000).map(page).collect()
}

/// Milliseconds for a page that was not asked for before, of each sort.
fn page_time(server: &Server, size: usize, page: usize) -> f64 {
    let mut client = server.client();
    let mut times = Vec::new();
    for sort in ["price", "discount", "finalPrice", "ratings.averageRating"] {
        for order in ["asc", "desc"] {
            for limit in [10, 9, 11] {
                let last = size.div_ceil(limit);
                let page = if page > 1 {
                    (page * 10 / limit).min(last)
                } else {
                    1
                };
                let path = format!(
                    "/product/get-products?sortBy={sort}&order={order}&limit={limit}&page={page}"
                );
                times.push(client.get(&path).0);
            }
        }
    }
    quantile(&mut times, 0.5)
}
