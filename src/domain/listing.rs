//! Product list queries and their results.

use jiff::Timestamp;

use super::constants::Chip;
use super::enums::named;
use super::{
    CONSTANTS, Category, Discount, NeedsView, Paise, PriceHistory, Product, State, Stated,
    date_in_india, short_rupees, truncate,
};

named! {
    /// Sort key of the list; ties are sorted by `_id` in the same direction.
    SortBy {
        /// When the product was added.
        CreatedAt = "createdAt";
        Price = "price";
        /// The average rating.
        AverageRating = "ratings.averageRating";
        /// How often the affiliate link was followed.
        Clicks = "clicks";
        /// The discount in percent.
        Discount = "discount";
        FinalPrice = "finalPrice";
        /// The proven discount: below the usual price, if no price of 30 days was lower.
        Proven = "proven";
        /// The proven discount in rupees.
        Drop = "drop";
        /// The end; a product without one ends last.
        EndsAt = "endsAt";
        /// How well the product answers the search, as `store/search/relevance` scores it. Only a
        /// search has it.
        Relevance = "relevance";
    }
}

named! {
    /// The direction of the sort.
    Order {
        /// Smallest or oldest first.
        Asc = "asc";
        /// Largest or newest first.
        Desc = "desc";
    }
}

/// Filters of the list, combined by AND.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Filters {
    /// Only this category.
    pub category: Option<Category>,
    /// Only products that match every word; at most 200 characters.
    pub search: Option<String>,
    /// Only one of these sellers, by their exact names; at most [`Filters::MAX_SOURCES`], sorted.
    pub sources: Vec<String>,
    /// Only products whose final price is at least this.
    pub min_price: Option<Paise>,
    /// Only products whose final price is at most this.
    pub max_price: Option<Paise>,
    /// Only products with at least this discount.
    pub min_discount: Option<Discount>,
    /// Only products whose average rating is at least so many stars.
    pub min_rating: Option<u8>,
    /// Only products with at least this proven discount.
    pub min_proven: Option<Discount>,
    /// Only products that end within 24 hours.
    pub ending_soon: bool,
    /// Only products with all of these tags, whatever their case.
    pub tags: Vec<String>,
    /// Only products of this collection.
    pub collection: Option<Box<CollectionFilter>>,
    /// Only products in this state, for administrators; live ones by default.
    pub state: Option<State>,
    /// Only products added at least this many days ago, for administrators.
    pub min_age: Option<u32>,
    /// Only products whose price was last checked at least this many days ago, for administrators.
    pub min_price_age: Option<u32>,
    /// Only live products that need attention for this reason, for administrators.
    pub needs: Option<NeedsView>,
}

/// Filter of the list: the products of a collection.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CollectionFilter {
    /// Part of its address.
    pub slug: String,
    /// Its name.
    pub name: String,
    /// Filters of its rule.
    pub rule: Option<Filters>,
    /// Ids of the chosen products, in their order.
    pub products: Vec<String>,
}

impl Filters {
    /// Largest age in days.
    pub const MAX_AGE: u32 = 3_650;
    /// Maximum number of sellers.
    pub const MAX_SOURCES: usize = 8;

    /// Wire names of the filters that a visitor sets, in the order in which they are shown.
    pub const NAMES: [&str; 11] = [
        "search",
        "category",
        "source",
        "minPrice",
        "maxPrice",
        "minDiscount",
        "minRating",
        "minProven",
        "endingSoon",
        "tag",
        "collection",
    ];

    /// Returns the filters without the one of this name; `None` if it is not set.
    pub fn without(&self, name: &str) -> Option<Self> {
        let mut rest = self.clone();
        match name {
            "search" => rest.search = None,
            "category" => rest.category = None,
            "source" => rest.sources.clear(),
            "minPrice" => rest.min_price = None,
            "maxPrice" => rest.max_price = None,
            "minDiscount" => rest.min_discount = None,
            "minRating" => rest.min_rating = None,
            "minProven" => rest.min_proven = None,
            "tag" => rest.tags.clear(),
            "collection" => rest.collection = None,
            _ => rest.ending_soon = false,
        }
        (rest != *self).then_some(rest)
    }

