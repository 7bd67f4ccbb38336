//! The owner's overview: figures, tasks and set-up steps.

use std::collections::HashMap;
use std::time::SystemTime;

use actix_web::{HttpRequest, Responder, web};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{RowBody, no_store};
use crate::domain::{
    Compared, Facets, FailedSearch, Filters, ListQuery, Mover, NeedsView, Overview, Rfc3339,
};
use crate::http::api::list_query::page_number;
use crate::http::api::permissions::{Admin, May, ReadReports};
use crate::http::api::responses::ListResponse;
use crate::http::error::ApiError;
use crate::http::routes::{Route, get, post};
use crate::http::serving::rate_limit::Client;
use crate::http::state::AppState;
use crate::jobs::BACKUP;
use crate::mail::{Mailer, Message};
use crate::maintenance::needs::{Need, NeedsConfig, SetupStep};

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        get("/report/overview", get_overview)
            .summary("Returns recent figures, popular products and open set-up steps.")
            .answers::<OverviewResponse>("The figures"),
        get("/report/needs", list_needs)
            .summary("Returns what needs attention, one entry per kind, with its count.")
            .answers::<NeedsResponse>("What needs attention"),
        get("/report/trends", get_trends)
            .summary(
                "Returns the counted clicks of products on each of the last 30 days, the oldest \
                 first. Products without clicks are left out.",
            )
            .details("The answer has 30 numbers for each id.")
            .answers::<HashMap<String, Vec<u64>>>("Clicks by _id"),
        get("/report/products", list_products_in_need)
            .summary("Returns the products that need attention.")
            .details("An empty list may say how many products are `tooNew` for it.")
            .answers::<NeedingResponse<'_>>("The products"),
        post("/report/test-mail", send_test_mail)
            .without_code()
            .summary("Sends a test mail to the requesting administrator.")
            .answers::<TestMailResponse>("The mail server accepted it")
            .refuses(409, "Not sent, with the reason"),
    ]
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OverviewResponse {
    /// Time of the figures
    now: Rfc3339,
    /// Counted clicks today, in India
    today: u64,
    /// Hour up to which today is compared with yesterday; null in the first hour
    #[schema(required = true)]
    until: Option<i64>,
    /// Clicks until that hour, today and yesterday
    day: ComparedBody,
    /// The last 7 times 24 hours and the 7 before
    week: ComparedBody,
    /// The most clicked product of those 7 days; null without clicks
    #[schema(required = true)]
    best: Option<BestBody>,
    /// The last 30 days
    days: Vec<RowBody>,
    /// Clicks of those days by classification
    verdicts: Vec<RowBody>,
    /// Clicks of the week by channel
    channels: Vec<RowBody>,
    movers: Vec<MoverBody>,
    /// Searches without results in 7 days
    empty_searches: Vec<EmptySearchBody>,
    /// Number of products
    products: i64,
    /// Number of sellers
    sources: usize,
    /// Set-up steps of a new shop
    setup: Vec<StepBody>,
    /// Public address of the shop
    public_url: String,
    /// Whether clicks of the requesting device are counted while nobody is signed in
    device_counted: bool,
}

#[derive(Serialize, ToSchema)]
struct ComparedBody {
    now: u64,
    before: u64,
}

#[derive(Serialize, ToSchema)]
struct BestBody {
    title: String,
    clicks: u64,
}

#[derive(Serialize, ToSchema)]
struct MoverBody {
    #[serde(rename = "_id")]
    id: String,
    title: String,
    source: String,
    category: String,
    image: String,
    now: u64,
    before: u64,
    /// Counted clicks on each of the last 14 days
    days: Vec<u64>,
}

#[derive(Serialize, ToSchema)]
struct EmptySearchBody {
    words: String,
    times: u64,
}

