//! Calls about API keys.

use actix_web::{HttpResponse, Responder, web};
use serde::{Deserialize, Serialize};

#[cfg(test)]
use super::openapi::schemas::{AdminRefusals, BodyRefusals, Missing, Refusals};
use super::permissions::Admin;
use super::requests::Text;
use super::responses::MessageResponse;
use crate::accounts::{AccountError, KEY_DAYS, KeyRequest, add_key, revoke_key};
use crate::domain::{ApiKey, Rfc3339, Scope};
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::state::AppState;

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct KeyBody {
    id: String,
    /// Name in the activity log
    name: String,
    /// First four characters after `deals_live_`
    prefix: String,
    #[cfg_attr(test, schema(value_type = Vec<Scope>))]
    scopes: Vec<&'static str>,
    /// Name of the account to which it belongs
    owner: String,
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    created_at: Rfc3339,
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    expires_at: Rfc3339,
    /// Accurate to an hour; null before the first use
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime, required = true))]
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

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct KeysResponse {
    data: Vec<KeyBody>,
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct AddKeyRequest {
    /// Name in the activity log, 1 to 50 characters
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = String, required = true))]
    name: Text,
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = Vec<Scope>, required = true))]
    scopes: Vec<String>,
    /// Days for which it is valid; 365 if left out
    #[cfg_attr(test, schema(minimum = 1, maximum = 730))]
    days: Option<i64>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct KeyAddedResponse {
    /// The key itself, which is never shown again
    secret: String,
    key: KeyBody,
}

/// Returns the API keys, the newest first.
#[cfg_attr(test, utoipa::path(
    operation_id = "list_keys",
    get, path = "/keys", tag = "administration", security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "The keys", body = KeysResponse), AdminRefusals, Refusals),
))]
pub(crate) async fn list(
    state: web::Data<AppState>,
    _admin: Admin,
) -> Result<impl Responder, ApiError> {
    let keys = state.query(crate::store::Store::list_keys).await?;
    Ok(web::Json(KeysResponse {
        data: keys.into_iter().map(KeyBody::from).collect(),
    }))
}

/// Makes an API key. Only this answer contains it.
#[cfg_attr(test, utoipa::path(
    operation_id = "add_key",
    post, path = "/keys", tag = "administration", request_body = AddKeyRequest,
    security(("token" = []), ("cookie" = [])),
    responses((status = 201, description = "Made", body = KeyAddedResponse), AdminRefusals, BodyRefusals),
))]
pub(crate) async fn add(
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
            Ok(add_key(store, &request, owner, &actor)?)
        })
        .await?;
    Ok(HttpResponse::Created().json(KeyAddedResponse {
        secret,
        key: key.into(),
    }))
}

/// Ends an API key at once.
#[cfg_attr(test, utoipa::path(
    operation_id = "revoke_key",
    delete, path = "/keys/{id}", tag = "administration",
    params(("id" = String, Path, description = "The key's id")),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "Revoked", body = MessageResponse), Missing, AdminRefusals, Refusals),
))]
pub(crate) async fn revoke(
    state: web::Data<AppState>,
    admin: Admin,
    id: web::Path<String>,
) -> Result<impl Responder, ApiError> {
    state
        .work(move |store| match revoke_key(store, &id, &admin.name()) {
            Err(AccountError::Unknown) => Err(ApiError::NotFound("There is no such key.")),
            revoked => Ok(revoked?),
        })
        .await?;
    Ok(web::Json(MessageResponse {
        message: "The key is revoked.",
    }))
}
