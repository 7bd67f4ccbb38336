//! nginx beside the program, where it is installed, with files of the same bytes.

use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::load::Client;

/// nginx with two workers and files of its own.
pub struct Nginx {
    process: Child,
    pub address: String,
    _folder: tempfile::TempDir,
}

impl Nginx {
    /// Starts it with these files; `None` where it is not installed.
    pub fn with(files: &[(&str, &[u8])]) -> Option<Self> {
        Command::new("nginx").arg("-v").output().ok()?;
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in files {
            std::fs::write(folder.path().join(name), bytes).unwrap();
        }
        let port = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let path = folder.path().display();
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|kind| format!("{kind}_temp_path {path}/{kind};"))
            .join(" ");
        let all = format!(
            "daemon off; pid {path}/pid; error_log {path}/errors; worker_processes 2; events {{}} \
             http {{ access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000; \
             {temporary} server {{ listen 127.0.0.1:{port}; root {path}; }} }}"
        );
        let file = folder.path().join("nginx.conf");
        std::fs::write(&file, all).unwrap();
        let process = Command::new("nginx")
            .args([
                "-c".as_ref(),
                file.as_os_str(),
                "-p".as_ref(),
                folder.path().as_os_str(),
            ])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let address = format!("127.0.0.1:{port}");
        let deadline = Instant::now() + Duration::from_secs(10);
        while std::net::TcpStream::connect(&address).is_err() {
            assert!(Instant::now() < deadline, "nginx does not answer");
            std::thread::sleep(Duration::from_millis(10));
        }
        for (name, bytes) in files {
            let (_, length) = Client::connect(&address).get(&format!("/{name}"));
            assert_eq!(length, bytes.len());
        }
        Some(Self {
            process,
            address,
            _folder: folder,
        })
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // Its workers end with it when it is asked to, and not when it is killed.
        let _ = Command::new("kill")
            .arg(self.process.id().to_string())
            .status();
        let _ = self.process.wait();
    }
}
