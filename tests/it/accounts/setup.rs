//! The first start: the setup link makes the first administrator.

use reqwest::blocking::Response;
use serde_json::{Value, json};

use crate::support::harness::{Server, Shop, fails, misused, succeeds};
use crate::support::people::{PASSWORD, at_once, error, someone};

const OWNER: &str = "owner@example.com";

/// The end of the line that names the link, which `serve` and `setup-link` print.
const LINE: &str = "to become the administrator";

fn link_in(line: &str) -> String {
    let link = line.split_whitespace().last().unwrap();
    link.trim_end_matches(['"', '}']).to_owned()
}

/// Returns the secret of a link to this server.
fn secret_of(line: &str, server: &Server) -> String {
    let link = link_in(line);
    let (page, secret) = link.split_once('#').unwrap();
    assert_eq!(page, server.url("/setup"));
    secret.to_owned()
}

fn post(server: &Server, path: &str, body: &Value) -> Response {
    let request = server.client().post(server.url(path)).json(body);
    request.send().unwrap()
}

fn form(secret: &str, email: &str) -> Value {
    json!({"secret": secret, "username": "Priya", "email": email, "password": PASSWORD})
}

fn set_up(server: &Server, secret: &str) -> Response {
    post(server, "/user/setup", &form(secret, OWNER))
}

fn add_admin(shop: &Shop) {
    let arguments = [
        "add",
        OWNER,
        "--username",
        "owner",
        "--admin",
        "--password-stdin",
    ];
    succeeds(shop.user(&arguments, PASSWORD));
}

/// Fails unless the answer is the one to any link that is not valid.
fn assert_not_valid(answer: Response) {
    assert_eq!(answer.status(), 404);
    let said = error(answer);
    assert!(said.contains("`deals setup-link`"), "{said}");
}

#[test]
fn the_setup_link_creates_the_first_administrator() {
    let shop = Shop::new();
    let server = shop.serve();
    let line = server.wait_for_line(LINE);
    assert!(line.starts_with("there is no administrator yet:"), "{line}");
    let secret = secret_of(&line, &server);
    assert!(secret.len() >= 43, "{secret}");
    let check = |secret: &str| post(&server, "/user/setup-link", &json!({"secret": secret}));
    assert_eq!(check(&secret).status(), 200);

    let easy = json!({"secret": secret, "username": "P", "email": "no", "password": "password1"});
    let refused: Value = post(&server, "/user/setup", &easy).json().unwrap();
    for field in ["username", "email"] {
        assert!(refused["fields"][field].is_string(), "{refused}");
    }

    let owner = someone(set_up(&server, &secret));
    assert_eq!(owner.user["Role"], "admin");
    assert_eq!(owner.user["username"], "Priya");
    let overview = server
        .client()
        .get(server.url("/report/overview"))
        .header("cookie", &owner.cookie);
    assert_eq!(overview.send().unwrap().status(), 200);
    let credentials = json!({"email": OWNER, "password": PASSWORD});
    assert_eq!(post(&server, "/user/sign-in", &credentials).status(), 200);

    assert_not_valid(check(&secret));
    assert_not_valid(set_up(&server, &secret));
    assert!(
        !server.stop().contains(&secret),
        "the secret was logged again"
    );
    // With an administrator nothing is printed.
    assert!(!shop.serve().stop().contains(LINE));
}

#[test]
fn concurrent_uses_of_the_setup_link_create_one_administrator() {
    let shop = Shop::new();
    let server = shop.serve();
    let secret = secret_of(&server.wait_for_line(LINE), &server);
    let answers = at_once(3, |n| {
        let form = form(&secret, &format!("owner{n}@example.com"));
        // Passwords are hashed in turn, and a busy machine asks some to come again.
        let mut answers = std::iter::repeat_with(|| post(&server, "/user/setup", &form));
        let answer = answers.find(|answer| answer.status() != 503).unwrap();
        (answer.status().as_u16(), answer.json::<Value>().unwrap())
    });
    let won = answers.iter().filter(|(status, _)| *status == 200).count();
    assert_eq!(won, 1, "{answers:?}");
    for (status, body) in answers.iter().filter(|(status, _)| *status != 200) {
        let said = body["error"].as_str().unwrap();
        // One that came after the other was done is answered as any used link.
        let expected = if *status == 409 {
            "Somebody else set this shop up"
        } else {
            "`deals setup-link`"
        };
        assert!(
            matches!(status, 404 | 409) && said.contains(expected),
            "{status} {said}"
        );
    }
    let users = succeeds(shop.run(&["user", "list", "--json"]));
    let users: Value = serde_json::from_str(&users).unwrap();
    assert_eq!(users.as_array().unwrap().len(), 1);
}

