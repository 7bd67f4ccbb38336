//! Push messages to browsers, with a push service and a browser in the test's process.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::hmac;
use ring::rand::SystemRandom;
use ring::signature::{self, ECDSA_P256_SHA256_FIXED};
use serde_json::{Value, json};

use super::alerts::Watched;
use crate::office::prices::lamp;
use crate::people::webhooks::receiver::{Received, Receiver};
use crate::support::harness::wait_until;

const OPTIONS: [&str; 2] = ["--push-network", "127.0.0.0/8"];
const AUTH: [u8; 16] = [7; 16];

fn encoded(bytes: &[u8]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

fn decoded(text: &str) -> Vec<u8> {
    BASE64_URL_SAFE_NO_PAD.decode(text).unwrap()
}

/// The key pair of a browser, for one message.
struct Browser {
    key: EphemeralPrivateKey,
    public: Vec<u8>,
}

impl Browser {
    fn new() -> Self {
        let key = EphemeralPrivateKey::generate(&ECDH_P256, &SystemRandom::new()).unwrap();
        let public = key.compute_public_key().unwrap().as_ref().to_vec();
        Self { key, public }
    }

    fn subscription(&self, endpoint: &str) -> Value {
        json!({"endpoint": endpoint, "keys": {"p256dh": encoded(&self.public), "auth": encoded(&AUTH)}})
    }

    /// Decrypts a message as RFC 8291 and RFC 8188 describe.
    fn read(self, body: &[u8]) -> Value {
        let mac = |key: &[u8], parts: &[&[u8]]| {
            let key = hmac::Key::new(hmac::HMAC_SHA256, key);
            hmac::sign(&key, &parts.concat()).as_ref().to_vec()
        };
        let (salt, server) = (&body[..16], &body[21..86]);
        assert_eq!((&body[16..20], body[20]), (&4_096u32.to_be_bytes()[..], 65));
        let theirs = UnparsedPublicKey::new(&ECDH_P256, server);
        let shared = agree_ephemeral(self.key, &theirs, <[u8]>::to_vec).unwrap();
        let input = mac(
            &mac(&AUTH, &[&shared]),
            &[b"WebPush: info\0", &self.public, server, &[1]],
        );
        let secret = mac(salt, &[&input]);
        let key = mac(&secret, &[b"Content-Encoding: aes128gcm\0", &[1]]);
        let nonce = mac(&secret, &[b"Content-Encoding: nonce\0", &[1]]);
        let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key[..16]).unwrap());
        let nonce = Nonce::try_assume_unique_for_key(&nonce[..12]).unwrap();
        let mut sealed = body[86..].to_vec();
        let opened = key.open_in_place(nonce, Aad::empty(), &mut sealed).unwrap();
        let (last, message) = opened.split_last().unwrap();
        assert_eq!(*last, 2);
        serde_json::from_slice(message).unwrap()
    }
}

/// Verifies a signature of RFC 8292; returns its claims.
fn claims(received: &Received, key: &str) -> Value {
    let given = received.headers["authorization"]
        .strip_prefix("vapid t=")
        .unwrap();
    let (token, given_key) = given.split_once(", k=").unwrap();
    assert_eq!(given_key, key);
    let (signed, proof) = token.rsplit_once('.').unwrap();
    let public = signature::UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, decoded(key));
    public.verify(signed.as_bytes(), &decoded(proof)).unwrap();
    serde_json::from_slice(&decoded(signed.split_once('.').unwrap().1)).unwrap()
}

fn shop() -> Watched {
    Watched::with(&[lamp(&json!({}))], &OPTIONS)
}

fn watch(shop: &Watched, browser: &Browser, endpoint: &str) -> (u16, Value) {
    let push = browser.subscription(endpoint);
    shop.ask(&json!({"ids": ["lamp"], "target": 900, "push": push}))
}

#[test]
fn a_browser_gets_a_signed_message_that_only_it_can_read() {
    let (shop, service, browser) = (shop(), Receiver::start(), Browser::new());
    let (status, said) = watch(&shop, &browser, &service.url("/send/1"));
    assert_eq!((status, &said["asked"]), (200, &json!(false)), "{said}");
    let key = shop
        .people
        .server
        .get("/alert/key")
        .json::<Value>()
        .unwrap();
    let key = key["key"].as_str().unwrap();
    shop.change("lamp", &lamp(&json!({"price": 850})));
    let received = service.wait_for(1);
    assert_eq!(received.headers["content-encoding"], "aes128gcm");
    assert_eq!(received.headers["ttl"], "21600");
    assert!(!received.text.contains("Lamp"));
    let claims = claims(&received, key);
    assert_eq!(claims["aud"], service.url(""));
    let message = browser.read(&received.bytes);
    assert_eq!(message["title"], "₹850.00 at Croma");
    assert_eq!(message["tag"], "lamp");
    let link = shop.people.server.url("/details/lamp?utm_source=alert");
    assert_eq!(message["url"], link);
    assert!(message["body"].as_str().unwrap().starts_with("Lamp"));
    // The key outlives a restart: browsers know the shop by it.
    let (_, people) = shop.people.restart();
    let again = || people.server.get("/alert/key").json::<Value>().unwrap()["key"] == key;
    wait_until("the key is there", again);
}

