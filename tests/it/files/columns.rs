//! Columns of files: which of them are used, which are asked for, and what is said about them.

use serde_json::{Value, json};

use super::meaning::{BASE, read, read_file};
use super::{exported, import, refused};
use crate::support::harness::{Shop, fails, product, succeeds, text};

#[test]
fn the_column_with_the_affiliate_link_is_preferred() {
    let file = |columns: &str, links: &str| {
        format!(
            "{BASE},price,{columns}\nThing 0,A thing to keep tea in.,Home,Tea shop,https://p.example/1.jpg,5,{links}\n"
        )
    };
    let plain = "https://tea.example/1";
    let earns = "https://go.example/abc";
    for (columns, links) in [
        ("link,aff_link", [plain, earns]),
        ("product_url,aw_deep_link", [plain, earns]),
        ("aw_deep_link,merchant_deep_link", [earns, plain]),
        ("URL,Affiliate URL", [plain, earns]),
        ("Link,My tracking link", [plain, earns]),
        ("product link,deal link", [plain, earns]),
    ] {
        let file = file(columns, &links.join(","));
        let (products, said) = read_file("deals.csv", file.as_bytes(), 1, &[]);
        let product = products[0].as_ref().unwrap();
        assert_eq!(product["affiliateLink"], earns, "{columns}: {said}");
    }
    for (columns, links, names) in [
        (
            "link,url",
            [plain, earns],
            "“link” and “url” could each be the link",
        ),
        (
            "link,go",
            [plain, earns],
            "“link” and “go” could each be the link",
        ),
        (
            "aff link,tracking url",
            ["https://a.example/1", "https://b.example/1"],
            "“aff link” and “tracking url” could each be the link",
        ),
    ] {
        let file = file(columns, &links.join(","));
        let shop = Shop::new();
        let said = fails_to_import(&shop, &file);
        assert!(said.contains(names), "{said}");
        assert!(said.contains("--column affiliateLink="), "{said}");
        let second = columns.rsplit(',').next().unwrap();
        let choice = format!("affiliateLink={second}");
        let said = succeeds(import(
            &shop,
            "deals.csv",
            file.as_bytes(),
            &["--column", &choice],
        ));
        assert!(
            said.contains(&format!("affiliateLink ← {second}")),
            "{said}"
        );
        assert_eq!(exported(&shop)[0]["affiliateLink"], links[1]);
    }
    // Pictures and pages of the seller are no links of the product.
    let file = file(
        "link,brand url,video",
        &[plain, "https://brand.example", "https://v.example/1"].join(","),
    );
    assert!(read_file("deals.csv", file.as_bytes(), 1, &[]).0[0].is_some());
}

fn fails_to_import(shop: &Shop, file: &str) -> String {
    std::fs::write(shop.file("deals.csv"), file).unwrap();
    fails(shop.run(&["import", "deals.csv"]))
}

#[test]
fn two_possible_price_columns_are_asked_about() {
    for (columns, rows, names) in [
        (
            "mrp,deal price,offer price",
            "9,7,6",
            "“deal price” and “offer price” could each be the selling price",
        ),
        (
            "mrp,list price,price",
            "9,8,6",
            "“mrp” and “list price” could each be the list price",
        ),
    ] {
        let file = format!(
            "{BASE},link,{columns}\nThing 0,A thing to keep tea in.,Home,Tea shop,https://p.example/1.jpg,https://tea.example/1,{rows}\n"
        );
        let said = fails_to_import(&Shop::new(), &file);
        assert!(said.contains(names), "{said}");
    }
    // The same price twice is no question.
    let (products, _) = read("mrp,deal price,offer price", &["900,700,₹700"], &[]);
    assert_eq!(products[0].as_ref().unwrap()["discount"], 22.22);
    let (products, _) = read(
        "mrp,deal price,offer price",
        &["1000,700,600"],
        &["--column", "finalPrice=offer price"],
    );
    assert_eq!(products[0].as_ref().unwrap()["discount"], 40);
}

#[test]
fn an_import_reports_used_and_unused_columns() {
    let (_, said) = read("MRP,Deal Price,Sr No,Coupon", &["9,6,1,SAVE50"], &[]);
    assert!(said.contains("finalPrice ← Deal Price"), "{said}");
    assert!(said.contains("price ← MRP"), "{said}");
    assert!(
        said.contains("columns that are not used: Sr No, Coupon"),
        "{said}"
    );
}

