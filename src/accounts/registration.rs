//! Registering and proving that the address is one's own.

use super::{AccountError, Accounts};
use crate::domain::{Email, Password, Registration};

/// What codes are for; a code for one purpose is none for another.
const REGISTER: &str = "register";
const RESET: &str = "reset";

impl Accounts {
    /// Stores an unverified account and mails its code; an address that has an
    /// account gets a mail that says so. Both answer alike and take as long.
    ///
    /// # Errors
    ///
    /// [`AccountError::Invalid`] for a password that is too easy to guess.
    pub fn register(&self, form: &Registration) -> Result<(), AccountError> {
        let hash = self.hash_new("password", &form.password, &form.email, &form.username)?;
        let code = self.0.secrets.new_code(REGISTER, &form.email.key())?;
        self.0
            .store
            .register(form, hash, code, self.0.clock.now())?;
        self.0.post.wake();
        Ok(())
    }

    /// Mails another code to an address that waits for one; answers alike for any
    /// other.
    ///
    /// # Errors
    ///
    /// [`AccountError::Store`] when the database refused.
    pub fn resend_code(&self, email: &Email) -> Result<(), AccountError> {
        self.send_code(email, None)
    }

    pub(super) fn send_code(
        &self,
        email: &Email,
        registration: Option<i64>,
    ) -> Result<(), AccountError> {
        let code = self.0.secrets.new_code(REGISTER, &email.key())?;
        let now = self.0.clock.now();
        self.0.store.resend_code(email, registration, code, now)?;
        self.0.post.wake();
        Ok(())
    }

    /// Activates the registration that this code came with.
    ///
    /// # Errors
    ///
    /// [`AccountError::Code`] for any other code.
    pub fn verify_code(&self, email: &Email, code: &str) -> Result<(), AccountError> {
        let hash = self
            .0
            .secrets
            .code_hash(REGISTER, &email.key(), code.trim());
        let now = self.0.clock.now();
        if self.0.store.verify_registration(email, hash, now)? {
            tracing::info!("an account was verified");
            return Ok(());
        }
        tracing::warn!("a registration code was refused");
        Err(AccountError::Code)
    }

    /// Mails a code for a new password, if the address has an account; answers
    /// alike for any other.
    ///
    /// # Errors
    ///
    /// [`AccountError::Store`] when the database refused.
    pub fn forgot_password(&self, email: &Email) -> Result<(), AccountError> {
        let code = self.0.secrets.new_code(RESET, &email.key())?;
        let now = self.0.clock.now();
        self.0.store.forgot_password(email, code, now)?;
        self.0.post.wake();
        Ok(())
    }

    /// Replaces a password by the code that was mailed for it and ends every
    /// session of the account.
    ///
    /// # Errors
    ///
    /// [`AccountError::Code`] for any other code, [`AccountError::Invalid`] for a
    /// password that is too easy to guess.
    pub fn reset_password(
        &self,
        email: &Email,
        code: &str,
        password: &Password,
    ) -> Result<(), AccountError> {
        let password_hash = self.hash_new("password", password, email, "")?;
        let code_hash = self.0.secrets.code_hash(RESET, &email.key(), code.trim());
        let now = self.0.clock.now();
        let reset = self
            .0
            .store
            .reset_password(email, code_hash, password_hash, now)?;
        if !reset {
            tracing::warn!("a password code was refused");
            return Err(AccountError::Code);
        }
        self.0.lockout.forgive(&email.key());
        self.0.post.wake();
        tracing::info!("a password was replaced by mail");
        Ok(())
    }

    /// Which registration that still waits this password belongs to. Takes the
    /// time of one password at least.
    pub(super) fn matching_registration(
        &self,
        email: &Email,
        password: &Password,
    ) -> Result<Option<i64>, AccountError> {
        let now = self.0.clock.now();
        let waiting = self.0.store.waiting_registrations(email, now)?;
        if waiting.is_empty() {
            self.verify(password, None);
        }
        let matching = waiting
            .iter()
            .find(|registration| self.verify(password, Some(&registration.password_hash)));
        Ok(matching.map(|registration| registration.key))
    }
}
