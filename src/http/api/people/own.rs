//! Calls about one's own sessions and account.

use actix_web::{Responder, web};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::devices::device_words;
use crate::domain::Rfc3339;
use crate::http::api::requests::{Text, parse_password};
use crate::http::api::responses::MessageResponse;
use crate::http::api::session::CurrentUser;
use crate::http::api::users;
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::routes::{Route, delete, get};
use crate::http::serving::queue::Party;
use crate::http::serving::rate_limit::Client;
use crate::http::state::AppState;
use crate::store::{ListedSession, StoreError};

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        delete("/user/me", delete_account)
            .summary("Deletes one's own account, with its sessions and keys.")
            .answers::<MessageResponse>("Deleted")
            .refuses(409, "It is the last administrator"),
        get("/user/sessions", list_sessions)
            .summary("Returns one's own sessions, the last used first.")
            .answers::<SessionsResponse>("The sessions"),
        delete("/user/sessions/{id}", end_session)
            .without_code()
            .summary("Ends one of one's own sessions.")
            .part("id", "The session's id")
            .answers::<MessageResponse>("Ended")
            .or_missing(),
    ]
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SessionBody {
    id: String,
    /// Whether it is the session of this request
    current: bool,
    /// Browser and system in words, or an empty text
    device: String,
    /// The client's address at sign-in; of IPv6, the first 64 bits
    #[schema(required = true)]
    address: Option<String>,
    created_at: Rfc3339,
    /// Accurate to a minute
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

#[derive(Serialize, ToSchema)]
pub(crate) struct SessionsResponse {
    data: Vec<SessionBody>,
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct DeleteAccountRequest {
    #[schema(value_type = String, min_length = 8, max_length = 128)]
    password: Text,
}

pub(crate) async fn list_sessions(
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

pub(crate) async fn end_session(
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
    Ok(users::end_session(&state, "Your account was deleted."))
}
