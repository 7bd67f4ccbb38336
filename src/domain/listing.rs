//! What can be asked of the product list.

use jiff::Timestamp;

use super::{Category, Discount, Paise, Product, State, short_rupees};

/// What the list is sorted by; ties break by `_id` in the same direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SortBy {
    /// When the product was added.
    CreatedAt,
    /// The price before the discount.
    Price,
    /// The average rating.
    AverageRating,
    /// How often the affiliate link was followed.
    Clicks,
    /// The discount in percent.
    Discount,
    /// The price after the discount.
    FinalPrice,
    /// The discount that former prices prove.
    Proven,
    /// How well the product answers the search, as `store/search/relevance.rs` scores it. Only a
    /// search has it.
    Relevance,
}

impl SortBy {
    /// Every sort, in the order the error message names them.
    pub const ALL: [Self; 8] = [
        Self::CreatedAt,
        Self::Price,
        Self::AverageRating,
        Self::Clicks,
        Self::Discount,
        Self::FinalPrice,
        Self::Proven,
        Self::Relevance,
    ];

    /// The name in the query string (decisions, section 5).
    pub fn as_str(self) -> &'static str {
        match self {
            Self::CreatedAt => "createdAt",
            Self::Price => "price",
            Self::AverageRating => "ratings.averageRating",
            Self::Clicks => "clicks",
            Self::Discount => "discount",
            Self::FinalPrice => "finalPrice",
            Self::Proven => "proven",
            Self::Relevance => "relevance",
        }
    }
}

/// The direction of the sort.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    /// Smallest or oldest first.
    Asc,
    /// Largest or newest first.
    Desc,
}

impl Order {
    /// Both directions.
    pub const ALL: [Self; 2] = [Self::Asc, Self::Desc];

    /// The name in the query string.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Asc => "asc",
            Self::Desc => "desc",
        }
    }
}

/// Which products are asked for: those that pass every filter that is set.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Filters {
    /// Only this category.
    pub category: Option<Category>,
    /// Only products that match every word, at most
    /// [`Filters::MAX_SEARCH`] characters.
    pub search: Option<String>,
    /// Only this seller, by its exact name.
    pub source: Option<String>,
    /// Only products whose final price is at least this.
    pub min_price: Option<Paise>,
    /// Only products whose final price is at most this.
    pub max_price: Option<Paise>,
    /// Only products with at least this discount.
    pub min_discount: Option<Discount>,
    /// Only products whose discount is proven to be at least this.
    pub min_proven: Option<Discount>,
    /// Only products that end within a day.
    pub ending_soon: bool,
    /// Only products in this state, which only administrators may ask for; without it, the live ones.
    pub state: Option<State>,
}

impl Filters {
    /// The longest search, in characters (decisions, section 5).
    pub const MAX_SEARCH: usize = 200;
    /// The longest name of a source, in characters (decisions, section 3).
    pub const MAX_SOURCE: usize = 100;

    /// Whether something besides the category and the source is set, so that the kept counts do not
    /// tell how many products there are, and sets have to be made.
    pub fn need_counting(&self) -> bool {
        self.search.is_some()
            || self.min_price.is_some()
            || self.max_price.is_some()
            || self.min_discount.is_some()
            || self.min_proven.is_some()
            || self.ending_soon
            || self.state.is_some()
    }
}

/// A question to the list: one page of the products that pass the filters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ListQuery {
    /// 1 for the first page.
    pub page: u32,
    /// Products per page, 1 to [`ListQuery::MAX_LIMIT`].
    pub limit: u32,
    /// What to sort by.
    pub sort_by: SortBy,
    /// In which direction.
    pub order: Order,
    /// Which products.
    pub filters: Filters,
}

impl ListQuery {
    /// The largest page (decisions, section 5).
    pub const MAX_LIMIT: u32 = 100;

    /// How many products come before the page.
    pub fn offset(&self) -> i64 {
        i64::from(self.page - 1) * i64::from(self.limit)
    }
}

