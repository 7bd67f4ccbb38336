//! Calls about the whole catalogue, for administrators.

use std::io::{self, Write};
use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, ContentDisposition, DispositionParam, DispositionType,
};
use actix_web::{HttpResponse, Responder, web};
use futures_core::Stream;
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use utoipa::{IntoParams, ToSchema};

use super::list_query;
use super::permissions::{May, ReadProducts, UseOffice};
use super::responses::ActivityResponse;
use crate::catalog::export::{ExportFormat, export};
use crate::domain::FieldError;
use crate::http::error::ApiError;
use crate::http::routes::{Route, get};
use crate::http::state::AppState;

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        get("/product/activity", list_activity)
            .summary(
                "Returns the activity log, newest first, one entry per action, or the entries of \
                 one action; only administrators see entries about accounts.",
            )
            .details(
                "An entry has the `actor` and the id of the `account`, which is null for keys, \
                 commands and the server.",
            )
            .answers::<ActivityResponse>("The entries"),
        get("/product/export", export_products)
            .summary("Exports every product as a file that import reads.")
            .answers::<ExportedProducts>("The file")
            .answers_as::<String>("application/x-ndjson", "The file")
            .answers_as::<String>("text/csv", "The file"),
    ]
}

/// Entries on a page of the activity log.
const LINES: u32 = 50;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ActivityQuery {
    /// From 1; 50 entries each
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64)]
    page: Option<String>,
    /// Only the entries of this batch
    #[param(value_type = Option<i64>)]
    batch: Option<String>,
}

pub(crate) async fn list_activity(
    state: web::Data<AppState>,
    may: May<UseOffice>,
    query: web::Query<ActivityQuery>,
) -> Result<impl Responder, ApiError> {
    let page = list_query::page_number(query.page.as_deref())?;
    let batch = query.batch.as_deref().map(str::parse).transpose();
    let batch = batch.map_err(|_| {
        let message = "batch must be a number, as the activity log gives it.";
        ApiError::Invalid(vec![FieldError::new("batch", message)])
    })?;
    let people = may.is_admin();
    let found = state
        .query(move |store| match batch {
            Some(batch) => store.list_batch(batch, people, page, LINES),
            None => store.list_activity(people, page, LINES),
        })
        .await?;
    Ok(web::Json(ActivityResponse::new(page, LINES, found)))
}

// Products as `deals export` writes them.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only the attributes are read")]
struct ExportedProducts(Vec<Value>);

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ExportQuery {
    #[param(inline, value_type = Option<ExportFormat>)]
    format: Option<String>,
}

pub(crate) async fn export_products(
    state: web::Data<AppState>,
    _may: May<ReadProducts>,
    query: web::Query<ExportQuery>,
) -> Result<impl Responder, ApiError> {
    let (format, ending, kind) = match query.format.as_deref().unwrap_or("json") {
        "json" => (ExportFormat::Json, "json", "application/json"),
        "ndjson" => (ExportFormat::Ndjson, "ndjson", "application/x-ndjson"),
        "csv" => (ExportFormat::Csv, "csv", "text/csv; charset=utf-8"),
        "zip" => (ExportFormat::Zip, "zip", "application/zip"),
        _ => {
            return Err(ApiError::invalid(
                "format",
                "format must be one of json, ndjson, csv, zip.",
            ));
        }
    };
    let slot = state.export_slot()?;
    let store = state.store().clone();
    let shop = state.public_url().clone();
    let body = streamed(slot, move |output| {
        let written = export(&store, format, Some(&shop), output);
        written.map(drop).map_err(io::Error::other)
    });
    let file = ContentDisposition {
        disposition: DispositionType::Attachment,
        parameters: vec![DispositionParam::Filename(format!("products.{ending}"))],
    };
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_DISPOSITION, file))
        .insert_header((CACHE_CONTROL, "no-store"))
        .content_type(kind)
        .streaming(body))
}

/// Streams what `write` writes while the client reads; it ends when either stops.
pub(crate) fn streamed(
    slot: OwnedSemaphorePermit,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()> + Send + 'static,
) -> DownloadStream {
    let (sender, body) = channel(CHUNKS);
    // Not awaited.
    drop(web::block(move || {
        let _held = slot;
        let mut output = io::BufWriter::with_capacity(CHUNK, Chunks(sender.clone()));
        if let Err(error) = write(&mut output).and_then(|()| output.flush()) {
            tracing::warn!(%error, "a download was not finished");
            // Without this the file would look complete.
            let _ = sender.blocking_send(Err(io::Error::other("the download failed")));
        }
    }));
    DownloadStream(body)
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

pub(crate) struct DownloadStream(Receiver<io::Result<web::Bytes>>);

impl Stream for DownloadStream {
    type Item = io::Result<web::Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context)
    }
}
