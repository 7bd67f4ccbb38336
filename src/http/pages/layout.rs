//! The frame of every page, as `frontend/src/app/layout.tsx` writes it for a visitor
//! whom nobody knows yet.

use maud::{Markup, html};

use super::icons::{self, Icon};

const TOP_ITEM: &str = "inline-flex min-h-9 items-center gap-2 rounded px-3 text-sm text-ink-2 \
    hover:bg-raised hover:text-ink shrink-0";
const BOTTOM_ITEM: &str = "bottom-item aria-[current=page]:font-semibold \
    aria-[current=page]:text-accent";

/// Puts a screen into its frame; `home` for the list itself.
pub(super) fn frame(home: bool, disclosure: &str, screen: &Markup) -> Markup {
    html! {
        a href="#content" class="sr-only z-50 rounded bg-accent px-4 py-2 text-on-accent \
            focus:not-sr-only focus:fixed focus:top-2 focus:left-2" { "Skip to content" }
        div role="status" {}
        (top_bar(home))
        main id="content" class="page pb-8" { (screen) }
        footer class="page pb-24 wide:pb-10" {
            p class="border-t border-line pt-4 text-xs text-ink-3" { (disclosure) }
        }
        (bottom_bar(home))
    }
}

fn top_bar(home: bool) -> Markup {
    html! {
        header class="hidden border-b border-line wide:block print:hidden" {
            div class="page top-bar" {
                a data-discover="true" href="/"
                    class="mr-4 inline-flex items-center gap-2 rounded text-base font-semibold" {
                    (icons::TAG.draw(20, "text-accent"))
                    "Deals"
                }
                nav aria-label="Main" class="flex items-center gap-1" {
                    (item("/", home, TOP_ITEM, None, "Home"))
                    (item("/#search", false, TOP_ITEM, None, "Search"))
                    span class="flex-1" {}
                    (item("/login", false, TOP_ITEM, None, "Login"))
                }
                (theme_toggle(
                    "grid size-9 place-items-center rounded text-ink-2 hover:bg-raised \
                     hover:text-ink"
                ))
            }
        }
    }
}

fn bottom_bar(home: bool) -> Markup {
    html! {
        nav aria-label="Main"
            class="bottom-bar wide:hidden print:hidden grid-cols-4 noscript:grid-cols-3" {
            (item("/", home, BOTTOM_ITEM, Some(icons::HOUSE), "Home"))
            (item("/#search", false, BOTTOM_ITEM, Some(icons::SEARCH), "Search"))
            (item("/profile", false, BOTTOM_ITEM, Some(icons::CIRCLE_USER), "Profile"))
            (theme_toggle(BOTTOM_ITEM))
        }
    }
}

fn item(to: &str, current: bool, class: &str, icon: Option<Icon>, name: &str) -> Markup {
    let active = if current { " active" } else { "" };
    html! {
        a data-discover="true" href=(to) class={ (class) (active) }
            aria-current=[current.then_some("page")] {
            @if let Some(icon) = icon { (icon.with_stroke(20, "1.75", "")) }
            (name)
        }
    }
}

fn theme_toggle(class: &str) -> Markup {
    html! {
        button type="button" class={ (class) " noscript:hidden" }
            aria-label="Theme: system. Switch to light" title="Theme: system" {
            (icons::MONITOR.with_stroke(20, "1.75", ""))
            span aria-hidden="true" class="wide:hidden" { "Theme" }
        }
    }
}
