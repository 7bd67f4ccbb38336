//! Faults of files: each is named in a sentence, and nothing is imported.

use rust_xlsxwriter::{Format, Workbook};
use serde_json::json;

use super::writers::{merchant, products, semicolons, shopify, woocommerce, xlsx};
use super::{import, imported, refused};
use crate::support::harness::{Shop, fails, product, succeeds, text};

const HEADER: &str = "title,description,price,discount,category,source,link,image,ends at";

fn row(price: &str, end: &str) -> String {
    format!(
        "Tea,Green tea of 100 g,\"{price}\",10,Home,Amazon,https://shop.example/1,https://p.example/1.jpg,{end}"
    )
}

fn csv(rows: &[String]) -> Vec<u8> {
    format!("{HEADER}\n{}\n", rows.join("\n")).into_bytes()
}

#[test]
fn invalid_prices_and_dates_are_refused_with_row_and_reason() {
    for (price, end, message) in [
        ("0", "", "row 2: price: Price must be a positive number."),
        (
            "$12.99",
            "",
            "row 2: price: “$12.99” is in dollars: write prices in rupees.",
        ),
        (
            "12.99 USD",
            "",
            "row 2: price: “12.99 USD” is in US dollars",
        ),
        ("1.299", "", "row 2: price: “1.299” may be 1.299 or 1,299"),
        ("tea", "", "row 2: price: “tea” is not a number."),
        ("", "", "row 2: price: Price is required"),
        (
            "499",
            "31/02/2026",
            "row 2: endsAt: “31/02/2026” is not a date: write it like 31/12/2026",
        ),
    ] {
        let error = refused("deals.csv", &csv(&[row(price, end)]), &[]);
        assert!(error.contains(message), "{error}");
    }
    let found = imported(
        "deals.csv",
        &csv(&[row("Rs. 1,29,900/-", "31/12/2030")]),
        &[],
    );
    assert_eq!(found[0]["price"], 129_900);
    assert_eq!(found[0]["endsAt"], "2030-12-31T18:29:59.000Z");
}

#[test]
fn a_second_header_row_is_refused() {
    let second = "Name,Text,in ₹,in %,Kind,Shop,Address,Picture,".to_owned();
    let error = refused("deals.csv", &csv(&[second, row("499", "")]), &[]);
    assert!(
        error.contains("row 2: The row looks like a second header"),
        "{error}"
    );
    let repeated = csv(&[row("499", ""), HEADER.to_owned()]);
    let error = refused("deals.csv", &repeated, &[]);
    assert!(
        error.contains("row 3: The row repeats the header: delete it."),
        "{error}"
    );
}

#[test]
fn missing_and_too_many_columns_are_refused() {
    let file = "name,url\nTea,https://shop.example/1\n";
    let error = refused("deals.csv", file.as_bytes(), &["--source", "Amazon"]);
    let message = "no column was found for the description, the price, the category (or give \
                   --category), the picture. Its first row names name, url.";
    assert!(error.contains(message), "{error}");
    let wide = (0..10_000).map(|at| format!("c{at}")).collect::<Vec<_>>();
    let wide = format!("{}\n{}\n", wide.join(","), wide.join(","));
    let error = refused("wide.csv", wide.as_bytes(), &[]);
    assert!(
        error.contains("it has 10,000 columns, and at most 1,000 are read"),
        "{error}"
    );
    let twice = "title,title,description,price,category,source,link,image\n";
    let error = refused(
        "twice.csv",
        format!("{twice}a,b,c,1,Home,x,y,z\n").as_bytes(),
        &[],
    );
    assert!(
        error.contains("two of its columns are called title"),
        "{error}"
    );
    let error = refused("empty.csv", format!("{HEADER}\n").as_bytes(), &[]);
    assert!(
        error.contains("it has no products: its first row names the columns"),
        "{error}"
    );
    let error = refused("one.csv", b"just a text\nwithout columns\n", &[]);
    assert!(
        error.contains("it is not JSON, XML, Excel or a table"),
        "{error}"
    );
}