#[test]
fn a_product_without_a_description_has_its_title_as_one() {
    let file = "Name,Price,Product URL,Image URL,Store,Category\n\
        Steel bottle one litre,499,https://tea.example/1,https://p.example/1.jpg,Tea shop,Home\n\
        Cup,99,https://tea.example/2,https://p.example/1.jpg,Tea shop,Home\n";
    let shop = Shop::new();
    succeeds(import(&shop, "deals.csv", file.as_bytes(), &[]));
    let found = exported(&shop);
    assert_eq!(found[0]["description"], "Steel bottle one litre");
    assert_eq!(found[1]["description"], "Cup from Tea shop");
}

const WITHOUT_SELLER: &str = "title,description,price,category,link,image\n\
    Tea,Green tea of 100 g,499,Home,https://www.amazon.in/dp/B0ABCD1234?tag=x,https://p.example/1.jpg\n\
    Cup,A cup of 200 ml for tea,399,Home,https://dl.flipkart.com/s/abc,https://p.example/2.jpg\n";

#[test]
fn a_missing_seller_is_read_from_the_link_of_a_known_shop() {
    let sellers = |shop: &Shop| -> Vec<Value> {
        let products = exported(shop).into_iter();
        products.map(|product| product["source"].clone()).collect()
    };
    let shop = Shop::new();
    let output = import(&shop, "deals.csv", WITHOUT_SELLER.as_bytes(), &[]);
    let note = "Seller read from the link in 2 rows (the first: row 2, “Amazon”).";
    let said = text(&output.stderr);
    assert!(said.contains(note), "{said}");
    assert_eq!(sellers(&shop), ["Flipkart", "Amazon"]);

    let with_column = WITHOUT_SELLER.replace("image\n", "image,seller\n");
    let with_column = with_column.replace("1.jpg\n", "1.jpg,\n");
    let with_column = with_column.replace("2.jpg\n", "2.jpg,Corner\n");
    for (options, expected) in [
        (&[][..], ["Corner", "Amazon"]),
        (&["--source", "Croma"], ["Corner", "Croma"]),
    ] {
        let shop = Shop::new();
        succeeds(import(&shop, "a.csv", with_column.as_bytes(), options));
        assert_eq!(sellers(&shop), expected);
    }

    let mut products = [product(1), product(2)];
    for product in &mut products {
        product["affiliateLink"] = "https://www.amazon.in/dp/B0ABCD1234".into();
    }
    products[0].as_object_mut().unwrap().remove("source");
    products[1]["source"] = "Corner".into();
    let shop = Shop::new();
    let json = json!(products).to_string();
    let output = import(&shop, "products.json", json.as_bytes(), &[]);
    let said = text(&output.stderr);
    assert!(
        said.contains("in 1 row (the first: row 1, “Amazon”)"),
        "{said}"
    );
    let mut found = sellers(&shop);
    found.sort_by_key(Value::to_string);
    assert_eq!(found, ["Amazon", "Corner"]);
}

#[test]
fn a_missing_seller_of_an_unknown_link_is_refused_until_the_owner_adds_its_shop() {
    let file = WITHOUT_SELLER.replace("www.amazon.in/dp/", "corner.example/p/");
    let said = refused("deals.csv", file.as_bytes(), &[]);
    assert!(
        said.contains("row 2: source: The file does not name the seller: give --source."),
        "{said}"
    );
    let none = file.replace("dl.flipkart.com", "elsewhere.example");
    let said = refused("deals.csv", none.as_bytes(), &[]);
    assert!(
        said.contains("no column was found for the seller"),
        "{said}"
    );

    let shop = Shop::new();
    let corner = json!([{"name": "Corner", "hosts": ["corner.example"], "productId": "/p/{id}",
        "tagParameter": "ref"}]);
    succeeds(shop.run(&["settings", "set", &format!("shops={corner}")]));
    succeeds(import(&shop, "deals.csv", file.as_bytes(), &[]));
    assert_eq!(exported(&shop)[0]["source"], "Corner");
}
