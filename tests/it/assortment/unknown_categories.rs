//! Categories of a file that the shop does not have.

use reqwest::Method;
use serde_json::{Value, json};

use crate::files::{import, refused};
use crate::people::keys::key_of;
use crate::support::harness::{Shop, product_with, succeeds};
use crate::support::people::People;

/// A table with a row of each category.
fn table(categories: &[&str]) -> String {
    let mut file = "title,description,price,link,image,source,category\n".to_owned();
    for (n, category) in categories.iter().enumerate() {
        file += &format!(
            "Thing {n},A thing of the shop,499,https://shop.example/{n},https://p.example/{n}.jpg,Croma,\"{category}\"\n"
        );
    }
    file
}

/// Names of the categories in their order, those of products, and the log.
fn names(shop: &Shop, sql: &str) -> Vec<String> {
    let database = shop.database();
    let mut names = database.prepare(sql).unwrap();
    let names = names.query_map([], |row| row.get(0)).unwrap();
    names.collect::<Result<_, _>>().unwrap()
}

fn categories(shop: &Shop) -> Vec<String> {
    names(
        shop,
        "SELECT name FROM categories ORDER BY parent IS NOT NULL, position",
    )
}

fn of_products(shop: &Shop) -> Vec<String> {
    let sql =
        "SELECT name FROM products JOIN categories ON categories.key = category ORDER BY title";
    names(shop, sql)
}

const CREATE: &str = "--create-categories";

#[test]
fn an_import_adds_unknown_categories_only_if_it_is_told_to() {
    let file = table(&["Toys", "toys", "Pets > Dogs", "Home/Kitchen", "Pets"]);
    let error = refused("a.csv", file.as_bytes(), &[]);
    assert!(
        error.contains("“Toys” is not one of your categories"),
        "{error}"
    );

    let shop = Shop::new();
    let said = succeeds(import(
        &shop,
        "a.csv",
        file.as_bytes(),
        &[CREATE, "--dry-run"],
    ));
    assert!(said.contains("new categories: Toys, Pets"), "{said}");
    assert!(!shop.db().exists());
    succeeds(import(&shop, "a.csv", file.as_bytes(), &[CREATE]));
    let all = ["Electronics", "Clothing", "Books", "Home", "Toys", "Pets"];
    assert_eq!(categories(&shop), all);
    assert_eq!(of_products(&shop), ["Toys", "Toys", "Pets", "Home", "Pets"]);
    assert!(shop.log().contains("Pets"), "{}", shop.log());

    let said = succeeds(import(&shop, "a.csv", file.as_bytes(), &[CREATE]));
    assert!(said.contains("0 added, 0 updated, 5 unchanged"), "{said}");
    assert_eq!(categories(&shop), all);

    let own = json!([product_with(9, json!({"category": "Garden"}))]).to_string();
    let error = refused("own.json", own.as_bytes(), &[]);
    assert!(error.contains("\"Garden\" is not a category"), "{error}");
    succeeds(import(&shop, "own.json", own.as_bytes(), &[CREATE]));
    assert_eq!(categories(&shop).last().unwrap(), "Garden");
}

