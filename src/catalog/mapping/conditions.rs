//! Prices, currency, sale and stock of a row: what it costs today, and whether it is on sale.

use serde_json::Value;

use super::apply::Mapper;
use super::bound::{Bound, Rules, Taken};
use super::cells::normal;
use super::price::{Prices, discount};
use super::rule::ValueKind;
use super::values::date::{self, Order};
use super::values::{money, words};
use crate::catalog::formats::Columns;
use crate::domain::truncate;

impl Mapper<'_> {
    /// True for the program's own CSV, which says what it means.
    pub(super) fn is_own(&self) -> bool {
        self.mapping.apostrophes
    }

    /// Reads the first amount of a field.
    pub(super) fn amount(
        &self,
        rules: &Rules<'_>,
        bound: &Bound<'_>,
        cells: &[Taken<'_>],
        columns: &Columns,
        prices: &mut Prices,
    ) -> Result<(), String> {
        let mut found = None;
        for (_, rank, value) in cells {
            let column = bound.columns[*rank];
            if let Some(currency) = rules.foreign.get(&column) {
                return Err(format!(
                    "The column “{}” is in {currency}: write prices in rupees.",
                    columns.names()[column]
                ));
            }
            let text = self.text(value);
            let amount = money::parse(&text)?;
            // Exports write 0 for no price.
            let is_none = bound.field != "discount" && amount.value == 0.0 && !self.is_own();
            found = Some((amount, column, text));
            if !is_none {
                break;
            }
        }
        let found = match (&bound.rule.constant, found) {
            (Some(text), None) => Some((money::parse(text)?, usize::MAX, text.clone())),
            (_, found) => found,
        };
        let Some((amount, column, text)) = found else {
            return Ok(());
        };
        match bound.field {
            "price" => {
                let name = columns.names().get(column);
                prices.is_compared = name.is_some_and(|name| normal(name).contains("compareat"));
                prices.list = Some(amount.value);
            }
            "finalPrice" if amount.value != 0.0 || self.is_own() => {
                prices.selling = Some(amount.value);
            }
            "discount" => {
                let kind = self.interpretation.off.get(&column).copied();
                prices.off = Some(discount(amount, kind.unwrap_or_default(), text.trim())?);
            }
            _ => {}
        }
        Ok(())
    }

    /// Refuses a row whose prices are not in rupees.
    pub(super) fn currency(&self, cells: &[Taken<'_>]) -> Result<(), String> {
        for (.., value) in cells {
            let text = self.text(value);
            let text = text.trim();
            match words::currency(text.trim_end_matches('.').to_lowercase().as_str()) {
                Some(words::RUPEES) => {}
                Some(name) => {
                    return Err(format!(
                        "The price is in {name} (“{text}”): write prices in rupees."
                    ));
                }
                None => {
                    return Err(format!(
                        "The currency “{}” is not known: write prices in rupees, and INR.",
                        truncate(text, 20)
                    ));
                }
            }
        }
        Ok(())
    }

    /// Reads from when, or until when, a selling price counts.
    pub(super) fn sale(
        &mut self,
        bound: &Bound<'_>,
        cells: &[Taken<'_>],
        prices: &mut Prices,
    ) -> Result<(), String> {
        let Some((_, rank, value)) = cells.first() else {
            return Ok(());
        };
        let text = self.text(value);
        let is_end = bound.field == "saleEndsAt";
        // Of start/end; 31/12/2026 is one date.
        let interval = text.split_once('/').filter(|(_, end)| end.len() > 7);
        let part = match interval.filter(|_| bound.kind == ValueKind::Until) {
            Some((_, end)) if is_end => end.trim(),
            Some((start, _)) => start.trim(),
            None => text.trim(),
        };
        if words::is_endless(part) || words::is_empty(part) {
            return Ok(());
        }
        let time = date::time(part, is_end, self.order(bound, *rank))?;
        prices.is_over |= if is_end {
            time <= self.now
        } else {
            time > self.now
        };
        if time > self.now {
            self.doubts.sale_changes(time);
        }
        Ok(())
    }

    /// Returns whether a product is on sale; any column may say that it is not.
    pub(super) fn status(
        &self,
        bound: &Bound<'_>,
        cells: &[Taken<'_>],
        columns: &Columns,
    ) -> Result<Option<Value>, String> {
        let mut status = bound.rule.constant.as_deref().filter(|_| cells.is_empty());
        for (_, rank, value) in cells {
            let text = self.text(value);
            let Some(translated) = bound.translated(&text) else {
                continue;
            };
            match words::status(&translated, &columns.names()[bound.columns[*rank]]) {
                Some("draft") => status = Some("draft"),
                Some(live) => status = status.or(Some(live)),
                None if words::is_empty(&text) => {}
                None => {
                    return Err(format!(
                        "“{}” does not say whether it is on sale: write live or draft.",
                        truncate(text.trim(), 40)
                    ));
                }
            }
        }
        Ok(status.map(Value::from))
    }

    pub(super) fn order(&self, bound: &Bound<'_>, rank: usize) -> Order {
        let found = bound.columns.get(rank);
        let found = found.and_then(|column| self.interpretation.orders.get(column).copied());
        bound
            .rule
            .order
            .map(Order::from)
            .or(found)
            .unwrap_or_default()
    }
}
