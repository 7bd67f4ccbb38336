//! Receives a file into an unnamed one beside the database.

use std::future::poll_fn;
use std::io::{ErrorKind, Seek, Write};
use std::path::Path;
use std::pin::Pin;

use actix_multipart::{Multipart, MultipartError};
use actix_web::http::header::ContentDisposition;
use actix_web::{HttpMessage, HttpRequest, web};
use futures_core::Stream;

use crate::http::error::ApiError;
use crate::http::serving::connections::body_timeout::{is_too_late, written};
use crate::store::{folder_of, free_bytes};

/// Maximum size of the file in bytes, about fifty thousand products.
const MAX_SIZE: u64 = 64 * 1_024 * 1_024;
/// Bytes that are buffered before a write.
const WRITE_BUFFER: usize = 64 * 1_024;

/// Maximum size of a form's mapping in bytes.
const MAX_MAPPING: usize = 256 * 1_024;

/// A file, and the mapping that a form may send with it.
pub(super) struct ReceivedFile {
    pub(super) file: std::fs::File,
    /// JSON.
    pub(super) mapping: Vec<u8>,
}

/// Receives the body, or the one file of a form and its field `mapping`.
pub(super) async fn receive(
    request: &HttpRequest,
    body: web::Payload,
    database: &Path,
) -> Result<ReceivedFile, ApiError> {
    let kind = request.mime_type().ok().flatten();
    if kind.is_none_or(|kind| kind.essence_str() != "multipart/form-data") {
        return Ok(ReceivedFile {
            file: spool(request, body, database).await?,
            mapping: Vec::new(),
        });
    }
    let mut form = Multipart::new(request.headers(), body);
    let mut file = None;
    let mut mapping = Vec::new();
    while let Some(field) = poll_fn(|context| Pin::new(&mut form).poll_next(context)).await {
        let mut field = field.map_err(not_received)?;
        let is_file = |it: &ContentDisposition| it.get_filename().is_some();
        if !field.content_disposition().is_some_and(is_file) {
            if field.name() == Some("mapping") {
                mapping = read_mapping(&mut field).await?;
            }
            continue;
        }
        if file.is_some() {
            let message = "Send one file in a form, not several.";
            return Err(ApiError::InvalidFile(message.to_owned()));
        }
        file = Some(spool(request, field, database).await?);
    }
    let file = file.ok_or_else(|| ApiError::InvalidFile("The form has no file.".to_owned()))?;
    Ok(ReceivedFile { file, mapping })
}

async fn read_mapping(field: &mut actix_multipart::Field) -> Result<Vec<u8>, ApiError> {
    let mut mapping = Vec::new();
    while let Some(chunk) = poll_fn(|context| Pin::new(&mut *field).poll_next(context)).await {
        mapping.extend_from_slice(&chunk.map_err(not_received)?);
        if mapping.len() > MAX_MAPPING {
            return Err(ApiError::TooLarge);
        }
    }
    Ok(mapping)
}

fn not_received(error: impl Into<MultipartError>) -> ApiError {
    match error.into() {
        MultipartError::Payload(error) if is_too_late(&error) => ApiError::TooSlow,
        _ => ApiError::Malformed("The upload was incomplete.".to_owned()),
    }
}

/// Writes a file to an unnamed one beside the database. Small chunks are buffered, because each
/// write waits for a thread.
async fn spool(
    request: &HttpRequest,
    mut body: impl Stream<Item = Result<web::Bytes, impl Into<MultipartError>>> + Unpin,
    database: &Path,
) -> Result<std::fs::File, ApiError> {
    let mut file = tempfile::tempfile_in(folder_of(database)).map_err(not_written)?;
    // Half of the disk's free space, so that uploads never fill it.
    let room = free_bytes(database).map_or(MAX_SIZE, |free| free / 2);
    let mut gathered = Vec::new();
    let mut size = 0;
    while let Some(chunk) = poll_fn(|context| Pin::new(&mut body).poll_next(context)).await {
        let chunk = chunk.map_err(not_received)?;
        size += chunk.len() as u64;
        if size > MAX_SIZE {
            return Err(ApiError::TooLarge);
        }
        if size > room {
            return Err(ApiError::Full);
        }
        gathered.extend_from_slice(&chunk);
        if gathered.len() >= WRITE_BUFFER {
            file = append(file, std::mem::take(&mut gathered)).await?;
            written(request);
        }
    }
    file = append(file, gathered).await?;
    file.rewind().map_err(not_written)?;
    Ok(file)
}

async fn append(mut file: std::fs::File, bytes: Vec<u8>) -> Result<std::fs::File, ApiError> {
    web::block(move || file.write_all(&bytes).map(|()| file))
        .await
        .map_err(|error| ApiError::Internal(error.to_string()))?
        .map_err(not_written)
}

#[expect(clippy::needless_pass_by_value, reason = "it is given to map_err")]
pub(super) fn not_written(error: std::io::Error) -> ApiError {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            ApiError::Full
        }
        _ => ApiError::Internal(error.to_string()),
    }
}
