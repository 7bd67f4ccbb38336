//! Opens a bucket with the settings of the `AWS_` variables.

use std::sync::Arc;
use std::time::Duration;

use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::client::{HttpClient, HttpConnector};
use object_store::{BackoffConfig, ClientOptions, RetryConfig};
use object_store_http::{Client, redirect};
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use super::address::Address;
use super::error::BucketError;

/// Time to connect.
const CONNECT: Duration = Duration::from_secs(5);
/// Longest silence: time to send a part at 70 kB a second.
const SILENCE: Duration = Duration::from_secs(120);
/// Repetitions of a request after 5xx answers and broken connections.
const RETRIES: usize = 3;

/// Variables of which one has the credentials.
const KEYS: [&str; 5] = [
    "AWS_ACCESS_KEY_ID",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "AWS_METADATA_ENDPOINT",
];

/// Opens the bucket; sends nothing.
pub(super) fn open(address: &Address) -> Result<AmazonS3, BucketError> {
    let retry = RetryConfig {
        max_retries: RETRIES,
        backoff: BackoffConfig {
            init_backoff: Duration::from_millis(200),
            max_backoff: Duration::from_secs(2),
            base: 2.0,
        },
        ..RetryConfig::default()
    };
    // Without a key, the library would look for the machine's at an address of Amazon's.
    let is_set = |name: &&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if !KEYS.iter().any(is_set) {
        return Err(BucketError::new(format!(
            "cannot use {address}: no key is set. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, \
             also in /etc/deals.env or --env-file."
        )));
    }
    AmazonS3Builder::from_env()
        .with_bucket_name(&address.bucket)
        // Not all providers that speak S3 have it.
        .with_disable_bulk_delete(true)
        .with_retry(retry)
        .with_http_connector(Connector(client(address)?))
        .build()
        .map_err(|error| BucketError::of(address, "use", &error))
}

/// An HTTP client that trusts public authorities and those in the file `AWS_CA_BUNDLE`: a container
/// has no certificates of the system. It follows no redirect to another host.
fn client(address: &Address) -> Result<Client, BucketError> {
    let fail = |reason: String| BucketError::new(format!("cannot use {address}: {reason}"));
    let mut roots = RootCertStore {
        roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
    };
    if let Some(file) = std::env::var_os("AWS_CA_BUNDLE").filter(|file| !file.is_empty()) {
        let unusable = |reason: String| {
            let file = file.to_string_lossy();
            fail(format!("AWS_CA_BUNDLE, {file}: {reason}. Name a PEM file."))
        };
        let certificates =
            CertificateDer::pem_file_iter(&file).map_err(|error| unusable(error.to_string()))?;
        for certificate in certificates {
            let certificate = certificate.map_err(|error| unusable(error.to_string()))?;
            roots
                .add(certificate)
                .map_err(|error| unusable(error.to_string()))?;
        }
    }
    let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| fail(error.to_string()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Client::builder()
        .tls_backend_preconfigured(tls)
        .redirect(redirect::Policy::none())
        .http1_only()
        .connect_timeout(CONNECT)
        .read_timeout(SILENCE)
        .user_agent(concat!("deals/", env!("CARGO_PKG_VERSION")))
        .build()
        .map_err(|error| fail(error.to_string()))
}

#[derive(Debug)]
struct Connector(Client);

impl HttpConnector for Connector {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(self.0.clone()))
    }
}
