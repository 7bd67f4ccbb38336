//! Positions of the columns that the rules of a mapping name.

use super::cells::{forms, normal};
use super::rule::{FieldRule, Mapping, ValueKind, kind_of};
use crate::catalog::formats::{Columns, ReadError};

/// A rule with the positions of its columns.
pub(super) struct Bound<'a> {
    pub(super) field: &'a str,
    pub(super) rule: &'a FieldRule,
    pub(super) kind: ValueKind,
    pub(super) columns: Vec<usize>,
}

/// Finds each rule's columns by name.
///
/// # Errors
///
/// [`ReadError`] if two columns have the name of one that is needed.
pub(super) fn bind<'a>(
    mapping: &'a Mapping,
    columns: &Columns,
) -> Result<Vec<Bound<'a>>, ReadError> {
    let names: Vec<[String; 2]> = columns.names().iter().map(|name| forms(name)).collect();
    let mut bound = Vec::new();
    let mut taken = Vec::new();
    for is_spare in [false, true] {
        let rules = mapping.fields.iter();
        for (field, rule) in rules.filter(|(_, rule)| rule.spare == is_spare) {
            let kind = rule
                .kind
                .or_else(|| kind_of(field))
                .unwrap_or(ValueKind::Text);
            let mut found = Vec::new();
            for wanted in &rule.columns {
                let wanted = normal(wanted);
                let mut same = (0..names.len()).filter(|at| names[*at].contains(&wanted));
                let Some(first) = same.next() else { continue };
                let is_free = !is_spare || !taken.contains(&first);
                if is_free && !found.contains(&first) {
                    found.push(first);
                }
                if kind == ValueKind::List {
                    found.extend(same);
                } else if same.next().is_some() && found.first() == Some(&first) {
                    return Err(ReadError::File(format!(
                        "two of its columns are called {}: rename the one that is not the {field}",
                        columns.names()[first]
                    )));
                }
            }
            taken.extend(found.first());
            bound.push(Bound {
                field,
                rule,
                kind,
                columns: found,
            });
        }
    }
    Ok(bound)
}
