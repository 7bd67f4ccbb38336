//! The second factor: codes of an authenticator app, recovery codes, and devices that are not asked.

mod error;
pub(super) mod pending;
mod recovery;
mod sign_in;
mod totp;

use std::time::Instant;

use jiff::Timestamp;
use qrcodegen::{QrCode, QrCodeEcc};

pub use error::FactorError;
pub use sign_in::CodeForm;

use super::login_throttle::{CodeFrom, ThrottleKey};
use super::secrets::{mac, random};
use super::{AccountError, Accounts, monotonic_clock};
use crate::domain::{Email, Password, Session, User};
use crate::store::{StoreError, StoredFactor};

/// Purpose of the key by which secrets are sealed.
const PURPOSE: &str = "totp secret";

/// A secret that waits for its first code, for the app.
#[derive(Debug, Clone)]
pub struct Enrolment {
    /// Secret in base 32, for typing.
    pub secret: String,
    /// Address for apps, `otpauth://…`.
    pub address: String,
    /// The address as a QR code.
    pub qr: Qr,
}

/// A QR code without its margin.
#[derive(Debug, Clone)]
pub struct Qr {
    /// Width and height in modules.
    pub size: i32,
    /// Dark modules, as SVG path data.
    pub path: String,
}

impl Accounts {
    /// Returns the enabled factor of an account.
    pub fn factor_of(&self, user: &User) -> Result<Option<StoredFactor>, AccountError> {
        let factor = self.0.store.find_factor(user)?;
        Ok(factor.filter(|factor| factor.enabled_at.is_some()))
    }

    /// Makes a secret for an account whose owner knows its password.
    ///
    /// # Errors
    ///
    /// [`AccountError::Credentials`] if the password is wrong, [`FactorError::Exists`] if the account
    /// has an enabled factor.
    pub fn begin_factor(
        &self,
        session: &Session,
        password: &Password,
    ) -> Result<Enrolment, AccountError> {
        let user = &session.user;
        if user.has_factor {
            return Err(FactorError::Exists.into());
        }
        self.confirm_password(session, password)?;
        let secret = random()?;
        let sealed = self.0.secrets.seal(PURPOSE, &user.id, &secret)?;
        if !self
            .0
            .store
            .begin_factor(user, sealed, monotonic_clock::now())?
        {
            return Err(FactorError::Exists.into());
        }
        let shop = self.0.store.settings()?.shop.display_name().to_owned();
        let (secret, address) = totp::address(secret, &shop, user.email.as_str())?;
        Ok(Enrolment {
            qr: qr_of(&address)?,
            secret,
            address,
        })
    }

    /// Enables the factor by its first code, and returns the recovery codes.
    ///
    /// # Errors
    ///
    /// [`FactorError::WrongCode`], [`FactorError::Exists`] if it is enabled, [`FactorError::None`] if
    /// there is none.
    pub fn enable_factor(
        &self,
        session: &Session,
        code: &str,
    ) -> Result<Vec<String>, AccountError> {
        let user = &session.user;
        let factor = self.0.store.find_factor(user)?.ok_or(FactorError::None)?;
        if factor.enabled_at.is_some() {
            return Err(FactorError::Exists.into());
        }
        let secret = self.open(user, &factor)?;
        let step = self.limited(user, &self.session_bucket(user)?, || {
            let step = totp::step_of(secret, &digits(code), seconds())?;
            Ok(step.ok_or(FactorError::WrongCode)?)
        })?;
        let (codes, hashes) = self.new_recovery_codes(user)?;
        let now = monotonic_clock::now();
        let store = &self.0.store;
        if !store.enable_factor(session, factor.sealed, step, hashes, now)? {
            return Err(FactorError::Exists.into());
        }
        tracing::info!(user = user.id, "the second factor was enabled");
        Ok(codes)
    }

    /// Replaces the recovery codes and returns the new ones.
    ///
    /// # Errors
    ///
    /// [`FactorError::None`] if the account has no factor.
    pub fn renew_recovery_codes(&self, user: &User) -> Result<Vec<String>, AccountError> {
        let (codes, hashes) = self.new_recovery_codes(user)?;
        let now = monotonic_clock::now();
        match self.0.store.replace_recovery_codes(user, hashes, now) {
            Err(StoreError::NotFound) => return Err(FactorError::None.into()),
            other => other?,
        }
        tracing::info!(user = user.id, "the recovery codes were replaced");
        Ok(codes)
    }

    /// Switches the factor off.
    pub fn disable_factor(&self, user: &User) -> Result<(), AccountError> {
        tracing::info!(user = user.id, "the second factor was switched off");
        Ok(self.0.store.disable_factor(user, monotonic_clock::now())?)
    }

    /// Removes the factor of somebody's account. Returns false if it has none.
    ///
    /// # Errors
    ///
    /// [`AccountError::Unknown`] if there is no such account.
    pub fn reset_factor(&self, email: &Email, actor: &str) -> Result<bool, AccountError> {
        match self
            .0
            .store
            .reset_factor(email, actor, monotonic_clock::now())
        {
            Err(StoreError::NotFound) => Err(AccountError::Unknown),
            other => Ok(other?),
        }
    }

    /// Confirms a session by a code or a recovery code.
    ///
    /// # Errors
    ///
    /// As [`Accounts::sign_in_with_code`], and [`FactorError::None`] if the account has no factor.
    pub fn confirm(&self, session: &Session, code: &str) -> Result<(), AccountError> {
        let user = &session.user;
        let bucket = self.session_bucket(user)?;
        self.limited(user, &bucket, || self.use_code(user, code))?;
        Ok(self
            .0
            .store
            .confirm_session(session, monotonic_clock::now())?)
    }

