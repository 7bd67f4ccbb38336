//! Calls of the first start: the setup link makes the first administrator.

use actix_web::{HttpRequest, Responder, web};
use serde::Deserialize;
use serde_json::json;

#[cfg(test)]
use super::openapi::schemas::{AccountRefusals, BodyRefusals, Error, Missing};
use super::requests::{RegisterRequest, Text};
#[cfg(test)]
use super::responses::SignInResponse;
use super::users::{begin_session, device, require_kept_cookie};
use crate::accounts::AccountError;
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::serving::rate_limit::Client;
use crate::http::state::AppState;
use crate::store::SetupLink;

#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct SetupLinkRequest {
    /// The part of the setup link after the #
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = String, required = true))]
    secret: Text,
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct SetupRequest {
    #[serde(flatten)]
    link: SetupLinkRequest,
    #[serde(flatten)]
    account: RegisterRequest,
}

/// Checks a setup link. A wrong, used or expired one is answered like any in a shop that is set up.
#[cfg_attr(test, utoipa::path(
    operation_id = "check_setup_link",
    post, path = "/user/setup-link", tag = "accounts", request_body = SetupLinkRequest,
    responses(
        (status = 200, description = "The link is valid", body = serde_json::Value), Missing, AccountRefusals,
        BodyRefusals,
    ),
))]
pub(crate) async fn check_link(
    state: web::Data<AppState>,
    request: HttpRequest,
    client: Client,
    Json(body): Json<SetupLinkRequest>,
) -> Result<impl Responder, ApiError> {
    require_kept_cookie(&state, &request)?;
    require_link(&state, client, &body).await?;
    Ok(web::Json(json!({ "valid": true })))
}

/// Adds the first administrator with a setup link, which ends, and signs in.
#[cfg_attr(test, utoipa::path(
    operation_id = "add_first_administrator",
    post, path = "/user/setup", tag = "accounts", request_body = SetupRequest,
    responses(
        (status = 200, description = "Token for programs and cookie for browsers", body = SignInResponse),
        (status = 409, description = "Somebody else used the link at the same time", body = Error), Missing,
        AccountRefusals, BodyRefusals,
    ),
))]
pub(crate) async fn set_up(
    state: web::Data<AppState>,
    request: HttpRequest,
    client: Client,
    Json(body): Json<SetupRequest>,
) -> Result<impl Responder, ApiError> {
    require_kept_cookie(&state, &request)?;
    let link = require_link(&state, client, &body.link).await?;
    let form = body.account.parse()?;
    let device = device(&request, client);
    let signed_in = state
        .hashing(client, move |accounts| {
            accounts.set_up(link, &form, &device)
        })
        .await?;
    Ok(begin_session(&state, signed_in, None))
}

/// Refuses a wrong secret, before anything else of the request is answered.
async fn require_link(
    state: &AppState,
    client: Client,
    link: &SetupLinkRequest,
) -> Result<SetupLink, ApiError> {
    state.rate_limits().setup(client)?;
    let secret = link.secret.as_str().to_owned();
    let found = state
        .accounts_work(move |accounts| match accounts.setup_link(&secret) {
            Err(AccountError::SetupLink) => Ok(None),
            found => found.map(Some),
        })
        .await?;
    if found.is_none() {
        state.rate_limits().wrong_setup()?;
    }
    found.ok_or_else(|| AccountError::SetupLink.into())
}
