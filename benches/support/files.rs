//! Runs nginx with files of the same content, with and without TLS.

use super::load::Client;
use super::nginx::{Nginx, free_port};
use super::tls::Certificate;

/// nginx with two workers.
pub struct Files {
    pub address: String,
    pub encrypted: String,
    _nginx: Nginx,
}

impl Files {
    /// Starts it; `None` if nginx is not installed.
    pub fn with(files: &[(&str, &[u8])], certificate: &Certificate) -> Option<Self> {
        if !Nginx::is_installed() {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in files {
            std::fs::write(folder.path().join(name), bytes).unwrap();
        }
        let path = folder.path().display();
        let (port, encrypted) = (free_port(), free_port());
        let (chain, key) = (certificate.chain.display(), certificate.key.display());
        let many = "keepalive_requests 1000000000";
        let http = format!(
            "sendfile on; tcp_nopush on; {many}; root {path}; \
             server {{ listen 127.0.0.1:{port}; }} \
             server {{ listen 127.0.0.1:{encrypted} ssl; \
             ssl_certificate {chain}; ssl_certificate_key {key}; \
             ssl_session_cache shared:sessions:10m; }}"
        );
        let nginx = Nginx::start(folder, 2, &http, port);
        let [address, encrypted] = [port, encrypted].map(|port| format!("127.0.0.1:{port}"));
        for (name, bytes) in files {
            let (_, length) = Client::connect(&address).get(&format!("/{name}"));
            assert_eq!(length, bytes.len());
        }
        Some(Self {
            address,
            encrypted,
            _nginx: nginx,
        })
    }
}
