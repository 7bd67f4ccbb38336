//! Reports of clicks, for administrators.

pub(in crate::http) mod duplicates;
pub(in crate::http) mod overview;
pub(in crate::http) mod tasks;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION};
use actix_web::{HttpResponse, HttpResponseBuilder, Responder, web};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::catalog::export::report_csv;
use crate::domain::{
    LeftOut, PageViews, Paged, ReportQuery, ReportRequest, ReportRow, Rfc3339, date_of,
};
use crate::http::api::list_query::page_number;
use crate::http::api::permissions::{May, ReadReports, UseOffice};
use crate::http::api::responses::MetaBody;
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::routes::{Route, get, post};
use crate::http::state::AppState;

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        get("/report/clicks", report_clicks)
            .summary("Counts clicks, grouped by one dimension.")
            .details(
                "By `product` it also has `views` and `rate`. `from=30d` is the last 30 days. Days \
                 are India's.",
            )
            .answers::<ReportResponse>("The sums")
            .answers_as::<String>("text/csv", "The sums"),
        get("/report/left-out", list_left_out_clicks)
            .summary("Returns the newest excluded clicks with their reasons, never an address.")
            .answers::<LeftOutResponse>("The clicks"),
        post("/report/this-device", count_this_device)
            .without_code()
            .summary("Excludes clicks of this device, or counts them again; a cookie remembers it.")
            .answers::<DeviceBody>("Saved"),
    ]
}

/// Entries on a page of excluded clicks.
const LINES: u32 = 50;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ReportParameters {
    /// json (default) or csv
    format: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct ReportResponse {
    from: String,
    to: String,
    by: &'static str,
    rows: Vec<RowBody>,
    totals: TotalsBody,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct RowBody {
    key: String,
    label: String,
    counted: u64,
    left_out: u64,
    /// Views of the page, for a product
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = u64)]
    views: Option<u64>,
    /// Clicks per hundred views
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = f64)]
    rate: Option<f64>,
}

#[derive(Serialize, ToSchema)]
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

pub(crate) async fn report_clicks(
    state: web::Data<AppState>,
    _may: May<ReadReports>,
    request: web::Query<ReportRequest>,
    parameters: web::Query<ReportParameters>,
) -> Result<HttpResponse, ApiError> {
    let request = request.into_inner();
    let is_csv = match parameters.format.as_deref() {
        None | Some("json") => false,
        Some("csv") => true,
        Some(_) => {
            let message = "format must be one of json, csv.";
            return Err(ApiError::invalid("format", message));
        }
    };
    let categories = state.query(crate::store::Store::categories).await?;
    let query = request
        .read(&categories, Timestamp::now())
        .map_err(ApiError::Invalid)?;
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
#[derive(Serialize, Deserialize, ToSchema)]
pub(crate) struct DeviceBody {
    #[schema(value_type = bool, required = true)]
    counted: Option<bool>,
}

pub(crate) async fn count_this_device(
    state: web::Data<AppState>,
    _may: May<UseOffice>,
    Json(body): Json<DeviceBody>,
) -> Result<impl Responder, ApiError> {
    let counted = body.counted.ok_or_else(|| ApiError::missing("counted"))?;
    let cookie = state.options().cookies.make_own(!counted);
    Ok(HttpResponse::Ok().cookie(cookie).json(body))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PageOfLeftOut {
    /// From 1; 50 entries each
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64)]
    page: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct LeftOutResponse {
    data: Vec<LeftOutBody>,
    meta: MetaBody,
}

#[derive(Serialize, ToSchema)]
struct LeftOutBody {
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

pub(crate) async fn list_left_out_clicks(
    state: web::Data<AppState>,
    _may: May<ReadReports>,
    query: web::Query<PageOfLeftOut>,
) -> Result<impl Responder, ApiError> {
    let page = page_number(query.page.as_deref())?;
    let found: Paged<LeftOut> = state
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
