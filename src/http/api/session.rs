//! Sessions: the cookie of a browser, or the bearer token of a program.

use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::http::header::AUTHORIZATION;
use actix_web::{FromRequest, HttpRequest, web};

use crate::domain::{Audience, Role, Session};
use crate::http::error::ApiError;
use crate::http::state::AppState;

/// The signed-in account; a handler that takes it answers 401 without one.
pub(crate) struct CurrentUser(pub(crate) Session);

/// As [`CurrentUser`], also by the token of a browser's session, which is for this alone.
pub(crate) struct TokenUser(pub(crate) Session);

/// The signed-in administrator; all others get 401 or 403.
pub(crate) struct Admin(Session);

impl Admin {
    /// Account id, for the log.
    pub(crate) fn id(&self) -> &str {
        &self.0.user.id
    }

    /// Account name, for the activity log.
    pub(crate) fn name(&self) -> String {
        self.0.user.username.clone()
    }

    pub(crate) fn email(&self) -> String {
        self.0.user.email.as_str().to_owned()
    }
}

pub(crate) struct MaybeUser(pub(crate) Option<Session>);

type Extraction<T> = Pin<Box<dyn Future<Output = Result<T, ApiError>>>>;

impl FromRequest for CurrentUser {
    type Error = ApiError;
    type Future = Extraction<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let found = find(request);
        Box::pin(async move { found.await.map(Self) })
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

impl FromRequest for Admin {
    type Error = ApiError;
    type Future = Extraction<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let found = find(request);
        Box::pin(async move {
            let session = found.await?;
            if session.user.role == Role::Admin {
                return Ok(Self(session));
            }
            tracing::warn!(user = session.user.id, "refused: not an administrator");
            Err(ApiError::Forbidden("Only an administrator may do this."))
        })
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

/// Returns true for the shop's own people, whose clicks and views are not counted: by network, by
/// the device's cookie, or by the session, which is last because it needs the database.
pub(crate) async fn is_own(state: &AppState, request: &HttpRequest, address: IpAddr) -> bool {
    let mut networks = state.options().own_networks.iter();
    if networks.any(|net| net.contains(&address)) || state.options().cookies.is_own(request) {
        return true;
    }
    is_admin(request).await
}

pub(crate) async fn is_admin(request: &HttpRequest) -> bool {
    let user = MaybeUser::from_request(request, &mut Payload::None).await;
    user.is_ok_and(|user| user.0.is_some_and(|it| it.user.role == Role::Admin))
}

enum Credentials {
    Cookie(String),
    Bearer(String),
}

fn find(request: &HttpRequest) -> impl Future<Output = Result<Session, ApiError>> + use<> {
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
                Credentials::Cookie(secret) => accounts.session_of_cookie(&secret),
                Credentials::Bearer(token) => accounts.session_of_token(&token, audiences),
            })
            .await
    }
}

fn credentials(request: &HttpRequest, state: &AppState) -> Option<Credentials> {
    // Other schemes are for a proxy in front.
    let bearer = request
        .headers()
        .get(AUTHORIZATION)
        .and_then(|header| header.to_str().ok()?.split_once(' '))
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    if let Some((_, token)) = bearer {
        return Some(Credentials::Bearer(token.trim().to_owned()));
    }
    let cookie = request.cookie(&state.options().cookies.name())?;
    Some(Credentials::Cookie(cookie.value().to_owned()))
}
