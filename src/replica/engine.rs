//! Litestream on this machine, by HTTP over its control socket.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::Duration;
use std::{env, fs};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use url::Url;

use crate::maintenance::backups::BackupPlace;

/// The Litestream that sends a database to a place.
pub(super) struct Engine {
    pub(super) socket: PathBuf,
    pub(super) database: PathBuf,
}

impl Engine {
    /// Checks that it is new enough, has it leave the database alone, and deletes what it remembers of it.
    pub(super) fn forget(&self) -> Result<()> {
        let said = self.ask("GET /info", &json!({}))?;
        let version = said["version"].as_str().unwrap_or("unknown");
        let numbers: Vec<u32> = version.split('.').map_while(|it| it.parse().ok()).collect();
        let is_new = numbers >= vec![0, 5, 17];
        ensure!(is_new, "Litestream {version} is too old. Install 0.5.17.");
        self.leave()?;
        let name = self.database.file_name().unwrap_or_default().display();
        let memory = self.database.with_file_name(format!(".{name}-litestream"));
        if memory.exists() {
            fs::remove_dir_all(memory)?;
        }
        Ok(())
    }

    /// Has it leave the database alone, which it does although it can't send the rest in a second.
    pub(super) fn leave(&self) -> Result<Value> {
        let request = json!({ "path": self.database, "timeout": 1 });
        self.ask("POST /unregister", &request)
    }

    /// Returns once everything that was committed is in the place.
    pub(super) fn sync(&self, place: &BackupPlace) -> Result<()> {
        // It goes on to send a whole shop, though nobody waits any more.
        let request = json!({ "path": self.database, "wait": true, "timeout": 600 });
        let mut said = self.ask("POST /sync", &request)?;
        // Not found, or not open: it was started again.
        if said["error"].to_string().contains("database not ") {
            let variable = |name| env::var(name).unwrap_or_default();
            let [endpoint, region] = ["AWS_ENDPOINT_URL", "AWS_REGION"].map(variable);
            let query = [("endpoint", endpoint), ("region", region)];
            let place = Url::parse_with_params(&place.to_string(), query)?;
            self.leave()?;
            let whole = json!({ "path": self.database, "replica_url": place });
            said = self.ask("POST /register", &whole)?;
            let is_taken = said["status"] == "registered";
            ensure!(is_taken, "Litestream does not take the database: {said}");
            said = self.ask("POST /sync", &request)?;
        }
        let [own, sent] = ["txid", "replicated_txid"].map(|name| said[name].as_u64());
        let is_sent = own.is_some_and(|own| own > 0) && own <= sent;
        ensure!(is_sent, "Litestream has not sent everything: {said}");
        Ok(())
    }

    fn ask(&self, request: &str, body: &Value) -> Result<Value> {
        let (body, socket) = (body.to_string(), self.socket.display());
        let head = format!("{request} HTTP/1.0\r\ncontent-length: {}", body.len());
        let send = || {
            let mut stream = UnixStream::connect(&self.socket)?;
            stream.set_read_timeout(Some(Duration::from_secs(4)))?;
            stream.write_all(format!("{head}\r\n\r\n{body}").as_bytes())?;
            io::read_to_string(stream.take(65_536))
        };
        let advice = "See its log, and run it with this socket as the user of this server";
        let silence = || format!("Litestream does not answer at {socket}. {advice}");
        let answer = send().with_context(silence)?;
        let body = answer.split_once("\r\n\r\n").map_or("", |it| it.1);
        serde_json::from_str(body).with_context(|| format!("{socket} is no socket of Litestream"))
    }
}
