//! Products of a file of any format, before validation.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::findings::Findings;
use super::formats::{self, Columns, FileBody, Format, Input, ReadError, Row, deals};
use super::mapping::{DayOrder, Defaults, Doubts, KnownCategories, Mapper, Mapping, preset};
use crate::domain::{Categories, FieldError, ImportedProduct, ProductDraft};

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
    /// Columns to use in place of the mapping's, by field.
    pub columns: Vec<(String, String)>,
    /// Order of day and month where the file does not tell.
    pub order: Option<DayOrder>,
    /// Categories of the shop.
    pub categories: Arc<Categories>,
    /// True to add no categories, of an archive neither.
    pub keeps_categories: bool,
    /// True to take only the looks of the settings of an archive.
    pub keeps_settings: bool,
    /// True to add categories that are unknown.
    pub creates_categories: bool,
    /// True to pass on rows in the program's own format, which takes time.
    pub keeps_rows: bool,
    /// Condition that ends the reading.
    pub stop: Stop,
}

/// Condition that ends work on a file: its client has gone, or its time is over.
#[derive(Debug, Clone, Default)]
pub struct Stop {
    is_abandoned: Arc<AtomicBool>,
    until: Option<Instant>,
}

impl Stop {
    /// Ends work when the flag is true, or after `most`.
    pub fn new(is_abandoned: Arc<AtomicBool>, most: Option<Duration>) -> Self {
        Self {
            is_abandoned,
            until: most.map(|most| Instant::now() + most),
        }
    }

    /// Returns an error if the work must end.
    pub(super) fn check(&self) -> Result<(), ReadError> {
        let is_over = self.until.is_some_and(|until| Instant::now() > until);
        if is_over || self.is_abandoned.load(Ordering::Relaxed) {
            return Err(ReadError::Stopped);
        }
        Ok(())
    }
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
        let mut each = |item: Item<'_>| {
            self.stop.check()?;
            each(item)
        };
        let given = self.mapping.as_ref();
        let path = self.path.as_deref().or_else(|| given?.path.as_deref());
        let opened = formats::open(input, self.format, path, given.is_some(), folder)?;
        let format = opened.format;
        let (creates, keeps) = (self.creates_categories, self.keeps_categories);
        let mut known = KnownCategories::new(&self.categories, creates, keeps);
        let rows = match opened.body {
            FileBody::Own(input, budget, is_wrapped) => {
                let mut doubts = Doubts::default();
                deals::read(input, &budget, is_wrapped, |number, draft| {
                    check_rows(number)?;
                    self.own(number, draft, &mut known, &mut doubts, &mut each)
                })?;
                let created = known.into_created();
                return Ok(Findings::own(format, created, doubts.sentences()));
            }
            FileBody::Rows(rows) => rows,
        };
        let own = preset(format).map_err(ReadError::File)?;
        let mut mapping = given.unwrap_or(&own).clone();
        mapping
            .choose(&self.columns, self.order)
            .map_err(ReadError::File)?;
        known.check(&mapping).map_err(ReadError::File)?;
        let mut mapped = MappedRows {
            mapper: Mapper::new(&mapping, &self.defaults, known),
            decided: mapping.decided(&own),
            is_strict,
            first: (format != Format::Deals).then(FirstRows::default),
            columns: Columns::default(),
            count: 0,
            each,
            failure: None,
        };
        let outcome = rows.read(&mut |columns, row| mapped.add(columns, row));
        let outcome = outcome.and_then(|note| mapped.settle().map(|()| note));
        if let Some(failure) = mapped.failure {
            return Err(failure);
        }
        let note = outcome?;
        if mapped.columns.names().is_empty() {
            let message = "it has no products: its first row names the columns, and no row follows";
            return Err(ReadError::File(message.to_owned()).into());
        }
        let (mapper, columns) = (mapped.mapper, mapped.columns);
        let mut findings = Findings::new(format, &mapping, &mapper, &columns, note);
        findings.new_categories = mapper.categories.into_created();
        Ok(findings)
    }

    fn own<E>(
        &self,
        number: u64,
        mut draft: ProductDraft,
        known: &mut KnownCategories,
        doubts: &mut Doubts,
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
        if draft.lacks("source")
            && let Some(link) = draft.text("affiliateLink")
            && let Some(known) = self.defaults.links.read(link)
        {
            doubts.seller(number, &known.shop);
            draft.set_missing("source", &known.shop);
        }
        let raw = if self.keeps_rows {
            draft.clone()
        } else {
            ProductDraft::default()
        };
        let unknown = draft.text("category").filter(|_| self.creates_categories);
        let created = unknown.map(|name| known.create(name)).transpose();
        if let Ok(Some(name)) = &created {
            draft.set_category(name);
        }
        let error = created.err();
        let error = error.map(|message| FieldError::new("category", message));
        each(Item {
            number,
            product: validated(draft, error.into_iter().collect(), known),
            raw: Raw::Own(&raw),
        })
    }
}

