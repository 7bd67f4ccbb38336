//! Validates and applies changes of settings.

use base64::prelude::{BASE64_STANDARD, Engine as _};
use serde_json::{Map, Value, json};

use super::contact::{contact, profile, whatsapp};
use super::texts::{line, text};
use super::{Colour, Logo, SameWordsLine, Section, Settings, ShopPage, ShopSettings};
use crate::domain::links::{CustomSeller, parse_tag};
use crate::domain::{CONSTANTS, FieldError, SOURCE, is_invisible, without_controls};

/// New values of some settings; an empty text clears a setting.
#[derive(Debug, Clone)]
pub struct SettingsChange(Map<String, Value>);

impl SettingsChange {
    /// Every setting by its name on the wire, in the order in which it is listed.
    pub const NAMES: &[&str] = &[
        "name",
        "tagline",
        "mark",
        "accent",
        "contact",
        "telegram",
        "whatsapp",
        "instagram",
        "disclosure",
        "pages",
        "shops",
        "sameWords",
        "frontPage",
        "digestHour",
    ];
    /// Prefix of a page's name: `page.about`.
    pub const PAGE: &str = "page.";
    /// Prefix of a seller's name: `source.Amazon`.
    pub const SOURCE: &str = "source.";
    /// Prefix of the affiliate's tag in a seller's links: `tag.Amazon`.
    pub const TAG: &str = "tag.";

    /// Settings of the shop's looks ([`Settings::differs_in_looks_only`]), without the home page.
    pub const LOOKS: [&str; 6] = ["name", "tagline", "mark", "accent", "disclosure", "pages"];

    /// Returns the settings that are set by name, as [`SettingsChange::apply`] takes them.
    pub fn values_of(settings: &Settings) -> Map<String, Value> {
        let Ok(Value::Object(mut values)) = serde_json::to_value(&settings.shop) else {
            return Map::new();
        };
        for (list, prefix) in [("sources", Self::SOURCE), ("tags", Self::TAG)] {
            if let Some(Value::Object(of)) = values.remove(list) {
                let named = of.into_iter();
                values.extend(named.map(|(name, value)| (format!("{prefix}{name}"), value)));
            }
        }
        if let Some(Logo { kind, bytes }) = &settings.logo {
            let logo = format!("data:{kind};base64,{}", BASE64_STANDARD.encode(bytes));
            values.insert("mark".to_owned(), logo.into());
        }
        values.retain(|_, value| *value != Value::Null && *value != "" && *value != json!([]));
        values
    }

    /// Wraps unvalidated values.
    pub fn new(values: Map<String, Value>) -> Self {
        Self(values)
    }

    /// Returns the changed settings, with the next version.
    ///
    /// # Errors
    ///
    /// Returns one error per invalid value.
    pub fn apply(&self, current: &Settings) -> Result<Settings, Vec<FieldError>> {
        let mut next = current.clone();
        next.version += 1;
        let mut errors = Vec::new();
        for (name, value) in &self.0 {
            if name == "frontPage" {
                match Section::parse_all(value) {
                    Ok(sections) => next.shop.front_page = sections,
                    Err(refused) => errors.extend(refused),
                }
            } else if let Err(message) = set(&mut next, name, value) {
                errors.push(FieldError::new(name, message));
            }
        }
        if next.shop.pages.len() > ShopSettings::MAX_PAGES {
            let message = format!("There can be at most {} pages.", ShopSettings::MAX_PAGES);
            return Err(vec![FieldError::new("pages", message)]);
        }
        if errors.is_empty() {
            Ok(next)
        } else {
            Err(errors)
        }
    }
}

