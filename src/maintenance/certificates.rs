//! The site's certificate: its files, the one that visitors get, and what is wrong with either.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use jiff::{SignedDuration, Timestamp};
use tokio_rustls::rustls::crypto::{CryptoProvider, ring};
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::{Error, InconsistentKeys};

use super::acme::AcmeProgress;
use crate::domain::moment_in_india;

/// Time before the end of a certificate from which it needs attention.
const SOON: SignedDuration = SignedDuration::from_hours(14 * 24);
/// Beginning of the names that `rustls-acme` gives to certificates in its folder.
const ACME_FILE: &str = "cached_cert_";

const AGAIN: &str = "The server reads the files again when they change.";

/// The site's certificate.
#[derive(Debug, Clone)]
pub struct SiteCertificate {
    /// Its source.
    pub files: CertificateFiles,
    /// The certificate that visitors get.
    pub served: Served,
}

/// The certificate that visitors get, once it is known.
#[derive(Debug, Clone, Default)]
pub struct Served(Arc<Mutex<Option<CertificateDer<'static>>>>);

impl Served {
    /// Notes what visitors get from now on.
    pub fn set(&self, certificate: Option<CertificateDer<'static>>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = certificate;
    }

    fn get(&self) -> Option<CertificateDer<'static>> {
        let served = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        served.clone()
    }
}

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
    /// Visitors get a valid one, but its files can't be used any more.
    Stale(String),
    /// Expired, not valid yet, unreadable, or with another's key.
    Unusable(String),
}

impl Condition {
    /// Logs a certificate that visitors' browsers refuse, or soon will.
    pub fn log(&self) {
        match self {
            Self::Fine(found) => tracing::debug!("certificate: {found}"),
            Self::EndsSoon(found) => tracing::warn!("certificate: {found}"),
            Self::Stale(found) | Self::Unusable(found) => tracing::error!("certificate: {found}"),
        }
    }
}

impl SiteCertificate {
    /// Returns the condition at a time: of what visitors get, if that is known, and of the files.
    pub fn condition(&self, now: Timestamp) -> Condition {
        let served = self.served.get();
        let advice = self.files.advice(now);
        match (self.files.read(), served) {
            (Ok(None), None) => Condition::EndsSoon(format!(
                "the ACME server has given none yet, and browsers get none. {advice}"
            )),
            (Ok(Some((name, certificate))), Some(served)) if certificate == served => {
                judged(&name, &served, now, &advice)
            }
            (Ok(Some((name, certificate))), None) => judged(&name, &certificate, now, &advice),
            (Ok(_), Some(served)) => judged(
                "the one that visitors get, which is not in the files,",
                &served,
                now,
                &advice,
            ),
            (Err(reason), None) => Condition::Unusable(format!("{reason}. {AGAIN}")),
            (Err(reason), Some(served)) => {
                match judged("the one that visitors get", &served, now, "") {
                    Condition::Unusable(found) => Condition::Unusable(format!("{found} {reason}.")),
                    Condition::Fine(found)
                    | Condition::EndsSoon(found)
                    | Condition::Stale(found) => Condition::Stale(format!(
                        "{reason}. {AGAIN} Until a restart, {}.",
                        found.trim_end_matches(['.', ' '])
                    )),
                }
            }
        }
    }

    /// Returns the end of the certificate that visitors get.
    pub fn ends(&self) -> Option<Timestamp> {
        let of_files = || self.files.read().ok()?.map(|(_, certificate)| certificate);
        let certificate = self.served.get().or_else(of_files)?;
        validity(&certificate).ok().map(|(_, ends)| ends)
    }

    /// Returns a sentence about a key that other users of the machine can read.
    pub fn exposed_key(&self) -> Option<String> {
        let CertificateFiles::Given { key, .. } = &self.files else {
            return None;
        };
        let mode = std::fs::metadata(key).ok()?.mode() & 0o777;
        let name = key.display();
        (mode & 0o007 != 0).then(|| {
            format!(
                "the key {name} is open to others on this machine (mode {mode:o}): run `chmod 640 {name}`"
            )
        })
    }
}

/// Describes a certificate by its dates.
fn judged(name: &str, certificate: &CertificateDer<'_>, now: Timestamp, advice: &str) -> Condition {
    let (begins, ends) = match validity(certificate) {
        Ok(validity) => validity,
        Err(reason) => return Condition::Unusable(format!("{name}: {reason}. {advice}")),
    };
    let (first, last) = (moment_in_india(begins), moment_in_india(ends));
    if now >= ends {
        Condition::Unusable(format!(
            "{name} expired on {last}, and browsers refuse it. {advice}"
        ))
    } else if now < begins {
        Condition::Unusable(format!(
            "{name} is valid only from {first}: is the clock of this machine right?"
        ))
    } else if ends.duration_since(now) <= SOON {
        Condition::EndsSoon(format!("{name} ends on {last}. {advice}"))
    } else {
        Condition::Fine(format!("{name} is valid until {last}"))
    }
}

impl CertificateFiles {
    /// Returns a name and the certificate of the site, if there is one.
    ///
    /// # Errors
    ///
    /// A sentence, without its full stop, about files that can't be used.
    fn read(&self) -> Result<Option<(String, CertificateDer<'static>)>, String> {
        let Some((chain, key)) = self.paths()? else {
            return Ok(None);
        };
        let name = chain.display().to_string();
        let certified = load(&chain, &key)
            .map_err(|reason| format!("{name} can't be used with {}: {reason}", key.display()))?;
        Ok(certified.cert.first().map(|first| (name, first.clone())))
    }

