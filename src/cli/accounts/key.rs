//! `deals key`.

use anyhow::{anyhow, bail};
use clap::{Args, Subcommand};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::accounts::{AccountError, KEY_DAYS, KeyRequest, add_key, revoke_key};
use crate::cli::options::Database;
use crate::cli::{OWNER, Usage, open_existing, say, say_json};
use crate::domain::{ApiKey, Email, Role, Scope, User, date_in_india, rfc3339};
use crate::store::Store;

#[derive(Debug, Args)]
#[command(after_help = "\
A program sends its key as Authorization: Bearer KEY. A key belongs to an administrator: it
ends with the account, and when the account's role changes. Scopes:
  products:read   products in every state, and the export
  products:write  adding, changing and deleting products
  import          importing files
  reports:read    reports of clicks

Example:
  deals key add nightly --scope import --scope products:read --days 90")]
pub(in crate::cli) struct KeyCommand {
    #[command(subcommand)]
    action: KeyAction,

    #[command(flatten)]
    database: Database,
}

#[derive(Debug, Subcommand)]
enum KeyAction {
    /// Make a key and print it once
    Add {
        /// The name in the activity log
        name: String,
        /// Scope of the key; may be repeated
        #[arg(long = "scope", required = true, value_name = "SCOPE")]
        scopes: Vec<String>,
        /// Days for which it is valid, at most 730
        #[arg(long, default_value_t = KEY_DAYS)]
        days: i64,
        /// The administrator to whom it belongs [default: the oldest one]
        #[arg(long, value_name = "EMAIL")]
        owner: Option<String>,
    },
    /// List every key
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// End a key at once
    Revoke {
        /// The key's name
        name: String,
    },
}

impl KeyCommand {
    pub(in crate::cli) fn run(self) -> anyhow::Result<()> {
        let store = open_existing(&self.database.db)?;
        match self.action {
            KeyAction::Add {
                name,
                scopes,
                days,
                owner,
            } => {
                let owner = owner_of(&store, owner.as_deref())?;
                let request = KeyRequest { name, scopes, days };
                let (key, secret) = add_key(&store, &request, &owner, OWNER).map_err(explain)?;
                say(&secret);
                crate::cli::complain(format_args!(
                    "This is the only time that the key is shown. It is called {}, may {}, and is valid \
                     until {}.",
                    key.name,
                    scopes_of(&key),
                    date_in_india(key.expires_at)
                ));
                Ok(())
            }
            KeyAction::List { json } => list(&store, json),
            KeyAction::Revoke { name } => match revoke_key(&store, &name, OWNER) {
                Err(AccountError::Unknown) => {
                    bail!("there is no key {name}. List all with `deals key list`.")
                }
                revoked => {
                    say(format_args!("revoked {}", revoked?.name));
                    Ok(())
                }
            },
        }
    }
}

fn owner_of(store: &Store, email: Option<&str>) -> anyhow::Result<User> {
    let admins = store.list_users()?.into_iter();
    let mut admins = admins.filter(|user| user.role == Role::Admin);
    let Some(email) = email else {
        return admins.next().ok_or_else(|| {
            anyhow!("there is no administrator. Make one with `deals setup-link` first.")
        });
    };
    let wanted = Email::parse(email)
        .ok_or_else(|| Usage(format!("{email} is not an e-mail address")))?
        .key();
    admins
        .find(|user| user.email.key() == wanted)
        .ok_or_else(|| {
            anyhow!("{email} is no administrator. List all accounts with `deals user list`.")
        })
}

fn list(store: &Store, as_json: bool) -> anyhow::Result<()> {
    let keys = store.list_keys()?;
    if as_json {
        let bodies: Vec<Value> = keys.iter().map(body).collect();
        return say_json(&bodies);
    }
    if keys.is_empty() {
        say("there are no keys: `deals key add NAME --scope SCOPE` makes one");
    }
    let now = Timestamp::now();
    for key in &keys {
        let until = date_in_india(key.expires_at);
        let valid = if key.expires_at > now {
            format!("until {until}")
        } else {
            format!("expired on {until}")
        };
        let used = key.last_used_at.map_or_else(
            || "not used yet".to_owned(),
            |at| format!("used on {}", date_in_india(at)),
        );
        say(format_args!(
            "{}: {}, {valid}, {used}, of {}",
            key.name,
            scopes_of(key),
            key.owner.email.as_str()
        ));
    }
    Ok(())
}

/// Formats a key as the API does.
fn body(key: &ApiKey) -> Value {
    json!({
        "id": key.id,
        "name": key.name,
        "prefix": key.prefix,
        "scopes": key.scopes.iter().map(|scope| scope.as_str()).collect::<Vec<_>>(),
        "owner": key.owner.email.as_str(),
        "createdAt": rfc3339(key.created_at),
        "expiresAt": rfc3339(key.expires_at),
        "lastUsedAt": key.last_used_at.map(rfc3339),
    })
}

fn scopes_of(key: &ApiKey) -> String {
    let names: Vec<_> = key.scopes.iter().copied().map(Scope::as_str).collect();
    names.join(", ")
}

fn explain(error: AccountError) -> anyhow::Error {
    match error {
        AccountError::Invalid(errors) => {
            let sentences: Vec<String> = errors.into_iter().map(|error| error.message).collect();
            Usage(sentences.join(" ")).into()
        }
        other => anyhow!(other),
    }
}
