//! A mail server that records mails and can simulate faults.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use base64::prelude::{BASE64_STANDARD, Engine as _};
use rcgen::{CertifiedKey, generate_simple_self_signed};
use tempfile::TempDir;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use tokio_rustls::rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::support::harness::{PATIENCE, wait_until};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    Friendly,
    /// Rejects every mail, repeating the address.
    Refusing,
    /// Takes no more for now after each thirty recipients.
    Throttling,
    /// Has no such mailbox.
    Gone,
    /// Takes addresses in every script (SMTPUTF8).
    International,
    /// Accepts connections without a greeting.
    Silent,
    /// Refuses every login.
    WrongLogin,
}

/// Encryption of the server's connections, with a certificate for `localhost`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encryption {
    None,
    FromTheStart,
    /// Takes mails only after STARTTLS.
    StartTls,
}

#[derive(Debug, Clone)]
pub struct Mail {
    /// The name in EHLO.
    pub client: String,
    /// Name and password of the login; empty without one.
    pub login: String,
    pub recipients: Vec<String>,
    pub data: String,
}

impl Mail {
    /// Returns the six digits on a line of their own.
    pub fn code(&self) -> String {
        let code = self
            .data
            .lines()
            .map(str::trim)
            .find(|line| line.len() == 6 && line.bytes().all(|byte| byte.is_ascii_digit()));
        code.unwrap_or_else(|| panic!("no code in {}", self.data))
            .to_owned()
    }

    pub fn subject(&self) -> &str {
        self.header("Subject").unwrap()
    }

    /// Returns the value of a header that is one line.
    pub fn header(&self, name: &str) -> Option<&str> {
        let head = self.data.lines().take_while(|line| !line.is_empty());
        let mut values = head.filter_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        values.next()
    }
}

pub struct Mailbox {
    port: u16,
    /// Folder for copies of every mail, for the browser tests.
    folder: TempDir,
    mood: Arc<Mutex<Mood>>,
    /// Connections without a greeting, or recipients while throttling.
    silent: Arc<AtomicUsize>,
    mails: Mutex<Receiver<Mail>>,
    /// The server's certificate, PEM.
    certificate: String,
}

impl Mailbox {
    pub fn open() -> Self {
        Self::open_with(Encryption::None)
    }

    pub fn open_with(encryption: Encryption) -> Self {
        let (certificate, tls) = certificate();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let mood = Arc::new(Mutex::new(Mood::Friendly));
        let (sender, mails) = channel();
        let shared = Arc::clone(&mood);
        let silent = Arc::new(AtomicUsize::new(0));
        let in_silence = Arc::clone(&silent);
        let folder = TempDir::new().unwrap();
        let path = Arc::new(folder.path().to_owned());
        std::thread::spawn(move || {
            for connection in listener.incoming().map_while(Result::ok) {
                let (mood, sender) = (Arc::clone(&shared), sender.clone());
                let (path, silent) = (Arc::clone(&path), Arc::clone(&in_silence));
                let tls = Arc::clone(&tls);
                std::thread::spawn(move || {
                    // The shop may close the connection at any time.
                    let _ = serve(
                        (connection, encryption, tls),
                        (&mood, &silent),
                        &sender,
                        &path,
                    );
                });
            }
        });
        Self {
            port,
            folder,
            mood,
            silent,
            mails: Mutex::new(mails),
            certificate,
        }
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    pub fn certificate(&self) -> &str {
        &self.certificate
    }

    pub fn url(&self) -> String {
        format!("smtp://127.0.0.1:{}", self.port)
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn set_mood(&self, mood: Mood) {
        *self.mood.lock().unwrap() = mood;
    }

    /// Waits until a client waits for a greeting.
    pub fn wait_for_silence(&self) {
        wait_until("nobody sends a mail", || {
            self.silent.load(Ordering::Relaxed) > 0
        });
    }

    pub fn next(&self) -> Mail {
        let mails = self.mails.lock().unwrap();
        mails.recv_timeout(PATIENCE).unwrap()
    }

    pub fn unread(&self) -> Vec<Mail> {
        self.mails.lock().unwrap().try_iter().collect()
    }
}

fn certificate() -> (String, Arc<ServerConfig>) {
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let key = PrivateKeyDer::try_from(signing_key.serialize_der()).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key)
        .unwrap();
    (cert.pem(), Arc::new(config))
}

/// A connection, encrypted or not.
enum Wire {
    Plain(TcpStream),
    Tls(Box<StreamOwned<ServerConnection, TcpStream>>),
}

impl Wire {
    fn encrypted(tls: Arc<ServerConfig>, connection: TcpStream) -> Self {
        let session = ServerConnection::new(tls).unwrap();
        Self::Tls(Box::new(StreamOwned::new(session, connection)))
    }
}

impl Read for Wire {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        match self {
            Self::Plain(stream) => stream.read(bytes),
            Self::Tls(stream) => stream.read(bytes),
        }
    }
}

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self {
            Self::Plain(stream) => stream.write(bytes),
            Self::Tls(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match self {
            Self::Plain(stream) => stream.flush(),
            Self::Tls(stream) => stream.flush(),
        }
    }
}

