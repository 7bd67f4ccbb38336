//! Files in the shapes that shops, networks and people really produce, each with what is right.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{exported, import};
use crate::support::harness::{Shop, text};

/// A file, what its valid rows become, and what is said about the rest.
#[derive(Deserialize)]
struct Case {
    file: String,
    #[serde(default)]
    options: Vec<String>,
    #[serde(default)]
    fails: bool,
    /// Some fields of each product; null for one that it does not have.
    products: Vec<Map<String, Value>>,
    says: Vec<String>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/files")
}

fn cases() -> Vec<Case> {
    let table = fs::read(folder().join("cases.json")).unwrap();
    serde_json::from_slice(&table).unwrap()
}

/// Returns how a file was read, if not as it should be.
fn mistake(case: &Case) -> Option<String> {
    let bytes = fs::read(folder().join(&case.file)).unwrap();
    let shop = Shop::new();
    let mut options = vec!["--skip-invalid"];
    options.extend(case.options.iter().map(String::as_str));
    let name = case.file.rsplit('/').next().unwrap();
    let output = import(&shop, name, &bytes, &options);
    let said = format!("{}{}", text(&output.stdout), text(&output.stderr));
    let is_said = case.says.iter().all(|line| said.contains(line));
    let found = if case.fails {
        Vec::new()
    } else {
        exported(&shop)
    };
    let is_read = found.len() == case.products.len()
        && found.iter().zip(&case.products).all(|(product, expected)| {
            let value = |field: &String| product.get(field).unwrap_or(&Value::Null);
            expected.iter().all(|(field, right)| value(field) == right)
        });
    let is_right = is_said && is_read && output.status.success() != case.fails;
    (!is_right).then(|| format!("{}: {said}{found:#?}", case.file))
}

#[test]
fn real_world_files_are_imported_or_refused_with_the_reason() {
    let mistakes: Vec<String> = cases().iter().filter_map(mistake).collect();
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}

#[test]
fn every_file_of_the_folder_is_a_case() {
    let cases = cases();
    for kind in fs::read_dir(folder()).unwrap() {
        let kind = kind.unwrap().path();
        for file in fs::read_dir(&kind).into_iter().flatten() {
            let path = file.unwrap().path();
            let name = path.strip_prefix(folder()).unwrap().to_str().unwrap();
            let is_listed = cases.iter().any(|case| case.file == name);
            assert!(is_listed, "{name} is not in cases.json");
        }
    }
}
