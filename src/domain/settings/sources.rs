//! Display rules per seller, as affiliate programmes require.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::domain::{CONSTANTS, Shown, without_controls};

/// Predefined rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[derive(ToSchema)]
pub enum Preset {
    /// Everything is shown.
    Open,
    /// Amazon India, terms of 26 March 2026: timed prices of at most a day, no ratings, copied
    /// pictures, histories, alerts or link checks.
    AmazonIndia,
    /// Custom rules.
    Own,
}

/// Affiliate programme with known terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Programme {
    /// Amazon India.
    AmazonIndia,
}

/// Display rules of a seller.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(ToSchema)]
pub struct SourceRules {
    /// The matching preset, or `Own`.
    #[schema(required = true)]
    pub preset: Preset,
    /// True if prices are shown.
    #[schema(required = true)]
    pub show_price: bool,
    /// Maximum age of a shown price in hours, 1 to [`SourceRules::OLDEST`]; none for any age.
    #[schema(required = true)]
    pub price_max_age: Option<u32>,
    /// True if ratings are shown.
    #[schema(required = true)]
    pub show_ratings: bool,
    /// True if structured data for search engines has the ratings: they ask for a site's own.
    #[schema(required = true)]
    pub ratings_in_search: bool,
    /// True if pictures may be copied.
    #[schema(required = true)]
    pub copy_images: bool,
    /// True if the server copies the pictures of new deals, where they may be copied.
    #[schema(required = true)]
    pub keep_images: bool,
    /// True if former prices may be stored and shown.
    #[schema(required = true)]
    pub history: bool,
    /// True if price alerts may be sent.
    #[schema(required = true)]
    pub alerts: bool,
    /// True if links may be checked.
    #[schema(required = true)]
    pub check_links: bool,
    /// Required disclosure; may be empty.
    #[schema(required = true)]
    pub disclosure: String,
    /// Text of the seller's page, Markdown; no rule, and the same with every preset.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
}

impl Default for SourceRules {
    fn default() -> Self {
        Self::for_preset(Preset::Open)
    }
}

impl SourceRules {
    /// Largest `price_max_age`, in hours: 90 days.
    pub const OLDEST: u32 = 90 * 24;
    /// Wire names of the boolean rules.
    pub const SWITCHES: [&str; 8] = [
        "showPrice",
        "showRatings",
        "ratingsInSearch",
        "copyImages",
        "keepImages",
        "history",
        "alerts",
        "checkLinks",
    ];

    /// Returns the rules of a preset; for `Own`, the initial ones.
    pub fn for_preset(preset: Preset) -> Self {
        let open = Self {
            preset,
            show_price: true,
            price_max_age: None,
            show_ratings: true,
            ratings_in_search: false,
            copy_images: true,
            keep_images: false,
            history: true,
            alerts: true,
            check_links: true,
            disclosure: String::new(),
            text: String::new(),
        };
        match preset {
            Preset::Open | Preset::Own => open,
            Preset::AmazonIndia => Self {
                price_max_age: Some(24),
                show_ratings: false,
                copy_images: false,
                history: false,
                alerts: false,
                check_links: false,
                disclosure: "As an Amazon Associate I earn from qualifying purchases.".to_owned(),
                ..open
            },
        }
    }

    /// Returns the rules of a preset with this text.
    fn as_preset(&self, preset: Preset) -> Self {
        Self {
            text: self.text.clone(),
            ..Self::for_preset(preset)
        }
    }

    /// True if pictures of this seller may be copied. A programme forbids it until its seller has rules.
    pub fn may_copy(chosen: Option<&Self>, source: &str) -> bool {
        match (chosen, Programme::for_seller(source)) {
            (Some(rules), _) => rules.copy_images,
            (None, Some(programme)) => Self::for_preset(programme.preset()).copy_images,
            (None, None) => Self::default().copy_images,
        }
    }

    /// Returns the restrictions for a product whose price was checked at `at`; `None` without any.
    pub fn restrictions(&self, at: Timestamp, now: Timestamp) -> Option<Box<Shown>> {
        // A price from the future has no known age.
        let is_old = self.price_max_age.is_some_and(|hours| {
            at > now || now.duration_since(at) > SignedDuration::from_hours(hours.into())
        });
        let hides_price = !self.show_price || is_old;
        let shown = Shown {
            hides_price,
            as_of: self.price_max_age.filter(|_| !hides_price).map(|_| at),
            hides_ratings: !self.show_ratings,
            ratings_in_search: self.show_ratings && self.ratings_in_search,
            forbids_alerts: !self.alerts || !self.history,
            disclosure: self.disclosure.clone(),
            ..Shown::default()
        };
        (shown != Shown::default()).then(|| Box::new(shown))
    }

