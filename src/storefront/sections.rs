//! The sections of the home page, by the sellers' rules.

use std::slice;

use jiff::Timestamp;

use super::Storefront;
use super::list_query::filter_of;
use super::paths::collection_path;
use crate::domain::{
    CollectionFilter, Home, ListQuery, Picks, Product, Section, SectionKind, with_shop,
};
use crate::store::{Store, StoreError};

/// A section that has something to show.
pub(crate) struct SectionShown {
    pub(crate) section: Section,
    /// Its deals; the picks and the tiles of categories are the home page's.
    pub(crate) products: Vec<Product>,
    /// The list that it leads to.
    pub(crate) list: Option<ListQuery>,
}

impl Storefront {
    /// Returns the filter of a collection that runs.
    fn running(&self, slug: &str) -> Option<CollectionFilter> {
        let mut running = self.collections.iter().filter(|it| it.is_running);
        let collection = running.find(|it| it.slug == slug)?;
        Some(filter_of(collection, self.names()))
    }

    /// Reads what the sections show, without those that show nothing.
    pub(super) fn sections(
        &self,
        store: &Store,
        sections: &[Section],
        home: &Home,
        picks: &Picks,
    ) -> Result<Vec<SectionShown>, StoreError> {
        let mut shown = Vec::new();
        for section in sections {
            let list = section.list(&self.categories, |slug| self.running(slug));
            let mut products = match (section.kind, &list) {
                (SectionKind::Clicked, _) => {
                    store.most_clicked(section.deals as usize, Timestamp::now())?
                }
                (_, Some(list)) => store.list_products(list)?.page.items,
                (_, None) => Vec::new(),
            };
            let has_content = match section.kind {
                SectionKind::Picks => !picks.products.is_empty(),
                SectionKind::Categories => home.categories.len() >= Home::SECTION,
                SectionKind::Text | SectionKind::Banner => true,
                _ => !products.is_empty(),
            };
            if !has_content {
                continue;
            }
            self.apply_rules_to_tiles(&mut products);
            let mut section = section.clone();
            // A former name of the category finds it, too.
            if let Some(category) = list.as_ref().and_then(|it| it.filters.category.as_ref()) {
                category.as_str().clone_into(&mut section.name);
            }
            if let Some(collection) = list.as_ref().and_then(|it| it.filters.collection.as_ref()) {
                section.link = collection_path(&collection.slug);
                collection.name.clone_into(&mut section.name);
            }
            with_shop(slice::from_mut(&mut section.picture), &self.public_url);
            shown.push(SectionShown {
                section,
                products,
                list,
            });
        }
        Ok(shown)
    }
}
