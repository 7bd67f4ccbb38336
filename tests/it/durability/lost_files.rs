//! A database file lost while served (security, R28), and a lost key.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::harness::{Server, Shop, fails, product_with, succeeds, wait_until};
use crate::support::people::{PASSWORD, People, error};

fn one() -> Shop {
    Shop::with(&[product_with(1, serde_json::json!({"_id": "one"}))])
}

/// Clicks until the server refuses; returns how many were counted.
fn click_until_refused(server: &Server) -> i64 {
    let click = server.url("/product/increament-views/one");
    let mut counted = 0;
    loop {
        match server.client().post(&click).send() {
            Ok(answer) if answer.status() == 200 => {
                counted = answer.json::<Value>().unwrap()["clicks"].as_i64().unwrap();
            }
            Ok(answer) => {
                assert_eq!(answer.status(), 503);
                return counted;
            }
            // It has stopped.
            Err(_) => return counted,
        }
    }
}

/// Loses a served database after some clicks; returns the number counted and the server's last
/// output.
fn lose(shop: &Shop, server: &mut Server, lose: impl FnOnce(&Path)) -> (i64, String) {
    for _ in 0..20 {
        assert_eq!(server.post("/product/increament-views/one").status(), 200);
    }
    lose(&shop.db());
    let counted = click_until_refused(server).max(20);
    assert_eq!(counted, 20, "nothing is acknowledged that went elsewhere");
    // Until it has stopped, which may take long on a busy machine.
    wait_until("it does not say what is wrong", || {
        let Ok(ready) = server.client().get(server.url("/readyz")).send() else {
            return true;
        };
        assert_eq!(ready.status(), 503);
        ready
            .text()
            .is_ok_and(|said| said.contains("the database was"))
    });
    let said = server.wait_for_line("deals: ");
    assert_eq!(server.wait_for_exit().code(), Some(1));
    (counted, said)
}

fn clicks(shop: &Shop) -> i64 {
    let server = shop.serve();
    let clicks = server.json("/product/product/one")["product"]["clicks"].as_i64();
    server.stop();
    clicks.unwrap()
}

#[test]
fn a_database_deleted_while_served_is_saved() {
    let shop = one();
    let mut server = shop.serve();
    let (counted, said) = lose(&shop, &mut server, |db| fs::remove_file(db).unwrap());
    assert!(
        said.contains("was deleted or replaced while it was served"),
        "{said}"
    );
    // No empty database replaces it.
    let refused = fails(shop.run(&["serve", "--listen", "127.0.0.1:0"]));
    assert!(refused.contains("deals.sqlite.rescued-"), "{refused}");
    assert!(!shop.db().exists());
    let saved = said.split('`').nth(1).unwrap().to_owned();
    let arguments: Vec<&str> = saved.split(' ').skip(1).collect();
    succeeds(shop.run(&arguments));
    assert_eq!(clicks(&shop), counted);
}

#[test]
fn a_database_moved_while_served_keeps_acknowledged_writes() {
    let shop = one();
    let mut server = shop.serve();
    let aside = shop.file("aside.sqlite");
    let (counted, said) = lose(&shop, &mut server, |db| fs::rename(db, &aside).unwrap());
    assert!(said.contains("deals.sqlite was moved while"), "{said}");
    // No side file is left for the next database.
    let log = fs::metadata(shop.file("deals.sqlite-wal"));
    assert!(log.is_ok_and(|log| log.len() == 0));
    fs::rename(&aside, shop.db()).unwrap();
    assert_eq!(clicks(&shop), counted);
}

#[test]
fn a_database_replaced_while_served_is_not_mixed_with_the_new_one() {
    let other = Shop::with(&[product_with(2, serde_json::json!({"_id": "one"}))]);
    succeeds(other.run(&["backup", "copy.sqlite"]));
    // Replaced as by `mv`, and overwritten as by `cp`.
    for is_copied in [false, true] {
        let shop = one();
        let mut server = shop.serve();
        let copy = shop.file("copy.sqlite");
        fs::copy(other.file("copy.sqlite"), &copy).unwrap();
        let (_, said) = lose(&shop, &mut server, |db| {
            if is_copied {
                fs::write(db, fs::read(&copy).unwrap()).unwrap();
            } else {
                fs::rename(&copy, db).unwrap();
            }
        });
        let words = if is_copied {
            "was overwritten"
        } else {
            "was deleted or replaced"
        };
        assert!(said.contains(words), "{said}");
        let report = succeeds(shop.run(&["check"]));
        assert!(!report.contains("wrong"), "{report}");
        let server = shop.serve();
        assert_eq!(server.titles(""), ["Product 2"]);
    }
}

