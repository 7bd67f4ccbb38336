//! `deals report`.

use anyhow::anyhow;
use clap::{Args, Subcommand};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::catalog::export::report_csv;
use crate::cli::options::Database;
use crate::cli::{Usage, open_existing, say, say_json, write_text};
use crate::domain::{ReportBy, ReportRequest, ReportRow, date_of, group_digits, one_line};

#[derive(Debug, Args)]
pub(in crate::cli) struct ReportCommand {
    #[command(subcommand)]
    report: Report,
}

#[derive(Debug, Subcommand)]
enum Report {
    /// Report counted clicks and excluded ones
    Clicks(ClicksCommand),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  deals report clicks --by source --from 30d
  deals report clicks --by day --from 2026-11-01 --to 2026-11-30 --csv > november.csv

Days are in Indian Standard Time. May run beside the server.")]
struct ClicksCommand {
    #[command(flatten)]
    database: Database,

    #[arg(long, default_value = "day", help = ways())]
    by: String,

    /// The first day, like 2026-11-01, or 30d for the last 30 days
    #[arg(long, value_name = "DAY", default_value = "30d")]
    from: String,

    /// The last day [default: today]
    #[arg(long, value_name = "DAY")]
    to: Option<String>,

    /// Only of this seller
    #[arg(long)]
    source: Option<String>,

    /// Only of this category
    #[arg(long)]
    category: Option<String>,

    /// Only of the product with this _id
    #[arg(long, value_name = "ID")]
    product: Option<String>,

    /// Only from this channel, like telegram
    #[arg(long)]
    channel: Option<String>,

    /// Print CSV
    #[arg(long)]
    csv: bool,

    /// Print JSON
    #[arg(long, conflicts_with = "csv")]
    json: bool,
}

/// Formats a row as the API does.
fn body(row: &ReportRow) -> Value {
    let mut body = json!({
        "key": row.key,
        "label": row.label,
        "counted": row.counted,
        "leftOut": row.left_out,
    });
    if let Some(views) = row.page_views {
        body["views"] = views.seen.into();
        body["rate"] = views.rate().into();
    }
    body
}

/// Lists the ways to tell clicks apart.
fn ways() -> String {
    ReportBy::ALL.map(ReportBy::as_str).join(", ")
}

impl ReportCommand {
    pub(in crate::cli) fn run(self) -> anyhow::Result<()> {
        let Report::Clicks(asked) = self.report;
        let request = ReportRequest {
            from: Some(asked.from),
            to: asked.to,
            by: Some(asked.by),
            source: asked.source,
            category: asked.category,
            product: asked.product,
            channel: asked.channel,
        };
        let query = request.read(Timestamp::now()).map_err(|errors| {
            let lines: Vec<String> = errors.into_iter().map(|error| error.message).collect();
            Usage(lines.join(" "))
        })?;
        let rows = open_existing(&asked.database.db)?.report_clicks(&query)?;
        if asked.csv {
            write_text(&report_csv(&rows).map_err(|error| anyhow!(error))?);
            return Ok(());
        }
        let (from, to) = (date_of(query.from), date_of(query.to));
        let counted: u64 = rows.iter().map(|row| row.counted).sum();
        let left_out = rows.iter().map(|row| row.left_out).sum();
        if asked.json {
            return say_json(&json!({
                "from": from.to_string(),
                "to": to.to_string(),
                "by": query.by.as_str(),
                "rows": rows.iter().map(body).collect::<Vec<_>>(),
                "totals": {
                    "counted": counted,
                    "leftOut": left_out,
                    "clicks": counted + left_out,
                },
            }));
        }
        say(format_args!(
            "clicks by {}, {from} to {to}",
            query.by.as_str()
        ));
        let total = ReportRow {
            label: "total".to_owned(),
            counted,
            left_out,
            ..ReportRow::default()
        };
        say(format_args!("{:>10}  {:>11}", "counted", "not counted"));
        for row in rows.iter().chain([&total]) {
            let label = one_line(&row.label);
            let (counted, left_out) = (group_digits(row.counted), group_digits(row.left_out));
            say(format_args!("{counted:>10}  {left_out:>11}  {label}"));
        }
        Ok(())
    }
}
