//! Copies of sellers' pictures, which staff have the shop keep.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use image::{DynamicImage, ImageFormat};
use reqwest::Method;
use serde_json::{Value, json};

use super::pictures::file;
use super::product_forms::{accepted, send};
use crate::support::harness::{Shop, product_with, wait_until};
use crate::support::people::{People, Someone};

/// Answers each path with a status line, headers and a body; returns its address and the requests.
fn seller(
    answers: Vec<(&'static str, &'static str, Vec<u8>)>,
) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let requests = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&requests);
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let lines = lines.map_while(Result::ok);
            let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
            let path = head[0].split(' ').nth(1).unwrap().to_owned();
            seen.lock().unwrap().push(head.join("\n"));
            let found = answers.iter().find(|(of, ..)| *of == path).unwrap();
            let (_, start, body) = found;
            let start = format!("HTTP/1.1 {start}\r\ncontent-length: {}\r\n\r\n", body.len());
            let _ = stream.write_all(start.as_bytes());
            // A reader may have had enough.
            let _ = stream.write_all(body);
        }
    });
    (address, requests)
}

fn shop(options: &[&str]) -> (People, Someone) {
    let people = People::with(Shop::new(), options);
    let owner = people.join_as_admin("owner@example.com");
    (people, owner)
}

const HERE: [&str; 2] = ["--fetch-network", "127.0.0.0/8"];

fn copy(people: &People, owner: &Someone, url: &str, source: &str) -> (u16, String) {
    let body = json!({"url": url, "source": source});
    let answer = send(people, owner, Method::POST, "/picture/copy", &body);
    (answer.status().as_u16(), answer.text().unwrap())
}

#[test]
fn a_copy_of_a_sellers_picture_is_kept_and_the_log_says_so() {
    let png = file(&DynamicImage::new_rgb8(300, 200), ImageFormat::Png);
    let (seller, requests) = seller(vec![("/1.png?w=9", "200 OK\r\nset-cookie: a=b", png)]);
    let (people, owner) = shop(&HERE);
    let address = format!("{seller}/1.png?w=9");
    let body = product_with(1, json!({"source": "Croma", "images": [address]}));
    let added = send(&people, &owner, Method::POST, "/product/add-product", &body);
    let added: Value = added.json().unwrap();
    let id = added["product"]["_id"].as_str().unwrap();
    // Neither a form nor a page requests it.
    people.server.get(&format!("/details/{id}"));
    assert!(requests.lock().unwrap().is_empty());

    let (status, answer) = copy(&people, &owner, &format!("{address}#top"), "Croma");
    assert_eq!(status, 201, "{answer}");
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(
        (&answer["width"], &answer["height"]),
        (&json!(300), &json!(200))
    );
    let head = requests.lock().unwrap().join("\n").to_lowercase();
    assert!(head.starts_with("get /1.png?w=9 http/1.1\n"), "{head}");
    assert!(
        !head.contains("cookie") && !head.contains("referer"),
        "{head}"
    );

    let own = answer["url"].as_str().unwrap();
    let body = product_with(1, json!({"source": "Croma", "images": [own]}));
    let path = format!("/product/update-product/{id}");
    accepted(&people, &owner, Method::PUT, &path, &body);
    let log = people.shop.log();
    let log = log.lines().next().unwrap();
    assert!(log.contains(&address) && log.contains("/picture/"), "{log}");
    assert_eq!(
        people
            .server
            .get(&own[own.find("/picture/").unwrap()..])
            .status(),
        200
    );
}

#[test]
fn what_is_no_picture_is_not_kept_and_the_answer_says_why() {
    let (seller, _) = seller(vec![
        ("/403", "403 Forbidden", Vec::new()),
        ("/302", "302 Found\r\nlocation: /1.png", Vec::new()),
        (
            "/page",
            "200 OK\r\ncontent-type: image/png",
            b"<html>".to_vec(),
        ),
        ("/large", "200 OK", vec![7; (8 << 20) + 1]),
    ]);
    let (people, owner) = shop(&HERE);
    for (path, reason) in [
        ("/403", "answered 403"),
        ("/302", "answered 302"),
        ("/page", "not a JPEG, PNG or WebP picture"),
        ("/large", "sent more than 8 MB"),
    ] {
        let (status, answer) = copy(&people, &owner, &format!("{seller}{path}"), "Croma");
        assert_eq!(status, 400, "{answer}");
        assert!(answer.contains(reason), "{answer}");
    }
    for bad in [
        "",
        "ftp://a.example/1.png",
        "https://a:b@a.example/1.png",
        "http://a.example:81/1.png",
    ] {
        let (status, answer) = copy(&people, &owner, bad, "Croma");
        assert_eq!(status, 400, "{answer}");
        assert!(answer.contains("only http and https addresses"), "{answer}");
    }
    assert_eq!(
        people
            .shop
            .database()
            .query_row("SELECT count(*) FROM pictures", [], |row| row.get(0)),
        Ok(0)
    );
}

