//! Validates links and picture addresses.

use url::{Host, Url};

use super::CONSTANTS;
use super::own_picture::PictureName;

/// True for an absolute http(s) URL without credentials (OWASP ASVS 1.2.2; decisions, section 3).
///
/// URL parsers strip tabs and line breaks silently, so white space and control characters are
/// refused before parsing.
pub fn is_web_address(text: &str) -> bool {
    if !is_harmless_link(text)
        || text.chars().count() > CONSTANTS.max_url
        || text
            .chars()
            .any(|c| c.is_whitespace() || c.is_control() || c == '\\')
    {
        return false;
    }
    Url::parse(text).is_ok_and(|url| {
        url.has_host()
            && url.username().is_empty()
            && url.password().is_none()
            && !authority(text).contains('@')
    })
}

/// True if `text` has the scheme http or https, so that following it runs no script (OWASP ASVS
/// 1.2.2). A cheap check at rendering, in case the database was edited by hand; parsing every link
/// in full would take a tenth of a page's time.
pub fn is_harmless_link(text: &str) -> bool {
    ["http://", "https://"].iter().any(|scheme| {
        text.get(..scheme.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    })
}

/// True for a web address, a picture of the shop, or an embedded demo picture (`/demo/….svg`).
pub fn is_picture_address(text: &str) -> bool {
    is_web_address(text) || is_own(text)
}

/// Like [`is_harmless_link`], for pictures.
pub fn is_harmless_picture(text: &str) -> bool {
    is_harmless_link(text) || is_own(text)
}

fn is_own(text: &str) -> bool {
    is_demo_picture(text) || PictureName::parse(text).is_some()
}

fn is_demo_picture(text: &str) -> bool {
    text.strip_prefix("/demo/")
        .and_then(|rest| rest.strip_suffix(".svg"))
        .is_some_and(|name| {
            !name.is_empty()
                && name
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        })
}

/// Returns true if the host is `localhost` or a loopback address: browsers trust it without https
/// (W3C Secure Contexts).
pub fn is_this_machine(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// Returns the part between `//` and the path. `Url` drops an empty user name, so credentials are
/// searched for here.
fn authority(text: &str) -> &str {
    let rest = text.split_once("//").map_or(text, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn web_addresses_are_absolute_http_urls_without_credentials() {
        for good in [
            "https://example.com",
            "HTTP://example.com/a?b=c#d",
            "https://example.com/a%20b?x=@y",
            "https://उदाहरण.भारत/पथ",
            "http://[::1]:8080/x",
        ] {
            assert!(is_web_address(good), "{good}");
        }
        let long = format!("https://example.com/{}", "a".repeat(CONSTANTS.max_url));
        for bad in [
            "",
            "example.com",
            "//evil.example",
            "/relative",
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            "java\tscript:alert(1)",
            "\thttps://example.com",
            "https://exa\nmple.com",
            "https://example.com/a b",
            "data:text/html,x",
            "ftp://example.com/x",
            "https:example.com",
            "https:/example.com",
            "https:\\\\example.com",
            "https://",
            "https://?x",
            "https://user@example.com",
            "https://user:secret@example.com",
            "https://@example.com",
            long.as_str(),
        ] {
            assert!(!is_web_address(bad), "{bad}");
        }
    }

    #[test]
    fn paths_of_built_in_demo_pictures_are_valid_picture_addresses() {
        assert!(is_picture_address("/demo/usb-c-cable.svg"));
        for bad in [
            "/demo/.svg",
            "/demo/../x.svg",
            "/demo//x.svg",
            "/demo/x.png",
            "/other/x.svg",
            "//demo/x.svg",
        ] {
            assert!(!is_picture_address(bad), "{bad}");
        }
    }
}
