//! API keys: `deals_live_`, 30 random characters, and a checksum of 6, all of base 62, so that
//! scanners for leaked secrets find them and typing errors need no look into the database.

use jiff::SignedDuration;

use super::secrets::{random, session_hash};
use super::{AccountError, Accounts, monotonic_clock};
use crate::domain::{ApiKey, FieldError, Role, Scope, User, is_active};
use crate::store::{KeyAdded, MAX_KEYS, NewApiKey, Store, StoreError};

/// Beginning of every key.
pub const KEY_START: &str = "deals_live_";
const RANDOM: usize = 30;
const CHECKSUM: usize = 6;
const PREFIX: usize = 4;
/// Range of a key's lifetime in days.
const MAX_DAYS: i64 = 730;
const MAX_NAME: usize = 50;
const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Default lifetime of a key in days.
pub const KEY_DAYS: i64 = 365;

/// A key that is to be made.
#[derive(Debug, Clone)]
pub struct KeyRequest {
    /// Name in the activity log.
    pub name: String,
    /// Names of scopes.
    pub scopes: Vec<String>,
    /// Lifetime in days.
    pub days: i64,
}

impl KeyRequest {
    /// Validates the request.
    fn check(&self) -> Result<Vec<Scope>, Vec<FieldError>> {
        let mut errors = Vec::new();
        let name = self.name.trim();
        if name.is_empty() || name.chars().count() > MAX_NAME || name.chars().any(is_active) {
            let message = format!("Give the key a name of 1 to {MAX_NAME} characters.");
            errors.push(FieldError::new("name", message));
        }
        let mut scopes = Vec::new();
        for name in &self.scopes {
            match Scope::parse(name) {
                Some(scope) if !scopes.contains(&scope) => scopes.push(scope),
                Some(_) => {}
                None => errors.push(FieldError::new("scopes", known_scopes())),
            }
        }
        if self.scopes.is_empty() {
            errors.push(FieldError::new("scopes", known_scopes()));
        }
        if !(1..=MAX_DAYS).contains(&self.days) {
            let message = format!("A key is valid for 1 to {MAX_DAYS} days.");
            errors.push(FieldError::new("days", message));
        }
        if errors.is_empty() {
            Ok(scopes)
        } else {
            Err(errors)
        }
    }
}

fn known_scopes() -> String {
    let names = Scope::ALL.map(Scope::as_str).join(", ");
    format!("Choose scopes of {names}.")
}

/// Makes a key for an administrator; returns it with its secret, which is not stored.
///
/// # Errors
///
/// [`AccountError::Invalid`] for an invalid name, scope or lifetime, a name that another key has, or
/// too many keys; [`AccountError::Unknown`] if the account is gone.
pub fn add_key(
    store: &Store,
    request: &KeyRequest,
    owner: &User,
    actor: &str,
) -> Result<(ApiKey, String), AccountError> {
    let scopes = request.check().map_err(AccountError::Invalid)?;
    let secret = new_secret()?;
    let now = monotonic_clock::now();
    let key = NewApiKey {
        hash: session_hash(&secret),
        prefix: secret[KEY_START.len()..][..PREFIX].to_owned(),
        name: request.name.trim().to_owned(),
        scopes,
        owner: owner.id.clone(),
        expires_at: now + SignedDuration::from_hours(24 * request.days),
    };
    let refused = |field, message| AccountError::Invalid(vec![FieldError::new(field, message)]);
    match store.insert_key(key, actor, now) {
        Ok(KeyAdded::Added(key)) => {
            tracing::info!(user = owner.id, key = key.id, "an API key was added");
            Ok((*key, secret))
        }
        Ok(KeyAdded::NameTaken) => {
            let message = "Another key has this name. Choose another, or revoke that key.";
            Err(refused("name", message.to_owned()))
        }
        Ok(KeyAdded::TooMany) => {
            let message = format!("A shop has at most {MAX_KEYS} keys. Revoke one first.");
            Err(refused("name", message))
        }
        Err(StoreError::NotFound) => Err(AccountError::Unknown),
        Err(error) => Err(error.into()),
    }
}

/// Ends a key by its name or id, and returns it.
///
/// # Errors
///
/// [`AccountError::Unknown`] if there is none.
pub fn revoke_key(store: &Store, name_or_id: &str, actor: &str) -> Result<ApiKey, AccountError> {
    match store.delete_key(name_or_id, actor, monotonic_clock::now()) {
        Err(StoreError::NotFound) => Err(AccountError::Unknown),
        Err(error) => Err(error.into()),
        Ok(key) => {
            tracing::info!(key = key.id, "an API key was revoked");
            Ok(key)
        }
    }
}

impl Accounts {
    /// Returns the key with this secret.
    ///
    /// # Errors
    ///
    /// [`AccountError::Key`] if it is mistyped, revoked or expired.
    pub fn key_of_secret(&self, secret: &str) -> Result<ApiKey, AccountError> {
        if !is_well_formed(secret) {
            return Err(AccountError::Key);
        }
        let key = match self.0.store.find_key(session_hash(secret)) {
            Err(StoreError::NotFound) => return Err(AccountError::Key),
            found => found?,
        };
        let now = monotonic_clock::now();
        // A key of somebody who is no administrator any more; roles that change end keys.
        if key.expires_at <= now || key.owner.role != Role::Admin {
            return Err(AccountError::Key);
        }
        self.0.store.touch_key(&key, now);
        Ok(key)
    }
}

fn new_secret() -> Result<String, AccountError> {
    let mut secret = KEY_START.to_owned();
    while secret.len() < KEY_START.len() + RANDOM {
        let bytes: [u8; 64] = random()?;
        // The first four times 62 values are without bias.
        let fair = bytes.into_iter().filter(|byte| *byte < 248);
        let missing = KEY_START.len() + RANDOM - secret.len();
        secret.extend(fair.map(|byte| digit(u32::from(byte))).take(missing));
    }
    let checksum = checksum(&secret);
    Ok(secret + &checksum)
}

fn digit(number: u32) -> char {
    char::from(DIGITS[number as usize % DIGITS.len()])
}

fn checksum(text: &str) -> String {
    let mut rest = crc32fast::hash(text.as_bytes());
    let mut digits = ['0'; CHECKSUM];
    for place in digits.iter_mut().rev() {
        *place = digit(rest % 62);
        rest /= 62;
    }
    digits.iter().collect()
}

fn is_well_formed(secret: &str) -> bool {
    let Some((start, sum)) = secret.split_at_checked(KEY_START.len() + RANDOM) else {
        return false;
    };
    start.starts_with(KEY_START) && sum == checksum(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_wrong_character_of_an_api_key_is_noticed() {
        let secret = new_secret().unwrap();
        assert_eq!(secret.len(), 47);
        assert!(is_well_formed(&secret));
        for at in 0..secret.len() {
            let mut wrong: Vec<u8> = secret.bytes().collect();
            wrong[at] = if wrong[at] == b'x' { b'y' } else { b'x' };
            assert!(
                !is_well_formed(std::str::from_utf8(&wrong).unwrap()),
                "{at}"
            );
        }
        for bad in ["", "deals_live_", "é", &secret[..46], &format!("{secret}0")] {
            assert!(!is_well_formed(bad), "{bad}");
        }
        assert_ne!(new_secret().unwrap(), secret);
    }
}
