//! The link that makes the first administrator: printed by `deals serve` and `deals setup-link`.

use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine as _};
use jiff::SignedDuration;

use super::secrets::{random, session_hash};
use super::{AccountError, Accounts, SignedIn, monotonic_clock};
use crate::domain::{FieldError, Registration, hex};
use crate::store::{Device, SetupLink, Store, StoreError};

/// Time for which a link is valid.
const LIFETIME: SignedDuration = SignedDuration::from_hours(24);

/// Makes a setup link, which replaces the former one, and returns its secret; `None` if the shop has
/// an administrator. Only the hash of the secret is stored.
///
/// # Errors
///
/// [`AccountError`] if it could not be stored.
pub fn renew_setup_link(store: &Store) -> Result<Option<String>, AccountError> {
    let secret = BASE64_URL_SAFE_NO_PAD.encode(random::<32>()?);
    let is_open = store.set_setup_link(session_hash(&secret), monotonic_clock::now())?;
    Ok(is_open.then_some(secret))
}

impl Accounts {
    /// Returns the setup link with this secret.
    ///
    /// # Errors
    ///
    /// [`AccountError::SetupLink`] if the secret is wrong, used or expired, and if no setup is open.
    pub fn setup_link(&self, secret: &str) -> Result<SetupLink, AccountError> {
        let link = self.0.store.setup_link()?.filter(|link| {
            let age = monotonic_clock::now().duration_since(link.made_at);
            age < LIFETIME && is_equal(&hex(&session_hash(secret)), &link.hash)
        });
        link.ok_or(AccountError::SetupLink)
    }

    /// Adds the first administrator, and signs in.
    ///
    /// # Errors
    ///
    /// [`AccountError::AlreadySetUp`] if somebody else used the link meanwhile,
    /// [`AccountError::Invalid`] if the password is too easy to guess or the address has an account.
    pub fn set_up(
        &self,
        link: SetupLink,
        form: &Registration,
        device: &Device,
    ) -> Result<SignedIn, AccountError> {
        let hash = self.hash_new("password", &form.password, &form.email, &form.username)?;
        let now = monotonic_clock::now();
        match self.0.store.insert_first_admin(form, link, hash, now) {
            Ok(true) => {}
            Ok(false) => return Err(AccountError::AlreadySetUp),
            Err(StoreError::Conflict(_)) => return Err(AccountError::Invalid(vec![taken(form)])),
            Err(error) => return Err(error.into()),
        }
        let stored = self.0.store.find_user(&form.email)?;
        tracing::info!(user = stored.user.id, "the first administrator was added");
        self.begin(stored, device)
    }
}

fn taken(form: &Registration) -> FieldError {
    let message = format!(
        "This address has an account already. Use another one, or run \
         `deals user promote {}` on the server.",
        form.email.as_str()
    );
    FieldError::new("email", message)
}

/// Compares in a time that does not depend on where the texts differ.
fn is_equal(sent: &str, stored: &str) -> bool {
    let pairs = sent.bytes().zip(stored.bytes());
    let difference = pairs.fold(0, |difference, (a, b)| difference | (a ^ b));
    difference == 0 && sent.len() == stored.len()
}
