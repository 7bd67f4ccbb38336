//! The shop in a real browser; `tests/browser` has the steps.

use std::fs::File;
use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::support::harness::{Server, Shop, product_with, succeeds, text};
use crate::support::mailbox::{Mailbox, Mood};
use crate::support::npm::{assert_success, folder, install};
use crate::support::people::{PASSWORD, People};

/// Chromium from npm, unpacked once for all tests, and the folder of its libraries.
fn unpack(browser: &Path) -> (String, String) {
    let guard = File::open(browser.join("package.json")).unwrap();
    guard.lock().unwrap();
    let output = Command::new("node")
        .args(["prepare.mjs", env!("CARGO_TARGET_TMPDIR")])
        .current_dir(browser)
        .output()
        .unwrap();
    assert_success("unpacking the browser", &output);
    let printed = text(&output.stdout);
    let (executable, libraries) = printed.trim().split_once('\n').unwrap();
    (executable.to_owned(), libraries.to_owned())
}

/// Runs a file of steps against a running shop.
pub fn drive(steps: &str, server: &Server, environment: &[(&str, &str)]) {
    let browser = folder("tests/browser");
    install(&browser);
    let mut command = Command::new("node");
    // Without the lock of `unpack`, a browser that is missing would be unpacked by several at once.
    if !std::env::var_os("CHROMIUM").is_some_and(|named| Path::new(&named).exists()) {
        let (executable, libraries) = unpack(&browser);
        command
            .env("CHROMIUM", executable)
            .env("LD_LIBRARY_PATH", libraries);
    }
    let output = command
        .args(["--test", "--test-reporter=spec", steps])
        .current_dir(&browser)
        .env("SHOP_URL", server.url(""))
        .envs(environment.iter().copied())
        .output()
        .unwrap();
    assert_success(steps, &output);
}

#[test]
fn people_register_sign_in_and_out_in_a_real_browser() {
    let people = People::with(Shop::new(), &["--demo"]);
    people.join_as_admin("owner@example.com");
    let mails = people.mailbox.folder().to_str().unwrap();
    let environment = [("MAIL_DIR", mails), ("PASSWORD", PASSWORD)];
    drive("accounts.test.mjs", &people.server, &environment);
}

#[test]
fn an_owner_adds_changes_and_deletes_products_in_a_real_browser() {
    let people = People::with(Shop::new(), &["--demo"]);
    people.join_as_admin("owner@example.com");
    let environment = [("PASSWORD", PASSWORD)];
    drive("administering.test.mjs", &people.server, &environment);
}

#[test]
fn lifetimes_and_price_histories_work_in_a_real_browser() {
    let people = People::with(Shop::new(), &["--demo"]);
    people.join_as_admin("owner@example.com");
    let environment = [("PASSWORD", PASSWORD)];
    drive("lifetimes.test.mjs", &people.server, &environment);
}

#[test]
fn an_owner_works_in_the_office_in_a_real_browser() {
    let people = People::with(Shop::new(), &["--demo"]);
    people.join_as_admin("owner@example.com");
    let environment = [("PASSWORD", PASSWORD)];
    drive("office.test.mjs", &people.server, &environment);
}

#[test]
fn an_owner_finds_and_changes_products_in_a_real_browser() {
    let people = People::with(Shop::new(), &["--demo"]);
    people.join_as_admin("owner@example.com");
    let environment = [("PASSWORD", PASSWORD)];
    drive("office/products.test.mjs", &people.server, &environment);
}

#[test]
fn an_owner_does_the_daily_work_by_few_taps_in_a_real_browser() {
    let people = People::with(Shop::new(), &["--demo"]);
    people.join_as_admin("owner@example.com");
    let environment = [("PASSWORD", PASSWORD)];
    drive("office/phone.test.mjs", &people.server, &environment);
}

#[test]
fn an_owner_invites_a_helper_who_adds_a_deal_in_a_real_browser() {
    let people = People::with(Shop::new(), &["--demo"]);
    people.join_as_admin("owner@example.com");
    let environment = [("PASSWORD", PASSWORD)];
    drive("office/people.test.mjs", &people.server, &environment);
}

#[test]
fn an_owner_saves_and_discards_by_the_bar_in_a_real_browser() {
    let people = People::with(Shop::new(), &["--demo"]);
    people.join_as_admin("owner@example.com");
    let environment = [("PASSWORD", PASSWORD)];
    drive("office/saving.test.mjs", &people.server, &environment);
}

