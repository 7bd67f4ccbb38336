//! 300 real products, chosen for what is hard about them: marks of direction, leftovers of HTML,
//! quotes, long titles, prices of lakhs, repeated links. Two of them break a rule.

use serde_json::Value;

use super::npm::folder;

/// Number of products in a shop after an import: two rows repeat the link of another.
pub const IMPORTED: usize = 296;

/// Returns the path of the file.
pub fn path() -> String {
    let file = folder("tests/fixtures/real-products.json");
    file.to_str().unwrap().to_owned()
}

/// Returns the products that break no rule.
pub fn valid() -> Vec<Value> {
    let all: Vec<Value> = serde_json::from_slice(&std::fs::read(path()).unwrap()).unwrap();
    let valid = all
        .into_iter()
        .filter(|product| product["description"].as_str().unwrap().trim().len() >= 10);
    valid.collect()
}
