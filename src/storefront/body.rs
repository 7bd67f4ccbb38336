//! Public settings, as the app gets them with each page.

use serde::Serialize;
use utoipa::ToSchema;

use super::Storefront;
use super::look::letter_of;
use super::shelf::ShelfLink;
use crate::domain::{Collection, ListedCategory, ShopTexts, slug_of};

/// Public settings, sent with each page.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShopBody<'a> {
    /// With the name Deals and the program's disclosure, unless the owner chose others
    #[serde(flatten)]
    texts: ShopTexts,
    /// The path of the logo's picture
    mark: &'a str,
    /// The letter in its place, if the owner has chosen none
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    letter: Option<String>,
    pages: Vec<PageTitle<'a>>,
    /// The categories in their order, each above those below it
    categories: Vec<CategoryBody<'a>>,
    /// The collections that run, by name
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    collections: Vec<CollectionName<'a>>,
    /// Pages of sellers: those that the owner described, then those with the most deals
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    sellers: Vec<ShelfLink>,
    /// True if browsers may sign in over plain http from other machines
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    http_sign_in: bool,
    /// Without a mail server: where codes go, and so who can register
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = NoMail)]
    no_mail: Option<NoMail>,
}

/// A category, without its deals.
#[derive(Serialize, ToSchema)]
pub(crate) struct CategoryBody<'a> {
    name: &'a str,
    /// Name of the category above it; omitted in the first level
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    parent: Option<&'a str>,
    /// Part of its address, if another than its name gives
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    slug: Option<&'a str>,
    /// True if it is missing where visitors choose a category
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    hidden: bool,
    /// Name of the drawing in place of a missing picture
    drawing: &'a str,
    /// Number of the ground of pictures
    ground: u8,
}

impl CategoryBody<'_> {
    /// Leaves out the slug, for an answer that always has one.
    pub(crate) fn without_slug(self) -> Self {
        Self { slug: None, ..self }
    }
}

impl<'a> From<&'a ListedCategory> for CategoryBody<'a> {
    fn from(listed: &'a ListedCategory) -> Self {
        Self {
            name: listed.category.as_str(),
            parent: listed.category.parent(),
            slug: Some(listed.slug.as_str())
                .filter(|slug| *slug != slug_of(listed.category.as_str())),
            hidden: listed.is_hidden,
            drawing: &listed.drawing,
            ground: listed.ground,
        }
    }
}

/// A collection, without its deals.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CollectionName<'a> {
    slug: &'a str,
    name: &'a str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    on_home: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    in_menu: bool,
}

impl<'a> From<&'a Collection> for CollectionName<'a> {
    fn from(collection: &'a Collection) -> Self {
        Self {
            slug: &collection.slug,
            name: &collection.name,
            on_home: collection.on_home,
            in_menu: collection.in_menu,
        }
    }
}

/// Destination of codes in a shop without a mail server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum NoMail {
    /// The shop runs on the visitor's own machine, whose log has the codes.
    Log,
    /// Other people can't read the codes, so they can't register.
    Closed,
}

#[derive(Serialize, ToSchema)]
struct PageTitle<'a> {
    slug: &'a str,
    title: &'a str,
}

impl Storefront {
    pub(crate) fn body(&self) -> ShopBody<'_> {
        let shop = &self.settings.shop;
        let pages = shop.pages.iter();
        ShopBody {
            texts: ShopTexts {
                name: shop.display_name().to_owned(),
                disclosure: self.disclosure.clone(),
                ..shop.texts.clone()
            },
            mark: &self.logo.path,
            letter: match self.settings.logo {
                Some(_) => None,
                None => letter_of(shop.display_name()),
            },
            pages: pages
                .map(|page| PageTitle {
                    slug: &page.slug,
                    title: &page.title,
                })
                .collect(),
            categories: self
                .categories
                .all()
                .iter()
                .map(CategoryBody::from)
                .collect(),
            collections: self
                .collections
                .iter()
                .filter(|it| it.is_running)
                .map(CollectionName::from)
                .collect(),
            sellers: self.seller_links(),
            http_sign_in: self.http_sign_in,
            no_mail: self.no_mail,
        }
    }
}
