//! The front end's tests, types and lints.

use std::process::Command;

use crate::support::npm::{assert_success, folder, install};

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
