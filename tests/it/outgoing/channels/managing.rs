//! Tests of channels in the office.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Posting, TOKEN};
use crate::people::invitations::{call, helper};
use crate::people::keys::key_of;
use crate::support::harness::{Shop, product, product_with};
use crate::support::people::People;

#[test]
fn a_token_is_in_no_answer_log_or_file() {
    let shop = Posting::with(&[product_with(1, json!({"_id": "p1"}))]);
    let channel = shop.chat(json!({}));
    let (_, listed) = shop.call(Method::GET, "/channel", &json!({}));
    let shown = &listed["data"][0];
    assert!(shown["secretSetAt"].is_string(), "{shown}");
    assert_eq!(
        (&shown["kind"], &shown["chat"], &shown["on"]),
        (&json!("telegram"), &json!("@loot"), &json!(true))
    );
    let change = json!({"name": "Loot deals", "template": "{title}\n{link}"});
    let (status, changed) = shop.call(Method::PUT, &format!("/channel/{channel}"), &change);
    assert_eq!(status, 200, "{changed}");
    assert_eq!(changed["channel"]["secretSetAt"], shown["secretSetAt"]);
    shop.post(&channel, "p1");
    let sent = shop.service.wait_for(1);
    assert!(sent.line.contains(TOKEN), "it is still known");
    assert!(
        sent.text("caption").starts_with("Product 1\nhttp"),
        "{sent:?}"
    );
    shop.newest(&channel, "sent");
    let (_, log) = shop.call(Method::GET, "/product/activity", &json!({}));
    let backup = shop.people.shop.file("copy.sqlite");
    let output = shop.people.shop.run(&["backup", "copy.sqlite"]);
    assert!(output.status.success(), "{output:?}");
    let secret = TOKEN.split_once(':').unwrap().1;
    let said = shop.people.server.stop();
    for text in [
        listed.to_string(),
        changed.to_string(),
        log.to_string(),
        said,
    ] {
        assert!(!text.contains(secret), "{text}");
    }
    for file in [shop.people.shop.db(), backup] {
        let bytes = std::fs::read(&file).unwrap();
        let mut parts = bytes.windows(secret.len());
        assert!(!parts.any(|part| part == secret.as_bytes()), "{file:?}");
    }
}

#[test]
fn a_channel_with_wrong_values_is_refused_field_by_field() {
    let shop = Posting::with(&[]);
    let telegram = |more: Value| {
        let mut body = json!({"kind": "telegram", "name": "A", "token": TOKEN, "chat": "@a"});
        let more = more.as_object().unwrap().clone();
        body.as_object_mut().unwrap().extend(more);
        body
    };
    for (body, field, words) in [
        (
            json!({"name": "A"}),
            "kind",
            "telegram, discord, webhook, nowhere",
        ),
        (telegram(json!({"name": " "})), "name", "1 to 60"),
        (telegram(json!({"chat": "loot"})), "chat", "@name"),
        (
            telegram(json!({"chat": "https://t.me/+AbCdEf"})),
            "chat",
            "Copy the link of a message",
        ),
        (
            telegram(json!({"token": "12/../3:a"})),
            "token",
            "@BotFather",
        ),
        (
            telegram(json!({"template": "{prize}"})),
            "template",
            "{prize} is unknown",
        ),
        (
            telegram(json!({"rule": {"query": "category=Cars"}})),
            "rule",
            "category must be",
        ),
        (
            telegram(json!({"rule": {"query": "state=draft"}})),
            "rule",
            "filters that visitors have",
        ),
        (telegram(json!({"rule": {"perHour": 0}})), "rule", "perHour"),
        (
            telegram(json!({"rule": {"quietFrom": 7}})),
            "rule",
            "two different hours",
        ),
        (
            json!({"kind": "discord", "name": "A", "token": "http://10.0.0.1/x"}),
            "token",
            "https",
        ),
        (
            json!({"kind": "webhook", "name": "A", "chat": "ftp://a.example"}),
            "chat",
            "https",
        ),
        (
            json!({"kind": "nowhere", "name": "A", "token": "x"}),
            "token",
            "takes no token",
        ),
    ] {
        let (status, said) = shop.call(Method::POST, "/channel", &body);
        assert_eq!(status, 400, "{body}");
        let message = said["fields"][field].as_str().unwrap_or_default();
        assert!(message.contains(words), "{said}");
    }
    shop.add(&telegram(json!({})));
    let (status, said) = shop.call(Method::POST, "/channel", &telegram(json!({})));
    assert_eq!(
        (status, &said["fields"]["name"]),
        (
            400,
            &json!("Another channel has this name. Choose another one.")
        )
    );
}

