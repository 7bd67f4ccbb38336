//! The keys by which a bucket is opened.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use object_store_http::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

use super::error::BucketError;

/// Key by which a bucket is opened.
#[derive(Clone)]
pub enum Access {
    /// The `AWS_` variables.
    Variables,
    /// The key that an administrator chose.
    Key(Arc<BucketKey>),
    /// None, for the reason in this sentence.
    Missing(String),
}

/// Key that an administrator chose, with its provider.
pub struct BucketKey {
    /// Address of the provider; `None` for Amazon.
    pub endpoint: Option<Url>,
    /// Region of the bucket.
    pub region: String,
    /// Id of the key.
    pub id: String,
    /// The secret key.
    pub secret: String,
    /// Says whether an address may be dialled.
    pub may_dial: Arc<dyn Fn(IpAddr) -> bool + Send + Sync>,
}

impl fmt::Debug for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Variables => "Variables",
            Self::Key(_) => "Key(***)",
            Self::Missing(_) => "Missing",
        })
    }
}

/// Variables that sentences name, and the fields of the form that has them.
const FIELDS: [(&str, &str); 6] = [
    ("AWS_ACCESS_KEY_ID", "the key id"),
    ("AWS_SECRET_ACCESS_KEY", "the secret key"),
    ("AWS_REGION=", "the region to "),
    ("Set AWS_REGION to it", "Enter its region"),
    ("AWS_ENDPOINT_URL", "the endpoint"),
    ("AWS_SESSION_TOKEN", "the key"),
];

impl Access {
    /// Names the fields of the form in place of variables.
    pub(super) fn worded(&self, error: BucketError) -> BucketError {
        match self {
            Self::Variables => error,
            Self::Key(_) | Self::Missing(_) => error.map(|sentence| {
                FIELDS.iter().fold(sentence, |sentence, (variable, field)| {
                    sentence.replace(variable, field)
                })
            }),
        }
    }
}

impl BucketKey {
    /// True if the endpoint is an address, not a name, that may not be dialled: no name is looked up then.
    pub(super) fn is_refused(&self) -> bool {
        let literal = match self.endpoint.as_ref().and_then(Url::host) {
            Some(Host::Ipv4(address)) => IpAddr::V4(address),
            Some(Host::Ipv6(address)) => IpAddr::V6(address),
            _ => return false,
        };
        !(self.may_dial)(literal)
    }
}

/// A host has an address that may not be dialled.
#[derive(Debug, thiserror::Error)]
#[error("not a public address")]
struct NotPublic;

/// Looks up hosts, and refuses those with an address that may not be dialled.
pub(super) struct Checked(pub(super) Arc<BucketKey>);

impl Resolve for Checked {
    fn resolve(&self, name: Name) -> Resolving {
        let key = Arc::clone(&self.0);
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let found: Vec<SocketAddr> = found.collect();
            if !found.iter().all(|address| (key.may_dial)(address.ip())) {
                return Err(NotPublic.into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}
