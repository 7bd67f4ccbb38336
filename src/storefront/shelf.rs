//! Shelves: lists with a fixed filter, a heading and a text, at addresses of their own.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;
use utoipa::ToSchema;

use super::Storefront;
use super::markdown::{to_html, to_text};
use super::offers::ShelfOffer;
use super::paths::{category_path, collection_path, seller_path};
use crate::domain::{
    Categories, Category, CollectionFilter, Filters, ListedCategory, slug_of, with_shop,
};
use crate::store::{Store, StoreError};

/// Maximum number of sellers to which every page links.
pub(super) const MOST_SELLERS: usize = 12;

/// A list with an address of its own. Another kind needs a case of [`Shelf::find`], its fixed filter in
/// `fixed`, and its route in `pages/shelves.rs` and `frontend/src/app/routes.tsx`.
pub(crate) struct Shelf {
    pub(crate) path: String,
    pub(crate) name: String,
    /// Text below the heading, and for search engines; may be empty.
    pub(crate) text: String,
    /// The text as HTML, if it is Markdown.
    html: Option<String>,
    /// Address of its picture.
    pub(crate) picture: Option<String>,
    /// Filters that every list at the address has.
    pub(crate) fixed: Filters,
    /// Whether search engines must not list it.
    pub(crate) is_hidden: bool,
    /// The shelf above it, with the deals of this one.
    pub(crate) above: Option<ShelfLink>,
    /// Other lists that visitors may look for at this address.
    also: Vec<ShelfLink>,
    /// The seller's offers that run.
    offers: Vec<ShelfOffer>,
}

/// A link to a list.
#[derive(Serialize, ToSchema)]
pub(crate) struct ShelfLink {
    pub(crate) name: String,
    pub(crate) path: String,
}

/// A shelf as the app shows it.
#[derive(Serialize, ToSchema)]
pub(crate) struct ShelfBody<'a> {
    path: &'a str,
    name: &'a str,
    /// Text below its heading
    #[serde(skip_serializing_if = "str::is_empty")]
    #[schema(required = false)]
    text: &'a str,
    /// The text as HTML, if it is Markdown
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    html: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    picture: Option<&'a str>,
    filters: FixedFilters<'a>,
    /// The list above it, which has its deals too
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = ShelfLink)]
    above: Option<&'a ShelfLink>,
    /// Sellers whose names give the same address
    #[serde(skip_serializing_if = "<[ShelfLink]>::is_empty")]
    #[schema(required = false)]
    also: &'a [ShelfLink],
    /// The seller's offers that run
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    #[schema(required = false)]
    offers: &'a [ShelfOffer],
}

/// Filters that every list at the address has.
#[derive(Serialize, ToSchema)]
struct FixedFilters<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    category: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    source: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    collection: Option<&'a str>,
}

impl Shelf {
    /// Finds the shelf of a kind and a slug, also one that it had; `read` reads the filters of a list's query.
    pub(crate) fn find(
        front: &Storefront,
        store: &Store,
        (kind, slug): (&str, &str),
        read: impl FnOnce(&str) -> Filters,
    ) -> Result<Option<Self>, StoreError> {
        let categories = &front.categories;
        Ok(match kind {
            "category" => categories
                .find_slug(slug)
                .map(|listed| Self::of_category(categories, listed)),
            "seller" => {
                let mut names = store.sellers()?;
                let described = front.described_sellers().map(str::to_owned);
                let described: Vec<_> = described.filter(|name| !names.contains(name)).collect();
                names.extend(described);
                names.retain(|name| slug_of(name) == slug);
                if names.is_empty() {
                    names.extend(front.present_seller(slug).map(str::to_owned));
                }
                Self::of_seller(front, names)
            }
            "collection" => {
                let query = format!("collection={}", utf8_percent_encode(slug, NON_ALPHANUMERIC));
                Self::of_filters(front, &read(&query))
            }
            _ => None,
        })
    }

    /// Returns the shelf whose lists have these filters and no others, if it is a category's or a collection's.
    pub(crate) fn of_filters(front: &Storefront, filters: &Filters) -> Option<Self> {
        let categories = &front.categories;
        let shelf = match (&filters.category, &filters.collection) {
            (Some(category), _) => Self::of_category(categories, categories.listed(category)?),
            (None, Some(filter)) => Self::of_collection(front, filter)?,
            (None, None) => return None,
        };
        (shelf.fixed == *filters).then_some(shelf)
    }

