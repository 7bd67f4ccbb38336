//! Litestream on this machine, by HTTP over its control socket.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{env, fs};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use url::Url;

/// The oldest version that syncs and waits as is needed.
const OLDEST: [u32; 3] = [0, 5, 17];
/// Longest answer in bytes.
const LONGEST: u64 = 65_536;
/// Longest wait for an answer.
const PATIENCE: Duration = Duration::from_secs(4);
/// Seconds in which Litestream sends a whole shop, and in which it leaves a database alone.
const WHOLE: u64 = 600;
const LEAVING: u64 = 1;

/// The Litestream that sends a database to a place.
pub(super) struct Engine {
    socket: PathBuf,
    database: PathBuf,
    place: String,
    /// Whether this process told it the place: it may know another one.
    is_registered: AtomicBool,
}

impl Engine {
    pub(super) fn new(socket: &Path, database: &Path, place: &str) -> Result<Self> {
        let [endpoint, region] =
            ["AWS_ENDPOINT_URL", "AWS_REGION"].map(|name| env::var(name).unwrap_or_default());
        let place = Url::parse_with_params(place, [("endpoint", endpoint), ("region", region)])?;
        Ok(Self {
            socket: socket.to_owned(),
            database: database.to_owned(),
            place: place.into(),
            is_registered: AtomicBool::new(false),
        })
    }

    /// Checks that it runs, and is new enough.
    pub(super) fn check(&self) -> Result<()> {
        let said = self.ask("GET /info", &json!({}))?;
        let version = said["version"].as_str().unwrap_or("unknown");
        let numbers = version.split('.').map_while(|number| number.parse().ok());
        let is_new = numbers.collect::<Vec<u32>>() >= OLDEST.to_vec();
        ensure!(
            is_new,
            "Litestream {version} is too old. Install 0.5.17 or newer."
        );
        Ok(())
    }

    /// Has it leave the database alone, which it does although it can't send the rest; it may not run.
    pub(super) fn forget(&self) {
        let request = json!({ "path": self.database, "timeout": LEAVING });
        let _ = self.ask("POST /unregister", &request);
    }

    /// Deletes what it remembers of the database, which was sent to another place.
    pub(super) fn start_anew(&self) -> Result<()> {
        self.forget();
        let name = self.database.file_name().unwrap_or_default().display();
        let memory = self.database.with_file_name(format!(".{name}-litestream"));
        if memory.exists() {
            fs::remove_dir_all(memory)?;
        }
        Ok(())
    }

    /// Tells it to send the database to the place, and nowhere else.
    fn register(&self) -> Result<()> {
        self.check()?;
        self.forget();
        let request = json!({ "path": self.database, "replica_url": self.place });
        let said = self.ask("POST /register", &request)?;
        ensure!(
            said["status"] == "registered",
            "Litestream does not take the database: {said}"
        );
        self.is_registered.store(true, Ordering::SeqCst);
        Ok(())
    }

    /// Returns once everything that was committed is in the place.
    pub(super) fn sync(&self) -> Result<()> {
        let request = json!({ "path": self.database, "wait": true, "timeout": WHOLE });
        let mut said = Value::Null;
        // It may have been started again, and not know the database.
        for _ in 0..2 {
            if !self.is_registered.load(Ordering::SeqCst) {
                self.register()?;
            }
            said = self.ask("POST /sync", &request)?;
            let [own, sent] = ["txid", "replicated_txid"].map(|name| said[name].as_u64());
            if own.is_some_and(|own| own > 0) && own <= sent {
                return Ok(());
            }
            // Not found, or not open.
            if !said["error"].to_string().contains("database not ") {
                break;
            }
            self.is_registered.store(false, Ordering::SeqCst);
        }
        bail!("Litestream has not sent everything: {said}")
    }

    fn ask(&self, request: &str, body: &Value) -> Result<Value> {
        let (body, socket) = (body.to_string(), self.socket.display());
        let head = format!("{request} HTTP/1.0\r\nhost: localhost\r\ncontent-length: ");
        let send = || {
            let mut stream = UnixStream::connect(&self.socket)?;
            stream.set_read_timeout(Some(PATIENCE))?;
            stream.set_write_timeout(Some(PATIENCE))?;
            stream.write_all(format!("{head}{}\r\n\r\n{body}", body.len()).as_bytes())?;
            io::read_to_string(stream.take(LONGEST))
        };
        let answer = send().with_context(|| {
            format!(
                "Litestream does not answer at {socket}. Look at its log, and start it with this control \
                 socket and as the user of this server"
            )
        })?;
        let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        serde_json::from_str(body).with_context(|| format!("{socket} is no socket of Litestream"))
    }
}
