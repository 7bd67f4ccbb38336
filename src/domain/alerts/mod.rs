//! Price alerts: when a falling price is sent to its subscribers.

use jiff::{SignedDuration, Timestamp};

use super::{Discount, Paise};

/// Price that somebody waits for, when alerts are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WishedPrice {
    /// This price or less.
    Target(Paise),
    /// So much less than the price of now.
    Below(Discount),
}

impl WishedPrice {
    /// Least price that an alert may wait for: ₹1.
    const LEAST: i64 = 100;

    /// Returns the price to wait for; `None` if it is under ₹1, or `price` is not above it.
    pub fn target(self, price: Paise) -> Option<Paise> {
        let target = match self {
            Self::Target(target) => target,
            Self::Below(percent) => price.after(percent),
        };
        (target.get() >= Self::LEAST && target < price).then_some(target)
    }
}

/// State of an alert.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PriceAlert {
    /// It waits for this price or less.
    pub target: Paise,
    /// Lowest price notified since the price was last above the target.
    pub notified: Option<Paise>,
    /// Time of the last message.
    pub notified_at: Option<Timestamp>,
}

/// Meaning of a price for an alert.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AlertStep {
    /// Nothing to send.
    Nothing,
    /// The price is above the target: any price below it is news again.
    Above,
    /// A message is due, but not before this time.
    Wait(Timestamp),
    /// A new low.
    Notify,
}

impl PriceAlert {
    /// Least time between two messages about a product.
    pub const PAUSE: SignedDuration = SignedDuration::from_hours(6);
    /// Lifetime in a browser, since it was set or notified last: nobody else ends it where a browser is gone.
    pub const IN_BROWSER: SignedDuration = SignedDuration::from_hours(90 * 24);

    /// Returns what a price means at `now`. A price of zero is none: it is how a failed look at a
    /// seller's page ends up in a file.
    pub fn step(&self, price: Option<Paise>, now: Timestamp) -> AlertStep {
        let Some(price) = price.filter(|price| price.get() > 0) else {
            return AlertStep::Nothing;
        };
        if price > self.target {
            return AlertStep::Above;
        }
        if self.notified.is_some_and(|notified| price >= notified) {
            return AlertStep::Nothing;
        }
        // A time to come is of a clock that was set back.
        let pause = self
            .notified_at
            .filter(|at| *at <= now)
            .map(|at| at + Self::PAUSE);
        match pause.filter(|end| *end > now) {
            Some(end) => AlertStep::Wait(end),
            None => AlertStep::Notify,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rupees(rupees: f64) -> Paise {
        Paise::from_rupees(rupees).unwrap()
    }

    #[test]
    fn each_new_low_below_the_target_is_sent_with_a_pause() {
        let now: Timestamp = "2026-11-22T06:30:00Z".parse().unwrap();
        let hours = |hours| now - SignedDuration::from_hours(hours);
        let table = [
            (None, None, Some(900.0), AlertStep::Notify),
            (None, None, Some(899.0), AlertStep::Notify),
            (None, None, Some(900.01), AlertStep::Above),
            (None, None, Some(0.0), AlertStep::Nothing),
            (None, None, None, AlertStep::Nothing),
            (Some(850.0), Some(hours(7)), Some(849.0), AlertStep::Notify),
            (Some(850.0), Some(hours(7)), Some(850.0), AlertStep::Nothing),
            (Some(850.0), Some(hours(7)), Some(880.0), AlertStep::Nothing),
            (
                Some(850.0),
                Some(hours(2)),
                Some(800.0),
                AlertStep::Wait(now + SignedDuration::from_hours(4)),
            ),
            (
                None,
                Some(hours(5)),
                Some(880.0),
                AlertStep::Wait(now + SignedDuration::from_hours(1)),
            ),
            (None, Some(hours(6)), Some(880.0), AlertStep::Notify),
            (None, Some(hours(-9)), Some(880.0), AlertStep::Notify),
        ];
        for (notified, notified_at, price, step) in table {
            let alert = PriceAlert {
                target: rupees(900.0),
                notified: notified.map(rupees),
                notified_at,
            };
            assert_eq!(
                alert.step(price.map(rupees), now),
                step,
                "{notified:?} {notified_at:?} {price:?}"
            );
        }
    }

    #[test]
    fn a_target_is_below_the_price_and_at_least_a_rupee() {
        let percent = |percent| WishedPrice::Below(Discount::from_percent(percent).unwrap());
        let price = rupees(999.0);
        assert_eq!(percent(10.0).target(price), Some(rupees(899.1)));
        assert_eq!(percent(0.0).target(price), None);
        assert_eq!(percent(99.0).target(rupees(50.0)), None);
        assert_eq!(WishedPrice::Target(price).target(price), None);
        assert_eq!(
            WishedPrice::Target(rupees(1.0)).target(price),
            Some(rupees(1.0))
        );
    }
}
