//! Backups in a bucket: made, listed, restored, kept and reported.

mod faults;
mod strange;

use std::fs;

use serde_json::{Value, json};

use crate::office::classifications::CHROME;
use crate::serving::metrics::{metrics, read, value};
use crate::support::bucket::Bucket;
use crate::support::harness::{
    Server, Shop, fails, misused, product, product_with, succeeds, text, wait_until,
};
use crate::support::people::{PASSWORD, People};

const PLACE: &str = "s3://shops/दुकान एक";
const PREFIX: &str = "दुकान एक";

/// Products whose backup takes more than one part: their pictures do not compress.
pub fn large(number: usize) -> Vec<Value> {
    let mut random = crate::support::random::Random::new(7);
    let mut address = || {
        let letters = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
        let name: String = (0..2_000)
            .map(|_| char::from(letters[random.below(letters.len())]))
            .collect();
        format!("https://pictures.example/{name}")
    };
    let mut pictures = || (0..20).map(|_| address()).collect::<Vec<_>>();
    (0..number)
        .map(|number| product_with(number, json!({ "images": pictures() })))
        .collect()
}

#[test]
fn a_database_with_a_hindi_name_is_restored_from_a_bucket() {
    let bucket = Bucket::start();
    let shop = Shop::with(&(0..40).map(product).collect::<Vec<_>>());
    shop.serve().stop();
    fs::rename(shop.db(), shop.file("मेरी दुकान.sqlite")).unwrap();
    fs::rename(
        shop.file("deals.sqlite.key"),
        shop.file("मेरी दुकान.sqlite.key"),
    )
    .unwrap();
    let database = ["--db", "मेरी दुकान.sqlite"];
    let said = succeeds(bucket.run(&shop, &[&["backup", PLACE][..], &database].concat()));
    assert!(
        said.contains("40 products") && said.contains("compressed"),
        "{said}"
    );
    let label = bucket.label(PREFIX);
    assert_eq!(label["format"], 1);
    assert!(label["shop"].as_str().unwrap().len() == 32, "{label}");
    assert_eq!(bucket.backups().len(), 1);
    assert_eq!(bucket.names().len(), 2, "{:?}", bucket.names());

    let elsewhere = Shop::new();
    let listed = succeeds(bucket.run(&elsewhere, &["restore", PLACE, "--list"]));
    assert!(listed.starts_with(&format!("{PLACE}/backup/")), "{listed}");
    assert!(listed.contains("0 minutes old, "), "{listed}");
    let said = succeeds(bucket.run(&elsewhere, &["restore", PLACE, "--verify"]));
    assert!(said.contains("can be restored: 40 products"), "{said}");
    assert!(!elsewhere.db().exists());
    let said = succeeds(bucket.run(&elsewhere, &["restore", PLACE]));
    assert!(said.contains("40 products"), "{said}");
    fs::copy(
        shop.file("मेरी दुकान.sqlite.key"),
        elsewhere.file("deals.sqlite.key"),
    )
    .unwrap();
    assert_eq!(elsewhere.serve().list("limit=100").len(), 40);
    let left = fs::read_dir(elsewhere.folder()).unwrap();
    let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
    assert!(
        !left
            .iter()
            .any(|name| name.to_string_lossy().contains("part")),
        "{left:?}"
    );
}

#[test]
fn a_multipart_bucket_backup_is_complete() {
    let bucket = Bucket::start();
    let shop = Shop::with(&large(500));
    succeeds(bucket.run(&shop, &["backup", "s3://shops/a/b"]));
    let first = bucket.backups()[0].clone();
    assert!(bucket.object(&first).len() > 9_000_000);
    assert_eq!(bucket.unfinished(), 0);
    // Another time in its name.
    let old = first.replace("/2026", "/2025").replace("/2027", "/2025");
    bucket.put(&old, &bucket.object(&first));
    assert!(
        shop.import(&json!([product(900)]).to_string(), &[])
            .status
            .success()
    );
    succeeds(bucket.run(&shop, &["backup", "s3://shops/a/b"]));
    let said = succeeds(bucket.run(&shop, &["restore", "s3://shops/a/b", "--verify"]));
    assert!(said.contains("501 products"), "{said}");
    let named = format!("s3://shops/{old}");
    let said = succeeds(bucket.run(&shop, &["restore", &named]));
    assert!(
        said.contains("500 products") && said.contains(&named),
        "{said}"
    );
    assert_eq!(
        shop.serve().json("/product/get-products")["meta"]["total"],
        500
    );
}

#[test]
fn the_configured_number_is_kept_in_a_bucket() {
    let bucket = Bucket::start();
    let shop = Shop::with(&[product(1)]);
    for day in 10..14 {
        let name = format!("shop/backup/202601{day}T000000Z-0a1b2c3d.sqlite.gz");
        bucket.put(&name, &b"old".repeat(50));
    }
    bucket.put("shop/backup/notes.txt", b"not a backup");
    succeeds(bucket.run(&shop, &["backup", "s3://shops/shop", "--keep", "3"]));
    let kept = bucket.backups();
    assert_eq!(kept.len(), 3, "{kept:?}");
    assert!(kept[0].contains("20260112") && kept[1].contains("20260113"));
    assert!(bucket.names().contains(&"shop/backup/notes.txt".to_owned()));
}

