//! Search latency by rarity, number of words, sort and category: `cargo bench --bench search
//! [SIZES]`.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "a benchmark may stop at the first thing that goes wrong"
)]

mod support;

use deals::domain::{Categories, Filters, ListQuery, Order, SortBy};
use deals::store::{Plan, Store};
use rusqlite::Connection;
use support::catalogue::Catalogue;
use support::shop::Shop;
use support::{grouped, quantile, row, sizes, timed};

/// Kinds of searches: frequency ranks of the words, and their number.
const KINDS: [(&str, std::ops::Range<usize>, usize); 7] = [
    ("one common word", 0..40, 1),
    ("one word", 40..2_000, 1),
    ("one rare word", 10_000..60_000, 1),
    ("two words", 0..2_000, 2),
    ("five common words", 0..40, 5),
    ("a rare word among common ones", 0..60_000, 3),
    ("the beginning of a word", 0..60_000, 0),
];
const QUERIES: usize = 300;

fn main() {
    let sizes = sizes();
    let measured: Vec<Vec<(String, String)>> = sizes.iter().map(|size| measure(*size)).collect();
    row("products", sizes.iter().map(|size| grouped(*size as f64)));
    for at in 0..measured[0].len() {
        row(
            &measured[0][at].0,
            measured.iter().map(|measures| measures[at].1.clone()),
        );
    }
}

fn measure(size: usize) -> Vec<(String, String)> {
    let shop = Shop::with(size);
    let connection = Connection::open(shop.db()).unwrap();
    let mut first_page = connection
        .prepare("SELECT * FROM products ORDER BY price, id LIMIT 10")
        .unwrap();
    let mut raw: Vec<f64> = (0..1_000)
        .map(|_| {
            let read = || {
                let mut rows = first_page.query([]).unwrap();
                while rows.next().unwrap().is_some() {}
            };
            timed(read).0 * 1_000.0
        })
        .collect();
    let raw = quantile(&mut raw, 0.5);
    let store = Store::open(&shop.db()).unwrap();
    // Builds the sorts, as the first search does, and waits for them.
    let far = ListQuery {
        page: u32::try_from(size / 20).unwrap(),
        ..ListQuery::default()
    };
    while !store.has_sorts() {
        store.list_products(&far).unwrap();
        std::thread::yield_now();
    }
    let mut lines = vec![(
        "SQLite alone, first page: ms".to_owned(),
        format!("{raw:.3}"),
    )];
    let mut catalogue = Catalogue::new(9);
    let mut all = Vec::new();
    let mut slowest = (0.0, String::new());
    for (name, ranks, words) in KINDS {
        let mut times: Vec<f64> = (0..QUERIES)
            .map(|_| {
                let query = query(&mut catalogue, ranks.clone(), words);
                let time = timed(|| store.list_products(&query).unwrap()).0 * 1_000.0;
                if time > slowest.0 {
                    slowest = (time, format!("{query:?}"));
                }
                time
            })
            .collect();
        all.extend_from_slice(&times);
        let (median, p99) = (quantile(&mut times, 0.5), quantile(&mut times, 0.99));
        let line = format!("{median:.2} / {p99:.2}");
        lines.push((format!("{name}: ms, median / p99"), line));
    }
    println!("slowest with {size} products: {}", slowest.1);
    lines.push((
        "slowest of all: ms".to_owned(),
        format!("{:.2}", quantile(&mut all, 1.0)),
    ));
    lines.push((
        "median, in first pages of SQLite alone".to_owned(),
        format!("{:.1}", quantile(&mut all, 0.5) / raw),
    ));
    let common = || query(&mut Catalogue::new(11), 0..40, 1);
    for (name, plan) in [
        ("walking the orders", Plan::Sorts),
        ("walking SQLite's index", Plan::Index),
    ] {
        let (seconds, _) = timed(|| store.list_products_by(&common(), plan).unwrap());
        lines.push((
            format!("one common word by {name}: ms"),
            format!("{:.2}", seconds * 1_000.0),
        ));
    }
    lines
}

fn query(catalogue: &mut Catalogue, ranks: std::ops::Range<usize>, words: usize) -> ListQuery {
    let count = ranks.len();
    let word = |catalogue: &mut Catalogue| {
        let rank = ranks.start + catalogue.random().below(count);
        catalogue.word_of_rank(rank).to_owned()
    };
    let search = if words == 0 {
        let word = word(catalogue);
        let letters = 1 + catalogue.random().below(5);
        word.chars().take(letters).collect()
    } else {
        let words: Vec<String> = (0..words).map(|_| word(catalogue)).collect();
        words.join(" ")
    };
    let random = catalogue.random();
    let categories = Categories::default();
    let category = [None, Some("Books"), Some("Home")];
    ListQuery {
        sort_by: *random.of(&SortBy::ALL),
        order: *random.of(&Order::ALL),
        filters: Filters {
            search: Some(search),
            category: random
                .of(&category)
                .and_then(|name| categories.find(name).cloned()),
            ..Filters::default()
        },
        ..ListQuery::default()
    }
}
