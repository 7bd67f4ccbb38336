//! The head of a page: title, meta tags, Open Graph and structured data.

use jiff::{SignedDuration, Timestamp};
use maud::{Markup, PreEscaped, html};
use serde_json::{Value, json};
use url::Url;

use super::address::{default_sort, feed_address, page_address};
use super::format::hundredths;
use super::format::{counted, percent, rupees, truncate};
use super::sharing::{Icon, Picture};
use super::structured::{breadcrumbs, item_list, product_data, shop_data};
use crate::domain::{
    CONSTANTS, Filters, ListQuery, Listing, Order, Product, ShopPage, State, time_in_india,
};
use crate::storefront::{Shelf, Storefront, absolute, details_path, heading};

/// Length of a description in search results, in characters.
const DESCRIPTION: usize = 160;

/// The variable elements of a page's head.
pub(super) struct Head {
    title: String,
    /// Title for previews, which name the shop themselves.
    short_title: String,
    description: String,
    /// Canonical address.
    canonical: Url,
    /// Open Graph type, `website` or `product`.
    kind: &'static str,
    image: Picture,
    /// Final price in rupees.
    price: Option<String>,
    /// Restrictions for search engines, if any.
    robots: Option<String>,
    /// Previous and next page.
    neighbours: Vec<(&'static str, Url)>,
    /// Structured data (schema.org).
    structured: Vec<Value>,
    /// Filters of the page's feeds.
    feeds: Filters,
}

impl Head {
    pub(super) fn of_list(
        public_url: &Url,
        front: &Storefront,
        query: &ListQuery,
        shelf: Option<&Shelf>,
        found: &Listing<Product>,
    ) -> Self {
        let of_filters = Shelf::of_filters(front, &query.filters);
        let shelf = shelf.or(of_filters.as_ref());
        // Nothing but what its address says.
        let whole = shelf.filter(|shelf| shelf.fixed == query.filters);
        let filtered = *query != ListQuery::default();
        let heading = heading(&query.filters);
        let page = match query.page {
            1 => String::new(),
            page => format!(" · Page {page}"),
        };
        let (title, short_title) = if query.filters == Filters::default() {
            let title = format!("{}{page}", front.name());
            (title.clone(), title)
        } else {
            let title = format!("{heading} · {}{page}", front.name());
            (title, format!("{heading}{page}"))
        };
        // The canonical address has no sort order.
        let unsorted = ListQuery {
            sort_by: default_sort(&query.filters),
            order: Order::Desc,
            ..query.clone()
        };
        let is_listed = whole.is_some_and(|shelf| !shelf.is_hidden && found.page.total > 0);
        let indexed = query.filters == Filters::default() || is_listed;
        Self {
            title,
            short_title,
            description: list_description(query, whole, &heading, found.page.total),
            canonical: absolute(public_url, &page_address(&unsorted, shelf)),
            kind: "website",
            image: whole
                .and_then(|shelf| Picture::of_shelf(public_url, shelf))
                .unwrap_or_else(|| Picture::of_shop(public_url, front)),
            price: None,
            robots: (!indexed).then(|| NOT_LISTED.to_owned()),
            neighbours: neighbours(
                public_url,
                &unsorted,
                shelf,
                found.page.total_pages(query.limit),
            ),
            feeds: query.filters.clone(),
            // Structured data has a kilobyte and is used for few lists: only the first page has it.
            structured: if filtered {
                whole
                    .map(|shelf| breadcrumbs(public_url, front, Some(shelf), None))
                    .into_iter()
                    .collect()
            } else {
                vec![
                    item_list(public_url, query, &heading, found),
                    shop_data(public_url, front),
                ]
            },
        }
    }

    /// `missing`: pictures that browsers failed to show.
    pub(super) fn of_product(
        public_url: &Url,
        front: &Storefront,
        product: &Product,
        missing: &[String],
    ) -> Self {
        let details = &product.details;
        let title = truncate(&details.title, CONSTANTS.title_excerpt);
        let only_category = Filters {
            category: Some(details.category.clone()),
            ..Filters::default()
        };
        let shelf = Shelf::of_filters(front, &only_category);
        let breadcrumbs = breadcrumbs(public_url, front, shelf.as_ref(), Some(product));
        Self {
            title: format!("{title} · {}", front.name()),
            short_title: title,
            description: summary(product),
            canonical: absolute(public_url, &details_path(&product.id)),
            kind: "product",
            image: Picture::of_product(public_url, product, missing)
                .unwrap_or_else(|| Picture::generated(public_url, front, product)),
            price: product
                .offers_price()
                .then(|| hundredths(details.final_price.get())),
            robots: robots(product, Timestamp::now()),
            neighbours: Vec::new(),
            feeds: Filters::default(),
            structured: product_data(public_url, product)
                .into_iter()
                .chain([breadcrumbs])
                .collect(),
        }
    }

    /// Head of an owner's page.
    pub(super) fn of_owner_page(public_url: &Url, front: &Storefront, page: &ShopPage) -> Self {
        let words: Vec<&str> = page.text.split_whitespace().collect();
        Self {
            title: format!("{} · {}", page.title, front.name()),
            short_title: page.title.clone(),
            description: truncate(&words.join(" "), DESCRIPTION),
            canonical: absolute(public_url, &format!("/pages/{}", page.slug)),
            kind: "website",
            image: Picture::of_shop(public_url, front),
            price: None,
            robots: None,
            neighbours: Vec::new(),
            feeds: Filters::default(),
            structured: vec![json!({
                "@context": "https://schema.org",
                "@type": "WebPage",
                "name": page.title,
                "isPartOf": { "@type": "WebSite", "name": front.name(), "url": absolute(public_url, "/") },
            })],
        }
    }

