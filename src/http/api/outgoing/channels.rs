//! Calls about channels to which deals are posted.

use actix_web::{HttpResponse, Responder, web};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use url::Url;
use utoipa::ToSchema;

use crate::accounts::AccountError;
use crate::channels::Channels;
use crate::domain::{ChannelKind, ChannelRequest, Post, PostChannel, PostQueued, USUAL_TEMPLATE};
use crate::http::api::permissions::{Admin, May, ReadProducts, WriteProducts};
use crate::http::api::responses::MessageResponse;
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::routes::{Route, delete, get, post, put};
use crate::http::serving::queue::Party;
use crate::http::serving::rate_limit::Client;
use crate::http::state::AppState;
use crate::store::{Store, StoreError};

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        get("/channel", list_channels)
            .summary("Returns the channels to which deals are posted, by name, without their tokens.")
            .answers::<ChannelsResponse>("The channels"),
        post("/channel", add_channel)
            .summary("Adds a channel. Only this answer contains the secret of a webhook.")
            .creates::<ChannelResponse>("Added"),
        // Before the paths with an id.
        post("/channel/preview", preview_post)
            .without_code()
            .summary("Writes a deal as a template would have it posted; nothing is sent.")
            .answers::<PostPreviewResponse>("The post")
            .or_missing(),
        put("/channel/{id}", change_channel)
            .summary(
                "Changes a channel, or switches it on or off; what is not sent stays. What waits for one that is \
                 off is dropped.",
            )
            .part("id", "The channel's id")
            .answers::<ChannelResponse>("Changed")
            .or_missing(),
        delete("/channel/{id}", remove_channel)
            .summary("Deletes a channel with what waits for it. Its messages stay where they are.")
            .part("id", "The channel's id")
            .answers::<MessageResponse>("Deleted")
            .or_missing(),
        post("/channel/{id}/test", check_channel)
            .without_code()
            .summary("Sends a test to a channel, and says what happened.")
            .part("id", "The channel's id")
            .answers::<ChannelTestResponse>("It arrived")
            .refuses(409, "It did not, with the reason")
            .or_missing(),
        post("/channel/{id}/post", post_deals)
            .without_code()
            .summary("Posts up to 20 deals to a channel within seconds.")
            .part("id", "The channel's id")
            .answers::<PostedResponse>("What became of each")
            .refuses(409, "The channel is off")
            .or_missing(),
        get("/channel/{id}/posts", list_posts)
            .summary("Returns the last 50 posts of a channel, the newest first.")
            .part("id", "The channel's id")
            .answers::<PostsResponse>("The posts")
            .or_missing(),
    ]
}

/// Maximum number of deals that are posted at once.
const MOST: usize = 20;
/// Number of posts in an answer.
const SHOWN: u32 = 50;

