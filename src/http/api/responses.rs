//! Response bodies of the API, which clients rely on: `_id`, `Role`, camelCase and rupees (spec
//! section 3, decisions section 5).

use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::products::body::ProductBody;
use super::products::cards::CardBody;
use crate::domain::{
    Activity, Discount, Facets, ListQuery, Listing, Paged, Paise, Product, Rfc3339, User,
};
use crate::store::Added;

/// A page of the list.
#[derive(Serialize, ToSchema)]
pub(crate) struct ListResponse<'a> {
    data: Vec<ProductBody<'a>>,
    meta: ListMetaBody<'a>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListMetaBody<'a> {
    #[serde(flatten)]
    page: MetaBody,
    /// Words to highlight, with a search only.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    #[schema(required = false)]
    matches: &'a [String],
    /// Suggested spelling, if a search found nothing; with products, they are what it finds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    suggestion: Option<&'a str>,
    /// Other words for the same things, which were searched for as well, and which products of the list have.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    #[schema(required = false)]
    also: &'a [String],
    /// Word for the thing searched, if no title of the list has it: the descriptions mention it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    mentioned: Option<&'a str>,
    /// Words that were searched for, if they are not the whole of `search`: without its price, discount or rating, or those
    /// of the suggestion. Empty if none is left.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    words_read: Option<&'a str>,
    /// Minimum price in rupees that the search names.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = f64)]
    min_price_read: Option<Paise>,
    /// Maximum price in rupees that the search names.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = f64)]
    max_price_read: Option<Paise>,
    /// Lowest discount in percent that the search names.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = f64)]
    min_discount_read: Option<Discount>,
    /// Lowest average rating in stars that the search names.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = u8)]
    min_rating_read: Option<u8>,
    /// If several filters find at most three products: the count without each of those that leave more.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    relaxed: Vec<RelaxedBody>,
    /// If several words find at most three products: up to three searches with fewer words that find more.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    shorter: Vec<ShorterBody<'a>>,
}

#[derive(Serialize, ToSchema)]
struct RelaxedBody {
    /// Parameter of the filter
    without: &'static str,
    total: i64,
}

#[derive(Serialize, ToSchema)]
struct ShorterBody<'a> {
    search: &'a str,
    total: i64,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct MetaBody {
    current_page: u32,
    total_pages: i64,
    total: i64,
    limit: u32,
}

impl MetaBody {
    pub(super) fn new<T>(page: &Paged<T>, number: u32, limit: u32) -> Self {
        Self {
            current_page: number,
            total_pages: page.total_pages(limit),
            total: page.total,
            limit,
        }
    }
}

impl<'a> ListMetaBody<'a> {
    pub(crate) fn new<T>(query: &ListQuery, listing: &'a Listing<T>) -> Self {
        Self {
            page: MetaBody::new(&listing.page, query.page, query.limit),
            matches: &listing.matches,
            suggestion: listing.suggestion.as_deref(),
            also: &listing.also,
            mentioned: listing.mentioned.as_deref(),
            words_read: listing
                .read
                .as_ref()
                .map(|it| it.search.as_deref().unwrap_or_default()),
            min_price_read: listing.stated.least,
            max_price_read: listing.stated.most,
            min_discount_read: listing.stated.discount,
            min_rating_read: listing.stated.rating,
            relaxed: listing
                .relaxed
                .iter()
                .map(|(without, total)| RelaxedBody {
                    without,
                    total: *total,
                })
                .collect(),
            shorter: listing
                .shorter
                .iter()
                .map(|(search, total)| ShorterBody {
                    search,
                    total: *total,
                })
                .collect(),
        }
    }
}

impl<'a> ListResponse<'a> {
    pub(crate) fn new(query: &ListQuery, listing: &'a Listing<Product>) -> Self {
        Self {
            data: listing.page.items.iter().map(ProductBody::from).collect(),
            meta: ListMetaBody::new(query, listing),
        }
    }
}

/// A page of the list with `view=card`.
#[derive(Serialize, ToSchema)]
pub(crate) struct CardListResponse<'a> {
    data: Vec<CardBody<'a>>,
    meta: ListMetaBody<'a>,
}

