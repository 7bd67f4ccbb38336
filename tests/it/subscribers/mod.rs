//! Mails without an account: signing up, confirming and leaving.

pub mod alerts;
pub mod digests;
mod feeds;
mod push;

use reqwest::Method;
use reqwest::blocking::Response;
use serde_json::{Value, json};

use crate::support::harness::{Shop, product_with, wait_until};
use crate::support::mailbox::Mail;
use crate::support::people::People;

/// Sends a form as a browser without JavaScript does, from an address of its own.
fn send_form(people: &People, path: &str, from: &str, fields: &[(&str, &str)]) -> Response {
    let client = reqwest::blocking::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .unwrap();
    let body = url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs(fields)
        .finish();
    client
        .post(people.server.url(path))
        .header("content-type", "application/x-www-form-urlencoded")
        .header("sec-fetch-site", "same-origin")
        .header("x-forwarded-for", from)
        .body(body)
        .send()
        .unwrap()
}

fn location(answer: &Response) -> &str {
    assert_eq!(answer.status(), 303);
    answer.headers()["location"].to_str().unwrap()
}

/// Asks for the mails of a list; returns where the form leads.
fn follow(people: &People, query: &str, from: &str, email: &str) -> String {
    let fields = [("email", email), ("often", "daily")];
    let answer = send_form(people, &format!("/follow{query}"), from, &fields);
    location(&answer).to_owned()
}

/// Returns the path of the link in a mail.
fn link(mail: &Mail) -> String {
    let text = mail.data.replace("=\r\n", "");
    let (_, rest) = text.split_once("/subscriptions/").unwrap();
    let token: String = rest
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric() || "-_".contains(*c))
        .collect();
    format!("/subscriptions/{token}")
}

fn count(people: &People, sql: &str) -> i64 {
    people
        .shop
        .database()
        .query_row(sql, [], |row| row.get(0))
        .unwrap()
}

const CONFIRMED: &str = "SELECT count(*) FROM digests JOIN subscribers ON subscribers.key = subscriber \
    WHERE confirmed_at IS NOT NULL AND sent_until IS NOT NULL";

#[test]
fn an_address_gets_mails_once_its_link_was_confirmed_by_a_click() {
    let people = People::new();
    let to = follow(&people, "?category=Books", "192.0.2.1", "asha@example.com");
    assert_eq!(to, "/follow?category=Books&sent=1");
    let shown = people.server.get(&to).text().unwrap();
    assert!(shown.contains("a mail asks you to confirm"), "{shown}");
    let mail = people.mailbox.next();
    assert!(
        !mail.data.contains("Books"),
        "words of the form: {}",
        mail.data
    );
    let link = link(&mail);
    let whole = people.server.url(&link);
    assert_eq!(
        mail.header("List-Unsubscribe"),
        Some(&*format!("<{whole}>"))
    );
    let one_click = mail.header("List-Unsubscribe-Post");
    assert_eq!(one_click, Some("List-Unsubscribe=One-Click"));

    // Mail programs open links before people do.
    for method in [Method::HEAD, Method::GET, Method::GET] {
        let answer = people.request(method, &link).send().unwrap();
        assert_eq!(answer.status(), 200);
        assert_eq!(answer.headers()["cache-control"], "no-store");
    }
    assert_eq!(count(&people, CONFIRMED), 0);
    let page = people.server.get(&link).text().unwrap();
    assert!(
        page.contains("Yes, send them") && page.contains(">Books<"),
        "{page}"
    );

    for _twice in 0..2 {
        let answer = send_form(&people, &link, "192.0.2.1", &[("do", "confirm")]);
        assert_eq!(location(&answer), link);
        assert_eq!(count(&people, CONFIRMED), 1);
    }
    let page = people.server.get(&link).text().unwrap();
    assert!(
        page.contains("Every day") && !page.contains("Yes, send them"),
        "{page}"
    );

    // The same again gives no mail, and another list asks again.
    follow(&people, "?category=Books", "192.0.2.1", "Asha@example.com");
    assert_eq!(people.mailbox.unread().len(), 0);
    follow(&people, "?search=tea", "192.0.2.1", "asha@example.com");
    assert_eq!(self::link(&people.mailbox.next()), link);
    assert_eq!(count(&people, CONFIRMED), 1);
}

