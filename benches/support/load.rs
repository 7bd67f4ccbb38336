//! A load generator: connections that are kept open, several to a thread.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::quantile;

/// One connection.
pub struct Client {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Client {
    pub fn connect(address: &str) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        Self {
            stream,
            buffer: Vec::with_capacity(1 << 16),
        }
    }

    pub fn send(&mut self, method: &str, path: &str) {
        let request =
            format!("{method} {path} HTTP/1.1\r\nhost: bench\r\ncontent-length: 0\r\n\r\n");
        self.stream.write_all(request.as_bytes()).unwrap();
    }

    /// Reads an answer: its status, and the length of its body.
    pub fn receive(&mut self) -> (u16, usize) {
        self.buffer.clear();
        let mut part = [0; 1 << 16];
        loop {
            let read = self.stream.read(&mut part).unwrap();
            assert!(read > 0, "the server closed the connection");
            self.buffer.extend_from_slice(&part[..read]);
            let Some(head) = self.buffer.windows(4).position(|four| four == b"\r\n\r\n") else {
                continue;
            };
            let text = String::from_utf8_lossy(&self.buffer[..head]).to_ascii_lowercase();
            let length = text.split("content-length: ").nth(1);
            let length = length.and_then(|rest| rest.split("\r\n").next()?.parse::<usize>().ok());
            let length = length.unwrap();
            while self.buffer.len() < head + 4 + length {
                let read = self.stream.read(&mut part).unwrap();
                assert!(read > 0, "the server closed the connection");
                self.buffer.extend_from_slice(&part[..read]);
            }
            let status = text.split(' ').nth(1).unwrap().parse().unwrap();
            return (status, length);
        }
    }

    /// Asks once: milliseconds, and the body's length.
    pub fn get(&mut self, path: &str) -> (f64, usize) {
        let start = Instant::now();
        self.send("GET", path);
        let (status, length) = self.receive();
        assert_eq!(status, 200, "{path}");
        (start.elapsed().as_secs_f64() * 1_000.0, length)
    }

    /// The body of an answer.
    pub fn text(&mut self, path: &str) -> String {
        let (_, length) = self.get(path);
        String::from_utf8_lossy(&self.buffer[self.buffer.len() - length..]).into_owned()
    }
}

/// What a load came to.
pub struct Load {
    pub per_second: f64,
    /// Milliseconds.
    pub median: f64,
    pub p99: f64,
    pub slowest: f64,
}

/// Sends requests over so many connections, two threads in all, for some seconds; each
/// goes through the paths from a place of its own.
pub fn load(
    address: &str,
    method: &str,
    paths: &[String],
    connections: usize,
    seconds: f64,
) -> Load {
    let start = Instant::now();
    let end = start + Duration::from_secs_f64(seconds);
    let threads = 2.min(connections);
    let mut times: Vec<f64> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads)
            .map(|thread| {
                scope.spawn(move || {
                    let clients = connections / threads;
                    let mut clients: Vec<Client> =
                        (0..clients).map(|_| Client::connect(address)).collect();
                    let mut next = thread * paths.len() / threads;
                    let mut times = Vec::new();
                    while Instant::now() < end {
                        let mut sent = Vec::with_capacity(clients.len());
                        for client in &mut clients {
                            next = (next + 1) % paths.len();
                            sent.push(Instant::now());
                            client.send(method, &paths[next]);
                        }
                        for (client, sent) in clients.iter_mut().zip(sent) {
                            let (status, _) = client.receive();
                            assert_eq!(status, 200);
                            times.push(sent.elapsed().as_secs_f64() * 1_000.0);
                        }
                    }
                    times
                })
            })
            .collect();
        running
            .into_iter()
            .flat_map(|thread| thread.join().unwrap())
            .collect()
    });
    let elapsed = start.elapsed().as_secs_f64();
    Load {
        per_second: times.len() as f64 / elapsed,
        median: quantile(&mut times, 0.5),
        p99: quantile(&mut times, 0.99),
        slowest: quantile(&mut times, 1.0),
    }
}

/// Clicks at a steady rate until told to stop; gives the slowest answer in milliseconds.
pub fn click_steadily(address: &str, ids: &[String], per_second: u32, stop: &AtomicBool) -> f64 {
    let mut client = Client::connect(address);
    let pause = Duration::from_secs(1) / per_second;
    let mut slowest: f64 = 0.0;
    let mut due = Instant::now();
    for id in ids.iter().cycle() {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let sent = Instant::now();
        client.send("POST", &format!("/product/increament-views/{id}"));
        let (status, _) = client.receive();
        assert_eq!(status, 200);
        slowest = slowest.max(sent.elapsed().as_secs_f64() * 1_000.0);
        due += pause;
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
    }
    slowest
}
