//! Checks that every npm lock file is complete and reproducible.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::support::npm::{folder, install};

/// Folders with an npm lock file.
fn locked_folders() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder("")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if path.is_dir() && !path.is_symlink() {
                let is_made = ["node_modules", "target"].contains(&name.as_ref());
                if !is_made && !name.starts_with('.') {
                    folders.push(path);
                }
            } else if name == "package-lock.json" {
                found.push(folder.clone());
            }
        }
    }
    assert!(found.len() >= 3, "{found:?}");
    found
}

fn read(file: PathBuf) -> Value {
    serde_json::from_slice(&fs::read(file).unwrap()).unwrap()
}

fn packages(folder: &Path) -> Map<String, Value> {
    let lock = read(folder.join("package-lock.json"));
    lock["packages"].as_object().unwrap().clone()
}

/// Resolves a package as Node.js does: beside its dependant, or further up.
fn is_found(packages: &Map<String, Value>, from: &str, name: &str) -> bool {
    let mut inside = from;
    loop {
        let beside = match inside {
            "" => format!("node_modules/{name}"),
            inside => format!("{inside}/node_modules/{name}"),
        };
        if packages.contains_key(&beside) {
            return true;
        }
        match inside.rsplit_once("/node_modules/") {
            Some((outside, _)) => inside = outside,
            None if inside.is_empty() => return false,
            None => inside = "",
        }
    }
}

/// Dependencies of each package by kind.
fn wants(package: &Value) -> Vec<(&str, &str)> {
    let kinds = ["dependencies", "devDependencies", "peerDependencies"];
    let all = kinds
        .iter()
        .filter_map(|kind| package[*kind].as_object())
        .flatten();
    // Optional peers are not installed.
    all.filter(|(name, _)| package["peerDependenciesMeta"][name]["optional"] != true)
        .map(|(name, wanted)| (name.as_str(), wanted.as_str().unwrap()))
        .collect()
}

#[test]
fn every_npm_dependency_is_in_its_lock_file() {
    for folder in locked_folders() {
        let packages = packages(&folder);
        for (place, package) in &packages {
            for (name, _) in wants(package) {
                let shown = format!("{}: {place} wants {name}", folder.display());
                assert!(is_found(&packages, place, name), "{shown}");
            }
        }
    }
}

/// A dependency by a tag, like `latest`, changes with each publication, which these lock files
/// without package addresses do not pin. npm 11 then refuses to install.
#[test]
fn no_npm_dependency_is_required_by_a_tag() {
    for folder in locked_folders() {
        let overrides = read(folder.join("package.json"))["overrides"].to_string();
        for (place, package) in &packages(&folder) {
            for (name, wanted) in wants(package) {
                let is_tag = wanted.starts_with(|first: char| first.is_ascii_alphabetic())
                    && wanted.bytes().all(|byte| byte.is_ascii_alphanumeric());
                let is_pinned = overrides.contains(&format!("\"{name}\":\""));
                let shown = format!("{}: {place} wants {name} {wanted}", folder.display());
                assert!(!is_tag || is_pinned, "{shown}");
            }
        }
    }
}

#[test]
fn npm_packages_come_from_the_public_registry() {
    for folder in locked_folders() {
        for (place, package) in &packages(&folder) {
            let address = package["resolved"].as_str().unwrap_or_default();
            let is_default = address.starts_with("https://registry.npmjs.org/");
            assert!(address.is_empty() || is_default, "{place}: {address}");
        }
    }
}

#[test]
fn every_lock_file_can_be_installed() {
    for folder in locked_folders() {
        install(&folder);
    }
}

/// Node.js has a new even line each October, supported for two and a half years.
#[test]
fn every_build_names_the_same_supported_line_of_node() {
    let read = |name: &str| fs::read_to_string(folder(name)).unwrap();
    let dockerfile = read("Dockerfile");
    let (_, rest) = dockerfile.split_once("node:").unwrap();
    let line = rest.split_once('-').unwrap().0;
    assert!(["22", "24"].contains(&line), "{line}");
    for name in ["audit", "ci", "release"] {
        let workflow = read(&format!(".github/workflows/{name}.yml"));
        assert!(
            workflow.contains(&format!("node-version: {line}\n")),
            "{name}"
        );
    }
    for name in ["README.md", "CONTRIBUTING.md"] {
        let words = read(name).replace("[Node.js](https://nodejs.org)", "Node.js");
        assert!(words.contains(&format!("Node.js {line} ")), "{name}");
    }
}
