//! Names and addresses of mail: the site's in EHLO, the sender's, a recipient's, the mail server's.

use std::net::{IpAddr, Ipv4Addr};

use lettre::Address;
use lettre::message::Mailbox;
use lettre::transport::smtp::extension::ClientId;
use url::{Host, Url};

/// Returns the name in EHLO: the site's host, or an address in brackets, as a container's name has
/// no dot (RFC 5321, section 4.1.1.1).
pub(super) fn hello(site: Option<&Url>) -> ClientId {
    let is_name = |name: &str| {
        name.contains('.')
            && name
                .chars()
                .all(|c| c.is_alphanumeric() || ".-".contains(c))
    };
    match site.and_then(Url::host) {
        Some(Host::Domain(name)) if is_name(name) => ClientId::Domain(name.to_owned()),
        Some(Host::Ipv4(address)) => ClientId::Ipv4(address),
        Some(Host::Ipv6(address)) => ClientId::Ipv6(address),
        _ => ClientId::Ipv4(Ipv4Addr::LOCALHOST),
    }
}

/// Parses an address, its domain in the ASCII form that every mail server takes (RFC 5891).
pub(super) fn address(text: &str) -> Option<Address> {
    let (user, domain) = text.trim().rsplit_once('@')?;
    let domain = match Host::parse(domain) {
        Ok(Host::Domain(name)) => name,
        _ => domain.to_owned(),
    };
    Address::new(user, domain).ok()
}

/// Parses a sender, whose name may have a comma or brackets without quotes.
pub(super) fn sender(text: &str) -> Option<Mailbox> {
    let text = text.trim();
    let Some((name, bare)) = text
        .strip_suffix('>')
        .and_then(|text| text.rsplit_once('<'))
    else {
        return Some(Mailbox::new(None, address(text)?));
    };
    let name = name.trim().trim_matches('"').replace("\\\"", "\"");
    if name.contains(['<', '>', '\n']) {
        return None;
    }
    let name = Some(name).filter(|name| !name.is_empty());
    Some(Mailbox::new(name, address(bare)?))
}

/// True for one address of a sender, with or without a name.
pub fn is_sender(text: &str) -> bool {
    !text.contains(char::is_control) && sender(text).is_some()
}

/// True for a host on this machine. `url` parses addresses of web schemes only; here they are names.
pub fn is_loopback(host: &str) -> bool {
    let address = host.parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

pub(super) fn decoded(text: &str) -> String {
    let bytes = text.replace('+', "%2B");
    url::form_urlencoded::parse(bytes.as_bytes())
        .next()
        .map(|(text, _)| text.into_owned())
        .unwrap_or_default()
}
