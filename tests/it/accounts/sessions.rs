//! Cookies, tokens and roles; numbers refer to OWASP ASVS 5.0.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::harness::{Shop, product, product_with, text};
use crate::support::people::{PASSWORD, People, Someone};

fn base64url(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let number = chunk
            .iter()
            .chain(&[0, 0])
            .take(3)
            .fold(0_usize, |number, byte| number << 8 | usize::from(*byte));
        for place in 0..=chunk.len() {
            text.push(DIGITS[number >> (18 - 6 * place) & 63].into());
        }
    }
    text
}

fn claims_of(token: &str) -> Value {
    let part = token.split('.').nth(1).unwrap();
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let bits: String = part
        .chars()
        .map(|c| format!("{:06b}", alphabet.find(c).unwrap()))
        .collect();
    let bytes: Vec<u8> = bits
        .as_bytes()
        .chunks_exact(8)
        .map(|bits| u8::from_str_radix(std::str::from_utf8(bits).unwrap(), 2).unwrap())
        .collect();
    serde_json::from_slice(&bytes).unwrap()
}

/// 3.3.1 to 3.3.4
#[test]
fn the_session_cookie_is_http_only_and_same_site() {
    let shop = Shop::new();
    let people = People::with(shop, &["--public-url", "https://deals.example.com"]);
    people.join_as_admin("owner@example.com");
    let credentials = json!({"email": "owner@example.com", "password": PASSWORD});
    let response = people.post("/user/sign-in", &credentials);
    let cookie = response.headers()["set-cookie"]
        .to_str()
        .unwrap()
        .to_owned();
    for part in [
        "__Host-session=",
        "; HttpOnly",
        "; Secure",
        "; SameSite=Strict",
        "; Path=/",
    ] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!cookie.contains("Domain"));
    let value = cookie.split(['=', ';']).nth(1).unwrap().to_owned();
    assert_eq!(value.len(), 64, "256 random bits");
    let body = response.text().unwrap();
    assert!(!body.contains(&value));
    // Stored only as a hash.
    let stored = std::fs::read(people.shop.db()).unwrap();
    assert!(!stored.windows(64).any(|window| window == value.as_bytes()));
}

#[test]
fn the_session_cookie_works_over_http_on_localhost() {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    assert!(owner.cookie.starts_with("session-"), "{}", owner.cookie);
    let shop = Shop::new();
    let server = shop.serve_with(&["--public-url", "http://deals.example.com"]);
    server.wait_for_line("nobody can sign in over plain http");
}

/// decisions section 6: two secrets, two audiences.
#[test]
fn the_token_of_a_browser_session_is_no_bearer_token() {
    let people = People::with(Shop::with(&[product_with(1, json!({"_id": "one"}))]), &[]);
    people.join_as_admin("owner@example.com");
    let browser = people.sign_in_by_browser("owner@example.com");
    let program = people.sign_in("owner@example.com");
    assert_eq!(claims_of(&browser.token)["aud"], "me");
    assert_eq!(claims_of(&program.token)["aud"], "api");
    let delete = |token: &str| {
        let request = people.request(Method::DELETE, "/product/delete-product/one");
        request.bearer_auth(token).send().unwrap().status().as_u16()
    };
    assert_eq!(people.me(&browser.token), 200);
    assert_eq!(people.me(&program.token), 200);
    assert_eq!(delete(&browser.token), 401);
    // A scheme for a proxy in front does not hide the cookie.
    let behind_proxy = people
        .request(Method::POST, "/user/change-password")
        .header("authorization", "Basic b3duZXI6c2VjcmV0")
        .header("cookie", &browser.cookie)
        .json(&json!({}));
    assert_eq!(behind_proxy.send().unwrap().status(), 400);
    assert_eq!(delete(&program.token), 200);
}

/// 9.1.1 to 9.1.3, 9.2.1 to 9.2.3
#[test]
fn forged_tokens_are_refused() {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    let claims = claims_of(&owner.token);
    assert_eq!(people.me(&owner.token), 200);
    let payload = |claims: &Value| base64url(claims.to_string().as_bytes());
    let signature = owner.token.rsplit('.').next().unwrap();
    let header = owner.token.split('.').next().unwrap();
    for algorithm in ["none", "None", "HS512", "RS256", "ES256"] {
        let head = base64url(
            json!({"alg": algorithm, "typ": "JWT"})
                .to_string()
                .as_bytes(),
        );
        for end in ["", signature] {
            let forged = format!("{head}.{}.{end}", payload(&claims));
            assert_eq!(people.me(&forged), 401, "{algorithm}");
        }
    }
    let mut other = claims.clone();
    other["sub"] = "somebody-else".into();
    assert_eq!(
        people.me(&format!("{header}.{}.{signature}", payload(&other))),
        401
    );
    for junk in ["", "a", "a.b.c", "%00", &"a".repeat(5_000)] {
        let status = people.me(junk);
        assert!(status == 401 || status == 404, "{junk:.20}: {status}");
    }
}

