//! The search, the filters and the sort, as in `filter-panel.tsx`, `search-box.tsx`, `sort-controls.tsx` and `sort-tabs.tsx`.

use maud::{Markup, html};

use super::address::{default_sort, page_address, page_parameters};
use crate::domain::{
    CONSTANTS, Discount, Facets, Filters, ListQuery, Order, Paise, PricePick, SortBy,
};
use crate::http::pages::format::hundredths;
use crate::http::pages::format::{count, counted, percent};
use crate::http::pages::icons;
use crate::http::pages::ui::{Select, hidden_fields};

/// Hidden fields for the rest of the query.
fn rest_of_query(query: &ListQuery, take_out: impl Fn(&mut ListQuery)) -> Markup {
    hidden_fields(&page_parameters(&changed(query, take_out)))
}

/// Returns the query with a change, on page 1.
pub(in crate::http::pages) fn changed(
    query: &ListQuery,
    change: impl Fn(&mut ListQuery),
) -> ListQuery {
    let mut next = ListQuery {
        page: 1,
        ..query.clone()
    };
    let was_default = query.sort_by == default_sort(&query.filters);
    change(&mut next);
    // The default sort differs with and without a search.
    let is_default = was_default && next.sort_by == query.sort_by;
    if is_default || (next.sort_by == SortBy::Relevance && next.filters.search.is_none()) {
        next.sort_by = default_sort(&next.filters);
    }
    next
}

/// Returns the relation of a link to a list: crawlers follow none to several filters, because their
/// combinations would be most of the shop's addresses.
pub(in crate::http::pages) fn relation(to: &ListQuery) -> Option<&'static str> {
    (to.filters.count() > 1).then_some("nofollow")
}

pub(in crate::http::pages) fn search_box(query: &ListQuery) -> Markup {
    let search = query.filters.search.as_deref().unwrap_or_default();
    html! {
        form action="/" class="search-form" {
            (rest_of_query(query, |next| next.filters.search = None))
            div class="search-field" {
                (icons::SEARCH)
                input id="search" type="search" name="search" aria-label="Search deals"
                    placeholder="Search deals" autocomplete="off" enterkeyhint="search"
                    maxlength=(CONSTANTS.max_search) value=(search);
                @if !search.is_empty() {
                    button type="button" aria-label="Clear search" class="needs-script" {
                        (icons::X)
                    }
                }
            }
            button type="submit" class="btn" { "Search" }
        }
    }
}

/// Renders the filters with the count of each option.
pub(in crate::http::pages) fn filter_panel(query: &ListQuery, facets: &Facets) -> Markup {
    let filters = &query.filters;
    let prices = |next: &mut ListQuery| {
        next.filters.min_price = None;
        next.filters.max_price = None;
    };
    html! {
        div class="filters" {
            form action="/" autocomplete="off" aria-label="Price" {
                (rest_of_query(query, prices))
                fieldset {
                    legend { "Price in ₹" }
                    div class="price-range" {
                        (price_field("minPrice", "Lowest price", "From", filters.min_price))
                        (price_field("maxPrice", "Highest price", "To", filters.max_price))
                        button type="submit" class="btn" { "Apply" }
                    }
                }
                ul class="picks" {
                    @for offered in &CONSTANTS.price_picks {
                        (price_pick(query, offered))
                    }
                }
            }
            section {
                h2 { "Discount" }
                ul aria-label="Discount" class="picks" {
                    (discount_pick(query, None))
                    @for least in discounts(filters.min_discount) {
                        (discount_pick(query, Some(least)))
                    }
                }
            }
            (special(query, facets))
            (sellers(query, facets))
        }
    }
}

fn pick(to: &ListQuery, chosen: bool, label: &Markup) -> Markup {
    html! {
        li {
            a href=(page_address(to)) rel=[relation(to)] class="pick" aria-current=[chosen.then_some("true")] {
                (label)
            }
        }
    }
}

