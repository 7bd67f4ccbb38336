//! Words about a deal, as messages and posts have them.

use jiff::Timestamp;
use url::Url;

use super::markup::{Markup, Tag};
use crate::domain::{Paise, Product, rupees, short_rupees, time_in_india};

/// Words about a deal as its seller's rules let it be shown; empty where there is nothing to say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DealWords {
    /// Title.
    pub title: String,
    /// Price, unless the seller's rules hide it or the deal is over.
    pub price: Option<Paise>,
    /// Time of the price, if the seller's rules require it, like `22 Nov, 14:05`.
    pub as_of: String,
    /// Higher list price, with the discount in whole percent.
    pub list: Option<(Paise, i64)>,
    /// Price with the best offers, like `₹1,079 with code`.
    pub effective: String,
    /// Short phrase about a price that is lower than before, like `Lowest in 90 days`.
    pub verdict: String,
    /// The same as a sentence.
    pub sentence: String,
    /// Codes of open offers.
    pub codes: Vec<String>,
    /// End, like `Ends today 23:59`.
    pub end: String,
    /// Seller.
    pub seller: String,
    /// Address of the deal's page.
    pub link: String,
}

impl DealWords {
    /// Returns the words about a product to which the sellers' rules are applied.
    pub fn of(product: &Product, page: &Url, now: Timestamp) -> Self {
        let details = &product.details;
        // No style of a messenger goes on in the next line.
        let title: Vec<&str> = details.title.split_whitespace().collect();
        let words = Self {
            title: title.join(" "),
            seller: details.source.clone(),
            link: page.to_string(),
            ..Self::default()
        };
        let shown = product.shown.as_deref();
        let own = details.offers.iter();
        let of_seller = product.seller_offers.iter().map(|it| &it.offer.offer);
        let open = own.chain(of_seller).filter(|offer| offer.is_open(now));
        let mut codes: Vec<String> = Vec::new();
        for code in open.map(|offer| &offer.code) {
            if !code.is_empty() && !codes.contains(code) {
                codes.push(code.clone());
            }
        }
        let later = details.lifetime.ends_at.filter(|end| *end > now);
        let words = Self {
            codes,
            end: shown
                .and_then(|shown| shown.ends.clone())
                .or_else(|| later.map(|end| format!("Ends {}", time_in_india(end))))
                .unwrap_or_default(),
            ..words
        };
        if !product.offers_price() {
            return words;
        }
        let verdict = product.verdict.as_ref();
        let cheaper = verdict.filter(|verdict| verdict.kind.is_cheaper());
        let is_reduced = details.final_price < details.price;
        Self {
            price: Some(details.final_price),
            as_of: product.price_as_of().map(time_in_india).unwrap_or_default(),
            list: is_reduced.then(|| (details.price, details.discount.whole_percent())),
            effective: shown
                .and_then(|shown| shown.effective.clone())
                .unwrap_or_default(),
            verdict: cheaper.map(|it| it.words.clone()).unwrap_or_default(),
            sentence: cheaper.map(|it| it.sentence.clone()).unwrap_or_default(),
            ..words
        }
    }

    /// Writes a message for somebody who sends it on.
    pub fn message(&self, markup: Markup) -> String {
        let mut lines = vec![markup.styled(Tag::Bold, &self.title)];
        lines.extend(self.price.map(|price| self.priced(price, markup)));
        let more = [&self.effective, &self.sentence];
        lines.extend(more.into_iter().filter(|it| !it.is_empty()).cloned());
        let codes = self.codes.iter();
        lines.extend(codes.map(|code| format!("Code: {}", markup.styled(Tag::Code, code))));
        lines.extend(Some(self.end.clone()).filter(|end| !end.is_empty()));
        let seller = markup.escape(&self.seller, false);
        lines.push(format!("{seller}: {}", markup.link(&self.link)));
        lines.retain(|line| !line.is_empty());
        lines.join("\n")
    }

    /// Writes the price, like `₹2,574.00 ~₹4,000.00~ (−36%)`.
    fn priced(&self, price: Paise, markup: Markup) -> String {
        let mut words = rupees(price);
        if let Some((list, percent)) = self.list {
            let list = short_rupees(list);
            words += &match markup {
                Markup::None => format!(" instead of {list} (−{percent}%)"),
                _ => format!(" {} (−{percent}%)", markup.styled(Tag::Struck, &list)),
            };
        }
        if !self.as_of.is_empty() {
            words += &format!(", as of {}", self.as_of);
        }
        words
    }
}
