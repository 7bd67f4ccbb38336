//! Licences of everything that is built into the program.

use std::process::Command;

use crate::support::harness::text;

/// Licences that require attribution at most.
const PERMISSIVE: [&str; 13] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Returns true if permissive licences satisfy an SPDX expression. Older packages use a slash for
/// OR.
fn is_permissive(expression: &str) -> bool {
    let plain = expression.replace(['(', ')'], "").replace('/', " OR ");
    plain.split(" AND ").all(|part| {
        part.split(" OR ")
            .any(|licence| PERMISSIVE.contains(&licence.trim()))
    })
}

#[test]
fn every_dependency_of_the_program_has_a_permissive_licence() {
    assert!(is_permissive("MIT OR Apache-2.0 OR LGPL-2.1-or-later"));
    assert!(!is_permissive("GPL-3.0-or-later"));
    assert!(!is_permissive("MIT AND MPL-2.0"));
    let output = Command::new(env!("CARGO"))
        .args([
            "tree",
            "--locked",
            "--offline",
            "--edges",
            "normal,no-proc-macro",
        ])
        .args(["--prefix", "none", "--format", "{p}|{l}"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let tree = text(&output.stdout);
    let packages: Vec<(&str, &str)> = tree
        .lines()
        .filter_map(|line| line.split_once('|'))
        .map(|(package, licence)| (package, licence.trim_end_matches(" (*)")))
        .collect();
    assert!(packages.len() > 200);
    let others: Vec<_> = packages
        .into_iter()
        .filter(|(_, licence)| !is_permissive(licence))
        .collect();
    assert!(others.is_empty(), "{others:?}");
}
