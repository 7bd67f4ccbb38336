//! Drafts, scheduled and ended products: visibility and changes.

use reqwest::Method;
use serde_json::{Value, json};

use super::lifetimes::{admin_get, admin_json, live, state, with_times};
use crate::api::product_forms::{accepted, send};
use crate::pages::server_rendering::page;
use crate::support::harness::{Shop, product, product_with, succeeds, wait_until};
use crate::support::people::{People, error};
use crate::support::times::{HOUR, after};

#[test]
fn drafts_and_scheduled_deals_are_shown_to_administrators_only() {
    let people = People::with(
        Shop::with(&[
            live(1),
            with_times("draft", &json!({"status": "draft", "source": "Croma"})),
            with_times(
                "later",
                &json!({"startsAt": after(HOUR), "endsAt": after(2 * HOUR)}),
            ),
            with_times("over", &json!({"endsAt": "2026-11-12T10:00:00+05:30"})),
        ]),
        &[],
    );
    let server = &people.server;
    let owner = people.join_as_admin("owner@example.com");
    let visitor = people.join("visitor@example.com");
    for id in ["draft", "later"] {
        for path in [
            format!("/product/product/{id}"),
            format!("/details/{id}"),
            format!("/product/alike/{id}"),
        ] {
            for _ in 0..3 {
                assert_eq!(server.get(&path).status(), 404, "{path}");
            }
            assert_eq!(admin_get(&people, &visitor, &path).status(), 404, "{path}");
        }
        let click = server.post(&format!("/product/increament-views/{id}"));
        assert_eq!(click.status(), 404);
        let seen = admin_get(&people, &owner, &format!("/product/product/{id}"));
        assert_eq!(seen.headers()["cache-control"], "no-store");
        let told = if id == "draft" { "draft" } else { "scheduled" };
        assert_eq!(state(&seen.json().unwrap()), told);
        let preview = admin_get(&people, &owner, &format!("/details/{id}"));
        assert_eq!(preview.status(), 200);
        assert_eq!(preview.headers()["cache-control"], "no-store");
        let preview = preview.text().unwrap();
        assert!(
            preview.contains("only administrators see this page"),
            "{preview}"
        );
        assert!(preview.contains("content=\"noindex\""));
        // It was not cached for others.
        assert_eq!(server.get(&format!("/details/{id}")).status(), 404);
    }
    for wanted in ["draft", "scheduled", "ended"] {
        let path = format!("/product/get-products?state={wanted}&search=lamp");
        assert_eq!(server.get(&path).status(), 401);
        assert_eq!(admin_get(&people, &visitor, &path).status(), 403);
        let found = admin_json(&people, &owner, &path);
        assert_eq!(found["meta"]["total"], 1, "{wanted}");
        assert_eq!(found["data"][0]["state"], wanted);
        let facets = format!("/product/facets?state={wanted}");
        assert_eq!(server.get(&facets).status(), 401);
        let facets = admin_json(&people, &owner, &facets);
        assert_eq!(facets["all"], 1, "{wanted}: {facets}");
        let seller = if wanted == "draft" { "Croma" } else { "Amazon" };
        assert_eq!(facets["sources"], json!([{"name": seller, "products": 1}]));
    }
    let counts = admin_json(&people, &owner, "/product/states");
    assert_eq!(
        counts,
        json!({"live": 1, "scheduled": 1, "ended": 1, "drafts": 1})
    );
    assert_eq!(server.get("/product/states").status(), 401);
    let wrong = admin_get(&people, &owner, "/product/get-products?state=gone");
    assert_eq!(wrong.status(), 400);
    // The list page ignores the state.
    assert!(!page(server, "/?state=draft").contains("Lamp draft"));
}