impl Default for ListQuery {
    /// The first ten products, newest first (spec section 9).
    fn default() -> Self {
        Self {
            page: 1,
            limit: 10,
            sort_by: SortBy::CreatedAt,
            order: Order::Desc,
            filters: Filters::default(),
        }
    }
}

/// The answer to a [`ListQuery`].
#[derive(Debug, Clone, PartialEq)]
pub struct Listing<T> {
    /// The page that was asked for.
    pub page: Page<T>,
    /// With a search: the words of this page, folded to lower case without
    /// accents, that made its products match; sorted.
    pub matches: Vec<String>,
    /// With a search that found nothing: the one most like it that finds something
    /// (decisions, section 3).
    pub suggestion: Option<String>,
    /// The lowest and the highest price that were read in the words of the search.
    pub price_read: (Option<Paise>, Option<Paise>),
    /// Where nothing was found by several filters: how many products there would be
    /// without each of them, by its name on the wire; those that would find any.
    pub relaxed: Vec<(&'static str, i64)>,
}

/// What stands above the unfiltered list.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Home {
    /// Those that save most rupees.
    pub savings: Vec<Product>,
    /// Those that were followed most; among equals, those that most people rated.
    pub popular: Vec<Product>,
    /// Those added within a day; none where all were.
    pub newest: Vec<Product>,
    /// How many were added within a day, 10,000 for more.
    pub today: i64,
    /// When something was last added or changed.
    pub updated: Option<Timestamp>,
}

impl Home {
    /// Products of a shelf.
    pub const SHELF: usize = 4;
}

/// What stands beside a product.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Alike {
    /// Others of its category that cost about as much.
    pub similar: Vec<Product>,
    /// What people like most of its seller.
    pub seller: Vec<Product>,
    /// How many products its seller has.
    pub seller_total: i64,
    /// Where it ended: the live product with its link, the cheapest of several.
    pub back: Option<Product>,
}

impl Alike {
    /// What leads from a deal that ended to its successor, like `Back at ₹1,049`, and the
    /// successor; without the price where that may not be shown.
    pub fn back_again(&self) -> Option<(&Product, String)> {
        let back = self.back.as_ref()?;
        let words = if back.hides_price() {
            "Back in the shop".to_owned()
        } else {
            format!("Back at {}", short_rupees(back.details.final_price))
        };
        Some((back, words))
    }
}

/// How many products there are for each choice of a filter while the other
/// filters stay as they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facets {
    /// The products of all categories together.
    pub all: i64,
    /// Each category with its products, in the order the screens show them.
    pub categories: Vec<(Category, i64)>,
    /// The sources with the most products, at most [`Facets::MAX_SOURCES`], by name.
    pub sources: Vec<(String, i64)>,
    /// How many end within a day.
    pub ending_soon: i64,
    /// How many have a proven discount of [`Facets::PROVEN`] or more.
    pub proven: i64,
}

impl Facets {
    /// The proven discount that can be chosen.
    pub const PROVEN: Discount = Discount::TENTH;
    /// More sources than this nobody reads through.
    pub const MAX_SOURCES: usize = 50;
}

/// One page of a list and how much there is in all.
#[derive(Debug, Clone, PartialEq)]
pub struct Page<T> {
    /// The items of this page; none past the end.
    pub items: Vec<T>,
    /// How many items all pages hold together.
    pub total: i64,
}

impl<T> Page<T> {
    /// How many pages of `limit` items there are, at least 1.
    pub fn total_pages(&self, limit: u32) -> i64 {
        let limit = i64::from(limit.max(1));
        ((self.total + limit - 1) / limit).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_always_at_least_one_page() {
        let page = |total| Page::<()> {
            items: Vec::new(),
            total,
        };
        assert_eq!(page(0).total_pages(10), 1);
        assert_eq!(page(10).total_pages(10), 1);
        assert_eq!(page(11).total_pages(10), 2);
    }
}
