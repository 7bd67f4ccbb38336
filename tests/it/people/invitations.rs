//! Invitations: somebody is invited, chooses a name and a password, and helps.

use reqwest::Method;
use reqwest::blocking::Response;
use serde_json::{Value, json};

use crate::support::harness::{Shop, product_with, succeeds, wait_until};
use crate::support::people::{PASSWORD, People, Someone, at_once, error, someone};

const HELPER: &str = "helper@example.com";

pub fn call(people: &People, who: &Someone, method: Method, path: &str, body: &Value) -> Response {
    let request = people
        .request(method, path)
        .header("cookie", &who.cookie)
        .json(body);
    request.send().unwrap()
}

fn invite(people: &People, owner: &Someone, email: &str, role: &str) -> Response {
    let body = json!({"email": email, "role": role, "username": "Asha"});
    call(people, owner, Method::POST, "/people/invite", &body)
}

fn secret_of(invited: Response, people: &People) -> String {
    assert_eq!(invited.status(), 201);
    let body: Value = invited.json().unwrap();
    let (page, secret) = body["link"].as_str().unwrap().split_once('#').unwrap();
    assert_eq!(page, people.server.url("/invite"));
    secret.to_owned()
}

fn accept(people: &People, secret: &str) -> Response {
    accept_as(people, secret, "Asha")
}

fn accept_as(people: &People, secret: &str, name: &str) -> Response {
    let form = json!({"secret": secret, "username": name, "password": PASSWORD});
    people.post("/user/accept-invitation", &form)
}

pub fn helper(people: &People, owner: &Someone, email: &str, role: &str) -> Someone {
    let secret = secret_of(invite(people, owner, email, role), people);
    let (name, _) = email.split_once('@').unwrap();
    let name = name[..1].to_uppercase() + &name[1..];
    someone(accept_as(people, &secret, &name))
}

pub fn listed(people: &People, owner: &Someone, query: &str) -> Vec<Value> {
    let path = format!("/people{query}");
    let answer = call(people, owner, Method::GET, &path, &json!({}));
    assert_eq!(answer.status(), 200);
    let body: Value = answer.json().unwrap();
    body["data"].as_array().unwrap().clone()
}

fn add_deal(people: &People, who: &Someone) -> u16 {
    let deal = product_with(1, json!({}));
    call(people, who, Method::POST, "/product/add-product", &deal)
        .status()
        .as_u16()
}

#[test]
fn an_invited_editor_chooses_a_password_and_adds_a_deal() {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    let invited = invite(&people, &owner, HELPER, "editor");
    let secret = secret_of(invited, &people);
    let mail = people.mailbox.next().data;
    let mail = mail.replace("=\r\n", "").replace("=\n", "");
    assert!(mail.contains(&format!("/invite#{secret}")), "{mail}");
    let file = std::fs::read(people.shop.db()).unwrap();
    assert!(!String::from_utf8_lossy(&file).contains(&secret));

    let open = listed(&people, &owner, "?search=HELPER");
    assert_eq!(open.len(), 1, "{open:?}");
    assert!(open[0]["invitedUntil"].is_string(), "{open:?}");
    let checked = people.post("/user/invitation", &json!({"secret": secret}));
    let checked: Value = checked.json().unwrap();
    assert_eq!(checked["email"], HELPER);
    assert_eq!(
        (&checked["username"], &checked["Role"]),
        (&json!("Asha"), &json!("editor"))
    );

    let weak = json!({"secret": secret, "username": "Asha", "password": "password"});
    assert_eq!(people.post("/user/accept-invitation", &weak).status(), 400);
    let helper = someone(accept(&people, &secret));
    assert_eq!(helper.user["Role"], "editor");
    assert_eq!(add_deal(&people, &helper), 201);
    people.sign_in(HELPER);

    let used = accept(&people, &secret);
    assert_eq!(used.status(), 404);
    assert!(error(used).contains("Ask the person who sent it"));
    let people_now = listed(&people, &owner, "");
    assert_eq!(people_now.len(), 2);
    assert_eq!(people_now[0]["sessions"], 2, "{people_now:?}");
    assert!(people_now[0]["lastSeenAt"].is_string(), "{people_now:?}");
    let log = people.shop.log();
    assert!(log.contains("person.helper@example.com"), "{log}");
    assert!(log.contains("invited as editor"), "{log}");
}

