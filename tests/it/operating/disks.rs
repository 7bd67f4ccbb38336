//! Disks that are full or read-only when the shop starts, and little address space.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::support::harness::{Server, Shop, fails, product_with, succeeds, wait_until};
use crate::support::mounts::{can_mount, with_mounts};
use crate::support::people::PASSWORD;

fn shop() -> Shop {
    let products = [1, 2].map(|n| product_with(n, serde_json::json!({"_id": format!("p{n}")})));
    let shop = Shop::with(&products);
    fs::create_dir(shop.file("disk")).unwrap();
    shop
}

/// Mounts a small disk with the database, and fills it.
const FULL: &str = "mount -t tmpfs -o size=4m none disk; cp -p deals.sqlite* disk/; \
                    dd if=/dev/zero of=disk/fill bs=4k 2>/dev/null || :; exec \"$@\"";

/// A file as the server sees it.
fn inside(server: &Server, shop: &Shop, name: &str) -> PathBuf {
    let path = shop.file(name).canonicalize().unwrap();
    PathBuf::from(format!("/proc/{}/root{}", server.pid(), path.display()))
}

fn expect_reading(server: &Server, status: u16, reason: &str) {
    assert_eq!(server.list("search=number").len(), 2);
    for page in ["/", "/details/p1", "/sitemap.xml", "/settings"] {
        assert_eq!(server.get(page).status(), 200, "{page}");
    }
    assert_eq!(server.post("/product/increament-views/p1").status(), status);
    let ready = server.get("/readyz");
    assert_eq!(ready.status(), 503);
    let said = ready.text().unwrap();
    assert!(said.contains(reason), "{said}");
}

/// Waits until clicks are counted, and the shop is as any other.
fn expect_writing(server: &Server) {
    wait_until("no click is counted", || {
        let answer = server
            .client()
            .post(server.url("/product/increament-views/p1"))
            .send();
        answer.is_ok_and(|answer| answer.status() == 200)
    });
    assert!(
        server.list("")[0]["clicks"].as_i64().unwrap()
            + server.list("")[1]["clicks"].as_i64().unwrap()
            > 0
    );
}

#[test]
fn a_server_starts_on_a_full_disk() {
    // Never served before; stopped; killed, so that a WAL is left.
    for before in ["new", "stopped", "killed"] {
        let shop = shop();
        if before != "new" {
            let server = shop.serve();
            assert_eq!(server.post("/product/increament-views/p2").status(), 200);
            if before == "stopped" {
                server.stop();
            }
        }
        let command = shop.serve_command(&["--db", "disk/deals.sqlite"]);
        if !can_mount(FULL, &command) {
            return;
        }
        let server = Server::start(with_mounts(FULL, &command));
        expect_reading(&server, 507, "the disk is full");
        let clicks = if before == "new" { 0 } else { 1 };
        assert_eq!(
            server.json("/product/product/p2")["product"]["clicks"],
            clicks,
            "{before}"
        );
        fs::remove_file(inside(&server, &shop, "disk").join("fill")).unwrap();
        expect_writing(&server);
        wait_until("the disk is too small", || {
            server
                .get("/readyz")
                .text()
                .unwrap()
                .contains("of the disk are free")
        });
        let key = inside(&server, &shop, "disk").join("deals.sqlite.key");
        assert_eq!(fs::read(key).unwrap().len(), 32, "{before}");
        server.stop();
    }
}

/// Mounts a small disk with the database.
const SMALL: &str = "mount -t tmpfs -o size=4m none disk; cp -p deals.sqlite* disk/; exec \"$@\"";

#[test]
fn an_import_file_takes_at_most_half_of_the_free_disk_space() {
    let shop = shop();
    let owner = [
        "add",
        "o@example.com",
        "--username",
        "owner",
        "--admin",
        "--password-stdin",
    ];
    succeeds(shop.user(&owner, PASSWORD));
    let key = succeeds(shop.run(&["key", "add", "nightly", "--scope", "import"]));
    let command = shop.serve_command(&["--db", "disk/deals.sqlite"]);
    if !can_mount(SMALL, &command) {
        return;
    }
    let archive = [b"PK\x03\x04".to_vec(), vec![0; 3 << 20]].concat();
    fs::write(shop.file("archive.zip"), &archive).unwrap();

    let mut import = shop.command();
    import.args(["import", "-", "--db", "disk/deals.sqlite"]);
    let mut import = with_mounts(SMALL, &import);
    let file = fs::File::open(shop.file("archive.zip")).unwrap();
    let said = fails(import.stdin(file).output().unwrap());
    assert!(said.contains("more than half of the free space"), "{said}");

    let server = Server::start(with_mounts(SMALL, &command));
    let preview = server.client().post(server.url("/product/import/preview"));
    let preview = preview.bearer_auth(key.trim());
    let refused = preview.body(archive).send().unwrap();
    assert_eq!(refused.status(), 507);
    let said = refused.text().unwrap();
    assert!(said.contains("disk is full"), "{said}");
}

#[test]
fn backups_and_exports_work_on_a_full_disk() {
    let shop = shop();
    let mut export = shop.command();
    export.args(["export", "--db", "disk/deals.sqlite"]);
    if !can_mount(FULL, &export) {
        return;
    }
    let exported: Value =
        serde_json::from_str(&succeeds(with_mounts(FULL, &export).output().unwrap())).unwrap();
    assert_eq!(exported.as_array().unwrap().len(), 2);
    let mut backup = shop.command();
    backup.args(["backup", "copy.sqlite", "--db", "disk/deals.sqlite"]);
    let said = succeeds(with_mounts(FULL, &backup).output().unwrap());
    assert!(said.contains("2 products"), "{said}");
}

#[test]
fn clicks_are_counted_again_when_a_read_only_disk_becomes_writable() {
    let shop = shop();
    let read_only = "mount -t tmpfs none disk; cp -p deals.sqlite* disk/; \
                     mount -o remount,bind,ro disk; ";
    // Waits for the name and makes the disk writable.
    let later = "(while [ ! -e writable ]; do sleep 0.1; done; mount -o remount,bind,rw disk) & ";
    let run = "exec \"$@\"";
    let command = shop.serve_command(&["--db", "disk/deals.sqlite"]);
    if !can_mount(&format!("{read_only}{run}"), &command) {
        return;
    }
    let script = format!("{read_only}{later}{run}");
    let server = Server::start(with_mounts(&script, &command));
    expect_reading(&server, 503, "mounted read-only");
    fs::write(shop.file("writable"), "").unwrap();
    expect_writing(&server);
    assert_eq!(server.get("/readyz").status(), 200);
    server.stop();
}

#[test]
fn a_server_starts_in_the_address_space_that_it_asks_for() {
    let shop = shop();
    let serve = shop.serve_command(&[]);
    let mut limited = Command::new("sh");
    limited
        .args(["-c", "ulimit -v 786432; exec \"$0\" \"$@\""])
        .arg(serve.get_program())
        .args(serve.get_args())
        .current_dir(shop.folder());
    let server = Server::start(limited);
    std::thread::scope(|scope| {
        for _ in 0..32 {
            scope.spawn(|| assert_eq!(server.get("/").status(), 200));
        }
    });
    assert_eq!(server.post("/product/increament-views/p1").status(), 200);
    server.stop();
}
