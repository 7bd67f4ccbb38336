//! Selects, hidden fields and notices, as in `select.tsx`, `hidden-fields.tsx` and `notice.tsx`.

use maud::{Markup, html};

use super::icons;
use super::list::address::Parameters;

pub(super) fn hidden_fields(fields: &Parameters<'_>) -> Markup {
    html! {
        @for (name, value) in fields { input type="hidden" name=(name) value=(value); }
    }
}

pub(super) struct Select<'a> {
    pub(super) id: &'static str,
    pub(super) name: &'static str,
    pub(super) label: &'static str,
    pub(super) value: &'a str,
    pub(super) options: Vec<(String, String)>,
}

impl Select<'_> {
    pub(super) fn markup(&self) -> Markup {
        html! {
            div class="choice" {
                label for=(self.id) class="sr-only" { (self.label) }
                span {
                    select id=(self.id) name=(self.name) {
                        @for (value, label) in &self.options {
                            option value=(value) selected[value == self.value] { (label) }
                        }
                    }
                    (icons::CHEVRON_DOWN)
                }
            }
        }
    }
}

/// Renders a message in place of products.
pub(super) fn notice(title: &str, rest: &Markup) -> Markup {
    html! {
        div class="notice" {
            p class="notice-title" { (title) }
            (rest)
        }
    }
}