fn price_pick(query: &ListQuery, offered: &PricePick) -> Markup {
    let least = offered.min_price.and_then(Paise::from_rupees);
    let most = offered.max_price.and_then(Paise::from_rupees);
    let Filters {
        min_price,
        max_price,
        ..
    } = query.filters;
    let chosen = (min_price, max_price) == (least, most);
    let to = changed(query, |next| {
        next.filters.min_price = least.filter(|_| !chosen);
        next.filters.max_price = most.filter(|_| !chosen);
    });
    pick(&to, chosen, &html! { (offered.label) })
}

fn discount_pick(query: &ListQuery, least: Option<Discount>) -> Markup {
    let to = changed(query, |next| next.filters.min_discount = least);
    let label = least.map_or_else(|| "Any".to_owned(), |least| format!("{}+", percent(least)));
    pick(&to, query.filters.min_discount == least, &html! { (label) })
}

/// Options that only some deals match; nothing if none does.
fn special(query: &ListQuery, facets: &Facets) -> Markup {
    let filters = &query.filters;
    let (proven, ending) = (filters.min_proven.is_some(), filters.ending_soon);
    let any_proven = proven || facets.proven > 0;
    let any_ending = ending || facets.ending_soon > 0;
    html! {
        @if any_proven || any_ending {
            section {
                h2 { "Only" }
                ul aria-label="Only" class="picks pairs" {
                    @if any_proven {
                        @let to = changed(query, |next| {
                            next.filters.min_proven = Some(Facets::PROVEN).filter(|_| !proven);
                        });
                        (pick(&to, proven, &html! { "Really cheaper" }))
                    }
                    @if any_ending {
                        @let to = changed(query, |next| end_soon(next, !ending));
                        (pick(&to, ending, &html! { "Ending soon" }))
                    }
                }
            }
        }
    }
}

/// Sets the filter and, with the usual sort, the order by end.
pub(super) fn end_soon(next: &mut ListQuery, only: bool) {
    next.filters.ending_soon = only;
    let sort = (next.sort_by, next.order);
    if only && sort == (SortBy::CreatedAt, Order::Desc) {
        (next.sort_by, next.order) = (SortBy::EndsAt, Order::Asc);
    } else if !only && sort == (SortBy::EndsAt, Order::Asc) {
        (next.sort_by, next.order) = (default_sort(&next.filters), Order::Desc);
    }
}

/// Renders tabs that set sort and order, on the first page of all deals or of a category; without a tab that
/// would put no deal first.
pub(in crate::http::pages) fn tabs(query: &ListQuery, facets: &Facets) -> Markup {
    if query.page > 1 || query.filters.search.is_some() || count_in_panel(&query.filters) > 0 {
        return html! {};
    }
    let tabs = CONSTANTS.tabs.iter().filter_map(|tab| {
        let sort_by = SortBy::parse(&tab.sort_by)?;
        let order = Order::parse(&tab.order)?;
        let is_current = (query.sort_by, query.order) == (sort_by, order);
        let is_offered = match sort_by {
            SortBy::Drop => facets.proven > 0,
            SortBy::EndsAt => facets.ending_soon > 0,
            _ => true,
        };
        let to = changed(query, |next| (next.sort_by, next.order) = (sort_by, order));
        (is_current || is_offered).then_some((to, is_current, &tab.label))
    });
    html! {
        ul class="sort-tabs" {
            @for (to, is_current, label) in tabs {
                li {
                    a href=(page_address(&to)) rel=[relation(&to)] aria-current=[is_current.then_some("true")] { (label) }
                }
            }
        }
    }
}

