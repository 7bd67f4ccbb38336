//! The page that the front end's build made, with placeholders for what the server writes.

use std::sync::OnceLock;

use actix_web::http::header::HeaderValue;
use base64::prelude::{BASE64_STANDARD, Engine as _};
use memchr::memmem;
use sha2::{Digest, Sha256};

use super::assets::index;
use crate::http::policy::content_security_policy;
use crate::http::storefront::Storefront;

/// Where something is written into the page, in this order.
const PLACEHOLDERS: [&str; 4] = [
    "<!--head-->",
    "<!--styles-->",
    "<!--root-->",
    "<!--served-->",
];

/// What surrounds the styles of the parts, and how each of them begins.
const PARTS: (&str, &str) = ("<!--parts-->", "<!--/parts-->");
const PART: &str = "<style data-part=\"";

/// The built page, cut where something is written into it.
pub(super) struct Template {
    pieces: [String; 5],
    /// The styles of each part that not every page has, by how the part begins.
    parts: Vec<(String, String)>,
    /// What lets its styles apply.
    sources: String,
}

/// The page of this program.
pub(super) fn template() -> &'static Template {
    static TEMPLATE: OnceLock<Template> = OnceLock::new();
    TEMPLATE.get_or_init(|| Template::new(&String::from_utf8_lossy(&index())))
}

/// The source expressions that let the page's own styles apply (CSP level 3, section
/// 2.3.1).
pub(in crate::http) fn style_sources() -> &'static str {
    &template().sources
}

/// The policy of a page with the owner's colours; without them it is that of every answer.
pub(super) fn policy(front: &Storefront) -> Option<HeaderValue> {
    let own = front.style_source.as_ref()?;
    let policy = content_security_policy(&format!("{} {own}", style_sources()));
    HeaderValue::from_str(&policy).ok()
}

fn sources(page: &str) -> String {
    let elements = page.split("<style").skip(1);
    let sources = elements.filter_map(|element| {
        let (_, rest) = element.split_once('>')?;
        let (styles, _) = rest.split_once("</style>")?;
        let hash = BASE64_STANDARD.encode(Sha256::digest(styles));
        Some(format!("'sha256-{hash}'"))
    });
    sources.collect::<Vec<_>>().join(" ")
}

impl Template {
    /// Cuts a page at its placeholders; one that is missing stays empty at the end.
    fn new(page: &str) -> Self {
        let sources = sources(page);
        let (before, rest) = page.split_once(PARTS.0).unwrap_or((page, ""));
        let (parts, after) = rest.split_once(PARTS.1).unwrap_or_default();
        let page = [before, PLACEHOLDERS[1], after].concat();
        let mut rest = page.as_str();
        let mut pieces = PLACEHOLDERS.map(|placeholder| {
            let (before, after) = rest.split_once(placeholder).unwrap_or((rest, ""));
            rest = after;
            before.to_owned()
        });
        let [first, second, third, fourth] = pieces.each_mut().map(std::mem::take);
        Self {
            pieces: [first, second, third, fourth, rest.to_owned()],
            parts: parts.split(PART).skip(1).filter_map(part).collect(),
            sources,
        }
    }

    /// The whole page, with the styles of the parts that it has, and the owner's colours.
    pub(super) fn fill(
        &self,
        head: &str,
        colours: Option<&str>,
        root: &str,
        served: &str,
    ) -> Vec<u8> {
        let here = |part: &str| memmem::find(root.as_bytes(), part.as_bytes()).is_some();
        let here = self.parts.iter().filter(|(part, _)| here(part));
        let mut styles: String = here.map(|(_, styles)| styles.as_str()).collect();
        if let Some(colours) = colours {
            styles += &format!("<style>{colours}</style>");
        }
        let [first, second, third, fourth, last] = &self.pieces;
        [
            first, head, second, &styles, third, root, fourth, served, last,
        ]
        .concat()
        .into_bytes()
    }
}

/// How a part begins on a page, and its styles.
fn part(element: &str) -> Option<(String, String)> {
    let (name, styles) = element.split_once("\">")?;
    Some((format!("class=\"{name}\""), format!("<style>{styles}")))
}
