//! Runs the real program with a generated catalogue.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::catalogue::Catalogue;
use super::load::Client;
use super::tls::Certificate;

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_deals");

/// A folder with a database.
pub struct Shop {
    folder: tempfile::TempDir,
}

impl Shop {
    pub fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    pub fn with(size: usize) -> Self {
        let shop = Self::new();
        shop.import(size, 1);
        shop
    }

    pub fn db(&self) -> PathBuf {
        self.folder.path().join("deals.sqlite")
    }

    pub fn import(&self, size: usize, seed: u64) {
        let mut child = self.start_import(&self.catalogue(size, seed));
        assert!(child.wait().unwrap().success());
    }

    pub fn catalogue(&self, size: usize, seed: u64) -> PathBuf {
        let path = self.folder.path().join(format!("{size}-{seed}.ndjson"));
        let mut file = BufWriter::new(std::fs::File::create(&path).unwrap());
        Catalogue::new(seed).write(size, &mut file).unwrap();
        file.flush().unwrap();
        path
    }

    pub fn start_import(&self, file: &std::path::Path) -> Child {
        Command::new(PROGRAM)
            .args(["import".as_ref(), file, "--db".as_ref(), &self.db()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    }

    /// Starts the server; returns the milliseconds until its first response.
    pub fn serve(&self) -> (Server, f64) {
        let start = Instant::now();
        let server = self.start([]);
        server.client().get("/product/get-products");
        (server, start.elapsed().as_secs_f64() * 1_000.0)
    }

    /// Starts a server with TLS only.
    pub fn serve_encrypted(&self, certificate: &Certificate) -> Server {
        let [chain, key] = [&certificate.chain, &certificate.key].map(|path| path.as_os_str());
        self.start(["--tls-cert".as_ref(), chain, "--tls-key".as_ref(), key])
    }

    fn start<const N: usize>(&self, options: [&OsStr; N]) -> Server {
        let mut child = Command::new(PROGRAM)
            .args(["serve", "--listen", "127.0.0.1:0", "--db"])
            .arg(self.db())
            .args(options)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let line = lines.next().unwrap().unwrap();
        let address = line.rsplit('/').next().unwrap().to_owned();
        Server { child, address }
    }
}

pub struct Server {
    child: Child,
    pub address: String,
}

impl Server {
    pub fn client(&self) -> Client {
        Client::connect(&self.address)
    }

    /// The `_id`s of the newest hundred products.
    pub fn ids(&self) -> Vec<String> {
        let text = self.client().text("/product/get-products?limit=100");
        let ids = text.split("\"_id\":\"").skip(1);
        ids.map(|rest| rest.split('"').next().unwrap().to_owned())
            .collect()
    }

    /// Resident memory in megabytes, current or peak (`VmRSS`, `VmHWM`).
    pub fn memory(&self, which: &str) -> f64 {
        memory(self.child.id(), which)
    }

    /// Waits until the sorts are in memory.
    pub fn warm_up(&self, last_page: usize) {
        let mut client = self.client();
        let path = |order| {
            format!(
                "/product/get-products?page={}&order={order}",
                last_page / 2 + 1
            )
        };
        client.get(&path("asc"));
        if last_page < 2_000 {
            // With so few products the sorts are built at once.
            return;
        }
        let deadline = Instant::now() + Duration::from_secs(30);
        let mut quick = 0;
        let mut page = last_page / 2;
        while quick < 5 && Instant::now() < deadline {
            page -= 1;
            let (time, _) = client.get(&format!("/product/get-products?page={page}"));
            quick = if time < 2.0 { quick + 1 } else { 0 };
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn memory(process: u32, which: &str) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(which));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
    kilobytes.unwrap_or(f64::NAN) / 1_024.0
}
