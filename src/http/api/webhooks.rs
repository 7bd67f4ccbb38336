//! Calls about webhooks.

use actix_web::{HttpResponse, Responder, web};
use serde::{Deserialize, Serialize};

#[cfg(test)]
use super::openapi::schemas::{AdminRefusals, BodyRefusals, Missing, Refusals};
use super::permissions::Admin;
use super::requests::Text;
use super::responses::MessageResponse;
use crate::accounts::{AccountError, Accounts, WebhookRequest};
use crate::domain::{Delivery, Rfc3339, Webhook, WebhookEvent};
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::state::AppState;
use crate::store::StoreError;

const MISSING: &str = "There is no such webhook.";

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct WebhookBody {
    id: String,
    url: String,
    #[cfg_attr(test, schema(value_type = Vec<WebhookEvent>))]
    events: Vec<&'static str>,
    /// Whether events are sent
    on: bool,
    /// Why the server switched it off, a sentence; empty otherwise
    off_reason: String,
    /// First failure since the last success; null if the last delivery succeeded
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime, required = true))]
    failing_since: Option<Rfc3339>,
    /// Events that wait
    waiting: u64,
    /// Events that were dropped because too many waited
    dropped: u64,
    /// End of the secret before the last rotation; null if there was none
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime, required = true))]
    former_secret_until: Option<Rfc3339>,
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    created_at: Rfc3339,
}

impl From<Webhook> for WebhookBody {
    fn from(webhook: Webhook) -> Self {
        Self {
            id: webhook.id,
            url: webhook.url,
            events: webhook
                .events
                .into_iter()
                .map(WebhookEvent::as_str)
                .collect(),
            on: webhook.is_on,
            off_reason: webhook.off_reason,
            failing_since: webhook.failing_since.map(Rfc3339),
            waiting: webhook.waiting,
            dropped: webhook.dropped,
            former_secret_until: webhook.former_until.map(Rfc3339),
            created_at: Rfc3339(webhook.created_at),
        }
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct WebhooksResponse {
    data: Vec<WebhookBody>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct WebhookSecretResponse {
    /// `whsec_` and base64, which is never shown again
    secret: String,
    webhook: WebhookBody,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct DeliveryBody {
    id: i64,
    /// The header `webhook-id`
    message: String,
    #[cfg_attr(test, schema(value_type = WebhookEvent))]
    event: &'static str,
    /// Id of the product; null for other events
    #[cfg_attr(test, schema(required = true))]
    product: Option<String>,
    /// Number of this attempt, from 1
    attempt: u32,
    /// HTTP status; null without an answer
    #[cfg_attr(test, schema(required = true))]
    status: Option<u16>,
    /// Why it failed, a sentence; empty if it was delivered
    error: String,
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    at: Rfc3339,
    /// The next attempt; null if there is none
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime, required = true))]
    next_at: Option<Rfc3339>,
}

impl From<Delivery> for DeliveryBody {
    fn from(delivery: Delivery) -> Self {
        Self {
            id: delivery.number,
            message: delivery.sent.message,
            event: delivery.sent.event.as_str(),
            product: delivery.sent.subject,
            attempt: delivery.attempt,
            status: delivery.status,
            error: delivery.error,
            at: Rfc3339(delivery.at),
            next_at: delivery.next_at.map(Rfc3339),
        }
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct DeliveriesResponse {
    data: Vec<DeliveryBody>,
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct SaveWebhookRequest {
    /// An https address without a name or password
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = String, required = true))]
    url: Text,
    /// Events to send, without `webhook.test`
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = Vec<WebhookEvent>, required = true))]
    events: Vec<String>,
    /// Whether events are sent; true if left out
    on: Option<bool>,
}

impl From<SaveWebhookRequest> for WebhookRequest {
    fn from(body: SaveWebhookRequest) -> Self {
        Self {
            url: body.url.as_str().to_owned(),
            events: body.events,
            is_on: body.on.unwrap_or(true),
        }
    }
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
    let webhooks = state.query(crate::store::Store::list_webhooks).await?;
    Ok(web::Json(WebhooksResponse {
        data: webhooks.into_iter().map(WebhookBody::from).collect(),
    }))
}

