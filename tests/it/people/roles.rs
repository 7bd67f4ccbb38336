//! Roles, sessions and removal of people.

use reqwest::Method;
use serde_json::{Value, json};

use super::invitations::{call, helper, listed};
use super::keys::key_of;
use crate::support::harness::{product_with, succeeds, wait_until};
use crate::support::people::{PASSWORD, People, Someone, at_once, error};

fn path_of(who: &Someone) -> String {
    format!("/people/{}", who.user["_id"].as_str().unwrap())
}

fn status(people: &People, who: &Someone, method: Method, path: &str, body: &Value) -> u16 {
    call(people, who, method, path, body).status().as_u16()
}

#[test]
fn a_demoted_helper_loses_the_office_at_once() {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    let asha = helper(&people, &owner, "asha@example.com", "editor");
    let office = |who: &Someone| status(&people, who, Method::GET, "/product/activity", &json!({}));
    assert_eq!(office(&asha), 200);
    let demote = json!({"role": "user"});
    assert_eq!(
        status(&people, &owner, Method::PUT, &path_of(&asha), &demote),
        200
    );
    assert_eq!(office(&asha), 401);
    assert_eq!(office(&people.sign_in("asha@example.com")), 403);
    assert_eq!(
        status(&people, &owner, Method::DELETE, &path_of(&asha), &json!({})),
        200
    );
    assert_eq!(
        status(&people, &owner, Method::DELETE, &path_of(&asha), &json!({})),
        404
    );
    assert_eq!(listed(&people, &owner, "").len(), 1);
}

#[test]
fn the_last_administrator_cannot_be_removed() {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    let demote = json!({"role": "editor"});
    let refused = call(&people, &owner, Method::PUT, &path_of(&owner), &demote);
    assert_eq!(refused.status(), 409);
    assert!(error(refused).contains("Make somebody else an administrator first"));
    assert_eq!(
        status(
            &people,
            &owner,
            Method::DELETE,
            &path_of(&owner),
            &json!({})
        ),
        409
    );
    let own = json!({"password": PASSWORD});
    assert_eq!(
        status(&people, &owner, Method::DELETE, "/user/me", &own),
        409
    );

    for round in 0..6 {
        let email = format!("admin{round}@example.com");
        let first = people.join_as_admin(&email);
        let admins = people.shop.database();
        admins
            .execute("UPDATE users SET role = 'user' WHERE email <> ?", [&email])
            .unwrap();
        let second = helper(
            &people,
            &first,
            &format!("other{round}@example.com"),
            "admin",
        );
        let pair = [(&first, &second), (&second, &first)];
        let statuses = at_once(2, |n| {
            let (who, whom) = pair[n];
            let path = path_of(whom);
            match round % 2 {
                0 => status(&people, who, Method::DELETE, &path, &json!({})),
                _ => status(&people, who, Method::PUT, &path, &demote),
            }
        });
        let left: i64 = admins
            .query_row(
                "SELECT count(*) FROM users WHERE role = 'admin'",
                [],
                |row| row.get(0),
            )
            .unwrap();
        assert_eq!(left, 1, "{statuses:?}");
        assert_eq!(
            statuses.iter().filter(|status| **status == 200).count(),
            1,
            "{statuses:?}"
        );
    }
}

#[test]
fn an_administrator_ends_the_sessions_of_an_account() {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    let asha = helper(&people, &owner, "asha@example.com", "user");
    assert_eq!(people.me(&asha.token), 200);
    let change = |body: Value| status(&people, &owner, Method::PUT, &path_of(&asha), &body);
    assert_eq!(change(json!({"signOut": true})), 200);
    assert_eq!(people.me(&asha.token), 401);

    let wrong = json!({"email": "asha@example.com", "password": "wrong-password"});
    let delayed = || listed(&people, &owner, "?search=asha")[0]["delayed"].clone();
    let mut tries = 0..250;
    // The first delays last a second or a few: on a busy machine one may end before it is seen.
    wait_until("no guess delays the account", || {
        let from = format!("10.0.0.{}", tries.next().unwrap());
        people.post_from(&from, "/user/sign-in", &wrong);
        delayed() == true
    });
    assert_eq!(change(json!({"unlock": true})), 200);
    assert_eq!(delayed(), false);
    assert_eq!(change(json!({"role": "king"})), 400);
}

#[test]
fn a_user_lists_and_ends_own_sessions() {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    let asha = helper(&people, &owner, "asha@example.com", "user");
    let phone = "Mozilla/5.0 (Linux; Android 14) Chrome/126.0.0.0 Mobile Safari/537.36";
    let form = json!({"email": "asha@example.com", "password": PASSWORD});
    let request = people.request(Method::POST, "/user/sign-in").json(&form);
    request.header("user-agent", phone).send().unwrap();

    let sessions = |who: &Someone| -> Vec<Value> {
        let answer = call(&people, who, Method::GET, "/user/sessions", &json!({}));
        let body: Value = answer.json().unwrap();
        body["data"].as_array().unwrap().clone()
    };
    let found = sessions(&asha);
    assert_eq!(found.len(), 2, "{found:?}");
    let other = found.iter().find(|one| one["current"] == false).unwrap();
    assert_eq!(other["device"], "Chrome on Android");
    assert_eq!(other["address"], "127.0.0.1");
    let path = format!("/user/sessions/{}", other["id"].as_str().unwrap());
    assert_eq!(
        status(&people, &owner, Method::DELETE, &path, &json!({})),
        404
    );
    assert_eq!(
        status(&people, &asha, Method::DELETE, &path, &json!({})),
        200
    );
    assert_eq!(sessions(&asha).len(), 1);

    let delete = |password: &str| {
        let body = json!({"password": password});
        status(&people, &asha, Method::DELETE, "/user/me", &body)
    };
    assert_eq!(delete("wrong-password"), 401);
    assert_eq!(delete(PASSWORD), 200);
    assert_eq!(people.me(&asha.token), 401);
    assert_eq!(listed(&people, &owner, "").len(), 1);
}