/// The right key with a wrong or missing claim.
#[test]
fn tokens_with_missing_or_expired_claims_are_refused() {
    let secret = "a secret of the shop that has more than 32 bytes";
    let shop = Shop::new();
    let mut command = shop.serve_command(&[]);
    command.env("DEALS_SECRET", secret);
    let server = crate::support::harness::Server::start(command);
    let mut add = shop.command();
    add.args([
        "user",
        "add",
        "owner@example.com",
        "--username",
        "owner",
        "--admin",
    ])
    .arg("--password-stdin")
    .env("DEALS_SECRET", secret)
    .stdin(std::process::Stdio::piped());
    let mut child = add.spawn().unwrap();
    use std::io::Write as _;
    writeln!(child.stdin.take().unwrap(), "{PASSWORD}").unwrap();
    assert!(child.wait().unwrap().success());
    let credentials = json!({"email": "owner@example.com", "password": PASSWORD});
    let response = server.client().post(server.url("/user/sign-in"));
    let body: Value = response.json(&credentials).send().unwrap().json().unwrap();
    let token = body["token"].as_str().unwrap();
    let claims = claims_of(token);
    let status = |claims: &Value| {
        let token = sign(secret, claims);
        server.get(&format!("/user/me/{token}")).status().as_u16()
    };
    assert_eq!(status(&claims), 200, "the test signs as the shop does");
    for missing in ["iss", "aud", "sub", "sid", "exp"] {
        let mut less = claims.clone();
        less.as_object_mut().unwrap().remove(missing);
        assert_eq!(status(&less), 401, "without {missing}");
    }
    for (claim, value) in [
        ("exp", json!(claims["iat"].as_i64().unwrap() - 1)),
        ("exp", json!("never")),
        ("aud", json!("admin")),
        ("iss", json!("https://evil.example")),
        ("sub", json!("somebody-else")),
        ("sid", json!("another")),
    ] {
        let mut wrong = claims.clone();
        wrong[claim] = value.clone();
        assert_eq!(status(&wrong), 401, "{claim} = {value}");
    }
}

/// Signs like the shop, whose key for tokens is an HMAC of the secret.
fn sign(secret: &str, claims: &Value) -> String {
    use hmac::{Hmac, KeyInit, Mac};
    let mac = |key: &[u8], message: &[u8]| {
        let mac = Hmac::<sha2::Sha256>::new_from_slice(key).unwrap();
        mac.chain_update(message).finalize().into_bytes().to_vec()
    };
    let purpose = b"token";
    let mut message = (purpose.len() as u64).to_be_bytes().to_vec();
    message.extend(purpose);
    let key = mac(secret.as_bytes(), &message);
    let header = base64url(json!({"alg": "HS256", "typ": "JWT"}).to_string().as_bytes());
    let signed = format!("{header}.{}", base64url(claims.to_string().as_bytes()));
    format!("{signed}.{}", base64url(&mac(&key, signed.as_bytes())))
}

/// 7.1.1, 7.3.1, 7.3.2
#[test]
fn sessions_expire_when_idle_and_at_their_maximum_age() {
    const HOUR: i64 = 3_600_000;
    let people = People::new();
    let database = people.shop.database();
    let shift = |column: &str, hours: i64| {
        let sql = format!("UPDATE sessions SET {column} = {column} - ?");
        database.execute(&sql, [hours * HOUR]).unwrap();
    };
    people.join("asha@example.com");
    people.join_as_admin("owner@example.com");
    for (email, idle, absolute) in [
        ("asha@example.com", 7 * 24, 30 * 24),
        ("owner@example.com", 2, 24),
    ] {
        let someone = people.sign_in(email);
        shift("last_seen_at", idle - 1);
        assert_eq!(
            people.me(&someone.token),
            200,
            "{email}: not idle for long enough"
        );
        let someone = people.sign_in(email);
        shift("last_seen_at", idle);
        assert_eq!(people.me(&someone.token), 401, "{email}: idle");
        let someone = people.sign_in(email);
        shift("created_at", absolute);
        assert_eq!(people.me(&someone.token), 401, "{email}: old");
        // Expired sessions stay deleted when the clock goes back.
        shift("created_at", -absolute);
        shift("last_seen_at", -idle);
        assert_eq!(people.me(&someone.token), 401, "{email}: revived");
    }
}

