//! Mail servers: what is sent to them, and how their answers are treated.

use serde_json::json;

use crate::support::harness::{Shop, fails, misused, succeeds, wait_until};
use crate::support::mailbox::{Mailbox, Mood};
use crate::support::people::{PASSWORD, People};

/// "Shop" in Hindi.
const HINDI: &str = "दुकान";

fn register(people: &People, name: &str, email: &str) {
    let form = json!({"username": name, "email": email, "password": PASSWORD});
    assert_eq!(people.post("/user/register", &form).status(), 201);
}

/// Sends a test mail to an address, from a sender.
fn send(mailbox: &Mailbox, to: &str, from: &str, options: &[&str]) -> std::process::Output {
    let url = mailbox.url();
    let arguments = ["mail", "test", to, "--smtp-url", &url, "--mail-from", from];
    Shop::new().run(&[&arguments[..], options].concat())
}

#[test]
fn a_permanently_refused_mail_is_not_retried() {
    let people = People::new();
    people.mailbox.set_mood(Mood::Gone);
    register(&people, "asha", "asha@shop.example");
    let line = people.server.wait_for_line("refused for good");
    assert!(line.contains("550") && !line.contains("asha"), "{line}");
    wait_until("the mail still waits", || {
        let count = "SELECT count(*) FROM outgoing WHERE next_at IS NOT NULL";
        let waiting = people
            .shop
            .database()
            .query_row(count, [], |row| row.get(0));
        waiting == Ok(0)
    });
}

#[test]
fn a_stalled_smtp_connection_delays_no_other_mail() {
    /// Attempts, of which one is quicker than the time-out of a conversation on a busy machine.
    const TRIES: usize = 5;
    let is_sent_meanwhile = |_| {
        let people = People::new();
        people.mailbox.set_mood(Mood::Silent);
        register(&people, "asha", "asha@shop.example");
        people.mailbox.wait_for_silence();
        people.mailbox.set_mood(Mood::Friendly);
        let form = json!({"username": "ravi", "email": "ravi@shop.example", "password": PASSWORD});
        people.post_from("203.0.113.9", "/user/register", &form);
        let mail = people.mailbox.next();
        mail.recipients[0].contains("ravi") && !people.server.has_logged("did not answer in time")
    };
    assert!((0..TRIES).any(is_sent_meanwhile));
}

#[test]
fn ehlo_has_the_host_name_of_the_site_or_an_address() {
    let mailbox = Mailbox::open();
    for (site, name) in [
        (None, "[127.0.0.1]"),
        (Some("https://deals.example.com"), "deals.example.com"),
        (Some("http://localhost:8080"), "[127.0.0.1]"),
        (Some("https://203.0.113.7"), "[203.0.113.7]"),
        (Some("http://[2001:db8::7]"), "[IPv6:2001:db8::7]"),
    ] {
        let options = site.map_or_else(Vec::new, |site| vec!["--public-url", site]);
        succeeds(send(&mailbox, "a@shop.example", "s@shop.example", &options));
        assert_eq!(mailbox.next().client, name);
    }
}

#[test]
fn a_hindi_email_domain_is_sent_in_ascii() {
    let people = People::new();
    let ascii = "asha@xn--11b7ah1gn.example";
    let hindi = format!("asha@{HINDI}.example");
    register(&people, "asha", &hindi);
    let mail = people.mailbox.next();
    assert_eq!(mail.recipients, [format!("RCPT TO:<{ascii}>")]);
    let code = json!({"email": hindi, "code": mail.code()});
    assert_eq!(people.post("/user/verify-code", &code).status(), 200);
    people.sign_in(&hindi);
    people.sign_in(ascii);
}

#[test]
fn non_ascii_local_parts_need_a_mail_server_that_supports_them() {
    let mailbox = Mailbox::open();
    let to = format!("{HINDI}@shop.example");
    let said = fails(send(&mailbox, &to, "s@shop.example", &[]));
    assert!(said.contains("has no SMTPUTF8"), "{said}");
    mailbox.set_mood(Mood::International);
    succeeds(send(&mailbox, &to, "s@shop.example", &[]));
    assert!(mailbox.next().recipients[0].contains(&to));
    for wrong in ["दुकान", "@दुकान.example", "a b@दुकान.example"] {
        let said = fails(send(&mailbox, wrong, "s@shop.example", &[]));
        assert!(said.contains("not an address"), "{wrong}: {said}");
    }
}

#[test]
fn the_mail_sender_is_accepted_in_every_usual_form() {
    let mailbox = Mailbox::open();
    for (from, name) in [
        ("Deals, Inc. <s@shop.example>", "?= <s@shop.example>"),
        ("\"Deals, Inc.\" <s@shop.example>", "?= <s@shop.example>"),
        ("<s@shop.example>", "<s@shop.example>"),
        (" s@shop.example ", "s@shop.example"),
    ] {
        succeeds(send(&mailbox, "a@shop.example", from, &[]));
        let mail = mailbox.next();
        let sender = mail.header("From").unwrap();
        assert!(sender.contains(name), "{from}: {sender}");
    }
    for from in ["Deals", "a@b.example, c@d.example", "Deals <s@shop.example"] {
        let said = misused(send(&mailbox, "a@shop.example", from, &[]));
        assert!(said.contains("write one sender like"), "{from}: {said}");
    }
}

#[test]
fn an_invalid_smtp_url_is_refused_with_advice() {
    for (url, words) in [
        ("smtp://shop:a#b@mail.example.com", "%23 for #"),
        ("smtps://shop:a/b@mail.example.com", "%2F for /"),
        ("smtps://mail.example.com/inbox", "%2F for /"),
        ("smtp://mail.example.com:465", "it is smtps://"),
        ("mail.example.com:587", "smtps://"),
        ("http://mail.example.com", "neither smtp nor smtps"),
    ] {
        let test = ["mail", "test", "a@shop.example", "--smtp-url", url];
        let said =
            misused(Shop::new().run(&[&test[..], &["--mail-from", "s@shop.example"]].concat()));
        assert!(said.contains(words), "{url}: {said}");
        assert!(!said.contains("a#b") && !said.contains("a/b"), "{said}");
    }
}
