//! Categories of the shop while a file is read, with those that its rows add.

use std::collections::BTreeSet;

use super::bound::Table;
use super::category::{self, Names};
use super::rule::Mapping;
use crate::domain::{ArchivedCategory, Categories, ImportedProduct, truncate};

/// Begins a name in a mapping's table whose category is added if it is missing.
const CREATE: char = '+';
/// Separators of a path, whose first part becomes the category.
const BETWEEN: [char; 4] = ['>', '›', '»', '→'];

/// The shop's categories, and those that are missing.
pub struct KnownCategories {
    all: Categories,
    names: Names,
    /// True to add every unknown one.
    creates: bool,
    /// True to add none.
    keeps: bool,
    created: Vec<ArchivedCategory>,
    /// Keys of those that a valid product has.
    used: BTreeSet<String>,
}

impl KnownCategories {
    /// Makes them of the shop's; `creates` adds every unknown one, `keeps` none.
    pub fn new(all: &Categories, creates: bool, keeps: bool) -> Self {
        Self {
            all: all.clone(),
            names: Names::new(all),
            creates,
            keeps,
            created: Vec::new(),
            used: BTreeSet::new(),
        }
    }

    /// The shop's, and the new ones.
    pub fn all(&self) -> &Categories {
        &self.all
    }

    /// Refuses categories of a mapping that the shop does not have, and new ones that it can't have.
    ///
    /// # Errors
    ///
    /// Returns a message about the first one.
    pub fn check(&mut self, mapping: &Mapping) -> Result<(), String> {
        let rule = mapping.fields.get("category");
        let named = rule.map(|rule| rule.table.values().flatten().chain(&rule.constant));
        for name in named.into_iter().flatten() {
            if self.all.find(name).is_some() {
                continue;
            }
            let Some(new) = name.strip_prefix(CREATE) else {
                return Err(format!(
                    "The mapping's category “{name}” is none: write {}, or +{name} to create it.",
                    self.all.names(" or ")
                ));
            };
            let created = self.create(new);
            created.map_err(|message| format!("The mapping's category {message}"))?;
        }
        Ok(())
    }

    /// Returns the counterpart of a category of a file, which is added if the table or the owner says so.
    ///
    /// # Errors
    ///
    /// Returns a message if it has none.
    pub(super) fn counterpart(&mut self, table: &Table<'_>, text: &str) -> Result<String, String> {
        match category::find(&self.names, table, text) {
            None if self.creates => {
                let mut parts = text.split(BETWEEN).map(str::trim);
                self.create(parts.find(|part| !part.is_empty()).unwrap_or_default())
            }
            None => Err(self.names.no_counterpart(text.trim())),
            Some(found) => match found.strip_prefix(CREATE) {
                Some(new) if self.all.find(&found).is_none() => self.create(new),
                _ => Ok(found),
            },
        }
    }

    /// Returns the name of a category, which is added if it is missing.
    ///
    /// # Errors
    ///
    /// Returns a message if it can't be added.
    pub fn create(&mut self, name: &str) -> Result<String, String> {
        let new = ArchivedCategory::named(name);
        if let Some(known) = self.all.find_any(&new.name) {
            return Ok(known.category.to_string());
        }
        let quoted = truncate(&new.name, 60);
        if self.keeps {
            return Err(format!(
                "“{quoted}” is not a category yet: an administrator has to add it."
            ));
        }
        let added = self.all.add_archived(&new);
        added.map_err(|reason| format!("“{quoted}” can't be a category: {reason}"))?;
        let name = new.name.clone();
        self.names = Names::new(&self.all);
        self.created.push(new);
        Ok(name)
    }

    /// Keeps in mind that a valid product has a category.
    pub fn note(&mut self, product: &ImportedProduct) {
        let category = &product.details.category;
        if category.is_new() && !self.used.contains(category.key()) {
            self.used.insert(category.key().to_owned());
        }
    }

    /// Returns the new categories that valid products have.
    pub fn into_created(mut self) -> Vec<ArchivedCategory> {
        self.created.retain(|it| self.used.contains(&it.new_key()));
        self.created
    }
}
