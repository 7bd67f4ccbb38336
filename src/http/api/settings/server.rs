//! Calls about mail and backups of the server, as an administrator chooses them.

use std::path::Path;

use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpResponse, HttpResponseBuilder, Responder, web};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::accounts::{ChoiceChange, KEY_FILE, SavedChoice};
use crate::domain::{BackupChoice, MailChoice, MailSecurity, Rfc3339};
use crate::http::api::permissions::Admin;
use crate::http::api::requests::Text;
use crate::http::api::responses::MessageResponse;
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::routes::{Route, get, post, put};
use crate::http::serving::queue::Party;
use crate::http::serving::rate_limit::Client;
use crate::http::state::AppState;
use crate::mail::Mailer;
use crate::maintenance::backups::root_of;
use crate::store::{Store, with_suffix};

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        get("/settings/mail", get_mail_settings)
            .summary("Returns the mail server, without its password.")
            .answers::<MailResponse>("The mail server"),
        put("/settings/mail", change_mail_settings)
            .summary(
                "Chooses the mail server, in force at once; an empty `host` for none. A `password` that is \
                 left out stays, unless it was for another server or user.",
            )
            .answers::<MailResponse>("The mail server")
            .refuses(409, "Set by options, or changed by somebody else meanwhile"),
        get("/settings/backups", get_backup_settings)
            .summary("Returns the place of backups, without its secret key.")
            .answers::<BackupsResponse>("The place"),
        put("/settings/backups", change_backup_settings)
            .summary(
                "Chooses the place of backups, in force at once; an empty `place` for none. A folder is made and \
                 tried first. A `secretKey` that is left out stays, unless it was for another key or endpoint.",
            )
            .answers::<BackupsResponse>("The place")
            .refuses(409, "Set by options, or changed by somebody else meanwhile"),
        post("/settings/backups/test", check_backup_place)
            .without_code()
            .summary("Writes a small file to the place of the backups, and deletes it.")
            .answers::<MessageResponse>("It can be used")
            .refuses(409, "It can't be used, with the reason"),
    ]
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MailResponse {
    #[serde(flatten)]
    choice: MailChoice,
    /// Time at which the password was given; null without one
    #[schema(required = true)]
    password_at: Option<Rfc3339>,
    /// Variable that names the server; null if an administrator may choose it
    #[schema(required = true)]
    set_by: Option<&'static str>,
    /// Variable that names the sender; null if an administrator may choose it
    #[schema(required = true)]
    sender_set_by: Option<&'static str>,
    /// Host and port in force; null if mails are printed in the log
    #[schema(required = true)]
    server: Option<String>,
    /// Why no mail can be sent; null if there is no such reason
    #[schema(required = true)]
    problem: Option<String>,
    /// Version to send with a change
    version: i64,
}

/// Variables that win over what an administrator chose.
const SMTP_URL: &str = "DEALS_SMTP_URL";
const MAIL_FROM: &str = "DEALS_MAIL_FROM";
const BACKUP_DIR: &str = "DEALS_BACKUP_DIR";

pub(crate) async fn get_mail_settings(
    state: web::Data<AppState>,
    _admin: Admin,
) -> Result<impl Responder, ApiError> {
    let shared = state.get_ref().clone();
    let read = move |store: &Store| Ok(mail_response(&shared, SavedChoice::read(store)?));
    Ok(no_store().json(state.query(read).await?))
}

