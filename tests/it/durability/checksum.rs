//! The checksum that each backup carries.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Output, Stdio};

use crate::support::harness::{Shop, fails, product, succeeds, text};
use crate::support::random::Random;

/// Runs the program with bytes on standard input.
pub fn receives(shop: &Shop, arguments: &[&str], bytes: &[u8]) -> Output {
    let mut child = shop
        .command()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(bytes).unwrap();
    child.wait_with_output().unwrap()
}

/// Leaves the checksum of a backup out, as an older version did.
fn without_checksum(backup: &[u8]) -> &[u8] {
    &backup[..backup.len() - backup.len() % 512]
}

#[test]
fn a_restore_of_a_backup_with_a_flipped_bit_is_refused() {
    let shop = Shop::with(&(0..40).map(product).collect::<Vec<_>>());
    succeeds(shop.run(&["backup", "copy.sqlite"]));
    let sound = fs::read(shop.file("copy.sqlite")).unwrap();
    let before = fs::read(shop.db()).unwrap();
    let mut random = Random::new(120);
    let bits = sound.len() * 8;
    // The last 20 are in the line with the checksum.
    let anywhere: Vec<usize> = (0..100).map(|_| random.below(bits)).collect();
    let in_line = (0..20).map(|_| bits - 1 - random.below(100 * 8));
    for bit in anywhere.into_iter().chain(in_line) {
        let mut flipped = sound.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        fs::write(shop.file("flipped.sqlite"), flipped).unwrap();
        for options in [&["--verify"][..], &[]] {
            let said = fails(shop.run(&[&["restore", "flipped.sqlite"], options].concat()));
            assert!(said.contains("flipped.sqlite is not"), "bit {bit}: {said}");
        }
        assert_eq!(fs::read(shop.db()).unwrap(), before, "bit {bit}");
    }
    succeeds(shop.run(&["restore", "copy.sqlite"]));
}

#[test]
fn a_flipped_bit_is_found_in_every_kind_of_backup() {
    let shop = Shop::with(&[product(1)]);
    for _ in 0..2 {
        succeeds(shop.run(&["backup", "copy.sqlite", "--keep", "2"]));
    }
    let server = shop.serve_with(&["--backup-dir", "backups"]);
    server.wait_for_line("backed up");
    server.stop();
    let check = ["check", "--backup-dir", "backups"];
    let said = succeeds(shop.run(&check));
    assert!(said.contains("all with the right checksum"), "{said}");
    let scheduled = fs::read_dir(shop.file("backups")).unwrap();
    let scheduled = scheduled
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|ending| ending == "sqlite"))
        .unwrap();
    let piped = shop.file("piped.sqlite");
    fs::write(&piped, shop.run(&["backup", "-"]).stdout).unwrap();
    let [newest, older] = ["copy.sqlite", "copy.sqlite.1"].map(|name| shop.file(name));
    for file in [newest, older, scheduled, piped] {
        let name = file.to_str().unwrap();
        let said = text(&shop.run(&["check", "--db", name]).stdout);
        assert!(said.contains("ok     checksum"), "{said}");
        let mut bytes = fs::read(&file).unwrap();
        let price = bytes.len() - 1_000;
        bytes[price] ^= 4;
        fs::write(&file, &bytes).unwrap();
        for command in [
            &["restore", name, "--verify"][..],
            &["serve", "--listen", "127.0.0.1:0", "--db", name],
            &["export", "--db", name],
            &["backup", "again.sqlite", "--db", name],
        ] {
            let said = fails(shop.run(command));
            assert!(said.contains("its SHA-256 differs"), "{command:?}: {said}");
        }
        let said = text(&shop.run(&["check", "--db", name]).stdout);
        assert!(said.contains("wrong  checksum"), "{said}");
        assert_eq!(fs::read(&file).unwrap(), bytes, "it was changed");
    }
    let output = shop.run(&check);
    let said = text(&output.stdout);
    assert!(
        said.contains("wrong  backups") && said.contains("SHA-256"),
        "{said}"
    );
}

