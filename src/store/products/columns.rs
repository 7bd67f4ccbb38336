//! Columns of a product, listed once for writing, reading and undo.

use std::iter;
use std::sync::LazyLock;

use jiff::Timestamp;
use rusqlite::types::{FromSql, ToSqlOutput, Type, Value};
use rusqlite::{CachedStatement, Connection, Row, ToSql};
use serde_json::Value as Json;

use crate::domain::{
    Category, Discount, FIELDS, Field, Kind, Lifetime, NewProduct, Offer, Paise, PriceHistory,
    Product, line_fields, words_of,
};
use crate::store::db::error::{Result, StoreError};

/// The fields of [`NewProduct`], each with its column as a named parameter.
static DETAILS: LazyLock<Vec<(String, &'static Field)>> = LazyLock::new(|| {
    let details = FIELDS.iter();
    let details = details.map(|field| (format!(":{}", column_of(field)), field));
    details.collect()
});

/// Fields that a product's page does not say, or that others say better.
const NOT_ON_PAGE: [&str; 4] = ["affiliateLink", "averageRating", "totalRatings", "status"];

/// Returns the column of a field.
pub(crate) fn column_of(field: &Field) -> String {
    match field.name {
        "status" => "draft".to_owned(),
        name => words_of(name).replace(' ', "_"),
    }
}

/// Returns the value of a field's column: paise, hundredths of a percent, milliseconds, lists in JSON.
fn stored(field: &Field, new: &NewProduct) -> Value {
    let value = match field.name {
        "price" => return new.price.get().into(),
        "discount" => return new.discount.get().into(),
        "finalPrice" => return new.final_price.get().into(),
        "category" => return new.category.key().to_owned().into(),
        "status" => return new.lifetime.is_draft.into(),
        "startsAt" => return milliseconds(new.lifetime.starts_at),
        "endsAt" => return milliseconds(new.lifetime.ends_at),
        _ => field.value(new),
    };
    match value {
        Json::Null => Value::Null,
        Json::String(text) => text.into(),
        Json::Number(number) => match number.as_i64() {
            Some(whole) => whole.into(),
            None => number.as_f64().into(),
        },
        list => list.to_string().into(),
    }
}

/// Returns every column except the key and the derived ones (`state`, `proven_discount`,
/// `published_at`).
fn columns() -> impl Iterator<Item = &'static str> {
    let others = [
        "clicks",
        "created_at",
        "updated_at",
        "undrafted_at",
        "content_at",
    ];
    iter::once("id").chain(details()).chain(others)
}

fn details() -> impl Iterator<Item = &'static str> {
    DETAILS.iter().map(|(name, _)| name.trim_start_matches(':'))
}

/// Returns the columns of which a product's page shows changes.
fn on_page() -> impl Iterator<Item = &'static str> {
    let shown = details()
        .zip(FIELDS)
        .filter(|(_, field)| match &field.kind {
            Kind::Line(line) => line.on_page,
            _ => !NOT_ON_PAGE.contains(&field.name),
        });
    shown.map(|(column, _)| column)
}

pub(crate) fn joined(columns: impl Iterator<Item = String>) -> String {
    columns.collect::<Vec<_>>().join(", ")
}

/// [`columns`] and [`details`] as SQL lists.
pub(crate) static ALL: LazyLock<String> = LazyLock::new(|| joined(columns().map(str::to_owned)));
pub(crate) static DETAIL_LIST: LazyLock<String> =
    LazyLock::new(|| joined(details().map(str::to_owned)));
/// A named parameter for each of them, as [`parameters`] gives them.
pub(crate) static DETAIL_PARAMETERS: LazyLock<String> =
    LazyLock::new(|| joined(DETAILS.iter().map(|(name, _)| name.clone())));
