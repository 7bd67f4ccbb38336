//! Decides from the names of all columns and the first rows which columns a file's products come from.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::bound::Rules;
use super::cells::normal;
use super::choices::Choices;
use super::price::Off;
use super::rule::{DayOrder, ValueKind};
use super::sample::Sample;
use super::values::date::{Order, numeric};
use super::values::money;
use crate::catalog::formats::{Columns, ReadError, Row};

/// Decisions about a file before its rows are read.
#[derive(Debug, Clone, Default)]
pub struct Interpretation {
    /// Order of day and month by column.
    pub(super) orders: HashMap<usize, Order>,
    /// Kind of discounts without a unit, by column.
    pub(super) off: HashMap<usize, Off>,
    /// Ids that different products share.
    pub(super) shared: HashSet<String>,
    /// Columns that were chosen, and those that the owner has to choose.
    pub choices: Choices,
}

impl Interpretation {
    /// Looks at the first rows, and asks for the columns of fields that are not `decided`.
    ///
    /// # Errors
    ///
    /// [`ReadError`] if two columns have the name of one that is needed.
    pub(super) fn read(
        rules: &mut Rules<'_>,
        columns: &Columns,
        rows: &[Row],
        decided: &[&str],
    ) -> Result<Self, ReadError> {
        let sample = Sample::new(columns, rows);
        let mut own = Self::default();
        rules.bind(columns)?;
        for bound in &rules.bound {
            let is_unfit = |at: &usize| sample.is_unfit(bound.field, *at);
            let unfit = bound.columns.iter().copied().filter(is_unfit);
            rules.unfit.extend(unfit.map(|at| (bound.field, at)));
        }
        own.choices = Choices::read(rules, columns, &sample, decided)?;
        own.find_orders(rules, &sample);
        own.find_discounts(rules, &sample);
        own.find_shared_ids(rules, &sample);
        Ok(own)
    }

    /// Finds the order of day and month of each column; one that does not tell has that of the others.
    fn find_orders(&mut self, rules: &Rules<'_>, sample: &Sample<'_>) {
        let mut open = Vec::new();
        let mut known = BTreeSet::new();
        let dates = |it: &ValueKind| [ValueKind::Date, ValueKind::Until].contains(it);
        for bound in rules
            .bound
            .iter()
            .filter(|it| dates(&it.kind) && it.rule.order.is_none())
        {
            for column in &bound.columns {
                let pairs: Vec<_> = sample.texts(*column).filter_map(numeric).collect();
                let day_first = pairs.iter().any(|(first, _)| *first > 12);
                let month_first = pairs.iter().any(|(_, second)| *second > 12);
                match (day_first, month_first) {
                    (true, _) => known.insert((*column, false)),
                    (false, true) => known.insert((*column, true)),
                    (false, false) => {
                        open.push(*column);
                        false
                    }
                };
            }
        }
        let all: BTreeSet<bool> = known.iter().map(|(_, month_first)| *month_first).collect();
        let of = |month_first: bool| {
            if month_first {
                Order::MonthFirst
            } else {
                Order::DayFirst
            }
        };
        let rest = match all.iter().collect::<Vec<_>>()[..] {
            [only] => of(*only),
            _ => Order::Open,
        };
        self.orders.extend(
            known
                .iter()
                .map(|(column, month_first)| (*column, of(*month_first))),
        );
        self.orders
            .extend(open.into_iter().map(|column| (column, rest)));
    }

    /// Finds which discounts are percent, fractions or rupees.
    fn find_discounts(&mut self, rules: &Rules<'_>, sample: &Sample<'_>) {
        for bound in rules.bound.iter().filter(|it| it.field == "discount") {
            for column in &bound.columns {
                let name = &sample.names[*column];
                let letters = normal(name);
                let says = |parts: &[&str]| parts.iter().any(|part| letters.contains(part));
                let amounts = sample
                    .texts(*column)
                    .filter_map(|text| money::parse(text).ok());
                let bare = amounts.filter(|it| it.unit == money::Unit::Bare);
                let bare: Vec<f64> = bare.map(|it| it.value.abs()).collect();
                let off = if name.contains('%') || says(&["percent", "pct"]) {
                    Off::Percent
                } else if money::in_name(name).is_some() || says(&["amount", "saving", "save"]) {
                    Off::Rupees
                } else if bare.iter().any(|value| *value > 100.0) {
                    Off::Open
                } else {
                    Off::Percent
                };
                let is_fraction = bare.iter().all(|value| *value <= 1.0)
                    && bare.iter().any(|value| *value > 0.0 && *value < 1.0);
                let off = if is_fraction && off != Off::Rupees {
                    Off::Fraction
                } else {
                    off
                };
                self.off.insert(*column, off);
            }
        }
    }

    /// Finds ids of products with different titles and links.
    fn find_shared_ids(&mut self, rules: &Rules<'_>, sample: &Sample<'_>) {
        let columns = |field: &str| {
            let bound = rules.bound.iter().find(|it| it.field == field);
            bound.map(|it| it.columns.clone()).unwrap_or_default()
        };
        let [ids, titles, links, sellers] =
            ["externalId", "title", "affiliateLink", "source"].map(columns);
        let mut seen: HashMap<(&str, Option<&str>), (&str, &str)> = HashMap::new();
        for row in 0..sample.rows.len() {
            let text = |columns| sample.first(row, columns);
            let (Some(id), Some(title), Some(link)) = (text(&ids), text(&titles), text(&links))
            else {
                continue;
            };
            let known = *seen.entry((id, text(&sellers))).or_insert((title, link));
            if known.0 != title && known.1 != link {
                self.shared.insert(id.to_owned());
            }
        }
    }

    /// Order of day and month, if dates have one.
    pub fn order(&self) -> Option<DayOrder> {
        let mut orders = self.orders.values();
        orders.find_map(|order| match order {
            Order::DayFirst => Some(DayOrder::Dmy),
            Order::MonthFirst => Some(DayOrder::Mdy),
            Order::Open => None,
        })
    }
}
