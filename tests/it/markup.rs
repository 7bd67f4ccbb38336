//! Markup of server and app: named style parts, page sizes, and the layers of the front end.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::imports::cycles;
use crate::pages::server_rendering::page;
use crate::support::harness::{Server, Shop, product_with};
use crate::support::npm::folder;
use crate::support::real_products;
use crate::tidy::{files, imports};

fn shown(path: &Path) -> String {
    let inside = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap();
    inside.display().to_string()
}

/// Returns the text between any two quotes of a Rust or TypeScript source.
fn strings(source: &str) -> Vec<String> {
    let source = source.replace("\\\n", " ");
    let pieces = source.split(['"', '`']);
    pieces.map(str::to_owned).collect()
}

/// Returns the sorted names of a class string with more than three.
fn class_string(text: &str) -> Option<String> {
    let names: BTreeSet<&str> = text.split_whitespace().collect();
    let like_a_class = |name: &&str| {
        name.chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_:/.[](),%&=+*".contains(c))
    };
    let classes = names.len() > 3
        && names.iter().all(like_a_class)
        && names.iter().any(|name| name.contains(['-', ':']));
    classes.then(|| names.into_iter().collect::<Vec<_>>().join(" "))
}

#[test]
fn no_class_string_of_more_than_three_names_stands_in_two_files() {
    let sources = files("src/http/pages", &["rs"])
        .into_iter()
        .chain(files("frontend/src", &["ts", "tsx"]));
    let mut homes: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (path, source) in sources {
        for classes in strings(&source)
            .iter()
            .filter_map(|text| class_string(text))
        {
            homes.entry(classes).or_default().insert(shown(&path));
        }
    }
    assert!(homes.len() > 20, "class strings are not found any more");
    homes.retain(|_, files| files.len() > 1);
    assert!(homes.is_empty(), "give these parts a name: {homes:#?}");
}

#[test]
fn server_pages_use_only_named_classes() {
    // Tailwind's utilities are in the app's stylesheet only, so server pages lack them.
    let styles: String = files("frontend/src/styles", &["css"])
        .into_iter()
        .map(|(_, source)| source)
        .collect();
    for (path, source) in files("src/http/pages", &["rs"]) {
        for attribute in source.split(" class=").skip(1) {
            let value = attribute
                .strip_prefix('"')
                .and_then(|rest| rest.split('"').next());
            for name in value.unwrap_or_default().split_whitespace() {
                let known = styles.contains(&format!(".{name}"));
                assert!(known, "{} writes {name}", shown(&path));
            }
        }
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
const LIST: (usize, usize) = (43 * 1_024, 10_752);
/// The same for the first page with its shelves.
const FIRST_PAGE: (usize, usize) = (52 * 1_024, 12_800);

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
fn the_list_page_with_its_styles_has_at_most_43_kb() {
    assert_light(&Shop::with(&as_in_a_real_shop()).serve(), "/?sortBy=price");
    // Badges, ends and coupons.
    assert_light(&Shop::new().serve_with(&["--demo"]), "/?sortBy=proven");

    let shop = Shop::with(&real_products::valid());
    let server = shop.serve();
    assert_light(&server, "/?page=2");
    assert_light(&server, "/?page=30");
    assert_light(&server, "/?category=Clothing");
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
    assert!(has("/", "card") && has("/", "list-head"));
    assert!(!has("/", "product") && !has("/", "chips") && !has("/", "notice"));
    assert!(has("/?category=Books", "chips"));
    assert!(has("/?search=qqqqq", "notice"));
    assert!(has("/details/nope", "notice") && !has("/details/nope", "card"));
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

fn modules(path: &Path, source: &str) -> Vec<PathBuf> {
    imports(path, source)
        .into_iter()
        .filter_map(|target| {
            ["", ".ts", ".tsx", "/index.ts"]
                .iter()
                .map(|ending| PathBuf::from(format!("{}{ending}", target.display())))
                .find(|file| file.is_file())
        })
        .collect()
}

#[test]
fn no_files_of_the_front_end_import_each_other_in_a_cycle() {
    let uses: BTreeMap<PathBuf, BTreeSet<PathBuf>> = files("frontend/src", &["ts", "tsx"])
        .into_iter()
        .map(|(path, source)| {
            let targets = modules(&path, &source).into_iter().collect();
            (path, targets)
        })
        .collect();
    let cycles = cycles(&uses);
    assert!(cycles.is_empty(), "{cycles:#?}");
}

const MIRRORED: &str = "// Mirrored by ";

fn first_lines(folder: &str, endings: &[&str]) -> BTreeMap<String, (String, String)> {
    files(folder, endings)
        .into_iter()
        .map(|(path, source)| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let line = source.lines().next().unwrap_or_default().to_owned();
            (name, (shown(&path), line))
        })
        .collect()
}

#[test]
fn mirrored_files_name_each_other_in_their_first_line() {
    let app = first_lines("frontend/src", &["ts", "tsx"]);
    let server = first_lines("src/http/pages", &["rs"]);
    let mut pairs = 0;
    for (name, (path, line)) in &app {
        if let Some(other) = line.strip_prefix(MIRRORED) {
            let (_, file) = other.rsplit_once('/').unwrap();
            let (other_path, other_line) = server.get(file).unwrap_or_else(|| {
                panic!("{path} names {other}, which is not there");
            });
            assert_eq!(other, other_path, "{path}");
            assert!(
                other_line.contains(&format!("`{name}`")),
                "{other} does not name {path}"
            );
            pairs += 1;
        }
    }
    assert!(pairs > 20, "pairs are not found any more");
    for (path, line) in server.values() {
        for name in line
            .split('`')
            .filter(|name| name.ends_with(".ts") || name.ends_with(".tsx"))
        {
            let (other, other_line) = &app[name];
            assert_eq!(other_line, &format!("{MIRRORED}{path}"), "{other}");
        }
    }
    // Every file with elements has a counterpart; only the server writes the page's head and end, and the feed.
    for (path, source) in files("src/http/pages", &["rs"]) {
        let own = ["mod.rs", "head.rs", "served.rs", "feeds.rs"]
            .iter()
            .any(|name| path.ends_with(name));
        if source.contains("html! {") && !own {
            let line = source.lines().next().unwrap();
            assert!(
                line.contains(".tsx`"),
                "{} names no file of the app",
                shown(&path)
            );
        }
    }
}
