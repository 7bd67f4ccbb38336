//! The drawings of the icons, as in `icon.tsx`.
//!
//! The front end's build makes them of the same package (Lucide, ISC licence).

use maud::Render;

/// What is drawn on 24 by 24.
pub(super) struct Icon(&'static str);

include!(concat!(env!("OUT_DIR"), "/icons.rs"));

impl Render for Icon {
    fn render_to(&self, page: &mut String) {
        page.push_str("<svg viewBox=\"0 0 24 24\" aria-hidden=\"true\">");
        page.push_str(self.0);
        page.push_str("</svg>");
    }
}
