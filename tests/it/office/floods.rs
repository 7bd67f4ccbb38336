//! Floods of clicks, views and searches by anonymous clients: the limits of docs/security.md.

use reqwest::Method;
use serde_json::json;

use super::classifications::{CHROME, click, report, rows, shop_of};
use super::overview::found;
use crate::support::harness::{Server, Shop, product, succeeds, wait_until};
use crate::support::people::{People, at_once};

fn count(people: &People, sql: &str) -> i64 {
    let database = people.shop.database();
    database.query_row(sql, [], |row| row.get(0)).unwrap()
}

#[test]
fn an_address_counts_three_thousand_clicks_an_hour_whatever_its_headers_say() {
    const THREADS: usize = 16;
    const CLICKS: usize = 190;
    let (people, owner) = shop_of(1);
    at_once(THREADS, |thread| {
        for n in 0..CLICKS {
            let language = format!("x{thread}-{n}");
            let headers = [("accept-language", language.as_str())];
            click(&people, "p0", "10.1.1.1", CHROME, &headers, "");
        }
    });
    let burst = (THREADS * CLICKS - 3_000) as u64;
    assert_eq!(
        rows(&report(&people, &owner, "by=verdict")),
        [
            ("counted".to_owned(), 3_000, 0),
            ("burst".to_owned(), 0, burst)
        ]
    );
    // Another address is not affected.
    click(&people, "p0", "10.1.1.2", CHROME, &[], "");
    let totals = &report(&people, &owner, "by=verdict")["totals"];
    assert_eq!(totals["counted"], 3_001);
}

#[test]
fn clicks_on_unknown_products_are_not_remembered() {
    let (people, owner) = shop_of(1);
    // Twenty different deals a minute are a visitor's limit.
    for n in 0..30 {
        let path = format!("/product/increament-views/gone{n}");
        let request = people.request(Method::POST, &path);
        let request = request.header("x-forwarded-for", "10.1.1.1");
        let answer = request.header("user-agent", CHROME).send().unwrap();
        assert_eq!(answer.status(), 404);
    }
    click(&people, "p0", "10.1.1.1", CHROME, &[], "");
    let found = rows(&report(&people, &owner, "by=verdict"));
    assert_eq!(found, [("counted".to_owned(), 1, 0)]);
}

#[test]
fn an_address_has_few_channels_and_places_a_minute() {
    let (people, owner) = shop_of(1);
    let channels = [
        "telegram",
        "whatsapp",
        "instagram",
        "facebook",
        "youtube",
        "reddit",
    ];
    for channel in channels {
        for place in ["list", "details", "search", "saved"] {
            let body = json!({"visit": "1", "from": channel, "place": place}).to_string();
            click(&people, "p0", "10.1.1.1", CHROME, &[], &body);
        }
    }
    // The minute may end meanwhile: eight and direct, in each.
    let kinds = count(
        &people,
        "SELECT count(DISTINCT kind >> 4 & 127) FROM click_sums",
    );
    assert!((9..=17).contains(&kinds), "{kinds}");
    assert_eq!(
        report(&people, &owner, "by=channel")["totals"]["clicks"],
        24
    );
}

#[test]
fn an_hour_with_too_many_sums_adds_the_rest_up_and_check_says_so() {
    let (people, owner) = shop_of(1);
    // This hour and the next, since the test may run at its end.
    people
        .shop
        .database()
        .execute_batch(
            "WITH RECURSIVE n (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < 39999)
             INSERT INTO click_sums
             SELECT 1000000 + (unixepoch() + 19800) / 3600 + n % 2, (1000 + n / 2) * 2048 + 3, 1 FROM n;
             INSERT INTO clicked_products (number, id, title, source, category, classified)
             SELECT kind / 2048, kind / 2048, '', '', '', 2 FROM click_sums GROUP BY kind / 2048;",
        )
        .unwrap();
    for address in ["10.0.0.1", "10.0.0.2"] {
        click(&people, "p0", address, CHROME, &[], "");
    }
    assert_eq!(
        count(&people, "SELECT clicks FROM click_sums WHERE kind < 2048"),
        2
    );
    let by_product = report(&people, &owner, "by=product");
    let mut rows = by_product["rows"].as_array().unwrap().iter();
    let row = rows.find(|row| row["counted"] != 0).unwrap();
    assert_eq!(
        (&row["label"], &row["counted"]),
        (&json!("Other deals"), &json!(2))
    );
    let answer = people.server.json("/product/product/p0");
    assert_eq!(answer["product"]["clicks"], 2);
    let check = succeeds(people.shop.run(&["check"]));
    let line = check
        .lines()
        .find(|line| line.contains("sums of the last 15 days"));
    let line = line.unwrap();
    assert!(
        line.starts_with("note") && line.contains("at most 20000 an hour"),
        "{line}"
    );
    assert!(line.contains("\"Other deals\""), "{line}");
}

