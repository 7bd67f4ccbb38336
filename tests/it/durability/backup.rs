//! Backup, restore and verification.

use std::fs;
use std::io::Read;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use serde_json::{Value, json};

use crate::support::harness::{Done, Shop, fails, piped, product, succeeds, text, wait_for_exit};

fn names(shop: &Shop) -> Vec<String> {
    let entries = fs::read_dir(shop.folder()).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn a_backup_contains_every_write_acknowledged_before_it() {
    let shop = Shop::with(&(0..400).map(product).collect::<Vec<_>>());
    let server = shop.serve();
    let id = server.list("limit=1")[0]["_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let click = format!("/product/increament-views/{id}");
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    assert_eq!(server.post(&click).status(), 200);
                }
            });
        }
        let _done = Done(&done);
        for round in 0..5 {
            let before = server.post(&click).json::<Value>().unwrap()["clicks"]
                .as_i64()
                .unwrap();
            let said = succeeds(shop.run(&["backup", "copies.sqlite"]));
            assert!(said.contains("400 products"), "{said}");
            let elsewhere = Shop::new();
            let copy = shop.file("copies.sqlite");
            succeeds(elsewhere.run(&["restore", copy.to_str().unwrap()]));
            let key = "deals.sqlite.key";
            fs::copy(shop.file(key), elsewhere.file(key)).unwrap();
            let restored = elsewhere.serve();
            let after = restored.json(&format!("/product/product/{id}"));
            let clicks = after["product"]["clicks"].as_i64().unwrap();
            assert!(clicks >= before, "round {round}: {clicks} of {before}");
            let list = restored.json("/product/get-products?search=number&limit=1");
            assert_eq!(list["meta"]["total"], 400);
        }
    });
}

#[test]
fn a_backup_is_one_private_file_without_the_key() {
    let shop = Shop::with(&[product(1)]);
    shop.sign_up("a@b.example", "tiger-lamp-42");
    let before = names(&shop);
    for _ in 0..2 {
        succeeds(shop.run(&["backup", "copy.sqlite"]));
    }
    let mut expected = before;
    expected.push("copy.sqlite".to_owned());
    expected.sort();
    assert_eq!(names(&shop), expected, "nothing else is left");
    let copy = shop.file("copy.sqlite");
    let mode = fs::metadata(&copy).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let key = fs::read(shop.file("deals.sqlite.key")).unwrap();
    let bytes = fs::read(&copy).unwrap();
    assert!(!bytes.windows(key.len()).any(|part| part == key));
}

#[test]
fn the_configured_number_of_backups_is_kept() {
    let shop = Shop::with(&[product(1)]);
    for number in 2..7 {
        assert!(
            shop.import(&json!([product(number)]).to_string(), &[])
                .status
                .success()
        );
        succeeds(shop.run(&["backup", "copy.sqlite", "--keep", "3"]));
    }
    let products = |name: &str| {
        let said = succeeds(shop.run(&["restore", name, "--verify"]));
        said.split_whitespace().nth(4).unwrap().to_owned()
    };
    assert_eq!(
        ["copy.sqlite", "copy.sqlite.1", "copy.sqlite.2"].map(products),
        ["6", "5", "4"]
    );
    assert!(!shop.file("copy.sqlite.3").exists());
}

