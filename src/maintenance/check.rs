//! The checks of `deals check`: the database, its files, the server and its configuration.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::path::Path;

use ipnet::IpNet;
use jiff::Timestamp;

use super::backups::{Backup, BackupPlace, BackupPlan};
use super::certificates::{Condition, SiteCertificate};
use crate::accounts::Secrets;
use crate::domain::moment_in_india;
use crate::mail::Mailer;
use crate::store::outgoing::count_jobs_in;
use crate::store::{
    ClickSizes, Finding, admins_without_factor_of, forbidden_by_programmes, is_derived,
    key_check_of, server_of, trial_of, verify, verify_checksum,
};

/// Name under which the time is stored at which an untrusted proxy was seen.
pub const UNTRUSTED_PROXY: &str = "untrusted-proxy";

/// Result of one check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckState {
    /// All is well.
    Fine,
    /// It works, and the owner may want to change something.
    Note,
    /// It does not work, or will stop to.
    Wrong,
}

/// A line of the report.
#[derive(Debug, Clone)]
pub struct CheckLine {
    /// The part of the shop that was checked.
    pub subject: String,
    /// The result.
    pub state: CheckState,
    /// The finding, and what to do if it is not fine.
    pub text: String,
}

/// The configuration to check.
pub struct CheckConfig<'a> {
    /// The database.
    pub database: &'a Path,
    /// `DEALS_SECRET`.
    pub secret: Option<&'a str>,
    /// The mail server, or the error in its configuration.
    pub mailer: Result<Mailer, String>,
    /// Variable or screen that names the mail server.
    pub mail_by: &'static str,
    /// The address that visitors use, if one is configured.
    pub public_url: Option<&'a str>,
    /// The schedule of backups, if the server makes them.
    pub backups: Option<&'a BackupPlan>,
    /// The certificate, if the server speaks TLS.
    pub certificate: Option<SiteCertificate>,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: &'a [IpNet],
    /// Whether administrators need a second factor.
    pub requires_totp: bool,
}