/// Overwritten by a backup with `cp`, the likeliest mistake, without clicks since.
#[test]
fn a_backup_copied_over_the_served_database_is_not_changed() {
    let shop = one();
    let mut server = shop.serve();
    for _ in 0..20 {
        assert_eq!(server.post("/product/increament-views/one").status(), 200);
    }
    succeeds(shop.run(&["backup", "copy.sqlite"]));
    for _ in 0..20 {
        assert_eq!(server.post("/product/increament-views/one").status(), 200);
    }
    let copy = fs::read(shop.file("copy.sqlite")).unwrap();
    fs::write(shop.db(), &copy).unwrap();
    let said = server.wait_for_line("deals: ");
    assert!(said.contains("was overwritten"), "{said}");
    assert_eq!(server.wait_for_exit().code(), Some(1));
    assert!(
        fs::read(shop.db()).unwrap() == copy,
        "the server wrote into it"
    );
    assert_eq!(clicks(&shop), 20);
}

#[test]
fn a_hard_link_of_a_served_database_is_not_served_by_another_server() {
    let shop = one();
    let server = shop.serve();
    fs::hard_link(shop.db(), shop.file("second.sqlite")).unwrap();
    let serve = ["serve", "--listen", "127.0.0.1:0", "--db", "second.sqlite"];
    let said = fails(shop.run(&serve));
    assert!(said.contains("in use by another `deals serve`"), "{said}");
    assert_eq!(server.post("/product/increament-views/one").status(), 200);
}

#[test]
fn reset_key_replaces_a_lost_key_file() {
    let people = People::with(one(), &[]);
    people.join_as_admin("owner@example.com");
    let asha = people.join("asha@example.com");
    let reset = |arguments: &[&str]| {
        people
            .shop
            .run(&[&["user", "reset-key"], arguments].concat())
    };
    let said = fails(reset(&["--yes"]));
    assert!(said.contains("Stop that one first"), "{said}");
    let People {
        shop,
        server,
        mailbox,
    } = people;
    server.stop();
    let key = shop.file("deals.sqlite.key");
    fs::remove_file(&key).unwrap();
    let said = fails(shop.run(&["serve", "--listen", "127.0.0.1:0"]));
    assert!(said.contains("deals user reset-key"), "{said}");

    let said = fails(shop.user(&["reset-key"], "no"));
    for words in [
        "The passwords of 2 accounts",
        "nothing was changed",
        "--yes",
    ] {
        assert!(said.contains(words), "{words} in {said}");
    }
    assert!(!key.exists());
    succeeds(shop.run(&["user", "reset-key", "--yes"]));
    assert!(key.exists());
    let set = ["set-password", "owner@example.com", "--password-stdin"];
    succeeds(shop.user(&set, "another-fine-password"));

    let mut command = shop.serve_command(&["--trusted-proxy", "127.0.0.1"]);
    command
        .env("DEALS_SMTP_URL", mailbox.url())
        .env("DEALS_MAIL_FROM", "Deals <shop@example.com>");
    let people = People {
        server: Server::start(command),
        shop,
        mailbox,
    };
    assert_eq!(people.server.list("").len(), 1);
    assert_eq!(people.me(&asha.token), 401);
    let credentials =
        |email: &str, password: &str| serde_json::json!({"email": email, "password": password});
    let sign_in =
        |email: &str, password: &str| people.post("/user/sign-in", &credentials(email, password));
    assert_eq!(
        sign_in("owner@example.com", "another-fine-password").status(),
        200
    );
    let refused = sign_in("asha@example.com", PASSWORD);
    assert_eq!(refused.status(), 401);
    assert_eq!(error(refused), "Invalid credentials");
    let asked = people.post(
        "/user/forgot-password",
        &serde_json::json!({"email": "asha@example.com"}),
    );
    let asked: Value = asked.json().unwrap();
    let form = serde_json::json!({
        "email": "asha@example.com", "code": people.mailbox.next().code(),
        "request": asked["request"], "password": "another-fine-password",
    });
    assert_eq!(people.post("/user/reset-password", &form).status(), 200);
    // An existing key file is renamed.
    let (_, people) = people.restart();
    people.server.stop();
    let said = succeeds(people.shop.run(&["user", "reset-key", "--yes"]));
    assert!(said.contains("deals.sqlite.key.replaced-"), "{said}");
}
