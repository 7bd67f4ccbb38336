//! Coupons and bank offers, and the price with the best of them.

mod seller;
mod wire;

use jiff::{SignedDuration, Timestamp};

pub use self::seller::{SellerOffer, StoredSellerOffer};
use super::money::{Discount, Paise, short_rupees};
use crate::domain::date_in_india;
use crate::domain::enums::named;

named! {
    /// Kind of offer.
    OfferKind {
        /// Code to enter at the seller.
        Coupon = "coupon";
        /// Bank card discount.
        Bank = "bank";
        /// Trade-in.
        Exchange = "exchange";
        /// Refund after the purchase.
        Cashback = "cashback";
        /// Monthly instalments.
        Emi = "emi";
        Other = "other";
    }
}

impl OfferKind {
    /// Display label.
    fn label(self) -> &'static str {
        match self {
            Self::Coupon => "Coupon",
            Self::Bank => "Bank offer",
            Self::Exchange => "Exchange",
            Self::Cashback => "Cashback",
            Self::Emi => "EMI",
            Self::Other => "Offer",
        }
    }
}

/// Reduction by an offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Saving {
    /// A percentage with an optional cap.
    Share(Discount, Option<Paise>),
    /// A fixed amount.
    Amount(Paise),
}

/// A validated coupon or other offer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Offer {
    pub kind: OfferKind,
    /// Coupon code, at most 40 characters without spaces; may be empty.
    pub code: String,
    /// Condition, like `HDFC card`, at most 200 characters.
    pub text: String,
    pub saving: Option<Saving>,
    pub min_order: Option<Paise>,
    /// True if deducted at checkout.
    pub instant: bool,
    pub ends_at: Option<Timestamp>,
}

/// Description of an offer in parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferParts {
    /// Kind of the offer, or whose it is, like `HDFC card` or `Coupon`.
    pub title: String,
    /// The saving, like `10% off up to ₹1,500`.
    pub off: Option<String>,
    /// Its conditions, like `Orders from ₹3,000: add ₹426`; may be empty.
    pub condition: String,
    /// True if the deal costs less than the minimum order.
    pub is_too_small: bool,
}

/// Price with the best offers, and their conditions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EffectivePrice {
    /// Price after the offers.
    pub price: Paise,
    /// Coupon code, if used.
    pub code: Option<String>,
    /// Text of the bank offer, if used.
    pub bank: Option<String>,
}

impl EffectivePrice {
    /// Summary, like `₹1,079 with code and HDFC card`, with the day of the last check of the offers if that
    /// is old.
    pub fn summary(&self, checked_at: Option<Timestamp>, now: Timestamp) -> String {
        let code = self.code.as_ref().map(|_| "code");
        let needs: Vec<&str> = code.into_iter().chain(self.bank.as_deref()).collect();
        let words = format!("{} with {}", short_rupees(self.price), needs.join(" and "));
        match checked_at.filter(|at| now.duration_since(*at) > OLD_CHECK) {
            Some(at) => format!("{words}, as of {}", date_in_india(at)),
            None => words,
        }
    }
}

impl Offer {
    /// True if it has not ended.
    pub fn is_open(&self, now: Timestamp) -> bool {
        self.ends_at.is_none_or(|end| end > now)
    }

    /// Returns the reduced price; `None` without a reduction.
    fn reduced_price(&self, price: Paise) -> Option<Paise> {
        if self.min_order.is_some_and(|least| price < least) {
            return None;
        }
        let off = match self.saving? {
            Saving::Amount(amount) => amount.get(),
            Saving::Share(share, cap) => {
                let off = price.get() - price.after(share).get();
                cap.map_or(off, |cap| off.min(cap.get()))
            }
        };
        let rest = Paise::new((price.get() - off).max(0))?;
        (rest < price).then_some(rest)
    }

    /// Description for a deal of this price, which may be too low for the offer.
    pub fn summary_for(&self, price: Paise) -> String {
        let missing = self.min_order.filter(|least| price < *least);
        let missing = missing.and_then(|least| Paise::new(least.get() - price.get()));
        match missing {
            Some(missing) => format!(
                "{} ({} more than this deal)",
                self.summary(),
                short_rupees(missing)
            ),
            None => self.summary(),
        }
    }

