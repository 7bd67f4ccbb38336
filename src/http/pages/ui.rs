//! Choices, fields and notices, as in `select.tsx`, `hidden-fields.tsx` and `notice.tsx`.

use maud::{Markup, html};

use super::icons;
use crate::http::api::list_query::Parameters;

/// What a form sends besides what is typed into it.
pub(super) fn hidden_fields(fields: &Parameters<'_>) -> Markup {
    html! {
        @for (name, value) in fields { input type="hidden" name=(name) value=(value); }
    }
}

/// A choice with its label.
pub(super) struct Select<'a> {
    /// The element's id.
    pub(super) id: &'static str,
    /// The name of the parameter.
    pub(super) name: &'static str,
    pub(super) label: &'static str,
    pub(super) value: &'a str,
    /// Each choice with its label.
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

/// Says something instead of products.
pub(super) fn notice(title: &str, rest: &Markup) -> Markup {
    html! {
        div class="notice" {
            p class="notice-title" { (title) }
            (rest)
        }
    }
}
