//! Bulk changes and their undo.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, Responder, web};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::domain::{
    Categories, Discount, FieldError, ListNames, ListQuery, Paise, PriceChange, read_tags,
    truncate, zone_message,
};
use crate::http::api::list_query;
use crate::http::api::openapi::schemas::{BulkAction, PriceUnit};
use crate::http::api::permissions::{May, WriteProducts};
use crate::http::error::ApiError;
use crate::http::extract::{HashedJson, Json};
use crate::http::idempotency::{IdempotencyKey, once};
use crate::http::routes::{Route, post};
use crate::http::state::AppState;
use crate::store::{BulkChange, BulkOutcome, Store, StoreError};

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        post("/product/bulk", change_many)
            .without_code()
            .summary("Changes or deletes many products, all or nothing.")
            .details(
                "The products are 1 to 1,000 `ids`, or every product of a list of that length: \
                 `{\"list\": \"category=Books\", \"total\": 12}`.",
            )
            .answers::<BulkResponse<'_>>("Changed")
            .or_missing(),
        post("/product/bulk/preview", check_price_change)
            .without_code()
            .summary(
                "Checks what a change of prices would do, with an example, and changes nothing.",
            )
            .answers::<PreviewResponse>("The preview"),
        post("/product/undo/{id}", undo_change)
            .without_code()
            .summary("Undoes a bulk change, within a minute.")
            .part("id", "From the answer to bulk: undo")
            .answers::<UndoResponse>("Undone")
            .refuses(507, "The shop's disk is full")
            .or_missing(),
    ]
}

/// Maximum number of products of one change: named by id, and found by a query.
const MAX_IDS: usize = 1_000;
const MAX_FOUND: u32 = 10_000;
const NO_IDS: &str = "Choose 1 to 1000 products.";

#[derive(Deserialize, ToSchema)]
pub(crate) struct BulkRequest {
    /// Ids of the products
    #[serde(default)]
    #[schema(max_items = 1_000)]
    ids: Vec<String>,
    /// Instead of ids: the query of a list, such as category=Books&search=usb; all its products are
    /// changed
    #[serde(default)]
    list: Option<String>,
    /// Number of products that the list is expected to have; with another number nothing is changed
    #[serde(default)]
    total: Option<i64>,
    #[serde(default)]
    #[schema(value_type = BulkAction, required = true)]
    action: String,
    /// The category, the tags, the discount in percent, the end (null for none), the change of the final prices
    /// (negative: down), or the id of the possible duplicate that is expected to stay
    #[serde(default)]
    #[schema(value_type = Option<Value>)]
    value: Value,
    /// Unit of a price change
    #[serde(default)]
    #[schema(value_type = Option<PriceUnit>)]
    unit: String,
}

/// Change of products, or choice between them.
enum BulkWanted {
    Change(BulkChange),
    /// Delete all but the cheapest, which is expected to be this one.
    KeepCheapest(Option<String>),
}

impl BulkRequest {
    fn wanted(&self, categories: &Categories) -> Result<BulkWanted, FieldError> {
        if self.action != "keepCheapest" {
            return self.change(categories).map(BulkWanted::Change);
        }
        match &self.value {
            Value::Null => Ok(BulkWanted::KeepCheapest(None)),
            Value::String(id) => Ok(BulkWanted::KeepCheapest(Some(id.clone()))),
            _ => Err(FieldError::new(
                "value",
                "value must be the id of a product.",
            )),
        }
    }

