//! Compares the figures and limits in README.md with what was measured and with the configuration.

use std::fs;
use std::path::Path;

use regex::Regex;
use serde_json::Value;

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// Returns the numbers of README.md that a pattern captures; line ends count as spaces.
fn numbers(pattern: &str) -> Vec<i64> {
    let text = read("README.md")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let captures = Regex::new(pattern).unwrap().captures(&text);
    let captures = captures.unwrap_or_else(|| panic!("README.md has no {pattern}"));
    captures
        .iter()
        .skip(1)
        .map(|number| number.unwrap().as_str().replace(',', "").parse().unwrap())
        .collect()
}

#[test]
fn size_and_memory_in_the_readme_are_those_that_the_bench_measured() {
    let figures: Value = serde_json::from_str(&read("benches/figures.json")).unwrap();
    let measured = |name: &str| figures[name].as_i64().unwrap();
    assert_eq!(
        numbers(r"one file of (\d+) MB"),
        [measured("executable_mb")]
    );
    assert_eq!(
        numbers(r"(\d+) MiB of memory with 100,000 products when idle and (\d+) after heavy load"),
        ["idle_mib", "loaded_mib"].map(measured)
    );
}

#[test]
fn versions_in_the_readme_are_those_that_the_build_needs() {
    let text = read("README.md");
    let cargo = read("Cargo.toml");
    let rust = Regex::new(r#"rust-version = "([\d.]+)""#).unwrap();
    let rust = &rust.captures(&cargo).unwrap()[1];
    assert!(text.contains(&format!("[Rust](https://rustup.rs) {rust}")));
    let package: Value = serde_json::from_str(&read("frontend/package.json")).unwrap();
    let node = package["engines"]["node"].as_str().unwrap();
    let oldest = Regex::new(r"\d+\.\d+").unwrap().find(node).unwrap();
    assert!(text.contains(&format!("({} will do)", oldest.as_str())));
}
