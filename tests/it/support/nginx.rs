//! nginx in a folder of its own, where it is installed; the benchmarks start it too.

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A running nginx, which ends with this.
pub struct Nginx {
    process: Child,
    _folder: TempDir,
}

impl Nginx {
    /// Whether it can be started.
    pub fn is_installed() -> bool {
        Command::new("nginx").arg("-v").output().is_ok()
    }

    /// Starts it with what stands in its `http` block, which may name what is in the folder, and
    /// waits until it listens on a port.
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
        // Its workers end with it when it is asked to, and not when it is killed.
        let _ = Command::new("kill")
            .arg(self.process.id().to_string())
            .status();
        let _ = self.process.wait();
    }
}

/// A port of this machine that nobody listens on.
pub fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}
