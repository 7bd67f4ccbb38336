//! The only module that opens connections to addresses of others, besides mail and certificates: because an
//! administrator, or staff in the form of a product, asked; of visitors, only to their browsers' push services.

mod addresses;
mod messages;

use std::io::Read;
use std::net::IpAddr;
use std::time::Duration;

use ipnet::IpNet;
use ureq::unversioned::resolver::{DefaultResolver, Resolver};
use ureq::unversioned::transport::DefaultConnector;
use ureq::{Agent, Timeout};
use url::{Host, Url};

pub use ureq::http::Method;

use self::addresses::{Checked, NotPublic};
pub use self::addresses::{addresses_of, is_own, may_dial};
pub use self::messages::MessageAnswer;

/// Maximum duration of a request, and of the look-up of its host.
const LONGEST: Duration = Duration::from_secs(10);
const LONGEST_LOOKUP: Duration = Duration::from_secs(5);
/// Maximum duration until a connection stands.
const LONGEST_CONNECT: Duration = Duration::from_secs(4);
/// Maximum size of a response's head in bytes.
const LARGEST_HEAD: usize = 16 * 1_024;

/// Reason why an address was not fetched.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// Not http or https, with a port, or with credentials.
    #[error("only http and https addresses without a port are requested")]
    Address,
    /// The host is one of a private network.
    #[error("{0} leads to an address that is not public")]
    NotPublic(String),
    /// Another answer than 200.
    #[error("{0} answered {1}")]
    Status(String, u16),
    /// A body of more bytes than are read.
    #[error("{0} sent more than 8 MB")]
    TooLarge(String),
    /// No answer in time.
    #[error("{0} did not answer in time")]
    Slow(String),
    /// No connection or answer; the cause is for the log.
    #[error("{0} could not be reached")]
    Unreachable(String, String),
}

impl FetchError {
    /// Returns true if a message may have arrived although there was no answer.
    pub fn may_have_arrived(&self) -> bool {
        let is_unsent = |cause: &str| {
            let unsent = [ureq::Error::ConnectionFailed, ureq::Error::HostNotFound];
            cause.contains("refused")
                || cause.starts_with("timeout")
                || unsent.iter().any(|error| error.to_string() == cause)
        };
        match self {
            Self::Slow(_) => true,
            Self::Unreachable(_, cause) => !is_unsent(cause),
            _ => false,
        }
    }
}

/// Makes single requests without cookies, and follows no redirect.
#[derive(Debug)]
pub struct Fetcher(Agent);

impl Default for Fetcher {
    fn default() -> Self {
        Self::allowing(Vec::new())
    }
}

/// True for an address to which messages may be sent: https, or http to a literal address of a network that
/// is allowed. Other names can lead elsewhere tomorrow.
pub fn takes_messages(address: &Url, allowed: &[IpNet]) -> bool {
    match address.scheme() {
        _ if has_credentials(address) => false,
        "https" => address.has_host(),
        "http" => is_within(address, allowed),
        _ => false,
    }
}

/// True for an address whose picture may be copied: http or https, without a port unless it is a literal address
/// of a network that is allowed.
pub fn gives_pictures(address: &Url, allowed: &[IpNet]) -> bool {
    matches!(address.scheme(), "http" | "https")
        && !has_credentials(address)
        && (address.port().is_none() || is_within(address, allowed))
}

fn has_credentials(address: &Url) -> bool {
    !address.username().is_empty() || address.password().is_some()
}

/// True for a literal address of an allowed network.
fn is_within(address: &Url, allowed: &[IpNet]) -> bool {
    let literal = match address.host() {
        Some(Host::Ipv4(ip)) => IpAddr::V4(ip),
        Some(Host::Ipv6(ip)) => IpAddr::V6(ip),
        Some(Host::Domain(_)) | None => return false,
    };
    allowed.iter().any(|network| network.contains(&literal))
}

