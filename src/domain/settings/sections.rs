//! Sections of the home page, as the owner arranged them.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::texts::line;
use crate::domain::{
    CONSTANTS, Categories, CollectionFilter, FieldError, ListQuery, Order, SOURCE, SortBy,
    is_picture_address, is_web_address, without_controls,
};

/// Kind of a section.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SectionKind {
    /// Deals that are cheaper than before, or well rated.
    #[default]
    Picks,
    /// Tiles of the categories.
    Categories,
    /// The newest deals.
    Newest,
    /// The most clicked deals of the last seven days.
    Clicked,
    /// Deals that end within 24 hours.
    Ending,
    /// Deals of a category.
    Category,
    /// Deals of a seller.
    Seller,
    /// Deals of a collection, while it runs.
    Collection,
    /// A text in Markdown.
    Text,
    /// A picture with a link.
    Banner,
}

/// A section of the home page. Its kind decides which of the fields it has.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct Section {
    /// Decides which of the fields it has
    #[schema(required = true)]
    pub kind: SectionKind,
    /// Heading; omitted for that of the kind
    #[serde(skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Maximum number of deals, 3 to 12
    #[serde(skip_serializing_if = "is_zero")]
    pub deals: u32,
    /// Name of the category or of the seller, or the last part of the collection's address
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Markdown
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Address of the picture
    #[serde(skip_serializing_if = "String::is_empty")]
    pub picture: String,
    /// Text in place of the picture
    #[serde(skip_serializing_if = "String::is_empty")]
    pub alt: String,
    /// Path of this shop, or a web address
    #[serde(skip_serializing_if = "String::is_empty")]
    pub link: String,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl SectionKind {
    /// Fields besides the title, each required but a link.
    fn fields(self) -> &'static [&'static str] {
        match self {
            Self::Categories => &[],
            Self::Picks | Self::Newest | Self::Clicked | Self::Ending => &["deals"],
            Self::Category | Self::Seller | Self::Collection => &["name", "deals"],
            Self::Text => &["text"],
            Self::Banner => &["picture", "alt", "link"],
        }
    }
}

impl Section {
    /// The most sections.
    pub const MOST: usize = 12;
    const DEALS: RangeInclusive<u64> = 3..=12;
    const USUAL_DEALS: u32 = 6;

    /// Returns the list that the section leads to: but for [`SectionKind::Clicked`], it shows its first deals.
    /// `collection` finds a collection that runs.
    pub fn list(
        &self,
        categories: &Categories,
        collection: impl FnOnce(&str) -> Option<CollectionFilter>,
    ) -> Option<ListQuery> {
        let mut query = ListQuery {
            limit: self.deals,
            ..ListQuery::default()
        };
        let filters = &mut query.filters;
        match self.kind {
            SectionKind::Newest => {}
            SectionKind::Clicked => query.sort_by = SortBy::Clicks,
            SectionKind::Ending => {
                filters.ending_soon = true;
                (query.sort_by, query.order) = (SortBy::EndsAt, Order::Asc);
            }
            SectionKind::Category => filters.category = Some(categories.find(&self.name)?.clone()),
            SectionKind::Collection => filters.collection = Some(collection(&self.name)?.into()),
            SectionKind::Seller => filters.sources = vec![self.name.clone()],
            _ => return None,
        }
        Some(query)
    }

    /// Parses the sections.
    ///
    /// # Errors
    ///
    /// Returns one error per invalid field, like `frontPage[2].link`.
    pub(crate) fn parse_all(value: &Value) -> Result<Vec<Self>, Vec<FieldError>> {
        let refuse = |message| Err(vec![FieldError::new("frontPage", message)]);
        let sent: Vec<Value> = match value {
            Value::Null => Vec::new(),
            // From the command line.
            Value::String(text) if text.trim().is_empty() => Vec::new(),
            Value::String(text) => match serde_json::from_str(text) {
                Ok(sent) => sent,
                Err(error) => {
                    return refuse(format!("The sections are not a list in JSON: {error}."));
                }
            },
            Value::Array(sent) => sent.clone(),
            _ => return refuse("The sections must be a list.".to_owned()),
        };
        if sent.len() > Self::MOST {
            let most = Self::MOST;
            return refuse(format!("There can be at most {most} sections."));
        }
        let (mut sections, mut errors) = (Vec::<Self>::new(), Vec::new());
        for (at, sent) in sent.iter().enumerate() {
            match Self::parse(sent, &sections) {
                Ok(section) => sections.push(section),
                Err((field, message)) => errors.push(Self::error(at, field, &message)),
            }
        }
        if errors.is_empty() {
            Ok(sections)
        } else {
            Err(errors)
        }
    }

    /// Makes the error of a field of the section at a place, counted from 0.
    pub fn error(at: usize, field: &str, message: &str) -> FieldError {
        let number = at + 1;
        let name = format!("frontPage[{at}].{field}");
        FieldError::new(name, format!("Section no. {number}: {message}"))
    }