    /// Returns a chip's filters for products in the same state, and these ones without those of its kind.
    pub(crate) fn beside_chip(&self, chip: &Chip) -> (Self, Self) {
        let mut others = self.clone();
        if chip.min_discount.is_some() {
            others.min_discount = None;
        } else if chip.min_rating.is_some() {
            others.min_rating = None;
        } else {
            (others.min_price, others.max_price) = (None, None);
        }
        let of_chip = Self {
            min_price: chip.min_price.and_then(Paise::from_rupees),
            max_price: chip.max_price.and_then(Paise::from_rupees),
            min_discount: chip.min_discount.and_then(Discount::from_percent),
            min_rating: chip.min_rating,
            state: self.state,
            ..Self::default()
        };
        (of_chip, others)
    }

    /// True if a filter other than category and source is set, so that the stored counts are not
    /// enough.
    pub fn needs_counting(&self) -> bool {
        self.search.is_some()
            || self.min_price.is_some()
            || self.max_price.is_some()
            || self.min_discount.is_some()
            || self.min_rating.is_some()
            || self.min_proven.is_some()
            || self.ending_soon
            || !self.tags.is_empty()
            || self.collection.is_some()
            || self.is_for_office()
    }

    /// True if a filter is set that only administrators may use.
    pub fn is_for_office(&self) -> bool {
        self.state.is_some()
            || self.min_age.is_some()
            || self.min_price_age.is_some()
            || self.needs.is_some()
    }
}

/// A list query: filters, sort and page.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub struct ListQuery {
    /// 1 for the first page.
    pub page: u32,
    /// Products per page, 1 to [`ListQuery::MAX_LIMIT`].
    pub limit: u32,
    pub sort_by: SortBy,
    pub order: Order,
    pub filters: Filters,
    /// If the search finds nothing, list what its suggestion finds.
    pub corrects: bool,
}

impl ListQuery {
    /// The largest page (decisions, section 5).
    pub const MAX_LIMIT: u32 = 100;

    /// Number of products before the page.
    pub fn offset(&self) -> i64 {
        page_offset(self.page, self.limit)
    }
}

impl Default for ListQuery {
    /// The first ten products, newest first (spec section 9).
    fn default() -> Self {
        Self {
            page: 1,
            limit: CONSTANTS.page_size,
            sort_by: SortBy::CreatedAt,
            order: Order::Desc,
            filters: Filters::default(),
            corrects: false,
        }
    }
}

/// Result of a [`ListQuery`].
#[derive(Debug, Clone, PartialEq)]
pub struct Listing<T> {
    /// The requested page.
    pub page: Paged<T>,
    /// With a search: the matching words of this page, folded and sorted.
    pub matches: Vec<String>,
    /// With a search without results: the most similar search that has some (decisions, section 3).
    pub suggestion: Option<String>,
    /// Other words for the same things that the results have.
    pub also: Vec<String>,
    /// The word for the thing searched if descriptions have it and no title.
    pub mentioned: Option<String>,
    /// Filters parsed from the search text.
    pub stated: Stated,
    /// Filters as read, if not the given ones: with the price of the text, or the words of the suggestion.
    pub read: Option<Filters>,
    /// With few or no results by several filters: the wire name of each filter whose removal gives
    /// more, and how many.
    pub relaxed: Vec<(&'static str, i64)>,
    /// With few or no results by several words: searches with fewer words that find more, and how many.
    pub shorter: Vec<(String, i64)>,
}

impl<T> Listing<T> {
    /// True if there are so few results, or none, that more is offered.
    pub fn has_few(&self) -> bool {
        self.page.total <= i64::from(CONSTANTS.few_deals)
    }

    /// True if the results are those of the suggestion.
    pub fn is_corrected(&self) -> bool {
        self.suggestion.is_some() && self.page.total > 0
    }

    /// Number of products that the search finds as it was typed.
    pub fn typed_total(&self) -> i64 {
        if self.is_corrected() {
            0
        } else {
            self.page.total
        }
    }

