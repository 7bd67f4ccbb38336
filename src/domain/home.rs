//! Content around the unfiltered list: picks above it, and below it the categories with a picture.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use super::{
    Category, NewProduct, Paise, PriceHistory, PriceVerdictKind, Product, date_in_india, mean_path,
    short_rupees, variant_key,
};

/// Smallest number of reviews that two listings of a seller do not share by chance.
const LISTING_REVIEWS: i64 = 1_000;

/// Content around the unfiltered list.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Home {
    /// Products of each category with the largest drops, from which picks are chosen.
    pub cheaper: Vec<Product>,
    /// Of the products of each category with the most clicks of any kind or the best ratings: the well-rated ones,
    /// by counted clicks, then by the number of ratings; from which picks are chosen.
    pub liked: Vec<LikedProduct>,
    /// Categories with enough products.
    pub categories: Vec<CategoryTile>,
}

/// A product with the clicks that count for its rank.
#[derive(Debug, Clone, PartialEq)]
pub struct LikedProduct {
    /// The product.
    pub product: Product,
    /// Clicks that reports count; 0 if fewer than [`Home::MIN_CLICKS`].
    pub clicks: i64,
    /// True for the best of a category that has enough products for a section.
    pub is_first: bool,
}

impl LikedProduct {
    /// True if it is well rated and its seller lets it be shown so.
    fn may_be_pick(&self) -> bool {
        let product = &self.product;
        !product.hides_price()
            && !product.hides_ratings()
            && product.details.average_rating >= Home::WELL_RATED
    }

    /// True if its rating says something, or its clicks do.
    fn is_reviewed(&self) -> bool {
        self.clicks > 0 || self.product.details.total_ratings >= Home::MIN_REVIEWS
    }

    fn ranked(&self) -> ((i64, i64), &Product) {
        let rank = (self.clicks, self.product.details.total_ratings);
        (rank, &self.product)
    }
}

/// A category on the home page.
#[derive(Debug, Clone, PartialEq)]
pub struct CategoryTile {
    /// The category.
    pub category: Category,
    /// Number of products.
    pub products: i64,
    /// First of the category's liked products, for its picture.
    pub picture: Product,
    /// Cheapest products, of which the first with a visible price is stated.
    pub cheapest: Vec<Product>,
}

impl CategoryTile {
    /// Returns the lowest visible price, like `₹95`.
    pub fn from_price(&self) -> Option<String> {
        let visible = self.cheapest.iter().find(|product| !product.hides_price());
        visible.map(|product| short_rupees(product.details.final_price))
    }
}

/// A few products for the top of the home page.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Picks {
    /// The picks, the best first; none if there are too few.
    pub products: Vec<Product>,
    /// True if their price histories prove that they are cheaper; else they are well rated.
    pub are_cheaper: bool,
    /// Sentence about the price history of picks that are not proven cheaper.
    pub note: Option<String>,
}

impl Home {
    /// Smallest number of products that make a section.
    pub const SECTION: usize = 3;
    /// Clicks of a product from which on they count for its rank: fewer are chance.
    pub const MIN_CLICKS: i64 = 20;
    /// Reviews from which on an average says something.
    pub const MIN_REVIEWS: i64 = 10;
    /// Usual number of picks: one large pick and four medium ones.
    pub const PICKS: usize = 5;
    const PER_SELLER: usize = 2;
    /// Lowest average of a well-rated product.
    pub const WELL_RATED: f64 = 4.0;

    /// Returns every product.
    pub fn products_mut(&mut self) -> impl Iterator<Item = &mut Product> {
        let tiles = self.categories.iter_mut();
        let tiles = tiles.flat_map(|tile| tile.cheapest.iter_mut().chain([&mut tile.picture]));
        let liked = self.liked.iter_mut().map(|liked| &mut liked.product);
        self.cheaper.iter_mut().chain(liked).chain(tiles)
    }

    /// Returns the latest time at which one of the prices was seen.
    pub fn last_seen(&self) -> Option<Timestamp> {
        let liked = self.liked.iter().map(|liked| &liked.product);
        let products = self.cheaper.iter().chain(liked);
        products.map(Product::last_seen).max()
    }

    /// Returns the mean of the prices that may be compared, over 90 days, as SVG path data; `None` if it is
    /// constant; needs the verdicts.
    pub fn mean_path(&self) -> Option<String> {
        let liked = self.liked.iter().map(|liked| &liked.product);
        let compared = self.cheaper.iter().chain(liked);
        let compared: BTreeMap<&str, &PriceHistory> = compared
            .filter(|product| product.verdict.is_some())
            .map(|product| (product.id.as_str(), &product.prices))
            .collect();
        mean_path(compared.into_values())
    }