    /// Applies a change: the name of a preset, or an object of some rules.
    ///
    /// # Errors
    ///
    /// Returns a message that names the allowed values.
    pub fn changed(&self, value: &Value) -> Result<Self, String> {
        match value {
            Value::Null => Ok(Self::default()),
            Value::String(text) => match text.trim() {
                text if text.starts_with('{') => {
                    let value: Value = serde_json::from_str(text)
                        .map_err(|error| format!("The rules are not valid JSON: {error}."))?;
                    self.changed(&value)
                }
                "own" => Ok(self.clone()),
                name => preset(name).map(|preset| self.as_preset(preset)),
            },
            Value::Object(fields) => self.with(fields),
            _ => Err("The rules must be a preset, or an object of rules.".to_owned()),
        }
    }

    fn with(&self, fields: &Map<String, Value>) -> Result<Self, String> {
        let mut next = match fields
            .get("preset")
            .map(|name| name.as_str().unwrap_or_default())
        {
            None => self.clone(),
            Some("own") => Self {
                preset: Preset::Own,
                ..self.clone()
            },
            Some(name) => self.as_preset(preset(name)?),
        };
        for (name, value) in fields {
            next.set(name, value)?;
        }
        if next != next.as_preset(next.preset) {
            next.preset = Preset::Own;
        }
        Ok(next)
    }

    fn set(&mut self, name: &str, value: &Value) -> Result<(), String> {
        let switch = match name {
            "preset" => return Ok(()),
            "priceMaxAge" => {
                self.price_max_age = hours(value)?;
                return Ok(());
            }
            "disclosure" => {
                self.disclosure =
                    super::texts::line(value, "The disclosure", CONSTANTS.max_disclosure)?;
                return Ok(());
            }
            "text" => {
                self.text = text(value)?;
                return Ok(());
            }
            "showPrice" => &mut self.show_price,
            "showRatings" => &mut self.show_ratings,
            "ratingsInSearch" => &mut self.ratings_in_search,
            "copyImages" => &mut self.copy_images,
            "keepImages" => &mut self.keep_images,
            "history" => &mut self.history,
            "alerts" => &mut self.alerts,
            "checkLinks" => &mut self.check_links,
            _ => {
                return Err(format!(
                    "There is no rule {name}. The rules are preset, {}, priceMaxAge, disclosure and text.",
                    Self::SWITCHES.join(", ")
                ));
            }
        };
        *switch = match value {
            Value::Bool(on) => *on,
            Value::String(text) if text == "on" || text == "true" => true,
            Value::String(text) if text == "off" || text == "false" => false,
            _ => return Err(format!("{name} must be on or off.")),
        };
        Ok(())
    }
}

fn preset(name: &str) -> Result<Preset, String> {
    match name {
        "open" => Ok(Preset::Open),
        "amazon-india" => Ok(Preset::AmazonIndia),
        _ => Err(format!(
            "There is no preset {name:?}. The presets are open, amazon-india and own."
        )),
    }
}

/// Reads the text of a seller's page.
fn text(value: &Value) -> Result<String, String> {
    let sent = match value {
        Value::Null => "",
        Value::String(text) => text,
        _ => return Err("The seller's text must be a text.".to_owned()),
    };
    let text = without_controls(sent).trim().to_owned();
    let most = CONSTANTS.max_category_text;
    if text.chars().count() > most {
        return Err(format!(
            "The seller's text must be at most {most} characters."
        ));
    }
    Ok(text)
}

fn hours(value: &Value) -> Result<Option<u32>, String> {
    let hours = match value {
        Value::Null => return Ok(None),
        Value::String(text) if text.trim().is_empty() || text == "any" => return Ok(None),
        Value::String(text) => text.trim().parse().ok(),
        value => value.as_u64().and_then(|hours| u32::try_from(hours).ok()),
    };
    match hours {
        Some(hours @ 1..=SourceRules::OLDEST) => Ok(Some(hours)),
        _ => Err(format!(
            "priceMaxAge must be whole hours from 1 to {}, or any.",
            SourceRules::OLDEST
        )),
    }
}

/// Old prices, among what a programme forbids.
const OLD_PRICES: &str = "prices of any age";

impl Programme {
    /// Returns the programme of a seller, by the first word of its name.
    pub fn for_seller(source: &str) -> Option<Self> {
        let name = source.to_lowercase();
        let first = name.split(|c: char| !c.is_alphanumeric()).next();
        (first == Some("amazon")).then_some(Self::AmazonIndia)
    }

    /// Returns the preset of the programme.
    pub fn preset(self) -> Preset {
        match self {
            Self::AmazonIndia => Preset::AmazonIndia,
        }
    }