/// Rows of a file on their way to products.
struct MappedRows<'m, E, F> {
    mapper: Mapper<'m>,
    /// Fields whose columns the owner chose.
    decided: Vec<&'m str>,
    is_strict: bool,
    /// The first rows, until it is decided from them what the columns are.
    first: Option<FirstRows>,
    /// The columns of the last row.
    columns: Columns,
    count: u64,
    each: F,
    /// The error of `each`, which ended the reading.
    failure: Option<E>,
}

impl<E, F: FnMut(Item<'_>) -> Result<(), E>> MappedRows<'_, E, F> {
    fn add(&mut self, columns: &Columns, row: Row) -> Result<(), ReadError> {
        self.count += 1;
        check_rows(self.count)?;
        if self.columns.names().len() != columns.names().len() {
            self.columns = columns.clone();
        }
        let Some(first) = &mut self.first else {
            return self.map(&row);
        };
        if first.add(row) {
            self.settle()
        } else {
            Ok(())
        }
    }

    /// Decides from the first rows what the columns are, and maps these rows.
    fn settle(&mut self) -> Result<(), ReadError> {
        let rows = self.first.take().unwrap_or_default().rows;
        if rows.is_empty() {
            return Ok(());
        }
        self.mapper.interpret(&self.columns, &rows, &self.decided)?;
        if self.is_strict {
            self.mapper.check(&self.columns)?;
        }
        rows.iter().try_for_each(|row| self.map(row))
    }

    fn map(&mut self, row: &Row) -> Result<(), ReadError> {
        let (draft, errors) = self.mapper.map(&self.columns, row, self.is_strict)?;
        let item = Item {
            number: row.number,
            product: validated(draft, errors, &mut self.mapper.categories),
            raw: Raw::Row(&self.columns, row),
        };
        (self.each)(item).map_err(|error| {
            self.failure = Some(error);
            ReadError::Stopped
        })
    }
}

/// First rows of a file.
#[derive(Default)]
struct FirstRows {
    rows: Vec<Row>,
    /// Size of their texts in bytes.
    size: usize,
}

impl FirstRows {
    /// Maximum number of rows, and of bytes of their texts.
    const MOST: (usize, usize) = (200, 4 << 20);

    /// Adds a row; true if it was the last.
    fn add(&mut self, row: Row) -> bool {
        let texts = row.cells.iter().filter_map(|(_, value)| value.as_str());
        self.size += texts.map(str::len).sum::<usize>();
        self.rows.push(row);
        self.rows.len() >= Self::MOST.0 || self.size >= Self::MOST.1
    }
}

/// Maximum number of rows, which take a minute if none is valid.
const MAX_ROWS: u64 = 2_000_000;

fn check_rows(count: u64) -> Result<(), ReadError> {
    if count > MAX_ROWS {
        let message = "it has more than 2,000,000 rows: import it in parts";
        return Err(ReadError::File(message.to_owned()));
    }
    Ok(())
}

/// Validates a mapped product; an error of the mapping takes precedence over the field's rule.
fn validated(
    draft: ProductDraft,
    mut errors: Vec<FieldError>,
    known: &mut KnownCategories,
) -> Result<ImportedProduct, Vec<FieldError>> {
    let is_whole_row = errors.iter().any(|error| error.field.is_empty());
    if is_whole_row {
        return Err(errors);
    }
    match draft.into_imported(known.all()) {
        Ok(product) if errors.is_empty() => {
            known.note(&product);
            Ok(product)
        }
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