    /// Chooses the picks by their price histories, else well-rated products; needs their verdicts.
    pub fn picks(&self, most: usize, now: Timestamp) -> Picks {
        let drop = |product: &Product| product.prices.drop_amount().map_or(0, Paise::get);
        let cheaper = self.cheaper.iter().filter_map(|product| {
            let verdict = product.verdict.as_deref();
            let is_cheaper = verdict.is_some_and(|verdict| verdict.kind.is_cheaper());
            Some((drop(product), product)).filter(|(drop, _)| is_cheaper && *drop > 0)
        });
        let mut cheaper = spread(most, cheaper);
        if cheaper.len() >= Self::SECTION {
            // The large pick shows its history, which names no lower price if it can.
            if let Some(lead) = cheaper.iter().position(is_lowest_90) {
                cheaper[..=lead].rotate_right(1);
            }
            return Picks {
                products: cheaper,
                are_cheaper: true,
                note: None,
            };
        }
        let picks = self.liked_picks(most);
        if picks.len() < Self::SECTION {
            return Picks::default();
        }
        Picks {
            note: note(&picks, now),
            products: picks,
            are_cheaper: false,
        }
    }

    /// Chooses well-rated products. A few reviews are chance: a deal with so few is a pick only if its category has
    /// no other, or the shop too few.
    fn liked_picks(&self, most: usize) -> Vec<Product> {
        let liked = || self.liked.iter().filter(|it| it.may_be_pick());
        let best = liked().filter(|it| it.is_reviewed() || it.is_first);
        let picks = spread(most, best.map(LikedProduct::ranked));
        if picks.len() < Self::SECTION {
            return spread(most, liked().map(LikedProduct::ranked));
        }
        picks
    }
}

/// Chooses the products of the highest ranks: one of each category first, and at most two of a
/// seller unless there are few sellers, or too few products of others.
fn spread<'a, K: Ord>(
    most: usize,
    products: impl Iterator<Item = (K, &'a Product)>,
) -> Vec<Product> {
    let mut ranked: Vec<(K, &Product)> = products.collect();
    ranked.sort_by(|(one, _), (other, _)| other.cmp(one));
    let best: Vec<&Product> = ranked.into_iter().map(|(_, product)| product).collect();
    let sellers: BTreeSet<_> = best.iter().map(|it| &it.details.source).collect();
    let share = most.div_ceil(sellers.len().max(1));
    let per_seller = share.max(Home::PER_SELLER);
    let mut chosen: Vec<(usize, &Product)> = Vec::new();
    for (repeats_category, per_seller) in [(false, per_seller), (true, per_seller), (true, most)] {
        for (place, &product) in best.iter().enumerate() {
            let same = |same: fn(&Product, &Product) -> bool| {
                let others = chosen.iter().filter(|(_, other)| same(other, product));
                others.count()
            };
            let of_category = same(|a, b| a.details.category == b.details.category);
            let of_seller = same(|a, b| a.details.source == b.details.source);
            let is_chosen = same(are_variants) > 0;
            if chosen.len() < most
                && !is_chosen
                && of_seller < per_seller
                && (repeats_category || of_category == 0)
            {
                chosen.push((place, product));
            }
        }
    }
    chosen.sort_by_key(|(place, _)| *place);
    chosen
        .into_iter()
        .map(|(_, product)| product.clone())
        .collect()
}

/// True if no price of the last 90 days was lower.
fn is_lowest_90(product: &Product) -> bool {
    let verdict = product.verdict.as_deref();
    verdict.is_some_and(|verdict| verdict.kind == PriceVerdictKind::Lowest90)
}

/// True for two products with the same beginning of their titles, or with the reviews of one listing.
fn are_variants(one: &Product, other: &Product) -> bool {
    let (one, other) = (&one.details, &other.details);
    let reviews = |it: &NewProduct| (it.total_ratings, it.average_rating.to_bits());
    variant_key(&one.title) == variant_key(&other.title)
        || one.total_ratings >= LISTING_REVIEWS
            && one.source == other.source
            && reviews(one) == reviews(other)
}

/// Says since when prices are watched, or that few are low today; nothing without a history.
fn note(products: &[Product], now: Timestamp) -> Option<String> {
    let since = products.iter().filter_map(|it| it.prices.since()).min()?;
    let until = since + PriceHistory::MIN_TRACKED;
    if until > now {
        return Some(format!(
            "We have watched prices since {}. From {} on we can say which are really cheap.",
            date_in_india(since),
            date_in_india(until)
        ));
    }
    Some("Few prices are well below their own past today, so these are well rated.".to_owned())
}
