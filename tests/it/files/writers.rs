//! Writes products as the files of other programs.

use std::fmt::Write as _;

use rust_xlsxwriter::{Format, Workbook};
use serde_json::Value;

use crate::support::harness::product_with;
use crate::support::real_products;

/// Products with what is hard for a format: line breaks, quotes, delimiters, letters of India,
/// lakhs and several pictures, and real ones.
pub fn products() -> Vec<Value> {
    let mut products = real_products::valid();
    for number in 1..=20 {
        products.push(product_with(
            number,
            serde_json::json!({
                "title": format!("टी-शर्ट \"{number}\"; size M, ₹5 off | <new>"),
                "description": "First line, with; all | delimiters\nSecond \"line\" & more < less",
                "price": f64::from(129_900) + 0.5,
                "discount": 64,
                "category": "Clothing",
                "images": ["https://pictures.example/a.jpg", "https://pictures.example/b,c.jpg"],
            }),
        ));
    }
    // A later row of the same product replaces the earlier one in every format.
    let mut seen = std::collections::HashSet::new();
    products.reverse();
    products.retain(|product| {
        seen.insert(format!(
            "{} {}",
            product["source"], product["affiliateLink"]
        ))
    });
    products.reverse();
    products
}

fn field<'a>(product: &'a Value, name: &str) -> &'a str {
    product[name].as_str().unwrap().trim()
}

fn images(product: &Value) -> Vec<&str> {
    let images = product["images"].as_array().unwrap();
    images.iter().map(|image| image.as_str().unwrap()).collect()
}

/// Returns the price after the discount, rounded half up to the paisa.
pub fn final_price(product: &Value) -> f64 {
    let paise = (product["price"].as_f64().unwrap() * 100.0).round() as i64;
    let off = (product["discount"].as_f64().unwrap() * 100.0).round() as i64;
    ((paise * (10_000 - off) + 5_000) / 10_000) as f64 / 100.0
}

/// Writes an amount as in India, like `₹1,29,900.50`.
fn rupees(amount: f64) -> String {
    let text = format!("{amount:.2}");
    let (whole, paise) = text.split_once('.').unwrap();
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        let left = whole.len() - at;
        if at > 0 && (left == 3 || left > 3 && left % 2 == 1) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("₹{grouped}.{paise}")
}

fn table(delimiter: u8, rows: impl Iterator<Item = Vec<String>>) -> Vec<u8> {
    let mut table = csv::WriterBuilder::new()
        .delimiter(delimiter)
        .terminator(csv::Terminator::CRLF)
        .from_writer(Vec::new());
    rows.for_each(|row| table.write_record(row).unwrap());
    table.into_inner().unwrap()
}

