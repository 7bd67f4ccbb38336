//! Calls about webhooks.

use actix_web::{HttpResponse, Responder, web};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::permissions::Admin;
use super::requests::Text;
use super::responses::MessageResponse;
use crate::accounts::{AccountError, Accounts, WebhookRequest};
use crate::domain::{Delivery, Rfc3339, Webhook, WebhookEvent};
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::routes::{Route, delete, get, post, put};
use crate::http::state::AppState;
use crate::store::StoreError;

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        get("/webhooks", list_webhooks)
            .summary("Returns the webhooks, the oldest first.")
            .answers::<WebhooksResponse>("The webhooks"),
        post("/webhooks", add_webhook)
            .summary("Makes a webhook. Only this answer contains its secret.")
            .creates::<WebhookSecretResponse>("Made"),
        put("/webhooks/{id}", change_webhook)
            .summary(
                "Changes a webhook, or switches it on or off; what waits for one that is off is \
                 dropped.",
            )
            .part("id", "The webhook's id")
            .answers::<WebhookBody>("Changed")
            .or_missing(),
        delete("/webhooks/{id}", remove_webhook)
            .summary("Removes a webhook with everything that waits for it.")
            .part("id", "The webhook's id")
            .answers::<MessageResponse>("Removed")
            .or_missing(),
        post("/webhooks/{id}/test", send_webhook_test)
            .without_code()
            .summary("Sends a test to a webhook within a second, also to one that is off.")
            .part("id", "The webhook's id")
            .answers::<MessageResponse>("Queued")
            .or_missing(),
        post("/webhooks/{id}/rotate", renew_webhook_secret)
            .summary("Makes a new secret, which only this answer contains; both sign for 24 hours.")
            .part("id", "The webhook's id")
            .answers::<WebhookSecretResponse>("Renewed")
            .or_missing(),
        get("/webhooks/{id}/deliveries", list_webhook_deliveries)
            .summary("Returns the last 100 deliveries of a webhook, the newest first.")
            .part("id", "The webhook's id")
            .answers::<DeliveriesResponse>("The deliveries")
            .or_missing(),
        post(
            "/webhooks/{id}/deliveries/{delivery}/again",
            send_webhook_delivery_again,
        )
        .without_code()
        .summary("Sends what a delivery sent once more, with the same id.")
        .part("id", "The webhook's id")
        .part("delivery", "The delivery's id")
        .answers::<MessageResponse>("Queued")
        .or_missing(),
    ]
}

const MISSING: &str = "There is no such webhook.";

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WebhookBody {
    id: String,
    url: String,
    #[schema(value_type = Vec<WebhookEvent>)]
    events: Vec<&'static str>,
    /// Whether events are sent
    on: bool,
    /// Why the server switched it off, a sentence; empty otherwise
    off_reason: String,
    /// First failure since the last success; null if the last delivery succeeded
    #[schema(required = true)]
    failing_since: Option<Rfc3339>,
    /// Events that wait
    waiting: u64,
    /// Events that were dropped because too many waited
    dropped: u64,
    /// End of the secret before the last rotation; null if there was none
    #[schema(required = true)]
    former_secret_until: Option<Rfc3339>,
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

#[derive(Serialize, ToSchema)]
pub(crate) struct WebhooksResponse {
    data: Vec<WebhookBody>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct WebhookSecretResponse {
    /// `whsec_` and base64, which is never shown again
    secret: String,
    webhook: WebhookBody,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DeliveryBody {
    id: i64,
    /// The header `webhook-id`
    message: String,
    #[schema(value_type = WebhookEvent)]
    event: &'static str,
    /// Id of the product; null for other events
    #[schema(required = true)]
    product: Option<String>,
    /// Number of this attempt, from 1
    attempt: u32,
    /// HTTP status; null without an answer
    #[schema(required = true)]
    status: Option<u16>,
    /// Why it failed, a sentence; empty if it was delivered
    error: String,
    at: Rfc3339,
    /// The next attempt; null if there is none
    #[schema(required = true)]
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

#[derive(Serialize, ToSchema)]
pub(crate) struct DeliveriesResponse {
    data: Vec<DeliveryBody>,
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct SaveWebhookRequest {
    /// An https address without a name or password
    url: Text,
    /// Events to send, without `webhook.test`
    #[serde(default)]
    #[schema(value_type = Vec<WebhookEvent>, required = true)]
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

pub(crate) async fn list_webhooks(
    state: web::Data<AppState>,
    _admin: Admin,
) -> Result<impl Responder, ApiError> {
    let webhooks = state.query(crate::store::Store::list_webhooks).await?;
    Ok(web::Json(WebhooksResponse {
        data: webhooks.into_iter().map(WebhookBody::from).collect(),
    }))
}

pub(crate) async fn add_webhook(
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

pub(crate) async fn change_webhook(
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

pub(crate) async fn remove_webhook(
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

pub(crate) async fn send_webhook_test(
    state: web::Data<AppState>,
    _admin: Admin,
    id: web::Path<String>,
) -> Result<impl Responder, ApiError> {
    with(&state, move |accounts| accounts.test_webhook(&id)).await?;
    Ok(web::Json(MessageResponse {
        message: "The test is on its way.",
    }))
}

pub(crate) async fn renew_webhook_secret(
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

pub(crate) async fn list_webhook_deliveries(
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

pub(crate) async fn send_webhook_delivery_again(
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
