//! The shop's key and everything derived from it.
//!
//! The key is never in the database, so a stolen database or backup does not allow guessing
//! passwords or codes, or making tokens.

use std::fmt;
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine as _};
use hmac::{Hmac, KeyInit, Mac};
use jiff::Timestamp;
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use sha2::{Digest, Sha256};

use super::AccountError;
use super::NO_PASSWORD;
use crate::domain::timestamp_for_file;
use crate::store::{
    NewCode, Store, StoreError, give_to_owner_of, new_beside, open_plain, with_suffix,
};

/// Minimum length of a key in bytes, as HS256 requires (RFC 7518, section 3.2).
const KEY: usize = 32;

/// Suffix of the key file, after the database's name.
pub const KEY_FILE: &str = ".key";

/// Error while loading the key.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// `DEALS_SECRET` is too short.
    #[error(
        "DEALS_SECRET has {0} bytes and needs at least 32. \
         Make one with `openssl rand -hex 32`, or leave it out and a key file is made."
    )]
    Short(usize),
    /// The key file is truncated.
    #[error(
        "the key file {0} has fewer than 32 bytes. Restore it from a backup: without it nobody can sign in."
    )]
    Damaged(String),
    /// The key does not belong to the database.
    #[error(
        "{0} is not the key that the accounts in {1} were made with, so nobody could sign in. \
         Use the one that came with this database, as the file {1}.key or in DEALS_SECRET."
    )]
    Other(&'static str, String),
    /// The database has accounts, but the key is missing.
    #[error(
        "the key that the accounts in {0} were made with is missing, so nobody could sign in. \
         Restore the file {0}.key from its backup, or set DEALS_SECRET to the key. \
         If it is lost for good, `deals user reset-key --db {0}` makes another one."
    )]
    Missing(String),
    /// Database error.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The key file cannot be read or created.
    #[error(
        "the key file {0} cannot be used: {1}. Give this user permission to read and write it."
    )]
    File(String, std::io::Error),
}

/// The shop's key.
#[derive(Clone)]
pub struct Secrets {
    key: Vec<u8>,
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secrets(***)")
    }
}

impl Secrets {
    /// Loads the configured key or the key file beside the database, which is created at the first
    /// start. A key that does not belong to the database is refused, because every password would
    /// be wrong.
    ///
    /// # Errors
    ///
    /// [`KeyError`] if there is no usable key.
    pub fn load(configured: Option<&str>, store: &Store) -> Result<Self, KeyError> {
        let known = store.key_check()?;
        if known.is_none() && store.is_read_only() {
            // Nobody has an account yet, and none can be made: no key is needed.
            let key = new_key();
            return key.map(|key| Self { key }).map_err(|error| {
                let path = with_suffix(store.path(), KEY_FILE);
                KeyError::File(path.display().to_string(), error)
            });
        }
        let secrets = Self::find(configured, store.path(), known)?;
        if known.is_none() {
            store.set_key_check(secrets.key_for("check"))?;
        }
        Ok(secrets)
    }

    /// Finds the key as [`Secrets::load`] does; `known` is the key's fingerprint in the database.
    /// Creates a key file only if `known` is `None`.
    ///
    /// # Errors
    ///
    /// [`KeyError`] if there is no usable key.
    pub fn find(
        configured: Option<&str>,
        database: &Path,
        known: Option<[u8; 32]>,
    ) -> Result<Self, KeyError> {
        let name = || database.display().to_string();
        let (secrets, source) = match configured.filter(|text| !text.is_empty()) {
            Some(text) if text.len() < KEY => return Err(KeyError::Short(text.len())),
            Some(text) => {
                let key = text.as_bytes().to_vec();
                (Self { key }, "the key in DEALS_SECRET")
            }
            None => {
                let path = with_suffix(database, KEY_FILE);
                if known.is_some() && !path.exists() {
                    return Err(KeyError::Missing(name()));
                }
                (Self::from_file(&path, database)?, "the key file")
            }
        };
        match known {
            Some(known) if known != secrets.key_for("check") => {
                Err(KeyError::Other(source, name()))
            }
            _ => Ok(secrets),
        }
    }

