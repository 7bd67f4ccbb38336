//! Which call takes what and answers what. The functions are only the places of their
//! attributes; the handlers bear the same names.
#![expect(dead_code, reason = "only the attributes are read")]

use std::collections::BTreeMap;

use utoipa::{IntoParams, IntoResponses, ToSchema};

use crate::http::api::admin::{BulkRequest, BulkResponse, ByLinkResponse, UndoResponse};
use crate::http::api::admin_import::ImportResponse;
use crate::http::api::requests::{
    ChangePasswordRequest, CodeRequest, EmailRequest, RegisterRequest, ResendRequest,
    ResetPasswordRequest, SignInRequest,
};
use crate::http::api::responses::{
    ActivityResponse, ClicksResponse, FacetsResponse, ForgotPasswordResponse, ListResponse,
    MessageResponse, ProductResponse, RegisterResponse, SignInResponse, UserResponse,
};
use crate::http::pages::assets::HealthResponse;

/// What went wrong.
#[derive(ToSchema)]
struct Error {
    /// One sentence for people.
    error: String,
    /// What is wrong with each field.
    fields: Option<BTreeMap<String, String>>,
    /// With 403 of sign-in, the form that still waits for its code.
    registration: Option<String>,
}

#[derive(IntoResponses)]
enum Refusals {
    /// A parameter or a field is wrong.
    #[response(status = 400)]
    Invalid(Error),
    /// The server can't take it right now: try again later.
    #[response(status = 503)]
    Busy(Error),
}

#[derive(IntoResponses)]
enum BodyRefusals {
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
enum AdminRefusals {
    /// Nobody is signed in.
    #[response(status = 401)]
    Unauthorized(Error),
    /// Only administrators may, and no other site's page.
    #[response(status = 403)]
    Forbidden(Error),
}

#[derive(IntoResponses)]
enum AccountRefusals {
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
enum Missing {
    /// There is no such thing.
    #[response(status = 404)]
    NotFound(Error),
}

#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
enum SortBy {
    CreatedAt,
    Price,
    #[schema(rename = "ratings.averageRating")]
    AverageRating,
    Clicks,
    Discount,
    FinalPrice,
    /// With a search only
    Relevance,
    /// As if it was not given
    #[schema(rename = "")]
    Unset,
}

#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
enum Order {
    Asc,
    Desc,
    /// As if it was not given
    #[schema(rename = "")]
    Unset,
}

#[derive(ToSchema)]
enum Category {
    Electronics,
    Clothing,
    Books,
    Home,
    #[schema(rename = "all")]
    All,
    /// As if it was not given, as a form without a script sends it
    #[schema(rename = "")]
    Unset,
}

/// What the list is narrowed to.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
struct Filters {
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
}

/// Which page of it, and in which order.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
struct Paging {
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

/// A product as it is added or changed.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
struct ProductRequest {
    #[schema(min_length = 2, max_length = 500)]
    title: String,
    #[schema(min_length = 10, max_length = 10_000)]
    description: String,
    /// Rupees, with at most two decimals
    #[schema(exclusive_minimum = 0, maximum = 1_000_000_000, multiple_of = 0.01)]
    price: f64,
    /// Percent, with at most two decimals
    #[schema(minimum = 0, maximum = 100, multiple_of = 0.01)]
    discount: f64,
    #[schema(inline)]
    category: ProductCategory,
    /// The seller's name
    #[schema(min_length = 1, max_length = 100)]
    source: String,
    /// http or https, without credentials
    #[schema(pattern = "^https?://[^/?#\\s]", max_length = 2_048)]
    affiliate_link: String,
    /// The addresses of 1 to 20 pictures, http or https
    #[schema(min_items = 1, max_items = 20)]
    images: Vec<String>,
    #[schema(minimum = 0, maximum = 5)]
    average_rating: f64,
    #[schema(minimum = 1, maximum = 9_007_199_254_740_991_i64)]
    total_ratings: i64,
}

#[derive(ToSchema)]
enum ProductCategory {
    Electronics,
    Clothing,
    Books,
    Home,
}

/// One page of the list.
#[utoipa::path(get, path = "/product/get-products", tag = "products", params(Filters, Paging),
    responses((status = 200, description = "The products", body = ListResponse<'_>), Refusals))]
fn get_products() {}

/// One product.
#[utoipa::path(get, path = "/product/product/{id}", tag = "products",
    params(("id" = String, Path, description = "The product's _id")),
    responses((status = 200, description = "The product", body = ProductResponse<'_>), Missing, Refusals))]
fn get_product() {}

/// How many products each choice of a filter would leave.
#[utoipa::path(get, path = "/product/facets", tag = "products", params(Filters),
    responses((status = 200, description = "The choices", body = FacetsResponse), Refusals))]
fn facets() {}

/// Counts a click on a product's link.
#[utoipa::path(post, path = "/product/increament-views/{id}", tag = "products",
    params(("id" = String, Path, description = "The product's _id")),
    responses((status = 200, description = "The click is on the disk", body = ClicksResponse),
        (status = 403, description = "The request came from another site's page", body = Error),
        (status = 507, description = "The shop's disk is full", body = Error), Missing, Refusals))]
fn record_click() {}

/// Adds a product.
#[utoipa::path(post, path = "/product/add-product", tag = "administration", request_body = ProductRequest,
    security(("token" = []), ("cookie" = [])),
    responses((status = 201, description = "It was added", body = ProductResponse<'_>), AdminRefusals, BodyRefusals))]
fn add_product() {}

/// Changes a product.
#[utoipa::path(put, path = "/product/update-product/{id}", tag = "administration", request_body = ProductRequest,
    params(("id" = String, Path, description = "The product's _id")),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "It was changed", body = ProductResponse<'_>),
        (status = 409, description = "Somebody else changed it in the meantime", body = Error),
        Missing, AdminRefusals, BodyRefusals))]
fn update_product() {}

/// Deletes a product.
#[utoipa::path(delete, path = "/product/delete-product/{id}", tag = "administration",
    params(("id" = String, Path, description = "The product's _id")),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "It was deleted", body = MessageResponse),
        (status = 507, description = "The shop's disk is full", body = Error),
        Missing, AdminRefusals, Refusals))]