#[test]
fn one_click_of_a_mail_program_ends_every_mail_and_deletes_the_address() {
    let people = People::new();
    let mut link = String::new();
    let addresses = ["asha@example.com", "ravi@example.com"].into_iter();
    // As RFC 8058 lets mail programs send it.
    for (address, (media_type, body)) in addresses.zip([
        (
            "application/x-www-form-urlencoded",
            "List-Unsubscribe=One-Click",
        ),
        (
            "multipart/form-data; boundary=b",
            "--b\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--b--\r\n",
        ),
    ]) {
        follow(&people, "", "192.0.2.1", address);
        link = self::link(&people.mailbox.next());
        send_form(&people, &link, "192.0.2.1", &[("do", "confirm")]);
        let post = people.request(Method::POST, &link);
        let post = post.header("content-type", media_type);
        assert_eq!(post.body("nothing").send().unwrap().status(), 400);
        let post = people.request(Method::POST, &link);
        let answer = post.header("content-type", media_type).body(body);
        assert_eq!(answer.send().unwrap().status(), 200);
        assert_eq!(count(&people, "SELECT count(*) FROM subscribers"), 0);
        assert_eq!(count(&people, "SELECT count(*) FROM digests"), 0);
    }
    let page = people.server.get(&link);
    assert_eq!(page.headers()["referrer-policy"], "no-referrer");
    // Its link says the same as one that never was.
    let never = "/subscriptions/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    for path in [&*link, never] {
        send_form(&people, path, "192.0.2.1", &[("do", "confirm")]);
        let page = people.server.get(path).text().unwrap();
        assert!(page.contains("This address gets no mails."), "{page}");
    }
    assert_eq!(people.server.get("/subscriptions/nothing").status(), 404);
}

#[test]
fn an_address_that_is_refused_for_now_delays_no_other() {
    let people = People::new();
    follow(&people, "", "192.0.2.1", "asha@nowhere.example");
    let failed = "SELECT count(*) FROM outgoing WHERE attempts > 0";
    wait_until("it is refused", || count(&people, failed) == 1);
    assert_eq!(count(&people, "SELECT count(*) FROM outgoing_waits"), 0);
    follow(&people, "", "192.0.2.1", "asha@example.com");
    assert!(link(&people.mailbox.next()).starts_with("/subscriptions/"));
}

#[test]
fn a_subscriber_changes_and_ends_single_lists() {
    let people = People::new();
    follow(&people, "?category=Books", "192.0.2.1", "asha@example.com");
    let link = link(&people.mailbox.next());
    follow(&people, "?maxPrice=500", "192.0.2.1", "asha@example.com");
    let change = |fields: &[(&str, &str)]| {
        send_form(&people, &link, "192.0.2.1", fields);
        let own = link.replace("/subscriptions/", "/subscriber/own/");
        people.server.json(&own)["lists"].clone()
    };
    let lists = change(&[("do", "confirm")]);
    let [books, cheap] = [0, 1].map(|at| lists[at]["id"].to_string());
    assert_eq!(lists[1]["heading"], "Deals, up to ₹500");
    let lists = change(&[("do", "weekly"), ("list", &books)]);
    assert_eq!(
        (&lists[0]["weekly"], &lists[1]["weekly"]),
        (&true.into(), &false.into())
    );
    let lists = change(&[("do", "end"), ("list", &books)]);
    assert_eq!(lists.as_array().unwrap().len(), 1);
    assert_eq!(
        change(&[("do", "end"), ("list", &cheap)]),
        serde_json::json!([])
    );
    assert_eq!(count(&people, "SELECT count(*) FROM subscribers"), 0);
}

