//! A clock that was ahead: its backups are named after the future.

use std::fs;
use std::time::{Duration, SystemTime};

use crate::serving::metrics::{metrics, read, value};
use crate::support::bucket::Bucket;
use crate::support::harness::{Server, Shop, product, succeeds, text};

const YEARS: Duration = Duration::from_secs(10 * 365 * 24 * 3_600);

/// A shop whose backups are all of the future, by their names and times.
fn shop() -> Shop {
    let shop = Shop::with(&[product(1)]);
    shop.serve_with(&["--backup-dir", "backups"])
        .wait_for_line("backed up");
    let folder = shop.file("backups");
    let made = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let made = made.filter(|file| file.extension().is_some_and(|it| it == "sqlite"));
    let made = made.last().unwrap();
    for hour in 1..4 {
        let name = folder.join(format!("deals-20490101T0{hour}0000Z.sqlite"));
        fs::copy(&made, &name).unwrap();
        let file = fs::File::options().append(true).open(&name).unwrap();
        file.set_modified(SystemTime::now() + YEARS).unwrap();
    }
    fs::remove_file(made).unwrap();
    shop
}

fn check(shop: &Shop) -> String {
    let said = text(&shop.run(&["check", "--backup-dir", "backups"]).stdout);
    let line = said.lines().find(|line| line.contains(" backups "));
    line.unwrap().to_owned()
}

#[test]
fn backups_dated_in_the_future_give_way_to_present_ones() {
    let shop = shop();
    let line = check(&shop);
    assert!(
        line.starts_with("wrong") && line.contains("dated in the future"),
        "{line}"
    );
    let options = [
        "--backup-dir",
        "backups",
        "--backup-keep",
        "3",
        "--metrics-listen",
        "127.0.0.1:0",
    ];
    let server = shop.serve_with(&options);
    let (url, _) = metrics(&server);
    server.wait_for_line("backups are dated in the future");
    server.wait_for_line("backed up");
    let newest = value(
        &read(&server, &url),
        "deals_backup_newest_timestamp_seconds",
    );
    let now = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap();
    assert!(newest > 1.7e9 && newest <= now.as_secs_f64(), "{newest}");
    let line = check(&shop);
    assert!(
        line.starts_with("note") && line.contains("2 are dated in the future"),
        "{line}"
    );
    server.stop();
    let mut names: Vec<String> = fs::read_dir(shop.file("backups"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| name.starts_with("deals-"))
        .collect();
    names.sort();
    assert_eq!(names.len(), 3, "{names:?}");
    assert!(!names[0].contains("2049"), "{names:?}");
    assert_eq!(
        names[1], "deals-20490101T020000Z.sqlite",
        "the older one was deleted"
    );
}

#[test]
fn bucket_backups_dated_in_the_future_count_as_older() {
    let bucket = Bucket::start();
    let shop = Shop::with(&[product(1)]);
    succeeds(bucket.run(&shop, &["backup", "s3://shops/shop"]));
    let bytes = bucket.object(&bucket.backups()[0]);
    let ahead = "shop/backup/20490101T000000Z-0a1b2c3d.sqlite.gz";
    bucket.put(ahead, &bytes);
    let listed = succeeds(bucket.run(&shop, &["restore", "s3://shops/shop", "--list"]));
    assert!(!listed.lines().next().unwrap().contains("2049"), "{listed}");
    let options = [
        "--backup-dir",
        "s3://shops/shop",
        "--backup-keep",
        "1",
        "--backup-every",
        "1m",
    ];
    let made = bucket
        .backups()
        .into_iter()
        .find(|name| name != ahead)
        .unwrap();
    bucket.remove(&made);
    Server::start(bucket.serve_command(&shop, &options)).wait_for_line("backed up");
    let kept = bucket.backups();
    assert!(kept.iter().any(|name| !name.contains("2049")), "{kept:?}");
}
