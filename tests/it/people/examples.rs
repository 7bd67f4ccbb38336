//! The examples of docs/api.md, as they stand there.

use std::process::Command;

use reqwest::Method;
use serde_json::{Value, json};

use super::keys::key_of;
use crate::office::prices::{history, make_up};
use crate::support::harness::{Shop, product_with, text};
use crate::support::people::{People, Someone};

const PAGE: &str = include_str!("../../../docs/api.md");

/// Returns the first block of a language in the section about programs.
fn example(language: &str) -> String {
    example_after("\n## Programs\n", language)
}

fn example_after(words: &str, language: &str) -> String {
    let (_, section) = PAGE.split_once(words).unwrap();
    let (_, block) = section.split_once(&format!("```{language}\n")).unwrap();
    block.split_once("```").unwrap().0.to_owned()
}

fn shop(products: &[Value]) -> (People, Someone) {
    let people = People::with(Shop::with(products), &[]);
    let owner = people.join_as_admin("owner@example.com");
    (people, owner)
}

/// Runs a program with the variables that the page names; `None` if it is not on this machine.
fn run(people: &People, key: &str, program: &str, code: &str) -> Option<String> {
    if Command::new(program).arg("--version").output().is_err() {
        return None;
    }
    let output = Command::new(program)
        .args(["-c", code])
        .current_dir(people.shop.file("."))
        .env("SHOP", people.server.url(""))
        .env("DEALS_KEY", key)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    Some(text(&output.stdout).to_owned())
}

#[test]
fn a_cron_job_imports_a_file_with_curl() {
    let (people, owner) = shop(&[]);
    let key = key_of(&people, &owner, "nightly", &["import"]);
    let file = json!([product_with(1, json!({})), product_with(2, json!({}))]).to_string();
    std::fs::write(people.shop.file("products.json"), file).unwrap();
    if Command::new("curl").arg("--version").output().is_err() {
        return;
    }
    let first = run(&people, &key, "bash", &example("sh")).unwrap();
    let report: Value = serde_json::from_str(&first).unwrap();
    assert_eq!(report["added"], 2, "{report}");
    // The same night again.
    assert_eq!(run(&people, &key, "bash", &example("sh")).unwrap(), first);
}

#[test]
fn a_shell_reads_reports_and_strikes_out_a_price() {
    let (people, owner) = shop(&[product_with(1, json!({"_id": "lamp"}))]);
    make_up(
        &people.shop,
        "lamp",
        &[(9, 20_000, 10_000), (1, 20_000, 9_090)],
    );
    let key = key_of(
        &people,
        &owner,
        "shell",
        &["reports:read", "products:write"],
    );
    if Command::new("curl").arg("--version").output().is_err() {
        return;
    }
    let time = history(&people, "lamp")["points"][0]["from"].clone();
    let code = example_after("\nFrom a shell,", "sh");
    let code = format!("ID=lamp TIME={time}\n{code}");
    let said = run(&people, &key, "bash", &code).unwrap();
    assert!(said.contains("key,label,counted,leftOut"), "{said}");
    assert!(said.contains("\"finalPrice\":100"), "{said}");
    assert_eq!(
        history(&people, "lamp")["points"].as_array().unwrap().len(),
        1
    );
}

#[test]
fn a_shortcut_adds_and_updates_a_deal() {
    let (people, owner) = shop(&[]);
    let key = key_of(&people, &owner, "phone", &["products:write"]);
    let body: Value = serde_json::from_str(&example("json")).unwrap();
    let put = |body: &Value| {
        let request = people.request(Method::PUT, "/product/by-link");
        let answer = request.bearer_auth(&key).json(body).send().unwrap();
        (answer.status().as_u16(), answer.json::<Value>().unwrap())
    };
    let (status, added) = put(&body);
    assert_eq!((status, &added["added"]), (201, &json!(true)), "{added}");
    let mut dearer = body.clone();
    dearer["finalPrice"] = json!(1_199);
    let (status, changed) = put(&dearer);
    assert_eq!(
        (status, &changed["added"]),
        (200, &json!(false)),
        "{changed}"
    );
    assert_eq!(changed["product"]["_id"], added["product"]["_id"]);
    assert_eq!(changed["product"]["finalPrice"], 1_199);
    assert_eq!(changed["product"]["status"], "draft");
    let (status, refused) = put(&json!({"title": "x"}));
    assert_eq!(status, 400);
    assert!(refused["fields"]["price"].is_string(), "{refused}");
}

#[test]
fn a_python_script_ends_the_deals_of_a_seller() {
    let products = [
        product_with(1, json!({"source": "Croma"})),
        product_with(2, json!({"source": "Croma"})),
        product_with(3, json!({"source": "Amazon"})),
    ];
    let (people, owner) = shop(&products);
    let scopes = ["products:read", "products:write"];
    let key = key_of(&people, &owner, "script", &scopes);
    if let Some(said) = run(&people, &key, "python3", &example("python")) {
        assert_eq!(said, "2 deals ended\n");
        assert_eq!(people.server.titles(""), ["Product 3"]);
    }
}
