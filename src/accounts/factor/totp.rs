//! Codes of authenticator apps (RFC 6238): SHA-1, six digits, 30 seconds, because apps silently
//! ignore other settings.

use totp_rs::{Builder, Totp};

use crate::accounts::AccountError;

/// Length of a secret in bytes, as RFC 4226, section 4, recommends.
pub(super) const SECRET: usize = 20;
/// Length of a step in seconds.
const STEP: u64 = 30;
/// Steps before and after the present one whose codes are right, for clocks that differ.
const SKEW: u16 = 1;

fn totp(secret: [u8; SECRET], shop: &str, account: &str) -> Result<Totp, AccountError> {
    Builder::new()
        .with_secret(secret)
        .with_step_duration(STEP)
        .with_skew(SKEW)
        .with_account_name(account)
        .with_issuer(Some(shop))
        .build()
        .map_err(|error| AccountError::Internal(error.to_string()))
}

/// Returns the step of a code that is right at this time, in seconds since 1970.
pub(super) fn step_of(
    secret: [u8; SECRET],
    code: &str,
    time: u64,
) -> Result<Option<i64>, AccountError> {
    let step = totp(secret, "", "account")?.check(code, time);
    Ok(step.and_then(|step| i64::try_from(step).ok()))
}

/// Returns a secret as text, and the address that an app reads from a QR code.
pub(super) fn address(
    secret: [u8; SECRET],
    shop: &str,
    account: &str,
) -> Result<(String, String), AccountError> {
    // A colon separates the names.
    let totp = totp(secret, &shop.replace(':', " "), account)?;
    let address = totp
        .to_url()
        .map_err(|error| AccountError::Internal(error.to_string()))?;
    Ok((totp.secret().to_base32(), address))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: [u8; SECRET] = *b"12345678901234567890";

    #[test]
    fn totp_codes_match_rfc_6238() {
        // Appendix B, the last six of eight digits.
        for (time, code) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ] {
            let step = i64::try_from(time / STEP).unwrap();
            assert_eq!(step_of(KEY, code, time).unwrap(), Some(step), "{time}");
        }
    }

    #[test]
    fn totp_clocks_may_differ_by_one_step() {
        let code = "279037";
        let time: u64 = 2_000_000_000;
        let step = i64::try_from(time / STEP).unwrap();
        for (clock, is_right) in [
            (-60, false),
            (-30, true),
            (0, true),
            (30, true),
            (60, false),
        ] {
            let now = time.checked_add_signed(clock).unwrap();
            let expected = is_right.then_some(step);
            assert_eq!(step_of(KEY, code, now).unwrap(), expected, "{clock}");
        }
        for wrong in [
            "",
            "27903",
            "2790370",
            "279036",
            "27903x",
            "+79037",
            "２７９０３７",
        ] {
            assert_eq!(step_of(KEY, wrong, time).unwrap(), None, "{wrong}");
        }
    }

    #[test]
    fn the_otpauth_address_names_the_shop_and_the_account() {
        let (secret, address) = address(KEY, "Deals: daily", "a+b@example.com").unwrap();
        assert_eq!(secret, "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        assert!(
            address.starts_with("otpauth://totp/Deals%20%20daily:a%2Bb%40example.com?"),
            "{address}"
        );
        assert!(
            address.contains("secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"),
            "{address}"
        );
        assert!(address.contains("issuer=Deals%20%20daily"), "{address}");
    }
}
