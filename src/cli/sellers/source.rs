//! `deals source`.

use anyhow::bail;
use clap::{Args, Subcommand};
use serde_json::{Map, Value, json};

use crate::cli::options::Database;
use crate::cli::{Usage, counted, open_existing, say, say_json, settings};
use crate::domain::{Preset, Programme, SettingsChange, SourceRules, one_line};
use crate::store::Store;

#[derive(Debug, Args)]
#[command(after_help = "\
Rules: showPrice, showRatings, copyImages, history, alerts, checkLinks (on or off),
priceMaxAge (hours, or any), and disclosure. tag is the affiliate's tag, which changes
the seller's links (`deals links tag` shows them first). Presets: open (shows everything) and
amazon-india.

Examples:
  deals source list
  deals source set Amazon amazon-india
  deals source set Myntra showRatings=off priceMaxAge=48

May run beside the server, which applies the new rules at once.")]
pub(in crate::cli) struct SourceCommand {
    #[command(subcommand)]
    action: Action,

    #[command(flatten)]
    database: Database,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Print every seller with its rules
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Change what may be shown of a seller's products
    Set {
        /// The seller's exact name
        source: String,
        /// A preset, or rules as RULE=VALUE
        #[arg(required = true, value_name = "PRESET | RULE=VALUE")]
        rules: Vec<String>,
    },
}

impl SourceCommand {
    pub(in crate::cli) fn run(self) -> anyhow::Result<()> {
        let store = open_existing(&self.database.db)?;
        match self.action {
            Action::List { json } => list(&store, json),
            Action::Set { source, rules } => set(&store, &source, &rules),
        }
    }
}

fn list(store: &Store, as_json: bool) -> anyhow::Result<()> {
    let shop = store.settings()?.shop;
    let tag_of = |name: &str| shop.tags.get(name).cloned().unwrap_or_default();
    let mut chosen = shop.sources;
    if as_json {
        let sellers = store.count_sources()?.into_iter().map(|(name, products)| {
            let rules = chosen.remove(&name).unwrap_or_default();
            let forbidden = Programme::of(&name).map_or(vec![], |it| it.forbidden(&rules));
            let tag = tag_of(&name);
            json!({"source": name, "products": products, "rules": rules, "tag": tag, "forbidden": forbidden})
        });
        return say_json(&sellers.collect::<Vec<_>>());
    }
    for (name, products) in store.count_sources()? {
        let rules = chosen.remove(&name).unwrap_or_default();
        let products = counted(products, "product");
        let shown = one_line(&name);
        let tag = match tag_of(&name) {
            tag if tag.is_empty() => tag,
            tag => format!(" tag={tag}"),
        };
        say(format_args!(
            "{shown}: {products}, {}{tag}",
            described(&rules)
        ));
        if let Some(programme) = Programme::of(&name)
            && let Some(limits) = programme.limits(&rules)
        {
            say(format_args!(
                "  {limits} Run: deals source set {name:?} amazon-india"
            ));
        }
    }
    Ok(())
}

/// Describes rules in a few words.
fn described(rules: &SourceRules) -> String {
    match rules.preset {
        Preset::Open => "open".to_owned(),
        Preset::AmazonIndia => "amazon-india".to_owned(),
        Preset::Own => {
            let Ok(Value::Object(fields)) = serde_json::to_value(rules) else {
                return "own".to_owned();
            };
            let each = fields.iter().filter(|(name, _)| *name != "preset");
            let each: Vec<String> = each
                .map(|(name, value)| match value {
                    Value::Bool(true) => format!("{name}=on"),
                    Value::Bool(false) => format!("{name}=off"),
                    Value::Null => format!("{name}=any"),
                    value => format!("{name}={value}"),
                })
                .collect();
            each.join(" ")
        }
    }
}

fn set(store: &Store, source: &str, rules: &[String]) -> anyhow::Result<()> {
    let known = store.count_sources()?;
    if !known.iter().any(|(name, _)| name == source) {
        let names: Vec<&str> = known.iter().map(|(name, _)| name.as_str()).collect();
        if names.is_empty() {
            bail!("there are no products yet, so there are no sellers.");
        }
        let names = names.join(", ");
        return Err(Usage(format!("there is no seller {source}. There are {names}.")).into());
    }
    let (tags, rules): (Vec<&String>, Vec<&String>) =
        rules.iter().partition(|rule| rule.starts_with("tag="));
    let mut change = Map::new();
    for tag in tags {
        let name = format!("{}{source}", SettingsChange::TAG);
        change.insert(name, tag.trim_start_matches("tag=").into());
    }
    let value = match rules.as_slice() {
        [] => None,
        [preset] if !preset.contains('=') => Some(Value::String((*preset).clone())),
        rules => {
            let mut fields = Map::new();
            for rule in rules {
                let (name, value) = rule.split_once('=').ok_or_else(|| {
                    Usage(format!("write {rule} as RULE=VALUE, like showRatings=off"))
                })?;
                fields.insert(name.to_owned(), value.into());
            }
            Some(Value::Object(fields))
        }
    };
    if let Some(value) = value {
        change.insert(format!("{}{source}", SettingsChange::SOURCE), value);
    }
    let settings = settings::apply(store, SettingsChange::new(change))?;
    let rules = settings.shop.sources.get(source);
    let rules = rules.cloned().unwrap_or_default();
    let tag = settings.shop.tags.get(source);
    let tag = tag.map_or_else(String::new, |tag| format!(" tag={tag}"));
    say(format_args!("{source}: {}{tag}", described(&rules)));
    Ok(())
}
