//! Opens a provider's store with the settings of its variables.

use std::sync::Arc;
use std::time::Duration;

use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::client::{HttpClient, HttpConnector};
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::multipart::MultipartStore;
use object_store::{BackoffConfig, ClientOptions, ObjectStore, RetryConfig};
use object_store_http::{Client, redirect};
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use super::address::{Address, Provider};
use super::error::BucketError;

/// Time to connect.
const CONNECT: Duration = Duration::from_secs(5);
/// Longest silence: time to send a part at 70 kB a second.
const SILENCE: Duration = Duration::from_secs(120);
/// Repetitions of a request after 5xx answers and broken connections.
const RETRIES: usize = 3;

/// Variables of which one has the credentials.
const S3_KEYS: &[&str] = &[
    "AWS_ACCESS_KEY_ID",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "AWS_METADATA_ENDPOINT",
];
const GOOGLE_KEYS: &[&str] = &[
    "GOOGLE_SERVICE_ACCOUNT",
    "GOOGLE_SERVICE_ACCOUNT_PATH",
    "GOOGLE_SERVICE_ACCOUNT_KEY",
    "GOOGLE_APPLICATION_CREDENTIALS",
];
const AZURE_KEYS: &[&str] = &[
    "AZURE_STORAGE_ACCOUNT_KEY",
    "AZURE_STORAGE_ACCESS_KEY",
    "AZURE_STORAGE_SAS_KEY",
    "AZURE_STORAGE_SAS_TOKEN",
    "AZURE_STORAGE_CLIENT_ID",
    "AZURE_CLIENT_ID",
    "AZURE_FEDERATED_TOKEN_FILE",
    "AZURE_MSI_ENDPOINT",
];

/// A store whose multipart uploads can be ended by another process.
pub(super) trait Store: ObjectStore + MultipartStore {}

impl<S: ObjectStore + MultipartStore> Store for S {}

/// Opens the store; sends nothing.
pub(super) fn open(address: &Address) -> Result<Arc<dyn Store>, BucketError> {
    let retry = RetryConfig {
        max_retries: RETRIES,
        backoff: BackoffConfig {
            init_backoff: Duration::from_millis(200),
            max_backoff: Duration::from_secs(2),
            base: 2.0,
        },
        ..RetryConfig::default()
    };
    let http = Connector(client(address)?);
    let bucket = address.bucket.as_str();
    let fail = |error: object_store::Error| BucketError::of(address, "use", &error);
    // Without a key, the libraries would look for the machine's at an address of the provider's.
    let need_one = |variables: &[&str], advice: &str| {
        let is_set = |name: &&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        if variables.iter().any(is_set) {
            return Ok(());
        }
        Err(BucketError::new(format!(
            "cannot use {address}: no key is set. Set {advice}, also in /etc/deals.env or --env-file."
        )))
    };
    Ok(match address.provider {
        Provider::S3 => {
            need_one(S3_KEYS, "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")?;
            let store = AmazonS3Builder::from_env()
                .with_bucket_name(bucket)
                // Not all who speak S3 have it.
                .with_disable_bulk_delete(true)
                .with_retry(retry)
                .with_http_connector(http);
            Arc::new(store.build().map_err(fail)?)
        }
        Provider::Google => {
            need_one(
                GOOGLE_KEYS,
                "GOOGLE_SERVICE_ACCOUNT to the file of a service account's key",
            )?;
            let store = GoogleCloudStorageBuilder::from_env()
                .with_bucket_name(bucket)
                .with_retry(retry)
                .with_http_connector(http);
            Arc::new(store.build().map_err(fail)?)
        }
        Provider::Azure => {
            need_one(
                AZURE_KEYS,
                "AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY",
            )?;
            let store = MicrosoftAzureBuilder::from_env()
                .with_container_name(bucket)
                .with_retry(retry)
                .with_http_connector(http);
            Arc::new(store.build().map_err(fail)?)
        }
    })
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