const OFF: &str = "This channel is off. Switch it on first.";

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ChannelsResponse {
    data: Vec<PostChannel>,
    /// Template of channels that have none of their own
    usual_template: &'static str,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct ChannelResponse {
    channel: PostChannel,
    /// Of a new webhook: `whsec_` and base64, which is never shown again
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    secret: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct ChannelTestResponse {
    /// Outcome, a sentence
    message: String,
}

pub(crate) async fn list_channels(
    state: web::Data<AppState>,
    may: May<WriteProducts>,
) -> Result<impl Responder, ApiError> {
    let channels = state.query(Store::list_channels).await?;
    let shown = |mut channel: PostChannel| {
        // An address may contain a secret.
        if channel.kind == ChannelKind::Webhook && !may.is_admin() {
            let url = Url::parse(&channel.chat).ok();
            let host = url.as_ref().and_then(Url::host_str).unwrap_or_default();
            channel.chat = format!("https://{host}/…");
        }
        channel
    };
    Ok(web::Json(ChannelsResponse {
        data: channels.into_iter().map(|it| shown(it.channel)).collect(),
        usual_template: USUAL_TEMPLATE,
    }))
}

pub(crate) async fn add_channel(
    state: web::Data<AppState>,
    admin: Admin,
    Json(body): Json<ChannelRequest>,
) -> Result<impl Responder, ApiError> {
    let actor = admin.name();
    let (channel, secret) = work(&state, move |it| it.save(None, body, actor)).await?;
    Ok(HttpResponse::Created().json(ChannelResponse { channel, secret }))
}

pub(crate) async fn change_channel(
    state: web::Data<AppState>,
    admin: Admin,
    id: web::Path<String>,
    Json(body): Json<ChannelRequest>,
) -> Result<impl Responder, ApiError> {
    let (id, actor) = (Some(id.into_inner()), admin.name());
    let (channel, secret) = work(&state, move |it| it.save(id, body, actor)).await?;
    Ok(web::Json(ChannelResponse { channel, secret }))
}

pub(crate) async fn remove_channel(
    state: web::Data<AppState>,
    admin: Admin,
    id: web::Path<String>,
) -> Result<impl Responder, ApiError> {
    let (id, actor) = (id.into_inner(), admin.name());
    let remove = move |store: &Store| missing(store.delete_channel(id, actor, Timestamp::now()));
    state.work(remove).await?;
    Ok(web::Json(MessageResponse {
        message: "The channel is deleted.",
    }))
}

pub(crate) async fn check_channel(
    state: web::Data<AppState>,
    client: Client,
    admin: Admin,
    id: web::Path<String>,
) -> Result<impl Responder, ApiError> {
    state.rate_limits().resolve(client)?;
    let (shared, id) = (state.get_ref().clone(), id.into_inner());
    // The other side may take its time.
    let party = Party::account(admin.id());
    let test = move |_: &Store, _: &_| found(shared.channels().test(&id));
    let message = state
        .file_work(party, test)
        .await?
        .map_err(ApiError::Conflict)?;
    Ok(web::Json(ChannelTestResponse { message }))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct PostDealsRequest {
    /// The products' `_id`s
    #[schema(max_items = 20)]
    ids: Vec<String>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct PostedResponse {
    data: Vec<PostedDeal>,
}

/// Result for a deal.
#[derive(Serialize, ToSchema)]
pub(crate) struct PostedDeal {
    id: String,
    result: PostQueued,
}

pub(crate) async fn post_deals(
    state: web::Data<AppState>,
    _may: May<WriteProducts>,
    id: web::Path<String>,
    Json(body): Json<PostDealsRequest>,
) -> Result<impl Responder, ApiError> {
    if body.ids.is_empty() || body.ids.len() > MOST {
        let message = format!("ids must have 1 to {MOST} products.");
        return Err(ApiError::invalid("ids", message));
    }
    let posted = move |store: &Store| {
        let channel = missing(store.find_channel(&id))?.channel;
        if !channel.is_on {
            return Err(ApiError::Conflict(OFF.to_owned()));
        }
        missing(store.post_products(channel.id, body.ids, Timestamp::now()))
    };
    let data = state.work(posted).await?.into_iter();
    state.outgoing_waker().wake();
    Ok(web::Json(PostedResponse {
        data: data.map(|(id, result)| PostedDeal { id, result }).collect(),
    }))
}

#[derive(Serialize, ToSchema)]
pub(crate) struct PostsResponse {
    data: Vec<Post>,
}

pub(crate) async fn list_posts(
    state: web::Data<AppState>,
    _may: May<WriteProducts>,
    id: web::Path<String>,
) -> Result<impl Responder, ApiError> {
    let list = move |store: &Store| missing(store.list_posts(&id, SHOWN));
    let data = state.work(list).await?;
    Ok(web::Json(PostsResponse { data }))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct PostPreviewRequest {
    #[schema(value_type = ChannelKind)]
    kind: String,
    /// Empty for the usual template
    #[serde(default)]
    #[schema(max_length = 2_000)]
    template: String,
    /// The product's `_id`; the newest deal without one
    id: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct PostPreviewResponse {
    /// The post with the markup of its kind
    text: String,
    /// Characters as the service counts them: UTF-16 units, at Discord with the markup
    length: usize,
    /// The largest such number
    most: usize,
    /// Sentences about missing parts of the template, and parts without room
    warnings: Vec<&'static str>,
}

pub(crate) async fn preview_post(
    state: web::Data<AppState>,
    _may: May<ReadProducts>,
    Json(body): Json<PostPreviewRequest>,
) -> Result<impl Responder, ApiError> {
    let kinds = ChannelKind::ALL.map(ChannelKind::as_str).join(", ");
    let kind = ChannelKind::parse(&body.kind)
        .ok_or_else(|| ApiError::invalid("kind", format!("kind must be one of {kinds}.")))?;
    let preview = move |it: &Channels| it.preview(kind, &body.template, body.id.as_deref());
    let written = work(&state, preview).await;
    let (post, template) = written.map_err(|error| match error {
        ApiError::NotFound(_) => ApiError::NotFound("There is no such product."),
        other => other,
    })?;
    let warnings = [
        (!template.has("title"), "The template has no {title}."),
        (!template.has("link"), "The template has no {link}."),
        (post.cuts_title, "The title is too long and was shortened."),
        (
            post.left_out > 0,
            "Some lines found no room and were left out.",
        ),
        (post.cuts_line, "A line is too long and was cut."),
        (post.text.is_empty(), "The post of this deal has no text."),
    ];
    let warnings = warnings.into_iter().filter(|(applies, _)| *applies);
    Ok(web::Json(PostPreviewResponse {
        text: post.text,
        length: post.length,
        most: kind.longest_post(),
        warnings: warnings.map(|(_, words)| words).collect(),
    }))
}

async fn work<T: Send + 'static>(
    state: &AppState,
    work: impl FnOnce(&Channels) -> Result<T, AccountError> + Send + 'static,
) -> Result<T, ApiError> {
    let shared = state.clone();
    state.work(move |_| found(work(shared.channels()))).await
}

const NONE: ApiError = ApiError::NotFound("There is no such channel.");

/// Answers 404 about a channel that is gone.
fn found<T>(done: Result<T, AccountError>) -> Result<T, ApiError> {
    match done {
        Err(AccountError::Unknown) => Err(NONE),
        done => Ok(done?),
    }
}

/// Like [`found`], for the store.
fn missing<T>(done: Result<T, StoreError>) -> Result<T, ApiError> {
    match done {
        Err(StoreError::NotFound) => Err(NONE),
        done => Ok(done?),
    }
}
