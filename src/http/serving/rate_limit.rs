//! Rate limits by client address.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::time::Duration;

use actix_web::HttpRequest;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultDirectRateLimiter, DefaultKeyedRateLimiter, Quota, RateLimiter};
use ipnet::IpNet;

use crate::http::error::ApiError;
use crate::http::log_limit::LogLimit;
use crate::store::MAX_KEYS;

/// Number of addresses at which a limiter forgets idle ones.
const MAX_IDLE: usize = 10_000;

/// Address of a client: an IPv4 address, or the /64 of a household.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Client(IpAddr);

impl Client {
    pub(crate) fn new(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
            }
            v4 @ IpAddr::V4(_) => v4,
        })
    }

    /// The address; of IPv6, the first 64 bits.
    pub(crate) fn address(self) -> IpAddr {
        self.0
    }

    /// Bytes of the address.
    pub(crate) fn octets(self) -> Vec<u8> {
        match self.0 {
            IpAddr::V4(address) => address.octets().to_vec(),
            IpAddr::V6(address) => address.octets().to_vec(),
        }
    }

    /// Returns the peer, or the address that a trusted proxy reports. `X-Forwarded-For` is read
    /// from the right, past every trusted proxy: the client may have written the rest.
    pub(crate) fn of(request: &HttpRequest, trusted: &[IpNet]) -> Self {
        let is_trusted = |address: &IpAddr| trusted.iter().any(|net| net.contains(address));
        let peer = request
            .peer_addr()
            .map_or(IpAddr::V4(std::net::Ipv4Addr::UNSPECIFIED), |peer| {
                peer.ip()
            })
            .to_canonical();
        if !is_trusted(&peer) {
            return Self::new(peer);
        }
        let headers = request.headers().get_all("x-forwarded-for");
        let forwarded: Vec<&[u8]> = headers
            .flat_map(|value| value.as_bytes().split(|byte| *byte == b','))
            .collect();
        let mut nearest = peer;
        for bytes in forwarded.iter().rev() {
            // An unreadable entry was written by somebody untrusted, so the rest is ignored too.
            let text = std::str::from_utf8(bytes).unwrap_or_default();
            let Some(address) = address_in(text.trim()) else {
                break;
            };
            nearest = address.to_canonical();
            if !is_trusted(&nearest) {
                break;
            }
        }
        Self::new(nearest)
    }
}

/// Parses `9.9.9.9`, `9.9.9.9:1234`, `2001:db8::1` or `[2001:db8::1]:1234`.
fn address_in(text: &str) -> Option<IpAddr> {
    let bare = text.trim_start_matches('[').trim_end_matches(']');
    bare.parse()
        .ok()
        .or_else(|| text.parse::<SocketAddr>().ok().map(|address| address.ip()))
}

/// Rate limits by kind of call (decisions, section 6).
pub(crate) struct RateLimits {
    sign_in: Limit,
    register: Limit,
    mail: Limit,
    code: Limit,
    setup: Limit,
    resolve: Limit,
    keys: DefaultKeyedRateLimiter<String>,
    invitations: DefaultKeyedRateLimiter<String>,
    wrong_setup: DefaultDirectRateLimiter,
}

/// Requests of an API key in a second, at once and on average.
const OF_KEY: NonZeroU32 = NonZeroU32::new(10).unwrap();
/// Invitations of an administrator at once, and the time in which one more is allowed.
const INVITATIONS: (NonZeroU32, Duration) =
    (NonZeroU32::new(30).unwrap(), Duration::from_secs(120));
/// Wrong setup links that are answered at once, from all addresses together; then one a second.
const WRONG_SETUPS: NonZeroU32 = NonZeroU32::new(100).unwrap();

impl Default for RateLimits {
    fn default() -> Self {
        let (invitations, per_invitation) = INVITATIONS;
        let hourly = |tries| Limit::new(tries, Duration::from_secs(3_600) / tries);
        Self {
            sign_in: Limit::new(10, Duration::from_secs(10)),
            register: hourly(10),
            mail: hourly(10),
            code: Limit::new(10, Duration::from_secs(10)),
            setup: Limit::new(10, Duration::from_secs(10)),
            resolve: Limit::new(10, Duration::from_secs(10)),
            keys: RateLimiter::keyed(Quota::per_second(OF_KEY)),
            invitations: RateLimiter::keyed(
                Quota::with_period(per_invitation)
                    .unwrap_or(Quota::per_hour(invitations))
                    .allow_burst(invitations),
            ),
            wrong_setup: RateLimiter::direct(
                Quota::per_second(NonZeroU32::MIN).allow_burst(WRONG_SETUPS),
            ),
        }
    }
}

impl RateLimits {
    pub(crate) fn sign_in(&self, client: Client) -> Result<(), ApiError> {
        self.sign_in.take(client)
    }

    pub(crate) fn register(&self, client: Client) -> Result<(), ApiError> {
        self.register.take(client)
    }

    /// Limits calls that send a mail.
    pub(crate) fn mail(&self, client: Client) -> Result<(), ApiError> {
        self.mail.take(client)
    }

    /// Limits calls that take a code.
    pub(crate) fn code(&self, client: Client) -> Result<(), ApiError> {
        self.code.take(client)
    }

    /// Limits calls that take the secret of a setup link or an invitation.
    pub(crate) fn setup(&self, client: Client) -> Result<(), ApiError> {
        self.setup.take(client)
    }

