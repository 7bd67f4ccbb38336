//! Accounts: registration, sign-in and passwords, for the server and the command line.
//!
//! All calls block on bcrypt or the disk, so async callers must wrap them. No response reveals
//! whether an address has an account.

mod admin;
mod browsers;
mod factor;
mod keys;
mod login_throttle;
mod mail_sender;
pub(crate) mod monotonic_clock;
mod passwords;
mod people;
mod registration;
mod secrets;
mod server;
mod sessions;
mod setup_link;
mod tokens;
mod webhooks;

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher as _;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

pub use browsers::BrowserCookie;
pub use factor::{CodeForm, Enrolment, FactorError, Qr};
pub use keys::{KEY_DAYS, KEY_START, KeyRequest, add_key, revoke_key};
pub use mail_sender::{MailSender, Waker};
pub use people::PEOPLE_PAGE;
pub use registration::RequestedCode;
pub use secrets::{KEY_FILE, KeyError, Secrets};
pub use server::mail::{MailOptions, MailServer};
pub use server::{ChoiceChange, OtherKey, SavedChoice, ServerChoice};
pub use sessions::SignedIn;
pub use setup_link::renew_setup_link;
pub use webhooks::delivery::WebhookSender;
pub(crate) use webhooks::signature::{new_secret, secret_text, signature};
pub use webhooks::{change_webhook, remove_webhook, test_webhook};

use factor::pending::PendingSignIns;
use login_throttle::LoginThrottle;
use tokens::Tokens;

use crate::domain::{Email, FieldError, Password};
use crate::store::{ClientCode, Store, StoreError};

/// Hash of no password: verifying against it takes the usual time.
const NO_PASSWORD: &str = "$2b$12$K0ByB.6YI2/OYrB4fQOYLe6Tv0datUVf6VZ/2Jzwm879BW5K1cHey";

/// Error of an account operation.
#[derive(Debug, Clone, thiserror::Error)]
pub enum AccountError {
    /// Invalid fields.
    #[error("{}", .0.first().map_or("not valid", |error| error.message.as_str()))]
    Invalid(Vec<FieldError>),
    /// Wrong password, or no such account.
    #[error("Invalid credentials")]
    Credentials,
    /// The password belongs to a registration that waits for its code; with its handle.
    #[error("Please verify your email first.")]
    Unverified(String),
    /// The code is wrong, expired, used, or was tried too often.
    #[error("please enter correct otp")]
    Code,
    /// The setup link is wrong, used or expired, or no setup is open.
    #[error("this setup link is not valid")]
    SetupLink,
    /// The invitation is wrong, used or expired.
    #[error("this invitation is not valid")]
    Invitation,
    /// It would leave the shop without an administrator.
    #[error("this is the last administrator")]
    LastAdmin,
    /// Somebody else used the setup link at the same time.
    #[error("the shop was set up by somebody else")]
    AlreadySetUp,
    /// The API key is mistyped, revoked or expired.
    #[error("This API key is not valid.")]
    Key,
    /// Refused by the second factor.
    #[error(transparent)]
    Factor(#[from] FactorError),
    /// Not signed in, or no longer.
    #[error("please login to continue")]
    SignedOut,
    /// Too many attempts for one account; retry after this time.
    #[error("Too many attempts. Please try again later.")]
    TooMany(Duration),
    /// The address has an account. Only for administrators and the invited.
    #[error("this address has an account already")]
    Exists,
    /// No such account. Only for administrators.
    #[error("there is no account with this address")]
    Unknown,
    /// The settings were changed since they were read.
    #[error("somebody else changed these settings in the meantime")]
    Changed,
    /// Database error.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Unexpected failure; the cause is logged only.
    #[error("{0}")]
    Internal(String),
}

/// The accounts of a shop. Cheap to clone.
#[derive(Clone)]
pub struct Accounts(Arc<AccountsInner>);

struct AccountsInner {
    store: Store,
    secrets: Secrets,
    tokens: Tokens,
    login_throttle: LoginThrottle,
    pending_sign_ins: PendingSignIns,
    mail_waker: Waker,
    /// Salt of the codes of clients' addresses; random for each process.
    client_salt: RandomState,
}

impl Accounts {
    /// Creates the accounts; `issuer` identifies the shop in its tokens.
    pub fn new(store: Store, secrets: Secrets, issuer: &str, mail_waker: Waker) -> Self {
        let tokens = Tokens::new(&secrets, issuer);
        Self(Arc::new(AccountsInner {
            store,
            secrets,
            tokens,
            login_throttle: LoginThrottle::default(),
            pending_sign_ins: PendingSignIns::default(),
            mail_waker,
            client_salt: RandomState::new(),
        }))
    }

    /// Returns the code of a client's address, by which its requests of mails are counted: the
    /// database has addresses only of sessions.
    fn code_of(&self, client: IpAddr) -> ClientCode {
        ClientCode(self.0.client_salt.hash_one(client).cast_signed())
    }

    /// Hashes a new password, unless it is too easy to guess.
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