#[test]
fn addresses_that_are_not_public_are_not_requested() {
    let (seller, requests) = seller(vec![("/", "200 OK", Vec::new())]);
    let (people, owner) = shop(&[]);
    let port = seller.rsplit(':').next().unwrap();
    for (address, reason) in [
        (format!("{seller}/"), "without a port"),
        ("http://127.0.0.1/".to_owned(), "not public"),
        ("http://localhost/".to_owned(), "not public"),
        ("http://[::1]/".to_owned(), "not public"),
        (format!("http://localhost:{port}/"), "without a port"),
    ] {
        let (status, answer) = copy(&people, &owner, &address, "Croma");
        assert_eq!(status, 400, "{answer}");
        assert!(answer.contains(reason), "{address} {answer}");
    }
    assert!(requests.lock().unwrap().is_empty());
}

#[test]
fn a_picture_is_copied_only_where_the_sellers_rules_allow_it_and_by_staff() {
    let png = file(&DynamicImage::new_rgb8(30, 20), ImageFormat::Png);
    let (seller, requests) = seller(vec![("/1.png", "200 OK", png)]);
    let (people, owner) = shop(&HERE);
    let address = format!("{seller}/1.png");
    // Amazon's programme forbids it, chosen or not.
    for (source, rules) in [
        ("Amazon", None),
        ("Amazon", Some("amazon-india")),
        ("Croma", Some(r#"{"copyImages": false}"#)),
    ] {
        if let Some(rules) = rules {
            people.shop.set_rules(source, rules);
        }
        let (status, answer) = copy(&people, &owner, &address, source);
        assert_eq!(status, 400, "{answer}");
        assert!(
            answer.contains(&format!("The rules of {source} allow no copies")),
            "{answer}"
        );
    }
    let body = json!({"url": address, "source": "Croma"});
    let asha = people.join("asha@example.com");
    assert_eq!(
        send(&people, &asha, Method::POST, "/picture/copy", &body).status(),
        403
    );
    assert_eq!(people.post("/picture/copy", &body).status(), 401);
    assert!(requests.lock().unwrap().is_empty());
    people.shop.set_rules("Amazon", r#"{"copyImages": true}"#);
    assert_eq!(copy(&people, &owner, &address, "Amazon").0, 201);
}

#[test]
fn pictures_of_new_deals_are_copied_for_sellers_whose_rules_say_so() {
    let png = file(&DynamicImage::new_rgb8(30, 20), ImageFormat::Png);
    let other = file(&DynamicImage::new_rgb8(20, 30), ImageFormat::Png);
    let (seller, requests) = seller(vec![
        ("/1.png", "200 OK", png),
        ("/2.png", "200 OK", other),
        ("/gone.png", "404 Not Found", Vec::new()),
    ]);
    let of = |n: usize, source: &str, names: &[&str]| {
        let images: Vec<String> = names.iter().map(|name| format!("{seller}{name}")).collect();
        product_with(n, json!({"source": source, "images": images}))
    };
    let shop = Shop::with(&[
        of(1, "Croma", &["/1.png", "/2.png"]),
        of(2, "Croma", &["/1.png", "/gone.png"]),
        of(3, "Amazon", &["/amazon.png"]),
        of(4, "Nykaa", &["/nykaa.png"]),
    ]);
    shop.set_rules("Croma", r#"{"keepImages": true}"#);
    shop.set_rules("Amazon", r#"{"keepImages": true, "copyImages": false}"#);
    let people = People::with(shop, &HERE);
    let owner = people.join_as_admin("owner@example.com");
    let counted = || -> Value {
        let request = people.request(Method::GET, "/picture");
        let answer = request.header("cookie", &owner.cookie).send().unwrap();
        answer.json().unwrap()
    };
    wait_until("pictures are not copied", || {
        let counted = counted();
        counted["failed"] == 1 && counted["waiting"] == 0
    });
    let error = counted()["lastError"].clone();
    assert_eq!(error, "127.0.0.1 answered 404");
    assert_eq!(counted()["pictures"], 2);
    let images = |source: &str| -> Vec<Value> {
        let deals = people.server.list(&format!("source={source}"));
        deals.iter().map(|deal| deal["images"].clone()).collect()
    };
    let croma = json!(images("Croma"));
    assert_eq!(croma.to_string().matches("/picture/").count(), 3, "{croma}");
    assert_eq!(croma.to_string().matches(&seller).count(), 1, "{croma}");
    assert!(
        people.shop.log().contains("the server"),
        "{}",
        people.shop.log()
    );
    let requests = requests.lock().unwrap().join("\n");
    assert!(!requests.contains("amazon") && !requests.contains("nykaa"));
}
