//! Rules that make product fields of columns, as stored and copied by owners.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::domain::{EXPORT_FIELDS, FIELDS, Kind, NewProduct};

/// Fields of a row that decide its price, which products do not have.
const PRICE_FIELDS: [&str; 3] = ["currency", "saleStartsAt", "saleEndsAt"];
/// Maximum number of column names of all fields, of table rows of each, and of characters of a text.
const MOST: usize = 2_000;
/// Maximum number of characters of a constant, which may be a description.
const MOST_CONSTANT: usize = 10_000;

/// Conversion of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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
    /// The end of an interval like `2026-01-01/2026-01-31`; of `saleStartsAt`, its start.
    Until,
    /// Several texts.
    List,
    /// JSON values.
    Json,
}

/// DayOrder of day and month.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DayOrder {
    /// Day, month, year.
    #[default]
    Dmy,
    /// Month, day, year.
    Mdy,
}

/// Origin of one field.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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

    /// Takes fields from other columns, and dates in an order unless they have one.
    ///
    /// # Errors
    ///
    /// A sentence about a field that there is not.
    pub fn choose(
        &mut self,
        columns: &[(String, String)],
        order: Option<DayOrder>,
    ) -> Result<(), String> {
        for (field, column) in columns {
            let kind = kind_of(field);
            if kind.is_none() {
                let fields: Vec<&str> = NewProduct::field_names().chain(PRICE_FIELDS).collect();
                let fields = fields.join(", ");
                return Err(format!("there is no field {field}: choose one of {fields}"));
            }
            let rule = self.fields.entry(field.clone()).or_default();
            (rule.columns, rule.spare) = (vec![column.clone()], false);
        }
        for (field, rule) in &mut self.fields {
            let kind = rule.kind.or_else(|| kind_of(field));
            if matches!(kind, Some(ValueKind::Date | ValueKind::Until)) {
                rule.order = rule.order.or(order);
            }
        }
        Ok(())
    }

    /// Returns the fields whose columns the owner chose: they differ from the format's.
    pub fn decided<'m>(&'m self, format: &Mapping) -> Vec<&'m str> {
        let is_same = |field: &str, rule: &FieldRule| {
            let own = format.fields.get(field);
            own.is_some_and(|own| own.columns == rule.columns)
        };
        let fields = self.fields.iter();
        fields
            .filter(|(field, rule)| !is_same(field, rule))
            .map(|(field, _)| field.as_str())
            .collect()
    }

    /// Checks the names in a mapping.
    ///
    /// # Errors
    ///
    /// A sentence about the first mistake.
    pub fn check(&self) -> Result<(), String> {
        let mut columns = 0;
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
            columns += rule.columns.len();
            if columns > MOST || rule.table.len() > MOST {
                return Err(format!(
                    "The mapping's field {field} has too many columns and values: at most 2,000 \
                     columns of all fields, and 2,000 values of each."
                ));
            }
            let texts = rule.columns.iter().chain(&rule.prefix).chain(&rule.split);
            let values = rule.table.values().flatten();
            let mut texts = texts.chain(rule.table.keys()).chain(values);
            let description = rule
                .constant
                .as_ref()
                .map_or(0, |text| text.chars().count());
            if texts.any(|text| text.chars().count() > MOST) || description > MOST_CONSTANT {
                return Err(format!(
                    "The mapping's field {field} has a text of more than 2,000 characters, or a \
                     constant of more than 10,000: shorten it."
                ));
            }
        }
        Ok(())
    }
}

/// Returns a field's own conversion; none for an unknown field.
pub(super) fn kind_of(field: &str) -> Option<ValueKind> {
    if let Some(field) = FIELDS.iter().find(|it| it.name == field) {
        return Some(match field.kind {
            Kind::Text(_) | Kind::Choice | Kind::Link | Kind::Line(_) => ValueKind::Text,
            Kind::LongText(_) => ValueKind::Html,
            Kind::Number => ValueKind::Number,
            Kind::Decimal => ValueKind::Plain,
            Kind::Time => ValueKind::Date,
            Kind::Pictures | Kind::Tags => ValueKind::List,
            Kind::Offers => ValueKind::Json,
        });
    }
    match field {
        "clicks" => Some(ValueKind::Number),
        "saleStartsAt" | "saleEndsAt" => Some(ValueKind::Date),
        _ => {
            let is_known = EXPORT_FIELDS.contains(&field) || PRICE_FIELDS.contains(&field);
            is_known.then_some(ValueKind::Text)
        }
    }
}
