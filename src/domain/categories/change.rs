//! Rules for categories that owners add and change.

use std::collections::BTreeSet;

use serde::Deserialize;
use utoipa::ToSchema;

use super::{Categories, ListedCategory};
use crate::domain::{CONSTANTS, FieldError, are_alike, plain_name, without_reordering};

/// Maximum number of categories.
const MOST: usize = 200;
/// Number of grounds.
const GROUNDS: u8 = 8;

/// A category to add, or the values of one to change; others stay.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(default)]
pub struct CategoryRequest {
    /// Without slashes, and not that of another category; its address follows from it
    #[schema(min_length = 1, max_length = 40)]
    pub name: Option<String>,
    /// Slug of the category above it, of the first level; empty for none
    pub parent: Option<String>,
    /// Number of categories before it, of those beside it; it stays last, or where it is, without it
    #[schema(maximum = 199)]
    pub position: Option<usize>,
    /// Whether it is missing where visitors choose a category
    pub hidden: Option<bool>,
    /// Name of the drawing in place of a missing picture
    pub drawing: Option<String>,
    /// Number of the ground of pictures
    #[schema(minimum = 1, maximum = 8)]
    pub ground: Option<u8>,
    /// Text above its list
    #[schema(max_length = 500)]
    pub text: Option<String>,
}

/// A valid category to store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CategoryEdit {
    /// The name.
    pub name: String,
    /// Slug of the category above it.
    pub parent: Option<String>,
    /// Part of its address.
    pub slug: String,
    /// Whether it is missing where visitors choose a category.
    pub is_hidden: bool,
    /// Name of the drawing.
    pub drawing: String,
    /// Number of the ground.
    pub ground: u8,
    /// Text above its list.
    pub text: String,
    /// New position among those beside it.
    pub position: Option<usize>,
}

