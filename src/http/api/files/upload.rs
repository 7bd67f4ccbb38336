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
use crate::http::extract::{ACCOUNT_BODY, read_to_end};
use crate::http::serving::connections::body_timeout::{is_too_late, written};
use crate::store::{folder_of, free_bytes};

/// Maximum size of a file of products in bytes, about fifty thousand products.
pub(super) const MAX_SIZE: u64 = 64 * 1_024 * 1_024;
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

/// Receives the body of at most `most` bytes, or the one file of a form and its field `mapping`.
pub(super) async fn receive(
    request: &HttpRequest,
    body: web::Payload,
    database: &Path,
    most: u64,
) -> Result<ReceivedFile, ApiError> {
    let kind = request.mime_type().ok().flatten();
    if kind.is_none_or(|kind| kind.essence_str() != "multipart/form-data") {
        return Ok(ReceivedFile {
            file: spool(request, body, database, most).await?,
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
                mapping = read_field(&mut field, MAX_MAPPING).await?;
            }
            continue;
        }
        if file.is_some() {
            let message = "Send one file in a form, not several.";
            return Err(ApiError::InvalidFile(message.to_owned()));
        }
        file = Some(spool(request, field, database, most).await?);
    }
    let file = file.ok_or_else(|| ApiError::InvalidFile("The form has no file.".to_owned()))?;
    Ok(ReceivedFile { file, mapping })
}

async fn read_field(field: &mut actix_multipart::Field, most: usize) -> Result<Vec<u8>, ApiError> {
    let mut content = Vec::new();
    while let Some(chunk) = poll_fn(|context| Pin::new(&mut *field).poll_next(context)).await {
        content.extend_from_slice(&chunk.map_err(not_received)?);
        if content.len() > most {
            return Err(ApiError::TooLarge);
        }
    }
    Ok(content)
}

/// Maximum size of a shared deal's photos in bytes; nothing of them is kept.
const MAX_PHOTOS: usize = 64 * 1_024 * 1_024;

/// Receives the texts of a form, of at most 16 kB. Files are read, so that the browser takes the answer, and
/// dropped.
pub(in crate::http) async fn shared_fields(
    request: &HttpRequest,
    body: web::Payload,
) -> Result<Vec<(String, String)>, ApiError> {
    let kind = request.mime_type().ok().flatten();
    if kind.is_none_or(|kind| kind.essence_str() != "multipart/form-data") {
        // A plain form, as phones send that installed the shop before it took photos.
        let body = read_to_end(body, ACCOUNT_BODY).await?;
        return Ok(url::form_urlencoded::parse(&body).into_owned().collect());
    }
    let mut form = Multipart::new(request.headers(), body);
    let mut fields = Vec::new();
    let mut room = ACCOUNT_BODY;
    let mut photos = 0;
    while let Some(field) = poll_fn(|context| Pin::new(&mut form).poll_next(context)).await {
        let mut field = field.map_err(not_received)?;
        let name = field.name().unwrap_or_default().to_owned();
        if field
            .content_disposition()
            .is_some_and(|it| it.get_filename().is_some())
        {
            while let Some(chunk) = poll_fn(|context| Pin::new(&mut field).poll_next(context)).await
            {
                photos += chunk.map_err(not_received)?.len();
                if photos > MAX_PHOTOS {
                    return Err(ApiError::TooLarge);
                }
                written(request);
            }
            continue;
        }
        let text = read_field(&mut field, room).await?;
        room = room
            .checked_sub(name.len() + text.len())
            .ok_or(ApiError::TooLarge)?;
        fields.push((name, String::from_utf8_lossy(&text).into_owned()));
    }
    Ok(fields)
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
    most: u64,
) -> Result<std::fs::File, ApiError> {
    let mut file = tempfile::tempfile_in(folder_of(database)).map_err(not_written)?;
    // Half of the disk's free space, so that uploads never fill it.
    let room = free_bytes(database).map_or(most, |free| free / 2);
    let mut gathered = Vec::new();
    let mut size = 0;
    while let Some(chunk) = poll_fn(|context| Pin::new(&mut body).poll_next(context)).await {
        let chunk = chunk.map_err(not_received)?;
        size += chunk.len() as u64;
        if size > most {
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