impl CheckConfig<'_> {
    /// Runs every check. Changes nothing.
    pub fn check(&self) -> Vec<CheckLine> {
        let mut lines = Vec::new();
        let mut add = |subject: &str, state, text: String| {
            lines.push(CheckLine {
                subject: subject.to_owned(),
                state,
                text,
            });
        };
        match verify_checksum(self.database) {
            // A database has none, unless it is a backup.
            Ok(false) => {}
            Ok(true) => add(
                "checksum",
                CheckState::Fine,
                "is the one that was recorded with this backup".to_owned(),
            ),
            Err(error) => add("checksum", CheckState::Wrong, error.to_string()),
        }
        match verify(self.database) {
            Ok((contents, findings)) => {
                add(
                    "database",
                    CheckState::Fine,
                    self.describe_contents(contents),
                );
                for Finding { subject, outcome } in findings {
                    let state = state_of(&outcome);
                    let name = self.database.display();
                    let advice = if is_derived(subject) {
                        format!(
                            ". Stop the server and run `deals backup new.sqlite --db {name}` and \
                             `deals restore new.sqlite --db {name}`: that makes them anew."
                        )
                    } else {
                        format!(". Restore a backup with `deals restore BACKUP --db {name}`.")
                    };
                    add(
                        subject,
                        state,
                        outcome.unwrap_or_else(|problem| problem + &advice),
                    );
                }
                let (state, text) = self.key();
                add("key", state, text);
            }
            Err(error) => add("database", CheckState::Wrong, error.to_string()),
        }
        let checks = [
            ("second factor", self.second_factor()),
            ("server", self.server()),
            ("files", self.modes()),
            ("wal", self.wal()),
            ("disk", self.disk()),
            ("mail", self.mail()),
            ("outgoing", self.outgoing()),
            ("address", self.address()),
            ("proxy", self.proxy()),
            ("certificate", self.certificate()),
            ("backups", self.backups()),
            ("sellers", self.sellers()),
            ("clicks", self.clicks()),
        ];
        for (subject, (state, text)) in checks {
            add(subject, state, text);
        }
        lines
    }

    fn key(&self) -> (CheckState, String) {
        let known = match key_check_of(self.database) {
            Ok(known) => known,
            Err(error) => return (CheckState::Wrong, error.to_string()),
        };
        if known.is_none() {
            return (CheckState::Fine, "is made at the first start".to_owned());
        }
        match Secrets::find(self.secret, self.database, known) {
            Ok(_) => (
                CheckState::Fine,
                "is the one that the accounts were made with".to_owned(),
            ),
            Err(error) => (CheckState::Wrong, error.to_string()),
        }
    }

    fn second_factor(&self) -> (CheckState, String) {
        let Ok(without) = admins_without_factor_of(self.database) else {
            return (CheckState::Fine, "is not known".to_owned());
        };
        let names = without.join(", ");
        match (self.requires_totp, without.is_empty()) {
            (true, false) => (
                CheckState::Note,
                format!("is required, and administrators without one can only set one up: {names}"),
            ),
            (_, true) => (CheckState::Fine, "every administrator has one".to_owned()),
            (false, false) => (
                CheckState::Fine,
                "is not required: --require-totp lets administrators in only with one".to_owned(),
            ),
        }
    }

    fn server(&self) -> (CheckState, String) {
        let text = match server_of(self.database) {
            Some(server) => format!("running as process {}", server.pid),
            None => "not running".to_owned(),
        };
        (CheckState::Fine, text)
    }

    fn mail(&self) -> (CheckState, String) {
        match &self.mailer {
            Err(problem) => (CheckState::Wrong, problem.clone()),
            Ok(Mailer::Log) => (
                CheckState::Note,
                "no mail server is configured, so mails are printed in the log. \
                 Choose one in the office, at Settings, Mail, or set DEALS_SMTP_URL and DEALS_MAIL_FROM."
                    .to_owned(),
            ),
            Ok(mailer) => match mailer.check() {
                Ok(()) => (CheckState::Fine, "the mail server answers".to_owned()),
                Err(problem) => (
                    CheckState::Wrong,
                    format!("{problem}. Mails wait; correct {}.", self.mail_by),
                ),
            },
        }
    }

    fn outgoing(&self) -> (CheckState, String) {
        let Ok([all, failed, given_up]) = count_jobs_in(self.database) else {
            return (CheckState::Fine, "is not known".to_owned());
        };
        if failed == 0 {
            return (CheckState::Fine, format!("{all} wait to be sent"));
        }
        let text = format!(
            "{failed} of {all} failed so far, {given_up} for good: see Posts, Sent in the office"
        );
        (CheckState::Note, text)
    }

    fn address(&self) -> (CheckState, String) {
        match self.public_url {
            None => (
                CheckState::Note,
                "no public address is configured: links in mails, feeds and shared pages lead to \
                 the listening address. Set DEALS_PUBLIC_URL."
                    .to_owned(),
            ),
            Some(url) if url.starts_with("http:") => (
                CheckState::Note,
                format!("visitors come by {url}, without encryption. Use https."),
            ),
            Some(url) => (CheckState::Fine, format!("visitors come by {url}")),
        }
    }

    /// Reports a proxy that is not trusted, so that all visitors have its address.
    fn proxy(&self) -> (CheckState, String) {
        let loopback: [IpAddr; 2] = [Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()];
        let mut proxies = self.trusted_proxies.iter();
        if proxies.any(|net| loopback.iter().any(|address| net.contains(address))) {
            return (
                CheckState::Fine,
                "one on this machine is trusted".to_owned(),
            );
        }
        let seen = match trial_of(self.database, UNTRUSTED_PROXY) {
            Ok(Some(at)) => format!(
                "X-Forwarded-For came from this machine on {}",
                moment_in_india(at)
            ),
            _ if self.trusted_proxies.is_empty()
                && self.certificate.is_none()
                && self.public_url.is_some_and(|url| url.starts_with("https:")) =>
            {
                "visitors come by https, which this server does not speak".to_owned()
            }
            // The line of the database has an error.
            _ => return (CheckState::Fine, "no other was seen".to_owned()),
        };
        (
            CheckState::Note,
            format!(
                "{seen}, so a proxy is in front. Set DEALS_TRUSTED_PROXY to its address, like \
                 127.0.0.1, or all visitors count as one."
            ),
        )
    }

    fn certificate(&self) -> (CheckState, String) {
        match &self.certificate {
            None => (CheckState::Fine, "the server speaks http only".to_owned()),
            Some(certificate) => {
                let (state, text) = match certificate.condition(Timestamp::now()) {
                    Condition::Fine(text) => (CheckState::Fine, text),
                    Condition::EndsSoon(text) => (CheckState::Note, text),
                    Condition::Stale(text) | Condition::Unusable(text) => (CheckState::Wrong, text),
                };
                match certificate.exposed_key() {
                    Some(exposed) if state == CheckState::Fine => {
                        (CheckState::Note, format!("{text}; {exposed}"))
                    }
                    Some(exposed) => (state, format!("{text} Also, {exposed}.")),
                    None => (state, text),
                }
            }
        }
    }

    fn backups(&self) -> (CheckState, String) {
        let Some(plan) = self.backups else {
            return (
                CheckState::Note,
                "the server makes none. Choose a place in the office, at Settings, Backups, set DEALS_BACKUP_DIR, or \
                 run `deals backup` regularly."
                    .to_owned(),
            );
        };
        let made = match plan.made(self.database) {
            Ok(made) => made,
            Err(error) => return (CheckState::Wrong, error),
        };
        let place = plan.place();
        let Some(newest) = made.first() else {
            let text = format!("there is none in {place} yet: the server makes one when it starts");
            return (CheckState::Note, text);
        };
        let ahead = made.iter().filter(|backup| backup.is_ahead()).count();
        if newest.is_ahead() {
            let text = format!(
                "all {ahead} in {place} are dated in the future: the clock was wrong then, or is now. \
                 Correct it; the server makes one when it starts."
            );
            return (CheckState::Wrong, text);
        }
        let described = newest.age_and_size();
        if plan.is_late(Some(newest.at)) == Some(true) {
            let text = format!(
                "the newest in {place} is older than it should be: {described}. \
                 Look for its reason in the server's log."
            );
            return (CheckState::Wrong, text);
        }
        let text = format!("{} in {place}, the newest in time: {described}", made.len());
        let (state, mut text) = match place {
            BackupPlace::Folder(_) => {
                checksums(text, &made).unwrap_or_else(|problem| (CheckState::Wrong, problem))
            }
            BackupPlace::Bucket(address) => (
                CheckState::Fine,
                format!("{text}; `deals restore {address} --verify` reads it"),
            ),
        };
        let mut notes = Vec::new();
        if ahead > 0 {
            notes.push(format!(
                "{ahead} are dated in the future, as the clock was wrong then, and count as the oldest"
            ));
        }
        if plan.is_on_same_disk(self.database) {
            notes.push(
                "they are on the disk of the database, and are lost with it: choose another disk or \
                 a bucket, or mount the disk that was meant"
                    .to_owned(),
            );
        }
        if state == CheckState::Wrong || notes.is_empty() {
            return (state, text);
        }
        for note in notes {
            text = format!("{text}; {note}");
        }
        (CheckState::Note, text)
    }

    fn clicks(&self) -> (CheckState, String) {
        let Ok(sizes) = ClickSizes::read_from(self.database) else {
            return (CheckState::Fine, "are not known".to_owned());
        };
        let text = format!(
            "{} sums of the last 15 days (at most {} an hour), {} of {} earlier days (at most {} \
             each), {} of views (at most {} a day)",
            sizes.hourly,
            ClickSizes::PER_HOUR,
            sizes.daily,
            sizes.days,
            ClickSizes::PER_DAY,
            sizes.page_views,
            ClickSizes::VIEWED_PER_DAY,
        );
        if sizes.was_full {
            let note = "An hour had more: what is beyond is in reports as \"Other deals\"";
            return (CheckState::Note, format!("{text}. {note}."));
        }
        (CheckState::Fine, text)
    }

    fn sellers(&self) -> (CheckState, String) {
        match forbidden_by_programmes(self.database) {
            Ok(shown) if !shown.is_empty() => (
                CheckState::Note,
                format!(
                    "{}, which its programme allows only as it says: choose at Sellers in the \
                     office, or with `deals settings set source.NAME=amazon-india`",
                    shown.join("; ")
                ),
            ),
            Ok(_) => (
                CheckState::Fine,
                "nothing is shown that a known programme forbids".to_owned(),
            ),
            // The line of the database has the error.
            Err(_) => (CheckState::Fine, "are not known".to_owned()),
        }
    }
}

/// Verifies the checksum of each backup in a folder, and completes the text about them.
///
/// # Errors
///
/// The sentence about the first that differs.
fn checksums(text: String, made: &[Backup]) -> Result<(CheckState, String), String> {
    let mut without = 0;
    for backup in made {
        if !verify_checksum(Path::new(&backup.name)).map_err(|error| error.to_string())? {
            without += 1;
        }
    }
    Ok(match without {
        0 => (CheckState::Fine, text + ", all with the right checksum"),
        _ => (
            CheckState::Note,
            format!("{text}; {without} from an older version carry no checksum"),
        ),
    })
}

fn state_of<T>(outcome: &Result<T, String>) -> CheckState {
    match outcome {
        Ok(_) => CheckState::Fine,
        Err(_) => CheckState::Wrong,
    }
}
