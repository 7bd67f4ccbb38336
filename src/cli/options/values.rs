//! Values that several options have: each wrong one is refused with the form to write.

use std::net::{Ipv4Addr, SocketAddrV6};
use std::ops::RangeInclusive;

use url::Url;

/// Parses a switch by a closed list of words: another word must not switch anything on.
pub(super) fn switch(text: &str) -> Result<bool, String> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Ok(true),
        "false" | "no" | "off" | "0" => Ok(false),
        _ => Err("write true, yes, on or 1, or false, no, off or 0".to_owned()),
    }
}

/// Parses a whole number within bounds.
pub(in crate::cli) fn number<T>(
    bounds: RangeInclusive<u32>,
) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: TryFrom<u32>,
{
    move |text| {
        let number = text.parse().ok().filter(|number| bounds.contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| {
            let (first, last) = (bounds.start(), bounds.end());
            format!("write a whole number from {first} to {last}")
        })
    }
}

/// Checks the form of an address and port; a name is looked up when the server starts.
pub(super) fn address(text: &str) -> Result<String, String> {
    const FORM: &str = "write an address and a port, like 127.0.0.1:8080, 0.0.0.0:80 (all addresses) or [::1]:8080";
    let (host, port) = text.rsplit_once(':').ok_or(FORM)?;
    let is_port = port.parse::<u16>().is_ok() && port.chars().all(|c| c.is_ascii_digit());
    let last = host.rsplit('.').next().unwrap_or_default();
    let is_host = if host.starts_with('[') {
        text.parse::<SocketAddrV6>().is_ok()
    } else if last.chars().all(|c| c.is_ascii_digit()) {
        host.parse::<Ipv4Addr>().is_ok()
    } else {
        is_name(host)
    };
    if is_port && is_host {
        Ok(text.to_owned())
    } else {
        Err(FORM.to_owned())
    }
}

fn is_name(host: &str) -> bool {
    let is_letter = |c: char| c.is_alphanumeric() || "-_".contains(c);
    let mut labels = host.split('.');
    labels.all(|label| !label.is_empty() && label.chars().all(is_letter))
}

/// Parses an address of the web.
pub(super) fn web_address(text: &str) -> Result<Url, String> {
    match Url::parse(text) {
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => Ok(url),
        _ => Err("write an address of the web, like https://acme.example.com/directory".to_owned()),
    }
}

/// Parses an origin: scheme, host and optional port.
pub(in crate::cli) fn public_url(text: &str) -> Result<Url, String> {
    const EXAMPLE: &str = "write it like https://deals.example.com";
    let url = Url::parse(text).map_err(|error| format!("{error}; {EXAMPLE}"))?;
    let is_origin = matches!(url.scheme(), "http" | "https")
        && url.has_host()
        && url.domain().is_none_or(is_name)
        && url.username().is_empty()
        && url.password().is_none()
        && url.path() == "/"
        && url.query().is_none()
        && url.fragment().is_none();
    if is_origin {
        Ok(url)
    } else {
        Err(format!("the site needs an address of its own; {EXAMPLE}"))
    }
}

/// Returns the error in the text of a variable: parts of it that a shell or another reader of
/// files of variables would have removed.
pub(super) fn flaw(value: &str) -> Option<&'static str> {
    let is_quoted = |quote| value.len() > 1 && value.starts_with(quote) && value.ends_with(quote);
    if value.ends_with('\r') {
        return Some("write it without the carriage return at its end, as files of Windows have");
    }
    if value.trim() != value {
        return Some("write it without the blanks around it");
    }
    if is_quoted('"') || is_quoted('\'') {
        return Some("write it without the quotes");
    }
    let is_commented = value.contains(" #") || value.contains("\t#");
    is_commented.then_some("write the comment on a line of its own")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boolean_options_accept_eight_words_in_any_case() {
        for word in ["true", "YES", "On", "1"] {
            assert_eq!(switch(word), Ok(true), "{word}");
        }
        for word in ["false", "No", "OFF", "0"] {
            assert_eq!(switch(word), Ok(false), "{word}");
        }
        for word in ["", " ", "\"false\"", "false\r", "disabled", "never", "2"] {
            assert!(switch(word).is_err(), "{word}");
        }
    }

    #[test]
    fn a_listen_address_is_a_host_and_a_port() {
        for right in ["127.0.0.1:0", "localhost:80", "[::1]:8080", "shop-1.lan:8"] {
            assert_eq!(address(right).as_deref(), Ok(right));
        }
        for wrong in [
            "",
            "8080",
            ":8080",
            "localhost",
            "127.0.0.1",
            "127.0.0.1:",
            "127.0.0.1:70000",
            "http://127.0.0.1:80",
            "*:80",
            "::1:8080",
            "[::1]",
            "::",
            "256.1.1.1:80",
            "1:80",
            "127.0.0.1:80/",
            "127.0.0.1:+80",
            "a..b:80",
            "127.0.0.1 :80",
            "0.0.0.0:80:80",
            "[]:80",
        ] {
            assert!(address(wrong).is_err(), "{wrong}");
        }
    }
}
