//! The calls about accounts (spec section 7, decisions sections 5 and 6).

use actix_web::http::header::ORIGIN;
use actix_web::{HttpRequest, HttpResponse, Responder, web};

use super::requests::{
    ChangePasswordRequest, CodeRequest, EmailRequest, RegisterRequest, ResendRequest,
    ResetPassword, ResetPasswordRequest, SignInRequest,
};
use super::responses::{
    ForgotPasswordResponse, MessageResponse, RegisterResponse, SignInResponse, UserBody,
    UserResponse,
};
use super::session::{CurrentUser, MaybeUser};
use crate::accounts::SignedIn;
use crate::domain::Audience;
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::serving::rate_limit::Client;
use crate::http::state::AppState;

/// `POST /user/register`: the same answer for a new and a known address.
pub(crate) async fn register(
    state: web::Data<AppState>,
    client: Client,
    Json(body): Json<RegisterRequest>,
) -> Result<impl Responder, ApiError> {
    let form = body.parse()?;
    state.limits().register(client)?;
    let email = form.email.clone();
    let registration = state
        .hashing(move |accounts| accounts.register(&form))
        .await?;
    Ok(HttpResponse::Created().json(RegisterResponse {
        message: "Almost done: type in the code that was sent to you.",
        email: email.as_str().to_owned(),
        registration,
    }))
}

/// `POST /user/verify-code`: for the registration that is named, or for the only one that
/// waits.
pub(crate) async fn verify_code(
    state: web::Data<AppState>,
    client: Client,
    Json(body): Json<CodeRequest>,
) -> Result<impl Responder, ApiError> {
    let (email, registration, code) = body.parse()?;
    state.limits().code(client)?;
    state
        .accounts_work(move |accounts| accounts.verify_code(&email, registration, &code))
        .await?;
    Ok(message("Your account is ready. You can sign in now."))
}

/// `POST /user/resend-code`: for the registration that is named, as `register`
/// answered it, or for the only one that waits.
pub(crate) async fn resend_code(
    state: web::Data<AppState>,
    client: Client,
    Json(body): Json<ResendRequest>,
) -> Result<impl Responder, ApiError> {
    let (email, registration) = body.parse()?;
    state.limits().mail(client)?;
    state
        .accounts_work(move |accounts| accounts.resend_code(&email, registration))
        .await?;
    Ok(message(
        "If this address waits for a code, another one is on its way.",
    ))
}

/// `POST /user/sign-in`: a token that names the session, and the cookie that has
/// its authority.
pub(crate) async fn sign_in(
    state: web::Data<AppState>,
    request: HttpRequest,
    client: Client,
    Json(body): Json<SignInRequest>,
) -> Result<impl Responder, ApiError> {
    let credentials = body.parse()?;
    state.limits().sign_in(client)?;
    let audience = audience(&request);
    let browser = state.cookies().browsers(&request);
    let signed_in = state
        .hashing(move |accounts| accounts.sign_in(&credentials, audience, &browser))
        .await?;
    Ok(begin_session(&state, signed_in, None))
}

/// Browsers say where a request comes from, programs do not.
fn audience(request: &HttpRequest) -> Audience {
    let headers = request.headers();
    if headers.contains_key("sec-fetch-site") || headers.contains_key(ORIGIN) {
        Audience::Me
    } else {
        Audience::Api
    }
}

fn begin_session(
    state: &AppState,
    signed_in: SignedIn,
    message: Option<&'static str>,
) -> HttpResponse {
    let SignedIn {
        session,
        cookie,
        token,
        browser,
    } = signed_in;
    let body = SignInResponse {
        token,
        user: UserBody::from(&session.user),
        message,
    };
    HttpResponse::Ok()
        .cookie(state.cookies().begin(cookie, session.user.role))
        .cookie(state.cookies().remember(browser))
        .json(body)
}

/// `GET /user/me/{token}`: whose session a token names.
pub(crate) async fn me(
    state: web::Data<AppState>,
    token: web::Path<String>,
) -> Result<impl Responder, ApiError> {
    let session = state
        .accounts_work(move |accounts| {
            accounts.session_of_token(&token, &[Audience::Me, Audience::Api])
        })
        .await?;
    Ok(web::Json(UserResponse {
        user: UserBody::from(&session.user),
    }))
}

/// `POST /user/logout`: works without a session too.
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

/// `POST /user/logout-everywhere`.
pub(crate) async fn logout_everywhere(
    state: web::Data<AppState>,
    CurrentUser(session): CurrentUser,
) -> Result<impl Responder, ApiError> {
    state
        .accounts_work(move |accounts| accounts.sign_out_everywhere(&session.user))
        .await?;
    Ok(end_session(&state, "You are signed out on every device."))
}

fn end_session(state: &AppState, message: &'static str) -> HttpResponse {
    HttpResponse::Ok()
        .cookie(state.cookies().end())
        .json(MessageResponse { message })
}

/// `POST /user/forgot-password`: the same answer whether or not there is such an
/// account.
pub(crate) async fn forgot_password(
    state: web::Data<AppState>,
    request: HttpRequest,
    client: Client,
    Json(body): Json<EmailRequest>,
) -> Result<impl Responder, ApiError> {
    let email = body.parse()?;
    state.limits().mail(client)?;
    let browser = state.cookies().browsers(&request);
    let request = state
        .accounts_work(move |accounts| accounts.forgot_password(&email, &browser))
        .await?;
    Ok(web::Json(ForgotPasswordResponse {
        message: "If this address has an account, a code is on its way.",
        request,
    }))
}

/// `POST /user/reset-password`.
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
    state.limits().code(client)?;
    state
        .hashing(move |accounts| accounts.reset_password(&email, request, &code, &password))
        .await?;
    Ok(message("Your password was changed. You can sign in now."))
}

/// `POST /user/change-password`: ends every session and begins another for
/// whoever asked.
pub(crate) async fn change_password(
    state: web::Data<AppState>,
    client: Client,
    CurrentUser(session): CurrentUser,
    Json(body): Json<ChangePasswordRequest>,
) -> Result<impl Responder, ApiError> {
    let (current, new) = body.parse()?;
    state.limits().sign_in(client)?;
    let signed_in = state
        .hashing(move |accounts| accounts.change_password(&session, &current, &new))
        .await?;
    Ok(begin_session(
        &state,
        signed_in,
        Some("Your password was changed. Other devices were signed out."),
    ))
}

fn message(message: &'static str) -> impl Responder {
    web::Json(MessageResponse { message })
}
