//! Import of a file from the browser, with the code of `deals import`.

use std::future::poll_fn;
use std::io::{BufReader, ErrorKind, Read, Seek, Write};
use std::path::Path;
use std::pin::Pin;

use actix_multipart::{Multipart, MultipartError};
use actix_web::http::StatusCode;
use actix_web::http::header::ContentDisposition;
use actix_web::{HttpMessage, HttpRequest, HttpResponse, Responder, web};
use futures_core::Stream;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

#[cfg(test)]
use super::openapi::schemas::{
    AdminRefusals, BodyRefusals, Error, KeyHeader, KeyRefusals, Refusals,
};
#[cfg(test)]
use super::products::body::sent::ProductRequest;
use super::session::Admin;
use crate::catalog::demo::{self, DemoError};
use crate::catalog::import::{ImportError, ImportOptions, ImportReport, Problems, import};
use crate::domain::FieldError;
use crate::http::error::ApiError;
use crate::http::idempotency::{IdempotencyKey, once};
use crate::http::serving::connections::body_timeout::is_too_late;
use crate::http::state::AppState;
use crate::store::{Import, Keep, folder_of};

/// Maximum size of the file in bytes, about fifty thousand products.
const MAX_SIZE: u64 = 64 * 1_024 * 1_024;
/// Bytes that are read at once, some hundred products.
const READ_BUFFER: usize = 64 * 1_024;
/// Bytes that are buffered before a write.
const WRITE_BUFFER: usize = 64 * 1_024;

/// Query flags; anything but `true` is false.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ImportQuery {
    dry_run: Option<String>,
    skip_invalid: Option<String>,
}

/// Result of an import, in products and rows.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct ImportResponse {
    added: u64,
    updated: u64,
    unchanged: u64,
    /// Rows that a later row of the same product replaced.
    replaced: u64,
    /// Invalid rows.
    skipped: u64,
    /// The first problems.
    problems: Vec<ProblemBody>,
    more_problems: u64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
struct ProblemBody {
    row: u64,
    field: String,
    message: String,
}

/// A form with a file of products, as JSON array or NDJSON; the field may have any name.
#[cfg(test)]
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "only the attributes are read")]
pub(crate) struct ImportForm {
    #[schema(format = Binary)]
    file: String,
}

// Spooled to a temporary file, so that memory does not grow with the body.
/// Imports a file of products.
#[cfg_attr(test, utoipa::path(
    post, path = "/product/import", tag = "administration",
    params(
        ("dryRun" = Option<bool>, Query, description = "Report what would be done without writing"),
        ("skipInvalid" = Option<bool>, Query, description = "Import the valid rows although others are invalid"),
        KeyHeader,
    ),
    request_body(
        content(
            (Vec<ProductRequest> = "application/json"), (String = "application/x-ndjson"),
            (ImportForm = "multipart/form-data"),
        ),
        description = "A JSON array or one product per line (NDJSON), or a form with such a file",
    ),
    security(("token" = []), ("cookie" = [])),
    responses(
        (status = 200, description = "The result", body = ImportResponse), AdminRefusals, BodyRefusals, KeyRefusals,
    ),
))]
pub(crate) async fn import_products(
    state: web::Data<AppState>,
    admin: Admin,
    key: IdempotencyKey,
    query: web::Query<ImportQuery>,
    request: HttpRequest,
    body: web::Payload,
) -> Result<HttpResponse, ApiError> {
    let is_true = |flag: &Option<String>| flag.as_deref() == Some("true");
    let options = ImportOptions {
        dry_run: is_true(&query.dry_run),
        skip_invalid: is_true(&query.skip_invalid),
    };
    let path = state.store().path().to_owned();
    let file = receive(&request, body, &path).await?;
    // A dry run makes nothing that a repetition could double.
    let is_kept = key.is_sent() && !options.dry_run;
    let (file, hash) = if is_kept {
        hashed(file).await?
    } else {
        (file, [0; 32])
    };
    let request = key.of(admin.id(), &hash).filter(|_| is_kept);
    let answer = |report: &ImportReport| serde_json::to_vec(&ImportResponse::from(report));
    once(&state, request, StatusCode::OK, answer, async |keep| {
        let actor = admin.name();
        let report = web::block(move || import_file(file, &path, options, &actor, keep))
            .await
            .map_err(|error| ApiError::Internal(error.to_string()))??;
        if !options.dry_run {
            tracing::info!(by = admin.id(), "a file was imported");
        }
        Ok(report)
    })
    .await
}

fn import_file(
    file: std::fs::File,
    database: &Path,
    options: ImportOptions,
    actor: &str,
    keep: Option<Keep<'static, ImportReport>>,
) -> Result<ImportReport, ApiError> {
    let session = Import::begin(database).map_err(|error| ApiError::Internal(error.to_string()))?;
    let input = BufReader::with_capacity(READ_BUFFER, file);
    let now = Timestamp::now();
    import(input, session, options, actor, now, |_| (), keep).map_err(|error| match error {
        ImportError::Invalid(problems, _) => ApiError::Invalid(
            problems
                .described
                .iter()
                .map(|problem| {
                    let field = format!("row {}: {}", problem.row, problem.error.field);
                    FieldError::new(field, problem.error.message.clone())
                })
                .collect(),
        ),
        ImportError::Read(error) => ApiError::InvalidFile(format!(
            "The file can't be imported: {error}. Nothing was changed."
        )),
        ImportError::Open(error) => ApiError::Internal(error.to_string()),
        ImportError::Store(error) => error.into(),
    })
}

