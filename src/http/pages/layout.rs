//! The frame of every page, as in `layout.tsx` and `theme-toggle.tsx`.
//!
//! For a visitor whom nobody knows yet.

use maud::{Markup, html};

use super::icons::{self, Icon};

/// Puts a screen into its frame; `home` for the list itself.
pub(super) fn frame(home: bool, disclosure: &str, screen: &Markup) -> Markup {
    html! {
        a href="#content" class="skip-link" { "Skip to content" }
        div role="status" {}
        (top_bar(home))
        main id="content" class="page content" { (screen) }
        footer class="page site-footer" {
            p class="fineprint" { (disclosure) }
        }
        (bottom_bar(home))
    }
}

fn top_bar(home: bool) -> Markup {
    html! {
        header class="site-header" {
            div class="page top-bar" {
                a href="/" class="brand" {
                    (icons::TAG.draw())
                    "Deals"
                }
                nav aria-label="Main" class="top-nav" {
                    (item("/", home, "top-item", None, "Home"))
                    (item("/#search", false, "top-item", None, "Search"))
                    span {}
                    (item("/login", false, "top-item", None, "Login"))
                }
                (theme_toggle("theme-toggle"))
            }
        }
    }
}

fn bottom_bar(home: bool) -> Markup {
    html! {
        nav aria-label="Main" class="bottom-bar" {
            (item("/", home, "bottom-item", Some(icons::HOUSE), "Home"))
            (item("/#search", false, "bottom-item", Some(icons::SEARCH), "Search"))
            (item("/profile", false, "bottom-item", Some(icons::CIRCLE_USER), "Profile"))
            (theme_toggle("bottom-item"))
        }
    }
}

fn item(to: &str, current: bool, class: &str, icon: Option<Icon>, name: &str) -> Markup {
    let active = if current { " active" } else { "" };
    html! {
        a href=(to) class={ (class) (active) }
            aria-current=[current.then_some("page")] {
            @if let Some(icon) = icon { (icon.draw()) }
            (name)
        }
    }
}

fn theme_toggle(class: &str) -> Markup {
    html! {
        button type="button" class={ (class) " needs-script" }
            aria-label="Theme: system. Switch to light" title="Theme: system" {
            (icons::MONITOR.draw())
            span aria-hidden="true" class="phone-only" { "Theme" }
        }
    }
}
