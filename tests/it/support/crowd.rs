//! Requests of many addresses at once, through a proxy that reports them.

use std::io::{BufReader, Read as _, Write as _};
use std::net::TcpStream;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::harness::{PATIENCE, Server};

/// Option that has the server believe the addresses.
pub const PROXY: [&str; 2] = ["--trusted-proxy", "127.0.0.1/32"];

/// User agent of a person's browser.
pub const BROWSER: &str = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) \
    Chrome/140.0.0.0 Safari/537.36";

/// Beginning of a page that the server rendered.
pub const RENDERED: &str = "<div id=\"root\"><a ";

/// A response as it came.
pub struct Raw(String);

impl Raw {
    pub fn status(&self) -> &str {
        self.0.split(' ').nth(1).unwrap_or_default()
    }

    /// Returns the value of a header, whose name is in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let (head, _) = self.0.split_once("\r\n\r\n")?;
        let mut lines = head.lines().filter_map(|line| line.split_once(": "));
        lines
            .find(|(found, _)| *found == name)
            .map(|(_, value)| value)
    }

    pub fn body(&self) -> &str {
        self.0.split_once("\r\n\r\n").map_or("", |(_, body)| body)
    }
}

/// Sends a request for a page from the address with this number.
pub fn send(server: &Server, address: usize, agent: &str, path: &str) -> TcpStream {
    let mut stream = TcpStream::connect(server.address()).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let [high, low] = u16::try_from(address).unwrap().to_be_bytes();
    let request = format!(
        "GET {path} HTTP/1.1\r\nhost: a\r\naccept: text/html\r\nuser-agent: {agent}\r\n\
         x-forwarded-for: 10.1.{high}.{low}\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).unwrap();
    stream
}

pub fn receive(stream: TcpStream) -> Raw {
    let mut response = Vec::new();
    let _ = BufReader::new(stream).read_to_end(&mut response);
    Raw(String::from_utf8_lossy(&response).into_owned())
}

/// Raises the limit of open files of this process.
pub fn allow_many_files() {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: limit.maximum,
        maximum: limit.maximum,
    };
    setrlimit(Resource::Nofile, raised).unwrap();
}
