//! Turning requests into what handlers take.

use std::collections::BTreeMap;
use std::future::{Future, Ready, ready};
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::error::JsonPayloadError;
use actix_web::web::{self, JsonConfig, PathConfig};
use actix_web::{FromRequest, HttpRequest};
use serde::de::DeserializeOwned;
use url::form_urlencoded;

use super::error::ApiError;
use super::limits::Client;
use super::state::AppState;
use crate::domain::{Category, FieldError, ListQuery, Order, SortBy};

/// The query string of `get-products` (decisions, section 5).
pub(super) struct ListParameters(pub(super) ListQuery);

impl FromRequest for ListParameters {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(
            parse(request.query_string())
                .map(Self)
                .map_err(ApiError::Invalid),
        )
    }
}

const PARAMETERS: [&str; 6] = ["page", "limit", "sortBy", "order", "category", "search"];

/// Reads the known parameters. An empty one counts as not given, as a form
/// without JavaScript sends it; one that is given twice is refused, because
/// which of the two was meant can't be known.
fn parse(query: &str) -> Result<ListQuery, Vec<FieldError>> {
    let mut given = BTreeMap::new();
    let mut errors = Vec::new();
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        let Some(known) = PARAMETERS.into_iter().find(|known| *known == name) else {
            continue;
        };
        if given.insert(known, value.trim().to_owned()).is_some() {
            errors.push(FieldError::new(
                known,
                format!("{known} is given more than once."),
            ));
        }
    }
    given.retain(|_, value| !value.is_empty());
    let mut list = ListQuery::default();
    let mut take = |name: &'static str, read: &mut dyn FnMut(&str) -> Option<()>, rule: &str| {
        if let Some(value) = given.get(name)
            && read(value).is_none()
        {
            errors.push(FieldError::new(name, rule));
        }
    };
    take(
        "page",
        &mut |value| whole_number(value, u32::MAX).map(|page| list.page = page),
        "page must be a whole number of at least 1.",
    );
    take(
        "limit",
        &mut |value| whole_number(value, ListQuery::MAX_LIMIT).map(|limit| list.limit = limit),
        "limit must be a whole number from 1 to 100.",
    );
    take(
        "sortBy",
        &mut |value| named(value, SortBy::ALL, SortBy::as_str).map(|sort| list.sort_by = sort),
        "sortBy must be one of createdAt, price, ratings.averageRating, clicks, discount, finalPrice.",
    );
    take(
        "order",
        &mut |value| named(value, Order::ALL, Order::as_str).map(|order| list.order = order),
        "order must be asc or desc.",
    );
    take(
        "category",
        &mut |value| category(value).map(|category| list.category = category),
        "category must be one of all, Electronics, Clothing, Books, Home.",
    );
    take(
        "search",
        &mut |value| {
            (value.chars().count() <= ListQuery::MAX_SEARCH)
                .then(|| list.search = Some(value.to_owned()))
        },
        "search must be at most 200 characters.",
    );
    if errors.is_empty() {
        Ok(list)
    } else {
        Err(errors)
    }
}

/// Digits only: `str::parse` would also take a plus sign.
fn whole_number(text: &str, most: u32) -> Option<u32> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number: u32 = digits.then(|| text.parse().ok()).flatten()?;
    (1..=most).contains(&number).then_some(number)
}

fn named<T: Copy>(
    text: &str,
    all: impl IntoIterator<Item = T>,
    name: impl Fn(T) -> &'static str,
) -> Option<T> {
    all.into_iter().find(|value| name(*value) == text)
}

fn category(text: &str) -> Option<Option<Category>> {
    if text == "all" {
        Some(None)
    } else {
        Category::parse(text).map(Some)
    }
}

/// A path that can't be decoded names nothing that exists.
pub(super) fn path_config() -> PathConfig {
    PathConfig::default()
        .error_handler(|_, _| ApiError::NotFound("There is nothing at this address.").into())
}

impl FromRequest for Client {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let state = request.app_data::<web::Data<AppState>>();
        ready(Ok(Self::of(
            request,
            state.map_or(&[], |state| state.trusted_proxies()),
        )))
    }
}

/// A JSON body, within the limit of its scope, sent as JSON.
pub(super) struct Json<T>(pub(super) T);

impl<T: DeserializeOwned + 'static> FromRequest for Json<T> {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let body = web::Json::<T>::from_request(request, payload);
        Box::pin(async move {
            match body.await {
                Ok(web::Json(body)) => Ok(Self(body)),
                Err(error) => Err(refusal(&error)),
            }
        })
    }
}

fn refusal(error: &actix_web::Error) -> ApiError {
    match error.as_error::<JsonPayloadError>() {
        Some(JsonPayloadError::Overflow { .. } | JsonPayloadError::OverflowKnownLength { .. }) => {
            ApiError::TooLarge
        }
        Some(JsonPayloadError::ContentType) => ApiError::NotJson,
        Some(JsonPayloadError::Deserialize(error)) => {
            ApiError::Malformed(format!("This is not the JSON that is expected: {error}."))
        }
        _ => ApiError::Malformed("The request could not be read.".to_owned()),
    }
}

/// How large a JSON body may be, in bytes. A body without a content type is
/// refused like one of another type, because forms of other sites can send both.
pub(super) fn json_config(most: usize) -> JsonConfig {
    JsonConfig::default().limit(most)
}
