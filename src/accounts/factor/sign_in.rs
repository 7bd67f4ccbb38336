//! Signing in with a second factor.

use std::time::Instant;

use jiff::SignedDuration;

use super::pending::PendingSignIn;
use super::{FactorError, PURPOSE};
use crate::accounts::login_throttle::{CodeFrom, ThrottleKey};
use crate::accounts::secrets::{random, session_hash};
use crate::accounts::{AccountError, Accounts, BrowserCookie, SignedIn, monotonic_clock};
use crate::domain::hex;
use crate::store::{Device, StoredUser};

/// Time for which a device is remembered.
const REMEMBERED: SignedDuration = SignedDuration::from_hours(30 * 24);
/// Maximum number of cookies that are checked: a browser may know several accounts.
const MAX_COOKIES: usize = 32;

/// A code for a sign-in that waits for it.
#[derive(Debug, Clone)]
pub struct CodeForm {
    /// Handle from [`FactorError::CodeNeeded`].
    pub pending: String,
    /// Code of the app, or a recovery code.
    pub code: String,
    /// Whether this device is not asked again.
    pub remember: bool,
}

impl Accounts {
    /// Begins a session after a right password, or asks for a code: of accounts with a second factor,
    /// unless the device is remembered.
    pub(in crate::accounts) fn begin_or_ask(
        &self,
        stored: StoredUser,
        device: &Device,
        devices: &[String],
        is_known: bool,
        lifts: i64,
    ) -> Result<SignedIn, AccountError> {
        let user = &stored.user;
        if !user.has_factor {
            return self.begin(stored, device);
        }
        let hashes: Vec<_> = devices
            .iter()
            .take(MAX_COOKIES)
            .map(|secret| session_hash(secret))
            .collect();
        let now = monotonic_clock::now();
        if self.0.store.is_remembered(user, &hashes, now)? {
            return self.begin(stored, device);
        }
        // No code would be right.
        if let Some(factor) = self.factor_of(user)?
            && self
                .0
                .secrets
                .open(PURPOSE, &user.id, &factor.sealed)
                .is_none()
        {
            return Err(FactorError::Unreadable.into());
        }
        let handle = hex(&random::<32>()?);
        let waiting = PendingSignIn {
            stored,
            address: device.address,
            is_known,
            lifts,
        };
        let pending = &self.0.pending_sign_ins;
        pending.add(session_hash(&handle), waiting, Instant::now());
        Err(FactorError::CodeNeeded(handle).into())
    }

    /// Finishes a sign-in by a code or a recovery code.
    ///
    /// # Errors
    ///
    /// [`FactorError::SignInEnded`] after five codes or five minutes, [`FactorError::WrongCode`] or
    /// [`FactorError::UsedCode`], [`AccountError::TooMany`] while codes are being guessed. Known
    /// browsers are counted separately.
    pub fn sign_in_with_code(
        &self,
        form: &CodeForm,
        device: &Device,
    ) -> Result<SignedIn, AccountError> {
        let handle = session_hash(&form.pending);
        let pending = &self.0.pending_sign_ins;
        let ended = || AccountError::from(FactorError::SignInEnded);
        let waiting = pending.get(&handle, Instant::now()).ok_or_else(ended)?;
        let user = &waiting.stored.user;
        let from = match waiting.is_known {
            true => CodeFrom::KnownBrowser,
            false => CodeFrom::Elsewhere,
        };
        let bucket = ThrottleKey::Code(from, user.id.clone(), waiting.lifts);
        if let Some(wait) = self.0.login_throttle.wait(&bucket, Instant::now()) {
            return Err(AccountError::TooMany(wait));
        }
        if !pending.take_try(&handle) {
            return Err(ended());
        }
        match self.limited(user, &bucket, || self.use_code(user, &form.code)) {
            // It was switched off meanwhile.
            Err(AccountError::Factor(FactorError::None)) => return Err(ended()),
            tried => tried?,
        }
        if !pending.remove(&handle) {
            return Err(ended());
        }
        let mut signed_in = self.begin(waiting.stored, device)?;
        let now = monotonic_clock::now();
        self.0.store.confirm_session(&signed_in.session, now)?;
        if form.remember {
            signed_in.device = Some(self.remember_device(&signed_in)?);
        }
        Ok(signed_in)
    }

    fn remember_device(&self, signed_in: &SignedIn) -> Result<BrowserCookie, AccountError> {
        let user = &signed_in.session.user;
        let secret = hex(&random::<32>()?);
        let (hash, now) = (session_hash(&secret), monotonic_clock::now());
        self.0.store.remember_device(user, hash, now, REMEMBERED)?;
        Ok(BrowserCookie {
            tag: self.browser_tag(&user.email),
            value: secret,
        })
    }
}
