//! Structured data (schema.org) for search engines.

use serde_json::{Value, json};
use url::Url;

use super::format::hundredths;
use super::format::truncate;
use super::routes::picture_address;
use crate::domain::{ListQuery, Listing, Product, State, rfc3339};
use crate::storefront::{Shelf, Storefront, absolute, details_path};

/// Length of a product's description, in characters.
const FULL_DESCRIPTION: usize = 5_000;

/// The site and who runs it.
pub(super) fn shop_data(public_url: &Url, front: &Storefront) -> Value {
    let home = absolute(public_url, "/");
    let shop = format!("{home}#shop");
    let mut organization = json!({
        "@type": "Organization",
        "@id": shop,
        "name": front.name(),
        "url": home,
        "logo": absolute(public_url, &front.logo.path),
    });
    let telegram = &front.settings.shop.texts.telegram;
    if !telegram.is_empty() {
        organization["sameAs"] = json!([telegram]);
    }
    json!({
        "@context": "https://schema.org",
        "@graph": [
            {
                "@type": "WebSite",
                "name": front.name(),
                "url": home,
                "inLanguage": "en-IN",
                "publisher": { "@id": shop },
            },
            organization,
        ],
    })
}

/// The way from the shop to a shelf, or to a product on it.
pub(super) fn breadcrumbs(
    public_url: &Url,
    front: &Storefront,
    shelf: Option<&Shelf>,
    product: Option<&Product>,
) -> Value {
    let mut steps = vec![(front.name(), absolute(public_url, "/"))];
    if let Some(shelf) = shelf {
        let above = shelf.above.iter();
        let above = above.map(|above| (above.name.as_str(), absolute(public_url, &above.path)));
        steps.extend(above);
        steps.push((&shelf.name, absolute(public_url, &shelf.path)));
    }
    steps.extend(product.map(|product| {
        let address = absolute(public_url, &details_path(&product.id));
        (product.details.title.as_str(), address)
    }));
    let items: Vec<Value> = (1..)
        .zip(steps)
        .map(|(position, (name, address)): (u32, _)| {
            json!({ "@type": "ListItem", "position": position, "name": name, "item": address })
        })
        .collect();
    json!({
        "@context": "https://schema.org",
        "@type": "BreadcrumbList",
        "itemListElement": items,
    })
}

fn availability(state: State) -> &'static str {
    match state {
        State::Live => "https://schema.org/InStock",
        State::Ended => "https://schema.org/SoldOut",
        State::Scheduled | State::Draft => "https://schema.org/PreOrder",
    }
}

pub(super) fn item_list(
    public_url: &Url,
    query: &ListQuery,
    heading: &str,
    found: &Listing<Product>,
) -> Value {
    let first = query.offset() + 1;
    let items: Vec<Value> = (first..)
        .zip(&found.page.items)
        .map(|(position, product)| {
            json!({
                "@type": "ListItem",
                "position": position,
                "url": absolute(public_url, &details_path(&product.id)),
            })
        })
        .collect();
    json!({
        "@context": "https://schema.org",
        "@type": "ItemList",
        "name": heading,
        "numberOfItems": found.page.total,
        "itemListElement": items,
    })
}

/// A product with its offer; `None` if its price is hidden, because search engines report a product
/// without offer, review and rating as an error.
pub(super) fn product_data(public_url: &Url, product: &Product) -> Option<Value> {
    if product.hides_price() {
        return None;
    }
    let details = &product.details;
    let address = absolute(public_url, &details_path(&product.id));
    let mut images: Vec<Url> = details
        .images
        .iter()
        .filter_map(|image| public_url.join(picture_address(image)?).ok())
        .collect();
    images.sort_by_key(|image| image.scheme() != "https");
    let mut data = json!({
        "@context": "https://schema.org",
        "@type": "Product",
        "@id": address,
        "url": address,
        "name": details.title,
        "description": truncate(&details.description, FULL_DESCRIPTION),
        "category": details.category.as_str(),
        "image": images,
        "offers": {
            "@type": "Offer",
            "url": address,
            "price": hundredths(product.details.final_price.get()),
            "priceCurrency": "INR",
            "availability": availability(product.state),
            "seller": { "@type": "Organization", "name": details.source },
        },
    });
    if product.state != State::Ended
        && let Some(end) = details.lifetime.ends_at
    {
        data["offers"]["priceValidUntil"] = rfc3339(end).into();
    }
    // Zero means no rating.
    if product.has_ratings_in_search() && details.total_ratings > 0 && details.average_rating > 0.0
    {
        data["aggregateRating"] = json!({
            "@type": "AggregateRating",
            "ratingValue": details.average_rating,
            "ratingCount": details.total_ratings,
            "bestRating": 5,
            "worstRating": 0,
        });
    }
    Some(data)
}
