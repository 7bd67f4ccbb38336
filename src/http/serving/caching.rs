//! Answers that a browser keeps and asks about again (RFC 9110, section 13).

use std::hash::BuildHasher as _;

use actix_web::http::StatusCode;
use actix_web::http::header::{
    self, AcceptEncoding, CACHE_CONTROL, CONTENT_TYPE, ETAG, ETag, EntityTag, Header, IfNoneMatch,
    Preference, QualityItem,
};
use actix_web::{HttpRequest, HttpResponse};
use foldhash::quality::FixedState;

/// An answer that changes at any time, so it is asked for each time; who has it already
/// gets 304 in place of the bytes. The tag is a weak one, because compression changes the
/// bytes on their way.
pub(crate) fn revalidated(
    request: &HttpRequest,
    status: StatusCode,
    kind: &'static str,
    bytes: Vec<u8>,
) -> HttpResponse {
    let tag = tag_of(&bytes);
    if status == StatusCode::OK && is_known(request, &tag) {
        return HttpResponse::NotModified()
            .insert_header((ETAG, ETag(tag)))
            .insert_header((CACHE_CONTROL, "no-cache"))
            .finish();
    }
    HttpResponse::build(status)
        .insert_header((ETAG, ETag(tag)))
        .insert_header((CACHE_CONTROL, "no-cache"))
        .insert_header((CONTENT_TYPE, kind))
        .body(bytes)
}

/// A weak tag of an answer's bytes. Its hash tells versions of one address apart, which
/// nobody gains by confusing: a cryptographic one takes a tenth of the time that a page of
/// the list does.
pub(crate) fn tag_of(bytes: &[u8]) -> EntityTag {
    let [first, second] = [0, 1].map(|seed| FixedState::with_seed(seed).hash_one(bytes));
    EntityTag::new_weak(format!("{first:016x}{second:016x}"))
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