#[test]
fn a_title_above_the_names_of_the_columns_is_skipped() {
    let shop = Shop::new();
    let rows = "A lamp,100,Home\n".repeat(9);
    let file = format!("My deals,,\ntitle,price,category\n{rows}");
    std::fs::write(shop.file("deals.csv"), file).unwrap();
    let said = fails(shop.run(&["import", "deals.csv"]));
    assert!(
        said.contains("Its first row names title, price, category. Rename columns"),
        "{said}"
    );
}

#[test]
fn a_file_that_is_cut_off_is_refused_in_every_format() {
    let products = [product(1), product(2), product(3)];
    for (name, bytes) in [
        ("deals.csv", semicolons(&products)),
        ("deals.xlsx", xlsx(&products)),
        ("feed.xml", merchant(&products)),
        ("shopify.csv", shopify(&products)),
        ("woocommerce.csv", woocommerce(&products)),
        ("own.json", serde_json::to_vec(&products).unwrap()),
        (
            "feed.json",
            json!({"data": {"items": [{"name": "x", "url": "https://a.example"}]}})
                .to_string()
                .into_bytes(),
        ),
    ] {
        // Not within the last value of a row.
        let half = match name {
            "shopify.csv" => bytes.len() / 2 - 60,
            _ => bytes.len() / 2,
        };
        let half = &bytes[..half];
        let error = refused(name, half, &["--source", "Amazon", "--category", "Home"]);
        let says = ["cut off", "ends in the middle", "the header", "is required"];
        assert!(
            says.iter().any(|part| error.contains(part)),
            "{name}: {error}"
        );
    }
    // A cut in the last value cannot be distinguished from a missing line break.
    let csv = csv(&[row("499", "31/12/2030")]);
    let shop = Shop::new();
    let output = import(&shop, "deals.csv", &csv[..csv.len() - 1], &[]);
    assert!(output.status.success());
    let note = text(&output.stderr);
    assert!(
        note.contains("Its last row has no line break at its end. If the file is cut off"),
        "{note}"
    );
    let open = format!("{HEADER}\n{}\n\"Tea,Green", row("499", ""));
    let error = refused("open.csv", open.as_bytes(), &[]);
    assert!(
        error.contains("a quote that opens in row 3 is not closed"),
        "{error}"
    );
}

#[test]
fn the_wrong_encoding_is_recognized_or_refused() {
    let products = products();
    let utf_8 = semicolons(&products[products.len() - 3..]);
    let expected = imported("deals.csv", &utf_8, &[]);
    let utf_8 = String::from_utf8(utf_8).unwrap();
    let little: Vec<u8> = utf_8.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = utf_8.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for bytes in [&little, &big] {
        assert_eq!(imported("deals.csv", bytes, &[]), expected);
    }
    let latin = csv(&[row("499", "").replace("Green tea", "Caf\u{0}")]);
    let latin: Vec<u8> = latin
        .into_iter()
        .map(|byte| if byte == 0 { 0xe9 } else { byte })
        .collect();
    assert_eq!(
        imported("deals.csv", &latin, &[])[0]["description"],
        "Café of 100 g"
    );
    let mixed = [
        &csv(&[row("499", "").replace("Tea", "टी")])[..],
        b"Caf\xe9,",
    ]
    .concat();
    let error = refused("deals.csv", &mixed, &[]);
    assert!(
        error.contains("line 3 is not UTF-8, although lines before it are"),
        "{error}"
    );
}

