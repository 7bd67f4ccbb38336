//! Sessions: the cookie of a browser, or the bearer token of a program.

use std::future::Future;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::http::header::AUTHORIZATION;
use actix_web::{FromRequest, HttpRequest, web};

use crate::accounts::Accounts;
use crate::domain::{Audience, Session};
use crate::http::describe::{Access, Call, Described};
use crate::http::error::ApiError;
use crate::http::extract::before_body;
use crate::http::routes::WithoutCode;
use crate::http::state::AppState;

/// Refuses a write that takes a code of the last ten minutes in this session, if the account has a
/// second factor.
pub(super) fn require_code(request: &HttpRequest, session: &Session) -> Result<(), ApiError> {
    let harmless = request.app_data::<WithoutCode>();
    let is_harmless = harmless.is_some_and(|it| it.includes(request.method()));
    if request.method().is_safe() || is_harmless {
        return Ok(());
    }
    Ok(Accounts::require_confirmed(session)?)
}

/// The signed-in account; a handler that takes it answers 401 without one, and 403 if the call
/// [takes a code](require_code).
pub(crate) struct CurrentUser(pub(crate) Session);

/// As [`CurrentUser`], also by the token of a browser's session, which is for this alone.
pub(crate) struct TokenUser(pub(crate) Session);

pub(crate) struct MaybeUser(pub(crate) Option<Session>);

pub(super) type Extraction<T> = Pin<Box<dyn Future<Output = Result<T, ApiError>>>>;

impl Described for CurrentUser {
    fn describe(call: &mut Call) {
        call.access = Access::Account;
    }
}

impl Described for TokenUser {
    fn describe(call: &mut Call) {
        call.access = Access::Account;
    }
}

impl Described for MaybeUser {}

impl FromRequest for CurrentUser {
    type Error = ApiError;
    type Future = Extraction<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let checked = request.clone();
        Box::pin(before_body(request, async move {
            let session = find(&checked).await?;
            require_code(&checked, &session)?;
            Ok(Self(session))
        }))
    }
}

impl FromRequest for TokenUser {
    type Error = ApiError;
    type Future = Extraction<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let found = find_for(request, &[Audience::Me, Audience::Api]);
        Box::pin(async move { found.await.map(Self) })
    }
}

impl FromRequest for MaybeUser {
    type Error = ApiError;
    type Future = Extraction<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let found = find(request);
        Box::pin(async move {
            match found.await {
                Ok(session) => Ok(Self(Some(session))),
                Err(ApiError::NotSignedIn | ApiError::SessionEnded) => Ok(Self(None)),
                Err(error) => Err(error),
            }
        })
    }
}

enum SessionToken {
    Cookie(String),
    Bearer(String),
}

pub(super) fn find(
    request: &HttpRequest,
) -> impl Future<Output = Result<Session, ApiError>> + use<> {
    find_for(request, &[Audience::Api])
}

/// Finds the session of a cookie, or of a token for one of these audiences.
fn find_for(
    request: &HttpRequest,
    audiences: &'static [Audience],
) -> impl Future<Output = Result<Session, ApiError>> + use<> {
    let state = request.app_data::<web::Data<AppState>>().cloned();
    let credentials = state.as_ref().and_then(|state| credentials(request, state));
    async move {
        let (Some(state), Some(credentials)) = (state, credentials) else {
            return Err(ApiError::NotSignedIn);
        };
        state
            .accounts_work(move |accounts| match credentials {
                SessionToken::Cookie(secret) => accounts.session_of_cookie(&secret),
                SessionToken::Bearer(token) => accounts.session_of_token(&token, audiences),
            })
            .await
    }
}

fn credentials(request: &HttpRequest, state: &AppState) -> Option<SessionToken> {
    if let Some(token) = bearer(request) {
        return Some(SessionToken::Bearer(token));
    }
    let secret = state.options().cookies.session(request)?;
    Some(SessionToken::Cookie(secret))
}

/// Returns the bearer token of a request. Other schemes are for a proxy in front.
pub(super) fn bearer(request: &HttpRequest) -> Option<String> {
    let header = request.headers().get(AUTHORIZATION)?;
    let (scheme, token) = header.to_str().ok()?.split_once(' ')?;
    scheme
        .eq_ignore_ascii_case("bearer")
        .then(|| token.trim().to_owned())
}