    fn change(&self, categories: &Categories) -> Result<BulkChange, FieldError> {
        match self.action.as_str() {
            "changePrice" => self.price_change().map(BulkChange::Price),
            "publish" => Ok(BulkChange::Publish),
            "end" => Ok(BulkChange::End),
            "setEnd" if self.value.is_null() => Ok(BulkChange::SetEnd(None)),
            "setEnd" => self
                .value
                .as_str()
                .and_then(|text| text.parse().ok())
                .map(|end| BulkChange::SetEnd(Some(end)))
                .ok_or_else(|| FieldError::new("value", zone_message("end"))),
            "delete" => Ok(BulkChange::Delete),
            "" => Err(FieldError::missing("action")),
            "category" => self
                .value
                .as_str()
                .and_then(|name| categories.find(name).cloned())
                .map(BulkChange::Category)
                .ok_or_else(|| FieldError::new("value", "Please select a category.")),
            "addTags" => self.tags().map(BulkChange::AddTags),
            "removeTags" => self.tags().map(BulkChange::RemoveTags),
            "discount" => self
                .value
                .as_f64()
                .and_then(Discount::from_percent)
                .map(BulkChange::Discount)
                .ok_or_else(|| {
                    FieldError::new(
                        "value",
                        "Discount must be between 0 and 100, with at most 2 decimals.",
                    )
                }),
            _ => Err(FieldError::new(
                "action",
                "action must be one of delete, category, addTags, removeTags, discount, publish, end, \
                 setEnd, changePrice, keepCheapest.",
            )),
        }
    }

    fn tags(&self) -> Result<Vec<String>, FieldError> {
        match read_tags(&self.value) {
            Ok(tags) if tags.is_empty() => Err(FieldError::new("value", "Write at least one tag.")),
            tags => tags.map_err(|message| FieldError::new("value", message)),
        }
    }

    fn price_change(&self) -> Result<PriceChange, FieldError> {
        let number = self.value.as_f64();
        let (change, rule) = match self.unit.as_str() {
            "rupees" => (
                number.and_then(PriceChange::by_rupees),
                "value must be rupees up or down, not 0, with at most 2 decimals.",
            ),
            "percent" => (
                number.and_then(PriceChange::by_percent),
                "value must be percent above -100 and up to 1000, not 0, with at most 2 decimals.",
            ),
            _ => {
                let rule = "unit must be rupees or percent.";
                return Err(FieldError::new("unit", rule));
            }
        };
        change.ok_or_else(|| FieldError::new("value", rule))
    }

