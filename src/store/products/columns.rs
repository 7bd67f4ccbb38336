//! The columns of a product, listed once: how each is written, read and kept for an undo.

use std::fmt::Write as _;
use std::sync::LazyLock;

use jiff::Timestamp;
use rusqlite::types::{ToSqlOutput, Type, Value};
use rusqlite::{CachedStatement, Connection, Row, ToSql};
use serde_json::value::RawValue;

use crate::domain::{
    Category, Discount, Lifetime, NewProduct, Offer, Paise, PriceBadge, Product, State,
};
use crate::store::db::error::StoreError;
use crate::store::db::rows::{time_at, time_or_none};

/// Every column of a product but its key and what is worked out (`state`, `proof`, `badge`);
/// [`DETAILS`] stand between `id` and `clicks`.
const COLUMNS: [&str; 19] = [
    "id",
    "title",
    "description",
    "price",
    "discount",
    "final_price",
    "category",
    "source",
    "affiliate_link",
    "images",
    "average_rating",
    "total_ratings",
    "draft",
    "starts_at",
    "ends_at",
    "offers",
    "clicks",
    "created_at",
    "updated_at",
];

/// The columns that hold what is said about a product.
pub(crate) const DETAILS: &[&str] = COLUMNS.split_at(at("clicks")).0.split_at(1).1;

/// [`COLUMNS`] and [`DETAILS`] as SQL lists them.
pub(crate) static ALL: LazyLock<String> = LazyLock::new(|| COLUMNS.join(", "));
pub(crate) static DETAIL_LIST: LazyLock<String> = LazyLock::new(|| DETAILS.join(", "));
/// A named parameter for each of [`DETAILS`], as [`parameters`] gives them.
pub(crate) static DETAIL_PARAMETERS: LazyLock<String> =
    LazyLock::new(|| format!(":{}", DETAILS.join(", :")));
/// What a product is read of: [`COLUMNS`], its badge, when its price was looked at, and when its
/// offers were.
pub(crate) static READ: LazyLock<String> =
    LazyLock::new(|| format!("{}, badge, {PRICE_SEEN}, {OFFERS_CHECKED}", *ALL));
/// When the offers of a listed product were last found to be so; nothing without offers.
const OFFERS_CHECKED: &str = "CASE offers WHEN '[]' THEN NULL \
    ELSE (SELECT at FROM offer_checks WHERE offer_checks.product = key) END";
/// When the price of a listed product was looked at.
pub(crate) const PRICE_SEEN: &str = "coalesce((SELECT at FROM price_looks \
    WHERE price_looks.product = key), updated_at)";
/// An SQL expression that makes a JSON object of [`COLUMNS`], and those that take it apart.
pub(crate) static TO_JSON: LazyLock<String> = LazyLock::new(|| {
    let pairs = COLUMNS.map(|column| format!("'{column}', {column}"));
    format!("json_object({})", pairs.join(", "))
});
pub(crate) static FROM_JSON: LazyLock<String> = LazyLock::new(|| {
    COLUMNS
        .map(|column| format!("product ->> '{column}'"))
        .join(", ")
});

/// The index of a column in [`COLUMNS`].
const fn at(name: &str) -> usize {
    let mut index = 0;
    while index < COLUMNS.len() {
        let (column, wanted) = (COLUMNS[index].as_bytes(), name.as_bytes());
        let mut same = 0;
        while same < column.len() && same < wanted.len() && column[same] == wanted[same] {
            same += 1;
        }
        if same == column.len() && same == wanted.len() {
            return index;
        }
        index += 1;
    }
    panic!("no such column")
}

/// [`DETAILS`] of one of several tables.
pub(crate) fn details_of(table: &str) -> String {
    let mut list = String::new();
    for column in DETAILS {
        let comma = if list.is_empty() { "" } else { ", " };
        let _ = write!(list, "{comma}{table}.{column}");
    }
    list
}

/// Named parameters and their values.
pub(crate) type Parameters = Vec<(&'static str, Value)>;

fn milliseconds(at: Option<Timestamp>) -> Value {
    at.map(Timestamp::as_millisecond).into()
}

fn offers(offers: &[Offer]) -> String {
    let offers: Vec<_> = offers.iter().map(Offer::to_json).collect();
    serde_json::Value::from(offers).to_string()
}

/// The value of each of [`DETAILS`].
pub(crate) fn parameters(details: &NewProduct) -> Parameters {
    let images = serde_json::Value::from(details.images.as_slice());
    vec![
        (":title", details.title.clone().into()),
        (":description", details.description.clone().into()),
        (":price", details.price.get().into()),
        (":discount", details.discount.get().into()),
        (":final_price", details.final_price.get().into()),
        (":category", details.category.as_str().to_owned().into()),
        (":source", details.source.clone().into()),
        (":affiliate_link", details.affiliate_link.clone().into()),
        (":images", images.to_string().into()),
        (":average_rating", details.average_rating.into()),
        (":total_ratings", details.total_ratings.into()),
        (":draft", details.lifetime.is_draft.into()),
        (":starts_at", milliseconds(details.lifetime.starts_at)),
        (":ends_at", milliseconds(details.lifetime.ends_at)),
        (":offers", offers(&details.offers).into()),
    ]
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

/// A product whose texts are where SQLite has them: a list that is only written out again
/// need not copy ten products of seven texts each. The fields are those of [`Product`] and
/// its [`NewProduct`].
#[derive(Debug, Clone, Copy)]
#[expect(
    missing_docs,
    reason = "the two types above tell what their fields mean"
)]
pub struct ProductRow<'a> {
    pub id: &'a str,
    pub title: &'a str,
    pub description: &'a str,
    pub price: Paise,
    pub discount: Discount,
    pub final_price: Paise,
    pub category: Category,
    pub source: &'a str,
    pub affiliate_link: &'a str,
    /// A JSON array of texts; that they are texts is not looked at here.
    pub images: &'a RawValue,
    pub clicks: i64,
    pub average_rating: f64,
    pub total_ratings: i64,
    pub lifetime: Lifetime,
    /// A JSON array of offers, which [`Offer::stored`] reads.
    pub offers: &'a str,
    pub state: State,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub badge: Option<PriceBadge>,
    pub price_seen_at: Timestamp,
    pub offers_checked_at: Option<Timestamp>,
}

