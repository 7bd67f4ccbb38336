//! How a file of products is read.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use clap::Args;

use crate::catalog::formats::Format;
use crate::catalog::mapping::{DayOrder, Defaults, Mapping, preset};
use crate::catalog::reading::Reading;
use crate::domain::LinkRules;
use crate::store::Store;

/// Maximum size of a mapping in bytes, as of one that is sent.
const MAX_MAPPING: u64 = 256 * 1_024;

/// Format, mapping and defaults of a file.
#[derive(Debug, Args)]
pub(in crate::cli) struct FileOptions {
    #[arg(
        long, value_name = "FORMAT", default_value = "auto",
        help = format!("The format: auto, {}", Format::all_names())
    )]
    format: String,

    /// The path to the list of products in JSON, like data.items
    #[arg(long, value_name = "PATH")]
    path: Option<String>,

    /// The seller of products whose seller the file does not name
    #[arg(long, value_name = "NAME")]
    source: Option<String>,

    /// The category of products without a known one
    #[arg(long, value_name = "NAME")]
    category: Option<String>,

    /// Add the categories that the shop does not have
    #[arg(long)]
    create_categories: bool,

    /// The mapping: a format's or a saved one by its name, or a file
    #[arg(long, value_name = "NAME|FILE.json")]
    mapping: Option<String>,

    /// The column of a field, like finalPrice="Deal Price"; may be given several times
    #[arg(long, value_name = "FIELD=COLUMN", value_parser = column)]
    column: Vec<(String, String)>,

    /// The order of dates like 05/06/2026: dmy or mdy
    #[arg(long, value_name = "ORDER", value_parser = ["dmy", "mdy"])]
    dates: Option<String>,
}

fn column(text: &str) -> Result<(String, String), String> {
    let parts = text
        .split_once('=')
        .filter(|(field, name)| !field.is_empty() && !name.is_empty());
    let (field, name) = parts.ok_or("write it like finalPrice=\"Deal Price\"")?;
    Ok((field.trim().to_owned(), name.trim().to_owned()))
}

impl FileOptions {
    /// Returns how the file is read.
    pub(in crate::cli) fn reading(&self, db: &Path) -> anyhow::Result<Reading> {
        let format = match self.format.as_str() {
            "auto" => None,
            name => Some(Format::parse(name).ok_or_else(|| {
                let names = Format::all_names();
                anyhow!("there is no format {name}: choose auto, {names}")
            })?),
        };
        // A database that is not there yet has the categories of the specification, and no own sellers.
        let (categories, links) = match Store::open_for_reading(db) {
            Ok(store) => (store.categories()?, store.link_rules()?),
            Err(_) => (Arc::default(), LinkRules::default()),
        };
        if let Some(category) = &self.category
            && categories.find(category).is_none()
        {
            let names = categories.names(", ");
            bail!("there is no category {category}: choose one of {names}");
        }
        let mapping = match &self.mapping {
            None => None,
            Some(name) => Some(mapping(name, db)?),
        };
        Ok(Reading {
            format,
            path: self.path.clone(),
            mapping,
            defaults: Defaults {
                source: self.source.clone(),
                category: self.category.clone(),
                links,
            },
            categories,
            creates_categories: self.create_categories,
            columns: self.column.clone(),
            order: self.dates.as_deref().map(|order| match order {
                "mdy" => DayOrder::Mdy,
                _ => DayOrder::Dmy,
            }),
            ..Reading::default()
        })
    }
}

/// Returns a format's mapping, a saved one, or one from a file.
fn mapping(name: &str, db: &Path) -> anyhow::Result<Mapping> {
    if let Some(format) = Format::parse(name) {
        return preset(format).map_err(|error| anyhow!(error));
    }
    let file = Path::new(name);
    let is_file = file.extension().is_some_and(|ending| ending == "json") || file.exists();
    let json = if is_file {
        let mut json = Vec::new();
        File::open(file)
            .and_then(|file| file.take(MAX_MAPPING + 1).read_to_end(&mut json))
            .with_context(|| format!("cannot read the mapping {name}"))?;
        if json.len() as u64 > MAX_MAPPING {
            bail!("the mapping {name} takes more than 256 kB: shorten its tables");
        }
        json
    } else {
        let saved = if db.exists() {
            Store::open(db)?.mapping(name)?
        } else {
            None
        };
        let formats = Format::all_names();
        saved
            .ok_or_else(|| {
                anyhow!("there is no mapping {name}: name a file, a saved one, or one of {formats}")
            })?
            .into_bytes()
    };
    Mapping::parse(&json).map_err(|error| anyhow!("{name}: {error}"))
}
