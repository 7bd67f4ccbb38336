//! `deals check`.

use std::time::Duration;

use anyhow::bail;
use clap::Args;
use serde_json::json;

use super::options::{ServeConfig, environment};
use super::serve::{mail_options, mailer_of, plan_of};
use super::{counted, say, say_json};
use crate::http::Certificate;
use crate::jobs;
use crate::maintenance::check::{CheckConfig, CheckLine, CheckState};
use crate::maintenance::listener::presented;
use crate::replica::position_of;
use crate::store::server_of;

/// Maximum duration of asking the server for its certificate.
const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Debug, Args)]
#[command(after_help = "\
Takes the options and variables of `deals serve`, to check the same configuration.
Changes nothing, and may run beside the server. Exits with status 1 if there is a
problem; notes are not problems.")]
pub(super) struct CheckCommand {
    #[command(flatten)]
    config: ServeConfig,

    /// Print JSON instead of lines
    #[arg(long)]
    json: bool,
}

impl CheckCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let config = self.config;
        let plan = plan_of(&config);
        let public_url = config.known_url();
        let listening = config.address.listening(&config.database.db, None);
        let certificate = listening.certificate.as_ref().map(Certificate::site);
        if let Some(certificate) = &certificate
            && server_of(&config.database.db).is_some()
        {
            let name = config.address.certified_name();
            // Without an answer, the files are all that is known.
            let served = presented(&listening.address, name, PATIENCE);
            certificate.served.set(served.ok().flatten());
        }
        let checked = CheckConfig {
            database: &config.database.db,
            secret: config.key.reveal(),
            mailer: mailer_of(
                &config.mail,
                &mail_options(&config),
                &config.database.db,
                config.key.reveal(),
            )
            .map_err(|error| error.to_string()),
            mail_by: match config.mail.url() {
                Some(_) => "DEALS_SMTP_URL",
                None => "the settings of the mail server",
            },
            public_url: public_url.as_ref().map(url::Url::as_str),
            backups: plan.as_ref(),
            certificate,
            trusted_proxies: &config.trusted_proxy,
            requires_totp: config.require_totp,
        };
        let mut lines = checked.check();
        lines.extend(environment::unknown().into_iter().map(|text| CheckLine {
            subject: "settings".to_owned(),
            state: CheckState::Note,
            text,
        }));
        lines.extend(jobs::check(&config.database.db));
        lines.extend(
            position_of(&config.database.db).map(|(place, position)| CheckLine {
                subject: "follower".to_owned(),
                state: CheckState::Fine,
                text: format!("a copy of {place}, up to transaction {position}"),
            }),
        );
        let count = |state| lines.iter().filter(|line| line.state == state).count();
        let wrong = count(CheckState::Wrong);
        if self.json {
            say_json(&as_json(&lines))?;
        } else {
            for line in &lines {
                say(format_args!(
                    "{:<5}  {:<15}  {}",
                    word(line.state),
                    line.subject,
                    line.text
                ));
            }
            let [fine, notes] = [CheckState::Fine, CheckState::Note].map(count);
            say(format_args!(
                "{fine} ok, {}, {}",
                counted(notes, "note"),
                counted(wrong, "problem")
            ));
        }
        if wrong > 0 {
            bail!("{} found", counted(wrong, "problem"));
        }
        Ok(())
    }
}

fn word(state: CheckState) -> &'static str {
    match state {
        CheckState::Fine => "ok",
        CheckState::Note => "note",
        CheckState::Wrong => "wrong",
    }
}

fn as_json(lines: &[CheckLine]) -> serde_json::Value {
    let checks: Vec<_> = lines
        .iter()
        .map(|line| json!({ "check": line.subject, "state": word(line.state), "text": line.text }))
        .collect();
    let ok = lines.iter().all(|line| line.state != CheckState::Wrong);
    json!({ "ok": ok, "checks": checks })
}
