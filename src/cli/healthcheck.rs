//! `deals healthcheck`.

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use clap::Args;
use tokio_rustls::rustls::client::danger::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
};
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::{
    ClientConfig, ClientConnection, DigitallySignedStruct, Error, SignatureScheme, StreamOwned,
};

use super::options::ServeConfig;
use super::{Usage, say};

/// Maximum duration of connecting, and of each wait for the answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// Maximum number of bytes of the answer that are read.
const MOST: u64 = 64 * 1_024;

#[derive(Debug, Args)]
#[command(after_help = "\
Takes the options and variables of `deals serve`, to find the server on this machine.
Exits with status 0 if it can serve and write (GET /readyz), otherwise with 1.")]
pub(super) struct HealthcheckCommand {
    #[command(flatten)]
    config: ServeConfig,
}

impl HealthcheckCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let config = self.config;
        let listening = config.address.listening(&config.database.db, None);
        let address = nearest(&listening.address)?;
        let stream = TcpStream::connect_timeout(&address, PATIENCE)
            .with_context(|| format!("no server answers at {address}"))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let answer = if listening.certificate.is_some() {
            let domain = config.address.acme_domain.first();
            let name = domain.map_or("localhost", String::as_str);
            ask(StreamOwned::new(encrypted(name)?, stream))
        } else {
            ask(stream)
        };
        let answer = answer.with_context(|| format!("no answer from {address}"))?;
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).unwrap_or_default();
        if status != "200" {
            bail!("the server at {address} answers {status}: {body}");
        }
        say(format_args!("the server at {address} is ready"));
        Ok(())
    }
}

/// Returns the address to reach a listener at from this machine.
fn nearest(listen: &str) -> anyhow::Result<SocketAddr> {
    let mut found = listen
        .to_socket_addrs()
        .with_context(|| format!("cannot look up {listen}"))?;
    let mut address = found
        .next()
        .ok_or_else(|| anyhow!("{listen} has no address"))?;
    if address.port() == 0 {
        let reason = "name the port of the server with --listen: it is not 0.";
        return Err(Usage(reason.to_owned()).into());
    }
    if address.ip().is_unspecified() {
        address.set_ip(match address.ip() {
            IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        });
    }
    Ok(address)
}

fn ask(mut stream: impl Read + Write) -> std::io::Result<String> {
    stream.write_all(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
    let mut answer = Vec::new();
    match stream.take(MOST).read_to_end(&mut answer) {
        // A server may close TLS without notice after its answer.
        Err(error) if answer.is_empty() => Err(error),
        _ => Ok(String::from_utf8_lossy(&answer).into_owned()),
    }
}

fn encrypted(name: &str) -> anyhow::Result<ClientConnection> {
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(AnyCertificate))
        .with_no_client_auth();
    let name = ServerName::try_from(name.to_owned())?;
    Ok(ClientConnection::new(Arc::new(config), name)?)
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
