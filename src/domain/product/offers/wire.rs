//! JSON form of offers, on the wire and in the database.

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::{Offer, OfferKind, Saving};
use crate::domain::product::money::{Discount, Paise};
use crate::domain::product::sent_fields::SentFields;
use crate::domain::{CONSTANTS, FieldError, Rfc3339, without_controls};

/// Fields of an offer in JSON.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OfferFields<'a> {
    kind: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    code: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    percent: Option<Discount>,
    #[serde(skip_serializing_if = "Option::is_none")]
    amount: Option<Paise>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cap: Option<Paise>,
    #[serde(skip_serializing_if = "Option::is_none")]
    min_order: Option<Paise>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    instant: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    ends_at: Option<Rfc3339>,
}

impl Serialize for Offer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (percent, amount, cap) = match self.saving {
            Some(Saving::Share(share, cap)) => (Some(share), None, cap),
            Some(Saving::Amount(amount)) => (None, Some(amount), None),
            None => (None, None, None),
        };
        let fields = OfferFields {
            kind: self.kind.as_str(),
            code: &self.code,
            text: &self.text,
            percent,
            amount,
            cap,
            min_order: self.min_order,
            instant: self.instant,
            ends_at: self.ends_at.map(Rfc3339),
        };
        fields.serialize(serializer)
    }
}

impl Offer {
    /// Returns the JSON object.
    pub fn to_json(&self) -> Value {
        json!(self)
    }

    /// Parses and validates a JSON object.
    ///
    /// # Errors
    ///
    /// Returns the invalid field and its message.
    pub(super) fn read(value: Value) -> Result<Self, (&'static str, String)> {
        let Value::Object(fields) = value else {
            return Err(("", "An offer must be a JSON object.".to_owned()));
        };
        let mut fields = SentFields(fields);
        let fail = |field, message: &str| (field, message.to_owned());
        let kind = fields.0.remove("kind");
        let kind = kind.as_ref().and_then(Value::as_str);
        let kind = kind.and_then(OfferKind::parse).ok_or_else(|| {
            let rule = "The kind must be one of coupon, bank, exchange, cashback, emi, other.";
            fail("kind", rule)
        })?;
        let code = text(&mut fields, "code", CONSTANTS.max_offer_code)
            .filter(|code| !code.contains(char::is_whitespace))
            .ok_or_else(|| fail("code", "A code has at most 40 characters and no spaces."))?;
        if kind == OfferKind::Coupon && code.is_empty() {
            return Err(fail("code", "A coupon needs its code."));
        }
        let text = text(&mut fields, "text", CONSTANTS.max_offer_text)
            .ok_or_else(|| fail("text", "An offer's text must be at most 200 characters."))?;
        if kind != OfferKind::Coupon && text.is_empty() {
            return Err(fail("text", "Say whose offer it is, like HDFC card."));
        }
        let money = |fields: &mut SentFields, name: &'static str| {
            amount(fields, name).map_err(|()| {
                let rule = format!("{name} must be rupees above 0, with at most 2 decimals.");
                (name, rule)
            })
        };
        let amount = money(&mut fields, "amount")?;
        let cap = money(&mut fields, "cap")?;
        let min_order = money(&mut fields, "minOrder")?;
        let percent = percent(&mut fields).map_err(|()| {
            let rule = "percent must be above 0 and at most 100, with at most 2 decimals.";
            fail("percent", rule)
        })?;
        let saving = match (percent, amount) {
            (Some(_), Some(_)) => {
                return Err(fail("amount", "Give percent or amount, not both."));
            }
            (Some(share), None) => Some(Saving::Share(share, cap)),
            (None, amount) => {
                if cap.is_some() {
                    return Err(fail("cap", "A cap needs a percent that it limits."));
                }
                amount.map(Saving::Amount)
            }
        };
        let instant = match fields.0.remove("instant") {
            None | Some(Value::Null) => false,
            Some(Value::Bool(instant)) => instant,
            Some(_) => return Err(fail("instant", "instant must be true or false.")),
        };
        let mut errors = Vec::new();
        let ends_at = fields.take_moment("endsAt", &mut errors);
        if let Some(error) = errors.pop() {
            return Err(("endsAt", error.message));
        }
        Ok(Self {
            kind,
            code,
            text,
            saving,
            min_order,
            instant,
            ends_at,
        })
    }

    /// Parses the `offers` field; without one keeps `current`.
    pub(in crate::domain::product) fn list_from_sent(
        fields: &mut SentFields,
        current: Option<&[Self]>,
        errors: &mut Vec<FieldError>,
    ) -> Vec<Self> {
        let Some(sent) = fields.0.remove("offers") else {
            return current.unwrap_or_default().to_vec();
        };
        let offers = match sent {
            Value::Null => Vec::new(),
            Value::Array(mut offers) => {
                // An answer that is sent back: the seller's offers are not the product's own.
                offers.retain(|offer| offer.get("scope").is_none());
                if offers.len() > CONSTANTS.max_offers {
                    errors.push(FieldError::new("offers", "At most 8 offers are allowed."));
                    return Vec::new();
                }
                offers
            }
            _ => {
                errors.push(FieldError::new("offers", "Offers must be a list."));
                return Vec::new();
            }
        };
        let mut valid = Vec::new();
        for (number, offer) in offers.into_iter().enumerate() {
            match Self::read(offer) {
                Ok(offer) => valid.push(offer),
                Err((field, message)) => {
                    let dot = if field.is_empty() { "" } else { "." };
                    let name = format!("offers[{number}]{dot}{field}");
                    errors.push(FieldError::new(&name, message));
                }
            }
        }
        valid
    }

    /// Parses the database column; skips invalid offers.
    pub fn from_column(text: &str) -> Vec<Self> {
        if text == "[]" {
            return Vec::new();
        }
        let values: Vec<Value> = serde_json::from_str(text).unwrap_or_default();
        values
            .into_iter()
            .filter_map(|value| Self::read(value).ok())
            .collect()
    }
}

