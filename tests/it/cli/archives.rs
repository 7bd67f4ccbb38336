//! Archives of a whole shop: products, categories and pictures.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use reqwest::Method;
use serde_json::{Value, json};

use super::archived_shop::{arrange, shown};
use crate::api::pictures::{file, uploaded};
use crate::api::product_forms::send;
use crate::files::workbooks::zip;
use crate::files::{import, refused};
use crate::people::keys::key_of;
use crate::support::harness::{Shop, product_with, succeeds};
use crate::support::people::{People, Someone};

fn photo(width: u32, height: u32) -> DynamicImage {
    RgbImage::from_fn(width, height, |x, y| {
        Rgb([(x % 251) as u8, (y % 241) as u8, ((x * y) % 239) as u8])
    })
    .into()
}

fn accepted(people: &People, owner: &Someone, method: Method, path: &str, body: Value) -> Value {
    let answer = send(people, owner, method, path, &body);
    let status = answer.status();
    let answer: Value = answer.json().unwrap();
    assert!(status.is_success(), "{path} {answer}");
    answer
}

/// A shop with categories in two levels and their order, and two deals with own pictures; and its archive.
fn filled() -> (People, Someone, Vec<u8>) {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    let send =
        |method: Method, path: &str, body: Value| accepted(&people, &owner, method, path, body);
    let toys = json!({"name": "Toys", "drawing": "plug", "ground": 7, "position": 0});
    send(Method::POST, "/category", toys);
    let below = json!({"name": "Board games", "parent": "toys", "text": "For *rainy* days.", "hidden": true});
    send(Method::POST, "/category", below);
    send(
        Method::PUT,
        "/category/books",
        json!({"name": "Novels", "position": 1, "ground": 3}),
    );
    let large = uploaded(&people, &owner, &photo(900, 700));
    let small = uploaded(&people, &owner, &photo(40, 30));
    let other = "https://pictures.example/1.jpg";
    for (n, category, images) in [
        (1, "Board games", json!([large, other])),
        (2, "Novels", json!([small])),
    ] {
        let body = product_with(n, json!({"category": category, "images": images}));
        send(Method::POST, "/product/add-product", body);
    }
    arrange(&people, &send, [&large, &small]);
    let request = people.request(Method::GET, "/product/export?format=zip");
    let answer = request.header("cookie", &owner.cookie).send().unwrap();
    assert_eq!(answer.headers()["content-type"], "application/zip");
    let archive = answer.bytes().unwrap().to_vec();
    (people, owner, archive)
}

/// Everything of a shop that an archive carries.
fn contents(shop: &Shop) -> (String, Vec<String>, Vec<String>) {
    let database = shop.database();
    let lines = |sql: &str| -> Vec<String> {
        let mut lines = database.prepare(sql).unwrap();
        let lines = lines.query_map([], |row| row.get(0)).unwrap();
        lines.collect::<Result<_, _>>().unwrap()
    };
    let categories = lines(
        "SELECT concat_ws('|', own.name, own.slug, above.name, own.hidden, own.drawing, own.ground, own.text) \
         FROM categories AS own LEFT JOIN categories AS above ON above.number = own.parent \
         ORDER BY coalesce(above.position, own.position), own.parent IS NOT NULL, own.position",
    );
    let pictures = lines(
        "SELECT concat_ws('|', hash, side, width, height, bytes, hex(webp)) \
         FROM picture_files JOIN pictures USING (hash) ORDER BY hash, side",
    );
    (succeeds(shop.run(&["export"])), categories, pictures)
}

fn unpacked(archive: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let mut archive = zip::ZipArchive::new(Cursor::new(archive)).unwrap();
    (0..archive.len())
        .map(|index| {
            let mut file = archive.by_index(index).unwrap();
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).unwrap();
            (file.name().unwrap().into_owned(), bytes)
        })
        .collect()
}

