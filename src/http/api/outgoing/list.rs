//! Calls about what waits to go out.

use actix_web::{Responder, web};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use url::Url;
use utoipa::{IntoParams, ToSchema};

use crate::domain::Rfc3339;
use crate::http::api::list_query::page_number;
use crate::http::api::permissions::Admin;
use crate::http::api::responses::{MessageResponse, MetaBody};
use crate::http::error::ApiError;
use crate::http::routes::{Route, delete, get, post};
use crate::http::state::AppState;
use crate::store::outgoing::{JobKind, ListedJob};
use crate::store::{MailKind, QueuedEvent, QueuedMail, Store, StoreError};

/// Jobs of a page.
const PAGE: u32 = 50;

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        get("/outgoing", list_outgoing)
            .summary("Returns what waits to go out: what was given up first, then by its time.")
            .details("A page has 50. What was given up is kept for a week.")
            .answers::<OutgoingResponse>("One page"),
        post("/outgoing/{id}/retry", resend_outgoing)
            .without_code()
            .summary("Sends what failed within a second, and begins its attempts anew.")
            .part("id", "Its id in the list")
            .answers::<MessageResponse>("It is on its way")
            .or_missing(),
        delete("/outgoing/{id}", delete_outgoing)
            .summary("Drops what waits: it is not sent.")
            .part("id", "Its id in the list")
            .answers::<MessageResponse>("Dropped")
            .or_missing(),
    ]
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct OutgoingQuery {
    /// Only of this kind
    #[param(value_type = Option<JobKind>)]
    kind: Option<String>,
    /// Only what failed at least once
    #[serde(default)]
    failed: bool,
    /// From 1; a page has 50
    #[param(value_type = Option<u32>, minimum = 1)]
    page: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct OutgoingResponse {
    data: Vec<OutgoingBody>,
    meta: MetaBody,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct OutgoingBody {
    id: i64,
    kind: JobKind,
    /// In words
    what: String,
    /// Where it goes, in words; of mails with a code only the domain
    to: String,
    created_at: Rfc3339,
    /// Next attempt; null if it was given up
    #[schema(required = true)]
    next_at: Option<Rfc3339>,
    /// When it is deleted unsent; null if it is not
    #[schema(required = true)]
    expires_at: Option<Rfc3339>,
    /// Failed attempts
    attempts: u32,
    /// Why the last attempt failed, a sentence; empty if none did
    last_error: String,
}

impl From<ListedJob> for OutgoingBody {
    fn from(listed: ListedJob) -> Self {
        let (what, to) = words(&listed);
        Self {
            id: listed.id,
            kind: listed.job.kind,
            what,
            to,
            created_at: Rfc3339(listed.job.created_at),
            next_at: listed.next_at.map(Rfc3339),
            expires_at: listed.expires_at.map(Rfc3339),
            attempts: listed.job.attempts,
            last_error: listed.last_error,
        }
    }
}

/// Returns the subject and the destination.
fn words(listed: &ListedJob) -> (String, String) {
    let title = listed.title.as_deref();
    match listed.job.kind {
        JobKind::Mail => {
            let address = &listed.job.subject;
            let (what, is_private) = match QueuedMail::of(&listed.job).map(|mail| mail.kind) {
                Some(MailKind::RegisterCode) => ("Code to finish registering", true),
                Some(MailKind::KnownAddress) => ("Notice of a registration", true),
                Some(MailKind::ResetCode) => ("Code for a new password", true),
                Some(MailKind::PasswordChanged) => ("Notice of a changed password", false),
                Some(MailKind::Invitation) => ("Invitation", false),
                Some(MailKind::TotpReset) => ("Notice of a removed second factor", false),
                None => ("Mail", true),
            };
            let domain = address.rsplit_once('@').map_or("", |(_, domain)| domain);
            let to = if is_private {
                format!("somebody at {domain}")
            } else {
                address.clone()
            };
            (what.to_owned(), to)
        }
        JobKind::Webhook => {
            let event = QueuedEvent::of(&listed.job).and_then(|event| event.event());
            let event = event.map_or("event", |event| event.as_str());
            let what = title.map_or_else(|| event.to_owned(), |title| format!("{event}: {title}"));
            let url = listed.place.as_deref().and_then(|url| Url::parse(url).ok());
            let host = url.as_ref().and_then(Url::host_str).unwrap_or_default();
            (what, host.to_owned())
        }
        JobKind::Post => {
            let what = format!("Post: {}", title.unwrap_or("a deal"));
            (what, listed.place.clone().unwrap_or_default())
        }
        JobKind::Picture => {
            let what = format!("Copy of pictures: {}", title.unwrap_or("a deal"));
            let host = listed.job.lane.split_once(':').map_or("", |(_, host)| host);
            (what, host.to_owned())
        }
        // Visitors' addresses are listed nowhere.
        JobKind::Subscriber => ("Mail without an account".to_owned(), "a visitor".to_owned()),
        JobKind::Push => ("Price alert".to_owned(), "a visitor's device".to_owned()),
    }
}

pub(crate) async fn list_outgoing(
    state: web::Data<AppState>,
    _admin: Admin,
    query: web::Query<OutgoingQuery>,
) -> Result<impl Responder, ApiError> {
    let OutgoingQuery { kind, failed, page } = query.into_inner();
    let number = page_number(page.as_deref())?;
    let kind = match kind.as_deref() {
        None | Some("") => None,
        Some(name) => Some(JobKind::parse(name).ok_or_else(|| {
            let names = JobKind::ALL.map(JobKind::as_str).join(", ");
            ApiError::invalid("kind", format!("Choose a kind of {names}."))
        })?),
    };
    let jobs = state
        .query(move |store| store.list_jobs(kind, failed, number, PAGE))
        .await?;
    Ok(web::Json(OutgoingResponse {
        meta: MetaBody::new(&jobs, number, PAGE),
        data: jobs.items.into_iter().map(OutgoingBody::from).collect(),
    }))
}

pub(crate) async fn resend_outgoing(
    state: web::Data<AppState>,
    admin: Admin,
    id: web::Path<String>,
) -> Result<impl Responder, ApiError> {
    change(&state, &id, admin.name(), Store::retry_job).await?;
    Ok(web::Json(MessageResponse {
        message: "It is on its way.",
    }))
}

pub(crate) async fn delete_outgoing(
    state: web::Data<AppState>,
    admin: Admin,
    id: web::Path<String>,
) -> Result<impl Responder, ApiError> {
    change(&state, &id, admin.name(), Store::delete_job).await?;
    Ok(web::Json(MessageResponse {
        message: "It is dropped.",
    }))
}

/// Changes a job; answers 404 about one that is gone.
async fn change(
    state: &AppState,
    id: &str,
    actor: String,
    change: fn(&Store, i64, String, String, Timestamp) -> Result<(), StoreError>,
) -> Result<(), ApiError> {
    let missing = || ApiError::NotFound("It is no longer there: it was sent or dropped.");
    let id = id.parse().map_err(|_| missing())?;
    let work = move |store: &Store| {
        let changed = store.find_job(id).and_then(|listed| {
            let (what, to) = words(&listed);
            change(
                store,
                id,
                actor,
                format!("{what}, to {to}"),
                Timestamp::now(),
            )
        });
        match changed {
            Err(StoreError::NotFound) => Err(missing()),
            done => Ok(done?),
        }
    };
    state.work(work).await
}
