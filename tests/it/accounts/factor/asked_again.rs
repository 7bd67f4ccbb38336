//! Calls that ask for a code again, and an office that requires a second factor.

use reqwest::Method;
use reqwest::blocking::Response;
use serde_json::{Value, json};

use super::{Factored, OWNER, by, credentials, post_as, refusal};
use crate::files::workbooks::zip;
use crate::people::permissions::described;
use crate::support::harness::{Shop, succeeds, text};
use crate::support::people::{PASSWORD, People, Someone, someone};

fn add_key(people: &People, owner: &Someone, name: &str) -> Response {
    let body = json!({"name": name, "scopes": ["products:write"]});
    post_as(people, owner, "/keys", &body)
}

fn wait_ten_minutes(shop: &Factored) {
    let sql = "UPDATE sessions SET confirmed_at = confirmed_at - 600000";
    shop.people.shop.database().execute(sql, []).unwrap();
}

#[test]
fn sensitive_calls_require_a_second_factor_code_of_the_last_ten_minutes() {
    let shop = Factored::new();
    let (people, owner) = (&shop.people, &shop.owner);
    // The first code confirmed this session.
    let added: Value = add_key(people, owner, "one").json().unwrap();
    let key = added["secret"].as_str().unwrap();
    let revoke = format!("/keys/{}", added["key"]["id"].as_str().unwrap());
    wait_ten_minutes(&shop);
    let sensitive = [
        (Method::POST, "/keys"),
        (Method::DELETE, &revoke),
        (Method::POST, "/people/invite"),
        (Method::PUT, "/people/nothing"),
        (Method::DELETE, "/people/nothing"),
        (Method::POST, "/webhooks"),
        (Method::PUT, "/webhooks/nothing"),
        (Method::DELETE, "/webhooks/nothing"),
        (Method::DELETE, "/outgoing/nothing"),
        (Method::POST, "/user/totp/recovery-codes"),
        (Method::POST, "/user/totp/disable"),
    ];
    for (method, path) in &sensitive {
        let request = by(people, owner, method.clone(), path)
            .json(&json!({"name": "two", "scopes": ["import"]}));
        let body: Value = request.send().unwrap().json().unwrap();
        let expected = json!({
            "error": "Enter the code from your app to continue.",
            "code": "code_needed",
            "next": "totp",
        });
        assert_eq!(body, expected, "{path}");
    }
    let listed = by(people, owner, Method::GET, "/keys").send().unwrap();
    assert_eq!(listed.status(), 200, "reading asks nothing");

    let confirm = |code: &str| post_as(people, owner, "/user/confirm", &json!({"code": code}));
    let (status, code, _) = refusal(confirm(&shop.app.wrong_code()));
    assert_eq!((status, code.as_str()), (400, "wrong_code"));
    assert_eq!(refusal(confirm("")).1, "invalid_fields");
    assert_eq!(add_key(people, owner, "two").status(), 403);
    assert_eq!(confirm(&shop.app.code()).status(), 200);
    assert_eq!(add_key(people, owner, "two").status(), 201);
    wait_ten_minutes(&shop);
    assert_eq!(confirm(&shop.recovery_codes[0]).status(), 200);
    assert_eq!(add_key(people, owner, "three").status(), 201);

    // Another session is not confirmed by this one, and no key reaches these calls.
    let known = shop.remembered();
    wait_ten_minutes(&shop);
    assert_eq!(confirm(&shop.recovery_codes[1]).status(), 200);
    let again = someone(shop.browse(&known, "/user/sign-in", &credentials(PASSWORD)));
    let body = json!({"name": "four", "scopes": ["import"]});
    let (status, code, _) = refusal(shop.browse(&again.cookie, "/keys", &body));
    assert_eq!((status, code.as_str()), (403, "code_needed"));
    for (method, path) in &sensitive {
        let request = people.request(method.clone(), path).bearer_auth(key);
        let status = request.json(&body).send().unwrap().status().as_u16();
        assert!(status == 401 || status == 403, "{path}: {status}");
    }

    let off = post_as(people, owner, "/user/totp/disable", &json!({}));
    assert_eq!(off.status(), 200);
    people.sign_in(OWNER);
    let log = shop.log();
    for change in [
        "secondFactor.owner \"off\" → \"on\"",
        "secondFactor.owner \"on\" → \"off\"",
    ] {
        assert!(log.contains(change), "{log}");
    }
}

