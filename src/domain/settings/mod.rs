//! Settings of the shop: name, logo, colour, contact, pages and sellers' rules.

mod accent;
mod change;
mod contact;
mod logo;
mod same_words;
mod sections;
mod server;
mod sources;
mod texts;

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::SOURCE;
use super::links::{CustomSeller, LinkRules};

pub use accent::{AccentColours, Colour, Palette};
pub use change::SettingsChange;
pub use logo::Logo;
pub use same_words::SameWordsLine;
pub use sections::{Section, SectionKind};
pub use server::{BackupChoice, MailChoice, MailSecurity};
pub use sources::{Preset, Programme, SourceRules};

/// Default name of a shop (spec).
pub const DEFAULT_NAME: &str = "Deals";

/// Settings of the shop; unset ones are empty.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Settings {
    /// Number of changes.
    pub version: i64,
    /// All settings except the logo.
    pub shop: ShopSettings,
    /// The shop's logo.
    pub logo: Option<Logo>,
}

impl Settings {
    /// True if nothing but the shop's looks differs: whatever else there is may lead money or people
    /// elsewhere.
    pub fn differs_in_looks_only(&self, other: &Self) -> bool {
        let ShopSettings { texts, .. } = &self.shop;
        let mut alike = other.clone();
        alike.version = self.version;
        alike.logo.clone_from(&self.logo);
        alike.shop.accent = self.shop.accent;
        alike.shop.pages.clone_from(&self.shop.pages);
        alike.shop.front_page.clone_from(&self.shop.front_page);
        alike.shop.texts.name.clone_from(&texts.name);
        alike.shop.texts.tagline.clone_from(&texts.tagline);
        alike.shop.texts.disclosure.clone_from(&texts.disclosure);
        alike == *self
    }
}

/// All settings but the logo. It is also its texts: `shop.name`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ShopSettings {
    /// Public one-line settings.
    #[serde(flatten)]
    pub texts: ShopTexts,
    /// Colour of buttons and links.
    pub accent: Option<Colour>,
    /// In footer order, at most [`ShopSettings::MAX_PAGES`].
    pub pages: Vec<ShopPage>,
    /// Display rules per seller, at most [`ShopSettings::MAX_SOURCES`].
    pub sources: BTreeMap<String, SourceRules>,
    /// The affiliate's tag by seller.
    pub tags: BTreeMap<String, String>,
    /// Shops whose links the owner described, at most [`ShopSettings::MAX_SHOPS`].
    pub shops: Vec<CustomSeller>,
    /// The owner's words for the same thing, as lines of text ([`SameWordsLine`]).
    #[serde(rename = "sameWords")]
    pub same_words: String,
    /// Sections above the list, at most [`Section::MOST`]; the program's own without any.
    #[serde(rename = "frontPage", skip_serializing_if = "Vec::is_empty")]
    pub front_page: Vec<Section>,
    /// Former names of sellers, each with the present one.
    #[serde(rename = "sellerNames", skip_serializing_if = "BTreeMap::is_empty")]
    pub seller_names: BTreeMap<String, String>,
    /// Hour in India at which mails of new deals go out, 0 to 23; 8 by default.
    #[serde(rename = "digestHour", skip_serializing_if = "Option::is_none")]
    pub digest_hour: Option<u8>,
}

impl Deref for ShopSettings {
    type Target = ShopTexts;

    fn deref(&self) -> &ShopTexts {
        &self.texts
    }
}

impl DerefMut for ShopSettings {
    fn deref_mut(&mut self) -> &mut ShopTexts {
        &mut self.texts
    }
}

/// Public one-line settings.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct ShopTexts {
    /// The shop's name.
    #[schema(required = true)]
    pub name: String,
    /// One line above the deals.
    #[schema(required = true)]
    pub tagline: String,
    /// An e-mail address for visitors.
    #[schema(required = true)]
    pub contact: String,
    /// A web address.
    #[schema(required = true)]
    pub telegram: String,
    /// A web address.
    #[schema(required = true)]
    pub whatsapp: String,
    /// A web address.
    #[schema(required = true)]
    pub instagram: String,
    /// Affiliate disclosure.
    #[schema(required = true)]
    pub disclosure: String,
}

/// A page written by the owner.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShopPage {
    /// Last part of its address, like `about`.
    pub slug: String,
    /// At most 60 characters.
    pub title: String,
    /// Markdown, at most 20,000 characters.
    pub text: String,
}

impl ShopSettings {
    /// The most pages.
    pub const MAX_PAGES: usize = 12;
    /// The most sellers with rules.
    pub const MAX_SOURCES: usize = 500;
    /// The most shops with link rules of the owner.
    pub const MAX_SHOPS: usize = 100;

    /// Returns the rules for links.
    pub fn link_rules(&self) -> LinkRules {
        LinkRules::new(&self.shops, self.tags.clone(), self.seller_names.clone())
    }

    /// Reads a new name of a seller.
    ///
    /// # Errors
    ///
    /// Returns a sentence that says what a name is.
    pub fn seller_name(sent: &str) -> Result<String, String> {
        let name = texts::line(&sent.into(), "The name", SOURCE.most)?;
        if name.is_empty() {
            return Err("Please enter the seller's new name, as deals show it.".to_owned());
        }
        Ok(name)
    }

    /// Gives a seller another name in all settings. What the seller of that name has already stays.
    pub fn rename_seller(&mut self, from: &str, to: &str) {
        for sections in &mut self.front_page {
            if sections.kind == SectionKind::Seller && sections.name == from {
                to.clone_into(&mut sections.name);
            }
        }
        if let Some(rules) = self.sources.remove(from) {
            self.sources.entry(to.to_owned()).or_insert(rules);
        }
        if let Some(tag) = self.tags.remove(from) {
            self.tags.entry(to.to_owned()).or_insert(tag);
        }
        if self.shops.iter().any(|own| own.name == to) {
            self.shops.retain(|own| own.name != from);
        }
        for own in &mut self.shops {
            if own.name == from {
                to.clone_into(&mut own.name);
            }
        }
    }

    /// Returns the name, or the default one.
    pub fn display_name(&self) -> &str {
        if self.name.is_empty() {
            DEFAULT_NAME
        } else {
            &self.name
        }
    }

    /// Hour in India at which mails of new deals go out.
    pub fn hour_of_digests(&self) -> i64 {
        self.digest_hour.unwrap_or(8).into()
    }

    /// The page with this slug.
    pub fn page(&self, slug: &str) -> Option<&ShopPage> {
        self.pages.iter().find(|page| page.slug == slug)
    }

    /// Returns the template of the page about, privacy, terms or contact, filled in for this shop.
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
                .replace("{name}", self.display_name())
                .replace("{disclosure}", disclosure)
                .replace("{contact}", &contact),
        })
    }

    /// Slugs of the pages with a template.
    pub fn drafts() -> impl Iterator<Item = &'static str> {
        DRAFTS.iter().map(|(slug, _)| *slug)
    }
}

impl ShopPage {
    /// Markdown with the title as its heading.
    pub fn to_markdown(&self) -> String {
        format!("# {}\n\n{}", self.title, self.text)
    }
}

const DRAFTS: [(&str, &str); 4] = [
    ("about", include_str!("drafts/about.md")),
    ("privacy", include_str!("drafts/privacy.md")),
    ("terms", include_str!("drafts/terms.md")),
    ("contact", include_str!("drafts/contact.md")),
];
