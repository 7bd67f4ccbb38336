//! What the owner's settings make of every page: name, mark, colours and pages.

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use actix_web::web::Bytes;
use base64::prelude::{BASE64_STANDARD, Engine as _};
use jiff::Timestamp;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::domain::{
    AccentColours, Alike, Colour, Home, Palette, Product, Settings, Shown, effective_price, hex,
};
use crate::store::{Store, StoreError, Version};

/// The accent of a shop whose owner chose none: that of `tokens.css`, light.
const USUAL_ACCENT: Colour = Colour::of_channels([0x1a, 0x56, 0xb0]);
/// The program's own mark.
const FAVICON: &[u8] = include_bytes!("../../frontend/public/favicon.svg");

/// The settings, and what is made of them once for every page.
pub(crate) struct Storefront {
    pub(crate) settings: Settings,
    /// How the shop tells that it earns by its links: its own words, or the program's.
    pub(crate) disclosure: String,
    /// The mark as a file of the site.
    pub(crate) mark: MarkFile,
    /// The accent's colours in the place of the usual ones, as a style element's text.
    pub(crate) styles: Option<String>,
    /// The source expression that allows those styles (CSP level 3, section 2.3.1).
    pub(crate) style_source: Option<String>,
}

/// The mark that is served.
pub(crate) struct MarkFile {
    /// Its path, which changes with its bytes.
    pub(crate) path: String,
    pub(crate) kind: &'static str,
    pub(crate) bytes: Bytes,
}

/// What every visitor may know of the shop; each page brings it to the app.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct ShopBody<'a> {
    /// Deals, unless the owner named it
    name: &'a str,
    tagline: &'a str,
    /// The path of the mark's picture
    mark: &'a str,
    contact: &'a str,
    telegram: &'a str,
    whatsapp: &'a str,
    instagram: &'a str,
    disclosure: &'a str,
    pages: Vec<PageTitle<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
struct PageTitle<'a> {
    slug: &'a str,
    title: &'a str,
}

impl Storefront {
    fn new(settings: Settings, disclosure: &str) -> Self {
        let accent = settings.shop.accent;
        let styles = accent.map(|accent| colour_styles(&Palette::of(accent)));
        let style_source = styles.as_deref().map(|styles| {
            let hash = BASE64_STANDARD.encode(Sha256::digest(styles));
            format!("'sha256-{hash}'")
        });
        let told = &settings.shop.disclosure;
        Self {
            disclosure: if told.is_empty() { disclosure } else { told }.to_owned(),
            mark: mark_file(&settings),
            settings,
            styles,
            style_source,
        }
    }

    /// Returns what is to be shown of a product beside its fields, or not to be; nothing where there
    /// is nothing to say.
    fn shown(&self, product: &Product, now: Timestamp) -> Option<Box<Shown>> {
        let details = &product.details;
        let mut shown = self.held_back(product, now);
        let (ends, notice) = (
            details.lifetime.ends_soon(now),
            details.lifetime.notice(now),
        );
        if !details.offers.is_empty() && !shown.as_ref().is_some_and(|shown| shown.hides_price) {
            let effective = effective_price(details.final_price, &details.offers, now);
            if let Some(effective) = effective {
                shown.get_or_insert_default().effective = Some(effective.words());
            }
        }
        let badge = product.badge.filter(|_| notice.is_none());
        if ends.is_some() || notice.is_some() || badge.is_some() {
            let shown = shown.get_or_insert_default();
            (shown.ends, shown.notice) = (ends, notice);
            shown.badge = badge.filter(|_| !shown.hides_price);
        }
        shown
    }

    /// Returns what the rules of its seller hide.
    fn held_back(&self, product: &Product, now: Timestamp) -> Option<Box<Shown>> {
        let rules = self.settings.shop.sources.get(&product.details.source)?;
        rules.shown(product.price_seen_at, now)
    }

