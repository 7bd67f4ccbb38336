//! Makes products of rows by a mapping.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::bound::{Bound, Rules, Taken};
use super::cells::{addresses, is_marked, is_rounded, tags, whole};
use super::doubts::Doubts;
use super::interpretation::Interpretation;
use super::known::KnownCategories;
use super::price::Prices;
use super::rule::{Mapping, ValueKind};
use super::values::{date, money, rating, words};
use super::{html, steps};
use crate::catalog::formats::{Columns, MAX_CELL, ReadError, Row};
use crate::domain::{
    CONSTANTS, EXTERNAL_ID, FieldError, LinkRules, MAX_EXTERNAL_ID, ProductDraft, group_digits,
    is_web_address, truncate,
};

/// Fields that an empty cell clears.
const CLEARED: [&str; 4] = ["startsAt", "endsAt", "offers", "tags"];
/// Maximum number of categories without a counterpart that are counted by name, and of characters
/// of their names.
const MOST_CATEGORIES: usize = 500;
const LONGEST_CATEGORY: usize = 200;

/// Values for all products of a file.
#[derive(Debug, Clone, Default)]
pub struct Defaults {
    /// Seller's name if the file has none.
    pub source: Option<String>,
    /// Category if the file has none, or one without a counterpart.
    pub category: Option<String>,
    /// Rules of links, by which a link names its seller if nothing else does.
    pub links: LinkRules,
}

/// A mapping applied to the columns of a file.
pub struct Mapper<'a> {
    pub(super) mapping: &'a Mapping,
    pub(super) defaults: &'a Defaults,
    pub(crate) categories: KnownCategories,
    pub(super) rules: Rules<'a>,
    pub(super) interpretation: Interpretation,
    pub(super) doubts: Doubts,
    /// True if a link of the first rows names its seller.
    pub(super) has_seller_links: bool,
    unknown: BTreeMap<String, u64>,
    rows: u64,
    pub(super) now: Timestamp,
}

/// A product before validation, and the errors of its values.
pub(in crate::catalog) type Mapped = (ProductDraft, Vec<FieldError>);

impl<'a> Mapper<'a> {
    /// Makes a mapper; columns are bound with the first row.
    pub fn new(mapping: &'a Mapping, defaults: &'a Defaults, categories: KnownCategories) -> Self {
        Self {
            mapping,
            defaults,
            categories,
            rules: Rules::new(mapping),
            interpretation: Interpretation::default(),
            doubts: Doubts::default(),
            has_seller_links: false,
            unknown: BTreeMap::new(),
            rows: 0,
            now: Timestamp::now(),
        }
    }

    /// Decides from the first rows which columns are used, and how; without it, by their names alone.
    /// Asks for the columns of fields that are not `decided`.
    ///
    /// # Errors
    ///
    /// [`ReadError`] about the whole file.
    pub fn interpret(
        &mut self,
        columns: &Columns,
        rows: &[Row],
        decided: &[&str],
    ) -> Result<(), ReadError> {
        let rules = &mut self.rules;
        self.interpretation = Interpretation::read(rules, columns, rows, decided)?;
        self.find_seller_links(rows);
        Ok(())
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
        self.rules.bind(columns)?;
        if self.rows == 0 && columns.is_complete() && self.is_own() && is_strict {
            self.find_seller_links(std::slice::from_ref(row));
            self.check_header(columns)?;
        }
        self.rows += 1;
        if let Some(problem) = &row.problem {
            return Ok(refuse(problem.clone()));
        }
        if let Some(problem) = self.too_long(columns, row) {
            return Ok(refuse(problem));
        }
        if self.repeats_header(columns, row) {
            return Ok(refuse("The row repeats the header: delete it.".to_owned()));
        }
        let mut fields = Map::new();
        let mut errors = Vec::new();
        let mut prices = Prices::default();
        let rules = std::mem::take(&mut self.rules);
        let mut taken = rules.cells(row);
        if !self.is_own() {
            taken.retain(|(rule, _, value)| {
                ["title", "status"].contains(&rules.bound[*rule].field)
                    || !value.as_str().is_some_and(words::is_empty)
            });
        }
        let mut rest = taken.as_slice();
        for (at, rule) in rules.bound.iter().enumerate() {
            let (cells, others) = rest.split_at(rest.partition_point(|(of, ..)| *of == at));
            rest = others;
            let value = match rule.field {
                "price" | "finalPrice" | "discount" => self
                    .amount(&rules, rule, cells, columns, &mut prices)
                    .map(|()| None),
                "currency" => self.currency(cells).map(|()| None),
                "saleStartsAt" | "saleEndsAt" => self.sale(rule, cells, &mut prices).map(|()| None),
                "status" if !self.is_own() => self.status(rule, cells, columns),
                _ => self.value(rule, cells, row.number),
            };
            match value {
                Ok(Some(value)) => {
                    fields.insert(rule.field.to_owned(), value);
                }
                Ok(None) if CLEARED.contains(&rule.field) && !rule.columns.is_empty() => {
                    fields.insert(rule.field.to_owned(), Value::Null);
                }
                Ok(None) => {}
                Err(message) => errors.push(FieldError::new(field_of(rule.field), message)),
            }
        }
        self.rules = rules;
        prices.fill(&mut fields, &mut errors);
        self.fill(&mut fields, &mut errors, row.number);
        let link = fields.get("affiliateLink").and_then(Value::as_str);
        let is_heading = errors.iter().any(|error| error.field == "price")
            && link.is_some_and(|link| !is_web_address(link));
        if self.rows == 1 && columns.is_complete() && is_heading {
            let problem = "The row looks like a second header: delete one of the two.";
            return Ok(refuse(problem.to_owned()));
        }
        Ok((ProductDraft::from_fields(fields), errors))
    }

