//! Counterparts of categories.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::bound::Table;
use super::cells::key;
use super::steps;
use crate::domain::{Categories, truncate};

/// Maximum number of parts of a path that are compared; Google's taxonomy has seven.
const MOST_PARTS: usize = 16;
/// Characters between the parts of a path or the names of a list.
const BETWEEN: [char; 21] = [
    '>', '»', '›', '→', '/', '\\', '|', ';', ':', ',', '·', '•', '~', '^', '\n', '\t', '"', '[',
    ']', '(', ')',
];
/// Separators that are parts of words without their spaces.
const SPACED: [&str; 5] = [" - ", " – ", " — ", " + ", " # "];
/// Words that only say for whom or in which state; what they say it of is the category.
const QUALIFYING: &str = "men man women woman kid child children boy girl baby infant unisex lady \
     gent adult male female new sale offer deal all other more accessory supply essential product \
     best seller gift set for of the and";
/// Common names of categories, with the specification's category that each means.
static COMMON: LazyLock<HashMap<String, &str>> = LazyLock::new(|| {
    let lines = include_str!("../../../assets/category-names.txt").lines();
    let known = lines.filter_map(|line| line.split_once(':'));
    let names = known.flat_map(|(own, names)| names.split(',').map(move |name| (key(name), own)));
    names.collect()
});

/// Names that mean a category of the shop, by their keys.
#[derive(Default)]
pub(super) struct Names {
    /// The shop's own names, for a message.
    list: String,
    /// The shop's own names.
    own: HashMap<String, String>,
    /// Common names.
    common: HashMap<String, String>,
    /// Own names of the categories below another, by its name.
    below: HashMap<String, HashMap<String, String>>,
}

impl Names {
    pub(super) fn new(categories: &Categories) -> Self {
        let common = COMMON.iter().filter_map(|(name, own)| {
            let category = categories.find(own)?;
            Some((name.clone(), category.to_string()))
        });
        let mut names = Self {
            list: categories.names(" or "),
            common: common.collect(),
            ..Self::default()
        };
        for listed in categories.all() {
            let name = listed.category.to_string();
            let key = key(&name);
            if let Some(parent) = listed.category.parent() {
                let below = names.below.entry(parent.to_owned()).or_default();
                below.insert(key.clone(), name.clone());
            }
            names.own.insert(key, name);
        }
        names
    }

    /// Returns the problem of a name without a counterpart.
    pub(super) fn no_counterpart(&self, name: &str) -> String {
        let name = truncate(name, 60);
        format!(
            "“{name}” is not one of your categories: write {}, or choose one for it.",
            self.list
        )
    }

    fn get(&self, key: &str) -> Option<&String> {
        self.own.get(key).or_else(|| self.common.get(key))
    }
}

/// Finds the counterpart of a category: a name, a path like `Media > Books > Fiction`, or several of
/// them. A longer path in the table takes precedence, then the first part with a counterpart, or a part
/// that names a category below it.
pub(super) fn find(names: &Names, table: &Table<'_>, text: &str) -> Option<String> {
    steps(text.len());
    if let Some(counterpart) = table.get(&text.trim().to_lowercase()) {
        return counterpart.map(str::to_owned);
    }
    if let Some(name) = names.own.get(&key(text)) {
        return Some(name.clone());
    }
    let mut text = text.replace("->", ">").replace("__", ">");
    for separator in SPACED {
        text = text.replace(separator, ">");
    }
    let parts = text
        .split(BETWEEN)
        .map(|part| part.trim_matches([' ', '\'', '’', '-', '=', '*']));
    let mut parts: Vec<&str> = parts
        .filter(|part| !part.is_empty())
        .take(MOST_PARTS)
        .collect();
    // The first part of a breadcrumb is no category.
    if parts.len() > 1 && text.contains(['>', '»', '›', '→', '/', '\\']) && key(parts[0]) == "home"
    {
        parts.remove(0);
    }
    let paths = (1..=parts.len()).rev();
    let mut paths = paths.map(|length| parts[..length].join(" > ").to_lowercase());
    // The whole may be a word that only qualifies where it stands beside others.
    let is_name = |path: &String| parts.len() == 1 || !core(path).is_empty();
    let found = paths.find_map(|path| table.get(&path).filter(|_| is_name(&path)));
    if let Some(counterpart) = found {
        return counterpart.map(str::to_owned);
    }
    let first = parts.iter().find_map(|part| named(names, table, part))?;
    let below = names.below.get(&first);
    let below = below.and_then(|below| parts.iter().find_map(|part| below.get(&key(part))));
    Some(below.unwrap_or(&first).clone())
}