    /// Replaces the key by the configured one or a new file, and returns the name under which the
    /// old file is kept. All passwords, sessions and codes become invalid.
    ///
    /// # Errors
    ///
    /// [`KeyError`] if the configured key is too short, or the file or database cannot be written.
    /// Repeating the call completes an interrupted one.
    pub fn renew(
        configured: Option<&str>,
        store: &Store,
        now: Timestamp,
    ) -> Result<Option<PathBuf>, KeyError> {
        let path = with_suffix(store.path(), KEY_FILE);
        let is_file = configured.is_none_or(str::is_empty);
        let old_file = (is_file && path.exists()).then(|| {
            let time = timestamp_for_file(now);
            with_suffix(&path, &format!(".replaced-{time}"))
        });
        if let Some(old_file) = &old_file {
            std::fs::rename(&path, old_file)
                .map_err(|error| KeyError::File(path.display().to_string(), error))?;
        }
        let secrets = Self::find(configured, store.path(), None)?;
        store.renew_key(secrets.key_for("check"), NO_PASSWORD)?;
        Ok(old_file)
    }

    fn from_file(path: &Path, database: &Path) -> Result<Self, KeyError> {
        let fail = |error| KeyError::File(path.display().to_string(), error);
        match open_plain(path) {
            Ok(file) => read_key(file, path),
            Err(error) if error.kind() == ErrorKind::NotFound => match make_key(path, database) {
                // Another process created it meanwhile.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                    read_key(open_plain(path).map_err(fail)?, path)
                }
                made => made.map(|key| Self { key }).map_err(fail),
            },
            Err(error) => Err(fail(error)),
        }
    }

    /// Derives a key for one purpose.
    pub(super) fn key_for(&self, purpose: &str) -> [u8; 32] {
        mac(&self.key, &[purpose.as_bytes()])
    }

    /// Returns a number that tells this shop from others on its host.
    pub fn shop_tag(&self) -> u32 {
        let [a, b, c, d, ..] = self.key_for("shop tag");
        u32::from_be_bytes([a, b, c, d])
    }

    /// Returns the token of a subscriber's link, made of the seed in the database and the key.
    pub fn subscription(&self, seed: &[u8; 16]) -> String {
        let proof = mac(&self.key_for("subscription"), &[seed]);
        BASE64_URL_SAFE_NO_PAD.encode([&seed[..], &proof[..16]].concat())
    }

    /// Returns the seed of a subscriber's token; `None` if the token is not one of this shop.
    pub fn seed_of_subscription(&self, token: &str) -> Option<[u8; 16]> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(token).ok()?;
        let seed: [u8; 16] = bytes.get(..16)?.try_into().ok()?;
        let given = bytes.get(16..).filter(|proof| proof.len() == 16)?;
        let proof = mac(&self.key_for("subscription"), &[&seed]);
        // Every byte is compared, so that the time tells nothing.
        let differences = proof.iter().zip(given).fold(0, |all, (a, b)| all | (a ^ b));
        (differences == 0).then_some(seed)
    }

    /// Encrypts a secret for the database, for one purpose and one row.
    ///
    /// # Errors
    ///
    /// [`AccountError::Internal`] without random bytes.
    pub fn seal(&self, purpose: &str, row: &str, secret: &[u8]) -> Result<Vec<u8>, AccountError> {
        let fail = |_| AccountError::Internal("a secret could not be encrypted".to_owned());
        let nonce: [u8; NONCE_LEN] = random()?;
        let mut sealed = secret.to_vec();
        self.cipher(purpose)
            .map_err(fail)?
            .seal_in_place_append_tag(
                Nonce::assume_unique_for_key(nonce),
                Aad::from(row.as_bytes()),
                &mut sealed,
            )
            .map_err(fail)?;
        Ok([&nonce[..], &sealed].concat())
    }

    /// Decrypts what [`Secrets::seal`] encrypted; `None` if it was changed, or sealed with another
    /// key or for another purpose or row.
    pub fn open(&self, purpose: &str, row: &str, sealed: &[u8]) -> Option<Vec<u8>> {
        let (nonce, sealed) = sealed.split_at_checked(NONCE_LEN)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let mut buffer = sealed.to_vec();
        let aad = Aad::from(row.as_bytes());
        let opened = self.cipher(purpose).ok()?;
        let secret = opened.open_in_place(nonce, aad, &mut buffer).ok()?;
        Some(secret.to_vec())
    }

    fn cipher(&self, purpose: &str) -> Result<LessSafeKey, ring::error::Unspecified> {
        let key = self.key_for(&format!("seal {purpose}"));
        Ok(LessSafeKey::new(UnboundKey::new(&CHACHA20_POLY1305, &key)?))
    }

    /// Creates a code for an address, with its hash.
    pub(super) fn new_code(&self, purpose: &str, email_key: &str) -> Result<NewCode, AccountError> {
        let seed = random()?;
        Ok(NewCode {
            seed,
            hash: self.code_hash(purpose, email_key, &self.code(&seed)),
            address: self.address_hash(email_key),
        })
    }

    /// Returns the hash of a mail address, by which the database counts mails to it.
    pub fn address_hash(&self, email_key: &str) -> [u8; 32] {
        mac(&self.key_for("address hash"), &[email_key.as_bytes()])
    }

    /// Returns the six digits of a seed. The modulo bias of 2^64 values is below one in 10^13.
    pub(super) fn code(&self, seed: &[u8; 16]) -> String {
        let mac = mac(&self.key_for("code digits"), &[seed]);
        let number = u64::from_be_bytes(mac[..8].try_into().unwrap_or_default());
        format!("{:06}", number % 1_000_000)
    }

    /// Returns the stored hash of a code.
    pub(super) fn code_hash(&self, purpose: &str, email_key: &str, code: &str) -> [u8; 32] {
        mac(
            &self.key_for("code hash"),
            &[purpose.as_bytes(), email_key.as_bytes(), code.as_bytes()],
        )
    }
}

