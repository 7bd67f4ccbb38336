//! TLS of the listener, whatever its certificate comes from.

use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::server::ResolvesServerCert;

use crate::maintenance::certificates::{SiteCertificate, provider};

/// The protocol of all connections, as named in TLS (ALPN).
pub(super) const HTTP: &[u8] = b"http/1.1";

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

/// TLS configuration; `keep` must be polled while the server runs.
pub(crate) struct Tls {
    pub(crate) acceptor: TlsAcceptor,
    /// Reads or orders the certificate again.
    pub(crate) keep: Pin<Box<dyn Future<Output = ()>>>,
    pub(crate) site: SiteCertificate,
}

pub(super) fn acceptor(
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

/// Reports a file or folder of ACME that can't be used.
pub(super) fn unusable(path: &Path, reason: &impl ToString) -> TlsError {
    TlsError::Acme(path.display().to_string(), reason.to_string())
}