fn strings(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

const SHEET: [&str; 10] = [
    "Product name",
    "Description",
    "MRP (₹)",
    "Discount %",
    "Category",
    "Seller",
    "Link",
    "Image URLs",
    "Rating",
    "No. of ratings",
];

/// A table as Excel saves it in Europe: semicolons, a byte order mark, CRLF.
pub fn semicolons(products: &[Value]) -> Vec<u8> {
    let rows = products.iter().map(|product| {
        let price = rupees(product["price"].as_f64().unwrap());
        let off = format!("{}%", product["discount"]);
        let rating = product["averageRating"].to_string();
        let ratings = product["totalRatings"].to_string();
        let pictures = images(product).join(" ");
        let text = |name| field(product, name);
        strings(&[
            text("title"),
            text("description"),
            &price,
            &off,
            text("category"),
            text("source"),
            text("affiliateLink"),
            &pictures,
            &rating,
            &ratings,
        ])
    });
    let csv = table(b';', std::iter::once(strings(&SHEET)).chain(rows));
    [b"\xef\xbb\xbf".as_slice(), &csv].concat()
}

/// An Excel sheet with numbers, and discounts as percentages.
pub fn xlsx(products: &[Value]) -> Vec<u8> {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    for (column, name) in SHEET.iter().enumerate() {
        sheet.write(0, column as u16, *name).unwrap();
    }
    let percent = Format::new().set_num_format("0%");
    for (row, product) in products.iter().enumerate() {
        let row = row as u32 + 1;
        let number = |name: &str| product[name].as_f64().unwrap();
        let pictures = images(product).join("\n");
        let texts = [
            (0, field(product, "title")),
            (1, field(product, "description")),
            (4, field(product, "category")),
            (5, field(product, "source")),
            (6, field(product, "affiliateLink")),
            (7, &pictures),
        ];
        for (column, text) in texts {
            sheet.write_string(row, column, text).unwrap();
        }
        sheet.write(row, 2, number("price")).unwrap();
        let discount = number("discount") / 100.0;
        sheet.write_with_format(row, 3, discount, &percent).unwrap();
        sheet.write(row, 8, number("averageRating")).unwrap();
        sheet.write(row, 9, number("totalRatings")).unwrap();
    }
    book.save_to_buffer().unwrap()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// A feed for Google Merchant Center in RSS 2.0, which names neither sellers nor ratings.
pub fn merchant(products: &[Value]) -> Vec<u8> {
    let mut xml = "<?xml version=\"1.0\"?>\n<rss xmlns:g=\"http://base.google.com/ns/1.0\" \
                   version=\"2.0\">\n<channel><title>A shop</title>"
        .to_owned();
    for (number, product) in products.iter().enumerate() {
        let price = product["price"].as_f64().unwrap();
        let sale = final_price(product);
        let pictures = images(product);
        let (first, more) = pictures.split_first().unwrap();
        let category = match field(product, "category") {
            "Clothing" => "Apparel & Accessories > Clothing",
            "Books" => "Media > Books",
            "Home" => "Home & Garden > Kitchen",
            other => other,
        };
        let title = escaped(field(product, "title"));
        let text = field(product, "description");
        let link = escaped(field(product, "affiliateLink"));
        let category = escaped(category);
        write!(
            xml,
            "\n<item>\n <g:id>{number}</g:id>\n <g:title>{title}</g:title>\n \
             <g:description><![CDATA[{text}]]></g:description>\n <g:link>{link}</g:link>\n \
             <g:image_link>{}</g:image_link>\n <g:availability>in_stock</g:availability>\n \
             <g:price>{price:.2} INR</g:price>\n <g:sale_price>{sale:.2} INR</g:sale_price>\n \
             <g:google_product_category>{category}</g:google_product_category>\n \
             <g:shipping><g:price>49.00 INR</g:price></g:shipping>\n",
            escaped(first)
        )
        .unwrap();
        for picture in more {
            let picture = escaped(picture);
            writeln!(
                xml,
                " <g:additional_image_link>{picture}</g:additional_image_link>"
            )
            .unwrap();
        }
        xml.push_str("</item>");
    }
    xml.push_str("\n</channel></rss>\n");
    xml.into_bytes()
}

/// Shopify's export: each further picture has a row.
pub fn shopify(products: &[Value]) -> Vec<u8> {
    let header = [
        "Handle",
        "Title",
        "Body (HTML)",
        "Vendor",
        "Product Category",
        "Variant Price",
        "Variant Compare At Price",
        "Image Src",
        "Image Position",
        "Status",
        "Affiliate link (product.metafields.custom.affiliate_link)",
    ];
    let mut rows = vec![strings(&header)];
    for (number, product) in products.iter().enumerate() {
        let price = product["price"].as_f64().unwrap();
        let sale = final_price(product);
        let compare_at = if sale < price {
            format!("{price:.2}")
        } else {
            "0.00".to_owned()
        };
        for (at, picture) in images(product).into_iter().enumerate() {
            let text = |name| if at == 0 { field(product, name) } else { "" };
            rows.push(strings(&[
                &format!("handle-{number}"),
                text("title"),
                &escaped(text("description")),
                if at == 0 { "A brand" } else { "" },
                text("category"),
                &if at == 0 {
                    format!("{sale:.2}")
                } else {
                    String::new()
                },
                if at == 0 { &compare_at } else { "" },
                picture,
                &(at + 1).to_string(),
                if at == 0 { "active" } else { "" },
                text("affiliateLink"),
            ]));
        }
    }
    table(b',', rows.into_iter())
}

/// WooCommerce's export of external products.
pub fn woocommerce(products: &[Value]) -> Vec<u8> {
    let header = [
        "ID",
        "Type",
        "SKU",
        "Name",
        "Published",
        "Short description",
        "Description",
        "Sale price",
        "Regular price",
        "Categories",
        "Images",
        "External URL",
        "Button text",
        "Meta: source",
        "Meta: _wc_average_rating",
        "Meta: _wc_review_count",
    ];
    let rows = products.iter().enumerate().map(|(number, product)| {
        let price = product["price"].as_f64().unwrap();
        let sale = final_price(product);
        strings(&[
            &number.to_string(),
            "external",
            "",
            field(product, "title"),
            "1",
            "",
            &escaped(field(product, "description")),
            &if sale < price {
                format!("{sale:.2}")
            } else {
                String::new()
            },
            &format!("{price:.2}"),
            &format!("{}, Sale", field(product, "category")),
            &images(product).join(", "),
            field(product, "affiliateLink"),
            "Buy",
            field(product, "source"),
            &product["averageRating"].to_string(),
            &product["totalRatings"].to_string(),
        ])
    });
    table(b',', std::iter::once(strings(&header)).chain(rows))
}
