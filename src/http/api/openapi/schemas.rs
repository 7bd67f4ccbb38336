//! What the descriptions of the calls share: parameters, bodies and refusals. Only the
//! attributes are read, which stand on the handlers for the rest.
#![expect(dead_code, reason = "only the attributes are read")]

use std::collections::BTreeMap;

use utoipa::{IntoParams, IntoResponses, ToSchema};

/// What went wrong.
#[derive(ToSchema)]
pub(crate) struct Error {
    /// One sentence for people.
    error: String,
    /// What is wrong with each field.
    fields: Option<BTreeMap<String, String>>,
    /// With 403 of sign-in, the form that still waits for its code.
    registration: Option<String>,
}

#[derive(IntoResponses)]
pub(crate) enum Refusals {
    /// A parameter or a field is wrong.
    #[response(status = 400)]
    Invalid(Error),
    /// The server can't take it right now: try again later.
    #[response(status = 503)]
    Busy(Error),
}

#[derive(IntoResponses)]
pub(crate) enum BodyRefusals {
    /// The body is no JSON that fits, or a field is wrong.
    #[response(status = 400)]
    Invalid(Error),
    /// The body took too long to arrive.
    #[response(status = 408)]
    TooSlow(Error),
    /// The body is too large.
    #[response(status = 413)]
    TooLarge(Error),
    /// The body is not sent as JSON.
    #[response(status = 415)]
    NotJson(Error),
    /// The server can't take it right now: try again later.
    #[response(status = 503)]
    Busy(Error),
    /// The shop's disk is full.
    #[response(status = 507)]
    Full(Error),
}

#[derive(IntoResponses)]
pub(crate) enum AdminRefusals {
    /// Nobody is signed in.
    #[response(status = 401)]
    Unauthorized(Error),
    /// Only administrators may, and no other site's page.
    #[response(status = 403)]
    Forbidden(Error),
}

#[derive(IntoResponses)]
pub(crate) enum AccountRefusals {
    /// The credentials are wrong, or nobody is signed in.
    #[response(status = 401)]
    Unauthorized(Error),
    /// The address is not verified yet, or the request came from another site's page.
    #[response(status = 403)]
    Forbidden(Error),
    /// Too often: try again after the seconds of `Retry-After`.
    #[response(status = 429)]
    TooMany(Error),
}

#[derive(IntoResponses)]
pub(crate) enum Missing {
    /// There is no such thing.
    #[response(status = 404)]
    NotFound(Error),
}

#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub(crate) enum SortBy {
    CreatedAt,
    Price,
    #[schema(rename = "ratings.averageRating")]
    AverageRating,
    Clicks,
    Discount,
    FinalPrice,
    Proven,
    /// With a search only
    Relevance,
}

#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub(crate) enum Order {
    Asc,
    Desc,
}

#[derive(ToSchema)]
pub(crate) enum Category {
    Electronics,
    Clothing,
    Books,
    Home,
    #[schema(rename = "all")]
    All,
}

/// What the list is narrowed to.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub(crate) struct Filters {
    #[param(inline)]
    category: Option<Category>,
    /// Words that must all stand in the title, description, source or category; the last
    /// one may be unfinished
    #[param(max_length = 200)]
    search: Option<String>,
    /// A seller's exact name
    #[param(max_length = 100)]
    source: Option<String>,
    /// Rupees to pay, at least
    #[param(minimum = 0, maximum = 1_000_000_000, multiple_of = 0.01)]
    min_price: Option<f64>,
    /// Rupees to pay, at most
    #[param(minimum = 0, maximum = 1_000_000_000, multiple_of = 0.01)]
    max_price: Option<f64>,
    /// Percent, at least
    #[param(minimum = 0, maximum = 100, multiple_of = 0.01)]
    min_discount: Option<f64>,
    /// Percent that former prices prove, at least
    #[param(minimum = 0, maximum = 100, multiple_of = 0.01)]
    min_proven: Option<f64>,
    /// Only what ends within a day
    ending_soon: Option<bool>,
    /// What is not in the lists, for administrators
    #[param(pattern = "^(live|scheduled|ended|draft)$")]
    state: Option<String>,
}

/// Which page of it, and in which order.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub(crate) struct Paging {
    /// From 1; a page past the end is empty
    #[param(minimum = 1, maximum = 4_294_967_295_u32, default = 1)]
    page: Option<u32>,
    #[param(minimum = 1, maximum = 100, default = 10)]
    limit: Option<u32>,
    #[param(inline, default = "createdAt")]
    sort_by: Option<SortBy>,
    #[param(inline, default = "desc")]
    order: Option<Order>,
}

/// How much is said of each product.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct View {
    /// card: what a card shows, as CardListResponse has it; anything else counts as not given
    view: Option<String>,
}

/// How the file is written.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Export {
    #[param(inline)]
    format: Option<ExportFormat>,
}

#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub(crate) enum ExportFormat {
    Json,
    Ndjson,
    Csv,
}