impl<'a> CardListResponse<'a> {
    pub(crate) fn new(query: &ListQuery, listing: &'a Listing<Product>) -> Self {
        Self {
            data: CardBody::of_page(&listing.page.items),
            meta: ListMetaBody::new(query, listing),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct FacetsResponse {
    all: i64,
    categories: Vec<ChoiceBody>,
    sources: Vec<ChoiceBody>,
    /// Number that end within a day; omitted if 0
    #[serde(rename = "endingSoon", skip_serializing_if = "is_zero")]
    ending_soon: i64,
    /// Number with a proven discount of 10 % or more; omitted if 0
    #[serde(skip_serializing_if = "is_zero")]
    proven: i64,
    /// Numbers under ₹500, of ₹500 to ₹2,000, with a discount of 40 % or more, with 4 stars and up, 3 stars
    /// and up, of ₹2,000 to ₹10,000, over ₹10,000, with a discount of 20 % or more, and of 60 % or more;
    /// empty just after a start
    chips: Vec<i64>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_zero(number: &i64) -> bool {
    *number == 0
}

#[derive(Serialize, ToSchema)]
struct ChoiceBody {
    name: String,
    products: i64,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct StatesResponse {
    pub(crate) live: i64,
    pub(crate) scheduled: i64,
    pub(crate) ended: i64,
    pub(crate) drafts: i64,
}

impl From<Facets> for FacetsResponse {
    fn from(facets: Facets) -> Self {
        let choice = |(name, products)| ChoiceBody { name, products };
        Self {
            all: facets.all,
            categories: facets
                .categories
                .into_iter()
                .map(|(category, products)| choice((category.as_str().to_owned(), products)))
                .collect(),
            sources: facets.sources.into_iter().map(choice).collect(),
            ending_soon: facets.ending_soon,
            proven: facets.proven,
            chips: facets.chips,
        }
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct ProductResponse<'a> {
    product: ProductBody<'a>,
}

impl<'a> From<&'a Product> for ProductResponse<'a> {
    fn from(product: &'a Product) -> Self {
        let product = product.into();
        Self { product }
    }
}

/// A product that was added.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AddedResponse<'a> {
    product: ProductBody<'a>,
    /// Id of the seller's older product with the same link, if there is one
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    duplicate_of: Option<&'a str>,
}

impl<'a> From<&'a Added> for AddedResponse<'a> {
    fn from(added: &'a Added) -> Self {
        Self {
            product: (&added.product).into(),
            duplicate_of: added.duplicate_of.as_deref(),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct ClicksResponse {
    pub(crate) clicks: i64,
}

/// An account, as its owner sees it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UserBody {
    #[serde(rename = "_id")]
    id: String,
    username: String,
    email: String,
    #[serde(rename = "Role")]
    #[schema(value_type = crate::domain::Role)]
    role: &'static str,
    created_at: Rfc3339,
}

impl From<&User> for UserBody {
    fn from(user: &User) -> Self {
        Self {
            id: user.id.clone(),
            username: user.username.clone(),
            email: user.email.as_str().to_owned(),
            role: user.role.as_str(),
            created_at: Rfc3339(user.created_at),
        }
    }
}

/// Tells whether a visitor's report counts.
#[derive(Serialize, ToSchema)]
pub(crate) struct NotedResponse {
    pub(crate) noted: bool,
}

/// Confirms that something was done.
#[derive(Serialize, ToSchema)]
pub(crate) struct MessageResponse {
    pub(crate) message: &'static str,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct RegisterResponse {
    pub(crate) message: &'static str,
    pub(crate) email: String,
    /// Handle of the form, for `verify-code` and `resend-code`.
    pub(crate) registration: String,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct ForgotPasswordResponse {
    pub(crate) message: &'static str,
    /// Handle of the request, for `reset-password`.
    pub(crate) request: String,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct SignInResponse {
    pub(crate) token: String,
    pub(crate) user: UserBody,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    pub(crate) message: Option<&'static str>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct UserResponse {
    pub(crate) user: UserBody,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct ActivityResponse {
    data: Vec<ActivityBody>,
    meta: MetaBody,
}

#[derive(Serialize, ToSchema)]
struct ActivityBody {
    /// Id of the batch, to read its entries.
    batch: i64,
    /// Number of entries of the action; the other fields are those of the first.
    lines: u64,
    /// Whether it undid a change.
    undo: bool,
    at: Rfc3339,
    actor: String,
    /// Id of the actor's account, which may be gone; null for keys, commands and the server.
    #[schema(required = true)]
    account: Option<String>,
    #[schema(value_type = crate::domain::Action)]
    action: &'static str,
    #[schema(required = true)]
    product: Option<String>,
    #[schema(required = true)]
    title: Option<String>,
    /// Whether the product has been deleted.
    gone: bool,
    #[schema(value_type = std::collections::HashMap<String, Value>)]
    details: Map<String, Value>,
}

impl ActivityResponse {
    pub(crate) fn new(number: u32, limit: u32, page: Paged<Activity>) -> Self {
        Self {
            meta: MetaBody::new(&page, number, limit),
            data: page.items.into_iter().map(ActivityBody::from).collect(),
        }
    }
}

impl From<Activity> for ActivityBody {
    fn from(activity: Activity) -> Self {
        Self {
            batch: activity.batch,
            lines: activity.lines,
            undo: activity.undo,
            gone: activity.gone,
            at: Rfc3339(activity.at),
            actor: activity.actor,
            account: activity.account,
            action: activity.action.as_str(),
            product: activity.product,
            title: activity.title,
            details: activity.details,
        }
    }
}
