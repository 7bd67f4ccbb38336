//! Chooses the columns of links and prices, or asks the owner.

use super::bound::Rules;
use super::cells::normal;
use super::sample::Sample;
use super::values::money;
use crate::catalog::formats::{Columns, ReadError};

/// Names of links that earn a commission, as parts of the names of columns.
const COMMISSION: [&str; 14] = [
    "aff",
    "deep",
    "track",
    "commission",
    "refer",
    "partner",
    "redirect",
    "deal",
    "click",
    "monetiz",
    "promo",
    "earn",
    "campaign",
    "awin",
];
/// Parts of the names of columns whose addresses are not the product's.
const NOT_THE_PRODUCT: [&str; 22] = [
    "image", "img", "photo", "picture", "thumb", "logo", "video", "brand", "merchant", "seller",
    "store", "shop", "review", "rating", "categor", "manual", "pdf", "icon", "site", "parent",
    "banner", "feed",
];

/// Parts of the names of columns whose amounts are not what a visitor pays.
const NO_PRICE: [&str; 12] = [
    "sav", "ship", "deliver", "tax", "gst", "emi", "cost", "fee", "cashback", "stock", "weight",
    "rating",
];
/// Smallest share of the list price that may be a selling price.
const LEAST_SHARE: f64 = 0.05;

/// Columns of which each could give a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The field.
    pub field: &'static str,
    /// Names of the columns.
    pub columns: Vec<String>,
}

/// Columns chosen by their neighbours, and columns that the owner has to choose.
#[derive(Debug, Clone, Default)]
pub struct Choices {
    /// Reasons why a column gives a field, by field.
    pub reasons: Vec<(&'static str, String)>,
    /// Fields with several columns, of which the owner has to choose.
    pub questions: Vec<Question>,
    /// Sentence about a column that may be meant for a field and is not used.
    pub(super) doubt: Option<String>,
}

impl Choices {
    /// Chooses columns, and asks for those of fields that are not `decided`.
    ///
    /// # Errors
    ///
    /// [`ReadError`] if two columns have the name of one that is needed.
    pub(super) fn read(
        rules: &mut Rules<'_>,
        columns: &Columns,
        sample: &Sample<'_>,
        decided: &[&str],
    ) -> Result<Self, ReadError> {
        let mut own = Self::default();
        if !decided.contains(&"affiliateLink") {
            own.choose_link(rules, sample);
        }
        own.choose_prices(rules, sample, decided);
        rules.bind_again(columns)?;
        own.find_unused_price(rules, sample);
        Ok(own)
    }

    /// Takes the link that earns a commission, or asks which of two does.
    fn choose_link(&mut self, rules: &mut Rules<'_>, sample: &Sample<'_>) {
        let Some(link) = rules.bound.iter().find(|it| it.field == "affiliateLink") else {
            return;
        };
        let is_other = |name: &str| NOT_THE_PRODUCT.iter().any(|part| name.contains(part));
        let is_spare =
            |at: usize| !link.columns.contains(&at) && rules.of_column(at).next().is_none();
        let candidates = (0..sample.names.len()).filter(|at| {
            let name = normal(&sample.names[*at]);
            sample.has_links(*at)
                && (link.columns.contains(at) || is_spare(*at) && !is_other(&name))
        });
        let candidates: Vec<usize> = candidates.collect();
        let earns = |at: &usize| {
            let name = normal(&sample.names[*at]);
            COMMISSION.iter().any(|part| name.contains(part)) && !is_other(&name)
        };
        let (earning, plain): (Vec<usize>, Vec<usize>) =
            candidates.iter().partition(|at| earns(at));
        let is_same = |one: &str, other: &str| one == other;
        let differ = |one: &usize, other: &usize| sample.differ(*one, *other, is_same);
        match (&earning[..], &plain[..]) {
            ([first, others @ ..], plain) => {
                let others: Vec<usize> = others
                    .iter()
                    .copied()
                    .filter(|at| differ(first, at))
                    .collect();
                if !others.is_empty() {
                    self.ask("affiliateLink", *first, &others, sample);
                } else if !plain.is_empty() {
                    self.reasons.push((
                        "affiliateLink",
                        "its name says that it earns a commission".to_owned(),
                    ));
                }
                rules.first.insert("affiliateLink", *first);
            }
            ([], [first, others @ ..]) => {
                let own = sample.hosts(*first);
                let others: Vec<usize> = others
                    .iter()
                    .copied()
                    .filter(|at| differ(first, at))
                    .filter(|at| link.columns.contains(at) || sample.hosts(*at) != own)
                    .collect();
                // Of links to one shop and to another host, the other one earns.
                let shop_like = |at: &usize| link.columns.contains(at);
                if !others.is_empty() && shop_like(first) | others.iter().any(shop_like) {
                    self.ask("affiliateLink", *first, &others, sample);
                }
            }
            _ => {}
        }
    }

