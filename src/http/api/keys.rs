//! Calls about API keys.

use actix_web::{HttpResponse, Responder, web};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::permissions::Admin;
use super::requests::Text;
use super::responses::MessageResponse;
use crate::accounts::{self, AccountError, KEY_DAYS, KeyRequest};
use crate::domain::{ApiKey, Rfc3339, Scope};
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::routes::{Route, delete, get, post};
use crate::http::state::AppState;

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        get("/keys", list_keys)
            .summary("Returns the API keys, the newest first.")
            .answers::<KeysResponse>("The keys"),
        post("/keys", add_key)
            .summary("Makes an API key. Only this answer contains it.")
            .creates::<KeyAddedResponse>("Made"),
        delete("/keys/{id}", revoke_key)
            .summary("Ends an API key at once.")
            .part("id", "The key's id")
            .answers::<MessageResponse>("Revoked")
            .or_missing(),
    ]
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct KeyBody {
    id: String,
    /// Name in the activity log
    name: String,
    /// First four characters after `deals_live_`
    prefix: String,
    #[schema(value_type = Vec<Scope>)]
    scopes: Vec<&'static str>,
    /// Name of the account to which it belongs
    owner: String,
    created_at: Rfc3339,
    expires_at: Rfc3339,
    /// Accurate to an hour; null before the first use
    #[schema(required = true)]
    last_used_at: Option<Rfc3339>,
}

impl From<ApiKey> for KeyBody {
    fn from(key: ApiKey) -> Self {
        Self {
            id: key.id,
            name: key.name,
            prefix: key.prefix,
            scopes: key.scopes.into_iter().map(Scope::as_str).collect(),
            owner: key.owner.username,
            created_at: Rfc3339(key.created_at),
            expires_at: Rfc3339(key.expires_at),
            last_used_at: key.last_used_at.map(Rfc3339),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct KeysResponse {
    data: Vec<KeyBody>,
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct AddKeyRequest {
    /// Name in the activity log, 1 to 50 characters
    name: Text,
    #[serde(default)]
    #[schema(value_type = Vec<Scope>, required = true)]
    scopes: Vec<String>,
    /// Days for which it is valid; 365 if left out
    #[schema(minimum = 1, maximum = 730)]
    days: Option<i64>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct KeyAddedResponse {
    /// The key itself, which is never shown again
    secret: String,
    key: KeyBody,
}

pub(crate) async fn list_keys(
    state: web::Data<AppState>,
    _admin: Admin,
) -> Result<impl Responder, ApiError> {
    let keys = state.query(crate::store::Store::list_keys).await?;
    Ok(web::Json(KeysResponse {
        data: keys.into_iter().map(KeyBody::from).collect(),
    }))
}

pub(crate) async fn add_key(
    state: web::Data<AppState>,
    admin: Admin,
    Json(body): Json<AddKeyRequest>,
) -> Result<impl Responder, ApiError> {
    let request = KeyRequest {
        name: body.name.as_str().to_owned(),
        scopes: body.scopes,
        days: body.days.unwrap_or(KEY_DAYS),
    };
    let (key, secret) = state
        .work(move |store| {
            let (owner, actor) = (&admin.session().user, admin.name());
            Ok(accounts::add_key(store, &request, owner, &actor)?)
        })
        .await?;
    Ok(HttpResponse::Created().json(KeyAddedResponse {
        secret,
        key: key.into(),
    }))
}

pub(crate) async fn revoke_key(
    state: web::Data<AppState>,
    admin: Admin,
    id: web::Path<String>,
) -> Result<impl Responder, ApiError> {
    state
        .work(
            move |store| match accounts::revoke_key(store, &id, &admin.name()) {
                Err(AccountError::Unknown) => Err(ApiError::NotFound("There is no such key.")),
                revoked => Ok(revoked?),
            },
        )
        .await?;
    Ok(web::Json(MessageResponse {
        message: "The key is revoked.",
    }))
}
