//! The place of scheduled backups.

use std::path::Path;

use serde_json::{Value, json};

use super::{HERE, Office};
use crate::support::bucket::{self, Bucket};
use crate::support::harness::wait_until;

const BACKUPS: &str = "/settings/backups";

fn made_in(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let backups = entries.filter(|entry| entry.path().extension().is_some_and(|it| it == "sqlite"));
    backups.count()
}

fn bucket_of(bucket: &Bucket) -> Value {
    let endpoint = bucket
        .variables()
        .into_iter()
        .find(|(name, _)| *name == "AWS_ENDPOINT_URL");
    json!({
        "place": "s3://shops/mine", "endpoint": endpoint.unwrap().1, "region": bucket::REGION,
        "keyId": bucket::KEY, "secretKey": bucket::SECRET,
    })
}

#[test]
fn backups_go_to_a_chosen_folder_without_a_restart() {
    let office = Office::open(&[]);
    let before = office.get(BACKUPS);
    assert_eq!(
        (&before["place"], &before["setBy"]),
        (&json!(""), &Value::Null)
    );
    assert_eq!(before["keyFile"], "deals.sqlite.key");
    let root = before["root"].as_str().unwrap().to_owned();
    let folder = Path::new(&root).join("backups");
    let saved = office.saved(BACKUPS, &json!({"place": folder}));
    assert_eq!(saved["schedule"], "Every 24 hours; the newest 7 are kept.");
    wait_until("no backup is made", || made_in(&folder) == 1);
    assert_eq!(office.post("/settings/backups/test").0, 200);
    let overview = office.get("/report/overview");
    let steps = overview["setup"].as_array().unwrap();
    assert!(
        steps
            .iter()
            .any(|step| step["key"] == "backup" && step["done"] == true)
    );
    let line = office.check("backups", &[]);
    assert!(
        line.contains("1 in") && line.contains("on the disk of the database"),
        "{line}"
    );

    let other = Path::new(&root).join("others/of shop");
    office.saved(BACKUPS, &json!({"place": other}));
    wait_until("no backup is made in the next folder", || {
        made_in(&other) == 1
    });
    assert_eq!(made_in(&folder), 1);
    office.saved(BACKUPS, &json!({"place": ""}));
    assert_eq!(office.post("/settings/backups/test").0, 409);
    let (_, office) = office.restart(&[]);
    assert_eq!(office.get(BACKUPS)["place"], "");
}

#[test]
fn a_folder_elsewhere_or_that_cannot_be_used_is_refused() {
    let office = Office::open(&[]);
    let root = office.get(BACKUPS)["root"].as_str().unwrap().to_owned();
    std::fs::write(Path::new(&root).join("file"), "").unwrap();
    for place in [
        "/etc".to_owned(),
        "../backups".to_owned(),
        root.clone(),
        format!("{root}/../elsewhere"),
        format!("{root}/.ssh"),
        format!("{root}/deals.sqlite.acme"),
        format!("{root}/file"),
        format!("{root}/file/below"),
        "~/backups".to_owned(),
        "https://example.com/a".to_owned(),
    ] {
        let fields = office.refused(BACKUPS, &json!({"place": place}));
        assert!(fields["place"].is_string(), "{place}: {fields}");
    }
    assert_eq!(office.get(BACKUPS)["place"], "");
    assert!(!Path::new(&root).join("../elsewhere").exists());
}

#[test]
fn a_refused_folder_is_told_its_own_reason_and_a_bare_name_is_a_folder_beside_the_database() {
    let office = Office::open(&[]);
    let root = office.get(BACKUPS)["root"].as_str().unwrap().to_owned();
    for (place, reason) in [
        ("/etc".to_owned(), "Only a folder inside"),
        (format!("{root}/.ssh"), "cannot begin with a dot"),
        (format!("{root}/deals.sqlite-old"), "or with deals.sqlite"),
    ] {
        let fields = office.refused(BACKUPS, &json!({"place": place}));
        let said = fields["place"].as_str().unwrap();
        assert!(
            said.contains(reason) && said.contains(&format!("{root}/backups")),
            "{said}"
        );
    }
    let saved = office.saved(BACKUPS, &json!({"place": "my copies"}));
    assert_eq!(saved["place"], format!("{root}/my copies"));
}

const MADE: &str = "/settings/backups/made";

/// Waits until no backup is being made, and returns the answer about them.
fn when_made(office: &Office, total: u64) -> Value {
    wait_until("the backup is not made", || {
        let made = office.get(MADE);
        made["making"] == false && made["total"] == total
    });
    office.get(MADE)
}

