//! Every product in pages, for programs that keep a copy of the catalogue.

use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpResponse, web};
use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine as _};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::body::ProductBody;
use crate::domain::{FieldError, ListQuery, Rfc3339};
use crate::http::error::ApiError;
use crate::http::routes::{Route, get};
use crate::http::serving::rate_limit::Client;
use crate::http::state::AppState;
use crate::store::WalkPage;
use crate::storefront::list_query::{LIMIT_RULE, whole_number};

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        get("/product/changes", list_changes)
            .summary("Lists every live product exactly once, or those that changed since a time.")
            .details(
                "Follow nextCursor until it is absent, with the same updatedSince; then, later, \
                 begin the next walk with nextUpdatedSince. Products that are changed, added or \
                 deleted meanwhile move no other to another page; those added appear in this walk \
                 or in the next. The next walk repeats those changed in the hour before this one \
                 began. What was deleted, has ended or became a draft is not listed: a walk \
                 without updatedSince has what is there. A click, or a seller's new display rule, \
                 is no change.",
            )
            .answers::<ChangesResponse<'_>>("A page of products"),
    ]
}

/// How long before the start of a walk the next one begins: an import, which may take minutes,
/// writes the time at which it began.
const OVERLAP: SignedDuration = SignedDuration::from_hours(1);

/// A misspelt parameter is refused, because it would return everything.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ChangesQuery {
    /// Only products that were added, changed or started since, as a time with its zone (RFC 3339):
    /// nextUpdatedSince of an earlier walk
    #[param(format = DateTime)]
    updated_since: Option<String>,
    /// nextCursor of the page before, with the same updatedSince
    cursor: Option<String>,
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 10)]
    limit: Option<String>,
}

struct ChangesWalk {
    since: Option<Timestamp>,
    cursor: Cursor,
    limit: u32,
}

impl ChangesQuery {
    fn parse(&self) -> Result<ChangesWalk, ApiError> {
        let mut errors = Vec::new();
        let rule = "updatedSince must be a time with its zone, like 2026-01-31T08:30:00.000Z \
                    (write a + as %2B).";
        let since = parse_parameter(
            &self.updated_since,
            &mut errors,
            "updatedSince",
            rule,
            |text| text.parse().ok(),
        );
        let rule = "cursor must be the nextCursor of an earlier answer. Without one, the walk \
                    begins at the first product.";
        let cursor = parse_parameter(&self.cursor, &mut errors, "cursor", rule, Cursor::parse);
        let limit = parse_parameter(&self.limit, &mut errors, "limit", LIMIT_RULE, |text| {
            whole_number(text, ListQuery::MAX_LIMIT)
        });
        if !errors.is_empty() {
            return Err(ApiError::Invalid(errors));
        }
        Ok(ChangesWalk {
            since,
            cursor: cursor.unwrap_or_else(Cursor::first),
            limit: limit.unwrap_or_else(|| ListQuery::default().limit),
        })
    }
}

/// Parses a parameter. An empty one counts as missing, as in the list's query.
fn parse_parameter<T>(
    given: &Option<String>,
    errors: &mut Vec<FieldError>,
    name: &str,
    rule: &str,
    read: impl Fn(&str) -> Option<T>,
) -> Option<T> {
    let text = given.as_deref().map(str::trim);
    let value = read(text.filter(|text| !text.is_empty())?);
    if value.is_none() {
        errors.push(FieldError::new(name, rule));
    }
    value
}

/// Place in a walk. Clients see it encoded; a forged one reads nothing that others don't.
struct Cursor {
    /// Key of the last product examined.
    after: i64,
    /// Start of the walk.
    started: Timestamp,
}

impl Cursor {
    fn first() -> Self {
        Self {
            after: 0,
            started: Timestamp::now(),
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let bytes: [u8; 16] = BASE64_URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok()?;
        let [after, started] =
            [&bytes[..8], &bytes[8..]].map(|half| half.try_into().map(i64::from_be_bytes));
        Some(Self {
            after: after.ok()?,
            started: Timestamp::from_millisecond(started.ok()?).ok()?,
        })
    }

    fn encode(&self) -> String {
        let halves = [self.after, self.started.as_millisecond()].map(i64::to_be_bytes);
        BASE64_URL_SAFE_NO_PAD.encode(halves.concat())
    }
}

/// A page of a walk; products are in no order that means anything.
#[derive(Serialize, ToSchema)]
pub(crate) struct ChangesResponse<'a> {
    /// At most `limit` products; fewer, even none, do not mean that the walk has ended
    data: Vec<ProductBody<'a>>,
    meta: ChangesMetaBody,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ChangesMetaBody {
    /// Cursor of the next page; absent on the last one
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false)]
    next_cursor: Option<String>,
    /// updatedSince of the next walk: an hour before this one began
    next_updated_since: Rfc3339,
}

impl<'a> ChangesResponse<'a> {
    fn new(page: &'a WalkPage, started: Timestamp) -> Self {
        let next = page.next.map(|after| Cursor { after, started }.encode());
        Self {
            data: page.products.iter().map(ProductBody::from).collect(),
            meta: ChangesMetaBody {
                next_cursor: next,
                next_updated_since: Rfc3339(started.saturating_sub(OVERLAP).unwrap_or(started)),
            },
        }
    }
}

pub(crate) async fn list_changes(
    state: web::Data<AppState>,
    client: Client,
    query: web::Query<ChangesQuery>,
) -> Result<HttpResponse, ApiError> {
    let ChangesWalk {
        since,
        cursor,
        limit,
    } = query.parse()?;
    let shared = state.get_ref().clone();
    let body = state.lanes().pages.run(client, move |_| {
        let front = shared.storefronts().current(shared.store())?;
        let mut page = shared.store().walk_products(cursor.after, since, limit)?;
        front.apply_rules(&mut page.products);
        let body = ChangesResponse::new(&page, cursor.started);
        serde_json::to_vec(&body).map_err(ApiError::serialization)
    });
    Ok(HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, "no-store"))
        .content_type("application/json")
        .body(body.await?))
}
