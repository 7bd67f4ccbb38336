//! Calls about webhooks.

use actix_web::{HttpResponse, Responder, web};
use serde::Serialize;

#[cfg(test)]
use super::openapi::schemas::{AdminRefusals, BodyRefusals, Missing, Refusals};
use super::permissions::Admin;
use super::responses::MessageResponse;
use crate::accounts::{AccountError, Accounts};
use crate::domain::{Webhook, WebhookRequest};
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::state::AppState;
use crate::store::Store;

const MISSING: &str = "There is no such webhook.";

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct WebhooksResponse {
    data: Vec<Webhook>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct WebhookSecretResponse {
    /// `whsec_` and base64, which is never shown again
    secret: String,
    webhook: Webhook,
}

/// Returns the webhooks, the oldest first.
#[cfg_attr(test, utoipa::path(
    operation_id = "list_webhooks",
    get, path = "/webhooks", tag = "administration", security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "The webhooks", body = WebhooksResponse), AdminRefusals, Refusals),
))]
pub(crate) async fn list(
    state: web::Data<AppState>,
    _admin: Admin,
) -> Result<impl Responder, ApiError> {
    let data = state.query(Store::list_webhooks).await?;
    Ok(web::Json(WebhooksResponse { data }))
}

/// Makes a webhook. Only this answer contains its secret.
#[cfg_attr(test, utoipa::path(
    operation_id = "add_webhook",
    post, path = "/webhooks", tag = "administration", request_body = WebhookRequest,
    security(("token" = []), ("cookie" = [])),
    responses((status = 201, description = "Made", body = WebhookSecretResponse), AdminRefusals, BodyRefusals),
))]
pub(crate) async fn add(
    state: web::Data<AppState>,
    admin: Admin,
    Json(body): Json<WebhookRequest>,
) -> Result<impl Responder, ApiError> {
    let networks = state.options().fetch_networks.clone();
    let (webhook, secret) = state
        .accounts_work(move |accounts| accounts.add_webhook(&body, &networks, admin.name()))
        .await?;
    Ok(HttpResponse::Created().json(WebhookSecretResponse { secret, webhook }))
}

/// Changes a webhook, or switches it on or off; what waits for one that is off is dropped.
#[cfg_attr(test, utoipa::path(
    operation_id = "change_webhook",
    put, path = "/webhooks/{id}", tag = "administration", request_body = WebhookRequest,
    params(("id" = String, Path, description = "The webhook's id")),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "Changed", body = Webhook), Missing, AdminRefusals, BodyRefusals),
))]
pub(crate) async fn change(
    state: web::Data<AppState>,
    admin: Admin,
    id: web::Path<String>,
    Json(body): Json<WebhookRequest>,
) -> Result<impl Responder, ApiError> {
    let networks = state.options().fetch_networks.clone();
    let webhook = with(&state, move |accounts| {
        accounts.change_webhook(id.into_inner(), &body, &networks, admin.name())
    })
    .await?;
    Ok(web::Json(webhook))
}

/// Removes a webhook with everything that waits for it.
#[cfg_attr(test, utoipa::path(
    operation_id = "remove_webhook",
    delete, path = "/webhooks/{id}", tag = "administration",
    params(("id" = String, Path, description = "The webhook's id")),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "Removed", body = MessageResponse), Missing, AdminRefusals, Refusals),
))]
pub(crate) async fn remove(
    state: web::Data<AppState>,
    admin: Admin,
    id: web::Path<String>,
) -> Result<impl Responder, ApiError> {
    with(&state, move |accounts| {
        accounts.remove_webhook(id.into_inner(), admin.name())
    })
    .await?;
    Ok(web::Json(MessageResponse {
        message: "The webhook is removed.",
    }))
}

/// Sends a test to a webhook within a second, also to one that is off.
#[cfg_attr(test, utoipa::path(
    operation_id = "send_webhook_test",
    post, path = "/webhooks/{id}/test", tag = "administration",
    params(("id" = String, Path, description = "The webhook's id")),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "Queued", body = MessageResponse), Missing, AdminRefusals, Refusals),
))]
pub(crate) async fn send_test(
    state: web::Data<AppState>,
    _admin: Admin,
    id: web::Path<String>,
) -> Result<impl Responder, ApiError> {
    with(&state, move |accounts| {
        accounts.test_webhook(id.into_inner())
    })
    .await?;
    Ok(web::Json(MessageResponse {
        message: "The test is on its way.",
    }))
}

/// Works on a webhook; one that is gone is 404.
async fn with<T, F>(state: &AppState, work: F) -> Result<T, ApiError>
where
    T: Send + 'static,
    F: FnOnce(&Accounts) -> Result<T, AccountError> + Send + 'static,
{
    let done = state.accounts_work(move |accounts| match work(accounts) {
        Err(AccountError::Unknown) => Ok(None),
        done => done.map(Some),
    });
    done.await?.ok_or(ApiError::NotFound(MISSING))
}