#[test]
fn a_backup_is_made_on_demand_and_listed_with_time_and_size() {
    let office = Office::open(&[]);
    let none = office.get(MADE);
    assert_eq!((&none["next"], &none["newest"]), (&Value::Null, &json!([])));
    let (status, said) = office.post(MADE);
    assert_eq!(status, 409);
    assert!(
        said["error"].as_str().unwrap().contains("No place"),
        "{said}"
    );

    let root = office.get(BACKUPS)["root"].as_str().unwrap().to_owned();
    let folder = Path::new(&root).join("backups");
    office.saved(BACKUPS, &json!({"place": folder}));
    let first = when_made(&office, 1);
    // The next one has another second in its name.
    let name = first["newest"][0]["name"].as_str().unwrap();
    std::fs::rename(
        folder.join(name),
        folder.join("deals-20260101T000000Z.sqlite"),
    )
    .unwrap();
    assert_eq!(office.post(MADE).0, 200);
    let made = when_made(&office, 2);
    let newest = made["newest"].as_array().unwrap();
    let size = std::fs::metadata(folder.join(newest[0]["name"].as_str().unwrap())).unwrap();
    assert_eq!(newest[0]["bytes"], size.len());
    assert_eq!(newest[1]["name"], "deals-20260101T000000Z.sqlite");
    assert!(made["next"].as_str() > newest[0]["at"].as_str(), "{made}");
    assert_eq!(
        (&made["failure"], &made["problem"]),
        (&Value::Null, &Value::Null)
    );
}

#[test]
fn a_backup_on_demand_that_fails_says_why_and_is_made_once_the_place_can_be_used() {
    let office = Office::open(&[]);
    let root = office.get(BACKUPS)["root"].as_str().unwrap().to_owned();
    let folder = Path::new(&root).join("backups");
    office.saved(BACKUPS, &json!({"place": folder}));
    let name = when_made(&office, 1)["newest"][0]["name"].clone();
    let aside = Path::new(&root).join("aside");
    std::fs::rename(&folder, &aside).unwrap();
    assert_eq!(office.post(MADE).0, 200);
    wait_until("the failure is not shown", || {
        let made = office.get(MADE);
        let failure = made["failure"].as_str().unwrap_or_default();
        failure.contains("had backups, and is gone") && made["problem"].is_string()
    });
    std::fs::rename(
        aside.join(name.as_str().unwrap()),
        aside.join("deals-20260101T000000Z.sqlite"),
    )
    .unwrap();
    std::fs::rename(&aside, &folder).unwrap();
    let made = when_made(&office, 2);
    wait_until("the failure is still shown", || {
        office.get(MADE)["failure"].is_null()
    });
    assert_eq!(made["problem"], Value::Null);
}

#[test]
fn a_backup_on_demand_goes_to_a_bucket_in_which_nothing_changed() {
    let (office, bucket) = (Office::open(&HERE), Bucket::start());
    office.saved(BACKUPS, &bucket_of(&bucket));
    let first = when_made(&office, 1);
    let size = first["newest"][0]["bytes"].as_u64().unwrap();
    assert!(size > 100, "{first}");
    // The next one has another second in its name.
    let name = bucket.backups().remove(0);
    let (folder, file) = name.rsplit_once('/').unwrap();
    let old = format!("{folder}/20260101T000000Z{}", &file[16..]);
    bucket.put(&old, &bucket.object(&name));
    bucket.remove(&name);
    assert_eq!(office.post(MADE).0, 200);
    when_made(&office, 2);
}

#[test]
fn backups_go_to_a_chosen_bucket_whose_secret_is_never_shown() {
    let (office, bucket) = (Office::open(&HERE), Bucket::start());
    let saved = office.saved(BACKUPS, &bucket_of(&bucket));
    assert!(saved["secretKeyAt"].is_string(), "{saved}");
    wait_until("no backup is made", || bucket.backups().len() == 1);
    let (status, said) = office.post("/settings/backups/test");
    assert_eq!(status, 200, "{said}");
    let answers = [
        saved.to_string(),
        office.get(BACKUPS).to_string(),
        office.get("/product/activity").to_string(),
    ];
    for answer in answers {
        assert!(!answer.contains(bucket::SECRET), "{answer}");
    }
    assert!(!office.is_stored(bucket::SECRET));
    let line = office.check("backups", &HERE);
    assert!(line.starts_with("ok"), "{line}");
    let mut other = bucket_of(&bucket);
    other.as_object_mut().unwrap().remove("secretKey");
    assert_eq!(office.save(BACKUPS, &other).0, 200);
    other["keyId"] = "another".into();
    assert!(office.refused(BACKUPS, &other)["secretKey"].is_string());
    let (log, _) = office.restart(&HERE);
    assert!(!log.contains(bucket::SECRET), "{log}");
}

