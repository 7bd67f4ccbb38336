//! deals serve

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use crate::support::harness::{Server, Shop, piped, product, signal, text, wait_for_exit};

#[test]
fn start_up_prints_the_address_the_database_and_its_products() {
    let shop = Shop::with(&[product(1), product(2)]);
    let server = shop.serve_with(&["--db", "deals.sqlite"]);
    assert!(server.url("").starts_with("http://127.0.0.1:"));
    assert_eq!(
        server.wait_for_line("database"),
        "database deals.sqlite holds 2 products"
    );
}

#[test]
fn an_empty_database_gets_a_hint_how_to_fill_it() {
    let shop = Shop::new();
    let server = shop.serve();
    let line = server.wait_for_line("no products yet");
    assert!(line.contains("deals import"), "{line}");
    assert!(line.contains("--demo"), "{line}");
}

#[test]
fn demo_fills_an_empty_database_and_never_another() {
    let shop = Shop::new();
    {
        let server = shop.serve_with(&["--demo"]);
        server.wait_for_line("added 55 demo products");
        for category in ["Electronics", "Clothing", "Books", "Home"] {
            let answer = server.json(&format!("/product/get-products?category={category}"));
            assert_eq!(answer["meta"]["total"], 12);
        }
        for product in server.list("limit=100") {
            for image in product["images"].as_array().unwrap() {
                let response = server.get(image.as_str().unwrap());
                assert_eq!(response.status(), 200, "{image}");
                assert_eq!(response.headers()["content-type"], "image/svg+xml");
            }
        }
        let home = server.get("/").text().unwrap();
        for page in ["about", "contact", "privacy"] {
            assert!(home.contains(&format!("\"/pages/{page}\"")), "{page}");
            assert_eq!(server.get(&format!("/pages/{page}")).status(), 200);
        }
    }
    let server = shop.serve_with(&["--demo"]);
    server.wait_for_line("--demo added nothing");
    assert_eq!(server.json("/product/get-products")["meta"]["total"], 48);

    let shop = Shop::with(&[product(1)]);
    let server = shop.serve_with(&["--demo"]);
    server.wait_for_line("--demo added nothing");
    assert_eq!(server.titles(""), ["Product 1"]);
}

#[test]
fn sigterm_and_sigint_stop_the_server_without_a_wal_left() {
    for signal in ["TERM", "INT"] {
        let shop = Shop::with(&[product(1)]);
        let mut server = shop.serve();
        assert_eq!(server.get("/healthz").status(), 200);
        server.signal(signal);
        assert_eq!(server.wait_for_exit().code(), Some(0), "SIG{signal}");
        assert!(!shop.file("deals.sqlite-wal").exists(), "SIG{signal}");
    }
}

#[test]
fn a_server_with_a_closed_log_pipe_still_stops() {
    let shop = Shop::with(&[product(1)]);
    let mut child = piped(shop.command().args(["serve", "--listen", "127.0.0.1:0"]));
    let mut line = String::new();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    output.read_line(&mut line).unwrap();
    assert!(line.starts_with("listening on"), "{line}");
    drop(output);
    drop(child.stderr.take());
    signal(&child, "TERM");
    assert_eq!(wait_for_exit(&mut child).code(), Some(0));
}

#[test]
fn a_port_in_use_gives_one_clear_line() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let output = Shop::new().run(&["serve", "--listen", &address]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        text(&output.stderr),
        format!(
            "deals: cannot listen on {address}: another program is using this port. \
             Stop it, or choose another with --listen.\n"
        )
    );
}

#[test]
#[expect(clippy::print_stderr, reason = "it tells that the test is skipped")]
fn a_refused_privileged_port_names_the_systemd_service() {
    let first = std::fs::read_to_string("/proc/sys/net/ipv4/ip_unprivileged_port_start");
    if first.is_ok_and(|first| first.trim() != "1024") {
        eprintln!("skipped: this system lets every user listen on these ports");
        return;
    }
    let shop = Shop::new();
    let arguments = ["serve", "--listen", "127.0.0.1:443"];
    let output = if rustix::process::geteuid().is_root() {
        run_as_nobody(&shop, &arguments)
    } else {
        shop.run(&arguments)
    };
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        text(&output.stderr),
        "deals: cannot listen on 127.0.0.1:443: this user may not use the port. Run it as the \
         service that `deals systemd` prints, or as root, or choose a port from 1024 with --listen.\n"
    );
    assert!(!shop.db().exists());
}

#[test]
fn files_that_cannot_be_the_database_are_refused_unchanged() {
    let shop = Shop::new();
    std::fs::write(
        shop.file("text"),
        "not a database, but long enough to hold a header".repeat(9),
    )
    .unwrap();
    let foreign = rusqlite::Connection::open(shop.file("foreign.sqlite")).unwrap();
    foreign.execute_batch("CREATE TABLE t (x)").unwrap();
    drop(foreign);
    for (file, words) in [
        ("text", "is not a deals database"),
        ("foreign.sqlite", "is not a deals database"),
        ("missing/deals.sqlite", "there is no folder"),
        (".", "a folder"),
    ] {
        let before = std::fs::read(shop.file(file)).ok();
        let output = shop.run(&["serve", "--listen", "127.0.0.1:0", "--db", file]);
        assert_eq!(output.status.code(), Some(1), "{file}");
        let error = text(&output.stderr);
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(error.contains(words), "{error}");
        assert_eq!(std::fs::read(shop.file(file)).ok(), before, "{file}");
    }
}

