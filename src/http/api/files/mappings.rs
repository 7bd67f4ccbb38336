//! Mappings of files, saved by name.

use actix_web::{HttpResponse, Responder, web};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::catalog::formats::Format;
use crate::catalog::mapping::{Mapping, preset};
use crate::catalog::shop_archive::MAX_MAPPING_NAME;
use crate::domain::without_reordering;
use crate::http::api::permissions::{ImportProducts, May};
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::routes::{Route, delete, get, put};
use crate::http::state::AppState;
use crate::store::Store;

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        get("/product/mappings", list_mappings)
            .summary("Lists the mappings of formats and the saved ones.")
            .answers::<MappingsResponse>("The names"),
        get("/product/mappings/{name}", get_mapping)
            .summary("Returns a saved mapping, or that of a format.")
            .part("name", "Name of the mapping")
            .answers::<Mapping>("The mapping")
            .refuses(404, "Not found"),
        put("/product/mappings/{name}", save_mapping)
            .summary("Saves a mapping under a name, in place of one that has it.")
            .part("name", "Name of the mapping, 1 to 60 characters")
            .answers::<Mapping>("Saved"),
        delete("/product/mappings/{name}", delete_mapping)
            .summary("Deletes a saved mapping.")
            .part("name", "Name of the mapping")
            .describe(|call| {
                call.answer(204, "Deleted");
            })
            .refuses(404, "Not found"),
    ]
}

const NONE: ApiError = ApiError::NotFound("There is no such mapping.");

/// Names of mappings.
#[derive(Serialize, ToSchema)]
pub(crate) struct MappingsResponse {
    /// Names of the formats, whose mappings can be copied.
    presets: Vec<&'static str>,
    /// Names of the saved mappings.
    saved: Vec<String>,
}

/// Parses a mapping that a client sends.
pub(super) fn parse(json: &[u8]) -> Result<Mapping, ApiError> {
    Mapping::parse(json).map_err(|message| ApiError::invalid("mapping", message))
}

/// Finds a format's or a saved mapping. Blocks.
pub(super) fn find(store: &Store, name: &str) -> Result<Mapping, ApiError> {
    if let Some(format) = Format::parse(name) {
        return preset(format).map_err(ApiError::Internal);
    }
    let saved = store.mapping(name)?.ok_or(NONE)?;
    Mapping::parse(saved.as_bytes()).map_err(ApiError::Internal)
}

pub(crate) async fn list_mappings(
    state: web::Data<AppState>,
    _may: May<ImportProducts>,
) -> Result<impl Responder, ApiError> {
    let saved = state.query(Store::mapping_names).await?;
    let presets = Format::ALL.map(Format::as_str).to_vec();
    Ok(web::Json(MappingsResponse { presets, saved }))
}

pub(crate) async fn get_mapping(
    state: web::Data<AppState>,
    _may: May<ImportProducts>,
    name: web::Path<String>,
) -> Result<impl Responder, ApiError> {
    let mapping = state.work(move |store| find(store, &name)).await?;
    Ok(web::Json(mapping))
}

pub(crate) async fn save_mapping(
    state: web::Data<AppState>,
    _may: May<ImportProducts>,
    name: web::Path<String>,
    Json(mapping): Json<Mapping>,
) -> Result<impl Responder, ApiError> {
    let name = without_reordering(name.trim());
    let length = name.chars().count();
    if length == 0 || length > MAX_MAPPING_NAME || name.chars().any(char::is_control) {
        let message = "A mapping's name has 1 to 60 characters.";
        return Err(ApiError::invalid("name", message));
    }
    if Format::parse(&name).is_some() || name == "auto" {
        let message = "This is the name of a format: choose another.";
        return Err(ApiError::invalid("name", message));
    }
    mapping
        .check()
        .map_err(|message| ApiError::invalid("mapping", message))?;
    let json = serde_json::to_string(&mapping).map_err(ApiError::serialization)?;
    let is_saved = state
        .store()
        .save_mapping(name, json, Timestamp::now())
        .await?;
    if !is_saved {
        let message = "There are 100 mappings already: delete one first.";
        return Err(ApiError::Conflict(message.to_owned()));
    }
    Ok(web::Json(mapping))
}

pub(crate) async fn delete_mapping(
    state: web::Data<AppState>,
    _may: May<ImportProducts>,
    name: web::Path<String>,
) -> Result<impl Responder, ApiError> {
    if state.store().delete_mapping(name.into_inner()).await? {
        Ok(HttpResponse::NoContent().finish())
    } else {
        Err(NONE)
    }
}
