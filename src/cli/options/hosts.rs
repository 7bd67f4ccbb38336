//! Names of sites, and addresses of networks.

use std::net::IpAddr;

use ipnet::IpNet;
use unicode_normalization::char::is_combining_mark;

use crate::domain::Email;

/// Parses a name that an ACME server certifies with TLS-ALPN-01 (RFC 8737), in ASCII.
pub(super) fn domain(text: &str) -> Result<String, String> {
    let is_letter = |c: char| c.is_alphanumeric() || is_combining_mark(c) || ".-".contains(c);
    let text = text.trim().trim_end_matches('.');
    let name = match url::Host::parse(text) {
        Ok(url::Host::Domain(name)) if text.chars().all(is_letter) => name,
        _ => String::new(),
    };
    let is_label = |label: &str| {
        (1..=63).contains(&label.len()) && !label.starts_with('-') && !label.ends_with('-')
    };
    let is_local = name.ends_with("localhost");
    if name.contains('.') && name.len() <= 253 && !is_local && name.split('.').all(is_label) {
        return Ok(name);
    }
    Err(
        "write only the public name of the site, like deals.example.com, without quotes, scheme, \
         port or path. No certificate is given for *, localhost or an address"
            .to_owned(),
    )
}

/// Parses an address, or a network that is written with its first address.
pub(super) fn network(text: &str) -> Result<IpNet, String> {
    let text = text.trim();
    if let Ok(net) = text.parse::<IpNet>() {
        let (whole, one) = (net.trunc(), net.addr());
        return if net == whole {
            Ok(net)
        } else {
            Err(format!(
                "write {whole} for that network, or {one} for one address"
            ))
        };
    }
    match text.parse::<IpAddr>() {
        Ok(address) => Ok(address.to_canonical().into()),
        Err(_) => Err(
            "write an address like 127.0.0.1 (this machine), or a network like 10.0.0.0/8; names, \
             ranges and * are not taken"
                .to_owned(),
        ),
    }
}

/// Parses an address for notices.
pub(super) fn contact(text: &str) -> Result<String, String> {
    let email = Email::parse(text).ok_or("write one e-mail address, like you@example.com")?;
    Ok(email.as_str().to_owned())
}