impl Fetcher {
    /// Makes a fetcher that also dials addresses of these networks.
    pub fn allowing(allowed: Vec<IpNet>) -> Self {
        let resolver = DefaultResolver::default();
        Self::with(Checked { resolver, allowed })
    }

    fn with(resolver: impl Resolver) -> Self {
        let config = Agent::config_builder()
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            // Not the environment's: the address that is checked must be the one that is dialled.
            .proxy(None)
            .timeout_global(Some(LONGEST))
            .timeout_resolve(Some(LONGEST_LOOKUP))
            .timeout_connect(Some(LONGEST_CONNECT))
            .max_response_header_size(LARGEST_HEAD)
            .max_idle_connections(0)
            .user_agent(concat!("deals/", env!("CARGO_PKG_VERSION")))
            .build();
        Self(Agent::with_parts(
            config,
            DefaultConnector::default(),
            resolver,
        ))
    }

    /// Requests an address and returns where its answer leads, if it is a redirect. Blocks.
    ///
    /// # Errors
    ///
    /// [`FetchError`] if there is no answer, or no address to ask.
    pub fn first_location(&self, address: &Url) -> Result<Option<Url>, FetchError> {
        let is_plain = matches!(address.scheme(), "http" | "https")
            && address.port().is_none()
            && address.username().is_empty()
            && address.password().is_none();
        let Some(host) = address.host_str().filter(|_| is_plain) else {
            return Err(FetchError::Address);
        };
        let mut bare = address.clone();
        bare.set_fragment(None);
        let response = self
            .0
            .get(bare.as_str())
            .call()
            .map_err(|error| fetch_error(host, error))?;
        let location = response.headers().get("location");
        let location = location.filter(|_| response.status().is_redirection());
        let location = location.and_then(|value| value.to_str().ok());
        Ok(location.and_then(|location| address.join(location).ok()))
    }
}

impl Fetcher {
    /// Requests a picture of at most so many bytes, which may be anything. Blocks.
    ///
    /// # Errors
    ///
    /// [`FetchError`] if there is none; the caller checks the address with [`gives_pictures`].
    pub fn picture(&self, address: &Url, most: u64) -> Result<Vec<u8>, FetchError> {
        let host = address.host_str().ok_or(FetchError::Address)?;
        let mut bare = address.clone();
        bare.set_fragment(None);
        let request = self.0.get(bare.as_str());
        let request = request.header("accept", "image/webp,image/jpeg,image/png");
        let mut response = request.call().map_err(|error| fetch_error(host, error))?;
        if response.status() != 200 {
            let status = response.status().as_u16();
            return Err(FetchError::Status(host.to_owned(), status));
        }
        let mut bytes = Vec::new();
        let body = response.body_mut().as_reader();
        body.take(most + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| match ureq::Error::from(error) {
                ureq::Error::Io(error) => {
                    FetchError::Unreachable(host.to_owned(), error.to_string())
                }
                other => fetch_error(host, other),
            })?;
        if bytes.len() as u64 > most {
            return Err(FetchError::TooLarge(host.to_owned()));
        }
        Ok(bytes)
    }
}

