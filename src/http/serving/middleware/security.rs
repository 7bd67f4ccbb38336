//! Security headers, CORS and cross-site checks.

use actix_cors::Cors;
use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{HOST, ORIGIN};
use actix_web::middleware::{Condition, Next};
use actix_web::{Error, HttpRequest, ResponseError, web};
use url::Url;

use crate::http::error::ApiError;
use crate::http::idempotency::{IDEMPOTENCY_KEY, IDEMPOTENCY_REPLAYED};
use crate::http::pages;
use crate::http::policy::content_security_policy;
use crate::http::state::AppState;

/// Headers of every response (OWASP ASVS 3.4; decisions, section 6). HSTS is sent on https only;
/// browsers remember it for a year.
pub(crate) fn security_headers(state: &AppState) -> Vec<(&'static str, String)> {
    let mut headers = vec![
        (
            "content-security-policy",
            content_security_policy(pages::style_sources()),
        ),
        ("x-content-type-options", "nosniff".to_owned()),
        (
            "referrer-policy",
            "strict-origin-when-cross-origin".to_owned(),
        ),
        ("cross-origin-opener-policy", "same-origin".to_owned()),
        (
            "permissions-policy",
            "camera=(), geolocation=(), microphone=()".to_owned(),
        ),
    ];
    if state.public_url().scheme() == "https" {
        let scope = if state.options().hsts_subdomains {
            "; includeSubDomains"
        } else {
            ""
        };
        headers.push((
            "strict-transport-security",
            format!("max-age=31536000{scope}"),
        ));
    }
    headers
}

/// CORS for the origins that the owner names, by default none. An origin is never reflected (OWASP
/// ASVS 3.4.2).
pub(crate) fn cors(state: &AppState) -> Condition<Cors> {
    let origins = &state.options().cors_origins;
    let cors = origins
        .iter()
        .fold(Cors::default(), |cors, origin| cors.allowed_origin(origin))
        .allowed_methods(["GET", "POST", "PUT", "DELETE"])
        .allowed_headers(["content-type", IDEMPOTENCY_KEY])
        .expose_headers([IDEMPOTENCY_REPLAYED])
        .supports_credentials()
        .max_age(3_600);
    Condition::new(!origins.is_empty(), cors)
}

/// Maximum length of path and query in bytes, about that of browsers and proxies.
const MAX_ADDRESS: usize = 8_192;

/// Refuses addresses that are too long.
pub(crate) async fn short_addresses_only(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<EitherBody<impl MessageBody>>, Error> {
    let address = request.uri().path_and_query();
    if address.is_none_or(|address| address.as_str().len() <= MAX_ADDRESS) {
        return Ok(next.call(request).await?.map_into_left_body());
    }
    Ok(request
        .into_response(ApiError::LongAddress.error_response())
        .map_into_right_body())
}

/// Refuses cross-site writes by browsers (OWASP ASVS 3.5.1).
pub(crate) async fn same_site_writes_only(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<EitherBody<impl MessageBody>>, Error> {
    let reads = matches!(
        *request.method(),
        Method::GET | Method::HEAD | Method::OPTIONS
    );
    if reads || comes_from_this_site(request.request()) {
        return Ok(next.call(request).await?.map_into_left_body());
    }
    Ok(request
        .into_response(ApiError::CrossSite.error_response())
        .map_into_right_body())
}

/// Browsers send `Sec-Fetch-Site`, older ones `Origin`; pages can forge neither. Programs send
/// neither.
fn comes_from_this_site(request: &HttpRequest) -> bool {
    let header = |name: &str| {
        request
            .headers()
            .get(name)
            .map(|value| value.to_str().unwrap_or_default())
    };
    let origin = header(ORIGIN.as_str());
    let named = request
        .app_data::<web::Data<AppState>>()
        .is_some_and(|state| {
            state
                .options()
                .cors_origins
                .iter()
                .any(|own| Some(own.as_str()) == origin)
        });
    match (header("sec-fetch-site"), origin) {
        _ if named => true,
        (Some(site), _) => matches!(site, "same-origin" | "none"),
        (None, Some(origin)) => is_own_origin(request, origin, header(HOST.as_str())),
        (None, None) => true,
    }
}

/// Returns true if the origin is the public address or has the host of the request, which a page
/// cannot change.
fn is_own_origin(request: &HttpRequest, origin: &str, host: Option<&str>) -> bool {
    let Ok(origin) = Url::parse(origin) else {
        return false;
    };
    let public = request
        .app_data::<web::Data<AppState>>()
        .is_some_and(|state| state.public_url().origin() == origin.origin());
    let authority = origin.host_str().map(|name| match origin.port() {
        Some(port) => format!("{name}:{port}"),
        None => name.to_owned(),
    });
    public || (authority.is_some() && authority.as_deref() == host)
}
