//! Links of shops and affiliate networks: recognizing, cleaning and tagging them.

mod address;
mod pattern;
mod shops;
mod wrappers;

use std::collections::BTreeMap;

use url::Url;

use self::address::{filtered, is_listed, value_of, with_parameter};
use self::shops::{SellerLinks, table};
use self::wrappers::MOST_WRAPPERS;
use super::is_web_address;

pub use self::shops::{CustomSeller, add_link_rules};

/// Maximum length of a tag.
const LONGEST_TAG: usize = 100;

/// Validates an affiliate's tag; an empty one is none.
///
/// # Errors
///
/// Returns a sentence that says what a tag is.
pub fn parse_tag(text: &str) -> Result<String, String> {
    let tag = text.trim();
    if tag.chars().any(char::is_whitespace) {
        return Err(format!(
            "A tag has no spaces: {tag:?}. Copy it as the affiliate programme shows it, like name-21."
        ));
    }
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.~".contains(c);
    if !tag.chars().all(is_plain) {
        return Err(format!(
            "A tag has only letters, digits, -, _, . and ~: {tag:?}. Copy it without the \
             parameter's name, like name-21."
        ));
    }
    if tag.len() > LONGEST_TAG {
        return Err(format!("A tag has at most {LONGEST_TAG} characters."));
    }
    Ok(tag.to_owned())
}

/// Something about sellers by their names.
type ByName = BTreeMap<String, String>;

/// The rules of a shop's owner: the program's table, the owner's own shops, and the tags.
#[derive(Debug, Clone, Default)]
pub struct LinkRules {
    own: Vec<SellerLinks>,
    tags: ByName,
    /// Former names of sellers, each with the present one.
    names: ByName,
}

/// A link of a known shop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownLink {
    /// The shop's name.
    pub shop: String,
    /// The product's id; none for other pages, and for links that only redirect.
    pub product: Option<String>,
    /// The shop's link without a tag and what else is dropped.
    pub clean: String,
    /// Tag that the link carries.
    pub tag: Option<String>,
    /// Network whose link it was.
    pub network: Option<&'static str>,
    /// True if the link only redirects to the shop, so that nothing else is known.
    pub is_short: bool,
    /// Parameter of the shop's tag.
    parameter: Option<String>,
}

/// A link as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tagged {
    /// With the seller's tag.
    pub link: String,
    /// Somebody else's tag that it carried.
    pub replaced: Option<String>,
}

impl LinkRules {
    /// Makes the rules of an owner's shops, and tags and present names by seller.
    pub fn new(own: &[CustomSeller], tags: ByName, names: ByName) -> Self {
        let own = own.iter().map(SellerLinks::from).collect();
        Self { own, tags, names }
    }

    /// The owner's shops come first.
    fn shops(&self) -> impl Iterator<Item = &SellerLinks> {
        self.own.iter().chain(&table().shops)
    }

    /// Returns the tag of a seller.
    pub fn tag(&self, source: &str) -> Option<&str> {
        self.tags.get(source).map(String::as_str)
    }

    /// Returns the tag for links of a seller: its own, or that of other names of its shop, like `Amazon` for
    /// `amazon.in`, if they have the same, or that of the shop to which it belongs.
    pub fn tag_for(&self, source: &str) -> Option<&str> {
        if self.tags.is_empty() {
            return None;
        }
        self.tag(source).or_else(|| {
            let mut shops = self.shops().filter(|shop| shop.is_seller(source));
            shops.find_map(|shop| {
                let of_shop = shop.tag_of.as_deref().and_then(|name| self.tag(name));
                self.tag_of_names(shop).or(of_shop)
            })
        })
    }

    /// True if links of `source` have the tag of `seller`, because both are names of the same shop, or
    /// its shop belongs to that seller.
    pub fn shares_tag(&self, source: &str, seller: &str) -> bool {
        let is_together = |shop: &SellerLinks| {
            shop.is_seller(source)
                && (shop.is_seller(seller) || shop.tag_of.as_deref() == Some(seller))
        };
        let tag = self.tag_for(source);
        self.tag(source).is_none()
            && tag.is_some()
            && tag == self.tag_for(seller)
            && self.shops().any(is_together)
    }

    fn tag_of_names(&self, shop: &SellerLinks) -> Option<&str> {
        let names = self.tags.iter().filter(|(name, _)| shop.is_seller(name));
        let mut tags = names.map(|(_, tag)| tag.as_str());
        let first = tags.next()?;
        tags.all(|tag| tag == first).then_some(first)
    }