fn set(next: &mut Settings, name: &str, value: &Value) -> Result<(), String> {
    let shop = &mut next.shop;
    match name {
        "name" => shop.name = line(value, "The name", CONSTANTS.max_shop_name)?,
        "tagline" => shop.tagline = line(value, "The tagline", CONSTANTS.max_tagline)?,
        "disclosure" => {
            shop.disclosure = line(value, "The disclosure", CONSTANTS.max_disclosure)?;
        }
        "contact" => shop.contact = contact(value)?,
        "telegram" => shop.telegram = profile(value, "t.me", "_")?,
        "whatsapp" => shop.whatsapp = whatsapp(value)?,
        "instagram" => shop.instagram = profile(value, "instagram.com", "_.")?,
        "accent" => shop.accent = accent(value)?,
        "mark" => next.logo = logo(value)?,
        "pages" => shop.pages = pages(value)?,
        "shops" => shop.shops = shops(value)?,
        "sameWords" => shop.same_words = same_words(value)?,
        "digestHour" => shop.digest_hour = digest_hour(value)?,
        _ => {
            if let Some(slug) = name.strip_prefix(SettingsChange::PAGE) {
                set_page(shop, slug, value)?;
            } else if let Some(source) = name.strip_prefix(SettingsChange::SOURCE) {
                set_source(shop, source, value)?;
            } else if let Some(source) = name.strip_prefix(SettingsChange::TAG) {
                set_tag(shop, source, value)?;
            } else {
                return Err(format!(
                    "There is no setting {name}. There are {}, page.SLUG for a single page, \
                     source.NAME for the rules of a seller, and tag.NAME for the tag in its links.",
                    SettingsChange::NAMES.join(", ")
                ));
            }
        }
    }
    Ok(())
}

fn accent(value: &Value) -> Result<Option<Colour>, String> {
    let colour = text(value, "The accent")?;
    if colour.is_empty() {
        return Ok(None);
    }
    match Colour::parse(colour) {
        Some(colour) => Ok(Some(colour)),
        None => Err("The accent must be a colour like #1a56b0.".to_owned()),
    }
}

/// Decodes the logo from a `data:` URL (RFC 2397).
fn logo(value: &Value) -> Result<Option<Logo>, String> {
    let address = text(value, "The logo")?;
    if address.is_empty() {
        return Ok(None);
    }
    let encoded = address
        .strip_prefix("data:")
        .and_then(|rest| rest.split_once(";base64,"));
    let bytes = encoded.and_then(|(_, encoded)| BASE64_STANDARD.decode(encoded).ok());
    match bytes {
        Some(bytes) => Logo::read(bytes).map(Some),
        None => Err("The logo must be a data: address with base64.".to_owned()),
    }
}

/// Accepts an hour as a number, or as the text of a form or a command.
fn digest_hour(value: &Value) -> Result<Option<u8>, String> {
    let hour = match value {
        Value::Number(number) => number.to_string(),
        value => text(value, "The hour")?.to_owned(),
    };
    if hour.is_empty() {
        return Ok(None);
    }
    match hour.parse() {
        Ok(hour @ 0..=23) => Ok(Some(hour)),
        _ => Err("The hour must be a whole number from 0 to 23, like 8.".to_owned()),
    }
}

fn pages(value: &Value) -> Result<Vec<ShopPage>, String> {
    let sent = match value {
        Value::Null => &[],
        Value::Array(sent) => sent.as_slice(),
        _ => return Err("The pages must be a list.".to_owned()),
    };
    let mut pages: Vec<ShopPage> = Vec::new();
    for page in sent {
        let field = |name: &str| page[name].as_str().unwrap_or_default();
        let page = checked(field("slug"), field("title"), field("text"))?;
        if pages.iter().any(|other| other.slug == page.slug) {
            return Err(format!("Two pages have the address {}.", page.slug));
        }
        pages.push(page);
    }
    Ok(pages)
}

fn shops(value: &Value) -> Result<Vec<CustomSeller>, String> {
    let sent = match value {
        Value::Null => &[],
        Value::Array(sent) => sent.as_slice(),
        // From the command line.
        Value::String(sent) if sent.trim().is_empty() => &[],
        Value::String(sent) => {
            let parsed: Value = serde_json::from_str(sent)
                .map_err(|error| format!("The shops are not JSON: {error}."))?;
            return match parsed {
                Value::String(_) => Err("The shops must be a list.".to_owned()),
                parsed => shops(&parsed),
            };
        }
        _ => return Err("The shops must be a list.".to_owned()),
    };
    if sent.len() > ShopSettings::MAX_SHOPS {
        return Err(format!(
            "There can be at most {} shops.",
            ShopSettings::MAX_SHOPS
        ));
    }
    let mut shops: Vec<CustomSeller> = Vec::new();
    for shop in sent {
        let name = line(&shop["name"], "The shop's name", SOURCE.most)?;
        if name.is_empty() {
            return Err("A shop needs the name of its seller.".to_owned());
        }
        if shops.iter().any(|other| other.name == name) {
            return Err(format!("Two shops have the name {name}."));
        }
        shops.push(CustomSeller::parse(name, shop)?);
    }
    Ok(shops)
}

