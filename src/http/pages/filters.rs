//! The search, the filters and the sort, as in `filter-panel.tsx`, `active-filters.tsx`, `search-box.tsx` and `sort-controls.tsx`.

use maud::{Markup, html};

use super::format::{count, percent, rupees};
use super::icons;
use super::ui::{Select, hidden_fields};
use crate::domain::{Category, Discount, Facets, Filters, ListQuery, Order, Paise, SortBy};
use crate::http::api::list_query::{hundredths, page_address, page_parameters};

/// The longest search, which the field holds its visitor to.
const MAX_SEARCH: usize = Filters::MAX_SEARCH;
/// The discounts that can be chosen, in percent.
const DISCOUNTS: [u8; 4] = [10, 25, 50, 70];

/// The parameters of a query's address once some of it is taken out.
fn others(query: &ListQuery, take_out: impl Fn(&mut ListQuery)) -> Vec<(&'static str, String)> {
    page_parameters(&changed(query, take_out))
}

/// The query with something changed, on page 1.
pub(super) fn changed(query: &ListQuery, change: impl Fn(&mut ListQuery)) -> ListQuery {
    let mut next = ListQuery {
        page: 1,
        ..query.clone()
    };
    let was_usual = query.sort_by == usual_sort(&query.filters);
    change(&mut next);
    // What goes without saying with a search is another sort than without one.
    let unsaid = was_usual && next.sort_by == query.sort_by;
    if unsaid || (next.sort_by == SortBy::Relevance && next.filters.search.is_none()) {
        next.sort_by = usual_sort(&next.filters);
    }
    next
}

pub(super) fn usual_sort(filters: &Filters) -> SortBy {
    match filters.search {
        Some(_) => SortBy::Relevance,
        None => SortBy::CreatedAt,
    }
}

pub(super) fn search_box(query: &ListQuery) -> Markup {
    let search = query.filters.search.as_deref().unwrap_or_default();
    html! {
        search {
            form action="/" class="search-form" {
                (hidden_fields(&others(query, |next| next.filters.search = None)))
                div class="search-field" {
                    (icons::SEARCH.draw())
                    input id="search" type="search" name="search" aria-label="Search deals"
                        placeholder="Search deals" autocomplete="off" enterkeyhint="search"
                        maxlength=(MAX_SEARCH) value=(search);
                    @if !search.is_empty() {
                        button type="button" aria-label="Clear search" class="needs-script" {
                            (icons::X.draw())
                        }
                    }
                }
                button type="submit" class="btn btn-primary" { "Search" }
            }
        }
    }
}

/// The filters with what each choice would leave.
pub(super) fn filter_panel(query: &ListQuery, facets: &Facets) -> Markup {
    let filters = &query.filters;
    let own = |next: &mut ListQuery| {
        next.filters = Filters {
            search: next.filters.search.take(),
            ..Filters::default()
        };
    };
    let discount = Select {
        id: "min-discount",
        name: "minDiscount",
        label: "Discount",
        value: &filters
            .min_discount
            .map_or_else(String::new, |least| hundredths(least.get())),
        options: discounts(filters.min_discount),
        stacked: true,
    };
    let source = Select {
        id: "source",
        name: "source",
        label: "Source",
        value: filters.source.as_deref().unwrap_or_default(),
        options: sources(filters.source.as_deref(), facets),
        stacked: true,
    };
    html! {
        form id="filters" action="/" autocomplete="off" aria-label="Filters"
            class="filters" {
            (hidden_fields(&others(query, own)))
            (categories(filters, facets))
            fieldset {
                legend { "Price in ₹" }
                div class="price-range" {
                    (price_field("minPrice", "Lowest price", "From", filters.min_price))
                    (price_field("maxPrice", "Highest price", "To", filters.max_price))
                    button type="submit" class="btn" { "Apply" }
                }
            }
            (discount.markup())
            (source.markup())
        }
    }
}

fn categories(filters: &Filters, facets: &Facets) -> Markup {
    let each = facets.categories.iter();
    let each = each.map(|(category, products)| (category.as_str(), category.as_str(), *products));
    let chosen = filters.category.map_or("", Category::as_str);
    html! {
        fieldset class="categories" {
            legend { "Category" }
            @for (value, label, products) in [("", "All", facets.all)].into_iter().chain(each) {
                label {
                    input type="radio" name="category" value=(value) checked[value == chosen];
                    (label)
                    span aria-hidden="true" { (count(products)) }
                }
            }
        }
    }
}

fn price_field(name: &str, label: &str, hint: &str, value: Option<Paise>) -> Markup {
    let value = value.map_or_else(String::new, |price| hundredths(price.get()));
    html! {
        input name=(name) aria-label=(label) placeholder=(hint) inputmode="decimal"
            autocomplete="off" value=(value)
            class="number-field";
    }
}

fn discounts(chosen: Option<Discount>) -> Vec<(String, String)> {
    let mut offered: Vec<Discount> = DISCOUNTS
        .into_iter()
        .filter_map(|percent| Discount::new(i64::from(percent) * 100))
        .chain(chosen)
        .collect();
    offered.sort_unstable();
    offered.dedup();
    let each = offered.into_iter().map(|least| {
        (
            hundredths(least.get()),
            format!("{} or more", percent(least)),
        )
    });
    [(String::new(), "Any".to_owned())]
        .into_iter()
        .chain(each)
        .collect()
}

