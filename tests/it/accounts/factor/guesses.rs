//! Guesses at codes by somebody who knows the password.

use std::time::Instant;

use serde_json::json;

use super::{Factored, credentials, pending_of, refusal};
use crate::support::people::{PASSWORD, at_once};

#[test]
fn five_wrong_second_factor_codes_end_a_sign_in() {
    let shop = Factored::new();
    let (pending, wrong) = (shop.pending(), shop.app.wrong_code());
    for n in 0..5 {
        let (status, code, _) = refusal(shop.enter(&pending, &wrong));
        assert_eq!((status, code.as_str()), (401, "wrong_code"), "{n}");
    }
    let (status, code, sentence) = refusal(shop.enter(&pending, &shop.app.code()));
    assert_eq!((status, code.as_str()), (401, "sign_in_ended"));
    assert!(
        sentence.contains("Enter your password again."),
        "{sentence}"
    );
    // Another sign-in gives no five codes more.
    let delayed = shop.guess_until_delayed();
    assert!(delayed.headers().contains_key("retry-after"));
}

#[test]
fn guesses_at_second_factor_codes_are_limited() {
    let shop = Factored::new();
    let known = shop.remembered();
    let known = known.replace("device-", "other-");
    let began = Instant::now();
    let mut checked = 0;
    for round in 0..20 {
        let pending = shop.pending();
        let people = &shop.people;
        let answers = at_once(4, |thread| {
            let tries = (0..125).map(|n| {
                let guess = json!({"pending": pending, "code": format!("{:06}", round * 500 + thread * 125 + n)});
                let address = format!("10.{}.{}.{n}", 100 + thread, round);
                let answer = people.post_from(&address, "/user/sign-in-code", &guess);
                let (status, code, _) = refusal(answer);
                assert!(status == 401 || status == 429, "{status}");
                code
            });
            tries.filter(|code| code == "wrong_code").count()
        });
        checked += answers.iter().sum::<usize>();
    }
    // 1, 3, 5, 10, 30, 60 … seconds after each that is checked.
    let allowed = match began.elapsed().as_secs() {
        0..50 => 9,
        50..110 => 10,
        _ => 16,
    };
    assert!(
        (4..=allowed).contains(&checked),
        "{checked} in {:?}",
        began.elapsed()
    );
    assert_eq!(
        shop.enter(&shop.pending(), &shop.fresh_code()).status(),
        429
    );

    // The owner's own browser has a count of its own.
    let pending = pending_of(shop.browse(&known, "/user/sign-in", &credentials(PASSWORD)));
    assert_eq!(shop.enter(&pending, &shop.fresh_code()).status(), 200);
}

#[test]
fn a_stranger_with_the_password_ends_no_sign_in_of_a_known_browser() {
    let shop = Factored::new();
    let known = shop.remembered().replace("device-", "other-");
    let pending = pending_of(shop.browse(&known, "/user/sign-in", &credentials(PASSWORD)));
    // Each from another address.
    for _ in 0..24 {
        shop.pending();
    }
    assert_eq!(shop.enter(&pending, &shop.fresh_code()).status(), 200);
}
