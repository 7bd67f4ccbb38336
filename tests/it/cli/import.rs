//! deals import

use std::io::Write;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::support::harness::{Shop, pause, piped, product, product_with, text, wait_until};

fn array(products: &[Value]) -> String {
    json!(products).to_string()
}

fn products(shop: &Shop) -> Vec<Value> {
    shop.serve().list("limit=100&sortBy=price&order=asc")
}

#[test]
fn json_arrays_and_lines_are_imported() {
    let rows = [product(1), product(2), product(3)];
    let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
    let pretty = serde_json::to_string_pretty(&rows).unwrap();
    for input in [
        array(&rows),
        lines.clone(),
        lines.replace('\n', "\r\n\r\n"),
        format!("\u{feff}{pretty}"),
        format!(" \n\t {pretty}\n\n"),
    ] {
        let shop = Shop::new();
        let output = shop.import(&input, &[]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert_eq!(
            text(&output.stdout),
            "created ./deals.sqlite, a new shop\n\
             imported standard input into deals.sqlite: 3 added, 0 updated, 0 unchanged\n"
        );
        assert_eq!(products(&shop).len(), 3);
    }
}

#[test]
fn a_file_is_imported_by_its_name() {
    let shop = Shop::new();
    std::fs::write(shop.file("products.json"), array(&[product(1)])).unwrap();
    let output = shop.run(&["import", "products.json", "--db", "other.sqlite"]);
    assert_eq!(
        text(&output.stdout),
        "created ./other.sqlite, a new shop\n\
         imported products.json into other.sqlite: 1 added, 0 updated, 0 unchanged\n"
    );
    assert!(shop.file("other.sqlite").exists());
}

#[test]
fn importing_twice_changes_nothing() {
    let shop = Shop::with(&[product(1), product(2)]);
    let before = products(&shop);
    let output = shop.import(&array(&[product(1), product(2)]), &[]);
    assert!(text(&output.stdout).contains("0 added, 0 updated, 2 unchanged"));
    assert_eq!(products(&shop), before);
}

#[test]
fn a_known_link_updates_its_product_and_keeps_its_clicks() {
    let shop = Shop::with(&[product_with(1, json!({"_id": "one"})), product(2)]);
    {
        let server = shop.serve();
        server.post("/product/increament-views/one");
    }
    let changed = product_with(1, json!({"title": "New title", "price": 5, "clicks": 99}));
    let output = shop.import(&array(&[changed, product(3)]), &[]);
    assert!(text(&output.stdout).contains("1 added, 1 updated, 0 unchanged"));
    let server = shop.serve();
    let product = server.json("/product/product/one")["product"].clone();
    assert_eq!(product["title"], "New title");
    assert_eq!(product["finalPrice"], 4.5);
    assert_eq!(product["clicks"], 1);
    assert_ne!(product["updatedAt"], product["createdAt"]);
    assert_eq!(server.json("/product/get-products")["meta"]["total"], 3);
}

#[test]
fn the_same_link_of_another_source_is_another_product() {
    let shop = Shop::with(&[product(1), product_with(1, json!({"source": "Flipkart"}))]);
    assert_eq!(products(&shop).len(), 2);
}

#[test]
fn the_last_of_several_rows_with_one_link_is_imported() {
    let rows = array(&[
        product_with(1, json!({"title": "First"})),
        product(2),
        product_with(1, json!({"title": "Last"})),
    ]);
    let shop = Shop::new();
    let output = shop.import(&rows, &[]);
    let said = text(&output.stdout);
    assert!(said.contains("2 added, 0 updated, 0 unchanged"), "{said}");
    assert!(said.contains("1 row was replaced by a later one"), "{said}");
    let before = products(&shop);
    assert_eq!(before[0]["title"], "Last");
    let said = text(&shop.import(&rows, &[]).stdout);
    assert!(said.contains("0 added, 0 updated, 2 unchanged"), "{said}");
    assert_eq!(products(&shop), before);
}

#[test]
fn ids_clicks_and_times_of_an_export_are_restored() {
    let exported = product_with(
        1,
        json!({
            "_id": "kept-id",
            "clicks": 12,
            "createdAt": "2025-01-02T03:04:05.678Z",
            "updatedAt": "2025-06-02T03:04:05.678Z",
            "finalPrice": 90.9,
        }),
    );
    // Products with ids of their own may share a link.
    let twin = product_with(1, json!({"_id": "twin", "title": "Twin"}));
    let rows = array(&[exported, twin]);
    let shop = Shop::new();
    assert!(shop.import(&rows, &[]).status.success());
    let server = shop.serve();
    let product = server.json("/product/product/kept-id")["product"].clone();
    assert_eq!(product["clicks"], 12);
    assert_eq!(product["createdAt"], "2025-01-02T03:04:05.678Z");
    assert_eq!(product["updatedAt"], "2025-06-02T03:04:05.678Z");
    assert_eq!(product["finalPrice"], 90.9);
    assert_eq!(
        server.json("/product/product/twin")["product"]["title"],
        "Twin"
    );
    let said = text(&shop.import(&rows, &[]).stdout);
    assert!(said.contains("0 added, 0 updated, 2 unchanged"), "{said}");
}

#[test]
fn an_export_of_another_shop_updates_products_by_link() {
    let shop = Shop::with(&[product_with(1, json!({"_id": "ours"}))]);
    let theirs = array(&[
        product_with(1, json!({"_id": "theirs", "title": "Theirs"})),
        product_with(1, json!({"_id": "theirs-too", "title": "Theirs too"})),
        product_with(1, json!({"title": "Nobody's"})),
    ]);
    let said = text(&shop.import(&theirs, &[]).stdout);
    assert!(said.contains("2 added, 1 updated, 0 unchanged"), "{said}");
    let before = products(&shop);
    let said = text(&shop.import(&theirs, &[]).stdout);
    assert!(said.contains("0 added, 0 updated, 3 unchanged"), "{said}");
    assert_eq!(products(&shop), before);
}

#[test]
fn nested_ratings_are_read_and_unknown_fields_ignored() {
    let mut nested = product(1);
    let fields = nested.as_object_mut().unwrap();
    fields.remove("averageRating");
    fields.remove("totalRatings");
    fields.insert(
        "ratings".into(),
        json!({"averageRating": 3.25, "totalRatings": 8}),
    );
    fields.insert("brand".into(), json!({"deep": [[[]]]}));
    let shop = Shop::with(&[nested]);
    assert_eq!(
        products(&shop)[0]["ratings"],
        json!({"averageRating": 3.25, "totalRatings": 8})
    );
}

#[test]
fn an_import_with_invalid_rows_writes_nothing() {
    let shop = Shop::with(&[product(1)]);
    let before = products(&shop);
    let rows = [
        product(2),
        product_with(3, json!({"affiliateLink": "javascript:alert(1)"})),
        json!("no product"),
        product_with(4, json!({"title": "x", "price": 1.999})),
    ];
    let output = shop.import(&array(&rows), &[]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        text(&output.stderr),
        "row 2: affiliateLink: Please enter a valid affiliate link URL.\n\
         row 3: product: A product must be a JSON object.\n\
         row 4: title: Title must be at least 2 characters.\n\
         row 4: price: Price must have at most 2 decimals.\n\
         deals: standard input has 3 invalid rows, so nothing was imported. \
         Correct them, or import the other 1 with --skip-invalid.\n"
    );
    assert_eq!(text(&output.stdout), "");
    assert_eq!(products(&shop), before);
}

#[test]
fn skip_invalid_imports_the_valid_rows() {
    let bad = (0..25).map(|n| product_with(n, json!({"source": " "})));
    let rows: Vec<Value> = bad.chain([product(100), product(101)]).collect();
    let shop = Shop::new();
    let output = shop.import(&array(&rows), &["--skip-invalid"]);
    assert_eq!(output.status.code(), Some(0));
    let errors = text(&output.stderr);
    assert_eq!(errors.lines().count(), 21);
    assert!(errors.starts_with("row 1: source: Please enter a source\n"));
    assert!(errors.ends_with("… and 5 more problems\n"), "{errors}");
    assert_eq!(
        text(&output.stdout),
        "created ./deals.sqlite, a new shop\n\
         imported standard input into deals.sqlite: 2 added, 0 updated, 0 unchanged\n\
         25 rows were skipped as invalid\n"
    );
    assert_eq!(products(&shop).len(), 2);
}

#[test]
fn a_dry_run_of_an_import_writes_nothing() {
    let shop = Shop::with(&[product(1)]);
    let before = products(&shop);
    let rows = array(&[product_with(1, json!({"title": "Changed"})), product(2)]);
    let output = shop.import(&rows, &["--dry-run"]);
    assert_eq!(
        text(&output.stdout),
        "dry run of standard input, nothing was written: 1 added, 1 updated, 0 unchanged\n"
    );
    assert_eq!(products(&shop), before);

    let shop = Shop::new();
    assert!(shop.import(&rows, &["--dry-run"]).status.success());
    assert!(!shop.db().exists());
}

#[test]
fn invalid_json_is_reported_with_line_and_column() {
    for (input, words) in [
        ("", "it is empty"),
        (" \n ", "it is empty"),
        ("[{\"title\": \"a\"},\n {\"title\": }]", "line 2 column 12"),
        ("\n\n[1, 2", "line 3 column 5"),
        ("{\"title\": \"a\"}\nnot json", "line 2 column"),
        ("[] []", "line 1 column 4"),
        ("<html>", "it is a web page"),
    ] {
        let shop = Shop::with(&[product(1)]);
        let output = shop.import(input, &["--skip-invalid"]);
        assert_eq!(output.status.code(), Some(1), "{input:?}");
        let error = text(&output.stderr);
        let last = error.lines().last().unwrap();
        assert!(last.starts_with("deals: standard input: it is"), "{last}");
        assert!(last.contains(words), "{last}");
        assert!(last.ends_with("Nothing was imported."), "{last}");
        assert_eq!(products(&shop).len(), 1);
    }
}

#[test]
fn deeply_nested_json_and_repeated_keys_are_errors() {
    let shop = Shop::new();
    let deep = format!("[{{\"title\": {}{}}}]", "[".repeat(5000), "]".repeat(5000));
    let output = shop.import(&deep, &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("recursion limit"));

    let mut twice = product(1).to_string();
    twice.insert_str(1, "\"title\": \"Other\",");
    let output = shop.import(&twice, &[]);
    assert!(text(&output.stderr).contains("row 1: title: title is given more than once."));

    for ratings in [
        r#""ratings": {"averageRating": 1}, "ratings": {},"#,
        r#""ratings": {"totalRatings": 1, "totalRatings": 2},"#,
        r#""ratings": {"averageRating": 1},"#,
    ] {
        let mut twice = product(1).to_string();
        twice.insert_str(1, ratings);
        let output = shop.import(&twice, &[]);
        let error = text(&output.stderr);
        assert!(
            error.contains("is given more than once."),
            "{ratings}: {error}"
        );
    }
}

#[test]
fn unreadable_import_files_give_a_one_line_error() {
    let shop = Shop::new();
    for (file, words) in [("nowhere.json", "No such file"), (".", "it is a folder")] {
        let output = shop.run(&["import", file]);
        assert_eq!(output.status.code(), Some(1));
        let error = text(&output.stderr);
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(
            error.starts_with(&format!("deals: cannot read {file}: ")),
            "{error}"
        );
        assert!(error.contains(words), "{error}");
        assert!(!shop.db().exists());
    }
}

#[test]
fn a_running_server_shows_an_import_at_once() {
    let shop = Shop::with(&[product(1)]);
    let server = shop.serve();
    assert_eq!(server.json("/product/get-products")["meta"]["total"], 1);
    assert!(shop.import(&array(&[product(2)]), &[]).status.success());
    assert_eq!(server.json("/product/get-products")["meta"]["total"], 2);
    // The server can still write.
    let id = server.list("")[0]["_id"].as_str().unwrap().to_owned();
    let response = server.post(&format!("/product/increament-views/{id}"));
    assert_eq!(response.status(), 200);
}

/// Kills an import at a WAL size in kilobytes; returns whether nothing was imported.
fn kill_at(kilobytes: u64, rows: &str) -> bool {
    let count = rows.lines().count();
    let shop = Shop::with(&[product(1)]);
    std::fs::write(shop.file("rows.ndjson"), rows).unwrap();
    let mut child = shop
        .command()
        .args(["import", "rows.ndjson"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let log = shop.file("deals.sqlite-wal");
    let grown = || std::fs::metadata(&log).is_ok_and(|log| log.len() > kilobytes * 1_024);
    while !grown() && child.try_wait().unwrap().is_none() {
        pause();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let found = shop.serve().json("/product/get-products")["meta"]["total"].clone();
    assert!(found == 1 || found == count + 1, "{found}");
    let connection = rusqlite::Connection::open(shop.db()).unwrap();
    let sound: String = connection
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .unwrap();
    assert_eq!(sound, "ok");
    let again = shop.run(&["import", "rows.ndjson"]);
    assert!(again.status.success());
    let total = shop.serve().json("/product/get-products")["meta"]["total"].clone();
    assert_eq!(total, count + 1);
    found == 1
}

#[test]
fn an_import_that_is_killed_while_it_writes_is_all_or_nothing() {
    let rows: String = (2..3_002).map(|n| format!("{}\n", product(n))).collect();
    // The WAL grows while the import writes; each round kills it later.
    let mut in_time = 0;
    for kilobytes in [1, 200, 800, 2_000, 5_000] {
        in_time += usize::from(kill_at(kilobytes, &rows));
    }
    // On a busy machine every kill may come too late.
    wait_until("no import was killed in time", || {
        in_time > 0 || kill_at(1, &rows)
    });
}

#[test]
fn many_imports_into_one_new_file_all_succeed() {
    let shop = Shop::new();
    std::thread::scope(|scope| {
        let imports: Vec<_> = (0..6)
            .map(|n| {
                let shop = &shop;
                scope.spawn(move || shop.import(&array(&[product(n)]), &[]))
            })
            .collect();
        for import in imports {
            let output = import.join().unwrap();
            assert!(output.status.success(), "{}", text(&output.stderr));
        }
    });
    assert_eq!(products(&shop).len(), 6);
}

#[test]
fn an_import_succeeds_when_its_output_pipe_is_closed() {
    let shop = Shop::new();
    let mut child = piped(shop.command().args(["import", "-"]).stdin(Stdio::piped()));
    drop(child.stdout.take());
    drop(child.stderr.take());
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "{}", product(1)).unwrap();
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(products(&shop).len(), 1);
}

#[test]
fn an_import_that_is_killed_leaves_the_database_as_it_was() {
    let shop = Shop::with(&[product(1)]);
    let before = products(&shop);
    let mut child = shop
        .command()
        .args(["import", "-"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    // More than the pipe and all buffers take: after the last write the program has read rows and
    // waits for more.
    for n in 2..3_000 {
        writeln!(input, "{}", product(n)).unwrap();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(products(&shop), before);
}