/// Writes for which an account with a second factor enters no code again.
const WITHOUT_CODE: &[&str] = &[
    "add_product",
    "add_picture",
    "save_picture_copy",
    "update_product",
    "delete_product",
    "put_product_by_link",
    "read_link",
    "resolve_link",
    "change_many",
    "undo_change",
    "strike_price",
    "check_price_change",
    "record_price_check",
    "forget_failed_picture",
    "import_products",
    "preview_import",
    "get_refused_rows",
    "add_demo_products",
    "send_test_mail",
    "count_this_device",
    "resend_outgoing",
    "send_webhook_test",
    "check_channel",
    "post_deals",
    "preview_post",
    "add_to_queue",
    "change_queue",
    "remove_from_queue",
    "check_address",
    "check_backup_place",
    "add_backup",
    "verify_session",
    "sign_out_everywhere",
    "end_session",
    // Changes nothing.
    "preview_front_page",
    // By what it changes.
    "change_settings",
];

#[test]
fn every_write_except_a_fixed_list_requires_a_second_factor_code() {
    let shop = Factored::new();
    let (people, owner) = (&shop.people, &shop.owner);
    wait_ten_minutes(&shop);
    let mut asking = Vec::new();
    for (name, call) in described(people) {
        // The last would end the session.
        if call.method == Method::GET || !call.is_for_accounts || name == "sign_out_everywhere" {
            continue;
        }
        let request = by(people, owner, call.method, &call.path).json(&json!({"fields": {}}));
        let body: Value = request.send().unwrap().json().unwrap_or_default();
        let asks = body["code"] == "code_needed";
        assert_eq!(
            asks,
            !WITHOUT_CODE.contains(&name.as_str()),
            "{name}: {body}"
        );
        asking.extend(asks.then_some(name));
    }
    for name in [
        "set_tag",
        "change_password",
        "delete_account",
        "save_mapping",
    ] {
        assert!(asking.iter().any(|asking| asking == name), "{asking:?}");
    }
    let end = post_as(people, owner, "/user/logout-everywhere", &json!({}));
    assert_eq!(end.status(), 200);
}

#[test]
fn settings_require_a_second_factor_code_unless_only_the_looks_change() {
    let shop = Factored::new();
    let (people, owner) = (&shop.people, &shop.owner);
    let put = |change: &Value| {
        let settings = by(people, owner, Method::GET, "/settings").send().unwrap();
        let settings: Value = settings.json().unwrap();
        let mut change = change.clone();
        change["version"] = settings["version"].clone();
        let request = by(people, owner, Method::PUT, "/settings").json(&change);
        refusal(request.send().unwrap())
    };
    let corner = json!({"name": "Corner", "hosts": ["corner.example"],
        "productId": "/p/{id}", "tagParameter": "ref"});
    let moving = [
        json!({"tag.Amazon": "stranger-21"}),
        json!({"tagline": "Cheaper", "tag.Flipkart": "stranger"}),
        json!({"source.Amazon": "amazon-india"}),
        json!({"shops": [corner]}),
        json!({"contact": "stranger@example.com"}),
        json!({"telegram": "https://t.me/stranger"}),
        json!({"whatsapp": "https://wa.me/1"}),
        json!({"instagram": "https://instagram.com/stranger"}),
    ];
    wait_ten_minutes(&shop);
    for change in &moving {
        let (status, code, _) = put(change);
        assert_eq!((status, code.as_str()), (403, "code_needed"), "{change}");
    }
    for looks in [
        json!({"name": "Sasta", "tagline": "Cheaper", "accent": "#1a56b0", "contact": ""}),
        json!({"disclosure": "We earn.", "mark": "", "page.about": "# About\n\nWe look."}),
        json!({"tag.Amazon": "", "pages": []}),
    ] {
        assert_eq!(put(&looks).0, 200, "{looks}");
    }
    let tag = |path: &str| {
        let body = json!({"tag": "me-21"});
        post_as(people, owner, path, &body).status().as_u16()
    };
    assert_eq!(tag("/source/Amazon/tag?preview=true"), 200);
    assert_eq!(tag("/source/Amazon/tag"), 403);

    let code = json!({"code": shop.app.code()});
    assert_eq!(post_as(people, owner, "/user/confirm", &code).status(), 200);
    for change in &moving {
        assert_eq!(put(change).0, 200, "{change}");
    }
    assert_eq!(tag("/source/Amazon/tag"), 200);
}

