//! The calls about the whole catalogue, for administrators.

use std::io::{self, Write};
use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, ContentDisposition, DispositionParam, DispositionType,
};
use actix_web::{HttpResponse, Responder, web};
use futures_core::Stream;
use serde::Deserialize;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::error::ApiError;
use super::session::Admin;
use super::state::AppState;
use super::wire::ActivityResponse;
use crate::catalog::export::{Format, export};
use crate::domain::FieldError;

/// Lines of the trail on a page.
const LINES: u32 = 50;

#[derive(Deserialize)]
pub(super) struct ActivityQuery {
    page: Option<String>,
}

/// `GET /product/activity`: who changed what, newest first.
pub(super) async fn activity(
    state: web::Data<AppState>,
    _admin: Admin,
    query: web::Query<ActivityQuery>,
) -> Result<impl Responder, ApiError> {
    let page = match query.page.as_deref().unwrap_or("1").parse() {
        Ok(page @ 1..) => page,
        _ => {
            return Err(ApiError::Invalid(vec![FieldError::new(
                "page",
                "page must be a whole number of at least 1.",
            )]));
        }
    };
    let found = state
        .query(move |store| store.list_activity(page, LINES))
        .await?;
    Ok(web::Json(ActivityResponse::new(page, LINES, found)))
}

#[derive(Deserialize)]
pub(super) struct ExportQuery {
    format: Option<String>,
}

/// `GET /product/export`: every product, as a file.
pub(super) async fn export_products(
    state: web::Data<AppState>,
    _admin: Admin,
    query: web::Query<ExportQuery>,
) -> Result<impl Responder, ApiError> {
    let (format, ending, kind) = match query.format.as_deref().unwrap_or("json") {
        "json" => (Format::Json, "json", "application/json"),
        "ndjson" => (Format::Ndjson, "ndjson", "application/x-ndjson"),
        "csv" => (Format::Csv, "csv", "text/csv; charset=utf-8"),
        _ => {
            return Err(ApiError::Invalid(vec![FieldError::new(
                "format",
                "format must be one of json, ndjson, csv.",
            )]));
        }
    };
    let (sender, body) = channel(CHUNKS);
    let store = state.store().clone();
    // Not awaited: it writes while the client reads, and ends when either stops.
    drop(web::block(move || {
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

/// Bytes of a chunk, and chunks that may wait for a slow client.
const CHUNK: usize = 64 * 1_024;
const CHUNKS: usize = 4;

/// Hands what is written to the answer.
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
