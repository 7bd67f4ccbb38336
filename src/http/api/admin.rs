//! Calls about the whole catalogue, for administrators.

use std::io::{self, Write};
use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::http::StatusCode;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, ContentDisposition, DispositionParam, DispositionType,
};
use actix_web::{HttpResponse, Responder, web};
use futures_core::Stream;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::list_query;
#[cfg(test)]
use super::openapi::schemas::{
    AdminRefusals, BodyRefusals, BulkAction, Error, Export, KeyHeader, KeyRefusals, Missing,
    PageNumber, Refusals,
};
use super::products::body::ProductBody;
use super::responses::ActivityResponse;
use super::session::Admin;
use crate::catalog::export::{Format, export};
use crate::domain::{Category, Discount, FieldError, ListQuery, zone_message};
use crate::http::error::ApiError;
use crate::http::extract::HashedJson;
use crate::http::idempotency::{IdempotencyKey, once};
use crate::http::state::AppState;
use crate::store::{BulkChange, BulkOutcome, StoreError};

/// Entries on a page of the activity log.
const LINES: u32 = 50;

#[derive(Deserialize)]
pub(crate) struct ActivityQuery {
    page: Option<String>,
    batch: Option<String>,
}

/// Returns the activity log, newest first, one entry per action, or the entries of one action.
#[cfg_attr(test, utoipa::path(
    operation_id = "list_activity",
    get, path = "/product/activity", tag = "administration",
    params(PageNumber, ("batch" = Option<i64>, Query, description = "Only the entries of this batch")),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "The entries", body = ActivityResponse), AdminRefusals, Refusals),
))]
pub(crate) async fn activity(
    state: web::Data<AppState>,
    _admin: Admin,
    query: web::Query<ActivityQuery>,
) -> Result<impl Responder, ApiError> {
    let page = list_query::page_number(query.page.as_deref())?;
    let batch = query.batch.as_deref().map(str::parse).transpose();
    let batch = batch.map_err(|_| {
        let message = "batch must be a number, as the activity log gives it.";
        ApiError::Invalid(vec![FieldError::new("batch", message)])
    })?;
    let found = state
        .query(move |store| match batch {
            Some(batch) => store.list_batch(batch, page, LINES),
            None => store.list_activity(page, LINES),
        })
        .await?;
    Ok(web::Json(ActivityResponse::new(page, LINES, found)))
}

#[derive(Deserialize)]
pub(crate) struct ExportQuery {
    format: Option<String>,
}

/// Exports every product as a file that import reads.
#[cfg_attr(test, utoipa::path(
    get, path = "/product/export", tag = "administration", params(Export), security(("token" = []), ("cookie" = [])),
    responses(
        (
            status = 200, description = "The file",
            content((Vec<Value> = "application/json"), (String = "application/x-ndjson"), (String = "text/csv")),
        ),
        AdminRefusals, Refusals,
    ),
))]
pub(crate) async fn export_products(
    state: web::Data<AppState>,
    _admin: Admin,
    query: web::Query<ExportQuery>,
) -> Result<impl Responder, ApiError> {
    let (format, ending, kind) = match query.format.as_deref().unwrap_or("json") {
        "json" => (Format::Json, "json", "application/json"),
        "ndjson" => (Format::Ndjson, "ndjson", "application/x-ndjson"),
        "csv" => (Format::Csv, "csv", "text/csv; charset=utf-8"),
        _ => {
            return Err(ApiError::invalid(
                "format",
                "format must be one of json, ndjson, csv.",
            ));
        }
    };
    let slot = state.export_slot()?;
    let (sender, body) = channel(CHUNKS);
    let store = state.store().clone();
    // Not awaited: it writes while the client reads, and ends when either stops.
    drop(web::block(move || {
        let _held = slot;
        let mut output = io::BufWriter::with_capacity(CHUNK, Chunks(sender.clone()));
        if let Err(error) = export(&store, format, &mut output) {
            tracing::warn!(%error, "an export was not finished");
            // Without this the file would look complete.
            let _ = sender.blocking_send(Err(io::Error::other("the export failed")));
        }
    }));
    let file = ContentDisposition {
        disposition: DispositionType::Attachment,
        parameters: vec![DispositionParam::Filename(format!("products.{ending}"))],
    };
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_DISPOSITION, file))
        .insert_header((CACHE_CONTROL, "no-store"))
        .content_type(kind)
        .streaming(Body(body)))
}