fn serve(
    (connection, encryption, tls): (TcpStream, Encryption, Arc<ServerConfig>),
    (mood, silent): (&Mutex<Mood>, &AtomicUsize),
    mails: &Sender<Mail>,
    folder: &Path,
) -> std::io::Result<()> {
    let mood = *mood.lock().unwrap();
    let spare = connection.try_clone()?;
    let mut is_plain = encryption != Encryption::FromTheStart;
    let mut wire = BufReader::new(if is_plain {
        Wire::Plain(connection)
    } else {
        Wire::encrypted(Arc::clone(&tls), connection)
    });
    let mut line = String::new();
    if mood == Mood::Silent {
        silent.fetch_add(1, Ordering::Relaxed);
        while wire.read_line(&mut line)? > 0 {}
        return Ok(());
    }
    wire.get_mut().write_all(b"220 test\r\n")?;
    let (mut client, mut login, mut recipients) = (String::new(), String::new(), Vec::new());
    loop {
        line.clear();
        if wire.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let command = line.trim_end();
        if let Some(name) = command.strip_prefix("EHLO ") {
            client = name.to_owned();
        }
        if let Some(given) = command.strip_prefix("AUTH PLAIN ") {
            let given = BASE64_STANDARD.decode(given).unwrap_or_default();
            login = String::from_utf8_lossy(&given).replace('\0', " ");
        }
        let answer = match command.split([' ', ':']).next().unwrap_or_default() {
            "EHLO" if is_plain && encryption == Encryption::StartTls => {
                "250-test\r\n250 STARTTLS".to_owned()
            }
            "EHLO" if mood == Mood::International => {
                "250-test\r\n250-SMTPUTF8\r\n250 8BITMIME".to_owned()
            }
            "EHLO" => "250-test\r\n250-AUTH PLAIN\r\n250 8BITMIME".to_owned(),
            "STARTTLS" if is_plain => {
                wire.get_mut().write_all(b"220 go on\r\n")?;
                is_plain = false;
                wire = BufReader::new(Wire::encrypted(Arc::clone(&tls), spare.try_clone()?));
                continue;
            }
            "MAIL" if is_plain && encryption == Encryption::StartTls => {
                "530 first STARTTLS".to_owned()
            }
            "AUTH" if mood == Mood::WrongLogin => "535 not you".to_owned(),
            "AUTH" => "235 welcome".to_owned(),
            "RCPT" if mood == Mood::Refusing => format!("451 I will not: {command}"),
            "RCPT"
                if mood == Mood::Throttling
                    && silent.fetch_add(1, Ordering::Relaxed) % 30 == 29 =>
            {
                "451 4.7.1 not so fast".to_owned()
            }
            "RCPT" if command.contains("@nowhere.example") => {
                "450 4.1.2 Domain not found".to_owned()
            }
            "RCPT" if mood == Mood::Gone => format!("550 5.1.1 nobody here: {command}"),
            "RCPT" => {
                recipients.push(command.to_owned());
                "250 ok".to_owned()
            }
            "DATA" => {
                wire.get_mut().write_all(b"354 go on\r\n")?;
                let data = read_data(&mut wire)?;
                let mail = Mail {
                    client: client.clone(),
                    login: login.trim().to_owned(),
                    recipients: std::mem::take(&mut recipients),
                    data,
                };
                put(folder, &mail)?;
                let _ = mails.send(mail);
                "250 ok".to_owned()
            }
            "QUIT" => {
                wire.get_mut().write_all(b"221 bye\r\n")?;
                return Ok(());
            }
            _ => "250 ok".to_owned(),
        };
        wire.get_mut()
            .write_all(format!("{answer}\r\n").as_bytes())?;
    }
}

/// Renamed when complete.
fn put(folder: &Path, mail: &Mail) -> std::io::Result<()> {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let name = format!("{:06}", NEXT.fetch_add(1, Ordering::Relaxed));
    let part = folder.join(format!("{name}.part"));
    std::fs::write(&part, &mail.data)?;
    std::fs::rename(part, folder.join(format!("{name}.eml")))
}

fn read_data(reader: &mut impl BufRead) -> std::io::Result<String> {
    let mut data = String::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        if line == ".\r\n" || line.is_empty() {
            return Ok(data);
        }
        data.push_str(&line);
    }
}
