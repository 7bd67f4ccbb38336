//! Accounts, and the rules of the registration and sign-in forms.

pub(crate) mod keys;
pub(crate) mod staff_name;
pub(crate) mod webhooks;

use std::fmt;
use std::sync::LazyLock;

use jiff::Timestamp;
use regex::Regex;
use unicode_normalization::UnicodeNormalization;
use url::Host;
use validator::{Validate, ValidationError};

use super::CONSTANTS;
use super::FieldError;
use super::enums::named;
use super::field_error::require;
use super::invisible::{is_invisible, without_reordering};

named! {
    /// Authorization level of an account (spec section 6).
    Role {
        /// Does everything, also with people, keys, settings and sellers.
        Admin = "admin";
        /// Adds, changes, deletes and imports products, and reads reports.
        Editor = "editor";
        /// Signs in and out.
        User = "user";
    }
}

impl Role {
    /// True for administrators and editors, who work in the office.
    pub fn is_staff(self) -> bool {
        matches!(self, Self::Admin | Self::Editor)
    }
}

/// A verified account.
#[derive(Debug, Clone, PartialEq)]
pub struct User {
    /// The public identifier.
    pub id: String,
    /// Display name, 3 to 50 characters.
    pub username: String,
    /// E-mail address, spelled as entered.
    pub email: Email,
    /// Authorization level.
    pub role: Role,
    /// Time of verification, or of creation by the command line.
    pub created_at: Timestamp,
    /// True if signing in takes a code too.
    pub has_factor: bool,
}

/// A well-formed e-mail address; case is preserved, but ignored in comparisons by [`Email::key`].
#[derive(Clone, PartialEq, Eq)]
pub struct Email(String);

impl Email {
    /// Trims and validates an address; `None` if it is malformed. A domain that is not ASCII gets the
    /// form that every mail server takes (RFC 5891).
    pub fn parse(text: &str) -> Option<Self> {
        let mut text = text.trim().to_owned();
        if let Some((local, domain)) = text.rsplit_once('@')
            && !domain.is_ascii()
        {
            text = format!("{local}@{}", ascii(domain)?);
        }
        is_email(&text).then_some(Self(text))
    }

    /// The address as entered.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Lower-case form, for comparing and looking up addresses.
    pub fn key(&self) -> String {
        self.0.to_lowercase()
    }
}

impl fmt::Debug for Email {
    /// Addresses must not reach a log (OWASP ASVS 16.2.5).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Email(***)")
    }
}

/// A password of valid length, normalized to NFKC, because devices differ in the Unicode form that
/// they send (NIST SP 800-63B-4, section 3.1.1.2).
#[derive(Clone)]
pub struct Password(String);

impl Password {
    /// Accepts 8 to 128 arbitrary characters.
    ///
    /// # Errors
    ///
    /// Returns the message of the violated rule.
    pub fn parse(text: &str) -> Result<Self, String> {
        match check_password(text) {
            Ok(()) => Ok(Self(text.nfkc().collect())),
            Err(error) => Err(error.message.unwrap_or_default().into_owned()),
        }
    }

    /// The NFKC text, for hashing.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(***)")
    }
}

/// A valid registration form.
#[derive(Debug, Clone)]
pub struct Registration {
    /// 3 to 50 characters.
    pub username: String,
    /// Receives the verification code.
    pub email: Email,
    /// Becomes the account's password once the code is entered.
    pub password: Password,
}

/// A valid sign-in form.
#[derive(Debug, Clone)]
pub struct Credentials {
    /// Identifies the account.
    pub email: Email,
    /// Unverified password.
    pub password: Password,
}

#[derive(Validate)]
struct RegistrationForm<'a> {
    #[validate(custom(function = "check_username"))]
    username: &'a str,
    #[validate(custom(function = "check_email"))]
    email: &'a str,
    #[validate(custom(function = "check_password"))]
    password: &'a str,
}

impl Registration {
    /// Applies the rules of the registration form (spec section 5).
    ///
    /// # Errors
    ///
    /// Returns one error per invalid field, in the order of the form.
    pub fn parse(username: &str, email: &str, password: &str) -> Result<Self, Vec<FieldError>> {
        let username = without_reordering(username);
        let form = RegistrationForm {
            username: username.trim(),
            email: email.trim(),
            password,
        };
        check(&form, &["username", "email", "password"])?;
        Ok(Self {
            username: form.username.to_owned(),
            // The form was checked.
            email: Email::parse(form.email).ok_or_else(Vec::new)?,
            password: Password(password.nfkc().collect()),
        })
    }
}

#[derive(Validate)]
struct CredentialsForm<'a> {
    #[validate(custom(function = "check_email"))]
    email: &'a str,
    #[validate(custom(function = "check_password"))]
    password: &'a str,
}

impl Credentials {
    /// Applies the rules of the sign-in form (spec section 5).
    ///
    /// # Errors
    ///
    /// Returns one error per invalid field, in the order of the form.
    pub fn parse(email: &str, password: &str) -> Result<Self, Vec<FieldError>> {
        let form = CredentialsForm {
            email: email.trim(),
            password,
        };
        check(&form, &["email", "password"])?;
        Ok(Self {
            // The form was checked.
            email: Email::parse(form.email).ok_or_else(Vec::new)?,
            password: Password(password.nfkc().collect()),
        })
    }
}

