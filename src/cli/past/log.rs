//! `deals log`.

use clap::Args;
use serde_json::{Map, Value};

use crate::cli::options::Database;
use crate::cli::{open_existing, say};
use crate::domain::{Action, Activity, rfc3339};

#[derive(Debug, Args)]
pub(in crate::cli) struct LogCommand {
    #[command(flatten)]
    database: Database,

    /// The number of entries to show, newest first
    #[arg(long, env = "DEALS_LINES", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    lines: u32,
}

impl LogCommand {
    pub(in crate::cli) fn run(self) -> anyhow::Result<()> {
        let page = open_existing(&self.database.db)?.list_activity(1, self.lines)?;
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
        _ if activity.action == Action::Set => "settings".to_owned(),
        _ => "a file".to_owned(),
    };
    let undo = if activity.undo { "undo: " } else { "" };
    let details = describe(&activity.details);
    format!(
        "{}  {}  {undo}{} {what}{details}",
        rfc3339(activity.at),
        activity.actor,
        activity.action.as_str(),
    )
    // Keeps an entry on one line.
    .replace(['\n', '\r'], " ")
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