#[test]
fn the_page_of_an_ended_deal_stays() {
    let people = People::with(
        Shop::with(&[
            product_with(1, json!({"_id": "near", "category": "Home"})),
            with_times(
                "over",
                &json!({"endsAt": "2026-11-12T10:00:00+05:30", "category": "Home", "source": "Flipkart"}),
            ),
            with_times("old", &json!({"endsAt": "2026-01-12T10:00:00+05:30"})),
            with_times("ending", &json!({"endsAt": after(HOUR * 50)})),
        ]),
        &[],
    );
    let server = &people.server;
    let answer = server.get("/details/over");
    assert_eq!(answer.status(), 200);
    let details = answer.text().unwrap();
    assert!(
        details.contains("This deal ended on 12 Nov 2026."),
        "{details}"
    );
    assert!(details.contains("See today's price at Flipkart"));
    assert!(details.contains("<s>₹"), "its price is struck through");
    assert!(!details.contains("Price seen on"));
    assert!(details.contains("/details/near"), "living ones like it");
    assert!(!details.contains("Back at"));
    assert!(!details.contains("product:price:amount"));
    assert!(details.contains("\"availability\":\"https://schema.org/SoldOut\""));
    assert!(details.contains("content=\"unavailable_after: 2026-12-12\""));
    assert!(page(server, "/details/old").contains("content=\"noindex, follow\""));
    let sitemap = server.get("/sitemap.xml").text().unwrap();
    assert!(sitemap.contains("/details/near") && !sitemap.contains("/details/over"));
    let click = server.post("/product/increament-views/over");
    assert_eq!(click.status(), 200, "it counts and leads on");
    assert_eq!(click.json::<Value>().unwrap()["clicks"], 1);
    // Search engines get the end of the price.
    let ending = page(server, "/details/ending");
    assert!(ending.contains("\"priceValidUntil\""), "{ending}");
    assert!(!page(server, "/details/near").contains("priceValidUntil"));
    // 410 for deleted products, 404 for unknown ones.
    let owner = people.join_as_admin("owner@example.com");
    let path = "/product/delete-product/old";
    accepted(&people, &owner, Method::DELETE, path, &json!({}));
    assert_eq!(server.get("/details/old").status(), 410);
    assert_eq!(server.get("/product/product/old").status(), 404);
    assert_eq!(server.get("/details/never").status(), 404);
}

#[test]
fn an_ended_deal_leads_to_the_live_deal_with_its_link() {
    let link =
        json!({"affiliateLink": "https://shop.example/kettle", "price": 1500, "discount": 0});
    let with_link = |id: &str, more: Value| {
        let mut fields = link.as_object().unwrap().clone();
        fields.extend(more.as_object().unwrap().clone());
        with_times(id, &fields.into())
    };
    let shop = Shop::with(&[
        with_link("over", json!({"endsAt": "2026-11-12T10:00:00+05:30"})),
        with_link("draft", json!({"price": 1, "status": "draft"})),
        with_link("again", json!({"price": 1049})),
        with_link("dearer", json!({"price": 1100})),
        live(1),
    ]);
    let server = shop.serve();
    let leads = "This deal ended on 12 Nov 2026. <a href=\"/details/again\">Back at ₹1,049</a>";
    let details = page(&server, "/details/over");
    assert!(details.contains(leads), "{details}");
    let alike = server.json("/product/alike/over");
    assert_eq!(
        alike["back"],
        json!({"_id": "again", "words": "Back at ₹1,049"})
    );
    for other in ["again", "live1"] {
        assert_eq!(
            server.json(&format!("/product/alike/{other}")).get("back"),
            None
        );
    }
    // A hidden price is not shown.
    shop.set_rules("Amazon", r#"{"showPrice": false}"#);
    wait_until("the rule counts", || {
        page(&server, "/details/over").contains("Back in the shop</a>")
    });
}

#[test]
fn deals_that_end_within_a_day_can_be_filtered() {
    let shop = Shop::with(&[
        live(1),
        with_times("tonight", &json!({"endsAt": after(5 * HOUR)})),
        with_times("next-week", &json!({"endsAt": after(7 * 24 * HOUR)})),
    ]);
    let server = shop.serve();
    let list = page(&server, "/");
    assert_eq!(
        list.matches("<b class=\"ends-soon\"><span>Ends to").count(),
        1,
        "{list}"
    );
    assert_eq!(server.json("/product/facets")["endingSoon"], 1);
    assert_eq!(
        server
            .json("/product/facets?source=Nobody")
            .get("endingSoon"),
        None
    );
    let found = server.list("endingSoon=true");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["_id"], "tonight");
    let ends = found[0]["shown"]["ends"].as_str().unwrap();
    assert!(ends.starts_with("Ends today ") || ends.starts_with("Ends tomorrow "));
    assert!(page(&server, "/?endingSoon=true").contains("Remove Ending soon"));
    assert_eq!(
        server
            .get("/product/get-products?endingSoon=maybe")
            .status(),
        400
    );
}

