//! Signing in and out.

use std::time::Instant;

use super::login_throttle::ThrottleKey;
use super::secrets::{random, session_hash};
use super::{AccountError, Accounts, BrowserCookie, monotonic_clock};
use crate::domain::{Audience, Credentials, Password, Session, User, hex};
use crate::store::{Device, ListedSession, StoreError, StoredUser};

/// A new session.
pub struct SignedIn {
    /// The session.
    pub session: Session,
    /// The secret for the cookie; only its hash is stored.
    pub cookie: String,
    /// The token for the response body.
    pub token: String,
    /// Cookie that makes the browser known.
    pub browser: BrowserCookie,
    /// Cookie of a device that is not asked for a code again.
    pub device: Option<BrowserCookie>,
}

impl Accounts {
    /// Signs in. `browser` and `devices` have the values of cookies from [`SignedIn::browser`] and
    /// [`SignedIn::device`].
    ///
    /// # Errors
    ///
    /// [`AccountError::Credentials`] for a wrong password or unknown address, with equal timing;
    /// [`AccountError::Unverified`] if the password belongs to a waiting registration, which is
    /// mailed another code; [`AccountError::TooMany`] while the password is being guessed. Known
    /// browsers are counted separately. [`FactorError::CodeNeeded`](super::FactorError::CodeNeeded) if
    /// the account has a second factor.
    pub fn sign_in(
        &self,
        credentials: &Credentials,
        device: &Device,
        browser: &[String],
        devices: &[String],
    ) -> Result<SignedIn, AccountError> {
        let Credentials { email, password } = credentials;
        let now = Instant::now();
        let record = self.0.store.sign_in_record(email)?;
        let bucket = self.bucket_of(browser, email, &record);
        if let Some(wait) = self.0.login_throttle.wait(&bucket, now) {
            tracing::warn!("a sign-in was refused: too many attempts for one account");
            return Err(AccountError::TooMany(wait));
        }
        self.0.login_throttle.record(&bucket, now);
        let account = record.account;
        let hash = account.as_ref().map(|stored| stored.password_hash.as_str());
        let matches = self.verify(password, hash);
        if let Some(stored) = account.filter(|_| matches) {
            self.0.login_throttle.clear(&bucket);
            let is_known = matches!(bucket, ThrottleKey::Browser(..));
            return self.begin_or_ask(stored, device, devices, is_known, record.lifts);
        }
        // A registration may wait whether or not the address has an account, with the same answer
        // and timing. Anybody may have sent it, so it proves nothing and does not clear failures.
        if let Some(handle) = self.matching_registration(email, password)? {
            self.0.login_throttle.undo(&bucket);
            self.resend_code(email, Some(handle.clone()), device.address)?;
            return Err(AccountError::Unverified(handle));
        }
        tracing::warn!("a sign-in was refused: wrong address or password");
        Err(AccountError::Credentials)
    }

    pub(super) fn begin(
        &self,
        stored: StoredUser,
        device: &Device,
    ) -> Result<SignedIn, AccountError> {
        let StoredUser {
            user,
            password_hash,
        } = stored;
        let browser = self.remember_browser(&user.email, &password_hash)?;
        let cookie = hex(&random::<32>()?);
        let now = monotonic_clock::now();
        let session = Session {
            sid: hex(&random::<16>()?),
            user,
            audience: device.audience,
            created_at: now,
            last_seen_at: now,
            confirmed_at: None,
        };
        let id_hash = session_hash(&cookie);
        let inserted = self.0.store.insert_session(
            &session.user,
            password_hash,
            &session.sid,
            id_hash,
            device,
            now,
        );
        match inserted {
            // The account was deleted or its password replaced meanwhile.
            Err(StoreError::NotFound) => return Err(AccountError::Credentials),
            other => other?,
        }
        tracing::info!(user = session.user.id, "signed in");
        let token = self.0.tokens.make(&session)?;
        Ok(SignedIn {
            session,
            cookie,
            token,
            browser,
            device: None,
        })
    }

    /// Returns the session of a cookie.
    ///
    /// # Errors
    ///
    /// [`AccountError::SignedOut`] if there is none or it has ended.
    pub fn session_of_cookie(&self, cookie: &str) -> Result<Session, AccountError> {
        self.alive(self.0.store.find_session_by_secret(session_hash(cookie)))
    }

