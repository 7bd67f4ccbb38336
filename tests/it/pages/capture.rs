//! Deals from outside: a category for a title.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::harness::{Shop, product_with};
use crate::support::people::People;

#[test]
fn a_new_deal_gets_the_category_of_the_deals_with_similar_titles() {
    let of = |n: usize, title: &str, category: &str| {
        product_with(n, json!({"title": title, "category": category}))
    };
    let shop = Shop::with(&[
        of(1, "Kavrel AirBud earbuds, black", "Electronics"),
        of(2, "Boltik earbuds with a case", "Electronics"),
        of(3, "Neelvasa black shirt", "Clothing"),
        of(4, "Neelvasa black jacket", "Clothing"),
        of(5, "Rangoli lamp for festivals", "Home"),
        of(6, "Rangoli lamp: a novel", "Books"),
    ]);
    let people = People::with(shop, &[]);
    let owner = people.join_as_admin("owner@example.com");
    let suggested = |words: &str| {
        let path = format!("/product/category-like?words={words}");
        let request = people.request(Method::GET, &path);
        let answer = request.header("cookie", &owner.cookie).send().unwrap();
        assert_eq!(answer.status(), 200);
        answer.json::<Value>().unwrap()
    };
    let electronics = json!({"category": "Electronics", "products": 2});
    assert_eq!(suggested("Earbuds+by+anyone"), electronics);
    // Two in black are shirts, but earbuds say more of earbuds.
    assert_eq!(suggested("Black+earbuds")["category"], "Electronics");
    assert_eq!(suggested("A+black+shirt")["category"], "Clothing");
    let none = json!({"category": null, "products": 0});
    for words in ["Rangoli+lamp", "kettle", "", "the", "%F0%9F%8E%89%22*"] {
        assert_eq!(suggested(words), none, "{words}");
    }
    let many = "earbuds+".repeat(900);
    assert_eq!(suggested(&many), electronics);
    let anonymous = people.server.get("/product/category-like?words=earbuds");
    assert_eq!(anonymous.status(), 401);
}