#[test]
fn an_owner_changes_many_products_in_a_real_browser() {
    let mut rows: Vec<_> = (0..60)
        .map(|n| product_with(n, json!({"source": "Croma", "price": 1_000, "discount": 0})))
        .collect();
    for (n, (title, price)) in [
        ("Cable", 500),
        ("Cable", 300),
        ("Cable", 400),
        ("Lamp", 90),
        ("Lamp", 90),
        ("Pan", 10),
    ]
    .into_iter()
    .enumerate()
    {
        let changes = json!({"title": title, "price": price, "discount": 0});
        rows.push(product_with(60 + n, changes));
    }
    for (n, (title, price, link)) in [
        (
            "Steel kettle",
            700,
            "Steel-Kettle-of-a-Litre-and-a-Half-with-Lid/dp/B0ABCD1234/ref=sr_1_1?tag=mine-21",
        ),
        ("Litre for tea", 650, "dp/B0ABCD1234"),
    ]
    .into_iter()
    .enumerate()
    {
        let link = format!("https://www.amazon.in/{link}");
        let changes = json!({"title": title, "price": price, "discount": 0, "affiliateLink": link});
        rows.push(product_with(70 + n, changes));
    }
    let people = People::with(Shop::with(&rows), &[]);
    people.join_as_admin("owner@example.com");
    let environment = [("PASSWORD", PASSWORD)];
    drive("owners/bulk.test.mjs", &people.server, &environment);
}

#[test]
fn an_owner_gives_a_seller_an_offer_in_a_real_browser() {
    let people = People::with(Shop::new(), &["--demo"]);
    people.join_as_admin("owner@example.com");
    let environment = [("PASSWORD", PASSWORD)];
    drive("owners/offers.test.mjs", &people.server, &environment);
}

#[test]
fn an_owner_captures_deals_in_a_real_browser() {
    let people = People::with(Shop::new(), &["--demo"]);
    people.join_as_admin("owner@example.com");
    let environment = [("PASSWORD", PASSWORD)];
    drive("office/capture.test.mjs", &people.server, &environment);
}

#[test]
fn an_owner_makes_deals_of_saved_pages_in_a_real_browser() {
    let people = People::with(Shop::new(), &["--demo"]);
    people.join_as_admin("owner@example.com");
    let environment = [("PASSWORD", PASSWORD)];
    drive("office/saved.test.mjs", &people.server, &environment);
}

#[test]
fn an_owner_imports_files_of_any_origin_in_a_real_browser() {
    let people = People::with(Shop::with(&[product_with(1, json!({}))]), &[]);
    people.join_as_admin("owner@example.com");
    let environment = [("PASSWORD", PASSWORD)];
    drive("owners/files.test.mjs", &people.server, &environment);
}

#[test]
fn people_use_a_second_factor_in_a_real_browser() {
    let people = People::new();
    for n in 0..6 {
        let (email, name) = (format!("person-{n}@example.com"), format!("person-{n}"));
        let add = [
            "add",
            &email,
            "--username",
            &name,
            "--admin",
            "--password-stdin",
        ];
        succeeds(people.shop.user(&add, PASSWORD));
    }
    let environment = [("PASSWORD", PASSWORD)];
    drive("owners/factor.test.mjs", &people.server, &environment);
}

#[test]
fn an_owner_arranges_the_front_page_in_a_real_browser() {
    let people = People::with(Shop::new(), &["--demo"]);
    people.join_as_admin("owner@example.com");
    let environment = [("PASSWORD", PASSWORD)];
    drive("owners/front-page.test.mjs", &people.server, &environment);
}

#[test]
fn an_owner_tags_deals_in_a_real_browser() {
    let people = People::with(Shop::new(), &["--demo"]);
    people.join_as_admin("owner@example.com");
    let environment = [("PASSWORD", PASSWORD)];
    drive("owners/tags.test.mjs", &people.server, &environment);
}

#[test]
fn an_owner_makes_collections_in_a_real_browser() {
    let people = People::with(Shop::new(), &["--demo"]);
    people.join_as_admin("owner@example.com");
    let environment = [("PASSWORD", PASSWORD)];
    drive("owners/collections.test.mjs", &people.server, &environment);
}

#[test]
fn an_owner_posts_to_a_channel_in_a_real_browser() {
    let people = People::with(Shop::new(), &["--demo"]);
    people.join_as_admin("owner@example.com");
    let environment = [("PASSWORD", PASSWORD)];
    drive("owners/channels.test.mjs", &people.server, &environment);
}

#[test]
fn an_owner_orders_the_queue_in_a_real_browser() {
    let people = People::with(Shop::new(), &["--demo"]);
    people.join_as_admin("owner@example.com");
    let environment = [("PASSWORD", PASSWORD)];
    drive("owners/queue.test.mjs", &people.server, &environment);
}

#[test]
fn an_owner_sends_events_to_programs_in_a_real_browser() {
    let options = ["--fetch-network", "127.0.0.0/8"];
    let people = People::with(Shop::with(&[product_with(1, json!({}))]), &options);
    people.join_as_admin("owner@example.com");
    let environment = [("PASSWORD", PASSWORD)];
    drive("owners/webhooks.test.mjs", &people.server, &environment);
}