#[test]
fn a_browser_that_is_gone_is_forgotten_and_a_busy_service_is_asked_again() {
    let (shop, service) = (shop(), Receiver::start());
    assert_eq!(
        watch(&shop, &Browser::new(), &service.url("/send/1")).0,
        200
    );
    service.answer("429 Slow\r\nretry-after: 3600");
    let path = "/product/update-product/lamp";
    let cheap = lamp(&json!({"price": 850}));
    let request = shop.people.request(reqwest::Method::PUT, path).json(&cheap);
    let answer = request.header("cookie", &shop.owner.cookie).send().unwrap();
    assert_eq!(answer.status(), 200);
    let waits =
        "SELECT coalesce(max(next_at - unixepoch() * 1000), 0) FROM outgoing WHERE attempts = 1";
    wait_until("it waits", || shop.number(waits) > 3_500_000);
    service.answer("410 Gone");
    let sql = "UPDATE outgoing SET next_at = 0; DELETE FROM outgoing_waits";
    shop.people.shop.database().execute_batch(sql).unwrap();
    wait_until("it is forgotten", || {
        shop.number("SELECT count(*) FROM push_browsers") == 0
    });
    assert_eq!(shop.number("SELECT count(*) FROM alerts"), 0);
}

#[test]
fn a_private_address_is_refused_where_it_is_dialled() {
    let shop = Watched::with(&[lamp(&json!({}))], &[]);
    let service = Receiver::start();
    // By http, at once.
    let (status, said) = watch(&shop, &Browser::new(), &service.url("/send/1"));
    assert_eq!(status, 400, "{said}");
    for endpoint in [
        "file:///etc/passwd",
        "https://a:b@push.example/1",
        "https://push.example:8443/1",
        "https://203.0.113.9/1",
        "push",
        "",
    ] {
        assert_eq!(watch(&shop, &Browser::new(), endpoint).0, 400, "{endpoint}");
    }
    // A name may lead anywhere later.
    let endpoint = "https://localhost/send/1";
    assert_eq!(watch(&shop, &Browser::new(), endpoint).0, 200);
    shop.change("lamp", &lamp(&json!({"price": 850})));
    wait_until("it is forgotten", || {
        shop.number("SELECT count(*) FROM push_browsers") == 0
    });
    assert!(service.received().is_empty());
}

#[test]
fn keys_of_other_lengths_are_refused_and_a_browser_can_end_its_alerts() {
    let (shop, service, browser) = (shop(), Receiver::start(), Browser::new());
    let endpoint = service.url("/send/1");
    for (p256dh, auth) in [
        ("", encoded(&AUTH)),
        (&*encoded(&browser.public), encoded(&[7; 15])),
    ] {
        let push = json!({"endpoint": endpoint, "keys": {"p256dh": p256dh, "auth": auth}});
        let (status, said) = shop.ask(&json!({"ids": ["lamp"], "target": 900, "push": push}));
        assert_eq!(status, 400, "{said}");
    }
    assert_eq!(watch(&shop, &browser, &endpoint).0, 200);
    let stop = shop
        .people
        .post("/alert/stop", &json!({ "endpoint": endpoint }));
    assert_eq!(stop.status(), 200);
    assert_eq!(shop.number("SELECT count(*) FROM alerts"), 0);
    shop.change("lamp", &lamp(&json!({"price": 850})));
    assert!(service.received().is_empty());
}

#[test]
fn an_alert_in_a_browser_ends_after_ninety_days_and_its_browser_with_the_last() {
    let (shop, service) = (shop(), Receiver::start());
    for path in ["/send/1", "/send/2"] {
        let (status, said) = watch(&shop, &Browser::new(), &service.url(path));
        let message = said["message"].as_str().unwrap();
        assert!(
            status == 200 && message.contains("low enough, until "),
            "{said}"
        );
    }
    let mail = json!({"ids": ["lamp"], "target": 900, "email": "owner@example.com"});
    assert_eq!(shop.ask(&mail).0, 200);
    let gone = json!({"ids": ["lamp"], "target": 900, "email": "owner2@example.com"});
    assert_eq!(shop.ask(&gone).0, 200);
    let sql = "UPDATE alerts SET created_at = created_at - 91 * 86400000; \
        UPDATE alerts SET told_at = created_at + 2 * 86400000 WHERE browser = 2; \
        DELETE FROM alerts WHERE subscriber = 2";
    shop.people.shop.database().execute_batch(sql).unwrap();
    let (_, people) = shop.people.restart();
    let left = |sql: &str| -> String {
        let database = people.shop.database();
        database.query_row(sql, [], |row| row.get(0)).unwrap()
    };
    wait_until("the first has ended", || {
        left("SELECT group_concat(key) FROM push_browsers") == "2"
    });
    assert_eq!(
        left("SELECT group_concat(coalesce(browser, 0), ' ') FROM alerts"),
        "2 0"
    );
    assert_eq!(
        left("SELECT group_concat(email) FROM subscribers"),
        "owner@example.com"
    );
}

#[test]
fn a_push_service_that_nobody_knows_fills_its_own_places_only() {
    let (shop, service) = (shop(), Receiver::start());
    let sql = "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 10000) \
        INSERT INTO push_browsers (endpoint, p256dh, auth, created_at) \
        SELECT ? || n, zeroblob(65), zeroblob(16), 0 FROM n";
    let endpoint = service.url("/send/");
    shop.people
        .shop
        .database()
        .execute(sql, [&endpoint])
        .unwrap();
    assert_eq!(watch(&shop, &Browser::new(), &service.url("/full")).0, 503);
    assert_eq!(
        watch(&shop, &Browser::new(), &format!("{endpoint}7")).0,
        200
    );
    assert_eq!(
        watch(&shop, &Browser::new(), &Receiver::start().url("/1")).0,
        200
    );
}
