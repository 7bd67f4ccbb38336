//! Texts, pictures, categories, sheets and documents in the shapes that other programs write.

use serde_json::Value;

use super::workbooks::zip;
use super::{import, imported, refused};
use crate::support::harness::{Shop, succeeds};

const HEADER: &str = "title,description,price,category,source,link,image";

/// Imports a table of one row that has a value in a column.
fn row_with(column: &str, value: &str) -> Value {
    let names: Vec<&str> = HEADER.split(',').collect();
    let mut cells = [
        "Steel bottle",
        "Keeps water cold all day",
        "499",
        "Home",
        "Shop",
        "https://s.example/1",
        "https://p.example/1.jpg",
    ];
    let at = names.iter().position(|name| *name == column).unwrap();
    cells[at] = value;
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record(&names).unwrap();
    table.write_record(cells).unwrap();
    imported("a.csv", &table.into_inner().unwrap(), &[]).remove(0)
}

#[test]
fn imported_texts_lose_entities_markup_and_escapes() {
    for (column, field, value, expected) in [
        (
            "title",
            "title",
            "B&amp;O headset, 5&quot; plug",
            "B&O headset, 5\" plug",
        ),
        ("title", "title", "Tea &amp;amp; milk", "Tea & milk"),
        ("title", "title", r"Men\'s 5\' pole", "Men's 5' pole"),
        ("source", "source", "Marks &amp; Spencer", "Marks & Spencer"),
        (
            "link",
            "affiliateLink",
            "https://s.example/?a=1&amp;tag=me-21",
            "https://s.example/?a=1&tag=me-21",
        ),
        (
            "description",
            "description",
            "<meta charset=x>Wicker <o:p></o:p>armchair",
            "Wicker armchair",
        ),
        (
            "description",
            "description",
            "&lt;p&gt;Twice escaped&lt;/p&gt; text",
            "Twice escaped\ntext",
        ),
        (
            "description",
            "description",
            "<custom-el x=1>Own elements</custom-el> too",
            "Own elements too",
        ),
        (
            "description",
            "description",
            "Size 5 < 6 and 7 > 3 really",
            "Size 5 < 6 and 7 > 3 really",
        ),
        ("category", "category", "Home &amp; Kitchen", "Home"),
        ("category", "category", "Women’s Clothing", "Clothing"),
        (
            "category",
            "category",
            "Default » Mobile Phones",
            "Electronics",
        ),
        (
            "category",
            "category",
            "[\"Clothing >> Women's Clothing >> Shorts\"]",
            "Clothing",
        ),
    ] {
        assert_eq!(row_with(column, value)[field], expected, "{value}");
    }
}

#[test]
fn a_qualifying_word_is_not_mapped_to_a_category() {
    for category in [
        "\"Perfume, Women\"",
        "Home > Beauty",
        "Men's Perfume",
        "\"Kids, Toys\"",
    ] {
        let csv = format!(
            "{HEADER}\nTea,Green tea of 100 g,9,{category},S,https://s.example/1,https://p.example/1\n"
        );
        let error = refused("a.csv", csv.as_bytes(), &[]);
        assert!(
            error.contains("is not one of your categories"),
            "{category}: {error}"
        );
    }
}

#[test]
fn several_picture_addresses_in_one_cell_are_split() {
    let [a, b] = ["https://p.example/a.jpg", "https://p.example/b.jpg"];
    for list in [
        format!("{a}|{b}"),
        format!("{a}~{b}"),
        format!("{a}::{b}"),
        format!("{a}#{b}"),
        format!("{a}\n{b}"),
        format!("{a} + {b}"),
        format!("[\"{a}\", \"{b}\"]"),
        format!("['{a}','{b}']"),
        format!("{a}{b}"),
        "//p.example/a.jpg, //p.example/b.jpg".to_owned(),
    ] {
        let images = &row_with("image", &list)["images"];
        assert_eq!(images, &serde_json::json!([a, b]), "{list}");
    }
}

#[test]
fn numbered_columns_of_pictures_are_all_read() {
    let names: Vec<String> = (1..=12).map(|at| format!("image_{at}_url")).collect();
    let cells: Vec<String> = (1..=12)
        .map(|at| format!("https://p.example/{at}"))
        .collect();
    let csv = format!(
        "title,description,price,category,source,link,{}\nTea,Green tea of 100 g,9,Home,S,https://s.example/1,{}\n",
        names.join(","),
        cells.join(",")
    );
    let product = imported("a.csv", csv.as_bytes(), &[]).remove(0);
    assert_eq!(product["images"], serde_json::json!(cells));
}