    /// Says of each product what may be shown of it now.
    pub(crate) fn dress<'a>(&self, products: impl IntoIterator<Item = &'a mut Product>) {
        let now = Timestamp::now();
        for product in products {
            product.shown = self.shown(product, now);
        }
    }

    /// As [`Storefront::dress`], for products in rows of few, where there is no room for the time of
    /// a price or of an end: it is to be seen on the product's own page.
    pub(crate) fn dress_tiles<'a>(&self, products: impl IntoIterator<Item = &'a mut Product>) {
        let now = Timestamp::now();
        for product in products {
            product.shown = self.held_back(product, now);
            if let Some(shown) = &mut product.shown {
                shown.hides_price |= shown.as_of.take().is_some();
            }
        }
    }

    /// As [`Storefront::dress_tiles`], for what stands beside a product.
    pub(crate) fn dress_alike(&self, alike: &mut Alike) {
        let rows = alike.similar.iter_mut().chain(&mut alike.seller);
        self.dress_tiles(rows.chain(&mut alike.back));
    }

    /// As [`Storefront::dress_tiles`], for what stands above the list: there is no saving without a
    /// price.
    pub(crate) fn dress_home(&self, home: &mut Home) {
        self.dress_tiles(
            home.savings
                .iter_mut()
                .chain(&mut home.popular)
                .chain(&mut home.newest),
        );
        home.savings.retain(|product| !product.hides_price());
        home.savings.truncate(Home::SHELF);
    }

    /// How many products to look at for those that save most: more where some hide their price.
    pub(crate) fn savings_to_read(&self) -> usize {
        let mut rules = self.settings.shop.sources.values();
        if !self.may_be_kept() || rules.any(|rules| !rules.show_price) {
            100 * Home::SHELF
        } else {
            Home::SHELF
        }
    }

    /// Whether browsers may keep copies of pages: a price that may only be shown while it is fresh
    /// would be shown without a network too.
    pub(crate) fn may_be_kept(&self) -> bool {
        let mut rules = self.settings.shop.sources.values();
        !rules.any(|rules| rules.price_max_age.is_some())
    }

    /// How long an answer may be used, in seconds: what is new today is not tomorrow, and a price
    /// that is only shown while it is fresh is looked at each minute.
    pub(crate) fn period(&self) -> i64 {
        if self.may_be_kept() { 86_400 } else { 60 }
    }

    /// The shop's name.
    pub(crate) fn name(&self) -> &str {
        self.settings.shop.display_name()
    }

    /// What every visitor may know.
    pub(crate) fn body(&self) -> ShopBody<'_> {
        let shop = &self.settings.shop;
        let pages = shop.pages.iter();
        ShopBody {
            name: shop.display_name(),
            tagline: &shop.tagline,
            mark: &self.mark.path,
            contact: &shop.contact,
            telegram: &shop.telegram,
            whatsapp: &shop.whatsapp,
            instagram: &shop.instagram,
            disclosure: &self.disclosure,
            pages: pages
                .map(|page| PageTitle {
                    slug: &page.slug,
                    title: &page.title,
                })
                .collect(),
        }
    }
}

/// The storefront of the settings as they are, made again when they change.
pub(crate) struct Storefronts {
    /// How the program words the disclosure.
    disclosure: String,
    newest: RwLock<Newest>,
}

struct Newest {
    /// The database in which its settings were last found to be the newest.
    of: Option<Version>,
    storefront: Arc<Storefront>,
}

impl Storefronts {
    pub(crate) fn new(disclosure: &str) -> Self {
        Self {
            newest: RwLock::new(Newest {
                of: None,
                storefront: Arc::new(Storefront::new(Settings::default(), disclosure)),
            }),
            disclosure: disclosure.to_owned(),
        }
    }

