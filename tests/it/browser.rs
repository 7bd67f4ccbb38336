//! The shop in a real browser: `tests/browser` holds the steps.

use std::process::Command;

use crate::harness::{Server, Shop};
use crate::npm::{assert_success, folder, install};

/// Runs one file of steps against a running shop.
fn drive(steps: &str, server: &Server) {
    let browser = folder("tests/browser");
    install(&browser);
    let output = Command::new("node")
        .args(["--test", "--test-reporter=spec", steps])
        .current_dir(&browser)
        .env("SHOP_URL", server.url(""))
        .output()
        .unwrap();
    assert_success(steps, &output);
}

#[test]
fn visitors_browse_the_shop_in_a_real_browser() {
    let shop = Shop::new();
    let server = shop.serve_with(&["--demo"]);
    drive("browsing.test.mjs", &server);
}
