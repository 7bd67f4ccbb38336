//! Setting up a second factor, and signing in with it.

use reqwest::Method;
use serde_json::{Value, json};

use super::{App, Factored, OWNER, by, cookies, credentials, pending_of, post_as, refusal};
use crate::support::people::{PASSWORD, People, at_once};

#[test]
fn a_second_factor_is_active_after_its_first_code() {
    let people = People::new();
    let owner = people.join_as_admin(OWNER);
    let begin = |password: &str| {
        post_as(
            &people,
            &owner,
            "/user/totp/begin",
            &json!({"password": password}),
        )
    };
    let enable = |code: &str| post_as(&people, &owner, "/user/totp/enable", &json!({"code": code}));
    let state = || -> Value {
        let answer = by(&people, &owner, Method::GET, "/user/totp")
            .send()
            .unwrap();
        answer.json().unwrap()
    };
    assert_eq!(refusal(enable("123456")).0, 409);
    assert_eq!(refusal(begin("not-this-password")).1, "wrong_credentials");
    assert_eq!(refusal(begin("short")).1, "invalid_fields");

    let begun: Value = begin(PASSWORD).json().unwrap();
    let app = App::of(begun["secret"].as_str().unwrap());
    let address = begun["address"].as_str().unwrap();
    assert!(
        address.starts_with("otpauth://totp/Deals:owner%40example.com?secret="),
        "{address}"
    );
    let size = begun["qr"]["size"].as_u64().unwrap();
    assert!((21..=77).contains(&size), "{size}");
    assert!(
        begun["qr"]["path"]
            .as_str()
            .unwrap()
            .starts_with("M0 0h7v1h-7z")
    );
    assert_eq!(
        state(),
        json!({"enabled": false, "required": false, "since": null, "recoveryCodes": 0})
    );
    // It is of no effect yet, and another one replaces it.
    people.sign_in(OWNER);
    assert_eq!(begin(PASSWORD).status(), 201);
    assert_eq!(refusal(enable(&app.code())).1, "wrong_code");
    let begun: Value = begin(PASSWORD).json().unwrap();
    let secret = begun["secret"].as_str().unwrap();
    let app = App::of(secret);
    let (status, code, sentence) = refusal(enable(&app.wrong_code()));
    assert_eq!((status, code.as_str()), (400, "wrong_code"));
    assert!(sentence.contains("time on your phone"), "{sentence}");

    let enabled = enable(&app.code());
    assert_eq!(enabled.status(), 200);
    let codes = super::recovery_codes(enabled);
    assert_eq!(codes.len(), 10);
    for code in &codes {
        let shape: String = code
            .chars()
            .map(|c| if c == '-' { '-' } else { 'X' })
            .collect();
        assert_eq!(shape, "XXXX-XXXX-XX", "{code}");
    }
    let now = state();
    assert_eq!(
        (&now["enabled"], &now["recoveryCodes"]),
        (&json!(true), &json!(10))
    );
    assert!(now["since"].is_string(), "{now}");
    assert_eq!(refusal(begin(PASSWORD)).0, 409);
    assert_eq!(refusal(enable(&app.code_at(30))).0, 409);

    let mut files = std::fs::read(people.shop.db()).unwrap();
    files.extend(std::fs::read(people.shop.file("deals.sqlite-wal")).unwrap_or_default());
    let files = String::from_utf8_lossy(&files);
    assert!(!files.contains(secret));
    for code in &codes {
        assert!(!files.contains(code.as_str()) && !files.contains(&code.replace('-', "")));
    }
}

