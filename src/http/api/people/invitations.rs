//! Calls of an invited person.

use actix_web::{HttpRequest, Responder, web};
use serde::{Deserialize, Serialize};

use crate::accounts::AccountError;
use crate::domain::{Rfc3339, Role};
#[cfg(test)]
use crate::http::api::openapi::schemas::{AccountRefusals, BodyRefusals, Error, Missing};
use crate::http::api::requests::{Text, parse_invited};
#[cfg(test)]
use crate::http::api::responses::SignInResponse;
use crate::http::api::users::{begin_session, device, require_kept_cookie};
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::serving::rate_limit::Client;
use crate::http::state::AppState;
use crate::store::Invitation;

#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct InvitationRequest {
    /// The part of the invitation's link after the #
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = String, required = true))]
    secret: Text,
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct AcceptRequest {
    #[serde(flatten)]
    invitation: InvitationRequest,
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = String, required = true, min_length = 3, max_length = 50))]
    username: Text,
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = String, required = true, min_length = 8, max_length = 128))]
    password: Text,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct InvitationResponse {
    email: String,
    /// Suggested name, or an empty text
    username: String,
    #[serde(rename = "Role")]
    #[cfg_attr(test, schema(value_type = Role))]
    role: &'static str,
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    expires_at: Rfc3339,
}

/// Checks an invitation. A wrong, used and expired one are answered alike.
#[cfg_attr(test, utoipa::path(
    operation_id = "check_invitation",
    post, path = "/user/invitation", tag = "accounts", request_body = InvitationRequest,
    responses(
        (status = 200, description = "The invitation is open", body = InvitationResponse), Missing, AccountRefusals,
        BodyRefusals,
    ),
))]
pub(crate) async fn check(
    state: web::Data<AppState>,
    request: HttpRequest,
    client: Client,
    Json(body): Json<InvitationRequest>,
) -> Result<impl Responder, ApiError> {
    require_kept_cookie(&state, &request)?;
    let invitation = require_invitation(&state, client, &body).await?;
    Ok(web::Json(InvitationResponse {
        email: invitation.email.as_str().to_owned(),
        username: invitation.username,
        role: Role::as_str(invitation.role),
        expires_at: Rfc3339(invitation.expires_at),
    }))
}

/// Adds the account of an invitation, which ends, and signs in.
#[cfg_attr(test, utoipa::path(
    operation_id = "accept_invitation",
    post, path = "/user/accept-invitation", tag = "accounts", request_body = AcceptRequest,
    responses(
        (status = 200, description = "Token for programs and cookie for browsers", body = SignInResponse),
        (status = 409, description = "The address has an account since", body = Error), Missing,
        AccountRefusals, BodyRefusals,
    ),
))]
pub(crate) async fn accept(
    state: web::Data<AppState>,
    request: HttpRequest,
    client: Client,
    Json(body): Json<AcceptRequest>,
) -> Result<impl Responder, ApiError> {
    require_kept_cookie(&state, &request)?;
    let invitation = require_invitation(&state, client, &body.invitation).await?;
    let form = parse_invited(&body.username, invitation.email.as_str(), &body.password)?;
    let device = device(&request, client);
    let signed_in = state
        .hashing(client, move |accounts| {
            accounts.accept_invitation(invitation, &form, &device)
        })
        .await?;
    Ok(begin_session(&state, signed_in, None))
}

/// Refuses a wrong secret, before anything else of the request is answered.
async fn require_invitation(
    state: &AppState,
    client: Client,
    request: &InvitationRequest,
) -> Result<Invitation, ApiError> {
    state.rate_limits().setup(client)?;
    let secret = request.secret.as_str().to_owned();
    let found = state
        .accounts_work(move |accounts| match accounts.invitation(&secret) {
            Err(AccountError::Invitation) => Ok(None),
            found => found.map(Some),
        })
        .await?;
    if found.is_none() {
        state.rate_limits().wrong_setup()?;
    }
    found.ok_or_else(|| AccountError::Invitation.into())
}