fn delete_product() {}

/// Changes or deletes many products, all or nothing.
#[utoipa::path(post, path = "/product/bulk", tag = "administration", request_body = BulkRequest,
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "They were changed", body = BulkResponse),
        Missing, AdminRefusals, BodyRefusals))]
fn bulk() {}

/// Takes a change of many products back, for a minute.
#[utoipa::path(post, path = "/product/undo/{id}", tag = "administration",
    params(("id" = String, Path, description = "What bulk answered as undo")),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "They are as before", body = UndoResponse),
        (status = 507, description = "The shop's disk is full", body = Error),
        Missing, AdminRefusals, Refusals))]
fn undo() {}

/// Imports a file of products.
#[utoipa::path(post, path = "/product/import", tag = "administration",
    params(("dryRun" = Option<bool>, Query, description = "Only tell what would be done"),
        ("skipInvalid" = Option<bool>, Query, description = "Import the valid rows although others are invalid")),
    request_body(content_type = "application/json", content = Vec<ProductRequest>, description = "A JSON array, or one product per line"),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "What was done", body = ImportResponse), AdminRefusals, BodyRefusals))]
fn import_products() {}

/// How the file is written.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
struct Export {
    #[param(inline)]
    format: Option<ExportFormat>,
}

/// Every product, as a file that import reads.
#[utoipa::path(get, path = "/product/export", tag = "administration",
    params(Export),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "The file", content(
        (Vec<Value> = "application/json"), (String = "application/x-ndjson"), (String = "text/csv"))),
        AdminRefusals, Refusals))]
fn export_products() {}

#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
enum ExportFormat {
    Json,
    Ndjson,
    Csv,
}

