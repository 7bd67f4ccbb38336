//! The token of a session: a JSON Web Token that names it.

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

/// What a token says (decisions, section 6).
#[derive(Serialize, Deserialize)]
struct Claims {
    iss: String,
    aud: String,
    sub: String,
    sid: String,
    iat: i64,
    exp: i64,
}

/// Makes and reads tokens.
pub(super) struct Tokens {
    encoding: EncodingKey,
    decoding: DecodingKey,
    issuer: String,
}

impl Tokens {
    pub(super) fn new(secrets: &Secrets, issuer: &str) -> Self {
        static INSTALLED: Once = Once::new();
        INSTALLED.call_once(|| {
            // It fails only when something else was installed before.
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

    /// What a token names, if it is ours and meant for one of these audiences.
    /// Whether it has expired is for the caller to see, by the clock that is never set
    /// back; the crate asks the system's.
    pub(super) fn read(&self, token: &str, audiences: &[Audience]) -> Option<Named> {
        let mut validation = Validation::new(Algorithm::HS256);
        validation.validate_exp = false;
        validation.set_issuer(&[&self.issuer]);
        let names: Vec<&str> = audiences.iter().map(|audience| audience.as_str()).collect();
        validation.set_audience(&names);
        // Without this, a token that says nothing of an audience is accepted.
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        let claims = decode::<Claims>(token, &self.decoding, &validation)
            .ok()?
            .claims;
        Some(Named {
            session: claims.sid,
            user: claims.sub,
            until: Timestamp::from_second(claims.exp).ok()?,
        })
    }
}

/// What a token says.
pub(super) struct Named {
    /// The session's public name.
    pub(super) session: String,
    /// The user's id.
    pub(super) user: String,
    /// When it expires.
    pub(super) until: Timestamp,
}

/// HS256 and nothing else: the crate's own back ends bring RSA and elliptic
/// curves, which nothing here uses.
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
