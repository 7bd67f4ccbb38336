//! The storefront: name, logo, colours and pages, derived from the owner's settings.

mod body;
mod headings;
pub(crate) mod list_query;
mod look;
pub(crate) mod markdown;
mod offers;
mod paths;
mod sections;
mod shelf;

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use base64::prelude::{BASE64_STANDARD, Engine as _};
use jiff::Timestamp;
use sha2::{Digest, Sha256};
use url::Url;

pub(crate) use self::body::{CategoryBody, NoMail, ShopBody};
pub(crate) use self::headings::heading;
pub(crate) use self::look::{LogoFile, accent_colours, letter_of};
use self::look::{USUAL_ACCENT, colour_styles, ground_styles, logo_file};
use self::offers::SellerOffers;
pub(crate) use self::paths::{
    COMPONENT, absolute, category_path, collection_path, details_path, seller_path,
};
pub(crate) use self::sections::SectionShown;
use self::shelf::MOST_SELLERS;
pub(crate) use self::shelf::{Shelf, ShelfBody};
use crate::accounts::MailServer;
use crate::domain::{
    Alike, Categories, Collection, Colour, Facets, Home, ListNames, ListQuery, Listing, Palette,
    Picks, Product, Section, SectionKind, Settings, Shown, is_this_machine, slug_of, time_in_india,
    with_shop,
};
use crate::store::{Store, StoreError, Version};

/// The settings and everything derived from them for all pages.
pub(crate) struct Storefront {
    pub(crate) settings: Settings,
    pub(crate) categories: Arc<Categories>,
    pub(crate) collections: Vec<Collection>,
    /// Version of the collections.
    collections_version: (i64, i64),
    /// Offers of the sellers.
    offers: SellerOffers,
    /// Names of the sellers with the most live products.
    sellers: Vec<String>,
    /// Affiliate disclosure: the owner's words, or the default.
    pub(crate) disclosure: String,
    public_url: Url,
    /// True with `--allow-http-sign-in`.
    http_sign_in: bool,
    no_mail: Option<NoMail>,
    /// The logo.
    pub(crate) logo: LogoFile,
    /// Colour of the band in the light and in the dark theme.
    pub(crate) bands: [Colour; 2],
    /// CSS of the owner's accent colours, and of further grounds.
    pub(crate) styles: Option<String>,
    /// Source expression that allows `styles` (CSP level 3, section 2.3.1).
    pub(crate) style_source: Option<String>,
}

/// A page of the list, by the sellers' rules.
pub(crate) struct ListShown {
    pub(crate) found: Listing<Product>,
    pub(crate) facets: Facets,
    /// Picks, on the unfiltered first page and on an empty list.
    pub(crate) home: Option<HomeShown>,
}

/// The content around the unfiltered list, by the sellers' rules.
pub(crate) struct HomeShown {
    pub(crate) home: Home,
    pub(crate) picks: Picks,
    /// Sentence about the prices, true of this shop.
    pub(crate) promise: &'static str,
    /// Time at which one of the prices was last seen, like `25 Nov, 14:05`.
    pub(crate) seen: Option<String>,
    /// The mean of the prices over 90 days as SVG path data.
    pub(crate) path: Option<String>,
    /// Sections that the owner arranged, of those that have something to show.
    pub(crate) sections: Option<Vec<SectionShown>>,
}

impl Storefront {
    fn new(
        settings: Settings,
        categories: Arc<Categories>,
        offers: SellerOffers,
        defaults: &StorefrontDefaults,
    ) -> Self {
        let accent = settings.shop.accent;
        let palette = Palette::from_accent(accent.unwrap_or(USUAL_ACCENT));
        let mut styles = accent.map_or_else(String::new, |_| colour_styles(&palette));
        styles += ground_styles(&categories);
        let styles = Some(styles).filter(|styles| !styles.is_empty());
        let style_source = styles.as_deref().map(|styles| {
            let hash = BASE64_STANDARD.encode(Sha256::digest(styles));
            format!("'sha256-{hash}'")
        });
        let disclosure = match &settings.shop.disclosure {
            own if own.is_empty() => &defaults.disclosure,
            own => own,
        };
        Self {
            disclosure: disclosure.clone(),
            public_url: defaults.public_url.clone(),
            http_sign_in: defaults.http_sign_in,
            no_mail: defaults.no_mail(),
            logo: logo_file(&settings),
            settings,
            categories,
            offers,
            sellers: Vec::new(),
            collections: Vec::new(),
            collections_version: (0, 0),
            bands: [palette.light.band, palette.dark.band],
            styles,
            style_source,
        }
    }