    /// Asks which of two columns has the price, unless they say the same.
    fn choose_prices(&mut self, rules: &Rules<'_>, sample: &Sample<'_>, decided: &[&str]) {
        let prices = |field: &str| rules.bound.iter().find(move |it| it.field == field);
        let (Some(list), Some(selling)) = (prices("price"), prices("finalPrice")) else {
            return;
        };
        let is_same = |one: &str, other: &str| {
            let value = |text: &str| money::parse(text).map(|it| it.value);
            one == other || value(one) == value(other)
        };
        for (field, bound, other) in [("price", list, selling), ("finalPrice", selling, list)] {
            // A column called Price is either, depending on its neighbours.
            let is_either = |at: &usize| {
                let name = normal(&sample.names[*at]);
                other.wanted.contains(&name) && bound.wanted.contains(&name)
            };
            let own: Vec<usize> = bound
                .columns
                .iter()
                .copied()
                .filter(|at| !is_either(at))
                .collect();
            let [first, others @ ..] = &own[..] else {
                continue;
            };
            let others = others.iter().copied();
            let others: Vec<usize> = others
                .filter(|at| sample.differ(*first, *at, is_same))
                .collect();
            if !others.is_empty() && !decided.contains(&field) {
                self.ask(field, *first, &others, sample);
            }
        }
    }

    fn ask(&mut self, field: &'static str, first: usize, others: &[usize], sample: &Sample<'_>) {
        let columns = std::iter::once(&first).chain(others);
        self.questions.push(Question {
            field,
            columns: columns.map(|at| sample.names[*at].clone()).collect(),
        });
    }

    /// Finds a column that may be the selling price, if no other is: amounts below the list prices.
    fn find_unused_price(&mut self, rules: &Rules<'_>, sample: &Sample<'_>) {
        let columns = |field: &str| {
            let bound = rules.bound.iter().find(|it| it.field == field);
            bound.map(|it| &it.columns[..]).unwrap_or_default()
        };
        let (list, spoken_for) = (columns("price"), ["finalPrice", "discount"].map(columns));
        let amount = |text: &str| money::parse(text).ok().map(|it| it.value);
        let is_price = |at: &usize| {
            let name = normal(&sample.names[*at]);
            let pairs = sample.columns[*at].iter().filter_map(|(row, text)| {
                let list = amount(sample.first(*row, list)?)?;
                Some(amount(text).map_or(f64::NAN, |value| value / list))
            });
            let shares: Vec<f64> = pairs.collect();
            shares.iter().any(|share| *share < 1.0)
                && shares
                    .iter()
                    .all(|share| (LEAST_SHARE..=1.0).contains(share))
                && !NO_PRICE.iter().any(|part| name.contains(part))
        };
        if spoken_for.iter().any(|columns| !columns.is_empty()) {
            return;
        }
        let mut unused = (0..sample.names.len()).filter(|at| rules.of_column(*at).next().is_none());
        self.doubt = unused.find(is_price).map(|at| {
            let name = &sample.names[at];
            format!(
                "The column “{name}” has amounts below the price and is not used: if it has the \
                 selling prices, choose it as final price (--column finalPrice=\"{name}\")."
            )
        });
    }
}
