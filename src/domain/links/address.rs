//! Changes of an address that leave all other bytes as they are.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use url::form_urlencoded;

/// Characters that a tag needs no escape for.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// Splits an address into the part before its query, the query, and its fragment with the `#`.
pub(super) fn split(address: &str) -> (&str, &str, &str) {
    let (rest, fragment) = match address.find('#') {
        Some(at) => address.split_at(at),
        None => (address, ""),
    };
    let (before, query) = rest.split_once('?').unwrap_or((rest, ""));
    (before, query, fragment)
}

/// Returns the address with only the parameters whose names `keeps` accepts.
pub(super) fn filtered(address: &str, keeps: impl Fn(&str) -> bool) -> String {
    let (before, query, fragment) = split(address);
    let is_kept = |part: &&str| !part.is_empty() && keeps(&name_of(part));
    let kept: Vec<&str> = query.split('&').filter(is_kept).collect();
    joined(before, &kept.join("&"), fragment)
}

/// Returns the address with one more parameter.
pub(super) fn with_parameter(address: &str, name: &str, value: &str) -> String {
    let (before, query, fragment) = split(address);
    let value = utf8_percent_encode(value, PLAIN);
    let and = if query.is_empty() { "" } else { "&" };
    joined(before, &format!("{query}{and}{name}={value}"), fragment)
}

/// Returns the decoded value of the first parameter with this name.
pub(super) fn value_of(address: &str, name: &str) -> Option<String> {
    let (_, query, _) = split(address);
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    let (_, value) = pairs.find(|(key, _)| key == name)?;
    Some(value.into_owned())
}

/// True if a list of names, each of which may end with `*`, has this one.
pub(super) fn is_listed(names: &[String], name: &str) -> bool {
    names.iter().any(|listed| match listed.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => listed == name,
    })
}

fn name_of(part: &str) -> String {
    let name = form_urlencoded::parse(part.as_bytes()).next();
    name.map(|(name, _)| name.into_owned()).unwrap_or_default()
}

fn joined(before: &str, query: &str, fragment: &str) -> String {
    let mark = if query.is_empty() { "" } else { "?" };
    format!("{before}{mark}{query}{fragment}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removing_a_query_parameter_keeps_the_rest_byte_for_byte() {
        let address = "https://Shop.example/s?k=a+b%20c&tag=x&tag=%79&&q#top?tag=z";
        let without = filtered(address, |name| name != "tag");
        assert_eq!(without, "https://Shop.example/s?k=a+b%20c&q#top?tag=z");
        assert_eq!(
            filtered("https://a.example/?%74ag=x", |name| name != "tag"),
            "https://a.example/"
        );
        assert_eq!(
            with_parameter(&without, "tag", "a b&c"),
            "https://Shop.example/s?k=a+b%20c&q&tag=a%20b%26c#top?tag=z"
        );
        assert_eq!(value_of(address, "tag").as_deref(), Some("x"));
        assert_eq!(value_of(address, "none"), None);
    }
}