fn sources(chosen: Option<&str>, facets: &Facets) -> Vec<(String, String)> {
    let missing = chosen.filter(|name| !facets.sources.iter().any(|(known, _)| known == name));
    let missing = missing.map(|name| (name.to_owned(), name.to_owned()));
    let known = facets.sources.iter();
    let known =
        known.map(|(name, products)| (name.clone(), format!("{name} ({})", count(*products))));
    [(String::new(), "All sources".to_owned())]
        .into_iter()
        .chain(missing)
        .chain(known)
        .collect()
}

/// The category where there is no room for a list, the sort and its order.
pub(super) fn sort_row(query: &ListQuery) -> Markup {
    let own = |next: &mut ListQuery| {
        next.filters.category = None;
        next.sort_by = usual_sort(&next.filters);
        next.order = Order::Desc;
    };
    let names = Category::ALL.map(Category::as_str);
    let category = Select {
        id: "category",
        name: "category",
        label: "Category",
        value: query.filters.category.map_or("", Category::as_str),
        options: [("", "All")]
            .into_iter()
            .chain(names.into_iter().map(|name| (name, name)))
            .map(|(value, label)| (value.to_owned(), label.to_owned()))
            .collect(),
        stacked: false,
    };
    let sort = Select {
        id: "sort-by",
        name: "sortBy",
        label: "Sort by",
        value: query.sort_by.as_str(),
        options: sorts(&query.filters),
        stacked: false,
    };
    let order = Select {
        id: "order",
        name: "order",
        label: "Order",
        value: query.order.as_str(),
        options: orders(query.sort_by),
        stacked: false,
    };
    html! {
        form action="/" autocomplete="off"
            class="list-sort" {
            (hidden_fields(&others(query, own)))
            button type="button" aria-expanded="false" aria-controls="filters"
                class="btn filters-btn phone-only needs-script" {
                (icons::SLIDERS_HORIZONTAL.draw())
                "Filters"
            }
            div class="phone-only" { (category.markup()) }
            (sort.markup())
            (order.markup())
            div class="no-script" {
                button type="submit" class="btn" { "Apply" }
            }
        }
    }
}

fn sorts(filters: &Filters) -> Vec<(String, String)> {
    const SORTS: [(SortBy, &str); 7] = [
        (SortBy::Relevance, "Relevance"),
        (SortBy::CreatedAt, "Date Added"),
        (SortBy::Price, "Price"),
        (SortBy::AverageRating, "Rating"),
        (SortBy::FinalPrice, "Final price"),
        (SortBy::Discount, "Discount"),
        (SortBy::Clicks, "Popularity"),
    ];
    SORTS
        .into_iter()
        .filter(|(sort, _)| *sort != SortBy::Relevance || filters.search.is_some())
        .map(|(sort, label)| (sort.as_str().to_owned(), label.to_owned()))
        .collect()
}

fn orders(sort_by: SortBy) -> Vec<(String, String)> {
    let (high, low) = match sort_by {
        SortBy::CreatedAt => ("Newest first", "Oldest first"),
        SortBy::Relevance => ("Best first", "Best last"),
        _ => ("Highest first", "Lowest first"),
    };
    [(Order::Desc, high), (Order::Asc, low)]
        .into_iter()
        .map(|(order, label)| (order.as_str().to_owned(), label.to_owned()))
        .collect()
}

/// What the list is narrowed to, each to be taken away by itself.
pub(super) fn active_filters(query: &ListQuery) -> Markup {
    let active = active(query);
    html! {
        @if !active.is_empty() {
            ul aria-label="Active filters" class="chips" {
                @for (label, without) in &active {
                    li {
                        a href=(page_address(without)) aria-label={ "Remove " (label) }
                            class="chip" {
                            span { (label) }
                            (icons::X.draw())
                        }
                    }
                }
                li { a href="/" { "Clear filters" } }
            }
        }
    }
}

/// Each filter that is set, in words, and the query without it.
fn active(query: &ListQuery) -> Vec<(String, ListQuery)> {
    let filters = &query.filters;
    let without = |take_out: fn(&mut Filters)| changed(query, |next| take_out(&mut next.filters));
    let mut active = Vec::new();
    if let Some(search) = &filters.search {
        active.push((
            format!("“{search}”"),
            without(|filters| filters.search = None),
        ));
    }
    if let Some(category) = filters.category {
        active.push((
            category.to_string(),
            without(|filters| filters.category = None),
        ));
    }
    if let Some(source) = &filters.source {
        active.push((source.clone(), without(|filters| filters.source = None)));
    }
    if let Some(price) = filters.min_price {
        let label = format!("From {}", rupees(price));
        active.push((label, without(|filters| filters.min_price = None)));
    }
    if let Some(price) = filters.max_price {
        let label = format!("Up to {}", rupees(price));
        active.push((label, without(|filters| filters.max_price = None)));
    }
    if let Some(discount) = filters.min_discount {
        let label = format!("{} off or more", percent(discount));
        active.push((label, without(|filters| filters.min_discount = None)));
    }
    active
}
