//! Files that are damaged, missing or of others.

use std::sync::atomic::{AtomicBool, Ordering};

use super::{Pair, clicks, is_ready, total, wait_for_clicks};
use crate::durability::full_disk::{limit_files, serve_limited};
use crate::support::bucket::Bucket;
use crate::support::harness::{Done, Server, text, wait_until};
use crate::support::litestream::{Litestream, Target};

#[test]
fn a_damaged_file_is_refused_until_another_has_its_pages() {
    let mut pair = Pair::new();
    let follower = pair.follow();
    pair.click("Product 1");
    pair.files.sync();
    wait_for_clicks(&follower, 1);
    pair.click("Product 1");
    let name = pair.files.name(0, 3, 3);
    // Written with a flipped bit from the start.
    let third = pair.files.sync_with(|bytes| bytes[5_000] ^= 1);
    assert_eq!(third, name);
    let said = follower.wait_for_line("damaged, or of another version of Litestream");
    assert!(
        said.contains("0000000000000003-0000000000000003.ltx"),
        "{said}"
    );
    assert_eq!(clicks(&follower), 1);
    pair.click("Product 1");
    pair.files.sync();
    pair.files.write(1, 2, 4);
    wait_for_clicks(&follower, 3);
}

#[test]
fn a_copy_that_can_not_follow_says_so_and_goes_on_answering() {
    let mut pair = Pair::new();
    let follower = pair.follow();
    wait_until("it is ready", || is_ready(&follower));
    pair.click("Product 1");
    pair.files.sync_with(|bytes| bytes[5_000] ^= 1);
    wait_until("it is not ready", || !is_ready(&follower));
    let body = follower.get("/readyz").text().unwrap();
    assert!(body.contains("has not followed its leader for"), "{body}");
    assert_eq!(clicks(&follower), 0);
    assert_eq!(follower.get("/healthz").status(), 200);
}

#[test]
fn a_gap_is_crossed_by_a_new_copy_without_a_failed_read() {
    let mut pair = Pair::new();
    let follower = pair.follow();
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let done = Done(&is_done);
        scope.spawn(|| {
            let mut seen = 0;
            while !is_done.load(Ordering::Relaxed) {
                let now = clicks(&follower);
                assert!(now >= seen, "{now} after {seen}");
                seen = now;
            }
        });
        pair.click("Product 2");
        // Damaged, so that the follower looks for others at once.
        let bad = pair.files.sync_with(|bytes| bytes[5_000] ^= 1);
        follower.wait_for_line("a background job failed");
        pair.click("Product 2");
        let next = pair.files.sync();
        pair.import(31..=50);
        pair.files.sync();
        pair.files.remove(&bad);
        pair.files.remove(&next);
        pair.files.write(9, 1, 4);
        wait_for_clicks(&follower, 2);
        wait_until("it has the products", || total(&follower) == 50);
        drop(done);
    });
    assert_eq!(total(&follower), 50);
    pair.click("Product 9");
    pair.click("Product 9");
    pair.click("Product 9");
    pair.files.sync();
    wait_for_clicks(&follower, 3);
    let query = "sortBy=clicks&limit=100";
    assert_eq!(follower.list(query), pair.leader.list(query));
}

#[test]
fn a_leader_that_was_restored_is_followed() {
    let mut pair = Pair::new();
    let backup = pair.shop.file("backup.sqlite");
    let backup = backup.to_str().unwrap().to_owned();
    assert!(pair.shop.run(&["backup", &backup]).status.success());
    let follower = pair.follow();
    for title in ["Product 4", "Product 4", "Product 5"] {
        pair.click(title);
    }
    pair.files.sync();
    wait_for_clicks(&follower, 2);
    let query = "sortBy=clicks&limit=100";
    assert_eq!(follower.list(query), pair.leader.list(query));
    // Another history of as many changes.
    let leader = std::mem::replace(&mut pair.leader, follower);
    let follower = &pair.leader;
    leader.stop();
    let restored = pair.shop.run(&["restore", &backup]);
    assert!(restored.status.success(), "{}", text(&restored.stderr));
    let leader = pair.shop.serve_with(&["--public-url", super::URL]);
    for title in ["Product 6", "Product 6", "Product 6"] {
        let id = leader
            .list("limit=100")
            .into_iter()
            .find(|it| it["title"] == title);
        let id = id.unwrap()["_id"].as_str().unwrap().to_owned();
        leader.post(&format!("/product/increament-views/{id}"));
    }
    pair.files.sync_whole();
    wait_for_clicks(follower, 3);
    assert_eq!(follower.list(query), leader.list(query));
    wait_until("sorts are in memory again", || {
        follower.list(query) == leader.list(query)
    });
}

