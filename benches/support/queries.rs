//! Queries of different lists.

use super::catalogue::Random;

/// Ten thousand lists with different category, sort, order and page.
pub fn different_queries(size: usize, seed: u64) -> Vec<String> {
    let mut random = Random::new(5 + seed);
    let page = |_| {
        let category = *random.of(&["all", "Electronics", "Clothing", "Books", "Home"]);
        let products = if category == "all" {
            size
        } else {
            size * 24 / 100
        };
        let sort = *random.of(&[
            "createdAt",
            "price",
            "ratings.averageRating",
            "clicks",
            "discount",
            "finalPrice",
        ]);
        let order = *random.of(&["asc", "desc"]);
        let page = 1 + random.below(products / 10);
        format!("category={category}&sortBy={sort}&order={order}&page={page}")
    };
    (0..10_000).map(page).collect()
}