/// Highest memory of the server so far, in MB.
fn peak(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.pid())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let kib = line.unwrap().split_whitespace().nth(1).unwrap();
    kib.parse::<u64>().unwrap() / 1_024
}

#[test]
fn a_day_with_more_sums_than_fit_into_memory_is_folded_in_little_of_it() {
    const SUMS: i64 = 1_500_000;
    let shop = Shop::with(&[product(1)]);
    let idle = shop.serve();
    let before = peak(&idle);
    idle.stop();
    let database = shop.database();
    database
        .execute(
            "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?1)
             INSERT INTO click_sums
             SELECT 1000000 + 24 * 20000 + n % 24, n / 20 * 2048 + n % 14 * 128 + 2, 2 FROM n",
            [SUMS],
        )
        .unwrap();
    let server = shop.serve();
    let left = || {
        let sql = "SELECT EXISTS (SELECT 1 FROM click_sums WHERE period >= 1000000)";
        database
            .query_row(sql, [], |row| row.get::<_, i64>(0))
            .unwrap()
    };
    wait_until("the day is not folded", || left() == 0);
    let grown = peak(&server).saturating_sub(before);
    assert!(grown < 64, "{grown} MB");
    let sql = "SELECT count(*), min(kind) FROM click_sums";
    let sums: (i64, i64) = database
        .query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap();
    assert_eq!(sums, (50_001, 2), "the largest, and the rest as one");
    server.stop();
    let people = People::with(shop, &[]);
    let owner = people.join_as_admin("owner@example.com");
    let day = report(&people, &owner, "by=day&from=2024-10-04&to=2024-10-04");
    assert_eq!(day["totals"]["clicks"], 3_000_000);
}

#[test]
fn an_address_lists_sixty_searches_an_hour_and_none_that_leads_elsewhere() {
    let (people, owner) = shop_of(1);
    let search = |words: &str| {
        let request = people.request(Method::GET, "/product/get-products");
        let request = request
            .query(&[("search", words)])
            .header("user-agent", CHROME);
        let answer = request
            .header("x-forwarded-for", "10.1.1.1")
            .send()
            .unwrap();
        assert_eq!(answer.status(), 200, "{words:?}");
    };
    for words in [
        "this shop is a fraud see evil.example",
        "zzz\u{1b}[2J",
        "https://zzz/",
    ] {
        search(words);
    }
    for n in 0..80 {
        // Letters, as too many digits may be a telephone number.
        let letters = [n / 20, n % 20].map(|n| char::from(b'a' + n));
        search(&format!("zzqx{}{}", letters[0], letters[1]));
    }
    let (_, people) = people.restart();
    assert_eq!(
        count(&people, "SELECT sum(times) FROM zero_result_searches"),
        60
    );
    let overview = found(&people, &owner, "/report/overview").to_string();
    assert!(
        !overview.contains("evil") && !overview.contains("\\u001b"),
        "{overview}"
    );
}

#[test]
fn a_day_keeps_the_views_of_twenty_thousand_products() {
    let (people, _owner) = shop_of(1);
    people
        .shop
        .database()
        .execute_batch(
            "WITH RECURSIVE n (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < 39999)
             INSERT INTO daily_views
             SELECT (unixepoch() + 19800) / 86400 + n % 2, 1000 + n / 2, 1 FROM n;",
        )
        .unwrap();
    let request = people.request(Method::GET, "/details/p0");
    let answer = request.header("user-agent", CHROME).send().unwrap();
    assert_eq!(answer.status(), 200);
    let (_, people) = people.restart();
    assert_eq!(count(&people, "SELECT count(*) FROM daily_views"), 40_000);
}