    /// The storefront as of now.
    pub(crate) fn current(&self, store: &Store) -> Result<Arc<Storefront>, StoreError> {
        // Before the settings are read: a commit in between is looked at the next time.
        let version = store.version()?;
        let newest = self.read();
        if newest.of.as_ref() == Some(&version) {
            return Ok(Arc::clone(&newest.storefront));
        }
        let mut storefront = Arc::clone(&newest.storefront);
        drop(newest);
        if store.settings_version()? != storefront.settings.version {
            storefront = Arc::new(Storefront::new(store.settings()?, &self.disclosure));
        }
        *self.newest.write().unwrap_or_else(PoisonError::into_inner) = Newest {
            of: Some(version),
            storefront: Arc::clone(&storefront),
        };
        Ok(storefront)
    }

    /// The last one, for when the database can't answer.
    pub(crate) fn newest(&self) -> Arc<Storefront> {
        Arc::clone(&self.read().storefront)
    }

    fn read(&self) -> RwLockReadGuard<'_, Newest> {
        self.newest.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The tokens of `frontend/src/styles/tokens.css` that the accent decides.
fn colour_styles(palette: &Palette) -> String {
    let Palette { light, dark } = palette;
    // Those that both themes share stand with the light ones only, which hold unless dark ones do.
    let shared = if (light.fill_strong, light.on_fill) == (dark.fill_strong, dark.on_fill) {
        String::new()
    } else {
        button_tokens(dark)
    };
    let light = tokens(light) + &button_tokens(light);
    let dark = tokens(dark) + &shared;
    format!(
        ":root{{{light}}}@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}\
         :root[data-theme=dark]{{{dark}}}"
    )
}

fn tokens(colours: &AccentColours) -> String {
    let AccentColours {
        accent,
        accent_bg,
        fill,
        ..
    } = colours;
    format!("--accent:{accent};--accent-bg:{accent_bg};--fill:{fill}")
}

/// What stands on a button, and how it looks below a pointer.
fn button_tokens(colours: &AccentColours) -> String {
    let AccentColours {
        fill_strong,
        on_fill,
        ..
    } = colours;
    format!(";--fill-below:{fill_strong};--on-fill:{on_fill}")
}

/// The owner's mark; the name's first letter where there is a name only, and the
/// program's own where there is none.
fn mark_file(settings: &Settings) -> MarkFile {
    let (kind, bytes) = match &settings.mark {
        Some(mark) => (mark.kind, mark.bytes.clone().into()),
        None if settings.shop.name.is_empty() => ("image/svg+xml", Bytes::from_static(FAVICON)),
        None => ("image/svg+xml", letter_mark(settings).into()),
    };
    let ending = match kind {
        "image/png" => "png",
        "image/jpeg" => "jpg",
        _ => "svg",
    };
    let hash = Sha256::digest(&bytes);
    let name = hex(&hash[..8]);
    MarkFile {
        path: format!("/mark/{name}.{ending}"),
        kind,
        bytes,
    }
}

/// The letter that stands for a name.
pub(crate) fn letter_of(name: &str) -> Option<String> {
    let first = name.chars().find(|c| c.is_alphanumeric())?;
    Some(first.to_uppercase().collect())
}

/// The colours of the accent in the light theme.
pub(crate) fn accent_colours(settings: &Settings) -> AccentColours {
    Palette::of(settings.shop.accent.unwrap_or(USUAL_ACCENT)).light
}

fn letter_mark(settings: &Settings) -> String {
    let letter = letter_of(&settings.shop.name).unwrap_or_else(|| "D".to_owned());
    let AccentColours { fill, on_fill, .. } = accent_colours(settings);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 32 32\">\
         <rect width=\"32\" height=\"32\" rx=\"7\" fill=\"{fill}\"/>\
         <text x=\"16\" y=\"23\" fill=\"{on_fill}\" font-family=\"system-ui,sans-serif\" \
         font-size=\"20\" font-weight=\"700\" text-anchor=\"middle\">{letter}</text></svg>"
    )
}