#[test]
fn invalid_bucket_addresses_are_refused_with_advice() {
    let shop = Shop::with(&[product(1)]);
    for (arguments, reason) in [
        (&["backup", "r2://shop/a"][..], "s3://bucket/shop"),
        (&["backup", "s3://my shop/a"], "no bucket can be named"),
        (&["backup", "s3://shop/a//b"], "empty part"),
        (
            &["backup", "copy.sqlite", "--test"],
            "--test needs a bucket",
        ),
        (
            &["restore", "copy.sqlite", "--list"],
            "--list needs a bucket",
        ),
        (
            &["serve", "--backup-dir", "s3:///a"],
            "no bucket can be named",
        ),
    ] {
        let said = misused(shop.run(arguments));
        assert!(said.contains(reason), "{arguments:?}: {said}");
    }
    let said = fails(shop.run(&["backup", "s3://shops/a"]));
    assert!(
        said.contains("AWS_ACCESS_KEY_ID") && said.contains("no key is set"),
        "{said}"
    );
}

#[test]
fn bucket_keys_may_be_in_the_environment_file() {
    let bucket = Bucket::start();
    let shop = Shop::with(&[product(1)]);
    bucket.write_variables(&shop.file("env"));
    let test = ["backup", "--test", "s3://shops/a", "--env-file", "env"];
    let said = succeeds(shop.run(&test));
    assert!(said.contains("can be used"), "{said}");
    assert!(bucket.names().is_empty(), "{:?}", bucket.names());
}

fn serve(bucket: &Bucket, shop: &Shop) -> Server {
    let options = [
        "--backup-dir",
        "s3://shops/shop",
        "--metrics-listen",
        "127.0.0.1:0",
    ];
    Server::start(bucket.serve_command(shop, &options))
}

#[test]
fn a_server_makes_scheduled_backups_into_a_bucket() {
    let bucket = Bucket::start();
    let shop = Shop::with(&[product(1)]);
    let server = serve(&bucket, &shop);
    let (url, _) = metrics(&server);
    let line = server.wait_for_line("backed up");
    assert!(line.contains("s3://shops/shop/backup/"), "{line}");
    let report = read(&server, &url);
    assert!(value(&report, "deals_backup_newest_timestamp_seconds") > 1.7e9);
    let size = bucket.object(&bucket.backups()[0]).len();
    assert_eq!(value(&report, "deals_backup_newest_bytes"), size as f64);
    let said = succeeds(bucket.run(&shop, &["check", "--backup-dir", "s3://shops/shop"]));
    assert!(
        said.contains("1 in s3://shops/shop, the newest in time: 0 minutes old"),
        "{said}"
    );
    server.stop();
    // The next start finds a recent backup.
    let server = serve(&bucket, &shop);
    let (url, _) = metrics(&server);
    wait_until("the job has not run", || {
        value(
            &read(&server, &url),
            "deals_backup_newest_timestamp_seconds",
        ) > 1.7e9
    });
    assert!(!server.stop().contains("backed up"));
    assert_eq!(bucket.backups().len(), 1);
}

#[test]
fn failing_bucket_backups_are_reported_by_office_check_and_mail() {
    let bucket = Bucket::start();
    let shop = Shop::with(&[product(1)]);
    succeeds(bucket.run(&shop, &["backup", "s3://shops/shop"]));
    let made = bucket.backups()[0].clone();
    let bytes = bucket.object(&made);
    bucket.remove(&made);
    bucket.put("shop/backup/20260101T000000Z-0a1b2c3d.sqlite.gz", &bytes);
    bucket.fault(|request| {
        let is_backup = request.method == "PUT" && request.key.ends_with(".gz");
        is_backup.then(|| crate::support::bucket::error(403, "AccessDenied", ""))
    });
    let owner = [
        "add",
        "owner@example.com",
        "--username",
        "owner",
        "--admin",
        "--password-stdin",
    ];
    succeeds(shop.user(&owner, PASSWORD));
    bucket.write_variables(&shop.file("env"));
    let options = ["--backup-dir", "s3://shops/shop", "--env-file", "env"];
    let people = People::with(shop, &options);
    let owner = people.sign_in("owner@example.com");
    let mail = people.mailbox.next();
    assert_eq!(mail.subject(), "The backups of your shop are failing");
    assert!(mail.data.contains("the key may not"), "{}", mail.data);
    assert!(mail.data.contains("days old"), "{}", mail.data);
    let needs = people.request(reqwest::Method::GET, "/report/needs");
    let needs = needs
        .bearer_auth(&owner.token)
        .send()
        .unwrap()
        .text()
        .unwrap();
    assert!(needs.contains("The last backup failed"), "{needs}");
    assert!(needs.contains("the key may not write"), "{needs}");
    assert!(needs.contains("days old, "), "{needs}");
    let check = ["check", "--backup-dir", "s3://shops/shop"];
    let said = text(&bucket.run(&people.shop, &check).stdout);
    assert!(
        said.contains("wrong  backups") && said.contains("older than it should be"),
        "{said}"
    );
    assert!(said.contains("wrong  job backup"), "{said}");
    // The shop goes on, and what was there is whole.
    let page = people.server.client().get(people.server.url("/"));
    assert_eq!(
        page.header("user-agent", CHROME).send().unwrap().status(),
        200
    );
    assert_eq!(bucket.backups().len(), 1);
    bucket.no_fault();
    people.server.wait_for_line("backed up");
    assert_eq!(bucket.backups().len(), 2);
}