#[test]
fn an_archive_changes_only_the_looks_without_a_fresh_second_factor_code() {
    let shop = Factored::new();
    let (people, owner) = (&shop.people, &shop.owner);
    let import = || {
        let settings = json!({"settings": {"tagline": "Cheaper", "telegram": "https://t.me/shop", "tag.Amazon": "me-21"}});
        let archive = zip(&[
            ("products.json", b"[]"),
            ("shop.json", &serde_json::to_vec(&settings).unwrap()),
        ]);
        let request = by(people, owner, Method::POST, "/product/import");
        assert_eq!(request.body(archive).send().unwrap().status(), 200);
        let shop = people.server.json("/settings")["shop"].clone();
        let sql = "SELECT coalesce(json_extract(shop, '$.tags.Amazon'), '') FROM settings";
        let tag: String = people
            .shop
            .database()
            .query_row(sql, [], |row| row.get(0))
            .unwrap();
        [&shop["tagline"], &shop["telegram"], &json!(tag)].map(Value::clone)
    };
    wait_ten_minutes(&shop);
    assert_eq!(import(), ["Cheaper", "", ""]);
    let code = json!({"code": shop.app.code()});
    assert_eq!(post_as(people, owner, "/user/confirm", &code).status(), 200);
    assert_eq!(import(), ["Cheaper", "https://t.me/shop", "me-21"]);
}

#[test]
fn accounts_without_a_second_factor_are_asked_for_nothing() {
    let people = People::new();
    let owner = people.join_as_admin(OWNER);
    assert_eq!(add_key(&people, &owner, "one").status(), 201);
    let confirm = post_as(&people, &owner, "/user/confirm", &json!({"code": "123456"}));
    assert_eq!(refusal(confirm).0, 409);
    let renew = post_as(&people, &owner, "/user/totp/recovery-codes", &json!({}));
    assert_eq!(refusal(renew).0, 409);
}

#[test]
fn a_required_second_factor_closes_the_office_to_administrators_without_one() {
    let people = People::with(Shop::new(), &["--require-totp"]);
    let owner = people.join_as_admin(OWNER);
    let office = [
        "/report/overview",
        "/product/activity",
        "/product/export",
        "/keys",
        "/settings/sources",
    ];
    let open = |path: &str| by(&people, &owner, Method::GET, path).send().unwrap();
    for path in office {
        let body: Value = open(path).json().unwrap();
        assert_eq!(
            (&body["code"], &body["next"]),
            (&json!("second_factor_missing"), &json!("enrol")),
            "{path}"
        );
        assert!(
            body["error"].as_str().unwrap().contains("in your profile"),
            "{body}"
        );
    }
    assert_eq!(add_key(&people, &owner, "one").status(), 403);
    let added = post_as(&people, &owner, "/product/add-product", &json!({}));
    assert_eq!(added.status(), 403);
    assert_eq!(people.me(&owner.token), 200);
    let state: Value = open("/user/totp").json().unwrap();
    assert_eq!(state["required"], true);
    let check = |options: &[&str]| {
        let output = people
            .shop
            .command()
            .arg("check")
            .args(options)
            .output()
            .unwrap();
        let lines = text(&output.stdout);
        let line = lines
            .lines()
            .find(|line| line.contains("second factor"))
            .unwrap();
        line.to_owned()
    };
    let line = check(&["--require-totp"]);
    assert!(
        line.starts_with("note") && line.ends_with("owner"),
        "{line}"
    );
    assert!(check(&[]).starts_with("ok"));

    // Editors and visitors are not asked.
    let add = [
        "add",
        "editor@example.com",
        "--username",
        "editor",
        "--role",
        "editor",
        "--password-stdin",
    ];
    succeeds(people.shop.user(&add, PASSWORD));
    let editor = people.sign_in("editor@example.com");
    let overview = by(&people, &editor, Method::GET, "/report/overview")
        .send()
        .unwrap();
    assert_eq!(overview.status(), 200);

    super::enrol(&people, &owner);
    for path in office {
        assert_eq!(open(path).status(), 200, "{path}");
    }
    assert!(check(&["--require-totp"]).starts_with("ok"));
}
