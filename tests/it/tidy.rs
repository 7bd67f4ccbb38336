//! Enforces `docs/architecture.md`: layers, no import cycles, small files and folders.

use std::fs;
use std::path::{Path, PathBuf};

use crate::imports::{self, Imports};

pub fn files(folder: &str, endings: &[&str]) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let ending = path.extension().unwrap_or_default().to_string_lossy();
            if path.is_dir() {
                // npm may be installing there meanwhile.
                if !path.ends_with("node_modules") {
                    folders.push(path);
                }
            } else if endings.contains(&ending.as_ref()) {
                let source = fs::read_to_string(&path).unwrap();
                found.push((path, source));
            }
        }
    }
    assert!(!found.is_empty(), "{folder} is empty");
    found
}

/// Fails when a file outside of some top-level modules of `src` uses one of the words.
fn assert_only_in(modules: &[&str], words: &[&str]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (path, source) in files("src", &["rs"]) {
        let inside = path.strip_prefix(&root).unwrap();
        let module = inside.components().next().unwrap().as_os_str();
        let module = Path::new(module).file_stem().unwrap().to_str().unwrap();
        // Tests may use anything.
        let code = source.split("#[cfg(test)]\nmod ").next().unwrap();
        for word in words.iter().filter(|_| !modules.contains(&module)) {
            assert!(!code.contains(word), "{} uses {word}", path.display());
        }
    }
}

const SQL: [&str; 3] = ["rusqlite", "SELECT ", "INSERT "];

#[test]
fn modules_use_only_the_modules_below_them() {
    // From the lowest layer to the highest; modules of one layer do not use each other.
    let layers: [&[&str]; 10] = [
        &["domain"],
        &["store", "mail", "bucket", "fetch"],
        &["accounts", "catalog", "clicks"],
        &["storefront"],
        &["channels"],
        &["maintenance"],
        &["replica"],
        &["jobs"],
        &["http"],
        &["cli"],
    ];
    // Every module may log.
    let layer_of = |top: &str| {
        let layer = layers.iter().position(|layer| layer.contains(&top));
        let is_known = layer.is_some() || top == "telemetry";
        assert!(is_known, "{top} is not in the map of modules");
        layer
    };
    for (module, used) in Imports::read().edges() {
        for other in used {
            let (Some(top), Some(other_top)) = (module.first(), other.first()) else {
                continue;
            };
            let (Some(layer), Some(other_layer)) = (layer_of(top), layer_of(other_top)) else {
                continue;
            };
            assert!(
                other_layer < layer || top == other_top,
                "{} uses {}",
                module.join("::"),
                other.join("::")
            );
        }
    }
}

#[test]
fn no_files_import_each_other_in_a_cycle() {
    let cycles = imports::cycles(&Imports::read().edges());
    assert!(cycles.is_empty(), "{cycles:#?}");
}

#[test]
fn reads_of_products_use_the_view_of_visible_ones() {
    // Only imports may read hidden products.
    for (path, source) in files("src/store", &["rs"]) {
        if path.components().any(|part| part.as_os_str() == "import") {
            continue;
        }
        let words: Vec<&str> = source.split_whitespace().collect();
        for three in words.windows(3) {
            let reads = matches!(three[1], "FROM" | "JOIN" | "\"FROM" | "\"JOIN")
                && !three[0].ends_with("DELETE")
                && three[2].trim_end_matches(|c: char| !c.is_alphanumeric()) == "products";
            assert!(!reads, "{}: {three:?}", path.display());
        }
    }
}

#[test]
fn sql_is_in_the_store_and_actix_in_http() {
    assert_only_in(&["store"], &SQL);
    // The log's levels are set by name, and `lib.rs` has the map.
    assert_only_in(&["http", "telemetry", "lib"], &["actix"]);
}

#[test]
fn only_the_bucket_knows_object_stores() {
    // The log has a level for it.
    assert_only_in(&["bucket", "fetch", "telemetry", "lib"], &["object_store"]);
}

