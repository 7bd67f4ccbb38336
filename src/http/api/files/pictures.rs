//! Pictures that owners upload, and their files.

use std::io::Read;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY};
use actix_web::{HttpRequest, HttpResponse, Responder, web};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use url::Url;
use utoipa::ToSchema;

use super::ImportForm;
use super::upload::{not_written, receive};
use crate::catalog::picture::{MAX_PICTURE_BYTES, PictureError, read_picture};
use crate::domain::{PictureFile, SourceRules, with_shop};
use crate::fetch::{FetchError, Fetcher, gives_pictures};
use crate::http::api::permissions::{May, ReadProducts, WriteProducts};
use crate::http::error::ApiError;
use crate::http::extract::Json;
use crate::http::pages::assets::HASHED;
use crate::http::routes::{Route, get, post};
use crate::http::state::AppState;
use crate::store::{Store, StoreError};

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        post("/picture/copy", save_picture_copy)
            .without_code()
            .summary("Keeps a copy of a picture, as an own one.")
            .details(
                "The server requests the address once, if it is public and the rules of the seller allow copies \
                 (`copyImages`).",
            )
            .creates::<PictureResponse>("Added, or there already"),
        get("/picture/{file}", get_picture)
            .part(
                "file",
                "The last part of a picture's address, or its hash with a side, like …-360.webp",
            )
            .summary("Returns a file of a picture.")
            .details("The files that fit in squares of 360 and 96 pixels end in `-360.webp` and `-96.webp` in place of the size.")
            .answers_as::<Vec<u8>>(WEBP, "The file")
            .or_missing(),
        get("/picture", count_pictures)
            .summary("Counts the shop's own pictures.")
            .answers::<PicturesResponse>("The number, and the sizes"),
        post("/picture", add_picture)
            .without_code()
            .summary("Adds a picture, for `images` of products.")
            .details(
                "The picture is turned as its EXIF says, and kept without any other data. If no product has \
                 it for 7 days, it is deleted.",
            )
            .body_as::<Vec<u8>>("application/octet-stream")
            .body_as::<ImportForm>("multipart/form-data")
            .body_text("A JPEG, PNG or WebP picture of at most 8 MB, as it is or in a form")
            .creates::<PictureResponse>("Added, or there already"),
    ]
}

const WEBP: &str = "image/webp";

#[derive(Serialize, ToSchema)]
pub(crate) struct PictureResponse {
    /// Address of the picture
    url: String,
    /// Pixels
    width: u32,
    /// Pixels
    height: u32,
}

/// The shop's own pictures.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PicturesResponse {
    pictures: u64,
    /// Size of their files
    bytes: u64,
    /// Size of the database, which contains them
    database_bytes: u64,
    /// Deals of sellers with the rule `keepImages` whose pictures wait to be copied
    waiting: u64,
    /// Deals of the last week whose pictures could not be copied
    failed: u64,
    /// Why the last one could not
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schema(required = false)]
    last_error: String,
}

pub(crate) async fn count_pictures(
    state: web::Data<AppState>,
    _may: May<ReadProducts>,
) -> Result<impl Responder, ApiError> {
    let found = state.query(|store| {
        let counted = store.count_pictures()?;
        let database = std::fs::metadata(store.path()).map_or(0, |file| file.len());
        Ok((counted, database, store.picture_copies()?))
    });
    let (counted, database_bytes, copies) = found.await?;
    Ok(web::Json(PicturesResponse {
        pictures: counted.pictures,
        bytes: counted.bytes,
        database_bytes: database_bytes.max(counted.bytes),
        waiting: copies.waiting,
        failed: copies.failed,
        last_error: copies.last_error,
    }))
}

