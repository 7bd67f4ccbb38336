//! Rate limits by client address.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use actix_web::HttpRequest;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultDirectRateLimiter, DefaultKeyedRateLimiter, Quota, RateLimiter};
use ipnet::IpNet;

use crate::http::error::ApiError;
use crate::http::log_limit::LogLimit;
use crate::store::MAX_KEYS;

/// Time between two looks for addresses that can be forgotten.
const TIDY: Duration = Duration::from_secs(60);
/// Maximum number of addresses that are remembered, some 10 MB for each limit. Beyond it, IPv6
/// addresses are counted by their /48 only.
const MAX_ADDRESSES: usize = 100_000;
/// Number of IPv6 addresses whose limits a /48 has together.
const IN_NETWORK: u32 = 10;

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

    /// The address; of IPv6, the first 48 bits, which one customer of a provider may have.
    pub(crate) fn network(self) -> IpAddr {
        match self.0 {
            IpAddr::V6(address) => {
                let [a, b, c, ..] = address.segments();
                IpAddr::V6(Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0))
            }
            v4 @ IpAddr::V4(_) => v4,
        }
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
    pub(crate) fn from_request(request: &HttpRequest, trusted: &[IpNet]) -> Self {
        Self::found(request, trusted).0
    }

    /// Like [`Client::of`], and whether it is known: false if a trusted proxy reports nothing that
    /// can be read, so that its visitors cannot be distinguished.
    pub(crate) fn found(request: &HttpRequest, trusted: &[IpNet]) -> (Self, bool) {
        let is_trusted = |address: &IpAddr| trusted.iter().any(|net| net.contains(address));
        let peer = request
            .peer_addr()
            .map_or(IpAddr::V4(std::net::Ipv4Addr::UNSPECIFIED), |peer| {
                peer.ip()
            })
            .to_canonical();
        if !is_trusted(&peer) {
            return (Self::new(peer), true);
        }
        let headers = request.headers().get_all("x-forwarded-for");
        let forwarded: Vec<&[u8]> = headers
            .flat_map(|value| value.as_bytes().split(|byte| *byte == b','))
            .collect();
        let mut nearest = peer;
        let mut is_known = !forwarded.is_empty();
        for bytes in forwarded.iter().rev() {
            // An unreadable entry was written by somebody untrusted, so the rest is ignored too.
            let text = std::str::from_utf8(bytes).unwrap_or_default();
            let Some(address) = address_in(text.trim()) else {
                is_known = false;
                break;
            };
            nearest = address.to_canonical();
            if !is_trusted(&nearest) {
                break;
            }
        }
        (Self::new(nearest), is_known)
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
    follow: Limit,
    alert: Limit,
    code: Limit,
    setup: Limit,
    resolve: Limit,
    keys: DefaultKeyedRateLimiter<String>,
    invitations: DefaultKeyedRateLimiter<String>,
    copies: DefaultKeyedRateLimiter<String>,
    pictures: DefaultKeyedRateLimiter<String>,
    wrong_setup: DefaultDirectRateLimiter,
}

/// Requests of an API key in a second, at once and on average.
const OF_KEY: NonZeroU32 = NonZeroU32::new(10).unwrap();
/// Invitations of an administrator at once, and the time in which one more is allowed.
const INVITATIONS: (NonZeroU32, Duration) =
    (NonZeroU32::new(30).unwrap(), Duration::from_secs(120));
/// Copies of the database that an administrator may make in an hour.
const COPIES: NonZeroU32 = NonZeroU32::new(10).unwrap();
/// Pictures that an account uploads at once, and the time in which one more is allowed.
const PICTURES: (NonZeroU32, Duration) = (NonZeroU32::new(100).unwrap(), Duration::from_secs(2));
/// Wrong setup links that are answered at once, from all addresses together; then one a second.
const WRONG_SETUPS: NonZeroU32 = NonZeroU32::new(100).unwrap();

impl Default for RateLimits {
    fn default() -> Self {
        let (invitations, per_invitation) = INVITATIONS;
        let (pictures, per_picture) = PICTURES;
        let hourly = |tries| Limit::new(tries, Duration::from_secs(3_600) / tries);
        Self {
            sign_in: Limit::new(10, Duration::from_secs(10)),
            register: hourly(10),
            mail: hourly(10),
            follow: hourly(10),
            alert: hourly(30),
            code: Limit::new(10, Duration::from_secs(10)),
            setup: Limit::new(10, Duration::from_secs(10)),
            resolve: Limit::new(10, Duration::from_secs(10)),
            keys: RateLimiter::keyed(Quota::per_second(OF_KEY)),
            invitations: RateLimiter::keyed(
                Quota::with_period(per_invitation)
                    .unwrap_or(Quota::per_hour(invitations))
                    .allow_burst(invitations),
            ),
            copies: RateLimiter::keyed(Quota::per_hour(COPIES)),
            pictures: RateLimiter::keyed(
                Quota::with_period(per_picture)
                    .unwrap_or(Quota::per_hour(pictures))
                    .allow_burst(pictures),
            ),
            wrong_setup: RateLimiter::direct(
                Quota::per_second(NonZeroU32::MIN).allow_burst(WRONG_SETUPS),
            ),
        }
    }
}

impl RateLimits {
    pub(crate) fn sign_in(&self, client: Client) -> Result<(), ApiError> {
        self.sign_in.count_request(client)
    }

