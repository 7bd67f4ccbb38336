//! Deals that need a look, by name, for the first page of the office.

use actix_web::{Responder, web};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::no_store;
use crate::domain::{Product, Task, TaskKind, rupees, with_shop};
use crate::http::api::permissions::{May, ReadReports};
use crate::http::api::products::body::ProductBody;
use crate::http::error::ApiError;
use crate::http::routes::{Route, get};
use crate::http::state::AppState;

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        get("/report/tasks", list_tasks)
            .summary(
                "Returns up to three deals that need a look, the most clicked of each kind first.",
            )
            .details(
                "Kinds are `price` (clicked, not checked for 3 days), `ending` (within a day), \
                 `picture`, and `duplicate`, whose `others` cost more.",
            )
            .answers::<TasksResponse<'_>>("The deals"),
    ]
}

/// Maximum number of tasks in an answer.
const TASKS: usize = 3;

#[derive(Serialize, ToSchema)]
pub(crate) struct TasksResponse<'a> {
    data: Vec<TaskBody<'a>>,
}

#[derive(Serialize, ToSchema)]
struct TaskBody<'a> {
    #[schema(value_type = TaskKind)]
    kind: &'static str,
    /// The reason in a few words
    text: String,
    /// Counted clicks in 7 days
    clicks: u64,
    /// The deal; of duplicates the cheapest
    product: ProductBody<'a>,
    /// Ids of its more expensive duplicates
    others: &'a [String],
}

impl<'a> TaskBody<'a> {
    fn new(task: &'a Task, now: Timestamp) -> Self {
        Self {
            kind: task.kind.as_str(),
            text: text(task, now),
            clicks: task.clicks,
            product: ProductBody::from(&task.product),
            others: &task.others,
        }
    }
}

fn text(task: &Task, now: Timestamp) -> String {
    let Product {
        details,
        price_seen_at,
        ..
    } = &task.product;
    match task.kind {
        TaskKind::Price => {
            let days = now.duration_since(*price_seen_at).as_hours() / 24;
            format!("Checked {days} days ago")
        }
        TaskKind::Ending => {
            let ends = details.lifetime.ends_soon(now);
            ends.unwrap_or_else(|| "Has just ended".to_owned())
        }
        TaskKind::Picture => "A picture did not load".to_owned(),
        TaskKind::Duplicate => {
            let others = match task.others.len() {
                1 => "1 copy".to_owned(),
                number => format!("{number} copies"),
            };
            format!(
                "{others} at a higher price, this one is {}",
                rupees(details.final_price)
            )
        }
    }
}

pub(crate) async fn list_tasks(
    state: web::Data<AppState>,
    _may: May<ReadReports>,
) -> Result<impl Responder, ApiError> {
    let now = Timestamp::now();
    let mut tasks = state
        .query(move |store| store.list_tasks(TASKS, now))
        .await?;
    for task in &mut tasks {
        with_shop(&mut task.product.details.images, state.public_url());
    }
    let data = tasks.iter().map(|task| TaskBody::new(task, now)).collect();
    Ok(no_store().json(TasksResponse { data }))
}