    /// Returns price and times to show beside the product's fields, or `None`.
    fn display_of(&self, product: &Product, now: Timestamp) -> Option<Box<Shown>> {
        let details = &product.details;
        let mut shown = self.price_restrictions(product, now);
        let (ends, notice) = (
            details.lifetime.ends_soon(now),
            details.lifetime.notice(now),
        );
        if !shown.as_ref().is_some_and(|shown| shown.hides_price)
            && let Some(effective) = product.effective_price(now)
        {
            shown.get_or_insert_default().effective =
                Some(effective.summary(product.offers_checked_at, now));
        }
        if ends.is_some() || notice.is_some() {
            let shown = shown.get_or_insert_default();
            (shown.ends, shown.notice) = (ends, notice);
        }
        shown
    }

    /// Returns the price as restricted by the seller's rules.
    fn price_restrictions(&self, product: &Product, now: Timestamp) -> Option<Box<Shown>> {
        let rules = self.settings.shop.sources.get(&product.details.source)?;
        rules.restrictions(product.price_seen_at, now)
    }

    /// Sets `shown` and `verdict` of each product, as of now.
    pub(crate) fn apply_rules<'a>(&self, products: impl IntoIterator<Item = &'a mut Product>) {
        let now = Timestamp::now();
        for product in products {
            with_shop(&mut product.details.images, &self.public_url);
            product.seller_offers = self.offers.of(&product.details, now);
            product.shown = self.display_of(product, now);
            let is_listed = product.shown.as_ref().is_none_or(|it| it.notice.is_none());
            set_verdict(product, is_listed);
        }
    }

    /// Sets `shown` and `verdict` of products in small tiles, which have no room for the time of a price: such
    /// prices are hidden.
    pub(crate) fn apply_rules_to_tiles<'a>(
        &self,
        products: impl IntoIterator<Item = &'a mut Product>,
    ) {
        let now = Timestamp::now();
        for product in products {
            with_shop(&mut product.details.images, &self.public_url);
            product.shown = self.price_restrictions(product, now);
            if let Some(shown) = &mut product.shown {
                shown.hides_price |= shown.as_of.take().is_some();
            }
            set_verdict(product, true);
        }
    }

    /// Applies the seller's rules to related products.
    pub(crate) fn apply_rules_to_related(&self, alike: &mut Alike) {
        let rows = alike.similar.iter_mut().chain(&mut alike.seller);
        self.apply_rules_to_tiles(rows.chain(&mut alike.back));
    }

    /// Reads a page of the list with its facets, and the content around it where it is shown.
    pub(crate) fn list(&self, store: &Store, query: &ListQuery) -> Result<ListShown, StoreError> {
        let (mut found, facets) = store.list_with_facets(query)?;
        self.apply_rules(&mut found.page.items);
        // Above the unfiltered list, and below an empty one.
        let with_home =
            *query == ListQuery::default() || (found.page.total == 0 && query.page == 1);
        Ok(ListShown {
            home: with_home.then(|| self.home(store)).transpose()?,
            found,
            facets,
        })
    }

    /// Reads the content around the list, applies the sellers' rules and chooses the picks.
    pub(crate) fn home(&self, store: &Store) -> Result<HomeShown, StoreError> {
        self.home_with(store, &self.settings.shop.front_page)
    }

    /// Like [`Storefront::home`], with these sections.
    pub(crate) fn home_with(
        &self,
        store: &Store,
        sections: &[Section],
    ) -> Result<HomeShown, StoreError> {
        let mut home = store.home()?;
        self.apply_rules_to_tiles(home.products_mut());
        let of_picks = sections.iter().find(|it| it.kind == SectionKind::Picks);
        let most = of_picks.map_or(Home::PICKS, |section| section.deals as usize);
        let picks = home.picks(most, Timestamp::now());
        let mut rules = self.settings.shop.sources.values();
        let promise = if rules.any(|rules| !rules.show_price || !rules.history) {
            "Prices are dated, and compared with their own past where the seller allows it."
        } else if picks.are_cheaper {
            "Each price is dated and compared with its own past."
        } else {
            "Each price is dated."
        };
        let arranged = !sections.is_empty();
        Ok(HomeShown {
            sections: arranged
                .then(|| self.sections(store, sections, &home, &picks))
                .transpose()?,
            seen: home.last_seen().map(time_in_india),
            path: home.mean_path(),
            home,
            picks,
            promise,
        })
    }

    /// Returns true if browsers may store pages. They may not if a seller limits the age of a shown
    /// price.
    pub(crate) fn may_be_stored(&self) -> bool {
        let mut rules = self.settings.shop.sources.values();
        !rules.any(|rules| rules.price_max_age.is_some())
    }

    /// Lifetime of a response in seconds: a day, or a minute if a seller limits the age of a shown
    /// price.
    pub(crate) fn period(&self) -> i64 {
        if self.may_be_stored() { 86_400 } else { 60 }
    }

    /// True if neither a logo nor a name, whose letter would be one, is set.
    pub(crate) fn has_default_logo(&self) -> bool {
        self.settings.shop.name.is_empty() && self.settings.logo.is_none()
    }

    /// Returns the names that queries may have.
    pub(crate) fn names(&self) -> ListNames<'_> {
        ListNames {
            categories: &self.categories,
            collections: &self.collections,
            sellers: Some(&self.settings.shop.seller_names),
        }
    }

    /// Returns the present name of a seller by the slug of a former one.
    pub(crate) fn present_seller(&self, slug: &str) -> Option<&str> {
        let mut names = self.settings.shop.seller_names.iter();
        let (_, present) = names.find(|(former, _)| slug_of(former) == slug)?;
        Some(present)
    }

    pub(crate) fn name(&self) -> &str {
        self.settings.shop.display_name()
    }
}

