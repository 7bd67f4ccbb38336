//! Looks up hosts and refuses addresses that are not public. The connector dials what the resolver returns, so
//! that the checked address is the dialled one, whatever the host's name is next (DNS rebinding).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

use ipnet::IpNet;
use ureq::Timeout;
use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;

use super::{FetchError, LONGEST_LOOKUP, fetch_error};

/// A host has an address that is not public.
#[derive(Debug, thiserror::Error)]
#[error("not a public address")]
pub(super) struct NotPublic;

/// Resolver that fails for a host with any address that is neither public nor in a network that is allowed.
#[derive(Debug)]
pub(super) struct Checked {
    pub(super) resolver: DefaultResolver,
    pub(super) allowed: Vec<IpNet>,
}

impl Resolver for Checked {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.resolver.resolve(uri, config, timeout)?;
        if found
            .iter()
            .all(|address| may_dial(address.ip(), &self.allowed))
        {
            Ok(found)
        } else {
            Err(ureq::Error::Other(NotPublic.into()))
        }
    }
}

/// True for an address that is public or in a network that is allowed.
pub fn may_dial(address: IpAddr, allowed: &[IpNet]) -> bool {
    is_public(address) || allowed.iter().any(|network| network.contains(&address))
}

/// Returns the addresses of a name, without connecting to one. Blocks.
///
/// # Errors
///
/// [`FetchError`] if none is found in time.
pub fn addresses_of(name: &str) -> Result<Vec<IpAddr>, FetchError> {
    let uri: Uri = format!("http://{name}/")
        .parse()
        .map_err(|_| FetchError::Address)?;
    let timeout = NextTimeout {
        after: LONGEST_LOOKUP.into(),
        reason: Timeout::Resolve,
        ..NextTimeout::default()
    };
    let found = DefaultResolver::default()
        .resolve(&uri, &Config::default(), timeout)
        .map_err(|error| fetch_error(name, error))?;
    Ok(found.iter().map(SocketAddr::ip).collect())
}

/// True for an address of this machine, at which something can listen.
pub fn is_own(address: IpAddr) -> bool {
    UdpSocket::bind((address, 0)).is_ok()
}

/// True for an address of the public internet (IANA's registries of special-purpose addresses).
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let is_special = match (a, b) {
        // This network, private, loopback, multicast and reserved.
        (0 | 10 | 127 | 224..=255, _) => true,
        // Shared by a provider's customers (RFC 6598).
        (100, 64..=127) => true,
        (169, 254) => true,
        (172, 16..=31) => true,
        (192, 168) => true,
        // IETF, documentation and the former relays of 6to4.
        (192, 0) => matches!(c, 0 | 2),
        (192, 88) => c == 99,
        // Benchmarks and documentation.
        (198, 18 | 19) => true,
        (198, 51) => c == 100,
        (203, 0) => c == 113,
        _ => false,
    };
    !is_special
}

/// Only global unicast addresses are public, without those that contain an IPv4 address, or documentation.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let [a, b, ..] = address.segments();
    let is_global = a & 0xe000 == 0x2000;
    // IETF protocols with Teredo (2001:0::/23), 6to4 (2002::/16).
    let is_special = match a {
        0x2001 => b < 0x200 || b == 0xdb8,
        0x2002 => true,
        0x3fff => b < 0x1000,
        _ => false,
    };
    is_global && !is_special
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_public_addresses_are_dialled() {
        for public in [
            "1.1.1.1",
            "9.255.255.255",
            "11.0.0.1",
            "100.63.255.255",
            "100.128.0.1",
            "172.15.0.1",
            "172.32.0.1",
            "192.0.1.1",
            "192.167.0.1",
            "198.17.0.1",
            "223.255.255.255",
            "2606:4700::1",
            "2001:4860::8888",
            "2a00::1",
        ] {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
        for private in [
            "0.0.0.0",
            "10.0.0.1",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.1.2.3",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:10.0.0.1",
            "::ffff:1.1.1.1",
            "::10.0.0.1",
            "64:ff9b::a00:1",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:a00:1::1",
            "3fff::1",
            "fc00::1",
            "fd12::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_public(private.parse().unwrap()), "{private}");
        }
    }
}
