//! Calls about the second factor.

use actix_web::{HttpRequest, HttpResponse, Responder, web};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::permissions::requires_factor;
use super::requests::{Text, parse_password};
use super::responses::MessageResponse;
use super::responses::SignInResponse;
use super::session::CurrentUser;
use super::users::{begin_session, device, require_kept_cookie};
use crate::accounts::{CodeForm, Enrolment};
use crate::domain::Rfc3339;
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::routes::{Route, get, post};
use crate::http::serving::queue::Party;
use crate::http::serving::rate_limit::Client;
use crate::http::state::AppState;

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        post("/user/sign-in-code", sign_in_with_code)
            .summary(
                "Signs in with the code of a second factor, after sign-in answered 401 with a \
                 pending sign-in.",
            )
            .answers::<SignInResponse>("Token for programs and cookie for browsers"),
        get("/user/totp", get_second_factor)
            .summary("Returns whether the account has a second factor.")
            .answers::<FactorResponse>("The second factor"),
        post("/user/totp/begin", add_second_factor)
            .summary(
                "Makes a secret for an authenticator app, which counts from its first code on.",
            )
            .creates::<EnrolmentResponse>("The secret, which is never shown again")
            .refuses(409, "There is one already"),
        post("/user/totp/enable", verify_second_factor)
            .summary("Enables the second factor by its first code.")
            .answers::<RecoveryCodesResponse>("It is on")
            .refuses(409, "None was begun, or it is on"),
        post("/user/totp/recovery-codes", put_recovery_codes)
            .summary("Replaces the recovery codes.")
            .answers::<RecoveryCodesResponse>("The former ones are of no more use")
            .refuses(409, "There is no second factor"),
        post("/user/totp/disable", remove_second_factor)
            .summary(
                "Switches the second factor off, with its recovery codes and remembered devices.",
            )
            .answers::<MessageResponse>("It is off"),
        post("/user/confirm", verify_session)
            .without_code()
            .summary(
                "Confirms the session by a code, for ten minutes, for calls that ask for it \
                 again.",
            )
            .answers::<MessageResponse>("Confirmed")
            .refuses(409, "There is no second factor"),
    ]
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct SignInCodeRequest {
    /// From the answer to the sign-in
    pending: Text,
    /// Code of the app, or a recovery code
    #[schema(value_type = String, max_length = 50)]
    code: Text,
    /// Whether this browser is not asked for a code for 30 days
    #[serde(default)]
    remember: bool,
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct FactorCodeRequest {
    /// Code of the app, or a recovery code
    #[schema(value_type = String, max_length = 50)]
    code: Text,
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct BeginFactorRequest {
    /// The account's password
    #[schema(value_type = String, min_length = 8, max_length = 128)]
    password: Text,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FactorResponse {
    enabled: bool,
    /// Whether this account may not use the office without one
    required: bool,
    #[schema(required = true)]
    since: Option<Rfc3339>,
    /// Number of recovery codes that were not used
    recovery_codes: u64,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct EnrolmentResponse {
    /// Secret in base 32, to type into an app
    secret: String,
    /// Address for apps, otpauth://totp/…
    address: String,
    qr: QrBody,
}

/// QR code of the address.
#[derive(Serialize, ToSchema)]
pub(crate) struct QrBody {
    /// Width and height in modules, without the margin of four
    size: i32,
    /// Dark modules, as SVG path data
    path: String,
}

impl From<Enrolment> for EnrolmentResponse {
    fn from(enrolment: Enrolment) -> Self {
        Self {
            secret: enrolment.secret,
            address: enrolment.address,
            qr: QrBody {
                size: enrolment.qr.size,
                path: enrolment.qr.path,
            },
        }
    }
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RecoveryCodesResponse {
    /// Each for one use; never shown again
    recovery_codes: Vec<String>,
}

fn required(code: &Text) -> Result<String, ApiError> {
    let code = code.as_str().trim();
    if code.is_empty() {
        return Err(ApiError::invalid("code", "Enter the code from your app."));
    }
    Ok(code.to_owned())
}

pub(crate) async fn sign_in_with_code(
    state: web::Data<AppState>,
    request: HttpRequest,
    client: Client,
    Json(body): Json<SignInCodeRequest>,
) -> Result<impl Responder, ApiError> {
    require_kept_cookie(&state, &request)?;
    let form = CodeForm {
        pending: body.pending.as_str().to_owned(),
        code: required(&body.code)?,
        remember: body.remember,
    };
    state.rate_limits().code(client)?;
    let device = device(&request, client);
    let signed_in = state
        .accounts_work(move |accounts| accounts.sign_in_with_code(&form, &device))
        .await
        .map_err(ApiError::at_sign_in)?;
    Ok(begin_session(&state, signed_in, None))
}

pub(crate) async fn get_second_factor(
    state: web::Data<AppState>,
    CurrentUser(session): CurrentUser,
) -> Result<impl Responder, ApiError> {
    let required = requires_factor(&state, &session);
    let factor = state
        .accounts_work(move |accounts| accounts.factor_of(&session.user))
        .await?;
    Ok(web::Json(FactorResponse {
        enabled: factor.is_some(),
        required,
        recovery_codes: factor.as_ref().map_or(0, |factor| factor.recovery_codes),
        since: factor.and_then(|factor| factor.enabled_at).map(Rfc3339),
    }))
}

pub(crate) async fn add_second_factor(
    state: web::Data<AppState>,
    client: Client,
    CurrentUser(session): CurrentUser,
    Json(body): Json<BeginFactorRequest>,
) -> Result<impl Responder, ApiError> {
    let password = parse_password(&body.password)?;
    state.rate_limits().sign_in(client)?;
    let enrolment = state
        .hashing(Party::account(&session.user.id), move |accounts| {
            accounts.begin_factor(&session, &password)
        })
        .await?;
    Ok(HttpResponse::Created().json(EnrolmentResponse::from(enrolment)))
}

pub(crate) async fn verify_second_factor(
    state: web::Data<AppState>,
    client: Client,
    CurrentUser(session): CurrentUser,
    Json(body): Json<FactorCodeRequest>,
) -> Result<impl Responder, ApiError> {
    let code = required(&body.code)?;
    state.rate_limits().code(client)?;
    let recovery_codes = state
        .accounts_work(move |accounts| accounts.enable_factor(&session, &code))
        .await?;
    Ok(web::Json(RecoveryCodesResponse { recovery_codes }))
}

pub(crate) async fn put_recovery_codes(
    state: web::Data<AppState>,
    CurrentUser(session): CurrentUser,
) -> Result<impl Responder, ApiError> {
    let recovery_codes = state
        .accounts_work(move |accounts| accounts.renew_recovery_codes(&session.user))
        .await?;
    Ok(web::Json(RecoveryCodesResponse { recovery_codes }))
}

pub(crate) async fn remove_second_factor(
    state: web::Data<AppState>,
    CurrentUser(session): CurrentUser,
) -> Result<impl Responder, ApiError> {
    state
        .accounts_work(move |accounts| accounts.disable_factor(&session.user))
        .await?;
    Ok(web::Json(MessageResponse {
        message: "Your second factor is off.",
    }))
}

pub(crate) async fn verify_session(
    state: web::Data<AppState>,
    client: Client,
    CurrentUser(session): CurrentUser,
    Json(body): Json<FactorCodeRequest>,
) -> Result<impl Responder, ApiError> {
    let code = required(&body.code)?;
    state.rate_limits().code(client)?;
    state
        .accounts_work(move |accounts| accounts.confirm(&session, &code))
        .await?;
    Ok(web::Json(MessageResponse {
        message: "Confirmed.",
    }))
}
