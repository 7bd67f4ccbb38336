//! Makes products of rows by a mapping.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::bound::{Bound, bind};
use super::cells::{addresses, is_marked, is_zero, translated, whole};
use super::rule::{DayOrder, FieldRule, Mapping, ValueKind};
use super::{category, date, html, number};
use crate::catalog::formats::{Columns, ReadError, Row};
use crate::domain::{CONSTANTS, FieldError, ProductDraft, is_web_address, truncate};

/// Fields that every product needs, with what a message calls them.
const NEEDED: [(&str, &str); 7] = [
    ("title", "the title"),
    ("description", "the description"),
    ("price", "the price"),
    ("category", "the category (or give --category)"),
    ("source", "the seller (or give --source)"),
    ("affiliateLink", "the link"),
    ("images", "the picture"),
];
/// Fields that an empty cell clears.
const CLEARED: [&str; 3] = ["startsAt", "endsAt", "offers"];
/// Maximum number of categories without a counterpart that are counted by name.
const MOST_CATEGORIES: usize = 500;

/// Values for all products of a file.
#[derive(Debug, Clone, Default)]
pub struct Defaults {
    /// Seller's name if the file has none.
    pub source: Option<String>,
    /// Category if the file has none, or one without a counterpart.
    pub category: Option<String>,
}

/// A mapping applied to the columns of a file.
pub struct Mapper<'a> {
    mapping: &'a Mapping,
    defaults: &'a Defaults,
    bound: Vec<Bound<'a>>,
    /// Number of columns that are bound.
    width: usize,
    unknown: BTreeMap<String, u64>,
    rows: u64,
}

/// A product before validation, and the errors of its values.
pub(in crate::catalog) type Mapped = (ProductDraft, Vec<FieldError>);

impl<'a> Mapper<'a> {
    /// Makes a mapper; columns are bound with the first row.
    pub fn new(mapping: &'a Mapping, defaults: &'a Defaults) -> Self {
        Self {
            mapping,
            defaults,
            bound: Vec::new(),
            width: usize::MAX,
            unknown: BTreeMap::new(),
            rows: 0,
        }
    }

    fn bind(&mut self, columns: &Columns) -> Result<(), ReadError> {
        let width = columns.names().len();
        if self.width != width {
            self.width = width;
            self.bound = bind(self.mapping, columns)?;
        }
        Ok(())
    }

