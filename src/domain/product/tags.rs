//! Tags of products: short texts of the owner's, compared in lower case.

use serde_json::Value;

use super::NewProduct;
use super::sent_fields::SentFields;
use crate::domain::field_error::FieldError;
use crate::domain::{CONSTANTS, truncate, without_controls};

/// Signs that separate tags in cells and addresses, so that no tag has them.
pub const TAG_SEPARATORS: [char; 2] = [',', '|'];
/// Maximum number of characters of an invalid tag that are repeated.
const EXCERPT: usize = 40;

/// Returns the form of a tag by which two are compared.
pub fn tag_key(tag: &str) -> String {
    tag.to_lowercase()
}

/// Parses tags: a list of texts, or one text with separators. Of several that differ in case only, the
/// first counts.
///
/// # Errors
///
/// A sentence about the first tag that breaks a rule.
pub fn read_tags(value: &Value) -> Result<Vec<String>, String> {
    let mut tags = Vec::new();
    match value {
        Value::Null => {}
        Value::String(text) => add_tags(&mut tags, text.split(TAG_SEPARATORS))?,
        Value::Array(items) => {
            let texts: Option<Vec<&str>> = items.iter().map(Value::as_str).collect();
            let texts = texts.ok_or("Tags must be a list of texts.")?;
            add_tags(&mut tags, texts)?;
        }
        _ => return Err("Tags must be a list of texts.".to_owned()),
    }
    Ok(tags)
}

/// Adds tags that are not there yet.
///
/// # Errors
///
/// A sentence about the first tag that breaks a rule, or about too many.
pub fn add_tags<'a>(
    tags: &mut Vec<String>,
    texts: impl IntoIterator<Item = &'a str>,
) -> Result<(), String> {
    for text in texts {
        let text = without_controls(text);
        let tag = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if tag.is_empty() || tags.iter().any(|known| tag_key(known) == tag_key(&tag)) {
            continue;
        }
        if tag.chars().count() > CONSTANTS.max_tag
            || tag.contains('\0')
            || tag.contains(TAG_SEPARATORS)
        {
            let tag = truncate(&tag, EXCERPT);
            return Err(format!(
                "“{tag}” is not a tag: write at most {} characters, without commas.",
                CONSTANTS.max_tag
            ));
        }
        tags.push(tag);
    }
    if tags.len() > CONSTANTS.max_tags {
        return Err(format!("At most {} tags are allowed.", CONSTANTS.max_tags));
    }
    Ok(())
}

/// Parses the field `tags`; without it keeps those of `current`.
pub(super) fn tags_from_sent(
    fields: &mut SentFields,
    current: Option<&NewProduct>,
    errors: &mut Vec<FieldError>,
) -> Vec<String> {
    let Some(sent) = fields.0.remove("tags") else {
        return current.map(|it| it.tags.clone()).unwrap_or_default();
    };
    read_tags(&sent).unwrap_or_else(|message| {
        errors.push(FieldError::new("tags", message));
        Vec::new()
    })
}