#[derive(Serialize, ToSchema)]
struct StepBody {
    key: &'static str,
    title: &'static str,
    hint: &'static str,
    /// Present setting in a sentence; may be empty
    state: String,
    done: bool,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct NeedsResponse {
    data: Vec<NeedBody>,
}

#[derive(Serialize, ToSchema)]
struct NeedBody {
    /// mail, backup, source, over, price, ending, picture, duplicate or clicks
    key: &'static str,
    text: String,
    details: String,
    /// Number of products concerned; 0 for needs that are not about products
    products: u64,
}

impl From<Compared> for ComparedBody {
    fn from(Compared { now, before }: Compared) -> Self {
        Self { now, before }
    }
}

impl From<Mover> for MoverBody {
    fn from(mover: Mover) -> Self {
        Self {
            id: mover.id,
            title: mover.title,
            source: mover.source,
            category: mover.category,
            image: mover.image,
            now: mover.clicks.now,
            before: mover.clicks.before,
            days: mover.days,
        }
    }
}

impl From<SetupStep> for StepBody {
    fn from(step: SetupStep) -> Self {
        Self {
            key: step.key,
            title: step.title,
            hint: step.hint,
            state: step.state,
            done: step.is_done,
        }
    }
}

impl From<Need> for NeedBody {
    fn from(need: Need) -> Self {
        Self {
            key: need.key,
            text: need.text,
            details: need.details,
            products: need.products,
        }
    }
}

pub(crate) async fn get_overview(
    state: web::Data<AppState>,
    _may: May<ReadReports>,
    request: HttpRequest,
) -> Result<impl Responder, ApiError> {
    let now = Timestamp::now();
    let device_counted = !state.options().cookies.is_own(&request);
    let shared = state.get_ref().clone();
    let answer = state
        .query(move |store| {
            let found = store.overview(now)?;
            let facets = store.count_facets(&Filters::default())?;
            let steps = shop(&shared).steps(store)?;
            let public_url = shared.public_url().to_string();
            Ok(response(
                found,
                &facets,
                (steps, public_url),
                device_counted,
                now,
            ))
        })
        .await?;
    Ok(no_store().json(answer))
}

fn response(
    found: Overview,
    facets: &Facets,
    (steps, public_url): (Vec<SetupStep>, String),
    device_counted: bool,
    now: Timestamp,
) -> OverviewResponse {
    let rows = |rows: Vec<_>| rows.into_iter().map(RowBody::from).collect();
    OverviewResponse {
        now: Rfc3339(now),
        today: found.today,
        until: found.until.map(|(hour, _)| hour),
        day: found.until.unwrap_or_default().1.into(),
        week: found.week.into(),
        best: found.best.map(|(title, clicks)| BestBody { title, clicks }),
        days: rows(found.days),
        verdicts: rows(found.classifications),
        channels: rows(found.channels),
        movers: found.movers.into_iter().map(MoverBody::from).collect(),
        empty_searches: found
            .failed_searches
            .into_iter()
            .map(|FailedSearch { words, times }| EmptySearchBody { words, times })
            .collect(),
        products: facets.all,
        sources: facets.sources.len(),
        setup: steps.into_iter().map(StepBody::from).collect(),
        public_url,
        device_counted,
    }
}

pub(crate) async fn list_needs(
    state: web::Data<AppState>,
    _may: May<ReadReports>,
) -> Result<impl Responder, ApiError> {
    let shared = state.get_ref().clone();
    let needs = state
        .query(move |store| shop(&shared).needs(store, Timestamp::now(), SystemTime::now()))
        .await?;
    let data = needs.into_iter().map(NeedBody::from).collect();
    Ok(no_store().json(NeedsResponse { data }))
}

fn shop(state: &AppState) -> NeedsConfig<'_> {
    NeedsConfig {
        mailer: state.mail().current(),
        public_url: state.public_url(),
        backups: state.backups().current(),
        failed_backup: state.last_runs().failure_of(BACKUP),
        certificate: state.certificate(),
    }
}

/// Maximum number of products per call.
const MAX_TRENDS: usize = 100;
/// Days of a product's trend.
const TREND_DAYS: i64 = 30;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct TrendsQuery {
    /// Up to 100 _ids of products, separated by commas
    #[param(value_type = Option<String>)]
    #[serde(default)]
    ids: String,
}

