//! A mail server that records mails and can simulate faults.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use tempfile::TempDir;

use crate::support::harness::{PATIENCE, wait_until};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    Friendly,
    /// Rejects every mail, repeating the address.
    Refusing,
    /// Accepts connections without a greeting.
    Silent,
}

#[derive(Debug, Clone)]
pub struct Mail {
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
        let subject = self
            .data
            .lines()
            .find_map(|line| line.strip_prefix("Subject: "));
        subject.unwrap()
    }
}

pub struct Mailbox {
    port: u16,
    /// Folder for copies of every mail, for the browser tests.
    folder: TempDir,
    mood: Arc<Mutex<Mood>>,
    /// Connections without a greeting.
    silent: Arc<AtomicUsize>,
    mails: Mutex<Receiver<Mail>>,
}

impl Mailbox {
    pub fn open() -> Self {
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
                std::thread::spawn(move || {
                    // The shop may close the connection at any time.
                    let _ = serve(connection, (&mood, &silent), &sender, &path);
                });
            }
        });
        Self {
            port,
            folder,
            mood,
            silent,
            mails: Mutex::new(mails),
        }
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

fn serve(
    connection: TcpStream,
    (mood, silent): (&Mutex<Mood>, &AtomicUsize),
    mails: &Sender<Mail>,
    folder: &Path,
) -> std::io::Result<()> {
    let mood = *mood.lock().unwrap();
    let mut reader = BufReader::new(connection.try_clone()?);
    let mut writer = connection;
    let mut line = String::new();
    if mood == Mood::Silent {
        silent.fetch_add(1, Ordering::Relaxed);
        while reader.read_line(&mut line)? > 0 {}
        return Ok(());
    }
    writer.write_all(b"220 test\r\n")?;
    let mut recipients = Vec::new();
    loop {
        line.clear();
        if reader.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let command = line.trim_end();
        let answer = match command.split([' ', ':']).next().unwrap_or_default() {
            "EHLO" => "250-test\r\n250 8BITMIME".to_owned(),
            "RCPT" if mood == Mood::Refusing => format!("451 I will not: {command}"),
            "RCPT" => {
                recipients.push(command.to_owned());
                "250 ok".to_owned()
            }
            "DATA" => {
                writer.write_all(b"354 go on\r\n")?;
                let data = read_data(&mut reader)?;
                let mail = Mail {
                    recipients: std::mem::take(&mut recipients),
                    data,
                };
                put(folder, &mail)?;
                let _ = mails.send(mail);
                "250 ok".to_owned()
            }
            "QUIT" => {
                writer.write_all(b"221 bye\r\n")?;
                return Ok(());
            }
            _ => "250 ok".to_owned(),
        };
        writer.write_all(format!("{answer}\r\n").as_bytes())?;
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
