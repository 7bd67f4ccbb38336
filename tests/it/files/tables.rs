//! Mappings, defaults, and refused rows.

use serde_json::json;

use super::{exported, import, imported, refused};
use crate::support::harness::{Shop, succeeds, text};

const ROW: &str = "Tea,Green tea of 100 g,499,https://shop.example/1,https://p.example/1.jpg";

fn table(header: &str, rows: &[&str], delimiter: &str) -> Vec<u8> {
    format!("{header}\n{}\n", rows.join("\n"))
        .replace(',', delimiter)
        .into_bytes()
}

#[test]
fn every_delimiter_is_recognized() {
    let options = ["--source", "Croma", "--category", "Home"];
    for delimiter in [",", ";", "\t", "|"] {
        let file = table("title,description,price,link,image", &[ROW, ""], delimiter);
        let found = imported("deals.txt", &file, &options);
        assert_eq!(found[0]["price"], 499, "{delimiter:?}");
        assert_eq!(found[0]["discount"], 0);
        assert_eq!(found[0]["source"], "Croma");
    }
    let declared = table("title,description,price,link,image", &[ROW], "^");
    let declared = [b"sep=^\r\n".as_slice(), &declared].concat();
    assert_eq!(imported("deals.csv", &declared, &options).len(), 1);
}

#[test]
fn unknown_categories_are_refused_or_mapped() {
    let header = "title,description,price,link,image,source,category";
    let file = table(header, &[&format!("{ROW},Croma,Toys")], ",");
    let error = refused("deals.csv", &file, &[]);
    assert!(
        error.contains("row 2: category: “Toys” is not one of your categories"),
        "{error}"
    );
    let found = imported("deals.csv", &file, &["--category", "Home"]);
    assert_eq!(found[0]["category"], "Home");

    let mapping = json!({"fields": {
        "title": {"columns": ["title"], "prefix": "Deal: "},
        "description": {"columns": ["description"]},
        "price": {"columns": ["price"]},
        "affiliateLink": {"columns": ["link"], "prefix": "https://go.example/?url="},
        "images": {"columns": ["image"]},
        "source": {"constant": "Croma"},
        "category": {"columns": ["category"], "table": {"toys": "Books"}},
    }});
    let shop = Shop::new();
    std::fs::write(shop.file("toys.json"), mapping.to_string()).unwrap();
    succeeds(import(
        &shop,
        "deals.csv",
        &file,
        &["--mapping", "toys.json"],
    ));
    let found = exported(&shop);
    assert_eq!(found[0]["category"], "Books");
    assert_eq!(found[0]["title"], "Deal: Tea");
    assert_eq!(
        found[0]["affiliateLink"],
        "https://go.example/?url=https://shop.example/1"
    );

    std::fs::write(shop.file("toys.json"), r#"{"fields": {"titel": {}}}"#).unwrap();
    let output = import(&shop, "deals.csv", &file, &["--mapping", "toys.json"]);
    assert!(text(&output.stderr).contains("the field titel, which products do not have"));

    std::fs::write(shop.file("toys.json"), " ".repeat(300_000)).unwrap();
    let output = import(&shop, "deals.csv", &file, &["--mapping", "toys.json"]);
    assert!(text(&output.stderr).contains("toys.json takes more than 256 kB"));
}

#[test]
fn refused_rows_are_written_with_their_reasons_and_can_be_corrected() {
    let header = "title,description,price,link,image,source,category";
    let rows = [
        format!("{ROW},Croma,Home"),
        "=Tea,Green tea of 100 g,$5,https://shop.example/2,https://p.example/1.jpg,Croma,Home"
            .to_owned(),
        "Tea,short,5,no link,https://p.example/1.jpg,Croma,Home".to_owned(),
    ];
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let shop = Shop::new();
    let file = table(header, &rows, ",");
    let options = ["--skip-invalid", "--refused", "refused.csv"];
    let output = import(&shop, "deals.csv", &file, &options);
    assert!(text(&output.stdout).contains("2 rows were skipped as invalid"));
    assert_eq!(exported(&shop).len(), 1);
    let kept = std::fs::read_to_string(shop.file("refused.csv")).unwrap();
    let lines: Vec<&str> = kept.trim_start_matches('\u{feff}').lines().collect();
    assert_eq!(lines[0], format!("{header},Refused because"));
    assert!(lines[1].starts_with("'=Tea,"), "{kept}");
    assert!(
        lines[1].ends_with("price: “$5” is in dollars: write prices in rupees."),
        "{kept}"
    );
    assert!(
        lines[2].contains("description: Description must be at least 10 characters."),
        "{kept}"
    );
    assert!(
        lines[2].contains("affiliateLink: Please enter a valid"),
        "{kept}"
    );
    assert_eq!(lines.len(), 3);

    let corrected = kept.replace("$5", "5").replace("short", "long enough now");
    let corrected = corrected.replace("no link", "https://shop.example/3");
    let said = succeeds(import(&shop, "corrected.csv", corrected.as_bytes(), &[]));
    assert!(said.contains("2 added"), "{said}");
}

#[test]
fn an_html_description_is_imported_as_text() {
    let csv = "Handle,Title,Body (HTML),Vendor,Product Category,Variant Price,Variant Compare At Price,Image Src,Status,Affiliate URL\n\
        tea,Tea,\"<p>Green&nbsp;tea</p><ul><li>100 g</li><li>A&amp;B</li></ul>\",Brand,Home & Garden > Kitchen,399.00,499.00,https://p.example/1.jpg,draft,https://shop.example/1\n\
        tea,,,,,,,https://p.example/2.jpg,,\n";
    let found = imported("shopify.csv", csv.as_bytes(), &["--source", "Croma"]);
    assert_eq!(found[0]["description"], "Green tea\n100 g\nA&B");
    assert_eq!(
        found[0]["images"],
        json!(["https://p.example/1.jpg", "https://p.example/2.jpg"])
    );
    assert_eq!(
        (&found[0]["price"], &found[0]["discount"]),
        (&json!(499), &json!(20.04))
    );
    assert_eq!(found[0]["category"], "Home");
    assert_eq!(found[0]["status"], "draft");
}