    /// Returns a query as it was read.
    pub fn read_query(&self, query: &ListQuery) -> ListQuery {
        let filters = self.read.as_ref().unwrap_or(&query.filters).clone();
        let sort_by = match (query.sort_by, &filters.search) {
            (SortBy::Relevance, None) => SortBy::CreatedAt,
            (sort_by, _) => sort_by,
        };
        ListQuery {
            sort_by,
            // With results, of effect on fillers only.
            corrects: query.corrects || (filters.search.is_some() && self.page.total > 0),
            filters,
            ..query.clone()
        }
    }
}

impl Listing<Product> {
    /// Returns the query of deals near the first of a few results, at the prices of the query as it was read:
    /// those of fewer words, or else the most clicked of its category; `None` without results, or for all
    /// products.
    pub fn nearby(&self, read: &ListQuery) -> Option<ListQuery> {
        let first = self.page.items.first()?;
        let is_offered = read.page == 1 && self.has_few() && read.filters != Filters::default();
        // The results of a suggestion are of such words already.
        let is_shorter =
            |(_, total): &&(_, i64)| self.suggestion.is_none() && *total > self.page.total;
        let words = self.shorter.iter().find(is_shorter);
        let words = words.map(|(words, _)| words.clone());
        is_offered.then(|| ListQuery {
            limit: CONSTANTS.few_deals + CONSTANTS.nearby_deals,
            sort_by: words.as_ref().map_or(SortBy::Clicks, |_| SortBy::Relevance),
            corrects: words.is_some(),
            filters: Filters {
                category: words.is_none().then(|| first.details.category.clone()),
                search: words,
                min_price: read.filters.min_price,
                max_price: read.filters.max_price,
                ..Filters::default()
            },
            ..ListQuery::default()
        })
    }
}

/// Related products.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Alike {
    /// Same category and words of the title, or a similar price.
    pub similar: Vec<Product>,
    /// Most clicked of the same seller.
    pub seller: Vec<Product>,
    /// Number of the seller's products.
    pub seller_total: i64,
    /// For an ended product: the cheapest live product with the same link.
    pub back: Option<Product>,
}

impl Alike {
    /// Returns the successor of an ended product and the text of the link to it, like `Back at
    /// ₹1,049`, or without a price that the seller's rules hide.
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

/// A deleted product that visitors could see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemovedProduct {
    /// The public identifier that it had.
    pub id: String,
    /// Title, like seller and category as it was last.
    pub title: String,
    /// The seller.
    pub source: String,
    /// The category.
    pub category: Category,
    /// Time of the deletion.
    pub removed_at: Timestamp,
}

impl RemovedProduct {
    /// Sentence for its page, with the beginning of a long title.
    pub fn sentence(&self) -> String {
        let title = truncate(&self.title, CONSTANTS.title_excerpt);
        let day = date_in_india(self.removed_at);
        let source = &self.source;
        format!("“{title}” from {source} was removed from the shop on {day}.")
    }
}

/// Product counts for each value of a filter, with the other filters unchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facets {
    /// Products of all categories.
    pub all: i64,
    /// Products per category, in display order.
    pub categories: Vec<(Category, i64)>,
    /// The sources with the most products, at most 50, by name.
    pub sources: Vec<(String, i64)>,
    /// Products that end within 24 hours.
    pub ending_soon: i64,
    /// Products with a proven discount of at least [`Facets::PROVEN`].
    pub proven: i64,
    /// Products of each filter that is offered above lists; none if they were not counted.
    pub chips: Vec<i64>,
}

impl Facets {
    /// The filter's proven discount.
    pub const PROVEN: Discount = PriceHistory::PROVEN;
}

/// One page of a list, and the total.
#[derive(Debug, Clone, PartialEq)]
pub struct Paged<T> {
    /// Items of this page; empty past the end.
    pub items: Vec<T>,
    /// Number of items on all pages.
    pub total: i64,
}

/// Returns the number of items before a page; `page` counts from 1.
pub fn page_offset(page: u32, limit: u32) -> i64 {
    i64::from(page.max(1) - 1) * i64::from(limit)
}

impl<T> Paged<T> {
    /// Number of pages of `limit` items, at least 1.
    pub fn total_pages(&self, limit: u32) -> i64 {
        let limit = i64::from(limit.max(1));
        ((self.total + limit - 1) / limit).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_list_has_one_page() {
        let page = |total| Paged::<()> {
            items: Vec::new(),
            total,
        };
        assert_eq!(page(0).total_pages(10), 1);
        assert_eq!(page(10).total_pages(10), 1);
        assert_eq!(page(11).total_pages(10), 2);
    }
}
