//! `deals mail`.

use anyhow::{anyhow, bail};
use clap::{Args, Subcommand};
use jiff::Timestamp;
use url::Url;

use super::options::{Database, Fetching, Key, MailConfig, public_url};
use super::serve::mailer_of;
use super::{open_existing, say};
use crate::accounts::MailOptions;
use crate::domain::{Email, Settings};
use crate::mail::Message;
use crate::maintenance::needs::MAIL_TRIAL;

#[derive(Debug, Args)]
#[command(after_help = "\
Takes the mail options and variables of `deals serve`; without a mail server in them, the one
chosen in the office is tried. May run beside the server.

Examples:
  deals mail test you@example.com
  deals mail test you@example.com --smtp-url smtps://user:p%40ss@mail.example.com \\
    --mail-from 'Deals <deals@example.com>'")]
pub(super) struct MailCommand {
    #[command(subcommand)]
    action: MailAction,
}

#[derive(Debug, Subcommand)]
enum MailAction {
    /// Send a test mail to an address, and say what happened
    Test(Test),
}

#[derive(Debug, Args)]
struct Test {
    /// The recipient
    #[arg(value_name = "ADDRESS")]
    to: String,

    #[command(flatten)]
    mail: MailConfig,

    #[command(flatten)]
    key: Key,

    #[command(flatten)]
    fetching: Fetching,

    /// The public address of the site, for the text
    #[arg(long, env = "DEALS_PUBLIC_URL", value_name = "URL", value_parser = public_url)]
    public_url: Option<Url>,

    #[command(flatten)]
    database: Database,
}

impl MailCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        match self.action {
            MailAction::Test(test) => test.run(),
        }
    }
}

impl Test {
    fn run(self) -> anyhow::Result<()> {
        let to = match Email::parse(&self.to) {
            Some(email) => email.as_str().to_owned(),
            // Some mail servers take other letters before the @ as well.
            None if !self.to.is_ascii() => self.to.trim().to_owned(),
            None => bail!("{} is not an e-mail address", self.to),
        };
        let options = MailOptions {
            sender: self.mail.mail_from.clone(),
            authority: self.mail.smtp_ca.clone(),
            site: self.public_url.clone(),
            networks: self.fetching.fetch_network.clone(),
        };
        let mailer = mailer_of(&self.mail, &options, &self.database.db, self.key.reveal())?;
        let Some(server) = mailer.server() else {
            bail!(
                "no mail server is configured. Choose one in the office, at Settings, Mail, or set \
                 DEALS_SMTP_URL and DEALS_MAIL_FROM."
            );
        };
        // Mail can be tried before there is a shop.
        let path = &self.database.db;
        let store = path.exists().then(|| open_existing(path)).transpose()?;
        let settings = match &store {
            Some(store) => store.settings()?,
            None => Settings::default(),
        };
        let address = self.public_url.as_ref().map(Url::as_str);
        let message = Message::test(to.clone(), settings.shop.display_name(), address);
        mailer
            .send(&message)
            .map_err(|reason| anyhow!("the mail was not sent: {reason}"))?;
        if let Some(store) = &store {
            store.note_trial(MAIL_TRIAL, Timestamp::now()).wait()?;
        }
        say(format_args!(
            "{server} accepted the mail to {to}. If it does not arrive, look among the junk mail and \
             in the mail server's log."
        ));
        Ok(())
    }
}