fn read_key(file: File, path: &Path) -> Result<Secrets, KeyError> {
    let name = || path.display().to_string();
    let mut key = Vec::new();
    file.take(4_096)
        .read_to_end(&mut key)
        .map_err(|error| KeyError::File(name(), error))?;
    if key.len() < KEY {
        return Err(KeyError::Damaged(name()));
    }
    Ok(Secrets { key })
}

fn new_key() -> std::io::Result<Vec<u8>> {
    let mut key = vec![0; KEY];
    getrandom::fill(&mut key).map_err(std::io::Error::other)?;
    Ok(key)
}

/// Creates the key under a temporary name and links it into place, so that it is never incomplete
/// and never replaces another.
fn make_key(path: &Path, database: &Path) -> std::io::Result<Vec<u8>> {
    let key = new_key()?;
    let mut part = new_beside(path)?;
    part.write_all(&key)?;
    part.as_file().sync_all()?;
    give_to_owner_of(database, part.as_file());
    part.persist_noclobber(path)?;
    Ok(key)
}

/// Random bytes of the system.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], AccountError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| AccountError::Internal(error.to_string()))?;
    Ok(bytes)
}

/// Returns the stored hash of a session's secret. SHA-256 is enough for 256 random bits.
pub(super) fn session_hash(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}

/// HMAC-SHA-256 over length-prefixed parts.
pub(super) fn mac(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    // HMAC takes keys of any length.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else {
        unreachable!("HMAC takes keys of any length")
    };
    for part in parts {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_secret_opens_with_its_key_purpose_and_row_only() {
        let secrets = Secrets { key: vec![7; KEY] };
        let sealed = secrets.seal("purpose", "row", b"secret").unwrap();
        assert_eq!(secrets.open("purpose", "row", &sealed).unwrap(), b"secret");
        assert_ne!(secrets.seal("purpose", "row", b"secret").unwrap(), sealed);
        let other = Secrets { key: vec![8; KEY] };
        assert_eq!(other.open("purpose", "row", &sealed), None);
        assert_eq!(secrets.open("other", "row", &sealed), None);
        assert_eq!(secrets.open("purpose", "other", &sealed), None);
        for at in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[at] ^= 1;
            assert_eq!(secrets.open("purpose", "row", &changed), None, "{at}");
            assert_eq!(secrets.open("purpose", "row", &sealed[..at]), None, "{at}");
        }
    }
}
