//! Recall of misspelt searches: `cargo bench --bench recall -- products.json`.
//!
//! Searches for three adjacent words of each title that occur in at most five titles. A product is
//! found if it is among the first five results of the search or of its suggestion.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark may stop at the first thing that goes wrong"
)]

mod support;

use std::process::{Command, Stdio};

use deals::domain::{Filters, ListQuery, Product, SortBy, folded_words};
use deals::store::Store;
use support::catalogue::Random;
use support::shop::{PROGRAM, Shop};
use support::{quantile, timed};

/// Number of titles tried, and of results examined.
const TITLES: usize = 1_500;
const LOOKED_AT: usize = 5;

/// Alteration of the three words.
type Change = fn(&mut Random, &[String]) -> Option<String>;

const CHANGES: [(&str, Change); 5] = [
    ("as they are", |_, words| Some(words.join(" "))),
    ("a slip in one word", |random, words| {
        slips(random, words, 1)
    }),
    ("a slip in each of two words", |random, words| {
        slips(random, words, 2)
    }),
    ("two words joined", |random, words| {
        let first = random.below(2);
        let mut words = words.to_vec();
        let second = words.remove(first + 1);
        words[first].push_str(&second);
        Some(words.join(" "))
    }),
    ("one word split", |random, words| {
        let at = random.below(words.len());
        let length = words[at].chars().count();
        let left = 1 + random.below(length.max(2) - 1);
        let (left, right) = words[at].split_at(words[at].char_indices().nth(left)?.0);
        let mut words = words.to_vec();
        words[at] = format!("{left} {right}");
        Some(words.join(" "))
    }),
];

fn main() {
    let Some(file) = std::env::args().skip(1).find(|name| !name.starts_with('-')) else {
        println!("Name a file of products: cargo bench --bench recall -- products.json");
        return;
    };
    let shop = Shop::new();
    let imported = Command::new(PROGRAM)
        .args(["import", "--skip-invalid", &file, "--db"])
        .arg(shop.db())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(imported.unwrap().success(), "{file} was not imported");
    let store = Store::open(&shop.db()).unwrap();
    let all = some_words(&store);
    for (name, change) in CHANGES {
        let mut random = Random::new(7);
        let (mut found, mut tried) = (0, 0);
        let mut missed = Vec::new();
        let mut times = Vec::new();
        for (id, words) in &all {
            let Some(text) = change(&mut random, words) else {
                continue;
            };
            tried += 1;
            let (time, is_found) = timed(|| finds(&store, &text, id));
            times.push(time * 1_000.0);
            if is_found {
                found += 1;
            } else {
                missed.push(text);
            }
        }
        println!(
            "{name:<30}{:>8.1} % of {tried}   99th percentile {:.2} ms",
            100.0 * f64::from(found) / f64::from(tried),
            quantile(&mut times, 0.99)
        );
        if std::env::args().any(|argument| argument == "--missed") {
            println!("    {}", missed.join("\n    "));
        }
    }
}

/// Products, each with three words of its title.
fn some_words(store: &Store) -> Vec<(String, Vec<String>)> {
    let titles: Vec<(String, Vec<String>)> = (1..)
        .map(|page| {
            let query = ListQuery {
                page,
                limit: 100,
                ..ListQuery::default()
            };
            store.list_products(&query).unwrap().page.items
        })
        .take_while(|items| !items.is_empty())
        .flatten()
        .map(|product| (product.id, folded_words(&product.details.title)))
        .collect();
    let mut random = Random::new(3);
    let mut chosen = Vec::new();
    for (id, title) in titles.iter().filter(|(_, title)| title.len() >= 3) {
        let first = random.below(title.len() - 2);
        let words = title[first..first + 3].to_vec();
        let holding = |title: &&(String, Vec<String>)| words.iter().all(|w| title.1.contains(w));
        if titles.iter().filter(holding).count() <= LOOKED_AT {
            chosen.push((id.clone(), words));
        }
    }
    chosen.truncate(TITLES);
    chosen
}

fn finds(store: &Store, text: &str, id: &str) -> bool {
    let search = |text: &str| {
        let query = ListQuery {
            limit: u32::try_from(LOOKED_AT).unwrap(),
            sort_by: SortBy::Relevance,
            filters: Filters {
                search: Some(text.to_owned()),
                ..Filters::default()
            },
            ..ListQuery::default()
        };
        store.list_products(&query).unwrap()
    };
    let listing = search(text);
    let has = |items: &[Product]| items.iter().any(|product| product.id == id);
    has(&listing.page.items)
        || (listing.suggestion).is_some_and(|meant| has(&search(&meant).page.items))
}

fn slips(random: &mut Random, words: &[String], count: usize) -> Option<String> {
    let mut words = words.to_vec();
    let long: Vec<usize> = (0..words.len())
        .filter(|at| words[*at].chars().count() >= 4)
        .collect();
    if long.len() < count {
        return None;
    }
    let skip = random.below(long.len());
    for at in long.iter().cycle().skip(skip).take(count) {
        words[*at] = slip(random, &words[*at]);
    }
    Some(words.join(" "))
}

/// Returns the word with a letter omitted, doubled, swapped or replaced.
fn slip(random: &mut Random, word: &str) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    let at = random.below(letters.len() - 1);
    match random.below(4) {
        0 => drop(letters.remove(at)),
        1 => letters.insert(at, letters[at]),
        2 => letters.swap(at, at + 1),
        _ => letters[at] = char::from(b'a' + u8::try_from(random.below(26)).unwrap()),
    }
    letters.into_iter().collect()
}
