//! The list's query string as calls take it.

use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use url::form_urlencoded;

use crate::domain::{ListNames, ListQuery};
use crate::http::describe::Described;
use crate::http::error::ApiError;
use crate::http::state::AppState;
use crate::storefront::list_query;

/// The query string of `get-products` (decisions, section 5).
pub(crate) struct ListParameters(pub(crate) ListQuery);

impl Described for ListParameters {}

impl FromRequest for ListParameters {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let state = request.app_data::<web::Data<AppState>>().cloned();
        let query = request.query_string().to_owned();
        Box::pin(async move {
            let missing = || ApiError::Internal("the state is missing".to_owned());
            let state = state.ok_or_else(missing)?;
            parse(&query, state.storefront().await?.names()).map(Self)
        })
    }
}

/// Returns true for `view=card`; any other `view` is ignored.
pub(super) fn asks_for_cards(query_string: &str) -> bool {
    let mut parameters = form_urlencoded::parse(query_string.as_bytes());
    parameters.any(|(name, value)| name == "view" && value == "card")
}

/// Parses a query such as `category=Books&search=usb`, or returns all its errors.
pub(super) fn parse(query_string: &str, names: ListNames<'_>) -> Result<ListQuery, ApiError> {
    list_query::parse(query_string, names).map_err(ApiError::Invalid)
}

/// Parses a page number, 1 by default.
pub(super) fn page_number(text: Option<&str>) -> Result<u32, ApiError> {
    match text.unwrap_or("1").parse() {
        Ok(page @ 1..) => Ok(page),
        _ => {
            let message = "page must be a whole number of at least 1.";
            Err(ApiError::invalid("page", message))
        }
    }
}