/// Columns for [`product`]: [`columns`], with the category's label in the place of its key, and the times
/// of the last price check and offer check.
pub(crate) static READ: LazyLock<String> = LazyLock::new(|| {
    format!(
        "{}, {PRICE_SEEN}, {OFFERS_CHECKED}",
        labelled(&ALL, "category")
    )
});
/// Time of a listed product's last offer check; NULL without offers.
const OFFERS_CHECKED: &str = "CASE offers WHEN '[]' THEN NULL \
    ELSE (SELECT at FROM offer_checks WHERE offer_checks.product = key) END";
/// Time of a listed product's last price check.
pub(crate) const PRICE_SEEN: &str = "coalesce((SELECT at FROM price_checks \
    WHERE price_checks.product = key), updated_at)";
/// SQL expressions that make a JSON object of [`columns`], and read it back.
pub(crate) static TO_JSON: LazyLock<String> = LazyLock::new(|| {
    let pairs = columns().map(|column| format!("'{column}', {column}"));
    format!("json_object({})", joined(pairs))
});
pub(crate) static FROM_JSON: LazyLock<String> = LazyLock::new(|| {
    joined(columns().map(|column| match column {
        // Changes from before the migration that added it can be undone for a minute.
        "tags" => "coalesce(product ->> 'tags', '[]')".to_owned(),
        column => format!("product ->> '{column}'"),
    }))
});
/// [`FROM_JSON`] for [`product`].
pub(crate) static READ_JSON: LazyLock<String> =
    LazyLock::new(|| labelled(&FROM_JSON, "product ->> 'category'"));

/// Puts the category's label in the place of its key.
fn labelled(columns: &str, key: &str) -> String {
    let label = format!(", (SELECT label FROM category_labels WHERE stored = {key}), ");
    columns.replace(&format!(", {key}, "), &label)
}

/// Returns [`details`] as an SQL list qualified with a table.
pub(crate) fn details_of(table: &str) -> String {
    joined(details().map(|column| format!("{table}.{column}")))
}

/// Returns the assignments of `undrafted_at` and `content_at` in an update of a product's details at
/// the time `now`; `new` gives the SQL of a column's new value.
pub(crate) fn assign_times(new: impl Fn(&str) -> String, now: &str) -> String {
    let old = |column: &str| format!("products.{column}");
    let hidden =
        |draft: String, start: String| format!("({draft} OR coalesce({start} > {now}, 0))");
    let was_hidden = hidden(old("draft"), old("starts_at"));
    let is_hidden = hidden(new("draft"), new("starts_at"));
    format!(
        "undrafted_at = CASE WHEN products.undrafted_at IS NOT NULL OR {was_hidden} = {is_hidden} \
             THEN products.undrafted_at WHEN {is_hidden} THEN products.published_at ELSE {now} END, \
         content_at = iif(({}) IS ({}), {SAME_CONTENT}, {now})",
        joined(on_page().map(&old)),
        joined(on_page().map(&new)),
    )
}

/// SQL of `content_at` after a change that a product's page does not show.
pub(crate) const SAME_CONTENT: &str = "coalesce(products.content_at, products.updated_at)";

/// Named parameters and their values.
pub(crate) type Parameters = Vec<(&'static str, Value)>;

fn milliseconds(at: Option<Timestamp>) -> Value {
    at.map(Timestamp::as_millisecond).into()
}

/// Returns the value of each of [`DETAIL_PARAMETERS`].
pub(crate) fn parameters(details: &NewProduct) -> Parameters {
    let value = |(name, field): &'static (String, &Field)| (name.as_str(), stored(field, details));
    DETAILS.iter().map(value).collect()
}

/// Executes a statement with named parameters.
pub(crate) fn execute(
    statement: &mut CachedStatement<'_>,
    parameters: &Parameters,
) -> rusqlite::Result<usize> {
    for (name, value) in parameters {
        let index = statement.parameter_index(name)?;
        let index = index.ok_or_else(|| rusqlite::Error::InvalidParameterName((*name).into()))?;
        statement.raw_bind_parameter(index, Borrowed(value))?;
    }
    statement.raw_execute()
}

struct Borrowed<'a>(&'a Value);

impl ToSql for Borrowed<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(self.0.into()))
    }
}