#[test]
fn expired_replaced_and_withdrawn_invitations_are_refused() {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    let check = |secret: &str| {
        people
            .post("/user/invitation", &json!({"secret": secret}))
            .status()
            .as_u16()
    };
    let first = secret_of(invite(&people, &owner, HELPER, "user"), &people);
    let second = secret_of(
        invite(&people, &owner, "Helper@example.com", "user"),
        &people,
    );
    assert_eq!((check(&first), check(&second)), (404, 200));
    let open = listed(&people, &owner, "?search=helper");
    let path = format!("/people/{}", open[0]["_id"].as_str().unwrap());
    let withdrawn = call(&people, &owner, Method::DELETE, &path, &json!({}));
    assert_eq!(withdrawn.status(), 200);
    assert_eq!(check(&second), 404);

    let third = secret_of(invite(&people, &owner, HELPER, "user"), &people);
    let expire = "UPDATE invitations SET expires_at = 1";
    people.shop.database().execute(expire, []).unwrap();
    assert_eq!(check(&third), 404);
    assert_eq!(accept(&people, &third).status(), 404);
    assert!(listed(&people, &owner, "?search=helper").is_empty());

    people.join_as_admin("second@example.com");
    let fourth = secret_of(invite(&people, &owner, HELPER, "admin"), &people);
    succeeds(
        people
            .shop
            .user(&["set-role", "owner@example.com", "editor"], ""),
    );
    assert_eq!(check(&fourth), 404);
}

#[test]
fn an_address_that_has_an_account_is_not_invited() {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    let refused = invite(&people, &owner, "OWNER@example.com", "editor");
    assert_eq!(refused.status(), 409);
    assert!(error(refused).contains("has an account already"));

    let secret = secret_of(invite(&people, &owner, HELPER, "editor"), &people);
    let add = ["add", HELPER, "--username", "helper", "--password-stdin"];
    succeeds(people.shop.user(&add, PASSWORD));
    assert_eq!(accept(&people, &secret).status(), 409);
    for (body, field) in [
        (json!({"email": "x", "role": "user"}), "email"),
        (json!({"email": "a@b.co", "role": "owner"}), "role"),
        (
            json!({"email": "a@b.co", "role": "user", "username": "x"}),
            "username",
        ),
    ] {
        let refused = call(&people, &owner, Method::POST, "/people/invite", &body);
        assert_eq!(refused.status(), 400, "{body}");
        let refused: Value = refused.json().unwrap();
        assert!(refused["fields"][field].is_string(), "{body}: {refused}");
    }
}

#[test]
fn concurrent_uses_of_an_invitation_create_one_account() {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    let secret = secret_of(invite(&people, &owner, HELPER, "user"), &people);
    // One password is hashed, and two of an address may wait.
    let mut statuses = at_once(3, |_| accept(&people, &secret).status().as_u16());
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 404, 404]);
}

#[test]
fn without_a_mail_server_the_link_is_shown_to_copy() {
    let shop = Shop::new();
    let server = shop.serve();
    succeeds(shop.user(
        &[
            "add",
            "owner@example.com",
            "--username",
            "owner",
            "--admin",
            "--password-stdin",
        ],
        PASSWORD,
    ));
    let post = |path: &str| server.client().post(server.url(path));
    let form = json!({"email": "owner@example.com", "password": PASSWORD});
    let signed_in: Value = post("/user/sign-in")
        .json(&form)
        .send()
        .unwrap()
        .json()
        .unwrap();
    let invite = post("/people/invite").bearer_auth(signed_in["token"].as_str().unwrap());
    let body = json!({"email": HELPER, "role": "editor"});
    let invited: Value = invite.json(&body).send().unwrap().json().unwrap();
    assert_eq!(invited["mailed"], false);
    let (_, secret) = invited["link"].as_str().unwrap().split_once('#').unwrap();
    let form = json!({"secret": secret, "username": "Asha", "password": PASSWORD});
    let accepted = post("/user/accept-invitation").json(&form).send().unwrap();
    assert_eq!(accepted.status(), 200);
}