    /// Returns the parts of its description for a deal of this price, for a screen.
    pub fn parts_for(&self, price: Paise) -> OfferParts {
        let is_named = self.kind == OfferKind::Bank && !self.text.is_empty();
        let (title, text) = if is_named {
            (self.text.as_str(), "")
        } else {
            (self.kind.label(), self.text.as_str())
        };
        let missing = self.min_order.filter(|least| price < *least);
        let order = self.min_order.map(|least| {
            let least_words = short_rupees(least);
            match Paise::new(least.get() - price.get()).filter(|_| missing.is_some()) {
                Some(more) => format!("Orders from {least_words}: add {}", short_rupees(more)),
                None => format!("Orders from {least_words}"),
            }
        });
        let text = Some(text.to_owned()).filter(|text| !text.is_empty());
        OfferParts {
            title: title.to_owned(),
            off: self.off(),
            condition: text
                .into_iter()
                .chain(order)
                .collect::<Vec<_>>()
                .join(" · "),
            is_too_small: missing.is_some(),
        }
    }

    /// Describes the saving, like `10% off up to ₹1,500`.
    fn off(&self) -> Option<String> {
        Some(match self.saving? {
            Saving::Share(share, None) => format!("{}% off", share.percent()),
            Saving::Share(share, Some(cap)) => {
                format!("{}% off up to {}", share.percent(), short_rupees(cap))
            }
            Saving::Amount(amount) => format!("{} off", short_rupees(amount)),
        })
    }

    /// Description, like `Bank offer: 10% off up to ₹1,500 from ₹5,000, HDFC card`.
    pub fn summary(&self) -> String {
        let mut words = format!("{}:", self.kind.label());
        if let Some(off) = self.off() {
            words += &format!(" {off}");
        }
        if let Some(least) = self.min_order {
            words += &format!(" from {}", short_rupees(least));
        }
        if !self.text.is_empty() {
            let comma = if self.saving.is_some() || self.min_order.is_some() {
                ","
            } else {
                ""
            };
            words += &format!("{comma} {}", self.text);
        }
        words
    }
}

/// Age of a check of offers from which a price with them is shown with its date.
const OLD_CHECK: SignedDuration = SignedDuration::from_hours(14 * 24);

