//! An S3 server in the test's process: objects in memory, multipart uploads, and faults on request.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use percent_encoding::percent_decode_str;
use serde_json::Value;

use crate::support::harness::Shop;

pub const KEY: &str = "known-key";
pub const SECRET: &str = "known-secret";
pub const REGION: &str = "ap-south-1";
pub const BUCKET: &str = "shops";
/// Most names in an answer.
const PAGE: usize = 20;

/// A request, with the path decoded and without the bucket.
pub struct Request {
    pub method: String,
    pub key: String,
    pub query: BTreeMap<String, String>,
    pub authorization: String,
    /// Whether it is only to create an object.
    is_new: bool,
    body: Vec<u8>,
}

/// An answer: status, more lines of the head, body. `None` closes the connection without one.
pub type Answer = Option<(u16, String, Vec<u8>)>;

type Fault = Box<dyn Fn(&Request) -> Option<Answer> + Send>;

#[derive(Default)]
struct State {
    objects: BTreeMap<String, Vec<u8>>,
    /// Parts by number, of each unfinished upload.
    uploads: BTreeMap<String, (String, BTreeMap<usize, Vec<u8>>)>,
    fault: Option<Fault>,
    made: usize,
}

/// The server, which ends with the test's process.
#[derive(Clone)]
pub struct Bucket {
    port: u16,
    state: Arc<Mutex<State>>,
    /// Bytes that it takes before it goes away.
    patience: Arc<AtomicUsize>,
}

pub fn error(status: u16, code: &str, more: &str) -> Answer {
    let body = format!("<Error><Code>{code}</Code><Message>no</Message>{more}</Error>");
    Some((status, String::new(), body.into_bytes()))
}

