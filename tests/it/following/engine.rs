//! Stands in for Litestream beside a server: answers on a control socket, and sends databases to a bucket.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use url::Url;

use crate::support::bucket::Bucket;
use crate::support::litestream::{Litestream, Target};

/// How it does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    Well,
    /// It can't send anything.
    CutOff,
    /// It never answers, as while the bucket does not.
    Silent,
    /// It says that it has sent less than there is.
    Behind,
    /// An older version.
    Old,
    /// Another program.
    Other,
}

struct State {
    bucket: Bucket,
    mood: Mood,
    databases: BTreeMap<PathBuf, Litestream>,
    /// Connections that get no answer.
    waiting: Vec<UnixStream>,
}

/// The stand-in, which ends with the test's process.
#[derive(Clone)]
pub struct Engine {
    pub socket: PathBuf,
    state: Arc<Mutex<State>>,
}

impl Engine {
    pub fn start(folder: &Path, bucket: &Bucket) -> Self {
        let socket = folder.join("litestream.sock");
        let listener = UnixListener::bind(&socket).unwrap();
        let state = State {
            bucket: bucket.clone(),
            mood: Mood::Well,
            databases: BTreeMap::new(),
            waiting: Vec::new(),
        };
        let engine = Self {
            socket,
            state: Arc::new(Mutex::new(state)),
        };
        let serving = engine.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                serving.serve(stream);
            }
        });
        engine
    }

    pub fn is(&self, mood: Mood) {
        self.state.lock().unwrap().mood = mood;
    }

    /// Sends what changed since.
    pub fn send(&self) {
        for files in self.state.lock().unwrap().databases.values_mut() {
            files.sync();
        }
    }

    /// Knows nothing any more, as after it was started again.
    pub fn forget(&self) {
        self.state.lock().unwrap().databases.clear();
    }

    fn serve(&self, mut stream: UnixStream) {
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let (mut first, mut line, mut length) = (String::new(), String::new(), 0);
        let _ = reader.read_line(&mut first);
        while reader.read_line(&mut line).is_ok() && !line.trim().is_empty() {
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            line.clear();
        }
        let mut body = vec![0; length];
        let _ = reader.read_exact(&mut body);
        let body = serde_json::from_slice(&body).unwrap_or_default();
        let path = first.split(' ').nth(1).unwrap_or_default();
        let mut state = self.state.lock().unwrap();
        if state.mood == Mood::Silent {
            state.waiting.push(stream);
            return;
        }
        let (status, answer) = state.answer(path, &body);
        let _ = write!(stream, "HTTP/1.0 {status} X\r\n\r\n{answer}");
    }
}

impl State {
    fn answer(&mut self, path: &str, body: &Value) -> (u16, String) {
        let database = PathBuf::from(body["path"].as_str().unwrap_or_default());
        let (status, answer) = match (path, self.mood) {
            (_, Mood::Other) => return (200, "<html>".to_owned()),
            ("/info", Mood::Old) => (200, json!({ "version": "0.5.9" })),
            ("/info", _) => (200, json!({ "version": "0.5.17" })),
            ("/unregister", _) => {
                self.databases.remove(&database);
                (200, json!({ "status": "unregistered" }))
            }
            ("/register", _) => {
                let url = Url::parse(body["replica_url"].as_str().unwrap()).unwrap();
                let prefix = url.path().trim_start_matches('/').to_owned().leak();
                let target = Target::Bucket(self.bucket.clone(), prefix);
                // It goes on with the files that there are.
                let files = Litestream::after(&database, target);
                self.databases.insert(database, files);
                (200, json!({ "status": "registered" }))
            }
            ("/sync", Mood::CutOff) => (500, json!({ "error": "sync database: no route" })),
            ("/sync", mood) => match self.databases.get_mut(&database) {
                None => (404, json!({ "error": "database not found: x" })),
                Some(files) => {
                    files.sync();
                    let own = files.position();
                    let sent = own - usize::from(mood == Mood::Behind);
                    (200, json!({ "txid": own, "replicated_txid": sent }))
                }
            },
            _ => (404, json!({ "error": "not found" })),
        };
        (status, answer.to_string())
    }
}