/// Removes a text; `None` if it is longer than `most` characters or no text.
fn text(fields: &mut SentFields, name: &str, most: usize) -> Option<String> {
    let mut errors = Vec::new();
    let text = fields.take_text(name, "", &mut errors);
    let text = without_controls(&text).trim().to_owned();
    let fits = errors.is_empty() && text.chars().count() <= most && !text.contains('\0');
    fits.then_some(text)
}

pub(super) fn amount(fields: &mut SentFields, name: &str) -> Result<Option<Paise>, ()> {
    match fields.0.remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => {
            let paise = value.as_f64().and_then(Paise::from_rupees);
            paise.filter(|paise| paise.get() > 0).map(Some).ok_or(())
        }
    }
}

fn percent(fields: &mut SentFields) -> Result<Option<Discount>, ()> {
    match fields.0.remove("percent") {
        None | Some(Value::Null) => Ok(None),
        Some(value) => {
            let share = value.as_f64().and_then(Discount::from_percent);
            share.filter(|share| share.get() > 0).map(Some).ok_or(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offers_are_serialized_as_they_were_parsed() {
        for (offer, words) in [
            (
                json!({"kind": "coupon", "code": "SAVE10", "percent": 10}),
                "Coupon: 10% off",
            ),
            (
                json!({"kind": "bank", "text": "HDFC card", "percent": 10, "cap": 1500, "minOrder": 5000, "instant": true, "endsAt": "2026-11-30T18:29:00.000Z"}),
                "Bank offer: 10% off up to ₹1,500 from ₹5,000, HDFC card",
            ),
            (
                json!({"kind": "emi", "text": "No cost for 6 months"}),
                "EMI: No cost for 6 months",
            ),
            (
                json!({"kind": "cashback", "text": "wallet", "amount": 50.5}),
                "Cashback: ₹50.50 off, wallet",
            ),
        ] {
            let read = Offer::read(offer.clone()).unwrap();
            assert_eq!(read.summary(), words);
            assert_eq!(read.to_json(), offer);
            assert_eq!(Offer::from_column(&json!([offer]).to_string()), [read]);
        }
    }
}