#[test]
fn a_totp_code_works_once() {
    let shop = Factored::new();
    let asked = shop.post("/user/sign-in", &credentials(PASSWORD));
    assert_eq!(asked.status(), 401);
    assert!(!asked.headers().contains_key("set-cookie"));
    assert!(asked.headers().contains_key("www-authenticate"));
    let body: Value = asked.json().unwrap();
    let pending = body["pending"].as_str().unwrap().to_owned();
    let expected = json!({
        "error": "Enter the code from your app.",
        "code": "code_needed",
        "next": "totp",
        "pending": pending,
    });
    assert_eq!(body, expected);
    // A wrong password tells nothing about the factor.
    let wrong = shop.post("/user/sign-in", &credentials("not-this-password"));
    assert_eq!(refusal(wrong).1, "wrong_credentials");

    // It is no session.
    assert_eq!(shop.people.me(&pending), 401);
    let request = shop.people.request(Method::GET, "/user/totp");
    let request = request.header("cookie", format!("session={pending}"));
    assert_eq!(request.send().unwrap().status(), 401);

    // The password is checked before, because a code is right for less than two steps.
    let second = shop.pending();
    let code = shop.app.code();
    let spaced = format!("{} {}", &code[..3], &code[3..]);
    let entered = shop.enter(&pending, &spaced);
    let (status, _, sentence) = refusal(shop.enter(&second, &code));
    assert_eq!(status, 401);
    assert!(sentence.contains("used already"), "{sentence}");
    assert_eq!(entered.status(), 200);
    let token = entered.json::<Value>().unwrap()["token"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(shop.people.me(&token), 200);

    let (status, code_again, _) = refusal(shop.enter(&pending, &shop.app.code_at(30)));
    assert_eq!((status, code_again.as_str()), (401, "sign_in_ended"));
}

#[test]
fn concurrent_sign_ins_with_one_totp_code_admit_one() {
    let shop = Factored::new();
    let sign_ins: Vec<_> = (0..6).map(|_| shop.pending()).collect();
    let code = shop.app.code();
    let people = &shop.people;
    let answers = at_once(6, |n| {
        let body = json!({"pending": sign_ins[n], "code": code});
        let address = format!("10.7.0.{n}");
        let answer = people.post_from(&address, "/user/sign-in-code", &body);
        answer.status().as_u16()
    });
    let let_in = answers.iter().filter(|status| **status == 200).count();
    assert_eq!(let_in, 1, "{answers:?}");
}

#[test]
fn a_recovery_code_works_once() {
    let shop = Factored::new();
    let typed = shop.recovery_codes[0].to_lowercase().replace('-', " ");
    assert_eq!(shop.enter(&shop.pending(), &typed).status(), 200);
    assert_eq!(refusal(shop.enter(&shop.pending(), &typed)).1, "wrong_code");
    let log = shop.log();
    assert!(log.contains("recoveryCodes.owner \"10\" → \"9\""), "{log}");

    let sign_ins: Vec<_> = (0..4).map(|_| shop.pending()).collect();
    let (people, code) = (&shop.people, &shop.recovery_codes[1]);
    let answers = at_once(4, |n| {
        let body = json!({"pending": sign_ins[n], "code": code});
        let address = format!("10.7.0.{n}");
        let answer = people.post_from(&address, "/user/sign-in-code", &body);
        answer.status().as_u16()
    });
    let let_in = answers.iter().filter(|status| **status == 200).count();
    assert_eq!(let_in, 1, "{answers:?}");

    let renewed = post_as(people, &shop.owner, "/user/totp/recovery-codes", &json!({}));
    assert_eq!(renewed.status(), 200);
    let renewed = super::recovery_codes(renewed);
    assert_eq!(
        refusal(shop.enter(&shop.pending(), &shop.recovery_codes[2])).1,
        "wrong_code"
    );
    assert_eq!(shop.enter(&shop.pending(), &renewed[0]).status(), 200);
}

#[test]
fn totp_codes_of_a_wrong_clock_are_explained() {
    let shop = Factored::new();
    let pending = shop.pending();
    for ahead in [-90, 90, 3_600] {
        let (status, _, sentence) = refusal(shop.enter(&pending, &shop.app.code_at(ahead)));
        assert_eq!(status, 401, "{ahead}");
        let advice = "Check that the time on your phone is set automatically.";
        assert!(sentence.contains(advice), "{sentence}");
    }
    assert_eq!(shop.enter(&pending, &shop.recovery_codes[0]).status(), 200);
    // Half a minute is no matter.
    assert_eq!(
        shop.enter(&shop.pending(), &shop.app.code_at(30)).status(),
        200
    );
}

#[test]
fn a_remembered_device_is_not_asked_until_the_password_or_the_factor_changes() {
    let shop = Factored::new();
    let form = json!({"pending": shop.pending(), "code": shop.app.code(), "remember": true});
    let answer = shop.browse("", "/user/sign-in-code", &form);
    let all = answer.headers().get_all("set-cookie").iter();
    let device = all
        .map(|cookie| cookie.to_str().unwrap())
        .find(|cookie| cookie.starts_with("device-"))
        .unwrap();
    for part in ["HttpOnly", "SameSite=Strict", "Max-Age=2592000"] {
        assert!(device.contains(part), "{device}");
    }
    let known = cookies(&answer);
    assert!(!shop.is_asked_for_a_code(&known));
    let made_up = known.replace("device-", "other-");
    assert!(shop.is_asked_for_a_code(&made_up));

    let everywhere = by(
        &shop.people,
        &shop.owner,
        Method::POST,
        "/user/logout-everywhere",
    );
    assert_eq!(everywhere.send().unwrap().status(), 200);
    assert!(shop.is_asked_for_a_code(&known), "signed out everywhere");

    let known = shop.remembered();
    assert!(!shop.is_asked_for_a_code(&known));
    let expire = "UPDATE remembered_devices SET expires_at = 1";
    shop.people.shop.database().execute(expire, []).unwrap();
    assert!(shop.is_asked_for_a_code(&known), "after 30 days");

    let known = shop.remembered();
    let change = json!({"currentPassword": PASSWORD, "newPassword": "another-fine-password"});
    assert_eq!(
        shop.browse(&known, "/user/change-password", &change)
            .status(),
        200
    );
    let answer = shop.browse(
        &known,
        "/user/sign-in",
        &credentials("another-fine-password"),
    );
    pending_of(answer);
    let output = shop
        .people
        .shop
        .user(&["set-password", OWNER, "--password-stdin"], PASSWORD);
    assert!(output.status.success());

    let known = shop.remembered();
    let output = shop.people.shop.user(&["reset-totp", OWNER], "");
    assert!(output.status.success());
    let owner = shop.people.sign_in(OWNER);
    super::enrol(&shop.people, &owner);
    assert!(shop.is_asked_for_a_code(&known), "the factor was reset");
}

#[test]
fn a_remembered_device_counts_for_one_account_only() {
    let shop = Factored::new();
    let known = shop.remembered();
    shop.people.shop.sign_up("mallory@example.com", PASSWORD);
    let mallory = shop.people.sign_in("mallory@example.com");
    super::enrol(&shop.people, &mallory);
    let credentials = json!({"email": "mallory@example.com", "password": PASSWORD});
    pending_of(shop.browse(&known, "/user/sign-in", &credentials));
    let log = shop.log();
    assert!(log.contains("secondFactor.owner"), "{log}");
    assert!(
        !log.contains("secondFactor.Asha"),
        "visitors do not fill the log: {log}"
    );
}
