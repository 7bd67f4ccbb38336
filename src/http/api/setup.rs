//! Calls of the first start: the setup link makes the first administrator.

use actix_web::{HttpRequest, Responder, web};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::requests::{RegisterRequest, Text};
use super::responses::SignInResponse;
use super::users::{begin_session, device, require_kept_cookie};
use crate::accounts::AccountError;
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::routes::{Route, post};
use crate::http::serving::rate_limit::Client;
use crate::http::state::AppState;
use crate::store::SetupLink;

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        post("/user/setup-link", check_setup_link)
            .summary(
                "Checks a setup link. A wrong, used or expired one is answered like any in a shop \
                 that is set up.",
            )
            .answers::<ValidResponse>("The link is valid")
            .or_missing(),
        post("/user/setup", add_first_administrator)
            .summary("Adds the first administrator with a setup link, which ends, and signs in.")
            .answers::<SignInResponse>("Token for programs and cookie for browsers")
            .refuses(409, "Somebody else used the link at the same time")
            .or_missing(),
    ]
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct SetupLinkRequest {
    /// The part of the setup link after the #
    secret: Text,
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct SetupRequest {
    #[serde(flatten)]
    link: SetupLinkRequest,
    #[serde(flatten)]
    account: RegisterRequest,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct ValidResponse {
    valid: bool,
}

pub(crate) async fn check_setup_link(
    state: web::Data<AppState>,
    request: HttpRequest,
    client: Client,
    Json(body): Json<SetupLinkRequest>,
) -> Result<impl Responder, ApiError> {
    require_kept_cookie(&state, &request)?;
    require_link(&state, client, &body).await?;
    Ok(web::Json(ValidResponse { valid: true }))
}

pub(crate) async fn add_first_administrator(
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
