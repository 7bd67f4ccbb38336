//! Password hashing and strength.

use zxcvbn::{Score, zxcvbn};

use super::NO_PASSWORD;
use super::secrets::{Secrets, mac};
use super::{AccountError, Accounts};
use crate::domain::{Password, hex};

/// Cost of bcrypt (decisions, section 6).
const COST: u32 = 12;

/// Returns [`COST`]. Debug builds, which the tests run, take a lower one from `TEST_BCRYPT_COST`.
fn cost() -> u32 {
    if cfg!(debug_assertions) {
        let lower = std::env::var("TEST_BCRYPT_COST").ok();
        return lower.and_then(|cost| cost.parse().ok()).unwrap_or(COST);
    }
    COST
}

/// Words of this site that make a password weak.
const SITE: [&str; 4] = ["deals", "deal", "affiliate", "shop"];

/// Hashes a password. bcrypt reads 72 bytes and stops at a zero byte, so it gets an HMAC of the
/// password in hex; without the key, which is not in the database, a stolen hash is useless.
pub(super) fn hash(secrets: &Secrets, password: &Password) -> Result<String, AccountError> {
    bcrypt::hash(keyed(secrets, password), cost())
        .map_err(|error| AccountError::Internal(error.to_string()))
}

fn keyed(secrets: &Secrets, password: &Password) -> String {
    hex(&mac(
        &secrets.key_for("password"),
        &[password.as_str().as_bytes()],
    ))
}

/// Returns true if fewer than a million guesses find the password: common passwords, patterns, and
/// words of the account or the site (OWASP ASVS 6.2.4, 6.2.11).
pub(super) fn is_easy_to_guess(password: &Password, own: &[&str]) -> bool {
    let own: Vec<&str> = own
        .iter()
        .copied()
        .chain(own.iter().flat_map(|text| text.split(['@', '.', ' '])))
        .chain(SITE)
        .collect();
    zxcvbn(password.as_str(), &own).score() < Score::Two
}

impl Accounts {
    /// Verifies a password; `None` takes the same time and fails.
    pub(super) fn verify(&self, password: &Password, hash: Option<&str>) -> bool {
        let keyed = keyed(&self.0.secrets, password);
        let belongs = bcrypt::verify(keyed, hash.unwrap_or(NO_PASSWORD));
        hash.is_some() && belongs.unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_passwords_and_those_about_the_account_are_easy_to_guess() {
        for easy in [
            "password1",
            "12345678",
            "qwertyuiop",
            "iloveyou",
            "aaaaaaaaaa",
            "P@ssw0rd",
            "asha@example.com",
            "ashapatel",
            "dealsdeals",
        ] {
            let password = Password::parse(easy).unwrap();
            assert!(
                is_easy_to_guess(&password, &["asha@example.com", "ashapatel"]),
                "{easy}"
            );
        }
        for good in [
            "correct horse battery",
            "tiger-lamp-42",
            "Xk29vbQ1",
            "मेरा लंबा पासवर्ड",
            "🐘🚲🌧️🍵🔑📚🎻🌵",
        ] {
            let password = Password::parse(good).unwrap();
            assert!(
                !is_easy_to_guess(&password, &["asha@example.com"]),
                "{good}"
            );
        }
    }
}
