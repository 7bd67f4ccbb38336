//! The list's query string: parsed strictly for calls and rules, and leniently for pages.
//! `http/pages/address` writes it.

use std::collections::{BTreeMap, BTreeSet};

use url::form_urlencoded;

use crate::domain::{
    CONSTANTS, Categories, Collection, CollectionFilter, Discount, FieldError, Filters, ListNames,
    ListQuery, NeedsView, Order, Paise, PricedSearch, SOURCE, SortBy, State, read_tags,
};

/// Parses a query such as `category=Books&search=usb`, or returns all its errors.
pub(crate) fn parse(
    query_string: &str,
    names: ListNames<'_>,
) -> Result<ListQuery, Vec<FieldError>> {
    let (query, errors) = read(query_string, true, names, |_, text| text.to_owned());
    if errors.is_empty() {
        Ok(query)
    } else {
        Err(errors)
    }
}

/// Parses the query of a page's address. Invalid parameters are ignored, as in `list-state.ts`,
/// prices may be formatted, and a search is sorted by relevance unless another sort is given.
pub(crate) fn parse_lenient(query_string: &str, names: ListNames<'_>) -> ListQuery {
    let (mut query, _) = read(query_string, false, names, normalize);
    query.limit = ListQuery::default().limit;
    // Pages show live products only; the office reads the others through the API.
    let filters = &mut query.filters;
    (filters.state, filters.min_age, filters.min_price_age) = (None, None, None);
    filters.needs = None;
    let named = form_urlencoded::parse(query_string.as_bytes())
        .find(|(name, _)| name == "sortBy")
        .is_some_and(|(_, value)| query.sort_by.as_str() == value.trim());
    if query.filters.search.is_some() && !named {
        query.sort_by = SortBy::Relevance;
    }
    query
}

/// Strips digit grouping and currency from a price, and shortens a text to its limit.
fn normalize(name: &str, text: &str) -> String {
    let cut = |most: usize| match text.char_indices().nth(most) {
        Some((end, _)) => text[..end].trim().to_owned(),
        None => text.to_owned(),
    };
    match name {
        "minPrice" | "maxPrice" => text.replace([',', '₹'], "").split_whitespace().collect(),
        "search" => cut(CONSTANTS.max_search),
        "source" => cut(SOURCE.most),
        _ => text.to_owned(),
    }
}

const PARAMETERS: [&str; 20] = [
    "page",
    "limit",
    "sortBy",
    "order",
    "category",
    "search",
    "source",
    "minPrice",
    "maxPrice",
    "minDiscount",
    "minRating",
    "minProven",
    "endingSoon",
    "tag",
    "collection",
    "state",
    "minAge",
    "minPriceAge",
    "needs",
    "exact",
];

/// Stands between the names of sellers, which have none.
const BETWEEN_SOURCES: char = '\n';

/// Parses the known parameters; a search is literal by default if `exact`. An empty one counts as missing, as forms without JavaScript send
/// it; a repeated one is an error. Invalid ones keep their default.
fn read(
    query: &str,
    exact: bool,
    names: ListNames<'_>,
    clean: fn(&str, &str) -> String,
) -> (ListQuery, Vec<FieldError>) {
    let mut given: BTreeMap<&'static str, String> = BTreeMap::new();
    let mut errors = Vec::new();
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        let Some(known) = PARAMETERS.into_iter().find(|known| *known == name) else {
            continue;
        };
        if let ("tag", Some(tags)) = (known, given.get_mut(known)) {
            *tags += &format!(",{value}");
        } else if let ("source", Some(sources)) = (known, given.get_mut(known)) {
            *sources += &format!("{BETWEEN_SOURCES}{}", clean(known, value.trim()));
        } else if given.contains_key(known) {
            let twice = format!("{known} is given more than once.");
            errors.push(FieldError::new(known, twice));
        } else {
            given.insert(known, clean(known, value.trim()));
        }
    }
    given.retain(|_, value| !value.is_empty());
    let mut list = ListQuery::default();
    read_page(&given, &mut list, &mut errors);
    read_filters(&given, names, exact, &mut list.filters, &mut errors);
    let rule = "exact must be true or false.";
    let given_exact = read_parameter(&given, &mut errors, "exact", rule, |text| text.parse().ok());
    list.corrects = list.filters.search.is_some() && !given_exact.unwrap_or(exact);
    if list.sort_by == SortBy::Relevance && list.filters.search.is_none() {
        list.sort_by = SortBy::CreatedAt;
        errors.push(FieldError::new(
            "sortBy",
            "sortBy relevance needs a search.",
        ));
    }
    (list, errors)
}