    pub(crate) fn register(&self, client: Client) -> Result<(), ApiError> {
        self.register.count_request(client)
    }

    /// Limits calls that send a mail.
    pub(crate) fn mail(&self, client: Client) -> Result<(), ApiError> {
        self.mail.count_request(client)
    }

    /// Limits forms that ask for mails without an account.
    pub(crate) fn follow(&self, client: Client) -> Result<(), ApiError> {
        self.follow.count_request(client)
    }

    /// Limits calls about price alerts.
    pub(crate) fn alert(&self, client: Client) -> Result<(), ApiError> {
        self.alert.count_request(client)
    }

    /// Limits calls that take a code.
    pub(crate) fn code(&self, client: Client) -> Result<(), ApiError> {
        self.code.count_request(client)
    }

    /// Limits calls that take the secret of a setup link or an invitation.
    pub(crate) fn setup(&self, client: Client) -> Result<(), ApiError> {
        self.setup.count_request(client)
    }

    /// Limits requests that an administrator has the server make.
    pub(crate) fn resolve(&self, client: Client) -> Result<(), ApiError> {
        self.resolve.count_request(client)
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

    /// Limits copies of the database, by the account's id.
    pub(crate) fn copy(&self, id: &str) -> Result<(), ApiError> {
        within(&self.copies, &id.to_owned())
    }

    /// Limits the pictures of an account, by its id.
    pub(crate) fn picture(&self, id: &str) -> Result<(), ApiError> {
        within(&self.pictures, &id.to_owned())
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
    addresses: DefaultKeyedRateLimiter<IpAddr>,
    /// Of IPv6.
    networks: DefaultKeyedRateLimiter<IpAddr>,
    tidied: Mutex<Instant>,
    log: LogLimit,
}

impl Limit {
    /// Allows an address `burst` calls at once, then one in each `period`.
    fn new(burst: u32, period: Duration) -> Self {
        let limiter = |times: u32| {
            let burst = NonZeroU32::new(burst * times).unwrap_or(NonZeroU32::MIN);
            let quota = Quota::with_period(period / times).unwrap_or(Quota::per_second(burst));
            RateLimiter::keyed(quota.allow_burst(burst))
        };
        Self {
            addresses: limiter(1),
            networks: limiter(IN_NETWORK),
            tidied: Mutex::new(Instant::now()),
            log: LogLimit::default(),
        }
    }

    fn count_request(&self, client: Client) -> Result<(), ApiError> {
        self.tidy();
        let (address, network) = (client.address(), client.network());
        let is_counted = address.is_ipv4() || self.addresses.len() < MAX_ADDRESSES;
        // The address first: one that is refused takes nothing from its neighbours.
        let of_address = if is_counted {
            self.addresses.check_key(&address)
        } else {
            Ok(())
        };
        let taken = match of_address {
            Ok(()) if address.is_ipv6() => self.networks.check_key(&network),
            other => other,
        };
        taken.map_err(|refused| {
            if let Some(not_logged) = self.log.allow(network) {
                tracing::warn!(
                    not_logged,
                    "a request was refused: too many from one address"
                );
            }
            ApiError::TooMany(refused.wait_time_from(DefaultClock::default().now()))
        })
    }

    /// Forgets idle addresses, once a minute: a call costs the same however many are remembered.
    fn tidy(&self) {
        let Ok(mut last) = self.tidied.try_lock() else {
            return;
        };
        if last.elapsed() >= TIDY {
            *last = Instant::now();
            self.addresses.retain_recent();
            self.networks.retain_recent();
        }
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
        Client::from_request(&request.to_http_request(), &trusted)
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
    fn forwarded_addresses_before_an_unreadable_one_are_ignored() {
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
    fn an_ipv6_64_counts_as_one_address() {
        assert_eq!(
            client("[2001:db8:1:2:3:4:5:6]:1", &[], &[]),
            "2001:db8:1:2::"
        );
        assert_eq!(client("[::ffff:9.9.9.9]:1", &[], &[]), "9.9.9.9");
    }

    #[test]
    fn an_ipv6_48_has_the_rate_limit_of_ten_addresses() {
        let limit = Limit::new(10, Duration::from_secs(3_600));
        let of = |network: usize, home: usize| {
            let address: IpAddr = format!("2001:db8:{network:x}:{home:x}::1").parse().unwrap();
            limit.count_request(Client::new(address)).is_ok()
        };
        assert_eq!((0..500).filter(|_| of(1, 1)).count(), 10);
        assert_eq!((0..500).filter(|home| of(1, 2 + home)).count(), 90);
        assert!(of(2, 0), "another network");
        let v4 = |last: u8| {
            limit
                .count_request(Client::new([192, 0, 2, last].into()))
                .is_ok()
        };
        assert_eq!((0..=255).filter(|last| v4(*last)).count(), 256);
    }

    #[test]
    fn rate_limits_of_idle_addresses_are_removed_once_a_minute() {
        let limit = Limit::new(1, Duration::from_nanos(10));
        let call =
            |n: u32| limit.count_request(Client::new(std::net::Ipv4Addr::from_bits(n).into()));
        for n in 0..20_000 {
            call(n).unwrap();
        }
        assert_eq!(limit.addresses.len(), 20_000);
        *limit.tidied.lock().unwrap() = Instant::now().checked_sub(TIDY).unwrap();
        call(1).unwrap();
        assert!(limit.addresses.len() < 10, "{}", limit.addresses.len());
    }
}
