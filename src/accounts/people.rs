//! People for administrators: invitations, roles and removal.

use std::time::Instant;

use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine as _};
use jiff::SignedDuration;

use super::login_throttle::ThrottleKey;
use super::secrets::{mac, random, session_hash};
use super::{AccountError, Accounts, Secrets, SignedIn, monotonic_clock};
use crate::domain::{Email, FieldError, Paged, Registration, Role, Session, User};
use crate::store::{
    Device, Invitation, Invited, MAX_INVITATIONS, NewInvitation, Person, PersonChange,
    PersonChanged, StoreError,
};

/// Time for which an invitation is valid.
const LIFETIME: SignedDuration = SignedDuration::from_hours(3 * 24);

/// People on one page.
pub const PEOPLE_PAGE: u32 = 50;

impl Secrets {
    /// Returns the secret of an invitation's link.
    pub(super) fn invitation(&self, seed: &[u8; 16]) -> String {
        let key = self.key_for("invitation");
        BASE64_URL_SAFE_NO_PAD.encode(mac(&key, &[seed]))
    }
}

impl Accounts {
    /// Returns one page of people, each with whether a delay stops guesses of the password now.
    pub fn people(&self, search: &str, page: u32) -> Result<Paged<(Person, bool)>, AccountError> {
        let now = monotonic_clock::now();
        let found = self.0.store.list_people(search, page, PEOPLE_PAGE, now)?;
        let is_delayed = |person: &Person| {
            let bucket = ThrottleKey::Address(person.email.key(), person.lifts);
            let wait = self.0.login_throttle.wait(&bucket, Instant::now());
            wait.is_some()
        };
        let mark = |person: Person| {
            let is_delayed = is_delayed(&person);
            (person, is_delayed)
        };
        Ok(Paged {
            items: found.items.into_iter().map(mark).collect(),
            total: found.total,
        })
    }

    /// Invites somebody and returns the secret of the link, of which only the hash is stored.
    ///
    /// # Errors
    ///
    /// [`AccountError::Exists`] if the address has an account, [`AccountError::Invalid`] if there are
    /// too many invitations, [`AccountError::SignedOut`] if the sender is no administrator any more.
    pub fn invite(
        &self,
        email: &Email,
        username: &str,
        role: Role,
        sender: &User,
        is_mailed: bool,
    ) -> Result<String, AccountError> {
        let seed = random()?;
        let secret = self.0.secrets.invitation(&seed);
        let now = monotonic_clock::now();
        let new = NewInvitation {
            hash: session_hash(&secret),
            seed: is_mailed.then_some(seed),
            email: email.clone(),
            username: username.to_owned(),
            role,
            expires_at: now + LIFETIME,
        };
        match self.0.store.insert_invitation(new, sender, now) {
            Ok(Invited::Added) => {}
            Ok(Invited::HasAccount) => return Err(AccountError::Exists),
            Ok(Invited::TooMany) => {
                let message =
                    format!("There are {MAX_INVITATIONS} open invitations. Remove one first.");
                return Err(AccountError::Invalid(vec![FieldError::new(
                    "email", message,
                )]));
            }
            Err(StoreError::NotFound) => return Err(AccountError::SignedOut),
            Err(error) => return Err(error.into()),
        }
        self.0.mail_waker.wake();
        tracing::info!(user = sender.id, "somebody was invited");
        Ok(secret)
    }

    /// Returns the invitation with this secret.
    ///
    /// # Errors
    ///
    /// [`AccountError::Invitation`] if the secret is wrong, used or expired.
    pub fn invitation(&self, secret: &str) -> Result<Invitation, AccountError> {
        let now = monotonic_clock::now();
        let found = self.0.store.find_invitation(session_hash(secret), now)?;
        found.ok_or(AccountError::Invitation)
    }

    /// Adds the account of an invitation, and signs in.
    ///
    /// # Errors
    ///
    /// [`AccountError::Invitation`] if it was used meanwhile, [`AccountError::Exists`] if the address
    /// has an account since, [`AccountError::Invalid`] if the password is too easy to guess.
    pub fn accept_invitation(
        &self,
        invitation: Invitation,
        form: &Registration,
        device: &Device,
    ) -> Result<SignedIn, AccountError> {
        let hash = self.hash_new("password", &form.password, &form.email, &form.username)?;
        let now = monotonic_clock::now();
        match self.0.store.accept_invitation(invitation, form, hash, now) {
            Ok(true) => {}
            Ok(false) => return Err(AccountError::Invitation),
            Err(StoreError::Conflict(_)) => return Err(AccountError::Exists),
            Err(error) => return Err(error.into()),
        }
        let stored = self.0.store.find_user(&form.email)?;
        tracing::info!(user = stored.user.id, "an invitation was accepted");
        self.begin(stored, device)
    }

    /// Changes an account for an administrator.
    ///
    /// # Errors
    ///
    /// [`AccountError::Unknown`] if there is none, [`AccountError::LastAdmin`] if it is the last
    /// administrator's.
    pub fn change_person(
        &self,
        id: &str,
        change: PersonChange,
        admin: &User,
    ) -> Result<(), AccountError> {
        let now = monotonic_clock::now();
        done(self.0.store.change_person(id, change, &admin.username, now))?;
        tracing::info!(user = admin.id, person = id, "an account was changed");
        Ok(())
    }

    /// Deletes an account or an invitation for an administrator.
    ///
    /// # Errors
    ///
    /// [`AccountError::Unknown`] if there is none, [`AccountError::LastAdmin`] if it is the last
    /// administrator's.
    pub fn remove_person(&self, id: &str, admin: &User) -> Result<(), AccountError> {
        let now = monotonic_clock::now();
        done(self.0.store.delete_person(id, &admin.username, now))?;
        tracing::info!(user = admin.id, person = id, "an account was removed");
        Ok(())
    }

    /// Deletes the account of a signed-in user who knows its password.
    ///
    /// # Errors
    ///
    /// [`AccountError::Credentials`] if the password is wrong, [`AccountError::TooMany`] while it is
    /// being guessed, [`AccountError::LastAdmin`] if it is the last administrator's.
    pub fn delete_own(
        &self,
        session: &Session,
        password: &crate::domain::Password,
    ) -> Result<(), AccountError> {
        let stored = self.confirm_password(session, password)?;
        let now = monotonic_clock::now();
        let deleted = self
            .0
            .store
            .delete_own_account(session, stored.password_hash, now);
        match done(deleted) {
            Err(AccountError::Unknown) => Err(AccountError::SignedOut),
            other => {
                tracing::info!(
                    user = session.user.id,
                    "an account was deleted by its owner"
                );
                other
            }
        }
    }
}

fn done(result: Result<PersonChanged, StoreError>) -> Result<(), AccountError> {
    match result {
        Ok(PersonChanged::Done) => Ok(()),
        Ok(PersonChanged::LastAdmin) => Err(AccountError::LastAdmin),
        Err(StoreError::NotFound) => Err(AccountError::Unknown),
        Err(error) => Err(error.into()),
    }
}
