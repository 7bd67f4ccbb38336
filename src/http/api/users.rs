//! Calls about accounts (spec section 7, decisions sections 5 and 6).

use actix_web::http::header::{ORIGIN, USER_AGENT};
use actix_web::{HttpRequest, HttpResponse, Responder, web};
use url::Url;

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
use crate::http::routes::{Route, get, post};
use crate::http::serving::queue::Party;
use crate::http::serving::rate_limit::Client;
use crate::http::state::AppState;
use crate::mail::Mailer;
use crate::store::Device;

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        post("/user/register", register)
            .summary(
                "Registers and mails a code. The answer is the same for new and known addresses.",
            )
            .creates::<RegisterResponse>("A mail is on its way, unless the message says otherwise"),
        post("/user/verify-code", verify_code)
            .summary("Activates an account with its code.")
            .details("Without the `registration` it works only while a single form waits.")
            .answers::<MessageResponse>("The account is ready"),
        post("/user/resend-code", resend_code)
            .summary("Mails another code to an address that waits for one.")
            .details("Without the `registration` it works only while a single form waits.")
            .answers::<MessageResponse>("A mail may be on its way"),
        post("/user/sign-in", sign_in)
            .summary("Signs in.")
            .details(
                "The answer is 401 with `pending` for an account with a second factor, and 403 \
                 with the `registration` while it waits for its code, or when `Origin` is plain \
                 http and not loopback.",
            )
            .answers::<SignInResponse>("Token for programs and cookie for browsers"),
        get("/user/me", get_account)
            .summary(
                "Returns the account of the session that the request carries, as a token or a \
                 cookie.",
            )
            .answers::<UserResponse>("Who is signed in")
            .refuses(401, "Nobody is signed in"),
        get("/user/me/{token}", get_account_of_token)
            .summary("Returns the account of a session token.")
            .details("`GET /user/me` keeps the token out of addresses, which proxies log.")
            .part("token", "A token from sign-in")
            .answers::<UserResponse>("Who is signed in")
            .refuses(401, "The token is no longer valid")
            .or_missing(),
        post("/user/logout", sign_out)
            .summary("Signs out; succeeds without a session too.")
            .answers::<MessageResponse>("Nobody is signed in")
            .refuses(403, "The request came from another site's page"),
        post("/user/logout-everywhere", sign_out_everywhere)
            .without_code()
            .summary("Signs out on every device.")
            .answers::<MessageResponse>("Every session has ended"),
        post("/user/forgot-password", ask_for_reset_code)
            .summary("Mails a code to reset a password. The answer is the same for every address.")
            .answers::<ForgotPasswordResponse>("A mail may be on its way"),
        post("/user/reset-password", reset_password)
            .summary("Sets a new password with a code.")
            .details("Without the `request` it works only while a single one waits.")
            .answers::<MessageResponse>("The password was changed"),
        post("/user/change-password", change_password)
            .summary("Changes the password and signs out other devices.")
            .answers::<SignInResponse>("A new session"),
    ]
}

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
    let sent = match *state.mailer().await? {
        Mailer::Smtp(_) | Mailer::Unusable(..) => {
            "Almost done: enter the code that was sent to you."
        }
        Mailer::Log => "Almost done: enter the code that is printed in the server's log.",
    };
    Ok(HttpResponse::Created().json(RegisterResponse {
        message: unless_too_many(sent, requested.is_within_limits),
        email: email.as_str().to_owned(),
        registration: requested.handle,
    }))
}

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

pub(crate) async fn get_account(TokenUser(session): TokenUser) -> impl Responder {
    user_response(&session)
}

pub(crate) async fn get_account_of_token(
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

pub(crate) async fn sign_out(
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

pub(crate) async fn sign_out_everywhere(
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

pub(crate) async fn ask_for_reset_code(
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