fn mail_response(state: &AppState, saved: SavedChoice<MailChoice>) -> MailResponse {
    let mailer = state.mail().current();
    let mut choice = saved.choice;
    let is_given = state.mail().is_given();
    if is_given {
        choice = MailChoice {
            sender: mailer.sender().unwrap_or_default(),
            ..MailChoice::default()
        };
    } else if let Some(sender) = state.mail().given_sender() {
        choice.sender = sender.to_owned();
    }
    MailResponse {
        choice,
        password_at: saved.secret_at.filter(|_| !is_given).map(Rfc3339),
        set_by: is_given.then_some(SMTP_URL),
        sender_set_by: state.mail().given_sender().map(|_| MAIL_FROM),
        server: mailer.server(),
        problem: match &*mailer {
            Mailer::Unusable(_, reason) => Some(reason.clone()),
            Mailer::Smtp(_) | Mailer::Log => None,
        },
        version: saved.version,
    }
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct SaveMailRequest {
    /// Version that was read
    version: i64,
    host: Text,
    /// Port, like 465 or 587
    #[serde(default)]
    port: u32,
    #[schema(value_type = MailSecurity)]
    security: Text,
    user: Text,
    /// The password; empty to remove it, left out to keep it
    password: Option<String>,
    sender: Text,
}

pub(crate) async fn change_mail_settings(
    state: web::Data<AppState>,
    admin: Admin,
    Json(body): Json<SaveMailRequest>,
) -> Result<impl Responder, ApiError> {
    if state.mail().is_given() {
        return Err(set_by(SMTP_URL));
    }
    let host = trimmed(&body.host);
    let security = match body.security.as_str() {
        "" if host.is_empty() => MailSecurity::default(),
        name => MailSecurity::parse(name).ok_or_else(|| {
            ApiError::invalid("security", "security must be one of tls, starttls, none.")
        })?,
    };
    let change = ChoiceChange {
        choice: MailChoice {
            host,
            // 0 is none.
            port: u16::try_from(body.port).unwrap_or_default(),
            security,
            user: trimmed(&body.user),
            sender: trimmed(&body.sender),
        },
        secret: body.password,
        seen: body.version,
        actor: admin.name(),
    };
    let shared = state.get_ref().clone();
    let saved = state
        .work(move |store| {
            shared.mail().change(change)?;
            Ok(mail_response(&shared, SavedChoice::read(store)?))
        })
        .await?;
    tracing::info!(user = admin.id(), "the mail server was changed");
    Ok(no_store().json(saved))
}

fn key_file(database: &Path) -> Option<String> {
    let path = with_suffix(database, KEY_FILE);
    let name = path.file_name()?.to_string_lossy().into_owned();
    path.exists().then_some(name)
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BackupsResponse {
    #[serde(flatten)]
    choice: BackupChoice,
    /// Time at which the secret key was given; null without one
    #[schema(required = true)]
    secret_key_at: Option<Rfc3339>,
    /// Variable that names the place; null if an administrator may choose it
    #[schema(required = true)]
    set_by: Option<&'static str>,
    /// Name of the file with the shop's key; null if a variable has it
    #[schema(required = true)]
    key_file: Option<String>,
    /// Folder below which a folder for backups is
    root: String,
    /// Schedule in words, like `Every 24 hours; the newest 7 are kept.`
    schedule: String,
    /// Version to send with a change
    version: i64,
}

pub(crate) async fn get_backup_settings(
    state: web::Data<AppState>,
    _admin: Admin,
) -> Result<impl Responder, ApiError> {
    let shared = state.get_ref().clone();
    let read = move |store: &Store| Ok(backups_response(&shared, SavedChoice::read(store)?));
    Ok(no_store().json(state.query(read).await?))
}

fn backups_response(state: &AppState, saved: SavedChoice<BackupChoice>) -> BackupsResponse {
    let plan = state.backups().current();
    let is_given = state.backups().is_given();
    let choice = if is_given {
        let place = plan.as_ref().map(|plan| plan.place().to_string());
        BackupChoice {
            place: place.unwrap_or_default(),
            ..BackupChoice::default()
        }
    } else {
        saved.choice
    };
    BackupsResponse {
        choice,
        secret_key_at: saved.secret_at.filter(|_| !is_given).map(Rfc3339),
        set_by: is_given.then_some(BACKUP_DIR),
        key_file: key_file(state.store().path()),
        root: root_of(state.store().path()).display().to_string(),
        schedule: state.backups().frequency(),
        version: saved.version,
    }
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SaveBackupsRequest {
    /// Version that was read
    version: i64,
    place: Text,
    endpoint: Text,
    region: Text,
    key_id: Text,
    /// The secret key; empty to remove it, left out to keep it
    secret_key: Option<String>,
}

pub(crate) async fn change_backup_settings(
    state: web::Data<AppState>,
    admin: Admin,
    Json(body): Json<SaveBackupsRequest>,
) -> Result<impl Responder, ApiError> {
    if state.backups().is_given() {
        return Err(set_by(BACKUP_DIR));
    }
    let change = ChoiceChange {
        choice: BackupChoice {
            place: trimmed(&body.place),
            endpoint: trimmed(&body.endpoint),
            region: trimmed(&body.region),
            key_id: trimmed(&body.key_id),
        },
        secret: body.secret_key.map(|key| key.trim().to_owned()),
        seen: body.version,
        actor: admin.name(),
    };
    let shared = state.get_ref().clone();
    let saved = state
        .work(move |store| {
            shared.backups().change(change)?;
            Ok(backups_response(&shared, SavedChoice::read(store)?))
        })
        .await?;
    state.backup_waker().wake();
    tracing::info!(user = admin.id(), "the place of the backups was changed");
    Ok(no_store().json(saved))
}

pub(crate) async fn check_backup_place(
    state: web::Data<AppState>,
    client: Client,
    admin: Admin,
) -> Result<impl Responder, ApiError> {
    state.rate_limits().resolve(client)?;
    let shared = state.get_ref().clone();
    let party = Party::account(admin.id());
    let test = move |store: &Store, _: &_| {
        let plan = shared.backups().current();
        let plan = plan
            .ok_or_else(|| ApiError::Conflict("No place is chosen. Save one first.".to_owned()))?;
        plan.test(store.path())
            .map_err(|error| ApiError::Conflict(error.to_string()))
    };
    state.file_work(party, test).await?;
    Ok(web::Json(MessageResponse {
        message: "It can be used: something small was written there and deleted.",
    }))
}

fn set_by(variable: &str) -> ApiError {
    ApiError::Conflict(format!(
        "It is set by {variable}. Change it where the server is started."
    ))
}

fn trimmed(text: &Text) -> String {
    text.as_str().trim().to_owned()
}

/// Starts an answer that must not be stored.
pub(super) fn no_store() -> HttpResponseBuilder {
    let mut response = HttpResponse::Ok();
    response.insert_header((CACHE_CONTROL, "no-store"));
    response
}
