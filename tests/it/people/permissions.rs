//! Permissions: each call of the API's description, by each role and each scope.

use std::collections::BTreeMap;

use reqwest::Method;
use serde_json::{Value, json};

use super::keys::key_of;
use crate::support::harness::{Shop, product_with};
use crate::support::people::{PASSWORD, People, Someone};

/// Role or scope that a call needs.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Needs {
    /// An editor, or a key with the scope.
    Editor(&'static str),
    /// An editor, and no key.
    Office,
    Admin,
    /// An account of any role.
    Account,
    Nothing,
}

use Needs::{Account, Admin, Editor, Nothing, Office};

const CALLS: &[(&str, Needs)] = &[
    ("list_activity", Office),
    ("add_product", Editor("products:write")),
    ("change_many", Editor("products:write")),
    ("suggest_category", Editor("products:read")),
    ("list_collections", Nothing),
    ("add_collection", Admin),
    ("remove_collection", Admin),
    ("get_collection", Nothing),
    ("change_collection", Admin),
    ("save_picture_copy", Editor("products:write")),
    ("get_message", Editor("products:read")),
    ("get_shelf", Nothing),
    ("list_tags", Editor("products:read")),
    ("preview_front_page", Admin),
    ("list_seller_offers", Admin),
    ("add_seller_offer", Admin),
    ("remove_seller_offer", Admin),
    ("change_seller_offer", Admin),
    ("read_link", Editor("products:write")),
    ("resolve_link", Editor("products:write")),
    ("list_link_duplicates", Editor("products:read")),
    ("set_tag", Admin),
    ("rename_seller", Admin),
    ("find_product_by_link", Editor("products:read")),
    ("put_product_by_link", Editor("products:write")),
    ("delete_product", Editor("products:write")),
    ("add_demo_products", Editor("import")),
    ("export_products", Editor("products:read")),
    ("list_mappings", Editor("import")),
    ("get_mapping", Editor("import")),
    ("save_mapping", Editor("import")),
    ("delete_mapping", Editor("import")),
    ("preview_import", Editor("import")),
    ("get_refused_rows", Editor("import")),
    ("import_products", Editor("import")),
    ("count_pictures", Editor("products:read")),
    ("add_picture", Editor("products:write")),
    ("forget_failed_picture", Editor("products:write")),
    ("count_states", Editor("products:read")),
    ("strike_price", Editor("products:write")),
    ("undo_change", Editor("products:write")),
    ("update_product", Editor("products:write")),
    ("get_queue", Editor("products:read")),
    ("change_queue", Editor("products:write")),
    ("add_to_queue", Editor("products:write")),
    ("remove_from_queue", Editor("products:write")),
    ("report_clicks", Editor("reports:read")),
    ("list_left_out_clicks", Editor("reports:read")),
    ("list_needs", Editor("reports:read")),
    ("get_overview", Editor("reports:read")),
    ("list_products_in_need", Editor("reports:read")),
    ("list_tasks", Editor("reports:read")),
    ("list_duplicates", Editor("reports:read")),
    ("check_price_change", Editor("products:write")),
    ("record_price_check", Editor("products:write")),
    ("report_over", Nothing),
    ("get_removed_product", Nothing),
    ("get_trends", Editor("reports:read")),
    ("count_this_device", Office),
    ("send_test_mail", Admin),
    ("change_settings", Admin),
    ("list_sources", Admin),
    ("list_keys", Admin),
    ("add_key", Admin),
    ("revoke_key", Admin),
    ("list_people", Admin),
    ("invite_person", Admin),
    ("change_person", Admin),
    ("remove_person", Admin),
    ("list_sessions", Account),
    ("end_session", Account),
    ("delete_account", Account),
    ("add_category", Admin),
    ("change_category", Admin),
    ("remove_category", Admin),
    ("list_outgoing", Admin),
    ("resend_outgoing", Admin),
    ("delete_outgoing", Admin),
    ("list_webhooks", Admin),
    ("list_channels", Editor("products:write")),
    ("list_posts", Editor("products:write")),
    ("post_deals", Editor("products:write")),
    ("preview_post", Editor("products:read")),
    ("add_channel", Admin),
    ("change_channel", Admin),
    ("remove_channel", Admin),
    ("check_channel", Admin),
    ("get_subscribers", Office),
    ("export_subscribers", Admin),
    ("get_own_subscription", Nothing),
    ("get_push_key", Nothing),
    ("set_alerts", Nothing),
    ("end_alerts", Nothing),
    ("get_mail_settings", Admin),
    ("change_mail_settings", Admin),
    ("get_backup_settings", Admin),
    ("change_backup_settings", Admin),
    ("check_address", Admin),
    ("check_backup_place", Admin),
    ("list_backups", Admin),
    ("add_backup", Admin),
    ("add_database_copy", Admin),
    ("get_database_copy", Admin),
    ("add_webhook", Admin),
    ("change_webhook", Admin),
    ("remove_webhook", Admin),
    ("send_webhook_test", Admin),
    ("change_password", Account),
    ("sign_out_everywhere", Account),
    ("get_account", Account),
    ("get_products", Nothing),
    ("count_choices", Nothing),
    ("get_product", Nothing),
    ("list_related_products", Nothing),
    ("list_changes", Nothing),
    ("get_home", Nothing),
    ("get_picture", Nothing),
    ("list_categories", Nothing),
    ("record_click", Nothing),
    ("report_failed_picture", Nothing),
    ("get_price_history", Nothing),
    ("get_settings", Nothing),
    ("get_draft", Nothing),
    ("get_page", Nothing),
    ("get_palette", Nothing),
    ("sign_out", Nothing),
    ("register", Nothing),
    ("resend_code", Nothing),
    ("reset_password", Nothing),
    ("ask_for_reset_code", Nothing),
    ("get_account_of_token", Nothing),
    ("add_first_administrator", Nothing),
    ("check_setup_link", Nothing),
    ("check_invitation", Nothing),
    ("accept_invitation", Nothing),
    ("sign_in", Nothing),
    ("sign_in_with_code", Nothing),
    ("get_second_factor", Account),
    ("add_second_factor", Account),
    ("verify_second_factor", Account),
    ("put_recovery_codes", Account),
    ("remove_second_factor", Account),
    ("verify_session", Account),
    ("verify_code", Nothing),
    ("check_health", Nothing),
    ("check_readiness", Nothing),
];

