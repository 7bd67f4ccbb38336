//! The folder of the backups: whose it is, where it is, and values that name none.

use std::fs;
use std::path::{Path, PathBuf};

use crate::serving::metrics::{metrics, read, value};
use crate::support::harness::{Server, Shop, misused, product, succeeds, text, wait_until};
use crate::support::mounts::{can_mount, with_mounts};

fn backups_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "sqlite"));
    files.sort();
    files
}

fn serve(shop: &Shop, folder: &Path) -> Server {
    shop.serve_with(&[
        "--backup-keep",
        "1",
        "--backup-dir",
        folder.to_str().unwrap(),
    ])
}

/// Serves until a backup was made.
fn back_up(shop: &Shop, folder: &Path) {
    let server = serve(shop, folder);
    server.wait_for_line("backed up");
    server.stop();
}

/// Serves until a backup failed, and returns the line about it.
fn fails_in(shop: &Shop, folder: &Path) -> String {
    let server = serve(shop, folder);
    let line = server.wait_for_line("job=\"backup\"");
    server.stop();
    line
}

fn check(shop: &Shop, folder: &Path) -> String {
    let output = shop.run(&["check", "--backup-dir", folder.to_str().unwrap()]);
    let lines = text(&output.stdout);
    let line = lines.lines().find(|line| line.contains(" backups "));
    line.unwrap_or_else(|| panic!("{lines}")).to_owned()
}

/// Makes a backup as old as one that another follows.
fn age(backup: &Path) {
    let file = fs::File::options().append(true).open(backup).unwrap();
    file.set_modified(std::time::SystemTime::UNIX_EPOCH)
        .unwrap();
}

#[test]
fn a_backup_folder_of_another_shop_is_refused() {
    let place = Shop::new();
    let folder = place.file("backups");
    let (first, second) = (Shop::with(&[product(1)]), Shop::with(&[product(2)]));
    back_up(&first, &folder);
    let made = backups_in(&folder);
    age(&made[0]);
    let options = [
        "--metrics-listen",
        "127.0.0.1:0",
        "--backup-keep",
        "1",
        "--backup-dir",
    ];
    let server = second.serve_with(&[&options[..], &[folder.to_str().unwrap()]].concat());
    let (url, _) = metrics(&server);
    // It is tried again.
    let line = server.wait_for_line("job=\"backup\"");
    assert!(
        line.contains("has the backups of another shop") && line.contains("another folder"),
        "{line}"
    );
    wait_until("the server is ready", || {
        let ready = server.get("/readyz").text().unwrap();
        ready.contains("the last backup failed")
    });
    assert_eq!(
        value(
            &read(&server, &url),
            "deals_backup_newest_timestamp_seconds"
        ),
        0.0
    );
    let line = check(&second, &folder);
    assert!(
        line.starts_with("wrong") && line.contains("another shop"),
        "{line}"
    );
    server.stop();
    assert_eq!(backups_in(&folder), made);
    // The first one goes on.
    back_up(&first, &folder);
    assert_eq!(backups_in(&folder).len(), 1);
}

#[test]
fn an_unlabelled_backup_folder_belongs_to_the_shop_of_its_newest_backup() {
    let place = Shop::new();
    let folder = place.file("backups");
    let (first, second) = (Shop::with(&[product(1)]), Shop::with(&[product(2)]));
    back_up(&first, &folder);
    let label = folder.join(".deals-shop");
    fs::remove_file(&label).unwrap();
    let line = fails_in(&second, &folder);
    assert!(line.contains("another shop"), "{line}");
    assert!(!label.exists());
    // Both were here once, and the first one's backup is old.
    let old = folder.join("deals-20200101T000000Z.sqlite");
    fs::rename(&backups_in(&folder)[0], &old).unwrap();
    succeeds(
        second.run(&[
            "backup",
            folder
                .join("deals-20200102T000000Z.sqlite")
                .to_str()
                .unwrap(),
        ]),
    );
    back_up(&second, &folder);
    assert!(label.exists());
    let left = backups_in(&folder);
    assert_eq!(left.len(), 2, "its own older one went: {left:?}");
    assert!(left.contains(&old), "the other shop's is kept");
}