/// Makes a webhook. Only this answer contains its secret.
#[cfg_attr(test, utoipa::path(
    operation_id = "add_webhook",
    post, path = "/webhooks", tag = "administration", request_body = SaveWebhookRequest,
    security(("token" = []), ("cookie" = [])),
    responses((status = 201, description = "Made", body = WebhookSecretResponse), AdminRefusals, BodyRefusals),
))]
pub(crate) async fn add(
    state: web::Data<AppState>,
    admin: Admin,
    Json(body): Json<SaveWebhookRequest>,
) -> Result<impl Responder, ApiError> {
    let (request, networks) = (
        WebhookRequest::from(body),
        state.options().fetch_networks.clone(),
    );
    let (webhook, secret) = state
        .accounts_work(move |accounts| accounts.add_webhook(&request, &networks, &admin.name()))
        .await?;
    Ok(HttpResponse::Created().json(WebhookSecretResponse {
        secret,
        webhook: webhook.into(),
    }))
}

/// Changes a webhook, or switches it on or off; what waits for one that is off is dropped.
#[cfg_attr(test, utoipa::path(
    operation_id = "change_webhook",
    put, path = "/webhooks/{id}", tag = "administration", request_body = SaveWebhookRequest,
    params(("id" = String, Path, description = "The webhook's id")),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "Changed", body = WebhookBody), Missing, AdminRefusals, BodyRefusals),
))]
pub(crate) async fn change(
    state: web::Data<AppState>,
    admin: Admin,
    id: web::Path<String>,
    Json(body): Json<SaveWebhookRequest>,
) -> Result<impl Responder, ApiError> {
    let (request, networks) = (
        WebhookRequest::from(body),
        state.options().fetch_networks.clone(),
    );
    let webhook = with(&state, move |accounts| {
        accounts.change_webhook(&id, &request, &networks, &admin.name())
    })
    .await?;
    Ok(web::Json(WebhookBody::from(webhook)))
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
        accounts.remove_webhook(&id, &admin.name())
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
    with(&state, move |accounts| accounts.test_webhook(&id)).await?;
    Ok(web::Json(MessageResponse {
        message: "The test is on its way.",
    }))
}

/// Makes a new secret, which only this answer contains; both sign for 24 hours.
#[cfg_attr(test, utoipa::path(
    operation_id = "renew_webhook_secret",
    post, path = "/webhooks/{id}/rotate", tag = "administration",
    params(("id" = String, Path, description = "The webhook's id")),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "Renewed", body = WebhookSecretResponse), Missing, AdminRefusals, Refusals),
))]
pub(crate) async fn rotate(
    state: web::Data<AppState>,
    admin: Admin,
    id: web::Path<String>,
) -> Result<impl Responder, ApiError> {
    let rotated = with(&state, move |accounts| {
        accounts.rotate_webhook(&id, &admin.name())
    });
    let (webhook, secret) = rotated.await?;
    Ok(web::Json(WebhookSecretResponse {
        secret,
        webhook: webhook.into(),
    }))
}

/// Returns the last 100 deliveries of a webhook, the newest first.
#[cfg_attr(test, utoipa::path(
    operation_id = "list_webhook_deliveries",
    get, path = "/webhooks/{id}/deliveries", tag = "administration",
    params(("id" = String, Path, description = "The webhook's id")),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "The deliveries", body = DeliveriesResponse), Missing, AdminRefusals, Refusals),
))]
pub(crate) async fn deliveries(
    state: web::Data<AppState>,
    _admin: Admin,
    id: web::Path<String>,
) -> Result<impl Responder, ApiError> {
    let deliveries = state
        .work(move |store| match store.list_deliveries(&id) {
            Err(StoreError::NotFound) => Err(ApiError::NotFound(MISSING)),
            deliveries => Ok(deliveries?),
        })
        .await?;
    Ok(web::Json(DeliveriesResponse {
        data: deliveries.into_iter().map(DeliveryBody::from).collect(),
    }))
}

/// Sends what a delivery sent once more, with the same id.
#[cfg_attr(test, utoipa::path(
    operation_id = "send_webhook_delivery_again",
    post, path = "/webhooks/{id}/deliveries/{delivery}/again", tag = "administration",
    params(
        ("id" = String, Path, description = "The webhook's id"),
        ("delivery" = i64, Path, description = "The delivery's id"),
    ),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "Queued", body = MessageResponse), Missing, AdminRefusals, Refusals),
))]
pub(crate) async fn again(
    state: web::Data<AppState>,
    _admin: Admin,
    path: web::Path<(String, String)>,
) -> Result<impl Responder, ApiError> {
    let (id, delivery) = path.into_inner();
    let Ok(delivery) = delivery.parse() else {
        return Err(ApiError::NotFound(MISSING));
    };
    with(&state, move |accounts| {
        accounts.send_delivery_again(&id, delivery)
    })
    .await?;
    Ok(web::Json(MessageResponse {
        message: "The event is sent again.",
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
