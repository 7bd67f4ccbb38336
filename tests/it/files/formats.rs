//! The same products in every format.

use serde_json::{Value, json};

use super::writers::{final_price, merchant, products, semicolons, shopify, woocommerce, xlsx};
use super::{exported, import, imported};
use crate::support::harness::{Shop, succeeds};

fn as_json(products: &[Value]) -> Vec<Value> {
    imported("products.json", json!(products).to_string().as_bytes(), &[])
}

/// Rounds discounts: files with two prices give them to a hundredth of a percent.
fn rounded(mut products: Vec<Value>) -> Vec<Value> {
    for product in &mut products {
        let given = product["finalPrice"].as_f64();
        product["finalPrice"] = given.unwrap_or_else(|| final_price(product)).into();
        product["discount"] = product["discount"].as_f64().unwrap().round().into();
    }
    products
}

fn assert_same(products: &[Value], expected: &[Value]) {
    assert_eq!(products.len(), expected.len());
    for (product, expected) in products.iter().zip(expected) {
        assert_eq!(product, expected);
    }
}

/// Takes the ids, after checking that each product has one of its own with its seller.
fn without_ids(mut products: Vec<Value>) -> Vec<Value> {
    let mut seen = std::collections::HashSet::new();
    for product in &mut products {
        let source = product["source"].to_string();
        let id = product.as_object_mut().unwrap().remove("externalId");
        let id = id.and_then(|id| id.as_str().map(str::to_owned));
        assert!(seen.insert((source, id.unwrap())), "{product}");
    }
    products
}

fn by_source(products: &[Value], source: &str) -> Vec<Value> {
    let of_source = products
        .iter()
        .filter(|product| product["source"] == source);
    of_source.cloned().collect()
}

#[test]
fn csv_and_xlsx_give_the_same_products_as_json() {
    let products = products();
    let expected = as_json(&products);
    assert_same(
        &imported("deals.csv", &semicolons(&products), &[]),
        &expected,
    );
    assert_same(&imported("deals.xlsx", &xlsx(&products), &[]), &expected);
}

