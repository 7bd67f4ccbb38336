//! Collections, offers of sellers, settings and mappings in an archive of a shop.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Collection, CollectionRequest};
use crate::domain::{
    Categories, FieldError, SOURCE, Section, SellerOffer, Settings, SettingsChange, State,
    StoredSellerOffer, rfc3339,
};

const FRONT_PAGE: &str = "frontPage";

/// Contents of an archive besides products, categories and pictures.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ArchivedShop {
    /// Collections, each with all of its values.
    pub collections: Vec<CollectionRequest>,
    /// Offers by seller, as the API takes them.
    pub offers: BTreeMap<String, Vec<Value>>,
    /// Sections of the home page, as the API takes them.
    pub front_page: Value,
    /// Other settings that are set, by name, as the API takes them.
    pub settings: Map<String, Value>,
    /// Saved mappings of files by name.
    pub mappings: BTreeMap<String, Value>,
}

impl ArchivedShop {
    /// Makes it of a shop's; without offers that are over.
    pub fn new(
        collections: &[Collection],
        offers: &[StoredSellerOffer],
        settings: &Settings,
        now: Timestamp,
    ) -> Self {
        let mut settings = SettingsChange::values_of(settings);
        let mut by_seller: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        let lasting = |it: &&StoredSellerOffer| it.offer.state(now) != State::Ended;
        for stored in offers.iter().filter(lasting) {
            let of_seller = by_seller.entry(stored.source.clone()).or_default();
            of_seller.push(stored.offer.to_json());
        }
        Self {
            collections: collections.iter().map(CollectionRequest::from).collect(),
            offers: by_seller,
            front_page: settings.remove(FRONT_PAGE).unwrap_or_default(),
            settings,
            mappings: BTreeMap::new(),
        }
    }

    /// Drops the offers that are over.
    ///
    /// # Errors
    ///
    /// Returns a message about the first invalid part.
    pub fn check(&mut self, categories: &Categories, now: Timestamp) -> Result<(), String> {
        let said = |what: String, errors: Vec<FieldError>| {
            let reasons: Vec<String> = errors.into_iter().map(|it| it.message).collect();
            format!("{what}: {}", reasons.join(" "))
        };
        if self.collections.len() > Collection::MOST {
            return Err("its shop.json has more than 100 collections".to_owned());
        }
        for it in &self.collections {
            let name = it.name.clone().unwrap_or_default();
            let read = it.clone().read(&[], None, now);
            read.map_err(|errors| said(format!("its collection {name:?}"), errors))?;
        }
        Section::parse_all(&self.front_page)
            .map_err(|errors| said("its home page".to_owned(), errors))?;
        SettingsChange::new(self.settings.clone())
            .apply(&Settings::default())
            .map_err(|errors| said("its settings".to_owned(), errors))?;
        for (source, offers) in &mut self.offers {
            if !(1..=SOURCE.most).contains(&source.chars().count()) {
                let most = SOURCE.most;
                return Err(format!(
                    "its offers: the seller {source:?} needs 1 to {most} characters."
                ));
            }
            let end = |offer: &Value| offer["endsAt"].as_str()?.parse::<Timestamp>().ok();
            offers.retain(|offer| end(offer).is_none_or(|end| end > now));
            for offer in offers {
                SellerOffer::read(offer.clone(), categories, now)
                    .map_err(|errors| said(format!("its offer of {source}"), errors))?;
            }
        }
        Ok(())
    }
}

impl From<&Collection> for CollectionRequest {
    fn from(collection: &Collection) -> Self {
        let time = |at: Option<Timestamp>| at.map(rfc3339);
        Self {
            name: Some(collection.name.clone()),
            slug: Some(collection.slug.clone()),
            text: Some(collection.text.clone()),
            picture: Some(collection.picture.clone()),
            rule: collection.rule.clone(),
            products: Some(collection.products.clone()),
            starts_at: time(collection.starts_at),
            ends_at: time(collection.ends_at),
            on_home: Some(collection.on_home),
            in_menu: Some(collection.in_menu),
            version: None,
        }
    }
}
