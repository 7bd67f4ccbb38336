//! Calls about mails without an account.

use actix_web::{Responder, web};
use serde::Serialize;
use utoipa::ToSchema;

use crate::catalog::export::texts_csv;
use crate::http::api::permissions::{Admin, May, UseOffice};
use crate::http::error::ApiError;
use crate::http::routes::{Route, get, post};
use crate::http::state::AppState;
use crate::subscribers::{SubscribersBody, SubscriptionBody};

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        get("/subscriber", get_subscribers)
            .summary(
                "Returns the numbers of addresses that get mails without an account, no address.",
            )
            .answers::<SubscribersBody>("The numbers"),
        post("/subscriber/export", export_subscribers)
            .summary("Returns the confirmed addresses, and logs it.")
            .answers::<SubscribersExport>("The addresses"),
        get("/subscriber/own/{token}", get_own_subscription)
            .summary("Returns what an address gets by mail; nothing for an unknown token.")
            .part("token", "Token of the link in each mail")
            .answers::<SubscriptionBody>("The lists that it follows"),
    ]
}

#[derive(Serialize, ToSchema)]
pub(crate) struct SubscribersExport {
    /// A table with the columns email, confirmedAt and lists
    csv: String,
}

pub(crate) async fn get_subscribers(
    state: web::Data<AppState>,
    _staff: May<UseOffice>,
) -> Result<impl Responder, ApiError> {
    let subscribers = state.subscribers().clone();
    let numbers = state.work(move |_| Ok(subscribers.numbers()?));
    Ok(web::Json(numbers.await?))
}

pub(crate) async fn export_subscribers(
    state: web::Data<AppState>,
    admin: Admin,
) -> Result<impl Responder, ApiError> {
    let (subscribers, actor) = (state.subscribers().clone(), admin.name());
    let rows = state.work(move |_| Ok(subscribers.export(actor)?)).await?;
    let csv = texts_csv(&rows).map_err(ApiError::Internal)?;
    tracing::info!(
        user = admin.id(),
        "the addresses of subscribers were exported"
    );
    Ok(web::Json(SubscribersExport { csv }))
}

pub(crate) async fn get_own_subscription(
    state: web::Data<AppState>,
    token: web::Path<String>,
) -> Result<impl Responder, ApiError> {
    let subscribers = state.subscribers().clone();
    let body = state.work(move |_| Ok(subscribers.subscription(&token)?));
    Ok(web::Json(body.await?))
}
