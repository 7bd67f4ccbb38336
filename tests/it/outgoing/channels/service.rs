//! A service that takes messages, in the test's process: the Bot API of Telegram, and webhooks of Discord.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::support::harness::wait_until;

/// A request as it arrived.
#[derive(Debug, Clone)]
pub struct Received {
    /// Method and address, like `POST /bot1:A/sendPhoto`.
    pub line: String,
    pub headers: String,
    pub raw: String,
    pub body: Value,
}

impl Received {
    /// Last segment of the address.
    pub fn call(&self) -> &str {
        self.line.rsplit('/').next().unwrap()
    }

    pub fn text(&self, field: &str) -> &str {
        self.body[field].as_str().unwrap_or_default()
    }
}

/// An answer to one request.
pub enum Next {
    Status(u16, Value),
    /// The connection is closed without an answer.
    CutOff,
    /// There is no answer.
    Silence,
}

#[derive(Default)]
struct State {
    received: Vec<Received>,
    next: VecDeque<Next>,
    is_down: bool,
    /// Requests during outages.
    refused: Vec<Received>,
}

/// Takes every message, unless it is told what to answer next.
pub struct Service {
    port: u16,
    state: Arc<Mutex<State>>,
}

impl Service {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let service = Self {
            port: listener.local_addr().unwrap().port(),
            state: Arc::default(),
        };
        let state = Arc::clone(&service.state);
        std::thread::spawn(move || {
            let mut unanswered = Vec::new();
            for mut stream in listener.incoming().map_while(Result::ok) {
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                let mut lines = Vec::new();
                let mut line = String::new();
                while reader.read_line(&mut line).is_ok_and(|read| read > 2) {
                    lines.push(std::mem::take(&mut line).trim().to_owned());
                }
                let length = lines.iter().find_map(|line| {
                    let (name, value) = line.split_once(": ")?;
                    name.eq_ignore_ascii_case("content-length")
                        .then(|| value.parse().unwrap())
                });
                let mut body = vec![0; length.unwrap_or_default()];
                if lines.is_empty() || reader.read_exact(&mut body).is_err() {
                    continue;
                }
                let mut state = state.lock().unwrap();
                let number = state.received.len() + 1;
                let received = Received {
                    line: lines[0].trim_end_matches(" HTTP/1.1").to_owned(),
                    headers: lines[1..].join("\n"),
                    body: serde_json::from_slice(&body).unwrap_or_default(),
                    raw: String::from_utf8(body).unwrap(),
                };
                let taken = json!({
                    "ok": true, "result": { "message_id": number }, "id": number.to_string(),
                });
                let mut next = state.next.pop_front();
                if next.is_none() && state.is_down {
                    state.refused.push(received);
                    next = Some(Next::Status(500, json!({})));
                } else {
                    state.received.push(received);
                }
                let (status, answer) = match next.unwrap_or(Next::Status(200, taken)) {
                    Next::Status(status, answer) => (status, answer.to_string()),
                    Next::CutOff => continue,
                    Next::Silence => {
                        unanswered.push(stream);
                        continue;
                    }
                };
                let answer = format!(
                    "HTTP/1.1 {status} Said\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{answer}",
                    answer.len()
                );
                let _ = stream.write_all(answer.as_bytes());
            }
        });
        service
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// Sets what is answered to the next request that has no answer yet.
    pub fn then(&self, next: Next) {
        self.state.lock().unwrap().next.push_back(next);
    }

    /// Begins or ends an outage: nothing is taken, and each request is answered with 500.
    pub fn set_down(&self, is_down: bool) {
        self.state.lock().unwrap().is_down = is_down;
    }

    /// Returns the requests that were made during outages.
    pub fn refused(&self) -> Vec<Received> {
        self.state.lock().unwrap().refused.clone()
    }

    /// Has the next request refused as Telegram does.
    pub fn then_refuse(&self, status: u16, description: &str) {
        self.then(Next::Status(
            status,
            json!({"ok": false, "error_code": status, "description": description}),
        ));
    }

    pub fn received(&self) -> Vec<Received> {
        self.state.lock().unwrap().received.clone()
    }

    /// Waits for this many requests in total, and returns the last one.
    pub fn wait_for(&self, count: usize) -> Received {
        wait_until("the message arrives", || self.received().len() >= count);
        self.received()[count - 1].clone()
    }
}
