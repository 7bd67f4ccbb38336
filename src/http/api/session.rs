//! Who sends a request: the cookie of a browser, or the bearer token of a program.

use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::http::header::AUTHORIZATION;
use actix_web::{FromRequest, HttpRequest, web};

use crate::accounts::AccountError;
use crate::domain::{Audience, Role, Session};
use crate::http::error::ApiError;
use crate::http::state::AppState;

/// Whoever is signed in; where nobody is, a handler that takes this answers 401.
pub(crate) struct CurrentUser(pub(crate) Session);

/// An administrator who is signed in; anybody else gets 401 or 403.
pub(crate) struct Admin(Session);

impl Admin {
    /// The account's identifier, for the log.
    pub(crate) fn id(&self) -> &str {
        &self.0.user.id
    }

    /// The account's name, for the activity log.
    pub(crate) fn name(&self) -> String {
        self.0.user.username.clone()
    }

    /// The account's address.
    pub(crate) fn email(&self) -> String {
        self.0.user.email.as_str().to_owned()
    }
}

/// Whoever is signed in, if anybody is.
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
                Err(ApiError::Unauthorized(_)) => Ok(Self(None)),
                Err(error) => Err(error),
            }
        })
    }
}

/// Whether it is one of the shop's own people, whose clicks and looks are no visitor's: by the
/// network, by what an administrator chose on the device, or by who is signed in on it, which is
/// asked last because it takes a look at the database.
pub(crate) async fn is_own(state: &AppState, request: &HttpRequest, address: IpAddr) -> bool {
    let mut networks = state.own_networks().iter();
    if networks.any(|net| net.contains(&address)) || state.cookies().is_own(request) {
        return true;
    }
    is_admin(request).await
}

/// Whether an administrator who is signed in sends it.
pub(crate) async fn is_admin(request: &HttpRequest) -> bool {
    let user = MaybeUser::from_request(request, &mut Payload::None).await;
    user.is_ok_and(|user| user.0.is_some_and(|it| it.user.role == Role::Admin))
}

/// What a request proves itself with.
enum Proof {
    Cookie(String),
    Bearer(String),
}

fn find(request: &HttpRequest) -> impl Future<Output = Result<Session, ApiError>> + use<> {
    let state = request.app_data::<web::Data<AppState>>().cloned();
    let proof = state.as_ref().and_then(|state| proof(request, state));
    async move {
        let (Some(state), Some(proof)) = (state, proof) else {
            return Err(AccountError::SignedOut.into());
        };
        state
            .accounts_work(move |accounts| match proof {
                Proof::Cookie(secret) => accounts.session_of_cookie(&secret),
                Proof::Bearer(token) => accounts.session_of_token(&token, &[Audience::Api]),
            })
            .await
    }
}

fn proof(request: &HttpRequest, state: &AppState) -> Option<Proof> {
    // Other schemes are for a proxy in front, and say nothing of who it is here.
    let bearer = request
        .headers()
        .get(AUTHORIZATION)
        .and_then(|header| header.to_str().ok()?.split_once(' '))
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    if let Some((_, token)) = bearer {
        return Some(Proof::Bearer(token.trim().to_owned()));
    }
    let cookie = request.cookie(state.cookies().name())?;
    Some(Proof::Cookie(cookie.value().to_owned()))
}