    /// Returns the sellers that have a tag, by name.
    pub fn tagged_sellers(&self) -> impl Iterator<Item = &str> {
        self.tags.keys().map(String::as_str)
    }

    /// Sets the tag of a seller.
    pub fn set_tag(&mut self, source: &str, tag: &str) {
        self.tags.insert(source.to_owned(), tag.to_owned());
    }

    /// True if a seller of this name is the shop.
    pub fn is_seller(&self, source: &str, shop: &str) -> bool {
        let mut shops = self.shops();
        shops.any(|it| it.name == shop && it.is_seller(source))
    }

    /// Checks that links of a seller can carry a tag.
    ///
    /// # Errors
    ///
    /// Returns a sentence that says what to do.
    pub fn can_be_tagged(&self, source: &str) -> Result<(), String> {
        let mut shops = self
            .shops()
            .filter(|shop| shop.is_seller(source))
            .peekable();
        if shops.peek().is_none() {
            return Err(format!(
                "No rules for the links of {source} are known. Add it under Other sellers on the \
                 Sellers screen, with its address and where its links have a tag."
            ));
        }
        if shops.any(|shop| shop.tag.is_some()) {
            return Ok(());
        }
        Err(format!(
            "Where links of {source} have a tag is not known. Add {source} under Other sellers on the \
             Sellers screen, with the word that its programme names."
        ))
    }

    /// Reads a link of any known shop, also one wrapped by a network.
    pub fn read(&self, link: &str) -> Option<KnownLink> {
        self.read_of(link, &|_| true)
    }

    /// Returns the link to store for a product of the seller, if it has a tag and the link is one
    /// of its shop.
    pub fn tagged(&self, source: &str, link: &str) -> Option<Tagged> {
        let tag = self.tag_for(source)?;
        let known = self.read_of(link, &|shop| shop.is_seller(source))?;
        let parameter = known.parameter.as_deref()?;
        let replaced = known.tag.filter(|other| other != tag);
        let tagged = match (known.is_short, &replaced) {
            (false, _) => with_parameter(&known.clean, parameter, tag),
            (true, Some(_)) => known.clean,
            (true, None) => return None,
        };
        is_web_address(&tagged).then_some(Tagged {
            link: tagged,
            replaced,
        })
    }

    /// Replaces a former name of a seller by the present one, and a link by the one to store.
    pub fn apply(&self, source: &mut String, link: &mut String) {
        if let Some(name) = self.names.get(source) {
            name.clone_into(source);
        }
        if let Some(tagged) = self.tagged(source, link) {
            *link = tagged.link;
        }
    }

    /// Returns the network whose link this is, if its target is no known shop.
    pub fn network_of(&self, link: &str) -> Option<&'static str> {
        let url = Url::parse(link).ok()?;
        let network = table().networks.iter().find(|network| network.has(&url))?;
        Some(network.name.as_str())
    }

    fn read_of(&self, link: &str, which: &dyn Fn(&SellerLinks) -> bool) -> Option<KnownLink> {
        let mut link = link.to_owned();
        let mut network = None;
        for _ in 0..=MOST_WRAPPERS {
            if !is_web_address(&link) {
                return None;
            }
            let url = Url::parse(&link).ok()?;
            let wrapper = table().networks.iter().find(|network| network.has(&url));
            if let Some(wrapper) = wrapper {
                network.get_or_insert(wrapper.name.as_str());
            }
            let is_page = self
                .shops()
                .any(|shop| shop.has(&url) && !shop.shortens(&url));
            let target = if is_page {
                None
            } else {
                self.target(&link, &url, wrapper)
            };
            match target {
                Some(target) => link = target,
                None => {
                    let mut shops = self.shops().filter(|shop| which(shop));
                    return shops.find_map(|shop| known_link(shop, &link, &url, network));
                }
            }
        }
        None
    }
}

