//! Rules of the addresses at which visitors reach the owner.

use serde_json::Value;

use super::texts::text;
use crate::domain::{Email, is_web_address};

/// Accepts a mail address.
pub(super) fn contact(value: &Value) -> Result<String, String> {
    let address = text(value, "The contact")?;
    if address.is_empty() || Email::parse(address).is_some() {
        return Ok(address.to_owned());
    }
    Err("The contact must be an email address, like you@example.com.".to_owned())
}

fn link(value: &Value) -> Result<String, String> {
    let address = text(value, "The link")?;
    if address.is_empty() || (is_web_address(address) && address.starts_with("https://")) {
        return Ok(address.to_owned());
    }
    Err("The link must be a whole address that begins with https://.".to_owned())
}

/// Accepts a name at `host` too, also with @, of letters, digits and `marks`, and makes a link of it.
pub(super) fn profile(value: &Value, host: &str, marks: &str) -> Result<String, String> {
    let given = text(value, "The link")?;
    let after = |start: &str| given.strip_prefix(start)?.strip_prefix('/');
    let name = after(host).or_else(|| given.strip_prefix('@'));
    let name = name.unwrap_or(given);
    let is_in_name = |c: char| c.is_ascii_alphanumeric() || marks.contains(c);
    if (1..=32).contains(&name.len()) && name.chars().all(is_in_name) && name != host {
        return Ok(format!("https://{host}/{name}"));
    }
    link(value).map_err(|_| {
        "Enter a name, like @example, or a whole address that begins with https://.".to_owned()
    })
}

/// Accepts a telephone number too, and makes a link of it; ten digits are a number in India.
pub(super) fn whatsapp(value: &Value) -> Result<String, String> {
    let given = text(value, "The link")?;
    let is_number = |c: char| c.is_ascii_digit() || " +-()".contains(c);
    if !given.chars().all(is_number) {
        return link(value);
    }
    let digits: String = given.chars().filter(char::is_ascii_digit).collect();
    let digits = digits.trim_start_matches('0');
    match digits.len() {
        10 if !given.starts_with('+') => Ok(format!("https://wa.me/91{digits}")),
        10..=15 => Ok(format!("https://wa.me/{digits}")),
        _ => link(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_becomes_a_link_to_telegram_or_instagram() {
        let telegram = |given: &str| profile(&given.into(), "t.me", "_");
        let instagram = |given: &str| profile(&given.into(), "instagram.com", "_.");
        for given in [
            "example",
            "@example",
            " t.me/example ",
            "https://t.me/example",
        ] {
            assert_eq!(telegram(given).unwrap(), "https://t.me/example", "{given}");
        }
        assert_eq!(telegram("https://t.me/+a-b").unwrap(), "https://t.me/+a-b");
        assert_eq!(telegram("").unwrap(), "");
        let dotted = instagram("@ex.ample").unwrap();
        assert_eq!(dotted, "https://instagram.com/ex.ample");
        let whole = "https://www.instagram.com/example/";
        assert_eq!(instagram(whole).unwrap(), whole);
        for refused in ["t.me", "two words", "@", "a/b", "http://t.me/example"] {
            assert!(telegram(refused).is_err(), "{refused}");
        }
        assert!(instagram("instagram.com").is_err());
    }
}