/// Bytes that do not compress.
fn noise(length: u32) -> Vec<u8> {
    (0..length)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect()
}

fn packed(files: &BTreeMap<String, Vec<u8>>) -> Vec<u8> {
    let files: Vec<_> = files
        .iter()
        .map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
        .collect();
    zip(&files)
}

#[test]
fn an_archive_makes_the_same_shop_elsewhere_and_changes_nothing_when_it_is_imported_again() {
    let (people, _, archive) = filled();
    let shop = Shop::new();
    let said = succeeds(import(&shop, "shop.zip", &archive, &[]));
    assert!(said.contains("2 added"), "{said}");
    let (products, categories, pictures) = contents(&shop);
    let expected = contents(&people.shop);
    assert_eq!(products, expected.0);
    assert_eq!(categories, expected.1);
    assert!(pictures == expected.2);
    assert!(
        products.contains("\"category\":\"Board games\""),
        "{products}"
    );
    assert!(products.contains("[\"/picture/"), "{products}");
    assert_eq!(
        categories[..3],
        [
            "Toys|toys|0|plug|7|",
            "Board games|board-games|Toys|1|package|4|For *rainy* days.",
            "Novels|novels|0|book-open|3|",
        ]
    );
    assert_eq!(pictures.len(), 4);
    assert_eq!(shown(&shop), shown(&people.shop));
    // Two collections, an offer, the settings, a mapping and a former name.
    assert_eq!(shown(&shop).len(), 6);

    let version = || -> i64 {
        let sql = "SELECT version FROM settings";
        shop.database()
            .query_row(sql, [], |row| row.get(0))
            .unwrap()
    };
    let (before, log, around, changes) = (contents(&shop), shop.log(), shown(&shop), version());
    let said = succeeds(import(&shop, "shop.zip", &archive, &[]));
    assert!(said.contains("0 added, 0 updated, 2 unchanged"), "{said}");
    assert!(contents(&shop) == before);
    assert_eq!(shop.log(), log);
    assert_eq!(shown(&shop), around);
    assert_eq!(version(), changes);
    // Of a command, it is the same to the byte.
    let file = people.shop.file("again.zip");
    succeeds(
        people
            .shop
            .run(&["export", "--format", "zip", "--output", "again.zip"]),
    );
    assert_eq!(std::fs::read(file).unwrap(), archive);

    // The new shop shows the pictures at its own address.
    let server = shop.serve();
    let address = server.list("")[0]["images"][0].as_str().unwrap().to_owned();
    assert!(address.starts_with(&server.url("/picture/")), "{address}");
    assert_eq!(server.client().get(address).send().unwrap().status(), 200);
}

#[test]
fn an_archive_adds_missing_categories_to_a_shop_in_use_and_leaves_others_as_they_are() {
    let (_, _, archive) = filled();
    let people = People::with(Shop::with(&[product_with(7, json!({"_id": "own"}))]), &[]);
    let owner = people.join_as_admin("bina@example.com");
    let toys = json!({"name": "TOYS", "ground": 2});
    accepted(&people, &owner, Method::POST, "/category", toys);
    let preview = people.request(Method::POST, "/product/import/preview");
    let preview = preview
        .header("cookie", &owner.cookie)
        .body(archive.clone());
    let preview: Value = preview.send().unwrap().json().unwrap();
    assert_eq!(
        (&preview["valid"], &preview["refused"]),
        (&json!(2), &json!(0)),
        "{preview}"
    );
    assert_eq!(contents(&people.shop).1.len(), 5);

    let request = people.request(Method::POST, "/product/import");
    let answer = request
        .header("cookie", &owner.cookie)
        .body(archive)
        .send()
        .unwrap();
    let answer: Value = answer.json().unwrap();
    assert_eq!(answer["added"], 2, "{answer}");
    let (_, categories, _) = contents(&people.shop);
    assert_eq!(
        categories,
        [
            "Electronics|electronics|0|plug|1|",
            "Clothing|clothing|0|shirt|2|",
            "Books|books|0|book-open|3|",
            "Home|home|0|house|4|",
            "TOYS|toys|0|package|2|",
            "Board games|board-games|TOYS|1|package|4|For *rainy* days.",
            "Novels|novels|0|book-open|3|",
        ]
    );
    let found = people.server.list("category=TOYS");
    assert_eq!(
        found[0]["categoryPath"],
        json!(["TOYS", "Board games"]),
        "{found:?}"
    );
    assert_eq!(people.server.list("search=board").len(), 1);
}

