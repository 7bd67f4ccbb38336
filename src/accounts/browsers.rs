//! Browsers that have signed in to an account before, known again by a cookie that the
//! shop signed: guesses from elsewhere slow down strangers, and not them (OWASP, "Slow
//! Down Online Guessing Attacks with Device Cookies").

use super::login_throttle::Bucket;
use super::secrets::{mac, random, session_hash};
use super::{AccountError, Accounts};
use crate::domain::{Email, hex};
use crate::store::SignInRecord;

/// Cookies of one browser that are looked at: it may know several accounts.
const MOST: usize = 32;
/// Digits of a cookie's name that tell accounts apart, and those of what names the browser.
const TAG: usize = 8;
const NONCE: usize = 32;

/// The cookie by which a browser is known again.
#[derive(Debug, Clone)]
pub struct BrowserCookie {
    /// Tells the accounts of one browser apart, and nobody what they are.
    pub tag: String,
    /// What it holds: good for one account, until its password changes.
    pub value: String,
}

impl Accounts {
    /// A cookie for a browser that has just signed in to an account with this password.
    pub(super) fn remember_browser(
        &self,
        email: &Email,
        password_hash: &str,
    ) -> Result<BrowserCookie, AccountError> {
        let nonce = hex(&random::<{ NONCE / 2 }>()?);
        let signature = self.browser_signature(email, password_hash, &nonce);
        let key = self.0.secrets.key_for("browser tag");
        let tag = hex(&mac(&key, &[email.key().as_bytes()]));
        Ok(BrowserCookie {
            tag: tag[..TAG].to_owned(),
            value: format!("{nonce}{signature}"),
        })
    }

    /// Where wrong passwords of whoever has these cookies are counted. An address without
    /// an account takes as long.
    pub(super) fn bucket_of(
        &self,
        cookies: &[String],
        email: &Email,
        record: &SignInRecord,
    ) -> Bucket {
        match self.known_browser(cookies, email, record) {
            Some(nonce) => Bucket::Browser(nonce, record.lifts),
            None => Bucket::Address(email.key(), record.lifts),
        }
    }

    /// What names the browser with these cookies, if it has signed in to the account.
    pub(super) fn known_browser(
        &self,
        cookies: &[String],
        email: &Email,
        record: &SignInRecord,
    ) -> Option<String> {
        let account = record.account.as_ref();
        let hash = account.map_or("", |account| account.password_hash.as_str());
        cookies.iter().take(MOST).find_map(|cookie| {
            let (nonce, signature) = cookie.split_at_checked(NONCE)?;
            let expected = self.browser_signature(email, hash, nonce);
            // Of hashes, so that the time that it takes tells nothing.
            let matches = session_hash(&expected) == session_hash(signature);
            (matches && account.is_some()).then(|| nonce.to_owned())
        })
    }

    fn browser_signature(&self, email: &Email, password_hash: &str, nonce: &str) -> String {
        let key = self.0.secrets.key_for("browser");
        let parts = [email.key(), password_hash.to_owned(), nonce.to_owned()];
        hex(&mac(&key, &parts.each_ref().map(String::as_bytes)))
    }
}
