//! Rules of a mapping, and the columns that they take.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use serde_json::Value;

use super::cells::{forms, key, normal};
use super::rule::{FieldRule, Mapping, ValueKind, kind_of};
use super::steps;
use super::values::money::in_name;
use super::values::words;
use crate::catalog::formats::{Columns, ReadError, Row};
use crate::domain::CONSTANTS;

/// Values by names in lower case.
pub(super) type Table<'a> = HashMap<String, Option<&'a str>>;

/// Fields of an amount.
pub(super) const AMOUNTS: [&str; 3] = ["price", "finalPrice", "discount"];
/// Rule of the currency, whose columns are recognized.
static CURRENCY: LazyLock<FieldRule> = LazyLock::new(FieldRule::default);

/// A rule with the positions of its columns.
pub(super) struct Bound<'a> {
    pub(super) field: &'a str,
    pub(super) rule: &'a FieldRule,
    pub(super) kind: ValueKind,
    pub(super) table: Table<'a>,
    pub(super) columns: Vec<usize>,
    /// Letters and digits of the names of its columns.
    pub(super) wanted: Vec<String>,
}

impl Bound<'_> {
    /// Translates a text by the table; none if it is to be left out.
    pub(super) fn translated(&self, text: &str) -> Option<String> {
        if self.table.is_empty() {
            return Some(text.to_owned());
        }
        steps(text.len());
        // Not only letters: -1 and 1 differ.
        match self.table.get(&text.trim().to_lowercase()) {
            Some(value) => value.map(str::to_owned),
            None if self.rule.only_table => None,
            None => Some(text.to_owned()),
        }
    }
}

/// Last parts of the names of amounts in objects.
const AMOUNT_PARTS: [&str; 4] = [".value", ".amount", ".text", ".price"];

/// True for the name of a column that has the currency of prices.
fn is_currency(name: &str) -> bool {
    const OTHERS: [&str; 6] = ["shipping", "delivery", "tax", "fee", "exchange", "rate"];
    let name = normal(name);
    ["curr", "ccy"].contains(&name.as_str())
        || name.contains("currency") && !OTHERS.iter().any(|other| name.contains(other))
}

/// Returns the letters and digits of a rule's column names; of pictures also with numbers, as in
/// `image 7` and `image_7_url`.
fn wanted(field: &str, rule: &FieldRule) -> Vec<String> {
    /// Maximum number of names that have numbers.
    const MOST_NUMBERED: usize = 64;
    let mut wanted: Vec<String> = rule.columns.iter().map(|name| normal(name)).collect();
    if field == "images" && rule.split.is_none() && wanted.len() <= MOST_NUMBERED {
        let numbered = |name: &String| {
            let name = name
                .trim_end_matches(|c: char| c.is_ascii_digit())
                .to_owned();
            (0..=CONSTANTS.max_images).flat_map(move |number| {
                let ends = ["", "url", "link", "src"];
                let name = name.clone();
                ends.map(move |end| format!("{name}{number}{end}"))
            })
        };
        let numbered: Vec<String> = wanted.iter().flat_map(numbered).collect();
        wanted.extend(numbered);
    }
    wanted
}

/// A cell, with the position of the rule that takes it and of the column in that rule.
pub(super) type Taken<'a> = (usize, usize, &'a Value);

/// All rules, with an index of columns: neither wide files nor long mappings are searched for each
/// row.
#[derive(Default)]
pub(super) struct Rules<'a> {
    /// The rules, those that take spare columns last.
    pub(super) bound: Vec<Bound<'a>>,
    /// Columns by the forms of their names.
    index: HashMap<String, Vec<usize>>,
    /// Columns of amounts by their names without a currency or the last part.
    amounts: HashMap<String, Vec<usize>>,
    /// Other currencies than rupees in the names of columns.
    pub(super) foreign: HashMap<usize, &'static str>,
    /// Columns that come before those of the rule, by field.
    pub(super) first: HashMap<&'static str, usize>,
    /// Columns whose values do not fit a field.
    pub(super) unfit: HashSet<(&'a str, usize)>,
    /// Rules that take a column, with its position in each.
    uses: Vec<Vec<(usize, usize)>>,
}

impl<'a> Rules<'a> {
    pub(super) fn new(mapping: &'a Mapping) -> Self {
        let bound = |(field, rule): (&'a String, &'a FieldRule)| {
            let mut table = Table::new();
            for (name, value) in &rule.table {
                let name = name.trim().to_lowercase();
                if field == "category" {
                    table.entry(key(&name)).or_insert(value.as_deref());
                }
                table.entry(name).or_insert(value.as_deref());
            }
            Bound {
                field,
                rule,
                kind: rule
                    .kind
                    .or_else(|| kind_of(field))
                    .unwrap_or(ValueKind::Text),
                table,
                columns: Vec::new(),
                wanted: wanted(field, rule),
            }
        };
        let mut bound: Vec<Bound<'a>> = mapping.fields.iter().map(bound).collect();
        if !mapping.apostrophes && !mapping.fields.contains_key("currency") {
            bound.push(Bound {
                field: "currency",
                rule: &CURRENCY,
                kind: ValueKind::Text,
                table: Table::new(),
                columns: Vec::new(),
                wanted: Vec::new(),
            });
        }
        bound.sort_by_key(|bound| bound.rule.spare);
        Self {
            bound,
            ..Self::default()
        }
    }

