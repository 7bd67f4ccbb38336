//! Makes products of the rows of any file: which field comes from which column, and how.

mod apply;
mod bound;
mod category;
mod cells;
mod choices;
mod conditions;
mod doubts;
mod html;
mod interpretation;
mod known;
mod needed;
mod price;
mod rule;
mod sample;
mod values;

use rust_embed::RustEmbed;

pub use self::apply::{Defaults, Mapper};
pub(super) use self::cells::is_marked;
pub use self::choices::{Choices, Question};
pub(super) use self::doubts::Doubts;
pub use self::interpretation::Interpretation;
pub use self::known::KnownCategories;
pub use self::rule::{DayOrder, FieldRule, Mapping, ValueKind};
use super::formats::Format;
use crate::domain::{EXPORT_FIELDS, NewProduct, line_fields};

/// Mappings of the known formats.
#[derive(RustEmbed)]
#[folder = "assets/mappings/"]
struct Presets;

/// Counts the bytes that a conversion looks at, in tests: they must not grow faster than a cell.
fn steps(count: usize) {
    #[cfg(test)]
    tests::STEPS.set(tests::STEPS.get() + count);
    #[cfg(not(test))]
    let _ = count;
}

/// Returns the mapping of a format. Fields without a rule of the format's file are in the column with their
/// name: all of an export, and optional lines of others.
///
/// # Errors
///
/// A sentence if the embedded mapping is not valid.
pub fn preset(format: Format) -> Result<Mapping, String> {
    let file = match format {
        Format::Csv | Format::Xlsx | Format::Json => "table",
        named => named.as_str(),
    };
    let file = format!("{file}.json");
    let file = Presets::get(&file).ok_or_else(|| format!("{file} is missing."))?;
    let mut mapping = Mapping::parse(&file.data)?;
    let of_export = NewProduct::field_names().chain(EXPORT_FIELDS);
    let of_export = of_export.filter(|_| format == Format::Deals);
    for name in of_export.chain(line_fields().map(|(field, _)| field.name)) {
        let rule = || FieldRule {
            columns: vec![name.to_owned()],
            ..FieldRule::default()
        };
        mapping.fields.entry(name.to_owned()).or_insert_with(rule);
    }
    Ok(mapping)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::fmt::Write as _;

    use serde_json::json;

    use super::*;
    use crate::catalog::formats::{Columns, Row};
    use crate::domain::Categories;

    thread_local! {
        /// Work that this test has done.
        pub(super) static STEPS: Cell<usize> = const { Cell::new(0) };
    }

    /// Counts the steps that a row with this text in each field takes.
    fn steps_of(mapping: &Mapping, text: &str, rows: usize) -> usize {
        let defaults = Defaults::default();
        let categories = KnownCategories::new(&Categories::default(), false, false);
        let mut mapper = Mapper::new(mapping, &defaults, categories);
        let columns = Columns::of_header(vec!["x".to_owned()]).unwrap();
        let row = Row {
            cells: vec![(0, text.into())],
            ..Row::default()
        };
        STEPS.set(0);
        for _ in 0..rows {
            mapper.map(&columns, &row, false).unwrap();
        }
        STEPS.get()
    }

    fn with_table(names: usize) -> Mapping {
        let table = |own: &str| {
            let rows = (0..names).map(|at| (format!("a > {at}"), json!(own)));
            json!(rows.collect::<serde_json::Map<_, _>>())
        };
        let others: Vec<String> = (0..names / 4).map(|at| format!("c{at}")).collect();
        let of = |rule: serde_json::Value| {
            let mut rule = rule;
            rule["columns"] = json!([&["x".to_owned()][..], &others[..]].concat());
            rule
        };
        let mapping = json!({"fields": {
            "title": of(json!({"table": table("t")})),
            "description": of(json!({})),
            "category": of(json!({"table": table("Home")})),
            "images": {"columns": ["x"]},
            "source": {"columns": ["x"], "as": "list", "split": ">"},
            "startsAt": {"columns": ["x"]},
            "endsAt": {"columns": ["x"], "as": "until"},
            "price": {"columns": ["x"]},
            "averageRating": {"columns": ["x"]},
            "offers": {"columns": ["x"]},
        }});
        Mapping::parse(mapping.to_string().as_bytes()).unwrap()
    }

    #[test]
    fn reading_a_cell_takes_linear_time() {
        let mapping = with_table(10);
        let parts = [
            "<",
            "<p ",
            "<x ",
            "<p>",
            "</",
            "<////",
            "<!--",
            "<!-->",
            "<script></script>",
            "<script></x",
            "<style>",
            "<td>a",
            "&",
            "&;",
            "&amp",
            "&amp;",
            "&#1",
            "&#1;",
            "<&",
            "> <p",
            "a>",
            ">",
            "home>",
            "a>b,",
            "a>|",
            "a,",
            ", ",
            "a,  ",
            "a, http",
            " ",
            "1 ",
            "T",
            "12:00 ",
            "1-1 1:1 ",
            "%",
            "rs.",
            "1,",
            "1.",
            "'",
            "-",
            "[",
            "{}",
            "[1],",
            "\"a\" ",
        ];
        let mut distinct = String::new();
        for at in 0..400 {
            write!(distinct, "https://a.example/{at:05} ").unwrap();
        }
        let commas = distinct.replace(' ', ", ");
        let path = distinct
            .replace("https://a.example/", "a > ")
            .replace(' ', "b > ");
        let texts = parts.map(|part| part.repeat(8_000 / part.len()));
        for half in texts.into_iter().chain([distinct, commas, path]) {
            let part: String = half.chars().take(20).collect();
            // Cells of more than 32,768 characters are refused.
            let whole = half.repeat(2);
            let (once, twice) = (steps_of(&mapping, &half, 1), steps_of(&mapping, &whole, 1));
            assert!(once >= half.len(), "{part}: {once}");
            assert!(
                twice <= once * 21 / 10 + 100,
                "{part}: {once} and {twice} steps"
            );
        }
    }

    #[test]
    fn a_longer_mapping_does_not_make_rows_slower() {
        for text in [
            "a > 7",
            "a > b > c, d > e",
            "home > x",
            "https://a.example/1",
        ] {
            let [once, twice] = [400, 800].map(|names| steps_of(&with_table(names), text, 100));
            assert!(
                twice <= once + once / 10,
                "{text}: {once} and {twice} steps"
            );
        }
    }

    #[test]
    fn texts_and_columns_of_a_mapping_are_bounded() {
        let long = "x".repeat(2_001);
        let columns: Vec<String> = (0..2_001).map(|at| format!("c{at}")).collect();
        for (rule, message) in [
            (
                json!({"columns": ["a"], "prefix": long}),
                "more than 2,000 characters",
            ),
            (json!({"columns": [long]}), "more than 2,000 characters"),
            (
                json!({"columns": ["a"], "table": {(&long): "b"}}),
                "more than 2,000 characters",
            ),
            (
                json!({"constant": long.repeat(5)}),
                "constant of more than 10,000",
            ),
            (json!({"columns": columns}), "at most 2,000 columns"),
        ] {
            let json = json!({"fields": {"title": rule}}).to_string();
            let error = Mapping::parse(json.as_bytes()).unwrap_err();
            assert!(error.contains(message), "{error}");
        }
        let json = json!({"fields": {"description": {"constant": "x".repeat(10_000)}}}).to_string();
        assert!(Mapping::parse(json.as_bytes()).is_ok());
    }

    #[test]
    fn a_mapping_names_categories_of_the_shop() {
        let json = r#"{"fields": {"category": {"columns": ["a"], "table": {"x": "Toys"}}}}"#;
        let mapping = Mapping::parse(json.as_bytes()).unwrap();
        let mut known = KnownCategories::new(&Categories::default(), false, false);
        let error = known.check(&mapping);
        assert!(error.unwrap_err().contains("“Toys” is none"));
    }

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
        ] {
            let error = Mapping::parse(json.as_bytes()).unwrap_err();
            assert!(error.contains(message), "{json}: {error}");
        }
    }
}