/// Reads a row of [`READ`]; fails on a value that violates the table's rules.
pub(crate) fn product(row: &Row<'_>) -> rusqlite::Result<Product> {
    let mut values = Values { row, next: 0 };
    let id = values.read()?;
    // Evaluated in the order of the columns.
    let details = NewProduct {
        title: values.read()?,
        description: values.read()?,
        price: values.read_as(Paise::new)?,
        discount: values.read_as(Discount::new)?,
        final_price: values.read_as(Paise::new)?,
        category: values.read_as(|label: String| Category::from_label(&label))?,
        source: values.read()?,
        affiliate_link: values.read()?,
        images: values.read_as(|json: String| serde_json::from_str(&json).ok())?,
        average_rating: values.read()?,
        total_ratings: values.read()?,
        lifetime: Lifetime {
            is_draft: values.read()?,
            starts_at: values.read_time()?,
            ends_at: values.read_time()?,
        },
        offers: values.read_as(|json: String| Some(Offer::from_column(&json)))?,
        tags: values.read_as(|json: String| serde_json::from_str(&json).ok())?,
        lines: line_fields()
            .map(|(field, _)| Ok((field.name, values.read()?)))
            .collect::<rusqlite::Result<_>>()?,
    };
    let clicks = values.read()?;
    let created_at = values.read_as(time)?;
    let updated_at = values.read_as(time)?;
    // As the column `published_at`.
    let later = [details.lifetime.starts_at, values.read_time()?];
    let published_at = later.into_iter().flatten().fold(created_at, Timestamp::max);
    let content_at = values.read_time()?.unwrap_or(updated_at);
    Ok(Product {
        id,
        state: details.lifetime.state(Timestamp::now()),
        details,
        clicks,
        created_at,
        updated_at,
        published_at,
        content_at: content_at.max(published_at),
        price_seen_at: values.read_as(time)?,
        offers_checked_at: values.read_time()?,
        prices: PriceHistory::default(),
        seller_offers: Vec::new(),
        shown: None,
        verdict: None,
    })
}

/// Cursor over a row's columns.
struct Values<'a> {
    row: &'a Row<'a>,
    next: usize,
}

impl Values<'_> {
    fn read<T: FromSql>(&mut self) -> rusqlite::Result<T> {
        self.next += 1;
        self.row.get(self.next - 1)
    }

    /// Reads and converts a value; an invalid one means a damaged file, since CHECK constraints
    /// exclude it.
    fn read_as<S: FromSql, T>(&mut self, read: impl FnOnce(S) -> Option<T>) -> rusqlite::Result<T> {
        let stored = self.read()?;
        read(stored).ok_or_else(|| {
            let cause = "the stored value breaks a rule".into();
            rusqlite::Error::FromSqlConversionFailure(self.next - 1, Type::Null, cause)
        })
    }

    fn read_time(&mut self) -> rusqlite::Result<Option<Timestamp>> {
        self.read_as(|at: Option<i64>| at.map_or(Some(None), |at| time(at).map(Some)))
    }
}

fn time(milliseconds: i64) -> Option<Timestamp> {
    Timestamp::from_millisecond(milliseconds).ok()
}

/// Returns the products with these keys, in this order (by `CROSS JOIN`).
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or lacks a product.
pub(crate) fn products_by_key(connection: &Connection, keys: &[i64]) -> Result<Vec<Product>> {
    static STATEMENT: LazyLock<String> = LazyLock::new(|| {
        format!(
            "SELECT {} FROM (SELECT value AS wanted FROM json_each(?)) \
             CROSS JOIN listed_products ON key = wanted",
            *READ
        )
    });
    let mut statement = connection.prepare_cached(&STATEMENT)?;
    let rows = statement.query_map([serde_json::Value::from(keys).to_string()], product)?;
    let products = rows.collect::<Result<Vec<_>, _>>()?;
    if products.len() == keys.len() {
        Ok(products)
    } else {
        let cause = "a list contains a missing product";
        Err(StoreError::Other(cause.to_owned()))
    }
}
