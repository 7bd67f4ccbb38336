//! Work on a file ends with its client and with the permission for it.

use std::io::{Cursor, Read, Write};
use std::net::TcpStream;
use std::sync::mpsc::{Sender, channel};

use reqwest::Method;
use reqwest::blocking::Body;
use serde_json::Value;

use crate::people::keys::key_of;
use crate::support::people::{People, error};

const STOPPED: &str = "work on a file was stopped";

/// Makes a table that takes seconds to read.
fn large_table() -> Vec<u8> {
    let description = "<p>word &amp; word</p> ".repeat(400);
    let row =
        format!("A title,{description},499,Home,https://shop.example/1,https://p.example/1.jpg\n");
    let header = "title,description,price,category,link,image\n".to_owned();
    (header + &row.repeat(5_000)).into_bytes()
}

/// A file that says when it has been read to its end.
struct Sent(Cursor<Vec<u8>>, Sender<()>);

impl Read for Sent {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.0.read(buffer)?;
        if self.0.position() == self.0.get_ref().len() as u64 {
            let _ = self.1.send(());
        }
        Ok(count)
    }
}

#[test]
fn an_import_preview_stops_when_its_client_disconnects() {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    let file = large_table();
    let mut client = TcpStream::connect(people.server.address()).unwrap();
    let head = format!(
        "POST /product/import/preview?source=A HTTP/1.1\r\nhost: localhost\r\ncookie: {}\r\n\
         content-type: text/csv\r\ncontent-length: {}\r\n\r\n",
        owner.cookie,
        file.len()
    );
    client.write_all(head.as_bytes()).unwrap();
    client.write_all(&file).unwrap();
    assert!(!people.server.has_logged(STOPPED));
    drop(client);
    people.server.wait_for_line(STOPPED);
}

#[test]
fn an_import_stops_when_its_api_key_is_revoked() {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    let key = key_of(&people, &owner, "nightly", &["import"]);
    let keys = people.request(Method::GET, "/keys");
    let keys: Value = keys
        .header("cookie", &owner.cookie)
        .send()
        .unwrap()
        .json()
        .unwrap();
    let path = format!("/keys/{}", keys["data"][0]["id"].as_str().unwrap());
    let (sent, has_sent) = channel();
    let answer = std::thread::scope(|scope| {
        let answer = scope.spawn(|| {
            let file = large_table();
            let length = file.len() as u64;
            let request = people.request(Method::POST, "/product/import/preview?source=A");
            let request = request.bearer_auth(&key).header("content-type", "text/csv");
            let file = Body::sized(Sent(Cursor::new(file), sent), length);
            request.body(file).send().unwrap()
        });
        has_sent.recv().unwrap();
        let revoke = people.request(Method::DELETE, &path);
        let revoked = revoke.header("cookie", &owner.cookie).send().unwrap();
        assert_eq!(revoked.status(), 200);
        answer.join().unwrap()
    });
    assert_eq!(answer.status(), 401);
    assert_eq!(
        error(answer),
        "This API key is not valid: it was revoked, has expired, or is not complete."
    );
    people.server.wait_for_line(STOPPED);
}
