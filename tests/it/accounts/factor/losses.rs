//! Lost phones, and lost keys of shops.

use std::fs;

use serde_json::{Value, json};

use super::{Factored, OWNER, credentials, refusal};
use crate::support::harness::{Shop, succeeds, text};
use crate::support::people::PASSWORD;

#[test]
fn reset_totp_removes_a_lost_second_factor() {
    let shop = Factored::new();
    let known = shop.remembered();
    let reset = |email: &str| shop.people.shop.user(&["reset-totp", email], "");
    let said = succeeds(reset(OWNER));
    assert!(said.contains("signs in without a code now"), "{said}");
    let mail = shop.people.mailbox.next();
    assert!(mail.recipients[0].contains(OWNER), "{:?}", mail.recipients);
    assert!(mail.data.contains("second factor"), "{}", mail.data);
    assert!(!shop.is_asked_for_a_code(&known));
    shop.people.sign_in(OWNER);
    let log = shop.log();
    assert!(log.contains("command line"), "{log}");
    assert!(
        log.contains("secondFactor.owner \"on\" → \"reset\""),
        "{log}"
    );
    let count = |table: &str| -> i64 {
        let sql = format!("SELECT count(*) FROM {table}");
        shop.people
            .shop
            .database()
            .query_row(&sql, [], |row| row.get(0))
            .unwrap()
    };
    assert_eq!(
        ["totp_factors", "recovery_codes", "remembered_devices"].map(count),
        [0; 3]
    );

    assert!(succeeds(reset(OWNER)).contains("nothing was changed"));
    let unknown = reset("nobody@example.com");
    assert!(
        text(&unknown.stderr).contains("there is no account"),
        "{}",
        text(&unknown.stderr)
    );
}

#[test]
fn reset_totp_ends_the_delay_after_wrong_codes() {
    let shop = Factored::new();
    shop.guess_until_delayed();
    succeeds(shop.people.shop.user(&["reset-totp", OWNER], ""));
    let owner = shop.people.sign_in(OWNER);
    let (app, _) = super::enrol(&shop.people, &owner);
    assert_eq!(shop.enter(&shop.pending(), &app.code()).status(), 200);
}

#[test]
fn a_restored_backup_without_its_key_names_the_reset_commands() {
    let shop = Factored::new();
    succeeds(shop.people.shop.run(&["backup", "copy.sqlite"]));
    let other = Shop::new();
    fs::copy(
        shop.people.shop.file("copy.sqlite"),
        other.file("copy.sqlite"),
    )
    .unwrap();
    succeeds(other.run(&["restore", "copy.sqlite"]));
    let refused = other.run(&["serve", "--listen", "127.0.0.1:0"]);
    let said = text(&refused.stderr);
    assert!(said.contains("`deals user reset-key"), "{said}");
    let renewed = other.run(&["user", "reset-key", "--yes"]);
    assert!(text(&renewed.stderr).contains("`deals user reset-totp`"));
    succeeds(renewed);
    succeeds(other.user(&["set-password", OWNER, "--password-stdin"], PASSWORD));

    let server = other.serve();
    let sign_in = || {
        let request = server.client().post(server.url("/user/sign-in"));
        request.json(&credentials(PASSWORD)).send().unwrap()
    };
    let (status, code, sentence) = refusal(sign_in());
    assert_eq!((status, code.as_str()), (403, "second_factor_unreadable"));
    assert!(sentence.contains("`deals user reset-totp`"), "{sentence}");
    succeeds(other.user(&["reset-totp", OWNER], ""));
    let body: Value = sign_in().json().unwrap();
    assert_eq!(body["user"]["email"], json!(OWNER));
}
