//! Buttons, choices and fields, as `frontend/src/ui` writes them.

use maud::{Markup, html};

use super::icons;

const BUTTON: &str = "inline-flex min-h-11 items-center justify-center gap-2 rounded px-3 text-sm \
    font-semibold wide:min-h-9 disabled:opacity-50 motion-safe:transition-colors \
    motion-safe:duration-100";

/// How a button looks.
#[derive(Clone, Copy)]
pub(super) enum Look {
    Primary,
    Quiet,
    Plain,
}

/// The classes of a button.
pub(super) fn button(look: Look, more: &str) -> String {
    let look = match look {
        Look::Primary => {
            "border border-transparent bg-accent text-on-accent hover:bg-accent-strong"
        }
        Look::Quiet => "border border-line text-ink hover:border-ink-3 hover:bg-raised",
        Look::Plain => "border border-transparent text-accent hover:bg-raised",
    };
    let classes = format!("{BUTTON} {look} {more}");
    classes.trim_end().to_owned()
}

/// What a form sends besides what is typed into it.
pub(super) fn hidden_fields(fields: &[(&'static str, String)]) -> Markup {
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
    /// The label above, and as wide as its column.
    pub(super) stacked: bool,
}

impl Select<'_> {
    pub(super) fn markup(&self) -> Markup {
        let (frame, label, more) = if self.stacked {
            (
                "flex flex-col gap-1 text-sm",
                "font-semibold",
                " w-full truncate",
            )
        } else {
            (
                "flex shrink-0 items-center gap-2 text-sm",
                "sr-only text-ink-3 wide:not-sr-only",
                " wide:w-full",
            )
        };
        html! {
            div class=(frame) {
                label for=(self.id) class=(label) { (self.label) }
                span class="relative inline-flex flex-1 items-center" {
                    select id=(self.id) name=(self.name) class={
                        "min-h-11 appearance-none rounded border border-line bg-paper pr-8 pl-3 \
                         hover:border-ink-3 wide:min-h-9" (more)
                    } {
                        @for (value, label) in &self.options {
                            option value=(value) selected[value == self.value] { (label) }
                        }
                    }
                    (icons::CHEVRON_DOWN
                        .draw(16, "pointer-events-none absolute right-2 text-ink-3"))
                }
            }
        }
    }
}

/// Says something instead of products.
pub(super) fn notice(title: &str, rest: &Markup) -> Markup {
    html! {
        div class="flex flex-col items-start gap-3 border-t border-line py-10" {
            p class="text-base font-semibold" { (title) }
            (rest)
        }
    }
}
