//! Offers of a seller, which count for all of its products or some of them.

use jiff::Timestamp;
use serde_json::Value;

use super::Offer;
use super::wire::amount;
use crate::domain::product::sent_fields::SentFields;
use crate::domain::product::{Lifetime, NewProduct, Paise, State, short_rupees};
use crate::domain::{Categories, Category, FieldError, moment_in_india, rfc3339};

/// A validated offer of a seller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SellerOffer {
    /// Category of the products, with those below it; all without one.
    pub category: Option<Category>,
    /// Least final price of the products.
    pub min_price: Option<Paise>,
    /// Start; none for at once.
    pub starts_at: Option<Timestamp>,
    /// The offer, with its end.
    pub offer: Offer,
}

impl SellerOffer {
    /// Maximum number of a seller's offers.
    pub const MOST: usize = 20;
    /// Maximum number of the offers of all sellers.
    pub const MOST_OF_ALL: usize = 500;

    /// Parses and validates a JSON object with the fields of an [`Offer`], `category`, `minPrice` and
    /// `startsAt`.
    ///
    /// # Errors
    ///
    /// Returns one error per invalid field.
    pub fn read(
        sent: Value,
        categories: &Categories,
        now: Timestamp,
    ) -> Result<Self, Vec<FieldError>> {
        let mut errors = Vec::new();
        let mut own = SentFields(sent.as_object().cloned().unwrap_or_default());
        let name = own.take_text("category", "The category must be its name.", &mut errors);
        let category = categories.find(&name).cloned();
        if category.is_none() && !name.is_empty() {
            let message = format!("There is no category {name:?}. Leave it out for all of them.");
            errors.push(FieldError::new("category", message));
        }
        let min_price = amount(&mut own, "minPrice").unwrap_or_else(|()| {
            let message = "minPrice must be rupees above 0, with at most 2 decimals.";
            errors.push(FieldError::new("minPrice", message));
            None
        });
        let to_milliseconds = |at: Timestamp| Timestamp::from_millisecond(at.as_millisecond()).ok();
        let starts_at = own.take_moment("startsAt", &mut errors);
        let starts_at = starts_at.and_then(to_milliseconds);
        let mut offer = match Offer::read(sent) {
            Ok(offer) => offer,
            Err((field, message)) => {
                errors.push(FieldError::new(field, message));
                return Err(errors);
            }
        };
        offer.ends_at = offer.ends_at.and_then(to_milliseconds);
        if let Some(end) = offer.ends_at {
            if end <= now {
                let message = format!("The end is over: {}.", moment_in_india(end));
                errors.push(FieldError::new("endsAt", message));
            } else if starts_at.is_some_and(|start| end <= start) {
                let message = "The end must be after the start.";
                errors.push(FieldError::new("endsAt", message));
            }
        }
        let read = Self {
            category,
            min_price,
            starts_at,
            offer,
        };
        errors.is_empty().then_some(read).ok_or(errors)
    }

    /// Returns it as [`SellerOffer::read`] takes it.
    pub fn to_json(&self) -> Value {
        let mut json = self.offer.to_json();
        if let Some(category) = &self.category {
            json["category"] = category.as_str().into();
        }
        if let Some(least) = self.min_price {
            json["minPrice"] = serde_json::json!(least);
        }
        if let Some(start) = self.starts_at {
            json["startsAt"] = rfc3339(start).into();
        }
        json
    }

    /// Returns the state at `now`.
    pub fn state(&self, now: Timestamp) -> State {
        let lifetime = Lifetime {
            is_draft: false,
            starts_at: self.starts_at,
            ends_at: self.offer.ends_at,
        };
        lifetime.state(now)
    }

    /// True if it counts at `now` for a product of its seller.
    pub fn holds_for(&self, product: &NewProduct, now: Timestamp) -> bool {
        let of_category = |category: &Category| {
            let mut path = product.category.path();
            path.any(|name| name == category.as_str())
        };
        self.state(now) == State::Live
            && self
                .min_price
                .is_none_or(|least| product.final_price >= least)
            && self.category.as_ref().is_none_or(of_category)
    }

    /// Names the products, like `All Amazon deals` or `Amazon deals in Audio from ₹500`.
    pub fn scope(&self, source: &str) -> String {
        let deals = match &self.category {
            Some(category) => format!("{source} deals in {category}"),
            None if self.min_price.is_some() => format!("{source} deals"),
            None => format!("All {source} deals"),
        };
        match self.min_price {
            Some(least) => format!("{deals} from {}", short_rupees(least)),
            None => deals,
        }
    }

    /// Describes it for the seller's page and the activity log.
    pub fn describe(&self, source: &str) -> String {
        let mut words = format!("{}, {}", self.offer.summary(), self.scope(source));
        if !self.offer.code.is_empty() {
            words += &format!(", code {}", self.offer.code);
        }
        let times = [("from", self.starts_at), ("until", self.offer.ends_at)];
        for (word, at) in times {
            if let Some(at) = at {
                words += &format!(", {word} {}", moment_in_india(at));
            }
        }
        words
    }
}

/// A seller's offer as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct StoredSellerOffer {
    pub id: String,
    /// Name of the seller.
    pub source: String,
    pub offer: SellerOffer,
    pub updated_at: Timestamp,
}
