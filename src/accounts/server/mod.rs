//! Settings of the server that an administrator chooses, each with one secret, which is stored sealed.

pub(super) mod mail;

use jiff::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{AccountError, Secrets};
use crate::domain::FieldError;
use crate::store::{ServerSetting, ServerSettingChange, ServerSubject, Store, StoreError};

/// Purpose for which secrets are sealed; the row is the subject.
const PURPOSE: &str = "server setting";

/// A secret can't be read.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("it was stored with another key than the shop's")]
pub struct OtherKey;

/// Settings of one subject.
pub trait ServerChoice: Serialize + DeserializeOwned + Default {
    /// The subject.
    const SUBJECT: ServerSubject;
    /// The secret's field in requests.
    const SECRET: &'static str;

    /// True if it has a use for a secret.
    fn takes_secret(&self) -> bool;

    /// True if the secret of `other` may be used for these settings too: nobody else gets it.
    fn has_secret_of(&self, other: &Self) -> bool;

    /// Describes it for the activity log; empty if it is switched off.
    fn describe(&self) -> String;

    /// Returns the choice that is stored; the default one if there is none.
    fn stored(setting: Option<&ServerSetting>) -> Self {
        let stored = setting.map(|setting| serde_json::from_str(&setting.value));
        stored.and_then(Result::ok).unwrap_or_default()
    }

    /// Returns the secret that is stored.
    ///
    /// # Errors
    ///
    /// [`OtherKey`] if it can't be read.
    fn secret(
        setting: &ServerSetting,
        secrets: Option<&Secrets>,
    ) -> Result<Option<String>, OtherKey> {
        let Some(sealed) = &setting.sealed else {
            return Ok(None);
        };
        let opened = secrets.and_then(|key| key.open(PURPOSE, Self::SUBJECT.name(), sealed));
        let text = opened.and_then(|secret| String::from_utf8(secret).ok());
        text.map(Some).ok_or(OtherKey)
    }
}

/// Settings with what else a form shows.
#[derive(Debug)]
pub struct SavedChoice<T> {
    /// The choice.
    pub choice: T,
    /// Time at which the secret was given; `None` without one.
    pub secret_at: Option<Timestamp>,
    /// Number of changes.
    pub version: i64,
}

impl<T: ServerChoice> SavedChoice<T> {
    /// Reads the settings.
    ///
    /// # Errors
    ///
    /// When the database refuses.
    pub fn read(store: &Store) -> Result<Self, StoreError> {
        let stored = store.server_setting(T::SUBJECT)?;
        Ok(Self {
            choice: T::stored(stored.as_ref()),
            secret_at: stored.as_ref().and_then(|stored| stored.sealed_at),
            version: stored.map_or(0, |stored| stored.version),
        })
    }
}

/// A checked change of settings.
#[derive(Debug)]
pub struct ChoiceChange<T> {
    /// The next choice.
    pub choice: T,
    /// The next secret; empty for none, `None` to keep the present one.
    pub secret: Option<String>,
    /// Version on which the change is based.
    pub seen: i64,
    /// Name for the activity log.
    pub actor: String,
}

impl<T: ServerChoice> ChoiceChange<T> {
    /// Stores the change.
    ///
    /// # Errors
    ///
    /// [`AccountError::Invalid`] if the present secret is one for something else;
    /// [`AccountError::Changed`] if the settings are not of that version any more.
    pub fn save(self, store: &Store, secrets: &Secrets) -> Result<(), AccountError> {
        let stored = store.server_setting(T::SUBJECT)?;
        let before = T::stored(stored.as_ref());
        let now = Timestamp::now();
        let present = stored.and_then(|stored| stored.sealed.zip(stored.sealed_at));
        let secret = match self.secret {
            _ if !self.choice.takes_secret() => None,
            Some(secret) if secret.is_empty() => None,
            Some(secret) => {
                let sealed = secrets.seal(PURPOSE, T::SUBJECT.name(), secret.as_bytes())?;
                Some((sealed, now))
            }
            None if present.is_some() && !self.choice.has_secret_of(&before) => {
                let message = "Enter it again: the one that is set is for another server or name.";
                let error = FieldError::new(T::SECRET, message);
                return Err(AccountError::Invalid(vec![error]));
            }
            None => present,
        };
        let value = serde_json::to_string(&self.choice)
            .map_err(|error| AccountError::Internal(error.to_string()))?;
        let change = ServerSettingChange {
            seen: self.seen,
            value,
            secret,
            described: [before.describe(), self.choice.describe()],
        };
        if store.change_server_setting(T::SUBJECT, change, self.actor, now)? {
            Ok(())
        } else {
            Err(AccountError::Changed)
        }
    }
}