fn activity(people: &People, who: &Someone) -> Vec<Value> {
    let answer = call(people, who, Method::GET, "/product/activity", &json!({}));
    let body: Value = answer.json().unwrap();
    let lines = body["data"].as_array().unwrap();
    assert_eq!(body["meta"]["total"], lines.len());
    lines.clone()
}

#[test]
fn account_changes_are_in_the_activity_log_for_administrators() {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    let asha = helper(&people, &owner, "asha@example.com", "user");
    let editor = helper(&people, &owner, "editor@example.com", "editor");
    let put = |body: Value| {
        assert_eq!(
            status(&people, &owner, Method::PUT, &path_of(&asha), &body),
            200
        );
    };
    put(json!({"role": "editor"}));
    put(json!({"signOut": true}));
    put(json!({"unlock": true}));
    put(json!({"role": "editor"}));
    succeeds(
        people
            .shop
            .user(&["set-role", "asha@example.com", "user"], ""),
    );
    succeeds(people.shop.user(
        &["set-password", "asha@example.com", "--password-stdin"],
        PASSWORD,
    ));
    let path = path_of(&asha);
    assert_eq!(
        status(&people, &owner, Method::DELETE, &path, &json!({})),
        200
    );

    let of_asha = |line: &Value| {
        let change = line["details"]["person.asha@example.com"].clone();
        let text = |part: &Value| part.as_str().unwrap().to_owned();
        change.is_object().then(|| {
            format!(
                "{}: {} > {}",
                text(&line["actor"]),
                text(&change["from"]),
                text(&change["to"])
            )
        })
    };
    let mut lines: Vec<String> = activity(&people, &owner)
        .iter()
        .filter_map(of_asha)
        .collect();
    lines.reverse();
    assert_eq!(
        lines,
        [
            "owner:  > invited as user",
            "Asha: invited > user",
            "owner: user > editor",
            "owner:  > signed out",
            "owner:  > unlocked",
            "command line: editor > user",
            "command line:  > given a new password",
            "owner: user > ",
        ]
    );
    assert_eq!(activity(&people, &editor), Vec::<Value>::new());
}

#[test]
fn the_activity_log_distinguishes_accounts_with_the_same_name() {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    let demote = |who: &Someone| {
        let user = json!({"role": "user"});
        status(&people, &owner, Method::PUT, &path_of(who), &user)
    };
    let add = |who: &Someone| {
        let deal = product_with(1, json!({}));
        status(&people, who, Method::POST, "/product/add-product", &deal)
    };
    let first = helper(&people, &owner, "asha@example.com", "editor");
    assert_eq!(add(&first), 201);
    assert_eq!(demote(&first), 200);
    let set_name = ["add", "other@example.com", "--username", "Asha"];
    let options = ["--role", "editor", "--password-stdin"];
    succeeds(
        people
            .shop
            .user(&[&set_name[..], &options].concat(), PASSWORD),
    );
    let second = people.sign_in("other@example.com");
    assert_eq!(add(&second), 201);
    succeeds(
        people
            .shop
            .import(&json!([product_with(2, json!({}))]).to_string(), &[]),
    );

    let lines = activity(&people, &owner);
    let added: Vec<_> = lines
        .iter()
        .filter(|line| line["action"] != "set")
        .map(|line| (&line["actor"], &line["account"]))
        .collect();
    let (asha, command) = (json!("Asha"), json!("command line"));
    assert_eq!(
        added,
        [
            (&command, &Value::Null),
            (&asha, &second.user["_id"]),
            (&asha, &first.user["_id"]),
        ]
    );
}

#[test]
fn the_activity_log_has_no_address_of_a_deleted_account() {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    let asha = people.join("asha@example.com");
    let own = json!({"password": PASSWORD});
    assert_eq!(
        status(&people, &asha, Method::DELETE, "/user/me", &own),
        200
    );
    let line = &activity(&people, &owner)[0];
    assert_eq!(line["actor"], "asha");
    assert_eq!(
        line["details"],
        json!({"person.asha": {"from": "user", "to": ""}})
    );
}

#[test]
fn api_keys_of_an_administrator_end_with_the_role() {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    let second = helper(&people, &owner, "second@example.com", "admin");
    let key = key_of(&people, &second, "nightly", &["products:read"]);
    let read = || {
        let request = people.request(Method::GET, "/product/states");
        request.bearer_auth(&key).send().unwrap().status().as_u16()
    };
    assert_eq!(read(), 200);
    let demote = json!({"role": "editor"});
    assert_eq!(
        status(&people, &owner, Method::PUT, &path_of(&second), &demote),
        200
    );
    assert_eq!(read(), 401);
}
