//! Codes of addresses and visitors for one day: HMACs under a salt that is in memory only and changes
//! at midnight in India.

use std::sync::{Mutex, PoisonError};

use hmac::{Hmac, KeyInit as _, Mac as _};
use jiff::Timestamp;
use sha2::{Digest as _, Sha256};

use crate::domain::day_in_india;

/// The salts of today and of the day before.
#[derive(Default)]
pub(super) struct Codes(Mutex<Option<Salts>>);

#[derive(Clone, Copy)]
struct Salts {
    day: i64,
    today: [u8; 32],
    /// For visitors from before midnight.
    before: Option<[u8; 32]>,
}

/// Codes of a visitor.
#[derive(Debug, Clone, Copy)]
pub(super) struct Visitor {
    /// Of the address alone: a client chooses the other headers.
    pub(super) address: u64,
    /// Of address, agent and language.
    pub(super) code: u64,
    /// The same by the salt of the day before.
    pub(super) before: Option<u64>,
}

impl Codes {
    /// Returns the codes of a visitor, or `None` if the system gives no random salt.
    pub(super) fn visitor(
        &self,
        address: &[u8],
        agent: &str,
        language: &str,
        now: Timestamp,
    ) -> Option<Visitor> {
        let salts = self.salts(day_in_india(now))?;
        let parts = [address, agent.as_bytes(), language.as_bytes()];
        Some(Visitor {
            address: code(&salts.today, &[address]),
            code: code(&salts.today, &parts),
            before: salts.before.map(|salt| code(&salt, &parts)),
        })
    }

    /// Returns the salts of a day; new ones are made on first use.
    fn salts(&self, day: i64) -> Option<Salts> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(salts) = known.filter(|salts| salts.day == day) {
            return Some(salts);
        }
        let mut today = [0; 32];
        getrandom::fill(&mut today).ok()?;
        let before = known.map(|salts| salts.today);
        *known = Some(Salts { day, today, before });
        *known
    }
}

/// Returns a number for the parts of a key, to keep eight bytes instead of a text.
pub(super) fn number_of(parts: &[&[u8]]) -> u64 {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    number(&hash.finalize())
}

fn code(salt: &[u8; 32], parts: &[&[u8]]) -> u64 {
    // HMAC takes keys of any length.
    let Ok(mut code) = Hmac::<Sha256>::new_from_slice(salt) else {
        return 0;
    };
    for part in parts {
        code.update(part);
        code.update(&[0]);
    }
    number(&code.finalize().into_bytes())
}

/// Reads the first eight bytes.
fn number(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .take(8)
        .fold(0, |number, byte| number << 8 | u64::from(*byte))
}