/// 8.2.1 to 8.2.3, 8.3.1
#[test]
fn only_administrators_write_products() {
    let people = People::with(Shop::with(&[product_with(1, json!({"_id": "one"}))]), &[]);
    let asha = people.join("asha@example.com");
    let owner = people.join_as_admin("owner@example.com");
    let send = |who: Option<&Someone>, method: Method, path: &str, body: Value| {
        let mut request = people.request(method, path).json(&body);
        if let Some(someone) = who {
            request = request.header("cookie", &someone.cookie);
        }
        request.send().unwrap().status().as_u16()
    };
    let writes = [
        (Method::POST, "/product/add-product", product(2), 201),
        (Method::PUT, "/product/update-product/one", product(1), 200),
        (
            Method::DELETE,
            "/product/delete-product/one",
            json!({}),
            200,
        ),
    ];
    for (method, path, body, allowed) in writes {
        assert_eq!(
            send(None, method.clone(), path, body.clone()),
            401,
            "{path}"
        );
        assert_eq!(
            send(Some(&asha), method.clone(), path, body.clone()),
            403,
            "{path}"
        );
        // Roles are checked before the body.
        assert_eq!(send(None, method.clone(), path, json!("?")), 401, "{path}");
        assert_eq!(send(Some(&owner), method, path, body), allowed, "{path}");
    }
    assert_eq!(people.server.titles(""), ["Product 2"]);
}

/// 15.3.3
#[test]
fn forms_cannot_set_protected_fields() {
    let people = People::with(Shop::with(&[product_with(1, json!({"_id": "one"}))]), &[]);
    let form = json!({
        "username": "asha", "email": "asha@example.com", "password": PASSWORD,
        "Role": "admin", "role": "admin", "_id": "x", "verified": true,
    });
    assert_eq!(people.post("/user/register", &form).status(), 201);
    let code = people.mailbox.next().code();
    let body = json!({"email": "asha@example.com", "code": code, "Role": "admin"});
    assert_eq!(people.post("/user/verify-code", &body).status(), 200);
    assert_eq!(people.sign_in("asha@example.com").user["Role"], "user");

    let owner = people.join_as_admin("owner@example.com");
    let put = |body: Value| {
        let request = people.request(Method::PUT, "/product/update-product/one");
        request
            .header("cookie", &owner.cookie)
            .json(&body)
            .send()
            .unwrap()
    };
    let before = people.server.json("/product/product/one")["product"].clone();
    let response = put(product_with(
        1,
        json!({"clicks": 9_000_000, "createdAt": "1999-01-01T00:00:00Z"}),
    ));
    assert_eq!(response.status(), 200);
    let after = people.server.json("/product/product/one")["product"].clone();
    assert_eq!(after["clicks"], 0);
    assert_eq!(after["createdAt"], before["createdAt"]);
    assert_eq!(put(product_with(1, json!({"_id": "two"}))).status(), 400);
    assert_eq!(put(product_with(1, json!({"_id": "one"}))).status(), 200);
}

/// 8.3.2
#[test]
fn a_changed_role_applies_from_the_next_request() {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    let add = |someone: &Someone| {
        let request = people.request(Method::POST, "/product/add-product");
        let request = request.header("cookie", &someone.cookie).json(&product(1));
        request.send().unwrap().status().as_u16()
    };
    assert_eq!(add(&owner), 201);
    let output = people.shop.run(&["user", "demote", "owner@example.com"]);
    assert!(output.status.success());
    assert!(text(&output.stderr).contains("no administrator is left"));
    assert_eq!(add(&owner), 401, "demotion ends the sessions");
    let demoted = people.sign_in("owner@example.com");
    assert_eq!(add(&demoted), 403);
    assert!(
        people
            .shop
            .run(&["user", "promote", "OWNER@example.com"])
            .status
            .success()
    );
    let promoted = people.sign_in("owner@example.com");
    assert_eq!(add(&promoted), 201);
    assert!(
        people
            .shop
            .run(&["user", "remove", "owner@example.com"])
            .status
            .success()
    );
    assert_eq!(add(&promoted), 401);
    assert_eq!(people.me(&promoted.token), 401);
}

#[test]
fn signing_out_everywhere_ends_every_session() {
    let people = People::new();
    let phone = people.join("asha@example.com");
    let laptop = people.sign_in("asha@example.com");
    assert_eq!(people.server.post("/user/logout-everywhere").status(), 401);
    let out = people
        .request(reqwest::Method::POST, "/user/logout-everywhere")
        .header("cookie", &laptop.cookie)
        .send()
        .unwrap();
    assert_eq!(out.status(), 200);
    for ended in [phone, laptop] {
        assert_eq!(people.me(&ended.token), 401);
        assert_eq!(people.change_password_status(&ended), 401);
    }
}