#[test]
fn bulk_publishing_and_ending_can_be_undone() {
    let people = People::with(
        Shop::with(&[
            live(1),
            live(2),
            with_times("draft", &json!({"status": "draft"})),
            with_times("later", &json!({"startsAt": after(HOUR)})),
        ]),
        &[],
    );
    let owner = people.join_as_admin("owner@example.com");
    let bulk = |body: Value| {
        let response = send(&people, &owner, Method::POST, "/product/bulk", &body);
        assert_eq!(response.status(), 200, "{body}");
        response.json::<Value>().unwrap()
    };
    let counts = || -> Value {
        admin_get(&people, &owner, "/product/states")
            .json()
            .unwrap()
    };
    let before = counts();
    let done = bulk(json!({"ids": ["live1", "later", "draft"], "action": "end"}));
    assert_eq!(done["changed"], 3);
    assert_eq!(
        counts(),
        json!({"live": 1, "scheduled": 0, "ended": 2, "drafts": 1})
    );
    let undo = format!("/product/undo/{}", done["undo"].as_str().unwrap());
    accepted(&people, &owner, Method::POST, &undo, &json!({}));
    assert_eq!(counts(), before);
    let done = bulk(json!({"list": "state=draft", "total": 1, "action": "publish"}));
    assert_eq!(done["changed"], 1);
    assert_eq!(people.server.list("").len(), 3);
    // Products that start after the new end are unchanged.
    let done =
        bulk(json!({"ids": ["live1", "later"], "action": "setEnd", "value": after(HOUR / 2)}));
    assert_eq!(done["changed"], 1);
    let done = bulk(json!({"ids": ["live1"], "action": "setEnd", "value": null}));
    assert_eq!(done["changed"], 1);
    let wrong = json!({"ids": ["live1"], "action": "setEnd", "value": "2026-11-30T10:00:00"});
    let refused = send(&people, &owner, Method::POST, "/product/bulk", &wrong);
    assert_eq!(refused.status(), 400);
    let said = refused.json::<Value>().unwrap()["fields"]["value"].clone();
    assert_eq!(
        said,
        "The end must be a time with its zone, like 2026-11-30T23:59:00+05:30."
    );
    // A change without times keeps them.
    let change = product_with(2, json!({"title": "Renamed"}));
    let path = "/product/update-product/later";
    let changed = send(&people, &owner, Method::PUT, path, &change);
    assert_eq!(state(&changed.json().unwrap()), "scheduled");
    let change = product_with(2, json!({"title": "Renamed", "startsAt": null}));
    let changed = send(&people, &owner, Method::PUT, path, &change);
    assert_eq!(state(&changed.json().unwrap()), "live");
    assert_eq!(
        error(people.server.get("/product/states")),
        "please login to continue"
    );
}

