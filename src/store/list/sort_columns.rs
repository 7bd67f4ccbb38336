//! SQL of the sorts.

use crate::domain::SortBy;

/// Returns the SQL columns of a sort, without the id.
pub(crate) fn sort_columns(sort_by: SortBy) -> &'static str {
    match sort_by {
        SortBy::CreatedAt => "published_at",
        SortBy::Price => "price",
        SortBy::AverageRating => "average_rating",
        SortBy::Clicks => "clicks",
        SortBy::Discount => "discount",
        SortBy::FinalPrice => "final_price",
        SortBy::Proven => "proven_discount",
        // Expressions have no commas, which separate columns.
        SortBy::Drop => {
            "final_price * proven_discount / (10000 - proven_discount + (proven_discount = 10000))"
        }
        SortBy::EndsAt => "CASE WHEN ends_at IS NULL THEN 9223372036854775807 ELSE ends_at END",
        SortBy::Relevance => "clicks, total_ratings",
    }
}
