//! Page data: the API responses that a page was made from, embedded for the app.

use std::collections::BTreeMap;

use maud::{Markup, PreEscaped, html};
use serde::Serialize;
use serde_json::json;

use crate::http::error::ApiError;
use crate::http::storefront::Storefront;

/// JSON answers by path.
pub(super) type Answers = BTreeMap<String, String>;

/// Renders the element that `frontend/src/api/page-data.ts` reads.
pub(super) fn served(front: &Storefront, answers: &Answers) -> Result<Markup, ApiError> {
    let members: Result<Vec<_>, ApiError> = answers
        .iter()
        .map(|(path, answer)| Ok(format!("{}:{answer}", text(path)?)))
        .collect();
    let (members, shop) = (members?.join(","), text(&front.body())?);
    let json = format!("{{\"answers\":{{{members}}},\"shop\":{shop}}}");
    Ok(element(&json))
}

/// Renders the element of a page without answers.
pub(super) fn without_answers(front: &Storefront) -> Markup {
    element(&json!({ "shop": front.body() }).to_string())
}

fn element(json: &str) -> Markup {
    // A `<` could end the element.
    let json = json.replace('<', "\\u003c");
    html! { script id="served" type="application/json" { (PreEscaped(json)) } }
}

/// Serializes an answer.
pub(super) fn text(answer: &(impl Serialize + ?Sized)) -> Result<String, ApiError> {
    serde_json::to_string(answer).map_err(ApiError::serialization)
}
