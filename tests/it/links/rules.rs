//! Rules of links that an owner adds in a file.

use serde_json::{Value, json};

use crate::support::harness::{Shop, misused, product, product_with, succeeds};

const RULES: &str = r#"{
  "shops": [{
    "name": "Chai",
    "hosts": ["www.chai.example"],
    "shorteners": ["chai.example/s"],
    "ids": ["/p/{id}"],
    "link": "https://www.chai.example/p/{id}",
    "tag": "aff"
  }],
  "networks": [{"name": "Deal wala", "hosts": ["go.wala.example"], "target": ["to"]}]
}"#;

#[test]
fn link_rules_from_a_file_work_like_the_built_in_ones() {
    let shop = Shop::with(&[product(7)]);
    std::fs::write(shop.file("rules.json"), RULES).unwrap();
    let by_file = ["--link-rules", "rules.json"];
    let tag = ["links", "tag", "--source", "Chai", "mine-21"];
    succeeds(shop.run(&[&tag[..], &by_file].concat()));
    let target = "https://www.chai.example/p/9?aff=other-21";
    let encoded = target.replace(':', "%3A").replace('/', "%2F");
    let encoded = encoded.replace('?', "%3F").replace('=', "%3D");
    let wrapped = format!("https://go.wala.example/x?to={encoded}");
    let products: Vec<Value> = [target, &wrapped]
        .iter()
        .enumerate()
        .map(|(n, link)| product_with(n, json!({"source": "Chai", "affiliateLink": link})))
        .collect();
    for product in products {
        let json = json!([product]).to_string();
        succeeds(shop.import(&json, &by_file));
    }
    let exported = succeeds(shop.run(&["export"]));
    let exported: Vec<Value> = serde_json::from_str(&exported).unwrap();
    let of_shop = exported.iter().filter(|it| it["source"] == "Chai");
    let links: Vec<&Value> = of_shop.map(|it| &it["affiliateLink"]).collect();
    assert!(!links.is_empty());
    for link in links {
        assert_eq!(link, "https://www.chai.example/p/9?aff=mine-21");
    }
}

#[test]
fn an_invalid_link_rules_file_is_refused_with_the_mistake() {
    let shop = Shop::new();
    for (rules, words) in [
        ("", "EOF"),
        ("{\"shop\": []}", "unknown field `shop`"),
        ("{\"shops\": [{\"name\": \"Chai\"}]}", "missing field"),
        (
            "{\"shops\": [{\"name\": \"Chai\", \"hosts\": [], \"ids\": [], \"link\": \"x\"}]}",
            "has no hosts",
        ),
    ] {
        std::fs::write(shop.file("rules.json"), rules).unwrap();
        let said = misused(shop.run(&["export", "--link-rules", "rules.json"]));
        assert!(
            said.contains("the link rules in rules.json cannot be used"),
            "{said}"
        );
        assert!(said.contains(words), "{said}");
    }
    let said = misused(shop.run(&["export", "--link-rules", "none.json"]));
    assert!(said.contains("none.json cannot be used"), "{said}");
}
