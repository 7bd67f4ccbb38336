//! Page views, searches without results, and the owner's own devices.

use std::sync::atomic::{AtomicUsize, Ordering};

use reqwest::Method;
use serde_json::json;

use super::classifications::{CHROME, ask, click, report, shop_of};
use super::overview::found;
use crate::api::product_forms::send;
use crate::support::people::People;

/// Sends a request as the browser or other client of another visitor.
fn view(people: &People, path: &str, agent: &str, headers: &[(&str, &str)]) -> u16 {
    static VISITORS: AtomicUsize = AtomicUsize::new(0);
    let visitor = VISITORS.fetch_add(1, Ordering::Relaxed);
    view_from(people, &format!("10.5.0.{visitor}"), path, agent, headers)
}

fn view_from(
    people: &People,
    address: &str,
    path: &str,
    agent: &str,
    headers: &[(&str, &str)],
) -> u16 {
    let mut request = people
        .request(Method::GET, path)
        .header("user-agent", agent)
        .header("x-forwarded-for", address);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.send().unwrap().status().as_u16()
}

#[test]
fn views_of_people_count_and_those_of_programs_and_administrators_do_not() {
    let (people, owner) = shop_of(3);
    let navigate = [("sec-fetch-mode", "navigate")];
    // By the page, in the app, and by a link to a page that the browser has cached.
    assert_eq!(view(&people, "/details/p0", CHROME, &navigate), 200);
    assert_eq!(view(&people, "/product/alike/p0", CHROME, &[]), 200);
    let again = [("sec-fetch-mode", "navigate"), ("if-none-match", "W/\"x\"")];
    for _ in 0..3 {
        // Once an hour for each visitor.
        let (visitor, page) = ("10.6.0.1", "/details/p0");
        assert_eq!(view_from(&people, visitor, page, CHROME, &again), 200);
    }
    // A move inside the app, which also asks for the page because of its head.
    for path in ["/product/alike/p1", "/details/p1"] {
        let cors = [("sec-fetch-mode", "cors")];
        assert_eq!(view_from(&people, "10.6.0.2", path, CHROME, &cors), 200);
    }
    // Not counted: revalidation, prefetching, bots, and administrators.
    view(
        &people,
        "/product/alike/p0",
        CHROME,
        &[("if-none-match", "W/\"x\"")],
    );
    view(&people, "/product/product/p0", CHROME, &[]);
    view(&people, "/details/p0", "curl/8", &[]);
    view(
        &people,
        "/details/p0",
        "Googlebot/2.1 (+http://www.google.com/bot.html)",
        &[],
    );
    view(
        &people,
        "/details/p0",
        CHROME,
        &[("sec-purpose", "prefetch")],
    );
    view(&people, "/details/p0", CHROME, &[("cookie", &owner.cookie)]);
    view(&people, "/details/p0", CHROME, &[("cookie", "own=1")]);
    assert_eq!(view(&people, "/details/gone", CHROME, &navigate), 404);
    assert_eq!(view(&people, "/details/p1", CHROME, &navigate), 200);
    click(
        &people,
        "p0",
        "10.0.0.1",
        CHROME,
        &[],
        r#"{"visit":"1","place":"details"}"#,
    );
    click(
        &people,
        "p0",
        "10.0.0.2",
        CHROME,
        &[],
        r#"{"visit":"2","place":"list"}"#,
    );
    // Counts in memory are written when the server stops.
    let (_, people) = people.restart();
    let by_product = report(&people, &owner, "by=product");
    let rows = by_product["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert_eq!(rows[0]["key"], "p0");
    assert_eq!(
        (&rows[0]["views"], &rows[0]["rate"]),
        (&json!(3), &json!(33.3))
    );
    assert_eq!(
        (&rows[1]["key"], &rows[1]["views"]),
        (&json!("p1"), &json!(2))
    );
    assert_eq!(rows[1]["counted"], 0);
    assert_eq!(by_product["totals"]["clicks"], 2);
    let table = ask(&people, &owner, "/report/clicks?by=product&format=csv");
    let table = String::from_utf8(table.bytes().unwrap().to_vec()).unwrap();
    assert!(
        table
            .starts_with("\u{feff}key,label,counted,leftOut,views,rate\np0,Product 0,2,0,3,33.3\n"),
        "{table}"
    );
    let of_channel = report(&people, &owner, "by=product&channel=direct");
    assert!(of_channel["rows"][0].get("views").is_none());
}

#[test]
fn clicks_of_an_owners_device_are_left_out_when_signed_out() {
    let (people, owner) = shop_of(2);
    let path = "/report/this-device";
    let counted = |cookie: &str| {
        let cookie = format!("{}; {cookie}", owner.cookie);
        let request = people.request(Method::GET, "/report/overview");
        let overview: serde_json::Value = request
            .header("cookie", cookie)
            .send()
            .unwrap()
            .json()
            .unwrap();
        overview["deviceCounted"].as_bool().unwrap()
    };
    assert!(counted("x=1") && !counted("own=1"));
    let set = |counted: bool| {
        let answer = send(
            &people,
            &owner,
            Method::POST,
            path,
            &json!({"counted": counted}),
        );
        assert_eq!(answer.status(), 200);
        answer.headers()["set-cookie"].to_str().unwrap().to_owned()
    };
    let cookie = set(false);
    assert!(
        cookie.starts_with("own=1; HttpOnly; SameSite=Lax; Path=/; Max-Age="),
        "{cookie}"
    );
    click(
        &people,
        "p0",
        "10.0.0.1",
        CHROME,
        &[("cookie", "own=1")],
        "",
    );
    click(&people, "p0", "10.0.0.2", CHROME, &[], "");
    let verdicts = super::classifications::rows(&report(&people, &owner, "by=verdict"));
    assert_eq!(
        verdicts,
        [("counted".to_owned(), 1, 0), ("yours".to_owned(), 0, 1)]
    );
    assert!(set(true).contains("Max-Age=0"));
    let wrong = send(
        &people,
        &owner,
        Method::POST,
        path,
        &json!({"counted": "no"}),
    );
    assert_eq!(wrong.status(), 400);
    assert_eq!(people.server.post(path).status(), 401);
}

#[test]
fn searches_without_results_are_listed_without_personal_data() {
    let (people, owner) = shop_of(1);
    for _ in 0..2 {
        // The second response is cached.
        assert_eq!(view(&people, "/?search=Air++Cooler", CHROME, &[]), 200);
        // Once an hour for each visitor.
        let (visitor, page) = ("10.6.0.1", "/?search=Air++Cooler");
        assert_eq!(view_from(&people, visitor, page, CHROME, &[]), 200);
    }
    view(
        &people,
        "/product/get-products?search=air%20cooler&limit=10",
        CHROME,
        &[],
    );
    view(&people, "/product/get-products?search=kettle", CHROME, &[]);
    view(
        &people,
        "/product/get-products?search=kettle",
        CHROME,
        &[("if-none-match", "W/\"x\"")],
    );
    for search in ["root%40example.com", "98765+43210", "product", "%22"] {
        view(&people, &format!("/?search={search}"), CHROME, &[]);
    }
    view(&people, "/?search=robots", "curl/8", &[]);
    let (_, people) = people.restart();
    let overview = found(&people, &owner, "/report/overview");
    assert_eq!(
        overview["emptySearches"],
        json!([
            {"words": "air cooler", "times": 4},
            {"words": "\"", "times": 1},
            {"words": "kettle", "times": 1},
        ])
    );
}

#[test]
fn a_corrected_search_is_listed_as_it_was_typed() {
    let (people, owner) = shop_of(1);
    for page in [
        "/?search=prodcut",
        "/product/get-products?search=prodcut&exact=false",
    ] {
        assert_eq!(view(&people, page, CHROME, &[]), 200);
    }
    let (_, people) = people.restart();
    let overview = found(&people, &owner, "/report/overview");
    assert_eq!(
        overview["emptySearches"],
        json!([{"words": "prodcut", "times": 2}])
    );
}
