//! What can be asked of the product list.

use super::Category;

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
}

impl SortBy {
    /// Every sort, in the order the error message names them.
    pub const ALL: [Self; 6] = [
        Self::CreatedAt,
        Self::Price,
        Self::AverageRating,
        Self::Clicks,
        Self::Discount,
        Self::FinalPrice,
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

/// A question to the list: one page of the products that pass every filter.
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
    /// Only this category; `None` for all.
    pub category: Option<Category>,
    /// Only products that match every word, at most
    /// [`ListQuery::MAX_SEARCH`] characters; `None` for all.
    pub search: Option<String>,
}

impl ListQuery {
    /// The largest page (decisions, section 5).
    pub const MAX_LIMIT: u32 = 100;
    /// The longest search, in characters (decisions, section 5).
    pub const MAX_SEARCH: usize = 200;

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
            category: None,
            search: None,
        }
    }
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
