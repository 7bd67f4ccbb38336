//! GET /product/product/{id}

use serde_json::{Value, json};

use crate::support::harness::{Shop, product, product_with};

#[test]
fn a_product_is_read_with_the_shape_of_the_specification() {
    let sent = product_with(
        7,
        json!({
            "_id": "abc_DEF-123",
            "price": 1299.99,
            "discount": 12.5,
            "images": ["https://pictures.example/a.jpg", "https://pictures.example/b.jpg"],
            "createdAt": "2026-03-01T10:20:30.456Z",
            "clicks": 41,
        }),
    );
    let shop = Shop::with(&[sent]);
    let server = shop.serve();
    let answer = server.json("/product/product/abc_DEF-123");
    assert_eq!(
        answer,
        json!({"product": {
            "_id": "abc_DEF-123",
            "title": "Product 7",
            "description": "The description of product number 7.",
            "price": 1299.99,
            "discount": 12.5,
            "finalPrice": 1137.49,
            "category": "Electronics",
            "source": "Amazon",
            "affiliateLink": "https://shop.example/p/7",
            "images": ["https://pictures.example/a.jpg", "https://pictures.example/b.jpg"],
            "clicks": 41,
            "ratings": {"averageRating": 4.5, "totalRatings": 17},
            "offers": [],
            "effectivePrice": null,
            "status": "live",
            "state": "live",
            "createdAt": "2026-03-01T10:20:30.456Z",
            "updatedAt": "2026-03-01T10:20:30.456Z",
            "priceSeenOn": answer["product"]["priceSeenOn"],
            "verdict": {
                "kind": "new",
                "words": "New here",
                "sentence": answer["product"]["verdict"]["sentence"],
            },
        }})
    );
}

#[test]
fn view_card_lists_only_the_fields_of_a_card() {
    let description = "word ".repeat(30);
    let shop = Shop::with(&[product_with(
        7,
        json!({
            "_id": "p7",
            "description": description,
            "price": 1299.99,
            "discount": 12.5,
            "images": ["https://pictures.example/a.jpg", "https://pictures.example/b.jpg"],
            "createdAt": "2026-03-01T10:20:30.456Z",
            "offers": [{"kind": "coupon", "code": "TEN", "percent": 10}],
        }),
    )]);
    let server = shop.serve();
    let whole = server.json("/product/get-products?search=product");
    let cards = server.json("/product/get-products?search=product&view=card");
    assert_eq!(cards["meta"], whole["meta"]);
    assert_eq!(
        cards["data"],
        json!([{
            "_id": "p7",
            "title": "Product 7",
            "image": "https://pictures.example/a.jpg",
            "category": "Electronics",
            "source": "Amazon",
            "price": 1299.99,
            "finalPrice": 1137.49,
            "clicks": 0,
            "shown": whole["data"][0]["shown"],
            "excerpt": format!("{}…", "word ".repeat(20).trim_end()),
            "discount": 12.5,
            "affiliateLink": "https://shop.example/p/7",
            "ratings": {"averageRating": 4.5, "totalRatings": 17},
            "createdAt": "2026-03-01T10:20:30.456Z",
            "verdict": {"kind": "new", "words": "New here"},
        }])
    );
    for view in ["view=", "view=cards", "VIEW=card"] {
        let list = server.json(&format!("/product/get-products?search=product&{view}"));
        assert_eq!(list, whole, "{view}");
    }
}

#[test]
fn a_new_product_gets_an_id_and_its_times() {
    let shop = Shop::with(&[product(1), product(2)]);
    let server = shop.serve();
    let products = server.list("");
    let ids: Vec<&str> = products
        .iter()
        .map(|product| product["_id"].as_str().unwrap())
        .collect();
    assert_ne!(ids[0], ids[1]);
    for product in &products {
        let created = product["createdAt"].as_str().unwrap();
        assert_eq!(created.len(), "2026-03-01T10:20:30.456Z".len());
        assert!(created.ends_with('Z'));
        assert_eq!(product["updatedAt"], created);
    }
}

#[test]
fn a_product_that_does_not_exist_is_a_json_404() {
    let shop = Shop::with(&[product(1)]);
    let server = shop.serve();
    for id in ["nope", "%00", "%FF", "1%27%20OR%201=1", "..%2f..%2fetc"] {
        let response = server.get(&format!("/product/product/{id}"));
        assert_eq!(response.status(), 404, "{id}");
        let body: Value = response.json().unwrap();
        assert!(body["error"].as_str().unwrap().ends_with('.'), "{body}");
    }
}

#[test]
fn related_products_are_ranked_by_shared_words() {
    let titled = |number: usize, title: &str, price: i64, changes: Value| {
        let mut row = json!({"_id": format!("p{number}"), "title": title, "price": price, "discount": 0,
            "source": "Croma"});
        let fields = row.as_object_mut().unwrap();
        fields.extend(changes.as_object().unwrap().clone());
        product_with(number, row)
    };
    let none = || json!({});
    let shop = Shop::with(&[
        titled(1, "Kavrel Bass 100 Wired Earphones (Black)", 400, none()),
        titled(2, "Kavrel Bass 100 Wired Earphones (Red)", 401, none()),
        titled(3, "Ludvane Clear Wired Earphones, Blue", 1_900, none()),
        titled(4, "Ludvane Clear Wired Earphones, Green", 1_800, none()),
        titled(5, "Pethora Wired Mouse", 900, none()),
        titled(6, "Phone Cover", 400, none()),
        titled(
            7,
            "Wired Earphones: a History",
            400,
            json!({"category": "Books"}),
        ),
        titled(8, "Steel Bottle", 400, json!({"category": "Home"})),
    ]);
    let server = shop.serve();
    let alike = server.json("/product/alike/p1");
    let titles = |row: &str| -> Vec<String> {
        let row = alike[row].as_array().unwrap();
        row.iter()
            .map(|tile| tile["title"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(
        titles("similar"),
        [
            "Ludvane Clear Wired Earphones, Green",
            "Pethora Wired Mouse",
            "Phone Cover"
        ]
    );
    // Those above are not repeated, and other categories come last.
    let mut seller = titles("seller");
    seller[1..].sort();
    assert_eq!(
        seller,
        [
            "Ludvane Clear Wired Earphones, Blue",
            "Steel Bottle",
            "Wired Earphones: a History"
        ]
    );
    assert_eq!(alike["sellerTotal"], 8);
}
