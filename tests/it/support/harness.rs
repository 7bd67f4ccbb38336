//! Starts the real program on a free port with a new database.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use reqwest::blocking::{Client, Response};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Timeout of any wait: several times that of the longest, an import on a machine shared with eight
/// other tests and two busy loops.
pub const PATIENCE: Duration = Duration::from_secs(600);

/// A folder with a database, for running commands in it.
pub struct Shop {
    folder: TempDir,
}

impl Shop {
    pub fn new() -> Self {
        Self {
            folder: TempDir::new().unwrap(),
        }
    }

    pub fn with(products: &[Value]) -> Self {
        let shop = Self::new();
        let output = shop.import(&json!(products).to_string(), &[]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        shop
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    pub fn db(&self) -> PathBuf {
        self.file("deals.sqlite")
    }

    /// The program without settings from the test's environment.
    pub fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_deals"));
        let prefixes = ["DEALS_", "AWS_"];
        for (name, _) in std::env::vars() {
            if prefixes.iter().any(|prefix| name.starts_with(prefix)) {
                command.env_remove(name);
            }
        }
        command.current_dir(self.folder());
        // Hashes of the cost that is shipped would be a third of the tests' CPU time.
        command.env("TEST_BCRYPT_COST", "4");
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command().args(arguments).output().unwrap()
    }

    /// Runs `deals import -` with this standard input.
    pub fn import(&self, input: &str, options: &[&str]) -> Output {
        feed(self.command().args(["import", "-"]).args(options), input)
    }

    pub fn serve(&self) -> Server {
        self.serve_with(&[])
    }

    pub fn serve_with(&self, options: &[&str]) -> Server {
        Server::start(self.serve_command(options))
    }

    pub fn serve_command(&self, options: &[&str]) -> Command {
        let mut command = self.command();
        command
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(options);
        command
    }

    /// Runs `deals user …` with a password on standard input.
    pub fn user(&self, arguments: &[&str], password: &str) -> Output {
        let input = format!("{password}\n");
        feed(self.command().arg("user").args(arguments), &input)
    }

    pub fn sign_up(&self, email: &str, password: &str) {
        let arguments = ["add", email, "--username", "Asha", "--password-stdin"];
        succeeds(self.user(&arguments, password));
    }

    /// Sets a seller's rules: a preset or JSON.
    pub fn set_rules(&self, source: &str, rules: &str) {
        let rules = format!("source.{source}={rules}");
        succeeds(self.run(&["settings", "set", &rules]));
    }

    /// Returns the activity log, the newest first: actor, action, title and changes like `price 1 → 2`.
    pub fn log(&self) -> String {
        let sql = "SELECT actor || '  ' || action || ' ' || coalesce(title, '') || ' ' || \
             (SELECT coalesce(group_concat(key || ' ' || \
              coalesce((value -> '$.from') || ' → ' || (value -> '$.to'), value), ', '), '') \
              FROM json_each(details)) FROM activity ORDER BY key DESC";
        let database = self.database();
        let mut lines = database.prepare(sql).unwrap();
        let lines = lines.query_map([], |row| row.get(0)).unwrap();
        lines
            .collect::<Result<Vec<String>, _>>()
            .unwrap()
            .join("\n")
    }

    /// Opens the database, to inspect it or to change its times.
    pub fn database(&self) -> rusqlite::Connection {
        let connection = rusqlite::Connection::open(self.db()).unwrap();
        connection.busy_timeout(PATIENCE).unwrap();
        connection
    }

    /// A connection that may change texts; the search index does not follow.
    pub fn database_without_index(&self) -> rusqlite::Connection {
        let connection = self.database();
        let flags = rusqlite::functions::FunctionFlags::default();
        connection
            .create_scalar_function("index_words", 11, flags, |_| Ok(0))
            .unwrap();
        connection
    }
}

/// Starts a command whose output is read.
pub fn piped(command: &mut Command) -> Child {
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn feed(command: &mut Command, input: &str) -> Output {
    let mut child = piped(command.stdin(Stdio::piped()));
    // The program may stop reading early.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// A running `deals serve`, killed on drop.
pub struct Server {
    child: Child,
    url: String,
    /// Lines printed before the address.
    seen: Mutex<VecDeque<String>>,
    output: Mutex<Receiver<String>>,
    client: Client,
}

impl Server {
    pub fn start(mut command: Command) -> Self {
        let mut child = piped(&mut command);
        let (sender, output) = channel();
        forward(child.stdout.take().unwrap(), sender.clone());
        forward(child.stderr.take().unwrap(), sender);
        let mut seen = VecDeque::new();
        let url = loop {
            let Ok(line) = output.recv_timeout(PATIENCE) else {
                panic!("the server did not start: {seen:#?}");
            };
            // At the beginning of a line, or of the message of a line of JSON.
            if let Some((before, url)) = line.split_once("listening on ")
                && (before.is_empty() || before.ends_with('"'))
            {
                break url.split('"').next().unwrap_or(url).to_owned();
            }
            seen.push_back(line);
        };
        Self {
            child,
            url,
            seen: Mutex::new(seen),
            output: Mutex::new(output),
            client: Client::builder()
                .timeout(PATIENCE)
                .redirect(reqwest::redirect::Policy::none())
                .build()
                .unwrap(),
        }
    }

    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }

    pub fn address(&self) -> &str {
        self.url.split("://").nth(1).unwrap()
    }

    pub fn port(&self) -> &str {
        self.url.rsplit(':').next().unwrap()
    }

    /// True if a line with this was logged; discards the lines before it.
    pub fn has_logged(&self, part: &str) -> bool {
        let output = self.output.lock().unwrap();
        output.try_iter().any(|line| line.contains(part))
    }

    pub fn client(&self) -> &Client {
        &self.client
    }

    pub fn get(&self, path: &str) -> Response {
        self.client.get(self.url(path)).send().unwrap()
    }

    pub fn post(&self, path: &str) -> Response {
        self.client.post(self.url(path)).send().unwrap()
    }

    /// Returns the JSON of a 200.
    pub fn json(&self, path: &str) -> Value {
        let response = self.get(path);
        assert_eq!(response.status(), 200, "{path}");
        response.json().unwrap()
    }

    /// Returns the products of `get-products` with this query.
    pub fn list(&self, query: &str) -> Vec<Value> {
        let answer = self.json(&format!("/product/get-products?{query}"));
        answer["data"].as_array().unwrap().clone()
    }

    pub fn titles(&self, query: &str) -> Vec<String> {
        let titles = self.list(query).into_iter();
        titles
            .map(|product| product["title"].as_str().unwrap().to_owned())
            .collect()
    }

    pub fn wait_for_line(&self, part: &str) -> String {
        loop {
            let seen = self.seen.lock().unwrap().pop_front();
            let output = self.output.lock().unwrap();
            let line = seen.unwrap_or_else(|| output.recv_timeout(PATIENCE).unwrap());
            if line.contains(part) {
                return line;
            }
        }
    }

    /// Stops the server and returns its unread output.
    pub fn stop(mut self) -> String {
        self.signal("TERM");
        let status = self.wait_for_exit();
        let output = self.output.lock().unwrap();
        let seen = self.seen.lock().unwrap().drain(..).collect::<Vec<_>>();
        let lines: Vec<String> = seen.into_iter().chain(output.iter()).collect();
        let lines = lines.join("\n");
        assert_eq!(status.code(), Some(0), "{lines}");
        lines
    }

    pub fn holds_a_lock_of(&self, file: &Path) -> bool {
        let inode = format!(":{}", std::fs::metadata(file).unwrap().ino());
        let pid = self.child.id().to_string();
        let locks = std::fs::read_to_string("/proc/locks").unwrap();
        locks.lines().any(|lock| {
            let mut parts = lock.split_whitespace();
            parts.any(|part| part == pid) && parts.any(|part| part.ends_with(&inode))
        })
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn signal(&self, name: &str) {
        signal(&self.child, name);
    }

    pub fn wait_for_exit(&mut self) -> ExitStatus {
        wait_for_exit(&mut self.child)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn signal(child: &Child, name: &str) {
    let status = Command::new("kill")
        .args([format!("-{name}"), child.id().to_string()])
        .status()
        .unwrap();
    assert!(status.success());
}

/// A stop flag, set on drop even if a test fails.
pub struct Done<'a>(pub &'a AtomicBool);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Polling interval, so that the wait does not occupy a core.
pub fn pause() {
    std::thread::sleep(Duration::from_millis(2));
}

/// Waits until `holds` is true; panics with its name after the timeout.
pub fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < PATIENCE, "{what}");
        pause();
    }
}

/// Waits for a program to end; kills it after the timeout.
pub fn wait_for_exit(child: &mut Child) -> ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if start.elapsed() > PATIENCE {
            let _ = child.kill();
            panic!("the program did not stop");
        }
        pause();
    }
}

fn forward(stream: impl Read + Send + 'static, lines: std::sync::mpsc::Sender<String>) {
    std::thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            if lines.send(line).is_err() {
                break;
            }
        }
    });
}

/// Makes a valid product, distinct by number.
pub fn product(number: usize) -> Value {
    json!({
        "title": format!("Product {number}"),
        "description": format!("The description of product number {number}."),
        "price": 100 + number,
        "discount": 10,
        "category": "Electronics",
        "source": "Amazon",
        "affiliateLink": format!("https://shop.example/p/{number}"),
        "images": [format!("https://pictures.example/{number}.jpg")],
        "averageRating": 4.5,
        "totalRatings": 10 + number,
    })
}

pub fn product_with(number: usize, changes: Value) -> Value {
    let mut product = product(number);
    for (field, value) in changes.as_object().unwrap() {
        product[field] = value.clone();
    }
    product
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Returns the standard output of a successful command.
pub fn succeeds(output: Output) -> String {
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

/// Returns the standard error of a failed command.
pub fn fails(output: Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    text(&output.stderr)
}

/// Returns the standard error of a command that was used wrongly.
pub fn misused(output: Output) -> String {
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
    text(&output.stderr)
}
