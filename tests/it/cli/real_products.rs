//! The program with real products.

use serde_json::Value;

use crate::support::harness::{Shop, text};
use crate::support::real_products;

#[test]
fn real_products_are_imported_and_every_one_can_be_found() {
    let file = real_products::path();
    let shop = Shop::new();

    let output = shop.run(&["import", &file]);
    assert_eq!(output.status.code(), Some(1));
    let errors = text(&output.stderr);
    let rows: Vec<&str> = errors
        .lines()
        .filter(|line| line.starts_with("row "))
        .collect();
    assert_eq!(
        rows,
        [
            "row 37: description: Description must be at least 10 characters.",
            "row 189: description: Description must be at least 10 characters.",
        ]
    );

    let output = shop.run(&["import", &file, "--skip-invalid"]);
    assert!(output.status.success());
    let server = shop.serve_with(&["--db", "deals.sqlite"]);
    assert_eq!(
        server.wait_for_line("database"),
        format!(
            "database deals.sqlite holds {} products",
            real_products::IMPORTED
        )
    );

    // Every tenth product is found by its title.
    let products = (1..=3).flat_map(|page| server.list(&format!("limit=100&page={page}")));
    let products: Vec<Value> = products.collect();
    for product in products.iter().step_by(10) {
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
