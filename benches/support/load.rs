//! Load generator with persistent connections.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use memchr::memmem;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use super::quantile;

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
        self.stream.write_all(&request(method, path)).unwrap();
    }

    /// Reads a response: status and length of its body.
    pub fn receive(&mut self) -> (u16, usize) {
        self.buffer.clear();
        loop {
            let filled = self.buffer.len();
            self.buffer.resize(filled + (1 << 14), 0);
            let read = self.stream.read(&mut self.buffer[filled..]).unwrap();
            assert!(read > 0, "the server closed the connection");
            self.buffer.truncate(filled + read);
            if let Some((status, head, body)) = head(&self.buffer)
                && self.buffer.len() == head + body
            {
                return (status, body);
            }
        }
    }

    /// Sends one request; returns milliseconds and body length.
    pub fn get(&mut self, path: &str) -> (f64, usize) {
        let start = Instant::now();
        self.send("GET", path);
        let (status, length) = self.receive();
        assert_eq!(status, 200, "{path}");
        (start.elapsed().as_secs_f64() * 1_000.0, length)
    }

    /// Returns the body of a request with further headers.
    pub fn body(&mut self, path: &str, headers: &str) -> Vec<u8> {
        let request = with_headers(request("GET", path), headers);
        self.stream.write_all(&request).unwrap();
        let (status, length) = self.receive();
        assert_eq!(status, 200, "{path}");
        self.buffer[self.buffer.len() - length..].to_vec()
    }

    pub fn text(&mut self, path: &str) -> String {
        let (_, length) = self.get(path);
        String::from_utf8_lossy(&self.buffer[self.buffer.len() - length..]).into_owned()
    }
}

pub struct Load {
    pub answers: f64,
    pub per_second: f64,
    /// Milliseconds.
    pub median: f64,
    pub p99: f64,
    pub slowest: f64,
}

/// Sends requests over several connections on one thread for some seconds; each starts at a
/// different path and runs independently.
pub fn load(
    address: &str,
    method: &str,
    paths: &[String],
    connections: usize,
    seconds: f64,
) -> Load {
    load_with(address, method, "", paths, connections, seconds)
}

pub fn load_with(
    address: &str,
    method: &str,
    headers: &str,
    paths: &[String],
    connections: usize,
    seconds: f64,
) -> Load {
    let requests = requests(method, headers, paths);
    let end = Instant::now() + Duration::from_secs_f64(seconds);
    all_of(connections, |connection| {
        let first = connection * requests.len() / connections;
        let (address, requests) = (address.to_owned(), Arc::clone(&requests));
        async move {
            let stream = tokio::net::TcpStream::connect(address).await.unwrap();
            stream.set_nodelay(true).unwrap();
            ask_until(end, stream, requests, first).await
        }
    })
}

pub fn requests(method: &str, headers: &str, paths: &[String]) -> Arc<[Vec<u8>]> {
    paths
        .iter()
        .map(|path| with_headers(request(method, path), headers))
        .collect()
}

/// Runs connections on one thread; each returns the milliseconds of its responses.
pub fn all_of<F>(connections: usize, mut connection: impl FnMut(usize) -> F) -> Load
where
    F: Future<Output = Vec<f64>> + Send + 'static,
{
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()
        .unwrap();
    let start = Instant::now();
    let mut times = runtime.block_on(async {
        let running: Vec<_> = (0..connections)
            .map(|number| tokio::spawn(connection(number)))
            .collect();
        let mut times = Vec::new();
        for connection in running {
            times.extend(connection.await.unwrap());
        }
        times
    });
    let elapsed = start.elapsed().as_secs_f64();
    let answers = times.len() as f64;
    Load {
        answers,
        per_second: answers / elapsed,
        median: quantile(&mut times, 0.5),
        p99: quantile(&mut times, 0.99),
        slowest: quantile(&mut times, 1.0),
    }
}

/// Sends requests over one connection in sequence; returns the milliseconds of each.
pub async fn ask_until<S: AsyncRead + AsyncWrite + Unpin>(
    end: Instant,
    mut stream: S,
    requests: Arc<[Vec<u8>]>,
    first: usize,
) -> Vec<f64> {
    let mut buffer = vec![0; 1 << 16];
    let mut times = Vec::new();
    let mut next = first;
    loop {
        let sent = Instant::now();
        if sent >= end {
            return times;
        }
        ask_once(&mut stream, &requests[next], &mut buffer).await;
        next = (next + 1) % requests.len();
        times.push(sent.elapsed().as_secs_f64() * 1_000.0);
    }
}

/// Sends a request and reads the whole response.
pub async fn ask_once<S: AsyncRead + AsyncWrite + Unpin>(
    stream: &mut S,
    request: &[u8],
    buffer: &mut Vec<u8>,
) {
    stream.write_all(request).await.unwrap();
    let mut filled = 0;
    let mut wanted = usize::MAX;
    while filled < wanted {
        if filled == buffer.len() {
            buffer.resize(2 * filled, 0);
        }
        let read = stream.read(&mut buffer[filled..]).await.unwrap();
        assert!(read > 0, "the server closed the connection");
        filled += read;
        if wanted == usize::MAX
            && let Some((status, head, body)) = head(&buffer[..filled])
        {
            assert_eq!(status, 200);
            wanted = head + body;
        }
    }
}

/// Returns a browser's request: others get 503 from a server that is too busy to render pages.
fn request(method: &str, path: &str) -> Vec<u8> {
    format!(
        "{method} {path} HTTP/1.1\r\nhost: localhost\r\nuser-agent: Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0\r\n\
         accept: text/html,*/*\r\ncontent-length: 0\r\n\r\n"
    )
    .into_bytes()
}

fn with_headers(mut request: Vec<u8>, headers: &str) -> Vec<u8> {
    request.truncate(request.len() - 2);
    request.extend_from_slice(headers.as_bytes());
    request.extend_from_slice(b"\r\n");
    request
}

/// Returns status, head length and body length, once the head is complete.
fn head(answer: &[u8]) -> Option<(u16, usize, usize)> {
    const LENGTH: &[u8] = b"content-length: ";
    let head = memmem::find(answer, b"\r\n\r\n")?;
    let number = |digits: &[u8]| std::str::from_utf8(digits).unwrap().parse().unwrap();
    let status = answer.split(|byte| *byte == b' ').nth(1).unwrap();
    // Parses no more than needed, to keep the load generator cheap.
    let length = answer[..head]
        .split(|byte| *byte == b'\n')
        .find_map(|line| {
            let (name, value) = line.split_at_checked(LENGTH.len())?;
            // Header names are case-insensitive.
            name.eq_ignore_ascii_case(LENGTH)
                .then(|| value.trim_ascii_end())
        })
        .unwrap();
    let status = u16::try_from(number(status)).unwrap();
    Some((status, head + 4, number(length)))
}

/// Clicks at a steady rate until stopped; returns the slowest response in milliseconds.
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
