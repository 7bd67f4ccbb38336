//! A receiver of webhooks in the test's process.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::Value;
use sha2::Sha256;

use crate::support::harness::wait_until;

/// A request as it arrived.
#[derive(Debug, Clone)]
pub struct Received {
    pub headers: BTreeMap<String, String>,
    pub bytes: Vec<u8>,
    pub text: String,
}

impl Received {
    pub fn body(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }

    /// Verifies the request as the specification describes; returns the number of valid signatures.
    pub fn valid_signatures(&self, secret: &str) -> usize {
        let key = STANDARD
            .decode(secret.strip_prefix("whsec_").unwrap())
            .unwrap();
        let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
        let (id, at) = (
            &self.headers["webhook-id"],
            &self.headers["webhook-timestamp"],
        );
        mac.update(format!("{id}.{at}.{}", self.text).as_bytes());
        let expected = format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()));
        let given = self.headers["webhook-signature"].split(' ');
        given.filter(|one| *one == expected).count()
    }
}

#[derive(Default)]
struct State {
    received: Vec<Received>,
    answer: String,
    is_silent: bool,
}

/// Answers each request with the answer that is set.
pub struct Receiver {
    port: u16,
    state: Arc<Mutex<State>>,
}

impl Receiver {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let receiver = Self {
            port: listener.local_addr().unwrap().port(),
            state: Arc::default(),
        };
        receiver.answer("204 No Content");
        let state = Arc::clone(&receiver.state);
        std::thread::spawn(move || {
            let mut unanswered = Vec::new();
            for mut stream in listener.incoming().map_while(Result::ok) {
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                let mut headers = BTreeMap::new();
                let mut line = String::new();
                while reader.read_line(&mut line).is_ok_and(|read| read > 2) {
                    if let Some((name, value)) = line.split_once(": ") {
                        headers.insert(name.to_lowercase(), value.trim().to_owned());
                    }
                    line.clear();
                }
                let length = headers.get("content-length").map_or("0", String::as_str);
                let mut body = vec![0; length.parse().unwrap()];
                if reader.read_exact(&mut body).is_err() {
                    continue;
                }
                let text = String::from_utf8_lossy(&body).into_owned();
                let mut state = state.lock().unwrap();
                let received = Received {
                    headers,
                    bytes: body,
                    text,
                };
                state.received.push(received);
                if state.is_silent {
                    unanswered.push(stream);
                    continue;
                }
                let answer = format!(
                    "HTTP/1.1 {}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
                    state.answer
                );
                let _ = stream.write_all(answer.as_bytes());
            }
        });
        receiver
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// Sets the status line and further headers.
    pub fn answer(&self, answer: &str) {
        self.state.lock().unwrap().answer = answer.to_owned();
    }

    /// Leaves every later request without an answer.
    pub fn fall_silent(&self) {
        self.state.lock().unwrap().is_silent = true;
    }

    pub fn received(&self) -> Vec<Received> {
        self.state.lock().unwrap().received.clone()
    }

    /// Waits for this many requests in total, and returns the last one.
    pub fn wait_for(&self, count: usize) -> Received {
        wait_until("the request arrives", || self.received().len() >= count);
        self.received()[count - 1].clone()
    }
}
