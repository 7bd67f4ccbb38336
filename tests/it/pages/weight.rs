//! Sizes and styles of the server's pages.

use scraper::{Html, Selector};
use serde_json::{Value, json};

use super::server_rendering::page;
use crate::support::harness::{Server, Shop, product_with};
use crate::support::npm::folder;
use crate::support::real_products;
use crate::tidy::files;

#[test]
fn server_pages_use_only_named_classes() {
    // Tailwind's utilities are in the app's stylesheet only, so server pages lack them.
    let styles: String = files("frontend/src/styles", &["css"])
        .into_iter()
        .map(|(_, source)| source)
        .collect();
    let shop = Shop::new();
    let server = shop.serve_with(&["--demo"]);
    shop.set_rules("Amazon", "amazon-india");
    let mut addresses: Vec<String> = [
        "/",
        "/?page=2",
        "/?page=77",
        "/?category=Books&minDiscount=5&maxPrice=900&source=Amazon",
        "/?search=cabel",
        "/?search=qqqqq",
        "/details/nope",
        "/login",
        "/follow?problem=address",
    ]
    .map(str::to_owned)
    .into();
    let products = server.list("limit=100");
    let ids = products
        .iter()
        .map(|product| product["_id"].as_str().unwrap());
    addresses.extend(ids.map(|id| format!("/details/{id}")));
    let with_class = Selector::parse("body [class]").unwrap();
    for address in addresses {
        let page = Html::parse_document(&page(&server, &address));
        for element in page.select(&with_class) {
            for name in element.value().classes() {
                assert!(styles.contains(&format!(".{name}")), "{address} has {name}");
            }
        }
    }
}

#[test]
fn only_the_first_picture_of_a_page_loads_before_it_is_near() {
    let shop = Shop::new();
    let server = shop.serve_with(&["--demo"]);
    let first = server.list("")[0]["_id"].as_str().unwrap().to_owned();
    let pictures = Selector::parse("main img").unwrap();
    for address in ["/", "/category/books", &format!("/details/{first}")] {
        let page = Html::parse_document(&page(&server, address));
        let at_once = page.select(&pictures).map(|it| it.value());
        let at_once: Vec<_> = at_once
            .filter(|it| it.attr("loading") != Some("lazy"))
            .map(|it| it.attr("fetchpriority"))
            .collect();
        assert_eq!(at_once, [Some("high")], "{address}");
    }
}

/// Returns the bytes of a page, plain and as cached Brotli.
fn weight(server: &Server, address: &str) -> (usize, usize) {
    let packed = || {
        let page = server.client().get(server.url(address));
        let page = page.header("accept", "text/html");
        let packed = page.header("accept-encoding", "br").send().unwrap();
        assert_eq!(packed.headers()["content-encoding"], "br");
        packed.bytes().unwrap().len()
    };
    let at_first = packed();
    let again = packed();
    assert!(again <= at_first);
    (page(server, address).len(), again)
}

/// Maximum bytes of a list of ten products, plain and as Brotli.
const LIST: (usize, usize) = (50 * 1_024, 11_500);
/// The same for the first page with its shelves.
const FIRST_PAGE: (usize, usize) = (66 * 1_024, 14_336);

fn assert_light(server: &Server, list: &str) {
    for (address, most) in [("/", FIRST_PAGE), (list, LIST)] {
        let (plain, packed) = weight(server, address);
        assert!(plain <= most.0, "{address} has {plain} bytes");
        assert!(packed <= most.1, "{address} has {packed} bytes as Brotli");
    }
}

/// Ten products with texts and links of realistic length.
fn as_in_a_real_shop() -> Vec<Value> {
    const TITLES: [&str; 10] = [
        "The Lighthouse Keeper Who Counted the Waves",
        "Monsoon Kitchen, Vol. 3 (3)",
        "Slow Mornings Journal: 365 Prompts and Daily Lists for Busy People: a Workbook \
         to Begin Each Day with Less and to End It with More of What You Wanted",
        "Paper Boats",
        "Old Delhi by Night 2027 Wall Calendar",
        "How to Draw a Peacock",
        "Riddles from the Railway Museum Day-to-Day Calendar",
        "Before You Go, Water the Basil",
        "A Kingdom of Salt and Copper (Seven Harbours)",
        "Say No Kindly, Sleep Well: A Handbook for the Overworked",
    ];
    TITLES
        .iter()
        .enumerate()
        .map(|(n, title)| {
            let words = title.replace(' ', "+").replace(',', "%2C");
            product_with(
                n,
                json!({
                    "title": title,
                    "description": format!("{title} by Asha Verma {n}. Essays · Banyan Press · {} pages.", 128 + 37 * n),
                    "price": 499 + 131 * n,
                    "discount": 20,
                    "category": "Books",
                    "source": "Amazon",
                    "affiliateLink": format!("https://www.amazon.in/s?k={words}&i=stripbooks"),
                    "images": [format!("https://placehold.co/600x900/png?text={words}")],
                    "averageRating": ([3.9, 4.0, 4.1, 4.2, 4.4, 4.6, 4.7, 4.8, 4.9, 5.0][n]),
                    "totalRatings": 61 + 977 * n * n,
                }),
            )
        })
        .collect()
}

#[test]
fn the_list_page_with_its_styles_has_at_most_50_kb() {
    assert_light(&Shop::with(&as_in_a_real_shop()).serve(), "/?sortBy=price");
    // Badges, ends and coupons.
    assert_light(&Shop::new().serve_with(&["--demo"]), "/?sortBy=proven");

    let shop = Shop::with(&real_products::valid());
    let server = shop.serve();
    assert_light(&server, "/?page=2");
    assert_light(&server, "/?page=30");
    assert_light(&server, "/?category=Clothing");
    assert_light(&server, "/category/clothing");
    assert_light(&server, "/seller/amazon");
}

#[test]
fn a_page_has_the_styles_of_its_own_parts_only() {
    let shop = Shop::new();
    let server = shop.serve_with(&["--demo"]);
    let has = |address: &str, part: &str| {
        let page = page(&server, address);
        let (styles, _) = page.split_once("<body>").unwrap();
        styles.contains(&format!(".{part}{{"))
    };
    assert!(has("/", "card") && has("/", "list-bar") && has("/", "mini"));
    assert!(!has("/", "product") && !has("/", "notice"));
    assert!(has("/", "promise") && !has("/?category=Books", "promise"));
    assert!(has("/?search=qqqqq", "notice"));
    assert!(has("/details/nope", "notice") && !has("/details/nope", "buy-box"));
    assert!(has("/login", "btn") && !has("/login", "card"));
}

#[test]
fn the_app_brings_the_styles_of_every_part() {
    let all = std::fs::read_to_string(folder("frontend/src/app.css")).unwrap();
    for (path, _) in files("frontend/src/styles/parts", &["css"]) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        assert!(
            all.contains(&format!("/parts/{name}\"")),
            "app.css lacks {name}"
        );
    }
}
