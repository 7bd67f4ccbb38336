//! Names of administrators and editors, by which the activity log tells them apart.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::harness::{fails, succeeds};
use crate::support::people::{PASSWORD, People, Someone};

fn by(people: &People, owner: &Someone, method: Method, path: &str, body: &Value) -> (u16, Value) {
    let request = people.request(method, path).bearer_auth(&owner.token);
    let answer = request.json(body).send().unwrap();
    (answer.status().as_u16(), answer.json().unwrap())
}

/// Accepts an invitation as an editor with this name.
fn accept(people: &People, owner: &Someone, email: &str, name: &str) -> (u16, Value) {
    let body = json!({"email": email, "role": "editor"});
    let (status, invited) = by(people, owner, Method::POST, "/people/invite", &body);
    assert_eq!(status, 201);
    let (_, secret) = invited["link"].as_str().unwrap().split_once('#').unwrap();
    let form = json!({"secret": secret, "username": name, "password": PASSWORD});
    let answer = people.post("/user/accept-invitation", &form);
    (answer.status().as_u16(), answer.json().unwrap())
}

#[test]
fn an_invited_editor_cannot_take_a_reserved_name() {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    for (number, name) in [
        "OWNER",
        "ow ner",
        "оwner",
        "own\u{200b}er",
        "The Server",
        "command line",
        "key: nightly",
        "ＫＥＹ： nightly",
    ]
    .iter()
    .enumerate()
    {
        let (status, body) = accept(&people, &owner, &format!("e{number}@example.com"), name);
        assert_eq!(status, 400, "{name:?}: {body}");
        let reason = body["fields"]["username"].as_str().unwrap();
        assert!(
            reason.contains("one") || reason.contains("name"),
            "{reason}"
        );
    }
    // The invitation is still open.
    assert_eq!(accept(&people, &owner, "e0@example.com", "Mira").0, 200);
}

#[test]
fn accounts_with_a_taken_name_cannot_become_staff() {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    let form =
        |email: &str, name: &str| json!({"username": name, "email": email, "password": PASSWORD});
    for (email, name) in [("a@example.com", "Owner"), ("b@example.com", "the server")] {
        assert_eq!(
            people.post("/user/register", &form(email, name)).status(),
            201
        );
        let code = people.mailbox.next().code();
        let code = json!({"email": email, "code": code});
        assert_eq!(people.post("/user/verify-code", &code).status(), 200);
        let someone = people.sign_in(email);
        assert_eq!(someone.user["username"], name);
        for role in ["editor", "admin"] {
            let path = format!("/people/{}", someone.user["_id"].as_str().unwrap());
            let (status, body) = by(&people, &owner, Method::PUT, &path, &json!({"role": role}));
            assert_eq!(status, 400, "{body}");
            let said = fails(people.shop.user(&["set-role", email, role], ""));
            assert!(said.contains(&format!("{name:?}")), "{said}");
        }
        assert_eq!(people.me(&someone.token), 200, "nothing changed");
    }
    let add = |role: &str| {
        let email = format!("{role}@example.com");
        let options = [
            "add",
            &email,
            "--username",
            "0wner",
            "--role",
            role,
            "--password-stdin",
        ];
        people.shop.user(&options, PASSWORD)
    };
    let said = fails(add("editor"));
    assert!(said.contains("looks like \"owner\""), "{said}");
    succeeds(add("user"));
    // A role between those of the office needs no other name.
    succeeds(people.shop.user(
        &[
            "add",
            "c@example.com",
            "--username",
            "Mira",
            "--role",
            "editor",
            "--password-stdin",
        ],
        PASSWORD,
    ));
    succeeds(
        people
            .shop
            .user(&["set-role", "c@example.com", "admin"], ""),
    );
}