#[test]
fn an_address_that_others_enter_gets_one_mail_a_week() {
    let people = People::new();
    for n in 0..20 {
        let query = format!("?search=word{n}");
        let to = follow(&people, &query, &format!("192.0.2.{n}"), "asha@example.com");
        assert_eq!(to, format!("/follow?search=word{n}&sent=1"));
    }
    people.mailbox.next();
    assert_eq!(count(&people, "SELECT count(*) FROM digests"), 5);
    // One client asks ten addresses in an hour.
    let ask = |n| follow(&people, "", "198.51.100.7", &format!("a{n}@example.com"));
    let answers: Vec<String> = (0..11).map(ask).collect();
    assert_eq!(
        answers.iter().filter(|to| **to == "/follow?sent=1").count(),
        10
    );
    assert_eq!(answers[10], "/follow?problem=many");
    let to_asha = (0..10).filter(|_| people.mailbox.next().recipients[0].contains("asha"));
    assert_eq!(to_asha.count(), 0);
    assert_eq!(people.mailbox.unread().len(), 0);
}

/// Moves the times of what is known about addresses back, as if the hours had passed.
fn pass(people: &People, hours: i64) {
    let sql = format!(
        "UPDATE asked_addresses SET asked_at = asked_at - {0}, quiet_until = quiet_until - {0}; \
         UPDATE subscribers SET created_at = created_at - {0}, asked_at = asked_at - {0}",
        hours * 3_600_000
    );
    people.shop.database().execute_batch(&sql).unwrap();
}

/// Tells whether a mail comes when a stranger enters an address; the answer does not.
fn is_asked(people: &People, email: &str) -> bool {
    let answer = follow(people, "", "192.0.2.1", email);
    assert_eq!(answer, "/follow?sent=1");
    // The next mail is that of an address which is asked in any case.
    let other = format!(
        "other{}@example.com",
        count(people, "SELECT count(*) FROM asked_addresses")
    );
    assert_eq!(follow(people, "", "198.51.100.1", &other), "/follow?sent=1");
    let goes_to = |email: &str| people.mailbox.next().recipients[0].contains(email);
    let is_asked = goes_to(email);
    assert!(!is_asked || goes_to(&other));
    is_asked
}

#[test]
fn an_address_that_does_not_answer_is_asked_again_after_a_week() {
    let people = People::new();
    assert!(is_asked(&people, "asha@example.com"));
    pass(&people, 6 * 24);
    assert!(!is_asked(&people, "asha@example.com"));
    pass(&people, 25);
    assert!(is_asked(&people, "asha@example.com"));
}

#[test]
fn an_address_that_says_no_or_leaves_is_asked_by_strangers_after_thirty_days_only() {
    let people = People::with(Shop::with(&[product_with(1, json!({"_id": "book"}))]), &[]);
    let asha = people.join("asha@example.com");
    for (email, answers) in [
        ("asha@example.com", &["confirm", "leave"][..]),
        ("ravi@example.com", &["leave"]),
        ("lila@example.com", &["end"]),
    ] {
        follow(&people, "?search=tea", "192.0.2.9", email);
        let link = link(&people.mailbox.next());
        let own = link.replace("/subscriptions/", "/subscriber/own/");
        for answer in answers {
            let list = people.server.json(&own)["lists"][0]["id"].to_string();
            send_form(
                &people,
                &link,
                "192.0.2.9",
                &[("do", answer), ("list", &list)],
            );
        }
        assert!(!is_asked(&people, email), "{email}");
        let alert = json!({"ids": ["book"], "percent": 5, "email": email});
        let said = people.post("/alert", &alert).json::<Value>().unwrap();
        assert_eq!(
            (&said["set"], &said["asked"]),
            (&json!(1), &json!(true)),
            "{said}"
        );
        let kept = format!("SELECT count(*) FROM subscribers WHERE email = '{email}'");
        assert_eq!(count(&people, &kept), 0, "{email} is not stored");
        pass(&people, 29 * 24);
        assert!(!is_asked(&people, email), "{email}");
        pass(&people, 25);
        assert!(is_asked(&people, email), "{email}");
    }
    let hashes = "SELECT count(*) FROM asked_addresses WHERE address LIKE '%example%'";
    assert_eq!(count(&people, hashes), 0);

    // Its owner need not wait, and confirms by the session.
    let quiet = "DELETE FROM subscribers; UPDATE asked_addresses SET quiet_until = 9e15";
    people.shop.database().execute_batch(quiet).unwrap();
    let link = "/follow?search=saree";
    let form = people
        .request(Method::POST, link)
        .body("email=Asha%40example.com&often=weekly");
    let form = form.header("content-type", "application/x-www-form-urlencoded");
    let answer = form.header("cookie", &asha.cookie).send().unwrap();
    let to = location(&answer);
    assert_eq!(to, "/follow?search=saree&sent=own");
    let page = people.server.get(to).text().unwrap();
    assert!(page.contains("You get these mails from now on."), "{page}");
    let confirmed = "SELECT count(*) FROM digests JOIN subscribers ON subscribers.key = subscriber \
        WHERE query = 'search=saree' AND sent_until > 0 AND is_weekly AND confirmed_at > 0";
    assert_eq!(count(&people, confirmed), 1);
    assert_eq!(people.mailbox.unread().len(), 0);
}

