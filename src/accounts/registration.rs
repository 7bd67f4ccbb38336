//! Registering and proving that the address is one's own.

use super::login_throttle::Bucket;
use super::secrets::random;
use super::{AccountError, Accounts, monotonic_clock};
use crate::domain::{Email, Password, Registration, hex};

/// What codes are for; a code for one purpose is none for another.
const REGISTER: &str = "register";
const RESET: &str = "reset";

impl Accounts {
    /// Stores an unverified account, mails its code and gives the handle by which
    /// another code can be asked for. An address that has an account gets a mail
    /// that says so. Both answer alike and take as long.
    ///
    /// # Errors
    ///
    /// [`AccountError::Invalid`] for a password that is too easy to guess.
    pub fn register(&self, form: &Registration) -> Result<String, AccountError> {
        let hash = self.hash_new("password", &form.password, &form.email, &form.username)?;
        let code = self.0.secrets.new_code(REGISTER, &form.email.key())?;
        let handle = hex(&random::<16>()?);
        self.0
            .store
            .register(form, handle.clone(), hash, code, monotonic_clock::now())?;
        self.0.mail_waker.wake();
        Ok(handle)
    }

    /// Mails another code for the registration of this handle, or for the only one
    /// that waits; answers alike when there is none.
    pub fn resend_code(&self, email: &Email, handle: Option<String>) -> Result<(), AccountError> {
        let code = self.0.secrets.new_code(REGISTER, &email.key())?;
        let now = monotonic_clock::now();
        self.0.store.resend_code(email, handle, code, now)?;
        self.0.mail_waker.wake();
        Ok(())
    }

    /// Activates the registration of this handle, if this is its code; without a handle,
    /// the only one that waits.
    ///
    /// # Errors
    ///
    /// [`AccountError::Code`] for any other code.
    pub fn verify_code(
        &self,
        email: &Email,
        handle: Option<String>,
        code: &str,
    ) -> Result<(), AccountError> {
        let hash = self
            .0
            .secrets
            .code_hash(REGISTER, &email.key(), code.trim());
        let now = monotonic_clock::now();
        if self.0.store.verify_registration(email, handle, hash, now)? {
            tracing::info!("an account was verified");
            return Ok(());
        }
        tracing::warn!("a registration code was refused");
        Err(AccountError::Code)
    }

    /// Mails a code for a new password, if the address has an account, and gives the
    /// handle that goes with it; answers alike for any other. `browser` as for signing in:
    /// what a browser asks for that the account knows is counted apart.
    pub fn forgot_password(
        &self,
        email: &Email,
        browser: &[String],
    ) -> Result<String, AccountError> {
        let record = self.0.store.sign_in_record(email)?;
        let is_known = self.known_browser(browser, email, &record).is_some();
        let code = self.0.secrets.new_code(RESET, &email.key())?;
        let handle = hex(&random::<16>()?);
        let now = monotonic_clock::now();
        self.0
            .store
            .forgot_password(email, handle.clone(), code, is_known, now)?;
        self.0.mail_waker.wake();
        Ok(handle)
    }

    /// Replaces a password by the code that was mailed for it and ends every
    /// session of the account. The code must be the one that came with the handle, or
    /// without one the only one that waits.
    ///
    /// # Errors
    ///
    /// [`AccountError::Code`] for any other code, [`AccountError::Invalid`] for a
    /// password that is too easy to guess.
    pub fn reset_password(
        &self,
        email: &Email,
        handle: Option<String>,
        code: &str,
        password: &Password,
    ) -> Result<(), AccountError> {
        let password_hash = self.hash_new("password", password, email, "")?;
        let code_hash = self.0.secrets.code_hash(RESET, &email.key(), code.trim());
        let now = monotonic_clock::now();
        let reset = self
            .0
            .store
            .reset_password(email, handle, code_hash, password_hash, now)?;
        if !reset {
            tracing::warn!("a password code was refused");
            return Err(AccountError::Code);
        }
        let lifts = self.0.store.sign_in_record(email)?.lifts;
        self.0
            .login_throttle
            .forgive(&Bucket::Address(email.key(), lifts));
        self.0.mail_waker.wake();
        tracing::info!("a password was replaced by mail");
        Ok(())
    }

    /// The handle of the registration that waits for this address, if this is its
    /// password. Takes the time of one password whatever there is.
    pub(super) fn matching_registration(
        &self,
        email: &Email,
        password: &Password,
    ) -> Result<Option<String>, AccountError> {
        let waiting = self
            .0
            .store
            .waiting_registration(email, monotonic_clock::now())?;
        let hash = waiting
            .as_ref()
            .map(|waiting| waiting.password_hash.as_str());
        let matches = self.verify(password, hash);
        Ok(waiting.filter(|_| matches).map(|waiting| waiting.handle))
    }
}
