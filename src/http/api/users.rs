//! Calls about accounts (spec section 7, decisions sections 5 and 6).

use actix_web::http::header::{ORIGIN, USER_AGENT};
use actix_web::{HttpRequest, HttpResponse, Responder, web};
use url::Url;

#[cfg(test)]
use super::openapi::schemas::{AccountRefusals, BodyRefusals, Error, Missing, Refusals};
use super::requests::{
    ChangePasswordRequest, CodeRequest, EmailRequest, RegisterRequest, ResendRequest,
    ResetPassword, ResetPasswordRequest, SignInRequest,
};
use super::responses::{
    ForgotPasswordResponse, MessageResponse, RegisterResponse, SignInResponse, UserBody,
    UserResponse,
};
use super::session::{CurrentUser, MaybeUser, TokenUser};
use crate::accounts::{Accounts, SignedIn};
use crate::domain::{Audience, CONSTANTS, Session, is_this_machine};
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::serving::queue::Party;
use crate::http::serving::rate_limit::Client;
use crate::http::state::AppState;
use crate::mail::Mailer;
use crate::store::Device;

/// Registers and mails a code. The answer is the same for new and known addresses.
#[cfg_attr(test, utoipa::path(
    post, path = "/user/register", tag = "accounts", request_body = RegisterRequest,
    responses(
        (status = 201, description = "A mail is on its way, unless the message says otherwise", body = RegisterResponse), AccountRefusals, BodyRefusals,
    ),
))]
pub(crate) async fn register(
    state: web::Data<AppState>,
    client: Client,
    Json(body): Json<RegisterRequest>,
) -> Result<impl Responder, ApiError> {
    let form = body.parse()?;
    state.rate_limits().register(client)?;
    let email = form.email.clone();
    let requested = state
        .hashing(Party::from(client).behind(), move |accounts| {
            accounts.register(&form, client.address())
        })
        .await?;
    let sent = match state.mailer() {
        Mailer::Smtp(_) => "Almost done: enter the code that was sent to you.",
        Mailer::Log => "Almost done: enter the code that is printed in the server's log.",
    };
    Ok(HttpResponse::Created().json(RegisterResponse {
        message: unless_too_many(sent, requested.is_within_limits),
        email: email.as_str().to_owned(),
        registration: requested.handle,
    }))
}

/// Activates an account with its code.
#[cfg_attr(test, utoipa::path(
    post, path = "/user/verify-code", tag = "accounts", request_body = CodeRequest,
    responses(
        (status = 200, description = "The account is ready", body = MessageResponse), AccountRefusals, BodyRefusals,
    ),
))]
pub(crate) async fn verify_code(
    state: web::Data<AppState>,
    client: Client,
    Json(body): Json<CodeRequest>,
) -> Result<impl Responder, ApiError> {
    let (email, registration, code) = body.parse()?;
    state.rate_limits().code(client)?;
    state
        .accounts_work(move |accounts| accounts.verify_code(&email, registration, &code))
        .await?;
    Ok(message("Your account is ready. You can sign in now."))
}

/// Mails another code to an address that waits for one.
#[cfg_attr(test, utoipa::path(
    post, path = "/user/resend-code", tag = "accounts", request_body = ResendRequest,
    responses(
        (status = 200, description = "A mail may be on its way", body = MessageResponse), AccountRefusals, BodyRefusals,
    ),
))]
pub(crate) async fn resend_code(
    state: web::Data<AppState>,
    client: Client,
    Json(body): Json<ResendRequest>,
) -> Result<impl Responder, ApiError> {
    let (email, registration) = body.parse()?;
    state.rate_limits().mail(client)?;
    let is_within_limits = state
        .accounts_work(move |accounts| accounts.resend_code(&email, registration, client.address()))
        .await?;
    let sent = "If this address is waiting for a code, another one is on its way.";
    Ok(message(unless_too_many(sent, is_within_limits)))
}

/// Signs in.
#[cfg_attr(test, utoipa::path(
    post, path = "/user/sign-in", tag = "accounts", request_body = SignInRequest,
    responses(
        (status = 200, description = "Token for programs and cookie for browsers", body = SignInResponse),
        AccountRefusals, BodyRefusals,
    ),
))]
pub(crate) async fn sign_in(
    state: web::Data<AppState>,
    request: HttpRequest,
    client: Client,
    Json(body): Json<SignInRequest>,
) -> Result<impl Responder, ApiError> {
    require_kept_cookie(&state, &request)?;
    let credentials = body.parse()?;
    state.rate_limits().sign_in(client)?;
    let device = device(&request, client);
    let browser = state.options().cookies.browsers(&request);
    let devices = state.options().cookies.devices(&request);
    // A browser that has signed in before waits for no stranger.
    let party = if browser.is_empty() {
        None
    } else {
        let (email, browser) = (credentials.email.clone(), browser.clone());
        let account = move |accounts: &Accounts| accounts.account_of_browser(&email, &browser);
        state.accounts_work(account).await?
    };
    let party = party.map_or_else(|| client.into(), |account| Party::account(&account));
    let signed_in = state
        .hashing(party, move |accounts| {
            accounts.sign_in(&credentials, &device, &browser, &devices)
        })
        .await?;
    Ok(begin_session(&state, signed_in, None))
}

