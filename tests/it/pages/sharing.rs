//! Preview pictures.

use std::fs;

use png::{ColorType, Decoder, Encoder};
use reqwest::Method;
use serde_json::{Value, json};

use super::server_rendering::page;
use crate::api::pictures::uploaded;
use crate::api::product_forms::{accepted, send};
use crate::office::prices::make_up;
use crate::support::harness::{Server, Shop, product_with, succeeds, wait_until};
use crate::support::people::People;

const ACCENT: [u8; 3] = [0xf4, 0xb2, 0x23];
const RED: [u8; 3] = [0xd0, 0x10, 0x20];
const WHITE: [u8; 3] = [0xff; 3];

/// Returns the address of a page's preview picture, as a path if it is the shop's.
fn shared(server: &Server, path: &str) -> String {
    let page = page(server, path);
    let rest = page.split("property=\"og:image\" content=\"").nth(1);
    let address = rest.unwrap().split('"').next().unwrap();
    let is_made = address.contains("/share");
    assert_eq!(
        page.contains("property=\"og:image:width\" content=\"1200\""),
        is_made
    );
    assert_eq!(
        page.contains("property=\"og:image:height\" content=\"630\""),
        is_made
    );
    let own = address.strip_prefix(server.url("").as_str());
    own.unwrap_or(address).to_owned()
}

/// A generated picture: rows of pixels.
struct Drawn(Vec<u8>);

impl Drawn {
    fn get(server: &Server, path: &str) -> Self {
        let answer = server.get(path);
        assert_eq!(answer.status(), 200, "{path}");
        assert_eq!(answer.headers()["content-type"], "image/png");
        assert_eq!(answer.headers().get("content-encoding"), None);
        let file = answer.bytes().unwrap();
        let mut reader = Decoder::new(std::io::Cursor::new(file))
            .read_info()
            .unwrap();
        assert_eq!((reader.info().width, reader.info().height), (1_200, 630));
        assert_eq!(reader.info().color_type, ColorType::Rgb);
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        Self(pixels)
    }

    fn pixel(&self, x: usize, y: usize) -> [u8; 3] {
        let from = (y * 1_200 + x) * 3;
        self.0[from..from + 3].try_into().unwrap()
    }

    /// Returns true if a pixel has a colour, up to rounding.
    fn shows(&self, x: usize, y: usize, colour: [u8; 3]) -> bool {
        let mut channels = self.pixel(x, y).into_iter().zip(colour);
        channels.all(|(one, two)| one.abs_diff(two) <= 2)
    }

    /// Returns true if something is drawn between two heights, right of the logo.
    fn says_something(&self, from: usize, to: usize) -> bool {
        (from..to).any(|y| (240..1_200).any(|x| self.pixel(x, y) != WHITE))
    }
}

fn shop(images: &Value) -> Shop {
    Shop::with(&[product_with(1, json!({"_id": "p1", "images": images}))])
}

#[test]
fn a_product_without_a_usable_picture_gets_a_share_picture() {
    let people = People::with(
        shop(&json!([
            "https://pictures.example/1.SVG?x=1",
            "https://pictures.example/1.avif",
        ])),
        &[],
    );
    let owner = people.join_as_admin("owner@example.com");
    let server = &people.server;
    let before = shared(server, "/details/p1");
    assert!(before.starts_with("/share/p1.png?v="), "{before}");
    let drawn = Drawn::get(server, &before);
    assert!(drawn.shows(600, 629, ACCENT));
    for (what, from, to) in [("name", 80, 140), ("title", 190, 240), ("price", 430, 505)] {
        assert!(drawn.says_something(from, to), "{what}");
    }
    // The list price proves nothing.
    assert!(!drawn.says_something(535, 580));
    // Its title needs one line.
    assert!(!drawn.says_something(260, 400));

    let changed = product_with(
        1,
        json!({"price": 250, "discount": 0, "images": ["https://pictures.example/1.svg"]}),
    );
    let path = "/product/update-product/p1";
    accepted(&people, &owner, Method::PUT, path, &changed);
    let after = shared(server, "/details/p1");
    assert_ne!(after, before);
    let drawn_after = Drawn::get(server, &after);
    assert_ne!(drawn_after.0, drawn.0);
    // Nothing is struck without a discount.
    assert!((478..490).all(|y| (485..780).all(|x| drawn_after.pixel(x, y) == WHITE)));

    // A picture that every messenger can show wins, wherever it is in the list.
    let pictures =
        ["1.svg", "2.webp", "3.jpg"].map(|name| format!("https://pictures.example/{name}"));
    let pictures = [&["http://pictures.example/0.jpg".to_owned()], &pictures[..]].concat();
    let changed = product_with(1, json!({"images": pictures}));
    accepted(&people, &owner, Method::PUT, path, &changed);
    assert_eq!(shared(server, "/details/p1"), pictures[3]);
    assert!(shared(server, "/").starts_with("/share.png?v="));
    let changed = product_with(1, json!({"images": pictures[..3]}));
    accepted(&people, &owner, Method::PUT, path, &changed);
    assert!(shared(server, "/details/p1").starts_with("/share/p1.png?v="));
    assert_eq!(server.get("/share/p2.png").status(), 404);
}

