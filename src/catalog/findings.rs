//! Findings about a file that was read.

use super::formats::{Columns, Format};
use super::mapping::{DayOrder, Interpretation, Mapper, Mapping};
use crate::domain::{ArchivedCategory, truncate};

/// Findings about a file that was read.
#[derive(Debug, Clone)]
pub struct Findings {
    /// The format.
    pub format: Format,
    /// Column names with the fields that use each; none in the program's own JSON.
    pub columns: Vec<(String, Vec<String>)>,
    /// Fields with the names of their columns, of which the first with a value counts.
    pub sources: Vec<(String, Vec<String>)>,
    /// Needed fields that no column gives.
    pub missing: Vec<&'static str>,
    /// Number of rows by category without a counterpart.
    pub categories: Vec<(String, u64)>,
    /// Categories that valid rows need, and the shop does not have.
    pub new_categories: Vec<ArchivedCategory>,
    /// The mapping that was used; none for the program's own JSON.
    pub mapping: Option<Mapping>,
    /// Doubts about a file that can be read, in sentences.
    pub note: Option<String>,
    /// Decisions before the first row.
    pub interpretation: Interpretation,
}

impl Findings {
    /// Findings about a file in the program's own JSON.
    pub(super) fn own(
        format: Format,
        new_categories: Vec<ArchivedCategory>,
        doubts: Vec<String>,
    ) -> Self {
        Self {
            format,
            columns: Vec::new(),
            sources: Vec::new(),
            missing: Vec::new(),
            categories: Vec::new(),
            new_categories,
            mapping: None,
            note: note_of(doubts),
            interpretation: Interpretation::default(),
        }
    }

    /// Findings about a file of rows, whose last row had these columns.
    pub(super) fn new(
        format: Format,
        mapping: &Mapping,
        mapper: &Mapper<'_>,
        columns: &Columns,
        note: Option<String>,
    ) -> Self {
        let unknown = mapper.unknown_categories().iter();
        let mut categories: Vec<(String, u64)> =
            unknown.map(|(name, rows)| (name.clone(), *rows)).collect();
        categories.sort_by_key(|(_, rows)| std::cmp::Reverse(*rows));
        let named = columns.names().iter().enumerate();
        let sentences = note.into_iter().chain(mapper.doubts());
        Self {
            format,
            columns: named
                .map(|(at, name)| (name.clone(), mapper.fields_of(at)))
                .collect(),
            sources: mapper.sources(columns.names()),
            missing: mapper.missing(),
            categories,
            new_categories: Vec::new(),
            mapping: Some(mapping.clone()),
            note: note_of(sentences),
            interpretation: mapper.interpretation().clone(),
        }
    }

    /// Says in a few lines which columns the products come from; nothing for the program's own JSON.
    pub fn lines(&self) -> Vec<String> {
        let own = &self.interpretation;
        let new = self.new_categories();
        let new = (!new.is_empty()).then(|| format!("new categories: {}", new.join(", ")));
        if self.mapping.is_none() {
            return new.into_iter().collect();
        }
        let sources = self.sources.iter().map(|(field, columns)| {
            let reason = own.choices.reasons.iter().find(|(of, _)| of == field);
            let reason = reason.map_or_else(String::new, |(_, reason)| format!(" ({reason})"));
            format!("{field} ← {}{reason}", columns.join(" or "))
        });
        let used: Vec<String> = sources.collect();
        let unused = self.columns.iter().filter(|(_, fields)| fields.is_empty());
        let unused: Vec<&str> = unused.map(|(name, _)| name.as_str()).collect();
        let dates = match own.order() {
            None => "",
            Some(DayOrder::Dmy) => "; dates have the day first",
            Some(DayOrder::Mdy) => "; dates have the month first",
        };
        let mut lines = vec![format!(
            "read as {}: {}; prices in rupees{dates}",
            self.format.as_str(),
            used.join(", ")
        )];
        if !unused.is_empty() {
            let names = truncate(&unused.join(", "), 500);
            lines.push(format!("columns that are not used: {names}"));
        }
        lines.extend(new);
        lines
    }

    /// Names of the new categories.
    pub fn new_categories(&self) -> Vec<&str> {
        let new = self.new_categories.iter();
        new.map(|it| it.name.as_str()).collect()
    }
}

fn note_of(sentences: impl IntoIterator<Item = String>) -> Option<String> {
    let sentences = sentences.into_iter();
    sentences.reduce(|all, next| format!("{all} {next}"))
}
