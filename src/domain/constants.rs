//! Limits and choices that the server and the browser share: `frontend/src/lib/constants.json`.

use std::sync::LazyLock;

use serde::Deserialize;

/// The shared constants. Lengths are in characters, prices in rupees, discounts in percent.
pub(crate) static CONSTANTS: LazyLock<Constants> = LazyLock::new(|| {
    // The test below parses it.
    serde_json::from_str(include_str!("../../frontend/src/lib/constants.json")).unwrap_or_default()
});

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Constants {
    /// Products on a page of the list (spec section 9).
    pub(crate) page_size: u32,
    pub(crate) max_price: f64,
    /// Part of the description on a card (spec section 9).
    pub(crate) excerpt: usize,
    /// Part of a title that search engines and previews show.
    pub(crate) title_excerpt: usize,
    /// Lengths from which the product page folds a text.
    pub(crate) long_title: usize,
    pub(crate) phone_title: usize,
    pub(crate) long_text: usize,
    /// Sorts in the order of the menu.
    pub(crate) sorts: Vec<Sort>,
    pub(crate) order_labels: OrderLabels,
    pub(crate) discount_picks: Vec<f64>,
    pub(crate) price_picks: Vec<PricePick>,
    /// Tabs of the list, each a sort and an order.
    pub(crate) tabs: Vec<Tab>,
    /// Heading of a shop without a tagline.
    pub(crate) tagline: String,
    /// Pattern of a price as people type it.
    pub(crate) price_pattern: String,
    /// Sellers that the filter panel shows unfolded.
    pub(crate) sellers_shown: usize,
    /// Sellers that are counted one by one.
    pub(crate) max_sellers: usize,
    /// Products that a shop needs for picks above the list and categories below it.
    pub(crate) min_for_picks: i64,
    /// Cards whose pictures load at once: those seen without scrolling on most screens.
    pub(crate) eager_cards: usize,
    /// Pages from which the pager has a field for a page number.
    pub(crate) min_for_page_field: i64,
    /// Digits of a code (spec section 9).
    pub(crate) code_length: usize,
    /// Why a browser can't sign in over plain http.
    pub(crate) plain_http: String,
    pub(crate) max_logo_bytes: usize,
    pub(crate) min_username: usize,
    pub(crate) min_password: usize,
    pub(crate) max_search: usize,
    pub(crate) max_url: usize,
    pub(crate) max_offer_code: usize,
    pub(crate) max_offer_text: usize,
    pub(crate) max_username: usize,
    pub(crate) max_password: usize,
    pub(crate) max_email: usize,
    pub(crate) max_shop_name: usize,
    pub(crate) max_tagline: usize,
    pub(crate) max_disclosure: usize,
    pub(crate) max_page_title: usize,
    pub(crate) max_page_text: usize,
    pub(crate) max_images: usize,
    pub(crate) max_offers: usize,
}

#[derive(Deserialize)]
pub(crate) struct Sort {
    pub(crate) value: String,
    pub(crate) label: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Tab {
    pub(crate) label: String,
    pub(crate) sort_by: String,
    pub(crate) order: String,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OrderLabels {
    pub(crate) relevance: Directions,
    pub(crate) created_at: Directions,
    pub(crate) ends_at: Directions,
    pub(crate) other: Directions,
}

#[derive(Default, Deserialize)]
pub(crate) struct Directions {
    pub(crate) desc: String,
    pub(crate) asc: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PricePick {
    pub(crate) label: String,
    pub(crate) min_price: Option<f64>,
    pub(crate) max_price: Option<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Category, Discount, Facets, Paise, SortBy};

    #[test]
    fn shared_constants_fit_the_types_of_the_domain() {
        let text = include_str!("../../frontend/src/lib/constants.json");
        serde_json::from_str::<Constants>(text).unwrap();
        let json: serde_json::Value = serde_json::from_str(text).unwrap();
        assert_eq!(Paise::from_rupees(CONSTANTS.max_price), Some(Paise::MAX));
        assert_eq!(json["maxPage"], u32::MAX);
        let proven = json["provenPick"].as_f64().unwrap();
        assert_eq!(Discount::from_percent(proven), Some(Facets::PROVEN));
        assert_eq!(
            json["categories"],
            serde_json::json!(Category::ALL.map(Category::as_str))
        );
        let mut sorts: Vec<_> = CONSTANTS
            .sorts
            .iter()
            .map(|sort| sort.value.as_str())
            .collect();
        let mut all = SortBy::ALL.map(SortBy::as_str);
        sorts.sort_unstable();
        all.sort_unstable();
        assert_eq!(sorts, all);
    }
}
