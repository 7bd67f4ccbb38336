//! The drawings of the app's icons (Lucide, ISC licence), as its components write them.

use maud::{Markup, PreEscaped, html};

/// A drawing: its name and aliases in Lucide, and what is drawn on 24 by 24.
pub(super) struct Icon {
    names: &'static str,
    drawing: &'static str,
}

const fn icon(names: &'static str, drawing: &'static str) -> Icon {
    Icon { names, drawing }
}

pub(super) const ARROW_LEFT: Icon = icon(
    "lucide-arrow-left",
    r#"<path d="m12 19-7-7 7-7"/><path d="M19 12H5"/>"#,
);
pub(super) const CHEVRON_DOWN: Icon = icon("lucide-chevron-down", r#"<path d="m6 9 6 6 6-6"/>"#);
pub(super) const CHEVRON_LEFT: Icon = icon("lucide-chevron-left", r#"<path d="m15 18-6-6 6-6"/>"#);
pub(super) const CHEVRON_RIGHT: Icon = icon("lucide-chevron-right", r#"<path d="m9 18 6-6-6-6"/>"#);
pub(super) const CIRCLE_USER: Icon = icon(
    "lucide-circle-user lucide-user-circle",
    r#"<circle cx="12" cy="12" r="10"/><circle cx="12" cy="10" r="3"/><path d="M7 20.662V19a2 2 0 0 1 2-2h6a2 2 0 0 1 2 2v1.662"/>"#,
);
pub(super) const HOUSE: Icon = icon(
    "lucide-house lucide-home",
    r#"<path d="M15 21v-8a1 1 0 0 0-1-1h-4a1 1 0 0 0-1 1v8"/><path d="M3 10a2 2 0 0 1 .709-1.528l7-6a2 2 0 0 1 2.582 0l7 6A2 2 0 0 1 21 10v9a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2z"/>"#,
);
pub(super) const MONITOR: Icon = icon(
    "lucide-monitor",
    r#"<rect width="20" height="14" x="2" y="3" rx="2"/><line x1="8" x2="16" y1="21" y2="21"/><line x1="12" x2="12" y1="17" y2="21"/>"#,
);
pub(super) const SEARCH: Icon = icon(
    "lucide-search",
    r#"<path d="m21 21-4.34-4.34"/><circle cx="11" cy="11" r="8"/>"#,
);
pub(super) const SHARE: Icon = icon(
    "lucide-share-2",
    r#"<circle cx="18" cy="5" r="3"/><circle cx="6" cy="12" r="3"/><circle cx="18" cy="19" r="3"/><line x1="8.59" x2="15.42" y1="13.51" y2="17.49"/><line x1="15.41" x2="8.59" y1="6.51" y2="10.49"/>"#,
);
pub(super) const SLIDERS: Icon = icon(
    "lucide-sliders-horizontal",
    r#"<path d="M10 5H3"/><path d="M12 19H3"/><path d="M14 3v4"/><path d="M16 17v4"/><path d="M21 12h-9"/><path d="M21 19h-5"/><path d="M21 5h-7"/><path d="M8 10v4"/><path d="M8 12H3"/>"#,
);
pub(super) const TAG: Icon = icon(
    "lucide-tag",
    r#"<path d="M12.586 2.586A2 2 0 0 0 11.172 2H4a2 2 0 0 0-2 2v7.172a2 2 0 0 0 .586 1.414l8.704 8.704a2.426 2.426 0 0 0 3.42 0l6.58-6.58a2.426 2.426 0 0 0 0-3.42z"/><circle cx="7.5" cy="7.5" r=".5" fill="currentColor"/>"#,
);
pub(super) const X: Icon = icon(
    "lucide-x",
    r#"<path d="M18 6 6 18"/><path d="m6 6 12 12"/>"#,
);

impl Icon {
    /// The icon of this many pixels, with lines of the usual width.
    pub(super) fn draw(&self, size: u8, class: &str) -> Markup {
        self.with_stroke(size, "2", class)
    }

    /// The icon with lines of this width.
    pub(super) fn with_stroke(&self, size: u8, stroke: &str, class: &str) -> Markup {
        let class = format!("lucide {} {class}", self.names);
        html! {
            svg xmlns="http://www.w3.org/2000/svg" width=(size) height=(size)
                viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width=(stroke)
                stroke-linecap="round" stroke-linejoin="round" class=(class.trim_end())
                aria-hidden="true" { (PreEscaped(self.drawing)) }
        }
    }
}
