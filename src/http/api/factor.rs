//! Calls about the second factor.

use actix_web::{HttpRequest, HttpResponse, Responder, web};
use serde::{Deserialize, Serialize};

#[cfg(test)]
use super::openapi::schemas::{AccountRefusals, BodyRefusals, Error, Refusals};
use super::permissions::requires_factor;
use super::requests::{Text, parse_password};
use super::responses::MessageResponse;
#[cfg(test)]
use super::responses::SignInResponse;
use super::session::CurrentUser;
use super::users::{begin_session, device, require_kept_cookie};
use crate::accounts::{CodeForm, Enrolment};
use crate::domain::Rfc3339;
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::serving::queue::Party;
use crate::http::serving::rate_limit::Client;
use crate::http::state::AppState;

#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct SignInCodeRequest {
    /// From the answer to the sign-in
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = String, required = true))]
    pending: Text,
    /// Code of the app, or a recovery code
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = String, required = true, max_length = 50))]
    code: Text,
    /// Whether this browser is not asked for a code for 30 days
    #[serde(default)]
    remember: bool,
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct FactorCodeRequest {
    /// Code of the app, or a recovery code
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = String, required = true, max_length = 50))]
    code: Text,
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct BeginFactorRequest {
    /// The account's password
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = String, required = true, min_length = 8, max_length = 128))]
    password: Text,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct FactorResponse {
    enabled: bool,
    /// Whether this account may not use the office without one
    required: bool,
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime, required = true))]
    since: Option<Rfc3339>,
    /// Number of recovery codes that were not used
    recovery_codes: u64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct EnrolmentResponse {
    /// Secret in base 32, to type into an app
    secret: String,
    /// Address for apps, otpauth://totp/…
    address: String,
    qr: QrBody,
}

/// QR code of the address.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
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

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
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

/// Signs in with the code of a second factor, after sign-in answered 401 with a pending sign-in.
#[cfg_attr(test, utoipa::path(
    operation_id = "sign_in_with_code",
    post, path = "/user/sign-in-code", tag = "accounts", request_body = SignInCodeRequest,
    responses(
        (status = 200, description = "Token for programs and cookie for browsers", body = SignInResponse),
        AccountRefusals, BodyRefusals,
    ),
))]
pub(crate) async fn sign_in_code(
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

/// Returns whether the account has a second factor.
#[cfg_attr(test, utoipa::path(
    operation_id = "get_second_factor",
    get, path = "/user/totp", tag = "accounts", security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "The second factor", body = FactorResponse), AccountRefusals, Refusals),
))]
pub(crate) async fn get(
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

/// Makes a secret for an authenticator app, which counts from its first code on.
#[cfg_attr(test, utoipa::path(
    operation_id = "add_second_factor",
    post, path = "/user/totp/begin", tag = "accounts", request_body = BeginFactorRequest,
    security(("token" = []), ("cookie" = [])),
    responses(
        (status = 201, description = "The secret, which is never shown again", body = EnrolmentResponse),
        (status = 409, description = "There is one already", body = Error), AccountRefusals, BodyRefusals,
    ),
))]
pub(crate) async fn begin(
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

/// Enables the second factor by its first code.
#[cfg_attr(test, utoipa::path(
    operation_id = "verify_second_factor",
    post, path = "/user/totp/enable", tag = "accounts", request_body = FactorCodeRequest,
    security(("token" = []), ("cookie" = [])),
    responses(
        (status = 200, description = "It is on", body = RecoveryCodesResponse),
        (status = 409, description = "None was begun, or it is on", body = Error), AccountRefusals, BodyRefusals,
    ),
))]
pub(crate) async fn enable(
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

/// Replaces the recovery codes.
#[cfg_attr(test, utoipa::path(
    operation_id = "put_recovery_codes",
    post, path = "/user/totp/recovery-codes", tag = "accounts", security(("token" = []), ("cookie" = [])),
    responses(
        (status = 200, description = "The former ones are of no more use", body = RecoveryCodesResponse),
        (status = 409, description = "There is no second factor", body = Error), AccountRefusals, Refusals,
    ),
))]
pub(crate) async fn renew_recovery_codes(
    state: web::Data<AppState>,
    CurrentUser(session): CurrentUser,
) -> Result<impl Responder, ApiError> {
    let recovery_codes = state
        .accounts_work(move |accounts| accounts.renew_recovery_codes(&session.user))
        .await?;
    Ok(web::Json(RecoveryCodesResponse { recovery_codes }))
}

/// Switches the second factor off, with its recovery codes and remembered devices.
#[cfg_attr(test, utoipa::path(
    operation_id = "remove_second_factor",
    post, path = "/user/totp/disable", tag = "accounts", security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "It is off", body = MessageResponse), AccountRefusals, Refusals),
))]
pub(crate) async fn disable(
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

/// Confirms the session by a code, for ten minutes, for calls that ask for it again.
#[cfg_attr(test, utoipa::path(
    operation_id = "verify_session",
    post, path = "/user/confirm", tag = "accounts", request_body = FactorCodeRequest,
    security(("token" = []), ("cookie" = [])),
    responses(
        (status = 200, description = "Confirmed", body = MessageResponse),
        (status = 409, description = "There is no second factor", body = Error), AccountRefusals, BodyRefusals,
    ),
))]
pub(crate) async fn confirm(
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