/// Returns the counterpart of one name, whatever its number, case and spelling.
fn named(names: &Names, table: &Table<'_>, name: &str) -> Option<String> {
    steps(name.len());
    let own = |words: &str| {
        let by_table = table.get(words).filter(|_| !core(words).is_empty());
        match by_table {
            Some(counterpart) => counterpart.map(str::to_owned),
            None => names.get(words).cloned(),
        }
    };
    let core = core(name);
    if let Some(found) = own(&key(name)).or_else(|| own(&core)) {
        return Some(found);
    }
    // Of two names, each has to have the same counterpart.
    let name = name.replace('&', " and ");
    let both: Vec<&str> = name.split(" and ").collect();
    let mut both = both
        .into_iter()
        .map(self::core)
        .filter(|part| !part.is_empty());
    let first = own(&both.next()?)?;
    both.all(|part| own(&part).as_ref() == Some(&first))
        .then_some(first)
}

/// Returns the key without words that only qualify.
fn core(name: &str) -> String {
    let key = key(name);
    let words = key
        .split(' ')
        .filter(|word| !QUALIFYING.split_whitespace().any(|it| it == *word));
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_category_path_is_mapped_by_its_first_known_part() {
        let table = [
            ("Apparel & Accessories", "Clothing"),
            ("Media > Books", "Books"),
            ("Women", "Clothing"),
            ("Men", "Clothing"),
            ("-1", "Home"),
        ];
        let table = table.map(|(name, own)| (name.to_lowercase(), Some(own)));
        let table = Table::from(table);
        let names = Names::new(&Categories::default());
        for (text, own) in [
            ("Electronics", Some("Electronics")),
            ("electronics > Audio > Headphones", Some("Electronics")),
            (
                "Apparel & Accessories > Clothing > Shirts",
                Some("Clothing"),
            ),
            ("Media > Books > Fiction", Some("Books")),
            ("Media > DVDs", None),
            ("Home > Electronics > Cables", Some("Electronics")),
            ("Home > Garden", Some("Home")),
            ("Home > Beauty", None),
            ("Home/Beauty", None),
            ("Sale, Kitchen", Some("Home")),
            (
                "Computers&Accessories|Accessories&Peripherals|Cables",
                Some("Electronics"),
            ),
            ("Home&Kitchen|Heating|Fans", Some("Home")),
            (
                "[\"Clothing >> Women's Clothing >> Shorts\"]",
                Some("Clothing"),
            ),
            ("['Electronics', 'Audio']", Some("Electronics")),
            ("Electronics/Mobiles/Cases", Some("Electronics")),
            ("Default Category/Gear/Electronics", Some("Electronics")),
            ("Home & Kitchen", Some("Home")),
            ("Electronics » Audio", Some("Electronics")),
            ("Electronics - Audio", Some("Electronics")),
            ("Electronics: Audio", Some("Electronics")),
            ("Sports → Shoes", Some("Clothing")),
            ("Outlet\\Laptops", Some("Electronics")),
            ("ELECTRONICS ", Some("Electronics")),
            ("Mobile Phones", Some("Electronics")),
            ("Women’s Clothing", Some("Clothing")),
            ("Laptops and Tablets", Some("Electronics")),
            ("Laptops & Novels", None),
            ("Women", Some("Clothing")),
            ("Women > Shoes", Some("Clothing")),
            ("Perfume, Women", None),
            ("Women, Perfume", None),
            ("Toys & Games, Men", None),
            ("Women's Perfume", None),
            ("Men > Grooming", None),
            ("Home Audio", Some("Electronics")),
            ("Toys", None),
            ("-1", Some("Home")),
            ("", None),
        ] {
            assert_eq!(find(&names, &table, text).as_deref(), own, "{text}");
        }
    }
}
