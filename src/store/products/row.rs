//! A product as its row has it.

use std::sync::LazyLock;

use jiff::Timestamp;
use rusqlite::types::Type;
use rusqlite::{Connection, Row};
use serde_json::value::RawValue;

use crate::domain::{Category, Discount, NewProduct, Paise, Product};
use crate::store::{StoreError, read_time};

/// The columns that make a [`ProductRow`], in the order [`ProductRow::read`] takes them.
pub(crate) const COLUMNS: &str = "id, title, description, price, discount, final_price, category, source, \
     affiliate_link, images, clicks, average_rating, total_ratings, created_at, updated_at";

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
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl<'a> ProductRow<'a> {
    /// Reads a row of [`COLUMNS`].
    ///
    /// # Errors
    ///
    /// [`rusqlite::Error`] when a value has another type, a number is out of its range,
    /// there is no such category, or the images are no JSON.
    pub(crate) fn read(row: &'a Row<'_>) -> rusqlite::Result<Self> {
        let text = |column| -> rusqlite::Result<&'a str> { Ok(row.get_ref(column)?.as_str()?) };
        Ok(Self {
            id: text(0)?,
            title: text(1)?,
            description: text(2)?,
            price: valid(3, Paise::new(row.get(3)?))?,
            discount: valid(4, Discount::new(row.get(4)?))?,
            final_price: valid(5, Paise::new(row.get(5)?))?,
            category: valid(6, Category::parse(text(6)?))?,
            source: text(7)?,
            affiliate_link: text(8)?,
            images: valid(9, serde_json::from_str(text(9)?).ok())?,
            clicks: row.get(10)?,
            average_rating: row.get(11)?,
            total_ratings: row.get(12)?,
            created_at: read_time(row, 13)?,
            updated_at: read_time(row, 14)?,
        })
    }

    /// The product, with texts of its own.
    ///
    /// # Errors
    ///
    /// [`rusqlite::Error`] when the images are no texts.
    pub(crate) fn to_product(self) -> rusqlite::Result<Product> {
        Ok(Product {
            id: self.id.to_owned(),
            details: NewProduct {
                title: self.title.to_owned(),
                description: self.description.to_owned(),
                price: self.price,
                discount: self.discount,
                category: self.category,
                source: self.source.to_owned(),
                affiliate_link: self.affiliate_link.to_owned(),
                images: valid(9, serde_json::from_str(self.images.get()).ok())?,
                average_rating: self.average_rating,
                total_ratings: self.total_ratings,
            },
            final_price: self.final_price,
            clicks: self.clicks,
            created_at: self.created_at,
            updated_at: self.updated_at,
        })
    }
}

/// Reads a row of [`COLUMNS`] as a product with texts of its own.
pub(crate) fn product(row: &Row<'_>) -> rusqlite::Result<Product> {
    ProductRow::read(row)?.to_product()
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
            let places = vec!["(?)"; more + 1].join(", ");
            format!(
                "SELECT {COLUMNS} FROM (VALUES {places}) AS wanted \
                 CROSS JOIN products ON products.key = wanted.column1"
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
