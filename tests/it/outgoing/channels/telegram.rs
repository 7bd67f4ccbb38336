//! Posts in a chat of Telegram.

use reqwest::Method;
use serde_json::json;

use super::Posting;
use crate::support::harness::{product_with, wait_until};

fn kettle(changes: serde_json::Value) -> serde_json::Value {
    let mut product = product_with(
        1,
        json!({"_id": "kettle", "title": "Kettle <1.7 l> & base", "price": 1500, "discount": 20,
               "source": "Croma", "offers": [{"kind": "coupon", "code": "TEA_10", "percent": 10}]}),
    );
    let more = changes.as_object().unwrap().clone();
    product.as_object_mut().unwrap().extend(more);
    product
}

#[test]
fn a_deal_is_posted_with_its_picture_and_a_link_that_names_the_channel() {
    let draft = product_with(2, json!({"_id": "draft", "status": "draft"}));
    let shop = Posting::with(&[kettle(json!({})), draft]);
    let channel = shop.chat(json!({"name": "Loot & Deals"}));
    let ids = ["kettle", "draft", "nothing"];
    let results = shop.post_all(&channel, &ids);
    assert_eq!(results, ["queued", "not live", "not live"]);
    let sent = shop.service.wait_for(1);
    assert_eq!(sent.line, format!("POST /bot{}/sendPhoto", super::TOKEN));
    let page = shop.people.server.url("/details/kettle");
    let link = format!("{page}?utm_source=telegram&utm_campaign=loot-deals");
    let lines = [
        "<b>Kettle &lt;1.7 l&gt; &amp; base</b>",
        "<b>₹1,200</b> <s>₹1,500</s> −20%",
        "Code <code>TEA_10</code>",
        &format!("Croma: {} #ad", link.replace('&', "&amp;")),
    ];
    assert_eq!(
        sent.body,
        json!({
            "chat_id": "@loot", "photo": "https://pictures.example/1.jpg", "parse_mode": "HTML",
            "caption": lines.join("\n"),
            "reply_markup": {"inline_keyboard": [[{"text": "See the deal", "url": link}]]},
        })
    );
    let post = shop.newest(&channel, "sent");
    assert_eq!(
        (&post["id"], &post["byRule"]),
        (&json!("kettle"), &json!(false))
    );
    assert_eq!(
        (&post["text"], &post["error"]),
        (&json!(lines.join("\n")), &json!(""))
    );
    let shown = shop.shown(&channel);
    assert_eq!(shown["lastPostedAt"], post["sentAt"]);
    assert_eq!(
        (&shown["waiting"], &shown["lastError"]),
        (&json!(0), &json!(""))
    );
    assert_eq!(shop.post_all(&channel, &["kettle"]), ["already"]);
    shop.execute("UPDATE posts SET sent_at = sent_at - 14 * 86400000");
    assert_eq!(shop.post_all(&channel, &["kettle"]), ["queued"]);
}

#[test]
fn posts_keep_their_order_and_three_seconds_between_them() {
    let products: Vec<_> = (1..4)
        .map(|number| product_with(number, json!({"_id": format!("p{number}")})))
        .collect();
    let shop = Posting::with(&products);
    let channel = shop.chat(json!({}));
    assert_eq!(shop.post_all(&channel, &["p2", "p3", "p1"]), ["queued"; 3]);
    for (count, title) in [(1, "Product 2"), (2, "Product 3"), (3, "Product 1")] {
        assert!(shop.service.wait_for(count).text("caption").contains(title));
        wait_until("the post is recorded", || {
            shop.number("SELECT count(*) FROM posts WHERE state = 'sent'")
                == i64::try_from(count).unwrap()
        });
        let wait = "SELECT until - (SELECT max(sent_at) FROM posts) FROM outgoing_waits";
        assert_eq!(shop.number(wait), 3_000);
        shop.pass_time();
    }
    assert_eq!(shop.shown(&channel)["waiting"], 0);
}

#[test]
fn a_new_post_goes_before_the_edits_that_wait() {
    let products: Vec<_> = (1..4)
        .map(|number| product_with(number, json!({"_id": format!("p{number}")})))
        .collect();
    let shop = Posting::with(&products);
    let channel = shop.chat(json!({}));
    for id in ["p1", "p2"] {
        shop.post(&channel, id);
        shop.pass_time();
        shop.newest(&channel, "sent");
    }
    shop.execute(
        "INSERT OR REPLACE INTO outgoing_waits (lane, until) SELECT 'channel:' || id, 9e12 FROM channels",
    );
    for number in [1, 2] {
        let dearer = product_with(number, json!({"discount": 40}));
        shop.save(&format!("p{number}"), &dearer);
    }
    wait_until("the edits wait", || {
        shop.number("SELECT count(*) FROM outgoing") == 2
    });
    shop.post(&channel, "p3");
    shop.execute("DELETE FROM outgoing_waits");
    let third = shop.service.wait_for(3);
    assert_eq!(third.call(), "sendPhoto", "{third:?}");
    shop.pass_time();
    assert_eq!(shop.service.wait_for(4).call(), "editMessageCaption");
}

