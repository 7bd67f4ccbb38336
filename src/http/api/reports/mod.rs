//! Reports of clicks, for administrators.

pub(in crate::http) mod duplicates;
pub(in crate::http) mod overview;
pub(in crate::http) mod tasks;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION};
use actix_web::{HttpResponse, HttpResponseBuilder, Responder, web};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::catalog::export::report_csv;
use crate::domain::{
    LeftOut, Page, PageViews, ReportQuery, ReportRequest, ReportRow, Rfc3339, date_of,
};
use crate::http::api::list_query::page_number;
#[cfg(test)]
use crate::http::api::openapi::schemas::{AdminRefusals, BodyRefusals, PageNumber, Refusals};
use crate::http::api::permissions::{May, ReadReports, UseOffice};
use crate::http::api::responses::MetaBody;
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::state::AppState;

/// Entries on a page of excluded clicks.
const LINES: u32 = 50;

#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(crate) struct ReportParameters {
    #[serde(flatten)]
    #[cfg_attr(test, param(ignore))]
    request: ReportRequest,
    /// json (default) or csv
    format: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct ReportResponse {
    from: String,
    to: String,
    by: &'static str,
    rows: Vec<RowBody>,
    totals: TotalsBody,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct RowBody {
    key: String,
    label: String,
    counted: u64,
    left_out: u64,
    /// Views of the page, for a product
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = u64))]
    views: Option<u64>,
    /// Clicks per hundred views
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = f64))]
    rate: Option<f64>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
struct TotalsBody {
    counted: u64,
    left_out: u64,
    /// Sum of both.
    clicks: u64,
}

impl ReportResponse {
    fn new(query: &ReportQuery, rows: Vec<ReportRow>) -> Self {
        let counted = rows.iter().map(|row| row.counted).sum();
        let left_out = rows.iter().map(|row| row.left_out).sum();
        Self {
            from: date_of(query.from).to_string(),
            to: date_of(query.to).to_string(),
            by: query.by.as_str(),
            rows: rows.into_iter().map(RowBody::from).collect(),
            totals: TotalsBody {
                counted,
                left_out,
                clicks: counted + left_out,
            },
        }
    }
}

impl From<ReportRow> for RowBody {
    fn from(row: ReportRow) -> Self {
        Self {
            key: row.key,
            label: row.label,
            counted: row.counted,
            left_out: row.left_out,
            views: row.page_views.map(|views| views.seen),
            rate: row.page_views.and_then(PageViews::rate),
        }
    }
}

/// Counts clicks, grouped by one dimension.
#[cfg_attr(test, utoipa::path(
    operation_id = "report_clicks",
    get, path = "/report/clicks", tag = "reports", params(ReportRequest, ReportParameters),
    security(("token" = []), ("cookie" = []), ("key" = ["reports:read"])),
    responses(
        (status = 200, description = "The sums", content((ReportResponse = "application/json"), (String = "text/csv"))),
        AdminRefusals, Refusals,
    ),
))]
pub(crate) async fn clicks(
    state: web::Data<AppState>,
    _may: May<ReadReports>,
    parameters: web::Query<ReportParameters>,
) -> Result<HttpResponse, ApiError> {
    let ReportParameters { request, format } = parameters.into_inner();
    let is_csv = match format.as_deref() {
        None | Some("json") => false,
        Some("csv") => true,
        Some(_) => {
            let message = "format must be one of json, csv.";
            return Err(ApiError::invalid("format", message));
        }
    };
    let query = request.read(Timestamp::now()).map_err(ApiError::Invalid)?;
    let asked = query.clone();
    let rows = state
        .query(move |store| store.report_clicks(&asked))
        .await?;
    let mut response = no_store();
    if !is_csv {
        return Ok(response.json(ReportResponse::new(&query, rows)));
    }
    let name = format!("clicks-by-{}.csv", query.by.as_str());
    Ok(response
        .content_type("text/csv; charset=utf-8")
        .insert_header((
            CONTENT_DISPOSITION,
            format!("attachment; filename=\"{name}\""),
        ))
        .body(report_csv(&rows).map_err(ApiError::Internal)?))
}

/// Whether clicks of the requesting device are counted.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct DeviceBody {
    #[cfg_attr(test, schema(value_type = bool, required = true))]
    counted: Option<bool>,
}

/// Excludes clicks of this device, or counts them again; a cookie remembers it.
#[cfg_attr(test, utoipa::path(
    operation_id = "count_this_device",
    post, path = "/report/this-device", tag = "reports", request_body = DeviceBody,
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "Saved", body = DeviceBody), AdminRefusals, BodyRefusals),
))]
pub(crate) async fn this_device(
    state: web::Data<AppState>,
    _may: May<UseOffice>,
    Json(body): Json<DeviceBody>,
) -> Result<impl Responder, ApiError> {
    let counted = body.counted.ok_or_else(|| ApiError::missing("counted"))?;
    let cookie = state.options().cookies.make_own(!counted);
    Ok(HttpResponse::Ok().cookie(cookie).json(body))
}

#[derive(Deserialize)]
pub(crate) struct PageOfLeftOut {
    page: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct LeftOutResponse {
    data: Vec<LeftOutBody>,
    meta: MetaBody,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
struct LeftOutBody {
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    at: Rfc3339,
    product: String,
    title: String,
    verdict: &'static str,
    /// The reason, as a sentence.
    reason: String,
    /// The first 200 characters of the user agent.
    agent: String,
}

impl From<LeftOut> for LeftOutBody {
    fn from(click: LeftOut) -> Self {
        Self {
            at: Rfc3339(click.at),
            verdict: click.classification.as_str(),
            reason: click.reason(),
            product: click.product,
            title: click.title,
            agent: click.agent,
        }
    }
}

/// Returns the newest excluded clicks with their reasons, never an address.
#[cfg_attr(test, utoipa::path(
    operation_id = "list_left_out_clicks",
    get, path = "/report/left-out", tag = "reports", params(PageNumber), security(("token" = []), ("cookie" = []), ("key" = ["reports:read"])),
    responses((status = 200, description = "The clicks", body = LeftOutResponse), AdminRefusals, Refusals),
))]
pub(crate) async fn left_out(
    state: web::Data<AppState>,
    _may: May<ReadReports>,
    query: web::Query<PageOfLeftOut>,
) -> Result<impl Responder, ApiError> {
    let page = page_number(query.page.as_deref())?;
    let found: Page<LeftOut> = state
        .query(move |store| store.list_left_out(page, LINES))
        .await?;
    Ok(no_store().json(LeftOutResponse {
        meta: MetaBody::new(&found, page, LINES),
        data: found.items.into_iter().map(LeftOutBody::from).collect(),
    }))
}

/// Starts an answer that must not be stored: it is private and soon outdated.
fn no_store() -> HttpResponseBuilder {
    let mut response = HttpResponse::Ok();
    response.insert_header((CACHE_CONTROL, "no-store"));
    response
}
