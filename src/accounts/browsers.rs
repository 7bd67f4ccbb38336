//! Known browsers: a signed cookie identifies a browser that has signed in before, so that guesses
//! from elsewhere slow down strangers only (OWASP, "Slow Down Online Guessing Attacks with Device
//! Cookies").

use super::login_throttle::ThrottleKey;
use super::secrets::{mac, random, session_hash};
use super::{AccountError, Accounts};
use crate::domain::{Email, hex};
use crate::store::SignInRecord;

/// Maximum number of cookies that are checked: a browser may know several accounts.
const MAX_COOKIES: usize = 32;
/// Length of the tag in a cookie's name and of the browser's id, in hex digits.
const TAG: usize = 8;
const NONCE: usize = 32;

/// Cookie that identifies a known browser.
#[derive(Debug, Clone)]
pub struct BrowserCookie {
    /// Distinguishes the accounts of one browser without naming them.
    pub tag: String,
    /// Cookie value, valid for one account until its password changes.
    pub value: String,
}

impl Accounts {
    /// Creates the cookie after a sign-in with this password.
    pub(super) fn remember_browser(
        &self,
        email: &Email,
        password_hash: &str,
    ) -> Result<BrowserCookie, AccountError> {
        let nonce = hex(&random::<{ NONCE / 2 }>()?);
        let signature = self.browser_signature(email, password_hash, &nonce);
        Ok(BrowserCookie {
            tag: self.browser_tag(email),
            value: format!("{nonce}{signature}"),
        })
    }

    /// Returns the part of a cookie's name that distinguishes accounts.
    pub(super) fn browser_tag(&self, email: &Email) -> String {
        let key = self.0.secrets.key_for("browser tag");
        let tag = hex(&mac(&key, &[email.key().as_bytes()]));
        tag[..TAG].to_owned()
    }

    /// Returns the bucket that counts failures for these cookies. An address without an account
    /// takes the same time.
    pub(super) fn bucket_of(
        &self,
        cookies: &[String],
        email: &Email,
        record: &SignInRecord,
    ) -> ThrottleKey {
        match self.known_browser(cookies, email, record) {
            Some(nonce) => ThrottleKey::Browser(nonce, record.lifts),
            None => ThrottleKey::Address(email.key(), record.lifts),
        }
    }

    /// Returns the browser's id if one of the cookies is valid for the account.
    pub(super) fn known_browser(
        &self,
        cookies: &[String],
        email: &Email,
        record: &SignInRecord,
    ) -> Option<String> {
        let account = record.account.as_ref();
        let hash = account.map_or("", |account| account.password_hash.as_str());
        cookies.iter().take(MAX_COOKIES).find_map(|cookie| {
            let (nonce, signature) = cookie.split_at_checked(NONCE)?;
            let expected = self.browser_signature(email, hash, nonce);
            // Compares hashes to avoid a timing leak.
            let matches = session_hash(&expected) == session_hash(signature);
            (matches && account.is_some()).then(|| nonce.to_owned())
        })
    }

    /// Returns the id of the account if one of the cookies is a browser's that has signed in to it.
    ///
    /// # Errors
    ///
    /// Fails when the database does.
    pub fn account_of_browser(
        &self,
        email: &Email,
        cookies: &[String],
    ) -> Result<Option<String>, AccountError> {
        let record = self.0.store.sign_in_record(email)?;
        let is_known = self.known_browser(cookies, email, &record).is_some();
        let account = record.account.filter(|_| is_known);
        Ok(account.map(|stored| stored.user.id))
    }

    fn browser_signature(&self, email: &Email, password_hash: &str, nonce: &str) -> String {
        let key = self.0.secrets.key_for("browser");
        let parts = [email.key(), password_hash.to_owned(), nonce.to_owned()];
        hex(&mac(&key, &parts.each_ref().map(String::as_bytes)))
    }
}