fn known_link(
    shop: &SellerLinks,
    link: &str,
    url: &Url,
    network: Option<&'static str>,
) -> Option<KnownLink> {
    let of_shop = |product: Option<String>, clean: String, is_short: bool| KnownLink {
        shop: shop.name.clone(),
        product,
        clean,
        tag: shop
            .tag
            .as_deref()
            .and_then(|name| value_of(link, name))
            .filter(|tag| !tag.is_empty()),
        network,
        is_short,
        parameter: shop.tag.clone(),
    };
    let is_short = shop.shortens(url);
    if !is_short && !shop.has(url) {
        return None;
    }
    let is_id = |id: &str| shop.is_id(id);
    // A short link's path may be the product's own, as in amzn.in/dp/….
    let mut ids = shop.ids.iter();
    match ids.find_map(|pattern| {
        let found = pattern.find(url, &is_id);
        found.filter(|_| !is_short || pattern.parameter().is_none())
    }) {
        Some(mut found) => {
            if shop.upper {
                found.id.make_ascii_uppercase();
            }
            let mut clean = shop.canonical(url, &found.id, found.path);
            for name in &shop.keep {
                if let Some(value) = value_of(link, name) {
                    clean = with_parameter(&clean, name, &value);
                }
            }
            Some(of_shop(Some(found.id), clean, false))
        }
        None => {
            let is_tag = |name: &str| shop.tag.as_deref() == Some(name);
            let clean = filtered(link, |name| !is_tag(name) && !is_listed(&shop.drop, name));
            Some(of_shop(None, clean, is_short))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct LinkCase {
        link: String,
        #[serde(default)]
        source: Option<String>,
        #[serde(default)]
        seller: Option<String>,
        #[serde(default)]
        product_id: Option<String>,
        #[serde(default)]
        stored: Option<String>,
        #[serde(default)]
        replaced_tag: Option<String>,
        #[serde(default)]
        network: Option<String>,
        #[serde(default)]
        short: bool,
    }

    #[derive(Deserialize)]
    struct Fixture {
        tags: BTreeMap<String, String>,
        shops: Vec<CustomSeller>,
        links: Vec<LinkCase>,
    }

    fn fixture() -> (LinkRules, Vec<LinkCase>) {
        let text = include_str!("../../../tests/fixtures/links.json");
        let fixture: Fixture = serde_json::from_str(text).unwrap();
        let rules = LinkRules::new(&fixture.shops, fixture.tags, ByName::new());
        (rules, fixture.links)
    }

    #[test]
    fn links_are_read_and_stored_as_in_the_fixture() {
        let (rules, rows) = fixture();
        assert!(rows.len() >= 60, "{} rows", rows.len());
        for row in rows {
            let link = &row.link;
            let read = rules.read(link);
            let known = read.as_ref();
            assert_eq!(known.map(|it| &it.shop), row.seller.as_ref(), "{link}");
            assert_eq!(
                known.and_then(|it| it.product.clone()),
                row.product_id,
                "{link}"
            );
            assert_eq!(known.is_some_and(|it| it.is_short), row.short, "{link}");
            assert_eq!(
                rules.network_of(link).map(str::to_owned),
                row.network,
                "{link}"
            );
            let mut source = row
                .source
                .or(row.seller)
                .unwrap_or_else(|| "Amazon".to_owned());
            let tagged = rules.tagged(&source, link);
            let stored = tagged.as_ref().map_or(link, |it| &it.link);
            // A row without `stored` stays byte for byte.
            assert_eq!(stored, row.stored.as_ref().unwrap_or(link), "{link}");
            let replaced = tagged.as_ref().and_then(|it| it.replaced.as_ref());
            assert_eq!(replaced, row.replaced_tag.as_ref(), "{link}");
            let mut twice = stored.clone();
            rules.apply(&mut source, &mut twice);
            assert_eq!(&twice, stored, "a stored link is stored as it is");
        }
    }

    #[test]
    fn without_an_affiliate_tag_links_stay_byte_for_byte() {
        let (_, rows) = fixture();
        let rules = LinkRules::default();
        for row in rows {
            let source = row
                .source
                .or(row.seller)
                .unwrap_or_else(|| "Amazon".to_owned());
            assert_eq!(rules.tagged(&source, &row.link), None, "{}", row.link);
        }
    }

    #[test]
    fn an_invalid_affiliate_tag_is_explained() {
        assert_eq!(parse_tag(" x-21 ").unwrap(), "x-21");
        assert_eq!(parse_tag("").unwrap(), "");
        for (wrong, words) in [
            ("x 21", "has no spaces"),
            ("tag=x-21", "without the parameter's name"),
            (&"x".repeat(101), "at most 100"),
        ] {
            let said = parse_tag(wrong).unwrap_err();
            assert!(said.contains(words), "{said}");
        }
    }

    #[test]
    fn a_tag_for_a_seller_without_link_rules_is_refused() {
        let rules = LinkRules::default();
        rules.can_be_tagged("Amazon").unwrap();
        assert!(
            rules
                .can_be_tagged("Corner")
                .unwrap_err()
                .contains("No rules")
        );
        let said = rules.can_be_tagged("Myntra").unwrap_err();
        assert!(said.contains("is not known. Add Myntra"), "{said}");
    }
}
