//! What a page tells search engines and whoever shares it.

use maud::{Markup, PreEscaped, html};
use serde_json::{Value, json};
use url::Url;

use super::filters::usual_sort;
use super::format::{count, counted, percent, rupees, truncate};
use super::listing::heading;
use super::product::picture_address;
use super::routes::details_path;
use crate::domain::{Filters, ListQuery, Listing, Order, Product};
use crate::http::api::list_query::{hundredths, page_address};

/// Characters of a description that search engines show.
const DESCRIPTION: usize = 160;
/// Characters of a product's description in its structured data.
const FULL_DESCRIPTION: usize = 5_000;

/// The elements of a page's head that tell what is on it.
pub(super) struct Head {
    title: String,
    description: String,
    /// The address to remember, from the public address.
    canonical: Url,
    /// `website` or `product` (Open Graph).
    kind: &'static str,
    image: Option<Url>,
    /// The price to pay, in rupees.
    price: Option<String>,
    /// Whether search engines may list the page.
    indexed: bool,
    /// The pages before and after this one.
    neighbours: Vec<(&'static str, Url)>,
    /// Schema.org's description of the content.
    structured: Value,
}

impl Head {
    pub(super) fn of_list(public_url: &Url, query: &ListQuery, found: &Listing<Product>) -> Self {
        let Filters {
            category, search, ..
        } = &query.filters;
        let filtered = *query != ListQuery::default();
        let heading = heading(query);
        let page = match query.page {
            1 => String::new(),
            page => format!(" · Page {page}"),
        };
        let title = match (category, search) {
            (None, None) => format!("Deals{page}"),
            _ => format!("{heading} · Deals{page}"),
        };
        let deals = counted(found.page.total, "deal", "deals");
        let what = match (category, search) {
            (None, None) => deals,
            (Some(category), None) => format!("{deals} in {category}"),
            (_, Some(_)) => format!("{deals} for {heading}"),
        };
        // However it is sorted, it is the same list.
        let unsorted = ListQuery {
            sort_by: usual_sort(&query.filters),
            order: Order::Desc,
            ..query.clone()
        };
        let only_category = Filters {
            category: *category,
            ..Filters::default()
        };
        let image = found
            .page
            .items
            .iter()
            .find_map(|product| picture(public_url, product));
        Self {
            title,
            description: format!(
                "{what}: compare prices in rupees and discounts, and buy at the shops you know."
            ),
            canonical: absolute(public_url, &page_address(&unsorted)),
            kind: "website",
            image,
            price: None,
            indexed: !filtered || query.filters == only_category,
            neighbours: neighbours(public_url, &unsorted, found.page.total_pages(query.limit)),
            structured: item_list(public_url, query, &heading, found),
        }
    }

    pub(super) fn of_product(public_url: &Url, product: &Product) -> Self {
        let details = &product.details;
        Self {
            title: format!("{} · Deals", details.title),
            description: summary(product),
            canonical: absolute(public_url, &details_path(&product.id)),
            kind: "product",
            image: picture(public_url, product),
            price: Some(hundredths(product.final_price.get())),
            indexed: true,
            neighbours: Vec::new(),
            structured: product_data(public_url, product),
        }
    }

    pub(super) fn markup(&self) -> Markup {
        let card = if self.image.is_some() {
            "summary_large_image"
        } else {
            "summary"
        };
        html! {
            title { (self.title) }
            meta name="description" content=(self.description);
            link rel="canonical" href=(self.canonical);
            @for (relation, address) in &self.neighbours { link rel=(relation) href=(address); }
            @if !self.indexed { meta name="robots" content="noindex, follow"; }
            meta property="og:site_name" content="Deals";
            meta property="og:locale" content="en_IN";
            meta property="og:type" content=(self.kind);
            meta property="og:title" content=(self.title);
            meta property="og:description" content=(self.description);
            meta property="og:url" content=(self.canonical);
            @if let Some(image) = &self.image {
                meta property="og:image" content=(image);
            }
            @if let Some(price) = &self.price {
                meta property="product:price:amount" content=(price);
                meta property="product:price:currency" content="INR";
            }
            // What else it shows, it takes from Open Graph's properties.
            meta name="twitter:card" content=(card);
            script type="application/ld+json" { (data(&self.structured)) }
        }
    }
}

/// What a product is and costs, in the length that search engines show.
pub(in crate::http) fn summary(product: &Product) -> String {
    let details = &product.details;
    let discount = if details.discount.get() > 0 {
        format!(" (−{})", percent(details.discount))
    } else {
        String::new()
    };
    let words: Vec<&str> = details.description.split_whitespace().collect();
    let price = rupees(product.final_price);
    let lead = format!(
        "{price}{discount} at {}. {}",
        details.source,
        words.join(" ")
    );
    truncate(&lead, DESCRIPTION)
}

/// The head of a screen that search engines have no business with.
pub(super) fn plain(title: &str) -> Markup {
    html! {
        title { (title) }
        meta name="robots" content="noindex";
    }
}

/// JSON inside a page: a `<` could end the element that holds it.
pub(super) fn data(value: &Value) -> Markup {
    PreEscaped(value.to_string().replace('<', "\\u003c"))
}

/// An address of this site with the public address before it.
pub(in crate::http) fn absolute(public_url: &Url, path: &str) -> Url {
    public_url.join(path).unwrap_or_else(|_| public_url.clone())
}

fn picture(public_url: &Url, product: &Product) -> Option<Url> {
    let first = product.details.images.first()?;
    public_url.join(picture_address(first)?).ok()
}

fn neighbours(public_url: &Url, query: &ListQuery, pages: i64) -> Vec<(&'static str, Url)> {
    let at = |page| {
        let query = ListQuery {
            page,
            ..query.clone()
        };
        absolute(public_url, &page_address(&query))
    };
    let mut neighbours = Vec::new();
    if query.page > 1 && i64::from(query.page) <= pages {
        neighbours.push(("prev", at(query.page - 1)));
    }
    if i64::from(query.page) < pages {
        neighbours.push(("next", at(query.page + 1)));
    }
    neighbours
}

fn item_list(
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
                "name": product.details.title,
                "url": absolute(public_url, &details_path(&product.id)),
            })
        })
        .collect();
    json!({
        "@context": "https://schema.org",
        "@type": "ItemList",
        "name": heading,
        "description": format!("{} in all", count(found.page.total)),
        "numberOfItems": found.page.total,
        "itemListElement": items,
    })
}

fn product_data(public_url: &Url, product: &Product) -> Value {
    let details = &product.details;
    let address = absolute(public_url, &details_path(&product.id));
    let images: Vec<Url> = details
        .images
        .iter()
        .filter_map(|image| public_url.join(picture_address(image)?).ok())
        .collect();
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
            "price": hundredths(product.final_price.get()),
            "priceCurrency": "INR",
            "seller": { "@type": "Organization", "name": details.source },
        },
    });
    // A rating that nobody gave is none.
    if details.total_ratings > 0 && details.average_rating > 0.0 {
        data["aggregateRating"] = json!({
            "@type": "AggregateRating",
            "ratingValue": details.average_rating,
            "ratingCount": details.total_ratings,
            "bestRating": 5,
            "worstRating": 0,
        });
    }
    data
}
