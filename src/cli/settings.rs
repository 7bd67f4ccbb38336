//! `deals settings`.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, anyhow};
use base64::prelude::{BASE64_STANDARD, Engine as _};
use clap::{Args, Subcommand};
use jiff::Timestamp;
use serde_json::{Map, Value};

use super::options::Database;
use super::{OWNER, Usage, open_existing, open_or_create, say, say_json, write_text};
use crate::domain::{Settings, SettingsChange, ShopPage, ShopSettings};
use crate::store::{SettingsError, Store};

const PAGE: &str = SettingsChange::PAGE;
const SAME_WORDS: &str = "sameWords";

#[derive(Debug, Args)]
#[command(after_help = "\
`deals settings get` lists the settings; page.SLUG is a page. The value @FILE is read
from a file, and an empty value removes the setting. page.SLUG=draft starts a page with a
template that describes what this program stores and does (about, privacy, terms,
contact). sameWords has a line for words that find each other, frontPage the sections
of the home page as JSON. source.NAME is what may be shown of a seller's products: open, amazon-india or
rules as JSON.

Examples:
  deals settings set name=\"Sasta Adda\" tagline=\"Sasta, sahi, seedha.\"
  deals settings set mark=@logo.svg accent=#3538a8 contact=hello@example.com
  deals settings set page.privacy=draft page.about=@about.md
  deals settings set source.Amazon=amazon-india sameWords=@words.txt
  deals settings get page.privacy > privacy.md

May run beside the server, which uses the new settings at once.")]
pub(super) struct SettingsCommand {
    #[command(subcommand)]
    action: SettingsAction,

    #[command(flatten)]
    database: Database,
}

#[derive(Debug, Subcommand)]
enum SettingsAction {
    /// Print all settings, or one
    Get {
        /// One setting; all of them by default
        name: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Change settings, all or none
    Set {
        /// Settings as NAME=VALUE
        #[arg(required = true, value_name = "NAME=VALUE")]
        values: Vec<String>,
    },
}

impl SettingsCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let path = &self.database.db;
        match self.action {
            SettingsAction::Get { name, json } => get(&open_existing(path)?, name.as_deref(), json),
            // May be the first command for a new database.
            SettingsAction::Set { values } => set(&open_or_create(path)?, &values),
        }
    }
}

fn get(store: &Store, name: Option<&str>, as_json: bool) -> anyhow::Result<()> {
    let settings = store.settings()?;
    // One setting is printed as it is, or as a JSON text.
    let print = |value: String| {
        if as_json {
            return say_json(&value);
        }
        write_text(&(value + "\n"));
        Ok(())
    };
    let Some(name) = name else {
        if as_json {
            return say_json(&BTreeMap::from_iter(values(&settings)?));
        }
        for (name, value) in values(&settings)? {
            say(format_args!("{name:<12} {value}"));
        }
        return Ok(());
    };
    if let Some(slug) = name.strip_prefix(PAGE) {
        let page = settings.shop.page(slug);
        let page = page.ok_or_else(|| anyhow!("there is no page {slug}"))?;
        return print(page.to_markdown());
    }
    if name == SAME_WORDS {
        return print(settings.shop.same_words);
    }
    let values = values(&settings)?;
    let Some((_, value)) = values.iter().find(|(known, _)| known == name) else {
        let known: Vec<&str> = values.iter().map(|(name, _)| name.as_str()).collect();
        let known = known.join(", ");
        return Err(Usage(format!("there is no setting {name}. There are {known}.")).into());
    };
    print(value.clone())
}

