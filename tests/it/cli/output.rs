//! Output for programs and for terminals.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::support::harness::{
    Shop, fails, misused, product, product_with, signal, succeeds, text,
};

/// A clipboard command, a cleared screen by C0 and C1, and reversed text.
const HOSTILE: &str = "Lamp \u{1b}]52;c;cm0=\u{7}\u{1b}[2J\u{9b}2J \u{202e}evil\u{2066}";

/// A shop with a product that was added before such characters were removed.
fn hostile_shop() -> Shop {
    let shop = Shop::with(&[product_with(1, json!({"_id": "one"}))]);
    let database = shop.database_without_index();
    database
        .execute("UPDATE products SET title = ?1, source = ?1", [HOSTILE])
        .unwrap();
    drop(database);
    succeeds(shop.run(&["reindex"]));
    shop.sign_up("asha@example.com", "correct-horse-9-battery");
    shop
}

const LISTS: [&[&str]; 5] = [
    &["export"],
    &["export", "--format", "ndjson"],
    &["settings", "get"],
    &["user", "list"],
    &["check"],
];

#[test]
fn sellers_texts_cannot_act_on_the_terminal() {
    let shop = hostile_shop();
    for arguments in LISTS {
        let output = shop.run(arguments);
        let said = text(&output.stdout) + &text(&output.stderr);
        let acts = |c: char| {
            (c.is_control() && c != '\n' && c != '\r')
                || ('\u{202a}'..='\u{202e}').contains(&c)
                || ('\u{2066}'..='\u{2069}').contains(&c)
        };
        assert!(!said.contains(acts), "{arguments:?}: {said:?}");
    }
    // The text of an error too.
    let said = fails(shop.import(
        &json!([product_with(2, json!({"category": HOSTILE}))]).to_string(),
        &[],
    ));
    assert!(!said.contains(['\u{1b}', '\u{9b}', '\u{202e}']), "{said:?}");
    // An export is whole.
    let rows: Value = serde_json::from_str(&succeeds(shop.run(&["export"]))).unwrap();
    assert_eq!(rows[0]["title"], HOSTILE);
}

#[test]
fn unicode_variants_of_formula_signs_are_escaped_in_csv() {
    let shop = Shop::with(&[
        product_with(1, json!({"title": "﹦1+1"})),
        product_with(2, json!({"title": "\u{3164}=1+1"})),
    ]);
    let table = succeeds(shop.run(&["export", "--format", "csv"]));
    assert!(
        table.contains(",'﹦1+1,") && table.contains(",'\u{3164}=1+1,"),
        "{table}"
    );
}

#[test]
fn names_of_invisible_characters_are_refused() {
    let shop = Shop::new();
    for name in ["\u{200b}\u{200b}\u{200b}", "\u{3164} \u{202e}\u{2800}"] {
        let add = [
            "add",
            "asha@example.com",
            "--username",
            name,
            "--password-stdin",
        ];
        let said = text(&shop.user(&add, "correct-horse-9-battery").stderr);
        assert!(
            said.contains("Username must have visible characters."),
            "{said}"
        );
        let said = text(
            &shop
                .run(&["settings", "set", &format!("name={name}")])
                .stderr,
        );
        assert!(said.contains("must have visible characters."), "{said}");
    }
}

#[test]
fn every_listing_command_has_json_output() {
    let shop = hostile_shop();
    std::fs::write(shop.file("rows.json"), json!([product(2)]).to_string()).unwrap();
    let run = |arguments: &[&str]| -> Value {
        let output = shop.run(&[arguments, &["--json"]].concat());
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{arguments:?}: {error}: {}", text(&output.stderr)))
    };
    assert_eq!(run(&["import", "rows.json"])["added"], 1);
    assert_eq!(run(&["settings", "get"])["name"], "");
    assert_eq!(run(&["user", "list"])[0]["email"], "asha@example.com");
    assert_eq!(run(&["backup", "copy.sqlite"])["products"], 2);
    assert_eq!(run(&["restore", "copy.sqlite", "--verify"])["accounts"], 1);
    assert_eq!(run(&["check"])["ok"], true);
}

