//! Load over TLS, with persistent and with new connections.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rcgen::{CertifiedKey, generate_simple_self_signed};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::client::Resumption;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{CipherSuite, ClientConfig, RootCertStore, SupportedCipherSuite};

use super::load::{Load, all_of, ask_once, ask_until, requests};

/// A certificate for `localhost` in two files, and a client configuration that trusts it.
pub struct Certificate {
    pub chain: PathBuf,
    pub key: PathBuf,
    trusted: CertificateDer<'static>,
}

impl Certificate {
    pub fn new(folder: &Path) -> Self {
        let names = vec!["localhost".to_owned()];
        let CertifiedKey { cert, signing_key } = generate_simple_self_signed(names).unwrap();
        let (chain, key) = (folder.join("cert.pem"), folder.join("key.pem"));
        std::fs::write(&key, signing_key.serialize_pem()).unwrap();
        std::fs::write(&chain, cert.pem()).unwrap();
        Self {
            chain,
            key,
            trusted: cert.der().clone(),
        }
    }

    fn connector(&self, resumption: Resumption) -> TlsConnector {
        let mut roots = RootCertStore::empty();
        roots.add(self.trusted.clone()).unwrap();
        let mut provider = ring::default_provider();
        // The cipher suite that browsers prefer: AES-128.
        let suite =
            |suite: &SupportedCipherSuite| suite.suite() != CipherSuite::TLS13_AES_128_GCM_SHA256;
        provider.cipher_suites.sort_by_key(suite);
        let mut config = ClientConfig::builder_with_provider(Arc::new(provider))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        config.resumption = resumption;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        TlsConnector::from(Arc::new(config))
    }

    pub fn load(&self, address: &str, paths: &[String], connections: usize, seconds: f64) -> Load {
        let connector = self.connector(Resumption::disabled());
        let requests = requests("GET", "", paths);
        let end = Instant::now() + Duration::from_secs_f64(seconds);
        all_of(connections, |connection| {
            let (connector, address) = (connector.clone(), address.to_owned());
            let requests = Arc::clone(&requests);
            let first = connection * requests.len() / connections;
            async move {
                let stream = connect(&connector, &address).await;
                ask_until(end, stream, requests, first).await
            }
        })
    }

    /// Opens a new connection per response, several at once, with or without session resumption.
    pub fn connect_again(
        &self,
        address: &str,
        path: &str,
        resumed: bool,
        connections: usize,
        seconds: f64,
    ) -> Load {
        let end = Instant::now() + Duration::from_secs_f64(seconds);
        let requests = requests("GET", "", &[path.to_owned()]);
        all_of(connections, |_| {
            let resumption = if resumed {
                Resumption::in_memory_sessions(8)
            } else {
                Resumption::disabled()
            };
            let connector = self.connector(resumption);
            let (address, requests) = (address.to_owned(), Arc::clone(&requests));
            async move {
                let mut times = Vec::new();
                let mut buffer = vec![0; 1 << 16];
                while Instant::now() < end {
                    let start = Instant::now();
                    let mut stream = connect(&connector, &address).await;
                    ask_once(&mut stream, &requests[0], &mut buffer).await;
                    times.push(start.elapsed().as_secs_f64() * 1_000.0);
                }
                times
            }
        })
    }
}

async fn connect(connector: &TlsConnector, address: &str) -> TlsStream<TcpStream> {
    let stream = TcpStream::connect(address).await.unwrap();
    stream.set_nodelay(true).unwrap();
    let name = ServerName::try_from("localhost").unwrap();
    connector.connect(name, stream).await.unwrap()
}
