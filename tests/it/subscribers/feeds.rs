//! Feeds of the newest deals of a list.

use reqwest::Method;
use roxmltree::Document;
use serde_json::{Value, json};

use super::{follow, link, send_form};
use crate::support::harness::{Shop, product_with};
use crate::support::people::People;
use crate::support::times::{HOUR, after};

#[test]
fn both_feeds_have_the_deals_of_a_list_with_price_end_and_picture() {
    let end = after(30 * HOUR);
    let shop = Shop::with(&[
        product_with(
            1,
            json!({"title": "A lamp", "source": "Croma", "tags": ["diwali", "light"], "endsAt": end, "price": 200, "discount": 25}),
        ),
        product_with(
            2,
            json!({"title": "A hidden price", "tags": ["diwali"], "source": "Amazon"}),
        ),
        product_with(3, json!({"title": "Something else"})),
    ]);
    shop.set_rules("Amazon", &json!({"showPrice": false}).to_string());
    let server = shop.serve();
    let answer = server.get("/feed.json?tag=diwali");
    assert_eq!(answer.headers()["content-type"], "application/feed+json");
    let feed: Value = answer.json().unwrap();
    assert_eq!(feed["version"], "https://jsonfeed.org/version/1.1");
    assert_eq!(feed["feed_url"], server.url("/feed.json?tag=diwali"));
    assert_eq!(feed["title"], "Deals: the newest of Deals tagged diwali");
    let items = feed["items"].as_array().unwrap();
    let item = |title: &str| items.iter().find(|item| item["title"] == title).unwrap();
    assert_eq!(items.len(), 2);
    let lamp = item("A lamp");
    assert_eq!(lamp["_deal"]["price"], "150");
    assert_eq!(lamp["_deal"]["ends_at"], end);
    assert!(
        lamp["image"].as_str().unwrap().starts_with("http"),
        "{lamp}"
    );
    assert_eq!(
        lamp["tags"].as_array().unwrap()[1..],
        [json!("diwali"), json!("light")]
    );
    let hidden = item("A hidden price");
    assert!(hidden["_deal"].get("price").is_none(), "{hidden}");
    assert!(!hidden.to_string().contains('₹'), "{hidden}");

    let xml = server.get("/feed.xml?tag=diwali").text().unwrap();
    let document = Document::parse(&xml).unwrap();
    let texts = |name: &str| -> Vec<String> {
        let found = document
            .descendants()
            .filter(|it| it.tag_name().name() == name);
        found
            .map(|it| it.text().unwrap_or_default().to_owned())
            .collect()
    };
    assert_eq!(texts("price"), ["150 INR"]);
    assert_eq!(texts("expiration_date"), [end]);
    assert_eq!(texts("entry").len(), 2);
    let page = server.get("/?tag=diwali").text().unwrap();
    for (kind, path) in [("atom+xml", "/feed.xml"), ("feed+json", "/feed.json")] {
        let link = format!(
            "<link rel=\"alternate\" type=\"application/{kind}\" title=\"Newest deals\" href=\"{path}?tag=diwali\">"
        );
        assert!(page.contains(&link), "{page}");
    }
}

#[test]
fn words_of_a_search_stay_in_their_order_in_titles_mails_and_the_office() {
    let people = People::with(Shop::new(), &["--demo"]);
    let search = "?search=tea%E2%80%AE%0D%0ABcc:%1B+x";
    let title = "“tea Bcc: x”";
    let feed = people.server.json(&format!("/feed.json{search}"));
    assert!(feed["title"].as_str().unwrap().ends_with(title), "{feed}");
    let page = people.server.get(&format!("/follow{search}"));
    let page = page.text().unwrap();
    assert!(
        page.contains(&format!("<title>Follow {title} · ")),
        "{page}"
    );

    follow(&people, search, "192.0.2.1", "asha@example.com");
    let link = link(&people.mailbox.next());
    send_form(&people, &link, "192.0.2.1", &[("do", "confirm")]);
    let own = people
        .server
        .json(&link.replace("/subscriptions/", "/subscriber/own/"));
    assert_eq!(own["lists"][0]["heading"], title);

    // Beside the subscribers and alerts that the demo shop makes up.
    let owner = people.join_as_admin("owner@example.com");
    let request = people
        .request(Method::GET, "/subscriber")
        .bearer_auth(&owner.token);
    let numbers = request.send().unwrap().json::<Value>().unwrap();
    let lists = numbers["lists"].as_array().unwrap();
    assert!(
        lists.iter().any(|list| list["heading"] == title),
        "{numbers}"
    );
    for name in ["confirmed", "alerts"] {
        assert!(numbers[name].as_i64().unwrap() > 5, "{numbers}");
    }
}
