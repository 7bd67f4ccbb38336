//! Lists and pages per second, compared with files of the same size from nginx and with SQLite
//! alone: `cargo bench --bench listing [SIZES]`.
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
use support::cpu::cpu_seconds;
use support::files::Files;
use support::load::{Load, click_steadily, load, load_with};
use support::queries::different_queries;
use support::shop::{Server, Shop};
use support::tls::Certificate;
use support::{grouped, quantile, row, sizes, timed};

const CONNECTIONS: usize = 16;
/// Rounds and duration of each load, in turn with the others; the median counts.
const ROUNDS: usize = 5;
const SECONDS: f64 = 1.5;
const CPU: &str = "    CPU time of an answer: µs";

/// Accepted encodings: none, a browser's, and Brotli only.
const PLAIN: &str = "accept: text/html\r\n";
const BROWSER: &str = "accept: text/html\r\naccept-encoding: gzip, deflate, br, zstd\r\n";
const BROTLI: &str = "accept: text/html\r\naccept-encoding: br\r\n";

fn main() {
    let measured: Vec<Vec<(String, f64, bool)>> = sizes().into_iter().map(measure).collect();
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

/// A load, and the file that it is compared with.
struct Asked {
    name: &'static str,
    /// True to click meanwhile.
    with_clicks: bool,
    headers: &'static str,
    paths: Vec<String>,
    against: usize,
}

fn measure(size: usize) -> Vec<(String, f64, bool)> {
    let shop = Shop::with(size);
    let raw = raw_pages(&shop);
    let (server, first_answer) = shop.serve();
    let idle = server.memory("VmRSS");
    let files = [
        ("list.json", "/product/get-products", ""),
        ("page", "/", PLAIN),
        ("page.br", "/", BROTLI),
    ];
    let bytes = files.map(|(name, path, headers)| {
        // Request twice, because cached responses are compressed better.
        let mut client = server.client();
        client.body(path, headers);
        client.body(path, headers);
        (name, client.body(path, headers))
    });
    let folder = tempfile::tempdir().unwrap();
    let certificate = Certificate::new(folder.path());
    let nginx = Files::with(
        &bytes
            .each_ref()
            .map(|(name, bytes)| (*name, bytes.as_slice())),
        &certificate,
    );
    let fixed: Vec<(String, Vec<String>)> = match &nginx {
        Some(nginx) => files
            .iter()
            .map(|(name, ..)| (nginx.address.clone(), vec![format!("/{name}")]))
            .collect(),
        None => {
            row("nginx is not installed: a file of the program", []);
            let file = file_of_size(&server, bytes[0].1.len());
            vec![(server.address.clone(), vec![file]); files.len()]
        }
    };
    server.warm_up(size / 10);
    let asked = what_is_asked(size, 0);
    let ids = server.ids();
    let run = |one: &Asked| {
        let load = || {
            load_with(
                &server.address,
                "GET",
                one.headers,
                &one.paths,
                CONNECTIONS,
                SECONDS,
            )
        };
        if !one.with_clicks {
            return load();
        }
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| click_steadily(&server.address, &ids, 200, &stop));
            // Join the other thread even if the load failed.
            let load = catch_unwind(AssertUnwindSafe(load));
            stop.store(true, Ordering::Relaxed);
            load.unwrap()
        })
    };
    let server_of_files = if nginx.is_some() { "nginx" } else { "deals" };
    let mut of_files = vec![(Vec::new(), Vec::new()); fixed.len()];
    let mut of_asked = vec![(Vec::new(), Vec::new(), Vec::new()); asked.len()];
    for round in 0..ROUNDS {
        // Different paths each round, because responses are cached.
        let asked = what_is_asked(size, round);
        for ((values, cpu), (address, paths)) in of_files.iter_mut().zip(&fixed) {
            let (load, each) = with_cpu(server_of_files, || {
                load(address, "GET", paths, CONNECTIONS, SECONDS)
            });
            values.push(load.per_second);
            cpu.push(each);
        }
        for ((values, late, cpu), one) in of_asked.iter_mut().zip(&asked) {
            let (load, each) = with_cpu("deals", || run(one));
            values.push(load.per_second);
            late.push(load.p99);
            cpu.push(each);
        }
    }
    let of_files: Vec<(f64, f64)> = of_files
        .iter_mut()
        .map(|(values, cpu)| (quantile(values, 0.5), quantile(cpu, 0.5)))
        .collect();
    let mut rows = vec![("SQLite alone, one thread: pages/s".to_owned(), raw, true)];
    for ((name, ..), (value, cpu)) in files.iter().zip(&of_files) {
        rows.push((
            format!("{server_of_files}, a file like {name}: answers/s"),
            *value,
            true,
        ));
        rows.push((CPU.to_owned(), *cpu, false));
    }
    for ((values, late, cpu), one) in of_asked.iter_mut().zip(&asked) {
        let value = quantile(values, 0.5);
        rows.push((format!("{}: answers/s", one.name), value, true));
        rows.push((
            "    of the file".to_owned(),
            value / of_files[one.against].0,
            false,
        ));
        rows.push(("    p99: ms".to_owned(), quantile(late, 0.5), false));
        rows.push((CPU.to_owned(), quantile(cpu, 0.5), false));
    }
    let first = page_time(&server, size, 1);
    let last = page_time(&server, size, size.div_ceil(10));
    let middle = page_time(&server, size, size / 20);
    rows.extend(
        [
            ("first page, not kept: ms", first, false),
            ("page in the middle: ms", middle, false),
            ("last page: ms", last, false),
            ("    of the first page", last / first, false),
            ("start to first answer: ms", first_answer, true),
            ("memory when idle: MiB", idle, true),
            ("memory after all this: MiB", server.memory("VmRSS"), true),
        ]
        .map(|(name, value, whole)| (name.to_owned(), value, whole)),
    );
    // Only one server may use a database.
    drop(server);
    rows.extend(encrypted(&shop, nginx.as_ref(), &certificate));
    rows
}

