//! Calls about one's own sessions and account.

use actix_web::{Responder, web};
use serde::{Deserialize, Serialize};

use super::devices::device_words;
use crate::domain::Rfc3339;
#[cfg(test)]
use crate::http::api::openapi::schemas::{AccountRefusals, BodyRefusals, Error, Missing, Refusals};
use crate::http::api::requests::{Text, parse_password};
use crate::http::api::responses::MessageResponse;
use crate::http::api::session::CurrentUser;
use crate::http::api::users::end_session;
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::serving::queue::Party;
use crate::http::serving::rate_limit::Client;
use crate::http::state::AppState;
use crate::store::{ListedSession, StoreError};

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
struct SessionBody {
    id: String,
    /// Whether it is the session of this request
    current: bool,
    /// Browser and system in words, or an empty text
    device: String,
    /// The client's address at sign-in; of IPv6, the first 64 bits
    #[cfg_attr(test, schema(required = true))]
    address: Option<String>,
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    created_at: Rfc3339,
    /// Accurate to a minute
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    last_seen_at: Rfc3339,
}

impl SessionBody {
    fn new(listed: ListedSession, current: &str) -> Self {
        let session = listed.session;
        Self {
            current: session.sid == current,
            device: device_words(&listed.agent),
            address: listed.address,
            created_at: Rfc3339(session.created_at),
            last_seen_at: Rfc3339(session.last_seen_at),
            id: session.sid,
        }
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct SessionsResponse {
    data: Vec<SessionBody>,
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct DeleteAccountRequest {
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = String, required = true, min_length = 8, max_length = 128))]
    password: Text,
}

/// Returns one's own sessions, the last used first.
#[cfg_attr(test, utoipa::path(
    operation_id = "list_sessions",
    get, path = "/user/sessions", tag = "accounts", security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "The sessions", body = SessionsResponse), AccountRefusals, Refusals),
))]
pub(crate) async fn sessions(
    state: web::Data<AppState>,
    CurrentUser(session): CurrentUser,
) -> Result<impl Responder, ApiError> {
    let data = state
        .accounts_work(move |accounts| {
            let found = accounts.sessions_of(&session.user)?.into_iter();
            let bodies = found.map(|listed| SessionBody::new(listed, &session.sid));
            Ok(bodies.collect())
        })
        .await?;
    Ok(web::Json(SessionsResponse { data }))
}

/// Ends one of one's own sessions.
#[cfg_attr(test, utoipa::path(
    operation_id = "end_session",
    delete, path = "/user/sessions/{id}", tag = "accounts",
    params(("id" = String, Path, description = "The session's id")),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "Ended", body = MessageResponse), Missing, AccountRefusals, Refusals),
))]
pub(crate) async fn end(
    state: web::Data<AppState>,
    CurrentUser(session): CurrentUser,
    id: web::Path<String>,
) -> Result<impl Responder, ApiError> {
    state
        .work(
            move |store| match store.delete_session_of(&session.user, &id) {
                Err(StoreError::NotFound) => {
                    Err(ApiError::NotFound("This session has ended already."))
                }
                ended => Ok(ended?),
            },
        )
        .await?;
    Ok(web::Json(MessageResponse {
        message: "The session has ended.",
    }))
}

/// Deletes one's own account, with its sessions and keys.
#[cfg_attr(test, utoipa::path(
    operation_id = "delete_account",
    delete, path = "/user/me", tag = "accounts", request_body = DeleteAccountRequest,
    security(("token" = []), ("cookie" = [])),
    responses(
        (status = 200, description = "Deleted", body = MessageResponse),
        (status = 409, description = "It is the last administrator", body = Error), AccountRefusals, BodyRefusals,
    ),
))]
pub(crate) async fn delete_account(
    state: web::Data<AppState>,
    client: Client,
    CurrentUser(session): CurrentUser,
    Json(body): Json<DeleteAccountRequest>,
) -> Result<impl Responder, ApiError> {
    let password = parse_password(&body.password)?;
    state.rate_limits().sign_in(client)?;
    state
        .hashing(Party::account(&session.user.id), move |accounts| {
            accounts.delete_own(&session, &password)
        })
        .await?;
    Ok(end_session(&state, "Your account was deleted."))
}
