//! Price alerts by mail: what is told, when, and to whom.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use reqwest::Method;
use serde_json::{Value, json};

use crate::office::prices::{lamp, make_up};
use crate::support::harness::{Shop, wait_until};
use crate::support::people::{People, Someone};

const HOUR: i64 = 3_600_000;

pub struct Watched {
    pub people: People,
    pub owner: Someone,
}

impl Watched {
    pub fn with(products: &[Value], options: &[&str]) -> Self {
        let people = People::with(Shop::with(products), options);
        let owner = people.join_as_admin("owner@example.com");
        Self { people, owner }
    }

    fn lamp() -> Self {
        Self::with(&[lamp(&json!({}))], &[])
    }

    /// Asks for an alert; the owner's session confirms the owner's own address.
    pub fn ask(&self, body: &Value) -> (u16, Value) {
        let request = self.people.request(Method::POST, "/alert").json(body);
        let answer = request.header("cookie", &self.owner.cookie).send().unwrap();
        (answer.status().as_u16(), answer.json().unwrap())
    }

    fn watch(&self, target: f64) {
        let body = json!({"ids": ["lamp"], "target": target, "email": "owner@example.com"});
        let (status, said) = self.ask(&body);
        assert_eq!((status, &said["asked"]), (200, &json!(false)), "{said}");
    }

    /// Changes the product by the API and waits until its alerts were looked at.
    pub fn change(&self, id: &str, product: &Value) {
        let path = format!("/product/update-product/{id}");
        let request = self.people.request(Method::PUT, &path).json(product);
        let answer = request.header("cookie", &self.owner.cookie).send().unwrap();
        assert_eq!(answer.status(), 200, "{}", answer.text().unwrap());
        self.settle();
    }

    fn price(&self, rupees: f64) {
        self.change("lamp", &lamp(&json!({ "price": rupees })));
    }

    pub fn number(&self, sql: &str) -> i64 {
        let database = self.people.shop.database();
        database.query_row(sql, [], |row| row.get(0)).unwrap()
    }

    /// Waits until no alert is to be looked at and nothing is to be sent.
    pub fn settle(&self) {
        let sql = "SELECT (SELECT count(*) FROM price_moves) \
             + (SELECT count(*) FROM alerts WHERE wait_until < unixepoch() * 1000) \
             + (SELECT count(*) FROM outgoing)";
        wait_until("everything is told", || self.number(sql) == 0);
    }

    /// Moves the times of all alerts back, as if the hours had passed.
    fn pass(&self, hours: i64) {
        let sql = "UPDATE alerts SET told_at = told_at - ?1, wait_until = wait_until - ?1";
        let database = self.people.shop.database();
        database.execute(sql, [hours * HOUR]).unwrap();
        self.settle();
    }

    /// The subjects of the mails since the last call.
    pub fn told(&self) -> Vec<String> {
        let mails = self.people.mailbox.unread();
        mails.iter().map(|mail| words(mail.subject())).collect()
    }
}

/// Decodes the rupee sign of a subject.
pub fn words(subject: &str) -> String {
    let decoded = subject.split(' ').map(|word| {
        let packed = word
            .strip_prefix("=?utf-8?b?")
            .and_then(|word| word.strip_suffix("?="));
        let bytes = packed.map(|packed| BASE64_STANDARD.decode(packed).unwrap());
        bytes.map_or(word.to_owned(), |bytes| String::from_utf8(bytes).unwrap())
    });
    decoded.collect::<Vec<_>>().join(" ")
}

fn price_in(told: &[String]) -> Vec<&str> {
    told.iter()
        .filter_map(|subject| subject.split(": ").next())
        .collect()
}

#[test]
fn every_new_low_below_the_target_is_told_and_not_only_the_first() {
    let shop = Watched::lamp();
    shop.watch(900.0);
    for (price, told) in [
        (950.0, vec![]),
        (900.0, vec!["₹900.00"]),
        (920.0, vec![]),
        (880.0, vec!["₹880.00"]),
        (890.0, vec![]),
        (879.99, vec!["₹879.99"]),
        (1000.0, vec![]),
        (895.0, vec!["₹895.00"]),
    ] {
        shop.price(price);
        shop.pass(7);
        assert_eq!(price_in(&shop.told()), told, "{price}");
    }
}

#[test]
fn a_product_is_told_at_most_once_in_six_hours_with_the_price_of_then() {
    let shop = Watched::lamp();
    shop.watch(900.0);
    shop.price(850.0);
    assert_eq!(price_in(&shop.told()), ["₹850.00"]);
    shop.price(800.0);
    shop.price(790.0);
    shop.pass(5);
    assert!(shop.told().is_empty());
    shop.pass(1);
    assert_eq!(price_in(&shop.told()), ["₹790.00"]);
    // A low that is over when the pause is.
    shop.price(700.0);
    shop.price(950.0);
    shop.pass(6);
    assert!(shop.told().is_empty());
}

