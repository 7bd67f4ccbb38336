//! Calls about the offers of a seller.

use std::borrow::Cow;

use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpResponse, HttpResponseBuilder, web};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::domain::{Category, Paise, Rfc3339, State, StoredSellerOffer};
use crate::http::api::permissions::Admin;
use crate::http::api::products::body::sent::OfferRequest;
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::routes::{Route, delete, get, post, put};
use crate::http::state::AppState;

const SELLER: &str = "Exact name of the seller";
const ID: &str = "Id of the offer";

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        get("/source/{name}/offers", list_seller_offers)
            .summary("Lists the offers of a seller, which count for all its deals or some of them.")
            .part("name", SELLER)
            .answers::<SellerOffersResponse<'_>>(
                "The offers, also those that begin later or are over",
            )
            .or_missing(),
        post("/source/{name}/offers", add_seller_offer)
            .summary("Adds an offer to a seller.")
            .part("name", SELLER)
            .creates::<SellerOffersResponse<'_>>("Added; all offers of the seller")
            .refuses(409, "There are 20 of this seller, or 500 of all")
            .or_missing(),
        put("/source/{name}/offers/{id}", change_seller_offer)
            .summary("Replaces an offer of a seller.")
            .part("name", SELLER)
            .part("id", ID)
            .answers::<SellerOffersResponse<'_>>("Replaced; all offers of the seller")
            .or_missing(),
        delete("/source/{name}/offers/{id}", remove_seller_offer)
            .summary("Deletes an offer of a seller.")
            .part("name", SELLER)
            .part("id", ID)
            .answers::<SellerOffersResponse<'_>>("Deleted; the other offers of the seller")
            .or_missing(),
    ]
}

/// The offers of a seller, in the order in which they were added.
#[derive(Serialize, ToSchema)]
pub(crate) struct SellerOffersResponse<'a> {
    data: Vec<SellerOfferBody<'a>>,
}

/// An offer of a seller.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SellerOfferBody<'a> {
    id: &'a str,
    #[serde(flatten)]
    #[schema(value_type = OfferRequest)]
    offer: Value,
    /// Name of the category of its deals; all without one
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    category: Option<&'a str>,
    /// Least final price of its deals in rupees
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = f64)]
    min_price: Option<Paise>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime)]
    starts_at: Option<Rfc3339>,
    /// Follows from the times
    #[schema(value_type = State)]
    state: &'static str,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Rfc3339,
}

impl<'a> SellerOfferBody<'a> {
    fn new(stored: &'a StoredSellerOffer, now: Timestamp) -> Self {
        let of = &stored.offer;
        let mut offer = of.offer.to_json();
        offer["words"] = of.offer.summary().into();
        offer["scope"] = of.scope(&stored.source).into();
        Self {
            id: &stored.id,
            offer,
            category: of.category.as_ref().map(Category::as_str),
            min_price: of.min_price,
            starts_at: of.starts_at.map(Rfc3339),
            state: of.state(now).as_str(),
            updated_at: Rfc3339(stored.updated_at),
        }
    }
}

// For the API's description; `domain::SellerOffer` parses it.
/// An offer of a seller.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SellerOfferRequest {
    #[serde(flatten)]
    #[schema(value_type = OfferRequest)]
    offer: Value,
    /// Name of the category of its deals, with those below it; all without one
    category: Option<String>,
    /// Least final price of its deals in rupees
    #[schema(exclusive_minimum = 0, maximum = 1_000_000_000)]
    min_price: Option<f64>,
    /// Start, if not at once
    #[schema(value_type = Option<String>, format = DateTime)]
    starts_at: Option<String>,
}

/// An offer as sent.
#[derive(Deserialize)]
#[serde(transparent)]
pub(crate) struct SentOffer(Value);

impl PartialSchema for SentOffer {
    fn schema() -> RefOr<Schema> {
        SellerOfferRequest::schema()
    }
}

impl ToSchema for SentOffer {
    fn name() -> Cow<'static, str> {
        SellerOfferRequest::name()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        SellerOfferRequest::schemas(schemas);
    }
}

/// Answers with the offers of a seller.
async fn offers(
    state: &AppState,
    source: String,
    mut answer: HttpResponseBuilder,
) -> Result<HttpResponse, ApiError> {
    let (_, offers) = state
        .query(move |store| store.seller_offers(Some(&source)))
        .await?;
    let now = Timestamp::now();
    let data = offers
        .iter()
        .map(|stored| SellerOfferBody::new(stored, now));
    Ok(answer
        .insert_header((CACHE_CONTROL, "no-store"))
        .json(SellerOffersResponse {
            data: data.collect(),
        }))
}

pub(super) async fn check_seller(state: &AppState, source: &str) -> Result<(), ApiError> {
    let name = source.to_owned();
    if state.query(move |store| store.has_seller(&name)).await? {
        return Ok(());
    }
    Err(ApiError::NotFound(
        "No deal and no setting names this seller. Write it as in its deals.",
    ))
}

pub(crate) async fn list_seller_offers(
    state: web::Data<AppState>,
    _admin: Admin,
    name: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    check_seller(&state, &name).await?;
    offers(&state, name.into_inner(), HttpResponse::Ok()).await
}

pub(crate) async fn add_seller_offer(
    state: web::Data<AppState>,
    admin: Admin,
    name: web::Path<String>,
    Json(SentOffer(sent)): Json<SentOffer>,
) -> Result<HttpResponse, ApiError> {
    let name = name.into_inner();
    check_seller(&state, &name).await?;
    let saved =
        state
            .store()
            .save_seller_offer(name.clone(), None, sent, admin.name(), Timestamp::now());
    saved.await??;
    offers(&state, name, HttpResponse::Created()).await
}

pub(crate) async fn change_seller_offer(
    state: web::Data<AppState>,
    admin: Admin,
    path: web::Path<(String, String)>,
    Json(SentOffer(sent)): Json<SentOffer>,
) -> Result<HttpResponse, ApiError> {
    let (name, id) = path.into_inner();
    let (actor, now) = (admin.name(), Timestamp::now());
    let saved = state
        .store()
        .save_seller_offer(name.clone(), Some(id), sent, actor, now);
    saved.await??;
    offers(&state, name, HttpResponse::Ok()).await
}

pub(crate) async fn remove_seller_offer(
    state: web::Data<AppState>,
    admin: Admin,
    path: web::Path<(String, String)>,
) -> Result<HttpResponse, ApiError> {
    let (name, id) = path.into_inner();
    let removed =
        state
            .store()
            .remove_seller_offer(name.clone(), id, admin.name(), Timestamp::now());
    removed.await??;
    offers(&state, name, HttpResponse::Ok()).await
}
