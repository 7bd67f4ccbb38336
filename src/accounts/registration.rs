//! Registration and password reset by mailed codes.

use std::net::IpAddr;

use super::login_throttle::ThrottleKey;
use super::secrets::random;
use super::{AccountError, Accounts, monotonic_clock};
use crate::domain::{Email, Password, Registration, hex};

/// Purposes of codes; a code is valid for its purpose only.
const REGISTER: &str = "register";
const RESET: &str = "reset";

/// A request of a code by mail.
#[derive(Debug)]
pub struct RequestedCode {
    /// Handle of the registration or request.
    pub handle: String,
    /// False if too many codes were requested for the mail address, so that none is mailed; the same
    /// with an account and without.
    pub is_within_limits: bool,
}

impl Accounts {
    /// Stores an unverified account and mails its code. An address with an account gets a mail that
    /// says so, with the same answer and timing.
    ///
    /// # Errors
    ///
    /// [`AccountError::Invalid`] if the password is too easy to guess.
    pub fn register(
        &self,
        form: &Registration,
        client: IpAddr,
    ) -> Result<RequestedCode, AccountError> {
        let hash = self.hash_new("password", &form.password, &form.email, &form.username)?;
        let code = self.0.secrets.new_code(REGISTER, &form.email.key())?;
        let handle = hex(&random::<16>()?);
        let (client, now) = (self.code_of(client), monotonic_clock::now());
        let store = &self.0.store;
        let is_within_limits = store.register(form, handle.clone(), hash, code, client, now)?;
        self.0.mail_waker.wake();
        Ok(RequestedCode {
            handle,
            is_within_limits,
        })
    }

    /// Mails another code for the registration with this handle, or for the only waiting one.
    /// Returns false if too many were requested; succeeds if none waits.
    pub fn resend_code(
        &self,
        email: &Email,
        handle: Option<String>,
        client: IpAddr,
    ) -> Result<bool, AccountError> {
        let code = self.0.secrets.new_code(REGISTER, &email.key())?;
        let (client, now) = (self.code_of(client), monotonic_clock::now());
        let store = &self.0.store;
        let is_within_limits = store.resend_code(email, handle, code, client, now)?;
        self.0.mail_waker.wake();
        Ok(is_within_limits)
    }

    /// Activates the registration with this handle, or the only waiting one, if the code is right.
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

    /// Mails a code for a new password if the address has an account; the answer is the same in any
    /// case. Requests from known browsers (`browser`, as for signing in) are counted
    /// separately.
    pub fn forgot_password(
        &self,
        email: &Email,
        browser: &[String],
        client: IpAddr,
    ) -> Result<RequestedCode, AccountError> {
        let record = self.0.store.sign_in_record(email)?;
        let is_known = self.known_browser(browser, email, &record).is_some();
        let code = self.0.secrets.new_code(RESET, &email.key())?;
        let handle = hex(&random::<16>()?);
        let (client, now) = (self.code_of(client), monotonic_clock::now());
        let is_within_limits =
            self.0
                .store
                .forgot_password(email, handle.clone(), code, is_known, client, now)?;
        self.0.mail_waker.wake();
        Ok(RequestedCode {
            handle,
            is_within_limits,
        })
    }

    /// Replaces a password with the mailed code and ends every session of the account. The code
    /// must belong to the handle, or without one to the only waiting request.
    ///
    /// # Errors
    ///
    /// [`AccountError::Code`] for any other code, [`AccountError::Invalid`] if the password is too
    /// easy to guess.
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
            .clear(&ThrottleKey::Address(email.key(), lifts));
        self.0.mail_waker.wake();
        tracing::info!("a password was replaced by mail");
        Ok(())
    }

    /// Returns the handle of the waiting registration with this password. Always takes the time of
    /// one password check.
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
