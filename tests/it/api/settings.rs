//! Settings of the shop, and where they appear.

use base64::prelude::{BASE64_STANDARD, Engine as _};
use reqwest::blocking::Response;
use serde_json::{Value, json};

use crate::pages::server_rendering::page;
use crate::support::harness::{Server, Shop, product, succeeds, text};
use crate::support::people::{PASSWORD, People};

const SVG: &str =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1 1\"><path d=\"M0 0h1v1z\"/></svg>";

fn set(shop: &Shop, values: &[&str]) -> std::process::Output {
    let mut arguments = vec!["settings", "set"];
    arguments.extend(values);
    shop.run(&arguments)
}

fn put(server: &Server, token: &str, body: &Value) -> Response {
    server
        .client()
        .put(server.url("/settings"))
        .bearer_auth(token)
        .json(body)
        .send()
        .unwrap()
}

fn as_data(file: &str) -> String {
    format!("data:image/svg+xml;base64,{}", BASE64_STANDARD.encode(file))
}

#[test]
fn a_telephone_number_becomes_a_link_to_whatsapp() {
    let shop = Shop::new();
    for (given, link) in [
        ("9876543210", "https://wa.me/919876543210"),
        ("098765 43210", "https://wa.me/919876543210"),
        ("+91 98765-43210", "https://wa.me/919876543210"),
        ("+65 9123 4567", "https://wa.me/6591234567"),
        ("https://wa.me/1", "https://wa.me/1"),
    ] {
        succeeds(set(&shop, &[&format!("whatsapp={given}")]));
        let settings = text(&shop.run(&["settings", "get"]).stdout);
        assert!(
            settings.contains(&format!("{link}\"")) || settings.contains(&format!("{link}\n")),
            "{settings}"
        );
    }
    assert!(!set(&shop, &["whatsapp=98765"]).status.success());
}

#[test]
fn a_name_set_on_the_command_line_is_everywhere_at_once() {
    let shop = Shop::with(&[product(1)]);
    let server = shop.serve();
    assert!(page(&server, "/").contains("<span>Deals</span>"));
    succeeds(set(
        &shop,
        &[
            "name=Sasta Adda",
            "tagline=Sasta, sahi, seedha.",
            "telegram=https://t.me/sasta",
            "page.privacy=draft",
        ],
    ));
    let first = page(&server, "/");
    for part in [
        "<title>Sasta Adda</title>",
        "<span>Sasta Adda</span>",
        ">Sasta, sahi, seedha.</h",
        "property=\"og:site_name\" content=\"Sasta Adda\"",
        "href=\"https://t.me/sasta\"",
        "href=\"/pages/privacy\"",
        "<link rel=\"icon\" href=\"/mark/",
    ] {
        assert!(first.contains(part), "{part}");
    }
    assert!(page(&server, "/login").contains("<title>Sasta Adda</title>"));
    let privacy = page(&server, "/pages/privacy");
    assert!(privacy.contains("Digital Personal Data Protection Act"));
    assert!(privacy.contains("what Sasta Adda stores"), "{privacy}");
    assert!(page(&server, "/feed.xml").contains("Sasta Adda: the newest"));
    let manifest = server.json("/manifest.webmanifest");
    assert_eq!(manifest["name"], "Sasta Adda");
    let logo = server.get(manifest["icons"][0]["src"].as_str().unwrap());
    assert_eq!(logo.headers()["content-type"], "image/svg+xml");
    assert!(
        logo.headers()["cache-control"]
            .to_str()
            .unwrap()
            .contains("immutable")
    );
    assert!(logo.text().unwrap().contains(">S</text>"));
    assert_eq!(server.json("/settings")["shop"]["letter"], "S");
    assert!(page(&server, "/").contains("<b aria-hidden=\"true\">S</b>"));
    assert_eq!(server.get("/pages/nope").status(), 404);
    let told = shop.run(&["settings", "get", "name"]);
    assert_eq!(text(&told.stdout), "Sasta Adda\n");
}

#[test]
fn invalid_settings_are_refused_with_the_reason() {
    let shop = Shop::new();
    for (value, said) in [
        ("nmae=x", "There is no setting nmae."),
        ("name", "write name as NAME=VALUE"),
        ("accent=blue", "The accent must be a colour like #1a56b0."),
        ("contact=me", "The contact must be an email address"),
        ("telegram=javascript:alert(1)", "begins with https://"),
        ("page.About=# About\n\nx", "small letters"),
        ("page.about=no title", "begins with its title"),
        ("page.nope=draft", "there is no draft of nope"),
        ("mark=logo.svg", "mark=@logo.svg"),
        ("mark=@missing.svg", "cannot read missing.svg"),
    ] {
        let output = set(&shop, &["tagline=kept out", value]);
        let code = if said.starts_with("cannot read") {
            1
        } else {
            2
        };
        assert_eq!(output.status.code(), Some(code), "{value}");
        let error = text(&output.stderr);
        assert!(error.contains(said), "{value}: {error}");
    }
    let told = shop.run(&["settings", "get", "tagline"]);
    assert_eq!(text(&told.stdout), "\n");
}

