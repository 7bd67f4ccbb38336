//! Categories in an archive of a shop, and what they are in another one.

use serde::{Deserialize, Serialize};

use super::change::{check_name, slug_of};
use super::{Categories, CategoryKey, CategoryRequest, ListedCategory};
use crate::domain::{Category, plain_name};

/// Begins the keys of categories that are not stored yet.
const NEW: char = '+';

/// A category in an archive, after those above it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ArchivedCategory {
    /// Its name.
    pub name: String,
    /// Name of the category above it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parent: Option<String>,
    #[serde(default)]
    hidden: Option<bool>,
    #[serde(default)]
    drawing: Option<String>,
    #[serde(default)]
    ground: Option<u8>,
    #[serde(default)]
    text: Option<String>,
    /// Names that it had, the newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    former: Vec<String>,
    /// True if a row names it, and nothing more is known about it.
    #[serde(skip)]
    is_named_only: bool,
}

impl ArchivedCategory {
    /// Makes those of all categories of a shop.
    pub fn all_of(categories: &Categories) -> Vec<Self> {
        let former = |of| {
            let former = categories.former.iter();
            let former = former.filter(move |(.., position)| *position == of);
            former.map(|(name, ..)| name.clone()).collect()
        };
        let all = categories.all.iter().enumerate();
        let archived = all.map(|(position, listed)| Self {
            name: listed.category.as_str().to_owned(),
            parent: listed.category.parent().map(str::to_owned),
            hidden: Some(listed.is_hidden),
            drawing: Some(listed.drawing.clone()),
            ground: Some(listed.ground),
            text: Some(listed.text.clone()),
            former: former(position),
            is_named_only: false,
        });
        archived.collect()
    }

    /// Makes a category of the first level of its name alone.
    pub fn named(name: &str) -> Self {
        Self {
            name: plain_name(name),
            parent: None,
            hidden: None,
            drawing: None,
            ground: None,
            text: None,
            former: Vec::new(),
            is_named_only: true,
        }
    }

    /// Returns true if it takes the place that it has in its archive.
    pub fn has_place(&self) -> bool {
        !self.is_named_only
    }

    /// Returns the key of the category until it is stored.
    pub fn new_key(&self) -> String {
        format!("{NEW}{}", self.name)
    }

    /// Returns the names that it had and their slugs, the oldest first, without those that are none.
    pub fn former(&self) -> impl Iterator<Item = (&str, String)> {
        let names = self.former.iter().rev().map(String::as_str);
        names.filter_map(|name| Some((name, slug_of(name))).filter(|_| check_name(name).is_ok()))
    }

    /// Returns true if both have the same category above them.
    pub fn is_beside(&self, other: &Self) -> bool {
        self.parent == other.parent
    }

    /// Returns what makes the category in a shop with these.
    pub fn request(&self, categories: &Categories) -> CategoryRequest {
        let above = self.parent.as_deref();
        let above = above.and_then(|name| categories.find_any(name));
        // There are two levels only.
        let slug = above.map(|above| above.parent.as_ref().unwrap_or(&above.slug));
        CategoryRequest {
            name: Some(self.name.clone()),
            parent: Some(slug.cloned().unwrap_or_default()),
            position: None,
            hidden: self.hidden,
            drawing: self.drawing.clone(),
            ground: self.ground,
            text: self.text.clone(),
        }
    }
}

impl Category {
    /// Returns true if it is not stored yet.
    pub fn is_new(&self) -> bool {
        self.key().starts_with(NEW)
    }
}

impl Categories {
    /// Finds a category by its name in any case, or by one that it had.
    pub fn find_any(&self, name: &str) -> Option<&ListedCategory> {
        let lower = name.to_lowercase();
        let mut all = self.all.iter();
        all.find(|it| it.category.as_str().to_lowercase() == lower)
            .or_else(|| self.listed(self.find(name)?))
    }

    /// Adds the categories of an archive that are missing, with keys that are not stored.
    ///
    /// # Errors
    ///
    /// Returns a message about the first invalid one.
    pub fn with_archived(&self, archived: &[ArchivedCategory]) -> Result<Self, String> {
        let mut next = self.clone();
        for it in archived {
            let added = next.add_archived(it);
            added.map_err(|reason| format!("its category {:?}: {reason}", it.name))?;
        }
        Ok(next)
    }

    /// Adds a category if it is missing, with a key that is not stored.
    ///
    /// # Errors
    ///
    /// Returns the reasons why it is invalid.
    pub fn add_archived(&mut self, archived: &ArchivedCategory) -> Result<(), String> {
        if self.find(&archived.name).is_some() {
            return Ok(());
        }
        let known = self.find_any(&archived.name).map(|it| it.slug.clone());
        let mut all = self.all.iter();
        let position = match all.position(|it| Some(&it.slug) == known.as_ref()) {
            Some(position) => position,
            None => self.push(archived)?,
        };
        // Rows have the name as it is in the archive.
        let names = (archived.name.clone(), String::new(), position);
        self.former.push(names);
        Ok(())
    }

    fn push(&mut self, archived: &ArchivedCategory) -> Result<usize, String> {
        let edit = archived.request(self).read(self, None).map_err(|errors| {
            let reasons: Vec<String> = errors.into_iter().map(|it| it.message).collect();
            reasons.join(" ")
        })?;
        let key = archived.new_key();
        let above = edit.parent.as_deref().and_then(|slug| self.find_slug(slug));
        let above = above.map(|above| above.category.to_string());
        let position = self.all.len();
        self.keys.push(CategoryKey {
            key: key.clone(),
            number: u16::MAX,
            position,
        });
        self.all.push(ListedCategory {
            category: Category::new(&key, &edit.name, above.as_deref()),
            slug: edit.slug,
            parent: edit.parent,
            is_hidden: edit.is_hidden,
            drawing: edit.drawing,
            ground: edit.ground,
            text: edit.text,
        });
        Ok(position)
    }
}
