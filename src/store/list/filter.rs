//! Evaluates filters to sets of keys, with the full-text index and the sort index.

use jiff::{SignedDuration, Timestamp};
use roaring::RoaringBitmap;
use rusqlite::{Connection, OptionalExtension};

use super::snapshot::Snapshot;
use super::sort_columns::sort_columns;
use crate::domain::{CollectionFilter, Filters, Lifetime, Paise, SortBy};
use crate::store::clicks::overview::in_view;
use crate::store::db::error::StoreError;
use crate::store::db::rows::{column, scalar};
use crate::store::products::columns::PRICE_SEEN;
use crate::store::products::hidden::in_state;
use crate::store::products::lifetimes::count_all_live;
use crate::store::search::query;
use crate::store::search::relevance::head_of;
use crate::store::search::shop_words::accessory;
use crate::store::search::terms::{Query, SearchScope, accessory_term};

/// The matching products.
pub(crate) struct Selection {
    /// Their keys; `None` for all products, or all of `category`.
    pub(crate) keys: Option<RoaringBitmap>,
    /// Numbers of the only category's keys, if `keys` is `None`.
    pub(crate) category: Option<Vec<u16>>,
    /// For a sort by relevance: matches in the title, with the last word whole and no accessory, with it
    /// whole and one that was not searched, with it as a prefix only, and matches with only the thing in the
    /// title.
    pub(crate) in_title: Option<[RoaringBitmap; 4]>,
    /// Number of matches.
    pub(crate) total: i64,
}

/// Number of sets of [`Selection::in_title`] with the last word whole.
pub(crate) const WHOLE: usize = 2;

/// Finds the matching products, and with `by_relevance` the matches in the title.
pub(crate) fn select(
    snapshot: &Snapshot<'_>,
    filters: &Filters,
    words: Option<&Query>,
    by_relevance: bool,
) -> Result<Selection, StoreError> {
    let connection = snapshot.connection;
    let only_category = filters.sources.is_empty() && !filters.needs_counting();
    if only_category && (filters.category.is_none() || snapshot.sorts.is_some()) {
        let category = filters.category.as_ref().map(|category| {
            let keys = snapshot.categories.keys_of(category);
            keys.map(|key| key.number).collect::<Vec<_>>()
        });
        return Ok(Selection {
            keys: None,
            in_title: None,
            total: match snapshot.sorts {
                Some(sorts) => sorts.len(category.as_deref()) as i64,
                None => count_all_live(connection)?,
            },
            category,
        });
    }
    let mut keys = filtered(snapshot, filters, words)?.unwrap_or_default();
    snapshot.remove_unlisted(filters, &mut keys);
    let in_title = match words {
        Some(words) if by_relevance => {
            let title = SearchScope::Title;
            let all = query::matching(connection, words, title, Some(&keys))?;
            let last = words.word(words.last().to_owned());
            let whole = query::with_searched(connection, &last, title, Some(&all))?;
            let prefix = &all - &whole;
            let thing = &words.words()[head_of(words)];
            let thing = query::with_searched(connection, thing, title, Some(&(&keys - &all)))?;
            let asks = words.words().iter();
            let made_for = if asks
                .map(|word| accessory(&word.text))
                .any(|word| word.is_some())
            {
                RoaringBitmap::new()
            } else {
                query::with_term(connection, &accessory_term(), Some(&whole))?
            };
            Some([whole - &made_for, made_for, prefix, thing])
        }
        _ => None,
    };
    Ok(Selection {
        total: keys.len().cast_signed(),
        keys: Some(keys),
        category: None,
        in_title,
    })
}

/// Applies all filters; `None` if none is set.
pub(crate) fn filtered(
    snapshot: &Snapshot<'_>,
    filters: &Filters,
    words: Option<&Query>,
) -> Result<Option<RoaringBitmap>, StoreError> {
    let connection = snapshot.connection;
    let mut keys = searched(snapshot, filters, words)?;
    if let Some(category) = &filters.category {
        let of_category = snapshot.categories.keys_of(category);
        keys = Some(query::in_categories(
            connection,
            of_category,
            keys.as_ref(),
        )?);
    }
    if !filters.sources.is_empty() {
        let sources = &filters.sources;
        keys = Some(query::from_sources(connection, sources, keys.as_ref())?);
    }
    Ok(keys)
}

/// Returns the products of a collection, those that are not listed too.
fn of_collection(
    snapshot: &Snapshot<'_>,
    collection: &CollectionFilter,
) -> Result<RoaringBitmap, StoreError> {
    let Some(rule) = &collection.rule else {
        let keys = chosen_keys(snapshot.connection, collection)?;
        return Ok(keys.into_iter().collect());
    };
    let words = snapshot.words(rule);
    if rule.search.is_some() && words.is_none() {
        return Ok(RoaringBitmap::new());
    }
    Ok(filtered(snapshot, rule, words.as_ref())?.unwrap_or_default())
}

/// Returns the chosen products of a collection, in their order.
pub(crate) fn chosen_keys(
    connection: &Connection,
    collection: &CollectionFilter,
) -> Result<Vec<u32>, StoreError> {
    let sql = "SELECT listed_products.key FROM json_each(?) AS chosen \
               CROSS JOIN listed_products ON listed_products.id = chosen.value ORDER BY chosen.key";
    let ids = serde_json::Value::from(collection.products.clone());
    Ok(column(connection, sql, [ids.to_string()])?)
}

