//! Posts by a webhook of Discord, and to an address of a program.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use reqwest::Method;
use serde_json::json;
use sha2::Sha256;

use super::Posting;
use super::service::Next;
use crate::support::harness::{product, product_with, wait_until};

fn lamp(discount: u32) -> serde_json::Value {
    product_with(
        1,
        json!({"_id": "lamp", "title": "Lamp *warm*", "discount": discount}),
    )
}

#[test]
fn a_deal_is_one_embed_that_is_edited_and_lost_with_the_webhook() {
    let shop = Posting::with(&[lamp(10), product_with(2, json!({"_id": "other"}))]);
    let hook = shop.service.url("/api/webhooks/1/secret?thread_id=7");
    let channel = shop.add(&json!({"kind": "discord", "name": "Guild", "token": hook}));
    shop.post(&channel, "lamp");
    let sent = shop.service.wait_for(1);
    assert_eq!(
        sent.line,
        "POST /api/webhooks/1/secret?thread_id=7&wait=true"
    );
    let embed = &sent.body["embeds"][0];
    let text = embed["description"].as_str().unwrap();
    assert!(
        text.starts_with("**Lamp \\*warm\\***\n**₹90.90** ~~₹101~~ −10%"),
        "{text}"
    );
    assert!(
        text.contains("?utm_source=discord&utm_campaign=guild"),
        "{text}"
    );
    assert_eq!(embed["image"]["url"], "https://pictures.example/1.jpg");
    assert_eq!(sent.body["allowed_mentions"], json!({"parse": []}));
    shop.newest(&channel, "sent");

    shop.save("lamp", &lamp(50));
    shop.pass_time();
    let edited = shop.service.wait_for(2);
    assert_eq!(
        edited.line,
        "PATCH /api/webhooks/1/secret/messages/1?thread_id=7"
    );
    let text = edited.body["embeds"][0]["description"].as_str().unwrap();
    assert!(text.contains("**₹50.50**"), "{text}");

    let slowly = json!({"message": "You are being rate limited.", "retry_after": 64.57});
    shop.service.then(Next::Status(429, slowly));
    shop.settled();
    shop.pass_time();
    shop.post(&channel, "other");
    shop.service.wait_for(3);
    wait_until("it is told", || {
        shop.shown(&channel)["lastError"] == "Discord asks to send more slowly (429)."
    });
    let wait = shop.number("SELECT until - last_error_at FROM outgoing_waits, channels");
    assert!(wait == 65_000, "{wait}");

    let gone = json!({"message": "Unknown Webhook", "code": 10015});
    shop.service.then(Next::Status(404, gone));
    shop.pass_time();
    wait_until("it is switched off", || shop.shown(&channel)["on"] == false);
    let shown = shop.shown(&channel);
    let reason = "Discord does not know this webhook: make one there anew, and enter its address.";
    assert_eq!(shown["offReason"], reason);
    assert_eq!(shop.posts(&channel)[0]["error"], reason);
}

#[test]
fn a_message_that_somebody_deleted_is_left_alone() {
    let shop = Posting::with(&[lamp(10)]);
    let hook = shop.service.url("/api/webhooks/1/secret");
    let channel = shop.add(&json!({"kind": "discord", "name": "Guild", "token": hook}));
    shop.post(&channel, "lamp");
    shop.newest(&channel, "sent");
    let gone = json!({"message": "Unknown Message", "code": 10008});
    shop.service.then(Next::Status(404, gone));
    shop.save("lamp", &lamp(50));
    shop.pass_time();
    wait_until("it is told", || {
        let post = &shop.posts(&channel)[0];
        post["error"]
            .as_str()
            .unwrap()
            .contains("somebody deleted it")
    });
    assert_eq!(shop.shown(&channel)["on"], true);
}

#[test]
fn a_program_gets_signed_messages_about_deals() {
    let shop = Posting::with(&[lamp(10)]);
    let (status, added) = shop.call(
        Method::POST,
        "/channel",
        &json!({"kind": "webhook", "name": "Own bot", "chat": shop.service.url("/deals")}),
    );
    assert_eq!(status, 201, "{added}");
    let secret = added["secret"]
        .as_str()
        .unwrap()
        .strip_prefix("whsec_")
        .unwrap();
    let channel = added["channel"]["id"].as_str().unwrap();
    shop.post(channel, "lamp");
    let sent = shop.service.wait_for(1);
    assert_eq!(sent.line, "POST /deals");
    assert_eq!(sent.body["type"], "deal.posted");
    let data = &sent.body["data"];
    assert_eq!(
        (&data["id"], &data["title"]),
        (&json!("lamp"), &json!("Lamp *warm*"))
    );
    assert!(
        data["text"]
            .as_str()
            .unwrap()
            .starts_with("Lamp *warm*\n₹90.90 ₹101 −10%")
    );
    let header = |name: &str| {
        let mut lines = sent.headers.lines();
        let line = lines.find_map(|line| line.strip_prefix(&format!("{name}: ")));
        line.unwrap().to_owned()
    };
    let mut mac = Hmac::<Sha256>::new_from_slice(&STANDARD.decode(secret).unwrap()).unwrap();
    let (id, at) = (header("webhook-id"), header("webhook-timestamp"));
    mac.update(format!("{id}.{at}.{}", sent.raw).as_bytes());
    let expected = format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()));
    assert_eq!(header("webhook-signature"), expected);
    shop.newest(channel, "sent");
    shop.save("lamp", &lamp(50));
    assert_eq!(shop.service.wait_for(2).body["type"], "deal.changed");
}

#[test]
fn a_channel_to_nowhere_keeps_what_it_would_have_sent() {
    let shop = Posting::with(&[product(1)]);
    let channel = shop.add(&json!({"kind": "nowhere", "name": "Trial"}));
    let id = shop.people.server.list("")[0]["_id"]
        .as_str()
        .unwrap()
        .to_owned();
    shop.post(&channel, &id);
    let post = shop.newest(&channel, "sent");
    assert!(
        post["text"]
            .as_str()
            .unwrap()
            .starts_with("Product 1\n₹90.90"),
        "{post}"
    );
    assert!(shop.service.received().is_empty());
    let (status, said) = shop.call(
        Method::POST,
        &format!("/channel/{channel}/test"),
        &json!({}),
    );
    let said = said["message"].as_str().unwrap();
    assert!(
        status == 200 && said.starts_with("A test channel sends nothing."),
        "{said}"
    );
    assert!(said.contains("\n\nProduct 1\n₹90.90"), "{said}");
}
