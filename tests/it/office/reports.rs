//! Reports of clicks: /report/clicks and /report/left-out.

use reqwest::Method;
use serde_json::{Value, json};

use super::classifications::{CHROME, ask, click, report, rows, shop_of};
use crate::support::harness::{succeeds, wait_until};
use crate::support::people::{People, error};

const INSTAGRAM: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 \
    (KHTML, like Gecko) Mobile/22B83 Instagram 357.0.0.0";

#[test]
fn sums_are_equal_in_every_dimension_and_outlive_the_product() {
    let (people, owner) = shop_of(3);
    let from = |channel: &str, place: &str| {
        json!({"visit": "1", "from": channel, "place": place}).to_string()
    };
    click(
        &people,
        "p0",
        "10.0.0.1",
        CHROME,
        &[],
        &from("telegram", "details"),
    );
    click(
        &people,
        "p0",
        "10.0.0.2",
        CHROME,
        &[],
        &from("https://www.google.com/", "search"),
    );
    click(&people, "p1", "10.0.0.3", INSTAGRAM, &[], "");
    click(
        &people,
        "p1",
        "10.0.0.4",
        CHROME,
        &[("referer", "https://shop.example/saved")],
        "",
    );
    click(&people, "p2", "10.0.0.5", "curl/8", &[], "");
    let delete = people.request(Method::DELETE, "/product/delete-product/p1");
    assert_eq!(
        delete
            .header("cookie", &owner.cookie)
            .send()
            .unwrap()
            .status(),
        200
    );
    let all = json!({"counted": 4, "leftOut": 1, "clicks": 5});
    for by in [
        "day", "hour", "product", "source", "category", "channel", "place", "verdict",
    ] {
        let range = if by == "hour" { "&from=2d" } else { "" };
        let found = report(&people, &owner, &format!("by={by}{range}"));
        assert_eq!(found["totals"], all, "{by}");
        let sum: u64 = rows(&found)
            .iter()
            .map(|(_, counted, left_out)| counted + left_out)
            .sum();
        assert_eq!(sum, 5, "{by}");
        assert_eq!(found["by"], by);
    }
    assert_eq!(
        report(&people, &owner, "")["rows"]
            .as_array()
            .unwrap()
            .len(),
        30
    );
    let channels = rows(&report(&people, &owner, "by=channel"));
    let keys: Vec<&str> = channels.iter().map(|(key, _, _)| key.as_str()).collect();
    assert_eq!(keys, ["direct", "instagram", "search", "telegram"]);
    let places = rows(&report(&people, &owner, "by=place&product=p1"));
    assert_eq!(
        places,
        [("list".to_owned(), 1, 0), ("saved".to_owned(), 1, 0)]
    );
    let products = report(&people, &owner, "by=product&channel=instagram");
    assert_eq!(products["rows"][0]["label"], "Product 1");
    assert_eq!(
        report(&people, &owner, "category=Books")["totals"]["clicks"],
        0
    );

    let csv = ask(&people, &owner, "/report/clicks?by=channel&format=csv");
    assert_eq!(csv.headers()["content-type"], "text/csv; charset=utf-8");
    let csv = String::from_utf8(csv.bytes().unwrap().to_vec()).unwrap();
    assert!(
        csv.starts_with("\u{feff}key,label,counted,leftOut\ndirect,Direct or chat app,1,1\n"),
        "{csv}"
    );
    assert_eq!(report(&people, &owner, "by=verdict&from=7d")["totals"], all);
    let checked = succeeds(people.shop.run(&["check"]));
    assert!(
        checked.contains("5 are classified: 4 counted and 1 not counted"),
        "{checked}"
    );
    people
        .shop
        .database()
        .execute("UPDATE click_sums SET clicks = clicks + 1", [])
        .unwrap();
    let checked = people.shop.run(&["check"]);
    let checked = String::from_utf8(checked.stdout).unwrap();
    assert!(checked.contains("differ from its daily sums"), "{checked}");
}

