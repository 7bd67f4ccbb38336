//! Encryption of a push message for one browser (RFC 8291), as one record of `aes128gcm` (RFC 8188).

use ring::aead::{AES_128_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::error::Unspecified;
use ring::hkdf::{HKDF_SHA256, KeyType, Salt};
use ring::rand::{SecureRandom as _, SystemRandom};

use crate::store::subscribers::alerts::push::PushKeys;

/// Record size that the header names.
const RECORD: u32 = 4_096;
const SALT: usize = 16;
/// Mark of the last record.
const LAST: u8 = 2;

/// Encrypts a message; fails for a public key that is no point of the curve, or without random bytes.
pub(super) fn encrypt(keys: &PushKeys, message: &[u8]) -> Result<Vec<u8>, Unspecified> {
    let random = SystemRandom::new();
    let own = EphemeralPrivateKey::generate(&ECDH_P256, &random)?;
    let own_public = own.compute_public_key()?;
    let mut salt = [0; SALT];
    random.fill(&mut salt)?;
    let theirs = UnparsedPublicKey::new(&ECDH_P256, &keys.p256dh);
    agree_ephemeral(own, &theirs, |shared| {
        seal(shared, keys, own_public.as_ref(), &salt, message)
    })?
}

/// Encrypts with the shared secret of the two key pairs.
fn seal(
    shared: &[u8],
    keys: &PushKeys,
    own_public: &[u8],
    salt: &[u8; SALT],
    message: &[u8],
) -> Result<Vec<u8>, Unspecified> {
    let mut input = [0; 32];
    Salt::new(HKDF_SHA256, &keys.auth)
        .extract(shared)
        .expand(&[b"WebPush: info\0", &keys.p256dh, own_public], HKDF_SHA256)?
        .fill(&mut input)?;
    let secret = Salt::new(HKDF_SHA256, salt).extract(&input);
    let key: UnboundKey = secret
        .expand(&[b"Content-Encoding: aes128gcm\0"], &AES_128_GCM)?
        .into();
    let mut nonce = [0; NONCE_LEN];
    secret
        .expand(&[b"Content-Encoding: nonce\0"], NonceLength)?
        .fill(&mut nonce)?;
    let mut sealed = [message, &[LAST]].concat();
    LessSafeKey::new(key).seal_in_place_append_tag(
        Nonce::assume_unique_for_key(nonce),
        Aad::empty(),
        &mut sealed,
    )?;
    let key_length = u8::try_from(own_public.len()).map_err(|_| Unspecified)?;
    let header = [&salt[..], &RECORD.to_be_bytes(), &[key_length], own_public].concat();
    Ok([header, sealed].concat())
}

struct NonceLength;

impl KeyType for NonceLength {
    fn len(&self) -> usize {
        NONCE_LEN
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::prelude::BASE64_URL_SAFE_NO_PAD;

    use super::*;

    fn bytes<const N: usize>(text: &str) -> [u8; N] {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).unwrap();
        bytes.try_into().unwrap()
    }

    #[test]
    fn the_example_of_rfc_8291_is_encrypted_to_the_byte() {
        let keys = PushKeys {
            p256dh: bytes(
                "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            ),
            auth: bytes("BTBZMqHH6r4Tts7J_aSIgg"),
        };
        let own_public: [u8; 65] = bytes(
            "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8",
        );
        let shared: [u8; 32] = bytes("kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs");
        let salt = bytes("DGv6ra1nlYgDCS1FRnbzlw");
        let text = b"When I grow up, I want to be a watermelon";
        let body = seal(&shared, &keys, &own_public, &salt, text).unwrap();
        assert_eq!(
            BASE64_URL_SAFE_NO_PAD.encode(body),
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml\
             mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT\
             pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
        );
    }

    #[test]
    fn a_key_that_is_no_point_of_the_curve_is_refused() {
        let keys = PushKeys {
            p256dh: [4; 65],
            auth: [0; 16],
        };
        assert!(encrypt(&keys, b"x").is_err());
    }
}
