//! Pictures that owners upload, and their files.

use std::io::Read;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY};
use actix_web::{HttpRequest, HttpResponse, Responder, web};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::ImportForm;
use super::upload::{not_written, receive};
use crate::catalog::picture::{MAX_PICTURE_BYTES, PictureError, read_picture};
use crate::domain::{PictureFile, with_shop};
use crate::http::api::permissions::{May, ReadProducts, WriteProducts};
use crate::http::error::ApiError;
use crate::http::pages::assets::HASHED;
use crate::http::routes::{Route, get, post};
use crate::http::state::AppState;
use crate::store::{Store, StoreError};

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
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
}

pub(crate) async fn count_pictures(
    state: web::Data<AppState>,
    _may: May<ReadProducts>,
) -> Result<impl Responder, ApiError> {
    let found = state.query(|store| {
        let counted = store.count_pictures()?;
        let database = std::fs::metadata(store.path()).map_or(0, |file| file.len());
        Ok((counted, database))
    });
    let (counted, database_bytes) = found.await?;
    Ok(web::Json(PicturesResponse {
        pictures: counted.pictures,
        bytes: counted.bytes,
        database_bytes: database_bytes.max(counted.bytes),
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
    let work = move |store: &Store| {
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(not_written)?;
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