    /// Refuses a session in which a code has to be entered first.
    ///
    /// # Errors
    ///
    /// [`FactorError::Unconfirmed`].
    pub fn require_confirmed(session: &Session) -> Result<(), AccountError> {
        if session.is_confirmed(monotonic_clock::now()) {
            Ok(())
        } else {
            Err(FactorError::Unconfirmed.into())
        }
    }

    /// Returns the bucket of codes that a signed-in user enters.
    fn session_bucket(&self, user: &User) -> Result<ThrottleKey, AccountError> {
        let lifts = self.0.store.sign_in_record(&user.email)?.lifts;
        Ok(ThrottleKey::Code(CodeFrom::Session, user.id.clone(), lifts))
    }

    /// Checks a code within the limits of a bucket.
    fn limited<T>(
        &self,
        user: &User,
        bucket: &ThrottleKey,
        check: impl FnOnce() -> Result<T, AccountError>,
    ) -> Result<T, AccountError> {
        let now = Instant::now();
        if let Some(wait) = self.0.login_throttle.wait(bucket, now) {
            return Err(AccountError::TooMany(wait));
        }
        self.0.login_throttle.record(bucket, now);
        let checked = check();
        match &checked {
            Ok(_) => self.0.login_throttle.clear(bucket),
            Err(AccountError::Factor(FactorError::UsedCode)) => {
                self.0.login_throttle.undo(bucket);
            }
            Err(_) => tracing::warn!(user = user.id, "a code of the second factor was refused"),
        }
        checked
    }

    /// Uses a code or a recovery code up.
    fn use_code(&self, user: &User, typed: &str) -> Result<(), AccountError> {
        let factor = self.factor_of(user)?.ok_or(FactorError::None)?;
        if let Some(code) = recovery::parse(typed) {
            let hash = self.recovery_hash(user, &code);
            let now = monotonic_clock::now();
            if !self.0.store.use_recovery_code(user, hash, now)? {
                return Err(FactorError::WrongCode.into());
            }
            tracing::warn!(user = user.id, "a recovery code was used");
            return Ok(());
        }
        let secret = self.open(user, &factor)?;
        let step =
            totp::step_of(secret, &digits(typed), seconds())?.ok_or(FactorError::WrongCode)?;
        if !self.0.store.use_step(user, step)? {
            return Err(FactorError::UsedCode.into());
        }
        Ok(())
    }

    /// Decrypts the secret of a factor.
    fn open(&self, user: &User, factor: &StoredFactor) -> Result<[u8; totp::SECRET], AccountError> {
        let secret = self.0.secrets.open(PURPOSE, &user.id, &factor.sealed);
        let secret = secret.and_then(|secret| secret.try_into().ok());
        Ok(secret.ok_or(FactorError::Unreadable)?)
    }

    fn new_recovery_codes(
        &self,
        user: &User,
    ) -> Result<(Vec<String>, Vec<[u8; 32]>), AccountError> {
        let mut codes = Vec::new();
        let mut hashes = Vec::new();
        for _ in 0..recovery::CODES {
            let code = recovery::new_code()?;
            hashes.push(self.recovery_hash(user, &code));
            codes.push(recovery::in_groups(&code));
        }
        Ok((codes, hashes))
    }

    fn recovery_hash(&self, user: &User, code: &str) -> [u8; 32] {
        let key = self.0.secrets.key_for("recovery code");
        mac(&key, &[user.id.as_bytes(), code.as_bytes()])
    }
}

/// Returns the system's time: codes follow the clocks of phones, and the last step that was used
/// keeps older codes from coming back.
fn seconds() -> u64 {
    u64::try_from(Timestamp::now().as_second()).unwrap_or_default()
}

/// Returns a typed code without its spaces.
fn digits(typed: &str) -> String {
    typed.chars().filter(|one| !one.is_whitespace()).collect()
}

/// Draws a QR code, a run of dark modules at a time.
fn qr_of(text: &str) -> Result<Qr, AccountError> {
    let code = QrCode::encode_text(text, QrCodeEcc::Medium)
        .map_err(|error| AccountError::Internal(error.to_string()))?;
    let size = code.size();
    let mut path = String::new();
    for y in 0..size {
        let mut x = 0;
        while x < size {
            let dark = (x..size).take_while(|x| code.get_module(*x, y)).count();
            if dark > 0 {
                path += &format!("M{x} {y}h{dark}v1h-{dark}z");
            }
            x += i32::try_from(dark).unwrap_or(size) + 1;
        }
    }
    Ok(Qr { size, path })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_a_qr_code_covers_its_dark_modules() {
        let Qr { size, path } = qr_of("otpauth://totp/Deals:asha").unwrap();
        let code = QrCode::encode_text("otpauth://totp/Deals:asha", QrCodeEcc::Medium).unwrap();
        let mut drawn = Vec::new();
        for run in path.split('M').skip(1) {
            let mut numbers = run.split(['h', 'v', ' ']).map(str::parse::<i32>);
            let mut next = || numbers.next().unwrap().unwrap();
            let (x, y, dark) = (next(), next(), next());
            drawn.extend((x..x + dark).map(|x| (y, x)));
        }
        let all = (0..size).flat_map(|y| (0..size).map(move |x| (y, x)));
        let dark: Vec<_> = all.filter(|(y, x)| code.get_module(*x, *y)).collect();
        assert_eq!(drawn, dark);
    }
}