    fn parse<'a>(sent: &'a Value, others: &[Self]) -> Result<Self, (&'a str, String)> {
        let kind = SectionKind::deserialize(&sent["kind"]);
        let kind = kind.map_err(|error| ("kind", format!("{error}.")))?;
        let mut section = Self {
            kind,
            deals: if kind.fields().contains(&"deals") {
                Self::USUAL_DEALS
            } else {
                0
            },
            ..Self::default()
        };
        for (field, value) in sent.as_object().into_iter().flatten() {
            section.set(field, value).map_err(|why| (&**field, why))?;
        }
        let required = [
            ("name", &section.name, "Choose one."),
            ("text", &section.text, "Add a text."),
            ("picture", &section.picture, "Add a picture."),
            ("alt", &section.alt, "Describe the picture."),
        ];
        for (field, value, message) in required {
            if kind.fields().contains(&field) && value.is_empty() {
                return Err((field, message.to_owned()));
            }
        }
        let shows = |other: &Self| (other.kind, &other.name) == (kind, &section.name);
        match others.iter().position(shows) {
            Some(same) if kind.fields().contains(&"deals") => {
                let message = format!("Section no. {} has the same deals.", same + 1);
                Err(("kind", message))
            }
            _ => Ok(section),
        }
    }

    fn set(&mut self, field: &str, value: &Value) -> Result<(), String> {
        let is_of_kind = field == "title" || self.kind.fields().contains(&field);
        let is_unset = value.is_null() || *value == "" || *value == 0;
        match field {
            "kind" => {}
            _ if !is_of_kind && is_unset => {}
            _ if !is_of_kind => {
                let fields = self.kind.fields().join(", ");
                return Err(format!(
                    "This section has no such field. It has title, {fields}."
                ));
            }
            "deals" => {
                let deals = value.as_u64().filter(|deals| Self::DEALS.contains(deals));
                let deals = deals.ok_or("The number must be from 3 to 12.")?;
                self.deals = u32::try_from(deals).unwrap_or(Self::USUAL_DEALS);
            }
            "title" => self.title = line(value, "The title", CONSTANTS.max_page_title)?,
            "name" => self.name = line(value, "The name", SOURCE.most)?,
            "alt" => self.alt = line(value, "The text", CONSTANTS.max_tagline)?,
            "text" => self.text = markdown(value)?,
            "picture" => self.picture = address(value, is_picture_address, PICTURE)?,
            _ => self.link = address(value, is_link, LINK)?,
        }
        Ok(())
    }
}

const PICTURE: &str = "The picture must be one of the shop, or a web address (http or https).";
const LINK: &str = "The link must be like /pages/about or https://example.com.";

fn address(value: &Value, is_valid: fn(&str) -> bool, message: &str) -> Result<String, String> {
    let address = value.as_str().ok_or(message)?.trim();
    if address.is_empty() || is_valid(address) {
        Ok(address.to_owned())
    } else {
        Err(message.to_owned())
    }
}

/// True for a path of this shop or a web address.
fn is_link(text: &str) -> bool {
    let is_path = text.starts_with('/')
        && !text.starts_with("//")
        && text.chars().count() <= CONSTANTS.max_url
        && !text.contains(|c: char| c == '\\' || c.is_whitespace() || c.is_control());
    is_path || is_web_address(text)
}

fn markdown(value: &Value) -> Result<String, String> {
    let text = without_controls(value.as_str().ok_or("The text must be a text.")?);
    let most = CONSTANTS.max_section_text;
    if text.trim().chars().count() > most {
        return Err(format!("The text must be at most {most} characters."));
    }
    Ok(text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn error_of(section: &Value) -> String {
        let errors = Section::parse_all(&json!([{ "kind": "newest" }, section])).unwrap_err();
        errors[0].to_string()
    }

    #[test]
    fn a_refused_section_is_named_with_its_field() {
        let banner = |link: &str| json!({ "kind": "banner", "alt": "Sale", "picture": "https://a.example/b.png", "link": link });
        for (section, field, said) in [
            (
                json!({ "kind": "ninth" }),
                "kind",
                "unknown variant `ninth`",
            ),
            (json!({}), "kind", ""),
            (json!(7), "kind", ""),
            (
                json!({ "kind": "newest" }),
                "kind",
                "Section no. 1 has the same deals.",
            ),
            (
                json!({ "kind": "ending", "deals": 2 }),
                "deals",
                "from 3 to 12",
            ),
            (
                json!({ "kind": "ending", "deals": "6" }),
                "deals",
                "from 3 to 12",
            ),
            (
                json!({ "kind": "ending", "link": "/" }),
                "link",
                "It has title, deals.",
            ),
            (json!({ "kind": "seller" }), "name", "Choose one."),
            (json!({ "kind": "collection" }), "name", "Choose one."),
            (
                json!({ "kind": "text", "text": "x".repeat(2_001) }),
                "text",
                "2000 characters",
            ),
            (
                json!({ "kind": "text", "text": " " }),
                "text",
                "Add a text.",
            ),
            (banner("javascript:alert(1)"), "link", "like /pages/about"),
            (banner("//evil.example"), "link", "like /pages/about"),
            (banner("/\\evil.example"), "link", "like /pages/about"),
            (banner("data:text/html,x"), "link", "like /pages/about"),
        ] {
            let error = error_of(&section);
            let beginning = format!("frontPage[1].{field}: Section no. 2: ");
            assert!(
                error.starts_with(&beginning) && error.contains(said),
                "{error}"
            );
        }
    }

    #[test]
    fn sections_of_a_list_say_which() {
        let sections = json!([
            { "kind": "ending", "deals": 3 },
            { "kind": "category", "name": "Books", "title": " Read " },
            { "kind": "category", "name": "Gone" },
            { "kind": "text", "text": "x" },
        ]);
        let sections = Section::parse_all(&json!(sections.to_string())).unwrap();
        let lists = sections
            .iter()
            .map(|it| it.list(&Categories::default(), |_| None));
        let lists: Vec<_> = lists.collect();
        let ending = lists[0].as_ref().unwrap();
        assert!(ending.filters.ending_soon && ending.limit == 3);
        let books = lists[1].as_ref().unwrap();
        assert_eq!(books.filters.category.as_ref().unwrap().as_str(), "Books");
        assert_eq!((sections[1].title.as_str(), books.limit), ("Read", 6));
        assert_eq!(&lists[2..], [None, None]);
    }
}
