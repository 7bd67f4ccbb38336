//! Buckets that are wrong, damaged or ill: one sentence each, and what was there is whole.

use std::fs;
use std::io::Read as _;
use std::net::TcpListener;
use std::os::unix::fs::MetadataExt as _;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use flate2::read::GzDecoder;

use super::large;
use crate::support::bucket::{Bucket, Request, error};
use crate::support::harness::{Server, Shop, fails, product, succeeds, text, wait_until};
use crate::support::random::Random;

const PLACE: &str = "s3://shops/shop";

/// Returns the only sentence on standard error.
fn sentence(output: Output) -> String {
    let said = fails(output);
    assert_eq!(said.trim_end().lines().count(), 1, "{said}");
    assert!(said.len() < 500, "{said}");
    said
}

/// A shop with one backup in the bucket.
fn backed_up(bucket: &Bucket) -> (Shop, String) {
    let shop = Shop::with(&(0..40).map(product).collect::<Vec<_>>());
    succeeds(bucket.run(&shop, &["backup", PLACE]));
    let name = bucket.backups()[0].clone();
    (shop, name)
}

#[test]
fn bucket_errors_name_the_wrong_setting_and_its_remedy() {
    let bucket = Bucket::start();
    let (shop, name) = backed_up(&bucket);
    let whole = bucket.object(&name);
    let run = |place: &str, name: &str, value: &str| {
        let mut command = shop.command();
        command
            .args(["backup", "--test", place])
            .envs(bucket.variables());
        sentence(command.env(name, value).output().unwrap())
    };
    let said = run(PLACE, "AWS_ACCESS_KEY_ID", "other");
    assert!(
        said.contains("does not know this key. Correct AWS_ACCESS_KEY_ID"),
        "{said}"
    );
    let said = run(PLACE, "AWS_REGION", "eu-west-1");
    assert!(
        said.contains("another region. Set AWS_REGION=ap-south-1"),
        "{said}"
    );
    let said = run("s3://shopss/shop", "AWS_REGION", "ap-south-1");
    assert!(
        said.contains("no such bucket. Create it, or correct its name"),
        "{said}"
    );
    for (status, code, more, remedy) in [
        (
            403,
            "SignatureDoesNotMatch",
            "",
            "Correct AWS_SECRET_ACCESS_KEY",
        ),
        (
            403,
            "RequestTimeTooSkewed",
            "<ServerTime>2026-11-25T10:00:00Z</ServerTime>",
            "the clock of this machine is wrong (there it is 2026-11-25T10:00:00Z)",
        ),
        (403, "AccessDenied", "", "the key may not write to it"),
        (400, "ExpiredToken", "", "Correct AWS_SESSION_TOKEN"),
        (400, "Strange", "", "Strange: no. Try again later"),
    ] {
        bucket.fault(move |request| (request.method == "PUT").then(|| error(status, code, more)));
        let said = sentence(bucket.run(&shop, &["backup", "--test", PLACE]));
        assert!(said.contains(remedy), "{code}: {said}");
        let said = sentence(bucket.run(&shop, &["backup", PLACE]));
        assert!(said.contains(remedy), "{code}: {said}");
    }
    bucket.no_fault();
    assert_eq!(bucket.backups(), std::slice::from_ref(&name));
    assert_eq!(bucket.object(&name), whole);
    succeeds(bucket.run(&shop, &["backup", "--test", PLACE]));
}

#[test]
fn bucket_outages_are_reported_in_one_sentence() {
    let bucket = Bucket::start();
    let (shop, name) = backed_up(&bucket);
    let busy = "retry-after: 1\r\n".to_owned();
    bucket.fault(move |_| Some(Some((503, busy.clone(), b"<Code>SlowDown</Code>".to_vec()))));
    let said = sentence(bucket.run(&shop, &["backup", PLACE]));
    assert!(said.contains("busy: try again later"), "{said}");
    bucket.fault(|_| Some(error(500, "InternalError", "")));
    let said = sentence(bucket.run(&shop, &["backup", PLACE]));
    assert!(
        said.contains("InternalError") && said.contains("Try again later"),
        "{said}"
    );
    bucket.fault(|_| Some(None));
    sentence(bucket.run(&shop, &["restore", PLACE]));
    let is_first = AtomicBool::new(true);
    bucket.fault(move |_| {
        let is_first = is_first.swap(false, Ordering::Relaxed);
        is_first.then(|| error(500, "InternalError", ""))
    });
    succeeds(bucket.run(&shop, &["restore", PLACE, "--verify"]));
    assert_eq!(bucket.backups(), [name]);
}

