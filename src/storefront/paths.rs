//! Addresses of the shop's pages.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use url::Url;

use crate::domain::{Categories, Category, slug_of};

/// Characters that `encodeURIComponent` leaves unescaped, besides letters and digits.
pub(crate) const COMPONENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'!')
    .remove(b'~')
    .remove(b'*')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')');

/// Returns the absolute public address of a path.
pub(crate) fn absolute(public_url: &Url, path: &str) -> Url {
    public_url.join(path).unwrap_or_else(|_| public_url.clone())
}

/// Returns the path of a product's page.
pub(crate) fn details_path(id: &str) -> String {
    format!("/details/{}", utf8_percent_encode(id, COMPONENT))
}

/// Characters of slugs that paths have as they are.
pub(super) const SLUG: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-');

/// Returns the path of a category's page.
pub(crate) fn category_path(categories: &Categories, category: &Category) -> String {
    let Some(listed) = categories.listed(category) else {
        return "/".to_owned();
    };
    let slugs = listed.parent.iter().chain([&listed.slug]);
    slugs.fold("/category".to_owned(), |path, slug| {
        format!("{path}/{}", utf8_percent_encode(slug, SLUG))
    })
}

/// Returns the path of a collection's page.
pub(crate) fn collection_path(slug: &str) -> String {
    format!("/collection/{}", utf8_percent_encode(slug, SLUG))
}

/// Returns the path of a seller's page, if its name gives one.
pub(crate) fn seller_path(name: &str) -> Option<String> {
    let slug = Some(slug_of(name)).filter(|slug| !slug.is_empty())?;
    Some(format!("/seller/{}", utf8_percent_encode(&slug, SLUG)))
}
