//! Hashing and judging passwords.

use zxcvbn::{Score, zxcvbn};

use super::NOBODY;
use super::secrets::{Secrets, mac};
use super::{AccountError, Accounts};
use crate::domain::{Password, hex};

/// bcrypt's cost (decisions, section 6).
const COST: u32 = 12;

/// Words of this site that make no good password.
const SITE: [&str; 4] = ["deals", "deal", "affiliate", "shop"];

/// Hashes a password. bcrypt looks at 72 bytes and stops at a zero, so it gets a
/// keyed hash of the password in hexadecimal digits; without the key, which is
/// not in the database, nobody can guess at a stolen hash.
pub(super) fn hash(secrets: &Secrets, password: &Password) -> Result<String, AccountError> {
    bcrypt::hash(keyed(secrets, password), COST)
        .map_err(|error| AccountError::Internal(error.to_string()))
}

fn keyed(secrets: &Secrets, password: &Password) -> String {
    hex(&mac(
        &secrets.key_for("password"),
        &[password.as_str().as_bytes()],
    ))
}

/// Whether the password is among the common ones, or is made of them, of
/// patterns, or of what belongs to the account and the site: fewer than a million
/// guesses find it (OWASP ASVS 6.2.4, 6.2.11).
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
    /// Whether the password belongs to the hash; `None` for nobody's, which takes
    /// as long.
    pub(super) fn verify(&self, password: &Password, hash: Option<&str>) -> bool {
        let keyed = keyed(&self.0.secrets, password);
        let belongs = bcrypt::verify(keyed, hash.unwrap_or(NOBODY));
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
