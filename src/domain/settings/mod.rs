//! What the owner says of the shop: its name, mark, colour, contact and pages.

mod accent;
mod change;
mod mark;
mod sources;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use accent::{AccentColours, Colour, Palette};
pub use change::SettingsChange;
pub use mark::Mark;
pub use sources::{Preset, Programme, SourceRules};

/// The name of a shop that has none yet, as the specification says it.
pub const DEFAULT_NAME: &str = "Deals";

/// What the owner has said of the shop; what was not said is empty.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Settings {
    /// How often they were changed.
    pub version: i64,
    /// All but the mark.
    pub shop: Shop,
    /// The picture that stands for the shop.
    pub mark: Option<Mark>,
}

/// The settings that are text.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Shop {
    /// At most [`Shop::MAX_NAME`] characters.
    pub name: String,
    /// One line below the name, at most [`Shop::MAX_TAGLINE`] characters.
    pub tagline: String,
    /// The colour of what can be pressed.
    pub accent: Option<Colour>,
    /// An e-mail address for visitors.
    pub contact: String,
    /// Web addresses.
    pub telegram: String,
    /// A web address.
    pub whatsapp: String,
    /// A web address.
    pub instagram: String,
    /// How the shop tells that it earns by its links.
    pub disclosure: String,
    /// In the order of the footer, at most [`Shop::MAX_PAGES`].
    pub pages: Vec<ShopPage>,
    /// What may be shown of each seller's products, where something was chosen, at most
    /// [`Shop::MAX_SOURCES`].
    pub sources: BTreeMap<String, SourceRules>,
}

/// A page that the owner writes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShopPage {
    /// The end of its address, like `about`.
    pub slug: String,
    /// At most [`ShopPage::MAX_TITLE`] characters.
    pub title: String,
    /// Markdown, at most [`ShopPage::MAX_TEXT`] characters.
    pub text: String,
}

impl Shop {
    /// The longest name, in characters.
    pub const MAX_NAME: usize = 40;
    /// The longest tagline, in characters.
    pub const MAX_TAGLINE: usize = 100;
    /// The longest disclosure, in characters.
    pub const MAX_DISCLOSURE: usize = 300;
    /// The most pages.
    pub const MAX_PAGES: usize = 12;
    /// The most sellers with rules.
    pub const MAX_SOURCES: usize = 500;

    /// The name to show.
    pub fn shown_name(&self) -> &str {
        if self.name.is_empty() {
            DEFAULT_NAME
        } else {
            &self.name
        }
    }

    /// The page with this slug.
    pub fn page(&self, slug: &str) -> Option<&ShopPage> {
        self.pages.iter().find(|page| page.slug == slug)
    }

    /// A text to begin a page with, which says what this program stores and does: about,
    /// privacy, terms or contact, for a shop with this disclosure.
    pub fn draft(&self, slug: &str, disclosure: &str) -> Option<ShopPage> {
        let (_, text) = DRAFTS.iter().find(|(name, _)| *name == slug)?;
        let (title, text) = text.strip_prefix("# ")?.split_once('\n')?;
        let contact = if self.contact.is_empty() {
            "the owner of this shop".to_owned()
        } else {
            format!("<{}>", self.contact)
        };
        Some(ShopPage {
            slug: slug.to_owned(),
            title: title.to_owned(),
            text: text
                .trim()
                .replace("{name}", self.shown_name())
                .replace("{disclosure}", disclosure)
                .replace("{contact}", &contact),
        })
    }

    /// The slugs of the pages that have a draft.
    pub fn drafts() -> impl Iterator<Item = &'static str> {
        DRAFTS.iter().map(|(slug, _)| *slug)
    }
}

impl ShopPage {
    /// The longest title, in characters.
    pub const MAX_TITLE: usize = 60;
    /// The longest text, in characters.
    pub const MAX_TEXT: usize = 20_000;

    /// The page as it is written: its title above its text.
    pub fn written(&self) -> String {
        format!("# {}\n\n{}", self.title, self.text)
    }
}

const DRAFTS: [(&str, &str); 4] = [
    ("about", include_str!("drafts/about.md")),
    ("privacy", include_str!("drafts/privacy.md")),
    ("terms", include_str!("drafts/terms.md")),
    ("contact", include_str!("drafts/contact.md")),
];