fn fetch_error(host: &str, error: ureq::Error) -> FetchError {
    let host = host.to_owned();
    match error {
        ureq::Error::Other(cause) if cause.is::<NotPublic>() => FetchError::NotPublic(host),
        ureq::Error::Timeout(Timeout::Resolve | Timeout::Connect) => {
            FetchError::Unreachable(host, error.to_string())
        }
        ureq::Error::Timeout(_) => FetchError::Slow(host),
        other => FetchError::Unreachable(host, other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Write};
    use std::net::{SocketAddr, TcpListener};
    use std::thread::JoinHandle;

    use ureq::config::Config;
    use ureq::http::Uri;
    use ureq::unversioned::resolver::ResolvedSocketAddrs;
    use ureq::unversioned::transport::NextTimeout;

    use super::*;

    /// Resolves each host to one address of this machine.
    #[derive(Debug)]
    struct Fixed(SocketAddr);

    impl Resolver for Fixed {
        fn resolve(
            &self,
            _: &Uri,
            _: &Config,
            _: NextTimeout,
        ) -> Result<ResolvedSocketAddrs, ureq::Error> {
            let mut found = self.empty();
            found.push(self.0);
            Ok(found)
        }
    }

    /// Answers one request, and returns its head.
    fn answering(answer: &'static str) -> (Fetcher, JoinHandle<Vec<String>>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let fetcher = Fetcher::with(Fixed(listener.local_addr().unwrap()));
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let head = lines
                .map(Result::unwrap)
                .take_while(|line| !line.is_empty());
            let head = head.collect();
            stream.write_all(answer.as_bytes()).unwrap();
            head
        });
        (fetcher, server)
    }

    #[test]
    fn a_short_link_is_resolved_without_following_redirects() {
        let (fetcher, server) = answering(
            "HTTP/1.1 301 Moved\r\nset-cookie: a=b\r\nlocation: https://www.amazon.in/dp/B0ABCD1234?tag=x\r\ncontent-length: 9999\r\n\r\n",
        );
        let short = Url::parse("http://amzn.in/d/abc#top").unwrap();
        let found = fetcher.first_location(&short).unwrap().unwrap();
        assert_eq!(found.as_str(), "https://www.amazon.in/dp/B0ABCD1234?tag=x");
        let head = server.join().unwrap();
        assert_eq!(head[0], "GET /d/abc HTTP/1.1");
        assert!(
            head.iter()
                .any(|line| line.eq_ignore_ascii_case("host: amzn.in"))
        );
        assert!(
            !head
                .iter()
                .any(|line| line.to_lowercase().starts_with("cookie"))
        );
    }

    #[test]
    fn a_relative_location_is_resolved_against_the_short_link() {
        let short = Url::parse("http://amzn.in/d/abc").unwrap();
        for (answer, expected) in [
            (
                "HTTP/1.1 200 OK\r\nlocation: /x\r\ncontent-length: 0\r\n\r\n",
                None,
            ),
            ("HTTP/1.1 302 Found\r\ncontent-length: 0\r\n\r\n", None),
            (
                "HTTP/1.1 302 Found\r\nlocation: /dp/1\r\ncontent-length: 0\r\n\r\n",
                Some("http://amzn.in/dp/1"),
            ),
        ] {
            let (fetcher, server) = answering(answer);
            let found = fetcher.first_location(&short).unwrap();
            assert_eq!(found.as_ref().map(Url::as_str), expected);
            server.join().unwrap();
        }
    }

    #[test]
    fn a_head_without_end_is_an_error() {
        let endless: String = (0..4_000).map(|n| format!("x-{n}: y\r\n")).collect();
        let answer = format!("HTTP/1.1 302 Found\r\n{endless}");
        let (fetcher, server) = answering(Box::leak(answer.into_boxed_str()));
        let short = Url::parse("http://amzn.in/d/abc").unwrap();
        let error = fetcher.first_location(&short).unwrap_err();
        assert!(matches!(error, FetchError::Unreachable(..)), "{error}");
        // The server may not have been able to write it all.
        let _ = server.join();
    }

    #[test]
    fn an_address_of_this_machine_or_with_a_port_is_not_dialled() {
        let fetcher = Fetcher::default();
        for (address, expected) in [
            (
                "http://localhost/x",
                FetchError::NotPublic("localhost".to_owned()),
            ),
            (
                "http://127.0.0.1/x",
                FetchError::NotPublic("127.0.0.1".to_owned()),
            ),
            (
                "http://[::ffff:10.0.0.1]/x",
                FetchError::NotPublic("[::ffff:a00:1]".to_owned()),
            ),
            ("http://localhost:8080/x", FetchError::Address),
            ("https://a:b@amzn.in/x", FetchError::Address),
            ("file:///etc/passwd", FetchError::Address),
        ] {
            let url = Url::parse(address).unwrap();
            assert_eq!(fetcher.first_location(&url), Err(expected), "{address}");
        }
    }
}
