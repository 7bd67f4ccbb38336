//! Log output of a running server.

use serde_json::Value;

use crate::support::harness::{Server, Shop, product};

#[test]
fn the_log_can_be_json_with_request_id_route_status_and_time() {
    let shop = Shop::with(&[product(1)]);
    let mut serve = shop.serve_command(&["--log-format", "json"]);
    serve.env("DEALS_LOG", "deals=debug");
    let server = Server::start(serve);
    let answer = server.get("/user/me/a-secret-token?search=private");
    let id = answer.headers()["x-request-id"]
        .to_str()
        .unwrap()
        .to_owned();
    let line = server.wait_for_line("answered");
    let line: Value = serde_json::from_str(&line).unwrap();
    let request = &line["span"];
    assert_eq!(request["id"], id);
    assert_eq!(request["method"], "GET");
    assert_eq!(request["route"], "/user/me/{token}");
    assert_eq!(line["status"], 401);
    assert!(line["ms"].as_f64().unwrap() >= 0.0, "{line}");
    assert!(line["timestamp"].as_str().unwrap().ends_with('Z'));
    let rest = server.stop();
    for secret in ["a-secret-token", "private"] {
        assert!(!line.to_string().contains(secret) && !rest.contains(secret));
    }
}
