//! Files of any origin: formats, mappings and what is refused.

mod bad_input;
mod cases;
mod columns;
mod formats;
mod hostile;
mod meaning;
mod office;
mod on_sale;
mod packing;
mod shapes;
mod stopped;
mod tables;
pub mod workbooks;
mod writers;

use serde_json::Value;

use crate::support::harness::{Shop, succeeds};

/// Imports a file with these options into a shop.
pub fn import(shop: &Shop, name: &str, bytes: &[u8], options: &[&str]) -> std::process::Output {
    std::fs::write(shop.file(name), bytes).unwrap();
    shop.run(&[&["import", name], options].concat())
}

/// Imports a file into an empty shop and returns the products.
pub fn imported(name: &str, bytes: &[u8], options: &[&str]) -> Vec<Value> {
    let shop = Shop::new();
    succeeds(import(&shop, name, bytes, options));
    exported(&shop)
}

/// Returns all products without what each shop gives them, by link and title.
pub fn exported(shop: &Shop) -> Vec<Value> {
    let json = succeeds(shop.run(&["export"]));
    let mut products: Vec<Value> = serde_json::from_str(&json).unwrap();
    for product in &mut products {
        let product = product.as_object_mut().unwrap();
        for field in ["_id", "createdAt", "updatedAt"] {
            product.remove(field);
        }
    }
    products.sort_by_key(|product| format!("{} {}", product["affiliateLink"], product["title"]));
    products
}

/// Returns why a file is not imported, after checking that nothing was.
pub fn refused(name: &str, bytes: &[u8], options: &[&str]) -> String {
    let shop = Shop::new();
    let output = import(&shop, name, bytes, options);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{name}: {error}");
    assert!(!shop.db().exists(), "{error}");
    error
}
