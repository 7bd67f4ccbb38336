//! npm packages of the tests.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Installs a folder's lock file once; other test processes wait.
pub fn install(folder: &Path) {
    let lock_file = folder.join("package-lock.json");
    let guard = File::open(&lock_file).unwrap();
    guard.lock().unwrap();
    let stamp = folder.join("node_modules/.installed-from");
    let mut wanted = fs::read(&lock_file).unwrap();
    wanted.extend(fs::read(folder.join("package.json")).unwrap());
    if fs::read(&stamp).is_ok_and(|installed| installed == wanted) {
        return;
    }
    let output = Command::new("npm")
        .args(["ci", "--no-audit", "--no-fund"])
        .current_dir(folder)
        .output()
        .unwrap();
    assert_success("npm ci", &output);
    fs::write(stamp, wanted).unwrap();
}

pub fn assert_success(what: &str, output: &Output) {
    assert!(
        output.status.success(),
        "{what} failed:\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}
