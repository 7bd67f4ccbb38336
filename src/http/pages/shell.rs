//! The built page as a template.

use std::sync::OnceLock;

use actix_web::http::StatusCode;
use actix_web::http::header::HeaderValue;
use base64::prelude::{BASE64_STANDARD, Engine as _};
use memchr::{memchr, memmem};
use sha2::{Digest, Sha256};

use super::assets::index;
use crate::http::policy::content_security_policy;
use crate::http::serving::response_cache::Content;
use crate::storefront::Storefront;

const HTML: &str = "text/html; charset=utf-8";

/// Placeholders, in this order, after the styles of the parts.
const PLACEHOLDERS: [&str; 3] = ["<!--head-->", "<!--root-->", "<!--served-->"];

/// Delimiters of the parts' styles, written by `frontend/build/inline-styles.ts`, and the start tag
/// of each.
const PARTS: (&str, &str) = ("<!--parts-->", "<!--/parts-->");
const PART: &str = "<style data-part=\"";
/// Precedes the name of a part in the markup.
const CLASS: &str = "class=\"";

/// The built page, split at its placeholders.
pub(super) struct Template {
    /// Beginning that all pages share.
    beginning: String,
    pieces: [String; 4],
    /// Styles of optional parts, by name.
    parts: Vec<(String, String)>,
    /// Source expressions of its inline styles.
    sources: String,
}

pub(super) fn template() -> &'static Template {
    static TEMPLATE: OnceLock<Template> = OnceLock::new();
    TEMPLATE.get_or_init(|| Template::new(&String::from_utf8_lossy(&index())))
}

/// Source expressions of the inline styles (CSP level 3, section 2.3.1).
pub(in crate::http) fn style_sources() -> &'static str {
    &template().sources
}

/// Content security policy of a page with the owner's colours; without them the default applies.
fn policy(front: &Storefront) -> Option<HeaderValue> {
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
    /// Splits a page at its placeholders; missing ones are taken to be at the end.
    fn new(page: &str) -> Self {
        let sources = sources(page);
        let (beginning, rest) = page.split_once(PARTS.0).unwrap_or((page, ""));
        let (parts, mut rest) = rest.split_once(PARTS.1).unwrap_or_default();
        let [first, second, third] = PLACEHOLDERS.map(|placeholder| {
            let (before, after) = rest.split_once(placeholder).unwrap_or((rest, ""));
            rest = after;
            before.to_owned()
        });
        Self {
            beginning: beginning.to_owned(),
            pieces: [first, second, third, rest.to_owned()],
            parts: parts.split(PART).skip(1).filter_map(part).collect(),
            sources,
        }
    }

    /// Fills in the template, with the styles of the parts in use and the owner's colours.
    pub(super) fn fill(
        &self,
        front: &Storefront,
        status: StatusCode,
        head: &str,
        root: &[&str],
        served: &str,
    ) -> Content {
        let own = front.styles.as_ref();
        let colours = own.map(|colours| format!("<style>{colours}</style>"));
        let [first, second, third, last] = &self.pieces;
        let mut page = vec![self.beginning.as_str()];
        // A screen that the app renders alone has its markup after the root.
        let alone = [served];
        page.extend(self.styles_of(if root.is_empty() { &alone } else { root }));
        page.extend([colours.as_deref().unwrap_or_default(), first, head, second]);
        page.extend(root);
        page.extend([third, served, last]);
        Content::new(status, HTML, page.concat().into_bytes()).with_policy(policy(front))
    }

    fn styles_of(&self, root: &[&str]) -> impl Iterator<Item = &str> {
        let parts = self.parts.iter().zip(self.parts_of(root));
        parts.filter_map(|((_, styles), is_there)| is_there.then_some(styles.as_str()))
    }

    /// Finds the parts in the markup, in one pass over its classes.
    fn parts_of(&self, root: &[&str]) -> Vec<bool> {
        let mut here = vec![false; self.parts.len()];
        for markup in root.iter().map(|markup| markup.as_bytes()) {
            for at in memmem::find_iter(markup, CLASS) {
                let classes = &markup[at + CLASS.len()..];
                let classes = &classes[..memchr(b'"', classes).unwrap_or(classes.len())];
                let named = |(part, _): &(String, String)| classes == part.as_bytes();
                if let Some(part) = self.parts.iter().position(named) {
                    here[part] = true;
                }
            }
        }
        here
    }
}

fn part(element: &str) -> Option<(String, String)> {
    let (name, styles) = element.split_once("\">")?;
    Some((name.to_owned(), format!("<style>{styles}")))
}