    /// Returns the ids of the products, in the order of the list. Blocks.
    fn find_ids(self, store: &Store) -> Result<Vec<String>, ApiError> {
        let ids = match &self.list {
            Some(list) => ids_of_list(
                store,
                list_query::parse(
                    list,
                    ListNames {
                        categories: &*store.categories()?,
                        collections: &store.collections()?,
                        sellers: None,
                    },
                )?,
                self.total,
            )?,
            None => self.ids,
        };
        if ids.is_empty() || (self.list.is_none() && ids.len() > MAX_IDS) {
            return Err(ApiError::invalid("ids", NO_IDS));
        }
        Ok(ids)
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct BulkResponse<'a> {
    changed: u64,
    /// Handle that undoes the change within a minute.
    undo: &'a str,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct PreviewResponse {
    /// Number of products whose price would change
    changed: u64,
    /// The first of them
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = ExampleBody)]
    example: Option<ExampleBody>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct ExampleBody {
    title: String,
    /// Final price in rupees, now
    from: Paise,
    /// Final price in rupees, changed
    to: Paise,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct UndoResponse {
    restored: u64,
}

pub(crate) async fn change_many(
    state: web::Data<AppState>,
    actor: May<WriteProducts>,
    key: IdempotencyKey,
    HashedJson(body, hash): HashedJson<BulkRequest>,
) -> Result<HttpResponse, ApiError> {
    let categories = state.query(Store::categories).await?;
    let wanted = body.wanted(&categories);
    if body.ids.is_empty() && body.list.is_none() {
        let mut errors: Vec<_> = wanted.err().into_iter().collect();
        errors.push(FieldError::new("ids", NO_IDS));
        return Err(ApiError::Invalid(errors));
    }
    let wanted = wanted.map_err(|error| ApiError::Invalid(vec![error]))?;
    let answer = |outcome: &BulkOutcome| {
        serde_json::to_vec(&BulkResponse {
            changed: outcome.changed,
            undo: &outcome.undo,
        })
    };
    let request = key.complete(actor.id(), &hash);
    once(&state, request, StatusCode::OK, answer, async |keep| {
        let is_of_list = body.list.is_some();
        let name = actor.name();
        let change = move |store: &Store| {
            let ids = body.find_ids(store)?;
            let now = Timestamp::now();
            let outcome = match wanted {
                BulkWanted::Change(change) => store.bulk_change(ids, change, name, now, keep),
                BulkWanted::KeepCheapest(expected) => {
                    store.keep_cheapest(ids, expected, name, now, keep)
                }
            };
            outcome.map_err(refusal)
        };
        let outcome = if is_of_list {
            let change = move |store: &Store, _: &_| change(store);
            state.file_work(actor.party(), change).await?
        } else {
            state.work(change).await?
        };
        tracing::info!(
            by = actor.id(),
            changed = outcome.changed,
            "many products were changed"
        );
        Ok(outcome)
    })
    .await
}

pub(crate) async fn check_price_change(
    state: web::Data<AppState>,
    actor: May<WriteProducts>,
    Json(body): Json<BulkRequest>,
) -> Result<impl Responder, ApiError> {
    if body.action != "changePrice" {
        let message = "Only changePrice has a preview.";
        return Err(ApiError::invalid("action", message));
    }
    let change = body.price_change();
    let change = change.map_err(|error| ApiError::Invalid(vec![error]))?;
    let preview = state
        .file_work(actor.party(), move |store, is_abandoned| {
            let ids = body.find_ids(store)?;
            let preview = store.preview_price_change(&ids, change, is_abandoned);
            preview.map_err(refusal)
        })
        .await?;
    Ok(web::Json(PreviewResponse {
        changed: preview.changed,
        example: preview.example.map(|example| ExampleBody {
            title: example.title,
            from: example.from,
            to: example.to,
        }),
    }))
}

/// Converts the refusal of a bulk change.
fn refusal(error: StoreError) -> ApiError {
    match error {
        StoreError::PriceOutOfRange(titles) => {
            let named: Vec<_> = titles
                .iter()
                .take(NAMED)
                .map(|title| format!("“{}”", truncate(title, TITLE)))
                .collect();
            let more = match titles.len().saturating_sub(NAMED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            ApiError::invalid(
                "value",
                format!(
                    "The price would be 0 or less, or above ₹1,00,00,00,000: {}{more}. Change it by \
                     less, or leave them out.",
                    named.join(", ")
                ),
            )
        }
        StoreError::NotDuplicates => ApiError::Changed(
            "These products or their prices were changed meanwhile. Look at them again.".to_owned(),
        ),
        other => other.into(),
    }
}

/// Number of products that a refusal names, and characters of a title.
const NAMED: usize = 3;
const TITLE: usize = 40;

/// Returns the ids of the products in a list, if it has `total` of them.
fn ids_of_list(store: &Store, list: ListQuery, seen: Option<i64>) -> Result<Vec<String>, ApiError> {
    let list = ListQuery {
        page: 1,
        limit: MAX_FOUND,
        ..list
    };
    let found = store.list_products(&list)?.page;
    if found.total > i64::from(MAX_FOUND) {
        let message =
            format!("At most {MAX_FOUND} products can be changed at once: narrow the list.");
        return Err(ApiError::invalid("list", message));
    }
    if found.total == 0 {
        let message = "The list has no products.";
        return Err(ApiError::invalid("list", message));
    }
    if seen != Some(found.total) {
        return Err(ApiError::Changed(format!(
            "The list has {} products now. Look at it again.",
            found.total
        )));
    }
    Ok(found.items.into_iter().map(|product| product.id).collect())
}

pub(crate) async fn undo_change(
    state: web::Data<AppState>,
    actor: May<WriteProducts>,
    key: IdempotencyKey,
    id: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    let answer = |restored: &u64| {
        let restored = *restored;
        serde_json::to_vec(&UndoResponse { restored })
    };
    // Its path says everything: a body is not read.
    let request = key.complete(actor.id(), &[0; 32]);
    once(&state, request, StatusCode::OK, answer, async |keep| {
        let (id, name) = (id.into_inner(), actor.name());
        let undo =
            move |store: &Store| match store.undo_bulk_change(id, name, Timestamp::now(), keep) {
                Err(StoreError::NotFound) => {
                    Err(ApiError::NotFound("It is too late to undo this."))
                }
                other => Ok(other?),
            };
        state.work(undo).await
    })
    .await
}
