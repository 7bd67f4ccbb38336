//! Possible duplicates, in groups.

use actix_web::{Responder, web};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::no_store;
use crate::domain::{cheapest, with_shop};
use crate::http::api::list_query::page_number;
use crate::http::api::permissions::{May, ReadReports};
use crate::http::api::products::body::ProductBody;
use crate::http::api::responses::MetaBody;
use crate::http::error::ApiError;
use crate::http::routes::{Route, get};
use crate::http::state::AppState;
use crate::store::DuplicateGroup;

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        get("/report/duplicates", list_duplicates)
            .summary("Returns the possible duplicates in groups, by title and seller.")
            .answers::<DuplicatesResponse<'_>>("The groups"),
    ]
}

/// Groups on a page.
const GROUPS: u32 = 10;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct DuplicatesQuery {
    /// From 1; 10 groups each
    #[param(value_type = Option<u64>)]
    page: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct DuplicatesResponse<'a> {
    data: Vec<DuplicateGroupBody<'a>>,
    /// Counts groups
    meta: MetaBody,
}

/// Live products with the same title and seller.
#[derive(Serialize, ToSchema)]
pub(crate) struct DuplicateGroupBody<'a> {
    /// Number of products
    total: u64,
    /// Id of the product that keepCheapest keeps
    keep: &'a str,
    /// The cheapest first, at most 50
    products: Vec<ProductBody<'a>>,
}

impl<'a> DuplicateGroupBody<'a> {
    fn new(group: &'a DuplicateGroup) -> Option<Self> {
        Some(Self {
            total: group.total,
            keep: &cheapest(&group.products)?.id,
            products: group.products.iter().map(ProductBody::from).collect(),
        })
    }
}

pub(crate) async fn list_duplicates(
    state: web::Data<AppState>,
    _may: May<ReadReports>,
    query: web::Query<DuplicatesQuery>,
) -> Result<impl Responder, ApiError> {
    let page = page_number(query.page.as_deref())?;
    let mut found = state
        .query(move |store| store.list_duplicates(page, GROUPS))
        .await?;
    for product in found.items.iter_mut().flat_map(|group| &mut group.products) {
        with_shop(&mut product.details.images, state.public_url());
    }
    Ok(no_store().json(DuplicatesResponse {
        data: found
            .items
            .iter()
            .filter_map(DuplicateGroupBody::new)
            .collect(),
        meta: MetaBody::new(&found, page, GROUPS),
    }))
}