#[test]
fn a_bucket_that_refuses_the_key_is_reported_in_words_of_the_form() {
    let (office, bucket) = (Office::open(&HERE), Bucket::start());
    let mut wrong = bucket_of(&bucket);
    wrong["keyId"] = "unknown".into();
    office.saved(BACKUPS, &wrong);
    let (status, said) = office.post("/settings/backups/test");
    let said = said["error"].as_str().unwrap();
    assert_eq!(status, 409);
    assert!(
        said.contains("Correct the key id.") && !said.contains("AWS_"),
        "{said}"
    );
}

#[test]
fn a_bucket_is_checked_field_by_field() {
    let office = Office::open(&[]);
    let fine = json!({
        "place": "s3://shops/mine", "endpoint": "https://s3.example.com", "region": "auto",
        "keyId": "id", "secretKey": "secret",
    });
    for (field, value) in [
        ("place", "s3://x"),
        ("endpoint", "http://s3.example.com"),
        ("endpoint", "http://127.0.0.1:9000"),
        ("endpoint", "https://user:word@s3.example.com"),
        ("endpoint", "https://s3.example.com/path"),
        ("endpoint", "file:///etc"),
        ("region", "a b"),
        ("region", ""),
        ("keyId", ""),
        ("keyId", "\"id\""),
        ("secretKey", ""),
        ("secretKey", "two words"),
    ] {
        let mut wrong = fine.clone();
        wrong[field] = value.into();
        let fields = office.refused(BACKUPS, &wrong);
        assert!(fields[field].is_string(), "{wrong}: {fields}");
    }
}

#[test]
fn no_chosen_bucket_leads_to_an_address_that_is_not_public() {
    let (office, bucket) = (Office::open(&[]), Bucket::start());
    for endpoint in [
        "https://127.0.0.1:9",
        "https://localhost:9",
        "https://[::1]:9",
    ] {
        let mut here = bucket_of(&bucket);
        here["endpoint"] = endpoint.into();
        office.saved(BACKUPS, &here);
        let (status, said) = office.post("/settings/backups/test");
        assert_eq!(status, 409);
        let said = said["error"].as_str().unwrap();
        assert!(
            said.contains("not at a public address"),
            "{endpoint}: {said}"
        );
    }
}

#[test]
fn an_option_wins_over_a_chosen_place_and_is_shown() {
    let office = Office::open(&[]);
    let root = office.get(BACKUPS)["root"].as_str().unwrap().to_owned();
    office.saved(BACKUPS, &json!({"place": format!("{root}/chosen")}));
    let (_, office) = office.restart(&["--backup-dir", "given"]);
    let shown = office.get(BACKUPS);
    assert_eq!(
        (&shown["setBy"], &shown["place"]),
        (&json!("DEALS_BACKUP_DIR"), &json!("given"))
    );
    let (status, said) = office.save(BACKUPS, &json!({"place": ""}));
    assert_eq!(status, 409);
    assert!(
        said["error"].as_str().unwrap().contains("DEALS_BACKUP_DIR"),
        "{said}"
    );
    wait_until("no backup is made", || {
        made_in(&office.shop.file("given")) == 1
    });
}

#[test]
fn a_shop_with_another_key_asks_for_the_secret_key_again() {
    let (office, bucket) = (Office::open(&HERE), Bucket::start());
    office.saved(BACKUPS, &bucket_of(&bucket));
    wait_until("no backup is made", || bucket.backups().len() == 1);
    let office = office.with_another_key(&HERE);
    office.server.wait_for_line("another key than the shop's");
    let (status, said) = office.post("/settings/backups/test");
    assert_eq!(status, 409);
    assert!(
        said["error"].as_str().unwrap().contains("Enter it again"),
        "{said}"
    );
    let need = office.need("backup");
    assert!(need.contains("another key than the shop's"), "{need}");
    let line = office.check("backups", &HERE);
    assert!(
        line.starts_with("wrong") && line.contains("another key"),
        "{line}"
    );
    let mut again = bucket_of(&bucket);
    again["place"] = "s3://shops/again".into();
    office.saved(BACKUPS, &again);
    wait_until("no backup is made", || bucket.backups().len() == 2);
}