/// A call of the description.
pub struct Call {
    pub method: Method,
    pub path: String,
    /// Scope of a key, as described.
    scope: Option<String>,
    pub is_for_accounts: bool,
}

pub fn described(people: &People) -> BTreeMap<String, Call> {
    let document = people.server.json("/openapi.json");
    let mut calls = BTreeMap::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let security = operation["security"]
                .as_array()
                .cloned()
                .unwrap_or_default();
            let scope = security.iter().find_map(|one| one["key"][0].as_str());
            let call = Call {
                method: method.to_uppercase().parse().unwrap(),
                path: path.split('/').map(value_of).collect::<Vec<_>>().join("/"),
                scope: scope.map(str::to_owned),
                is_for_accounts: security.iter().any(|one| one.get("token").is_some()),
            };
            calls.insert(operation["operationId"].as_str().unwrap().to_owned(), call);
        }
    }
    calls
}

/// Replaces a parameter by a value that nothing has.
fn value_of(part: &str) -> &str {
    if part.starts_with('{') {
        "nothing"
    } else {
        part
    }
}

fn ask(people: &People, call: &Call, token: Option<&str>) -> u16 {
    let mut request = people.request(call.method.clone(), &call.path);
    if let Some(token) = token {
        request = request.bearer_auth(token);
    }
    if call.method != Method::GET {
        // A body that each call can read: an unreadable one may be refused first.
        request = request.json(&json!({"fields": {}}));
    }
    request.send().unwrap().status().as_u16()
}

fn staff(people: &People, role: &str) -> Someone {
    let email = format!("{role}@example.com");
    let add = [
        "add",
        &email,
        "--username",
        role,
        "--role",
        role,
        "--password-stdin",
    ];
    let output = people.shop.user(&add, PASSWORD);
    assert!(output.status.success());
    people.sign_in(&email)
}