#[test]
fn a_newer_schema_makes_a_copy_unready_and_goes_on_being_applied() {
    let mut pair = Pair::new();
    let follower = pair.follow();
    wait_until("it is ready", || is_ready(&follower));
    pair.click("Product 1");
    let newer = "ALTER TABLE setup_checks ADD COLUMN note TEXT; PRAGMA user_version = 9999";
    pair.shop.database().execute_batch(newer).unwrap();
    pair.files.sync();
    wait_for_clicks(&follower, 1);
    wait_until("it is not ready", || !is_ready(&follower));
    pair.click("Product 1");
    pair.files.sync();
    wait_for_clicks(&follower, 2);
    follower.wait_for_line("9999");
}

#[test]
fn files_that_begin_anew_are_refused() {
    let mut pair = Pair::new();
    for _ in 0..3 {
        pair.click("Product 1");
        pair.files.sync();
    }
    let follower = pair.follow();
    drop(follower);
    for number in 1..=4 {
        pair.files.remove(&pair.files.name(0, number, number));
    }
    pair.files = Litestream::into_folder(&pair.shop.db(), &pair.shop.file("replica"));
    let follower = pair.follow();
    follower.wait_for_line("the files end at transaction 1, and this copy is at 4");
    assert_eq!(clicks(&follower), 3);
}

#[test]
fn a_copy_on_a_full_disk_goes_on_answering_and_recovers() {
    let mut pair = Pair::new();
    let options = pair.options();
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let follower = serve_limited(&pair.copy, &options);
    limit_files(&follower, "4096");
    pair.import(31..=100);
    pair.click("Product 1");
    pair.files.sync();
    follower.wait_for_line("disk is full");
    assert_eq!((total(&follower), clicks(&follower)), (30, 0));
    limit_files(&follower, "unlimited");
    wait_for_clicks(&follower, 1);
    assert_eq!(total(&follower), 100);
}

/// A follower of files in a bucket.
fn follow_bucket(pair: &Pair, bucket: &Bucket) -> Server {
    let options = [
        "--follow",
        "s3://shops/litestream",
        "--public-url",
        super::URL,
    ];
    Server::start(bucket.serve_command(&pair.copy, &options))
}

#[test]
fn files_in_a_bucket_are_followed() {
    let mut pair = Pair::new();
    let bucket = Bucket::start();
    let target = Target::Bucket(bucket.clone(), "litestream");
    pair.files = Litestream::new(&pair.shop.db(), target);
    pair.files.sync();
    let follower = follow_bucket(&pair, &bucket);
    for number in 1..=25 {
        pair.click("Product 1");
        pair.files.sync();
        if number % 8 == 0 {
            wait_for_clicks(&follower, number);
        }
    }
    wait_for_clicks(&follower, 25);
    // While it is away, the files of single transactions are deleted.
    drop(follower);
    pair.click("Product 1");
    pair.files.sync();
    pair.files.write(2, 20, 27);
    for number in 1..=27 {
        pair.files.remove(&pair.files.name(0, number, number));
    }
    let follower = follow_bucket(&pair, &bucket);
    wait_for_clicks(&follower, 26);
    follower.stop();
    bucket.fault(|_| Some(crate::support::bucket::error(403, "InvalidAccessKeyId", "")));
    let follower = follow_bucket(&pair, &bucket);
    let said = follower.wait_for_line("a background job failed");
    assert!(said.contains("AWS_ACCESS_KEY_ID"), "{said}");
    assert_eq!(clicks(&follower), 26);
}