#[test]
fn with_a_json_log_every_line_is_json() {
    let shop = Shop::with(&[product(1)]);
    let lines = |output: &str| {
        assert!(!output.is_empty());
        for line in output.lines() {
            let value: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"));
            assert!(
                value["message"].is_string() && value["level"].is_string(),
                "{line}"
            );
        }
    };
    let mut server = shop
        .command()
        .args([
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--demo",
            "--log-format",
            "json",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(server.stdout.take().unwrap());
    let mut said = String::new();
    while !said.contains("--demo added nothing") {
        assert!(output.read_line(&mut said).unwrap() > 0, "{said}");
    }
    signal(&server, "TERM");
    output.read_to_string(&mut said).unwrap();
    let ended = server.wait_with_output().unwrap();
    lines(&(said + &text(&ended.stderr)));
    // Refusals are lines too, and the variable is for the server.
    lines(&text(
        &shop
            .run(&["serve", "--listen", "bad", "--log-format=json"])
            .stderr,
    ));
    lines(&text(
        &shop
            .run(&["serve", "--db", "no/x.sqlite", "--log-format", "json"])
            .stderr,
    ));
    let mut list = shop.command();
    list.args(["settings", "get"])
        .env("DEALS_LOG_FORMAT", "json");
    let said = succeeds(list.output().unwrap());
    assert!(said.starts_with("name "), "{said}");
}

#[test]
fn a_closed_output_pipe_is_no_error() {
    let rows: Vec<Value> = (0..2_000).map(product).collect();
    let shop = Shop::with(&rows);
    for format in ["json", "ndjson", "csv"] {
        let mut child = shop
            .command()
            .args(["export", "--format", format])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(
            (output.status.code(), text(&output.stderr)),
            (Some(0), String::new()),
            "{format}"
        );
    }
}

#[test]
fn healthcheck_says_whether_the_server_is_ready() {
    let shop = Shop::with(&[product(1)]);
    let server = shop.serve();
    let listen = server.address().to_owned();
    succeeds(shop.run(&["healthcheck", "--listen", &listen]));
    let port = listen.rsplit(':').next().unwrap();
    let mut anywhere = shop.command();
    anywhere
        .arg("healthcheck")
        .env("DEALS_LISTEN", format!("0.0.0.0:{port}"));
    succeeds(anywhere.output().unwrap());
    drop(server);
    assert!(fails(shop.run(&["healthcheck", "--listen", &listen])).contains("no server answers"));
    assert_eq!(
        shop.run(&["healthcheck", "--listen", "127.0.0.1:0"])
            .status
            .code(),
        Some(2)
    );
}

#[test]
fn promtool_accepts_the_metrics() {
    let shop = Shop::with(&[product(1)]);
    let server = shop.serve_with(&["--metrics-listen", "127.0.0.1:0"]);
    server.list("");
    let line = server.wait_for_line("metrics are at");
    let answer = server
        .client()
        .get(line.rsplit(' ').next().unwrap())
        .send()
        .unwrap();
    assert_eq!(
        answer.headers()["content-type"],
        "text/plain; version=0.0.4; charset=utf-8"
    );
    let metrics = answer.text().unwrap();
    assert!(
        metrics.contains("# TYPE deals_http_requests_total counter"),
        "{metrics}"
    );
    assert!(!metrics.contains("# EOF"));
    let checker = Command::new("promtool")
        .args(["check", "metrics"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut checker) = checker else { return };
    checker
        .stdin
        .take()
        .unwrap()
        .write_all(metrics.as_bytes())
        .unwrap();
    let checked = checker.wait_with_output().unwrap();
    assert!(checked.status.success(), "{}", text(&checked.stderr));
}

#[test]
fn an_import_names_an_unknown_category() {
    let shop = Shop::new();
    let rows = json!([product_with(1, json!({"category": "Toys"}))]).to_string();
    let said = fails(shop.import(&rows, &[]));
    assert!(
        said.contains("row 1: category: \"Toys\" is not a category. Write Electronics, Clothing, Books or Home."),
        "{said}"
    );
    let mut missing = product(1);
    missing.as_object_mut().unwrap().remove("category");
    let said = fails(shop.import(&json!([missing]).to_string(), &[]));
    assert!(
        said.contains("category: The category is missing. Write Electronics"),
        "{said}"
    );
    let wrapped = json!({"products": [product(1), product(2)], "total": 2}).to_string();
    assert!(succeeds(shop.import(&wrapped, &[])).contains("2 added"));
}

#[test]
fn a_removed_command_names_the_screen_that_replaces_it() {
    let said = misused(Shop::new().run(&["report", "clicks", "--by", "day"]));
    assert!(
        said.contains("unrecognized subcommand 'report'")
            && said.contains("`deals report` was removed. Use Reports of the office"),
        "{said}"
    );
}

#[test]
fn no_color_and_dumb_terminals_turn_colours_off() {
    let command = format!("'{}' frobnicate", env!("CARGO_BIN_EXE_deals"));
    for (variable, is_coloured) in [("A=1", true), ("NO_COLOR=1", false), ("TERM=dumb", false)] {
        // `script` gives the program a terminal. `CI` and `CLICOLOR…` would give it colours.
        let output = Command::new("env")
            .args(["-u", "NO_COLOR", "-u", "CI", "-u", "CLICOLOR"])
            .args(["-u", "CLICOLOR_FORCE", "TERM=xterm", variable])
            .args(["script", "-qec", &command, "/dev/null"])
            .output()
            .unwrap();
        let said = text(&output.stdout);
        assert!(said.contains("frobnicate"), "{said}");
        assert_eq!(said.contains('\u{1b}'), is_coloured, "{variable}: {said}");
    }
}
