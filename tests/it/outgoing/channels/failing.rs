//! Services that refuse, fail, or are cut off.

use reqwest::Method;
use serde_json::json;

use super::service::Next;
use super::{Posting, TOKEN};
use crate::support::harness::{product_with, wait_until};

fn three() -> Posting {
    let products: Vec<_> = (1..4)
        .map(|number| product_with(number, json!({"_id": format!("p{number}")})))
        .collect();
    Posting::with(&products)
}

/// Waits until the channel's last error has these words.
fn told(shop: &Posting, channel: &str, words: &str) {
    wait_until(words, || {
        let shown = shop.shown(channel);
        shown["lastError"].as_str().unwrap().contains(words)
    });
}

#[test]
fn a_bot_that_is_too_fast_waits_as_long_as_telegram_asks() {
    let shop = three();
    let channel = shop.chat(json!({}));
    let slowly = json!({"ok": false, "error_code": 429, "description": "Too Many Requests: retry after 600",
                        "parameters": {"retry_after": 600}});
    shop.service.then(Next::Status(429, slowly));
    assert_eq!(shop.post_all(&channel, &["p1", "p2"]), ["queued"; 2]);
    told(&shop, &channel, "Telegram asks to send more slowly (429).");
    let wait = "SELECT until - last_error_at FROM outgoing_waits, channels";
    assert_eq!(shop.number(wait), 600_000);
    assert_eq!(shop.shown(&channel)["waiting"], 2);
    assert_eq!(shop.service.received().len(), 1);
    shop.pass_time();
    shop.service.wait_for(2);
    assert_eq!(shop.newest(&channel, "waiting")["id"], "p2");
    shop.pass_time();
    shop.service.wait_for(3);
    assert_eq!(shop.newest(&channel, "sent")["error"], "");
}

#[test]
fn a_channel_that_fails_delays_no_other() {
    let shop = three();
    let failing = shop.chat(json!({"name": "Failing"}));
    shop.service.then(Next::Status(500, json!({})));
    shop.post(&failing, "p1");
    told(&shop, &failing, "Telegram answered with status 500.");
    let other = shop.chat(json!({"name": "Other", "chat": "-1001234567890"}));
    shop.post(&other, "p1");
    assert_eq!(shop.service.wait_for(2).body["chat_id"], "-1001234567890");
    shop.newest(&other, "sent");
    assert_eq!(shop.posts(&failing)[0]["state"], "waiting");
    shop.pass_time();
    shop.service.wait_for(3);
    assert_eq!(shop.newest(&failing, "sent")["error"], "");
}

/// Waits for the eight attempts of a post without their delays.
fn give_up(shop: &Posting, channel: &str) {
    for attempt in 1..=8 {
        wait_until("the attempt is recorded", || {
            shop.number("SELECT attempts FROM outgoing") == attempt
        });
        shop.execute(
            "UPDATE outgoing SET next_at = 0 WHERE next_at IS NOT NULL; DELETE FROM outgoing_waits",
        );
    }
    let post = shop.newest(channel, "failed");
    assert_eq!(post["error"], "Telegram answered with status 502.");
}

#[test]
fn a_post_is_given_up_after_eight_attempts_and_can_be_tried_again() {
    let shop = three();
    let channel = shop.chat(json!({}));
    for _ in 0..8 {
        shop.service.then(Next::Status(502, json!({})));
    }
    shop.post(&channel, "p1");
    give_up(&shop, &channel);
    shop.execute("UPDATE outgoing SET next_at = 0, attempts = 0");
    shop.newest(&channel, "sent");
    assert_eq!(shop.service.received().len(), 9);
}

#[test]
fn a_post_whose_answer_was_lost_is_sent_again_and_said_to_be_there_twice_perhaps() {
    let shop = three();
    let channel = shop.chat(json!({}));
    shop.service.then(Next::CutOff);
    shop.post(&channel, "p1");
    told(&shop, &channel, "could not be reached");
    assert_eq!(shop.posts(&channel)[0]["state"], "sending");
    shop.pass_time();
    shop.service.wait_for(2);
    let post = shop.newest(&channel, "sent");
    let said = "It may be there twice: the first attempt had no answer.";
    assert_eq!(post["error"], said);
}