type Given = BTreeMap<&'static str, String>;

/// Sets a parameter if it is given and valid, else records an error.
fn read_parameter<T>(
    given: &Given,
    errors: &mut Vec<FieldError>,
    name: &'static str,
    rule: &str,
    read: impl Fn(&str) -> Option<T>,
) -> Option<T> {
    let value = read(given.get(name)?);
    if value.is_none() {
        errors.push(FieldError::new(name, rule));
    }
    value
}

fn read_page(given: &Given, list: &mut ListQuery, errors: &mut Vec<FieldError>) {
    let rule = "page must be a whole number of at least 1.";
    if let Some(page) = read_parameter(given, errors, "page", rule, |text| {
        whole_number(text, u32::MAX)
    }) {
        list.page = page;
    }
    let most = ListQuery::MAX_LIMIT;
    if let Some(limit) = read_parameter(given, errors, "limit", LIMIT_RULE, |text| {
        whole_number(text, most)
    }) {
        list.limit = limit;
    }
    let rule = "sortBy must be one of createdAt, price, ratings.averageRating, clicks, discount, \
        finalPrice, proven, drop, endsAt, relevance.";
    if let Some(sort_by) = read_parameter(given, errors, "sortBy", rule, SortBy::parse) {
        list.sort_by = sort_by;
    }
    let rule = "order must be asc or desc.";
    if let Some(order) = read_parameter(given, errors, "order", rule, Order::parse) {
        list.order = order;
    }
}

fn read_filters(
    given: &Given,
    names: ListNames<'_>,
    exact: bool,
    filters: &mut Filters,
    errors: &mut Vec<FieldError>,
) {
    let rule = format!(
        "category must be one of all, {}.",
        names.categories.names(", ")
    );
    let category = |text: &str| match text {
        "all" => Some(None),
        name => names.categories.find(name).cloned().map(Some),
    };
    filters.category = read_parameter(given, errors, "category", &rule, category).flatten();
    let short =
        |most: usize| move |text: &str| (text.chars().count() <= most).then(|| text.to_owned());
    let rule = "search must be at most 200 characters.";
    filters.search = read_parameter(given, errors, "search", rule, short(CONSTANTS.max_search));
    let rule = "source must be at most 100 characters, and given at most 8 times.";
    let present = |source: &str| names.sellers?.get(source).cloned();
    let sources = |text: &str| {
        let given = text.split(BETWEEN_SOURCES).map(str::trim);
        let given = given.filter(|source| !source.is_empty());
        let named: Option<BTreeSet<_>> = given
            .map(|source| Some(present(source).unwrap_or(short(SOURCE.most)(source)?)))
            .collect();
        named.filter(|named| named.len() <= Filters::MAX_SOURCES)
    };
    let sources = read_parameter(given, errors, "source", rule, sources);
    filters.sources = sources.into_iter().flatten().collect();
    let price = |text: &str| decimal(text).and_then(Paise::from_rupees);
    let rule = "minPrice must be rupees from 0 to 1000000000, with at most 2 decimals.";
    filters.min_price = read_parameter(given, errors, "minPrice", rule, price);
    let rule = "maxPrice must be rupees from 0 to 1000000000, with at most 2 decimals.";
    filters.max_price = read_parameter(given, errors, "maxPrice", rule, price);
    if filters.max_price.is_some() && filters.max_price < filters.min_price {
        std::mem::swap(&mut filters.min_price, &mut filters.max_price);
        errors.push(FieldError::new(
            "maxPrice",
            "maxPrice must be at least minPrice.",
        ));
    }
    let rule = "minDiscount must be percent from 0 to 100, with at most 2 decimals.";
    let discount = |text: &str| decimal(text).and_then(Discount::from_percent);
    filters.min_discount = read_parameter(given, errors, "minDiscount", rule, discount);
    let rule = "minRating must be a whole number of stars from 1 to 5.";
    let stars = |text: &str| whole_number(text, 5)?.try_into().ok();
    filters.min_rating = read_parameter(given, errors, "minRating", rule, stars);
    let rule = "minProven must be percent from 0 to 100, with at most 2 decimals.";
    filters.min_proven = read_parameter(given, errors, "minProven", rule, discount);
    let rule = "endingSoon must be true or false.";
    let choice = |text: &str| text.parse::<bool>().ok();
    filters.ending_soon =
        read_parameter(given, errors, "endingSoon", rule, choice).unwrap_or_default();
    let rule = "tag must be at most 12 tags of at most 30 characters, separated by commas.";
    let tags = |text: &str| read_tags(&text.into()).ok();
    filters.tags = read_parameter(given, errors, "tag", rule, tags).unwrap_or_default();
    let rule = "collection must be the slug of a collection that runs now.";
    let collection = |slug: &str| {
        let mut all = names.collections.iter();
        let found = all.find(|it| it.slug == slug && it.is_running);
        // Pages show that it has nothing.
        found.map_or((!exact).then(|| empty_collection(slug)), |it| {
            Some(filter_of(it, names))
        })
    };
    filters.collection =
        read_parameter(given, errors, "collection", rule, collection).map(Box::new);
    let rule = "state must be one of live, scheduled, ended, draft.";
    let state = read_parameter(given, errors, "state", rule, State::parse);
    filters.state = state.filter(|state| *state != State::Live);
    let days = |text: &str| whole_number(text, Filters::MAX_AGE);
    let rule = "minAge must be a whole number of days from 1 to 3650.";
    filters.min_age = read_parameter(given, errors, "minAge", rule, days);
    let rule = "minPriceAge must be a whole number of days from 1 to 3650.";
    filters.min_price_age = read_parameter(given, errors, "minPriceAge", rule, days);
    let rule = "needs must be one of over, old-price, ending, pictures, duplicates, no-clicks.";
    filters.needs = read_parameter(given, errors, "needs", rule, NeedsView::parse);
}

