//! The frame of every page, as in `layout.tsx`, `top-bar.tsx`, `bar-link.tsx`, `brand.tsx`, `search-link.tsx`, `footer.tsx`, `categories-bar.tsx`, `theme-toggle.tsx` and `offline-line.tsx`.
//!
//! Always rendered as for an anonymous visitor.

use maud::{Markup, PreEscaped, html};

use super::format::count;
use super::icons::{self, Icon};
use super::list::address::{filters_address, page_address};
use super::list::filters::{changed, relation, search_box};
use super::list::is_unfiltered;
use crate::domain::{Category, Facets, Filters, ListQuery};
use crate::http::storefront::Storefront;

pub(super) struct Frame<'a> {
    pub(super) front: &'a Storefront,
    /// Query of the list, on the list itself.
    pub(super) query: Option<&'a ListQuery>,
    pub(super) facets: &'a Facets,
    /// Path of the page, to mark the current link.
    pub(super) path: &'a str,
}

impl Frame<'_> {
    /// Renders the markup before and after the screen.
    pub(super) fn around(&self) -> [Markup; 2] {
        let before = html! {
            a href="#content" class="skip-link" { "Skip to content" }
            div role="status" {}
            header class="site-header" {
                (self.top_bar())
                @if !self.is_empty() { (self.categories()) }
            }
            (PreEscaped("<main id=\"content\" class=\"page content\">"))
        };
        let behind = html! {
            (PreEscaped("</main>"))
            (self.footer())
            (self.bottom_bar())
        };
        [before, behind]
    }

    /// Returns true in a shop without products.
    fn is_empty(&self) -> bool {
        self.facets.all == 0 && self.query.is_none_or(is_unfiltered)
    }

    fn top_bar(&self) -> Markup {
        let query = &self.query.cloned().unwrap_or_default();
        let open = if query.filters.search.is_some() {
            "site-search site-search-open"
        } else {
            "site-search"
        };
        html! {
            div class="page top-bar" {
                (brand(self.front))
                nav aria-label="Main" class="top-nav" {
                    (self.item("/", "top-item", None, "Home"))
                }
                search class=(open) { (search_box(query)) }
                a href=(self.search_address(query)) class="top-item phone-only" aria-label="Search" {
                    (icons::SEARCH)
                }
                a href="/saved" class="top-item needs-script" aria-label="Saved deals" {
                    (icons::HEART)
                }
                (self.item("/login", "top-item wide-only", None, "Login"))
                (theme_toggle("theme-toggle"))
            }
        }
    }

    fn categories(&self) -> Markup {
        let here = self.query.map(|query| query.filters.category);
        let query = &self.query.cloned().unwrap_or_default();
        // A deal's page has room for the price instead.
        let class = if self.path.starts_with("/details/") {
            "page cats cats-wide"
        } else {
            "page cats"
        };
        let choices = [(None, self.facets.all)].into_iter().chain(
            self.facets
                .categories
                .iter()
                .map(|(category, products)| (Some(*category), *products)),
        );
        html! {
            nav aria-label="Categories" class=(class) {
                @for (category, products) in choices {
                    @let to = changed(query, |next| next.filters.category = category);
                    a href=(page_address(&to)) rel=[relation(&to)]
                        aria-current=[(here == Some(category)).then_some("page")] {
                        (category.map_or("All", Category::as_str))
                        span { (count(products)) }
                    }
                }
            }
        }
    }

    fn footer(&self) -> Markup {
        let shop = &self.front.settings.shop;
        let has_links = !shop.pages.is_empty() || shop.channels().next().is_some();
        html! {
            footer class="site-footer" {
                div class="page" {
                    div {
                        (brand(self.front))
                        p id="earn" { (self.front.disclosure) }
                        p class="fineprint" {
                            "No ads. No tracking."
                        }
                        a href="/feed.xml" { "Feed" }
                    }
                    div {
                        h2 { "Categories" }
                        ul {
                            @for category in Category::ALL {
                                li { a href=(category_address(category)) { (category) } }
                            }
                        }
                    }
                    @if has_links {
                        nav aria-labelledby="footer-shop" {
                            h2 id="footer-shop" { (self.front.name()) }
                            ul {
                                @for page in &shop.pages {
                                    li { a href={ "/pages/" (page.slug) } { (page.title) } }
                                }
                                @for (name, link) in shop.channels() {
                                    li { a href=(link) { (name) } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    fn bottom_bar(&self) -> Markup {
        let query = &self.query.cloned().unwrap_or_default();
        html! {
            nav aria-label="Main" class="bottom-bar" {
                (self.item("/", "bottom-item", Some(icons::HOUSE), "Home"))
                (self.item(&self.search_address(query), "bottom-item", Some(icons::SEARCH), "Search"))
                (self.item("/profile", "bottom-item", Some(icons::CIRCLE_USER), "Profile"))
                (theme_toggle("bottom-item"))
            }
        }
    }

    /// Address of the search field on this page, on the list with the current query.
    fn search_address(&self, query: &ListQuery) -> String {
        match self.query {
            Some(_) => format!("{}#search", page_address(query)),
            None => format!("{}#search", self.path),
        }
    }

    fn item(&self, to: &str, class: &str, icon: Option<Icon>, name: &str) -> Markup {
        let current = self.path == to;
        html! {
            a href=(to) class=(class)
                aria-current=[current.then_some("page")] {
                @if let Some(icon) = icon { (icon) }
                (name)
            }
        }
    }
}

/// Renders the link to the home page with the shop's mark and name.
pub(super) fn brand(front: &Storefront) -> Markup {
    html! {
        a href="/" class="brand" {
            img src=(front.logo.path) alt="";
            span { (front.name()) }
        }
    }
}

pub(super) fn category_address(category: Category) -> String {
    filters_address(Filters {
        category: Some(category),
        ..Filters::default()
    })
}

fn theme_toggle(class: &str) -> Markup {
    html! {
        button type="button" class={ (class) " needs-script" }
            aria-label="Theme: system" {
            (icons::MONITOR)
            span aria-hidden="true" class="phone-only" { "Theme" }
        }
    }
}
