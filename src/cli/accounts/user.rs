//! `deals user`.

use std::io::{self, BufRead, IsTerminal};

use anyhow::{Context, anyhow, bail};
use clap::{Args, Subcommand, ValueEnum};
use serde_json::{Value, json};

use super::reset_key::reset_key;
use crate::accounts::{AccountError, Accounts, Secrets, Waker};
use crate::cli::options::{Database, Key};
use crate::cli::{OWNER, Usage, complain, open_existing, open_or_create, say, say_json};
use crate::domain::{Email, Password, Registration, Role, User, rfc3339};

#[derive(Debug, Args)]
#[command(after_help = "\
May run beside the server, which applies changes at once. There is no default account;
make the first administrator in a browser, with the link that `deals serve` or
`deals setup-link` prints, or here:
  deals user add you@example.com --username you --admin")]
pub(in crate::cli) struct UserCommand {
    #[command(subcommand)]
    action: UserAction,

    #[command(flatten)]
    database: Database,

    #[command(flatten)]
    key: Key,
}

/// A role on the command line.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum RoleName {
    Admin,
    Editor,
    User,
}

impl From<RoleName> for Role {
    fn from(name: RoleName) -> Self {
        match name {
            RoleName::Admin => Self::Admin,
            RoleName::Editor => Self::Editor,
            RoleName::User => Self::User,
        }
    }
}

#[derive(Debug, Subcommand)]
enum UserAction {
    /// Add a verified account
    Add {
        /// The e-mail address to sign in with
        email: String,
        /// The display name
        #[arg(long)]
        username: String,
        /// Make the account an administrator; the same as --role admin
        #[arg(long, conflicts_with = "role")]
        admin: bool,
        /// Role: admin does everything, editor has products, imports and reports
        #[arg(long, default_value = "user")]
        role: RoleName,
        /// Read the password from the first line of standard input instead of prompting
        #[arg(long)]
        password_stdin: bool,
    },
    /// List every account
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Make an account an administrator
    Promote {
        /// The account's e-mail address
        email: String,
    },
    /// Change what an account may do, sign it out and end its API keys
    SetRole {
        /// The account's e-mail address
        email: String,
        /// The new role
        role: RoleName,
    },
    /// Make an administrator or editor an ordinary user and sign them out
    Demote {
        /// The account's e-mail address
        email: String,
    },
    /// Delete an account and sign it out everywhere
    Remove {
        /// The account's e-mail address
        email: String,
    },
    /// Replace a password and sign the account out everywhere
    SetPassword {
        /// The account's e-mail address
        email: String,
        /// Read the password from the first line of standard input instead of prompting
        #[arg(long)]
        password_stdin: bool,
    },
    /// Remove the second factor of an account whose owner lost it, and forget its devices
    ResetTotp {
        /// The account's e-mail address
        email: String,
    },
    /// Make a new key for a shop whose key is lost; everybody must set a new password
    ResetKey {
        /// Do not ask for confirmation
        #[arg(long)]
        yes: bool,
    },
}

impl UserCommand {
    pub(in crate::cli) fn run(self) -> anyhow::Result<()> {
        let path = &self.database.db;
        let secret = self.key.reveal();
        if let UserAction::ResetKey { yes } = self.action {
            return reset_key(path, secret, yes);
        }
        let store = match self.action {
            // May be the first command for a new database.
            UserAction::Add { .. } => open_or_create(path)?,
            _ => open_existing(path)?,
        };
        let secrets = Secrets::load(secret, &store)?;
        // The server sends the mails.
        let accounts = Accounts::new(store, secrets, "", Waker::default());
        match self.action {
            UserAction::Add {
                email,
                username,
                admin,
                role,
                password_stdin,
            } => {
                let role = if admin { Role::Admin } else { role.into() };
                add(&accounts, &email, &username, role, password_stdin)
            }
            UserAction::List { json } => list(&accounts, json),
            // Handled before the key is loaded.
            UserAction::ResetKey { .. } => Ok(()),
            UserAction::Promote { email } => set_role(&accounts, &email, Role::Admin),
            UserAction::SetRole { email, role } => set_role(&accounts, &email, role.into()),
            UserAction::Demote { email } => set_role(&accounts, &email, Role::User),
            UserAction::Remove { email } => {
                let address = address(&email)?;
                accounts
                    .remove(&address, OWNER)
                    .map_err(|error| explain(error, &email))?;
                say(format_args!("removed {email}"));
                warn_without_admin(&accounts)
            }
            UserAction::ResetTotp { email } => reset_totp(&accounts, &email),
            UserAction::SetPassword {
                email,
                password_stdin,
            } => {
                let address = address(&email)?;
                let password = Password::parse(&read_password(password_stdin)?)
                    .map_err(|error| anyhow!(error))?;
                accounts
                    .set_password(&address, &password, OWNER)
                    .map_err(|error| explain(error, &email))?;
                say(format_args!(
                    "replaced the password of {email} and signed out every device"
                ));
                Ok(())
            }
        }
    }
}

