//! Certificates: from files, which are reloaded when they change, or from an ACME server such as
//! Let's Encrypt.

mod acceptor;
mod acme;

use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use url::Url;

use crate::maintenance::certificates::{CertificateFiles, Served, SiteCertificate, load};
pub(crate) use acceptor::Tls;
pub use acceptor::TlsError;
use acceptor::{HTTP, acceptor};
use acme::Acme;

/// Interval between checks of the files.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

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

impl Certificate {
    /// Returns the certificate, of which visitors' own is not known yet.
    pub fn site(&self) -> SiteCertificate {
        SiteCertificate {
            files: match self {
                Self::Files { chain, key } => CertificateFiles::Given {
                    chain: chain.clone(),
                    key: key.clone(),
                },
                Self::Acme { folder, .. } => CertificateFiles::Acme(folder.clone()),
            },
            served: Served::default(),
        }
    }

    /// Reads the certificate; with ACME, `keep` requests it.
    pub(crate) fn open(self) -> Result<Tls, TlsError> {
        let site = self.site();
        match self {
            Self::Files { chain, key } => {
                let files = Files { chain, key };
                let stamp = files.stamp();
                let certificate = files.load()?;
                site.served.set(certificate.cert.first().cloned());
                let resolver = Arc::new(CurrentCertificate(Mutex::new(Arc::new(certificate))));
                Ok(Tls {
                    acceptor: acceptor(resolver.clone(), &[HTTP])?,
                    keep: Box::pin(reload(files, stamp, resolver, site.clone())),
                    site,
                })
            }
            Self::Acme {
                domains,
                contact,
                directory,
                authority,
                folder,
            } => Acme::open(
                domains,
                contact,
                directory,
                authority.as_deref(),
                folder,
                site,
            ),
        }
    }
}

#[derive(Debug)]
struct Files {
    chain: PathBuf,
    key: PathBuf,
}

/// Inode, size and times of both files: a change of permissions changes only the last.
type FileStamps = [Option<[i64; 6]>; 2];

impl Files {
    fn load(&self) -> Result<CertifiedKey, TlsError> {
        load(&self.chain, &self.key).map_err(|reason| {
            let [chain, key] = [&self.chain, &self.key].map(|path| path.display().to_string());
            TlsError::Files(chain, key, reason)
        })
    }

    fn stamp(&self) -> FileStamps {
        [&self.chain, &self.key].map(|path| {
            let file = std::fs::metadata(path).ok()?;
            Some([
                file.ino().cast_signed(),
                file.len().cast_signed(),
                file.mtime(),
                file.mtime_nsec(),
                file.ctime(),
                file.ctime_nsec(),
            ])
        })
    }
}

/// The certificate that was read last.
#[derive(Debug)]
struct CurrentCertificate(Mutex<Arc<CertifiedKey>>);

impl ResolvesServerCert for CurrentCertificate {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let current = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Some(Arc::clone(&current))
    }
}

/// Reads the files again when they change, and for as long as they can't be used.
async fn reload(
    files: Files,
    mut stamp: FileStamps,
    current: Arc<CurrentCertificate>,
    site: SiteCertificate,
) {
    let mut failure = None;
    loop {
        tokio::time::sleep(CHECK_INTERVAL).await;
        let found = files.stamp();
        if found == stamp && failure.is_none() {
            continue;
        }
        stamp = found;
        match files.load() {
            Ok(certificate) => {
                site.served.set(certificate.cert.first().cloned());
                *current.0.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(certificate);
                failure = None;
                tracing::info!("reloaded the certificate");
                site.condition(Timestamp::now()).log();
            }
            // Only one of the files may have been replaced so far.
            Err(error) => {
                let reason = error.to_string();
                if failure.as_ref() != Some(&reason) {
                    tracing::error!(
                        "cannot reload the certificate, and the one before is served: {reason}"
                    );
                }
                failure = Some(reason);
            }
        }
    }
}
