//! The same steps in three engines; `tests/browser/engines` has them. Chromium comes from npm,
//! Firefox and WebKitGTK are used where the machine has them.

use std::io;
use std::process::{Command, ExitStatus, Stdio};

use crate::pages::browser::drive;
use crate::support::harness::Shop;
use crate::support::people::{PASSWORD, People};

/// Runs a program for its status, without its output.
fn status(program: &str, arguments: &[&str]) -> io::Result<ExitStatus> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null()).status()
}

fn has_firefox() -> bool {
    let has = ["firefox-esr", "firefox"]
        .iter()
        .any(|name| status(name, &["--version"]).is_ok());
    if !has {
        skip("Firefox", "firefox-esr");
    }
    has
}

fn has_webkit() -> bool {
    let window =
        "import gi; gi.require_version('Gtk', '3.0'); gi.require_version('WebKit2', '4.1')";
    // These two have no argument with which they do nothing and succeed.
    let has = status("WebKitWebDriver", &["--help"]).is_ok()
        && status("Xvfb", &["-help"]).is_ok()
        && status("/usr/bin/python3", &["-c", window]).is_ok_and(|status| status.success());
    if !has {
        skip(
            "WebKitGTK",
            "webkit2gtk-driver gir1.2-webkit2-4.1 python3-gi xvfb",
        );
    }
    has
}

#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn skip(engine: &str, packages: &str) {
    eprintln!("skipped: {engine} is not installed (apt-get install {packages})");
}

/// Runs a file of steps in an engine, with a shop of its own.
fn drive_in(engine: &str, steps: &str) {
    let people = People::with(Shop::new(), &["--demo"]);
    people.join_as_admin("owner@example.com");
    let mails = people.mailbox.folder().to_str().unwrap();
    let environment = [
        ("ENGINE", engine),
        ("MAIL_DIR", mails),
        ("PASSWORD", PASSWORD),
    ];
    drive(steps, &people.server, &environment);
}

#[test]
fn daily_tasks_work_in_chromium() {
    drive_in("chromium", "engines/daily.test.mjs");
}

#[test]
fn daily_tasks_work_in_firefox() {
    if has_firefox() {
        drive_in("firefox", "engines/daily.test.mjs");
    }
}

#[test]
fn daily_tasks_work_in_webkit() {
    if has_webkit() {
        drive_in("webkit", "engines/daily.test.mjs");
    }
}

#[test]
fn engine_differences_are_handled_in_chromium() {
    drive_in("chromium", "engines/differences.test.mjs");
}

#[test]
fn engine_differences_are_handled_in_firefox() {
    if has_firefox() {
        drive_in("firefox", "engines/differences.test.mjs");
    }
}

#[test]
fn engine_differences_are_handled_in_webkit() {
    if has_webkit() {
        drive_in("webkit", "engines/differences.test.mjs");
    }
}