#[test]
fn an_older_backup_without_a_checksum_is_restored_with_a_note() {
    let shop = Shop::with(&[product(1)]);
    succeeds(shop.run(&["backup", "copy.sqlite"]));
    let backup = fs::read(shop.file("copy.sqlite")).unwrap();
    fs::write(shop.file("old.sqlite"), without_checksum(&backup)).unwrap();
    for (name, is_noted) in [("old.sqlite", true), ("copy.sqlite", false)] {
        let output = shop.run(&["restore", name]);
        let said = text(&output.stderr);
        succeeds(output);
        assert_eq!(said.contains("carries no checksum"), is_noted, "{said}");
    }
}

#[test]
fn a_backup_served_as_the_database_can_be_restored_later() {
    let shop = Shop::with(&[product(1)]);
    succeeds(shop.run(&["backup", "copy.sqlite"]));
    fs::rename(shop.file("copy.sqlite"), shop.file("other.sqlite")).unwrap();
    let rows = serde_json::json!([product(2)]).to_string();
    let imported = shop.import(&rows, &["--db", "other.sqlite"]);
    assert!(imported.status.success(), "{}", text(&imported.stderr));
    let said = succeeds(shop.run(&["restore", "other.sqlite"]));
    assert!(said.contains("2 products"), "{said}");
}

#[test]
fn restore_save_replaces_a_backup_only_with_a_valid_one() {
    let shop = Shop::with(&[product(1), product(2)]);
    let sent = shop.run(&["backup", "-"]).stdout;
    let elsewhere = Shop::new();
    let save = ["restore", "--verify", "-", "--save", "kept.sqlite"];
    let said = succeeds(receives(&elsewhere, &save, &sent));
    assert!(
        said.contains("2 products") && said.contains("saved as kept.sqlite"),
        "{said}"
    );
    let kept = elsewhere.file("kept.sqlite");
    assert_eq!(fs::read(&kept).unwrap(), sent);
    let mode = fs::metadata(&kept).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);

    let mut flipped = sent.clone();
    flipped[sent.len() / 2] ^= 1;
    let failed = shop.run(&["backup", "-", "--db", "none.sqlite"]);
    for bytes in [
        &failed.stdout[..],
        &sent[..sent.len() / 2],
        &sent[..sent.len() - 1],
        without_checksum(&sent),
        &flipped,
    ] {
        let said = fails(receives(&elsewhere, &save, bytes));
        assert!(said.contains("nothing was restored"), "{said}");
        assert_eq!(fs::read(&kept).unwrap(), sent);
    }
    let names = fs::read_dir(elsewhere.folder()).unwrap();
    assert_eq!(names.count(), 1, "nothing else is left");

    let said = succeeds(receives(&elsewhere, &["restore", "-"], &sent));
    assert!(said.contains("2 products"), "{said}");
    assert_eq!(
        elsewhere
            .database()
            .query_row("SELECT count(*) FROM products", [], |row| row
                .get::<_, i64>(0))
            .unwrap(),
        2
    );
}

#[test]
fn documented_backup_pipes_end_in_restore_verify() {
    let shop = Shop::new();
    let mut texts: Vec<String> = [&["backup", "--help"][..], &["restore", "--help"]]
        .iter()
        .map(|arguments| succeeds(shop.run(arguments)))
        .collect();
    assert!(
        texts[0].contains("deals restore --verify - --save"),
        "{}",
        texts[0]
    );
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = fs::read_dir(root.join("docs")).unwrap();
    let pages = pages.map(|entry| entry.unwrap().path());
    for page in pages.chain([root.join("README.md"), root.join("Dockerfile")]) {
        texts.extend(fs::read_to_string(page).ok());
    }
    for text in texts {
        assert!(!text.contains("'cat >"), "{text}");
    }
}