#[test]
fn drafts_and_ended_deals_are_exported_with_their_times() {
    let rows = [
        with_times("draft", &json!({"status": "draft"})),
        with_times(
            "later",
            &json!({"startsAt": after(HOUR), "endsAt": after(2 * HOUR)}),
        ),
        with_times("over", &json!({"endsAt": "2026-11-12T04:30:00.000Z"})),
    ];
    let shop = Shop::with(&rows);
    // Also for an import that is large enough to hide products first.
    let many: Vec<Value> = (0..1_500)
        .map(|n| {
            let mut row = product(n);
            row["affiliateLink"] = format!("https://shop.example/many/{n}").into();
            if n % 3 == 0 {
                row["status"] = "draft".into();
            }
            row
        })
        .collect();
    assert!(
        shop.import(&Value::from(many).to_string(), &[])
            .status
            .success()
    );
    let first = succeeds(shop.run(&["export"]));
    let said = shop.import(&first, &[]);
    let said = String::from_utf8(said.stdout).unwrap();
    assert!(
        said.contains("0 added, 0 updated, 1,503 unchanged"),
        "{said}"
    );
    let other = Shop::new();
    assert!(other.import(&first, &[]).status.success());
    assert_eq!(succeeds(other.run(&["export"])), first);
    let table = succeeds(shop.run(&["export", "--format", "csv"]));
    assert!(
        table
            .lines()
            .next()
            .unwrap()
            .contains(",status,startsAt,endsAt,")
    );
    let server = other.serve();
    assert_eq!(server.json("/product/facets")["all"], 1_000);
    assert_eq!(
        server.json("/product/get-products?search=description")["meta"]["total"],
        1_000
    );
    let checked = succeeds(other.run(&["check"]));
    assert!(checked.contains("agree with the products"), "{checked}");
}

#[test]
fn an_import_without_times_keeps_start_and_end() {
    let rows = [
        with_times(
            "draft",
            &json!({"status": "draft", "offers": [{"kind": "coupon", "code": "A", "percent": 5}]}),
        ),
        with_times(
            "later",
            &json!({"startsAt": after(HOUR), "endsAt": after(2 * HOUR)}),
        ),
        with_times("over", &json!({"endsAt": "2026-11-12T04:30:00.000Z"})),
    ];
    let shop = Shop::with(&rows);
    let before = succeeds(shop.run(&["export"]));
    let plain = ["draft", "later", "over"].map(|id| with_times(id, &json!({})));
    let import =
        |rows: &Value| String::from_utf8(shop.import(&rows.to_string(), &[]).stdout).unwrap();
    assert!(import(&json!(plain)).contains("0 added, 0 updated, 3 unchanged"));
    let cheaper = ["draft", "later", "over"].map(|id| with_times(id, &json!({"price": 50})));
    assert!(import(&json!(cheaper)).contains("0 added, 3 updated, 0 unchanged"));
    let after_it = succeeds(shop.run(&["export"]));
    let kept = |text: &str| -> Vec<[Value; 4]> {
        let rows: Vec<Value> = serde_json::from_str(text).unwrap();
        rows.iter()
            .map(|row| ["status", "startsAt", "endsAt", "offers"].map(|field| row[field].clone()))
            .collect()
    };
    assert_eq!(kept(&after_it), kept(&before));
    // Given values count, including null; a conflicting other time is cleared.
    let given = json!([
        with_times("draft", &json!({"status": "live", "offers": []})),
        with_times("later", &json!({"endsAt": "2026-11-12T04:30:00.000Z"})),
        with_times("over", &json!({"endsAt": null})),
    ]);
    assert!(import(&given).contains("3 updated"));
    // Sellers without live products have rules too.
    let other = Shop::with(&[with_times(
        "only",
        &json!({"status": "draft", "source": "Croma"}),
    )]);
    other.set_rules("Croma", r#"{"history": false}"#);
    let server = shop.serve();
    let state_of = |id: &str| state(&server.json(&format!("/product/product/{id}"))).to_owned();
    assert_eq!(
        ["draft", "later", "over"].map(state_of),
        ["live", "ended", "live"]
    );
}
