//! The shop's categories: owners name them, and products refer to them by a key that never changes.

mod archived;
mod change;

use std::fmt;
use std::sync::Arc;

use serde::Serialize;

pub use self::archived::ArchivedCategory;
pub use self::change::{CategoryEdit, CategoryRequest, slug_of};

/// Category of a product (spec section 5).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Category {
    key: Arc<str>,
    name: Arc<str>,
    parent: Option<Arc<str>>,
}

impl Category {
    /// Makes a category of its key, its name and the name of the one above it.
    pub fn new(key: &str, name: &str, parent: Option<&str>) -> Self {
        Self {
            key: key.into(),
            name: name.into(),
            parent: parent.map(Arc::from),
        }
    }

    /// Reads the key and the names from the top, with slashes between them.
    pub(crate) fn from_label(label: &str) -> Option<Self> {
        let (key, names) = label.split_once('/')?;
        Some(match names.split_once('/') {
            Some((parent, name)) => Self::new(key, name, Some(parent)),
            None => Self::new(key, names, None),
        })
    }

    /// Returns the key that products store, which never changes.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The name on the wire.
    pub fn as_str(&self) -> &str {
        &self.name
    }

    /// The name of the category above it.
    pub fn parent(&self) -> Option<&str> {
        self.parent.as_deref()
    }

    /// The names from the top of a category below another; empty in the first level.
    pub fn long_path(&self) -> Vec<&str> {
        let parent = self.parent().into_iter();
        parent.flat_map(|parent| [parent, self.as_str()]).collect()
    }

    /// The names from the top, like `Electronics` and `Audio`.
    pub fn path(&self) -> impl Iterator<Item = &str> {
        self.parent().into_iter().chain([self.as_str()])
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Category {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// A category as the owner describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedCategory {
    /// Key and names.
    pub category: Category,
    /// Part of its address.
    pub slug: String,
    /// Slug of the category above it.
    pub parent: Option<String>,
    /// Whether it is missing where visitors choose a category; its products stay in lists.
    pub is_hidden: bool,
    /// Name of the drawing in place of a missing picture.
    pub drawing: String,
    /// Number of the ground of pictures, from 1.
    pub ground: u8,
    /// Text above its list.
    pub text: String,
}

impl ListedCategory {
    /// Describes it for the activity log, like `Electronics › Audio, hidden, icon headphones, background 2`.
    pub fn describe(&self) -> String {
        let path: Vec<&str> = self.category.path().collect();
        let hidden = if self.is_hidden { ", hidden" } else { "" };
        let look = format!("icon {}, background {}", self.drawing, self.ground);
        let text = match self.text.as_str() {
            "" => String::new(),
            text => format!(": {text}"),
        };
        format!("{}{hidden}, {look}{text}", path.join(" › "))
    }
}

/// A key that products may have, and the category that it means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CategoryKey {
    /// The key.
    pub key: String,
    /// Number of the key in the sort index.
    pub number: u16,
    /// Position in [`Categories::all`]. Several keys have the same after categories were merged.
    pub position: usize,
}

/// The categories at one time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Categories {
    all: Vec<ListedCategory>,
    keys: Vec<CategoryKey>,
    /// Earlier names and slugs, each with the position of the category that had them.
    former: Vec<(String, String, usize)>,
}

impl Default for Categories {
    /// The four of the specification.
    fn default() -> Self {
        let looks = [
            ("Electronics", "plug", 1),
            ("Clothing", "shirt", 2),
            ("Books", "book-open", 3),
            ("Home", "house", 4),
        ];
        let all = looks.map(|(name, drawing, ground)| ListedCategory {
            category: Category::new(name, name, None),
            slug: name.to_lowercase(),
            parent: None,
            is_hidden: false,
            drawing: drawing.to_owned(),
            ground,
            text: String::new(),
        });
        let keys = (0..).zip(&all).map(|(position, listed)| CategoryKey {
            key: listed.category.key().to_owned(),
            number: position as u16 + 1,
            position,
        });
        Self {
            keys: keys.collect(),
            all: all.into(),
            former: Vec::new(),
        }
    }
}

impl Categories {
    /// Makes the categories of their list in the order of display, each above those below it.
    pub(crate) fn new(
        all: Vec<ListedCategory>,
        keys: Vec<CategoryKey>,
        former: Vec<(String, String, usize)>,
    ) -> Self {
        Self { all, keys, former }
    }

    /// Every category, in the order of display, each above those below it.
    pub fn all(&self) -> &[ListedCategory] {
        &self.all
    }

    /// Categories that visitors may choose.
    pub fn shown(&self) -> impl Iterator<Item = &ListedCategory> {
        self.all.iter().filter(|listed| !listed.is_hidden)
    }

