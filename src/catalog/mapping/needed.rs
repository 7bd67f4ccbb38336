//! Columns that every file needs, and what is taken in place of missing values.

use serde_json::{Map, Value};

use super::apply::Mapper;
use crate::catalog::formats::{Columns, ReadError, Row};
use crate::domain::{DESCRIPTION, FieldError, truncate};

const NO_SOURCE: &str = "The file does not name the seller: give --source.";
const NO_CATEGORY: &str = "The file does not name the category: give --category.";

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

impl Mapper<'_> {
    /// Adds what a row does not say.
    pub(super) fn fill(
        &mut self,
        fields: &mut Map<String, Value>,
        errors: &mut Vec<FieldError>,
        row: u64,
    ) {
        for (field, message) in [("source", NO_SOURCE), ("category", NO_CATEGORY)] {
            if fields.contains_key(field) || errors.iter().any(|error| error.field == field) {
                continue;
            }
            match self.substitute(field, fields, row) {
                Some(value) => {
                    fields.insert(field.to_owned(), value.into());
                }
                None => errors.push(FieldError::new(field, message)),
            }
        }
        if self.is_own() {
            return;
        }
        // Neither stars nor their number are shown alone.
        const RATINGS: [&str; 2] = ["averageRating", "totalRatings"];
        let [stars, count] = RATINGS.map(|field| fields.get(field).and_then(Value::as_f64));
        if stars.is_none() || count.is_none() || stars > Some(0.0) && count == Some(0.0) {
            fields.retain(|field, _| !RATINGS.contains(&field.as_str()));
        }
        if !fields.contains_key("description")
            && !errors.iter().any(|error| error.field == "description")
            && let Some(title) = fields.get("title").and_then(Value::as_str)
        {
            let source = fields.get("source").and_then(Value::as_str);
            let text = match source {
                Some(source) if title.chars().count() < DESCRIPTION.least => {
                    format!("{title} from {source}")
                }
                _ => title.to_owned(),
            };
            fields.insert("description".to_owned(), text.into());
        }
    }

    /// Returns the default of a field, or else the seller that the link names.
    fn substitute(&mut self, field: &str, fields: &Map<String, Value>, row: u64) -> Option<String> {
        let defaults = self.defaults;
        if field == "category" {
            return defaults.category.clone();
        }
        defaults.source.clone().or_else(|| {
            let link = fields.get("affiliateLink")?.as_str()?;
            let seller = defaults.links.read(link)?.shop;
            self.doubts.seller(row, &seller);
            Some(seller)
        })
    }

    /// Notes whether a link of these rows names its seller.
    pub(super) fn find_seller_links(&mut self, rows: &[Row]) {
        let rules = &self.rules;
        let is_link = |column: usize| {
            let mut using = rules.of_column(column);
            using.any(|bound| bound.field == "affiliateLink")
        };
        let mut cells = rows.iter().flat_map(|row| &row.cells);
        self.has_seller_links = cells.any(|(column, value)| {
            let link = value.as_str().filter(|_| is_link(*column));
            link.is_some_and(|link| self.defaults.links.read(link.trim()).is_some())
        });
    }

    /// Returns the names of needed fields that no column, constant or default gives.
    pub fn missing(&self) -> Vec<&'static str> {
        let has = |field: &str| {
            let by_default = match field {
                "source" => self.defaults.source.is_some() || self.has_seller_links,
                "category" => self.defaults.category.is_some(),
                _ => false,
            };
            let mut rules = self.rules.bound.iter().filter(|it| it.field == field);
            by_default || rules.any(|it| !it.columns.is_empty() || it.rule.constant.is_some())
        };
        let needed = NEEDED.iter().map(|(field, _)| *field);
        needed
            .filter(|field| !has(field) && (*field != "price" || !has("finalPrice")))
            .filter(|field| *field != "description" || !has("title"))
            .collect()
    }

    /// Refuses a file of which a column is missing, or one of two has to be chosen.
    ///
    /// # Errors
    ///
    /// [`ReadError`] that names the columns.
    pub fn check(&self, columns: &Columns) -> Result<(), ReadError> {
        if let Some(question) = self.interpretation.choices.questions.first() {
            let names: Vec<String> = question
                .columns
                .iter()
                .map(|name| format!("“{name}”"))
                .collect();
            return Err(ReadError::File(format!(
                "{} could each be the {}: say which with --column {}=\"{}\", or with a mapping",
                names.join(" and "),
                called(question.field),
                question.field,
                question.columns.first().map_or("", String::as_str),
            )));
        }
        if columns.is_complete() {
            self.check_header(columns)?;
        }
        Ok(())
    }

    /// Returns an error that names the missing columns.
    pub(super) fn check_header(&self, columns: &Columns) -> Result<(), ReadError> {
        let missing = self.missing();
        if missing.is_empty() {
            return Ok(());
        }
        let has_description = self
            .rules
            .bound
            .iter()
            .any(|it| it.field == "description" && !it.columns.is_empty());
        let called: Vec<&str> = NEEDED
            .iter()
            .filter(|(field, _)| {
                missing.contains(field) || *field == "description" && !has_description
            })
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
}

/// Returns what a message calls a field.
fn called(field: &str) -> &str {
    match field {
        "affiliateLink" => "link",
        "finalPrice" => "selling price",
        "price" => "list price",
        field => field,
    }
}