/// Returns the SHA-256 of a file's content, which is the same in each form that it is sent in.
async fn hashed(mut file: std::fs::File) -> Result<(std::fs::File, [u8; 32]), ApiError> {
    web::block(move || {
        let mut hash = Sha256::new();
        let mut buffer = vec![0; READ_BUFFER];
        loop {
            let read = file.read(&mut buffer)?;
            if read == 0 {
                file.rewind()?;
                return Ok((file, hash.finalize().into()));
            }
            hash.update(&buffer[..read]);
        }
    })
    .await
    .map_err(|error| ApiError::Internal(error.to_string()))?
    .map_err(not_written)
}

impl From<&ImportReport> for ImportResponse {
    fn from(report: &ImportReport) -> Self {
        Self {
            added: report.counts.added,
            updated: report.counts.updated,
            unchanged: report.counts.unchanged,
            replaced: report.counts.replaced,
            skipped: report.problems.rows,
            more_problems: more(&report.problems),
            problems: describe(&report.problems),
        }
    }
}

/// Result of adding the demo products.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct DemoResponse {
    added: u64,
}

/// Fills an empty shop with demo products, without clicks.
#[cfg_attr(test, utoipa::path(
    operation_id = "add_demo_products",
    post, path = "/product/demo", tag = "administration", security(("token" = []), ("cookie" = [])),
    responses(
        (status = 200, description = "Added", body = DemoResponse),
        (status = 409, description = "The shop has products", body = Error), AdminRefusals, Refusals,
    ),
))]
pub(crate) async fn add_demo(
    state: web::Data<AppState>,
    admin: Admin,
) -> Result<impl Responder, ApiError> {
    let added = state
        .work(|store| {
            let session = Import::begin(store.path())
                .map_err(|error| ApiError::Internal(error.to_string()))?;
            match demo::fill(store, session, false, Timestamp::now()) {
                Ok(added) => Ok(added),
                Err(DemoError::Store(error)) => Err(error.into()),
                Err(error) => Err(ApiError::Internal(error.to_string())),
            }
        })
        .await?;
    let Some(added) = added else {
        let message = "The shop has products already; demo products are for an empty shop.";
        return Err(ApiError::Conflict(message.to_owned()));
    };
    tracing::info!(by = admin.id(), "demo products were added");
    Ok(web::Json(DemoResponse { added }))
}

fn describe(problems: &Problems) -> Vec<ProblemBody> {
    problems
        .described
        .iter()
        .map(|problem| ProblemBody {
            row: problem.row,
            field: problem.error.field.clone(),
            message: problem.error.message.clone(),
        })
        .collect()
}

fn more(problems: &Problems) -> u64 {
    problems.total - problems.described.len() as u64
}

/// Receives the body, or the one file of a form.
async fn receive(
    request: &HttpRequest,
    body: web::Payload,
    database: &Path,
) -> Result<std::fs::File, ApiError> {
    let kind = request.mime_type().ok().flatten();
    if kind.is_none_or(|kind| kind.essence_str() != "multipart/form-data") {
        return spool(body, database).await;
    }
    let mut form = Multipart::new(request.headers(), body);
    let mut file = None;
    while let Some(field) = poll_fn(|context| Pin::new(&mut form).poll_next(context)).await {
        let field = field.map_err(not_received)?;
        let is_file = |it: &ContentDisposition| it.get_filename().is_some();
        if !field.content_disposition().is_some_and(is_file) {
            continue;
        }
        if file.is_some() {
            let message = "Send one file in a form, not several.";
            return Err(ApiError::InvalidFile(message.to_owned()));
        }
        file = Some(spool(field, database).await?);
    }
    file.ok_or_else(|| ApiError::InvalidFile("The form has no file.".to_owned()))
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
    mut body: impl Stream<Item = Result<web::Bytes, impl Into<MultipartError>>> + Unpin,
    database: &Path,
) -> Result<std::fs::File, ApiError> {
    let mut file = tempfile::tempfile_in(folder_of(database)).map_err(not_written)?;
    let mut gathered = Vec::new();
    let mut size = 0;
    while let Some(chunk) = poll_fn(|context| Pin::new(&mut body).poll_next(context)).await {
        let chunk = chunk.map_err(not_received)?;
        size += chunk.len() as u64;
        if size > MAX_SIZE {
            return Err(ApiError::TooLarge);
        }
        gathered.extend_from_slice(&chunk);
        if gathered.len() >= WRITE_BUFFER {
            file = append(file, std::mem::take(&mut gathered)).await?;
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
fn not_written(error: std::io::Error) -> ApiError {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            ApiError::Full
        }
        _ => ApiError::Internal(error.to_string()),
    }
}