#[test]
fn a_database_of_a_newer_version_is_refused_unchanged() {
    let shop = Shop::with(&[product(1)]);
    let connection = rusqlite::Connection::open(shop.db()).unwrap();
    connection.pragma_update(None, "user_version", 999).unwrap();
    connection.close().unwrap();
    let before = std::fs::read(shop.db()).unwrap();
    let output = shop.run(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(output.status.code(), Some(1));
    let error = text(&output.stderr);
    assert!(error.contains("schema 999"), "{error}");
    assert!(error.contains("newer version"), "{error}");
    assert_eq!(std::fs::read(shop.db()).unwrap(), before);
}

#[test]
fn an_unwritable_folder_gives_one_clear_line() {
    let shop = Shop::new();
    let folder = shop.file("locked");
    std::fs::create_dir(&folder).unwrap();
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o555)).unwrap();
    if std::fs::write(folder.join("probe"), "").is_ok() {
        // Permissions do not bind root, so the program runs as another user.
        std::fs::remove_file(folder.join("probe")).unwrap();
        assert_refused(&run_as_nobody(&shop, &IN_LOCKED_FOLDER));
        return;
    }
    assert_refused(&shop.run(&IN_LOCKED_FOLDER));
}

const IN_LOCKED_FOLDER: [&str; 5] = [
    "serve",
    "--listen",
    "127.0.0.1:0",
    "--db",
    "locked/x.sqlite",
];

/// Runs the program in the shop's folder without the rights of root.
fn run_as_nobody(shop: &Shop, arguments: &[&str]) -> std::process::Output {
    use std::os::unix::process::CommandExt;
    const NOBODY: u32 = 65_534;
    let open = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(shop.folder(), open).unwrap();
    // The build folder may be private, so the program is copied; by another process, because a file
    // that this one holds open for writing cannot be run.
    let program = shop.file("deals");
    let copied = std::process::Command::new("cp")
        .args([env!("CARGO_BIN_EXE_deals").as_ref(), program.as_os_str()])
        .status();
    assert!(copied.unwrap().success());
    let mut serve = std::process::Command::new(program);
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("DEALS_")) {
        serve.env_remove(name);
    }
    serve.args(arguments).current_dir(shop.folder());
    serve.uid(NOBODY).stdin(Stdio::null()).output().unwrap()
}

fn assert_refused(output: &std::process::Output) {
    assert_eq!(output.status.code(), Some(1));
    let error = text(&output.stderr);
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.contains("locked/x.sqlite"), "{error}");
    assert!(error.contains("not writable"), "{error}");
}

#[test]
fn settings_come_from_flags_then_variables_then_defaults() {
    let shop = Shop::with(&[product(1)]);
    let other = Shop::with(&[product(1), product(2)]);
    let serve = |flags: &[&str]| {
        let mut command = shop.command();
        command
            .args(["serve"])
            .args(flags)
            .env("DEALS_LISTEN", "127.0.0.1:notaport")
            .env("DEALS_DB", other.db());
        command.output().unwrap()
    };
    // The variable is read and refused.
    let error = text(&serve(&[]).stderr);
    assert!(error.contains("127.0.0.1:notaport"), "{error}");
    let used = |flags: &[&str]| {
        let mut command = shop.command();
        command
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(flags)
            .env("DEALS_DB", other.db())
            .env("DEALS_DEMO", "1");
        let server = Server::start(command);
        server.wait_for_line("--demo added nothing");
        server.json("/product/get-products")["meta"]["total"].clone()
    };
    assert_eq!(used(&[]), 2);
    assert_eq!(used(&["--db", "deals.sqlite"]), 1);
    // A flag overrides it.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = listener.local_addr().unwrap().to_string();
    let error = text(&serve(&["--listen", &taken]).stderr);
    assert!(error.contains(&taken), "{error}");
}

#[test]
fn an_unknown_log_level_is_refused() {
    let shop = Shop::new();
    let mut command = shop.command();
    command.args(["serve", "--listen", "127.0.0.1:0"]);
    let output = command.env("DEALS_LOG", "loud").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = text(&output.stderr);
    assert!(
        error.contains("DEALS_LOG") && error.contains("warn"),
        "{error}"
    );
}

#[test]
fn wrong_usage_exits_with_2() {
    let shop = Shop::new();
    for arguments in [
        &["serve", "--nope"][..],
        &["sell"],
        &[],
        &["import"],
        &["serve", "--public-url", "deals.example.com"],
        &["serve", "--public-url", "https://deals.example.com/shop"],
    ] {
        assert_eq!(shop.run(arguments).status.code(), Some(2), "{arguments:?}");
    }
    let help = text(&shop.run(&["serve", "--help"]).stdout);
    for word in [
        "--db",
        "--listen",
        "--public-url",
        "--demo",
        "DEALS_DB",
        "DEALS_LISTEN",
        "DEALS_LOG",
    ] {
        assert!(help.contains(word), "{word} is missing:\n{help}");
    }
    let help = text(&shop.run(&["import", "--help"]).stdout);
    for word in [
        "--dry-run",
        "--skip-invalid",
        "affiliateLink",
        "standard input",
    ] {
        assert!(help.contains(word), "{word} is missing:\n{help}");
    }
}