    /// Makes the shelf of a collection that runs.
    fn of_collection(front: &Storefront, filter: &CollectionFilter) -> Option<Self> {
        let mut running = front.collections.iter().filter(|it| it.is_running);
        let collection = running.find(|it| it.slug == filter.slug)?;
        let mut picture = [collection.picture.clone()];
        with_shop(&mut picture, &front.public_url);
        let [picture] = picture;
        Some(Self {
            path: collection_path(&collection.slug),
            name: collection.name.clone(),
            text: to_text(&collection.text),
            html: html_of(&collection.text),
            picture: Some(picture).filter(|picture| !picture.is_empty()),
            fixed: Filters {
                collection: Some(Box::new(filter.clone())),
                ..Filters::default()
            },
            is_hidden: false,
            above: None,
            also: Vec::new(),
            offers: Vec::new(),
        })
    }

    fn of_category(categories: &Categories, listed: &ListedCategory) -> Self {
        let above = listed
            .parent
            .as_deref()
            .and_then(|slug| categories.find_slug(slug));
        Self {
            path: category_path(categories, &listed.category),
            name: listed.category.to_string(),
            text: listed.text.clone(),
            html: None,
            picture: None,
            fixed: Filters {
                category: Some(listed.category.clone()),
                ..Filters::default()
            },
            is_hidden: listed.is_hidden,
            above: above.map(|above| ShelfLink {
                name: above.category.to_string(),
                path: category_path(categories, &above.category),
            }),
            also: Vec::new(),
            offers: Vec::new(),
        }
    }

    /// Makes the shelf of the first of these sellers, with links to the lists of the others.
    fn of_seller(front: &Storefront, names: Vec<String>) -> Option<Self> {
        let mut names = names.into_iter();
        let name = names.next()?;
        let rules = front.settings.shop.sources.get(&name);
        let text = rules.map_or("", |rules| &rules.text);
        Some(Self {
            path: seller_path(&name)?,
            text: to_text(text),
            html: html_of(text),
            picture: None,
            fixed: Filters {
                sources: vec![name.clone()],
                ..Filters::default()
            },
            is_hidden: false,
            above: None,
            also: names
                .map(|name| ShelfLink {
                    path: format!("/?source={}", utf8_percent_encode(&name, NON_ALPHANUMERIC)),
                    name,
                })
                .collect(),
            offers: front.offers.of_seller(&name, Timestamp::now()),
            name,
        })
    }

    pub(crate) fn body(&self) -> ShelfBody<'_> {
        let Self { fixed, .. } = self;
        ShelfBody {
            path: &self.path,
            name: &self.name,
            text: &self.text,
            html: self.html.as_deref(),
            picture: self.picture.as_deref(),
            filters: FixedFilters {
                category: fixed.category.as_ref().map(Category::as_str),
                source: fixed.sources.first().map(String::as_str),
                collection: fixed.collection.as_ref().map(|it| it.slug.as_str()),
            },
            above: self.above.as_ref(),
            also: &self.also,
            offers: &self.offers,
        }
    }

    /// Sets the fixed filters.
    pub(crate) fn fix(&self, filters: &mut Filters) {
        let Filters {
            category,
            sources,
            collection,
            ..
        } = self.fixed.clone();
        filters.collection = collection.or(filters.collection.take());
        filters.category = category.or(filters.category.take());
        if !sources.is_empty() {
            filters.sources = sources;
        }
    }
}

impl Storefront {
    /// Names, in order, of the sellers of which the owner wrote a text or offers.
    pub(super) fn described_sellers(&self) -> impl Iterator<Item = &str> {
        let rules = self.settings.shop.sources.iter();
        let with_text = rules.filter(|(_, rules)| !rules.text.is_empty());
        let names = with_text.map(|(name, _)| name.as_str());
        names
            .chain(self.offers.sellers())
            .collect::<BTreeSet<_>>()
            .into_iter()
    }

    /// Returns links to the pages of sellers, by name: of those that the owner described, then of those with
    /// the most deals.
    pub(super) fn seller_links(&self) -> Vec<ShelfLink> {
        let with_deals = self.sellers.iter().map(String::as_str);
        let mut links = BTreeMap::new();
        for name in self.described_sellers().chain(with_deals) {
            if let Some(path) = seller_path(name).filter(|_| links.len() < MOST_SELLERS) {
                links.entry(path).or_insert(name);
            }
        }
        let links = links.into_iter().map(|(path, name)| ShelfLink {
            name: name.to_owned(),
            path,
        });
        let mut links: Vec<_> = links.collect();
        links.sort_by(|one, other| one.name.cmp(&other.name));
        links
    }
}

fn html_of(markdown: &str) -> Option<String> {
    Some(to_html(markdown)).filter(|html| !html.is_empty())
}
