//! Import of a file from the browser, with the code of `deals import`.

pub(crate) mod mappings;
pub(crate) mod pictures;
pub(crate) mod preview;
pub(in crate::http) mod upload;

use std::io::{Read, Seek};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, Responder, web};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::{IntoParams, ToSchema};

use self::upload::{MAX_SIZE, ReceivedFile, not_written, receive};
use super::permissions::{ImportProducts, May};
use super::products::body::sent::ProductRequest;
use crate::catalog::demo::{self, DemoError};
use crate::catalog::formats::{Format, Input, ReadError};
use crate::catalog::import::{ImportError, ImportOptions, ImportReport, Problems, Source, import};
use crate::catalog::mapping::Defaults;
use crate::catalog::reading::{Reading, Stop};
use crate::domain::FieldError;
use crate::http::describe::Call;
use crate::http::error::ApiError;
use crate::http::idempotency::{IdempotencyKey, once};
use crate::http::routes::{Route, post};
use crate::http::state::AppState;
use crate::store::{Import, Keep, Store, folder_of};

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        post("/product/import", import_products)
            .without_code()
            .summary("Imports a file of products.")
            .describe(Call::list::<ProductRequest>)
            .body_as::<String>("application/x-ndjson")
            .body_as::<String>("text/csv")
            .body_as::<Vec<u8>>("application/octet-stream")
            .body_as::<ImportForm>("multipart/form-data")
            .body_text("A file of any format that `deals import` reads, as it is or in a form")
            .answers::<ImportResponse>("The result"),
        post("/product/demo", add_demo_products)
            .without_code()
            .summary("Fills an empty shop with demo products, without clicks.")
            .answers::<DemoResponse>("Added")
            .refuses(409, "The shop has products"),
    ]
}

/// Maximum time of a preview, a dry run or a download of refused rows.
const READING_TIME: Duration = Duration::from_secs(60);
/// Bytes that are read at once, some hundred products.
const READ_BUFFER: usize = 64 * 1_024;

/// Query flags; anything but `true` is false.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ImportQuery {
    /// Report what would be done without writing
    #[param(value_type = Option<bool>)]
    dry_run: Option<String>,
    /// Import the valid rows although others are invalid
    #[param(value_type = Option<bool>)]
    skip_invalid: Option<String>,
}

/// How a file is read.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FileQuery {
    /// Format of the file, as a preview names it; auto or left out to recognize it
    format: Option<String>,
    /// Path to the list of products in JSON, like data.items
    path: Option<String>,
    /// Seller of products whose seller the file does not name
    source: Option<String>,
    /// Category of products without a known one
    category: Option<String>,
    /// Add the categories that the shop does not have, as an administrator
    #[param(value_type = Option<bool>)]
    create_categories: Option<String>,
    /// Name of a saved mapping, or of a format whose mapping is used; a form may send the mapping itself
    mapping: Option<String>,
}

impl FileQuery {
    /// Returns how the file is read, with the mapping that was sent as JSON, or a saved one. Blocks.
    fn reading(&self, store: &Store, sent: &[u8]) -> Result<Reading, ApiError> {
        let given = |text: &Option<String>| {
            let text = text.as_deref().map(str::trim).unwrap_or_default();
            (!text.is_empty()).then(|| text.to_owned())
        };
        let format = match given(&self.format) {
            None => None,
            Some(name) if name == "auto" => None,
            Some(name) => Some(Format::parse(&name).ok_or_else(|| {
                let names = Format::all_names();
                ApiError::invalid("format", format!("format must be one of auto, {names}."))
            })?),
        };
        let categories = store.categories()?;
        let category = given(&self.category);
        if category
            .as_deref()
            .is_some_and(|name| categories.find(name).is_none())
        {
            let message = format!("category must be one of {}.", categories.names(", "));
            return Err(ApiError::invalid("category", message));
        }
        let mapping = match given(&self.mapping) {
            _ if !sent.is_empty() => Some(mappings::parse(sent)?),
            None => None,
            Some(name) => Some(mappings::find(store, &name)?),
        };
        Ok(Reading {
            format,
            path: given(&self.path),
            mapping,
            defaults: Defaults {
                source: given(&self.source),
                category,
                links: store.link_rules()?,
            },
            categories,
            creates_categories: self.create_categories.as_deref() == Some("true"),
            ..Reading::default()
        })
    }
}

/// Result of an import, in products and rows.
#[derive(Serialize, ToSchema)]
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
    /// Doubts about a file that can be read
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// Lines that say which columns the products come from, and which are not used
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    reading: Vec<String>,
    /// Categories that were added, or would be by a dry run
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    new_categories: Vec<String>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct ProblemBody {
    row: u64,
    field: String,
    message: String,
}

/// A form with a file; the field may have any name.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only the attributes are read")]
pub(crate) struct ImportForm {
    #[schema(format = Binary)]
    file: String,
}

