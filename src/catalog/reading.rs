//! Products of a file of any format, before validation.

use std::path::Path;

use super::formats::{self, Body, Columns, Format, Input, Note, ReadError, Row, deals};
use super::mapping::{Defaults, Mapper, Mapping, preset};
use crate::domain::{FieldError, ImportedProduct, ProductDraft};

/// How a file is read; by default as it is recognized.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// The format, if it is not to be recognized.
    pub format: Option<Format>,
    /// Path to the list of products in JSON, like `data.items`.
    pub path: Option<String>,
    /// Mapping to use in place of the format's.
    pub mapping: Option<Mapping>,
    /// Values that the file does not give.
    pub defaults: Defaults,
    /// True to pass on rows in the program's own format, which takes time.
    pub keeps_rows: bool,
}

/// One product of a file.
pub struct Item<'a> {
    /// Number in the file.
    pub number: u64,
    /// The valid product, or the problems.
    pub product: Result<ImportedProduct, Vec<FieldError>>,
    /// The row as it is in the file.
    pub raw: Raw<'a>,
}

/// A product as it is in the file.
pub enum Raw<'a> {
    /// In the program's own format; empty unless [`Reading::keeps_rows`].
    Own(&'a ProductDraft),
    /// A row of named values.
    Row(&'a Columns, &'a Row),
}

/// Findings about a file that was read.
#[derive(Debug, Clone)]
pub struct Findings {
    /// The format.
    pub format: Format,
    /// Column names with the fields that use each; none in the program's own JSON.
    pub columns: Vec<(String, Vec<String>)>,
    /// Needed fields that no column gives.
    pub missing: Vec<&'static str>,
    /// Number of rows by category without a counterpart.
    pub categories: Vec<(String, u64)>,
    /// The mapping that was used; none for the program's own JSON.
    pub mapping: Option<Mapping>,
    /// Doubts about a file that can be read, in a sentence.
    pub note: Note,
}

impl Reading {
    /// Calls `each` with every product of a file, until it fails. A file whose header lacks a needed
    /// column is refused if `is_strict`. `folder` takes temporary files.
    ///
    /// # Errors
    ///
    /// [`ReadError`], or the error of `each`.
    pub fn read<E: From<ReadError>>(
        &self,
        input: Input,
        folder: &Path,
        is_strict: bool,
        mut each: impl FnMut(Item<'_>) -> Result<(), E>,
    ) -> Result<Findings, E> {
        let given = self.mapping.as_ref();
        let path = self.path.as_deref();
        let path = path.or_else(|| given?.path.as_deref());
        let opened = formats::open(input, self.format, path, given.is_some(), folder)?;
        let format = opened.format;
        let rows = match opened.body {
            Body::Own(input, is_wrapped) => {
                deals::read(input, is_wrapped, |number, draft| {
                    self.own(number, draft, &mut each)
                })?;
                return Ok(Findings {
                    format,
                    columns: Vec::new(),
                    missing: Vec::new(),
                    categories: Vec::new(),
                    mapping: None,
                    note: None,
                });
            }
            Body::Rows(rows) => rows,
        };
        let mapping = match given {
            Some(mapping) => mapping.clone(),
            None => preset(format).map_err(ReadError::File)?,
        };
        let mut mapper = Mapper::new(&mapping, &self.defaults);
        let mut names = Vec::new();
        let mut failure = None;
        let outcome = rows.read(&mut |columns, row| {
            if names.len() != columns.names().len() {
                names = columns.names().to_vec();
            }
            let (draft, errors) = mapper.map(columns, &row, is_strict)?;
            let item = Item {
                number: row.number,
                product: validated(draft, errors),
                raw: Raw::Row(columns, &row),
            };
            each(item).map_err(|error| {
                failure = Some(error);
                ReadError::Stopped
            })
        });
        if let Some(failure) = failure {
            return Err(failure);
        }
        let note = outcome?;
        if names.is_empty() {
            let message = "it has no products: its first row names the columns, and no row follows";
            return Err(ReadError::File(message.to_owned()).into());
        }
        let columns = names.into_iter().enumerate();
        let columns = columns.map(|(at, name)| (name, mapper.fields_of(at)));
        let columns = columns.collect();
        let unknown = mapper.unknown_categories().iter();
        let mut categories: Vec<(String, u64)> =
            unknown.map(|(name, rows)| (name.clone(), *rows)).collect();
        categories.sort_by_key(|(_, rows)| std::cmp::Reverse(*rows));
        let missing = mapper.missing();
        Ok(Findings {
            format,
            columns,
            missing,
            categories,
            mapping: Some(mapping),
            note,
        })
    }

    fn own<E>(
        &self,
        number: u64,
        mut draft: ProductDraft,
        each: &mut impl FnMut(Item<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let defaults = [
            ("source", &self.defaults.source),
            ("category", &self.defaults.category),
        ];
        for (field, value) in defaults {
            if let Some(value) = value {
                draft.set_missing(field, value);
            }
        }
        let raw = if self.keeps_rows {
            draft.clone()
        } else {
            ProductDraft::default()
        };
        each(Item {
            number,
            product: draft.into_imported(),
            raw: Raw::Own(&raw),
        })
    }
}

/// Validates a mapped product; an error of the mapping takes precedence over the field's rule.
fn validated(
    draft: ProductDraft,
    mut errors: Vec<FieldError>,
) -> Result<ImportedProduct, Vec<FieldError>> {
    let is_whole_row = errors.iter().any(|error| error.field.is_empty());
    if is_whole_row {
        return Err(errors);
    }
    match draft.into_imported() {
        Ok(product) if errors.is_empty() => Ok(product),
        Ok(_) => Err(errors),
        Err(broken) => {
            let others = broken.into_iter().filter(|error| {
                let is_price = |field: &str| ["price", "discount", "finalPrice"].contains(&field);
                !errors.iter().any(|known| {
                    known.field == error.field || is_price(&known.field) && is_price(&error.field)
                })
            });
            let others: Vec<FieldError> = others.collect();
            errors.extend(others);
            Err(errors)
        }
    }
}
