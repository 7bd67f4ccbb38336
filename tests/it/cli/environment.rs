//! Settings: variables, the environment file and secrets in files.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::support::harness::{Server, Shop, fails, misused, product, product_with, succeeds};

#[test]
fn every_command_reads_the_environment_file() {
    let shop = Shop::with(&[product(1), product(2)]);
    let elsewhere = Shop::new();
    let settings = format!(
        "# The shop\nDEALS_DB=\"{}\"\nDEALS_LISTEN=127.0.0.1:0\n",
        shop.db().display()
    );
    std::fs::write(elsewhere.file("deals.env"), settings).unwrap();
    let run = |arguments: &[&str]| {
        let arguments = [arguments, &["--env-file", "deals.env"]].concat();
        succeeds(elsewhere.run(&arguments))
    };
    assert_eq!(
        serde_json::from_str::<Value>(&run(&["export"])).unwrap()[1]["title"],
        "Product 2"
    );
    assert!(run(&["settings", "get"]).starts_with("name "));
    let mut serve = elsewhere.command();
    serve.args(["--env-file=deals.env", "serve"]);
    assert_eq!(Server::start(serve).list("").len(), 2);
    // Flags and variables win over the file.
    let said = fails(elsewhere.run(&["export", "--env-file", "deals.env", "--db", "x.sqlite"]));
    assert!(said.contains("there is no database x.sqlite"), "{said}");
    let mut export = elsewhere.command();
    export
        .args(["export", "--env-file", "deals.env"])
        .env("DEALS_DB", "y.sqlite");
    let said = fails(export.output().unwrap());
    assert!(said.contains("there is no database y.sqlite"), "{said}");

    let said = misused(elsewhere.run(&["export", "--env-file", "missing.env"]));
    assert!(said.contains("missing.env"), "{said}");
    std::fs::write(elsewhere.file("bad.env"), "DEALS_DB=x\n\nnonsense\n").unwrap();
    let said = misused(elsewhere.run(&["export", "--env-file", "bad.env"]));
    assert!(said.contains("bad.env, line 3"), "{said}");
}

/// Runs where unprivileged users may make namespaces: /etc is replaced for the program alone.
#[test]
fn the_environment_file_of_the_systemd_unit_is_read_by_default() {
    let shop = Shop::with(&[product(1)]);
    let script = "mount -t tmpfs none /etc && echo DEALS_DB=deals.sqlite > /etc/deals.env \
                  && cp deals.sqlite other.sqlite && exec \"$0\" \"$@\"";
    let isolated = |arguments: &[&str], script: &str| {
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "--mount", "sh", "-c", script]);
        command.args(arguments).current_dir(shop.folder());
        command.stdin(Stdio::null()).output()
    };
    let probe = isolated(&[], "mount -t tmpfs none /etc");
    if !probe.is_ok_and(|output| output.status.success()) {
        return;
    }
    let program = env!("CARGO_BIN_EXE_deals");
    let run = |db: &str| {
        let script = script.replace("DEALS_DB=deals.sqlite", &format!("DEALS_DB={db}"));
        isolated(&[program, "settings", "get"], &script).unwrap()
    };
    assert!(succeeds(run("other.sqlite")).starts_with("name "));
    assert!(fails(run("missing.sqlite")).contains("there is no database missing.sqlite"));
}

#[test]
fn an_empty_variable_counts_as_unset() {
    let shop = Shop::with(&[product(1)]);
    let mut serve = shop.serve_command(&[]);
    for name in [
        "DEALS_PUBLIC_URL",
        "DEALS_SMTP_URL",
        "DEALS_TLS_CERT",
        "DEALS_BACKUP_KEEP",
    ] {
        serve.env(name, "");
    }
    assert_eq!(Server::start(serve).list("").len(), 1);
}

#[test]
fn misspelt_variables_are_a_warning_of_serve_and_check() {
    let shop = Shop::with(&[product(1)]);
    let mut serve = shop.serve_command(&[]);
    serve.env("DEALS_PUBLICURL", "https://x.example");
    let server = Server::start(serve);
    let line = server.wait_for_line("DEALS_PUBLICURL");
    assert!(
        line.contains("WARN") && line.contains("Did you mean DEALS_PUBLIC_URL?"),
        "{line}"
    );
    drop(server);
    std::fs::write(
        shop.file("deals.env"),
        "DEALS_SMTPURL=smtp://x\nDEALS_DRY_RUN=1\n",
    )
    .unwrap();
    let check = shop.run(&["check", "--env-file", "deals.env", "--json"]);
    let report: Value = serde_json::from_slice(&check.stdout).unwrap();
    let notes: Vec<&str> = report["checks"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|line| line["check"] == "settings" && line["state"] == "note")
        .map(|line| line["text"].as_str().unwrap())
        .collect();
    assert_eq!(
        notes,
        [
            "deals.env, line 1: DEALS_SMTPURL is not a setting and is ignored. Did you mean DEALS_SMTP_URL?",
            "deals.env, line 2: DEALS_DRY_RUN is not a setting and is ignored.",
        ]
    );
}

