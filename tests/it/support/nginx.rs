//! Runs nginx in its own folder, if installed; also for the benchmarks.

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A running nginx, stopped on drop.
pub struct Nginx {
    process: Child,
    _folder: TempDir,
}

impl Nginx {
    pub fn is_installed() -> bool {
        Command::new("nginx").arg("-v").output().is_ok()
    }

    /// Starts it with the content of its `http` block, and waits until it listens.
    pub fn start(folder: TempDir, workers: u32, http: &str, port: u16) -> Self {
        let path = folder.path().display();
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|kind| format!("{kind}_temp_path {path}/{kind};"))
            .join(" ");
        let all = format!(
            "daemon off; pid {path}/pid; error_log {path}/errors; worker_processes {workers}; \
             events {{}} http {{ access_log off; {temporary} {http} }}"
        );
        let file = folder.path().join("nginx.conf");
        std::fs::write(&file, all).unwrap();
        let mut process = Command::new("nginx")
            .arg("-c")
            .arg(&file)
            .arg("-p")
            .arg(folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let deadline = Instant::now() + Duration::from_secs(30);
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            let ended = process.try_wait().unwrap();
            assert_eq!(ended, None, "nginx refuses its configuration");
            assert!(Instant::now() < deadline, "nginx does not answer");
            std::thread::sleep(Duration::from_millis(10));
        }
        Self {
            process,
            _folder: folder,
        }
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // Ask it to stop, because its workers survive a kill.
        let _ = Command::new("kill")
            .arg(self.process.id().to_string())
            .status();
        let _ = self.process.wait();
    }
}

pub fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}