    pub(super) fn markup(&self, front: &Storefront) -> Markup {
        html! {
            (look_of(front))
            title { (self.title) }
            meta name="description" content=(self.description);
            link rel="canonical" href=(self.canonical);
            @for (kind, path) in FEEDS {
                link rel="alternate" type=(kind) title="Newest deals" href=(feed_address(path, &self.feeds));
            }
            @for (relation, address) in &self.neighbours { link rel=(relation) href=(address); }
            @if let Some(robots) = &self.robots { meta name="robots" content=(robots); }
            meta property="og:site_name" content=(front.name());
            meta property="og:locale" content="en_IN";
            meta property="og:type" content=(self.kind);
            meta property="og:title" content=(self.short_title);
            meta property="og:description" content=(self.description);
            meta property="og:url" content=(self.canonical);
            meta property="og:image" content=(self.image.address);
            meta property="og:image:alt" content=(self.image.alt);
            @if let Some((width, height)) = self.image.size {
                meta property="og:image:width" content=(width);
                meta property="og:image:height" content=(height);
            }
            @if let Some(price) = &self.price {
                meta property="product:price:amount" content=(price);
                meta property="product:price:currency" content="INR";
            }
            // The rest comes from Open Graph's properties. A picture of unknown size may be too small.
            meta name="twitter:card"
                content=(if self.image.is_large() { "summary_large_image" } else { "summary" });
            @for structured in &self.structured {
                script type="application/ld+json" { (data(structured)) }
            }
        }
    }
}

const FEEDS: [(&str, &str); 2] = [
    ("application/atom+xml", "/feed.xml"),
    ("application/feed+json", "/feed.json"),
];
const NOT_LISTED: &str = "noindex, follow";
/// How long search engines may list an ended deal.
const LISTED_FOR: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Returns the robots directives of a product's page.
fn robots(product: &Product, now: Timestamp) -> Option<String> {
    match product.state {
        State::Live => None,
        State::Scheduled | State::Draft => Some("noindex".to_owned()),
        State::Ended => {
            let last = product.details.lifetime.ends_at.unwrap_or(now) + LISTED_FOR;
            if last > now {
                let day = last.strftime("%Y-%m-%d");
                Some(format!("unavailable_after: {day}"))
            } else {
                Some(NOT_LISTED.to_owned())
            }
        }
    }
}

/// Describes a product and its price in the length that search results show.
pub(in crate::http) fn summary(product: &Product) -> String {
    let details = &product.details;
    let discount = if details.discount.get() > 0 {
        format!(" (−{})", percent(details.discount))
    } else {
        String::new()
    };
    let as_of = product
        .price_as_of()
        .map_or_else(String::new, |at| format!(" as of {}", time_in_india(at)));
    let words: Vec<&str> = details.description.split_whitespace().collect();
    let source = &details.source;
    let lead = if let (State::Ended, Some(notice)) =
        (product.state, details.lifetime.notice(Timestamp::now()))
    {
        format!("{notice} {}", words.join(" "))
    } else if product.hides_price() {
        format!("See price on {source}. {}", words.join(" "))
    } else {
        let price = rupees(product.details.final_price);
        format!("{price}{discount}{as_of} at {source}. {}", words.join(" "))
    };
    truncate(&lead, DESCRIPTION)
}
/// Returns the own text of a shelf on its first page, else says which deals are there.
fn list_description(query: &ListQuery, whole: Option<&Shelf>, heading: &str, total: i64) -> String {
    if let Some(shelf) = whole.filter(|shelf| query.page == 1 && !shelf.text.is_empty()) {
        return shelf.text.clone();
    }
    let Filters {
        category,
        search,
        sources,
        ..
    } = &query.filters;
    let deals = counted(total, "deal");
    let which = match (category, search) {
        (None, None) => match sources.first().filter(|_| whole.is_some()) {
            Some(source) => format!("{deals} at {source}"),
            None => deals,
        },
        (Some(category), None) => format!("{deals} in {category}"),
        (_, Some(_)) => format!("{deals} for {heading}"),
    };
    format!("{which}: compare prices in rupees and discounts, and buy at the shops you know.")
}

/// Icons for browser tabs and home screens, and the colour of the browser's bar: that of the band.
fn look_of(front: &Storefront) -> Markup {
    let [light, dark] = front.bands;
    html! {
        meta name="theme-color" content=(light) media="(prefers-color-scheme: light)";
        meta name="theme-color" content=(dark) media="(prefers-color-scheme: dark)";
        link rel="icon" href=(front.logo.path) type=(front.logo.kind);
        link rel="apple-touch-icon" href=(Icon::Touch.path(front));
    }
}

/// Head of a screen that search engines must not index.
pub(super) fn plain(front: &Storefront, title: &str) -> Markup {
    html! {
        (look_of(front))
        title { (title) }
        meta name="robots" content="noindex";
    }
}

/// Escapes JSON inside a script element: a `<` could end it.
pub(super) fn data(value: &Value) -> Markup {
    PreEscaped(value.to_string().replace('<', "\\u003c"))
}

fn neighbours(
    public_url: &Url,
    query: &ListQuery,
    shelf: Option<&Shelf>,
    pages: i64,
) -> Vec<(&'static str, Url)> {
    let at = |page| {
        let query = ListQuery {
            page,
            ..query.clone()
        };
        absolute(public_url, &page_address(&query, shelf))
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
