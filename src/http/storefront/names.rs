//! Collections in the shop that each page has.

use serde::Serialize;
use utoipa::ToSchema;

use crate::domain::Collection;

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
