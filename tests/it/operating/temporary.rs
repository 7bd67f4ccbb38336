//! A container without a folder for temporary files.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::support::harness::{Shop, product, succeeds};

/// Runs where unprivileged users may make namespaces: the folders are hidden from the program alone.
#[test]
fn without_tmp_an_import_works_and_leaves_no_temporary_file() {
    let shop = Shop::new();
    let rows: Vec<Value> = (0..4_000).map(product).collect();
    std::fs::write(shop.file("rows.json"), json!(rows).to_string()).unwrap();
    let hide = "mount --bind . /mnt && mount -t tmpfs -o ro none /tmp \
                && mount -t tmpfs -o ro none /var/tmp && cd /tmp";
    let run = |script: &str| {
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "--mount", "sh", "-c", script]);
        command
            .arg(env!("CARGO_BIN_EXE_deals"))
            .env("TMPDIR", "/nowhere");
        command
            .current_dir(shop.folder())
            .stdin(Stdio::null())
            .output()
    };
    if !run(hide).is_ok_and(|output| output.status.success()) {
        return;
    }
    let import = "exec \"$0\" import /mnt/rows.json --db /mnt/deals.sqlite";
    let said = succeeds(run(&format!("{hide} && {import}")).unwrap());
    assert!(said.contains("4,000 added"), "{said}");
    let said = succeeds(run(&format!("{hide} && {import}")).unwrap());
    assert!(said.contains("4,000 unchanged"), "{said}");
    let files = std::fs::read_dir(shop.folder()).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let left: Vec<String> = names
        .filter(|name| !name.contains("deals.sqlite"))
        .collect();
    assert_eq!(left, ["rows.json"]);
}
