//! Session tokens: JSON Web Tokens that name a session.

use std::sync::Once;

use hmac::{Hmac, KeyInit, Mac};
use jiff::Timestamp;
use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{ErrorKind, Result as JwtResult};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, encode};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use signature::{Signer, Verifier};

use super::AccountError;
use super::secrets::Secrets;
use crate::domain::{Audience, Session, lifetime};

/// Claims of a token (decisions, section 6).
#[derive(Serialize, Deserialize)]
struct Claims {
    iss: String,
    aud: String,
    sub: String,
    sid: String,
    iat: i64,
    exp: i64,
}

/// Creates and verifies tokens.
pub(super) struct Tokens {
    encoding: EncodingKey,
    decoding: DecodingKey,
    issuer: String,
}

impl Tokens {
    pub(super) fn new(secrets: &Secrets, issuer: &str) -> Self {
        static INSTALLED: Once = Once::new();
        INSTALLED.call_once(|| {
            // Fails only if another provider was installed before.
            let _ = PROVIDER.install_default();
        });
        let key = secrets.key_for("token");
        Self {
            encoding: EncodingKey::from_secret(&key),
            decoding: DecodingKey::from_secret(&key),
            issuer: issuer.to_owned(),
        }
    }

    pub(super) fn make(&self, session: &Session) -> Result<String, AccountError> {
        let (absolute, _) = lifetime(session.user.role);
        let claims = Claims {
            iss: self.issuer.clone(),
            aud: session.audience.as_str().to_owned(),
            sub: session.user.id.clone(),
            sid: session.sid.clone(),
            iat: session.created_at.as_second(),
            exp: (session.created_at + absolute).as_second(),
        };
        encode(&Header::new(Algorithm::HS256), &claims, &self.encoding)
            .map_err(|error| AccountError::Internal(error.to_string()))
    }

    /// Verifies a token's signature and audience. The caller checks the expiry with the clock that
    /// never goes back; the crate would use the system's.
    pub(super) fn read(&self, token: &str, audiences: &[Audience]) -> Option<TokenContent> {
        let mut validation = Validation::new(Algorithm::HS256);
        validation.validate_exp = false;
        validation.set_issuer(&[&self.issuer]);
        let names: Vec<&str> = audiences.iter().map(|audience| audience.as_str()).collect();
        validation.set_audience(&names);
        // Otherwise a token without an audience would be accepted.
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        let claims = decode::<Claims>(token, &self.decoding, &validation)
            .ok()?
            .claims;
        Some(TokenContent {
            session: claims.sid,
            user: claims.sub,
            until: Timestamp::from_second(claims.exp).ok()?,
        })
    }
}

/// Content of a valid token.
pub(super) struct TokenContent {
    /// Public id of the session.
    pub(super) session: String,
    /// The user's id.
    pub(super) user: String,
    pub(super) until: Timestamp,
}

/// HS256 only: the crate's own back ends include RSA and elliptic curves.
static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: |algorithm, key| {
        only_hs256(*algorithm)?;
        Ok(Box::new(Hs256::new(key.as_bytes())?) as Box<dyn JwtSigner>)
    },
    verifier_factory: |algorithm, key| {
        only_hs256(*algorithm)?;
        Ok(Box::new(Hs256::new(key.try_get_as_bytes()?)?) as Box<dyn JwtVerifier>)
    },
    key_utils: KeyUtils::new_unimplemented(),
};

fn only_hs256(algorithm: Algorithm) -> JwtResult<()> {
    if algorithm == Algorithm::HS256 {
        Ok(())
    } else {
        Err(ErrorKind::InvalidAlgorithm.into())
    }
}

struct Hs256(Hmac<Sha256>);

impl Hs256 {
    fn new(key: &[u8]) -> JwtResult<Self> {
        Hmac::new_from_slice(key)
            .map(Self)
            .map_err(|_| ErrorKind::InvalidKeyFormat.into())
    }
}

impl Signer<Vec<u8>> for Hs256 {
    fn try_sign(&self, message: &[u8]) -> Result<Vec<u8>, signature::Error> {
        let mac = self.0.clone().chain_update(message);
        Ok(mac.finalize().into_bytes().to_vec())
    }
}

impl Verifier<Vec<u8>> for Hs256 {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), signature::Error> {
        let mac = self.0.clone().chain_update(message);
        mac.verify_slice(signature)
            .map_err(|_| signature::Error::new())
    }
}

impl JwtSigner for Hs256 {
    fn algorithm(&self) -> Algorithm {
        Algorithm::HS256
    }
}

impl JwtVerifier for Hs256 {
    fn algorithm(&self) -> Algorithm {
        Algorithm::HS256
    }
}