pub(crate) async fn get_trends(
    state: web::Data<AppState>,
    _may: May<ReadReports>,
    query: web::Query<TrendsQuery>,
) -> Result<impl Responder, ApiError> {
    let ids: Vec<String> = query.ids.split(',').map(str::to_owned).collect();
    if ids.len() > MAX_TRENDS {
        let message = "At most 100 products can be asked for.";
        return Err(ApiError::invalid("ids", message));
    }
    let found = state
        .query(move |store| store.click_trends(&ids, TREND_DAYS, Timestamp::now()))
        .await?;
    Ok(no_store().json(found))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct NeedingQuery {
    /// over, old-price, ending, pictures, duplicates or no-clicks
    #[param(value_type = Option<String>)]
    #[serde(default)]
    view: String,
    /// From 1; 50 entries each
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64)]
    page: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NeedingResponse<'a> {
    #[serde(flatten)]
    list: ListResponse<'a>,
    /// Of an empty view: number of products that are not old enough for it; omitted if 0
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = u64)]
    too_new: Option<u64>,
    /// Of the view `over`: number of reports by product
    #[serde(skip_serializing_if = "HashMap::is_empty")]
    #[schema(required = false)]
    over_reports: HashMap<String, u64>,
}

/// Products on a page.
const PRODUCTS: u32 = 50;

pub(crate) async fn list_products_in_need(
    state: web::Data<AppState>,
    _may: May<ReadReports>,
    query: web::Query<NeedingQuery>,
) -> Result<impl Responder, ApiError> {
    let page = page_number(query.page.as_deref())?;
    let Some(view) = NeedsView::parse(&query.view) else {
        let names = NeedsView::ALL.map(NeedsView::as_str).join(", ");
        let message = format!("view must be one of {names}.");
        return Err(ApiError::invalid("view", message));
    };
    let asked = ListQuery {
        page,
        limit: PRODUCTS,
        ..ListQuery::default()
    };
    let wanted = asked.clone();
    let (found, too_new, over_reports) = state
        .query(move |store| {
            let now = Timestamp::now();
            let found = store.list_needing(view, &wanted, now)?;
            let is_empty = found.page.total == 0;
            let too_new = is_empty
                .then(|| store.count_too_new(view, now))
                .transpose()?;
            let over_reports = if view == NeedsView::Over {
                let ids: Vec<String> = found.page.items.iter().map(|it| it.id.clone()).collect();
                store.over_reports(&ids)?
            } else {
                HashMap::new()
            };
            Ok((found, too_new.filter(|number| *number > 0), over_reports))
        })
        .await?;
    Ok(no_store().json(NeedingResponse {
        list: ListResponse::new(&asked, &found),
        too_new,
        over_reports,
    }))
}

#[derive(Serialize, ToSchema)]
pub(crate) struct TestMailResponse {
    to: String,
}

pub(crate) async fn send_test_mail(
    state: web::Data<AppState>,
    client: Client,
    admin: Admin,
) -> Result<impl Responder, ApiError> {
    state.rate_limits().resolve(client)?;
    let mailer = state.mailer().await?;
    if matches!(*mailer, Mailer::Log) {
        return Err(ApiError::Conflict(
            "No mail server is configured. Choose one at Settings, Mail.".to_owned(),
        ));
    }
    let to = admin.email();
    let recipient = to.clone();
    let shared = state.get_ref().clone();
    let sent = state
        .query(move |store| {
            let front = shared.storefronts().current(store)?;
            let message =
                Message::test(recipient, front.name(), Some(shared.public_url().as_str()));
            Ok(mailer.send(&message))
        })
        .await?;
    if let Err(reason) = sent {
        let what = match state.mail().is_given() {
            true => "DEALS_SMTP_URL",
            false => "the settings of the mail server",
        };
        let said = format!("The mail was not sent: {reason}. Check {what}.");
        return Err(ApiError::Conflict(said));
    }
    state
        .store()
        .note_trial(crate::maintenance::needs::MAIL_TRIAL, Timestamp::now())
        .await?;
    Ok(web::Json(TestMailResponse { to }))
}
