//! Objects that no backup is: skipped by name, and refused before they fill the disk.

use std::fs;
use std::io::{Read as _, Write as _};
use std::process::{Command, Output};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use crate::support::bucket::Bucket;
use crate::support::harness::{Server, Shop, fails, product, succeeds, text};

const PLACE: &str = "s3://shops/shop";

/// A shop with one backup in the bucket.
fn backed_up(bucket: &Bucket) -> (Shop, String) {
    let shop = Shop::with(&(0..40).map(product).collect::<Vec<_>>());
    succeeds(bucket.run(&shop, &["backup", PLACE]));
    let name = bucket.backups()[0].clone();
    (shop, name)
}

/// Restores in a shell that may write files of so many megabytes at most.
fn restore_within(bucket: &Bucket, shop: &Shop, megabytes: usize) -> Output {
    let script = format!(
        "trap '' XFSZ; ulimit -f {}; exec \"$0\" restore {PLACE}",
        megabytes * 2_048
    );
    Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_deals")])
        .envs(bucket.variables())
        .current_dir(shop.folder())
        .output()
        .unwrap()
}

fn packed(head: &[u8], zeros: u64) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(head).unwrap();
    std::io::copy(&mut std::io::repeat(0).take(zeros), &mut packed).unwrap();
    packed.finish().unwrap()
}

#[test]
fn unknown_objects_in_a_bucket_are_skipped() {
    let bucket = Bucket::start();
    let (shop, name) = backed_up(&bucket);
    let sound = bucket.object(&name);
    for odd in [
        "shop/backup/",
        "shop/backup//twice.sqlite.gz",
        "shop/backup/./20261121T083000Z-1a2b3c4d.sqlite.gz",
        "shop/backup/../up",
        "shop/backup/2026\u{1}.sqlite.gz",
        "shop/backup/20261121T083000Z-1a2b3c4d.sqlite.gz/",
        "shop/backup/20269999T083000Z-1a2b3c4d.sqlite.gz",
        "shop/backup/20261121T083000Z-zzzzzzzz.sqlite.gz",
        "shop/backup/99991231T235959Z-1a2b3c4d.sqlite.gz.part",
        "shop/backup/दुकान <&> %2F.txt",
    ] {
        bucket.put(odd, b"a note");
    }
    for number in 0..70 {
        bucket.put(&format!("shop/backup/a/{number:02}//b"), b"");
        bucket.put(&format!("shop/backup/a/{number:02}/c"), b"");
    }
    let listed = bucket.run(&shop, &["restore", PLACE, "--list"]);
    let said = text(&listed.stderr);
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(
        said.contains("skipped 149 objects in s3://shops/shop/backup"),
        "{said}"
    );
    let listed = succeeds(listed);
    assert_eq!(listed.lines().count(), 1, "{listed}");
    assert!(listed.contains(&name), "{listed}");
    let restored = bucket.run(&shop, &["restore", PLACE]);
    assert_eq!(text(&restored.stderr), said);
    assert!(succeeds(restored).contains(&name));
    assert_eq!(bucket.object(&name), sound);
}

#[test]
fn a_server_logs_the_skipped_objects_of_its_bucket() {
    let bucket = Bucket::start();
    let (shop, name) = backed_up(&bucket);
    bucket.remove(&name);
    bucket.put("shop/backup//note", b"a note");
    let server = Server::start(bucket.serve_command(&shop, &["--backup-dir", PLACE]));
    let line = server.wait_for_line("skipped 1 object in");
    assert!(line.contains("/note"), "{line}");
    server.wait_for_line("backed up");
    assert_eq!(bucket.backups().len(), 1);
}

#[test]
fn decompression_bombs_in_a_bucket_are_refused() {
    let bucket = Bucket::start();
    let (shop, name) = backed_up(&bucket);
    let mut database = Vec::new();
    let sound = bucket.object(&name);
    GzDecoder::new(&sound[..])
        .read_to_end(&mut database)
        .unwrap();
    let before = fs::read(shop.db()).unwrap();
    let stating = |pages: u32| {
        let mut head = database.clone();
        head[28..32].copy_from_slice(&pages.to_be_bytes());
        head
    };
    let megabytes = 2 + database.len() / 1_000_000;
    for (object, reason) in [
        (packed(b"", 20_000_000), "it is no database"),
        (packed(b"SQLite format 3\0", 20_000_000), "goes on after"),
        (packed(&database, 20_000_000), "goes on after"),
        (packed(&stating(1_000_000), 20_000_000), "in the bucket has"),
        (packed(&stating(u32::MAX), 100), "in the bucket has"),
    ] {
        bucket.put(&name, &object);
        let said = fails(restore_within(&bucket, &shop, megabytes));
        assert!(said.contains("nothing was restored"), "{said}");
        assert!(said.contains(reason), "{reason}: {said}");
        assert_eq!(fs::read(shop.db()).unwrap(), before);
    }
    bucket.put(&name, &sound);
    succeeds(bucket.run(&shop, &["restore", PLACE]));
}