/// Size of a chunk in bytes, and chunks that may wait for a slow client.
const CHUNK: usize = 64 * 1_024;
const CHUNKS: usize = 4;

/// Writer that sends chunks to the response.
struct Chunks(Sender<io::Result<web::Bytes>>);

impl Write for Chunks {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0
            .blocking_send(Ok(web::Bytes::copy_from_slice(bytes)))
            .map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Body(Receiver<io::Result<web::Bytes>>);

impl Stream for Body {
    type Item = io::Result<web::Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context)
    }
}

/// Maximum number of products of one change: named by id, and found by a query.
const MAX_IDS: usize = 1_000;
const MAX_FOUND: u32 = 10_000;
const NO_IDS: &str = "Choose 1 to 1000 products.";

#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct BulkRequest {
    /// Ids of the products
    #[serde(default)]
    #[cfg_attr(test, schema(max_items = 1_000))]
    ids: Vec<String>,
    /// Instead of ids: the query of a list, such as category=Books&search=usb; all its products are
    /// changed
    #[serde(default)]
    list: Option<String>,
    /// Number of products that the list is expected to have; with another number nothing is changed
    #[serde(default)]
    total: Option<i64>,
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = BulkAction, required = true))]
    action: String,
    /// The category, the discount in percent, or the end (null for none)
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = Option<Value>))]
    value: Value,
}

impl BulkRequest {
    fn change(&self) -> Result<BulkChange, FieldError> {
        match self.action.as_str() {
            "publish" => Ok(BulkChange::Publish),
            "end" => Ok(BulkChange::End),
            "setEnd" if self.value.is_null() => Ok(BulkChange::SetEnd(None)),
            "setEnd" => self
                .value
                .as_str()
                .and_then(|text| text.parse().ok())
                .map(|end| BulkChange::SetEnd(Some(end)))
                .ok_or_else(|| FieldError::new("value", zone_message("end"))),
            "delete" => Ok(BulkChange::Delete),
            "" => Err(FieldError::missing("action")),
            "category" => self
                .value
                .as_str()
                .and_then(Category::parse)
                .map(BulkChange::Category)
                .ok_or_else(|| FieldError::new("value", "Please select a category.")),
            "discount" => self
                .value
                .as_f64()
                .and_then(Discount::from_percent)
                .map(BulkChange::Discount)
                .ok_or_else(|| {
                    FieldError::new(
                        "value",
                        "Discount must be between 0 and 100, with at most 2 decimals.",
                    )
                }),
            _ => Err(FieldError::new(
                "action",
                "action must be one of delete, category, discount, publish, end, setEnd.",
            )),
        }
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct BulkResponse<'a> {
    changed: u64,
    /// Handle that undoes the change within a minute.
    undo: &'a str,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct UndoResponse {
    restored: u64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct ByLinkResponse<'a> {
    #[cfg_attr(test, schema(required = true))]
    product: Option<ProductBody<'a>>,
}

/// Changes or deletes many products, all or nothing.
#[cfg_attr(test, utoipa::path(
    operation_id = "change_many",
    post, path = "/product/bulk", tag = "administration", params(KeyHeader), request_body = BulkRequest,
    security(("token" = []), ("cookie" = [])),
    responses(
        (status = 200, description = "Changed", body = BulkResponse<'_>), Missing, AdminRefusals, BodyRefusals, KeyRefusals,
    ),
))]
pub(crate) async fn bulk(
    state: web::Data<AppState>,
    admin: Admin,
    key: IdempotencyKey,
    HashedJson(body, hash): HashedJson<BulkRequest>,
) -> Result<HttpResponse, ApiError> {
    let change = body.change();
    if body.ids.is_empty() && body.list.is_none() {
        let mut errors: Vec<_> = change.err().into_iter().collect();
        errors.push(FieldError::new("ids", NO_IDS));
        return Err(ApiError::Invalid(errors));
    }
    let change = change.map_err(|error| ApiError::Invalid(vec![error]))?;
    let answer = |outcome: &BulkOutcome| {
        serde_json::to_vec(&BulkResponse {
            changed: outcome.changed,
            undo: &outcome.undo,
        })
    };
    let request = key.of(admin.id(), &hash);
    once(&state, request, StatusCode::OK, answer, async |keep| {
        let ids = match &body.list {
            Some(list) => ids_of_list(&state, list_query::parse(list)?, body.total).await?,
            None => body.ids,
        };
        if ids.is_empty() || (body.list.is_none() && ids.len() > MAX_IDS) {
            return Err(ApiError::invalid("ids", NO_IDS));
        }
        let outcome = state
            .store()
            .bulk_change(ids, change, admin.name(), Timestamp::now(), keep)
            .await?;
        tracing::info!(
            by = admin.id(),
            changed = outcome.changed,
            "many products were changed"
        );
        Ok(outcome)
    })
    .await
}

