//! Icons for tabs, home screens and programs.

use std::fs;

use png::{ColorType, Decoder, Encoder, Transformations};
use scraper::Html;

use super::seo::attribute;
use super::server_rendering::page;
use crate::support::harness::{Server, Shop, succeeds};

const ACCENT: [u8; 3] = [0xf4, 0xb2, 0x23];
const ON_ACCENT: [u8; 3] = [0x22, 0x19, 0x05];
const RED: [u8; 3] = [0xd0, 0x10, 0x20];
const WHITE: [u8; 3] = [0xff; 3];

/// A square PNG file: its side and its pixels, without opacity.
struct Picture {
    side: usize,
    pixels: Vec<[u8; 3]>,
}

impl Picture {
    fn get(server: &Server, path: &str) -> Self {
        let answer = server.get(path);
        assert_eq!(answer.status(), 200, "{path}");
        assert_eq!(answer.headers()["content-type"], "image/png", "{path}");
        let file = std::io::Cursor::new(answer.bytes().unwrap());
        let mut decoder = Decoder::new(file);
        decoder.set_transformations(Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut bytes).unwrap();
        assert_eq!(frame.width, frame.height, "{path}");
        let channels = frame.color_type.samples();
        let pixels = bytes[..frame.buffer_size()].chunks_exact(channels);
        Self {
            side: frame.width as usize,
            pixels: pixels.map(|it| [it[0], it[1], it[2]]).collect(),
        }
    }

    /// The pixel at fractions of the side.
    fn at(&self, x: f32, y: f32) -> [u8; 3] {
        let place = |share: f32| ((self.side as f32 * share) as usize).min(self.side - 1);
        self.pixels[place(y) * self.side + place(x)]
    }

    fn has(&self, colour: [u8; 3]) -> bool {
        self.pixels.contains(&colour)
    }
}

/// Icons by their declared size, with the maskable one apart, and what iPhones take.
fn icons(server: &Server) -> (Vec<(String, Picture)>, Picture, Picture) {
    let manifest = server.json("/manifest.webmanifest");
    let pictures = |purpose: &str| {
        let icons = manifest["icons"].as_array().unwrap().iter();
        let icons = icons.filter(|it| it["type"] == "image/png" && it["purpose"] == purpose);
        icons
            .map(|it| {
                let sizes = it["sizes"].as_str().unwrap().to_owned();
                (sizes, Picture::get(server, it["src"].as_str().unwrap()))
            })
            .collect::<Vec<_>>()
    };
    let (plain, mut maskable) = (pictures("any"), pictures("maskable"));
    for (sizes, picture) in plain.iter().chain(&maskable) {
        assert_eq!(*sizes, format!("{0}x{0}", picture.side));
    }
    assert_eq!(maskable.len(), 1);
    let head = Html::parse_document(&page(server, "/"));
    let touch = attribute(&head, "link[rel=apple-touch-icon]", "href").unwrap();
    let touch = Picture::get(server, &touch);
    assert_eq!(touch.side, 180);
    for unasked in ["/favicon.ico", "/apple-touch-icon.png"] {
        assert!(Picture::get(server, unasked).side >= 48, "{unasked}");
    }
    (plain, maskable.remove(0).1, touch)
}

#[test]
fn every_shop_has_icons_of_the_sizes_that_phones_ask_for() {
    let shop = Shop::new();
    let server = shop.serve();
    let mut addresses = vec![server.json("/manifest.webmanifest")["icons"].clone()];
    let mut set = |value: &str| {
        succeeds(shop.run(&["settings", "set", value]));
        let icons = icons(&server);
        let sizes: Vec<&str> = icons.0.iter().map(|(sizes, _)| sizes.as_str()).collect();
        assert_eq!(sizes, ["192x192", "512x512"], "{value}");
        assert_eq!(icons.1.side, 512);
        let listed = server.json("/manifest.webmanifest")["icons"].clone();
        assert!(!addresses.contains(&listed), "phones keep icons by address");
        addresses.push(listed);
        icons
    };
    icons(&server);

    let (plain, maskable, touch) = set("name=Sasta Adda");
    for picture in [&plain[0].1, &maskable, &touch] {
        assert_eq!(picture.at(0.02, 0.02), ACCENT, "the ground has no edge");
        assert!(picture.has(ON_ACCENT), "a letter");
    }
    // Nothing but the ground is where launchers cut.
    assert!((0..100).all(|x| maskable.at(x as f32 / 100.0, 0.15) == ACCENT));

    fs::write(
        shop.file("drawn.svg"),
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 8\"><rect width=\"8\" height=\"8\"/></svg>",
    )
    .unwrap();
    let (plain, ..) = set("mark=@drawn.svg");
    assert!(
        plain[1].1.has(ON_ACCENT),
        "a letter in the place of a drawing"
    );

    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, 20, 20);
    encoder.set_color(ColorType::Rgb);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&RED.repeat(400)).unwrap();
    writer.finish().unwrap();
    fs::write(shop.file("logo.png"), file).unwrap();
    let (plain, maskable, touch) = set("mark=@logo.png");
    for picture in [&plain[0].1, &plain[1].1, &touch] {
        assert_eq!(picture.at(0.02, 0.02), RED);
    }
    assert_eq!(maskable.at(0.5, 0.5), RED);
    assert_eq!(maskable.at(0.15, 0.15), WHITE);

    fs::copy("tests/fixtures/green.jpg", shop.file("logo.jpg")).unwrap();
    let (plain, maskable, touch) = set("mark=@logo.jpg");
    for picture in [&plain[0].1, &plain[1].1, &maskable, &touch] {
        let [red, green, blue] = picture.at(0.5, 0.5);
        assert!(red < 8 && green.abs_diff(128) < 8 && blue < 8);
    }
    assert_eq!(server.get("/icon/600.png").status(), 404);
}
