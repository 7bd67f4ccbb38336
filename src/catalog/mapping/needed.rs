//! Columns that every file needs.

use super::apply::Mapper;
use crate::catalog::formats::{Columns, ReadError};
use crate::domain::truncate;

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
    /// Returns the names of needed fields that no column, constant or default gives.
    pub fn missing(&self) -> Vec<&'static str> {
        let has = |field: &str| {
            let by_default = match field {
                "source" => self.defaults.source.is_some(),
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