    /// Returns the names of needed fields that no column, constant or default gives.
    pub fn missing(&self) -> Vec<&'static str> {
        let has = |field: &str| {
            let by_default = match field {
                "source" => self.defaults.source.is_some(),
                "category" => self.defaults.category.is_some(),
                _ => false,
            };
            let mut rules = self.bound.iter().filter(|bound| bound.field == field);
            by_default || rules.any(|it| !it.columns.is_empty() || it.rule.constant.is_some())
        };
        let needed = NEEDED.iter().map(|(field, _)| *field);
        needed
            .filter(|field| !has(field) && (*field != "price" || !has("finalPrice")))
            .collect()
    }

    /// Returns an error that names the missing columns.
    fn check_header(&self, columns: &Columns) -> Result<(), ReadError> {
        let missing = self.missing();
        if missing.is_empty() {
            return Ok(());
        }
        let called: Vec<&str> = NEEDED
            .iter()
            .filter(|(field, _)| missing.contains(field))
            .map(|(_, called)| *called)
            .collect();
        let names = columns.names().join(", ");
        Err(ReadError::File(format!(
            "no column was found for {}. Its first row names {}. Rename columns, or say which is \
             which with a mapping",
            called.join(", "),
            truncate(&names, 300)
        )))
    }

    /// Makes a product of a row. `is_strict` refuses a file whose header lacks a needed column.
    ///
    /// # Errors
    ///
    /// [`ReadError`] about the whole file.
    pub fn map(
        &mut self,
        columns: &Columns,
        row: &Row,
        is_strict: bool,
    ) -> Result<Mapped, ReadError> {
        self.bind(columns)?;
        if self.rows == 0 && columns.is_complete() && is_strict {
            self.check_header(columns)?;
        }
        self.rows += 1;
        if let Some(problem) = &row.problem {
            return Ok(refused(problem.clone()));
        }
        if self.repeats_header(columns, row) {
            return Ok(refused("The row repeats the header: delete it.".to_owned()));
        }
        let mut fields = Map::new();
        let mut errors = Vec::new();
        let bound = std::mem::take(&mut self.bound);
        for rule in &bound {
            match self.value(rule, row) {
                Ok(Some(value)) => {
                    fields.insert(rule.field.to_owned(), value);
                }
                Ok(None) if CLEARED.contains(&rule.field) && !rule.columns.is_empty() => {
                    fields.insert(rule.field.to_owned(), Value::Null);
                }
                Ok(None) => {}
                Err(message) => errors.push(FieldError::new(rule.field, message)),
            }
        }
        self.bound = bound;
        self.fill(&mut fields, &mut errors);
        let link = fields.get("affiliateLink").and_then(Value::as_str);
        let is_heading = errors.iter().any(|error| error.field == "price")
            && link.is_some_and(|link| !is_web_address(link));
        if self.rows == 1 && columns.is_complete() && is_heading {
            let problem = "The row looks like a second header: delete one of the two.";
            return Ok(refused(problem.to_owned()));
        }
        Ok((ProductDraft::from_fields(fields), errors))
    }

    /// Adds what the file does not say.
    fn fill(&self, fields: &mut Map<String, Value>, errors: &mut Vec<FieldError>) {
        let has_error = |field: &str| errors.iter().any(|error| error.field == field);
        if !fields.contains_key("discount")
            && !fields.contains_key("finalPrice")
            && !has_error("discount")
            && !has_error("finalPrice")
        {
            fields.insert("discount".to_owned(), 0.into());
        }
        // A price that stands alone is the price, whatever its column is called.
        if !fields.contains_key("price")
            && !fields.contains_key("discount")
            && let Some(only) = fields.get("finalPrice").cloned()
            && !has_error("price")
        {
            fields.insert("price".to_owned(), only);
        }
        let defaults = [
            ("source", &self.defaults.source, NO_SOURCE),
            ("category", &self.defaults.category, NO_CATEGORY),
        ];
        for (field, default, message) in defaults {
            if fields.contains_key(field) || errors.iter().any(|error| error.field == field) {
                continue;
            }
            match default {
                Some(value) => {
                    fields.insert(field.to_owned(), value.clone().into());
                }
                None => errors.push(FieldError::new(field, message)),
            }
        }
    }

    /// Returns the value of a field; none if the row has none.
    fn value(&mut self, bound: &Bound<'_>, row: &Row) -> Result<Option<Value>, String> {
        let rule = bound.rule;
        if bound.kind == ValueKind::List {
            return Ok(self.list(bound, row));
        }
        let cells = bound.columns.iter().filter_map(|column| {
            let cell = row.cells.iter().find(|(at, _)| at == column);
            cell.map(|(_, value)| value)
        });
        let mut value = None;
        for cell in cells {
            // Exports write 0 for no price before the sale.
            if bound.columns.len() > 1 && bound.kind == ValueKind::Number && is_zero(cell) {
                value.get_or_insert(cell);
                continue;
            }
            value = Some(cell);
            break;
        }
        let constant = rule
            .constant
            .as_ref()
            .map(|text| Value::from(text.as_str()));
        let Some(value) = value.or(constant.as_ref()) else {
            return Ok(None);
        };
        if let (ValueKind::Number | ValueKind::Plain, Value::Number(number)) = (bound.kind, value) {
            return Ok(Some(whole(number.as_f64().unwrap_or(f64::NAN))));
        }
        let text = self.text(value);
        if bound.field == "category" {
            return self.category(rule, &text);
        }
        let text = match translated(rule, &text) {
            None => return Ok(None),
            Some(text) => text,
        };
        let is_id = bound.field == "externalId";
        if is_id && text.chars().count() > CONSTANTS.max_external_id {
            // Handles may be longer; the link identifies the product then.
            return Ok(None);
        }
        let month_first = rule.order == Some(DayOrder::Mdy);
        let is_end = bound.field == "endsAt";
        Ok(Some(match bound.kind {
            ValueKind::Text | ValueKind::List => {
                let prefix = rule.prefix.as_deref().unwrap_or_default();
                format!("{prefix}{}", text.trim()).into()
            }
            ValueKind::Html => html::to_text(&text).into(),
            ValueKind::Number => whole(number::parse(&text)?),
            ValueKind::Plain => whole(number::parse_plain(&text)?),
            ValueKind::Date => date::parse(&text, is_end, month_first)?.into(),
            ValueKind::Until => {
                let end = text.rsplit('/').next().unwrap_or_default();
                date::parse(end, true, month_first)?.into()
            }
            ValueKind::Json => {
                let values = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
                let values: Result<Vec<Value>, _> = values.collect();
                let values =
                    values.map_err(|_| format!("“{}” is no JSON.", truncate(&text, 40)))?;
                match &values[..] {
                    [Value::Array(_)] => values.into_iter().next().unwrap_or_default(),
                    _ => values.into(),
                }
            }
        }))
    }

    fn text(&self, value: &Value) -> String {
        let text = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        if self.mapping.apostrophes
            && let Some(rest) = text.strip_prefix('\'')
            && is_marked(rest)
        {
            return rest.to_owned();
        }
        text
    }

    fn category(&mut self, rule: &FieldRule, text: &str) -> Result<Option<Value>, String> {
        if let Some(found) = category::find(&rule.table, text) {
            return Ok(Some(found.into()));
        }
        let name = text.trim();
        let is_counted = self.unknown.contains_key(name);
        if is_counted || self.unknown.len() < MOST_CATEGORIES {
            *self.unknown.entry(name.to_owned()).or_default() += 1;
        }
        if self.defaults.category.is_some() {
            return Ok(None);
        }
        Err(format!(
            "“{}” has no counterpart: write Electronics, Clothing, Books or Home, or map it.",
            truncate(name, 60)
        ))
    }

    /// Returns the texts of all columns, at most as many as a product may have pictures.
    fn list(&self, bound: &Bound<'_>, row: &Row) -> Option<Value> {
        let mut texts: Vec<String> = Vec::new();
        for column in &bound.columns {
            let cells = row.cells.iter().filter(|(at, _)| at == column);
            for (_, value) in cells {
                let text = self.text(value);
                match &bound.rule.split {
                    Some(separator) => texts.extend(
                        text.split(separator.as_str())
                            .map(|part| part.trim().to_owned())
                            .filter(|part| !part.is_empty()),
                    ),
                    None => {
                        for address in addresses(&text) {
                            if !texts.iter().any(|known| known == address) {
                                texts.push(address.to_owned());
                            }
                        }
                    }
                }
            }
        }
        texts.truncate(CONSTANTS.max_images);
        if texts.is_empty() {
            texts.extend(bound.rule.constant.clone());
        }
        (!texts.is_empty()).then(|| json!(texts))
    }

    fn repeats_header(&self, columns: &Columns, row: &Row) -> bool {
        columns.is_complete()
            && row.cells.len() > 1
            && row.cells.iter().all(|(column, value)| {
                let text = value.as_str().unwrap_or_default();
                text.trim() == columns.names()[*column]
            })
    }

    /// Names of the fields that use a column.
    pub fn fields_of(&self, column: usize) -> Vec<String> {
        let using = self.bound.iter();
        using
            .filter(|bound| bound.columns.contains(&column))
            .map(|bound| bound.field.to_owned())
            .collect()
    }

    /// Number of rows by category without a counterpart.
    pub fn unknown_categories(&self) -> &BTreeMap<String, u64> {
        &self.unknown
    }
}

const NO_SOURCE: &str = "The file does not name the seller: give --source.";
const NO_CATEGORY: &str = "The file does not name the category: give --category.";

fn refused(problem: String) -> Mapped {
    (ProductDraft::default(), vec![FieldError::new("", problem)])
}