    /// Returns the names of the columns of each field, the first one first.
    pub fn sources(&self, names: &[String]) -> Vec<(String, Vec<String>)> {
        let bound = self.rules.bound.iter().filter(|it| !it.columns.is_empty());
        let of = |it: &Bound<'_>| it.columns.iter().map(|at| names[*at].clone()).collect();
        bound.map(|it| (it.field.to_owned(), of(it))).collect()
    }

    /// Decisions before the first row.
    pub fn interpretation(&self) -> &Interpretation {
        &self.interpretation
    }

    /// Returns sentences about omitted values.
    pub fn doubts(&self) -> Vec<String> {
        let own = self.interpretation.choices.doubt.clone();
        own.into_iter().chain(self.doubts.sentences()).collect()
    }

    /// Returns the value of a field; none if the row has none.
    fn value(
        &mut self,
        bound: &Bound<'_>,
        cells: &[Taken<'_>],
        number: u64,
    ) -> Result<Option<Value>, String> {
        let rule = bound.rule;
        if bound.kind == ValueKind::List {
            return Ok(self.list(bound, cells));
        }
        let rank = cells.first().map_or(usize::MAX, |(_, rank, _)| *rank);
        let text = match (cells.first(), &rule.constant) {
            (Some((.., value)), _) => self.text(value),
            (None, Some(text)) => text.clone(),
            (None, None) => return Ok(None),
        };
        if bound.field == "category" {
            return self.category(bound, &text);
        }
        let Some(text) = bound.translated(&text) else {
            return Ok(None);
        };
        let order = self.order(bound, rank);
        let is_end = bound.field == "endsAt";
        match bound.field {
            "averageRating" | "totalRatings" if !self.is_own() => {
                let is_stars = bound.field == "averageRating";
                let read = if is_stars {
                    rating::stars
                } else {
                    rating::count
                };
                let value = read(&text);
                if value.is_none() {
                    self.doubts.rating(number, &text);
                }
                return Ok(value.map(whole));
            }
            // Handles may be longer; the link identifies the product then.
            EXTERNAL_ID if text.chars().count() > MAX_EXTERNAL_ID => return Ok(None),
            EXTERNAL_ID
                if self.interpretation.shared.contains(text.trim()) || is_rounded(&text) =>
            {
                self.doubts.id(number, &text);
                return Ok(None);
            }
            "startsAt" | "endsAt" if words::is_endless(&text) && !self.is_own() => return Ok(None),
            _ => {}
        }
        Ok(Some(match bound.kind {
            ValueKind::Text | ValueKind::List => {
                let prefix = rule.prefix.as_deref().unwrap_or_default();
                format!("{prefix}{}", text.trim()).into()
            }
            ValueKind::Html => html::to_text(&text).into(),
            ValueKind::Number => whole(money::parse(&text)?.value),
            ValueKind::Plain => whole(money::parse_plain(&text)?),
            ValueKind::Date => date::parse(&text, is_end, order)?.into(),
            ValueKind::Until => {
                let end = text.rsplit('/').next().unwrap_or_default();
                date::parse(end, true, order)?.into()
            }
            ValueKind::Json => {
                let values = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
                let values: Result<Vec<Value>, _> = values.collect();
                let values =
                    values.map_err(|_| format!("“{}” is not JSON.", truncate(&text, 40)))?;
                match &values[..] {
                    [Value::Array(_)] => values.into_iter().next().unwrap_or_default(),
                    _ => values.into(),
                }
            }
        }))
    }

    pub(super) fn text(&self, value: &Value) -> String {
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

    fn category(&mut self, bound: &Bound<'_>, text: &str) -> Result<Option<Value>, String> {
        let message = match self.categories.counterpart(&bound.table, text) {
            Ok(found) => return Ok(Some(found.into())),
            Err(message) => message,
        };
        let name = truncate(text.trim(), LONGEST_CATEGORY);
        let is_counted = self.unknown.contains_key(&name);
        if is_counted || self.unknown.len() < MOST_CATEGORIES {
            *self.unknown.entry(name.clone()).or_default() += 1;
        }
        if self.defaults.category.is_some() {
            return Ok(None);
        }
        Err(message)
    }

    /// Returns the texts of all columns, at most as many as a product may have pictures.
    fn list(&self, bound: &Bound<'_>, cells: &[Taken<'_>]) -> Option<Value> {
        let mut texts: Vec<String> = Vec::new();
        let most = match bound.field {
            "tags" if !self.is_own() => CONSTANTS.max_tags,
            _ => CONSTANTS.max_images,
        };
        let mut add = |part: &str, is_repeated: bool| {
            steps(part.len() * texts.len().max(1));
            if !part.is_empty() && (is_repeated || !texts.iter().any(|known| known == part)) {
                texts.push(part.to_owned());
            }
            texts.len() < most
        };
        for (_, _, value) in cells {
            let text = self.text(value);
            let is_open = match &bound.rule.split {
                Some(separator) => {
                    let mut parts = text.split(separator.as_str());
                    parts.all(|part| add(part.trim(), true))
                }
                None if bound.field == "tags" => {
                    let tags = tags(&text, self.is_own());
                    tags.iter().all(|tag| add(tag, false))
                }
                None => addresses(&text).iter().all(|part| add(part, false)),
            };
            if !is_open {
                break;
            }
        }
        if texts.is_empty() {
            texts.extend(bound.rule.constant.clone());
        }
        (!texts.is_empty()).then(|| json!(texts))
    }

    /// Returns the problem of a cell that is too long to be mapped.
    fn too_long(&self, columns: &Columns, row: &Row) -> Option<String> {
        row.cells.iter().find_map(|(column, value)| {
            let text = value.as_str().filter(|text| text.len() > MAX_CELL)?;
            let mut rules = self.rules.of_column(*column);
            let is_list = rules.any(|rule| rule.kind == ValueKind::List);
            let most = if is_list {
                MAX_CELL.max(CONSTANTS.max_images * (CONSTANTS.max_url + 2))
            } else {
                MAX_CELL
            };
            (text.chars().count() > most).then(|| {
                format!(
                    "The column “{}” has more than {} characters here: shorten it.",
                    columns.names()[*column],
                    group_digits(i64::try_from(most).unwrap_or(i64::MAX))
                )
            })
        })
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
        let using = self.rules.of_column(column);
        using.map(|bound| bound.field.to_owned()).collect()
    }

    /// Number of rows by category without a counterpart.
    pub fn unknown_categories(&self) -> &BTreeMap<String, u64> {
        &self.unknown
    }
}

/// Returns the field that a problem is said of.
fn field_of(field: &str) -> &str {
    match field {
        "currency" => "price",
        "saleStartsAt" | "saleEndsAt" => "finalPrice",
        field => field,
    }
}

fn refuse(problem: String) -> Mapped {
    (ProductDraft::default(), vec![FieldError::new("", problem)])
}