#[test]
fn invalid_setup_links_are_answered_as_if_no_setup_were_open() {
    let shop = Shop::new();
    let server = shop.serve();
    let first = secret_of(&server.wait_for_line(LINE), &server);
    drop(server);
    let server = shop.serve();
    let second = secret_of(&server.wait_for_line(LINE), &server);
    assert_ne!(first, second);
    for wrong in [first.as_str(), "", "x", &second[1..], &format!("{second}x")] {
        assert_not_valid(set_up(&server, wrong));
    }
    let day = 24 * 60 * 60 * 1_000;
    let sql = "UPDATE setup_checks SET passed_at = passed_at - ? WHERE name LIKE 'setup-link:%'";
    assert_eq!(shop.database().execute(sql, [day]).unwrap(), 1);
    assert_not_valid(set_up(&server, &second));
    drop(server);

    // The same as in a shop that is set up, also with a form that is invalid.
    add_admin(&shop);
    let server = shop.serve();
    assert_not_valid(set_up(&server, &second));
    assert_not_valid(post(&server, "/user/setup", &json!({"secret": second})));
    assert_not_valid(post(&server, "/user/setup-link", &json!({})));
}

#[test]
fn a_new_setup_link_invalidates_the_former_one() {
    let shop = Shop::new();
    assert!(fails(shop.run(&["setup-link"])).contains("there is no database"));
    let server = shop.serve();
    let former = secret_of(&server.wait_for_line(LINE), &server);
    let url = server.url("");
    let new = succeeds(shop.run(&["setup-link", "--public-url", &url]));
    let new = secret_of(new.trim(), &server);
    assert_not_valid(set_up(&server, &former));
    let stored: String = shop
        .database()
        .query_row("SELECT group_concat(name) FROM setup_checks", [], |row| {
            row.get(0)
        })
        .unwrap();
    assert!(!stored.contains(&new), "only its hash is stored");
    assert_eq!(set_up(&server, &new).status(), 200);

    let said = fails(shop.run(&["setup-link", "--public-url", &url]));
    assert!(said.contains("has an administrator already"), "{said}");
    assert!(said.contains("deals user add"), "{said}");
}

#[test]
fn the_setup_link_uses_the_public_url() {
    let shop = Shop::new();
    let server = shop.serve_with(&["--public-url", "https://deals.example.com"]);
    let link = link_in(&server.wait_for_line(LINE));
    assert!(
        link.starts_with("https://deals.example.com/setup#"),
        "{link}"
    );
    for (options, link) in [
        (
            &["--acme-domain", "a.example.com"][..],
            "https://a.example.com/setup#",
        ),
        (
            &["--listen", "0.0.0.0:8123"],
            "http://localhost:8123/setup#",
        ),
        (&[], "http://127.0.0.1:8080/setup#"),
    ] {
        let said = succeeds(shop.run(&[&["setup-link"], options].concat()));
        assert!(said.contains(link), "{said}");
    }
    std::fs::write(
        shop.file("deals.env"),
        "DEALS_PUBLIC_URL=https://b.example.com\n",
    )
    .unwrap();
    let said = succeeds(shop.run(&["setup-link", "--env-file", "deals.env"]));
    assert!(said.contains("https://b.example.com/setup#"), "{said}");
    let said = misused(shop.run(&["setup-link", "--listen", "127.0.0.1:0"]));
    assert!(said.contains("--public-url"), "{said}");
}

#[test]
fn the_demo_prints_the_setup_link() {
    let shop = Shop::new();
    let server = shop.serve_with(&["--demo", "--log-format", "json"]);
    let line = server.wait_for_line(LINE);
    let line: Value = serde_json::from_str(&line).unwrap();
    let secret = secret_of(line["message"].as_str().unwrap(), &server);
    assert_eq!(set_up(&server, &secret).status(), 200);
}