#[test]
fn neighbours_share_a_tenth_of_the_mails_that_are_left_and_owners_need_none() {
    let people = People::with(Shop::with(&[product_with(1, json!({"_id": "book"}))]), &[]);
    let asha = people.join("asha@example.com");
    let asked = |network: usize| {
        let ask = |n: usize| {
            let from = format!("203.{network}.113.{}", n % 9);
            follow(&people, "", &from, &format!("a{network}-{n}@example.com"))
        };
        (0..40).filter(|n| ask(*n) == "/follow?sent=1").count()
    };
    // 30 at first, and less the more the network itself has had sent.
    assert_eq!(asked(0), 27);
    assert_eq!(asked(1), 24);
    let fill = "INSERT INTO asked_addresses SELECT randomblob(32), asked_at, 7, quiet_until \
        FROM asked_addresses, json_each('[1, 2, 3, 4, 5, 6]') LIMIT 248";
    people.shop.database().execute(fill, []).unwrap();
    assert_eq!(asked(2), 1, "one is left");
    assert_eq!(asked(3), 0);
    let alert = json!({"ids": ["book"], "percent": 5, "email": "asha@example.com"});
    let request = people.request(Method::POST, "/alert").json(&alert);
    let answer = request.header("cookie", &asha.cookie).send().unwrap();
    assert_eq!(answer.status(), 200);
}

#[test]
fn addresses_that_are_none_get_no_mail() {
    let people = People::new();
    for bad in [
        "",
        "asha",
        "a@example.com\r\nBcc: b@example.com",
        "a@example.com\nx",
        "a,b@example.com",
    ] {
        let to = follow(&people, "", "192.0.2.1", bad);
        assert_eq!(to, "/follow?problem=address", "{bad:?}");
    }
    let page = people.server.get("/follow?problem=address").text().unwrap();
    assert!(
        page.contains("Please enter a valid email address."),
        "{page}"
    );
    assert_eq!(count(&people, "SELECT count(*) FROM subscribers"), 0);
}

#[test]
fn addresses_that_did_not_confirm_within_a_week_are_deleted() {
    let people = People::new();
    for name in ["asha", "ravi"] {
        follow(&people, "", "192.0.2.1", &format!("{name}@example.com"));
        people.mailbox.next();
    }
    let sql = "UPDATE subscribers SET created_at = created_at - 8 * 86400000, \
        asked_at = asked_at - 8 * 86400000 WHERE email LIKE 'asha%'";
    people.shop.database().execute(sql, []).unwrap();
    let (_, people) = people.restart();
    crate::support::harness::wait_until("the address is deleted", || {
        count(&people, "SELECT count(*) FROM subscribers") == 1
    });
}

#[test]
fn without_a_mail_server_lists_are_followed_by_feed_only() {
    let shop = Shop::new();
    let server = shop.serve();
    let page = server.get("/follow?category=Books").text().unwrap();
    assert!(!page.contains("<form method=\"post\""), "{page}");
    assert!(page.contains("href=\"/feed.xml?category=Books\""), "{page}");
    assert!(
        page.contains("href=\"/feed.json?category=Books\""),
        "{page}"
    );
}
