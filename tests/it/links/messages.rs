//! Messages about deals, for messengers.

use serde_json::{Value, json};

use crate::office::classifications::ask;
use crate::support::harness::{Shop, product_with};
use crate::support::people::{People, Someone};

fn message(people: &People, by: &Someone, query: &str) -> (u16, Value) {
    let answer = ask(people, by, &format!("/product/message?{query}"));
    (answer.status().as_u16(), answer.json().unwrap())
}

fn shop() -> (People, Someone) {
    let kettle = product_with(
        1,
        json!({"_id": "kettle", "title": "Kettle *1.7 l* by_hand", "price": 1500, "discount": 20,
               "source": "Croma",
               "offers": [{"kind": "coupon", "code": "TEA_10", "percent": 10}]}),
    );
    let draft = product_with(
        2,
        json!({"_id": "draft", "title": "Toaster", "status": "draft"}),
    );
    let people = People::with(Shop::with(&[kettle, draft]), &[]);
    let owner = people.join_as_admin("owner@example.com");
    (people, owner)
}

#[test]
fn a_deal_is_written_for_whatsapp_and_as_plain_text() {
    let (people, owner) = shop();
    let page = people.server.url("/details/kettle");
    let (status, sent) = message(&people, &owner, "ids=kettle&for=whatsapp");
    assert_eq!(status, 200, "{sent}");
    let lines = [
        "*Kettle 1.7 l by hand*",
        "₹1,200.00 ~₹1,500~ (−20%)",
        "₹1,080 with code",
        "Code: `TEA_10`",
        &format!("Croma: {page}?utm_source=whatsapp"),
    ];
    assert_eq!(sent, json!({"text": lines.join("\n"), "leftOut": []}));
    let (_, sent) = message(&people, &owner, "ids=kettle");
    let text = sent["text"].as_str().unwrap();
    assert!(
        text.starts_with("Kettle *1.7 l* by_hand\n₹1,200.00 instead of ₹1,500 (−20%)\n"),
        "{text}"
    );
    assert!(
        text.ends_with(&format!("Code: TEA_10\nCroma: {page}")),
        "{text}"
    );
}

#[test]
fn titles_with_markup_of_whatsapp_stay_one_bold_line() {
    let titles = [
        (
            "_Soft_ ~50% off~ `code`\n*now*",
            "*Soft 50% off code now*\n",
        ),
        ("हिंदी साड़ी 👩‍💻 लाल", "*हिंदी साड़ी 👩‍💻 लाल*\n"),
        ("*** ~~~", "₹"),
    ];
    let products: Vec<Value> = titles
        .iter()
        .enumerate()
        .map(|(n, (title, _))| product_with(n, json!({"_id": format!("p{n}"), "title": title})))
        .collect();
    let people = People::with(Shop::with(&products), &[]);
    let owner = people.join_as_admin("owner@example.com");
    let (status, sent) = message(&people, &owner, "ids=p0,p1,p2&for=whatsapp");
    assert_eq!(status, 200, "{sent}");
    let parts = sent["text"].as_str().unwrap().split("\n\n");
    let parts: Vec<_> = parts.collect();
    assert_eq!(parts.len(), 3, "{parts:?}");
    for (part, (_, start)) in parts.iter().zip(titles) {
        assert!(part.starts_with(start), "{part}");
    }
}

#[test]
fn a_message_leaves_out_what_visitors_cannot_buy() {
    let (people, owner) = shop();
    let (_, sent) = message(&people, &owner, "ids=draft,kettle&for=whatsapp");
    assert_eq!(sent["leftOut"], json!(["Toaster"]));
    assert!(
        !sent["text"].as_str().unwrap().contains("Toaster"),
        "{sent}"
    );
}

#[test]
fn a_message_keeps_the_sellers_rules() {
    let (people, owner) = shop();
    people.shop.set_rules("Croma", r#"{"showPrice": false}"#);
    let (_, sent) = message(&people, &owner, "ids=kettle&for=whatsapp");
    assert!(!sent["text"].as_str().unwrap().contains('₹'), "{sent}");
}

#[test]
fn a_message_is_for_the_office_and_has_at_most_20_deals() {
    let (people, owner) = shop();
    assert_eq!(
        people.server.get("/product/message?ids=kettle").status(),
        401
    );
    let many = vec!["kettle"; 21].join(",");
    let (status, refused) = message(&people, &owner, &format!("ids={many}"));
    assert_eq!(
        (status, refused["code"].as_str()),
        (400, Some("invalid_fields")),
        "{refused}"
    );
    assert_eq!(message(&people, &owner, "ids=nothing").0, 404);
    assert_eq!(message(&people, &owner, "ids=kettle&for=pigeon").0, 400);
}