#[test]
fn an_archive_of_thousands_of_products_comes_with_its_categories() {
    let products: Vec<Value> = (0..1_500)
        .map(|n| product_with(n, json!({"category": "Board games"})))
        .collect();
    let categories = json!([{"name": "Toys"}, {"name": "Board games", "parent": "Toys"}]);
    let archive = zip(&[
        ("products.json", &serde_json::to_vec(&products).unwrap()),
        ("categories.json", &serde_json::to_vec(&categories).unwrap()),
    ]);
    let shop = Shop::with(&[product_with(9_999, json!({}))]);
    let said = succeeds(import(&shop, "shop.zip", &archive, &[]));
    assert!(said.contains("1,500 added"), "{said}");
    let server = shop.serve();
    let listed = server.json("/product/get-products?category=Toys");
    assert_eq!(listed["meta"]["total"], 1_500, "{}", listed["meta"]);
    let said = succeeds(import(&shop, "shop.zip", &archive, &[]));
    assert!(said.contains("1,500 unchanged"), "{said}");
}

#[test]
fn a_key_adds_no_categories_by_an_archive() {
    let (people, owner, archive) = filled();
    let key = key_of(&people, &owner, "Feeds", &["import"]);
    let empty = zip(&[
        ("products.json", b"[]"),
        (
            "categories.json",
            br#"[{"name": "Books", "ground": 8}, {"name": "Maps"}]"#,
        ),
    ]);
    let categories = contents(&people.shop).1;
    for archive in [&archive, &empty] {
        let request = people.request(Method::POST, "/product/import");
        let request = request.bearer_auth(&key);
        let answer = request.body(archive.clone()).send().unwrap();
        assert_eq!(answer.status(), 200);
    }
    assert_eq!(contents(&people.shop).1, categories);
    let mut files = unpacked(&archive);
    let text = |name: &str| String::from_utf8(files[name].clone()).unwrap();
    let [products, categories] = ["products.json", "categories.json"]
        .map(|name| text(name).replace("Novels", "Maps").into_bytes());
    files.insert("products.json".to_owned(), products);
    files.insert("categories.json".to_owned(), categories);
    let request = people.request(Method::POST, "/product/import");
    let request = request.bearer_auth(&key);
    let answer = request.body(packed(&files)).send().unwrap();
    assert_eq!(answer.status(), 400);
    assert!(answer.text().unwrap().contains("category"));
}

#[test]
fn a_dry_run_of_an_archive_writes_nothing() {
    let (_, _, archive) = filled();
    let shop = Shop::with(&[product_with(7, json!({}))]);
    let before = contents(&shop);
    let said = succeeds(import(&shop, "shop.zip", &archive, &["--dry-run"]));
    assert!(said.contains("2 added"), "{said}");
    assert!(contents(&shop) == before);
}

/// An archive, changed, and a part of the reason for which it is refused.
type Refusal<'a> = (&'a dyn Fn(&mut BTreeMap<String, Vec<u8>>), &'a str);

