//! Opens a bucket with the settings of the `AWS_` variables.

use std::sync::Arc;
use std::time::Duration;

use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey};
use object_store::client::{HttpClient, HttpConnector};
use object_store::{BackoffConfig, ClientOptions, RetryConfig};
use object_store_http::{Client, redirect};
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use super::access::{Access, BucketKey, Checked};
use super::address::Address;
use super::error::{BucketError, NOT_PUBLIC};

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

/// Checks each `AWS_` variable that the library reads: it takes any text, and panics at some when it
/// makes a request.
///
/// # Errors
///
/// A sentence that names the variable and the form to write.
pub fn check_variables() -> Result<(), String> {
    let client = client(None)?;
    for (name, value) in std::env::vars_os() {
        let key = name.to_str().filter(|name| name.starts_with("AWS_"));
        let Some(key) = key.and_then(|name| name.to_ascii_lowercase().parse().ok()) else {
            continue;
        };
        let name = name.to_string_lossy();
        if let Some(form) = value
            .to_str()
            .map_or(Some("UTF-8 text"), |it| misses(&name, it))
        {
            return Err(format!("{name} can't be used: write {form}"));
        }
        let builder = AmazonS3Builder::new().with_bucket_name("bucket");
        let builder = builder.with_config(AmazonS3ConfigKey::AccessKeyId, "key");
        let builder = builder.with_config(AmazonS3ConfigKey::SecretAccessKey, "secret");
        let builder = builder.with_config(key, value.to_string_lossy());
        if let Err(error) = builder
            .with_http_connector(Connector(client.clone()))
            .build()
        {
            return Err(format!("{name} can't be used: {error}"));
        }
    }
    Ok(())
}

/// Returns the form that the value of a variable should have, if it has another one.
fn misses(name: &str, value: &str) -> Option<&'static str> {
    let is_address = |text: &str| {
        url::Url::parse(text).is_ok_and(|url| {
            matches!(url.scheme(), "http" | "https")
                && url.username().is_empty()
                && url.query().is_none()
                && url.fragment().is_none()
        })
    };
    let is_plain = value
        .chars()
        .all(|c| c.is_ascii_graphic() && !"\"'".contains(c));
    let is_word = value.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    match name {
        _ if value.is_empty() || name.ends_with("_FILE") || name == "AWS_CA_BUNDLE" => None,
        _ if name.contains("ENDPOINT") || name.ends_with("FULL_URI") => (!is_plain
            || !is_address(value))
        .then_some("an address of the web, like https://s3.example.com"),
        _ if name.contains("REGION") => (!is_word).then_some("a region, like eu-central-1 or auto"),
        _ if name.ends_with("RELATIVE_URI") => {
            (!is_plain || !value.starts_with('/')).then_some("a path, like /v2/credentials")
        }
        _ => (!is_plain).then_some("it without blanks, quotes and letters that are not ASCII"),
    }
}

/// Opens the bucket; sends nothing.
pub(super) fn open(address: &Address, access: &Access) -> Result<AmazonS3, BucketError> {
    let fail = |reason: &str| BucketError::new(format!("cannot use {address}: {reason}"));
    let (builder, key) = match access {
        Access::Variables => (from_variables(address)?, None),
        Access::Missing(reason) => return Err(fail(reason)),
        Access::Key(key) if key.is_refused() => return Err(fail(NOT_PUBLIC)),
        Access::Key(key) => (from_key(key), Some(key)),
    };
    let client = client(key).map_err(|reason| fail(&reason))?;
    builder
        .with_bucket_name(&address.bucket)
        // Not all providers that speak S3 have it.
        .with_disable_bulk_delete(true)
        .with_retry(RetryConfig {
            max_retries: RETRIES,
            backoff: BackoffConfig {
                init_backoff: Duration::from_millis(200),
                max_backoff: Duration::from_secs(2),
                base: 2.0,
            },
            ..RetryConfig::default()
        })
        .with_http_connector(Connector(client))
        .build()
        .map_err(|error| BucketError::describe(address, "use", &error))
}

fn from_key(key: &BucketKey) -> AmazonS3Builder {
    let builder = AmazonS3Builder::new()
        .with_region(&key.region)
        .with_access_key_id(&key.id)
        .with_secret_access_key(&key.secret);
    match &key.endpoint {
        Some(endpoint) => builder
            .with_endpoint(endpoint.as_str().trim_end_matches('/'))
            .with_allow_http(endpoint.scheme() == "http"),
        None => builder,
    }
}

fn from_variables(address: &Address) -> Result<AmazonS3Builder, BucketError> {
    // Without a key, the library would look for the machine's at an address of Amazon's.
    let is_set = |name: &&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if !KEYS.iter().any(is_set) {
        return Err(BucketError::new(format!(
            "cannot use {address}: no key is set. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, \
             also in /etc/deals.env or --env-file."
        )));
    }
    check_variables()
        .map_err(|reason| BucketError::new(format!("cannot use {address}: {reason}")))?;
    Ok(AmazonS3Builder::from_env())
}

/// An HTTP client that trusts public authorities and those in the file `AWS_CA_BUNDLE`: a container
/// has no certificates of the system. It follows no redirect to another host, and for a key that an administrator
/// chose it dials only what the key allows, through no proxy.
fn client(key: Option<&Arc<BucketKey>>) -> Result<Client, String> {
    let mut roots = RootCertStore {
        roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
    };
    if let Some(file) = std::env::var_os("AWS_CA_BUNDLE").filter(|file| !file.is_empty()) {
        let unusable = |reason: String| {
            let file = file.to_string_lossy();
            format!("AWS_CA_BUNDLE, {file}: {reason}. Name a PEM file.")
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
        .map_err(|error| error.to_string())?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let mut builder = Client::builder();
    if let Some(key) = key {
        builder = builder
            .dns_resolver(Arc::new(Checked(Arc::clone(key))))
            .no_proxy();
    }
    builder
        .tls_backend_preconfigured(tls)
        .redirect(redirect::Policy::none())
        .http1_only()
        .connect_timeout(CONNECT)
        .read_timeout(SILENCE)
        .user_agent(concat!("deals/", env!("CARGO_PKG_VERSION")))
        .build()
        .map_err(|error| error.to_string())
}

#[derive(Debug)]
struct Connector(Client);

impl HttpConnector for Connector {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(self.0.clone()))
    }
}