impl<'a> ProductRow<'a> {
    /// Reads a row of [`READ`]: fails when a value has another type, a number is out of its
    /// range, there is no such category, or the images are no JSON.
    fn read(row: &'a Row<'_>) -> rusqlite::Result<Self> {
        let text = |column| -> rusqlite::Result<&'a str> { Ok(row.get_ref(column)?.as_str()?) };
        let paise = |column| valid(column, Paise::new(row.get(column)?));
        let category = const { at("category") };
        let discount = const { at("discount") };
        let images = const { at("images") };
        let lifetime = Lifetime {
            is_draft: row.get(const { at("draft") })?,
            starts_at: time_or_none(row, const { at("starts_at") })?,
            ends_at: time_or_none(row, const { at("ends_at") })?,
        };
        Ok(Self {
            id: text(const { at("id") })?,
            title: text(const { at("title") })?,
            description: text(const { at("description") })?,
            price: paise(const { at("price") })?,
            discount: valid(discount, Discount::new(row.get(discount)?))?,
            final_price: paise(const { at("final_price") })?,
            category: valid(category, Category::parse(text(category)?))?,
            source: text(const { at("source") })?,
            affiliate_link: text(const { at("affiliate_link") })?,
            images: valid(images, serde_json::from_str(text(images)?).ok())?,
            average_rating: row.get(const { at("average_rating") })?,
            total_ratings: row.get(const { at("total_ratings") })?,
            lifetime,
            offers: text(const { at("offers") })?,
            state: lifetime.state(Timestamp::now()),
            clicks: row.get(const { at("clicks") })?,
            created_at: time_at(row, const { at("created_at") })?,
            updated_at: time_at(row, const { at("updated_at") })?,
            badge: PriceBadge::of_code(row.get(COLUMNS.len())?),
            price_seen_at: time_at(row, COLUMNS.len() + 1)?,
            offers_checked_at: time_or_none(row, COLUMNS.len() + 2)?,
        })
    }

    /// The product, with texts of its own; fails when the images are no texts.
    pub(crate) fn to_product(self) -> rusqlite::Result<Product> {
        let images = serde_json::from_str(self.images.get()).ok();
        Ok(Product {
            id: self.id.to_owned(),
            details: NewProduct {
                title: self.title.to_owned(),
                description: self.description.to_owned(),
                price: self.price,
                discount: self.discount,
                final_price: self.final_price,
                category: self.category,
                source: self.source.to_owned(),
                affiliate_link: self.affiliate_link.to_owned(),
                images: valid(const { at("images") }, images)?,
                average_rating: self.average_rating,
                total_ratings: self.total_ratings,
                lifetime: self.lifetime,
                offers: Offer::stored(self.offers),
            },
            clicks: self.clicks,
            created_at: self.created_at,
            updated_at: self.updated_at,
            badge: self.badge,
            price_seen_at: self.price_seen_at,
            offers_checked_at: self.offers_checked_at,
            state: self.state,
            shown: None,
        })
    }
}

/// Reads a row of [`READ`] as a product with texts of its own.
pub(crate) fn product(row: &Row<'_>) -> rusqlite::Result<Product> {
    ProductRow::read(row)?.to_product()
}

/// The table's CHECK constraints keep such values out; a damaged file may not.
fn valid<T>(column: usize, value: Option<T>) -> rusqlite::Result<T> {
    value.ok_or_else(|| {
        rusqlite::Error::FromSqlConversionFailure(
            column,
            Type::Null,
            "the stored value breaks a rule".into(),
        )
    })
}

/// Products that one statement reads: a page of the usual length.
const AT_ONCE: usize = 10;

/// Gives the products with these keys to `each`, in this order, which `CROSS JOIN` keeps.
/// A statement for several keys looks for the table's root once and is reset once.
///
/// # Errors
///
/// [`StoreError`] when the database can't be read or has no such product, or the error of
/// `each`.
pub(crate) fn read_rows<E: From<StoreError>>(
    connection: &Connection,
    keys: &[i64],
    mut each: impl FnMut(ProductRow<'_>) -> Result<(), E>,
) -> Result<(), E> {
    static STATEMENTS: LazyLock<[String; AT_ONCE]> = LazyLock::new(|| {
        std::array::from_fn(|more| {
            let values = vec!["(?)"; more + 1].join(", ");
            format!(
                "SELECT {} FROM (VALUES {values}) AS wanted \
                 CROSS JOIN listed_products ON key = wanted.column1",
                *READ
            )
        })
    });
    for keys in keys.chunks(AT_ONCE) {
        let sql = &STATEMENTS[keys.len() - 1];
        let mut statement = connection.prepare_cached(sql).map_err(StoreError::from)?;
        let rows = statement.query(rusqlite::params_from_iter(keys));
        let mut rows = rows.map_err(StoreError::from)?;
        let mut read = 0;
        while let Some(row) = rows.next().map_err(StoreError::from)? {
            each(ProductRow::read(row).map_err(StoreError::from)?)?;
            read += 1;
        }
        if read != keys.len() {
            let cause = "a list names a product that is not there";
            return Err(StoreError::Other(cause.to_owned()).into());
        }
    }
    Ok(())
}
