//! The backups that were made, and one more on demand.

use actix_web::{Responder, web};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::server::no_store;
use crate::domain::Rfc3339;
use crate::http::api::permissions::Admin;
use crate::http::api::responses::MessageResponse;
use crate::http::error::ApiError;
use crate::http::routes::{Route, get, post};
use crate::http::serving::queue::Party;
use crate::http::state::AppState;
use crate::jobs::BACKUP;
use crate::maintenance::backups::{Backup, file_name, sentence};

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        get("/settings/backups/made", list_backups)
            .summary("Returns the newest backups, when the next is due, and why the last failed.")
            .answers::<BackupsMadeResponse>("The backups"),
        post("/settings/backups/made", add_backup)
            .without_code()
            .summary("Has the server make a backup at once, as the schedule would; it goes on after the answer.")
            .answers::<MessageResponse>("It begins")
            .refuses(409, "One is being made, or no place is chosen"),
    ]
}

/// Number of backups in the answer.
const NEWEST: usize = 10;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BackupsMadeResponse {
    /// Whether one is being made
    making: bool,
    /// Why the last one failed; null if it did not
    #[schema(required = true)]
    failure: Option<String>,
    /// When the next is due; null without a place, or if the place can't be read
    #[schema(required = true)]
    next: Option<Rfc3339>,
    /// Why the place can't be read; null if it can
    #[schema(required = true)]
    problem: Option<String>,
    /// Number of all backups
    total: usize,
    /// The ten newest, the newest first
    newest: Vec<BackupBody>,
}

#[derive(Serialize, ToSchema)]
struct BackupBody {
    /// Name of the file or object
    name: String,
    at: Rfc3339,
    bytes: u64,
}

impl From<&Backup> for BackupBody {
    fn from(backup: &Backup) -> Self {
        Self {
            name: file_name(&backup.name).to_owned(),
            at: Rfc3339(Timestamp::try_from(backup.at).unwrap_or_default()),
            bytes: backup.bytes,
        }
    }
}

pub(crate) async fn list_backups(
    state: web::Data<AppState>,
    admin: Admin,
) -> Result<impl Responder, ApiError> {
    let shared = state.get_ref().clone();
    let listed = state
        .file_work(Party::account(admin.id()), move |store, _| {
            // Before the list, so that a client asks again for one that ends meanwhile.
            let making = shared.backups().is_making();
            let plan = shared.backups().current();
            let listed = plan.as_ref().map(|plan| plan.made(store.path()));
            let (made, problem) = match listed.transpose() {
                Ok(made) => (made.unwrap_or_default(), None),
                Err(problem) => (Vec::new(), Some(problem)),
            };
            let plan = plan.filter(|_| problem.is_none());
            let next = plan.map(|plan| Timestamp::now() + plan.until_next(made.first()));
            Ok(BackupsMadeResponse {
                making,
                failure: shared
                    .last_runs()
                    .failure_of(BACKUP)
                    .as_deref()
                    .map(sentence),
                next: next.map(Rfc3339),
                problem: problem.as_deref().map(sentence),
                total: made.len(),
                newest: made.iter().take(NEWEST).map(BackupBody::from).collect(),
            })
        })
        .await?;
    Ok(no_store().json(listed))
}

pub(crate) async fn add_backup(
    state: web::Data<AppState>,
    admin: Admin,
) -> Result<impl Responder, ApiError> {
    let backups = state.backups();
    if backups.current().is_none() {
        return Err(ApiError::Conflict(
            "No place is chosen. Choose one below and save it.".to_owned(),
        ));
    }
    state.rate_limits().copy(admin.id())?;
    if !backups.request() {
        return Err(ApiError::Conflict(
            "A backup is being made already.".to_owned(),
        ));
    }
    state.backup_waker().wake();
    tracing::info!(user = admin.id(), "a backup was requested");
    Ok(web::Json(MessageResponse {
        message: "The backup has begun.",
    }))
}