/// Returns every setting with its value, and large ones with their size.
fn values(settings: &Settings) -> anyhow::Result<Vec<(String, String)>> {
    let texts = serde_json::to_value(&settings.shop)?;
    let value = |name: &str| match name {
        "mark" => settings.logo.as_ref().map_or_else(String::new, |logo| {
            format!("{}, {} bytes", logo.kind, logo.bytes.len())
        }),
        SAME_WORDS => match settings.shop.same_words.lines().count() {
            0 => String::new(),
            lines => format!("{lines} lines"),
        },
        "shops" if settings.shop.shops.is_empty() => String::new(),
        "frontPage" if settings.shop.front_page.is_empty() => String::new(),
        "shops" | "frontPage" => texts[name].to_string(),
        "digestHour" => texts[name]
            .as_u64()
            .map_or_else(String::new, |hour| hour.to_string()),
        _ => texts[name].as_str().unwrap_or_default().to_owned(),
    };
    let names = SettingsChange::NAMES
        .iter()
        .filter(|name| **name != "pages");
    let lines = names.map(|name| ((*name).to_owned(), value(name)));
    let pages = settings.shop.pages.iter();
    let pages = pages.map(|ShopPage { slug, title, text }| {
        let size = text.chars().count();
        (
            format!("{PAGE}{slug}"),
            format!("{title}, {size} characters"),
        )
    });
    Ok(lines.chain(pages).collect())
}

fn set(store: &Store, values: &[String]) -> anyhow::Result<()> {
    let current = store.settings()?;
    let mut change = Map::new();
    let mut drafted = Vec::new();
    for pair in values {
        let (name, value) = pair
            .split_once('=')
            .ok_or_else(|| Usage(format!("write {pair} as NAME=VALUE, like name=\"My shop\"")))?;
        if change.contains_key(name) || drafted.contains(&name) {
            return Err(Usage(format!("{name} is given twice")).into());
        }
        if name.starts_with(PAGE) && value == "draft" {
            drafted.push(name);
        } else {
            change.insert(name.to_owned(), Value::String(resolve(name, value)?));
        }
    }
    // A draft uses the new name of the shop.
    let next = SettingsChange::new(change.clone()).apply(&current);
    let shop = next.map_or(current.shop, |next| next.shop);
    for name in drafted {
        change.insert(name.to_owned(), Value::String(draft(&shop, name)?));
    }
    apply(store, SettingsChange::new(change))?;
    say("Settings changed.");
    Ok(())
}

/// Changes the settings, all or none, and returns the result.
pub(super) fn apply(store: &Store, change: SettingsChange) -> anyhow::Result<Settings> {
    let changed = store.change_settings(change, None, OWNER.to_owned(), Timestamp::now());
    match changed? {
        Ok(settings) => Ok(settings),
        Err(SettingsError::Invalid(errors)) => {
            let lines: Vec<String> = errors.iter().map(|error| error.message.clone()).collect();
            Err(Usage(format!("nothing was changed. {}", lines.join(" "))).into())
        }
        Err(error) => Err(error.into()),
    }
}

/// Returns the template of a page.
fn draft(shop: &ShopSettings, name: &str) -> anyhow::Result<String> {
    let slug = name.strip_prefix(PAGE).unwrap_or(name);
    let disclosure = if shop.disclosure.is_empty() {
        super::options::DISCLOSURE
    } else {
        &shop.disclosure
    };
    let draft = shop.draft(slug, disclosure).ok_or_else(|| {
        let known: Vec<&str> = ShopSettings::drafts().collect();
        Usage(format!(
            "there is no draft of {slug}. There are {}.",
            known.join(", ")
        ))
    })?;
    Ok(draft.to_markdown())
}

/// Resolves a value: `draft`, a file or the text itself.
fn resolve(name: &str, value: &str) -> anyhow::Result<String> {
    let Some(file) = value.strip_prefix('@') else {
        if name == "mark" && !value.is_empty() {
            return Err(Usage("name the logo's file, like mark=@logo.svg".to_owned()).into());
        }
        return Ok(value.to_owned());
    };
    let bytes = std::fs::read(Path::new(file)).with_context(|| format!("cannot read {file}"))?;
    if name == "mark" {
        return Ok(format!("data:;base64,{}", BASE64_STANDARD.encode(bytes)));
    }
    String::from_utf8(bytes).with_context(|| format!("{file} is not UTF-8 text"))
}
