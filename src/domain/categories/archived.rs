//! Categories in an archive of a shop, and what they are in another one.

use serde::{Deserialize, Serialize};

use super::{Categories, CategoryKey, CategoryRequest, ListedCategory};
use crate::domain::Category;

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
}

impl From<&ListedCategory> for ArchivedCategory {
    fn from(listed: &ListedCategory) -> Self {
        Self {
            name: listed.category.as_str().to_owned(),
            parent: listed.category.parent().map(str::to_owned),
            hidden: Some(listed.is_hidden),
            drawing: Some(listed.drawing.clone()),
            ground: Some(listed.ground),
            text: Some(listed.text.clone()),
        }
    }
}

impl ArchivedCategory {
    /// Returns the key of the category until it is stored.
    pub fn new_key(&self) -> String {
        format!("{NEW}{}", self.name)
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
            if next.find(&it.name).is_some() {
                continue;
            }
            let known = next.find_any(&it.name).map(|it| it.slug.clone());
            let position = next
                .all
                .iter()
                .position(|it| Some(&it.slug) == known.as_ref());
            let position = match position {
                Some(position) => position,
                None => next.push(it)?,
            };
            // Rows have the name as it is in the archive.
            let names = (it.name.clone(), String::new(), position);
            next.former.push(names);
        }
        Ok(next)
    }

    fn push(&mut self, archived: &ArchivedCategory) -> Result<usize, String> {
        let edit = archived.request(self).read(self, None).map_err(|errors| {
            let reasons: Vec<String> = errors.into_iter().map(|it| it.message).collect();
            format!("its category {:?}: {}", archived.name, reasons.join(" "))
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