impl Bucket {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let bucket = Self {
            port: listener.local_addr().unwrap().port(),
            state: Arc::default(),
            patience: Arc::new(AtomicUsize::new(usize::MAX)),
        };
        let serving = bucket.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let bucket = serving.clone();
                std::thread::spawn(move || bucket.serve(stream));
            }
        });
        bucket
    }

    /// The variables of a machine that may use it.
    pub fn variables(&self) -> Vec<(&'static str, String)> {
        vec![
            ("AWS_ACCESS_KEY_ID", KEY.to_owned()),
            ("AWS_SECRET_ACCESS_KEY", SECRET.to_owned()),
            ("AWS_REGION", REGION.to_owned()),
            (
                "AWS_ENDPOINT_URL",
                format!("http://127.0.0.1:{}", self.port),
            ),
        ]
    }

    /// Writes them into a file for `--env-file`.
    pub fn write_variables(&self, file: &Path) {
        let lines = self.variables().into_iter();
        let lines: Vec<String> = lines
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        std::fs::write(file, lines.join("\n")).unwrap();
    }

    /// Runs the program with these variables.
    pub fn run(&self, shop: &Shop, arguments: &[&str]) -> Output {
        let mut command = shop.command();
        command.args(arguments).envs(self.variables());
        command.output().unwrap()
    }

    pub fn serve_command(&self, shop: &Shop, options: &[&str]) -> Command {
        let mut command = shop.serve_command(options);
        command.envs(self.variables());
        command
    }

    /// Names of the objects.
    pub fn names(&self) -> Vec<String> {
        self.state.lock().unwrap().objects.keys().cloned().collect()
    }

    /// Names of the backups, the oldest first.
    pub fn backups(&self) -> Vec<String> {
        let mut names = self.names();
        names.retain(|name| name.contains("backup/") && name.ends_with(".sqlite.gz"));
        names
    }

    pub fn object(&self, name: &str) -> Vec<u8> {
        self.state.lock().unwrap().objects[name].clone()
    }

    pub fn put(&self, name: &str, bytes: &[u8]) {
        let objects = &mut self.state.lock().unwrap().objects;
        objects.insert(name.to_owned(), bytes.to_vec());
    }

    pub fn label(&self, prefix: &str) -> Value {
        serde_json::from_slice(&self.object(&format!("{prefix}/shop"))).unwrap()
    }

    pub fn remove(&self, name: &str) {
        self.state.lock().unwrap().objects.remove(name);
    }

    /// Number of uploads whose parts are kept.
    pub fn unfinished(&self) -> usize {
        let state = self.state.lock().unwrap();
        let kept = state
            .uploads
            .values()
            .filter(|(_, parts)| !parts.is_empty());
        kept.count()
    }

    /// Answers some requests otherwise, until the next call.
    pub fn fault(&self, fault: impl Fn(&Request) -> Option<Answer> + Send + 'static) {
        self.state.lock().unwrap().fault = Some(Box::new(fault));
    }

    pub fn no_fault(&self) {
        self.state.lock().unwrap().fault = None;
        self.patience.store(usize::MAX, Ordering::SeqCst);
    }

    /// Goes away after so many bytes of bodies.
    pub fn cut_after(&self, bytes: usize) {
        self.patience.store(bytes, Ordering::SeqCst);
    }

    fn serve(&self, stream: TcpStream) {
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut stream = stream;
        while let Some(request) = self.read(&mut reader) {
            let Some((status, head, body)) = self.answer(&request) else {
                return;
            };
            let length = body.len();
            let head = format!(
                "HTTP/1.1 {status} {}\r\ncontent-length: {length}\r\n{head}\r\n",
                reason(status)
            );
            let sent = stream.write_all(head.as_bytes());
            if sent.and_then(|()| stream.write_all(&body)).is_err() {
                return;
            }
        }
    }

    /// Reads a request; `None` if the client or this server goes away.
    fn read(&self, reader: &mut BufReader<TcpStream>) -> Option<Request> {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let mut words = line.split_whitespace();
        let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
        let (mut length, mut authorization, mut is_new) = (0, String::new(), false);
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).ok()?;
            let Some((name, value)) = line.trim_end().split_once(':') else {
                break;
            };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.trim().parse().unwrap(),
                "authorization" => authorization = value.trim().to_owned(),
                "if-none-match" => is_new = value.trim() == "*",
                _ => {}
            }
        }
        let patience = self.patience.load(Ordering::SeqCst);
        let mut body = vec![0; length.min(patience)];
        reader.read_exact(&mut body).ok()?;
        if patience != usize::MAX {
            self.patience.fetch_sub(body.len(), Ordering::SeqCst);
        }
        // At the last byte too: nobody learns that it arrived.
        if length > 0 && length >= patience || patience == 0 {
            return None;
        }
        let (path, query) = target.split_once('?').unwrap_or((&target, ""));
        let decoded = |text: &str| percent_decode_str(text).decode_utf8().unwrap().into_owned();
        let query = query.split('&').filter(|pair| !pair.is_empty());
        let query = query.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
        Some(Request {
            method,
            key: decoded(path.strip_prefix('/')?),
            query: query
                .map(|(name, value)| (decoded(name), decoded(&value.replace('+', " "))))
                .collect(),
            authorization,
            is_new,
            body,
        })
    }

    fn answer(&self, request: &Request) -> Answer {
        let mut state = self.state.lock().unwrap();
        if let Some(answer) = state.fault.as_ref().and_then(|fault| fault(request)) {
            return answer;
        }
        if !request.authorization.contains(&format!("Credential={KEY}")) {
            return error(403, "InvalidAccessKeyId", "");
        }
        if !request.authorization.contains(&format!("/{REGION}/s3/")) {
            let theirs = format!("<Region>{REGION}</Region>");
            return error(400, "AuthorizationHeaderMalformed", &theirs);
        }
        let (bucket, key) = request.key.split_once('/').unwrap_or((&request.key, ""));
        if bucket != BUCKET {
            return error(404, "NoSuchBucket", "");
        }
        state.answer(request, key)
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        503 => "Service Unavailable",
        _ => "Other",
    }
}

