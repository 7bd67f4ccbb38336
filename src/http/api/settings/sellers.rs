//! The call that gives a seller another name.

use actix_web::{HttpResponse, web};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::offers::check_seller;
use crate::domain::ShopSettings;
use crate::http::api::permissions::Admin;
use crate::http::api::requests::Text;
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::routes::{Route, put};
use crate::http::state::AppState;
use crate::store::SellerName;

/// Routes of this file.
pub(in crate::http) fn routes() -> [Route; 1] {
    [put("/source/{source}/name", rename_seller)
        .summary("Gives a seller another name, or merges it into the seller of that name.")
        .details(
            "Its deals keep their addresses, clicks and prices. Its page leads to the new one, and files, links and \
             programs that use the former name find the seller. What both have, like rules and a tag, stays that of \
             the seller of the new name.",
        )
        .part("source", "Exact name of the seller")
        .answers::<RenamedResponse>("Its new name")
        .or_missing()]
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct RenameRequest {
    #[schema(value_type = String, max_length = 100)]
    name: Text,
}

/// A seller with its new name.
#[derive(Serialize, ToSchema)]
pub(crate) struct RenamedResponse {
    source: String,
    /// Deals that have the new name now
    products: u64,
}

pub(crate) async fn rename_seller(
    state: web::Data<AppState>,
    admin: Admin,
    source: web::Path<String>,
    Json(body): Json<RenameRequest>,
) -> Result<HttpResponse, ApiError> {
    let from = source.into_inner();
    check_seller(&state, &from).await?;
    let to = ShopSettings::seller_name(body.name.as_str());
    let to = to.map_err(|message| ApiError::invalid("name", message))?;
    if to == from {
        let message = format!("The seller is called {from} already. Enter another name.");
        return Err(ApiError::invalid("name", message));
    }
    let name = SellerName {
        from,
        to: to.clone(),
    };
    let renamed =
        state.work(move |store| Ok(store.rename_seller(name, admin.name(), Timestamp::now())?));
    Ok(HttpResponse::Ok().json(RenamedResponse {
        source: to,
        products: renamed.await?,
    }))
}
