//! The page that the front end's build made, with places for what the server writes.

use std::borrow::Cow;
use std::sync::OnceLock;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use sha2::{Digest, Sha256};

use super::assets::index;

const PLACES: [&str; 3] = ["<!--head-->", "<!--root-->", "<!--served-->"];

/// The built page, cut where something is written into it.
pub(super) struct Template {
    parts: [String; 4],
}

/// The page of this program.
pub(super) fn template() -> &'static Template {
    static TEMPLATE: OnceLock<Template> = OnceLock::new();
    TEMPLATE.get_or_init(|| Template::new(&String::from_utf8_lossy(&index())))
}

/// The source expression that lets the page's own styles apply (CSP level 3, section
/// 2.3.1), if it has any.
pub(in crate::http) fn style_source() -> Option<String> {
    let page = index();
    let page = String::from_utf8_lossy(&page);
    let (_, rest) = page.split_once("<style>")?;
    let (styles, _) = rest.split_once("</style>")?;
    let hash = BASE64_STANDARD.encode(Sha256::digest(styles));
    Some(format!("'sha256-{hash}'"))
}

impl Template {
    /// Cuts a page at its three places; a place that is missing stays empty at the end.
    fn new(page: &str) -> Self {
        let mut rest = Cow::Borrowed(page);
        let mut parts = PLACES.map(|place| {
            let (before, after) = match rest.split_once(place) {
                Some((before, after)) => (before.to_owned(), after.to_owned()),
                None => (rest.to_string(), String::new()),
            };
            rest = Cow::Owned(after);
            before
        });
        let [head, root, served] = &mut parts;
        Self {
            parts: [
                std::mem::take(head),
                std::mem::take(root),
                std::mem::take(served),
                rest.into_owned(),
            ],
        }
    }

    /// The whole page.
    pub(super) fn fill(&self, head: &str, root: &str, served: &str) -> Vec<u8> {
        let [first, second, third, last] = &self.parts;
        [first, head, second, root, third, served, last]
            .concat()
            .into_bytes()
    }
}
