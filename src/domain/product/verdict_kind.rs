//! Kinds of verdicts on a price.

use crate::domain::enums::named;

named! {
    /// Statement about a price that its history supports.
    PriceVerdictKind {
        /// Clearly below the usual price, and below every price of the 90 days before, or of all days watched if
        /// there are fewer.
        Lowest90 = "lowest_90";
        /// Clearly below the usual price, and below every price of the 30 days before.
        Lowest30 = "lowest_30";
        /// Clearly below the usual price: by more than 5 %.
        ProvenCheaper = "proven_cheaper";
        /// The usual price, or one within 5 % of it.
        Usual = "usual";
        /// The usual price, although a discount of 20 % or more is claimed.
        ListPriceMisleads = "list_price_misleads";
        /// The list price rose, and the final price did not fall.
        ListPriceRaised = "list_price_raised";
        /// Above the usual price.
        Higher = "higher";
        /// Watched for too short a time.
        New = "new";
        /// Seldom checked, or not lately.
        Unclear = "unclear";
    }
}

impl PriceVerdictKind {
    /// True if the price is lower than before.
    pub fn is_cheaper(self) -> bool {
        matches!(self, Self::Lowest90 | Self::Lowest30 | Self::ProvenCheaper)
    }
}
