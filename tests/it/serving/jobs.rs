//! Background jobs: what they report, how they recover, and how they end.

use std::fs;

use super::metrics::{metrics, read, value};
use crate::office::classifications::CHROME;
use crate::support::harness::{Server, Shop, fails, product_with, succeeds, text, wait_until};
use crate::support::people::{PASSWORD, People};

/// The jobs of a shop with a small database and scheduled backups.
const JOBS: [&str; 10] = [
    "backup",
    "clicks",
    "clock",
    "copies",
    "expired",
    "leftovers",
    "loss",
    "outgoing",
    "removed",
    "views",
];

fn serve(shop: &Shop) -> Server {
    shop.serve_with(&["--metrics-listen", "127.0.0.1:0", "--backup-dir", "backups"])
}

/// The value of a job's metric, nothing before the job has run.
fn figure(report: &str, name: &str, job: &str) -> Option<f64> {
    let sample = format!("deals_job_{name}{{job=\"{job}\"}}");
    report.contains(&sample).then(|| value(report, &sample))
}

fn line_of<'a>(check: &'a str, job: &str) -> &'a str {
    let subject = format!("job {job} ");
    let line = check.lines().find(|line| line.contains(&subject));
    line.unwrap_or_else(|| panic!("{subject} in {check}"))
}

#[test]
fn every_job_reports_its_last_run_in_metrics_and_in_check() {
    let shop = Shop::new();
    let server = serve(&shop);
    let (url, _) = metrics(&server);
    for job in JOBS {
        wait_until("a job has not run", || {
            figure(&read(&server, &url), "last_success_timestamp_seconds", job) > Some(1.7e9)
        });
        let report = read(&server, &url);
        assert_eq!(figure(&report, "failures_total", job), Some(0.0), "{job}");
        let seconds = figure(&report, "last_duration_seconds", job);
        assert!(seconds.is_some_and(|seconds| seconds >= 0.0), "{job}");
    }
    let checked = succeeds(shop.run(&["check"]));
    for job in JOBS {
        let line = line_of(&checked, job);
        assert!(
            line.starts_with("ok") && line.contains("ran on ") && line.contains(" (India), for "),
            "{line}"
        );
    }
    // It makes no backups, and a stopped server has no jobs.
    server.stop();
    assert!(!succeeds(shop.run(&["check"])).contains("job "));
    let server = shop.serve_with(&["--metrics-listen", "127.0.0.1:0"]);
    let (url, _) = metrics(&server);
    wait_until("a job has not run", || {
        let report = read(&server, &url);
        figure(&report, "last_duration_seconds", "outgoing").is_some()
    });
    assert!(!read(&server, &url).contains("\"backup\""));
}

#[test]
fn a_failed_job_is_retried() {
    let shop = Shop::new();
    // No folder can be made there.
    fs::write(shop.file("backups"), "").unwrap();
    let server = serve(&shop);
    let (url, _) = metrics(&server);
    wait_until("a failed job is not tried again", || {
        figure(&read(&server, &url), "failures_total", "backup") >= Some(2.0)
    });
    let report = read(&server, &url);
    let succeeded = figure(&report, "last_success_timestamp_seconds", "backup");
    assert_eq!(succeeded, Some(0.0));
    let output = shop.run(&["check"]);
    let (checked, error) = (text(&output.stdout), fails(output));
    let line = line_of(&checked, "backup");
    assert!(
        line.starts_with("wrong") && line.contains("the folder backups"),
        "{line}"
    );
    assert!(line.contains("times in a row"), "{line}");
    assert!(error.contains("1 problem found"), "{error}");
    // The others go on.
    assert!(line_of(&checked, "outgoing").starts_with("ok"), "{checked}");

    fs::remove_file(shop.file("backups")).unwrap();
    server.wait_for_line("backed up");
    wait_until("a job that works again is not reported", || {
        let output = shop.run(&["check"]);
        line_of(&text(&output.stdout), "backup").starts_with("ok")
    });
}

#[test]
fn failing_backups_are_reported_by_readyz_office_and_mail() {
    let shop = Shop::with(&[product_with(1, serde_json::json!({}))]);
    // No folder can be made there.
    fs::write(shop.file("backups"), "").unwrap();
    let owner = [
        "add",
        "owner@example.com",
        "--username",
        "owner",
        "--admin",
        "--password-stdin",
    ];
    succeeds(shop.user(&owner, PASSWORD));
    let options = ["--metrics-listen", "127.0.0.1:0", "--backup-dir", "backups"];
    let people = People::with(shop, &options);
    let (url, _) = metrics(&people.server);
    let owner = people.sign_in("owner@example.com");
    let mail = people.mailbox.next();
    assert_eq!(mail.subject(), "The backups of your shop are failing");
    assert!(mail.recipients[0].contains("owner@example.com"));
    assert!(mail.data.contains("the folder backups"), "{}", mail.data);
    let report = read(&people.server, &url);
    assert_eq!(value(&report, "deals_backup_newest_timestamp_seconds"), 0.0);
    let ready = people.server.get("/readyz");
    assert_eq!(ready.status(), 200);
    let ready: serde_json::Value = ready.json().unwrap();
    let named = serde_json::json!({"status": "ok", "problems": ["the last backup failed"]});
    assert_eq!(ready, named);
    let office = || {
        let needs = people.request(reqwest::Method::GET, "/report/needs");
        let needs = needs.bearer_auth(&owner.token).send().unwrap();
        needs.text().unwrap()
    };
    let said = office();
    assert!(said.contains("The last backup failed"), "{said}");
    assert!(said.contains("the folder backups"), "{said}");

    fs::remove_file(people.shop.file("backups")).unwrap();
    people.server.wait_for_line("backed up");
    wait_until("a backup that works is still named", || {
        people.server.json("/readyz") == serde_json::json!({"status": "ok"})
    });
    assert!(people.mailbox.unread().is_empty(), "one mail is enough");
    assert!(!office().contains("The last backup failed"));
    let report = read(&people.server, &url);
    assert!(value(&report, "deals_backup_newest_timestamp_seconds") > 1.7e9);
}

#[test]
fn shutdown_waits_for_running_jobs() {
    let shop = Shop::with(&[product_with(1, serde_json::json!({"_id": "one"}))]);
    let server = serve(&shop);
    server.wait_for_line("backed up");
    let page = server.client().get(server.url("/details/one"));
    let answer = page.header("user-agent", CHROME).send().unwrap();
    assert_eq!(answer.status(), 200);
    let log = server.stop();
    assert!(!log.contains("stopped during a run"), "{log}");
    let views = "SELECT sum(views) FROM daily_views";
    let views: Option<i64> = shop
        .database()
        .query_row(views, [], |row| row.get(0))
        .unwrap();
    assert_eq!(views, Some(1));
    assert!(!shop.file("deals.sqlite-wal").exists());
}
