//! Mails of new deals.

use std::collections::BTreeMap;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use reqwest::Method;
use serde_json::{Value, json};

use super::{count, link};
use crate::support::harness::{Server, Shop, product_with, wait_until};
use crate::support::mailbox::{Mail, Mailbox, Mood};
use crate::support::people::People;
use crate::support::times::{HOUR, after};

/// A shop whose mails go out at this hour, with deals of today and of the day before yesterday.
fn shop() -> Shop {
    let deal = |number: usize, changes: Value| product_with(number, changes);
    let old = after(-50 * HOUR);
    let new = after(-3 * HOUR);
    let mut deals: Vec<Value> = (0..25)
        .map(|n| {
            deal(
                n,
                json!({"title": format!("New deal {n}"), "category": "Books", "createdAt": new}),
            )
        })
        .collect();
    deals.push(deal(
        30,
        json!({"title": "An old deal", "category": "Books", "createdAt": old}),
    ));
    deals.push(deal(31, json!({"title": "A new saree", "category": "Clothing", "createdAt": new, "source": "Amazon"})));
    let shop = Shop::with(&deals);
    send_now(&shop);
    shop
}

/// Has the mails go out at this hour.
pub fn send_now(shop: &Shop) {
    let in_india = Timestamp::now() + SignedDuration::from_mins(330);
    let hour = in_india.to_zoned(TimeZone::UTC).hour();
    let set = shop.run(&["settings", "set", &format!("digestHour={hour}")]);
    assert!(set.status.success());
}

/// Adds confirmed subscribers to a list, whose last mail was two days ago.
pub fn subscribe(shop: &Shop, name: &str, number: u32, query: &str) {
    drop(shop.serve());
    let at = (Timestamp::now() - SignedDuration::from_hours(48)).as_millisecond();
    let database = shop.database();
    for n in 0..number {
        let email = format!("{name}{n}@example.com");
        let sql = "INSERT INTO subscribers (email, email_key, seed, created_at, confirmed_at) \
            VALUES (?1, ?1, randomblob(16), ?2, ?2)";
        database.execute(sql, (&email, at)).unwrap();
        let sql = "INSERT INTO digests (subscriber, query, is_weekly, created_at, sent_until) \
            VALUES (?1, ?2, 0, ?3, ?3)";
        let key = database.last_insert_rowid();
        database.execute(sql, (key, query, at)).unwrap();
    }
}

/// Numbers of mails by recipient.
fn recipients(mails: &[Mail]) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    for mail in mails {
        *found.entry(mail.recipients[0].clone()).or_default() += 1;
    }
    found
}