/// Returns the device of a sign-in.
pub(super) fn device(request: &HttpRequest, client: Client) -> Device {
    const MAX_AGENT: usize = 200;
    let agent = request.headers().get(USER_AGENT);
    let agent = agent.and_then(|agent| agent.to_str().ok());
    Device {
        audience: audience(request),
        agent: agent.unwrap_or_default().chars().take(MAX_AGENT).collect(),
        address: client.address(),
    }
}

/// Returns the audience: browsers send an origin, programs do not.
fn audience(request: &HttpRequest) -> Audience {
    let headers = request.headers();
    if headers.contains_key("sec-fetch-site") || headers.contains_key(ORIGIN) {
        Audience::Me
    } else {
        Audience::Api
    }
}

/// Refuses a browser whose page came over plain http from another machine: it would drop the cookie
/// (decisions, section 6). Such a browser sends `Origin` with every POST; programs send none.
pub(super) fn require_kept_cookie(state: &AppState, request: &HttpRequest) -> Result<(), ApiError> {
    let origin = request.headers().get(ORIGIN);
    let origin = origin.and_then(|origin| Url::parse(origin.to_str().ok()?).ok());
    let is_insecure = origin.is_some_and(|url| url.scheme() == "http" && !is_this_machine(&url));
    if is_insecure && !state.options().allow_http_sign_in {
        tracing::warn!("refused a sign-in over plain http");
        return Err(ApiError::PlainHttp(&CONSTANTS.plain_http));
    }
    Ok(())
}

pub(super) fn begin_session(
    state: &AppState,
    signed_in: SignedIn,
    message: Option<&'static str>,
) -> HttpResponse {
    let SignedIn {
        session,
        cookie,
        token,
        browser,
        device,
    } = signed_in;
    let body = SignInResponse {
        token,
        user: UserBody::from(&session.user),
        message,
    };
    let cookies = state.options().cookies;
    let mut response = HttpResponse::Ok();
    response
        .cookie(cookies.begin(cookie, session.user.role))
        .cookie(cookies.remember(browser));
    if let Some(device) = device {
        response.cookie(cookies.remember_device(device));
    }
    response.json(body)
}

/// Returns the account of the session that the request carries, as a token or a cookie.
#[cfg_attr(test, utoipa::path(
    operation_id = "get_account",
    get, path = "/user/me", tag = "accounts", security(("token" = []), ("cookie" = [])),
    responses(
        (status = 200, description = "Who is signed in", body = UserResponse),
        (status = 401, description = "Nobody is signed in", body = Error), Refusals,
    ),
))]
pub(crate) async fn current_user(TokenUser(session): TokenUser) -> impl Responder {
    user_response(&session)
}

/// Returns the account of a session token.
///
/// `GET /user/me` keeps the token out of addresses, which proxies log.
#[cfg_attr(test, utoipa::path(
    operation_id = "get_account_of_token",
    get, path = "/user/me/{token}", tag = "accounts",
    params(("token" = String, Path, description = "A token from sign-in")),
    responses(
        (status = 200, description = "Who is signed in", body = UserResponse),
        (status = 401, description = "The token is no longer valid", body = Error), Missing, Refusals,
    ),
))]
pub(crate) async fn me(
    state: web::Data<AppState>,
    token: web::Path<String>,
) -> Result<impl Responder, ApiError> {
    let session = state
        .accounts_work(move |accounts| {
            accounts.session_of_token(&token, &[Audience::Me, Audience::Api])
        })
        .await?;
    Ok(user_response(&session))
}

fn user_response(session: &Session) -> web::Json<UserResponse> {
    web::Json(UserResponse {
        user: UserBody::from(&session.user),
    })
}