#[test]
fn setup_over_plain_http_from_another_machine_is_refused_with_advice() {
    let from = |server: &Server, origin: &str, path: &str, secret: &str| {
        let request = server
            .client()
            .post(server.url(path))
            .json(&form(secret, OWNER));
        request.header("origin", origin).send().unwrap()
    };
    let away = "http://deals.example.com";
    for options in [&[][..], &["--allow-http-sign-in"]] {
        let options = [options, &["--public-url", away]].concat();
        let shop = Shop::new();
        let server = shop.serve_with(&options);
        let link = link_in(&server.wait_for_line(LINE));
        let secret = link.split_once('#').unwrap().1;
        if options.len() == 2 {
            for path in ["/user/setup-link", "/user/setup"] {
                let refused = from(&server, away, path, secret);
                assert_eq!(refused.status(), 403, "{path}");
                let said = error(refused);
                for word in ["https", "SSH tunnel", "--allow-http-sign-in"] {
                    assert!(said.contains(word), "{said}");
                }
            }
        } else {
            let owner = someone(from(&server, away, "/user/setup", secret));
            assert!(owner.cookie.starts_with("session="));
        }
    }
}

#[test]
fn other_origins_cannot_use_the_setup_link() {
    let shop = Shop::new();
    let server = shop.serve();
    let secret = secret_of(&server.wait_for_line(LINE), &server);
    let request = server
        .client()
        .post(server.url("/user/setup"))
        .json(&form(&secret, OWNER));
    let answer = request
        .header("sec-fetch-site", "cross-site")
        .send()
        .unwrap();
    assert_eq!(answer.status(), 403);
    assert_eq!(set_up(&server, &secret).status(), 200);
}

#[test]
fn guesses_at_the_setup_link_are_limited() {
    let shop = Shop::new();
    let server = shop.serve_with(&["--trusted-proxy", "127.0.0.1"]);
    let secret = secret_of(&server.wait_for_line(LINE), &server);
    let guess = |address: &str, secret: &str| {
        let request = server.client().post(server.url("/user/setup-link"));
        let request = request.header("x-forwarded-for", address);
        let answer = request.json(&json!({"secret": secret})).send().unwrap();
        answer.status().as_u16()
    };
    let of_one: Vec<u16> = (0..12).map(|_| guess("10.0.0.1", "wrong")).collect();
    assert_eq!(of_one[..10], [404; 10]);
    assert!(of_one[10..].contains(&429), "{of_one:?}");
    let of_many: Vec<u16> = (0..200)
        .map(|n| guess(&format!("10.1.0.{n}"), "wrong"))
        .collect();
    assert_eq!(of_many[..80], [404; 80]);
    assert!(of_many.contains(&429), "{of_many:?}");
    assert_eq!(guess("10.2.0.1", &secret), 200);
}

#[test]
fn setup_refuses_the_address_of_an_existing_account() {
    let shop = Shop::new();
    shop.sign_up(OWNER, PASSWORD);
    let server = shop.serve();
    let secret = secret_of(&server.wait_for_line(LINE), &server);
    let refused = set_up(&server, &secret);
    assert_eq!(refused.status(), 400);
    let body: Value = refused.json().unwrap();
    let said = body["fields"]["email"].as_str().unwrap();
    assert!(
        said.contains("deals user promote owner@example.com"),
        "{said}"
    );
    let other = form(&secret, "priya@example.com");
    assert_eq!(post(&server, "/user/setup", &other).status(), 200);
}

#[test]
fn the_setup_page_is_the_same_with_and_without_an_open_setup() {
    let shop = Shop::new();
    let open = shop.serve();
    let page = |server: &Server| {
        let request = server.client().get(server.url("/setup"));
        let answer = request.header("accept", "text/html").send().unwrap();
        assert_eq!(answer.status(), 200);
        answer.text().unwrap()
    };
    let before = page(&open);
    assert!(before.contains("noindex"), "{before}");
    drop(open);
    add_admin(&shop);
    assert_eq!(page(&shop.serve()), before);
}