#[test]
fn a_wrong_report_query_gets_a_reason_and_a_long_body_costs_no_click() {
    let (people, owner) = shop_of(1);
    for (query, field, words) in [
        (
            "from=2026-11-20&to=2026-11-19",
            "from",
            "The range ends before it begins.",
        ),
        ("to=2999-01-01", "to", "The range ends in the future"),
        ("from=yesterday", "from", "from must be a day like"),
        ("from=2026-02-29", "from", "from must be a day like"),
        ("from=1999-01-01", "from", "at most 3660 days"),
        ("by=colour", "by", "by must be one of day, hour, product"),
        ("by=hour&from=16d", "from", "Hours are kept for 15 days"),
        ("category=Toys", "category", "category must be one of"),
        ("channel=pigeon", "channel", "channel must be one of direct"),
        ("format=xml", "format", "format must be one of json, csv."),
    ] {
        let response = ask(&people, &owner, &format!("/report/clicks?{query}"));
        assert_eq!(response.status(), 400, "{query}");
        let answer: Value = response.json().unwrap();
        let told = answer["fields"][field].as_str().unwrap_or_default();
        assert!(told.contains(words), "{query}: {answer}");
    }
    assert!(error(ask(&people, &owner, "/report/left-out?page=0")).contains("whole number"));
    for path in ["/report/clicks", "/report/left-out"] {
        assert_eq!(
            people.request(Method::GET, path).send().unwrap().status(),
            401
        );
        let asha = people.join(&format!("asha{}@example.com", path.len()));
        assert_eq!(ask(&people, &asha, path).status(), 403);
    }
    assert_eq!(
        people
            .request(Method::GET, "/report/nothing")
            .send()
            .unwrap()
            .status(),
        404
    );
    let long = format!("{{\"visit\":\"1\",\"from\":\"{}\"}}", "x".repeat(600));
    click(&people, "p0", "10.0.0.1", CHROME, &[], &long);
    let found = report(&people, &owner, "by=channel");
    assert_eq!(rows(&found), [("direct".to_owned(), 1, 0)]);
}

#[test]
fn hours_become_days_after_two_weeks_and_no_click_is_lost() {
    let (people, owner) = shop_of(2);
    for n in 1..4 {
        click(&people, "p0", &format!("10.0.0.{n}"), CHROME, &[], "");
    }
    let earlier = |sql: &str| people.shop.database().execute(sql, []).unwrap();
    earlier("UPDATE click_sums SET period = period - 20 * 24");
    earlier(
        "INSERT INTO excluded_clicks (key, at, product, verdict, reason, user_agent) VALUES (-5, 1, 1, 3, '', '')",
    );
    for _ in 0..62 {
        click(&people, "p1", "10.0.0.9", "curl/8", &[], "");
    }
    // A job folds them, when the server starts and at intervals.
    let (_, people) = people.restart();
    let database = people.shop.database();
    let count = |sql: &str| {
        database
            .query_row(sql, [], |row| row.get::<_, i64>(0))
            .unwrap()
    };
    wait_until("old hours are not folded", || {
        count("SELECT count(*) FROM click_sums WHERE period < 1000000") == 1
    });
    assert_eq!(
        count("SELECT sum(clicks) FROM click_sums WHERE period >= 1000000"),
        62
    );
    assert_eq!(count("SELECT count(*) FROM excluded_clicks"), 62);
    let found = report(&people, &owner, "by=day&from=30d");
    assert_eq!(
        found["totals"],
        json!({"counted": 3, "leftOut": 62, "clicks": 65})
    );
    let days = rows(&found);
    assert_eq!((days[0].1, days[1].2), (3, 62));
    assert!(succeeds(people.shop.run(&["check"])).contains("65 are classified"));
}

#[test]
fn a_job_finishes_a_day_that_was_folded_in_part() {
    let (people, owner) = shop_of(1);
    click(&people, "p0", "10.0.0.1", CHROME, &[], "");
    let day = "(SELECT (max(period) - 1000000) / 24 - 20 FROM click_sums)";
    people
        .shop
        .database()
        .execute_batch(&format!(
            "CREATE TEMP TABLE older AS
             SELECT {day} AS period, kind, 1 AS clicks FROM click_sums
             UNION ALL SELECT 1000000 + 24 * {day} + 7, kind, 2 FROM click_sums
             UNION ALL SELECT 1000000 + 24 * {day} + 8, kind, 4 FROM click_sums
             UNION ALL SELECT 1000000 + 24 * {day} + 8, kind + 2048, 8 FROM click_sums;
             DELETE FROM click_sums;
             INSERT INTO click_sums SELECT * FROM older;
             INSERT INTO clicked_products (id, title, source, category, classified, counted)
             VALUES ('gone', 'Gone', '', '', 8, 8);
             UPDATE clicked_products SET classified = 7, counted = 7 WHERE id = 'p0';"
        ))
        .unwrap();
    let days = |people: &People| rows(&report(people, &owner, "by=day&from=30d"));
    let before = days(&people);
    let (_, people) = people.restart();
    let database = people.shop.database();
    let sums = || -> Vec<(bool, i64)> {
        let sql = "SELECT period < 1000000, clicks FROM click_sums ORDER BY period, kind";
        let mut statement = database.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
        rows.unwrap().map(Result::unwrap).collect()
    };
    wait_until("the day is not folded", || sums() == [(true, 7), (true, 8)]);
    assert_eq!(days(&people), before);
    assert!(succeeds(people.shop.run(&["check"])).contains("15 are classified"));
}