#[test]
fn names_that_can_be_no_category_and_too_many_are_refused_in_words() {
    let emoji = "🎧".repeat(200);
    let shop = Shop::new();
    for (name, reason) in [
        (
            "Toys/Games",
            "“Toys/Games” can't be a category: name must not contain /",
        ),
        (
            emoji.as_str(),
            "can't be a category: name must have 1 to 40 characters",
        ),
        ("!!", "name needs a letter or a digit"),
    ] {
        let error = refused("a.csv", table(&[name]).as_bytes(), &[CREATE]);
        assert!(error.contains(reason), "{error}");
        let own = json!([product_with(1, json!({"category": name}))]).to_string();
        let error = refused("own.json", own.as_bytes(), &[CREATE]);
        assert!(error.contains(reason), "{error}");
    }
    let many: Vec<String> = (0..2_000).map(|n| format!("Kind{n} z")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let file = table(&many);
    let error = refused("a.csv", file.as_bytes(), &[CREATE]);
    assert!(
        error.contains("There are 200 categories already"),
        "{error}"
    );
    let options = [CREATE, "--skip-invalid"];
    let said = succeeds(import(&shop, "a.csv", file.as_bytes(), &options));
    assert!(said.contains("196 added"), "{said}");
    assert_eq!(categories(&shop).len(), 200);
}

#[test]
fn a_category_of_refused_rows_is_not_added() {
    let shop = Shop::new();
    let file = table(&["Toys", "Pets"]).replacen(",499,", ",none at all,", 1);
    let options = [CREATE, "--skip-invalid"];
    let said = succeeds(import(&shop, "a.csv", file.as_bytes(), &options));
    assert!(said.contains("new categories: Pets\n"), "{said}");
    assert_eq!(categories(&shop).last().unwrap(), "Pets");
    assert_eq!(categories(&shop).len(), 5);
}

#[test]
fn a_mapping_names_new_categories_and_leaves_rows_out() {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    let file = table(&["Toys & Games", "Gift cards", "Novelties"]);
    let call = |method: Method, path: &str, body: String| -> (u16, Value) {
        let request = people.request(method, path).header("cookie", &owner.cookie);
        let request = request.header("content-type", "application/json");
        let answer = request.body(body).send().unwrap();
        (answer.status().as_u16(), answer.json().unwrap())
    };
    let (_, seen) = call(Method::POST, "/product/import/preview", file.clone());
    assert_eq!(seen["categories"].as_array().unwrap().len(), 3);
    assert_eq!(seen["newCategories"], json!([]));
    let mut mapping = seen["mapping"].clone();
    mapping["fields"]["category"]["table"] =
        json!({"Toys & Games": "+Toys", "Gift cards": null, "Novelties": "Home"});
    let saved = call(Method::PUT, "/product/mappings/croma", mapping.to_string());
    assert_eq!(saved.0, 200, "{}", saved.1);
    let by = "mapping=croma&skipInvalid=true";
    let (_, seen) = call(
        Method::POST,
        &format!("/product/import/preview?{by}"),
        file.clone(),
    );
    assert_eq!(seen["newCategories"], json!(["Toys"]));
    assert_eq!((&seen["valid"], &seen["refused"]), (&json!(2), &json!(1)));

    // Only administrators add categories.
    let key = key_of(&people, &owner, "Feeds", &["import"]);
    let of_key = |query: &str| -> (u16, String) {
        let request = people.request(Method::POST, &format!("/product/import?{query}"));
        let answer = request.bearer_auth(&key).body(file.clone()).send().unwrap();
        (answer.status().as_u16(), answer.text().unwrap())
    };
    for query in [by, "createCategories=true"] {
        let (status, error) = of_key(query);
        assert_eq!(status, 400, "{error}");
        assert!(error.contains("an administrator has to add it"), "{error}");
    }
    let (status, done) = call(Method::POST, &format!("/product/import?{by}"), file.clone());
    assert_eq!(status, 200, "{done}");
    assert_eq!(done["newCategories"], json!(["Toys"]));
    assert_eq!(of_products(&people.shop), ["Toys", "Home"]);
    // The mapping finds what it has created.
    let (status, again) = of_key(by);
    assert_eq!(status, 200, "{again}");
    assert!(again.contains("\"unchanged\":2"), "{again}");
    let (_, rest) = call(
        Method::POST,
        "/product/import?createCategories=true",
        file.clone(),
    );
    assert_eq!(
        rest["newCategories"],
        json!(["Toys & Games", "Gift cards", "Novelties"])
    );

    mapping["fields"]["category"]["table"] = json!({"Toys & Games": "+a/b"});
    call(Method::PUT, "/product/mappings/bad", mapping.to_string());
    let (_, error) = call(Method::POST, "/product/import?mapping=bad", file.clone());
    let error = error["error"].as_str().unwrap();
    assert!(error.contains("“a/b” can't be a category"), "{error}");
}