pub(crate) async fn add_picture(
    state: web::Data<AppState>,
    actor: May<WriteProducts>,
    request: HttpRequest,
    body: web::Payload,
) -> Result<impl Responder, ApiError> {
    state.rate_limits().picture(actor.id())?;
    let path = state.store().path().to_owned();
    let received = receive(&request, body, &path, MAX_PICTURE_BYTES).await;
    let mut file = match received {
        Err(ApiError::TooLarge) => return Err(refused(&PictureError::Bytes)),
        received => received?.file,
    };
    let read = move || {
        let mut bytes = Vec::new();
        let read = file.read_to_end(&mut bytes);
        read.map_err(not_written).map(|_| bytes)
    };
    added(&state, &actor, read).await
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct CopyRequest {
    /// Address of the picture
    url: String,
    /// Seller of the product
    source: String,
}

/// The answer waits in the turn of files, so that a slow host delays no uploaded picture.
pub(crate) async fn save_picture_copy(
    state: web::Data<AppState>,
    actor: May<WriteProducts>,
    Json(body): Json<CopyRequest>,
) -> Result<impl Responder, ApiError> {
    let source = body.source.trim();
    let networks = state.options().fetch_networks.clone();
    let address = Url::parse(body.url.trim()).ok();
    let address = address.filter(|address| gives_pictures(address, &networks));
    let address = address.ok_or_else(|| not_copied(&FetchError::Address))?;
    let settings = state.query(Store::settings).await?;
    if !SourceRules::may_copy(settings.shop.sources.get(source), source) {
        let message = format!(
            "The rules of {source} allow no copies of pictures. Upload one of your own, or let an administrator \
             change them in Sellers."
        );
        return Err(ApiError::invalid("url", message));
    }
    state.rate_limits().picture(actor.id())?;
    let host = address.host_str().map(str::to_owned);
    tracing::info!(
        by = actor.id(),
        host,
        "a picture is requested, to keep a copy"
    );
    let fetched = state.file_work(actor.party(), move |_, _| {
        let fetcher = Fetcher::allowing(networks);
        let fetched = fetcher.picture(&address, MAX_PICTURE_BYTES);
        fetched.map_err(|error| not_copied(&error))
    });
    let bytes = fetched.await?;
    added(&state, &actor, || Ok(bytes)).await
}

fn not_copied(error: &FetchError) -> ApiError {
    if let FetchError::Unreachable(host, cause) = error {
        tracing::warn!(host, cause, "a picture was not copied");
    }
    let message =
        format!("Not copied: {error}. Save the picture from your browser, and upload it here.");
    ApiError::invalid("url", message)
}

/// Reads a picture in its turn, adds it and answers with its address.
async fn added(
    state: &AppState,
    actor: &May<WriteProducts>,
    read: impl FnOnce() -> Result<Vec<u8>, ApiError> + Send + 'static,
) -> Result<HttpResponse, ApiError> {
    let work = move |store: &Store| {
        let bytes = read()?;
        let picture = read_picture(&bytes).map_err(|error| refused(&error))?;
        drop(bytes);
        Ok(store.add_picture(picture, Timestamp::now()).wait()?)
    };
    let name = state.picture_work(actor.party(), work).await?;
    tracing::info!(by = actor.id(), picture = name.hash, "a picture was added");
    let mut address = [name.path()];
    with_shop(&mut address, state.public_url());
    let [url] = address;
    Ok(HttpResponse::Created().json(PictureResponse {
        url,
        width: name.width,
        height: name.height,
    }))
}

fn refused(error: &PictureError) -> ApiError {
    ApiError::InvalidFile(error.to_string())
}

const NO_PICTURE: ApiError = ApiError::NotFound("There is no such picture.");

/// An address never leads to another file. Opened by itself, the file may run nothing.
pub(crate) async fn get_picture(
    state: web::Data<AppState>,
    file: web::Path<String>,
) -> Result<impl Responder, ApiError> {
    let file = PictureFile::parse(&file).ok_or(NO_PICTURE)?;
    let found = state.query(move |store| match store.picture_file(&file) {
        Err(StoreError::NotFound) => Ok(None),
        found => found.map(Some),
    });
    let webp = found.await?.ok_or(NO_PICTURE)?;
    Ok(HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, HASHED))
        .insert_header((CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox"))
        .content_type(WEBP)
        .body(webp))
}
