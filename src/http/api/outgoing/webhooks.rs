//! Calls about webhooks.

use actix_web::{HttpResponse, Responder, web};
use serde::Serialize;
use utoipa::ToSchema;

use crate::accounts::{self, AccountError};
use crate::domain::{Webhook, WebhookRequest};
use crate::http::api::permissions::Admin;
use crate::http::api::responses::MessageResponse;
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::routes::{Route, delete, get, post, put};
use crate::http::state::AppState;
use crate::store::Store;

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
            .answers::<Webhook>("Changed")
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
    ]
}

#[derive(Serialize, ToSchema)]
pub(crate) struct WebhooksResponse {
    data: Vec<Webhook>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct WebhookSecretResponse {
    /// `whsec_` and base64, which is never shown again
    secret: String,
    webhook: Webhook,
}

pub(crate) async fn list_webhooks(
    state: web::Data<AppState>,
    _admin: Admin,
) -> Result<impl Responder, ApiError> {
    let data = state.query(Store::list_webhooks).await?;
    Ok(web::Json(WebhooksResponse { data }))
}

pub(crate) async fn add_webhook(
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

pub(crate) async fn change_webhook(
    state: web::Data<AppState>,
    admin: Admin,
    id: web::Path<String>,
    Json(body): Json<WebhookRequest>,
) -> Result<impl Responder, ApiError> {
    let networks = state.options().fetch_networks.clone();
    let (id, actor) = (id.into_inner(), admin.name());
    let change =
        move |store: &Store| found(accounts::change_webhook(store, id, &body, &networks, actor));
    Ok(web::Json(state.work(change).await?))
}

pub(crate) async fn remove_webhook(
    state: web::Data<AppState>,
    admin: Admin,
    id: web::Path<String>,
) -> Result<impl Responder, ApiError> {
    let (id, actor) = (id.into_inner(), admin.name());
    let remove = |store: &Store| found(accounts::remove_webhook(store, id, actor));
    state.work(remove).await?;
    Ok(web::Json(MessageResponse {
        message: "The webhook is removed.",
    }))
}

pub(crate) async fn send_webhook_test(
    state: web::Data<AppState>,
    _admin: Admin,
    id: web::Path<String>,
) -> Result<impl Responder, ApiError> {
    let test = |store: &Store| found(accounts::test_webhook(store, id.into_inner()));
    state.work(test).await?;
    Ok(web::Json(MessageResponse {
        message: "The test is on its way.",
    }))
}

/// Answers 404 about a webhook that is gone.
fn found<T>(done: Result<T, AccountError>) -> Result<T, ApiError> {
    match done {
        Err(AccountError::Unknown) => Err(ApiError::NotFound("There is no such webhook.")),
        done => Ok(done?),
    }
}