#[test]
fn the_domain_is_pure() {
    let impure = [
        "std::fs",
        "std::net",
        "std::env",
        "Timestamp::now",
        "SystemTime",
        "Instant::now",
    ];
    for (path, source) in files("src/domain", &["rs"]) {
        for word in impure {
            assert!(!source.contains(word), "{} uses {word}", path.display());
        }
    }
}

#[test]
fn only_the_command_line_prints() {
    assert_only_in(&["cli"], &["println!", "eprintln!", "print!"]);
}

/// Returns a file's folder below `frontend/src`, up to `depth` levels.
fn place(path: &Path, depth: usize) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("frontend/src");
    let inside = path.strip_prefix(root).unwrap();
    let parts = inside.components().take(depth);
    parts
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect()
}

pub fn imports(path: &Path, source: &str) -> Vec<PathBuf> {
    source
        .lines()
        .filter_map(|line| {
            line.split_once(" from \"")
                .or_else(|| line.split_once("import \""))
        })
        .filter_map(|(_, rest)| rest.split('"').next())
        .filter(|target| target.starts_with('.'))
        .map(|target| normal(&path.parent().unwrap().join(target)))
        .collect()
}

fn normal(path: &Path) -> PathBuf {
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => {
                parts.pop();
            }
            std::path::Component::CurDir => {}
            other => parts.push(other),
        }
    }
    parts
}

#[test]
fn front_end_folders_use_only_the_folders_below_them() {
    // Lower numbers may use higher ones; features must not use each other.
    let level = |folder: &str| match folder {
        "start.ts" | "main.tsx" | "icons.d.ts" | "test" => 0,
        "app" => 1,
        "features" => 2,
        "product" => 3,
        "session" => 4,
        "schemas" => 5,
        "api" | "ui" => 6,
        "shop" => 7,
        "texts" => 8,
        "lib" | "styles" | "styles.css" | "app.css" => 9,
        other => panic!("{other} is not in the map of folders"),
    };
    for (path, source) in files("frontend/src", &["ts", "tsx"]) {
        let own = place(&path, 2);
        let is_test = path.to_string_lossy().contains(".test.");
        for target in imports(&path, &source) {
            // The API's types are generated, and below every folder.
            if is_test || target.ends_with("generated/api") {
                continue;
            }
            let other = place(&target, 2);
            let shown = format!("{} uses {}", path.display(), target.display());
            if own[0] == "features" && other[0] == "features" {
                assert_eq!(own[1], other[1], "{shown}");
            }
            let downwards =
                level(&own[0]) < level(&other[0]) || own[0] == other[0] || own[0] == "start.ts";
            assert!(downwards, "{shown}");
        }
        if own[0] == "api" {
            for word in ["Toast", "useNavigate", "tsx"] {
                assert!(!source.contains(word), "{} uses {word}", path.display());
            }
        }
    }
}

#[test]
fn files_stay_short_enough_to_read() {
    const MOST: usize = 420;
    let all = [
        ("src", &["rs"][..]),
        ("tests", &["rs", "mjs"]),
        ("frontend/src", &["ts", "tsx", "css"]),
        ("frontend/worker", &["ts"]),
        ("frontend/ssr", &["ts", "tsx"]),
    ];
    for (folder, endings) in all {
        for (path, source) in files(folder, endings) {
            let lines = source.lines().count();
            assert!(lines <= MOST, "{} has {lines} lines", path.display());
        }
    }
}

#[test]
fn no_folder_has_too_many_files() {
    const MOST: usize = 15;
    let roots = [
        "src",
        "tests",
        "benches",
        "fuzz/fuzz_targets",
        "frontend/src",
        "frontend/ssr",
    ];
    let mut folders = roots
        .map(|root| Path::new(env!("CARGO_MANIFEST_DIR")).join(root))
        .to_vec();
    while let Some(folder) = folders.pop() {
        // Has a file for each version of the schema, which is never edited.
        if folder.ends_with("src/store/migrations") {
            continue;
        }
        let mut count = 0;
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                count += 1;
            } else if !path.ends_with("node_modules") {
                folders.push(path);
            }
        }
        assert!(count <= MOST, "{} has {count} files", folder.display());
    }
}
