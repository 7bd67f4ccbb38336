//! Files of variables as people write them, and names that are no settings.

use crate::support::harness::{Shop, misused, product, succeeds, text};

fn with_file(shop: &Shop, content: &str, arguments: &[&str]) -> std::process::Output {
    std::fs::write(shop.file("own.env"), content).unwrap();
    shop.run(&[arguments, &["--env-file", "own.env"]].concat())
}

#[test]
fn environment_files_with_windows_line_ends_are_read() {
    let shop = Shop::with(&[product(1)]);
    std::fs::rename(shop.db(), shop.file("mine.sqlite")).unwrap();
    for content in [
        "export DEALS_DB=mine.sqlite\n",
        "\u{feff}DEALS_DB=mine.sqlite",
        "DEALS_DB=mine.sqlite\r\nDEALS_LISTEN=127.0.0.1:0\r\n",
        "  export DEALS_DB = \"mine.sqlite\"",
        "# mine\n\nDEALS_DB='mine.sqlite'\n",
    ] {
        let said = succeeds(with_file(&shop, content, &["settings", "get"]));
        assert!(said.starts_with("name "), "{content:?}: {said}");
    }
}

#[test]
fn a_misspelt_variable_is_named_with_its_line_and_a_suggestion() {
    let shop = Shop::with(&[product(1)]);
    for (name, meant) in [
        ("deals_db", "DEALS_DB"),
        ("DEALSDB", "DEALS_DB"),
        ("DEAL_LISTEN", "DEALS_LISTEN"),
        ("DEALS_BACKUPDIR", "DEALS_BACKUP_DIR"),
    ] {
        let output = with_file(&shop, &format!("\n{name}=x\n"), &["settings", "get"]);
        let sentence = format!("{name} is not a setting and is ignored. Did you mean {meant}?\n");
        assert_eq!(
            text(&output.stderr),
            format!("deals: own.env, line 2: {sentence}")
        );
        let mut list = shop.command();
        let output = list.args(["settings", "get"]).env(name, "x").output();
        assert_eq!(text(&output.unwrap().stderr), format!("deals: {sentence}"));
    }
}

#[test]
fn environment_values_with_quotes_or_comments_are_refused() {
    let shop = Shop::with(&[product(1)]);
    for (value, advice) in [
        ("\"deals.sqlite\"", "without the quotes"),
        ("'deals.sqlite'", "without the quotes"),
        ("deals.sqlite\r", "without the carriage return"),
        (" deals.sqlite", "without the blanks"),
        ("deals.sqlite # mine", "on a line of its own"),
    ] {
        let mut list = shop.command();
        list.args(["settings", "get"]).env("DEALS_DB", value);
        let said = misused(list.output().unwrap());
        assert!(
            said.contains("DEALS_DB is") && said.contains(advice),
            "{said}"
        );
    }
    let said = misused(with_file(
        &shop,
        "\nDEALS_DB=x # mine",
        &["settings", "get"],
    ));
    assert!(
        said.contains("own.env, line 2: DEALS_DB is \"x # mine\""),
        "{said}"
    );
    // A secret is not repeated.
    let mut list = shop.command();
    list.args(["settings", "get"])
        .env("DEALS_SMTP_URL", "\"smtp://a:hunter2@b\"");
    let said = misused(list.output().unwrap());
    assert!(
        said.contains("DEALS_SMTP_URL") && !said.contains("hunter2"),
        "{said}"
    );
}
