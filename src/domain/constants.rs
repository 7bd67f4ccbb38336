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
    /// Results of filters up to which each is shown large, with offers for more.
    pub(crate) few_deals: u32,
    /// Others that are shown below them.
    pub(crate) nearby_deals: u32,
    pub(crate) max_price: f64,
    /// Part of the description on a card (spec section 9).
    pub(crate) excerpt: usize,
    /// Part of a title that search engines and previews show.
    pub(crate) title_excerpt: usize,
    /// Sellers that are counted one by one.
    pub(crate) max_sellers: usize,
    /// Filters that are counted and offered above a list.
    pub(crate) chips: Vec<Chip>,
    /// Digits of a code (spec section 9).
    pub(crate) code_length: usize,
    /// Why a browser can't sign in over plain http.
    pub(crate) plain_http: String,
    pub(crate) max_logo_bytes: usize,
    pub(crate) min_username: usize,
    pub(crate) min_password: usize,
    pub(crate) max_category: usize,
    pub(crate) max_category_text: usize,
    pub(crate) max_collection: usize,
    pub(crate) max_collection_text: usize,
    /// Names of the drawings that stand in place of missing pictures.
    pub(crate) drawings: Vec<String>,
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
    pub(crate) max_section_text: usize,
    pub(crate) max_images: usize,
    pub(crate) max_offers: usize,
    pub(crate) max_tags: usize,
    pub(crate) max_tag: usize,
}

/// A filter that is offered above a list.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Chip {
    pub(crate) min_price: Option<f64>,
    pub(crate) max_price: Option<f64>,
    pub(crate) min_discount: Option<f64>,
    pub(crate) min_rating: Option<u8>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Discount, Facets, Filters, Paise, SortBy};

    #[test]
    fn shared_constants_fit_the_types_of_the_domain() {
        let text = include_str!("../../frontend/src/lib/constants.json");
        serde_json::from_str::<Constants>(text).unwrap();
        let json: serde_json::Value = serde_json::from_str(text).unwrap();
        assert_eq!(Paise::from_rupees(CONSTANTS.max_price), Some(Paise::MAX));
        assert_eq!(json["maxPage"], u32::MAX);
        assert_eq!(json["maxSource"], crate::domain::product::SOURCE.most);
        assert_eq!(json["maxSources"], Filters::MAX_SOURCES);
        let proven = json["provenPick"].as_f64().unwrap();
        assert_eq!(Discount::from_percent(proven), Some(Facets::PROVEN));
        let sorts = json["sorts"].as_array().unwrap();
        let mut sorts: Vec<_> = sorts
            .iter()
            .map(|sort| sort["value"].as_str().unwrap())
            .collect();
        let mut all = SortBy::ALL.map(SortBy::as_str);
        sorts.sort_unstable();
        all.sort_unstable();
        assert_eq!(sorts, all);
    }
}
