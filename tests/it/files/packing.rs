//! gzip, zip, and their limits.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::workbooks::{book, zip};
use super::writers::{semicolons, xlsx};
use super::{imported, refused};
use crate::support::harness::{Shop, product};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn compressed_files_are_imported_from_files_and_pipes() {
    let products = [product(1), product(2)];
    let csv = semicolons(&products);
    let json = serde_json::to_vec(&products).unwrap();
    let expected = imported("plain.csv", &csv, &[]);
    let mac: &[(&str, &[u8])] = &[("deals.csv", &csv), ("__MACOSX/._deals.csv", b"x")];
    for packed in [
        gzip(&csv),
        gzip(&json),
        zip(&[("deals.json", &json)]),
        zip(mac),
    ] {
        assert_eq!(imported("packed", &packed, &[]), expected);
    }
    for bytes in [zip(mac), xlsx(&products), gzip(&json), csv] {
        let shop = Shop::new();
        std::fs::write(shop.file("piped"), &bytes).unwrap();
        let mut command = shop.command();
        let file = std::fs::File::open(shop.file("piped")).unwrap();
        let (reader, mut writer) = std::io::pipe().unwrap();
        let copying = std::thread::spawn(move || {
            let mut file = file;
            std::io::copy(&mut file, &mut writer).unwrap();
        });
        let output = command
            .args(["import", "-"])
            .stdin(reader)
            .output()
            .unwrap();
        drop(command);
        copying.join().unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert_eq!(super::exported(&shop), expected);
    }
}

#[test]
fn decompression_bombs_are_refused() {
    let row = format!(
        "{{\"affiliateLink\": \"\", \"note\": \"{}\"}}\n",
        "0".repeat(99_999)
    );
    let rows = row.repeat(600).into_bytes();
    let bomb = gzip(&rows);
    assert!(bomb.len() * 300 < rows.len(), "{}", bomb.len());
    for packed in [bomb, zip(&[("deals.json", &rows)])] {
        let error = refused("bomb", &packed, &["--skip-invalid"]);
        assert!(
            error.contains("it unpacks to more than 200 times its size"),
            "{error}"
        );
    }
    // A sheet whose one text is a bomb.
    let texts = "<si/>".repeat(16 << 20 >> 2);
    let sheet = book(|book| book.texts = format!("<sst>{texts}</sst>"));
    let error = refused("bomb.xlsx", &sheet, &[]);
    assert!(error.contains("200 times its size"), "{error}");
}

#[test]
fn archives_without_exactly_one_file_are_refused_with_advice() {
    let csv = semicolons(&[product(1)]);
    let two = zip(&[("a.csv", &csv), ("b.csv", &csv)]);
    let whole = gzip(&csv);
    for (packed, message) in [
        (
            two,
            "a zip archive of 2 files (a.csv, b.csv): pack only the one with the products",
        ),
        (
            zip(&[("content.xml", b"<x/>")]),
            "an OpenDocument file: save it as",
        ),
        (gzip(&whole), "packed twice"),
        (
            whole[..whole.len() / 2].to_vec(),
            "its packing is damaged or cut off",
        ),
        (
            zip(&[("a.csv", &csv)])[..100].to_vec(),
            "a zip archive that is damaged or cut off",
        ),
    ] {
        let error = refused("packed", &packed, &[]);
        assert!(error.contains(message), "{message}: {error}");
    }
}
