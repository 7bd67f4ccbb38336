//! Revalidation, encodings and shared caches (RFC 9110 and 9111).

use std::hash::BuildHasher as _;

use actix_web::HttpRequest;
use actix_web::http::StatusCode;
use actix_web::http::header::{
    self, AUTHORIZATION, AcceptEncoding, CACHE_CONTROL, COOKIE, EntityTag, Header, HeaderMap,
    HeaderValue, IfNoneMatch, ORIGIN, Preference, QualityItem, VARY,
};
use foldhash::quality::FixedState;

/// Seconds for which a shared cache may answer while the shop is down.
const STALE_IF_ERROR: u32 = 86_400;

/// `Cache-Control` of a public response: browsers revalidate, a shared cache asks the shop after
/// `seconds` and may answer for as long again while it asks (RFC 5861).
pub(crate) fn shared_for(seconds: u32) -> String {
    format!(
        "public, max-age=0, s-maxage={seconds}, stale-while-revalidate={seconds}, \
         stale-if-error={STALE_IF_ERROR}"
    )
}

/// Forbids caches to keep an error, and joins the lines of `Vary`, of which some caches read the first.
pub(crate) fn finish(status: StatusCode, headers: &mut HeaderMap) {
    if status.is_client_error() || status.is_server_error() {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    if headers.get_all(VARY).count() > 1 {
        let mut names: Vec<String> = Vec::new();
        let lines = headers.get_all(VARY).filter_map(|line| line.to_str().ok());
        for name in lines.flat_map(|line| line.split(',')) {
            let name = name.trim().to_ascii_lowercase();
            if !names.contains(&name) {
                names.push(name);
            }
        }
        if let Ok(joined) = HeaderValue::from_str(&names.join(", ")) {
            headers.insert(VARY, joined);
        }
    }
}

/// Returns true if the request carries no credentials and no origin.
pub(crate) fn is_anonymous(headers: &HeaderMap) -> bool {
    let names = [COOKIE, AUTHORIZATION, ORIGIN];
    !names.iter().any(|name| headers.contains_key(name))
}

/// Returns a weak tag. Forging one gains nothing, so the hash is a fast one, not a cryptographic
/// one.
pub(crate) fn tag_of(bytes: &[u8]) -> EntityTag {
    let hash = FixedState::with_seed(0).hash_one(bytes);
    EntityTag::new_weak(format!("{hash:016x}"))
}

/// Returns true if the client accepts the encoding with a weight above zero; its own entry wins
/// over the wildcard (RFC 9110, section 12.5.3).
pub(crate) fn accepts(request: &HttpRequest, encoding: &str) -> bool {
    let Ok(accepted) = AcceptEncoding::parse(request) else {
        return false;
    };
    let weight = |matches: &dyn Fn(&str) -> bool| {
        accepted.iter().find_map(|QualityItem { item, quality }| {
            let name = match item {
                Preference::Any => "*".to_owned(),
                Preference::Specific(named) => named.to_string(),
            };
            matches(&name).then_some(*quality)
        })
    };
    weight(&|name| name == encoding)
        .or_else(|| weight(&|name| name == "*"))
        .is_some_and(|quality| quality > header::Quality::ZERO)
}

/// Returns true if `If-None-Match` has this tag.
pub(crate) fn is_known(request: &HttpRequest, tag: &EntityTag) -> bool {
    match IfNoneMatch::parse(request) {
        Ok(IfNoneMatch::Any) => true,
        Ok(IfNoneMatch::Items(tags)) => tags.iter().any(|known| known.weak_eq(tag)),
        Err(_) => false,
    }
}