#[test]
fn a_doubtful_post_that_was_given_up_is_said_to_be_there_twice_perhaps_when_it_is_tried_again() {
    let shop = three();
    let channel = shop.chat(json!({}));
    shop.service.then(Next::CutOff);
    for _ in 1..8 {
        shop.service.then(Next::Status(502, json!({})));
    }
    shop.post(&channel, "p1");
    give_up(&shop, &channel);
    let (_, listed) = shop.call(Method::GET, "/outgoing", &json!({}));
    let retry = format!("/outgoing/{}/retry", listed["data"][0]["id"]);
    assert_eq!(shop.call(Method::POST, &retry, &json!({})).0, 200);
    let post = shop.newest(&channel, "sent");
    let said = "It may be there twice: the first attempt had no answer.";
    assert_eq!(post["error"], said);
}

#[test]
fn a_post_outlives_a_kill_between_sending_and_recording_it() {
    let mut shop = three();
    let channel = shop.chat(json!({}));
    shop.service.then(Next::Silence);
    assert_eq!(shop.post_all(&channel, &["p1", "p2"]), ["queued"; 2]);
    shop.service.wait_for(1);
    shop.people.server.signal("KILL");
    shop.people.server.wait_for_exit();
    let api = shop.service.url("");
    shop.people.server = shop.people.shop.serve_with(&["--telegram-api", &api]);
    assert!(
        shop.service
            .wait_for(2)
            .text("caption")
            .contains("Product 1")
    );
    wait_until("the post is recorded", || {
        shop.posts(&channel)[1]["state"] == "sent"
    });
    let error = shop.posts(&channel)[1]["error"].clone();
    assert!(error.as_str().unwrap().contains("twice"), "{error}");
    shop.pass_time();
    assert!(
        shop.service
            .wait_for(3)
            .text("caption")
            .contains("Product 2")
    );
    assert_eq!(shop.newest(&channel, "sent")["error"], "");
    assert_eq!(shop.service.received().len(), 3);
}

#[test]
fn a_chat_that_is_gone_switches_its_channel_off_with_the_reason() {
    for (status, description, words) in [
        (
            400,
            "Bad Request: chat not found",
            "Telegram refuses the chat: Bad Request: chat not found.",
        ),
        (
            403,
            "Forbidden: bot was kicked from the channel chat",
            "Add it to the chat as an administrator.",
        ),
        (
            401,
            "Unauthorized",
            "Telegram does not know the bot's token",
        ),
    ] {
        let shop = three();
        let channel = shop.chat(json!({}));
        shop.service.then_refuse(status, description);
        assert_eq!(shop.post_all(&channel, &["p1", "p2"]), ["queued"; 2]);
        wait_until("it is switched off", || shop.shown(&channel)["on"] == false);
        let shown = shop.shown(&channel);
        let reason = shown["offReason"].as_str().unwrap();
        assert!(reason.contains(words), "{reason}");
        assert_eq!(
            (&shown["waiting"], &shown["lastError"]),
            (&json!(0), &json!(reason))
        );
        for post in shop.posts(&channel) {
            assert_eq!(
                (&post["state"], &post["error"]),
                (&json!("failed"), &json!(reason))
            );
        }
        let (_, log) = shop.call(Method::GET, "/product/activity", &json!({}));
        let entry = &log["data"][0];
        assert_eq!(entry["actor"], "the server", "{entry}");
        assert_eq!(
            entry["details"]["channel.Loot"]["to"],
            format!("off: {reason}")
        );
        let (_, needs) = shop.call(Method::GET, "/report/needs", &json!({}));
        let mut needs = needs["data"].as_array().unwrap().iter();
        let need = needs.find(|need| need["key"] == "channel").unwrap();
        assert_eq!(
            (&need["text"], &need["details"]),
            (
                &json!("1 channel was switched off"),
                &json!(format!("Loot: {reason}"))
            )
        );
        let path = format!("/channel/{channel}/post");
        assert_eq!(
            shop.call(Method::POST, &path, &json!({"ids": ["p3"]})).0,
            409
        );
        let (status, said) = shop.call(
            Method::PUT,
            &format!("/channel/{channel}"),
            &json!({"on": true}),
        );
        assert_eq!((status, &said["channel"]["offReason"]), (200, &json!("")));
        shop.pass_time();
        shop.post(&channel, "p3");
        shop.newest(&channel, "sent");
    }
}