#[test]
fn guesses_at_invitations_are_limited() {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    let secret = secret_of(invite(&people, &owner, HELPER, "user"), &people);
    let guess = |address: &str, path: &str, secret: &str| {
        let form = json!({"secret": secret, "username": "Asha", "password": PASSWORD});
        people.post_from(address, path, &form).status().as_u16()
    };
    for (one, path) in [
        ("10.0.0.1", "/user/invitation"),
        ("10.0.0.2", "/user/accept-invitation"),
    ] {
        let of_one: Vec<u16> = (0..12).map(|_| guess(one, path, "wrong")).collect();
        assert_eq!(of_one[..10], [404; 10], "{path}");
        assert!(of_one[10..].contains(&429), "{path}: {of_one:?}");
    }
    let of_many: Vec<u16> = (0..200)
        .map(|n| guess(&format!("10.1.0.{n}"), "/user/accept-invitation", "wrong"))
        .collect();
    assert!(of_many.contains(&429), "{of_many:?}");
    assert_eq!(guess("10.2.0.1", "/user/accept-invitation", &secret), 200);
}

#[test]
fn invitations_are_limited_in_all_and_for_each_administrator() {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    let fill = "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 100) \
        INSERT INTO invitations \
            (id, hash, email, email_key, username, role, user, created_at, expires_at) \
        SELECT 'i' || n, CAST('h' || n AS BLOB), n || '@b.co', n || '@b.co', '', 'user', 1, 1, 9000000000000 FROM n";
    people.shop.database().execute(fill, []).unwrap();
    let refused = invite(&people, &owner, HELPER, "user");
    assert_eq!(refused.status(), 400);
    let refused: Value = refused.json().unwrap();
    assert!(
        refused["fields"]["email"]
            .as_str()
            .unwrap()
            .contains("100 open invitations"),
        "{refused}"
    );
    let again = invite(&people, &owner, "1@b.co", "user");
    assert_eq!(again.status(), 201, "it replaces an open one");
    let statuses: Vec<u16> = (0..30)
        .map(|_| invite(&people, &owner, "1@b.co", "user").status().as_u16())
        .collect();
    assert_eq!(statuses[..28], [201; 28]);
    assert!(statuses.contains(&429), "{statuses:?}");
    let second = people.join_as_admin("second@example.com");
    assert_eq!(invite(&people, &second, "2@b.co", "user").status(), 201);
}

#[test]
fn expired_invitations_and_sessions_are_deleted_with_their_addresses() {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    secret_of(invite(&people, &owner, HELPER, "user"), &people);
    let ended = "UPDATE invitations SET expires_at = 1; \
        UPDATE sessions SET last_seen_at = last_seen_at - 3 * 3600000";
    people.shop.database().execute_batch(ended).unwrap();
    let user = helper(
        &people,
        &people.sign_in("owner@example.com"),
        "bea@b.co",
        "user",
    );
    let (_, people) = people.restart();
    let count = |sql: &str| -> i64 {
        let database = people.shop.database();
        database.query_row(sql, [], |row| row.get(0)).unwrap()
    };
    wait_until("they are not deleted", || {
        count("SELECT count(*) FROM invitations") + count("SELECT count(*) FROM sessions") == 2
    });
    let me = call(&people, &user, Method::GET, "/user/me", &json!({}));
    assert_eq!(me.status(), 200);
}

#[test]
fn a_restored_backup_has_no_open_invitation() {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    let form = json!({"email": "owner@example.com", "password": PASSWORD});
    let request = people.request(Method::POST, "/user/sign-in").json(&form);
    request.header("user-agent", "telltale/1.0").send().unwrap();
    let secret = secret_of(invite(&people, &owner, HELPER, "admin"), &people);
    succeeds(people.shop.run(&["backup", "copy.sqlite"]));
    let backup = std::fs::read(people.shop.file("copy.sqlite")).unwrap();
    assert!(!backup.windows(8).any(|bytes| bytes == b"telltale"));
    let People { shop, server, .. } = people;
    server.stop();
    succeeds(shop.run(&["restore", "copy.sqlite"]));
    let server = shop.serve();
    let request = server.client().post(server.url("/user/invitation"));
    let answer = request.json(&json!({"secret": secret})).send().unwrap();
    assert_eq!(answer.status(), 404);
}
