//! `deals log`.

use clap::Args;
use serde_json::{Map, Value, json};

use crate::cli::options::{Database, number};
use crate::cli::{open_existing, say, say_json};
use crate::domain::{Action, Activity, one_line, rfc3339};

#[derive(Debug, Args)]
pub(in crate::cli) struct LogCommand {
    #[command(flatten)]
    database: Database,

    /// The number of entries to show, newest first
    #[arg(long, default_value_t = 50, value_parser = number::<u32>(1..=1_000_000))]
    lines: u32,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl LogCommand {
    pub(in crate::cli) fn run(self) -> anyhow::Result<()> {
        let page = open_existing(&self.database.db)?.list_activity(true, 1, self.lines)?;
        if self.json {
            return say_json(&page.items.iter().map(body).collect::<Vec<_>>());
        }
        if page.items.is_empty() {
            say("nothing has been added, changed or deleted yet");
        }
        for activity in &page.items {
            say(line(activity));
        }
        Ok(())
    }
}

fn line(activity: &Activity) -> String {
    let what = match (&activity.title, &activity.product) {
        (Some(title), Some(_)) if activity.lines > 1 => {
            format!("{} products, first “{title}”", activity.lines)
        }
        (Some(title), Some(id)) => format!("“{title}” ({id})"),
        _ if activity.action == Action::Set => area(&activity.details).to_owned(),
        _ => "a file".to_owned(),
    };
    let undo = if activity.undo { "undo: " } else { "" };
    let details = describe(&activity.details);
    one_line(&format!(
        "{}  {}  {undo}{} {what}{details}",
        rfc3339(activity.at),
        activity.actor,
        activity.action.as_str(),
    ))
}

/// Names what a change of no product was about.
fn area(details: &Map<String, Value>) -> &'static str {
    match details.keys().next() {
        Some(name) if name.starts_with("person.") => "people",
        Some(name) if name.starts_with("key.") => "API keys",
        _ => "settings",
    }
}

/// Formats an entry as the API does.
fn body(activity: &Activity) -> Value {
    json!({
        "batch": activity.batch,
        "lines": activity.lines,
        "undo": activity.undo,
        "at": rfc3339(activity.at),
        "actor": activity.actor,
        "account": activity.account,
        "action": activity.action.as_str(),
        "product": activity.product,
        "title": activity.title,
        "gone": activity.gone,
        "details": activity.details,
    })
}

fn describe(details: &Map<String, Value>) -> String {
    let parts: Vec<String> = details
        .iter()
        .map(
            |(field, value)| match (value.get("from"), value.get("to")) {
                (Some(from), Some(to)) => format!("{field} {from} → {to}"),
                (None, Some(to)) => format!("{field} → {to}"),
                _ => format!("{value} {field}"),
            },
        )
        .collect();
    if parts.is_empty() {
        String::new()
    } else {
        format!(": {}", parts.join(", "))
    }
}