fn set_verdict(product: &mut Product, is_listed: bool) {
    let is_shown = is_listed && !product.hides_price();
    let verdict = product.prices.verdict(product.details.discount);
    product.verdict = verdict.filter(|_| is_shown).map(Box::new);
}

/// Options of the command line that the storefront shows, and the mail server.
pub(crate) struct StorefrontDefaults {
    pub(crate) public_url: Url,
    /// Disclosure, unless the settings have one.
    pub(crate) disclosure: String,
    /// True with `--allow-http-sign-in`.
    pub(crate) http_sign_in: bool,
    /// The mail server, without which nobody can register.
    pub(crate) mail: MailServer,
}

impl StorefrontDefaults {
    /// Returns where codes go, if there is no mail server now.
    fn no_mail(&self) -> Option<NoMail> {
        let codes = match is_this_machine(&self.public_url) {
            true => NoMail::Log,
            false => NoMail::Closed,
        };
        self.mail.current().server().is_none().then_some(codes)
    }
}

/// The storefront of the current settings, rebuilt when they change.
pub(crate) struct Storefronts {
    defaults: StorefrontDefaults,
    newest: RwLock<Newest>,
}

struct Newest {
    /// Version of the database at which the settings were last compared.
    of: Option<Version>,
    storefront: Arc<Storefront>,
}

impl Storefronts {
    pub(crate) fn new(defaults: StorefrontDefaults) -> Self {
        Self {
            newest: RwLock::new(Newest {
                of: None,
                storefront: Arc::new(Storefront::new(
                    Settings::default(),
                    Arc::default(),
                    SellerOffers::default(),
                    &defaults,
                )),
            }),
            defaults,
        }
    }

    /// Returns the storefront if nothing was committed since it was compared. Does not block.
    pub(crate) fn known(&self, store: &Store) -> Option<Arc<Storefront>> {
        let version = store.version().ok()?;
        let newest = self.read();
        (newest.of == Some(version)).then(|| Arc::clone(&newest.storefront))
    }

    pub(crate) fn current(&self, store: &Store) -> Result<Arc<Storefront>, StoreError> {
        // Before the settings are read, so that a commit in between is seen next time.
        let version = store.version()?;
        let newest = self.read();
        if newest.of.as_ref() == Some(&version) {
            return Ok(Arc::clone(&newest.storefront));
        }
        let mut storefront = Arc::clone(&newest.storefront);
        drop(newest);
        let categories = store.categories()?;
        let is_outdated = store.settings_version()? != storefront.settings.version
            || self.defaults.no_mail() != storefront.no_mail;
        let collections_version = store.collections_version()?;
        let is_outdated = is_outdated
            || store.seller_offers_version()? != storefront.offers.version
            || categories != storefront.categories
            || collections_version != storefront.collections_version;
        let mut sellers = store.sellers()?;
        sellers.truncate(MOST_SELLERS);
        let is_outdated = is_outdated || sellers != storefront.sellers;
        if is_outdated {
            let settings = store.settings()?;
            let offers = SellerOffers::new(store.seller_offers(None)?);
            let mut changed = Storefront::new(settings, categories, offers, &self.defaults);
            changed.collections = store.collections()?;
            changed.collections_version = collections_version;
            changed.sellers = sellers;
            storefront = Arc::new(changed);
        }
        *self.newest.write().unwrap_or_else(PoisonError::into_inner) = Newest {
            of: Some(version),
            storefront: Arc::clone(&storefront),
        };
        Ok(storefront)
    }

    /// Returns the last known storefront, for when the database fails.
    pub(crate) fn newest(&self) -> Arc<Storefront> {
        Arc::clone(&self.read().storefront)
    }

    fn read(&self) -> RwLockReadGuard<'_, Newest> {
        self.newest.read().unwrap_or_else(PoisonError::into_inner)
    }
}
