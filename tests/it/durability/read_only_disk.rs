//! A disk that the system mounted read-only, as it does after an error of the disk.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::support::harness::{Server, Shop, fails, product_with, succeeds, text};

/// The program in the shop's folder on a read-only mount, in a mount namespace of its own.
fn command(shop: &Shop, arguments: &[&str]) -> Command {
    let mut command = shop.command();
    let environment: Vec<_> = command
        .get_envs()
        .map(|(name, _)| name.to_owned())
        .collect();
    let mut unshare = Command::new("unshare");
    for name in environment {
        unshare.env_remove(name);
    }
    if !rustix::process::geteuid().is_root() {
        unshare.args(["--user", "--map-root-user"]);
    }
    let script = "mount --bind \"$0\" \"$0\" && mount -o remount,ro,bind \"$0\" && \
                  cd \"$0\" && exec \"$@\"";
    unshare
        .args(["--mount", "sh", "-c", script])
        .arg(shop.folder())
        .arg(command.get_program())
        .args(arguments);
    command = unshare;
    command
}

/// Returns false, with a message, where no read-only mount can be made.
#[expect(clippy::print_stderr, reason = "it tells that the test is skipped")]
fn is_possible(shop: &Shop) -> bool {
    let tried = command(shop, &["--version"]).output();
    let is_possible = tried.is_ok_and(|output| output.status.success());
    if !is_possible {
        eprintln!("skipped: this system lets tests make no read-only mount (unshare, mount)");
    }
    is_possible
}

/// A shop with two products, an account and a key; with `has_wal` a click is in the WAL only.
fn shop(has_wal: bool) -> Shop {
    let products = [1, 2].map(|n| product_with(n, serde_json::json!({"_id": format!("p{n}")})));
    let shop = Shop::with(&products);
    shop.sign_up("a@b.example", "tiger-lamp-42");
    let server = shop.serve();
    assert_eq!(server.post("/product/increament-views/p1").status(), 200);
    if has_wal {
        // Killed.
        drop(server);
        assert!(fs::metadata(shop.file("deals.sqlite-wal")).unwrap().len() > 0);
    } else {
        server.stop();
        assert!(!shop.file("deals.sqlite-wal").exists());
    }
    shop
}

#[test]
fn backups_and_exports_work_on_a_read_only_disk() {
    for has_wal in [false, true] {
        let shop = shop(has_wal);
        if !is_possible(&shop) {
            return;
        }
        let run = |arguments: &[&str]| command(&shop, arguments).output().unwrap();
        let exported: Value = serde_json::from_str(&succeeds(run(&["export"]))).unwrap();
        assert_eq!(exported.as_array().unwrap().len(), 2);
        assert!(exported.to_string().contains("\"clicks\":1"), "{exported}");
        let users = succeeds(run(&["user", "list"]));
        assert!(users.contains("a@b.example"), "{users}");

        let elsewhere = Shop::new();
        let copy = elsewhere.file("copy.sqlite");
        let said = succeeds(run(&["backup", copy.to_str().unwrap()]));
        assert!(said.contains("2 products"), "{said}");
        fs::write(elsewhere.file("piped.sqlite"), run(&["backup", "-"]).stdout).unwrap();
        for name in ["copy.sqlite", "piped.sqlite"] {
            let said = succeeds(elsewhere.run(&["restore", name]));
            assert!(said.contains("2 products, 1 account"), "{said}");
        }

        let checked = run(&["check"]);
        let said = text(&checked.stdout);
        assert!(
            said.contains("2 products") && said.contains("ok     integrity"),
            "{said}"
        );
        assert!(
            said.contains("wrong  files") && said.contains("is read-only"),
            "{said}"
        );
        let said = fails(run(&["import", "deals.sqlite.key"]));
        assert!(said.contains("its disk is read-only. Copy it"), "{said}");
        let said = fails(run(&["user", "promote", "a@b.example"]));
        assert!(said.contains("can't be written to"), "{said}");
    }
}

#[test]
fn reads_are_served_from_a_read_only_disk() {
    for has_wal in [false, true] {
        let shop = shop(has_wal);
        if !is_possible(&shop) {
            return;
        }
        let elsewhere = Shop::new();
        let folder = elsewhere.file("backups");
        let options = ["serve", "--listen", "127.0.0.1:0", "--backup-dir"];
        let serve = [&options[..], &[folder.to_str().unwrap()]].concat();
        let server = Server::start(command(&shop, &serve));
        server.wait_for_line("is read-only: visitors can read");
        server.wait_for_line("backed up");
        assert_eq!(server.list("search=number").len(), 2);
        for page in ["/", "/details/p1", "/sitemap.xml", "/feed.xml", "/settings"] {
            assert_eq!(server.get(page).status(), 200, "{page}");
        }
        let ready = server.get("/readyz");
        assert_eq!(ready.status(), 503);
        let said = ready.text().unwrap();
        assert!(said.contains("mounted read-only"), "{said}");
        let refused = server.post("/product/increament-views/p1");
        assert_eq!(refused.status(), 503);
        assert_eq!(refused.json::<Value>().unwrap()["code"], "read_only");
        assert_eq!(server.list("").len(), 2);
        server.stop();
    }
}
