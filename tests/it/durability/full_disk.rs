//! Full and read-only disks: the shop stays readable, and recovers by itself.
//!
//! Here a limit on the size of the process's files simulates the disk, because any user may set it;
//! `tests/soak/full-disk.sh` fills a real one.

use std::process::Command;

use serde_json::{Value, json};

use crate::support::harness::{Server, Shop, product, product_with, text, wait_until};

/// Sets the largest file that a process may write.
pub fn limit_files(server: &Server, bytes: &str) {
    let set = Command::new("prlimit")
        .args([
            format!("--pid={}", server.pid()),
            format!("--fsize={bytes}:unlimited"),
        ])
        .output()
        .unwrap();
    assert!(set.status.success(), "{}", text(&set.stderr));
}

/// A server to which the limit is an error and no signal.
fn serve(shop: &Shop) -> Server {
    serve_limited(shop, &[])
}

/// As [`serve`], with options.
pub fn serve_limited(shop: &Shop, options: &[&str]) -> Server {
    let serve = shop.serve_command(options);
    let mut command = Command::new("sh");
    command
        .args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""])
        .arg(serve.get_program())
        .args(serve.get_args())
        .current_dir(shop.folder());
    Server::start(command)
}

#[test]
fn a_server_recovers_from_a_full_disk_without_a_restart() {
    let shop = Shop::with(&[product(1)]);
    let server = serve(&shop);
    let id = server.list("")[0]["_id"].as_str().unwrap().to_owned();
    let click = format!("/product/increament-views/{id}");
    let clicks = || server.json(&format!("/product/product/{id}"))["product"]["clicks"].clone();
    assert_eq!(server.post(&click).status(), 200);
    wait_until("it is not ready", || server.get("/readyz").status() == 200);

    limit_files(&server, "4096");
    let mut refused = server.post(&click);
    // Writes that fit into the allocated WAL succeed.
    let mut taken = 1;
    while refused.status() == 200 {
        taken += 1;
        refused = server.post(&click);
    }
    assert_eq!(refused.status(), 507);
    assert!(refused.headers().contains_key("retry-after"));
    let said: Value = refused.json().unwrap();
    assert!(said["error"].as_str().unwrap().contains("disk is full"));
    assert_eq!(said["code"], "disk_full");
    assert_eq!(clicks(), taken);
    assert_eq!(server.get("/").status(), 200);
    assert_eq!(server.get("/healthz").status(), 200);
    // A machine that is busy may take so long to try that this is all it says.
    wait_until("the disk is no problem", || {
        let ready = server.get("/readyz");
        assert_eq!(ready.status(), 503);
        let ready: Value = ready.json().unwrap();
        assert_eq!(ready["status"], "degraded");
        let problem = ready["problems"][0].as_str().unwrap();
        assert!(
            problem.contains("disk") || problem.contains("the database is busy"),
            "{ready}"
        );
        problem.contains("disk")
    });

    limit_files(&server, "unlimited");
    // It tries once more when it is asked; only a disk that is slow is asked again.
    wait_until("the disk is slow", || {
        let ready = server.get("/readyz");
        let is_ready = ready.status() == 200;
        is_ready || {
            let said = ready.text().unwrap();
            assert!(said.contains("the database is busy"), "{said}");
            false
        }
    });
    assert_eq!(
        server.post(&click).json::<Value>().unwrap()["clicks"],
        taken + 1
    );
}

#[test]
fn an_import_on_a_full_disk_changes_nothing() {
    let shop = Shop::with(&[product(1)]);
    let description = "Some words. ".repeat(400);
    let rows: Vec<Value> = (2..3_000)
        .map(|n| product_with(n, json!({ "description": description })))
        .collect();
    std::fs::write(shop.file("rows.json"), json!(rows).to_string()).unwrap();
    // Blocks of 512 bytes: room for the temporary file, and not for the log.
    let output = Command::new("sh")
        .args([
            "-c",
            "trap '' XFSZ; ulimit -f 8000; exec \"$0\" import rows.json",
        ])
        .arg(env!("CARGO_BIN_EXE_deals"))
        .current_dir(shop.folder())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(
        said.contains("disk is full") && said.contains("Nothing was imported"),
        "{said}"
    );
    let server = shop.serve();
    assert_eq!(server.list("").len(), 1);
    let report = text(&shop.run(&["check"]).stdout);
    assert!(!report.contains("wrong"), "{report}");
}
