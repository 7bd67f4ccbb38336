//! The program with 2,742 real products, if their file is next to the repository.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::harness::{Shop, text};

fn real_products() -> Option<PathBuf> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/products.json");
    file.exists().then_some(file)
}

#[test]
fn real_products_are_imported_and_every_one_can_be_found() {
    let Some(file) = real_products() else { return };
    let file = file.to_str().unwrap();
    let shop = Shop::new();

    let output = shop.run(&["import", file]);
    assert_eq!(output.status.code(), Some(1));
    let errors = text(&output.stderr);
    let rows: Vec<&str> = errors
        .lines()
        .filter(|line| line.starts_with("row "))
        .collect();
    assert_eq!(
        rows,
        [
            "row 133: description: Description must be at least 10 characters.",
            "row 1067: description: Description must be at least 10 characters.",
        ]
    );

    let output = shop.run(&["import", file, "--skip-invalid"]);
    assert!(output.status.success());
    let server = shop.serve_with(&["--db", "deals.sqlite"]);
    assert_eq!(
        server.wait_for_line("database"),
        "database deals.sqlite holds 2,738 products"
    );

    // Every hundredth product is found by its title.
    for page in 1..=27 {
        let product = server.list(&format!("limit=100&page={page}"))[50].clone();
        let title = product["title"].as_str().unwrap();
        let words: Vec<&str> = title
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| word.is_ascii() && word.len() > 3)
            .take(5)
            .collect();
        let found = server.list(&format!("limit=100&search={}", words.join("+")));
        let found: Vec<&Value> = found.iter().map(|product| &product["_id"]).collect();
        assert!(found.contains(&&product["_id"]), "{words:?} of {title}");
    }
}