#[test]
fn a_backup_can_be_piped() {
    let shop = Shop::with(&[product(1), product(2)]);
    let output = shop.run(&["backup", "-"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(output.stdout.starts_with(b"SQLite format 3\0"));
    let elsewhere = Shop::new();
    fs::write(elsewhere.file("piped.sqlite"), &output.stdout).unwrap();
    let said = succeeds(elsewhere.run(&["restore", "piped.sqlite"]));
    assert!(said.contains("2 products"), "{said}");
    assert_eq!(elsewhere.serve().list("").len(), 2);
    let left: Vec<String> = names(&shop)
        .into_iter()
        .filter(|name| !name.starts_with("deals.sqlite"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_backup_into_a_broken_pipe_leaves_no_temporary_files() {
    let shop = Shop::with(&(0..400).map(product).collect::<Vec<_>>());
    let forgotten = shop.file(".deals-backup-abc123");
    fs::create_dir(&forgotten).unwrap();
    fs::write(forgotten.join("backup.sqlite.part"), "half of it").unwrap();
    let old = fs::File::open(&forgotten).unwrap();
    old.set_modified(SystemTime::UNIX_EPOCH).unwrap();
    let mut child = shop
        .command()
        .args(["backup", "-"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // More output than a pipe's buffer, so the program blocks after this is read.
    let mut first = [0; 16];
    child
        .stdout
        .as_mut()
        .unwrap()
        .read_exact(&mut first)
        .unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let left = names(&shop);
    assert!(
        left.iter().all(|name| name.starts_with("deals.sqlite")),
        "{left:?}"
    );
}

#[test]
fn a_server_refuses_the_backup_folder_of_another_server() {
    let shop = Shop::with(&[product(1)]);
    let folder = shop.file("backups");
    let folder = folder.to_str().unwrap();
    let server = shop.serve_with(&["--backup-dir", folder]);
    server.wait_for_line("backed up");
    let other = Shop::with(&[product(2)]);
    let serve = ["serve", "--listen", "127.0.0.1:0", "--backup-dir", folder];
    let said = fails(other.run(&serve));
    assert!(said.contains("another folder with --backup-dir"), "{said}");
    server.stop();
    let after = other.serve_with(&["--backup-dir", folder]);
    assert_eq!(after.list("").len(), 1);
}

#[test]
fn a_link_to_a_database_is_the_database() {
    let shop = Shop::with(&[product(1)]);
    let disk = shop.file("disk");
    fs::create_dir(&disk).unwrap();
    let linked = |arguments: &[&str]| shop.run(&[arguments, &["--db", "link.sqlite"]].concat());
    symlink("disk/shop.sqlite", shop.file("link.sqlite")).unwrap();
    fs::write(shop.file("one.json"), json!([product(7)]).to_string()).unwrap();
    succeeds(linked(&["import", "one.json"]));
    assert!(disk.join("shop.sqlite").is_file());
    succeeds(linked(&["backup", "copy.sqlite"]));
    succeeds(linked(&["restore", "copy.sqlite"]));
    let link = fs::symlink_metadata(shop.file("link.sqlite")).unwrap();
    assert!(link.is_symlink(), "the file behind it was replaced");
    // A WAL without its database stays in place.
    fs::remove_file(disk.join("shop.sqlite")).unwrap();
    fs::write(disk.join("shop.sqlite-wal"), "what was acknowledged").unwrap();
    let said = fails(linked(&["import", "one.json"]));
    assert!(said.contains("shop.sqlite-wal"), "{said}");
}

#[test]
fn backups_that_can_not_be_made_say_why() {
    let shop = Shop::with(&[product(1)]);
    for (arguments, reason) in [
        (
            &["backup", "no/such/copy.sqlite"][..],
            "cannot write no/such/copy.sqlite: there is no folder no/such. Create it first",
        ),
        (
            &["export", "-o", "no/such/products.json"],
            "cannot write no/such/products.json: there is no folder no/such. Create it first",
        ),
        (&["backup", "deals.sqlite"], "is the database itself"),
        (&["backup", "."], "is a folder"),
        (
            &["backup", "copy.sqlite", "--db", "other.sqlite"],
            "no such database",
        ),
    ] {
        let said = fails(shop.run(arguments));
        assert!(said.contains(reason), "{arguments:?}: {said}");
        assert!(!said.contains(".part"), "{said}");
    }
    assert!(!shop.file("other.sqlite").exists());
}

#[test]
fn a_restore_ends_all_sessions() {
    let shop = Shop::with(&[product(1)]);
    shop.sign_up("a@b.example", "tiger-lamp-42");
    let token = {
        let server = shop.serve();
        let answer = server
            .client()
            .post(server.url("/user/sign-in"))
            .json(&json!({ "email": "a@b.example", "password": "tiger-lamp-42" }))
            .send()
            .unwrap();
        assert_eq!(answer.status(), 200);
        answer.json::<Value>().unwrap()["token"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    succeeds(shop.run(&["backup", "copy.sqlite"]));
    assert!(
        shop.import(&json!([product(2)]).to_string(), &[])
            .status
            .success()
    );
    let said = succeeds(shop.run(&["restore", "copy.sqlite"]));
    let kept = said.lines().last().unwrap().rsplit(' ').next().unwrap();
    assert!(kept.starts_with("deals.sqlite.replaced-"), "{said}");

    let server = shop.serve();
    assert_eq!(server.titles(""), ["Product 1"]);
    assert_eq!(server.get(&format!("/user/me/{token}")).status(), 401);
    drop(server);
    succeeds(shop.run(&["restore", kept]));
    assert_eq!(shop.serve().list("").len(), 2, "the way back");
}

#[test]
fn a_restore_over_a_served_database_is_refused() {
    let shop = Shop::with(&[product(1)]);
    succeeds(shop.run(&["backup", "copy.sqlite"]));
    let server = shop.serve();
    let said = fails(shop.run(&["restore", "copy.sqlite"]));
    assert!(
        said.contains("in use") && said.contains(&server.pid().to_string()),
        "{said}"
    );
    let verified = succeeds(shop.run(&["restore", "copy.sqlite", "--verify"]));
    assert!(verified.contains("can be restored"), "{verified}");
    assert_eq!(server.list("").len(), 1);
    let before = names(&shop);
    assert!(
        !before
            .iter()
            .any(|name| name.contains("replaced") || name.contains("part")),
        "{before:?}"
    );
}

#[test]
fn a_second_server_on_one_database_is_refused() {
    let shop = Shop::with(&[product(1)]);
    let server = shop.serve();
    let mut second = piped(shop.command().args(["serve", "--listen", "127.0.0.1:0"]));
    // Waiters for the lock wait until the other process ends.
    wait_for_exit(&mut second);
    let said = fails(second.wait_with_output().unwrap());
    assert!(
        said.contains(&format!("process {}", server.pid())),
        "{said}"
    );
    assert_eq!(server.list("").len(), 1);
    // Commands that work beside a server.
    assert!(
        shop.import(&json!([product(2)]).to_string(), &[])
            .status
            .success()
    );
    succeeds(shop.run(&["backup", "copy.sqlite"]));
    succeeds(shop.run(&["user", "list"]));
    assert_eq!(server.list("").len(), 2);
    server.stop();
    assert_eq!(
        shop.serve().list("").len(),
        2,
        "the lock went with its holder"
    );
}

#[test]
fn the_server_makes_scheduled_backups() {
    let shop = Shop::with(&[product(1)]);
    let folder = shop.file("backups");
    fs::create_dir(&folder).unwrap();
    for day in 10..14 {
        let old = folder.join(format!("deals-202601{day}T000000Z.sqlite"));
        fs::write(&old, "old").unwrap();
        let file = fs::File::options().append(true).open(&old).unwrap();
        file.set_modified(std::time::SystemTime::UNIX_EPOCH)
            .unwrap();
    }
    fs::write(folder.join("deals-notes.txt"), "not a backup").unwrap();
    let server = shop.serve_with(&["--backup-dir", "backups", "--backup-keep", "2"]);
    let line = server.wait_for_line("backed up");
    assert!(line.contains("products=1"), "{line}");
    server.stop();
    let mut kept: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| !name.starts_with(".deals-"))
        .collect();
    kept.sort();
    assert_eq!(kept.len(), 3, "{kept:?}");
    assert_eq!(kept[0], "deals-20260113T000000Z.sqlite");
    assert_eq!(kept[2], "deals-notes.txt");
    let newest = folder.join(&kept[1]);
    let said = succeeds(shop.run(&["restore", newest.to_str().unwrap(), "--verify"]));
    assert!(said.contains("1 product"), "{said}");
    // The next start finds a recent backup.
    let server = shop.serve_with(&["--backup-dir", "backups", "--backup-keep", "2"]);
    assert!(!server.stop().contains("backed up"));
}
