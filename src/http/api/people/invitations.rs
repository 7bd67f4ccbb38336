//! Calls of an invited person.

use actix_web::{HttpRequest, Responder, web};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::accounts::AccountError;
use crate::domain::{Rfc3339, Role};
use crate::http::api::requests::{Text, parse_invited};
use crate::http::api::responses::SignInResponse;
use crate::http::api::users::{begin_session, device, require_kept_cookie};
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::routes::{Route, post};
use crate::http::serving::rate_limit::Client;
use crate::http::state::AppState;
use crate::store::Invitation;

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        post("/user/invitation", check_invitation)
            .summary("Checks an invitation. A wrong, used and expired one are answered alike.")
            .details("The `secret` is the part of an invitation's link after the #.")
            .answers::<InvitationResponse>("The invitation is open")
            .or_missing(),
        post("/user/accept-invitation", accept_invitation)
            .summary("Adds the account of an invitation, which ends, and signs in.")
            .answers::<SignInResponse>("Token for programs and cookie for browsers")
            .refuses(409, "The address has an account since")
            .or_missing(),
    ]
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct InvitationRequest {
    /// The part of the invitation's link after the #
    secret: Text,
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct AcceptRequest {
    #[serde(flatten)]
    invitation: InvitationRequest,
    #[schema(value_type = String, min_length = 3, max_length = 50)]
    username: Text,
    #[schema(value_type = String, min_length = 8, max_length = 128)]
    password: Text,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InvitationResponse {
    email: String,
    /// Suggested name, or an empty text
    username: String,
    #[serde(rename = "Role")]
    #[schema(value_type = Role)]
    role: &'static str,
    expires_at: Rfc3339,
}

pub(crate) async fn check_invitation(
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

pub(crate) async fn accept_invitation(
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
