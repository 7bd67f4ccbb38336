//! Rules that make product fields of columns, as stored and copied by owners.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::domain::{Category, NewProduct};

/// Fields of exports besides those of a product.
const EXPORT_FIELDS: [&str; 4] = ["_id", "clicks", "createdAt", "updatedAt"];
/// Maximum number of column names, table rows and characters of a text.
const MOST: usize = 2_000;

/// Conversion of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum ValueKind {
    /// Text without spaces around it.
    Text,
    /// HTML, of which the text is taken.
    Html,
    /// An amount, with currency and separators.
    Number,
    /// A number without separators of thousands.
    Plain,
    /// A date, with or without a time.
    Date,
    /// The end of an interval like `2026-01-01/2026-01-31`.
    Until,
    /// Several texts.
    List,
    /// JSON values.
    Json,
}

/// DayOrder of day and month.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum DayOrder {
    /// Day, month, year.
    #[default]
    Dmy,
    /// Month, day, year.
    Mdy,
}

/// Origin of one field.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct FieldRule {
    /// Column names; the first with a value counts, for a list all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
    /// Conversion; by default the field's own.
    #[serde(rename = "as", skip_serializing_if = "Option::is_none")]
    pub kind: Option<ValueKind>,
    /// Value if the columns have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub constant: Option<String>,
    /// Text before the value, like the beginning of a link.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefix: Option<String>,
    /// Values by names of the file; null leaves the field out.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub table: BTreeMap<String, Option<String>>,
    /// True if a value outside of the table leaves the field out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub only_table: bool,
    /// Separator of a list; by default white space and commas before an address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub split: Option<String>,
    /// DayOrder of day and month in a date.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<DayOrder>,
    /// True to use only columns that no other field uses.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub spare: bool,
}

/// Origin of every field.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Mapping {
    /// Path to the list of products in JSON, like `data.items`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// True if an apostrophe before a formula is a spreadsheet's mark for text.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub apostrophes: bool,
    /// Rules by field.
    pub fields: BTreeMap<String, FieldRule>,
}

impl Mapping {
    /// Parses and checks a mapping.
    ///
    /// # Errors
    ///
    /// A sentence about the first mistake.
    pub fn parse(json: &[u8]) -> Result<Self, String> {
        let reader = &mut serde_json::Deserializer::from_slice(json);
        let mapping: Self = serde_path_to_error::deserialize(reader)
            .map_err(|error| format!("The mapping is not valid: {error}."))?;
        mapping.check()?;
        Ok(mapping)
    }

    /// Checks the names in a mapping.
    ///
    /// # Errors
    ///
    /// A sentence about the first mistake.
    pub fn check(&self) -> Result<(), String> {
        for (field, rule) in &self.fields {
            if kind_of(field).is_none() {
                return Err(format!(
                    "The mapping has the field {field}, which products do not have."
                ));
            }
            if rule.columns.is_empty() && rule.constant.is_none() {
                return Err(format!(
                    "The mapping's field {field} needs columns or a constant."
                ));
            }
            if rule.columns.len() + rule.table.len() > MOST {
                return Err(format!(
                    "The mapping's field {field} has more than 2,000 columns and values."
                ));
            }
            for category in rule.table.values().flatten().chain(&rule.constant) {
                if field == "category" && Category::parse(category).is_none() {
                    return Err(format!(
                        "The mapping's category “{category}” is none: write Electronics, \
                         Clothing, Books or Home."
                    ));
                }
            }
        }
        Ok(())
    }
}

/// Returns a field's own conversion; none for an unknown field.
pub(super) fn kind_of(field: &str) -> Option<ValueKind> {
    let mut known = NewProduct::field_names().chain(EXPORT_FIELDS);
    known.find(|name| *name == field)?;
    Some(match field {
        "description" => ValueKind::Html,
        "price" | "discount" | "finalPrice" | "totalRatings" | "clicks" => ValueKind::Number,
        "averageRating" => ValueKind::Plain,
        "startsAt" | "endsAt" => ValueKind::Date,
        "images" => ValueKind::List,
        "offers" => ValueKind::Json,
        _ => ValueKind::Text,
    })
}