/// Counts the matching products.
pub(crate) fn number_of(snapshot: &Snapshot<'_>, filters: &Filters) -> Result<i64, StoreError> {
    let words = snapshot.words(filters);
    // A search without words matches nothing.
    if filters.search.is_some() && words.is_none() {
        return Ok(0);
    }
    Ok(select(snapshot, filters, words.as_ref(), false)?.total)
}

/// Applies all filters except category and source; `None` if none is set.
pub(crate) fn searched(
    snapshot: &Snapshot<'_>,
    filters: &Filters,
    words: Option<&Query>,
) -> Result<Option<RoaringBitmap>, StoreError> {
    let any_state = filters.state.is_some();
    let within = |sort_by, least, most| between(snapshot, sort_by, (least, most), any_state);
    let mut sets = Vec::new();
    if let Some(words) = words {
        let all = query::matching(snapshot.connection, words, SearchScope::Anywhere, None)?;
        sets.push(all);
    }
    if filters.min_price.is_some() || filters.max_price.is_some() {
        let least = filters.min_price.map_or(0, Paise::get);
        let most = filters.max_price.map_or(i64::MAX, Paise::get);
        sets.push(within(SortBy::FinalPrice, least, most)?);
    }
    if let Some(least) = filters.min_discount {
        sets.push(within(SortBy::Discount, least.get(), i64::MAX)?);
    }
    if let Some(stars) = filters.min_rating {
        sets.push(within(SortBy::AverageRating, stars.into(), i64::MAX)?);
    }
    if let Some(least) = filters.min_proven {
        sets.push(within(SortBy::Proven, least.get(), i64::MAX)?);
    }
    if filters.ending_soon {
        sets.push(ending_soon(snapshot.connection)?);
    }
    if let Some(days) = filters.min_age {
        sets.push(before(
            snapshot.connection,
            "published_at",
            days,
            any_state,
        )?);
    }
    if let Some(days) = filters.min_price_age {
        sets.push(before(snapshot.connection, PRICE_SEEN, days, any_state)?);
    }
    if let Some(collection) = &filters.collection {
        sets.push(of_collection(snapshot, collection)?);
    }
    for tag in &filters.tags {
        sets.push(query::with_tag(snapshot.connection, tag, sets.last())?);
    }
    if let Some(view) = filters.needs {
        sets.push(in_view(snapshot.connection, view, Timestamp::now())?);
    }
    if let Some(state) = filters.state {
        sets.push(in_state(snapshot.connection, state)?);
    }
    Ok(sets.into_iter().reduce(|keys, set| keys & set))
}

/// Returns the live products that end within 24 hours.
pub(crate) fn ending_soon(connection: &Connection) -> Result<RoaringBitmap, StoreError> {
    let now = Timestamp::now();
    let end = now + Lifetime::SOON;
    let sql = "SELECT key FROM live_products WHERE ends_at > ?1 AND ends_at < ?2";
    let times = [now.as_millisecond(), end.as_millisecond()];
    Ok(column::<u32, _>(connection, sql, times)?)
}

/// Returns the products of which a time is at least so many days ago, of live products or of all with
/// `any_state`.
fn before(
    connection: &Connection,
    time: &str,
    days: u32,
    any_state: bool,
) -> Result<RoaringBitmap, StoreError> {
    let end = Timestamp::now() - SignedDuration::from_hours(24 * i64::from(days));
    let view = view_of(any_state);
    let sql = format!("SELECT key FROM {view} WHERE {time} <= ?1");
    Ok(column::<u32, _>(connection, &sql, [end.as_millisecond()])?)
}

fn view_of(any_state: bool) -> &'static str {
    if any_state {
        "listed_products"
    } else {
        "live_products"
    }
}

/// Returns the products whose sort value is in a range, of live products or of all with `any_state`.
fn between(
    snapshot: &Snapshot<'_>,
    sort_by: SortBy,
    (least, most): (i64, i64),
    any_state: bool,
) -> Result<RoaringBitmap, StoreError> {
    let sort = sort_columns(sort_by);
    let connection = snapshot.connection;
    // The sorts hold only live products.
    let Some(sorts) = snapshot.sorts.filter(|_| !any_state) else {
        let view = view_of(any_state);
        let sql = format!("SELECT key FROM {view} WHERE {sort} BETWEEN ?1 AND ?2");
        return Ok(column::<u32, _>(connection, &sql, [least, most])?);
    };
    let end = |direction: &str| -> Result<Option<u32>, StoreError> {
        let sql = format!(
            "SELECT key FROM live_products WHERE {sort} BETWEEN ?1 AND ?2 \
             ORDER BY {sort} {direction}, id {direction} LIMIT 1"
        );
        Ok(scalar(connection, &sql, [least, most]).optional()?)
    };
    Ok(match (end("ASC")?, end("DESC")?) {
        (Some(first), Some(last)) => sorts.between(sort_by, first, last),
        _ => RoaringBitmap::new(),
    })
}