#[test]
fn archives_that_no_shop_exports_are_refused_and_leave_nothing() {
    let (_, _, archive) = filled();
    let files = unpacked(&archive);
    let large = files
        .keys()
        .find(|name| name.ends_with("-720x560.webp"))
        .unwrap();
    let middle = files
        .keys()
        .find(|name| name.ends_with("-360.webp"))
        .unwrap();
    let add = |files: &mut BTreeMap<String, Vec<u8>>, name: &str, bytes: &[u8]| {
        files.insert(name.to_owned(), bytes.to_vec());
    };
    let bomb = file(&DynamicImage::new_rgb8(9_000, 9_000), ImageFormat::Png);
    let polyglot = [&files[middle][..], b"<script>"].concat();
    let cases: [Refusal<'_>; 14] = [
        (
            &|it| add(it, "../../etc/passwd", b"x"),
            "a file \"../../etc/passwd\", which no export",
        ),
        (
            &|it| add(it, "/etc/passwd", b"x"),
            "a file \"/etc/passwd\", which no export",
        ),
        (
            &|it| add(it, "pictures\\..\\x.webp", b"x"),
            "which no export",
        ),
        (
            &|it| add(it, large, b"no picture"),
            "is not as this program writes it",
        ),
        (
            &|it| add(it, middle, &bomb),
            "is not as this program writes it",
        ),
        (
            &|it| add(it, middle, &polyglot),
            "is not as this program writes it",
        ),
        (&|it| add(it, middle, &noise(3 << 20)), "has more than 2 MB"),
        (
            &|it| drop(it.remove(middle)),
            "is not as this program writes it",
        ),
        (&|it| drop(it.remove(large)), "has no largest file"),
        (
            &|it| add(it, "categories.json", b"{"),
            "categories.json is no list of categories",
        ),
        (
            &|it| add(it, "shop.json", br#"{"collections": [{"name": "x"}]}"#),
            "its collection \"x\": Give a rule",
        ),
        (
            &|it| {
                add(
                    it,
                    "shop.json",
                    br#"{"frontPage": [{"kind": "banner", "link": "javascript:x"}]}"#,
                );
            },
            "its home page: Section no. 1: The link",
        ),
        (
            &|it| {
                add(
                    it,
                    "shop.json",
                    br#"{"offers": {"Amazon": [{"kind": "magic"}]}}"#,
                );
            },
            "its offer of Amazon:",
        ),
        (
            &|it| add(it, "categories.json", br#"[{"name": "a/b"}]"#),
            "category \"a/b\": name must not contain",
        ),
    ];
    for (change, reason) in cases {
        let mut changed = files.clone();
        change(&mut changed);
        let error = refused("shop.zip", &packed(&changed), &[]);
        assert!(error.contains(reason), "{reason}: {error}");
    }
    let error = refused("shop.zip", &archive[..archive.len() / 2], &[]);
    assert!(error.contains("damaged or cut off"), "{error}");

    // A name twice, as no writer makes it.
    let mut twice = files.clone();
    add(&mut twice, "categories_json", b"[]");
    let mut twice = packed(&twice);
    let wrong = b"categories_json";
    while let Some(at) = twice.windows(wrong.len()).position(|part| part == wrong) {
        twice[at..at + wrong.len()].copy_from_slice(b"categories.json");
    }
    let error = refused("shop.zip", &twice, &[]);
    assert!(
        error.contains("the file \"categories.json\" twice"),
        "{error}"
    );
}

#[test]
fn an_archive_with_an_invalid_product_leaves_a_shop_as_it_was() {
    let (_, _, archive) = filled();
    let mut files = unpacked(&archive);
    let products = String::from_utf8(files["products.json"].clone()).unwrap();
    let products = products.replacen("\"category\":\"Novels\"", "\"category\":\"Maps\"", 1);
    files.insert("products.json".to_owned(), products.into_bytes());
    let shop = Shop::with(&[product_with(7, json!({}))]);
    let before = contents(&shop);
    let failed = import(&shop, "shop.zip", &packed(&files), &[]);
    assert_eq!(failed.status.code(), Some(1));
    assert!(contents(&shop) == before);
}
