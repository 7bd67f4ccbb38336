//! Rules for collections that owners add and change.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Collection;
use crate::domain::{
    CONSTANTS, FieldError, are_alike, is_picture_address, plain_name, slug_of, without_reordering,
    zone_message,
};

/// A collection to add, or the values of one to change; others stay.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, rename_all = "camelCase")]
pub struct CollectionRequest {
    /// Not that of another collection, in any case
    #[schema(min_length = 1, max_length = 60)]
    pub name: Option<String>,
    /// Part of its address, of small letters, digits and hyphens; made of the name without it
    #[schema(max_length = 80)]
    pub slug: Option<String>,
    /// Markdown
    #[schema(max_length = 2_000)]
    pub text: Option<String>,
    /// Address of its picture; empty for none
    pub picture: Option<String>,
    /// Query of a list, like tag=diwali&maxPrice=499; takes the place of chosen products
    #[schema(max_length = 1_000)]
    pub rule: Option<String>,
    /// Ids of chosen products in their order; take the place of a rule
    #[schema(max_items = 200)]
    pub products: Option<Vec<String>>,
    /// Start (RFC 3339); empty for at once
    pub starts_at: Option<String>,
    /// End (RFC 3339), after the start; empty for never
    pub ends_at: Option<String>,
    /// Whether the home page shows it
    pub on_home: Option<bool>,
    /// Whether the menu leads to it
    pub in_menu: Option<bool>,
    /// Version that the change is based on; any without it
    pub version: Option<i64>,
}

impl CollectionRequest {
    /// Validates a collection to add, or the changes of `current`. The rule is checked before.
    ///
    /// # Errors
    ///
    /// Returns one error per invalid value.
    pub fn read(
        self,
        all: &[Collection],
        current: Option<&Collection>,
        now: Timestamp,
    ) -> Result<Collection, Vec<FieldError>> {
        let mut errors = Vec::new();
        let mut refuse = |field: &str, message: &str| {
            errors.push(FieldError::new(field, message));
        };
        let own = current.map(|it| it.slug.as_str());
        let others = || all.iter().filter(|it| Some(it.slug.as_str()) != own);
        let known = |given: Option<String>, of: fn(&Collection) -> &String| {
            given.unwrap_or_else(|| current.map(of).cloned().unwrap_or_default())
        };
        if current.is_none() && all.len() >= Collection::MOST {
            refuse(
                "name",
                "There are 100 collections already: delete one first.",
            );
        }
        let name = known(self.name, |it| &it.name);
        let name = read_name(&name, others(), &mut refuse);
        let slug = address(self.slug, &name, own, others(), &mut refuse);
        let text = without_reordering(known(self.text, |it| &it.text).trim());
        if text.chars().count() > CONSTANTS.max_collection_text {
            refuse("text", "text must be at most 2,000 characters.");
        }
        let picture = known(self.picture, |it| &it.picture).trim().to_owned();
        if !picture.is_empty() && !is_picture_address(&picture) {
            refuse("picture", "Please enter a valid image URL.");
        }
        let (rule, products) = chosen_deals(self.rule, self.products, current, &mut refuse);
        let mut time = |field, what, given: Option<String>, current| match given.as_deref() {
            None => current,
            Some("") => None,
            Some(text) => {
                let time = text.trim().parse::<Timestamp>().ok();
                if time.is_none() {
                    refuse(field, &zone_message(what));
                }
                time
            }
        };
        let starts_at = current.and_then(|it| it.starts_at);
        let starts_at = time("startsAt", "start", self.starts_at, starts_at);
        let ends_at = current.and_then(|it| it.ends_at);
        let ends_at = time("endsAt", "end", self.ends_at, ends_at);
        if ends_at.is_some() && ends_at <= starts_at {
            refuse("endsAt", "The end must be after the start.");
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let mut collection = Collection {
            slug,
            name,
            text,
            picture,
            rule,
            products,
            starts_at,
            ends_at,
            on_home: self.on_home.unwrap_or(current.is_some_and(|it| it.on_home)),
            in_menu: self.in_menu.unwrap_or(current.is_some_and(|it| it.in_menu)),
            is_running: false,
            version: current
                .map_or(0, |it| it.version + 1)
                .max(now.as_millisecond()),
        };
        collection.is_running = collection.runs(now);
        Ok(collection)
    }
}

/// Returns a name without control characters and outer space.
fn read_name<'a>(
    given: &str,
    mut others: impl Iterator<Item = &'a Collection>,
    refuse: &mut impl FnMut(&str, &str),
) -> String {
    let name = plain_name(given);
    let same = others.find(|it| are_alike(&it.name, &name));
    if !(1..=CONSTANTS.max_collection).contains(&name.chars().count()) {
        refuse("name", "name must have 1 to 60 characters.");
    } else if slug_of(&name).is_empty() {
        refuse("name", "name needs a letter or a digit.");
    } else if let Some(other) = same {
        let message = format!("There is a collection {} already.", other.name);
        refuse("name", &message);
    }
    name
}

/// Returns the part of the address: the sent one, that of `own`, or one made of the name.
fn address<'a>(
    sent: Option<String>,
    name: &str,
    own: Option<&str>,
    mut others: impl Iterator<Item = &'a Collection>,
    refuse: &mut impl FnMut(&str, &str),
) -> String {
    let given = sent.filter(|slug| !slug.is_empty());
    let slug = match (&given, own) {
        (Some(given), _) => given.clone(),
        (None, Some(own)) => own.to_owned(),
        (None, None) => slug_of(name),
    };
    if slug.chars().count() > MAX_SLUG || slug_of(&slug) != slug {
        let message = "slug must be at most 80 small letters and digits, with hyphens between.";
        refuse("slug", message);
    } else if let Some(other) = others.find(|it| it.slug == slug) {
        let message = format!(
            "The collection {} has the address {slug} already.",
            other.name
        );
        refuse("slug", &message);
    }
    slug
}

/// Returns the rule or the chosen products: the sent ones, or else those of `current`.
fn chosen_deals(
    rule: Option<String>,
    products: Option<Vec<String>>,
    current: Option<&Collection>,
    refuse: &mut impl FnMut(&str, &str),
) -> (Option<String>, Vec<String>) {
    let (rule, products) = match (rule.filter(|it| !it.is_empty()), products) {
        (Some(_), Some(products)) if !products.is_empty() => {
            refuse("products", "Give a rule or products, not both.");
            (None, products)
        }
        (Some(rule), _) => (Some(rule), Vec::new()),
        (None, Some(products)) => (None, products),
        (None, None) => {
            let current = current.map(|it| (it.rule.clone(), it.products.clone()));
            current.unwrap_or_default()
        }
    };
    if rule.is_none() && products.is_empty() {
        refuse("rule", "Give a rule, like tag=diwali, or choose products.");
    }
    let is_twice = |at: usize| products[..at].contains(&products[at]);
    if products.len() > Collection::MAX_PRODUCTS {
        refuse("products", "At most 200 products can be chosen.");
    } else if let Some(at) = (0..products.len()).find(|at| is_twice(*at)) {
        let message = format!("The product {} is chosen twice.", products[at]);
        refuse("products", &message);
    }
    (rule, products)
}

/// Maximum number of characters of an address's part.
const MAX_SLUG: usize = 80;