#[test]
fn a_post_that_telegram_refuses_for_good_is_given_up_without_the_token() {
    let shop = three();
    let channel = shop.chat(json!({}));
    for _ in 0..2 {
        shop.service
            .then_refuse(400, &format!("Bad Request: can't parse {TOKEN}"));
    }
    shop.post(&channel, "p1");
    let post = shop.newest(&channel, "failed");
    assert_eq!(
        post["error"],
        "Telegram refused it (400): Bad Request: can't parse …."
    );
    assert_eq!(shop.shown(&channel)["on"], true);
}

#[test]
fn a_message_that_arrives_without_an_answer_is_sent_twice_at_most() {
    let shop = three();
    let channel = shop.chat(json!({}));
    shop.service.then(Next::CutOff);
    shop.service.then(Next::Status(200, json!({"ok": true})));
    shop.post(&channel, "p1");
    told(&shop, &channel, "could not be reached");
    shop.pass_time();
    let error = shop.newest(&channel, "failed")["error"].clone();
    let words = "could not be read. It may be there: look before you try again.";
    assert!(error.as_str().unwrap().contains(words), "{error}");
    assert_eq!(shop.service.received().len(), 2);
    assert_eq!(shop.shown(&channel)["lastError"], error);
    let given_up = "SELECT count(*) FROM outgoing WHERE next_at IS NULL";
    assert_eq!(shop.number(given_up), 1, "it can be tried again");
}

#[test]
fn a_group_that_became_a_supergroup_is_followed() {
    let shop = three();
    let channel = shop.chat(json!({"chat": "-77"}));
    let upgraded = json!({
        "ok": false, "error_code": 400,
        "description": "Bad Request: group chat was upgraded to a supergroup chat",
        "parameters": {"migrate_to_chat_id": -1_001_234_567_890_i64},
    });
    shop.service.then(Next::Status(400, upgraded.clone()));
    shop.post(&channel, "p1");
    told(&shop, &channel, "its number -1001234567890 is used");
    assert_eq!(shop.shown(&channel)["chat"], "-1001234567890");
    shop.pass_time();
    assert_eq!(shop.service.wait_for(2).body["chat_id"], "-1001234567890");
    assert_eq!(shop.newest(&channel, "sent")["error"], "");
}

#[test]
fn a_message_that_is_the_same_or_too_old_to_edit_keeps_its_channel_on() {
    let shop = three();
    let channel = shop.chat(json!({}));
    shop.post(&channel, "p1");
    shop.newest(&channel, "sent");
    for (discount, description, error) in [
        (
            20,
            "Bad Request: message is not modified: specified new",
            "",
        ),
        (
            30,
            "Bad Request: message can't be edited",
            "Telegram lets nobody change this message any more: delete it there, if need be.",
        ),
        (
            40,
            "Bad Request: message to edit not found",
            "The message can't be changed any more: somebody deleted it, perhaps.",
        ),
    ] {
        shop.service.then_refuse(400, description);
        shop.save("p1", &product_with(1, json!({"discount": discount})));
        let shown = format!(
            "SELECT count(*) FROM posts WHERE error = '{}'",
            error.replace('\'', "''")
        );
        wait_until("the edit is recorded", || {
            shop.pass_time();
            shop.service.received().len() as i64 == discount / 10 && shop.number(&shown) == 1
        });
        shop.settled();
        let post = &shop.posts(&channel)[0];
        assert_eq!(
            (&post["state"], &post["error"]),
            (&json!("sent"), &json!(error))
        );
    }
    assert_eq!(shop.shown(&channel)["on"], true);
}

#[test]
fn where_a_bot_may_send_no_photos_it_sends_a_text() {
    let shop = three();
    let channel = shop.chat(json!({}));
    let refused = "Bad Request: not enough rights to send photos to the chat";
    shop.service.then_refuse(400, refused);
    shop.post(&channel, "p1");
    assert_eq!(shop.service.wait_for(2).call(), "sendMessage");
    shop.newest(&channel, "sent");
    assert_eq!(shop.shown(&channel)["on"], true);
}
