//! The mail server.

use serde_json::{Value, json};

use super::{HERE, Office};
use crate::support::harness::{succeeds, wait_until};
use crate::support::mailbox::{Mailbox, Mood};

const MAIL: &str = "/settings/mail";
const PASSWORD_OF_MAIL: &str = "hunter2-of-the-mail-server";

fn server(mailbox: &Mailbox) -> Value {
    json!({
        "host": "127.0.0.1", "port": mailbox.port(), "security": "none", "user": "shop",
        "password": PASSWORD_OF_MAIL, "sender": "Deals <shop@example.com>",
    })
}

#[test]
fn a_chosen_mail_server_is_used_without_a_restart() {
    let (office, mailbox) = (Office::open(&HERE), Mailbox::open());
    assert_eq!(office.get(MAIL)["server"], Value::Null);
    let shop = |office: &Office| office.server.json("/settings")["shop"]["noMail"].clone();
    assert_eq!(shop(&office), "log");
    let saved = office.saved(MAIL, &server(&mailbox));
    assert_eq!(saved["server"], format!("127.0.0.1:{}", mailbox.port()));
    assert!(saved["passwordAt"].is_string(), "{saved}");
    assert_eq!(shop(&office), Value::Null);

    let (status, sent) = office.post("/report/test-mail");
    assert_eq!((status, &sent["to"]), (200, &json!("owner@example.com")));
    let mail = mailbox.next();
    assert_eq!(mail.login, format!("shop {PASSWORD_OF_MAIL}"));
    assert_eq!(mail.header("From"), Some("Deals <shop@example.com>"));

    let form =
        json!({"username": "asha", "email": "asha@example.com", "password": "tiger-lamp-42"});
    let request = office
        .server
        .client()
        .post(office.server.url("/user/register"));
    assert_eq!(request.json(&form).send().unwrap().status(), 201);
    assert_eq!(mailbox.next().code().len(), 6);

    let off = office.saved(MAIL, &json!({"host": ""}));
    assert_eq!(
        (&off["server"], &off["passwordAt"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(office.post("/report/test-mail").0, 409);
    assert_eq!(shop(&office), "log");
}

#[test]
fn the_password_is_in_no_answer_log_or_file() {
    let (office, mailbox) = (Office::open(&HERE), Mailbox::open());
    let saved = office.saved(MAIL, &server(&mailbox));
    office.post("/report/test-mail");
    let answers = [
        saved.to_string(),
        office.get(MAIL).to_string(),
        office.get("/product/activity").to_string(),
        office.get("/settings").to_string(),
        office.get("/report/overview").to_string(),
    ];
    for answer in answers {
        assert!(!answer.contains(PASSWORD_OF_MAIL), "{answer}");
    }
    succeeds(office.shop.run(&["backup", "copy.sqlite"]));
    assert!(!office.is_stored(PASSWORD_OF_MAIL));
    let log = office.shop.log();
    assert!(
        log.contains("no encryption, from Deals <shop@example.com>"),
        "{log}"
    );
    let (said, _) = office.restart(&HERE);
    assert!(!said.contains(PASSWORD_OF_MAIL), "{said}");
}

#[test]
fn a_saved_password_goes_to_its_own_server_only() {
    let (office, mailbox, other) = (Office::open(&HERE), Mailbox::open(), Mailbox::open());
    office.saved(MAIL, &server(&mailbox));
    let mut change = server(&mailbox);
    change.as_object_mut().unwrap().remove("password");
    change["sender"] = "other@example.com".into();
    assert!(office.saved(MAIL, &change)["passwordAt"].is_string());
    assert_eq!(office.post("/report/test-mail").0, 200);
    assert_eq!(mailbox.next().login, format!("shop {PASSWORD_OF_MAIL}"));

    for (field, value) in [
        ("port", json!(other.port())),
        ("user", json!("stranger")),
        ("host", json!("localhost")),
    ] {
        let mut moved = change.clone();
        moved[field] = value;
        let fields = office.refused(MAIL, &moved);
        assert!(
            fields["password"]
                .as_str()
                .unwrap()
                .contains("Enter it again"),
            "{fields}"
        );
    }
    assert!(other.unread().is_empty());
}

#[test]
fn a_mail_server_is_checked_field_by_field() {
    let office = Office::open(&[]);
    let fine = json!({"host": "mail.example.com", "port": 465, "security": "tls", "sender": "a@example.com"});
    for (field, value) in [
        ("host", json!("two words")),
        ("host", json!("mail.example.com/x")),
        ("port", json!(0)),
        ("port", json!(70_000)),
        ("security", json!("none")),
        ("security", json!("starttls")),
        ("security", json!("ssl")),
        ("user", json!("a\nb")),
        ("sender", json!("nobody")),
        ("sender", json!("a@example.com\r\nBcc: b@example.com")),
        ("sender", json!("")),
    ] {
        let mut wrong = fine.clone();
        wrong[field] = value;
        let fields = office.refused(MAIL, &wrong);
        assert!(fields[field].is_string(), "{wrong}: {fields}");
    }
    let mut without_name = fine.clone();
    without_name["password"] = "secret".into();
    assert!(office.refused(MAIL, &without_name)["user"].is_string());
    for password in [None, Some("")] {
        let mut without_password = fine.clone();
        without_password["user"] = "shop".into();
        without_password["password"] = password.into();
        let fields = office.refused(MAIL, &without_password);
        assert_eq!(fields["password"], "Enter the password of this user name.");
    }
    assert_eq!(office.saved(MAIL, &fine)["host"], "mail.example.com");
    let mut old = fine;
    old["version"] = 0.into();
    let response = office.send(reqwest::Method::PUT, MAIL, Some(&old));
    assert_eq!(response.status(), 409);
}

#[test]
fn a_failed_test_mail_says_why_in_words_of_the_form() {
    let (office, mailbox) = (Office::open(&HERE), Mailbox::open());
    office.saved(MAIL, &server(&mailbox));
    mailbox.set_mood(Mood::WrongLogin);
    let (status, said) = office.post("/report/test-mail");
    let said = said["error"].as_str().unwrap();
    assert_eq!(status, 409);
    assert!(
        said.contains("refused the login (code 535): check name and password."),
        "{said}"
    );
    assert!(said.contains("the settings of the mail server"), "{said}");
}

#[test]
fn no_chosen_mail_server_leads_to_other_services_of_this_machine() {
    let (office, mailbox) = (Office::open(&[]), Mailbox::open());
    for host in ["127.0.0.1", "localhost", "::1"] {
        let mut here = server(&mailbox);
        here["host"] = host.into();
        office.saved(MAIL, &here);
        let (status, said) = office.post("/report/test-mail");
        assert_eq!(status, 409);
        let said = said["error"].as_str().unwrap();
        assert!(said.contains("not at a public address"), "{said}");
    }
    assert!(mailbox.unread().is_empty());
}

#[test]
fn variables_win_over_a_chosen_mail_server_and_are_shown() {
    let (mailbox, chosen) = (Mailbox::open(), Mailbox::open());
    let office = Office::open(&HERE);
    office.saved(MAIL, &server(&chosen));
    let url = mailbox.url();
    let given = ["--smtp-url", &url, "--mail-from", "given@example.com"];
    let (_, office) = office.restart(&[&HERE[..], &given].concat());
    let shown = office.get(MAIL);
    assert_eq!(shown["setBy"], "DEALS_SMTP_URL");
    assert_eq!(shown["server"], url.strip_prefix("smtp://").unwrap());
    assert_eq!(shown["sender"], "given@example.com");
    assert_eq!(shown["user"], "");
    let (status, said) = office.save(MAIL, &server(&chosen));
    assert_eq!(status, 409);
    assert!(
        said["error"].as_str().unwrap().contains("DEALS_SMTP_URL"),
        "{said}"
    );
    assert_eq!(office.post("/report/test-mail").0, 200);
    assert_eq!(
        mailbox.next().header("From"),
        Some("Deals <given@example.com>")
    );

    let sender = [&HERE[..], &["--mail-from", "given@example.com"]].concat();
    let (_, office) = office.restart(&sender);
    assert_eq!(office.get(MAIL)["senderSetBy"], "DEALS_MAIL_FROM");
    assert_eq!(office.post("/report/test-mail").0, 200);
    assert_eq!(
        chosen.next().header("From"),
        Some("Deals <given@example.com>")
    );
}

#[test]
fn deals_mail_test_and_check_use_the_chosen_mail_server() {
    let (office, mailbox) = (Office::open(&HERE), Mailbox::open());
    office.saved(MAIL, &server(&mailbox));
    let said = succeeds(
        office
            .shop
            .run(&[&["mail", "test", "a@example.com"][..], &HERE].concat()),
    );
    assert!(said.contains("accepted the mail"), "{said}");
    assert_eq!(mailbox.next().login, format!("shop {PASSWORD_OF_MAIL}"));
    let line = office.check("mail", &HERE);
    assert!(line.starts_with("ok") && line.contains("answers"), "{line}");
}

#[test]
fn a_shop_with_another_key_asks_for_the_password_again() {
    let (office, mailbox) = (Office::open(&HERE), Mailbox::open());
    office.saved(MAIL, &server(&mailbox));
    let office = office.with_another_key(&HERE);
    office.server.wait_for_line("another key than the shop's");
    let shown = office.get(MAIL);
    assert!(
        shown["problem"]
            .as_str()
            .unwrap()
            .contains("enter it again"),
        "{shown}"
    );
    let need = office.need("mail");
    assert!(need.contains("another key"), "{need}");
    let line = office.check("mail", &HERE);
    assert!(
        line.starts_with("wrong") && line.contains("another key"),
        "{line}"
    );
    let form =
        json!({"username": "asha", "email": "asha@example.com", "password": "tiger-lamp-42"});
    let request = office
        .server
        .client()
        .post(office.server.url("/user/register"));
    assert_eq!(request.json(&form).send().unwrap().status(), 201);
    office.server.wait_for_line("a mail could not be sent");
    assert!(mailbox.unread().is_empty());

    office.saved(MAIL, &server(&mailbox));
    wait_until("the mail that waited is not sent", || {
        !mailbox.unread().is_empty()
    });
}
