//! `deals prices`.

use anyhow::bail;
use clap::Args;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::cli::options::Database;
use crate::cli::{OWNER, Usage, open_existing, say, say_json};
use crate::domain::{Discount, PriceHistory, rfc3339, rupees, short_rupees};
use crate::store::{PricePoint, Store, StoreError};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  deals prices 019abc…
  deals prices 019abc… --strike 2026-11-03T06:30:00.000Z    it was a typing error

May run beside the server.")]
pub(in crate::cli) struct PricesCommand {
    #[command(flatten)]
    database: Database,

    /// The product's _id, as in its address
    id: String,

    /// Remove the former price that was first seen at this time
    #[arg(long, value_name = "TIME")]
    strike: Option<String>,

    /// Print JSON
    #[arg(long, conflicts_with = "strike")]
    json: bool,
}

impl PricesCommand {
    pub(in crate::cli) fn run(self) -> anyhow::Result<()> {
        let store = open_existing(&self.database.db)?;
        match &self.strike {
            Some(time) => strike(&store, &self.id, time),
            None if self.json => print_json(&store, &self.id),
            None => print(&store, &self.id),
        }
    }
}

fn strike(store: &Store, id: &str, time: &str) -> anyhow::Result<()> {
    let from: Timestamp = time.parse().map_err(|_| {
        Usage(format!(
            "--strike takes the time of a former price, as printed by `deals prices {id}`."
        ))
    })?;
    find(store, id)?;
    let actor = OWNER.to_owned();
    match store
        .strike_price(id.to_owned(), from, actor, Timestamp::now())
        .wait()
    {
        Err(StoreError::NotFound) => {
            bail!("there is no such price: `deals prices {id}` lists them.")
        }
        Err(StoreError::Conflict(_)) => {
            bail!("this is the current price: change the product instead.")
        }
        other => other?,
    }
    say("struck out");
    Ok(())
}

fn print(store: &Store, id: &str) -> anyhow::Result<()> {
    let product = find(store, id)?;
    let points = store.price_points(id)?;
    if points.is_empty() {
        say("no prices are recorded: the seller's rules forbid it");
        return Ok(());
    }
    for point in &points {
        let run = point.run;
        let by = if point.origin.is_empty() {
            "a file"
        } else {
            &point.origin
        };
        say(format_args!(
            "{}  {}  {:>14}  of {:>14}  by {by}",
            rfc3339(run.from),
            rfc3339(run.until),
            rupees(run.final_price),
            rupees(run.price),
        ));
    }
    let runs = points.into_iter().map(|point| point.run).collect();
    print_verdict(&PriceHistory::new(runs, Timestamp::now()), product);
    Ok(())
}

fn print_json(store: &Store, id: &str) -> anyhow::Result<()> {
    let claimed = find(store, id)?;
    let points = store.price_points(id)?;
    let bodies: Vec<Value> = points
        .iter()
        .map(|PricePoint { run, origin }| {
            json!({
                "from": rfc3339(run.from),
                "until": rfc3339(run.until),
                "price": run.price,
                "finalPrice": run.final_price,
                "origin": origin,
            })
        })
        .collect();
    let runs = points.into_iter().map(|point| point.run).collect();
    let history = PriceHistory::new(runs, Timestamp::now());
    let (figures, verdict) = (history.figures(), history.verdict(claimed));
    let figures = figures.as_ref();
    say_json(&json!({
        "since": figures.map(|it| rfc3339(it.since)),
        "low30": figures.and_then(|it| it.low30),
        "low90": figures.and_then(|it| it.low90),
        "usual": figures.and_then(|it| it.usual),
        "verdict": verdict.map(|it| json!({
            "kind": it.kind.as_str(),
            "words": it.words,
            "sentence": it.sentence,
        })),
        "points": bodies,
    }))
}

fn print_verdict(history: &PriceHistory, claimed: Discount) {
    let Some(verdict) = history.verdict(claimed) else {
        return;
    };
    say(verdict.sentence);
    for figure in verdict.figures {
        say(format_args!(
            "{}: {}",
            figure.name,
            short_rupees(figure.amount)
        ));
    }
}

/// Returns the discount of a product.
fn find(store: &Store, id: &str) -> anyhow::Result<Discount> {
    match store.find_product(id) {
        Err(StoreError::NotFound) => bail!("there is no product {id}."),
        found => Ok(found?.details.discount),
    }
}