#[test]
fn a_picture_that_telegram_refuses_becomes_a_text_with_a_preview() {
    let shop = Posting::with(&[kettle(json!({}))]);
    let channel = shop.chat(json!({}));
    shop.service
        .then_refuse(400, "Bad Request: wrong type of the web page content");
    shop.post(&channel, "kettle");
    let sent = shop.service.wait_for(2);
    assert_eq!(sent.call(), "sendMessage");
    let link = sent.body["link_preview_options"]["url"].as_str().unwrap();
    assert!(
        link.contains("/details/kettle?utm_source=telegram"),
        "{link}"
    );
    assert!(sent.text("text").starts_with("<b>Kettle"), "{sent:?}");
    assert_eq!(shop.newest(&channel, "sent")["error"], "");
    shop.save("kettle", &kettle(json!({"discount": 40})));
    shop.pass_time();
    assert_eq!(shop.service.wait_for(3).call(), "editMessageText");
}

#[test]
fn a_post_follows_the_price_and_the_end_of_its_deal() {
    let shop = Posting::with(&[kettle(json!({}))]);
    let channel = shop.chat(json!({}));
    shop.post(&channel, "kettle");
    shop.newest(&channel, "sent");
    // Neither the title nor a click is a reason to change a message that people have read.
    shop.save("kettle", &kettle(json!({"title": "Kettle of steel"})));
    shop.save("kettle", &kettle(json!({"discount": 40})));
    shop.pass_time();
    let edited = shop.service.wait_for(2);
    assert_eq!(edited.call(), "editMessageCaption");
    assert_eq!(edited.body["message_id"], 1);
    assert!(
        edited
            .text("caption")
            .contains("<b>₹900</b> <s>₹1,500</s> −40%"),
        "{edited:?}"
    );
    shop.settled();
    let ended = kettle(json!({"discount": 40, "endsAt": "2026-01-01T00:00:00Z"}));
    shop.save("kettle", &ended);
    shop.pass_time();
    let edited = shop.service.wait_for(3);
    let caption = edited.text("caption");
    assert!(caption.starts_with("<b>ENDED</b>\n<b>Kettle"), "{caption}");
    assert!(!caption.contains('₹'), "{caption}");
    shop.settled();
    shop.save("kettle", &kettle(json!({"discount": 50, "endsAt": null})));
    shop.pass_time();
    assert!(
        shop.service
            .wait_for(4)
            .text("caption")
            .contains("<b>₹750</b>")
    );
    shop.settled();
    let (status, _) = shop.call(Method::DELETE, "/product/delete-product/kettle", &json!({}));
    assert_eq!(status, 200);
    shop.pass_time();
    assert!(
        shop.service
            .wait_for(5)
            .text("caption")
            .starts_with("<b>ENDED</b>")
    );
    shop.settled();
    assert_eq!(shop.service.received().len(), 5);
}

#[test]
fn a_price_that_the_sellers_rules_hide_is_not_posted() {
    let shop = Posting::with(&[kettle(json!({}))]);
    let rules = r#"{"showPrice": false, "copyImages": false}"#;
    shop.people.shop.set_rules("Croma", rules);
    let channel = shop.chat(json!({}));
    shop.post(&channel, "kettle");
    let sent = shop.service.wait_for(1);
    assert_eq!(sent.call(), "sendMessage", "the picture may not be copied");
    assert!(!sent.text("text").contains('₹'), "{sent:?}");
    assert!(sent.text("text").contains("TEA_10"), "{sent:?}");
}

#[test]
fn a_price_that_becomes_too_old_is_taken_out_of_its_post() {
    let shop = Posting::with(&[kettle(json!({}))]);
    shop.people
        .shop
        .set_rules("Croma", r#"{"priceMaxAge": 24}"#);
    let channel = shop.chat(json!({}));
    shop.post(&channel, "kettle");
    let caption = shop.service.wait_for(1).text("caption").to_owned();
    assert!(caption.contains("₹1,200 (as of "), "{caption}");
    shop.newest(&channel, "sent");
    shop.execute("INSERT INTO price_checks SELECT key, updated_at - 90000000 FROM products");
    // The comparison of every hour is also made at the start.
    let Posting {
        people, service, ..
    } = shop;
    let options = ["--telegram-api", &service.url("")];
    people.server.stop();
    let _server = people.shop.serve_with(&options);
    people
        .shop
        .database()
        .execute_batch("DELETE FROM outgoing_waits")
        .unwrap();
    let edited = service.wait_for(2);
    assert_eq!(edited.call(), "editMessageCaption");
    assert!(!edited.text("caption").contains('₹'), "{edited:?}");
}