    /// Limits requests that an administrator has the server make.
    pub(crate) fn resolve(&self, client: Client) -> Result<(), ApiError> {
        self.resolve.take(client)
    }

    /// Limits the requests of an API key, by its id.
    pub(crate) fn key(&self, id: &String) -> Result<(), ApiError> {
        // Keys that were revoked since.
        if self.keys.len() > 2 * MAX_KEYS as usize {
            self.keys.retain_recent();
        }
        within(&self.keys, id)
    }

    /// Limits the invitations, and so the mails, of an administrator, by the account's id.
    pub(crate) fn invite(&self, id: &str) -> Result<(), ApiError> {
        within(&self.invitations, &id.to_owned())
    }

    /// Limits wrong secrets from all addresses. The right one is never counted, so that nobody can
    /// delay the owner.
    pub(crate) fn wrong_setup(&self) -> Result<(), ApiError> {
        self.wrong_setup.check().map_err(|refused| {
            ApiError::TooMany(refused.wait_time_from(DefaultClock::default().now()))
        })
    }
}

fn within(limit: &DefaultKeyedRateLimiter<String>, id: &String) -> Result<(), ApiError> {
    limit
        .check_key(id)
        .map_err(|refused| ApiError::TooMany(refused.wait_time_from(DefaultClock::default().now())))
}

struct Limit {
    tries: DefaultKeyedRateLimiter<Client>,
    log: LogLimit,
}

impl Limit {
    /// Allows `burst` calls at once, then one in each `period`.
    fn new(burst: u32, period: Duration) -> Self {
        let burst = NonZeroU32::new(burst).unwrap_or(NonZeroU32::MIN);
        let quota = Quota::with_period(period)
            .unwrap_or(Quota::per_second(burst))
            .allow_burst(burst);
        Self {
            tries: RateLimiter::keyed(quota),
            log: LogLimit::default(),
        }
    }

    fn take(&self, client: Client) -> Result<(), ApiError> {
        if self.tries.len() > MAX_IDLE {
            self.tries.retain_recent();
        }
        self.tries.check_key(&client).map_err(|refused| {
            if let Some(not_logged) = self.log.take(client.address()) {
                tracing::warn!(
                    not_logged,
                    "a request was refused: too many from one address"
                );
            }
            ApiError::TooMany(refused.wait_time_from(DefaultClock::default().now()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::HeaderValue;
    use actix_web::test::TestRequest;

    fn client(peer: &str, forwarded: &[&str], trusted: &[&str]) -> String {
        let mut request = TestRequest::default().peer_addr(peer.parse().unwrap());
        for value in forwarded {
            // One byte per character, so that a test can send any byte.
            let bytes: Vec<u8> = value.chars().map(|char| char as u8).collect();
            let value = HeaderValue::from_bytes(&bytes).unwrap();
            request = request.append_header(("x-forwarded-for", value));
        }
        let trusted: Vec<IpNet> = trusted.iter().map(|net| net.parse().unwrap()).collect();
        Client::of(&request.to_http_request(), &trusted)
            .0
            .to_string()
    }

    #[test]
    fn forwarded_addresses_count_only_from_trusted_proxies() {
        assert_eq!(client("9.9.9.9:1", &["1.1.1.1"], &[]), "9.9.9.9");
        assert_eq!(
            client("9.9.9.9:1", &["1.1.1.1"], &["9.9.9.9/32"]),
            "1.1.1.1"
        );
        assert_eq!(
            client("9.9.9.9:1", &["6.6.6.6, 1.1.1.1, 9.9.9.8"], &["9.9.9.0/24"]),
            "1.1.1.1"
        );
        assert_eq!(
            client("9.9.9.9:1", &["6.6.6.6", "1.1.1.1"], &["9.9.9.9/32"]),
            "1.1.1.1"
        );
        for written in ["1.1.1.1:4711", "1.1.1.1", " 1.1.1.1 "] {
            assert_eq!(client("9.9.9.9:1", &[written], &["9.9.9.9/32"]), "1.1.1.1");
        }
        for written in ["[2001:db8::1]:4711", "[2001:db8::1]", "2001:db8::1"] {
            assert_eq!(
                client("9.9.9.9:1", &[written], &["9.9.9.9/32"]),
                "2001:db8::"
            );
        }
        assert_eq!(
            client("9.9.9.9:1", &["nonsense"], &["9.9.9.9/32"]),
            "9.9.9.9"
        );
    }

    #[test]
    fn nothing_is_believed_that_stands_before_what_can_not_be_read() {
        let trusted = &["9.9.9.9/32"];
        for lines in [
            &["1.1.1.1", "\u{ff}, 7.7.7.9"][..],
            &["1.1.1.1", "2.2.2.2\u{e4}", "7.7.7.9"],
            &["1.1.1.1, \u{ff}, 7.7.7.9"],
        ] {
            assert_eq!(client("9.9.9.9:1", lines, trusted), "7.7.7.9", "{lines:?}");
        }
        let lines = &["1.1.1.1", "7.7.7.9, \u{ff}"];
        assert_eq!(client("9.9.9.9:1", lines, trusted), "9.9.9.9");
    }

    #[test]
    fn a_network_of_ipv6_counts_as_one_address() {
        assert_eq!(
            client("[2001:db8:1:2:3:4:5:6]:1", &[], &[]),
            "2001:db8:1:2::"
        );
        assert_eq!(client("[::ffff:9.9.9.9]:1", &[], &[]), "9.9.9.9");
    }
}