fn ok(body: impl Into<Vec<u8>>) -> Answer {
    let head = "etag: \"1\"\r\nlast-modified: Wed, 25 Nov 2026 10:00:00 GMT\r\n";
    Some((200, head.to_owned(), body.into()))
}

impl State {
    fn answer(&mut self, request: &Request, key: &str) -> Answer {
        let asked = |name: &str| request.query.get(name).cloned();
        let body = request.body.clone();
        match (request.method.as_str(), asked("uploadId")) {
            ("GET", _) if key.is_empty() => {
                let after = asked("continuation-token").or(asked("start-after"));
                let most = asked("max-keys").map_or(PAGE, |most| most.parse().unwrap());
                let prefix = asked("prefix").unwrap_or_default();
                self.list(&prefix, &after.unwrap_or_default(), most.min(PAGE))
            }
            ("GET", _) => match self.objects.get(key) {
                Some(bytes) => ok(bytes.clone()),
                None => error(404, "NoSuchKey", ""),
            },
            ("PUT", None) if request.is_new && self.objects.contains_key(key) => {
                error(412, "PreconditionFailed", "")
            }
            ("PUT", None) => {
                self.objects.insert(key.to_owned(), body);
                ok("")
            }
            ("PUT", Some(id)) => {
                let number = asked("partNumber").unwrap().parse().unwrap();
                let Some((_, parts)) = self.uploads.get_mut(&id) else {
                    return error(404, "NoSuchUpload", "");
                };
                parts.insert(number, body);
                ok("")
            }
            ("POST", None) => {
                self.made += 1;
                let id = format!("upload-{}", self.made);
                let upload = (key.to_owned(), BTreeMap::new());
                self.uploads.insert(id.clone(), upload);
                ok(format!(
                    "<InitiateMultipartUploadResult><UploadId>{id}</UploadId>\
                     </InitiateMultipartUploadResult>"
                ))
            }
            ("POST", Some(id)) => {
                let Some((key, parts)) = self.uploads.remove(&id) else {
                    return error(404, "NoSuchUpload", "");
                };
                self.objects
                    .insert(key, parts.into_values().collect::<Vec<_>>().concat());
                ok("<CompleteMultipartUploadResult><ETag>\"1\"</ETag>\
                    </CompleteMultipartUploadResult>")
            }
            ("DELETE", Some(id)) => match self.uploads.remove(&id) {
                Some(_) => ok(""),
                None => error(404, "NoSuchUpload", ""),
            },
            ("DELETE", None) => {
                self.objects.remove(key);
                ok("")
            }
            _ => error(400, "NotImplemented", ""),
        }
    }

    fn list(&self, prefix: &str, after: &str, most: usize) -> Answer {
        let mut objects = self
            .objects
            .iter()
            .filter(|(name, _)| name.starts_with(prefix) && name.as_str() > after);
        let page: Vec<_> = objects.by_ref().take(most).collect();
        let listed: String = page
            .iter()
            .map(|(name, bytes)| {
                let name = quick_xml::escape::escape(name.as_str());
                let name = name.replace('\u{1}', "&#x1;");
                format!(
                    "<Contents><Key>{name}</Key><Size>{}</Size>\
                     <LastModified>2026-11-25T10:00:00.000Z</LastModified><ETag>1</ETag></Contents>",
                    bytes.len()
                )
            })
            .collect();
        let more = objects.next().and(page.last()).map(|(name, _)| {
            let name = quick_xml::escape::escape(name.as_str());
            format!("<NextContinuationToken>{name}</NextContinuationToken>")
        });
        ok(format!(
            "<ListBucketResult><IsTruncated>{}</IsTruncated>{}{listed}</ListBucketResult>",
            more.is_some(),
            more.unwrap_or_default()
        ))
    }
}