#[test]
fn an_own_picture_is_shared_by_its_absolute_address_and_size() {
    let people = People::with(Shop::new(), &["--public-url", "https://deals.example"]);
    let owner = people.join_as_admin("owner@example.com");
    for (side, card) in [((900, 700), "summary_large_image"), ((100, 90), "summary")] {
        let (width, height) = side;
        let address = uploaded(
            &people,
            &owner,
            &image::DynamicImage::new_rgb8(width, height),
        );
        assert!(
            address.starts_with("https://deals.example/picture/"),
            "{address}"
        );
        let body = product_with(width as usize, json!({"images": [address]}));
        let added = send(&people, &owner, Method::POST, "/product/add-product", &body);
        let added: Value = added.json().unwrap();
        let id = added["product"]["_id"].as_str().unwrap();
        let page = page(&people.server, &format!("/details/{id}"));
        let (width, height) = if width > 720 {
            (720, 560)
        } else {
            (width, height)
        };
        for tag in [
            format!("property=\"og:image\" content=\"{address}\""),
            format!("property=\"og:image:width\" content=\"{width}\""),
            format!("property=\"og:image:height\" content=\"{height}\""),
            format!("name=\"twitter:card\" content=\"{card}\""),
            format!("\"image\":[\"{address}\"]"),
        ] {
            assert!(page.contains(&tag), "{tag}");
        }
        let feed = people.server.get("/feed.xml").text().unwrap();
        assert!(
            feed.contains(&format!("src=\"{address}\"").replace('"', "&quot;"))
                || feed.contains(&address),
            "{feed}"
        );
    }
}