#[test]
fn each_call_allows_the_roles_and_scopes_of_the_table() {
    let products = [product_with(1, json!({"_id": "one"}))];
    let people = People::with(Shop::with(&products), &[]);
    let calls = described(&people);
    let known: Vec<&str> = CALLS.iter().map(|(name, _)| *name).collect();
    for name in calls.keys() {
        assert!(known.contains(&name.as_str()), "{name} is not in the table");
    }
    for (name, needs) in CALLS {
        let call = calls
            .get(*name)
            .unwrap_or_else(|| panic!("{name} is not described"));
        let scope = match needs {
            Editor(scope) => Some(*scope),
            _ => None,
        };
        if *needs != Nothing {
            assert!(call.is_for_accounts, "{name}");
            assert_eq!(call.scope.as_deref(), scope, "{name}");
        }
    }

    let owner = people.join_as_admin("owner@example.com");
    let admin = staff(&people, "admin");
    let editor = staff(&people, "editor");
    let user = staff(&people, "user");
    let scopes = ["products:read", "products:write", "import", "reports:read"];
    let keys = scopes.map(|scope| (scope, key_of(&people, &owner, scope, &[scope])));
    let is_refused = |status: u16| status == 401 || status == 403;
    for (name, needs) in CALLS {
        let call = &calls[*name];
        // It would end the sessions that follow.
        if *name == "sign_out_everywhere" || *name == "sign_out" {
            continue;
        }
        if *needs != Nothing {
            assert_eq!(ask(&people, call, None), 401, "{name}, nobody");
        }
        for (role, someone) in [("admin", &admin), ("editor", &editor), ("user", &user)] {
            let status = ask(&people, call, Some(&someone.token));
            let may = match needs {
                Editor(_) | Office => role != "user",
                Admin => role == "admin",
                Account | Nothing => true,
            };
            if *name != "get_account_of_token" && *name != "sign_in" {
                let expected = if may {
                    is_refused(status)
                } else {
                    status != 403
                };
                assert!(!expected, "{name}, {role}: {status}");
            }
        }
        for (scope, key) in &keys {
            let may = matches!(needs, Editor(needed) if needed == scope);
            if *needs == Nothing {
                continue;
            }
            let status = slowly(|| ask(&people, call, Some(key)));
            assert_eq!(is_refused(status), !may, "{name}, {scope}: {status}");
        }
    }
}

/// Repeats a request that is above the limit of a key, until it is answered.
fn slowly(ask: impl Fn() -> u16) -> u16 {
    let began = std::time::Instant::now();
    loop {
        match ask() {
            429 if began.elapsed().as_secs() < 60 => std::thread::yield_now(),
            status => return status,
        }
    }
}

#[test]
fn hidden_products_are_for_editors_and_keys_that_read_products() {
    let products = [
        product_with(1, json!({"_id": "draft", "status": "draft"})),
        product_with(2, json!({"_id": "live"})),
    ];
    let people = People::with(Shop::with(&products), &[]);
    let owner = people.join_as_admin("owner@example.com");
    let (editor, user) = (staff(&people, "editor"), staff(&people, "user"));
    let reads = key_of(&people, &owner, "reads", &["products:read"]);
    let writes = key_of(&people, &owner, "writes", &["products:write"]);
    for (token, may) in [
        (&editor.token, true),
        (&reads, true),
        (&user.token, false),
        (&writes, false),
    ] {
        let status = |path: &str| {
            let request = people.request(Method::GET, path).bearer_auth(token);
            request.send().unwrap().status().as_u16()
        };
        let expected = if may {
            [200, 200, 200]
        } else {
            [404, 403, 403]
        };
        let found = [
            status("/product/product/draft"),
            status("/product/get-products?state=draft"),
            status("/product/facets?state=draft"),
        ];
        assert_eq!(found, expected, "{token}");
        assert_eq!(status("/product/product/live"), 200);
    }
}

#[test]
fn the_activity_log_names_the_editor_who_added_a_deal() {
    let people = People::new();
    people.join_as_admin("owner@example.com");
    let editor = staff(&people, "editor");
    assert_eq!(editor.user["Role"], "editor");
    let add = |token: &str| {
        let request = people.request(Method::POST, "/product/add-product");
        let request = request.bearer_auth(token).json(&product_with(1, json!({})));
        request.send().unwrap().status().as_u16()
    };
    assert_eq!(add(&editor.token), 201);
    let log: Value = people
        .request(Method::GET, "/product/activity")
        .bearer_auth(&editor.token)
        .send()
        .unwrap()
        .json()
        .unwrap();
    assert_eq!(log["data"][0]["actor"], "editor");

    let set = ["set-role", "editor@example.com", "user"];
    assert!(people.shop.user(&set, "").status.success());
    assert_eq!(add(&editor.token), 401, "the session has ended");
    assert_eq!(add(&people.sign_in("editor@example.com").token), 403);
}