#[test]
fn no_environment_variable_turns_on_a_dry_run() {
    let shop = Shop::with(&[product(1)]);
    let run = |arguments: &[&str]| {
        let mut command = shop.command();
        for name in ["DRY_RUN", "VERIFY", "JSON", "SKIP_INVALID"] {
            command.env(format!("DEALS_{name}"), "1");
        }
        command
            .env("DEALS_OUTPUT", "out.json")
            .env("DEALS_KEEP", "2")
            .env("DEALS_FROM", "nonsense");
        command.args(arguments).output().unwrap()
    };
    std::fs::write(shop.file("more.json"), json!([product(2)]).to_string()).unwrap();
    assert!(succeeds(run(&["import", "more.json"])).starts_with("imported more.json"));
    assert!(succeeds(run(&["export"])).contains("Product 2"));
    succeeds(run(&["backup", "copy.sqlite"]));
    succeeds(run(&["backup", "copy.sqlite"]));
    assert!(!shop.file("copy.sqlite.1").exists());
    assert!(succeeds(run(&["restore", "copy.sqlite"])).starts_with("restored deals.sqlite"));
}

#[test]
fn secrets_are_read_from_files() {
    let shop = Shop::with(&[product(1)]);
    std::fs::write(
        shop.file("key"),
        "a secret with more than thirty-two bytes\n",
    )
    .unwrap();
    shop.sign_up("before@example.com", "correct-horse-9-battery");
    succeeds(shop.run(&["user", "reset-key", "--yes", "--secret-file", "key"]));
    std::fs::write(shop.file("deals.env"), "DEALS_SECRET_FILE=key\n").unwrap();
    let mut with_value = shop.command();
    with_value
        .args(["user", "list"])
        .env("DEALS_SECRET", "a secret with more than thirty-two bytes");
    succeeds(with_value.output().unwrap());
    succeeds(shop.run(&["user", "list", "--env-file", "deals.env"]));
    std::fs::write(shop.file("smtp"), "smtp://user:hunter2@\n").unwrap();
    let mut serve = shop.serve_command(&["--env-file", "deals.env"]);
    serve
        .env("DEALS_SMTP_URL_FILE", "smtp")
        .env("DEALS_MAIL_FROM", "shop@example.com");
    let said = misused(serve.output().unwrap());
    assert!(
        said.contains("mail server") && !said.contains("hunter2"),
        "{said}"
    );
    let said = misused(shop.run(&["user", "list", "--secret-file", "missing"]));
    assert!(said.contains("missing"), "{said}");
}

#[test]
fn a_refused_import_creates_no_database() {
    let shop = Shop::new();
    let files = || std::fs::read_dir(shop.folder()).unwrap().count();
    let wrong = json!([product(1), product_with(2, json!({"price": "free"}))]).to_string();
    for input in [wrong.as_str(), "[{}", "title,price", ""] {
        fails(shop.import(input, &[]));
        assert_eq!(files(), 0, "{input}");
    }
    let rows = json!([
        product(1),
        product_with(2, json!({"_id": "two"})),
        product(1)
    ]);
    assert_eq!(
        succeeds(shop.import(&rows.to_string(), &[])),
        "created ./deals.sqlite, a new shop\n\
         imported standard input into deals.sqlite: 2 added, 0 updated, 0 unchanged\n\
         1 row was replaced by a later one of the same product\n"
    );
    assert!(shop.db().exists());
    let said = succeeds(shop.import(&rows.to_string(), &[]));
    assert!(said.starts_with("imported standard input"), "{said}");
}

#[test]
fn wrong_values_exit_with_2() {
    let shop = Shop::with(&[product(1)]);
    for arguments in [
        &["serve", "--listen", "bad"][..],
        &["serve", "--listen", "127.0.0.1:99999"],
        &["serve", "--metrics-listen", "9100"],
        &["user", "promote", "nobody"],
        &["settings", "set", "nmae=x"],
        &["settings", "set", "source.Amazon=closed"],
        &["backup", "-", "--keep", "2"],
    ] {
        let said = misused(shop.run(arguments));
        assert!(said.lines().count() > 0, "{arguments:?}");
    }
    for (name, value, said) in [
        ("DEALS_LOG", "bogus", "bogus"),
        ("DEALS_SECRET", "short", "DEALS_SECRET"),
        ("DEALS_LISTEN", "nowhere", "nowhere"),
    ] {
        let mut serve = shop.command();
        serve
            .arg("serve")
            .env("DEALS_LISTEN", "127.0.0.1:0")
            .env(name, value);
        assert!(misused(serve.output().unwrap()).contains(said), "{name}");
    }
}
