//! Data embedded for the app: the API's answers that the page was made from.

use std::collections::BTreeMap;

use maud::{Markup, PreEscaped};
use serde::Serialize;
use serde_json::json;

use crate::http::error::ApiError;
use crate::http::storefront::Storefront;

/// JSON answers by path.
pub(super) type Answers = BTreeMap<String, Vec<u8>>;

/// Renders the element that `frontend/src/api/served.ts` reads.
pub(super) fn served(front: &Storefront, answers: &Answers) -> Result<Markup, ApiError> {
    Ok(element(&with_answers(front, answers)?))
}

/// Renders the element of a page without answers.
pub(super) fn without_answers(front: &Storefront) -> Markup {
    element(&json!({ "shop": front.body() }).to_string())
}

fn element(json: &str) -> Markup {
    const TAGS: (&str, &str) = (
        "<script id=\"served\" type=\"application/json\">",
        "</script>",
    );
    let mut element = String::with_capacity(json.len() + 128);
    element.push_str(TAGS.0);
    for (index, piece) in json.split('<').enumerate() {
        // A `<` could end the element.
        element.push_str(if index > 0 { "\\u003c" } else { "" });
        element.push_str(piece);
    }
    element.push_str(TAGS.1);
    PreEscaped(element)
}

fn with_answers(front: &Storefront, answers: &Answers) -> Result<String, ApiError> {
    let usual = answers.values().map(|answer| answer.len() + 1_024).sum();
    let mut json = Vec::with_capacity(usual);
    json.extend_from_slice(b"{\"answers\":{");
    for (index, (path, answer)) in answers.iter().enumerate() {
        separate(&mut json, index);
        put(&mut json, path)?;
        json.push(b':');
        json.extend_from_slice(answer);
    }
    json.extend_from_slice(b"},\"shop\":");
    put(&mut json, &front.body())?;
    json.push(b'}');
    written(json)
}

/// Serializes an answer.
pub(super) fn text(answer: &impl Serialize) -> Result<Vec<u8>, ApiError> {
    serde_json::to_vec(answer).map_err(ApiError::unwritten)
}

fn separate(json: &mut Vec<u8>, index: usize) {
    if index > 0 {
        json.push(b',');
    }
}

fn put(json: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) -> Result<(), ApiError> {
    serde_json::to_writer(json, value).map_err(ApiError::unwritten)
}

fn written(json: Vec<u8>) -> Result<String, ApiError> {
    String::from_utf8(json).map_err(|error| ApiError::Internal(error.to_string()))
}