fn empty_collection(slug: &str) -> CollectionFilter {
    CollectionFilter {
        slug: slug.to_owned(),
        name: slug.to_owned(),
        rule: None,
        products: Vec::new(),
    }
}

/// Returns the filter of a collection.
pub(crate) fn filter_of(collection: &Collection, names: ListNames<'_>) -> CollectionFilter {
    let rule = collection.rule.as_deref().map(|rule| {
        let names = ListNames {
            collections: &[],
            ..names
        };
        let filters = read(rule, false, names, |_, text| text.to_owned())
            .0
            .filters;
        match PricedSearch::read(&filters) {
            Some(priced) => priced.filters,
            None => filters,
        }
    });
    CollectionFilter {
        name: collection.name.clone(),
        rule,
        products: collection.products.clone(),
        ..empty_collection(&collection.slug)
    }
}

/// Returns the error in the rule of a collection.
pub(crate) fn check_rule(rule: &str, categories: &Categories) -> Result<(), String> {
    let names = ListNames {
        categories,
        collections: &[],
        sellers: None,
    };
    if rule.chars().count() > MAX_RULE {
        return Err("A rule has at most 1,000 characters.".to_owned());
    }
    let (query, errors) = read(rule, true, names, |_, text| text.to_owned());
    if let Some(error) = errors.first() {
        return Err(error.message.clone());
    }
    if query.filters.is_for_office() {
        return Err("A rule has only filters that visitors have.".to_owned());
    }
    if query.filters == Filters::default() {
        return Err("This rule finds every deal: give it a filter, like tag=diwali.".to_owned());
    }
    Ok(())
}

/// Maximum number of characters of a rule.
const MAX_RULE: usize = 1_000;

pub(crate) const LIMIT_RULE: &str = "limit must be a whole number from 1 to 100.";

/// Parses digits only: `str::parse` would also take a plus sign.
pub(crate) fn whole_number(text: &str, most: u32) -> Option<u32> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number: u32 = digits.then(|| text.parse().ok()).flatten()?;
    (1..=most).contains(&number).then_some(number)
}

/// Parses digits with at most one point: `str::parse` also takes `1e3`.
fn decimal(text: &str) -> Option<f64> {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let plain = match text.split_once('.') {
        Some((whole, decimals)) => digits(whole) && digits(decimals),
        None => digits(text),
    };
    plain.then(|| text.parse().ok()).flatten()
}