#[test]
fn a_copied_shop_does_not_take_over_the_backup_folder() {
    let place = Shop::new();
    let folder = place.file("backups");
    let (first, copy) = (Shop::with(&[product(1)]), Shop::new());
    back_up(&first, &folder);
    for name in ["deals.sqlite", "deals.sqlite.key"] {
        fs::copy(first.file(name), copy.file(name)).unwrap();
    }
    let line = fails_in(&copy, &folder);
    let other = first.db().canonicalize().unwrap();
    assert!(line.contains(other.to_str().unwrap()), "{line}");
    fs::remove_file(first.db()).unwrap();
    age(&backups_in(&folder)[0]);
    back_up(&copy, &folder);
}

#[test]
fn a_lost_backup_folder_is_not_created_anew() {
    let shop = Shop::with(&[product(1)]);
    let folder = shop.file("backups");
    back_up(&shop, &folder);
    fs::remove_dir_all(&folder).unwrap();
    let server = serve(&shop, &folder);
    let line = server.wait_for_line("job=\"backup\"");
    assert!(
        line.contains("Mount it") && line.contains("is gone"),
        "{line}"
    );
    assert!(!folder.exists());
    let line = check(&shop, &folder);
    assert!(line.starts_with("wrong"), "{line}");
    // By hand, as the sentence says.
    fs::create_dir(&folder).unwrap();
    server.wait_for_line("the backups that this folder had are gone");
    server.wait_for_line("backed up");
}

#[test]
fn an_empty_mount_point_gets_no_backups() {
    let shop = Shop::with(&[product(1)]);
    let point = shop.file("disk");
    fs::create_dir(&point).unwrap();
    let script = "mount -t tmpfs none disk && exec \"$@\"";
    let command = shop.serve_command(&["--backup-dir", "disk"]);
    if !can_mount(script, &command) {
        return;
    }
    let server = Server::start(with_mounts(script, &command));
    server.wait_for_line("backed up");
    server.stop();
    let line = fails_in(&shop, Path::new("disk"));
    assert!(
        line.contains("on the disk of the database now") && line.contains("Mount its disk"),
        "{line}"
    );
    assert_eq!(fs::read_dir(&point).unwrap().count(), 0);
}

#[test]
fn check_notes_backups_on_the_disk_of_the_database() {
    let shop = Shop::with(&[product(1)]);
    let folder = shop.file("backups");
    back_up(&shop, &folder);
    let line = check(&shop, &folder);
    assert!(
        line.starts_with("note") && line.contains("on the disk of the database"),
        "{line}"
    );
    assert!(line.contains("the newest in time"), "{line}");
}

#[test]
fn invalid_backup_folders_are_refused_with_advice() {
    let shop = Shop::with(&[product(1)]);
    let before = fs::read_dir(shop.folder()).unwrap().count();
    for (value, advice) in [
        ("\"/backup\"", "write"),
        ("/backup\r", "write"),
        ("~/backups", "whole path"),
        ("$HOME/backups", "whole path"),
        ("%h/backups", "whole path"),
        ("s3:/my-bucket/shop", "s3://my-bucket/shop"),
        ("S3://my-bucket/shop", "s3://my-bucket/shop"),
        ("u123@box.example:/backup", "like /srv/shop"),
        ("rclone:remote", "like /srv/shop"),
        ("file:///backup", "like /backup"),
        ("C:\\backup", "like /srv/shop"),
    ] {
        let mut serve = shop.serve_command(&[]);
        let said = misused(serve.env("DEALS_BACKUP_DIR", value).output().unwrap());
        assert!(said.contains(advice), "{value:?}: {said}");
        for command in ["backup", "restore"] {
            let said = misused(shop.run(&[command, value]));
            assert!(said.contains(advice), "{command} {value:?}: {said}");
        }
    }
    assert_eq!(fs::read_dir(shop.folder()).unwrap().count(), before);
}

#[test]
fn a_backup_folder_read_only_under_systemd_names_readwritepaths() {
    let shop = Shop::with(&[product(1)]);
    fs::create_dir(shop.file("copies")).unwrap();
    let script = "mount --bind copies copies && mount -o remount,ro,bind copies && exec \"$@\"";
    let command = shop.serve_command(&["--backup-dir", "copies"]);
    if !can_mount(script, &command) {
        return;
    }
    let server = Server::start(with_mounts(script, &command));
    let line = server.wait_for_line("job=\"backup\"");
    assert!(
        line.contains("systemctl edit deals") && line.contains("ReadWritePaths="),
        "{line}"
    );
    // The owner, who can write there, sees the same.
    wait_until("check does not say so", || {
        let said = text(&shop.run(&["check", "--backup-dir", "copies"]).stdout);
        said.lines()
            .any(|line| line.starts_with("wrong") && line.contains("ReadWritePaths="))
    });
}
