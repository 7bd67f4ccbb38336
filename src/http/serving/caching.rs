//! Answers that a browser keeps and asks about again (RFC 9110, section 13).

use std::hash::BuildHasher as _;

use actix_web::HttpRequest;
use actix_web::http::header::{
    self, AUTHORIZATION, AcceptEncoding, COOKIE, EntityTag, Header, HeaderMap, IfNoneMatch, ORIGIN,
    Preference, QualityItem,
};
use foldhash::quality::FixedState;

/// For how long, in seconds, a cache in front may use what it has while the shop does not answer.
const WHILE_DOWN: u32 = 86_400;

/// What is said of an answer to nobody in particular to a cache in front: browsers ask it each time,
/// it asks the shop after `seconds`, and for as long again it may answer while it asks (RFC 5861).
pub(crate) fn shared_for(seconds: u32) -> String {
    format!(
        "public, max-age=0, s-maxage={seconds}, stale-while-revalidate={seconds}, \
         stale-if-error={WHILE_DOWN}"
    )
}

/// Whether nothing in a request tells who sends it, or for which site.
pub(crate) fn is_anonymous(headers: &HeaderMap) -> bool {
    let telling = [COOKIE, AUTHORIZATION, ORIGIN];
    !telling.iter().any(|name| headers.contains_key(name))
}

/// A weak tag of an answer's bytes. Its hash tells versions of one address apart, which
/// nobody gains by confusing: a cryptographic one takes a tenth of the time that a page of
/// the list does.
pub(crate) fn tag_of(bytes: &[u8]) -> EntityTag {
    let hash = FixedState::with_seed(0).hash_one(bytes);
    EntityTag::new_weak(format!("{hash:016x}"))
}

/// Whether the client named the encoding, or any, with a weight above zero; its
/// own entry wins over the wildcard (RFC 9110, section 12.5.3).
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

/// Whether the client has the answer with this tag.
pub(crate) fn is_known(request: &HttpRequest, tag: &EntityTag) -> bool {
    match IfNoneMatch::parse(request) {
        Ok(IfNoneMatch::Any) => true,
        Ok(IfNoneMatch::Items(tags)) => tags.iter().any(|known| known.weak_eq(tag)),
        Err(_) => false,
    }
}