#[test]
fn a_merchant_feed_gives_the_same_products_without_ratings() {
    let products = products();
    let mut expected = rounded(as_json(&products));
    for product in &mut expected {
        product["averageRating"] = 0.0.into();
        product["totalRatings"] = 0.into();
    }
    let shop = Shop::new();
    for source in ["Amazon", "Flipkart"] {
        let feed = merchant(&by_source(&products, source));
        succeeds(import(&shop, "feed.xml", &feed, &["--source", source]));
    }
    assert_same(&rounded(without_ids(exported(&shop))), &expected);
    // Nobody invents stars.
    let server = shop.serve();
    let id = server.list("limit=1")[0]["_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let page = server.get(&format!("/details/{id}")).text().unwrap();
    assert!(!page.contains("aggregateRating"), "{page}");
    assert!(!page.contains("out of 5"), "{page}");
}

#[test]
fn a_shopify_export_gives_the_same_products_without_ratings() {
    let products = products();
    let mut expected = rounded(as_json(&products));
    for product in &mut expected {
        product["averageRating"] = 0.0.into();
        product["totalRatings"] = 0.into();
    }
    let shop = Shop::new();
    for source in ["Amazon", "Flipkart"] {
        let file = shopify(&by_source(&products, source));
        succeeds(import(&shop, "shopify.csv", &file, &["--source", source]));
    }
    assert_same(&rounded(without_ids(exported(&shop))), &expected);
}

#[test]
fn a_woocommerce_export_gives_the_same_products() {
    let products = products();
    let expected = rounded(as_json(&products));
    let found = imported("woocommerce.csv", &woocommerce(&products), &[]);
    assert_same(&rounded(without_ids(found)), &expected);
}

#[test]
fn a_feed_with_ids_changes_the_same_products_when_their_links_change() {
    let products = by_source(&products(), "Amazon");
    let moved: Vec<Value> = products
        .iter()
        .map(|product| {
            let mut product = product.clone();
            let link = product["affiliateLink"].as_str().unwrap();
            product["affiliateLink"] = format!("{link}#moved").into();
            product
        })
        .collect();
    for (name, write) in [
        ("feed.xml", merchant as fn(&[Value]) -> Vec<u8>),
        ("shopify.csv", shopify),
        ("woocommerce.csv", woocommerce),
    ] {
        let shop = Shop::new();
        let options = ["--source", "Amazon"];
        succeeds(import(&shop, name, &write(&products), &options));
        let said = succeeds(import(&shop, name, &write(&moved), &options));
        let changes = said.contains("0 added") && said.contains("0 unchanged");
        assert!(changes, "{name}: {said}");
    }
}

#[test]
fn an_id_that_is_too_long_is_left_out() {
    let header = "title,description,price,category,source,link,image,sku";
    let row =
        "Tea,Green tea of 100 g,399,Home,Tea shop,https://tea.example/1,https://p.example/1.jpg";
    let of = |id: String| {
        imported(
            "deals.csv",
            format!("{header}\n{row},{id}\n").as_bytes(),
            &[],
        )
    };
    assert_eq!(of("x".repeat(100))[0]["externalId"], "x".repeat(100));
    assert!(of("x".repeat(101))[0].get("externalId").is_none());
}

#[test]
fn the_csv_export_is_imported_and_gives_the_same_export() {
    let mut products = products();
    products.extend([
        json!({
            "title": "=1+1", "description": "'-starts with an apostrophe", "price": 10, "discount": 0,
            "category": "Home", "source": "Amazon", "affiliateLink": "https://shop.example/formula",
            "images": ["https://pictures.example/1.jpg"],
            "offers": [
                {"kind": "coupon", "code": "SAVE10", "percent": 10},
                {"kind": "bank", "text": "HDFC card", "amount": 100},
            ],
            "endsAt": "2030-01-01T00:00:00Z", "status": "draft", "externalId": "=007",
        }),
        json!({
            "title": "'=2+2", "description": "+91 numbers as a text", "price": 109_900,
            "finalPrice": 84_999, "category": "Home", "source": "Amazon",
            "affiliateLink": "https://shop.example/apostrophe",
            "images": ["https://pictures.example/1.jpg", "https://pictures.example/2.jpg"],
            "externalId": "B0ABCD1234",
        }),
    ]);
    // Characters that act on a terminal do not survive a CSV.
    products.retain(|product| {
        ["title", "description"].iter().all(|field| {
            let text = product[*field].as_str().unwrap();
            let is_mark =
                |c| matches!(c, '\u{61c}' | '\u{200e}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            !text.contains(|c: char| is_mark(c) || c.is_control() && c != '\n')
        })
    });
    let first = Shop::new();
    succeeds(first.import(&json!(products).to_string(), &[]));
    let server = first.serve();
    let id = server.list("limit=1")[0]["_id"]
        .as_str()
        .unwrap()
        .to_owned();
    server.post(&format!("/product/increament-views/{id}"));
    drop(server);
    let csv = succeeds(first.run(&["export", "--format", "csv"]));

    let second = Shop::new();
    succeeds(import(&second, "export.csv", csv.as_bytes(), &[]));
    let again = succeeds(second.run(&["export", "--format", "csv"]));
    assert!(again == csv, "the second CSV differs");
    let json = |shop: &Shop| succeeds(shop.run(&["export"]));
    assert!(json(&second) == json(&first), "the JSON exports differ");

    // Importing it where it comes from changes nothing.
    let said = succeeds(import(&first, "export.csv", csv.as_bytes(), &[]));
    assert!(said.contains("0 added, 0 updated"), "{said}");
}

#[test]
fn json_of_any_shape_is_imported() {
    let item = json!({
        "name": "Braided cable", "details": {"text": "x"}, "description": "A cable of 1.5 m.",
        "mrp": 499, "sale_price": "₹399", "category": "electronics", "store": "Croma",
        "url": "https://croma.example/1", "images": [{"src": "https://p.example/1.jpg"}, {"src": "https://p.example/2.jpg"}],
        "rating": 4.2, "review_count": 318,
    });
    let expected = json!({
        "title": "Braided cable", "description": "A cable of 1.5 m.", "price": 499, "discount": 20.04,
        "category": "Electronics", "source": "Croma",
        "affiliateLink": "https://croma.example/1",
        "images": ["https://p.example/1.jpg", "https://p.example/2.jpg"],
        "averageRating": 4.2, "totalRatings": 318, "status": "live", "clicks": 0, "offers": [],
        "tags": [],
    });
    let other = json!([{"name": "Not a deal", "url": "https://example.com", "id": 1}]);
    for (document, options) in [
        (json!([item]), &[][..]),
        (
            json!({"meta": {"pages": [{"n": 1}]}, "data": {"items": [item]}}),
            &[],
        ),
        (json!({"a": other, "b": {"c": [item]}}), &["--path", "b.c"]),
        (item.clone(), &["--format", "json"]),
    ] {
        let found = imported("feed.json", document.to_string().as_bytes(), options);
        assert_eq!(found, std::slice::from_ref(&expected), "{document}");
    }
    // The program's own products may be in an object, wherever it names them.
    let own = json!({"total": 1, "products": [crate::support::harness::product(1)]});
    assert_eq!(
        imported("own.json", own.to_string().as_bytes(), &[]).len(),
        1
    );
}

#[test]
fn an_atom_feed_is_read() {
    let feed = "<feed xmlns='http://www.w3.org/2005/Atom' xmlns:g='http://base.google.com/ns/1.0'>\
        <title>Feed</title><link rel='self' href='https://shop.example/feed'/>\
        <entry><title>Tea &amp; biscuits</title><link rel='alternate' href='https://shop.example/1?a=1&amp;b=2'/>\
        <link rel='edit' href='https://shop.example/edit'/>\
        <summary type='html'>&lt;p&gt;Green tea,&lt;/p&gt;&lt;p&gt;100&#160;g&lt;/p&gt;</summary>\
        <g:image_link>https://p.example/1.jpg</g:image_link><g:price>1,299.00 INR</g:price>\
        <g:availability>out of stock</g:availability></entry></feed>";
    let options = ["--source", "Tea shop", "--category", "Home"];
    let found = imported("feed.xml", feed.as_bytes(), &options);
    assert_eq!(found.len(), 1);
    let product = &found[0];
    assert_eq!(product["title"], "Tea & biscuits");
    assert_eq!(product["description"], "Green tea,\n100 g");
    assert_eq!(product["affiliateLink"], "https://shop.example/1?a=1&b=2");
    assert_eq!(product["price"], 1299);
    assert_eq!(product["discount"], 0);
    assert_eq!(product["source"], "Tea shop");
    // Products out of stock become drafts.
    assert_eq!(product["status"], "draft");
}