#[test]
fn xml_with_a_doctype_or_unknown_entities_is_refused() {
    let feed = |head: &str, title: &str| {
        format!(
            "<?xml version='1.0'?>{head}<rss><channel><item><title>{title}</title></item></channel></rss>"
        )
    };
    let bomb = "<!DOCTYPE rss [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;'>]>";
    for (xml, message) in [
        (
            feed(bomb, "&b;"),
            "it has a DOCTYPE, whose entities are not read: remove it",
        ),
        (
            feed("", "&b;"),
            "it uses the entity &b;, which XML does not know",
        ),
        (feed("", "a</b>"), "its XML is wrong in product 1"),
        ("<a><b/></a>".to_owned(), "it is XML without products"),
        (
            "<!doctype html><html></html>".to_owned(),
            "it is a web page",
        ),
        (format!("<a>{}", "<b>".repeat(50)), "nested too deeply"),
    ] {
        let error = refused("feed.xml", xml.as_bytes(), &[]);
        assert!(error.contains(message), "{message}: {error}");
    }
}

#[test]
fn merged_cells_and_formula_errors_are_refused() {
    let sheet = |change: &dyn Fn(&mut rust_xlsxwriter::Worksheet)| {
        let mut book = Workbook::new();
        let sheet = book.add_worksheet();
        for (at, name) in HEADER.split(',').enumerate() {
            sheet.write(0, at as u16, name).unwrap();
        }
        let row = row("499", "");
        for (at, cell) in row.split(',').enumerate() {
            sheet.write(1, at as u16, cell.trim_matches('"')).unwrap();
        }
        change(sheet);
        book.save_to_buffer().unwrap()
    };
    let merged = sheet(&|sheet| {
        let format = Format::new();
        sheet.merge_range(1, 4, 2, 4, "Home", &format).unwrap();
    });
    let error = refused("merged.xlsx", &merged, &[]);
    assert!(
        error.contains("the cells E2:E3 are merged: separate them"),
        "{error}"
    );
    let formula = |result: &'static str| {
        sheet(&move |sheet| {
            let formula = rust_xlsxwriter::Formula::new("=998/2").set_result(result);
            sheet.write_formula(1, 2, formula).unwrap();
        })
    };
    assert_eq!(
        imported("formula.xlsx", &formula("499"), &[])[0]["price"],
        499
    );
    let error = refused("formula.xlsx", &formula("#DIV/0!"), &[]);
    assert!(
        error.contains("row 2: A formula gives #DIV/0!: correct it"),
        "{error}"
    );
    let beside = sheet(&|sheet| {
        sheet.write(1, 11, "a note").unwrap();
    });
    let error = refused("beside.xlsx", &beside, &[]);
    assert!(
        error.contains("a value in column L, which has no name"),
        "{error}"
    );
    let old = refused("old.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", &[]);
    assert!(old.contains("an old Excel file (.xls)"), "{old}");
}

#[test]
fn duplicate_rows_of_a_product_are_imported_once() {
    let rows = [row("499", ""), row("399", "")];
    let shop = Shop::new();
    let said = succeeds(import(&shop, "deals.csv", &csv(&rows), &[]));
    assert!(said.contains("1 added"), "{said}");
    assert!(
        said.contains("1 row was replaced by a later one of the same product"),
        "{said}"
    );
    assert_eq!(super::exported(&shop)[0]["price"], 399);
}

#[test]
fn a_file_that_does_not_match_its_format_is_refused() {
    let csv = csv(&[row("499", "")]);
    let own = serde_json::to_vec(&[product(1)]).unwrap();
    for (bytes, format, message) in [
        (&csv, "xlsx", "it is not an Excel sheet"),
        (&csv, "json", "it is not JSON"),
        (&own, "csv", "it is JSON: choose the format json or auto"),
    ] {
        let error = refused("deals", bytes, &["--format", format]);
        assert!(error.contains(message), "{error}");
    }
    let shop = Shop::new();
    let output = import(&shop, "deals.csv", &csv, &["--format", "ods"]);
    assert!(text(&output.stderr).contains("there is no format ods: choose auto, deals, csv"));
}
