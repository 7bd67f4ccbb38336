//! The call about a removed product.

use actix_web::{HttpRequest, HttpResponse, web};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::cards::AlikeResponse;
use crate::domain::{Alike, RemovedProduct, Rfc3339};
use crate::http::error::ApiError;
use crate::http::routes::{Route, get};
use crate::http::serving::cached::cached;
use crate::http::serving::response_cache::Content;
use crate::http::state::AppState;

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        get("/product/removed/{id}", get_removed_product)
            .summary(
                "Returns a product that was deleted in the last 90 days, with similar products \
                 and others of the seller.",
            )
            .answers::<RemovedResponse<'_>>("The product")
            .or_missing()
            .or_unchanged(),
    ]
}

/// A deleted product, and products like it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RemovedResponse<'a> {
    title: &'a str,
    source: &'a str,
    /// Name of the category
    category: &'a str,
    removed_at: Rfc3339,
    /// Sentence that names it, with its seller and the day
    words: String,
    #[serde(flatten)]
    alike: AlikeResponse<'a>,
}

impl<'a> RemovedResponse<'a> {
    pub(crate) fn new(removed: &'a RemovedProduct, alike: &'a Alike) -> Self {
        Self {
            title: &removed.title,
            source: &removed.source,
            category: removed.category.as_str(),
            removed_at: Rfc3339(removed.removed_at),
            words: removed.sentence(),
            alike: AlikeResponse::from(alike),
        }
    }
}

pub(crate) async fn get_removed_product(
    state: web::Data<AppState>,
    request: HttpRequest,
    id: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    let shared = state.get_ref().clone();
    cached(&state, &request, move |store| {
        let removed = store.find_removed(&id, Timestamp::now())?;
        let mut alike = store.alike_to_removed(&removed)?;
        let front = shared.storefronts().current(store)?;
        front.apply_rules_to_related(&mut alike);
        Content::json(&RemovedResponse::new(&removed, &alike))
    })
    .await
}
