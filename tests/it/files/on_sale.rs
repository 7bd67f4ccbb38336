//! Whether and when a product of a file is on sale: stock, visibility, dates and sale prices.

use serde_json::{Value, json};

use super::meaning::{assert_reads, read, read_file};

#[test]
fn stock_and_visibility_decide_whether_a_product_is_on_sale() {
    let (live, draft) = (json!("live"), json!("draft"));
    let says = |column: &str, words: &[&str], status: &Value| {
        let cases: Vec<(&str, Value)> = words.iter().map(|word| (*word, status.clone())).collect();
        assert_reads(column, ("price", "5"), "status", &cases);
    };
    let hidden = [
        "inactive",
        "disabled",
        "unpublished",
        "pending",
        "expired",
        "hidden",
        "off",
        "0",
        "trash",
        "Draft",
        "SOLD OUT",
        "Out-of-stock",
        "discontinued",
        "paused",
        "https://schema.org/OutOfStock",
    ];
    says("status", &hidden, &draft);
    let shown = [
        "enabled",
        "Active",
        "live",
        "",
        "N/A",
        "In stock",
        "published",
        "1",
        "preorder",
    ];
    says("status", &shown, &live);
    says("in_stock", &["0", "no", "FALSE", "false", "N"], &draft);
    says("in_stock", &["1", "yes", "TRUE", "12"], &live);
    says("stock", &["0", "-2", "0 left", "not available"], &draft);
    says("stock", &["5", "Only 3 left", "In Stock (4)"], &live);
    says(
        "Availability",
        &["Currently unavailable", "out of stock"],
        &draft,
    );
    says("visible", &["no", "off"], &draft);
    says("published", &["false", "-1"], &draft);
    says("sold out", &["yes", "1", "TRUE"], &draft);
    says("sold out", &["no", "0"], &live);
    says("is_hidden", &["true"], &draft);
    says(
        "status",
        &["blue"],
        &json!("“blue” does not say whether it is on sale"),
    );
    // One column is enough.
    let (products, _) = read("price,status,in_stock", &["5,active,0", "5,active,1"], &[]);
    let found: Vec<&Value> = products.iter().flatten().map(|it| &it["status"]).collect();
    assert_eq!(found, [&draft, &live]);
}

#[test]
fn dates_are_read_as_people_and_spreadsheets_write_them() {
    let end = json!("2026-12-31T18:29:59.000Z");
    let none = Value::Null;
    let last = json!("2026-12-31T18:29:00.000Z");
    let cases = [
        ("31-Dec-26", end.clone()),
        ("31/12/26", end.clone()),
        ("31.12.26", end.clone()),
        ("Dec 31, 2026", end.clone()),
        ("31st December 2026", end.clone()),
        ("31 December, 2026", end.clone()),
        ("Thu Dec 31 2026", end.clone()),
        ("46387", end.clone()),
        ("2026-12-31 23:59:59 IST", end.clone()),
        ("2026-12-31T00:00:00", end.clone()),
        ("31 Dec 2026 11:59 PM", last.clone()),
        ("31-12-2026 23:59", last),
        ("0000-00-00", none.clone()),
        ("-", none.clone()),
        ("N/A", none.clone()),
        ("Ongoing", none.clone()),
        ("Till stock lasts", none.clone()),
        ("no expiry", none),
        ("31/02/2026", json!("is not a date")),
        ("31 Dec", json!("is not a date")),
        ("next week", json!("is not a date")),
    ];
    assert_reads("valid till", ("price", "5"), "endsAt", &cases);
}

#[test]
fn a_date_column_has_one_order_of_day_and_month() {
    let (products, said) = read("price,ends at", &["5,05/06/2030", "5,05/25/2030"], &[]);
    let ends: Vec<&Value> = products.iter().flatten().map(|it| &it["endsAt"]).collect();
    assert_eq!(
        ends,
        ["2030-05-06T18:29:59.000Z", "2030-05-25T18:29:59.000Z"]
    );
    assert!(said.contains("dates have the month first"), "{said}");

    let (products, _) = read("price,starts at,ends at", &["5,05/06/2030,25/06/2030"], &[]);
    assert_eq!(
        products[0].as_ref().unwrap()["startsAt"],
        "2030-06-04T18:30:00.000Z"
    );

    let (products, said) = read("price,ends at", &["5,05/06/2030"], &[]);
    assert_eq!(products, [None]);
    assert!(
        said.contains("“05/06/2030” may have the day or the month first: say which with --dates"),
        "{said}"
    );
    for (order, end) in [("dmy", "2030-06-05"), ("mdy", "2030-05-06")] {
        let (products, _) = read("price,ends at", &["5,05/06/2030"], &["--dates", order]);
        assert_eq!(
            products[0].as_ref().unwrap()["endsAt"],
            format!("{end}T18:29:59.000Z")
        );
    }
    let (products, said) = read("price,ends at", &["5,25/06/2030", "5,06/25/2030"], &[]);
    assert!(products[0].is_some() && products[1].is_none(), "{said}");
}

#[test]
fn a_sale_price_applies_only_within_its_dates() {
    let feed = |dates: &str| {
        format!(
            "<rss xmlns:g='http://base.google.com/ns/1.0'><channel><item><g:id>1</g:id><title>Thing 0</title>\
             <description>A thing to keep tea in.</description><link>https://tea.example/1</link>\
             <g:image_link>https://p.example/1.jpg</g:image_link><g:price>2999 INR</g:price>\
             <g:sale_price>1999 INR</g:sale_price><g:product_type>Home</g:product_type>\
             <g:sale_price_effective_date>{dates}</g:sale_price_effective_date></item></channel></rss>"
        )
    };
    let off = json!(33.34);
    for (dates, discount) in [
        ("2020-08-01T00:00+05:30/2020-08-15T23:59+05:30", json!(0)),
        ("2120-01-01T00:00+05:30/2120-01-31T23:59+05:30", json!(0)),
        ("2020-11-01T13:00-0800/2120-12-31T15:30-0800", off.clone()),
    ] {
        let (products, said) = read_file(
            "feed.xml",
            feed(dates).as_bytes(),
            1,
            &["--source", "Tea shop"],
        );
        let product = products[0].as_ref().unwrap();
        assert_eq!(product["discount"], discount, "{dates}");
        assert_eq!(
            (&product["status"], product.get("endsAt")),
            (&json!("live"), None)
        );
        let changes = dates.contains("2120");
        assert_eq!(
            said.contains("Sale prices begin or end, the next on"),
            changes,
            "{said}"
        );
    }
    for (columns, row, discount) in [
        ("sale starts,sale ends", "2020-01-01,2020-02-01", json!(0)),
        (
            "Date sale price starts,Date sale price ends",
            "2120-01-01,",
            json!(0),
        ),
        (
            "sale start date,sale end date",
            "01/01/2020,31/12/2099",
            off.clone(),
        ),
        ("special_price_from_date,special_price_to_date", ",", off),
    ] {
        let columns = format!("mrp,sale price,{columns}");
        let (products, said) = read(&columns, &[&format!("2999,1999,{row}")], &[]);
        let product = products[0].as_ref().unwrap();
        assert_eq!(product["discount"], discount, "{columns}: {said}");
        assert_eq!(product.get("endsAt"), None);
    }
}