fn add(
    accounts: &Accounts,
    email: &str,
    username: &str,
    role: Role,
    password_stdin: bool,
) -> anyhow::Result<()> {
    address(email)?;
    let password = read_password(password_stdin)?;
    let form = Registration::parse(username, email, &password)
        .map_err(|errors| explain(AccountError::Invalid(errors), email))?;
    accounts
        .add(&form, role, OWNER)
        .map_err(|error| explain(error, email))?;
    say(format_args!("added {email} as {}", describe(role)));
    Ok(())
}

fn list(accounts: &Accounts, as_json: bool) -> anyhow::Result<()> {
    let users = accounts.list()?;
    if as_json {
        let bodies: Vec<Value> = users.iter().map(body).collect();
        return say_json(&bodies);
    }
    if users.is_empty() {
        say(format_args!(
            "there are no accounts yet: `deals setup-link` makes the first administrator in a browser, \
             `deals user add EMAIL --username NAME --admin` here"
        ));
        return Ok(());
    }
    let width = |heading: &str, text: fn(&User) -> &str| {
        let longest = users.iter().map(|user| text(user).chars().count()).max();
        longest.unwrap_or_default().max(heading.len())
    };
    let emails = width("EMAIL", |user| user.email.as_str());
    let names = width("USERNAME", |user| &user.username);
    say(format_args!(
        "{:emails$}  {:names$}  ROLE    SINCE       SECOND FACTOR",
        "EMAIL", "USERNAME"
    ));
    for user in &users {
        say(format_args!(
            "{:emails$}  {:names$}  {:6}  {}  {}",
            user.email.as_str(),
            user.username,
            user.role.as_str(),
            user.created_at.strftime("%Y-%m-%d"),
            if user.has_factor { "yes" } else { "no" }
        ));
    }
    Ok(())
}

/// Formats an account as the API does.
fn body(user: &User) -> Value {
    json!({
        "_id": user.id,
        "username": user.username,
        "email": user.email.as_str(),
        "Role": user.role.as_str(),
        "createdAt": rfc3339(user.created_at),
        "secondFactor": user.has_factor,
    })
}

fn set_role(accounts: &Accounts, email: &str, role: Role) -> anyhow::Result<()> {
    accounts
        .set_role(&address(email)?, role, OWNER)
        .map_err(|error| explain(error, email))?;
    say(format_args!("{email} is now {}", describe(role)));
    warn_without_admin(accounts)
}

fn reset_totp(accounts: &Accounts, email: &str) -> anyhow::Result<()> {
    let was_on = accounts
        .reset_factor(&address(email)?, OWNER)
        .map_err(|error| explain(error, email))?;
    say(if was_on {
        format!("{email} signs in without a code now, and gets a mail that says so")
    } else {
        format!("{email} has no second factor: nothing was changed")
    });
    Ok(())
}

fn describe(role: Role) -> &'static str {
    match role {
        Role::Admin => "an administrator",
        Role::Editor => "an editor",
        Role::User => "an ordinary user",
    }
}

fn warn_without_admin(accounts: &Accounts) -> anyhow::Result<()> {
    let users = accounts.list()?;
    if !users.iter().any(|user| user.role == Role::Admin) {
        complain(format_args!(
            "deals: no administrator is left. Make one with `deals user promote EMAIL`."
        ));
    }
    Ok(())
}

fn address(text: &str) -> anyhow::Result<Email> {
    Email::parse(text).ok_or_else(|| Usage(format!("{text} is not an e-mail address")).into())
}

fn explain(error: AccountError, email: &str) -> anyhow::Error {
    match error {
        AccountError::Exists => anyhow!(
            "{email} already has an account. Change it with promote, demote or set-password."
        ),
        AccountError::Unknown => {
            anyhow!("there is no account {email}. List all with `deals user list`.")
        }
        AccountError::Invalid(errors) => {
            let sentences: Vec<String> = errors.into_iter().map(|error| error.message).collect();
            Usage(sentences.join(" ")).into()
        }
        other => anyhow!(other),
    }
}

/// Reads a password from standard input, or prompts for it twice.
fn read_password(from_standard_input: bool) -> anyhow::Result<String> {
    if from_standard_input {
        let mut line = String::new();
        io::stdin()
            .lock()
            .read_line(&mut line)
            .context("cannot read the password from standard input")?;
        return Ok(line.trim_end_matches(['\r', '\n']).to_owned());
    }
    if !io::stdin().is_terminal() {
        bail!("there is no terminal to prompt for the password: use --password-stdin");
    }
    let password = rpassword::prompt_password("Password: ")?;
    let again = rpassword::prompt_password("Repeat password: ")?;
    if password != again {
        bail!("the two passwords differ");
    }
    Ok(password)
}
