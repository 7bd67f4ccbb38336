//! Categories and collections in the shop that each page has.

use serde::Serialize;
use utoipa::ToSchema;

use crate::domain::{Collection, ListedCategory};

/// A category, without its deals.
#[derive(Serialize, ToSchema)]
pub(crate) struct CategoryBody<'a> {
    name: &'a str,
    /// Name of the category above it; omitted in the first level
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    parent: Option<&'a str>,
    /// True if it is missing where visitors choose a category
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    hidden: bool,
    /// Name of the drawing in place of a missing picture
    drawing: &'a str,
    /// Number of the ground of pictures
    ground: u8,
}

impl<'a> From<&'a ListedCategory> for CategoryBody<'a> {
    fn from(listed: &'a ListedCategory) -> Self {
        Self {
            name: listed.category.as_str(),
            parent: listed.category.parent(),
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
    on_home: bool,
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