#[test]
fn a_bucket_that_never_answers_times_out() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let shop = Shop::with(&[product(1)]);
    let endpoint = format!("http://{}", silent.local_addr().unwrap());
    let mut command = shop.command();
    command
        .args(["backup", PLACE])
        .envs(Bucket::start().variables());
    let start = Instant::now();
    let said = sentence(command.env("AWS_ENDPOINT_URL", endpoint).output().unwrap());
    assert!(said.contains("no answer within 15 seconds"), "{said}");
    assert!(said.contains("AWS_ENDPOINT_URL"), "{said}");
    assert!(start.elapsed().as_secs() >= 15);
}

#[test]
fn a_bucket_prefix_of_another_shop_is_refused() {
    let bucket = Bucket::start();
    let shop = Shop::with(&[product(1)]);
    drop(shop.serve());
    succeeds(bucket.run(&shop, &["backup", PLACE]));
    let before = bucket.names();
    let other = Shop::with(&[product(2)]);
    // A database that was never served has no key yet.
    for _ in 0..2 {
        let said = sentence(bucket.run(&other, &["backup", PLACE]));
        assert!(said.contains("has the backups of another shop"), "{said}");
        assert!(said.contains("Choose another prefix"), "{said}");
        drop(other.serve());
    }
    let label = bucket.object("shop/shop");
    for (text, reason) in [
        (
            "{\"format\":2,\"shop\":null}",
            "newer version of deals (format 2",
        ),
        ("a note", "other data"),
    ] {
        bucket.put("shop/shop", text.as_bytes());
        for arguments in [&["backup", PLACE][..], &["restore", PLACE]] {
            let said = sentence(bucket.run(&shop, arguments));
            assert!(said.contains(reason), "{said}");
        }
    }
    bucket.put("shop/shop", &label);
    assert_eq!(bucket.names(), before);
    let said = sentence(bucket.run(&shop, &["restore", "s3://shops/empty"]));
    assert!(
        said.contains("there is no backup in s3://shops/empty"),
        "{said}"
    );
}

#[test]
fn a_restore_of_a_damaged_bucket_object_is_refused() {
    let bucket = Bucket::start();
    let (shop, name) = backed_up(&bucket);
    let sound = bucket.object(&name);
    let before = fs::read(shop.db()).unwrap();
    let mut random = Random::new(60);
    let content = |bytes: &[u8]| {
        let mut content = Vec::new();
        let read = GzDecoder::new(bytes).read_to_end(&mut content);
        read.ok().map(|_| content)
    };
    let refused = |bytes: &[u8], what: &str| {
        bucket.put(&name, bytes);
        let said = fails(bucket.run(&shop, &["restore", PLACE]));
        assert!(said.contains("nothing was restored"), "{what}: {said}");
        assert_eq!(fs::read(shop.db()).unwrap(), before, "{what}");
    };
    let mut flips = 0;
    while flips < 60 {
        let bit = random.below(sound.len() * 8);
        let mut flipped = sound.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        // A few bits say the same in another way: the time in the head, a distance in a repetition.
        if content(&flipped) == content(&sound) {
            continue;
        }
        flips += 1;
        refused(&flipped, &format!("bit {bit}"));
    }
    for _ in 0..10 {
        // Shorter objects are no backups.
        let length = 101 + random.below(sound.len() - 101);
        refused(&sound[..length], &format!("{length} bytes"));
    }
    bucket.put(&name, &sound);
    succeeds(bucket.run(&shop, &["restore", PLACE]));
}

#[test]
fn a_bucket_backup_deleted_during_a_restore_is_reported() {
    let bucket = Bucket::start();
    let (shop, _) = backed_up(&bucket);
    bucket.fault(|request: &Request| {
        let is_backup = request.method == "GET" && request.key.ends_with(".gz");
        is_backup.then(|| error(404, "NoSuchKey", ""))
    });
    let said = fails(bucket.run(&shop, &["restore", PLACE]));
    assert!(
        said.contains("a lifecycle rule or another program deleted it"),
        "{said}"
    );
}