impl CategoryRequest {
    /// Validates a category to add, or the changes of `current`.
    ///
    /// # Errors
    ///
    /// Returns one error per invalid value.
    pub fn read(
        self,
        categories: &Categories,
        current: Option<&ListedCategory>,
    ) -> Result<CategoryEdit, Vec<FieldError>> {
        let mut errors = Vec::new();
        let mut refuse = |field: &str, message: String| {
            errors.push(FieldError::new(field, message));
        };
        let others = || {
            let all = categories.all().iter();
            all.filter(move |it| current.is_none_or(|current| it.slug != current.slug))
        };
        if current.is_none() && categories.all().len() >= MOST {
            let message = "There are 200 categories already: merge some first.";
            refuse("name", message.to_owned());
        }
        let name = match (&self.name, current) {
            (Some(name), _) => plain_name(name),
            (None, Some(current)) => current.category.to_string(),
            (None, None) => String::new(),
        };
        if let Err(message) = check_name(&name) {
            refuse("name", message);
        } else if let Some(other) = others().find(|it| are_alike(it.category.as_str(), &name)) {
            refuse(
                "name",
                format!("There is a category {} already.", other.category),
            );
        }
        let parent = match self.parent {
            Some(parent) => Some(parent).filter(|parent| !parent.is_empty()),
            None => current.and_then(|current| current.parent.clone()),
        };
        if let Some(slug) = &parent
            && let Err(message) = check_parent(categories, current, slug)
        {
            refuse("parent", message);
        }
        let known = |value: Option<String>, current: Option<&String>, usual: &str| {
            value.unwrap_or_else(|| current.map_or_else(|| usual.to_owned(), Clone::clone))
        };
        let drawing = known(self.drawing, current.map(|it| &it.drawing), "package");
        if !CONSTANTS.drawings.contains(&drawing) {
            refuse("drawing", format!("There is no drawing {drawing:?}."));
        }
        let ground = self.ground.or(current.map(|it| it.ground)).unwrap_or(4);
        if !(1..=GROUNDS).contains(&ground) {
            refuse("ground", "ground must be a number from 1 to 8.".to_owned());
        }
        let text = known(self.text, current.map(|it| &it.text), "");
        let text = without_reordering(text.trim());
        if text.chars().count() > CONSTANTS.max_category_text {
            refuse("text", "text must be at most 500 characters.".to_owned());
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let slug = match current {
            Some(current) if current.category.as_str() == name => current.slug.clone(),
            _ => free_slug(&name, &others().map(|it| it.slug.as_str()).collect()),
        };
        Ok(CategoryEdit {
            slug,
            name,
            parent,
            is_hidden: self
                .hidden
                .or(current.map(|it| it.is_hidden))
                .unwrap_or(false),
            drawing,
            ground,
            text,
            position: self.position,
        })
    }
}

pub(super) fn check_name(name: &str) -> Result<(), String> {
    let length = name.chars().count();
    let message = if length == 0 || length > CONSTANTS.max_category {
        format!("name must have 1 to {} characters.", CONSTANTS.max_category)
    } else if name.contains(['/', '\\', '›', '>']) {
        "name must not contain / \\ › or >: choose the category above it instead.".to_owned()
    } else if are_alike(name, "all") {
        "“all” means every category: choose another name.".to_owned()
    } else if !name.chars().any(char::is_alphanumeric) {
        "name needs a letter or a digit.".to_owned()
    } else {
        return Ok(());
    };
    Err(message)
}

fn check_parent(
    categories: &Categories,
    current: Option<&ListedCategory>,
    slug: &str,
) -> Result<(), String> {
    let Some(parent) = categories.all().iter().find(|it| it.slug == slug) else {
        return Err(format!("There is no category {slug:?}."));
    };
    let own = current.map(|current| current.slug.as_str());
    if own == Some(slug) {
        return Err("A category can't be below itself.".to_owned());
    }
    if parent.parent.is_some() {
        let name = &parent.category;
        return Err(format!(
            "{name} is below another category: choose that one."
        ));
    }
    let mut all = categories.all().iter();
    if own.is_some() && all.any(|it| it.parent.as_deref() == own) {
        return Err("It has categories below it: move these first.".to_owned());
    }
    Ok(())
}

/// Makes a slug of the letters and digits of a name; `slugOf` of `frontend/src/shop/categories.ts` does too.
pub fn slug_of(name: &str) -> String {
    let lower = name.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join("-")
}

/// Makes a slug of a name that no other category has.
fn free_slug(name: &str, taken: &BTreeSet<&str>) -> String {
    let slug = slug_of(name);
    let mut slugs = (2..).map(|number| format!("{slug}-{number}"));
    if taken.contains(slug.as_str()) {
        slugs
            .find(|slug| !taken.contains(slug.as_str()))
            .unwrap_or(slug)
    } else {
        slug
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(name: &str) -> Result<CategoryEdit, String> {
        let request = CategoryRequest {
            name: Some(name.to_owned()),
            ..CategoryRequest::default()
        };
        let read = request.read(&Categories::default(), None);
        read.map_err(|errors| errors[0].message.clone())
    }

    #[test]
    fn a_category_has_an_address_of_its_name() {
        for (name, slug) in [
            ("Audio", "audio"),
            ("Home & Kitchen", "home-kitchen"),
            ("पुस्तकें 📚", "प\u{941}स\u{94d}तके\u{902}"),
            ("books!", "books-2"),
        ] {
            let found = add(name).map(|edit| edit.slug);
            if slug.is_ascii() {
                assert_eq!(found.as_deref(), Ok(slug));
            } else {
                assert!(found.is_ok(), "{found:?}");
            }
        }
    }

    #[test]
    fn names_that_are_none_are_refused_with_the_reason() {
        for (name, reason) in [
            ("", "1 to 40 characters"),
            (" \u{202e} ", "1 to 40 characters"),
            (&"🎧".repeat(200), "1 to 40 characters"),
            ("🎧", "letter or a digit"),
            ("Audio/Video", "must not contain"),
            ("All", "every category"),
            ("bOOKS", "There is a category Books already."),
            ("Boo\u{200b}ks", "There is a category Books already."),
            ("Ｂｏｏｋｓ", "There is a category Books already."),
            ("B\0ooks", "There is a category Books already."),
        ] {
            let error = add(name).unwrap_err();
            assert!(error.contains(reason), "{name}: {error}");
        }
    }

    #[test]
    fn a_category_is_not_below_itself_or_two_others() {
        let categories = Categories::default();
        let below = |parent: &str, current: &str| {
            let request = CategoryRequest {
                parent: Some(parent.to_owned()),
                ..CategoryRequest::default()
            };
            let current = categories.all().iter().find(|it| it.slug == current);
            let read = request.read(&categories, current);
            read.map_err(|errors| errors[0].message.clone())
        };
        assert!(below("books", "books").unwrap_err().contains("itself"));
        assert!(below("toys", "books").unwrap_err().contains("no category"));
        assert_eq!(
            below("home", "books").unwrap().parent.as_deref(),
            Some("home")
        );
        assert_eq!(below("", "books").unwrap().parent, None);
    }
}
