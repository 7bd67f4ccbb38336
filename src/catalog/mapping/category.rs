//! Counterparts of categories.

use std::collections::BTreeMap;

use crate::domain::Category;

/// Finds the counterpart of a category, a path like `Media > Books > Fiction`, or several with
/// commas. A longer path in the table takes precedence.
pub(super) fn find(table: &BTreeMap<String, Option<String>>, text: &str) -> Option<String> {
    if let Some(found) = by_path(table, text) {
        return Some(found);
    }
    text.split([',', '|'])
        .filter(|part| part.len() < text.len())
        .find_map(|part| by_path(table, part))
}

fn by_path(table: &BTreeMap<String, Option<String>>, text: &str) -> Option<String> {
    let steps: Vec<&str> = text
        .split('>')
        .map(str::trim)
        .filter(|step| !step.is_empty())
        .collect();
    let up_to = |steps: &[&str]| {
        (1..=steps.len())
            .rev()
            .find_map(|length| named(table, &steps[..length].join(" > ")))
    };
    match &steps[..] {
        // The first step of a breadcrumb is no category.
        [first, rest @ ..] if first.eq_ignore_ascii_case("home") && !rest.is_empty() => {
            up_to(rest).or_else(|| up_to(&steps))
        }
        steps => up_to(steps),
    }
}

fn named(table: &BTreeMap<String, Option<String>>, name: &str) -> Option<String> {
    let own = Category::ALL.map(Category::as_str);
    let found = table
        .iter()
        .find(|(known, _)| known.trim().to_lowercase() == name.to_lowercase());
    if let Some((_, counterpart)) = found {
        return counterpart.clone();
    }
    own.into_iter()
        .find(|own| own.eq_ignore_ascii_case(name))
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_the_counterpart_of_its_nearest_known_part() {
        let table = [
            ("Apparel & Accessories", "Clothing"),
            ("Media > Books", "Books"),
            ("Kitchen", "Home"),
        ];
        let table = table.map(|(name, own)| (name.to_owned(), Some(own.to_owned())));
        let table = BTreeMap::from(table);
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
            ("Sale, Kitchen", Some("Home")),
            ("Toys", None),
            ("", None),
        ] {
            assert_eq!(find(&table, text).as_deref(), own, "{text}");
        }
    }
}