/// The readable text of a mail.
fn decoded(mail: &Mail) -> String {
    let packed = mail.data.replace("=\r\n", "");
    let mut bytes = Vec::new();
    let mut rest = packed.as_bytes();
    while let [first, others @ ..] = rest {
        let hex = others
            .get(..2)
            .and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) if *first == b'=' => {
                bytes.push(byte);
                rest = &others[2..];
            }
            _ => {
                bytes.push(*first);
                rest = others;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn wait_for_mails(people: &People) {
    wait_until("every mail was sent", || {
        // In this order: the mails are queued when the lists are no longer due.
        let due = "SELECT count(*) FROM digests WHERE sent_until < (unixepoch() - 86400) * 1000";
        count(people, due) == 0 && count(people, "SELECT count(*) FROM outgoing") == 0
    });
}

#[test]
fn two_hundred_subscribers_get_the_new_deals_of_their_lists_once() {
    let shop = shop();
    subscribe(&shop, "reader", 150, "category=Books");
    subscribe(&shop, "cheap", 50, "search=saree");
    subscribe(&shop, "nobody", 5, "category=Home");
    shop.set_rules("Amazon", "amazon-india");
    let people = People::with(shop, &[]);
    wait_for_mails(&people);
    let mails = people.mailbox.unread();
    let by_recipient = recipients(&mails);
    assert_eq!((mails.len(), by_recipient.len()), (200, 200));

    let to = |name: &str| {
        mails
            .iter()
            .find(|mail| mail.recipients[0].contains(name))
            .unwrap()
    };
    let books = decoded(to("reader7@"));
    assert!(books.contains("25 new deals: Books"), "{books}");
    assert!(books.contains("5 more of Books"), "{books}");
    assert_eq!(books.matches("<strong>New deal").count(), 20, "{books}");
    assert!(
        !books.contains("An old deal") && !books.contains("saree"),
        "{books}"
    );
    assert!(
        books.contains("utm_source=mail") && books.contains("light dark"),
        "{books}"
    );
    // The seller's rules want dated prices of a day, and a mail is read later.
    let saree = decoded(to("cheap7@"));
    assert!(
        saree.contains("See the price at Amazon") && !saree.contains('₹'),
        "{saree}"
    );

    // Each has a link of its own, and after a restart nothing is sent again.
    assert_ne!(link(to("reader1@")), link(to("reader2@")));
    let (_, people) = people.restart();
    wait_for_mails(&people);
    assert_eq!(people.mailbox.unread().len(), 0);

    // The office has numbers, and addresses on request only.
    let owner = people.join_as_admin("owner@example.com");
    let call = |method, path| {
        let request = people.request(method, path).bearer_auth(&owner.token);
        request.send().unwrap().json::<Value>().unwrap()
    };
    let numbers = call(Method::GET, "/subscriber");
    assert_eq!(numbers["confirmed"], 205);
    assert_eq!(numbers["lists"][0]["heading"], "Books");
    assert_eq!(numbers["lists"][0]["daily"], 150);
    assert!(!numbers.to_string().contains('@'), "{numbers}");
    let csv = call(Method::POST, "/subscriber/export")["csv"].to_string();
    assert!(
        csv.contains("reader7@example.com") && csv.contains("Books"),
        "{csv}"
    );
    assert!(
        people.shop.log().contains("205 exported"),
        "{}",
        people.shop.log()
    );
}

#[test]
fn a_slow_mail_server_gets_every_mail_in_the_end() {
    let shop = shop();
    subscribe(&shop, "reader", 90, "category=Books");
    let mailbox = Mailbox::open();
    mailbox.set_mood(Mood::Throttling);
    let people = People::at(shop, mailbox, &[]);
    wait_for_mails(&people);
    let mails = people.mailbox.unread();
    assert_eq!((mails.len(), recipients(&mails).len()), (90, 90));
}

#[test]
fn a_killed_server_sends_each_mail_at_least_once_and_one_at_most_twice() {
    let shop = shop();
    subscribe(&shop, "reader", 60, "category=Books");
    let people = People::with(shop, &[]);
    let mut mails: Vec<Mail> = (0..10).map(|_| people.mailbox.next()).collect();
    people.server.signal("KILL");
    let People {
        shop,
        mailbox,
        server,
    } = people;
    drop(server);
    let people = People::at(shop, mailbox, &[]);
    wait_for_mails(&people);
    mails.extend(people.mailbox.unread());
    assert_eq!(recipients(&mails).len(), 60);
    assert!(mails.len() <= 61, "{}", mails.len());
}

#[test]
fn a_mail_server_that_is_down_for_long_is_tried_less_and_less_often_whichever_mail_is_next() {
    let shop = shop();
    subscribe(&shop, "reader", 30, "category=Books");
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("smtp://{}", nobody.local_addr().unwrap());
    drop(nobody);
    let mut command = shop.serve_command(&[]);
    command
        .env("DEALS_SMTP_URL", url)
        .env("DEALS_MAIL_FROM", "deals@shop.example");
    let _server = Server::start(command);
    let database = shop.database();
    let number = |sql: &str| -> i64 { database.query_row(sql, [], |row| row.get(0)).unwrap() };
    for (failures, least) in [
        (1, 0),
        (2, 0),
        (3, 5),
        (4, 60),
        (5, 200),
        (6, 600),
        (7, 600),
    ] {
        wait_until("it is tried", || {
            number("SELECT coalesce(max(failures), 0) FROM outgoing_waits") == failures
        });
        let waits = number("SELECT until - unixepoch() * 1000 FROM outgoing_waits");
        assert!(
            (least * 1_000..902_000).contains(&waits),
            "{failures}: {waits}"
        );
        let pass = "UPDATE outgoing_waits SET until = (unixepoch() - 1) * 1000; \
            UPDATE outgoing SET next_at = 0";
        database.execute_batch(pass).unwrap();
    }
    assert_eq!(
        number("SELECT max(attempts) FROM outgoing"),
        1,
        "each is a new one"
    );
}
