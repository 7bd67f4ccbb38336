//! Headers of mails, encryption and logins of mail servers, and `deals mail test`.

use serde_json::json;

use crate::support::harness::{Shop, fails, misused, succeeds};
use crate::support::mailbox::{Encryption, Mailbox, Mood};
use crate::support::people::{PASSWORD, People};

const FROM: [&str; 2] = ["--mail-from", "shop@deals.example.com"];

/// Runs `deals mail test` with this mail server.
fn test_mail(shop: &Shop, url: &str, options: &[&str]) -> std::process::Output {
    let mut arguments = vec!["mail", "test", "asha@example.com", "--smtp-url", url];
    arguments.extend(FROM);
    arguments.extend(options);
    shop.run(&arguments)
}

#[test]
fn mails_have_the_headers_that_big_providers_require() {
    let shop = Shop::new();
    succeeds(shop.run(&["settings", "set", "name=Sasta Adda"]));
    let people = People::with(shop, &FROM);
    let form = json!({"username": "asha", "email": "asha@example.com", "password": PASSWORD});
    assert_eq!(people.post("/user/register", &form).status(), 201);
    let mail = people.mailbox.next();
    let id = mail.header("Message-ID").unwrap();
    assert!(
        id.starts_with('<') && id.ends_with("@deals.example.com>"),
        "{id}"
    );
    assert_eq!(mail.header("Auto-Submitted"), Some("auto-generated"));
    assert_eq!(
        mail.subject(),
        "Your code to finish registering at Sasta Adda"
    );
    let from = mail.header("From").unwrap();
    assert!(from.contains("Sasta Adda"), "{from}");
    assert!(
        mail.data.matches("Sasta Adda").count() >= 4,
        "{}",
        mail.data
    );
}

#[test]
fn each_mail_has_an_id_of_its_own() {
    let (shop, mailbox) = (Shop::new(), Mailbox::open());
    let ids = [(); 2].map(|()| {
        succeeds(test_mail(&shop, &mailbox.url(), &[]));
        mailbox.next().header("Message-ID").unwrap().to_owned()
    });
    assert_ne!(ids[0], ids[1]);
}

#[test]
fn a_test_mail_is_sent_from_the_command_line_without_a_database() {
    let (shop, mailbox) = (Shop::new(), Mailbox::open());
    let said = succeeds(test_mail(&shop, &mailbox.url(), &[]));
    let server = format!(
        "127.0.0.1:{} accepted the mail to asha@example.com",
        mailbox.port()
    );
    assert!(said.contains(&server), "{said}");
    assert_eq!(mailbox.next().subject(), "Test mail from Deals");
    assert!(!shop.db().exists());
    let said = fails(shop.run(&["mail", "test", "asha@example.com"]));
    assert!(said.contains("no mail server is configured"), "{said}");
    let said = misused(test_mail(&shop, &mailbox.url(), &["--smtp-ca", "none.pem"]));
    assert!(said.contains("none.pem"), "{said}");
}

#[test]
fn an_smtp_failure_names_host_port_and_reason() {
    let shop = Shop::new();
    let plain = Mailbox::open();
    let encrypted = Mailbox::open_with(Encryption::FromTheStart);
    let port = encrypted.port();
    for (url, words) in [
        (
            "smtp://127.0.0.1:9".to_owned(),
            "127.0.0.1:9 refuses connections".to_owned(),
        ),
        (
            "smtps://mail.deals.invalid".to_owned(),
            "mail.deals.invalid:465 was not found: check its name".to_owned(),
        ),
        (
            format!("smtps://localhost:{port}"),
            format!("localhost:{port} has a certificate that is not trusted"),
        ),
        (
            format!("smtps://localhost:{}", plain.port()),
            "does not speak TLS as expected".to_owned(),
        ),
        (
            plain.url().replace("127.0.0.1", "0.0.0.0"),
            "STARTTLS is not supported".to_owned(),
        ),
    ] {
        let said = fails(test_mail(&shop, &url, &[]));
        assert!(said.contains(&words), "{url}: {said}");
    }
    plain.set_mood(Mood::WrongLogin);
    let url = format!(
        "smtp://asha%40example.com:hunter2@127.0.0.1:{}",
        plain.port()
    );
    let said = fails(test_mail(&shop, &url, &[]));
    assert!(
        said.contains(&format!("127.0.0.1:{} refused the login", plain.port())),
        "{said}"
    );
    assert!(
        !said.contains("hunter2") && !said.contains("not you"),
        "{said}"
    );
}

#[test]
fn smtp_ca_trusts_a_self_signed_mail_server() {
    let shop = Shop::new();
    let mailbox = Mailbox::open_with(Encryption::FromTheStart);
    std::fs::write(shop.file("ca.pem"), mailbox.certificate()).unwrap();
    let url = format!("smtps://localhost:{}", mailbox.port());
    succeeds(test_mail(&shop, &url, &["--smtp-ca", "ca.pem"]));
    mailbox.next();
}

#[test]
fn a_server_on_this_machine_that_requires_starttls_gets_it() {
    let shop = Shop::new();
    let mailbox = Mailbox::open_with(Encryption::StartTls);
    succeeds(test_mail(&shop, &mailbox.url(), &[]));
    mailbox.next();
    // With certificates to trust, they are checked here too: this one is for another name.
    std::fs::write(shop.file("ca.pem"), mailbox.certificate()).unwrap();
    let said = fails(test_mail(&shop, &mailbox.url(), &["--smtp-ca", "ca.pem"]));
    assert!(said.contains("it is for another name"), "{said}");
}
