//! Page data: the API responses that a page was made from, embedded for the app.

use std::collections::BTreeMap;

use maud::{Markup, PreEscaped, html};
use serde::Serialize;

use crate::http::error::ApiError;
use crate::storefront::Storefront;

/// JSON answers by path.
pub(super) type Answers = BTreeMap<String, String>;

/// Returns the page's data as JSON.
pub(super) fn json(front: &Storefront, answers: &Answers) -> Result<String, ApiError> {
    let members: Result<Vec<_>, ApiError> = answers
        .iter()
        .map(|(path, answer)| Ok(format!("{}:{answer}", text(path)?)))
        .collect();
    let (members, shop) = (members?.join(","), text(&front.body())?);
    Ok(format!("{{\"answers\":{{{members}}},\"shop\":{shop}}}"))
}

/// Renders the element of a page without answers.
pub(super) fn without_answers(front: &Storefront) -> Markup {
    element(&serde_json::json!({ "shop": front.body() }).to_string())
}

/// Renders the element that `frontend/src/api/page-data.ts` reads.
pub(super) fn element(json: &str) -> Markup {
    // A `<` could end the element.
    let json = json.replace('<', "\\u003c");
    html! { script id="served" type="application/json" { (PreEscaped(json)) } }
}

/// Serializes an answer.
pub(super) fn text(answer: &(impl Serialize + ?Sized)) -> Result<String, ApiError> {
    serde_json::to_string(answer).map_err(ApiError::serialization)
}
