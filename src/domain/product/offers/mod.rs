//! Coupons and bank offers, and the price with the best of them.

mod wire;

use jiff::Timestamp;

use super::money::{Discount, Paise, short_rupees};
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
        /// Anything else.
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
pub struct Offer {
    /// Kind of offer.
    pub kind: OfferKind,
    /// Coupon code, at most 40 characters without spaces; may be empty.
    pub code: String,
    /// Condition, like `HDFC card`, at most 200 characters.
    pub text: String,
    /// Reduction, if known.
    pub saving: Option<Saving>,
    /// Minimum order value.
    pub min_order: Option<Paise>,
    /// True if deducted at checkout.
    pub instant: bool,
    /// End, if any.
    pub ends_at: Option<Timestamp>,
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
    /// Summary, like `₹1,079 with code and HDFC card`.
    pub fn words(&self) -> String {
        let code = self.code.as_ref().map(|_| "code");
        let needs: Vec<&str> = code.into_iter().chain(self.bank.as_deref()).collect();
        format!("{} with {}", short_rupees(self.price), needs.join(" and "))
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

    /// Description, like `Bank offer: 10 % off up to ₹1,500 from ₹5,000, HDFC card`.
    pub fn words(&self) -> String {
        let mut words = format!("{}:", self.kind.label());
        match self.saving {
            Some(Saving::Share(share, cap)) => {
                words += &format!(" {} % off", share.percent());
                if let Some(cap) = cap {
                    words += &format!(" up to {}", short_rupees(cap));
                }
            }
            Some(Saving::Amount(amount)) => words += &format!(" {} off", short_rupees(amount)),
            None => {}
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

/// Returns the price after the best coupon and then the best instant bank offer; `None` if neither
/// applies. Cashback and exchange offers are not deducted.
pub fn effective_price(price: Paise, offers: &[Offer], now: Timestamp) -> Option<EffectivePrice> {
    let best = |kind, price| {
        let open = offers.iter().filter(|offer| offer.is_open(now));
        let of_kind =
            open.filter(|offer| offer.kind == kind && (offer.instant || kind == OfferKind::Coupon));
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

    fn summary(rupees: f64, offers: &Value) -> String {
        let offers = offers.as_array().unwrap().clone();
        let offers: Vec<Offer> = offers
            .into_iter()
            .map(|it| Offer::read(it).unwrap())
            .collect();
        let price = Paise::from_rupees(rupees).unwrap();
        effective_price(price, &offers, now()).map_or("-".to_owned(), |it| it.words())
    }

    #[test]
    fn the_best_coupon_and_then_the_best_offer_of_one_bank_are_taken_off() {
        let coupon =
            |code: &str, percent: f64| json!({"kind": "coupon", "code": code, "percent": percent});
        let off =
            |code: &str, amount: f64| json!({"kind": "coupon", "code": code, "amount": amount});
        let bank = |text: &str, percent: f64| json!({"kind": "bank", "text": text, "percent": percent, "instant": true});
        let with = |mut offer: Value, more: &Value| {
            offer
                .as_object_mut()
                .unwrap()
                .extend(more.as_object().unwrap().clone());
            offer
        };
        for (price, offers, words) in [
            (1199.0, json!([]), "-"),
            (
                1199.0,
                json!([coupon("SAVE10", 10.0)]),
                "₹1,079.10 with code",
            ),
            (
                1000.0,
                json!([coupon("SAVE10", 10.0), bank("HDFC card", 10.0)]),
                "₹810 with code and HDFC card",
            ),
            (
                1000.0,
                json!([bank("HDFC card", 10.0)]),
                "₹900 with HDFC card",
            ),
            (
                1000.0,
                json!([bank("HDFC card", 10.0), bank("ICICI card", 12.0)]),
                "₹880 with ICICI card",
            ),
            (
                1000.0,
                json!([coupon("A", 10.0), coupon("B", 15.0)]),
                "₹850 with code",
            ),
            (
                1000.0,
                json!([coupon("A", 10.0), off("B", 120.0)]),
                "₹880 with code",
            ),
            (
                5000.0,
                json!([coupon("A", 10.0), off("B", 120.0)]),
                "₹4,500 with code",
            ),
            (1000.0, json!([coupon("ALL", 100.0)]), "₹0 with code"),
            (1000.0, json!([off("ALL", 5000.0)]), "₹0 with code"),
            (
                1000.0,
                json!([coupon("ALL", 100.0), bank("HDFC card", 10.0)]),
                "₹0 with code",
            ),
            (0.0, json!([coupon("A", 10.0)]), "-"),
            (0.01, json!([coupon("A", 10.0)]), "-"),
            (
                20000.0,
                json!([with(
                    bank("HDFC card", 10.0),
                    &json!({"cap": 1500, "minOrder": 5000})
                )]),
                "₹18,500 with HDFC card",
            ),
            (
                12000.0,
                json!([with(
                    bank("HDFC card", 10.0),
                    &json!({"cap": 1500, "minOrder": 5000})
                )]),
                "₹10,800 with HDFC card",
            ),
            (
                5000.0,
                json!([with(
                    bank("HDFC card", 10.0),
                    &json!({"cap": 1500, "minOrder": 5000})
                )]),
                "₹4,500 with HDFC card",
            ),
            (
                4999.99,
                json!([with(
                    bank("HDFC card", 10.0),
                    &json!({"cap": 1500, "minOrder": 5000})
                )]),
                "-",
            ),
            (
                5200.0,
                json!([
                    off("LESS", 300.0),
                    with(bank("HDFC card", 10.0), &json!({"minOrder": 5000}))
                ]),
                "₹4,900 with code",
            ),
            (
                1000.0,
                json!([with(coupon("A", 50.0), &json!({"cap": 100}))]),
                "₹900 with code",
            ),
            (
                1000.0,
                json!([
                    with(coupon("A", 50.0), &json!({"minOrder": 2000})),
                    coupon("B", 5.0)
                ]),
                "₹950 with code",
            ),
            (
                1000.0,
                json!([with(
                    coupon("A", 50.0),
                    &json!({"endsAt": "2026-11-22T06:30:00Z"})
                )]),
                "-",
            ),
            (
                1000.0,
                json!([with(
                    coupon("A", 50.0),
                    &json!({"endsAt": "2026-11-22T06:30:00.001Z"})
                )]),
                "₹500 with code",
            ),
            (
                1000.0,
                json!([{"kind": "bank", "text": "HDFC card", "percent": 10}]),
                "-",
            ),
            (
                1000.0,
                json!([{"kind": "cashback", "text": "wallet", "percent": 10, "instant": true}]),
                "-",
            ),
            (
                1000.0,
                json!([{"kind": "exchange", "text": "old phone", "amount": 500, "instant": true}]),
                "-",
            ),
            (
                1000.0,
                json!([{"kind": "emi", "text": "no cost", "instant": true}]),
                "-",
            ),
            (
                1000.0,
                json!([{"kind": "other", "text": "free bag", "amount": 100, "instant": true}]),
                "-",
            ),
            (
                1000.0,
                json!([{"kind": "coupon", "code": "GIFT", "text": "a free cable"}]),
                "-",
            ),
            (999.99, json!([coupon("THIRD", 33.33)]), "₹666.69 with code"),
            (109_900.0, json!([off("A", 0.01)]), "₹1,09,899.99 with code"),
        ] {
            assert_eq!(summary(price, &offers), words, "{price} {offers}");
        }
    }
}