/// Renders the sellers with their counts, the largest first.
fn sellers(query: &ListQuery, facets: &Facets) -> Markup {
    let mut offered: Vec<(&str, i64)> = facets
        .sources
        .iter()
        .map(|(name, products)| (name.as_str(), *products))
        .collect();
    offered.sort_by_key(|(_, products)| -products);
    let chosen = query.filters.source.as_deref();
    if let Some(chosen) = chosen
        && !offered.iter().any(|(name, _)| *name == chosen)
    {
        offered.insert(0, (chosen, 0));
    }
    let (first, rest) = offered.split_at(offered.len().min(CONSTANTS.sellers_shown));
    let more = rest.len();
    let list = |some: &[(&str, i64)]| {
        html! {
            ul aria-label="Sellers" class="options" {
                @for (name, products) in some {
                    @let is_chosen = chosen == Some(*name);
                    @let to = changed(query, |next| {
                        next.filters.source = Some((*name).to_owned()).filter(|_| !is_chosen);
                    });
                    (pick(&to, is_chosen, &html! {
                        span { (name) }
                        span { (count(*products)) }
                    }))
                }
            }
        }
    };
    html! {
        @if !offered.is_empty() {
            section {
                h2 { "Seller" }
                (list(first))
                @if !rest.is_empty() {
                    details {
                        summary { (counted(more, "more seller")) }
                        (list(rest))
                    }
                }
            }
        }
    }
}

fn price_field(name: &str, label: &str, hint: &str, value: Option<Paise>) -> Markup {
    let value = value.map_or_else(String::new, |price| hundredths(price.get()));
    html! {
        input name=(name) aria-label=(label) pattern=(CONSTANTS.price_pattern)
            placeholder=(hint) inputmode="decimal" value=(value)
            class="number-field";
    }
}

fn discounts(chosen: Option<Discount>) -> Vec<Discount> {
    let picks = CONSTANTS.discount_picks.iter();
    let mut offered: Vec<Discount> = picks
        .filter_map(|percent| Discount::from_percent(*percent))
        .chain(chosen)
        .collect();
    offered.sort_unstable();
    offered.dedup();
    offered
}

fn count_in_panel(filters: &Filters) -> usize {
    [
        filters.source.is_some(),
        filters.min_price.is_some() || filters.max_price.is_some(),
        filters.min_discount.is_some(),
        filters.min_proven.is_some(),
        filters.ending_soon,
    ]
    .into_iter()
    .filter(|set| *set)
    .count()
}

/// Renders the filter button of phones, the sort and its direction.
pub(in crate::http::pages) fn sort_row(query: &ListQuery) -> Markup {
    let own = |next: &mut ListQuery| {
        next.sort_by = default_sort(&next.filters);
        next.order = Order::Desc;
    };
    let sort = Select {
        id: "sort-by",
        name: "sortBy",
        label: "Sort by",
        value: query.sort_by.as_str(),
        options: sorts(&query.filters),
    };
    let order = Select {
        id: "order",
        name: "order",
        label: "Order",
        value: query.order.as_str(),
        options: orders(query.sort_by),
    };
    let set = count_in_panel(&query.filters);
    html! {
        form action="/" autocomplete="off"
            class="list-sort" {
            (rest_of_query(query, own))
            button type="button" aria-haspopup="dialog"
                class="btn phone-only needs-script" {
                "Filters"
                @if set > 0 { span class="badge" { (set) } }
            }
            (sort.markup())
            (order.markup())
            div class="no-script" {
                button type="submit" class="btn" { "Apply" }
            }
        }
    }
}

fn sorts(filters: &Filters) -> Vec<(String, String)> {
    // Only a search can be sorted by relevance, the first one.
    let hidden = usize::from(filters.search.is_none());
    let sorts = CONSTANTS.sorts.iter().skip(hidden);
    sorts
        .map(|sort| (sort.value.clone(), sort.label.clone()))
        .collect()
}

fn orders(sort_by: SortBy) -> Vec<(String, String)> {
    let labels = match sort_by {
        SortBy::CreatedAt => &CONSTANTS.order_labels.created_at,
        SortBy::Relevance => &CONSTANTS.order_labels.relevance,
        SortBy::EndsAt => &CONSTANTS.order_labels.ends_at,
        _ => &CONSTANTS.order_labels.other,
    };
    [(Order::Desc, &labels.desc), (Order::Asc, &labels.asc)]
        .map(|(order, label)| (order.as_str().to_owned(), label.clone()))
        .into()
}
