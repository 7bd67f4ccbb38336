//! Secrets and signatures of Standard Webhooks.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::accounts::AccountError;
use crate::accounts::secrets::random;

/// Beginning of a secret in text.
const SECRET_START: &str = "whsec_";

/// Bytes of a secret.
pub(crate) type Secret = [u8; 32];

pub(crate) fn new_secret() -> Result<Secret, AccountError> {
    random()
}

/// Formats a secret as receivers expect it.
pub(crate) fn secret_text(secret: &Secret) -> String {
    format!("{SECRET_START}{}", STANDARD.encode(secret))
}

/// Signs a message: the header `webhook-signature`.
pub(crate) fn signature(secret: &[u8], id: &str, seconds: i64, body: &str) -> String {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret) else {
        unreachable!("HMAC takes keys of any length")
    };
    mac.update(format!("{id}.{seconds}.{body}").as_bytes());
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the specification's libraries.
    #[test]
    fn a_message_is_signed_as_standard_webhooks_specify() {
        let secret = STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let (id, seconds) = ("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330);
        let body = r#"{"test": 2432232314}"#;
        let one = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
        assert_eq!(signature(&secret, id, seconds, body), one);
    }
}
