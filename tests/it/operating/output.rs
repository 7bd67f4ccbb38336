//! Output into files: exact, for spreadsheets, and on a full disk.

use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};
use serde_json::json;

use crate::support::harness::{Shop, fails, product, product_with, succeeds, text};

/// Marks of direction, a formula, controls and line ends.
const EXACT: &str = "\u{200e}=1+1 \u{202b}सस्ती\u{202c} ₹ \u{2066}x\u{2069} a\r\nb \"c\"";

#[test]
fn a_csv_export_begins_with_a_byte_order_mark() {
    let shop = Shop::with(&[
        product_with(
            1,
            json!({"title": "\u{200e}Lamp \u{202a}₹\u{202c}", "description": EXACT}),
        ),
        product_with(2, json!({"title": "=1+1", "source": "+Bazaar"})),
    ]);
    let before = succeeds(shop.run(&["export"]));
    let table = shop.run(&["export", "--format", "csv"]).stdout;
    assert!(table.starts_with(b"\xef\xbb\xbf_id,"));
    assert!(!text(&table).contains('\u{fffd}'));
    let other = Shop::new();
    std::fs::write(other.file("table.csv"), &table).unwrap();
    succeeds(other.run(&["import", "table.csv"]));
    assert_eq!(succeeds(other.run(&["export"])), before);
}

#[test]
fn settings_get_prints_a_value_unchanged() {
    let shop = Shop::with(&[]);
    let title = "Shop \u{200f}x";
    succeeds(shop.run(&["settings", "set", &format!("tagline={title}")]));
    let said = succeeds(shop.run(&["settings", "get", "tagline"]));
    assert_eq!(said, format!("{title}\n"));
}

/// A file that takes no byte.
fn full() -> std::fs::File {
    let file = memfd_create("full", MemfdFlags::ALLOW_SEALING).unwrap();
    fcntl_add_seals(&file, SealFlags::GROW | SealFlags::WRITE).unwrap();
    file.into()
}

#[test]
fn commands_fail_when_their_output_disk_is_full() {
    let shop = Shop::with(&[product(1)]);
    shop.sign_up("asha@example.com", "tiger-lamp-42");
    for arguments in [
        &["user", "list"][..],
        &["user", "list", "--json"],
        &["settings", "get"],
        &["key", "list"],
        &["check"],
        &["setup-link"],
        &["export"],
        &["export", "--format", "csv"],
        &["backup", "-"],
        &["completions", "bash"],
        &["man"],
        &["--help"],
        &["--version"],
    ] {
        let full = full();
        let output = shop
            .command()
            .args(arguments)
            .stdout(full)
            .output()
            .unwrap();
        let said = fails(output);
        assert!(
            said.contains("cannot write to standard output: "),
            "{arguments:?}: {said}"
        );
    }
}

#[test]
fn user_list_shows_second_factors() {
    let shop = Shop::with(&[product(1)]);
    shop.sign_up("asha@example.com", "tiger-lamp-42");
    let list = || succeeds(shop.run(&["user", "list"]));
    assert!(
        list().lines().nth(1).unwrap().ends_with("  no"),
        "{}",
        list()
    );
    let database = shop.database();
    let sql = "INSERT INTO totp_factors (user, sealed, enabled_at, created_at) \
               SELECT key, x'00', 1, 1 FROM users";
    database.execute(sql, []).unwrap();
    assert!(
        list().lines().nth(1).unwrap().ends_with("  yes"),
        "{}",
        list()
    );
    let said = succeeds(shop.run(&["check"]));
    let sum = said.lines().last().unwrap();
    let fine = said.lines().filter(|line| line.starts_with("ok ")).count();
    assert!(
        sum.starts_with(&format!("{fine} ok, ")) && sum.ends_with(", 0 problems"),
        "{sum}"
    );
}
