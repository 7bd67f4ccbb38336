//! Pictures that owners upload.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use reqwest::Method;
use reqwest::blocking::Response;
use serde_json::{Value, json};

use super::product_forms::send as send_to;
use crate::support::harness::{Shop, product, product_with, succeeds, wait_until};
use crate::support::people::{People, Someone, at_once};

/// A picture whose parts differ, so that a turned one is told from another.
pub fn picture(width: u32, height: u32) -> DynamicImage {
    RgbImage::from_fn(width, height, |x, y| {
        let left = if x < width / 2 { 250 } else { 5 };
        Rgb([left, (y % 251) as u8, 90])
    })
    .into()
}

pub fn file(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

pub fn upload(people: &People, owner: &Someone, file: Vec<u8>) -> Response {
    let request = people.request(Method::POST, "/picture");
    let request = request.header("cookie", &owner.cookie);
    request.body(file).send().unwrap()
}

/// Uploads a picture and returns its address.
pub fn uploaded(people: &People, owner: &Someone, picture: &DynamicImage) -> String {
    let answer = upload(people, owner, file(picture, ImageFormat::Png));
    assert_eq!(answer.status(), 201);
    let answer: Value = answer.json().unwrap();
    answer["url"].as_str().unwrap().to_owned()
}

fn send(
    people: &People,
    owner: &Someone,
    method: Method,
    path: &str,
    body: &Value,
) -> (u16, Value) {
    let answer = send_to(people, owner, method, path, body);
    (answer.status().as_u16(), answer.json().unwrap())
}

/// Path of an absolute address.
pub fn path_of(address: &str) -> &str {
    &address[address.find("/picture/").unwrap()..]
}

fn shop_with_owner() -> (People, Someone) {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    (people, owner)
}

/// Inserts EXIF data: turned to the right by 90°, and a place.
fn with_exif(jpeg: &[u8]) -> Vec<u8> {
    let mut exif =
        b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0".to_vec();
    exif.extend(b"GPS 19.0760 N 72.8777 E");
    let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
    [&jpeg[..2], &[0xff, 0xe1], &length, &exif, &jpeg[2..]].concat()
}

#[test]
fn an_uploaded_picture_is_turned_and_loses_its_place() {
    let (people, owner) = shop_with_owner();
    let jpeg = with_exif(&file(&picture(1_200, 800), ImageFormat::Jpeg));
    let answer = upload(&people, &owner, jpeg);
    assert_eq!(answer.status(), 201);
    let answer: Value = answer.json().unwrap();
    assert_eq!(
        (&answer["width"], &answer["height"]),
        (&json!(480), &json!(720))
    );
    let address = answer["url"].as_str().unwrap();
    let path = path_of(address);
    assert!(path.ends_with("-480x720.webp"), "{path}");
    let served = people.server.get(path);
    let header = |name: &str| served.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(header("content-type"), "image/webp");
    assert_eq!(
        header("cache-control"),
        "public, max-age=31536000, immutable"
    );
    assert_eq!(header("x-content-type-options"), "nosniff");
    let webp = served.bytes().unwrap();
    assert!(
        !webp
            .windows(4)
            .any(|part| part == b"GPS " || part == b"EXIF")
    );
    let turned = image::load_from_memory(&webp).unwrap().to_rgb8();
    assert_eq!(turned.dimensions(), (480, 720));
    // The left half is above now.
    assert!(turned.get_pixel(240, 100)[0] > 200 && turned.get_pixel(240, 620)[0] < 50);

    let start = path.strip_suffix("-480x720.webp").unwrap();
    for (side, size) in [(360, (240, 360)), (96, (64, 96))] {
        let smaller = people.server.get(&format!("{start}-{side}.webp"));
        let smaller = image::load_from_memory(&smaller.bytes().unwrap()).unwrap();
        assert_eq!((smaller.width(), smaller.height()), size);
    }
    for other in [
        "-481x720.webp",
        "-97.webp",
        "-720.webp",
        ".webp",
        "-480x720.png",
    ] {
        let answer = people.server.get(&format!("{start}{other}"));
        assert_eq!(answer.status(), 404, "{other}");
    }
}

#[test]
fn a_form_uploads_a_picture_too() {
    let (people, owner) = shop_with_owner();
    let head = "--x\r\ncontent-disposition: form-data; name=\"a\"; filename=\"a.html\"\r\n\r\n";
    let picture = file(&picture(9, 9), ImageFormat::WebP);
    let body = [head.as_bytes(), &picture, b"\r\n--x--"].concat();
    let request = people.request(Method::POST, "/picture");
    let request = request.header("content-type", "multipart/form-data; boundary=x");
    let answer = request.header("cookie", &owner.cookie).body(body).send();
    assert_eq!(answer.unwrap().status(), 201);
}

#[test]
fn a_product_stores_an_own_picture_as_a_path_and_shows_its_address() {
    let (people, owner) = shop_with_owner();
    let address = uploaded(&people, &owner, &picture(100, 50));
    let other = "https://pictures.example/1.jpg";
    let body = product_with(1, json!({"images": [address, other]}));
    let added = send(&people, &owner, Method::POST, "/product/add-product", &body);
    assert_eq!(added.0, 201, "{added:?}");
    assert_eq!(added.1["product"]["images"], json!([address, other]));
    let id = added.1["product"]["_id"].as_str().unwrap();
    let stored: String = people
        .shop
        .database()
        .query_row("SELECT images FROM products", [], |row| row.get(0))
        .unwrap();
    assert_eq!(stored, json!([path_of(&address), other]).to_string());
    let shown = people.server.json(&format!("/product/product/{id}"));
    assert_eq!(shown["product"]["images"][0], address);
    let cards = people.server.json("/product/get-products?view=card");
    assert_eq!(cards["data"][0]["image"], address);
    let page = people.server.get(&format!("/details/{id}")).text().unwrap();
    assert!(page.contains(&format!("{address} 100w")), "{page}");

    let exported = people.request(Method::GET, "/product/export");
    let exported = exported.header("cookie", &owner.cookie).send().unwrap();
    let exported: Value = exported.json().unwrap();
    assert_eq!(exported[0]["images"], json!([address, other]));

    // An address that was read can be sent back, and is no change.
    let update = json!({"_id": id, "title": "Product 1", "description": body["description"], "price": 101,
        "discount": 10, "category": "Electronics", "source": "Amazon",
        "affiliateLink": body["affiliateLink"], "images": [address, other]});
    let path = format!("/product/update-product/{id}");
    let before = people.shop.log();
    assert_eq!(send(&people, &owner, Method::PUT, &path, &update).0, 200);
    assert_eq!(people.shop.log(), before);
}

#[test]
fn a_product_with_a_picture_that_is_not_there_is_refused() {
    let (people, owner) = shop_with_owner();
    let missing = format!("/picture/{}-10x10.webp", "0".repeat(32));
    let images = [missing.clone(), people.server.url(&missing)];
    let body = product_with(
        1,
        json!({"images": ["https://pictures.example/1.jpg", images[0]]}),
    );
    let (status, answer) = send(&people, &owner, Method::POST, "/product/add-product", &body);
    assert_eq!(status, 400);
    let message = "This picture is not in the shop any more. Upload it again.";
    assert_eq!(answer["fields"], json!({"images[1]": message}));
}

/// A PNG file whose head states a size.
fn png_of(width: u32, height: u32) -> Vec<u8> {
    let mut png = file(&picture(1, 1), ImageFormat::Png);
    png[16..20].copy_from_slice(&width.to_be_bytes());
    png[20..24].copy_from_slice(&height.to_be_bytes());
    let checksum = crc32fast::hash(&png[12..29]).to_be_bytes();
    png[29..33].copy_from_slice(&checksum);
    png
}

#[test]
fn files_that_are_no_small_pictures_are_refused_with_what_to_do() {
    let (people, owner) = shop_with_owner();
    let whole = file(&picture(300, 300), ImageFormat::Jpeg);
    for (bytes, words) in [
        (
            b"GIF89a...".to_vec(),
            "This is not a JPEG, PNG or WebP picture.",
        ),
        (
            b"<svg onload=alert(1)>".to_vec(),
            "This is not a JPEG, PNG or WebP picture.",
        ),
        (Vec::new(), "This is not a JPEG, PNG or WebP picture."),
        (
            b"\0\0\0\x18ftypheic".to_vec(),
            "This is a HEIC or AVIF picture",
        ),
        (
            png_of(50_000, 50_000),
            "This picture has 50000 × 50000 pixels",
        ),
        (png_of(100_000, 1), "This picture has 100000 × 1 pixels"),
        (
            whole[..whole.len() / 2].to_vec(),
            "This picture is damaged or cut off.",
        ),
        (vec![0xff; 9_000_000], "This picture has more than 8 MB."),
    ] {
        let answer = upload(&people, &owner, bytes);
        assert_eq!(answer.status(), 400, "{words}");
        let answer: Value = answer.json().unwrap();
        assert_eq!(answer["code"], "invalid_file");
        let sentence = answer["error"].as_str().unwrap();
        assert!(
            sentence.starts_with(words) && sentence.contains("again"),
            "{sentence}"
        );
    }
    let count = people
        .shop
        .database()
        .query_row("SELECT count(*) FROM pictures", [], |row| {
            row.get::<_, u64>(0)
        });
    assert_eq!(count.unwrap(), 0);
}

#[test]
fn a_picture_keeps_nothing_else_of_its_file() {
    let (people, owner) = shop_with_owner();
    let mut polyglot = file(&picture(40, 40), ImageFormat::Png);
    polyglot.extend(b"PK\x03\x04<script>alert(1)</script>");
    let answer = upload(&people, &owner, polyglot);
    assert_eq!(answer.status(), 201);
    let answer: Value = answer.json().unwrap();
    let served = people.server.get(path_of(answer["url"].as_str().unwrap()));
    let policy = served.headers()["content-security-policy"]
        .to_str()
        .unwrap();
    assert_eq!(policy, "default-src 'none'; sandbox");
    let webp = served.bytes().unwrap();
    assert!(webp.starts_with(b"RIFF") && !webp.windows(8).any(|part| part == b"<script>"));
}

#[test]
fn two_pictures_of_24_megapixels_take_the_memory_of_one() {
    let (people, owner) = shop_with_owner();
    let memory = |name: &str| -> u64 {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", people.server.pid())).unwrap();
        let line = status.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    };
    // Buffers that any upload takes.
    uploaded(&people, &owner, &picture(50, 50));
    let large = file(&picture(6_000, 4_000), ImageFormat::Jpeg);
    let idle = memory("VmRSS");
    let answers = at_once(2, |_| {
        upload(&people, &owner, large.clone()).status().as_u16()
    });
    assert_eq!(answers, [201, 201]);
    let taken = memory("VmHWM") - idle;
    assert!(taken < 120_000, "{taken} kB above {idle} kB");
}

#[test]
fn pictures_that_no_product_has_are_deleted_after_a_week() {
    let (people, owner) = shop_with_owner();
    let [used, unused, new] = [90, 91, 92].map(|side| uploaded(&people, &owner, &picture(side, 9)));
    let body = product_with(1, json!({"images": [used]}));
    send(&people, &owner, Method::POST, "/product/add-product", &body);
    let age = "UPDATE pictures SET used_at = used_at - 8 * 86400000 WHERE width < 92";
    people.shop.database().execute(age, []).unwrap();
    let (_, people) = people.restart();
    let status = |address: &str| people.server.get(path_of(address)).status().as_u16();
    wait_until("the picture is deleted", || status(&unused) == 404);
    assert_eq!((status(&used), status(&new)), (200, 200));
    // A week begins when it was last seen with a product.
    let sql = "SELECT count(*) FROM pictures WHERE used_at > unixepoch() * 1000 - 3600000";
    let recent = || {
        people
            .shop
            .database()
            .query_row(sql, [], |row| row.get::<_, u64>(0))
    };
    assert_eq!(recent().unwrap(), 2);
}

#[test]
fn a_backup_contains_the_pictures() {
    let (people, owner) = shop_with_owner();
    let address = uploaded(&people, &owner, &picture(300, 200));
    let bytes = people.server.get(path_of(&address)).bytes().unwrap();
    let checked = people.shop.run(&["check"]);
    let checked = String::from_utf8(checked.stdout).unwrap();
    assert!(checked.contains(", 1 picture of "), "{checked}");
    succeeds(people.shop.run(&["backup", "copy.sqlite"]));
    let other = Shop::with(&[product(1)]);
    let copy = people.shop.file("copy.sqlite");
    succeeds(other.run(&["restore", copy.to_str().unwrap()]));
    let key = "deals.sqlite.key";
    std::fs::copy(people.shop.file(key), other.file(key)).unwrap();
    let server = other.serve();
    assert_eq!(server.get(path_of(&address)).bytes().unwrap(), bytes);
}

#[test]
fn only_staff_upload_pictures() {
    let (people, _) = shop_with_owner();
    let user = people.join("user@example.com");
    let picture = file(&picture(9, 9), ImageFormat::Png);
    assert_eq!(upload(&people, &user, picture.clone()).status(), 403);
    let anonymous = people.request(Method::POST, "/picture").body(picture);
    assert_eq!(anonymous.send().unwrap().status(), 401);
}