#[test]
fn an_owner_drops_a_refused_mail_in_a_real_browser() {
    let people = People::with(Shop::new(), &["--demo"]);
    people.join_as_admin("owner@example.com");
    people.mailbox.set_mood(Mood::Gone);
    let environment = [("PASSWORD", PASSWORD)];
    drive("owners/outgoing.test.mjs", &people.server, &environment);
}

#[test]
fn an_owner_opens_an_empty_shop_in_a_real_browser() {
    let (shop, mailbox) = (Shop::new(), Mailbox::open());
    let server = shop.serve_with(&["--fetch-network", "127.0.0.0/8"]);
    let line = server.wait_for_line("there is no administrator yet");
    let link = line.split_whitespace().last().unwrap();
    let port = mailbox.port().to_string();
    let environment = [
        ("PASSWORD", PASSWORD),
        ("SETUP_LINK", link),
        ("MAIL_PORT", &port),
    ];
    drive("owners/opening.test.mjs", &server, &environment);
    assert_eq!(mailbox.next().login, "shop tiger-lamp-43");
}

#[test]
fn visitors_browse_the_shop_in_a_real_browser() {
    let shop = Shop::new();
    let server = shop.serve_with(&["--demo"]);
    drive("browsing.test.mjs", &server, &[]);
}

#[test]
fn server_rendered_pages_work_in_a_real_browser() {
    let shop = Shop::new();
    let server = shop.serve_with(&["--demo"]);
    drive("arriving.test.mjs", &server, &[]);
}

#[test]
fn pages_do_not_shift_over_a_slow_connection_in_a_real_browser() {
    let shop = Shop::new();
    let server = shop.serve_with(&["--demo"]);
    drive("slowly.test.mjs", &server, &[]);
}

#[test]
fn offline_copies_open_without_a_network_in_a_real_browser() {
    let people = People::with(Shop::new(), &["--demo"]);
    people.join_as_admin("owner@example.com");
    let environment = [("PASSWORD", PASSWORD)];
    drive("offline.test.mjs", &people.server, &environment);
}

#[test]
fn visitors_narrow_the_list_down_in_a_real_browser() {
    let shop = Shop::new();
    let server = shop.serve_with(&["--demo"]);
    drive("visitors/filtering.test.mjs", &server, &[]);
}

#[test]
fn categories_and_sellers_have_pages_in_a_real_browser() {
    let shop = Shop::new();
    let server = shop.serve_with(&["--demo"]);
    drive("visitors/shelves.test.mjs", &server, &[]);
}

#[test]
fn the_shop_has_its_face_in_a_real_browser() {
    let shop = Shop::new();
    let server = shop.serve_with(&["--demo"]);
    drive("visitors/look.test.mjs", &server, &[]);
}

#[test]
fn the_head_of_the_page_follows_navigation_in_a_real_browser() {
    let shop = Shop::new();
    let server = shop.serve_with(&["--demo"]);
    drive("visitors/head.test.mjs", &server, &[]);
}

#[test]
fn visitors_look_at_a_deal_in_a_real_browser() {
    let shop = Shop::new();
    let server = shop.serve_with(&["--demo"]);
    let remove = "INSERT INTO removed_products (id, title, source, category, removed_at) \
        SELECT 'gone', title, source, category, unixepoch() * 1000 FROM products \
        WHERE category = 'Electronics' LIMIT 1";
    shop.database().execute(remove, []).unwrap();
    drive("visitors/details.test.mjs", &server, &[]);
}

#[test]
fn visitors_set_alerts_in_a_real_browser() {
    let people = People::with(Shop::new(), &["--demo"]);
    drive("visitors/alerts.test.mjs", &people.server, &[]);
}

#[test]
fn visitors_follow_lists_by_mail_in_a_real_browser() {
    let people = People::with(Shop::new(), &["--demo"]);
    let mails = people.mailbox.folder().to_str().unwrap();
    drive(
        "visitors/follow.test.mjs",
        &people.server,
        &[("MAIL_DIR", mails)],
    );
}

#[test]
fn long_words_fit_every_page_in_a_real_browser() {
    let word = |letters| "W".repeat(letters);
    let products: Vec<_> = (0..8)
        .map(|n| {
            let product = json!({
                "_id": if n == 0 { "long".to_owned() } else { format!("long-{n}") },
                "title": format!("Long {}", word(60)),
                "description": word(200),
                "source": word(40),
                "price": 12_499_000,
                "discount": 0.01,
            });
            product_with(n, product)
        })
        .collect();
    let shop = Shop::with(&products);
    let name = format!("name={}", word(40));
    let tagline = format!("tagline={}", word(60));
    succeeds(shop.run(&["settings", "set", &name, &tagline, "page.about=draft"]));
    drive("visitors/names.test.mjs", &shop.serve(), &[]);
}
