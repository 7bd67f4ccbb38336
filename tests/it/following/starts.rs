//! Starts that are refused or go on with what is there.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::{Pair, clicks, wait_for_clicks};
use crate::support::harness::{Shop, fails, product, wait_until};
use crate::support::litestream::pages_of;

impl Pair {
    /// Returns the message of a start that fails.
    fn refusal(&self) -> String {
        let options = self.options();
        let mut command = self.copy.command();
        command
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(options);
        fails(command.output().unwrap())
    }
}

#[test]
fn a_copy_goes_on_where_it_was() {
    let mut pair = Pair::new();
    let follower = pair.follow();
    pair.click("Product 1");
    pair.files.sync();
    wait_for_clicks(&follower, 1);
    wait_until("the position is kept", || {
        fs::read_to_string(pair.copy.file("deals.sqlite.followed"))
            .unwrap()
            .ends_with(" 2\n")
    });
    drop(follower);
    pair.files.remove(&pair.files.name(0, 1, 1));
    pair.click("Product 1");
    pair.files.sync();
    let follower = pair.follow();
    wait_for_clicks(&follower, 2);
    for ending in ["", ".followed"] {
        let file = pair.copy.file(&format!("deals.sqlite{ending}"));
        let mode = fs::metadata(file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[test]
fn a_copy_has_the_pages_of_its_leader_and_no_others() {
    let mut pair = Pair::new();
    let follower = pair.follow();
    pair.click("Product 1");
    pair.files.sync();
    wait_for_clicks(&follower, 1);
    let expected = pages_of(&pair.shop.db());
    follower.get("/?search=nothing+like+it");
    follower.get(&format!("/details/{}", pair.id("Product 2")));
    assert!(pages_of(&pair.copy.db()) == expected);
    follower.stop();
    assert!(pages_of(&pair.copy.db()) == expected);
}

#[test]
fn a_copy_that_is_damaged_is_made_anew() {
    let pair = Pair::new();
    let follower = pair.follow();
    assert_eq!(clicks(&follower), 0);
    follower.stop();
    let path = pair.copy.db();
    let mut bytes = fs::read(&path).unwrap();
    bytes[8_192..12_288].fill(7);
    fs::write(&path, bytes).unwrap();
    let follower = pair.follow();
    assert_eq!(follower.list("limit=100").len(), 30);
}

#[test]
fn the_database_of_a_shop_is_not_replaced_by_a_copy() {
    let pair = Pair::new();
    let own = Shop::with(&[product(1)]);
    fs::copy(own.db(), pair.copy.db()).unwrap();
    let before = fs::read(pair.copy.db()).unwrap();
    let said = pair.refusal();
    assert!(said.contains("is a shop of its own"), "{said}");
    assert_eq!(fs::read(pair.copy.db()).unwrap(), before);
}

#[test]
fn another_shop_is_refused() {
    let pair = Pair::new();
    let other = Shop::with(&[product(1)]);
    drop(other.serve());
    fs::copy(
        other.file("deals.sqlite.key"),
        pair.copy.file("deals.sqlite.key"),
    )
    .unwrap();
    let said = pair.refusal();
    assert!(said.contains("is not the key that the accounts"), "{said}");
    fs::remove_file(pair.copy.file("deals.sqlite.key")).unwrap();
    let said = pair.refusal();
    assert!(said.contains("is missing"), "{said}");
    let id = pair.copy.run(&["export"]);
    assert!(!id.status.success(), "nothing serves it");
}

#[test]
fn a_place_without_files_is_refused_until_there_are_some() {
    let mut pair = Pair::new();
    pair.files.remove(&pair.files.name(0, 1, 1));
    let said = pair.refusal();
    let advice = "Start Litestream beside the leader";
    assert!(said.contains("has no files of Litestream"), "{said}");
    assert!(said.contains(advice), "{said}");
    pair.files.sync_whole();
    assert!(
        pair.refusal().contains(advice),
        "none has all pages since the first"
    );
    pair.files.write(9, 1, 2);
    assert_eq!(pair.follow().list("limit=100").len(), 30);
}

#[test]
fn commands_do_not_change_a_copy() {
    let pair = Pair::new();
    let follower = pair.follow();
    let said = fails(pair.copy.import("[]", &[]));
    assert!(said.contains("a copy that follows another shop"), "{said}");
    follower.stop();
    let said = fails(pair.copy.run(&["serve", "--listen", "127.0.0.1:0"]));
    assert!(said.contains("a copy that follows another shop"), "{said}");
    fs::remove_file(pair.copy.file("deals.sqlite.followed")).unwrap();
    let alone = pair.copy.serve();
    assert_eq!(alone.list("limit=100").len(), 30);
}