#[test]
fn an_interrupted_upload_keeps_the_last_bucket_backup() {
    let bucket = Bucket::start();
    let shop = Shop::with(&large(400));
    succeeds(bucket.run(&shop, &["backup", PLACE]));
    let name = bucket.backups()[0].clone();
    // Another time in its name, as each run may take less than a second.
    let sound = bucket.object(&name);
    bucket.remove(&name);
    let old = "shop/backup/20260101T000000Z-0a1b2c3d.sqlite.gz";
    bucket.put(old, &sound);
    let mut random = Random::new(9);
    let mut left = 0;
    // The last one is in the request that completes it.
    let cuts = [0, 1, 8 << 20, sound.len() + 120];
    for cut in cuts
        .into_iter()
        .chain((0..3).map(|_| random.below(sound.len())))
    {
        bucket.cut_after(cut);
        sentence(bucket.run(&shop, &["backup", PLACE]));
        bucket.no_fault();
        left += bucket.unfinished();
        assert_eq!(bucket.backups(), [old], "cut after {cut} bytes");
        assert_eq!(bucket.object(old), sound);
        // A restore reads only complete ones.
        succeeds(bucket.run(&shop, &["restore", PLACE, "--verify"]));
    }
    assert!(left > 0, "no cut left parts");
    succeeds(bucket.run(&shop, &["backup", PLACE]));
    assert_eq!(bucket.unfinished(), 0);
    assert_eq!(bucket.backups().len(), 2);
    assert!(!bucket.names().iter().any(|name| name.contains("uploads")));
}

#[test]
fn a_restore_on_a_full_disk_leaves_the_database_unchanged() {
    let bucket = Bucket::start();
    let shop = Shop::with(&large(200));
    succeeds(bucket.run(&shop, &["backup", PLACE]));
    let before = fs::metadata(shop.db()).unwrap();
    // Blocks of 512 bytes.
    let output = Command::new("sh")
        .args([
            "-c",
            "trap '' XFSZ; ulimit -f 4000; exec \"$0\" restore s3://shops/shop",
        ])
        .arg(env!("CARGO_BIN_EXE_deals"))
        .envs(bucket.variables())
        .current_dir(shop.folder())
        .output()
        .unwrap();
    let said = fails(output);
    assert!(said.contains("nothing was restored"), "{said}");
    assert!(
        said.contains("File too large") && said.contains("room"),
        "{said}"
    );
    assert_eq!(fs::metadata(shop.db()).unwrap().ino(), before.ino());
    let left = fs::read_dir(shop.folder()).unwrap();
    let left = left.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let left: Vec<String> = left.filter(|name| name.contains(".part")).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_second_server_on_a_bucket_prefix_is_reported() {
    let bucket = Bucket::start();
    let shop = Shop::with(&[product(1)]);
    let serve = |shop: &Shop, key: &str| {
        let mut command = bucket.serve_command(shop, &["--backup-dir", PLACE]);
        command.env("AWS_ACCESS_KEY_ID", key);
        Server::start(command)
    };
    shop.serve().stop();
    let copy = Shop::new();
    for name in ["deals.sqlite", "deals.sqlite.key"] {
        fs::copy(shop.file(name), copy.file(name)).unwrap();
    }
    // The first one tries again and again, a second after the first failure.
    bucket.fault(|request| {
        let is_first = request.authorization.contains("Credential=known-key/");
        let is_backup = request.method == "PUT" && request.key.ends_with(".gz");
        (is_first && is_backup).then(|| error(403, "AccessDenied", ""))
    });
    let first = serve(&shop, "known-key");
    first.wait_for_line("the key may not");
    let second = serve(&copy, "known-key-2");
    second.wait_for_line("backed up");
    let theirs = bucket.backups().pop().unwrap();
    let line = first.wait_for_line("another server backs up to");
    assert!(
        line.contains(&theirs) && line.contains("Stop one of them"),
        "{line}"
    );
    assert_eq!(first.list("").len(), 1);
    wait_until("it is not named", || {
        let said = text(&bucket.run(&shop, &["check", "--backup-dir", PLACE]).stdout);
        said.contains("wrong  job backup") && said.contains("another server backs up")
    });
    assert_eq!(bucket.backups(), [theirs]);
    succeeds(bucket.run(&copy, &["restore", PLACE, "--verify"]));
    drop(second);
}
