//! `deals links`.

use clap::{Args, Subcommand};
use jiff::Timestamp;
use serde_json::json;

use crate::cli::options::Database;
use crate::cli::{OWNER, Usage, counted, open_existing, say, say_json};
use crate::domain::{group_digits, one_line, rupees};
use crate::store::{RewrittenLinks, SameProducts, SettingsError, Store};

#[derive(Debug, Args)]
#[command(after_help = "\
With a tag, each link of the seller is canonical and carries the tag, also in imports and
new products. An empty tag ('') is none: links stay as they are then.

Examples:
  deals links tag --source Amazon x-21 --dry-run
  deals links tag --source Amazon x-21
  deals links clean
  deals links duplicates --json

May run beside the server.")]
pub(super) struct LinksCommand {
    #[command(subcommand)]
    action: LinkAction,

    #[command(flatten)]
    database: Database,
}

#[derive(Debug, Subcommand)]
enum LinkAction {
    /// Set the affiliate's tag of a seller and rewrite its links
    Tag {
        /// The seller's exact name
        #[arg(long)]
        source: String,
        /// As the programme shows it, like name-21
        tag: String,
        /// Only print what would change
        #[arg(long)]
        dry_run: bool,
    },
    /// Rewrite the links of sellers with a tag by the current rules
    Clean {
        /// Only print what would change
        #[arg(long)]
        dry_run: bool,
    },
    /// List products of a seller that are the same by their links
    Duplicates {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

impl LinksCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let store = open_existing(&self.database.db)?;
        match self.action {
            LinkAction::Tag {
                source,
                tag,
                dry_run,
            } => set_tag(&store, &source, &tag, dry_run),
            LinkAction::Clean { dry_run } => clean(&store, dry_run),
            LinkAction::Duplicates { json } => duplicates(&store, json),
        }
    }
}

fn set_tag(store: &Store, source: &str, tag: &str, dry_run: bool) -> anyhow::Result<()> {
    let done = if dry_run {
        store.preview_tag(source, tag)?
    } else {
        let now = Timestamp::now();
        store.change_tag(source, tag, OWNER.to_owned(), now)?
    };
    match done {
        Ok(links) => {
            report(&links, dry_run);
            Ok(())
        }
        Err(SettingsError::Invalid(errors)) => {
            let errors: Vec<String> = errors.into_iter().map(|error| error.message).collect();
            Err(Usage(format!("nothing was changed. {}", errors.join(" "))).into())
        }
        Err(error) => Err(error.into()),
    }
}

fn clean(store: &Store, dry_run: bool) -> anyhow::Result<()> {
    let rules = store.link_rules()?;
    let sources: Vec<String> = rules.tagged_sellers().map(str::to_owned).collect();
    if sources.is_empty() {
        say("no seller has a tag. Run: deals links tag --source NAME TAG");
        return Ok(());
    }
    let links = if dry_run {
        store.preview_links(rules, &sources)?
    } else {
        store.clean_links(OWNER.to_owned(), Timestamp::now())?
    };
    report(&links, dry_run);
    Ok(())
}

fn report(links: &RewrittenLinks, dry_run: bool) {
    for example in &links.examples {
        say(one_line(&format!("  {}", example.from)));
        say(one_line(&format!("  → {}", example.to)));
    }
    let would = if dry_run { "would change" } else { "changed" };
    say(format_args!(
        "{} of {} {would}",
        group_digits(links.changed),
        counted_links(links.products)
    ));
    if links.equal > 0 {
        say(format_args!(
            "{} {} the same link as another: deals links duplicates",
            links.equal,
            if links.equal == 1 { "has" } else { "have" }
        ));
    }
}

fn counted_links(links: u64) -> String {
    counted(i64::try_from(links).unwrap_or(i64::MAX), "link")
}

fn duplicates(store: &Store, as_json: bool) -> anyhow::Result<()> {
    let (groups, total) = store.link_duplicates(usize::MAX)?;
    if as_json {
        return say_json(&groups.iter().map(body).collect::<Vec<_>>());
    }
    if total == 0 {
        say("no seller has a product twice, by its links");
    }
    for group in &groups {
        let id = group.product_id.as_deref().unwrap_or("the same link");
        say(one_line(&format!("{}: {id}", group.source)));
        for product in &group.products {
            say(one_line(&format!(
                "  {}  {}  {}  {}  {}",
                product.id,
                rupees(product.final_price),
                product.state.as_str(),
                product.title,
                product.link
            )));
        }
    }
    Ok(())
}

fn body(group: &SameProducts) -> serde_json::Value {
    let products = group.products.iter().map(|product| {
        json!({
            "_id": product.id,
            "title": product.title,
            "affiliateLink": product.link,
            "finalPrice": product.final_price,
            "state": product.state.as_str(),
        })
    });
    json!({
        "source": group.source,
        "productId": group.product_id,
        "products": products.collect::<Vec<_>>(),
    })
}
