//! Descriptions of queries and names that no type of the program parses as a whole.
#![expect(dead_code, reason = "only the attributes are read")]

use utoipa::{IntoParams, ToSchema};

use crate::domain::{NeedsView, Order, SortBy, State};

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
    AddTags,
    RemoveTags,
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
pub(crate) struct FilterParameters {
    /// Name of a category, whose list includes the categories below it, or all
    category: Option<String>,
    /// Words that must all occur in the title, description, source or category; the last one may be
    /// a prefix
    #[param(max_length = 200)]
    search: Option<String>,
    /// Exact name of a seller; of several, one per parameter, products of any
    #[param(max_items = 8)]
    source: Option<Vec<String>>,
    /// Minimum final price in rupees, with at most two decimals
    #[param(minimum = 0, maximum = 1_000_000_000)]
    min_price: Option<f64>,
    /// Maximum final price in rupees, with at most two decimals
    #[param(minimum = 0, maximum = 1_000_000_000)]
    max_price: Option<f64>,
    /// Minimum discount in percent
    #[param(minimum = 0, maximum = 100)]
    min_discount: Option<f64>,
    /// Minimum average rating in whole stars
    #[param(minimum = 1, maximum = 5)]
    min_rating: Option<u8>,
    /// Minimum discount in percent as proven by former prices
    #[param(minimum = 0, maximum = 100)]
    min_proven: Option<f64>,
    /// Only deals that end within a day
    ending_soon: Option<bool>,
    /// Tags that the products must all have, whatever the case; separated by commas, or one per parameter
    tag: Option<Vec<String>>,
    /// Slug of a collection that runs; with chosen products, createdAt desc is their own order
    collection: Option<String>,
    /// State of products that are not in the lists, for administrators
    #[param(inline)]
    state: Option<State>,
    /// Days since the product was added, at least; for administrators
    #[param(minimum = 1, maximum = 3_650)]
    min_age: Option<u32>,
    /// Days since the price was last checked, at least; for administrators
    #[param(minimum = 1, maximum = 3_650)]
    min_price_age: Option<u32>,
    /// Reason why the products need attention, for administrators
    #[param(inline)]
    needs: Option<NeedsView>,
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

/// Reading of a search.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Reading {
    /// false: if the search finds nothing, the products are those of meta.suggestion
    #[param(default = true)]
    exact: Option<bool>,
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
