//! `deals webhook`.

use anyhow::anyhow;
use clap::{Args, Subcommand};
use serde_json::{Value, json};

use crate::accounts::{AccountError, Accounts, MailWaker, Secrets, WebhookRequest};
use crate::cli::options::{Database, Fetching, Key};
use crate::cli::{OWNER, Usage, counted, open_existing, say, say_json};
use crate::domain::{Webhook, WebhookEvent, moment_in_india, rfc3339};

#[derive(Debug, Args)]
#[command(after_help = "\
A webhook sends events to a program's address, signed with a secret as standardwebhooks.com
describes. The server sends them, and tries them again for 28 hours. Events:
  product.added    a product became visible to visitors
  product.changed  a product that visitors see was changed
  product.ended    visitors no longer see a product as a deal
  backup.failed    a scheduled backup failed

Example:
  deals webhook add https://example.com/hook --event product.added --event product.ended")]
pub(in crate::cli) struct WebhookCommand {
    #[command(subcommand)]
    action: Action,

    #[command(flatten)]
    database: Database,

    #[command(flatten)]
    key: Key,

    #[command(flatten)]
    fetching: Fetching,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Make a webhook and print its secret once
    Add {
        /// The https address that receives the events
        url: String,
        /// Event to send; may be repeated
        #[arg(long = "event", required = true, value_name = "EVENT")]
        events: Vec<String>,
    },
    /// List every webhook
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Remove a webhook with everything that waits for it
    Remove {
        /// The webhook's address or id
        webhook: String,
    },
    /// Have the running server send a test
    Test {
        /// The webhook's address or id
        webhook: String,
    },
}

impl WebhookCommand {
    pub(in crate::cli) fn run(self) -> anyhow::Result<()> {
        let store = open_existing(&self.database.db)?;
        if let Action::List { json } = self.action {
            return list(&store.list_webhooks()?, json);
        }
        let secrets = Secrets::load(self.key.reveal(), &store)?;
        let accounts = Accounts::new(store, secrets, "", MailWaker::default());
        match self.action {
            Action::List { .. } => Ok(()),
            Action::Add { url, events } => {
                let request = WebhookRequest {
                    url,
                    events,
                    is_on: true,
                };
                let networks = &self.fetching.fetch_network;
                let added = accounts.add_webhook(&request, networks, OWNER);
                let (webhook, secret) = added.map_err(|error| explain(error, ""))?;
                say(&secret);
                crate::cli::complain(format_args!(
                    "This is the only time that the secret is shown. The webhook sends {} to {}.",
                    events_of(&webhook),
                    webhook.url
                ));
                Ok(())
            }
            Action::Remove { webhook } => {
                let removed = accounts.remove_webhook(&webhook, OWNER);
                let removed = removed.map_err(|error| explain(error, &webhook))?;
                say(format_args!("removed {}", removed.url));
                Ok(())
            }
            Action::Test { webhook } => {
                let queued = accounts.test_webhook(&webhook);
                queued.map_err(|error| explain(error, &webhook))?;
                say("the server sends a test; Manage, Webhooks shows what was answered");
                Ok(())
            }
        }
    }
}

fn list(webhooks: &[Webhook], as_json: bool) -> anyhow::Result<()> {
    if as_json {
        let bodies: Vec<Value> = webhooks.iter().map(body).collect();
        return say_json(&bodies);
    }
    if webhooks.is_empty() {
        say("there are no webhooks: `deals webhook add URL --event EVENT` makes one");
    }
    for webhook in webhooks {
        let state = match (webhook.is_on, webhook.failing_since) {
            (false, _) if webhook.off_reason.is_empty() => "off".to_owned(),
            (false, _) => format!("switched off: {}", webhook.off_reason),
            (true, Some(since)) => format!("failing since {}", moment_in_india(since)),
            (true, None) => "on".to_owned(),
        };
        say(format_args!(
            "{}: {}, {state}, {} waiting",
            webhook.url,
            events_of(webhook),
            counted(webhook.waiting, "event")
        ));
    }
    Ok(())
}

/// Formats a webhook as the API does.
fn body(webhook: &Webhook) -> Value {
    json!({
        "id": webhook.id,
        "url": webhook.url,
        "events": webhook.events.iter().map(|event| event.as_str()).collect::<Vec<_>>(),
        "on": webhook.is_on,
        "offReason": webhook.off_reason,
        "failingSince": webhook.failing_since.map(rfc3339),
        "waiting": webhook.waiting,
        "dropped": webhook.dropped,
        "formerSecretUntil": webhook.former_until.map(rfc3339),
        "createdAt": rfc3339(webhook.created_at),
    })
}

fn events_of(webhook: &Webhook) -> String {
    let names: Vec<_> = webhook
        .events
        .iter()
        .copied()
        .map(WebhookEvent::as_str)
        .collect();
    names.join(", ")
}

fn explain(error: AccountError, webhook: &str) -> anyhow::Error {
    match error {
        AccountError::Invalid(errors) => {
            let sentences: Vec<String> = errors.into_iter().map(|error| error.message).collect();
            Usage(sentences.join(" ")).into()
        }
        AccountError::Unknown => {
            anyhow!("there is no webhook {webhook}. List all with `deals webhook list`.")
        }
        other => anyhow!(other),
    }
}
