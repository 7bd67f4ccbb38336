//! Parameters, bodies and errors that several calls share. Only their attributes are read.
#![expect(dead_code, reason = "only the attributes are read")]

use std::collections::BTreeMap;

use utoipa::{IntoParams, IntoResponses, ToSchema};

use crate::domain::{Order, SortBy, State};
use crate::http::error::ErrorCode;

/// Error of a call.
#[derive(ToSchema)]
pub(crate) struct Error {
    /// One sentence for people.
    error: String,
    /// Reason for programs.
    code: ErrorCode,
    /// Message of each invalid field.
    fields: Option<BTreeMap<String, String>>,
    /// With 403 of sign-in: handle of the form that still waits for its code.
    registration: Option<String>,
    /// With 409 of add-product: id of the deal that is there already.
    id: Option<String>,
    /// Next step of the client: totp asks for a code, enrol sets up a second factor, password signs in again.
    next: Option<String>,
    /// With 401 of sign-in: handle of the sign-in that waits for a code.
    pending: Option<String>,
}

#[derive(IntoResponses)]
pub(crate) enum Refusals {
    /// A parameter or field is invalid.
    #[response(status = 400)]
    Invalid(Error),
    /// Temporarily unavailable: try again later.
    #[response(status = 503)]
    Busy(Error),
}

/// Answer to a conditional request.
#[derive(IntoResponses)]
pub(crate) enum Unchanged {
    /// Nothing has changed since the answer with the ETag that was sent as If-None-Match.
    #[response(status = 304)]
    NotModified,
}

#[derive(IntoResponses)]
pub(crate) enum BodyRefusals {
    /// The body is not the expected JSON, or a field is invalid.
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
    /// Temporarily unavailable: try again later.
    #[response(status = 503)]
    Busy(Error),
    /// The shop's disk is full.
    #[response(status = 507)]
    Full(Error),
}

#[derive(IntoResponses)]
pub(crate) enum KeyRefusals {
    /// The Idempotency-Key belongs to another request.
    #[response(status = 422)]
    KeyReused(Error),
}

#[derive(IntoResponses)]
pub(crate) enum AdminRefusals {
    /// Nobody is signed in; `WWW-Authenticate` names the scheme, Bearer.
    #[response(status = 401)]
    Unauthorized(Error),
    /// The account's role or the key's scope is not enough, or the request came from another site's page.
    #[response(status = 403)]
    Forbidden(Error),
}

#[derive(IntoResponses)]
pub(crate) enum AccountRefusals {
    /// Wrong credentials, or not signed in.
    #[response(status = 401)]
    Unauthorized(Error),
    /// The address is not verified yet, or the request came from another site's page.
    #[response(status = 403)]
    Forbidden(Error),
    /// Too many requests: try again after the seconds in `Retry-After`.
    #[response(status = 429)]
    TooMany(Error),
}

#[derive(IntoResponses)]
pub(crate) enum Missing {
    /// Not found.
    #[response(status = 404)]
    NotFound(Error),
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

/// Chosen publication of a product.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub(crate) enum Status {
    Draft,
    Live,
}

#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub(crate) enum BulkAction {
    Delete,
    Category,
    Discount,
    Publish,
    End,
    SetEnd,
    ChangePrice,
    KeepCheapest,
}

/// Unit of a price change.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub(crate) enum PriceUnit {
    Rupees,
    Percent,
}

/// Filters of the list.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub(crate) struct Filters {
    #[param(inline)]
    category: Option<Category>,
    /// Words that must all occur in the title, description, source or category; the last one may be
    /// a prefix
    #[param(max_length = 200)]
    search: Option<String>,
    /// Exact name of a seller
    #[param(max_length = 100)]
    source: Option<String>,
    /// Minimum final price in rupees, with at most two decimals
    #[param(minimum = 0, maximum = 1_000_000_000)]
    min_price: Option<f64>,
    /// Maximum final price in rupees, with at most two decimals
    #[param(minimum = 0, maximum = 1_000_000_000)]
    max_price: Option<f64>,
    /// Minimum discount in percent
    #[param(minimum = 0, maximum = 100)]
    min_discount: Option<f64>,
    /// Minimum discount in percent as proven by former prices
    #[param(minimum = 0, maximum = 100)]
    min_proven: Option<f64>,
    /// Only deals that end within a day
    ending_soon: Option<bool>,
    /// State of products that are not in the lists, for administrators
    #[param(inline)]
    state: Option<State>,
    /// Days since the product was added, at least; for administrators
    #[param(minimum = 1, maximum = 3_650)]
    min_age: Option<u32>,
    /// Days since the price was last checked, at least; for administrators
    #[param(minimum = 1, maximum = 3_650)]
    min_price_age: Option<u32>,
}

/// Page and order of the list.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub(crate) struct Paging {
    /// From 1; a page past the end is empty
    #[param(minimum = 1, maximum = 4_294_967_295_u32, default = 1)]
    page: Option<u64>,
    #[param(minimum = 1, maximum = 100, default = 10)]
    limit: Option<u32>,
    #[param(inline)]
    sort_by: Option<SortBy>,
    #[param(inline)]
    order: Option<Order>,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub(crate) struct KeyHeader {
    /// Of one request, which may be repeated for 24 hours: the repetition gets the first answer again,
    /// with the header Idempotency-Replayed, and makes nothing twice
    #[param(
        rename = "Idempotency-Key",
        min_length = 1,
        max_length = 255,
        pattern = "^[!-~]+$"
    )]
    idempotency_key: Option<String>,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub(crate) struct FileParameters {
    /// Format of the file: auto (the default), deals, csv, xlsx, merchant, shopify, woocommerce or json
    format: Option<String>,
    /// Path to the list of products in JSON, like data.items
    path: Option<String>,
    /// Seller of products whose seller the file does not name
    source: Option<String>,
    /// Category of products without a known one
    category: Option<String>,
    /// Name of a saved mapping, or of a format whose mapping is used; a form may send the mapping itself
    mapping: Option<String>,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct ProductId {
    /// The product's _id
    id: String,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PageNumber {
    /// From 1; 50 entries each
    #[param(minimum = 1, maximum = 4_294_967_295_u64)]
    page: Option<u64>,
}

/// Detail of each product.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct View {
    /// card: what a card shows, as in CardListResponse
    #[param(inline)]
    view: Option<ViewName>,
}

#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub(crate) enum ViewName {
    Card,
}

/// Format of the file.
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