#[test]
fn an_address_of_a_private_network_is_refused_where_it_is_dialled() {
    let people = People::with(Shop::with(&[]), &[]);
    let owner = people.join_as_admin("owner@example.com");
    let body =
        json!({"kind": "discord", "name": "Inside", "token": "https://localhost/api/webhooks/1/a"});
    let added: Value = call(&people, &owner, Method::POST, "/channel", &body)
        .json()
        .unwrap();
    let test = format!("/channel/{}/test", added["channel"]["id"].as_str().unwrap());
    let answer = call(&people, &owner, Method::POST, &test, &json!({}));
    assert_eq!(answer.status(), 409);
    let said: Value = answer.json().unwrap();
    assert_eq!(
        said["error"],
        "localhost leads to an address that is not public."
    );
}

#[test]
fn a_test_says_what_happened() {
    let shop = Posting::with(&[]);
    let channel = shop.chat(json!({}));
    let test = || {
        shop.call(
            Method::POST,
            &format!("/channel/{channel}/test"),
            &json!({}),
        )
    };
    assert_eq!(
        test(),
        (200, json!({"message": "The test is in the chat."}))
    );
    let sent = shop.service.wait_for(1);
    assert_eq!(
        (sent.call(), sent.text("text")),
        ("sendMessage", "This is a test of Deals.")
    );
    shop.service.then_refuse(400, "Bad Request: chat not found");
    let (status, said) = test();
    assert_eq!(status, 409);
    assert!(
        said["error"].as_str().unwrap().contains("chat not found"),
        "{said}"
    );
    let shown = shop.shown(&channel);
    assert_eq!(
        (&shown["lastError"], &shown["on"]),
        (&said["error"], &json!(true))
    );
}

#[test]
fn a_preview_shows_the_post_and_what_found_no_room() {
    let title = "👩‍💻 Kettle & co ".repeat(30);
    let long = product_with(1, json!({"_id": "long", "title": title.trim()}));
    let shop = Posting::with(&[long, product_with(2, json!({"_id": "short"}))]);
    let preview = |body: Value| shop.call(Method::POST, "/channel/preview", &body);
    let template = format!("<b>{{title}}</b>\n{}\n{{link}}", "é".repeat(700));
    let body = json!({"kind": "telegram", "template": template, "id": "long"});
    let (status, shown) = preview(body);
    assert_eq!(status, 200, "{shown}");
    assert_eq!(
        shown["warnings"],
        json!(["The title is too long and was shortened."])
    );
    let one_line = format!("{} {{link}}", "é".repeat(1_100));
    let body = json!({"kind": "telegram", "template": one_line, "id": "short"});
    let (_, cut) = preview(body);
    assert_eq!(
        (&cut["length"], &cut["warnings"]),
        (
            &json!(1_024),
            &json!([
                "The template has no {title}.",
                "A line is too long and was cut."
            ])
        )
    );
    let text = shown["text"].as_str().unwrap();
    assert!(
        text.starts_with("<b>👩‍💻 Kettle &amp; co") && text.contains("…</b>"),
        "{text}"
    );
    assert!(text.ends_with("utm_campaign=preview"), "{text}");
    let length = shown["length"].as_u64().unwrap();
    assert!((1_000..=1_024).contains(&length), "{length}");
    let (_, shown) = preview(json!({"kind": "discord", "template": "{price}", "id": "short"}));
    assert_eq!(shown["text"], "₹91.80");
    assert_eq!(
        shown["warnings"],
        json!([
            "The template has no {title}.",
            "The template has no {link}."
        ])
    );
    let (_, shown) = preview(json!({"kind": "telegram"}));
    assert!(shown["text"].as_str().unwrap().contains("<b>"), "{shown}");
    let (status, said) = preview(json!({"kind": "telegram", "template": "<b>{title}"}));
    assert_eq!(status, 400);
    assert!(
        said["fields"]["template"]
            .as_str()
            .unwrap()
            .contains("</b>"),
        "{said}"
    );
    let unknown = json!({"kind": "telegram", "id": "nothing"});
    assert_eq!(preview(unknown).0, 404);
}

