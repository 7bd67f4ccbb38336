//! Metrics, liveness and readiness.

use std::process::Command;

use serde_json::Value;

use crate::support::harness::{Server, Shop, product, text, wait_until};
use crate::support::tls::{TLS, certify, client};

pub fn metrics(server: &Server) -> (String, String) {
    let line = server.wait_for_line("metrics are at");
    let url = line.rsplit(' ').next().unwrap().to_owned();
    let text = read(server, &url);
    (url, text)
}

pub fn read(server: &Server, url: &str) -> String {
    let answer = server.client().get(url).send().unwrap();
    assert_eq!(answer.status(), 200);
    answer.text().unwrap()
}

/// The value of the sample that begins with this.
pub fn value(text: &str, sample: &str) -> f64 {
    let line = text.lines().find(|line| line.starts_with(sample));
    let line = line.unwrap_or_else(|| panic!("{sample} in {text}"));
    line.rsplit(' ').next().unwrap().parse().unwrap()
}

#[test]
fn metrics_are_served_on_their_own_address() {
    let shop = Shop::with(&[product(1), product(2)]);
    let server = shop.serve_with(&["--metrics-listen", "127.0.0.1:0", "--backup-dir", "backups"]);
    let id = server.list("limit=1")[0]["_id"]
        .as_str()
        .unwrap()
        .to_owned();
    for _ in 0..3 {
        server.post(&format!("/product/increament-views/{id}"));
    }
    server.get("/user/me/a-secret-token");
    server.get("/no/such/page");
    let (url, text) = metrics(&server);
    let clicks = "deals_http_requests_total{method=\"POST\",route=\"/product/increament-views/{id}\",status=\"200\"}";
    assert_eq!(value(&text, clicks), 3.0);
    assert_eq!(value(&text, "deals_products"), 2.0);
    assert!(value(&text, "deals_writes_total") >= 3.0);
    assert!(value(&text, "deals_database_bytes") > 100_000.0);
    assert!(value(&text, "deals_process_resident_memory_bytes") > 1_000_000.0);
    assert!(value(&text, "deals_disk_free_bytes") > 0.0);
    assert!(text.contains("deals_build_info{"), "{text}");
    let times = "deals_http_request_duration_seconds_count{route=\"/product/get-products\"}";
    assert_eq!(value(&text, times), 1.0);
    assert!(
        !text.contains("a-secret-token") && !text.contains("no/such"),
        "{text}"
    );
    wait_until("no connection is open", || {
        // Read to its end, so that the connection stays open.
        server.json("/healthz");
        value(&read(&server, &url), "deals_http_connections") >= 1.0
    });
    wait_until("there is no backup", || {
        value(
            &read(&server, &url),
            "deals_backup_newest_timestamp_seconds",
        ) > 0.0
    });
    // The site does not serve them, and nothing is counted unless enabled.
    assert_eq!(server.get("/metrics").status(), 404);
    assert!(!shop_without_metrics().contains("metrics are at"));
}

fn shop_without_metrics() -> String {
    Shop::with(&[product(1)]).serve().stop()
}

/// Returns the metrics that an expression in PromQL names.
fn named(expression: &str) -> impl Iterator<Item = &str> {
    let words = expression.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    words.filter(|word| word.starts_with("deals_"))
}

/// Returns the metrics of a shop with https and backups, which has all.
fn all_metrics() -> String {
    let shop = Shop::with(&[product(1)]);
    let trusted = certify(&shop, "deals.example.com");
    let options = ["--metrics-listen", "127.0.0.1:0", "--backup-dir", "backups"];
    let server = shop.serve_with(&[&TLS[..], &options].concat());
    let client = client(&server, "deals.example.com", &trusted);
    let list = format!("https://deals.example.com:{}/", server.port());
    assert_eq!(client.get(list).send().unwrap().status(), 200);
    metrics(&server).1
}

#[test]
fn the_dashboard_and_the_alerts_ask_for_metrics_that_exist() {
    let exposed = all_metrics();
    let assert_exposed = |expression: &str| {
        for name in named(expression) {
            let sample = |line: &str| {
                line.strip_prefix(name)
                    .is_some_and(|rest| rest.starts_with(['{', ' ']))
            };
            assert!(exposed.lines().any(sample), "{name} in {exposed}");
        }
    };
    let dashboard = include_str!("../../../assets/grafana-dashboard.json");
    let dashboard: Value = serde_json::from_str(dashboard).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    assert!(panels.len() >= 8);
    for panel in panels {
        for target in panel["targets"].as_array().unwrap() {
            assert_exposed(target["expr"].as_str().unwrap());
        }
    }
    let rules = include_str!("../../../docs/alerts.yml");
    let rules = rules.lines().filter(|line| line.contains(" expr: "));
    assert!(rules.clone().count() >= 8);
    rules.for_each(assert_exposed);
}

#[test]
fn prometheus_accepts_the_alerts() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/alerts.yml");
    // Where it is installed.
    let checked = Command::new("promtool")
        .args(["check", "rules", file])
        .output();
    if let Ok(checked) = checked {
        assert!(checked.status.success(), "{}", text(&checked.stderr));
    }
}

#[test]
fn a_healthy_server_answers_healthz_and_readyz() {
    let shop = Shop::with(&[product(1)]);
    let server = shop.serve();
    assert_eq!(server.json("/healthz")["status"], "ok");
    // Not ready either if the check takes more than two seconds.
    wait_until("it is not ready", || server.get("/readyz").status() == 200);
    assert_eq!(server.json("/readyz")["status"], "ok");
}
