//! Runs the proxies of `docs/running.md`, where they are installed, in front of a shop.

use std::fs;
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use reqwest::blocking::Client;
use tempfile::TempDir;

use crate::support::harness::{PATIENCE, Server, Shop, pause};
use crate::support::nginx::{Nginx, free_port};
use crate::support::tls::certify;

/// The name in the documented configurations.
const NAME: &str = "deals.example.com";

/// Names of the programs.
pub const PROXIES: [&str; 3] = ["nginx", "caddy", "haproxy"];

/// A proxy with a certificate in front of a shop.
pub struct Proxy {
    pub url: String,
    /// The address of plain http.
    pub plain_url: String,
    /// Trusts the certificate and follows no redirect.
    pub client: Client,
    _running: Running,
}

enum Running {
    Nginx { _nginx: Nginx },
    Other { process: Child, _folder: TempDir },
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Self::Other { process, .. } = self {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

/// Returns true if the program is installed.
pub fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Returns the block of code in `docs/running.md` that begins with this line.
fn documented(first: &str) -> String {
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/running.md");
    let docs = fs::read_to_string(docs).unwrap();
    let (_, rest) = docs.split_once(&format!("\n{first}\n")).unwrap();
    rest.split_once("```").unwrap().0.to_owned()
}

impl Proxy {
    /// Starts the program with its documented configuration; of its addresses and files only the
    /// places are others.
    pub fn start(program: &str, shop: &Shop, server: &Server) -> Self {
        Self::with(program, shop, server, "")
    }

    /// Starts nginx with the documented cache.
    pub fn caching(shop: &Shop, server: &Server) -> Self {
        Self::with("nginx", shop, server, &documented("# before the servers"))
    }

    fn with(program: &str, shop: &Shop, server: &Server, cache: &str) -> Self {
        let trusted = certify(shop, NAME);
        let folder = tempfile::tempdir().unwrap();
        let (port, plain) = (free_port(), free_port());
        let file = |name: &str| shop.file(name).display().to_string();
        let both = file("cert-and-key.pem");
        let pem = ["cert.pem", "key.pem"].map(|name| fs::read_to_string(shop.file(name)).unwrap());
        fs::write(&both, pem.concat()).unwrap();
        let place = |text: String| text.replace("127.0.0.1:8080", server.address());
        let running = match program {
            "nginx" => {
                let (zone, rest) = cache.split_once("# in location").unwrap_or_default();
                let kept = folder.path().join("cache").display().to_string();
                let site = documented("# /etc/nginx/conf.d/deals.conf")
                    .replace("location / {", &format!("location / {{ {rest}"))
                    .replace("listen 80;", &format!("listen 127.0.0.1:{plain};"))
                    .replace("listen 443 ", &format!("listen 127.0.0.1:{port} "))
                    .replace("/etc/ssl/deals/cert.pem", &file("cert.pem"))
                    .replace("/etc/ssl/deals/key.pem", &file("key.pem"));
                let zone = zone.replace("/var/cache/nginx/deals", &kept);
                let http = place(format!("{zone}{site}"));
                Running::Nginx {
                    _nginx: Nginx::start(folder, 1, &http, port),
                }
            }
            "caddy" => {
                let (cert, key) = (file("cert.pem"), file("key.pem"));
                let site = documented("# /etc/caddy/Caddyfile");
                let (name, rest) = site.split_once('{').unwrap();
                let options = format!(
                    "admin off\ndefault_bind 127.0.0.1\nauto_https disable_redirects\n\
                     http_port {plain}\nhttps_port {port}\nstorage file_system {}\n",
                    folder.path().display()
                );
                let all = format!("{{\n{options}}}\n{name}{{\ntls {cert} {key}{rest}");
                let arguments = ["run", "--adapter", "caddyfile", "--config"];
                run(program, &arguments, folder, &place(all), port)
            }
            _ => {
                let site = documented("# /etc/haproxy/haproxy.cfg")
                    .replace("bind :80", &format!("bind 127.0.0.1:{plain}"))
                    .replace("bind :443", &format!("bind 127.0.0.1:{port}"))
                    .replace("/etc/ssl/deals/cert-and-key.pem", &both);
                let all = place(site);
                let file = folder.path().join("checked");
                fs::write(&file, &all).unwrap();
                let checked = Command::new(program).args(["-c", "-f"]).arg(file).output();
                let said = String::from_utf8(checked.unwrap().stderr).unwrap();
                assert!(!said.contains("WARNING"), "{said}");
                run(program, &["-db", "-f"], folder, &all, port)
            }
        };
        let trusted = reqwest::Certificate::from_pem(trusted.as_bytes()).unwrap();
        Self {
            url: format!("https://{NAME}:{port}"),
            plain_url: format!("http://127.0.0.1:{plain}"),
            client: Client::builder()
                .timeout(PATIENCE)
                .resolve(NAME, ([127, 0, 0, 1], port).into())
                .add_root_certificate(trusted)
                .redirect(reqwest::redirect::Policy::none())
                .build()
                .unwrap(),
            _running: running,
        }
    }
}

/// Starts a program with a configuration, whose path is the last argument, and waits until it
/// listens.
fn run(
    program: &str,
    arguments: &[&str],
    folder: TempDir,
    configuration: &str,
    port: u16,
) -> Running {
    let file = folder.path().join("configuration");
    fs::write(&file, configuration).unwrap();
    let mut process = Command::new(program)
        .args(arguments)
        .arg(&file)
        .env("HOME", folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        let ended = process.try_wait().unwrap();
        assert_eq!(ended, None, "{program} refuses its configuration");
        pause();
    }
    Running::Other {
        process,
        _folder: folder,
    }
}
