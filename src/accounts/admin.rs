//! Account administration from the command line; `actor` is its name in the activity log.

use super::{AccountError, Accounts, monotonic_clock};
use crate::domain::{Email, Password, Registration, Role, User};
use crate::store::StoreError;

impl Accounts {
    /// Adds a verified account.
    ///
    /// # Errors
    ///
    /// [`AccountError::Exists`] if the address has one, [`AccountError::Invalid`] if the password
    /// is too easy to guess.
    pub fn add(&self, form: &Registration, role: Role, actor: &str) -> Result<(), AccountError> {
        let hash = self.hash_new("password", &form.password, &form.email, &form.username)?;
        let now = monotonic_clock::now();
        let (name, email) = (&form.username, &form.email);
        match self
            .0
            .store
            .insert_user(name, email, role, hash, actor, now)
        {
            Err(StoreError::Conflict(_)) => Err(AccountError::Exists),
            other => Ok(other?),
        }
    }

    /// Returns every account, oldest first.
    pub fn list(&self) -> Result<Vec<User>, AccountError> {
        Ok(self.0.store.list_users()?)
    }

    /// Changes the role of an account and ends its sessions.
    ///
    /// # Errors
    ///
    /// [`AccountError::Unknown`] if there is no such account.
    pub fn set_role(&self, email: &Email, role: Role, actor: &str) -> Result<(), AccountError> {
        let now = monotonic_clock::now();
        or_unknown(self.0.store.set_role(email, role, actor, now))
    }

    /// Deletes an account and ends its sessions.
    ///
    /// # Errors
    ///
    /// [`AccountError::Unknown`] if there is no such account.
    pub fn remove(&self, email: &Email, actor: &str) -> Result<(), AccountError> {
        let now = monotonic_clock::now();
        or_unknown(self.0.store.delete_user(email, actor, now))
    }

    /// Replaces a password and ends the account's sessions.
    ///
    /// # Errors
    ///
    /// [`AccountError::Unknown`] if there is no such account, [`AccountError::Invalid`] if the
    /// password is too easy to guess.
    pub fn set_password(
        &self,
        email: &Email,
        password: &Password,
        actor: &str,
    ) -> Result<(), AccountError> {
        let hash = self.hash_new("password", password, email, "")?;
        let now = monotonic_clock::now();
        or_unknown(self.0.store.set_password(email, hash, actor, now))
    }
}

fn or_unknown(result: Result<(), StoreError>) -> Result<(), AccountError> {
    match result {
        Err(StoreError::NotFound) => Err(AccountError::Unknown),
        other => Ok(other?),
    }
}