// Spooled to a temporary file, so that memory does not grow with the body.
pub(crate) async fn import_products(
    state: web::Data<AppState>,
    actor: May<ImportProducts>,
    key: IdempotencyKey,
    query: web::Query<ImportQuery>,
    how: web::Query<FileQuery>,
    request: HttpRequest,
    body: web::Payload,
) -> Result<HttpResponse, ApiError> {
    let is_true = |flag: &Option<String>| flag.as_deref() == Some("true");
    let options = ImportOptions {
        dry_run: is_true(&query.dry_run),
        skip_invalid: is_true(&query.skip_invalid),
    };
    let path = state.store().path().to_owned();
    let ReceivedFile { file, mapping } = receive(&request, body, &path, MAX_SIZE).await?;
    let how = how.into_inner();
    let sent = mapping.clone();
    let mut reading = state.work(move |store| how.reading(store, &sent)).await?;
    reading.keeps_categories = !actor.is_admin();
    reading.keeps_settings = !actor.is_confirmed();
    // A dry run makes nothing that a repetition could double.
    let is_kept = key.is_sent() && !options.dry_run;
    let (file, hash) = if is_kept {
        let hash = move |_: &Store, _: &_| hashed(file, &mapping);
        state.file_work(actor.party(), hash).await?
    } else {
        (file, [0; 32])
    };
    let repeatable = key.complete(actor.id(), &hash).filter(|_| is_kept);
    let answer = |report: &ImportReport| serde_json::to_vec(&ImportResponse::from(report));
    once(&state, repeatable, StatusCode::OK, answer, async |keep| {
        let name = actor.name();
        let work = state.file_work(actor.party(), move |store, is_abandoned| {
            let most = options.dry_run.then_some(READING_TIME);
            let stop = Stop::new(Arc::clone(is_abandoned), most);
            let reading = Reading { stop, ..reading };
            let report = import_file(file, &reading, store.path(), options, &name, keep)?;
            // The import has a connection of its own.
            store.confirm(true)?;
            Ok(report)
        });
        let report = May::<ImportProducts>::while_allowed(&request, work).await?;
        if !options.dry_run {
            tracing::info!(by = actor.id(), "a file was imported");
        }
        Ok(report)
    })
    .await
}

fn import_file(
    file: std::fs::File,
    reading: &Reading,
    database: &Path,
    options: ImportOptions,
    actor: &str,
    keep: Option<Keep<'static, ImportReport>>,
) -> Result<ImportReport, ApiError> {
    let session = Import::begin(database).map_err(|error| ApiError::Internal(error.to_string()))?;
    let source = Source {
        input: Input::File(Box::new(file)),
        reading,
        folder: folder_of(database),
    };
    let now = Timestamp::now();
    import(source, session, options, actor, now, |_| (), None, keep).map_err(|error| match error {
        ImportError::Invalid(problems, ..) => ApiError::Invalid(
            problems
                .described
                .iter()
                .map(|problem| {
                    let mut field = format!("row {}: {}", problem.row, problem.error.field);
                    field.truncate(field.trim_end_matches([':', ' ']).len());
                    FieldError::new(field, problem.error.message.clone())
                })
                .collect(),
        ),
        ImportError::Read(error) => not_read(&error),
        ImportError::Refused(error) => not_written(error),
        ImportError::Open(error) => ApiError::Internal(error.to_string()),
        ImportError::Store(error) => error.into(),
    })
}

fn not_read(error: &ReadError) -> ApiError {
    if matches!(error, ReadError::Stopped) {
        tracing::info!("work on a file was stopped: its client has gone, or it takes too long");
    }
    ApiError::InvalidFile(format!(
        "The file can't be imported: {error}. Nothing was changed."
    ))
}

/// Returns the SHA-256 of a mapping and a file's content, which is the same in each form that it is
/// sent in.
fn hashed(mut file: std::fs::File, mapping: &[u8]) -> Result<(std::fs::File, [u8; 32]), ApiError> {
    let mut hash = Sha256::new();
    hash.update(mapping);
    let mut buffer = vec![0; READ_BUFFER];
    loop {
        let read = file.read(&mut buffer).map_err(not_written)?;
        if read == 0 {
            file.rewind().map_err(not_written)?;
            return Ok((file, hash.finalize().into()));
        }
        hash.update(&buffer[..read]);
    }
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
            note: report.findings.note.clone(),
            reading: report.findings.lines(),
            new_categories: owned(report.findings.new_categories()),
        }
    }
}

/// Result of adding the demo products.
#[derive(Serialize, ToSchema)]
pub(crate) struct DemoResponse {
    added: u64,
}

pub(crate) async fn add_demo_products(
    state: web::Data<AppState>,
    actor: May<ImportProducts>,
) -> Result<impl Responder, ApiError> {
    let added = state
        .file_work(actor.party(), |store, _| {
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
    tracing::info!(by = actor.id(), "demo products were added");
    Ok(web::Json(DemoResponse { added }))
}

fn owned(names: Vec<&str>) -> Vec<String> {
    names.into_iter().map(str::to_owned).collect()
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
