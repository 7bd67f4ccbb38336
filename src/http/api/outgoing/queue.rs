//! Calls about the queue of drafts.

use actix_web::{HttpResponse, Responder, web};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::domain::{Paise, QueueRequest, QueueRules, Rfc3339, time_of_day, with_shop};
use crate::http::api::permissions::{May, ReadProducts, WriteProducts};
use crate::http::api::responses::MessageResponse;
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::routes::{Route, delete, get, post, put};
use crate::http::state::AppState;
use crate::store::{QueueError, Queued, Store};

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        get("/queue", get_queue)
            .summary("Returns the queue of drafts that go live one after the other.")
            .answers::<QueueResponse>("The queue"),
        post("/queue", add_to_queue)
            .without_code()
            .summary("Puts drafts at the end of the queue.")
            .answers::<QueuedResponse>("Each of them, in the order of the request"),
        put("/queue", change_queue)
            .without_code()
            .summary("Changes the rules or the order of the queue; what is not sent stays.")
            .answers::<QueueResponse>("Changed")
            .refuses(409, "Changed by somebody else meanwhile"),
        delete("/queue/{id}", remove_from_queue)
            .without_code()
            .summary("Takes a draft out of the queue. It stays a draft.")
            .part("id", "The draft's id")
            .answers::<MessageResponse>("Taken out")
            .or_missing(),
    ]
}

/// The queue.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct QueueResponse {
    /// Drafts in their order
    data: Vec<QueuedDraft>,
    /// Number of drafts that go live in an hour
    per_hour: i64,
    /// Time in India from which on drafts go live
    from: String,
    /// Time in India until which drafts go live; the same as from for the whole day
    to: String,
    /// Whether none goes live
    paused: bool,
    /// Whether each channel that is on posts them
    every_channel: bool,
    /// Ids of the channels that post them otherwise
    channels: Vec<String>,
    /// Changes with every change of the rules or of the order
    version: i64,
}

/// A draft in the queue.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct QueuedDraft {
    #[serde(rename = "_id")]
    id: String,
    title: String,
    /// The first picture, or empty
    image: String,
    /// Name of the category
    category: String,
    source: String,
    final_price: Paise,
    /// When it goes live, if the queue is not paused and the draft waits for nothing else
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime)]
    at: Option<Rfc3339>,
    /// Reason to wait; the others go first
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    waits: Option<String>,
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct QueuedIds {
    /// Ids of drafts
    #[schema(min_items = 1, max_items = 1_000)]
    ids: Vec<String>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct QueuedResponse {
    data: Vec<QueuedAnswer>,
}

/// Result for a product that was to be queued.
#[derive(Serialize, ToSchema)]
pub(crate) struct QueuedAnswer {
    id: String,
    /// Whether it is in the queue
    queued: bool,
    message: &'static str,
}

fn answer(state: &AppState) -> impl FnOnce(&Store) -> Result<QueueResponse, ApiError> + use<> {
    let shared = state.clone();
    move |store: &Store| {
        let now = Timestamp::now();
        let (rules, drafts) = store.queue()?;
        let mut times = rules.times(now);
        let data = drafts.into_iter().map(|draft| {
            let details = draft.details;
            let mut image = [details.images.into_iter().next().unwrap_or_default()];
            with_shop(&mut image, shared.public_url());
            let [image] = image;
            let waits = details.lifetime.waits(now);
            QueuedDraft {
                id: draft.id,
                title: details.title,
                image,
                category: details.category.as_str().to_owned(),
                source: details.source,
                final_price: details.final_price,
                at: match waits.is_none() && !rules.is_paused {
                    true => times.next().map(Rfc3339),
                    false => None,
                },
                waits,
            }
        });
        Ok(QueueResponse {
            data: data.collect(),
            per_hour: rules.per_hour,
            from: time_of_day(rules.from),
            to: time_of_day(rules.to),
            paused: rules.is_paused,
            every_channel: rules.every_channel,
            channels: rules.channels.clone(),
            version: rules.version,
        })
    }
}

pub(crate) async fn get_queue(
    state: web::Data<AppState>,
    _reader: May<ReadProducts>,
) -> Result<impl Responder, ApiError> {
    Ok(web::Json(state.work(answer(&state)).await?))
}

pub(crate) async fn change_queue(
    state: web::Data<AppState>,
    writer: May<WriteProducts>,
    Json(sent): Json<QueueRequest>,
) -> Result<impl Responder, ApiError> {
    let changed = state
        .store()
        .change_queue(sent, writer.name(), Timestamp::now());
    match changed.await? {
        Ok(()) => Ok(web::Json(state.work(answer(&state)).await?)),
        Err(QueueError::Invalid(errors)) => Err(ApiError::Invalid(errors)),
        Err(QueueError::Changed) => Err(ApiError::Changed(
            "Somebody else changed the queue meanwhile. Look at it again.".to_owned(),
        )),
    }
}

pub(crate) async fn add_to_queue(
    state: web::Data<AppState>,
    _writer: May<WriteProducts>,
    Json(sent): Json<QueuedIds>,
) -> Result<impl Responder, ApiError> {
    let ids = sent.ids;
    if ids.is_empty() || ids.len() > QueueRules::MOST {
        return Err(ApiError::invalid("ids", "Choose 1 to 1000 drafts."));
    }
    let queued = state.store().queue_drafts(ids.clone()).await?;
    let data = ids.into_iter().zip(queued).map(|(id, queued)| {
        let (queued, message) = match queued {
            Queued::Added => (true, "In the queue."),
            Queued::Present => (true, "Was in the queue already."),
            Queued::Missing => (false, "There is no such product."),
            Queued::NoDraft => (
                false,
                "This is not a draft: only drafts go through the queue.",
            ),
            Queued::Full => (false, "The queue is full: it holds 1000 drafts."),
        };
        QueuedAnswer {
            id,
            queued,
            message,
        }
    });
    Ok(web::Json(QueuedResponse {
        data: data.collect(),
    }))
}

pub(crate) async fn remove_from_queue(
    state: web::Data<AppState>,
    _writer: May<WriteProducts>,
    id: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    if !state.store().unqueue_draft(id.into_inner()).await? {
        return Err(ApiError::NotFound("This product is not in the queue."));
    }
    Ok(HttpResponse::Ok().json(MessageResponse {
        message: "Taken out of the queue.",
    }))
}