    /// Finds each rule's columns by name, after columns were added.
    ///
    /// # Errors
    ///
    /// [`ReadError`] if two columns have the name of one that is needed.
    pub(super) fn bind(&mut self, columns: &Columns) -> Result<(), ReadError> {
        let names = columns.names();
        if names.len() == self.uses.len() {
            return Ok(());
        }
        for (at, name) in names.iter().enumerate().skip(self.uses.len()) {
            let [whole, short] = forms(name);
            if let Some((currency, rest)) = in_name(name) {
                self.amounts.entry(normal(&rest)).or_default().push(at);
                if currency != words::RUPEES {
                    self.foreign.insert(at, currency);
                }
            }
            if let Some(rest) = AMOUNT_PARTS.iter().find_map(|part| name.strip_suffix(part)) {
                self.amounts.entry(normal(rest)).or_default().push(at);
            }
            if short != whole {
                self.index.entry(short).or_default().push(at);
            }
            self.index.entry(whole).or_default().push(at);
        }
        self.bind_again(columns)
    }

    /// Finds each rule's columns by name, after it was learned which fit.
    pub(super) fn bind_again(&mut self, columns: &Columns) -> Result<(), ReadError> {
        let names = columns.names();
        self.uses = vec![Vec::new(); names.len()];
        let mut taken = vec![false; names.len()];
        for (position, bound) in self.bound.iter_mut().enumerate() {
            bound.columns.clear();
            let is_amount = AMOUNTS.contains(&bound.field);
            if bound.wanted.is_empty() && bound.field == "currency" {
                let found = names
                    .iter()
                    .enumerate()
                    .filter(|(_, name)| is_currency(name));
                bound.columns.extend(found.map(|(at, _)| at));
                for (rank, at) in bound.columns.iter().enumerate() {
                    self.uses[*at].push((position, rank));
                }
            }
            let first = self.first.get(bound.field).copied();
            let given = first.into_iter().map(|first| vec![first]);
            let found = bound.wanted.iter().map(|wanted| {
                let mut found = self.index.get(wanted).cloned().unwrap_or_default();
                if is_amount && let Some(others) = self.amounts.get(wanted) {
                    let others = others.iter().filter(|at| !found.contains(at));
                    let others: Vec<usize> = others.copied().collect();
                    found.extend(others);
                    // Beside a column in rupees, one in dollars is of no use.
                    if found.iter().any(|at| !self.foreign.contains_key(at)) {
                        found.retain(|at| !self.foreign.contains_key(at));
                    }
                }
                found.retain(|at| !self.unfit.contains(&(bound.field, *at)));
                found
            });
            for found in given.chain(found) {
                let [first, others @ ..] = found.as_slice() else {
                    continue;
                };
                let is_used = |uses: &[Vec<(usize, usize)>], at: usize| {
                    let last = uses[at].last();
                    last.is_some_and(|(rule, _)| *rule == position)
                };
                let is_list = bound.kind == ValueKind::List;
                let is_free = !bound.rule.spare || !taken[*first];
                let first_only = std::iter::once(first).filter(|_| is_free);
                for at in first_only.chain(others.iter().filter(|_| is_list)) {
                    if !is_used(&self.uses, *at) {
                        self.uses[*at].push((position, bound.columns.len()));
                        bound.columns.push(*at);
                    }
                }
                if !is_list && !others.is_empty() && bound.columns.first() == Some(first) {
                    return Err(ReadError::File(format!(
                        "two of its columns are called {}: rename the one that is not the {}",
                        names[*first], bound.field
                    )));
                }
            }
            if let Some(first) = bound.columns.first() {
                taken[*first] = true;
            }
        }
        Ok(())
    }

    /// Returns the cells that the rules take, sorted by rule and by column.
    pub(super) fn cells<'r>(&self, row: &'r Row) -> Vec<Taken<'r>> {
        let mut taken = Vec::with_capacity(row.cells.len());
        for (column, value) in &row.cells {
            let uses = self.uses[*column].iter();
            steps(1 + uses.len());
            taken.extend(uses.map(|(rule, rank)| (*rule, *rank, value)));
        }
        taken.sort_by_key(|(rule, rank, _)| (*rule, *rank));
        taken
    }

    /// Returns the rules that take a column.
    pub(super) fn of_column(&self, column: usize) -> impl Iterator<Item = &Bound<'a>> {
        let uses = self.uses.get(column).into_iter().flatten();
        uses.map(|(rule, _)| &self.bound[*rule])
    }
}
