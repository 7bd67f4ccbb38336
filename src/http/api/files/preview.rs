//! Preview of a file, and its refused rows.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, ContentDisposition, DispositionParam, DispositionType,
};
use actix_web::{HttpRequest, HttpResponse, Responder, web};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::upload::{MAX_SIZE, ReceivedFile, not_written, receive};
use super::{FileQuery, ProblemBody, READING_TIME, describe, more, not_read, owned};
use crate::catalog::formats::{Format, Input, ReadError};
use crate::catalog::mapping::{Choices, DayOrder, Mapping};
use crate::catalog::preview::{Preview, PreviewRow, preview};
use crate::catalog::reading::{Reading, Stop};
use crate::catalog::refused::RefusedRows;
use crate::catalog::shop_archive;
use crate::domain::FieldError;
use crate::http::api::permissions::{ImportProducts, May};
use crate::http::error::ApiError;
use crate::http::routes::{Route, post};
use crate::http::state::AppState;
use crate::store::folder_of;

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        post("/product/import/preview", preview_import)
            .without_code()
            .summary("Shows what a file is and what its rows would become, without writing.")
            .details(
                "`sources` has the columns of each field in the order in which they count, \
                 `questions` the fields that several columns could give: the file is not imported \
                 until a mapping names one column for each.",
            )
            .body_as::<Vec<u8>>("application/octet-stream")
            .body_as::<super::ImportForm>("multipart/form-data")
            .body_text(FILE_OR_FORM)
            .answers::<FilePreviewResponse>("The preview"),
        post("/product/import/refused", get_refused_rows)
            .without_code()
            .summary(
                "Returns the refused rows of a file as CSV, with the reasons in a column; writes \
                 nothing.",
            )
            .body_as::<Vec<u8>>("application/octet-stream")
            .body_as::<super::ImportForm>("multipart/form-data")
            .body_text(FILE_OR_FORM)
            .answers_as::<String>("text/csv", "The rows"),
    ]
}

const FILE_OR_FORM: &str =
    "A file of any format, as it is or in a form, which may have a mapping as JSON";

/// Maximum size of the refused rows that are sent, in bytes.
const MAX_REFUSED: usize = 32 * 1_024 * 1_024;

/// Format of a file, and its first rows as products.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FilePreviewResponse {
    #[schema(inline)]
    format: Format,
    /// Number of valid rows.
    valid: u64,
    /// Number of invalid rows.
    refused: u64,
    /// The first 20 rows.
    rows: Vec<PreviewRowBody>,
    /// Columns of the file; none of the program's own JSON.
    columns: Vec<ColumnBody>,
    /// Fields with their columns, of which the first with a value counts.
    sources: Vec<FieldColumnsBody>,
    /// Needed fields that no column gives.
    missing: Vec<&'static str>,
    /// Fields that one of several columns could give; a mapping has to name it before the file is imported.
    questions: Vec<FieldColumnsBody>,
    /// Reasons why a column gives a field.
    reasons: Vec<ReasonBody>,
    /// Order of day and month in dates that do not name the month: dmy or mdy.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<DayOrder>)]
    dates: Option<DayOrder>,
    /// Categories without a counterpart, the most frequent first.
    categories: Vec<UnknownCategoryBody>,
    /// Categories that an import would add.
    new_categories: Vec<String>,
    /// The first problems.
    problems: Vec<ProblemBody>,
    more_problems: u64,
    /// Doubts about a file that can be read
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// Mapping that was used; none for the program's own JSON.
    #[schema(required = true)]
    mapping: Option<Mapping>,
}

#[derive(Serialize, ToSchema)]
struct PreviewRowBody {
    /// Number of the row in the file.
    row: u64,
    /// Fields of the product, by name; none if the row is refused.
    #[schema(value_type = Option<std::collections::BTreeMap<String, Value>>, required = true)]
    product: Option<Map<String, Value>>,
    /// Reasons why it is refused.
    problems: Vec<ReasonBody>,
}

#[derive(Serialize, ToSchema)]
struct ReasonBody {
    /// Name of the field; empty for the whole row.
    field: String,
    message: String,
}

#[derive(Serialize, ToSchema)]
struct FieldColumnsBody {
    field: String,
    /// Names of the columns.
    columns: Vec<String>,
}

#[derive(Serialize, ToSchema)]
struct ColumnBody {
    name: String,
    /// Whether a field uses it.
    used: bool,
    /// Fields that use it.
    fields: Vec<String>,
    /// Value in the first row
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<String>,
}

#[derive(Serialize, ToSchema)]
struct UnknownCategoryBody {
    name: String,
    rows: u64,
}

