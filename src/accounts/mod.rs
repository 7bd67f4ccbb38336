//! Accounts: registering, signing in and out, passwords. The server and the
//! command line apply the same rules by calling this code.
//!
//! Everything blocks, on bcrypt or on the disk: callers on an async thread wrap
//! it. No answer tells whether an address has an account.

mod admin;
mod browsers;
mod login_throttle;
mod mail_worker;
mod monotonic_clock;
mod passwords;
mod registration;
mod secrets;
mod sessions;
mod tokens;

use std::sync::Arc;
use std::time::Duration;

pub use browsers::BrowserCookie;
pub use mail_worker::{MailWaker, MailWorker};
pub use secrets::{KEY_FILE, KeyError, Secrets};
pub use sessions::SignedIn;

use login_throttle::LoginThrottle;
use tokens::Tokens;

use crate::domain::{Email, FieldError, Password};
use crate::store::{Store, StoreError};

/// A hash that no password has: verifying against it takes the time of any other.
const NOBODY: &str = "$2b$12$K0ByB.6YI2/OYrB4fQOYLe6Tv0datUVf6VZ/2Jzwm879BW5K1cHey";

/// Why an account's owner did not get what they asked for.
#[derive(Debug, Clone, thiserror::Error)]
pub enum AccountError {
    /// A field breaks a rule.
    #[error("{}", .0.first().map_or("not valid", |error| error.message.as_str()))]
    Invalid(Vec<FieldError>),
    /// The address and the password do not belong together, or there is no such
    /// account.
    #[error("Invalid credentials")]
    Credentials,
    /// The password is that of a registration that still waits for its code; with the
    /// registration's handle.
    #[error("Please verify your email first.")]
    Unverified(String),
    /// The code is wrong, expired, used, or was tried too often.
    #[error("please enter correct otp")]
    Code,
    /// Nobody is signed in, or not any more.
    #[error("please login to continue")]
    SignedOut,
    /// Too many attempts for one account; try again after this time.
    #[error("Too many attempts. Please try again later.")]
    TooMany(Duration),
    /// The address has an account already; told only to an administrator.
    #[error("this address has an account already")]
    Exists,
    /// There is no such account; told only to an administrator.
    #[error("there is no account with this address")]
    Unknown,
    /// The database refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Something that can't fail did; the cause is for the log.
    #[error("{0}")]
    Internal(String),
}

/// The accounts of a shop. Cloning is cheap.
#[derive(Clone)]
pub struct Accounts(Arc<Inner>);

struct Inner {
    store: Store,
    secrets: Secrets,
    tokens: Tokens,
    login_throttle: LoginThrottle,
    mail_waker: MailWaker,
}

impl Accounts {
    /// Joins the database, the key and the way to get mail sent; `issuer` names
    /// the shop in its tokens.
    pub fn new(store: Store, secrets: Secrets, issuer: &str, mail_waker: MailWaker) -> Self {
        let tokens = Tokens::new(&secrets, issuer);
        Self(Arc::new(Inner {
            store,
            secrets,
            tokens,
            login_throttle: LoginThrottle::default(),
            mail_waker,
        }))
    }

    /// Hashes a password that is about to come into force, unless it is too easy
    /// to guess.
    fn hash_new(
        &self,
        field: &str,
        password: &Password,
        email: &Email,
        username: &str,
    ) -> Result<String, AccountError> {
        if passwords::is_easy_to_guess(password, &[email.as_str(), username]) {
            return Err(AccountError::Invalid(vec![FieldError::new(
                field,
                "This password is too easy to guess. Please choose another one.",
            )]));
        }
        passwords::hash(&self.0.secrets, password)
    }
}
