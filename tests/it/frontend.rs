//! The front end's tests, types, lints and structure.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::imports::cycles;
use crate::support::npm::{assert_success, folder, install};
use crate::tidy::{files, imports};

fn run(script: &str) {
    let frontend = folder("frontend");
    install(&frontend);
    let output = Command::new("npm")
        .args(["run", "--silent", script])
        .current_dir(&frontend)
        .env("CI", "true")
        .output()
        .unwrap();
    assert_success(script, &output);
}

#[test]
fn front_end_components_pass_their_tests() {
    run("test");
}

#[test]
fn front_end_types_and_lints_are_clean() {
    run("check");
}

fn shown(path: &Path) -> String {
    let inside = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap();
    inside.display().to_string()
}

/// Returns the text between any two quotes of a TypeScript source.
fn strings(source: &str) -> Vec<String> {
    let source = source.replace("\\\n", " ");
    let pieces = source.split(['"', '`']);
    pieces.map(str::to_owned).collect()
}

/// Returns the sorted names of a class string with more than three.
fn class_string(text: &str) -> Option<String> {
    let names: BTreeSet<&str> = text.split_whitespace().collect();
    let like_a_class = |name: &&str| {
        name.chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_:/.[](),%&=+*".contains(c))
    };
    let classes = names.len() > 3
        && names.iter().all(like_a_class)
        && names.iter().any(|name| name.contains(['-', ':']));
    classes.then(|| names.into_iter().collect::<Vec<_>>().join(" "))
}

#[test]
fn no_class_string_of_more_than_three_names_stands_in_two_files() {
    let sources = files("frontend/src", &["ts", "tsx"]);
    let mut homes: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (path, source) in sources {
        for classes in strings(&source)
            .iter()
            .filter_map(|text| class_string(text))
        {
            homes.entry(classes).or_default().insert(shown(&path));
        }
    }
    assert!(homes.len() > 20, "class strings are not found any more");
    homes.retain(|_, files| files.len() > 1);
    assert!(homes.is_empty(), "give these parts a name: {homes:#?}");
}

fn modules(path: &Path, source: &str) -> Vec<PathBuf> {
    imports(path, source)
        .into_iter()
        .filter_map(|target| {
            ["", ".ts", ".tsx", "/index.ts"]
                .iter()
                .map(|ending| PathBuf::from(format!("{}{ending}", target.display())))
                .find(|file| file.is_file())
        })
        .collect()
}

#[test]
fn no_files_of_the_front_end_import_each_other_in_a_cycle() {
    let uses: BTreeMap<PathBuf, BTreeSet<PathBuf>> = files("frontend/src", &["ts", "tsx"])
        .into_iter()
        .map(|(path, source)| {
            let targets = modules(&path, &source).into_iter().collect();
            (path, targets)
        })
        .collect();
    let cycles = cycles(&uses);
    assert!(cycles.is_empty(), "{cycles:#?}");
}