#[test]
fn a_hidden_price_is_not_on_the_share_picture() {
    let images = json!(["https://pictures.example/1.svg"]);
    let product = json!({"_id": "p1", "images": images, "price": 1_000, "discount": 30});
    let shop = Shop::with(&[product_with(1, product)]);
    make_up(&shop, "p1", &[(90, 100_000, 100_000), (2, 100_000, 70_000)]);
    let server = shop.serve();
    // A price that is proven to be low says so.
    let told = shared(&server, "/details/p1");
    let drawn = Drawn::get(&server, &told);
    assert!(drawn.says_something(535, 580));
    // Its line stands beside the words, on green.
    assert!(drawn.shows(1_190, 600, [0xdf, 0xf2, 0xe6]));
    assert!(drawn.shows(1_000, 60, [0xf4, 0xf4, 0xf2]));
    shop.set_rules("Amazon", r#"{"showPrice": false}"#);
    wait_until("the rule counts", || shared(&server, "/details/p1") != told);
    let held_back = Drawn::get(&server, &shared(&server, "/details/p1"));
    // "See price on Amazon" replaces the price, with nothing below it.
    assert!(held_back.says_something(430, 505));
    assert!(!held_back.says_something(535, 580));
    assert!(held_back.shows(1_190, 600, WHITE));
    // Nor does the old address show it.
    assert_eq!(Drawn::get(&server, &told).0, held_back.0);
}

#[test]
fn a_picture_that_did_not_load_is_not_shared_until_it_does() {
    let (one, two) = (
        "https://pictures.example/1.jpg",
        "https://pictures.example/2.jpg",
    );
    let people = People::with(shop(&json!([one, two])), &[]);
    let owner = people.join_as_admin("owner@example.com");
    let tell = |how: &str, image: &str| {
        let path = format!("/product/picture-{how}/p1");
        let body = json!({"image": image});
        accepted(&people, &owner, Method::POST, &path, &body);
    };
    let shared = || shared(&people.server, "/details/p1");
    assert_eq!(shared(), one);
    tell("failed", one);
    assert_eq!(shared(), two);
    tell("failed", two);
    assert!(shared().starts_with("/share/p1.png?v="));
    tell("loads", one);
    assert_eq!(shared(), one);
}

#[test]
fn the_share_picture_of_the_shop_has_its_name_logo_and_accent() {
    let shop = shop(&json!(["https://pictures.example/1.svg"]));
    let set = |values: &[&str]| {
        let arguments: Vec<&str> = ["settings", "set"].iter().chain(values).copied().collect();
        succeeds(shop.run(&arguments));
    };
    set(&["page.about=draft"]);
    let server = shop.serve();
    let of_the_program = shared(&server, "/pages/about");
    assert!(
        of_the_program.starts_with("/share.png?v="),
        "{of_the_program}"
    );
    // The list has no suitable picture either.
    assert_eq!(shared(&server, "/"), of_the_program);
    // The logo with its rounded corner.
    let drawn = Drawn::get(&server, &of_the_program);
    assert!(drawn.shows(150, 250, ACCENT) && drawn.shows(74, 152, WHITE));

    // The first letter of the name on a tile.
    set(&["name=Sasta Adda", "accent=#d01020"]);
    let named = shared(&server, "/pages/about");
    assert_ne!(named, of_the_program);
    let drawn = Drawn::get(&server, &named);
    assert!(drawn.shows(90, 230, RED) && drawn.shows(600, 629, RED));

    let green = [0x10, 0x90, 0x40];
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, 64, 32);
    encoder.set_color(ColorType::Rgb);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&green.repeat(64 * 32)).unwrap();
    writer.finish().unwrap();
    fs::write(shop.file("logo.png"), &file).unwrap();
    let logo = format!("mark=@{}", shop.file("logo.png").display());
    set(&[&logo]);
    let drawn = Drawn::get(&server, &shared(&server, "/pages/about"));
    // As wide as the tile and half as high.
    assert!(drawn.shows(90, 230, green) && drawn.shows(90, 160, WHITE));

    // A truncated file cannot be drawn: the letter comes back.
    fs::write(shop.file("logo.png"), &file[..60]).unwrap();
    set(&[&logo]);
    let drawn = Drawn::get(&server, &shared(&server, "/pages/about"));
    assert!(drawn.shows(90, 230, RED));
}

#[test]
fn a_title_in_hindi_is_on_its_picture_without_emoji() {
    let shop = Shop::new();
    let path = |title: &str| {
        let product = product_with(
            1,
            json!({"_id": "one", "title": title, "images": ["http://pictures.example/1.jpg"]}),
        );
        succeeds(shop.import(&json!([product]).to_string(), &[]));
        shared(&shop.serve(), "/details/one")
    };
    let kettle = path("स्टील की केतली, 1.5 लीटर");
    assert_eq!(path("🎁 स्टील की केतली, 1.5 लीटर 🔥"), kettle);
    assert_ne!(path("स्टील की केतली, 2 लीटर"), kettle);
    assert_ne!(path("स्टील का लोटा, 1.5 लीटर"), kettle);
    // Of a script without a face, the category.
    let unwritten = path("மின்சார கெண்டி");
    assert_eq!(path("ஸ்டீல் கெண்டி"), unwritten);
}

#[test]
fn any_title_can_be_drawn() {
    let titles = [
        "x".repeat(500),
        "नमस्ते दुनिया".to_owned(),
        "क्षत्रिय".repeat(60),
        format!("क{}", "\u{93e}".repeat(400)),
        "🎧🎧🎧".to_owned(),
        "Ünïcödé Ąčę — ₹99 “deal”".to_owned(),
        "\u{202e}abc\u{200d} for the house".to_owned(),
        "W ".repeat(250),
    ];
    let products: Vec<Value> = (0..)
        .zip(&titles)
        .map(|(n, title)| {
            let changes = json!({"_id": format!("p{n}"), "title": title, "price": 99_999_999,
                "source": title.chars().take(90).collect::<String>(),
                "images": ["https://pictures.example/1.svg"]});
            product_with(n, changes)
        })
        .collect();
    let shop = Shop::with(&products);
    let server = shop.serve();
    for n in 0..titles.len() {
        let path = shared(&server, &format!("/details/p{n}"));
        assert!(path.starts_with(&format!("/share/p{n}.png")), "{path}");
        let drawn = Drawn::get(&server, &path);
        assert!(drawn.says_something(190, 240), "{n}");
        // Nothing runs over the right edge.
        assert!((0..600).all(|y| drawn.pixel(1_199, y) == WHITE), "{n}");
    }
}
