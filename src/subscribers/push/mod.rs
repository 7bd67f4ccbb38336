//! Push messages for browsers (RFC 8030), which know the shop by its key (RFC 8292).

mod encryption;

use std::sync::OnceLock;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use ipnet::IpNet;
use jiff::{SignedDuration, Timestamp};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use serde_json::json;
use url::{Host, Url};

use crate::accounts::Secrets;
use crate::domain::PriceAlert;
use crate::fetch::{FetchError, Fetcher, takes_messages};
use crate::store::Store;
use crate::store::outgoing::Outcome;
use crate::store::subscribers::alerts::push::{Browser, PushKeys};

/// Purpose for which the key pair is sealed.
const PURPOSE: &str = "push key";
/// Seconds for which nothing is sent to a push service that did not answer.
const SILENT_WAIT: i64 = 600;
/// Maximum length of an endpoint's address.
const MAX_ENDPOINT: usize = 1_000;
/// Lifetime of a signature; a day at most (RFC 8292, section 2).
const SIGNED_FOR: SignedDuration = SignedDuration::from_hours(12);
/// Seconds until a message is tried again, by its failures; then it is given up.
const BACK_OFF: [i64; 4] = [30, 300, 1_800, 7_200];
/// Longest wait that a push service may ask for.
const LONGEST_WAIT: i64 = 7_200;

/// Sends push messages.
pub(super) struct PushSender {
    fetcher: Fetcher,
    allowed: Vec<IpNet>,
    /// The shop's address, where a push service finds who sends.
    shop: Url,
    key: OnceLock<EcdsaKeyPair>,
}

/// Result for a message.
pub(super) enum Pushed {
    /// Nothing more to do, or a failure.
    Ended(Outcome),
    /// The browser takes no more messages.
    Gone,
}

/// Reads a browser of a request; `None` if its address may not be requested or its keys have other lengths.
pub(super) fn browser(
    endpoint: &str,
    p256dh: &str,
    auth: &str,
    allowed: &[IpNet],
) -> Option<Browser> {
    let url = Url::parse(endpoint)
        .ok()
        .filter(|url| is_push_service(url, allowed))?;
    let bytes = |text: &str| {
        let text = text.trim_end_matches('=');
        BASE64_URL_SAFE_NO_PAD.decode(text).ok()
    };
    let keys = PushKeys {
        p256dh: bytes(p256dh)?.try_into().ok()?,
        auth: bytes(auth)?.try_into().ok()?,
    };
    let endpoint = String::from(url);
    (endpoint.len() <= MAX_ENDPOINT && keys.p256dh[0] == 4).then_some(Browser { endpoint, keys })
}

/// True for an address that may be a push service's: https at the usual port of a named host, because a
/// visitor names it.
fn is_push_service(url: &Url, allowed: &[IpNet]) -> bool {
    let is_usual = url.port().is_none() && matches!(url.host(), Some(Host::Domain(_)));
    takes_messages(url, allowed) && (is_usual || !allowed.is_empty())
}

impl PushSender {
    pub(super) fn new(allowed: Vec<IpNet>, shop: Url) -> Self {
        Self {
            fetcher: Fetcher::allowing(allowed.clone()),
            allowed,
            shop,
            key: OnceLock::new(),
        }
    }

    pub(super) fn allowed(&self) -> &[IpNet] {
        &self.allowed
    }