/// Validates a form; returns the first error of each field, in the order of `fields`.
fn check(form: &impl Validate, fields: &[&str]) -> Result<(), Vec<FieldError>> {
    let Err(errors) = form.validate() else {
        return Ok(());
    };
    let by_field = errors.field_errors();
    let messages = fields.iter().filter_map(|field| {
        let first = by_field.get(*field)?.first()?;
        let message = first.message.clone().unwrap_or_default();
        Some(FieldError::new(*field, message))
    });
    Err(messages.collect())
}

/// Rejects control characters: a line break could inject a mail header (OWASP ASVS 1.3.11).
fn check_username(username: &str) -> Result<(), ValidationError> {
    let characters = username.chars().count();
    require(
        characters >= CONSTANTS.min_username,
        "Username must be at least 3 characters long.",
    )?;
    require(
        characters <= CONSTANTS.max_username,
        "Username must be at most 50 characters long.",
    )?;
    require(
        !username.chars().any(char::is_control),
        "Username must not contain line breaks or control characters.",
    )?;
    require(
        !username.chars().all(is_invisible),
        "Username must have visible characters.",
    )
}

fn check_email(email: &str) -> Result<(), ValidationError> {
    require(
        Email::parse(email).is_some(),
        "Please enter a valid email address.",
    )
}

fn check_password(password: &str) -> Result<(), ValidationError> {
    let characters = password.chars().count();
    require(
        characters >= CONSTANTS.min_password,
        "Password must be at least 8 characters long.",
    )?;
    require(
        characters <= CONSTANTS.max_password,
        "Password must be at most 128 characters long.",
    )
}

/// Returns a domain in ASCII.
fn ascii(domain: &str) -> Option<String> {
    let is_of_name = |c: char| !c.is_ascii() || c.is_ascii_alphanumeric() || ".-".contains(c);
    match Host::parse(domain) {
        Ok(Host::Domain(name)) if domain.chars().all(is_of_name) => Some(name),
        _ => None,
    }
}

/// Validates an address as the HTML standard's e-mail field does, plus a full domain and no
/// leading, trailing or repeated dots, as SMTP requires. The front end uses the same expression.
fn is_email(text: &str) -> bool {
    static FORM: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?x)^
            [A-Za-z0-9!\#$%&'*+/=?^_`{|}~-]+ (?: \. [A-Za-z0-9!\#$%&'*+/=?^_`{|}~-]+ )*
            @
            (?: [A-Za-z0-9] (?: [A-Za-z0-9-]{0,61} [A-Za-z0-9] )? \. )+
            [A-Za-z] (?: [A-Za-z0-9-]{0,61} [A-Za-z0-9] )
            $",
        )
        .ok()
    });
    let local = text.split('@').next().unwrap_or_default();
    text.len() <= CONSTANTS.max_email
        && local.len() <= 64
        && FORM.as_ref().is_some_and(|form| form.is_match(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deliverable_email_addresses_are_accepted() {
        for good in [
            "a@b.co",
            "first.last+tag@sub.example.com",
            "UPPER@Example.COM",
            "o'neil@xn--p1ai.xn--p1ai",
        ] {
            assert!(is_email(good), "{good}");
        }
        let long = format!("{}@example.com", "a".repeat(65));
        for bad in [
            "",
            "a",
            "a@b",
            "@b.co",
            "a@",
            "a@b.c",
            "a b@c.de",
            "a..b@c.de",
            ".a@b.co",
            "a.@b.co",
            "a@b..co",
            "a@-b.co",
            "a@b.co\n",
            "a@b.co\r\nBcc: c@d.ef",
            "a@b@c.de",
            "<a@b.co>",
            "a@[127.0.0.1]",
            "ä@b.co",
            long.as_str(),
        ] {
            assert!(!is_email(bad), "{bad:?}");
        }
    }

    #[test]
    fn a_domain_in_any_script_is_stored_in_ascii() {
        let parsed = |text| Email::parse(text).map(|email| email.as_str().to_owned());
        let hindi = "asha@xn--11b7ah1gn.example";
        for (text, stored) in [
            ("asha@\u{926}\u{941}\u{915}\u{93e}\u{928}.example", hindi),
            ("Asha@M\u{dc}NCHEN.example", "Asha@xn--mnchen-3ya.example"),
            ("Asha@Example.COM", "Asha@Example.COM"),
        ] {
            assert_eq!(parsed(text).as_deref(), Some(stored), "{text}");
        }
        for text in [
            "asha@\u{fc}/b.example",
            "asha@\u{fc}%2eexample",
            "asha@\u{fc}",
            "\u{e4}sha@m\u{fc}nchen.example",
            "asha@b@m\u{fc}nchen.example",
        ] {
            assert_eq!(parsed(text), None, "{text}");
        }
    }

    #[test]
    fn debug_output_has_no_passwords_and_email_addresses() {
        let form = Registration::parse("someone", "someone@example.com", "swordfish-9").unwrap();
        let printed = format!("{form:?}");
        assert!(!printed.contains("swordfish"), "{printed}");
        assert!(!printed.contains("@example"), "{printed}");
    }

    #[test]
    fn one_password_typed_in_two_unicode_forms_is_the_same() {
        let composed = Password::parse("caf\u{e9} au lait").unwrap();
        let decomposed = Password::parse("cafe\u{301} au lait").unwrap();
        assert_eq!(composed.as_str(), decomposed.as_str());
    }

    #[test]
    fn password_length_counts_characters() {
        assert!(Password::parse(&"😀".repeat(8)).is_ok());
        assert!(Password::parse(&"😀".repeat(7)).is_err());
        assert!(Password::parse(&"😀".repeat(128)).is_ok());
        assert!(Password::parse(&"a".repeat(129)).is_err());
    }
}