/// Who changed what, newest first.
#[utoipa::path(get, path = "/product/activity", tag = "administration",
    params(("page" = Option<u64>, Query, minimum = 1, maximum = 4_294_967_295_u64, description = "From 1; 50 lines each")),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "The lines", body = ActivityResponse), AdminRefusals, Refusals))]
fn activity() {}

/// The product that has this link already, or null.
#[utoipa::path(get, path = "/product/by-link", tag = "administration",
    params(("source" = Option<String>, Query, description = "The seller's name"),
        ("link" = Option<String>, Query, description = "The affiliate link")),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "The product", body = ByLinkResponse<'_>), AdminRefusals, Refusals))]
fn by_link() {}

/// Registers; a code is mailed. The answer is the same for a new and a known address.
#[utoipa::path(post, path = "/user/register", tag = "accounts", request_body = RegisterRequest,
    responses((status = 201, description = "A mail is on its way", body = RegisterResponse),
        AccountRefusals, BodyRefusals))]
fn register() {}

/// Activates an account by its code.
#[utoipa::path(post, path = "/user/verify-code", tag = "accounts", request_body = CodeRequest,
    responses((status = 200, description = "The account is ready", body = MessageResponse),
        AccountRefusals, BodyRefusals))]
fn verify_code() {}

/// Mails another code to an address that waits for one.
#[utoipa::path(post, path = "/user/resend-code", tag = "accounts", request_body = ResendRequest,
    responses((status = 200, description = "A mail may be on its way", body = MessageResponse),
        AccountRefusals, BodyRefusals))]
fn resend_code() {}

/// Signs in.
#[utoipa::path(post, path = "/user/sign-in", tag = "accounts", request_body = SignInRequest,
    responses((status = 200, description = "The token of a program, and the cookie of a browser", body = SignInResponse),
        AccountRefusals, BodyRefusals))]
fn sign_in() {}

/// Whose session a token names.
#[utoipa::path(get, path = "/user/me/{token}", tag = "accounts",
    params(("token" = String, Path, description = "A token of sign-in")),
    responses((status = 200, description = "Who is signed in", body = UserResponse),
        (status = 401, description = "The token is not good any more", body = Error), Missing, Refusals))]
fn me() {}

/// Signs out; works without a session too.
#[utoipa::path(post, path = "/user/logout", tag = "accounts",
    responses((status = 200, description = "Nobody is signed in", body = MessageResponse),
        (status = 403, description = "The request came from another site's page", body = Error), Refusals))]
fn logout() {}

/// Signs out on every device.
#[utoipa::path(post, path = "/user/logout-everywhere", tag = "accounts",
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "Every session has ended", body = MessageResponse),
        AccountRefusals, Refusals))]
fn logout_everywhere() {}

/// Mails a code to whoever forgot a password. The answer is the same for every address.
#[utoipa::path(post, path = "/user/forgot-password", tag = "accounts", request_body = EmailRequest,
    responses((status = 200, description = "A mail may be on its way", body = ForgotPasswordResponse),
        AccountRefusals, BodyRefusals))]
fn forgot_password() {}

/// Sets another password by a code.
#[utoipa::path(post, path = "/user/reset-password", tag = "accounts", request_body = ResetPasswordRequest,
    responses((status = 200, description = "The password was changed", body = MessageResponse),
        AccountRefusals, BodyRefusals))]
fn reset_password() {}

/// Changes the password; other devices are signed out.
#[utoipa::path(post, path = "/user/change-password", tag = "accounts", request_body = ChangePasswordRequest,
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, description = "A new session", body = SignInResponse),
        AccountRefusals, BodyRefusals))]
fn change_password() {}

/// Whether the process is alive.
#[utoipa::path(get, path = "/healthz", tag = "health",
    responses((status = 200, description = "It is", body = HealthResponse)))]
fn healthz() {}

/// Whether products, clicks and accounts can be written, and there is room.
#[utoipa::path(get, path = "/readyz", tag = "health",
    responses((status = 200, description = "They can", body = HealthResponse),
        (status = 503, description = "They can't, for these reasons", body = HealthResponse)))]
fn readyz() {}