#[test]
fn a_draft_is_previewed_as_it_will_be_posted_and_only_for_who_may_read_it() {
    let draft = product_with(1, json!({"_id": "draft", "status": "draft"}));
    let over = product_with(2, json!({"_id": "over", "endsAt": "2026-01-01T00:00:00Z"}));
    let shop = Posting::with(&[draft, over]);
    let preview = |id: &str, scope: &str| {
        let key = key_of(
            &shop.people,
            &shop.owner,
            &format!("{scope} {id}"),
            &[scope],
        );
        let request = shop.people.request(Method::POST, "/channel/preview");
        let body = json!({"kind": "telegram", "id": id});
        let answer = request.bearer_auth(key).json(&body).send().unwrap();
        let status = answer.status().as_u16();
        let shown: Value = answer.json().unwrap();
        (
            status,
            shown["text"].as_str().unwrap_or_default().to_owned(),
        )
    };
    let (status, text) = preview("draft", "products:read");
    assert_eq!(status, 200);
    assert!(
        text.starts_with("<b>Product 1</b>\n<b>₹90.90</b>"),
        "{text}"
    );
    let (_, text) = preview("over", "products:read");
    assert!(text.starts_with("<b>ENDED</b>\n<b>Product 2"), "{text}");
    assert_eq!(preview("draft", "products:write").0, 403);
}

#[test]
fn chats_and_tokens_are_taken_as_people_copy_them() {
    let shop = Posting::with(&[]);
    let channel = shop.chat(json!({"token": format!(" bot{}\n", TOKEN.replace(':', ": "))}));
    for (entered, chat) in [
        ("https://t.me/loot_deals", "@loot_deals"),
        ("t.me/s/loot_deals?before=9", "@loot_deals"),
        ("https://t.me/c/1234567890/12", "-1001234567890"),
        (" -1001234567890 ", "-1001234567890"),
        ("T.me/Loot", "@Loot"),
    ] {
        let path = format!("/channel/{channel}");
        let (status, said) = shop.call(Method::PUT, &path, &json!({ "chat": entered }));
        assert_eq!((status, &said["channel"]["chat"]), (200, &json!(chat)));
    }
    let path = format!("/channel/{channel}/test");
    assert_eq!(shop.call(Method::POST, &path, &json!({})).0, 200);
    let sent = shop.service.wait_for(1);
    assert_eq!(sent.line, format!("POST /bot{TOKEN}/sendMessage"));
}

#[test]
fn editors_post_and_only_administrators_change_channels() {
    let shop = Posting::with(&[product_with(1, json!({"_id": "p1"}))]);
    let channel = shop.chat(json!({}));
    let editor = helper(&shop.people, &shop.owner, "asha@example.com", "editor");
    let path = format!("/channel/{channel}");
    let status = |method, path: &str, body: Value| {
        call(&shop.people, &editor, method, path, &body)
            .status()
            .as_u16()
    };
    assert_eq!(status(Method::PUT, &path, json!({"name": "Mine"})), 403);
    assert_eq!(status(Method::DELETE, &path, json!({})), 403);
    assert_eq!(
        status(Method::POST, &format!("{path}/test"), json!({})),
        403
    );
    assert_eq!(status(Method::GET, "/channel", json!({})), 200);
    let key = key_of(&shop.people, &shop.owner, "bot", &["products:write"]);
    let request = shop.people.request(Method::POST, &format!("{path}/post"));
    let answer = request
        .bearer_auth(key)
        .json(&json!({"ids": ["p1"]}))
        .send();
    assert_eq!(answer.unwrap().status(), 200);
    shop.newest(&channel, "sent");
    let many = vec!["p1"; 21];
    assert_eq!(
        status(Method::POST, &format!("{path}/post"), json!({"ids": many})),
        400
    );
    assert_eq!(shop.people.server.get("/channel").status(), 401);
}

#[test]
fn a_deleted_channel_takes_with_it_what_waits() {
    let shop = Posting::with(&[product(1), product_with(2, json!({"_id": "p2"}))]);
    let channel = shop.chat(json!({}));
    shop.execute(
        "INSERT INTO outgoing_waits (lane, until) SELECT 'channel:' || id, 9e12 FROM channels",
    );
    shop.post(&channel, "p2");
    let path = format!("/channel/{channel}");
    assert_eq!(shop.call(Method::DELETE, &path, &json!({})).0, 200);
    let left = "SELECT (SELECT count(*) FROM outgoing) + (SELECT count(*) FROM outgoing_waits) + \
         (SELECT count(*) FROM posts)";
    assert_eq!(shop.number(left), 0);
    assert_eq!(shop.call(Method::DELETE, &path, &json!({})).0, 404);
    assert_eq!(
        shop.call(Method::GET, &format!("{path}/posts"), &json!({}))
            .0,
        404
    );
}