    /// Categories of the first level.
    pub fn top(&self) -> impl Iterator<Item = &ListedCategory> {
        self.all.iter().filter(|listed| listed.parent.is_none())
    }

    /// Every key that products may have.
    pub fn keys(&self) -> &[CategoryKey] {
        &self.keys
    }

    /// Finds a category by its exact name, or by one that it had.
    pub fn find(&self, name: &str) -> Option<&Category> {
        let now = self.all.iter().find(|it| it.category.as_str() == name);
        let listed = now.or_else(|| {
            let former = self.former.iter().find(|(former, ..)| former == name);
            former.and_then(|(.., position)| self.all.get(*position))
        });
        listed.map(|listed| &listed.category)
    }

    /// Finds a category by its slug, or by one that it had.
    pub fn find_slug(&self, slug: &str) -> Option<&ListedCategory> {
        let now = self.all.iter().find(|it| it.slug == slug);
        now.or_else(|| {
            let former = self.former.iter().find(|(_, former, _)| former == slug);
            former.and_then(|(.., position)| self.all.get(*position))
        })
    }

    /// Returns the description of a category of a product.
    pub fn listed(&self, category: &Category) -> Option<&ListedCategory> {
        let of_key = self.keys.iter().find(|it| it.key == category.key())?;
        self.all.get(of_key.position)
    }

    /// Returns the keys of a category's products, with those of the categories below it.
    pub fn keys_of<'a>(&'a self, category: &Category) -> impl Iterator<Item = &'a CategoryKey> {
        let slug = self.listed(category).map(|listed| listed.slug.as_str());
        self.keys.iter().filter(move |it| {
            let own = self.all.get(it.position);
            let own = own.map_or([None, None], |own| {
                [Some(own.slug.as_str()), own.parent.as_deref()]
            });
            slug.is_some() && own.contains(&slug)
        })
    }

    /// Adds up a number of each key for each of [`Categories::all`], with those of the categories below it.
    pub fn sums(&self, of_key: impl Fn(&CategoryKey) -> i64) -> Vec<i64> {
        let mut sums = vec![0; self.all.len()];
        for key in &self.keys {
            let (own, number) = (key.position, of_key(key));
            sums[own] += number;
            let mut before = self.all[..own].iter();
            if self.all[own].parent.is_some()
                && let Some(above) = before.rposition(|it| it.parent.is_none())
            {
                sums[above] += number;
            }
        }
        sums
    }

    /// Returns the names, like `Books, Home`.
    pub fn names(&self, last: &str) -> String {
        let names: Vec<&str> = self.all.iter().map(|it| it.category.as_str()).collect();
        match names.split_last() {
            Some((end, rest)) if !rest.is_empty() => format!("{}{last}{end}", rest.join(", ")),
            _ => names.concat(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `Electronics` with `Audio` below it, into which `Sound` was merged.
    fn two_levels() -> Categories {
        let listed = |key: &str, name: &str, parent: Option<&str>| ListedCategory {
            category: Category::new(key, name, parent),
            slug: name.to_lowercase(),
            parent: parent.map(str::to_lowercase),
            is_hidden: false,
            drawing: "box".to_owned(),
            ground: 1,
            text: String::new(),
        };
        let key = |key: &str, number, position| CategoryKey {
            key: key.to_owned(),
            number,
            position,
        };
        Categories::new(
            vec![
                listed("Electronics", "Electronics", None),
                listed("5", "Audio", Some("Electronics")),
                listed("Books", "Books", None),
            ],
            vec![
                key("Electronics", 1, 0),
                key("5", 5, 1),
                key("Books", 3, 2),
                key("6", 6, 1),
            ],
            vec![("Sound".to_owned(), "sound".to_owned(), 1)],
        )
    }

    fn keys_of(name: &str) -> Vec<String> {
        let categories = two_levels();
        let found = categories.find(name).unwrap();
        categories.keys_of(found).map(|it| it.key.clone()).collect()
    }

    #[test]
    fn a_parent_has_the_products_of_its_children() {
        assert_eq!(keys_of("Electronics"), ["Electronics", "5", "6"]);
        assert_eq!(keys_of("Books"), ["Books"]);
    }

    #[test]
    fn a_category_has_the_products_of_those_merged_into_it() {
        assert_eq!(keys_of("Audio"), ["5", "6"]);
    }

    #[test]
    fn a_former_name_finds_the_category() {
        let categories = two_levels();
        assert_eq!(categories.find("Sound"), categories.find("Audio"));
        assert_eq!(categories.find("sound"), None);
        let found = categories.find_slug("sound").unwrap();
        assert_eq!(found.slug, "audio");
    }

    #[test]
    fn the_specification_has_four_categories() {
        let names = Categories::default().names(" or ");
        assert_eq!(names, "Electronics, Clothing, Books or Home");
    }
}