/// Returns the price after the best coupon and then the best instant bank offer; `None` if neither
/// applies. Cashback and exchange offers are not deducted.
pub fn effective_price<'a>(
    price: Paise,
    offers: impl Iterator<Item = &'a Offer> + Clone,
    now: Timestamp,
) -> Option<EffectivePrice> {
    let open = offers.filter(|offer| offer.is_open(now));
    let best = |kind, price| {
        let of_kind = open
            .clone()
            .filter(|offer| offer.kind == kind && (offer.instant || kind == OfferKind::Coupon));
        let rests = of_kind.filter_map(|offer| Some((offer.reduced_price(price)?, offer)));
        rests.min_by_key(|(rest, _)| *rest)
    };
    let coupon = best(OfferKind::Coupon, price);
    let left = coupon.map_or(price, |(rest, _)| rest);
    let bank = best(OfferKind::Bank, left);
    let price = bank.map_or(left, |(rest, _)| rest);
    (coupon.is_some() || bank.is_some()).then(|| EffectivePrice {
        price,
        code: coupon.map(|(_, offer)| offer.code.clone()),
        bank: bank.map(|(_, offer)| offer.text.clone()),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn now() -> Timestamp {
        "2026-11-22T06:30:00Z".parse().unwrap()
    }

    fn check(rupees: f64, offers: &Value, words: &str) {
        let values = offers.as_array().unwrap().iter().cloned();
        let read: Vec<Offer> = values.map(|it| Offer::read(it).unwrap()).collect();
        let price = Paise::from_rupees(rupees).unwrap();
        let found = effective_price(price, read.iter(), now())
            .map_or("-".to_owned(), |it| it.summary(None, now()));
        assert_eq!(found, words, "{rupees} {offers}");
    }

    fn coupon(code: &str, percent: f64) -> Value {
        json!({"kind": "coupon", "code": code, "percent": percent})
    }

    fn off(code: &str, amount: f64) -> Value {
        json!({"kind": "coupon", "code": code, "amount": amount})
    }

    fn bank(text: &str) -> Value {
        json!({"kind": "bank", "text": text, "percent": 10, "instant": true})
    }

    fn with(mut offer: Value, name: &str, value: impl Into<Value>) -> Value {
        offer[name] = value.into();
        offer
    }

    #[test]
    fn the_best_coupon_and_the_best_bank_offer_are_deducted() {
        let hdfc = || bank("HDFC card");
        let icici = with(bank("ICICI card"), "percent", 12);
        check(1199.0, &json!([]), "-");
        check(1199.0, &json!([coupon("A", 10.0)]), "₹1,079.10 with code");
        check(1000.0, &json!([hdfc()]), "₹900 with HDFC card");
        check(1000.0, &json!([hdfc(), icici]), "₹880 with ICICI card");
        let both = json!([coupon("A", 10.0), hdfc()]);
        check(1000.0, &both, "₹810 with code and HDFC card");
        let coupons = json!([coupon("A", 10.0), coupon("B", 15.0)]);
        check(1000.0, &coupons, "₹850 with code");
        let coupons = json!([coupon("A", 10.0), off("B", 120.0)]);
        check(1000.0, &coupons, "₹880 with code");
        check(5000.0, &coupons, "₹4,500 with code");
    }

    #[test]
    fn a_price_is_reduced_to_the_paisa_and_not_below_zero() {
        check(999.99, &json!([coupon("A", 33.33)]), "₹666.69 with code");
        check(
            109_900.0,
            &json!([off("A", 0.01)]),
            "₹1,09,899.99 with code",
        );
        check(1000.0, &json!([off("ALL", 5000.0)]), "₹0 with code");
        let all = json!([coupon("ALL", 100.0), bank("HDFC card")]);
        check(1000.0, &all, "₹0 with code");
        check(0.0, &json!([coupon("A", 10.0)]), "-");
        check(0.01, &json!([coupon("A", 10.0)]), "-");
    }

    #[test]
    fn caps_least_orders_and_ends_limit_an_offer() {
        let bank = with(bank("HDFC card"), "minOrder", 5000);
        let capped = json!([with(bank.clone(), "cap", 1500)]);
        check(20000.0, &capped, "₹18,500 with HDFC card");
        check(12000.0, &capped, "₹10,800 with HDFC card");
        check(5000.0, &capped, "₹4,500 with HDFC card");
        check(4999.99, &capped, "-");
        // The coupon takes the price below the bank's least order.
        check(
            5200.0,
            &json!([off("LESS", 300.0), bank]),
            "₹4,900 with code",
        );
        let half = || coupon("A", 50.0);
        check(1000.0, &json!([with(half(), "cap", 100)]), "₹900 with code");
        let other = json!([with(half(), "minOrder", 2000), coupon("B", 5.0)]);
        check(1000.0, &other, "₹950 with code");
        let until = |end: &str| json!([with(half(), "endsAt", end)]);
        check(1000.0, &until("2026-11-22T06:30:00Z"), "-");
        check(1000.0, &until("2026-11-22T06:30:00.001Z"), "₹500 with code");
    }

    #[test]
    fn offers_not_deducted_at_checkout_do_not_lower_the_price() {
        for (kind, saving) in [
            ("cashback", "percent"),
            ("exchange", "amount"),
            ("other", "amount"),
        ] {
            let offer = json!({"kind": kind, "text": "wallet", saving: 10, "instant": true});
            check(1000.0, &json!([offer]), "-");
        }
        check(
            1000.0,
            &json!([with(bank("HDFC card"), "instant", false)]),
            "-",
        );
        check(
            1000.0,
            &json!([{"kind": "emi", "text": "no cost", "instant": true}]),
            "-",
        );
        check(
            1000.0,
            &json!([{"kind": "coupon", "code": "GIFT", "text": "a free cable"}]),
            "-",
        );
    }
}