/// Runs a load; returns its result and the CPU microseconds per response.
fn with_cpu(name: &str, load: impl FnOnce() -> Load) -> (Load, f64) {
    let before = cpu_seconds(name);
    let load = load();
    let each = (cpu_seconds(name) - before) * 1e6 / load.answers;
    (load, each)
}

/// Returns the loads, each with the index of its file.
fn what_is_asked(size: usize, round: usize) -> Vec<Asked> {
    let hot = || vec!["/product/get-products".to_owned()];
    let home = || vec!["/".to_owned()];
    let different = |before: &str, load: usize| -> Vec<String> {
        let queries = different_queries(size, (10 * round + load) as u64);
        queries
            .iter()
            .map(|query| format!("{before}?{query}"))
            .collect()
    };
    let asked = |name, headers, paths, against| Asked {
        name,
        with_clicks: false,
        headers,
        paths,
        against,
    };
    vec![
        asked("one list again and again", "", hot(), 0),
        Asked {
            with_clicks: true,
            ..asked("one list, with 200 clicks/s", "", hot(), 0)
        },
        asked(
            "10,000 different lists",
            "",
            different("/product/get-products", 1),
            0,
        ),
        asked("the page / again and again", PLAIN, home(), 1),
        asked("the page / again and again, Brotli", BROTLI, home(), 2),
        asked("10,000 different pages", PLAIN, different("/", 2), 1),
        asked(
            "10,000 different pages, as browsers ask",
            BROWSER,
            different("/", 3),
            1,
        ),
        asked(
            "10,000 different pages, Brotli alone",
            BROTLI,
            different("/", 4),
            1,
        ),
    ]
}

/// TLS connection mode.
#[derive(Clone, Copy)]
enum Connected {
    /// Persistent.
    Once,
    /// One per response.
    Again { resumed: bool },
}

/// Measures the list over TLS, with persistent and new connections.
fn encrypted(
    shop: &Shop,
    nginx: Option<&Files>,
    certificate: &Certificate,
) -> Vec<(String, f64, bool)> {
    let server = shop.serve_encrypted(certificate);
    let ours = (server.address.as_str(), "/product/get-products".to_owned());
    let theirs = nginx.map(|nginx| (nginx.encrypted.as_str(), "/list.json".to_owned()));
    let mut rows = Vec::new();
    for (name, connected) in [
        ("over TLS, one list again and again", Connected::Once),
        (
            "new TLS connections, a session each",
            Connected::Again { resumed: false },
        ),
        (
            "new TLS connections, sessions resumed",
            Connected::Again { resumed: true },
        ),
    ] {
        let run = |(address, path): &(&str, String)| match connected {
            Connected::Once => {
                let paths = std::slice::from_ref(path);
                certificate.load(address, paths, CONNECTIONS, SECONDS)
            }
            Connected::Again { resumed } => {
                certificate.connect_again(address, path, resumed, 4, SECONDS)
            }
        };
        let (mut of_ours, mut late, mut of_theirs) = (Vec::new(), Vec::new(), Vec::new());
        let (mut our_cpu, mut their_cpu) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            if let Some(theirs) = &theirs {
                let (load, each) = with_cpu("nginx", || run(theirs));
                of_theirs.push(load.per_second);
                their_cpu.push(each);
            }
            let (load, each) = with_cpu("deals", || run(&ours));
            of_ours.push(load.per_second);
            late.push(load.p99);
            our_cpu.push(each);
        }
        let (ours, theirs) = (quantile(&mut of_ours, 0.5), quantile(&mut of_theirs, 0.5));
        rows.push((format!("{name}: answers/s"), ours, true));
        if nginx.is_some() {
            rows.push(("    nginx with the file".to_owned(), theirs, true));
            let cpu = quantile(&mut their_cpu, 0.5);
            rows.push(("    its CPU time of an answer: µs".to_owned(), cpu, false));
            rows.push(("    of it".to_owned(), ours / theirs, false));
        }
        rows.push(("    p99: ms".to_owned(), quantile(&mut late, 0.5), false));
        rows.push((CPU.to_owned(), quantile(&mut our_cpu, 0.5), false));
    }
    rows
}

/// Reads pages of ten by a sort's index, with one prepared statement.
fn raw_pages(shop: &Shop) -> f64 {
    let connection = Connection::open(shop.db()).unwrap();
    let mut statement = connection
        .prepare(
            "SELECT * FROM products WHERE state = 0 AND price >= ? ORDER BY price, id LIMIT 10",
        )
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

/// Returns the uncompressed embedded file nearest to this size.
fn file_of_size(server: &Server, size: usize) -> String {
    let icons = ["icon-512", "icon-maskable-512", "icon-192", "icon-180"];
    let files = icons.map(|name| format!("/{name}.png"));
    let distance = |path: &String| server.client().get(path).1.abs_diff(size);
    files.into_iter().min_by_key(distance).unwrap()
}

/// Measures the milliseconds of an uncached page, by sort.
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
