//! Values of files: money, ratings and ids.

use serde_json::{Value, json};

use super::{exported, import};
use crate::support::harness::{Shop, text};

pub(super) const BASE: &str = "title,description,category,source,image";

/// Reads a file as far as it is valid, with these columns besides those that every product needs.
/// Returns the products by their rows, and all that was said.
pub(super) fn read(columns: &str, rows: &[&str], options: &[&str]) -> (Vec<Option<Value>>, String) {
    let lines = rows.iter().enumerate().map(|(at, cells)| {
        format!("Thing {at},A thing to keep tea in.,Home,Tea shop,https://p.example/1.jpg,https://tea.example/{at},{cells}\n")
    });
    let file = format!("{BASE},link,{columns}\n{}", lines.collect::<String>());
    read_file("deals.csv", file.as_bytes(), rows.len(), options)
}

pub(super) fn read_file(
    name: &str,
    file: &[u8],
    rows: usize,
    options: &[&str],
) -> (Vec<Option<Value>>, String) {
    let shop = Shop::new();
    let output = import(&shop, name, file, &[&["--skip-invalid"], options].concat());
    let said = format!("{}{}", text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{said}");
    let found = exported(&shop);
    let of = |at: usize| {
        let title = format!("Thing {at}");
        found.iter().find(|it| it["title"] == title).cloned()
    };
    ((0..rows).map(of).collect(), said)
}

/// Reads one cell per row in a column, and compares a field of each product; of a refused row, what
/// is said of it.
pub(super) fn assert_reads(column: &str, more: (&str, &str), field: &str, cases: &[(&str, Value)]) {
    let rows: Vec<String> = cases
        .iter()
        .map(|(cell, _)| format!("\"{cell}\",{}", more.1))
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let (products, said) = read(&format!("{column},{}", more.0), &rows, &[]);
    for (at, ((cell, expected), product)) in cases.iter().zip(products).enumerate() {
        match product {
            Some(product) => {
                let value = product.get(field).unwrap_or(&Value::Null);
                assert_eq!(value, expected, "{column}: {cell}\n{said}");
            }
            None => {
                let of_row = format!("row {}: ", at + 2);
                let reason = said.lines().find(|line| line.starts_with(&of_row));
                let expected = expected.as_str().unwrap_or("a product");
                let reason = reason.unwrap_or_default();
                assert!(
                    reason.contains(expected),
                    "{column}: {cell}: {reason}\n{said}"
                );
            }
        }
    }
}

#[test]
fn rupees_are_read_in_all_spellings() {
    let cases = [
        ("₹1,29,900.00", json!(129_900)),
        ("₨ 500", json!(500)),
        ("Rs.500", json!(500)),
        ("500/- only", json!(500)),
        ("INR500", json!(500)),
        ("500 rupees", json!(500)),
        ("₹1.3L", json!(130_000)),
        ("1.3 lakh", json!(130_000)),
        ("2k", json!(2_000)),
        ("1 cr", json!(10_000_000)),
        ("₹१,२९९", json!(1_299)),
        ("১,২৯৯ টাকা", json!("has “টাকা” beside the number")),
        ("₹\u{202f}1\u{a0}299", json!(1_299)),
        ("MRP: Rs 1,299/-", json!(1_299)),
        ("రూ 450", json!(450)),
        ("354990 KZT", json!("is in Kazakh tenge")),
        ("7900.00 SEK", json!("is in Swedish kronor")),
        ("R$ 49,90", json!("is in Brazilian reais")),
        ("Rp 50.000", json!("is in Indonesian rupiah")),
        ("¥1200", json!("is in yen or yuan")),
        ("A$ 12", json!("is in Australian dollars")),
        ("Tk 500", json!("is in Bangladeshi taka")),
        ("49,90 zł", json!("is in Polish zloty")),
        ("NT$300", json!("is in Taiwan dollars")),
        ("AED 49", json!("is in UAE dirhams")),
        ("PKR 500", json!("is in Pakistani rupees")),
        ("from ₹499", json!("has “from” beside the number")),
        ("₹999 ₹499", json!("it has several")),
        ("on request", json!("is not a number")),
    ];
    assert_reads("price", ("note", ""), "price", &cases);
}

#[test]
fn the_currency_is_read_from_its_column_or_the_price_header() {
    for (columns, row) in [
        ("price,currency", "519,USD"),
        ("price,currency_code", "519,eur"),
        ("price,Price Currency", "519,$"),
        ("Price (USD)", "519"),
        ("price_usd", "519"),
        ("Price in €", "519"),
        ("priceGBP", "519"),
    ] {
        let (products, said) = read(columns, &[row], &[]);
        assert_eq!(products, [None], "{columns}: {said}");
        let names = ["US dollars", "euros", "pounds", "in dollars"];
        assert!(
            names.iter().any(|name| said.contains(name)),
            "{columns}: {said}"
        );
    }
    for (columns, row) in [
        ("price,currency", "519,INR"),
        ("price,currency", "519,₹"),
        ("price,currency", "519,"),
        ("Price (₹)", "519"),
        ("price_inr,price_usd", "519,6"),
        ("price,shipping currency", "519,USD"),
    ] {
        let (products, said) = read(columns, &[row], &[]);
        let price = products[0].as_ref().map(|product| &product["price"]);
        assert_eq!(price, Some(&json!(519)), "{columns}: {said}");
    }
    let item = |price: Value| {
        json!({"name": "Thing 0", "description": "A thing to keep tea in.",
        "category": "Home", "seller": "Tea shop", "image": "https://p.example/1.jpg",
        "link": "https://tea.example/1", "price": price})
    };
    for (price, expected) in [
        (json!({"value": "19.99", "currency": "USD"}), None),
        (
            json!({"amount": 1299, "currencyCode": "INR"}),
            Some(json!(1_299)),
        ),
        (json!({"amount": "12", "currencyCode": "SGD"}), None),
    ] {
        let file = json!({"items": [item(price.clone())]}).to_string();
        let (products, said) = read_file("feed.json", file.as_bytes(), 1, &[]);
        let found = products[0].as_ref().map(|product| product["price"].clone());
        assert_eq!(found, expected, "{price}: {said}");
    }
}

#[test]
fn list_price_and_selling_price_are_distinguished_by_column_name() {
    for (columns, row, price, discount) in [
        ("MRP,Our Price", "1000,600", 1_000, json!(40)),
        ("Price,Our Price", "1000,600", 1_000, json!(40)),
        (
            "Product Price,Actual_price",
            "\"Rs. 109,900\",\"Rs. 139,900\"",
            139_900,
            json!(21.44),
        ),
        (
            "Product Price,Actual_price",
            "\"Rs. 55,999\",N/A",
            55_999,
            json!(0),
        ),
        (
            "retail_price,discounted_price",
            "999,379",
            999,
            json!(62.06),
        ),
        ("List price,Deal Price", "800,400", 800, json!(50)),
        ("M.R.P.,Price", "800,400", 800, json!(50)),
        ("Was price,Now price", "₹800,₹400", 800, json!(50)),
        ("mrp,selling price", "999,0", 999, json!(0)),
        ("mrp,selling price", "999,0.00", 999, json!(0)),
        ("mrp,sale price", "999,nan", 999, json!(0)),
        ("compare at price,price", "160,192", 192, json!(0)),
        ("mrp,discount", "1000,₹50", 1_000, json!(5)),
        ("mrp,discount", "1000,Rs. 300", 1_000, json!(30)),
        ("mrp,discount", "1000,15%", 1_000, json!(15)),
        ("mrp,discount", "1000,-15%", 1_000, json!(15)),
        ("mrp,discount", "1000,0.15", 1_000, json!(15)),
        ("mrp,discount amount", "1000,250", 1_000, json!(25)),
        ("mrp,you save", "1000,\"₹250\"", 1_000, json!(25)),
        ("mrp,price,discount", "1000,600,400", 1_000, json!(40)),
    ] {
        let (products, said) = read(columns, &[row], &[]);
        let Some(product) = &products[0] else {
            panic!("{columns}: {row}: {said}");
        };
        assert_eq!(product["price"], price, "{columns}: {row}: {said}");
        assert_eq!(product["discount"], discount, "{columns}: {row}: {said}");
    }
    for (columns, row, message) in [
        (
            "mrp,selling price",
            "400,999",
            "Final price must not be above the price.",
        ),
        (
            "mrp,discount",
            "1000,300",
            "“300” may be percent or rupees: write 300% or ₹300.",
        ),
        (
            "mrp,discount",
            "200,₹300",
            "₹300 off does not fit the prices",
        ),
    ] {
        let (products, said) = read(columns, &[row], &[]);
        assert_eq!(products, [None], "{columns}: {row}");
        assert!(said.contains(message), "{columns}: {row}: {said}");
    }
}

#[test]
fn ratings_are_read_in_every_usual_form() {
    let (products, said) = read(
        "rating,rating count,price",
        &[
            "4.1 out of 5 stars,\"13,311\",5",
            "4.1,\"39,812 Ratings & 2,894 Reviews\",5",
            "4.2,\"(1,204)\",5",
            "4.2,2.3k,5",
            "4.5/5,1.2K+,5",
            "4.3★,120,5",
            "\"4,1\",120,5",
            "9/10,1 lakh,5",
            "4.3,,5",
            ",120,5",
            "nan,nan,5",
            "NULL,-,5",
            "4.0 - 4.49,1,5",
            "Get,FREE Delivery,5",
        ],
        &[],
    );
    let stars: Vec<(f64, f64)> = products
        .iter()
        .map(|product| {
            let product = product.as_ref().unwrap();
            let number = |field: &str| product[field].as_f64().unwrap();
            (number("averageRating"), number("totalRatings"))
        })
        .collect();
    let expected = [
        (4.1, 13_311.0),
        (4.1, 39_812.0),
        (4.2, 1_204.0),
        (4.2, 2_300.0),
        (4.5, 1_200.0),
        (4.3, 120.0),
        (4.1, 120.0),
        (4.5, 100_000.0),
    ];
    assert_eq!(stars[..8], expected);
    assert!(
        stars[8..].iter().all(|stars| *stars == (0.0, 0.0)),
        "{stars:?}"
    );
    assert!(
        said.contains(
            "Ratings that cannot be read were left out: 3 values (the first: row 14, “4.0 - 4.49”)."
        ),
        "{said}"
    );
    // A column called ratings has stars or their number.
    for (columns, row) in [
        ("ratings,no_of_ratings", "4.2,\"3,628\""),
        ("stars,ratings", "4.2,\"3,628\""),
    ] {
        let (products, _) = read(&format!("price,{columns}"), &[&format!("5,{row}")], &[]);
        let product = products[0].as_ref().unwrap();
        assert_eq!(product["averageRating"], 4.2, "{columns}");
        assert_eq!(product["totalRatings"], 3_628, "{columns}");
    }
}

#[test]
fn shared_and_rounded_external_ids_are_ignored() {
    for ids in [
        ["8.90124E+12", "8.90124E+12", "8.90E+12"],
        ["SKU001", "SKU001", "SKU001"],
        ["N/A", "-", "null"],
        ["0", "0", "0"],
    ] {
        let rows = ids.map(|id| format!("5,{id}"));
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let (products, said) = read("price,sku", &rows, &[]);
        for product in products {
            assert_eq!(product.unwrap().get("externalId"), None, "{ids:?}: {said}");
        }
        let is_told = said.contains("Ids that several products share");
        assert_eq!(is_told, ids[0].starts_with(|c: char| c != 'N'), "{said}");
    }
    let (products, _) = read("price,sku", &["5,A1", "5,A2", "5,8901240000000"], &[]);
    let ids: Vec<&Value> = products
        .iter()
        .flatten()
        .map(|it| &it["externalId"])
        .collect();
    assert_eq!(ids, ["A1", "A2", "8901240000000"]);
}