/// Signs out; succeeds without a session too.
#[cfg_attr(test, utoipa::path(
    operation_id = "sign_out",
    post, path = "/user/logout", tag = "accounts",
    responses(
        (status = 200, description = "Nobody is signed in", body = MessageResponse),
        (status = 403, description = "The request came from another site's page", body = Error), Refusals,
    ),
))]
pub(crate) async fn logout(
    state: web::Data<AppState>,
    MaybeUser(session): MaybeUser,
) -> Result<impl Responder, ApiError> {
    if let Some(session) = session {
        state
            .accounts_work(move |accounts| accounts.sign_out(&session))
            .await?;
    }
    Ok(end_session(&state, "You are signed out."))
}

/// Signs out on every device.
#[cfg_attr(test, utoipa::path(
    operation_id = "sign_out_everywhere",
    post, path = "/user/logout-everywhere", tag = "accounts", security(("token" = []), ("cookie" = [])),
    responses(
        (status = 200, description = "Every session has ended", body = MessageResponse), AccountRefusals, Refusals,
    ),
))]
pub(crate) async fn logout_everywhere(
    state: web::Data<AppState>,
    CurrentUser(session): CurrentUser,
) -> Result<impl Responder, ApiError> {
    state
        .accounts_work(move |accounts| accounts.sign_out_everywhere(&session.user))
        .await?;
    Ok(end_session(&state, "You are signed out on every device."))
}

pub(super) fn end_session(state: &AppState, message: &'static str) -> HttpResponse {
    HttpResponse::Ok()
        .cookie(state.options().cookies.end())
        .json(MessageResponse { message })
}

/// Mails a code to reset a password. The answer is the same for every address.
#[cfg_attr(test, utoipa::path(
    operation_id = "ask_for_reset_code",
    post, path = "/user/forgot-password", tag = "accounts", request_body = EmailRequest,
    responses(
        (status = 200, description = "A mail may be on its way", body = ForgotPasswordResponse), AccountRefusals,
        BodyRefusals,
    ),
))]
pub(crate) async fn forgot_password(
    state: web::Data<AppState>,
    request: HttpRequest,
    client: Client,
    Json(body): Json<EmailRequest>,
) -> Result<impl Responder, ApiError> {
    let email = body.parse()?;
    state.rate_limits().mail(client)?;
    let browser = state.options().cookies.browsers(&request);
    let requested = state
        .accounts_work(move |accounts| accounts.forgot_password(&email, &browser, client.address()))
        .await?;
    let sent = "If this address has an account, a code is on its way.";
    Ok(web::Json(ForgotPasswordResponse {
        message: unless_too_many(sent, requested.is_within_limits),
        request: requested.handle,
    }))
}

/// Sets a new password with a code.
#[cfg_attr(test, utoipa::path(
    post, path = "/user/reset-password", tag = "accounts", request_body = ResetPasswordRequest,
    responses(
        (status = 200, description = "The password was changed", body = MessageResponse), AccountRefusals, BodyRefusals,
    ),
))]
pub(crate) async fn reset_password(
    state: web::Data<AppState>,
    client: Client,
    Json(body): Json<ResetPasswordRequest>,
) -> Result<impl Responder, ApiError> {
    let ResetPassword {
        email,
        request,
        code,
        password,
    } = body.parse()?;
    state.rate_limits().code(client)?;
    state
        .hashing(Party::from(client).behind(), move |accounts| {
            accounts.reset_password(&email, request, &code, &password)
        })
        .await?;
    Ok(message("Your password was changed. You can sign in now."))
}

/// Changes the password and signs out other devices.
#[cfg_attr(test, utoipa::path(
    post, path = "/user/change-password", tag = "accounts", request_body = ChangePasswordRequest,
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "A new session", body = SignInResponse), AccountRefusals, BodyRefusals),
))]
pub(crate) async fn change_password(
    state: web::Data<AppState>,
    request: HttpRequest,
    client: Client,
    CurrentUser(session): CurrentUser,
    Json(body): Json<ChangePasswordRequest>,
) -> Result<impl Responder, ApiError> {
    let (current, new) = body.parse()?;
    let device = device(&request, client);
    state.rate_limits().sign_in(client)?;
    let signed_in = state
        .hashing(Party::account(&session.user.id), move |accounts| {
            accounts.change_password(&session, &current, &new, &device)
        })
        .await?;
    Ok(begin_session(
        &state,
        signed_in,
        Some("Your password was changed. Other devices were signed out."),
    ))
}

/// Returns `sent`, or the sentence for an address that is over the limit of mails, whether or not it
/// has an account.
fn unless_too_many(sent: &'static str, is_within_limits: bool) -> &'static str {
    if is_within_limits {
        sent
    } else {
        "Too many codes were requested for this address, so none is sent now. \
         Use the newest one, or try again later."
    }
}

fn message(message: &'static str) -> impl Responder {
    web::Json(MessageResponse { message })
}
