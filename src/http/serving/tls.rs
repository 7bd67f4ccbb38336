//! Certificates: from files, which are reloaded when they change, or from an ACME server such as
//! Let's Encrypt.

use std::future::poll_fn;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use futures_core::Stream;
use rustls_acme::caches::DirCache;
use rustls_acme::{AcmeConfig, UseChallenge};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::{ClientConfig, RootCertStore, ServerConfig};
use url::Url;

use crate::maintenance::certificates::{CertificateFiles, certificates_in, load, provider};

/// Minimum interval between checks of the files.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// The protocol of all connections, as named in TLS (ALPN).
const HTTP: &[u8] = b"http/1.1";

/// Source of the certificate.
#[derive(Debug, Clone)]
pub enum Certificate {
    /// PEM files with the certificate chain and its key.
    Files {
        /// The certificate chain.
        chain: PathBuf,
        /// The private key.
        key: PathBuf,
    },
    /// ACME server (RFC 8555) with the TLS-ALPN-01 challenge (RFC 8737).
    Acme {
        /// Domain names of the site.
        domains: Vec<String>,
        /// Contact address for the certificate authority.
        contact: Option<String>,
        /// Directory URL of the ACME server.
        directory: Url,
        /// Root certificate of the ACME server, if it is not publicly trusted.
        authority: Option<PathBuf>,
        /// Private folder for the account and the certificate.
        folder: PathBuf,
    },
}

/// TLS configuration error, with advice.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// Unusable certificate or key file.
    #[error(
        "cannot use the certificate {0} with the key {1}: {2}. Both must be PEM files that belong together."
    )]
    Files(String, String, String),
    /// Unusable folder for certificates or root certificate.
    #[error("cannot use {0} for certificates: {1}")]
    Acme(String, String),
    /// TLS library error.
    #[error("TLS can't be used: {0}")]
    Other(#[from] tokio_rustls::rustls::Error),
}

/// TLS configuration; for ACME, `keep` must be polled while the server runs.
pub(crate) struct Tls {
    pub(crate) acceptor: TlsAcceptor,
    pub(crate) keep: Option<Pin<Box<dyn Future<Output = ()>>>>,
}

impl Certificate {
    /// Returns the files to look at for its condition.
    pub fn files(&self) -> CertificateFiles {
        match self {
            Self::Files { chain, key } => CertificateFiles::Given {
                chain: chain.clone(),
                key: key.clone(),
            },
            Self::Acme { folder, .. } => CertificateFiles::Acme(folder.clone()),
        }
    }

    /// Reads the certificate; with ACME, `keep` requests it.
    pub(crate) fn open(self) -> Result<Tls, TlsError> {
        match self {
            Self::Files { chain, key } => {
                let files = Files { chain, key };
                let certificate = files.load()?;
                let resolver = Reloading {
                    current: Mutex::new(Current {
                        certificate: Arc::new(certificate),
                        stamp: files.stamp(),
                        checked_at: Instant::now(),
                    }),
                    files,
                };
                Ok(Tls {
                    acceptor: acceptor(Arc::new(resolver), &[HTTP])?,
                    keep: None,
                })
            }
            Self::Acme {
                domains,
                contact,
                directory,
                authority,
                folder,
            } => acme(&domains, contact, &directory, authority.as_deref(), &folder),
        }
    }
}

fn acceptor(
    resolver: Arc<dyn ResolvesServerCert>,
    protocols: &[&[u8]],
) -> Result<TlsAcceptor, TlsError> {
    let mut config = ServerConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_cert_resolver(resolver);
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
    // Session tickets resume any number of connections without server state.
    config.ticketer = ring::Ticketer::new()?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}

#[derive(Debug)]
struct Files {
    chain: PathBuf,
    key: PathBuf,
}

/// Modification time and size of both files.
type Stamp = [Option<(SystemTime, u64)>; 2];

impl Files {
    fn load(&self) -> Result<CertifiedKey, TlsError> {
        load(&self.chain, &self.key).map_err(|reason| {
            let [chain, key] = [&self.chain, &self.key].map(|path| path.display().to_string());
            TlsError::Files(chain, key, reason)
        })
    }

    fn stamp(&self) -> Stamp {
        [&self.chain, &self.key].map(|path| {
            let file = std::fs::metadata(path).ok()?;
            Some((file.modified().ok()?, file.len()))
        })
    }
}

/// Serves the certificate in the files and reloads it when they change.
#[derive(Debug)]
struct Reloading {
    files: Files,
    current: Mutex<Current>,
}

#[derive(Debug)]
struct Current {
    certificate: Arc<CertifiedKey>,
    stamp: Stamp,
    checked_at: Instant,
}

impl ResolvesServerCert for Reloading {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if current.checked_at.elapsed() > CHECK_INTERVAL {
            current.checked_at = Instant::now();
            let stamp = self.files.stamp();
            if stamp != current.stamp {
                current.stamp = stamp;
                match self.files.load() {
                    Ok(certificate) => {
                        current.certificate = Arc::new(certificate);
                        tracing::info!("reloaded the certificate");
                    }
                    // Only one of the files may have been replaced so far.
                    Err(error) => tracing::error!(%error, "cannot reload the certificate"),
                }
            }
        }
        Some(Arc::clone(&current.certificate))
    }
}

fn acme(
    domains: &[String],
    contact: Option<String>,
    directory: &Url,
    authority: Option<&Path>,
    folder: &Path,
) -> Result<Tls, TlsError> {
    let fail = |path: &Path, reason: String| TlsError::Acme(path.display().to_string(), reason);
    make_private(folder).map_err(|error| fail(folder, error.to_string()))?;
    let mut config = match authority {
        None => AcmeConfig::new_with_provider(domains, provider()),
        Some(path) => {
            let mut roots = RootCertStore::empty();
            let certificates =
                certificates_in(path).map_err(|error| fail(path, error.to_string()))?;
            roots.add_parsable_certificates(certificates);
            let client = ClientConfig::builder_with_provider(provider())
                .with_safe_default_protocol_versions()?
                .with_root_certificates(roots)
                .with_no_client_auth();
            AcmeConfig::new_with_client_config(domains, Arc::new(client))
        }
    };
    if let Some(contact) = contact {
        config = config.contact_push(format!("mailto:{contact}"));
    }
    let mut state = config
        .directory(directory)
        .cache(DirCache::new(folder.to_owned()))
        .challenge_type(UseChallenge::TlsAlpn01)
        .state();
    let acceptor = acceptor(state.resolver(), &[HTTP, b"acme-tls/1"])?;
    let keep = async move {
        while let Some(event) = poll_fn(|context| Pin::new(&mut state).poll_next(context)).await {
            match event {
                Ok(event) => tracing::info!(?event, "certificate"),
                Err(error) => tracing::error!(
                    %error,
                    "no certificate yet; trying again. The domain must lead to port 443 here, and \
                     this server must reach the ACME server"
                ),
            }
        }
    };
    Ok(Tls {
        acceptor,
        keep: Some(Box::pin(keep)),
    })
}

/// Creates a folder for keys that only this user can read.
fn make_private(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)?;
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700))
}