#[test]
fn a_change_based_on_an_old_settings_version_is_refused() {
    let people = People::with(Shop::new(), &[]);
    let token = people.join_as_admin("owner@example.com").token;
    let server = &people.server;
    let version = server.json("/settings")["version"].clone();
    let first = put(
        server,
        &token,
        &json!({ "version": version, "name": "First" }),
    );
    assert_eq!(first.status(), 200);
    let second = put(
        server,
        &token,
        &json!({ "version": version, "tagline": "Second" }),
    );
    assert_eq!(second.status(), 409);
    let now = server.json("/settings");
    assert_eq!(now["shop"]["name"], "First");
    assert_eq!(now["shop"]["tagline"], "");
    let again = put(
        server,
        &token,
        &json!({ "version": now["version"], "tagline": "Second" }),
    );
    let again: Value = again.json().unwrap();
    assert_eq!(again["shop"]["name"], "First");
    assert_eq!(again["shop"]["tagline"], "Second");
    assert_eq!(put(server, &token, &json!({ "name": "x" })).status(), 400);
    let stranger = put(server, "nobody", &json!({ "version": 0, "name": "x" }));
    assert_eq!(stranger.status(), 401);
    // The activity log names the author.
    let request = people.request(reqwest::Method::GET, "/product/activity");
    let trail: Value = request.bearer_auth(&token).send().unwrap().json().unwrap();
    assert_eq!(trail["data"][0]["actor"], "owner");
    assert_eq!(trail["data"][0]["action"], "set");
    assert_eq!(
        trail["data"][0]["details"],
        json!({"tagline": {"from": "", "to": "Second"}})
    );
    assert_eq!(trail["meta"]["total"], 3, "two changes and the account");
}

#[test]
fn a_logo_with_scripts_is_refused() {
    let people = People::with(Shop::new(), &[]);
    let token = people.join_as_admin("owner@example.com").token;
    let server = &people.server;
    let evil = SVG.replace("<path", "<path onload=\"alert(1)\"");
    let refused = put(
        server,
        &token,
        &json!({ "version": 0, "mark": as_data(&evil) }),
    );
    assert_eq!(refused.status(), 400);
    let refused: Value = refused.json().unwrap();
    assert!(
        refused["fields"]["mark"]
            .as_str()
            .unwrap()
            .contains("onload")
    );
    let taken = put(
        server,
        &token,
        &json!({ "version": 0, "mark": as_data(SVG) }),
    );
    let taken: Value = taken.json().unwrap();
    assert_eq!(taken["ownMark"], true);
    assert!(taken["shop"].get("letter").is_none());
    let logo = server.get(taken["shop"]["mark"].as_str().unwrap());
    let policy = logo.headers()["content-security-policy"]
        .to_str()
        .unwrap()
        .to_owned();
    assert!(policy.contains("default-src 'none'") && policy.contains("sandbox"));
    assert_eq!(logo.text().unwrap(), SVG);
}

#[test]
fn the_content_security_policy_allows_the_styles_of_the_accent() {
    let shop = Shop::new();
    let server = shop.serve();
    let before = server.get("/").headers()["content-security-policy"].clone();
    succeeds(set(&shop, &["accent=#ffd814"]));
    let answer = server.get("/");
    assert_ne!(answer.headers()["content-security-policy"], before);
    let page = answer.text().unwrap();
    assert!(page.contains("--band:#ffd814") && page.contains("--on-band:#241e03"));
    let bar =
        "<meta name=\"theme-color\" content=\"#ffd814\" media=\"(prefers-color-scheme: light)\">";
    assert!(page.contains(bar), "{page}");
    // Colours that both themes share are stronger than those of the styles' dark theme.
    succeeds(set(&shop, &["accent=#000000"]));
    assert!(server.get("/").text().unwrap().contains(":root:root{"));
    succeeds(set(&shop, &["accent="]));
    assert_eq!(server.get("/").headers()["content-security-policy"], before);
    assert_eq!(server.get("/settings/palette/nope").status(), 400);
}

#[test]
fn mails_are_signed_with_the_shops_name() {
    let people = People::new();
    succeeds(set(&people.shop, &["name=Sasta & Co"]));
    let form = json!({"username": "asha", "email": "asha@example.com", "password": PASSWORD});
    assert_eq!(people.post("/user/register", &form).status(), 201);
    let mail = people.mailbox.next();
    assert_eq!(mail.code().len(), 6);
    assert!(mail.data.contains("Sasta & Co"), "{}", mail.data);
    assert!(mail.data.contains("<p>Sasta &amp; Co</p>"), "{}", mail.data);
}