#[test]
fn a_failed_look_a_hidden_price_and_an_ended_deal_are_not_told() {
    let shop = Watched::lamp();
    shop.watch(900.0);
    shop.change("lamp", &lamp(&json!({"price": 0})));
    shop.change("lamp", &lamp(&json!({"price": 800, "status": "draft"})));
    shop.change("lamp", &lamp(&json!({"price": 1000, "status": "live"})));
    shop.people
        .shop
        .set_rules("Croma", r#"{"showPrice": "off"}"#);
    shop.price(800.0);
    shop.people
        .shop
        .set_rules("Croma", r#"{"showPrice": "on", "alerts": "off"}"#);
    shop.price(790.0);
    shop.people.shop.set_rules("Croma", "open");
    let ended =
        json!({"price": 700, "endsAt": "2026-01-02T10:00:00Z", "startsAt": "2026-01-01T10:00:00Z"});
    shop.change("lamp", &lamp(&ended));
    assert!(shop.told().is_empty());
    let again = json!({"price": 695, "endsAt": null, "startsAt": null});
    shop.change("lamp", &lamp(&again));
    assert_eq!(price_in(&shop.told()), ["₹695.00"]);
}

#[test]
fn the_mail_has_price_target_lowest_link_and_one_click_unsubscribe() {
    let shop = Watched::lamp();
    make_up(
        &shop.people.shop,
        "lamp",
        &[
            (95, 100_000, 100_000),
            (30, 100_000, 95_000),
            (1, 100_000, 100_000),
        ],
    );
    shop.watch(940.0);
    shop.price(930.0);
    let mail = shop.people.mailbox.next();
    let text = mail
        .data
        .replace("=\r\n", "")
        .replace("=\n", "")
        .replace("=3D", "=");
    for expected in ["Lowest in 90 days.", "/details/lamp?utm_source=alert"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert_eq!(
        mail.header("List-Unsubscribe-Post"),
        Some("List-Unsubscribe=One-Click")
    );
    let leave = mail
        .header("List-Unsubscribe")
        .unwrap()
        .trim_matches(['<', '>'])
        .to_owned();
    // Opening the link, as mail programs do, ends nothing.
    let client = shop.people.server.client();
    assert_eq!(client.get(&leave).send().unwrap().status(), 200);
    assert_eq!(shop.number("SELECT count(*) FROM alerts"), 1);
    let click = client.post(&leave).body("List-Unsubscribe=One-Click");
    let click = click.header("content-type", "application/x-www-form-urlencoded");
    assert_eq!(click.send().unwrap().status(), 200);
    assert_eq!(shop.number("SELECT count(*) FROM alerts"), 0);
    shop.price(900.0);
    assert!(shop.told().is_empty());
}

#[test]
fn an_address_without_an_account_is_told_after_its_answer_also_of_what_fell_before() {
    let shop = Watched::lamp();
    let body = json!({"ids": ["lamp"], "percent": 10, "email": "asha@example.com"});
    let (status, said) = shop.ask(&body);
    assert_eq!((status, &said["asked"]), (200, &json!(true)), "{said}");
    assert_eq!(shop.number("SELECT target FROM alerts"), 90_000);
    let asking = shop.people.mailbox.next();
    shop.price(850.0);
    assert!(shop.told().is_empty());
    let link = asking
        .header("List-Unsubscribe")
        .unwrap()
        .trim_matches(['<', '>'])
        .to_owned();
    let form = shop.people.server.client().post(&link).body("do=confirm");
    let form = form.header("content-type", "application/x-www-form-urlencoded");
    assert!(form.send().unwrap().status().is_redirection());
    shop.settle();
    assert_eq!(price_in(&shop.told()), ["₹850.00"]);
    // Nobody else can set more for the address: it is asked again.
    let other = json!({"ids": ["lamp"], "target": 990, "email": "asha@example.com"});
    shop.price(1000.0);
    assert_eq!(shop.ask(&other).0, 200);
    assert_eq!(shop.number("SELECT target FROM alerts"), 90_000);
}

#[test]
fn requests_that_no_price_can_meet_are_refused_with_a_reason() {
    let amazon = lamp(
        &json!({"_id": "echo", "source": "Amazon", "affiliateLink": "https://example.com/echo"}),
    );
    let shop = Watched::with(&[lamp(&json!({})), amazon], &[]);
    shop.people.shop.set_rules("Amazon", "amazon-india");
    let me = "owner@example.com";
    for (status, words, body) in [
        (
            400,
            "It costs ₹1,000.00 now",
            json!({"ids": ["lamp"], "target": 1000, "email": me}),
        ),
        (
            400,
            "at least 1",
            json!({"ids": ["lamp"], "target": 0.5, "email": me}),
        ),
        (
            400,
            "above 0",
            json!({"ids": ["lamp"], "percent": 0, "email": me}),
        ),
        (
            400,
            "valid email",
            json!({"ids": ["lamp"], "target": 900, "email": "a@b.c\r\nBcc: x@y.z"}),
        ),
        (
            400,
            "1 to 100",
            json!({"ids": [], "target": 900, "email": me}),
        ),
        (
            400,
            "email or push",
            json!({"ids": ["lamp"], "target": 900}),
        ),
        (
            409,
            "its seller forbids",
            json!({"ids": ["echo"], "target": 900, "email": me}),
        ),
        (
            409,
            "has ended",
            json!({"ids": ["gone"], "target": 900, "email": me}),
        ),
    ] {
        let (answered, said) = shop.ask(&body);
        assert_eq!(answered, status, "{said}");
        assert!(said.to_string().contains(words), "{words}: {said}");
    }
    assert_eq!(shop.number("SELECT count(*) FROM subscribers"), 0);
    let (status, said) = shop.ask(&json!({"ids": ["echo", "lamp"], "percent": 10, "email": me}));
    assert_eq!(
        (status, &said["set"], &said["leftOut"]),
        (200, &json!(1), &json!(1))
    );
    let offered = |id: &str| {
        let history = shop
            .people
            .server
            .get(&format!("/product/price-history/{id}"));
        history.json::<Value>().unwrap()["alerts"].clone()
    };
    assert_eq!(
        (offered("lamp"), offered("echo")),
        (json!(true), json!(false))
    );
}

#[test]
fn an_address_has_fifty_alerts_and_a_client_thirty_requests_at_once() {
    let lamps: Vec<Value> = (0..51)
        .map(|number| {
            let link = format!("https://example.com/{number}");
            lamp(&json!({"_id": format!("lamp{number}"), "affiliateLink": link}))
        })
        .collect();
    let shop = Watched::with(&lamps, &[]);
    let ids: Vec<String> = (0..51).map(|number| format!("lamp{number}")).collect();
    let (status, said) = shop.ask(&json!({"ids": ids, "percent": 5, "email": "owner@example.com"}));
    assert_eq!(status, 409, "{said}");
    assert!(said.to_string().contains("more than 50 alerts"), "{said}");
    let (status, said) =
        shop.ask(&json!({"ids": ids[1..], "percent": 5, "email": "owner@example.com"}));
    assert_eq!((status, &said["set"]), (200, &json!(50)), "{said}");
    for _ in 2..30 {
        let (status, _) =
            shop.ask(&json!({"ids": ["lamp1"], "percent": 5, "email": "owner@example.com"}));
        assert_eq!(status, 200);
    }
    let (status, _) =
        shop.ask(&json!({"ids": ["lamp1"], "percent": 5, "email": "owner@example.com"}));
    assert_eq!(status, 429);
}

#[test]
fn twelve_alerts_of_an_import_are_told_as_in_the_table() {
    let table: [(f64, f64, bool); 12] = [
        (900.0, 899.0, true),
        (900.0, 900.0, true),
        (900.0, 900.01, false),
        (500.0, 499.0, true),
        (500.0, 999.0, false),
        (999.0, 998.0, true),
        (999.99, 1000.0, false),
        (1.0, 1.0, true),
        (1.0, 2.0, false),
        (750.5, 750.49, true),
        (750.5, 750.51, false),
        (100.0, 0.0, false),
    ];
    let row = |number: usize, price: f64| {
        let link = format!("https://example.com/{number}");
        lamp(
            &json!({"_id": format!("lamp{number}"), "title": format!("Lamp {number}"), "price": price, "affiliateLink": link}),
        )
    };
    let before: Vec<Value> = (0..12).map(|number| row(number, 1000.0)).collect();
    let shop = Watched::with(&before, &[]);
    for (number, (target, _, _)) in table.iter().enumerate() {
        let body = json!({"ids": [format!("lamp{number}")], "target": target, "email": "owner@example.com"});
        assert_eq!(shop.ask(&body).0, 200);
    }
    let after: Vec<Value> = table
        .iter()
        .enumerate()
        .map(|(number, (_, price, _))| row(number, *price))
        .collect();
    let priced = after
        .iter()
        .filter(|row| row["price"] != 0.0)
        .collect::<Vec<_>>();
    let imported = shop.people.shop.import(&json!(priced).to_string(), &[]);
    assert!(imported.status.success());
    shop.settle();
    let mut told = shop.told();
    told.sort();
    let mut expected: Vec<String> = table
        .iter()
        .enumerate()
        .filter(|(_, (_, _, told))| *told)
        .map(|(number, (_, price, _))| format!("₹{price:.2}: Lamp {number}"))
        .collect();
    expected.sort();
    assert_eq!(told, expected);
}
