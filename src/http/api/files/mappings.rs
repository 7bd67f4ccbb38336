//! Mappings of files, saved by name.

use actix_web::{HttpResponse, Responder, web};
use jiff::Timestamp;
use serde::Serialize;

use crate::catalog::formats::Format;
use crate::catalog::mapping::{Mapping, preset};
use crate::domain::without_reordering;
#[cfg(test)]
use crate::http::api::openapi::schemas::{AdminRefusals, BodyRefusals, Error, Refusals};
use crate::http::api::permissions::{ImportProducts, May};
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::state::AppState;
use crate::store::Store;

/// Maximum number of characters of a name.
const MAX_NAME: usize = 60;
const NONE: ApiError = ApiError::NotFound("There is no such mapping.");

/// Names of mappings.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
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

/// Lists the mappings of formats and the saved ones.
#[cfg_attr(test, utoipa::path(
    get, path = "/product/mappings", tag = "administration", security(("token" = []), ("cookie" = []), ("key" = ["import"])),
    operation_id = "list_mappings",
    responses((status = 200, description = "The names", body = MappingsResponse), AdminRefusals, Refusals),
))]
pub(crate) async fn list_mappings(
    state: web::Data<AppState>,
    _may: May<ImportProducts>,
) -> Result<impl Responder, ApiError> {
    let saved = state.query(Store::mapping_names).await?;
    let presets = Format::ALL.map(Format::as_str).to_vec();
    Ok(web::Json(MappingsResponse { presets, saved }))
}

/// Returns a saved mapping, or that of a format.
#[cfg_attr(test, utoipa::path(
    get, path = "/product/mappings/{name}", tag = "administration", security(("token" = []), ("cookie" = []), ("key" = ["import"])),
    operation_id = "get_mapping",
    params(("name" = String, Path, description = "Name of the mapping")),
    responses(
        (status = 200, description = "The mapping", body = Mapping),
        (status = 404, description = "Not found", body = Error), AdminRefusals, Refusals,
    ),
))]
pub(crate) async fn get_mapping(
    state: web::Data<AppState>,
    _may: May<ImportProducts>,
    name: web::Path<String>,
) -> Result<impl Responder, ApiError> {
    let mapping = state.work(move |store| find(store, &name)).await?;
    Ok(web::Json(mapping))
}

/// Saves a mapping under a name, in place of one that has it.
#[cfg_attr(test, utoipa::path(
    put, path = "/product/mappings/{name}", tag = "administration", security(("token" = []), ("cookie" = []), ("key" = ["import"])),
    operation_id = "save_mapping",
    params(("name" = String, Path, description = "Name of the mapping, 1 to 60 characters")),
    request_body = Mapping,
    responses(
        (status = 200, description = "Saved", body = Mapping), AdminRefusals, BodyRefusals,
    ),
))]
pub(crate) async fn save_mapping(
    state: web::Data<AppState>,
    _may: May<ImportProducts>,
    name: web::Path<String>,
    Json(mapping): Json<Mapping>,
) -> Result<impl Responder, ApiError> {
    let name = without_reordering(name.trim());
    let length = name.chars().count();
    if length == 0 || length > MAX_NAME || name.chars().any(char::is_control) {
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

/// Deletes a saved mapping.
#[cfg_attr(test, utoipa::path(
    delete, path = "/product/mappings/{name}", tag = "administration", security(("token" = []), ("cookie" = []), ("key" = ["import"])),
    operation_id = "delete_mapping",
    params(("name" = String, Path, description = "Name of the mapping")),
    responses(
        (status = 204, description = "Deleted"),
        (status = 404, description = "Not found", body = Error), AdminRefusals, Refusals,
    ),
))]
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
