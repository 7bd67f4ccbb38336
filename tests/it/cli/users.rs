//! deals user, and the key

use std::os::unix::fs::PermissionsExt;

use serde_json::json;

use crate::support::harness::{Shop, text};
use crate::support::people::{PASSWORD, People};

/// 6.3.2, 13.2.3
#[test]
fn there_is_no_default_account() {
    let shop = Shop::new();
    shop.serve();
    let output = shop.run(&["user", "list"]);
    assert!(text(&output.stdout).contains("no accounts yet"));
}

#[test]
fn accounts_are_added_listed_and_changed_while_the_server_runs() {
    let people = People::new();
    let user = |arguments: &[&str]| people.shop.user(arguments, PASSWORD);
    let added = user(&[
        "add",
        "owner@example.com",
        "--username",
        "The owner",
        "--admin",
        "--password-stdin",
    ]);
    assert_eq!(
        text(&added.stdout),
        "added owner@example.com as an administrator\n"
    );
    let added = user(&[
        "add",
        "asha@example.com",
        "--username",
        "asha",
        "--password-stdin",
    ]);
    assert_eq!(
        text(&added.stdout),
        "added asha@example.com as an ordinary user\n"
    );
    let listed = text(&user(&["list"]).stdout);
    let lines: Vec<&str> = listed.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[0].starts_with("EMAIL"));
    assert!(
        lines[1].starts_with("owner@example.com  The owner  admin"),
        "{listed}"
    );
    assert!(
        lines[2].starts_with("asha@example.com   asha       user"),
        "{listed}"
    );

    let asha = people.sign_in("asha@example.com");
    let changed = people.shop.user(
        &["set-password", "asha@example.com", "--password-stdin"],
        "another-fine-password",
    );
    assert!(changed.status.success(), "{}", text(&changed.stderr));
    assert_eq!(people.me(&asha.token), 401);
    let credentials = json!({"email": "asha@example.com", "password": "another-fine-password"});
    assert_eq!(people.post("/user/sign-in", &credentials).status(), 200);
}

#[test]
fn user_commands_follow_the_rules_of_the_account_forms() {
    let shop = Shop::new();
    let refuse = |arguments: &[&str], password: &str, words: &str| {
        let output = shop.user(arguments, password);
        let depends_on_state = ["already", "there is no", "--password-stdin"];
        let is_wrong = !depends_on_state.iter().any(|part| words.contains(part));
        let code = if is_wrong { 2 } else { 1 };
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        let error = text(&output.stderr);
        assert!(error.contains(words), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    };
    let add = [
        "add",
        "asha@example.com",
        "--username",
        "asha",
        "--password-stdin",
    ];
    refuse(
        &add,
        "short",
        "Password must be at least 8 characters long.",
    );
    refuse(&add, "password1", "too easy to guess");
    refuse(
        &[
            "add",
            "asha@example.com",
            "--username",
            "ab",
            "--password-stdin",
        ],
        PASSWORD,
        "Username must be at least 3 characters long.",
    );
    refuse(
        &["add", "asha", "--username", "asha", "--password-stdin"],
        PASSWORD,
        "asha is not an e-mail address",
    );
    refuse(
        &["add", "a@b.co", "--username", "asha"],
        PASSWORD,
        "--password-stdin",
    );
    assert!(shop.user(&add, PASSWORD).status.success());
    refuse(&add, PASSWORD, "already has an account");
    for action in ["promote", "demote", "remove"] {
        refuse(
            &[action, "nobody@example.com"],
            "",
            "there is no account nobody@example.com",
        );
    }
    refuse(
        &["list", "--db", "nowhere.sqlite"],
        "",
        "there is no database nowhere.sqlite",
    );
}

/// 13.3.1
#[test]
fn the_key_file_is_created_once() {
    let people = People::new();
    people.join_as_admin("owner@example.com");
    let file = people.shop.file("deals.sqlite.key");
    let key = std::fs::read(&file).unwrap();
    assert_eq!(key.len(), 32);
    assert_eq!(
        std::fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o600
    );
    let (_, people) = people.restart();
    assert_eq!(std::fs::read(&file).unwrap(), key);
    people.sign_in("owner@example.com");
    let refused = |words: &str| {
        let output = people.shop.run(&["user", "list"]);
        assert_eq!(output.status.code(), Some(1));
        let error = text(&output.stderr);
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(error.contains(words), "{error}");
    };
    std::fs::write(&file, "short").unwrap();
    refused("deals.sqlite.key has fewer than 32 bytes");
    std::fs::write(&file, "another key that has more than 32 bytes").unwrap();
    refused("is not the key that the accounts in deals.sqlite were made with");
    std::fs::remove_file(&file).unwrap();
    refused("Restore the file deals.sqlite.key from its backup");
    assert!(!file.exists(), "no other key is made in its place");
    let mut command = people.shop.command();
    let other = "a secret of another shop with more than 32 bytes";
    let output = command
        .args(["user", "list"])
        .env("DEALS_SECRET", other)
        .output()
        .unwrap();
    assert!(text(&output.stderr).contains("the key in DEALS_SECRET is not the key"));
    std::fs::write(&file, &key).unwrap();
    assert!(people.shop.run(&["user", "list"]).status.success());
}

/// 13.2.3
#[test]
fn a_secret_key_that_is_too_short_is_refused() {
    let shop = Shop::new();
    let mut command = shop.serve_command(&[]);
    let output = command.env("DEALS_SECRET", "hunter2").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = text(&output.stderr);
    assert!(error.contains("at least 32"), "{error}");
    assert!(!error.contains("hunter2"), "{error}");
    let help = shop
        .command()
        .args(["serve", "--help"])
        .env("DEALS_SECRET", "hunter2")
        .output();
    assert!(!text(&help.unwrap().stdout).contains("hunter2"));
}
