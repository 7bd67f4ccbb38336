//! Asks a listener of this machine or an ACME server over TLS.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;

use tokio_rustls::rustls::client::danger::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
};
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::{
    ClientConfig, ClientConnection, DigitallySignedStruct, Error, SignatureScheme, StreamOwned,
};

use super::certificates::provider;

/// Maximum number of bytes of an answer that are read.
const MOST: u64 = 64 * 1_024;

/// Returns the address to reach a listener at from this machine.
///
/// # Errors
///
/// If its name is unknown.
pub fn nearest(listen: &str) -> io::Result<SocketAddr> {
    let mut address = listen
        .to_socket_addrs()?
        .next()
        .ok_or_else(|| io::Error::other("it has no address"))?;
    if address.ip().is_unspecified() {
        address.set_ip(match address.ip() {
            IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        });
    }
    Ok(address)
}

/// Connects within a time, which also bounds each wait for an answer.
///
/// # Errors
///
/// If nobody answers in time.
pub fn connect(address: &SocketAddr, patience: Duration) -> io::Result<TcpStream> {
    let stream = TcpStream::connect_timeout(address, patience)?;
    stream.set_read_timeout(Some(patience))?;
    stream.set_write_timeout(Some(patience))?;
    Ok(stream)
}

/// Encrypts a connection: by these settings, or with any certificate of the other side.
///
/// # Errors
///
/// If the name is none.
pub fn encrypted(
    stream: TcpStream,
    name: &str,
    config: Option<Arc<ClientConfig>>,
) -> io::Result<StreamOwned<ClientConnection, TcpStream>> {
    let config = match config {
        Some(config) => config,
        None => Arc::new(
            ClientConfig::builder_with_provider(provider())
                .with_safe_default_protocol_versions()
                .map_err(io::Error::other)?
                .dangerous()
                .with_custom_certificate_verifier(Arc::new(AnyCertificate))
                .with_no_client_auth(),
        ),
    };
    let name = ServerName::try_from(name.to_owned()).map_err(io::Error::other)?;
    let connection = ClientConnection::new(config, name).map_err(io::Error::other)?;
    Ok(StreamOwned::new(connection, stream))
}

/// Requests a path of a host, and returns the answer with its head.
///
/// # Errors
///
/// If the connection breaks before an answer.
pub fn ask(mut stream: impl Read + Write, host: &str, path: &str) -> io::Result<String> {
    let agent = concat!("deals/", env!("CARGO_PKG_VERSION"));
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: {agent}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes())?;
    let mut answer = Vec::new();
    match stream.take(MOST).read_to_end(&mut answer) {
        // A server may close TLS without notice after its answer.
        Err(error) if answer.is_empty() => Err(error),
        _ => Ok(String::from_utf8_lossy(&answer).into_owned()),
    }
}

/// Returns the certificate that visitors of this name get from a listener.
///
/// # Errors
///
/// If it does not answer, or has none.
pub fn presented(
    listen: &str,
    name: &str,
    patience: Duration,
) -> io::Result<Option<CertificateDer<'static>>> {
    let stream = connect(&nearest(listen)?, patience)?;
    let mut stream = encrypted(stream, name, None)?;
    while stream.conn.is_handshaking() {
        stream.conn.complete_io(&mut stream.sock)?;
    }
    let chain = stream.conn.peer_certificates().unwrap_or_default();
    Ok(chain.first().map(|first| first.clone().into_owned()))
}

/// Accepts any certificate: its name is not that of this machine, and nothing secret is sent.
#[derive(Debug)]
struct AnyCertificate;

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        ring::default_provider()
            .signature_verification_algorithms
            .supported_schemes()
    }
}