impl From<Preview> for FilePreviewResponse {
    fn from(preview: Preview) -> Self {
        let findings = preview.findings;
        let new_categories = owned(findings.new_categories());
        let columns = findings.columns.into_iter().enumerate();
        let mut first = preview.first;
        let categories = findings.categories.into_iter();
        let named = |(field, columns)| FieldColumnsBody { field, columns };
        let dates = findings.interpretation.order();
        let Choices {
            reasons, questions, ..
        } = findings.interpretation.choices;
        Self {
            format: findings.format,
            valid: preview.valid,
            refused: preview.problems.rows,
            rows: preview.rows.into_iter().map(PreviewRowBody::from).collect(),
            columns: columns
                .map(|(at, (name, fields))| ColumnBody {
                    name,
                    used: !fields.is_empty(),
                    fields,
                    first: first.remove(&at),
                })
                .collect(),
            missing: findings.missing,
            sources: findings.sources.into_iter().map(named).collect(),
            questions: questions
                .into_iter()
                .map(|question| named((question.field.to_owned(), question.columns)))
                .collect(),
            reasons: reasons
                .into_iter()
                .map(|(field, message)| ReasonBody {
                    field: field.to_owned(),
                    message,
                })
                .collect(),
            dates,
            categories: categories
                .map(|(name, rows)| UnknownCategoryBody { name, rows })
                .collect(),
            new_categories,
            problems: describe(&preview.problems),
            more_problems: more(&preview.problems),
            note: findings.note,
            mapping: findings.mapping,
        }
    }
}

impl From<PreviewRow> for PreviewRowBody {
    fn from(row: PreviewRow) -> Self {
        let reason = |FieldError { field, message }| ReasonBody { field, message };
        let (product, problems) = match row.product {
            Ok(product) => {
                let fields = product.details.fields();
                let fields = fields.map(|(name, value)| (name.to_owned(), value));
                (Some(fields.collect()), Vec::new())
            }
            Err(errors) => (None, errors.into_iter().map(reason).collect()),
        };
        Self {
            row: row.row,
            product,
            problems,
        }
    }
}

pub(crate) async fn preview_import(
    state: web::Data<AppState>,
    actor: May<ImportProducts>,
    query: web::Query<FileQuery>,
    request: HttpRequest,
    body: web::Payload,
) -> Result<impl Responder, ApiError> {
    let preview = with_file(
        state,
        &actor,
        query,
        request,
        body,
        |input, reading, folder| preview(input, &reading, folder).map_err(|error| not_read(&error)),
    )
    .await?;
    Ok(web::Json(FilePreviewResponse::from(preview)))
}

/// Receives a file and has it read in the actor's turn, with the folder for temporary files; blocking is
/// allowed.
async fn with_file<T: Send + 'static>(
    state: web::Data<AppState>,
    actor: &May<ImportProducts>,
    query: web::Query<FileQuery>,
    request: HttpRequest,
    body: web::Payload,
    read: impl FnOnce(Input, Reading, &Path) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let path = state.store().path().to_owned();
    let ReceivedFile { file, mapping } = receive(&request, body, &path, MAX_SIZE).await?;
    let keeps_categories = !actor.is_admin();
    let work = state.file_work(actor.party(), move |store, is_abandoned| {
        let stop = Stop::new(Arc::clone(is_abandoned), Some(READING_TIME));
        let reading = query.reading(store, &mapping)?;
        let reading = Reading {
            stop,
            keeps_categories,
            ..reading
        };
        read(Input::File(Box::new(file)), reading, folder_of(&path))
    });
    May::<ImportProducts>::while_allowed(&request, work).await
}

/// Error while the refused rows are collected.
enum RowsFailure {
    Read(ReadError),
    Write(std::io::Error),
}

impl From<ReadError> for RowsFailure {
    fn from(error: ReadError) -> Self {
        Self::Read(error)
    }
}

pub(crate) async fn get_refused_rows(
    state: web::Data<AppState>,
    actor: May<ImportProducts>,
    query: web::Query<FileQuery>,
    request: HttpRequest,
    body: web::Payload,
) -> Result<impl Responder, ApiError> {
    let csv = with_file(
        state,
        &actor,
        query,
        request,
        body,
        |input, reading, folder| {
            let opened = shop_archive::open(input, &reading, folder, |_| Ok(()));
            let (input, mut reading, _) = opened.map_err(|error| not_read(&error))?;
            reading.keeps_rows = true;
            let mut refused = RefusedRows::new(folder).map_err(not_written)?;
            let outcome = reading.read::<RowsFailure>(input, folder, false, |item| {
                if let Err(errors) = &item.product {
                    refused.add(&item.raw, errors).map_err(RowsFailure::Write)?;
                }
                Ok(())
            });
            match outcome {
                Err(RowsFailure::Read(error)) => return Err(not_read(&error)),
                Err(RowsFailure::Write(error)) => return Err(not_written(error)),
                Ok(_) => {}
            }
            let mut csv = Bounded(Vec::new());
            refused
                .write_csv(&mut csv)
                .map_err(|_| ApiError::TooLarge)?;
            Ok(csv.0)
        },
    )
    .await?;
    let file = ContentDisposition {
        disposition: DispositionType::Attachment,
        parameters: vec![DispositionParam::Filename("refused.csv".to_owned())],
    };
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_DISPOSITION, file))
        .insert_header((CACHE_CONTROL, "no-store"))
        .content_type("text/csv; charset=utf-8")
        .body(csv))
}

/// Memory that fails when it is full.
struct Bounded(Vec<u8>);

impl Write for Bounded {
    fn write(&mut self, chunk: &[u8]) -> std::io::Result<usize> {
        if self.0.len() + chunk.len() > MAX_REFUSED {
            return Err(std::io::ErrorKind::FileTooLarge.into());
        }
        self.0.extend_from_slice(chunk);
        Ok(chunk.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