/// Number of wrong lines that are named.
const NAMED: usize = 5;

fn same_words(value: &Value) -> Result<String, String> {
    let text = text(value, "The words for the same thing")?;
    let Err(mut problems) = SameWordsLine::parse_all(text) else {
        return Ok(text.to_owned());
    };
    let more = problems.len().saturating_sub(NAMED);
    problems.truncate(NAMED);
    if more > 0 {
        problems.push(format!("And {more} more."));
    }
    Err(problems.join(" "))
}

/// Sets a page from Markdown whose first line may be its title; an empty text deletes it.
fn set_page(shop: &mut ShopSettings, slug: &str, value: &Value) -> Result<(), String> {
    let markdown = text(value, "A page")?;
    if markdown.is_empty() {
        shop.pages.retain(|page| page.slug != slug);
        return Ok(());
    }
    let titled = markdown
        .strip_prefix("# ")
        .map(|rest| rest.split_once('\n').unwrap_or((rest, "")));
    let known = shop.pages.iter_mut().find(|page| page.slug == slug);
    let (title, text) = match (titled, &known) {
        (Some((title, text)), _) => (title.trim(), text),
        (None, Some(page)) => (page.title.as_str(), markdown),
        (None, None) => {
            return Err("A new page begins with its title, like \"# About\".".to_owned());
        }
    };
    let page = checked(slug, title, text)?;
    match known {
        Some(known) => *known = page,
        None => shop.pages.push(page),
    }
    Ok(())
}

fn check_seller(source: &str) -> Result<(), String> {
    let characters = source.chars().count();
    if !(1..=SOURCE.most).contains(&characters) {
        let most = SOURCE.most;
        return Err(format!("A seller's name has 1 to {most} characters."));
    }
    Ok(())
}

/// Sets the tag in a seller's links; an empty one removes it.
fn set_tag(shop: &mut ShopSettings, source: &str, value: &Value) -> Result<(), String> {
    check_seller(source)?;
    let tag = parse_tag(text(value, "The tag")?)?;
    if tag.is_empty() {
        shop.tags.remove(source);
        return Ok(());
    }
    let source = without_controls(source);
    shop.link_rules().can_be_tagged(&source)?;
    shop.tags.insert(source.into_owned(), tag);
    if shop.tags.len() > ShopSettings::MAX_SOURCES {
        let most = ShopSettings::MAX_SOURCES;
        return Err(format!("At most {most} sellers can have a tag."));
    }
    Ok(())
}

/// Sets a seller's rules; null resets them.
fn set_source(shop: &mut ShopSettings, source: &str, value: &Value) -> Result<(), String> {
    check_seller(source)?;
    if value.is_null() {
        shop.sources.remove(source);
        return Ok(());
    }
    let source = without_controls(source).into_owned();
    let current = shop.sources.get(&source).cloned().unwrap_or_default();
    shop.sources.insert(source, current.changed(value)?);
    if shop.sources.len() > ShopSettings::MAX_SOURCES {
        let most = ShopSettings::MAX_SOURCES;
        return Err(format!("There can be rules of at most {most} sellers."));
    }
    Ok(())
}

fn checked(slug: &str, title: &str, text: &str) -> Result<ShopPage, String> {
    let (title, text) = (without_controls(title), without_controls(text));
    let (slug, title, text) = (slug.trim(), title.trim(), text.trim());
    let is_slug = (1..=40).contains(&slug.len())
        && slug
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    if !is_slug {
        return Err(
            "A page's address must be 1 to 40 small letters, digits or -, like about.".to_owned(),
        );
    }
    let characters = title.chars().count();
    if !(1..=CONSTANTS.max_page_title).contains(&characters) || title.chars().any(char::is_control)
    {
        return Err(format!(
            "The title of page {slug} must be 1 to {} characters.",
            CONSTANTS.max_page_title
        ));
    }
    if title.chars().all(is_invisible) {
        return Err(format!(
            "The title of page {slug} must have visible characters."
        ));
    }
    if !(1..=CONSTANTS.max_page_text).contains(&text.chars().count()) {
        return Err(format!(
            "The text of page {slug} must be 1 to 20,000 characters."
        ));
    }
    Ok(ShopPage {
        slug: slug.to_owned(),
        title: title.to_owned(),
        text: text.to_owned(),
    })
}
