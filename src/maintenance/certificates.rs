//! Certificate files: expired, about to expire, or with another's key.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use jiff::{SignedDuration, Timestamp};
use tokio_rustls::rustls::crypto::{CryptoProvider, ring};
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::sign::CertifiedKey;

use crate::domain::moment_in_india;

/// Time before the end of a certificate from which it needs attention.
const SOON: SignedDuration = SignedDuration::from_hours(14 * 24);
/// Beginning of the names that `rustls-acme` gives to certificates in its folder.
const ACME_FILE: &str = "cached_cert_";

/// The files of the site's certificate.
#[derive(Debug, Clone)]
pub enum CertificateFiles {
    /// PEM files with the chain and its key.
    Given {
        /// The certificate chain.
        chain: PathBuf,
        /// The private key.
        key: PathBuf,
    },
    /// Folder with the certificates of an ACME server.
    Acme(PathBuf),
}

/// Condition of a certificate, with a sentence about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// Valid for longer than 14 days.
    Fine(String),
    /// Ends within 14 days, or was not obtained yet.
    EndsSoon(String),
    /// Expired, not valid yet, unreadable, or with another's key.
    Unusable(String),
}

impl CertificateFiles {
    /// Returns the condition at a time.
    pub fn condition(&self, now: Timestamp) -> Condition {
        let (chain, key) = match self.paths() {
            Ok(Some(paths)) => paths,
            Ok(None) => {
                return Condition::EndsSoon("the ACME server has given none yet".to_owned());
            }
            Err(reason) => return Condition::Unusable(reason),
        };
        let advice = match self {
            Self::Given { .. } => "Replace it; the server reads it without a restart.",
            Self::Acme(_) => "Look in the log for why it was not renewed.",
        };
        let name = chain.display();
        let (begins, ends) = match load(&chain, &key).and_then(|it| validity(&it)) {
            Ok(validity) => validity,
            Err(reason) => {
                return Condition::Unusable(format!(
                    "{name} can't be used with {}: {reason}. {advice}",
                    key.display()
                ));
            }
        };
        if now >= ends {
            Condition::Unusable(format!(
                "{name} expired on {}. {advice}",
                moment_in_india(ends)
            ))
        } else if now < begins {
            Condition::Unusable(format!(
                "{name} is valid only from {}.",
                moment_in_india(begins)
            ))
        } else if ends.duration_since(now) <= SOON {
            Condition::EndsSoon(format!(
                "{name} ends on {}. {advice}",
                moment_in_india(ends)
            ))
        } else {
            Condition::Fine(format!("{name} is valid until {}", moment_in_india(ends)))
        }
    }

    /// Returns the end of the certificate, if it can be read.
    pub fn ends(&self) -> Option<Timestamp> {
        let (chain, key) = self.paths().ok()??;
        let (_, ends) = validity(&load(&chain, &key).ok()?).ok()?;
        Some(ends)
    }

    /// Returns the files of the chain and its key; of several from an ACME server, the newest.
    fn paths(&self) -> Result<Option<(PathBuf, PathBuf)>, String> {
        let folder = match self {
            Self::Given { chain, key } => return Ok(Some((chain.clone(), key.clone()))),
            Self::Acme(folder) => folder,
        };
        let entries = match folder.read_dir() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            entries => entries.map_err(|error| format!("{}: {error}", folder.display()))?,
        };
        let newest = entries
            .flatten()
            .filter(|entry| entry.file_name().to_string_lossy().starts_with(ACME_FILE))
            .max_by_key(|entry| {
                let modified = entry.metadata().and_then(|file| file.modified());
                modified.unwrap_or(SystemTime::UNIX_EPOCH)
            });
        // The file has both.
        Ok(newest.map(|entry| (entry.path(), entry.path())))
    }
}

/// Reads a chain and its key.
///
/// # Errors
///
/// The reason, also when they do not belong together.
pub fn load(chain: &Path, key: &Path) -> Result<CertifiedKey, String> {
    let certificates = certificates_in(chain).map_err(|error| error.to_string())?;
    if certificates.is_empty() {
        return Err("the first file has no certificate".to_owned());
    }
    let key = PrivateKeyDer::from_pem_file(key).map_err(|error| error.to_string())?;
    CertifiedKey::from_der(certificates, key, &provider()).map_err(|error| error.to_string())
}

/// Reads the certificates in a PEM file.
///
/// # Errors
///
/// If the file can't be read, or is not PEM.
pub fn certificates_in(path: &Path) -> Result<Vec<CertificateDer<'static>>, pem::Error> {
    CertificateDer::pem_file_iter(path)?.collect()
}

/// The cryptography of all TLS connections of the server.
pub fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

/// Returns the beginning and end of a certificate (RFC 5280, section 4.1.2.5).
fn validity(certified: &CertifiedKey) -> Result<(Timestamp, Timestamp), String> {
    let certificate = certified
        .end_entity_cert()
        .map_err(|error| error.to_string())?;
    let (_, parsed) =
        x509_parser::parse_x509_certificate(certificate).map_err(|error| error.to_string())?;
    let time = |seconds| Timestamp::from_second(seconds).map_err(|error| error.to_string());
    let validity = parsed.validity();
    Ok((
        time(validity.not_before.timestamp())?,
        time(validity.not_after.timestamp())?,
    ))
}