    /// Returns the session of a token for one of these audiences.
    ///
    /// # Errors
    ///
    /// [`AccountError::SignedOut`] if the token is invalid or expired, is for another audience, or
    /// its session has ended.
    pub fn session_of_token(
        &self,
        token: &str,
        audiences: &[Audience],
    ) -> Result<Session, AccountError> {
        let named = self
            .0
            .tokens
            .read(token, audiences)
            .ok_or(AccountError::SignedOut)?;
        // Before the token's expiry is checked: an expired session is deleted, so that setting the
        // clock back does not revive it.
        let session = self.alive(self.0.store.find_session_by_sid(&named.session))?;
        // The database decides, not only the token.
        if named.until <= monotonic_clock::now()
            || session.user.id != named.user
            || !audiences.contains(&session.audience)
        {
            return Err(AccountError::SignedOut);
        }
        Ok(session)
    }

    fn alive(&self, found: Result<Session, StoreError>) -> Result<Session, AccountError> {
        let session = match found {
            Ok(session) => session,
            Err(StoreError::NotFound) => return Err(AccountError::SignedOut),
            Err(error) => return Err(error.into()),
        };
        let now = monotonic_clock::now();
        if !session.is_alive(now) {
            // Deleted, so that setting the clock back does not revive it.
            self.0.store.delete_session(&session.sid).wait()?;
            return Err(AccountError::SignedOut);
        }
        self.0.store.touch_session(&session, now);
        Ok(session)
    }

    /// Ends a session.
    pub fn sign_out(&self, session: &Session) -> Result<(), AccountError> {
        tracing::info!(user = session.user.id, "signed out");
        Ok(self.0.store.delete_session(&session.sid).wait()?)
    }

    /// Returns the sessions of an account that have not ended, the last used first.
    pub fn sessions_of(&self, user: &User) -> Result<Vec<ListedSession>, AccountError> {
        let now = monotonic_clock::now();
        let mut sessions = self.0.store.list_sessions(user)?;
        sessions.retain(|listed| listed.session.is_alive(now));
        Ok(sessions)
    }

    /// Ends every session of the account.
    pub fn sign_out_everywhere(&self, user: &User) -> Result<(), AccountError> {
        tracing::info!(user = user.id, "signed out everywhere");
        Ok(self.0.store.delete_sessions_of(user).wait()?)
    }

    /// Replaces the password of a signed-in user who knows the current one, ends all sessions and
    /// begins a new one.
    ///
    /// # Errors
    ///
    /// [`AccountError::Credentials`] if the current password is wrong, [`AccountError::Invalid`] if
    /// the new one is too easy to guess, [`AccountError::TooMany`] while the current one is being
    /// guessed.
    pub fn change_password(
        &self,
        session: &Session,
        current: &Password,
        new: &Password,
        device: &Device,
    ) -> Result<SignedIn, AccountError> {
        let user = &session.user;
        let stored = self.confirm_password(session, current)?;
        let hash = self.hash_new("newPassword", new, &user.email, &user.username)?;
        let now = monotonic_clock::now();
        let changed =
            self.0
                .store
                .change_password(session, stored.password_hash, hash.clone(), now);
        match changed {
            Err(StoreError::NotFound) => return Err(AccountError::SignedOut),
            other => other?,
        }
        self.0.mail_waker.wake();
        tracing::info!(user = user.id, "the password was changed");
        let stored = StoredUser {
            user: stored.user,
            password_hash: hash,
        };
        let device = Device {
            audience: session.audience,
            ..device.clone()
        };
        self.begin(stored, &device)
    }

    /// Checks the password of a signed-in user.
    ///
    /// # Errors
    ///
    /// [`AccountError::Credentials`] if it is wrong, [`AccountError::TooMany`] while it is being
    /// guessed.
    pub(super) fn confirm_password(
        &self,
        session: &Session,
        password: &Password,
    ) -> Result<StoredUser, AccountError> {
        let user = &session.user;
        let record = self.0.store.sign_in_record(&user.email)?;
        let bucket = ThrottleKey::SignedIn(user.id.clone(), record.lifts);
        let now = Instant::now();
        if let Some(wait) = self.0.login_throttle.wait(&bucket, now) {
            return Err(AccountError::TooMany(wait));
        }
        self.0.login_throttle.record(&bucket, now);
        let stored = record.account.ok_or(AccountError::SignedOut)?;
        if !self.verify(password, Some(&stored.password_hash)) {
            tracing::warn!(
                user = user.id,
                "a password that was asked for again was wrong"
            );
            return Err(AccountError::Credentials);
        }
        self.0.login_throttle.clear(&bucket);
        Ok(stored)
    }
}
