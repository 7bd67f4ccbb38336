//! The queue of what goes out: mails and events of webhooks.

mod channels;
mod day;

use reqwest::Method;
use serde_json::{Value, json};

use crate::people::webhooks::{Hooked, OPTIONS};
use crate::support::harness::{product_with, text, wait_until};
use crate::support::mailbox::Mood;
use crate::support::people::PASSWORD;

/// Returns what waits, after the first of it has failed.
fn failed(shop: &Hooked, query: &str) -> Vec<Value> {
    let list = || {
        let (status, listed) = shop.call(Method::GET, &format!("/outgoing{query}"), &json!({}));
        assert_eq!(status, 200, "{listed}");
        listed["data"].as_array().unwrap().clone()
    };
    wait_until("nothing has failed", || {
        list().first().is_some_and(|first| first["attempts"] != 0)
    });
    list()
}

fn register(shop: &Hooked, address: &str, email: &str) {
    let form = json!({"username": "asha", "email": email, "password": PASSWORD});
    let registered = shop.people.post_from(address, "/user/register", &form);
    assert_eq!(registered.status(), 201);
}

/// Returns the newest entry of the activity log about the queue.
fn logged(shop: &Hooked) -> String {
    let (_, log) = shop.call(Method::GET, "/product/activity", &json!({}));
    let mut entries = log["data"].as_array().unwrap().iter();
    let entry = entries.find_map(|entry| entry["details"]["outgoing"]["to"].as_str());
    entry.unwrap().to_owned()
}

fn waiting(shop: &Hooked) -> i64 {
    shop.number("SELECT count(*) FROM outgoing")
}

#[test]
fn a_stalled_mail_server_delays_no_webhook_and_a_stalled_webhook_no_mail() {
    let shop = Hooked::with(&[]);
    shop.hook(&["product.added"]);
    shop.people.mailbox.set_mood(Mood::Silent);
    for n in 1..=9 {
        register(
            &shop,
            &format!("203.0.113.{n}"),
            &format!("asha{n}@shop.example"),
        );
    }
    shop.people.mailbox.wait_for_silence();
    shop.receiver.fall_silent();
    shop.add(&product_with(1, json!({})));
    shop.receiver.wait_for(1);
    assert_eq!(waiting(&shop), 10, "nothing is answered yet");
    shop.people.mailbox.set_mood(Mood::Friendly);
    shop.pass_time();
    let mail = shop.people.mailbox.next();
    assert_eq!(mail.code().len(), 6);
}

#[test]
fn a_kill_between_sending_and_its_result_sends_once_more_and_loses_nothing() {
    let mut shop = Hooked::with(&[]);
    let hook = shop.hook(&["product.added"]);
    shop.receiver.fall_silent();
    let ids = [1, 2, 3].map(|n| shop.add(&product_with(n, json!({}))));
    let first = shop.receiver.wait_for(1);
    shop.people.server.signal("KILL");
    shop.people.server.wait_for_exit();
    shop.receiver.speak_again();
    let _server = shop.people.shop.serve_with(&OPTIONS);
    shop.receiver.wait_for(4);
    wait_until("something waits", || waiting(&shop) == 0);
    let received = shop.receiver.received();
    assert_eq!(received.len(), 4);
    assert_eq!(
        received[1].headers["webhook-id"],
        first.headers["webhook-id"]
    );
    for (received, id) in received[1..].iter().zip(&ids) {
        assert_eq!(received.body()["data"]["id"], id.as_str());
        assert_eq!(received.valid_signatures(&hook.secret), 1);
    }
}

#[test]
fn a_mail_that_was_refused_for_good_is_sent_when_it_is_tried_again() {
    let shop = Hooked::with(&[]);
    shop.people.mailbox.set_mood(Mood::Gone);
    register(&shop, "203.0.113.1", "asha@shop.example");
    let listed = failed(&shop, "?kind=mail&failed=true");
    let [mail] = &listed[..] else {
        panic!("{listed:?}");
    };
    assert_eq!(mail["what"], "Code to finish registering");
    assert_eq!(mail["to"], "somebody at shop.example");
    assert_eq!(
        (&mail["attempts"], &mail["nextAt"]),
        (&json!(1), &json!(null))
    );
    assert!(
        mail["lastError"].as_str().unwrap().contains("550"),
        "{mail}"
    );
    assert!(mail["expiresAt"].is_string(), "{mail}");
    let said = mail.to_string();
    assert!(!said.contains("asha") && !said.contains("seed"), "{said}");

    let (_, needs) = shop.call(Method::GET, "/report/needs", &json!({}));
    let needs = needs["data"].as_array().unwrap().iter();
    let needs: Vec<_> = needs.filter(|need| need["key"] == "outgoing").collect();
    assert_eq!(needs[0]["text"], "1 message could not be sent yet");
    let checked = text(&shop.people.shop.run(&["check"]).stdout);
    let line = "1 of 1 failed so far, 1 for good: see Posts, Sent in the office";
    assert!(checked.contains(line), "{checked}");

    shop.people.mailbox.set_mood(Mood::Friendly);
    let retry = format!("/outgoing/{}/retry", mail["id"]);
    assert_eq!(shop.call(Method::POST, &retry, &json!({})).0, 200);
    assert_eq!(shop.people.mailbox.next().code().len(), 6);
    wait_until("it still waits", || waiting(&shop) == 0);
    let (status, said) = shop.call(Method::POST, &retry, &json!({}));
    assert_eq!(status, 404, "{said}");
    let said = "tried again: Code to finish registering, to somebody at shop.example";
    assert_eq!(logged(&shop), said);
}

#[test]
fn an_event_that_is_dropped_is_not_sent() {
    let shop = Hooked::with(&[]);
    shop.receiver.answer("500 Oops");
    shop.hook(&["product.added"]);
    shop.add(&product_with(1, json!({"title": "Lamp"})));
    let listed = failed(&shop, "?kind=webhook");
    let event = &listed[0];
    assert_eq!(event["what"], "product.added: Lamp");
    assert_eq!(event["to"], "127.0.0.1");
    assert_eq!(event["lastError"], "It answered with status 500.");
    assert!(event["nextAt"].is_string(), "{event}");
    let path = format!("/outgoing/{}", event["id"]);
    assert_eq!(shop.call(Method::DELETE, &path, &json!({})).0, 200);
    assert_eq!(shop.call(Method::DELETE, &path, &json!({})).0, 404);
    assert_eq!(waiting(&shop), 0);
    assert_eq!(logged(&shop), "dropped: product.added: Lamp, to 127.0.0.1");
    let (status, said) = shop.call(Method::GET, "/outgoing?kind=pigeon", &json!({}));
    assert_eq!(status, 400, "{said}");
    assert!(said.to_string().contains("mail, webhook"), "{said}");
}