    /// Loads the key pair. Without one, or if it was sealed with another key of the shop, makes one.
    pub(super) fn load(&self, store: &Store, secrets: &Secrets) -> Result<(), String> {
        if self.key.get().is_some() {
            return Ok(());
        }
        let random = SystemRandom::new();
        let read = |bytes: &[u8]| {
            EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, bytes, &random)
        };
        let sealed = store.push_key().map_err(|error| error.to_string())?;
        let known = sealed.and_then(|sealed| secrets.open(PURPOSE, "", &sealed));
        let pair = if let Some(pair) = known.and_then(|bytes| read(&bytes).ok()) {
            pair
        } else {
            let fail = |_| "a key for push messages could not be made".to_owned();
            let made = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random);
            let made = made.map_err(fail)?;
            let sealed = secrets.seal(PURPOSE, "", made.as_ref());
            let sealed = sealed.map_err(|error| error.to_string())?;
            store
                .set_push_key(sealed)
                .wait()
                .map_err(|error| error.to_string())?;
            read(made.as_ref()).map_err(|error| error.to_string())?
        };
        let _ = self.key.set(pair);
        Ok(())
    }

    /// Returns the public key by which browsers know the shop; `None` before [`PushSender::load`].
    pub(super) fn public_key(&self) -> Option<String> {
        let pair = self.key.get()?;
        Some(BASE64_URL_SAFE_NO_PAD.encode(pair.public_key().as_ref()))
    }

    /// Sends a message to a browser; `topic` replaces a message with the same one that waits.
    pub(super) fn send(
        &self,
        browser: &Browser,
        message: &[u8],
        topic: &str,
        attempts: u32,
        now: Timestamp,
    ) -> Pushed {
        let url = Url::parse(&browser.endpoint).ok();
        let Some(url) = url.filter(|url| is_push_service(url, &self.allowed)) else {
            return Pushed::Gone;
        };
        let (Ok(body), Some(authorization)) = (
            encryption::encrypt(&browser.keys, message),
            self.authorization(&url, now),
        ) else {
            return Pushed::Gone;
        };
        let headers = [
            ("authorization", authorization),
            ("content-encoding", "aes128gcm".to_owned()),
            ("ttl", PriceAlert::PAUSE.as_secs().to_string()),
            ("topic", topic.to_owned()),
        ];
        let sent = self
            .fetcher
            .post_bytes(&url, "application/octet-stream", &headers, &body);
        let is_silent = sent.is_err();
        let (reason, wait) = match sent {
            Ok(answer) => match answer.status {
                200..300 => return Pushed::Ended(Outcome::Done),
                404 | 410 => return Pushed::Gone,
                429 | 500.. => {
                    let wait = answer.retry_after.and_then(|text| text.trim().parse().ok());
                    let reason =
                        format!("The push service answered with status {}.", answer.status);
                    (reason, wait.unwrap_or(0).min(LONGEST_WAIT))
                }
                status => {
                    let error =
                        format!("The push service refused the message with status {status}.");
                    return Pushed::Ended(Outcome::GivenUp { error });
                }
            },
            Err(FetchError::NotPublic(_)) => return Pushed::Gone,
            Err(error) => (format!("{error}."), SILENT_WAIT),
        };
        Pushed::Ended(match BACK_OFF.get(attempts as usize) {
            Some(seconds) => Outcome::Again {
                next_at: now + SignedDuration::from_secs(wait.max(*seconds)),
                error: reason,
                // A host that does not answer takes few of the places.
                lane_waits: wait > 0 || is_silent,
            },
            None => Outcome::GivenUp { error: reason },
        })
    }

    /// Signs for the push service of an endpoint.
    fn authorization(&self, endpoint: &Url, now: Timestamp) -> Option<String> {
        let pair = self.key.get()?;
        let encode = |bytes: &[u8]| BASE64_URL_SAFE_NO_PAD.encode(bytes);
        let claims = json!({
            "aud": endpoint.origin().ascii_serialization(),
            "exp": (now + SIGNED_FOR).as_second(),
            "sub": self.shop.as_str(),
        });
        let header = encode(br#"{"typ":"JWT","alg":"ES256"}"#);
        let signed = format!("{header}.{}", encode(claims.to_string().as_bytes()));
        let signature = pair.sign(&SystemRandom::new(), signed.as_bytes()).ok()?;
        let key = encode(pair.public_key().as_ref());
        Some(format!(
            "vapid t={signed}.{}, k={key}",
            encode(signature.as_ref())
        ))
    }
}
