//! Data embedded for the app: the API's answers that the page was made from.

use std::collections::BTreeMap;

use maud::{Markup, PreEscaped};
use serde::Serialize;
use serde_json::json;

use crate::http::error::ApiError;
use crate::http::storefront::Storefront;

/// JSON answers by path.
pub(super) type Answers = BTreeMap<String, String>;

/// Renders the element that `frontend/src/api/page-data.ts` reads.
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
    let members: Result<Vec<_>, ApiError> = answers
        .iter()
        .map(|(path, answer)| Ok(format!("{}:{answer}", text(path)?)))
        .collect();
    let (members, shop) = (members?.join(","), text(&front.body())?);
    Ok(format!("{{\"answers\":{{{members}}},\"shop\":{shop}}}"))
}

/// Serializes an answer.
pub(super) fn text(answer: &(impl Serialize + ?Sized)) -> Result<String, ApiError> {
    serde_json::to_string(answer).map_err(ApiError::serialization)
}