    /// Names what these rules show although the programme forbids it.
    pub fn forbidden(self, rules: &SourceRules) -> Vec<&'static str> {
        let allowed = SourceRules::for_preset(self.preset());
        let is_older = |most: u32| rules.price_max_age.is_none_or(|hours| hours > most);
        let shows_old = rules.show_price && allowed.price_max_age.is_some_and(is_older);
        [
            (shows_old, OLD_PRICES),
            (rules.show_ratings && !allowed.show_ratings, "stars"),
        ]
        .into_iter()
        .filter_map(|(is, what)| is.then_some(what))
        .collect()
    }

    /// Returns a sentence of what the programme allows instead; `None` if the rules comply.
    pub fn limits(self, rules: &SourceRules) -> Option<String> {
        let Self::AmazonIndia = self;
        let hours = SourceRules::for_preset(self.preset())
            .price_max_age
            .unwrap_or_default();
        let limits: Vec<String> = self
            .forbidden(rules)
            .into_iter()
            .map(|what| match what {
                OLD_PRICES => format!("prices up to {hours} hours old"),
                other => format!("no {other}"),
            })
            .collect();
        (!limits.is_empty()).then(|| format!("Amazon allows {}.", limits.join(" and ")))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_price_is_shown_up_to_the_maximum_age_of_its_seller() {
        let at: Timestamp = "2026-11-22T08:35:00Z".parse().unwrap();
        let after =
            |hours: i64, seconds: i64| at + SignedDuration::from_secs(hours * 3_600 + seconds);
        let open = SourceRules::default();
        assert_eq!(open.restrictions(at, after(9_999, 0)), None);
        let amazon = SourceRules::for_preset(Preset::AmazonIndia);
        let shown = amazon.restrictions(at, after(24, 0)).unwrap();
        assert_eq!((shown.hides_price, shown.as_of), (false, Some(at)));
        assert!(shown.hides_ratings && shown.disclosure.starts_with("As an Amazon Associate"));
        let shown = amazon.restrictions(at, after(24, 1)).unwrap();
        assert_eq!((shown.hides_price, shown.as_of), (true, None));
        assert!(amazon.restrictions(Timestamp::MAX, at).unwrap().hides_price);
        assert!(
            amazon
                .restrictions(Timestamp::MIN, Timestamp::MAX)
                .unwrap()
                .hides_price
        );
        let never = SourceRules {
            show_price: false,
            ..open
        };
        assert!(never.restrictions(at, at).unwrap().hides_price);
    }

    #[test]
    fn seller_rules_are_changed_one_by_one() {
        let open = SourceRules::default();
        let amazon = open.changed(&json!("amazon-india")).unwrap();
        assert_eq!(amazon, SourceRules::for_preset(Preset::AmazonIndia));
        let own = amazon.changed(&json!({"showRatings": true})).unwrap();
        assert_eq!((own.preset, own.price_max_age), (Preset::Own, Some(24)));
        assert_eq!(own.changed(&json!({"preset": "open"})).unwrap(), open);
        let by_hand = open.changed(&json!(r#"{"priceMaxAge": "12"}"#)).unwrap();
        assert_eq!(by_hand.price_max_age, Some(12));
        for (wrong, words) in [
            (json!("flipkart"), "There is no preset \"flipkart\"."),
            (json!({"preset": null}), "There is no preset \"\""),
            (json!(""), "There is no preset \"\""),
            (json!({"stars": true}), "There is no rule stars"),
            (json!({"showPrice": 1}), "showPrice must be on or off"),
            (json!({"priceMaxAge": 0}), "whole hours from 1 to 2160"),
            (json!({"disclosure": "a\nb"}), "must be one line"),
            (json!(3), "must be a preset"),
        ] {
            let said = open.changed(&wrong).unwrap_err();
            assert!(said.contains(words), "{said}");
        }
    }

    #[test]
    fn an_affiliate_programme_is_found_by_the_first_word_of_a_seller() {
        for (name, is_amazon) in [
            ("Amazon", true),
            ("amazon.in", true),
            ("AMAZON India", true),
            ("Amazonia", false),
            ("Flipkart", false),
        ] {
            assert_eq!(Programme::for_seller(name).is_some(), is_amazon, "{name}");
        }
        let forbidden = Programme::AmazonIndia.forbidden(&SourceRules::default());
        assert_eq!(forbidden, ["prices of any age", "stars"]);
        let limits = |rules: &SourceRules| Programme::AmazonIndia.limits(rules);
        assert_eq!(
            limits(&SourceRules::default()).as_deref(),
            Some("Amazon allows prices up to 24 hours old and no stars.")
        );
        let kept = SourceRules::for_preset(Preset::AmazonIndia);
        assert!(Programme::AmazonIndia.forbidden(&kept).is_empty());
        assert_eq!(limits(&kept), None);
    }
}