#[test]
fn wrongly_decoded_text_is_reported_with_its_row() {
    for title in ["CafÃ© cup", "itâ€™s tea", "Pens ï¿½ blue"] {
        let csv = format!(
            "{HEADER}\n{title},Green tea of 100 g,9,Home,S,https://s.example/1,https://p.example/1\n"
        );
        let shop = Shop::new();
        let output = import(&shop, "a.csv", csv.as_bytes(), &[]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        succeeds(output);
        assert!(
            said.contains("Row 2 has letters that were broken before"),
            "{said}"
        );
    }
}

#[test]
fn documents_of_other_shapes_are_read() {
    let fields = r#""name": "Shoe", "description": "A shoe for long trails", "category": "Clothing",
        "link": "https://s.example/1", "image": "https://p.example/1", "seller": "S""#;
    let elements = "<name>Shoe</name><description>A shoe for long trails</description><price>499</price>\
        <category>Clothing</category><link>https://s.example/1</link><image>https://p.example/1</image><seller>S</seller>";
    let row =
        "Shoe,A shoe for long trails,499,Clothing,S,https://s.example/1,https://p.example/1\n";
    for (text, options) in [
        (
            format!(r#"{{"products": {{"-N1": {{{fields}, "price": 499}}}}}}"#),
            &[][..],
        ),
        (
            format!(r#"{{"k1": {{{fields}, "price": {{"amount": 499, "currency": "INR"}}}}}}"#),
            &[],
        ),
        (
            format!("<products><product id='7'>{elements}</product></products>"),
            &[],
        ),
        (
            format!("<a><thing>{elements}</thing><thing>{elements}</thing></a>"),
            &[],
        ),
        (
            format!("<a><b><c>{elements}</c></b></a>"),
            &["--path", "a.b.c"],
        ),
        (format!("# by a tool\n# 1 row\n{HEADER}\n{row}"), &[]),
    ] {
        let products = imported("a", text.as_bytes(), options);
        assert_eq!(products.len(), 1, "{text}");
        assert_eq!(products[0]["title"], "Shoe", "{text}");
        assert_eq!(products[0]["price"], 499, "{text}");
    }
}

#[test]
fn a_quote_after_a_backslash_does_not_end_its_value() {
    let csv = format!(
        "{HEADER}\n\"Pole, 5\\\" thick\",\"Made of steel, \\\"rust-free\\\"\",9,Home,S,https://s.example/1,https://p.example/1\n"
    );
    let product = imported("a.csv", csv.as_bytes(), &[]).remove(0);
    assert_eq!(product["title"], "Pole, 5\" thick");
    assert_eq!(product["description"], "Made of steel, \"rust-free\"");
}

#[test]
fn a_variable_product_costs_as_much_as_its_cheapest_variation() {
    let csv = "ID,Type,SKU,Name,Published,Description,Sale price,Regular price,Categories,Images,Parent,External URL,Meta: source\n\
        21,variable,TEE,Logo tee,1,A tee with a logo,,,Clothing,https://p.example/t,,https://s.example/tee,Acme\n\
        22,variation,S,Logo tee - S,1,,899,999,,,TEE,,\n\
        23,variation,M,Logo tee - M,1,,799,999,,,id:21,,\n";
    let products = imported("a.csv", csv.as_bytes(), &[]);
    assert_eq!(products.len(), 1);
    assert_eq!(products[0]["price"], 999);
    assert_eq!(products[0]["discount"], 20.02);
}

#[test]
fn unsupported_file_formats_are_refused_with_advice() {
    let shopify = "Handle,Title,Variant Price,Image Src\npot,Pot,499,https://p.example/1\n";
    for (bytes, words) in [
        (
            zip(&[("[Content_Types].xml", b""), ("xl/workbook.bin", b"")]),
            "binary workbook (.xlsb)",
        ),
        (zip(&[("Index/Document.iwa", b"")]), "Numbers document"),
        (
            b"<html><table><tr><td>title</td></tr></table></html>".to_vec(),
            "a table in HTML",
        ),
        (shopify.into(), "add a column url"),
    ] {
        let error = refused("a", &bytes, &[]);
        assert!(error.contains(words), "{error}");
    }
}
