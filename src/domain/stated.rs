//! Filters stated in a search text.

use super::{Discount, Paise};

/// Prices, discount and rating stated in a search text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stated {
    /// Lowest price.
    pub least: Option<Paise>,
    /// Highest price.
    pub most: Option<Paise>,
    /// Lowest discount.
    pub discount: Option<Discount>,
    /// Lowest average rating, 1 to 5 stars.
    pub rating: Option<u8>,
}
