//! Secrets, as values and in files.

use std::fmt;
use std::str::FromStr;

use clap::Args;

/// A secret; formats as `***`.
#[derive(Clone)]
pub(super) struct SecretText(String);

impl SecretText {
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SecretText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl FromStr for SecretText {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.to_owned()))
    }
}

/// Reads a secret from a file, without the line break at its end.
pub(super) fn secret_file(path: &str) -> Result<SecretText, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    Ok(SecretText(text.trim_end_matches(['\r', '\n']).to_owned()))
}

/// The shop's key. A variable is safer than a flag, which every user of the machine can read.
#[derive(Debug, Clone, Args)]
pub(in crate::cli) struct Key {
    /// The key for passwords, codes and tokens, at least 32 bytes [default: FILE.key beside the
    /// database, created at the first start]
    #[arg(
        long,
        global = true,
        env = "DEALS_SECRET",
        value_name = "KEY",
        hide_env_values = true
    )]
    secret: Option<SecretText>,

    /// A file with the key
    #[arg(
        long,
        global = true,
        env = "DEALS_SECRET_FILE",
        value_name = "FILE",
        value_parser = secret_file
    )]
    secret_file: Option<SecretText>,
}

impl Key {
    /// Returns the key, if one is configured.
    pub(in crate::cli) fn reveal(&self) -> Option<&str> {
        let secret = self.secret.as_ref().or(self.secret_file.as_ref());
        secret.map(SecretText::reveal)
    }
}