    /// Returns what to do about a certificate that is not fine.
    fn advice(&self, now: Timestamp) -> String {
        match self {
            Self::Given { .. } => "Replace it; the server reads it without a restart.".to_owned(),
            Self::Acme(folder) => AcmeProgress::load(folder).sentence(now),
        }
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
/// The reason and what to do about it, also when they do not belong together.
pub fn load(chain: &Path, key: &Path) -> Result<CertifiedKey, String> {
    let bytes = read(chain)?;
    let certificates: Vec<_> = CertificateDer::pem_slice_iter(&bytes)
        .collect::<Result<_, _>>()
        .map_err(|error| format!("{}: {error}", chain.display()))?;
    if certificates.is_empty() {
        return Err(no_certificate(chain, &bytes));
    }
    let bytes = read(key)?;
    let secret =
        PrivateKeyDer::from_pem_slice(&bytes).map_err(|error| no_key(key, &bytes, &error))?;
    let pair = |certificate: &CertificateDer<'static>, rest: &[CertificateDer<'static>]| {
        let chain = [std::slice::from_ref(certificate), rest].concat();
        CertifiedKey::from_der(chain, secret.clone_key(), &provider())
    };
    pair(&certificates[0], &certificates[1..]).map_err(|error| match error {
        Error::InconsistentKeys(InconsistentKeys::KeyMismatch) => {
            if certificates.iter().any(|other| pair(other, &[]).is_ok()) {
                "the site's own certificate must be the first in its file, before those that \
                 signed it"
                    .to_owned()
            } else {
                "the key is of another certificate: take the two that belong together".to_owned()
            }
        }
        Error::General(_) => format!(
            "{} is of a kind that is not taken: use RSA of at least 2048 bits, or ECDSA with P-256 or P-384",
            key.display()
        ),
        error => error.to_string(),
    })
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|error| {
        let name = path.display();
        match std::fs::metadata(path) {
            Ok(file) if error.kind() == std::io::ErrorKind::PermissionDenied => format!(
                "the server may not read {name} (mode {:o}, of user {} and group {}): let its user \
                 read it",
                file.mode() & 0o777,
                file.uid(),
                file.gid()
            ),
            _ => format!("{name}: {error}"),
        }
    })
}

/// Says what a file without a certificate has.
fn no_certificate(path: &Path, bytes: &[u8]) -> String {
    let (name, text) = (path.display(), String::from_utf8_lossy(bytes));
    if x509_parser::parse_x509_certificate(bytes).is_ok() {
        format!("{name} is DER: run `openssl x509 -inform DER -in {name} -out cert.pem`")
    } else if text.contains("PRIVATE KEY-----") {
        format!("{name} has a key and no certificate: are the two files swapped?")
    } else if text.contains("CERTIFICATE REQUEST-----") {
        format!("{name} is a request for a certificate: take the file that was sent for it")
    } else if text.contains("BEGIN PKCS7") {
        format!("{name} is PKCS #7: run `openssl pkcs7 -print_certs -in {name} -out cert.pem`")
    } else if bytes.first() == Some(&0x30) {
        format!("{name} may be PKCS #12: run `openssl pkcs12 -nodes -in {name} -out both.pem`")
    } else {
        format!(
            "{name} has no certificate in PEM form, which begins with -----BEGIN CERTIFICATE-----"
        )
    }
}

/// Says what a file without a key that can be used has.
fn no_key(path: &Path, bytes: &[u8], error: &pem::Error) -> String {
    let (name, text) = (path.display(), String::from_utf8_lossy(bytes));
    if text.contains("ENCRYPTED") {
        format!(
            "the key {name} is encrypted, and nobody is there to type its passphrase: run `openssl \
             pkey -in {name} -out key.pem`"
        )
    } else if text.contains("OPENSSH PRIVATE KEY") {
        format!("{name} is a key of SSH, and not of a certificate")
    } else if text.contains("PUBLIC KEY-----") {
        format!("{name} is the public key: take the private one")
    } else if text.contains("BEGIN CERTIFICATE") {
        format!("{name} has a certificate and no key: are the two files swapped?")
    } else if bytes.first() == Some(&0x30) {
        format!("{name} is DER: run `openssl pkey -inform DER -in {name} -out key.pem`")
    } else if text.contains("PRIVATE KEY-----") {
        format!("{name}: {error}")
    } else {
        format!("{name} has no key in PEM form, which begins with -----BEGIN PRIVATE KEY-----")
    }
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
///
/// # Errors
///
/// If it can't be parsed.
pub fn validity(certificate: &CertificateDer<'_>) -> Result<(Timestamp, Timestamp), String> {
    let (_, parsed) =
        x509_parser::parse_x509_certificate(certificate).map_err(|error| error.to_string())?;
    let time = |seconds| Timestamp::from_second(seconds).map_err(|error| error.to_string());
    let validity = parsed.validity();
    Ok((
        time(validity.not_before.timestamp())?,
        time(validity.not_after.timestamp())?,
    ))
}