/// Returns the ids of the products in a list, if it has `total` of them.
async fn ids_of_list(
    state: &AppState,
    list: ListQuery,
    seen: Option<i64>,
) -> Result<Vec<String>, ApiError> {
    let list = ListQuery {
        page: 1,
        limit: MAX_FOUND,
        ..list
    };
    let found = state
        .query(move |store| store.list_products(&list))
        .await?
        .page;
    if found.total > i64::from(MAX_FOUND) {
        let message =
            format!("At most {MAX_FOUND} products can be changed at once: narrow the list.");
        return Err(ApiError::invalid("list", message));
    }
    if found.total == 0 {
        let message = "The list has no products.";
        return Err(ApiError::invalid("list", message));
    }
    if seen != Some(found.total) {
        return Err(ApiError::Changed(format!(
            "The list has {} products now. Look at it again.",
            found.total
        )));
    }
    Ok(found.items.into_iter().map(|product| product.id).collect())
}

/// Undoes a bulk change, within a minute.
#[cfg_attr(test, utoipa::path(
    operation_id = "undo_change",
    post, path = "/product/undo/{id}", tag = "administration",
    params(("id" = String, Path, description = "From the answer to bulk: undo"), KeyHeader),
    security(("token" = []), ("cookie" = [])),
    responses(
        (status = 200, description = "Undone", body = UndoResponse),
        (status = 507, description = "The shop's disk is full", body = Error), Missing, AdminRefusals, Refusals,
        KeyRefusals,
    ),
))]
pub(crate) async fn undo(
    state: web::Data<AppState>,
    admin: Admin,
    key: IdempotencyKey,
    id: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    let answer = |restored: &u64| {
        let restored = *restored;
        serde_json::to_vec(&UndoResponse { restored })
    };
    // Its path says everything: a body is not read.
    let request = key.of(admin.id(), &[0; 32]);
    once(&state, request, StatusCode::OK, answer, async |keep| {
        let undone = state
            .store()
            .undo_bulk_change(id.into_inner(), admin.name(), Timestamp::now(), keep)
            .await;
        match undone {
            Err(StoreError::NotFound) => Err(ApiError::NotFound("It is too late to undo this.")),
            other => Ok(other?),
        }
    })
    .await
}

#[derive(Deserialize)]
pub(crate) struct LinkQuery {
    #[serde(default)]
    source: String,
    #[serde(default)]
    link: String,
}

/// Finds the product with this link, or null.
#[cfg_attr(test, utoipa::path(
    operation_id = "find_product_by_link",
    get, path = "/product/by-link", tag = "administration",
    params(
        ("source" = Option<String>, Query, description = "The seller's name"),
        ("link" = Option<String>, Query, description = "The affiliate link"),
    ),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "The product", body = ByLinkResponse<'_>), AdminRefusals, Refusals),
))]
pub(crate) async fn by_link(
    state: web::Data<AppState>,
    _admin: Admin,
    query: web::Query<LinkQuery>,
) -> Result<impl Responder, ApiError> {
    let LinkQuery { source, link } = query.into_inner();
    let found = state
        .query(move |store| store.find_product_by_link(source.trim(), link.trim()))
        .await?;
    Ok(HttpResponse::Ok().json(ByLinkResponse {
        product: found.as_ref().map(ProductBody::from),
    }))
}
