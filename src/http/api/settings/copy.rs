//! Download of a copy of the database.

use std::io;

use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, ContentDisposition, DispositionParam, DispositionType,
};
use actix_web::{HttpResponse, Responder, rt, web};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::server::no_store;
use crate::domain::timestamp_for_file;
use crate::http::api::admin::streamed;
use crate::http::api::permissions::Admin;
use crate::http::error::ApiError;
use crate::http::routes::{Route, get, post};
use crate::http::serving::copies::KEPT;
use crate::http::serving::queue::Party;
use crate::http::state::AppState;
use crate::maintenance::backups::copy_with_room;

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        post("/settings/backups/copy", add_database_copy)
            .summary(
                "Makes a verified copy of the database, to be downloaded once within ten minutes.",
            )
            .answers::<CopyResponse>("The copy is ready")
            .refuses(409, "One is being made, or there is no room for it"),
        get("/settings/backups/copy/{id}", get_database_copy)
            .summary("Downloads the copy.")
            .part("id", "The copy's id")
            .answers_as::<Vec<u8>>("application/vnd.sqlite3", "The file")
            .or_missing(),
    ]
}

#[derive(Serialize, ToSchema)]
pub(crate) struct CopyResponse {
    /// Address of the download
    path: String,
    /// Name of the file
    name: String,
    bytes: u64,
    products: u64,
    accounts: u64,
}

pub(crate) async fn add_database_copy(
    state: web::Data<AppState>,
    admin: Admin,
) -> Result<impl Responder, ApiError> {
    state.rate_limits().copy(admin.id())?;
    let turn = state.copies().begin()?;
    let party = Party::account(admin.id());
    let made = state
        .file_work(party, move |store, _| {
            let _turn = turn;
            Ok(copy_with_room(store.path()).map_err(|error| error.to_string()))
        })
        .await?;
    let (file, contents) = made.map_err(|reason| {
        tracing::warn!(reason, "a copy could not be made");
        ApiError::Conflict(format!("The copy could not be made: {reason}"))
    })?;
    let now = Timestamp::now();
    let store = state.store();
    let stem = store.path().file_stem().unwrap_or_default();
    let name = format!(
        "{}-{}.sqlite",
        stem.to_string_lossy(),
        timestamp_for_file(now)
    );
    store.log_copy(admin.name(), now).await?;
    tracing::info!(
        user = admin.id(),
        "a copy of the database was made to be downloaded"
    );
    let id = state.copies().keep(file, name.clone(), contents.bytes);
    let path = format!("/settings/backups/copy/{id}");
    let forgetful = state.clone();
    rt::spawn(async move {
        tokio::time::sleep(KEPT).await;
        drop(forgetful.copies().take(&id));
    });
    Ok(no_store().json(CopyResponse {
        path,
        name,
        bytes: contents.bytes,
        products: contents.products,
        accounts: contents.accounts,
    }))
}

pub(crate) async fn get_database_copy(
    state: web::Data<AppState>,
    admin: Admin,
    id: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    let slot = state.export_slot()?;
    let mut copy = state.copies().take(&id).ok_or(ApiError::NotFound(
        "This copy was downloaded, is older than ten minutes, or a newer one replaced it. Make another.",
    ))?;
    tracing::info!(user = admin.id(), "a copy of the database is downloaded");
    let attached = ContentDisposition {
        disposition: DispositionType::Attachment,
        parameters: vec![DispositionParam::Filename(copy.name)],
    };
    let body = streamed(slot, move |output| {
        io::copy(&mut copy.file, output).map(|_| ())
    });
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_DISPOSITION, attached))
        .insert_header((CACHE_CONTROL, "no-store"))
        .content_type("application/vnd.sqlite3")
        .no_chunking(copy.bytes)
        .streaming(body))
}
