//! The drawings of the icons, as in `icon.tsx`.
//!
//! The front end's build makes them of the same package (Lucide, ISC licence).

use maud::{Markup, PreEscaped, html};

/// What is drawn on 24 by 24.
pub(super) struct Icon(&'static str);

include!(concat!(env!("OUT_DIR"), "/icons.rs"));

impl Icon {
    pub(super) fn draw(&self) -> Markup {
        html! { svg viewBox="0 0 24 24" aria-hidden="true" { (PreEscaped(self.0)) } }
    }
}
