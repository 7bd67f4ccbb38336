//! Addresses of lists, their feeds and the calls behind them. `storefront/list_query` reads them.

use std::borrow::Cow;

use url::form_urlencoded;

use super::format::hundredths;
use crate::domain::{Discount, Filters, ListQuery, Order, Paise, SortBy};
use crate::storefront::Shelf;

/// Returns the address of the list with this query, without default values, on its shelf if it has one.
pub(in crate::http) fn page_address(query: &ListQuery, shelf: Option<&Shelf>) -> String {
    let mut parameters = page_parameters(query);
    let fixed = shelf.map_or_else(Vec::new, |shelf| filter_parameters(&shelf.fixed));
    parameters.retain(|(name, _)| !fixed.iter().any(|(fixed, _)| fixed == name));
    with_parameters(shelf.map_or("/", |shelf| &shelf.path), &parameters)
}

/// Returns the address of the list with these filters only.
pub(super) fn filters_address(filters: Filters, shelf: Option<&Shelf>) -> String {
    let query = ListQuery {
        filters,
        corrects: true,
        ..ListQuery::default()
    };
    page_address(&query, shelf)
}

/// Returns the path of the call about a shelf, exactly as the app writes it.
pub(super) fn shelf_path(shelf: &Shelf) -> String {
    let kind = shelf.path.split('/').nth(1).unwrap_or_default();
    let slug = shelf.path.rsplit('/').next().unwrap_or_default();
    format!("/product/shelf/{kind}/{slug}")
}

/// Returns the query of the address of the list with these filters.
pub(super) fn filters_query(filters: &Filters) -> String {
    let query = ListQuery {
        sort_by: default_sort(filters),
        filters: filters.clone(),
        corrects: true,
        ..ListQuery::default()
    };
    let list = page_address(&query, None);
    list.trim_start_matches(['/', '?']).to_owned()
}

/// Returns the address of a feed of the list with these filters.
pub(super) fn feed_address(feed: &str, filters: &Filters) -> String {
    match filters_query(filters) {
        query if query.is_empty() => feed.to_owned(),
        query => format!("{feed}?{query}"),
    }
}

/// Names and values of an address's parameters.
pub(super) type Parameters<'a> = Vec<(&'static str, Cow<'a, str>)>;

/// Returns the parameters of [`page_address`], in order.
pub(super) fn page_parameters(query: &ListQuery) -> Parameters<'_> {
    let mut parameters = filter_parameters(&query.filters);
    // The search comes first, as in the app's addresses.
    parameters.sort_by_key(|(name, _)| *name != "search");
    if query.filters.search.is_some() && !query.corrects {
        parameters.push(("exact", "true".into()));
    }
    if query.sort_by != default_sort(&query.filters) {
        parameters.push(("sortBy", query.sort_by.as_str().into()));
    }
    if query.order != Order::Desc {
        parameters.push(("order", query.order.as_str().into()));
    }
    if query.page > 1 {
        parameters.push(("page", query.page.to_string().into()));
    }
    parameters
}

/// Returns the sort that an address need not name.
pub(super) fn default_sort(filters: &Filters) -> SortBy {
    match filters.search {
        Some(_) => SortBy::Relevance,
        None => SortBy::CreatedAt,
    }
}

/// Returns the path of the call for this query's cards, exactly as the app writes it.
pub(super) fn cards_path(query: &ListQuery) -> String {
    let mut parameters = vec![
        ("page", query.page.to_string().into()),
        ("limit", query.limit.to_string().into()),
        ("sortBy", query.sort_by.as_str().into()),
        ("order", query.order.as_str().into()),
    ];
    parameters.extend(filter_parameters(&query.filters));
    parameters.extend(correction(query));
    parameters.push(("view", "card".into()));
    with_parameters("/product/get-products", &parameters)
}

/// Returns the path of the call that counts the options of this query's filters.
pub(super) fn facets_path(query: &ListQuery) -> String {
    let mut parameters = filter_parameters(&query.filters);
    parameters.extend(correction(query));
    with_parameters("/product/facets", &parameters)
}

/// Returns the parameter of calls that lists what a suggestion finds.
fn correction(query: &ListQuery) -> Option<(&'static str, Cow<'static, str>)> {
    query.corrects.then_some(("exact", "false".into()))
}

fn with_parameters(path: &str, parameters: &Parameters<'_>) -> String {
    if parameters.is_empty() {
        return path.to_owned();
    }
    let before = format!("{path}?");
    let start = before.len();
    form_urlencoded::Serializer::for_suffix(before, start)
        .extend_pairs(parameters)
        .finish()
}

fn filter_parameters(filters: &Filters) -> Parameters<'_> {
    let price = |price: Paise| hundredths(price.get()).into();
    let discount = |discount: Discount| hundredths(discount.get()).into();
    let some_tags = !filters.tags.is_empty();
    let days = |days: u32| days.to_string().into();
    let category = filters.category.as_ref().map(|it| it.as_str().into());
    let named = [
        ("category", category),
        ("search", filters.search.as_deref().map(Cow::from)),
    ];
    let sources = filters.sources.iter();
    let sources = sources.map(|source| ("source", Some(source.into())));
    let others = [
        ("minPrice", filters.min_price.map(price)),
        ("maxPrice", filters.max_price.map(price)),
        ("minDiscount", filters.min_discount.map(discount)),
        (
            "minRating",
            filters.min_rating.map(|stars| stars.to_string().into()),
        ),
        ("minProven", filters.min_proven.map(discount)),
        ("endingSoon", filters.ending_soon.then_some("true".into())),
        ("tag", some_tags.then(|| filters.tags.join(",").into())),
        (
            "collection",
            filters
                .collection
                .as_ref()
                .map(|it| it.slug.as_str().into()),
        ),
        ("state", filters.state.map(|state| state.as_str().into())),
        ("minAge", filters.min_age.map(days)),
        ("minPriceAge", filters.min_price_age.map(days)),
        ("needs", filters.needs.map(|view| view.as_str().into())),
    ];
    let all = named.into_iter().chain(sources).chain(others);
    all.filter_map(|(name, value)| Some((name, value?)))
        .collect()
}
