//! Makes products of the rows of any file: which field comes from which column, and how.

mod apply;
mod bound;
mod category;
mod cells;
mod date;
mod html;
mod number;
mod rule;

use rust_embed::RustEmbed;

pub use self::apply::{Defaults, Mapper};
pub(super) use self::cells::is_marked;
pub use self::rule::{DayOrder, FieldRule, Mapping, ValueKind};
use super::formats::Format;

/// Mappings of the known formats.
#[derive(RustEmbed)]
#[folder = "assets/mappings/"]
struct Presets;

/// Returns the mapping of a format.
///
/// # Errors
///
/// A sentence if the embedded mapping is not valid.
pub fn preset(format: Format) -> Result<Mapping, String> {
    let file = match format {
        Format::Deals => "deals.json",
        Format::Csv | Format::Xlsx | Format::Json => "table.json",
        Format::Merchant => "merchant.json",
        Format::Shopify => "shopify.json",
        Format::WooCommerce => "woocommerce.json",
    };
    let file = Presets::get(file).ok_or_else(|| format!("{file} is missing."))?;
    Mapping::parse(&file.data)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_valid() {
        for format in Format::ALL {
            assert!(preset(format).is_ok(), "{format:?}: {:?}", preset(format));
        }
    }

    #[test]
    fn mistakes_in_a_mapping_are_named() {
        for (json, message) in [
            ("{", "The mapping is not valid"),
            (
                r#"{"fields": {"titel": {"columns": ["a"]}}}"#,
                "the field titel",
            ),
            (
                r#"{"fields": {"title": {}}}"#,
                "title needs columns or a constant",
            ),
            (
                r#"{"fields": {"title": {"column": "a"}}}"#,
                "fields.title.column: unknown field `column`",
            ),
            (
                r#"{"fields": {"category": {"columns": ["a"], "table": {"x": "Toys"}}}}"#,
                "“Toys” is none",
            ),
        ] {
            let error = Mapping::parse(json.as_bytes()).unwrap_err();
            assert!(error.contains(message), "{json}: {error}");
        }
    }
}
