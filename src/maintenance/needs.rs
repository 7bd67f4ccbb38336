//! Problems that need the owner's attention, and the first steps in a new shop.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use url::{Host, Url};

use super::backups::{BackupPlace, BackupPlan, file_name, sentence};
use super::certificates::{Condition, SiteCertificate};
use super::disk::readable;
use crate::domain::{Needs, Programme, date_in_india};
use crate::mail::Mailer;
use crate::store::{Store, StoreError};

/// Greatest age of the newest backup.
const OLD_BACKUP: Duration = Duration::from_secs(2 * 24 * 3_600);
/// Name of the trial in which a test mail was sent.
pub const MAIL_TRIAL: &str = "mail";

/// The configuration that the needs depend on.
pub struct NeedsConfig<'a> {
    /// The mail server, or the log without one.
    pub mailer: Arc<Mailer>,
    /// The address that visitors use.
    pub public_url: &'a Url,
    /// The schedule of backups, if the server makes them.
    pub backups: Option<BackupPlan>,
    /// Why the last backup failed, if it did.
    pub failed_backup: Option<String>,
    /// The certificate, if the server speaks TLS.
    pub certificate: Option<&'a SiteCertificate>,
}

/// A problem for the owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Need {
    /// Its subject, by which the screen chooses a link.
    pub key: &'static str,
    /// The problem in a few words.
    pub text: String,
    /// More about it; may be empty.
    pub details: String,
    /// Number of products concerned; 0 for needs that are not about products.
    pub products: u64,
}

/// A step of setting up a shop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetupStep {
    /// Its subject, by which the screen chooses a link.
    pub key: &'static str,
    /// The step.
    pub title: &'static str,
    /// Instructions.
    pub hint: &'static str,
    /// Present setting in a sentence; may be empty.
    pub state: String,
    /// True if it is done.
    pub is_done: bool,
}

impl Need {
    fn new(key: &'static str, text: impl Into<String>, details: impl Into<String>) -> Self {
        Self {
            key,
            text: text.into(),
            details: details.into(),
            products: 0,
        }
    }

    /// Sets the number of products concerned.
    fn about(self, products: u64) -> Self {
        Self { products, ..self }
    }
}

impl NeedsConfig<'_> {
    /// Returns the problems at a time; `system_now` is compared with the times of files.
    pub fn needs(
        &self,
        store: &Store,
        now: Timestamp,
        system_now: SystemTime,
    ) -> Result<Vec<Need>, StoreError> {
        let found = store.needs(now)?;
        let mut needs = Vec::new();
        if let Mailer::Unusable(_, reason) = &*self.mailer {
            needs.push(Need::new("mail", "No mail can be sent", sentence(reason)));
        } else if found.failed_jobs > 0 {
            let messages = counted(found.failed_jobs, "message", "messages");
            let text = format!("{messages} could not be sent yet");
            let details = "See why under Posts, Sent. Sending is tried again.";
            needs.push(Need::new("outgoing", text, details));
        }
        if let Some((text, details)) = channels(store)? {
            needs.push(Need::new("channel", text, details));
        }
        if let Some((text, details)) = self.backup(store, system_now) {
            needs.push(Need::new("backup", text, details));
        }
        if let Some((text, details)) = self.certificate(now) {
            needs.push(Need::new("certificate", text, details));
        }
        let (tagged, untagged) = tags(store)?;
        if !untagged.is_empty() {
            let text = match tagged.is_empty() {
                true => "No affiliate tag is set".to_owned(),
                false => format!("No affiliate tag for {}", untagged.join(", ")),
            };
            let details = "Clicks on deals without your tag may earn you nothing.";
            needs.push(Need::new("tag", text, details));
        }
        if let Some((text, details)) = sources(store)? {
            needs.push(Need::new("source", text, details));
        }
        needs.extend(deals(&found));
        Ok(needs)
    }

    fn certificate(&self, now: Timestamp) -> Option<(&'static str, String)> {
        match self.certificate?.condition(now) {
            Condition::EndsSoon(details) => Some(("The certificate ends soon", details)),
            Condition::Stale(details) => Some(("The certificate's files can't be used", details)),
            Condition::Unusable(details) => Some(("Browsers refuse the certificate", details)),
            Condition::Fine(_) => None,
        }
    }

    fn backup(&self, store: &Store, now: SystemTime) -> Option<(String, String)> {
        let Some(plan) = &self.backups else {
            return Some((
                "The server makes no backups".to_owned(),
                "Choose a place for them at Settings, Backups.".to_owned(),
            ));
        };
        if let Some(reason) = &self.failed_backup {
            let newest = plan.newest(store.path()).ok().flatten();
            let newest = newest.map(|newest| format!(" The newest is {}.", newest.age_and_size()));
            let reason = format!(
                "{}.{}",
                reason.trim_end_matches('.'),
                newest.unwrap_or_default()
            );
            return Some(("The last backup failed".to_owned(), reason));
        }
        let place = plan.place();
        let newest = match plan.newest(store.path()) {
            Ok(newest) => newest,
            Err(error) => {
                return Some((
                    "The folder of the backups can't be read".to_owned(),
                    format!("{place}: {error}"),
                ));
            }
        };
        let Some(newest) = newest else {
            return Some(("There is no backup yet".to_owned(), format!("In {place}.")));
        };
        let age = now.duration_since(newest.at).unwrap_or_default();
        if age <= OLD_BACKUP {
            return None;
        }
        let days = age.as_secs() / (24 * 3_600);
        Some((
            format!("The last backup is {} old", counted(days, "day", "days")),
            format!("{}, {}", file_name(&newest.name), readable(newest.bytes)),
        ))
    }

    /// Returns the first steps, in their order.
    pub fn steps(&self, store: &Store) -> Result<Vec<SetupStep>, StoreError> {
        let settings = store.settings()?;
        let products = store.count_products()?;
        let (tagged, _) = tags(store)?;
        let step = |key, title, hint, state, is_done| SetupStep {
            key,
            title,
            hint,
            state,
            is_done,
        };
        let backups = self.backups.as_ref().map(BackupPlan::place);
        Ok(vec![
            // Only an administrator sees the steps.
            step(
                "administrator",
                "Make an administrator",
                "deals user add --admin makes more of them.",
                String::new(),
                true,
            ),
            step(
                "name",
                "Name your shop",
                "Its name, logo and colour are on every page.",
                format!("Its name is {}.", settings.shop.display_name()),
                !settings.shop.name.is_empty(),
            ),
            step(
                "products",
                "Bring your products",
                "Paste a link, import a file, or look around with demo products.",
                match u64::try_from(products).unwrap_or_default() {
                    0 => "There are none yet.".to_owned(),
                    some => format!("It shows {}.", counted(some, "deal", "deals")),
                },
                products > 0,
            ),
            step(
                "tags",
                "Earn from your links",
                "Your affiliate tag is put into the links of all deals, also of those that you add later.",
                match tagged.is_empty() {
                    true => "No affiliate tag is set.".to_owned(),
                    false => format!("Your tag is in the links of {}.", tagged.join(", ")),
                },
                !tagged.is_empty(),
            ),
            step(
                "pages",
                "Say who you are",
                "Visitors look for who runs a shop, how it earns and what it stores. Each page begins with a draft.",
                match &settings.shop.pages[..] {
                    [] => "There are no pages yet.".to_owned(),
                    pages => {
                        let titles: Vec<&str> = pages.iter().map(|page| &page.title[..]).collect();
                        format!("Your pages: {}.", titles.join(", "))
                    }
                },
                !settings.shop.pages.is_empty(),
            ),
            step(
                "mail",
                "Set up mail",
                "Choose a mail server, then send a test.",
                match self.mailer.server() {
                    Some(server) => format!("Mails go to {server}."),
                    None => "No mail server is set: mails are printed in the log.".to_owned(),
                },
                self.mailer.server().is_some() && store.last_trial(MAIL_TRIAL)?.is_some(),
            ),
            step(
                "address",
                "Connect your domain",
                "Set DEALS_PUBLIC_URL to the https address that visitors use.",
                self.address(),
                self.is_public(),
            ),
            step(
                "backup",
                "Keep backups",
                "Choose a folder or a bucket, and download a copy now.",
                match backups {
                    Some(BackupPlace::Folder(folder)) => {
                        format!("The folder is {}.", folder.display())
                    }
                    Some(BackupPlace::Bucket(address)) => format!("They go to {address}."),
                    None => "No place is chosen: the server makes no backups.".to_owned(),
                },
                self.backups
                    .as_ref()
                    .and_then(|plan| plan.newest(store.path()).ok())
                    .is_some_and(|newest| newest.is_some()),
            ),
        ])
    }

    fn address(&self) -> String {
        let url = self.public_url.as_str().trim_end_matches('/');
        if self.is_public() {
            format!("Visitors use {url}.")
        } else if self.public_url.scheme() == "https" {
            format!("It is {url}, which other machines can't reach.")
        } else {
            format!("It is {url}, without https.")
        }
    }

    fn is_public(&self) -> bool {
        let is_here = match self.public_url.host() {
            Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
            Some(Host::Ipv4(address)) => address.is_loopback() || address.is_unspecified(),
            Some(Host::Ipv6(address)) => address.is_loopback() || address.is_unspecified(),
            None => true,
        };
        self.public_url.scheme() == "https" && !is_here
    }
}

/// Returns the needs of deals.
fn deals(found: &Needs) -> Vec<Need> {
    let mut needs = Vec::new();
    let deals = |number| counted(number, "deal", "deals");
    if found.over > 0 {
        let text = format!("{} may be over", deals(found.over));
        let details = "Visitors say so. End each, or say that it is still on.";
        needs.push(Need::new("over", text, details).about(found.over));
    }
    if found.old_prices > 0 {
        let text = counted(found.old_prices, "price is old", "prices are old");
        let oldest = found.oldest.map(date_in_india).unwrap_or_default();
        let details = format!(
            "Not looked at for {} days, or for {} while visitors click. Oldest: {oldest}",
            Needs::OLD_PRICE,
            Needs::UNCONFIRMED_PRICE
        );
        needs.push(Need::new("price", text, details).about(found.old_prices));
    }
    if found.ending > 0 {
        let (one, many) = ("deal ends within a day", "deals end within a day");
        let text = counted(found.ending, one, many);
        needs.push(Need::new("ending", text, "").about(found.ending));
    }
    if found.missing_pictures > 0 {
        let have = counted(found.missing_pictures, "deal has", "deals have");
        let text = format!("{have} a picture that did not load");
        let details = "In somebody's browser. Those that load in yours are taken off the list.";
        needs.push(Need::new("picture", text, details).about(found.missing_pictures));
    }
    if found.duplicates > 0 {
        let (one, many) = ("possible duplicate", "possible duplicates");
        let text = counted(found.duplicates, one, many);
        let details = "The same title from the same seller.";
        needs.push(Need::new("duplicate", text, details).about(found.duplicates));
    }
    if found.unclicked > 0 {
        let were = counted(found.unclicked, "deal was", "deals were");
        let text = format!("{were} not clicked in 30 days");
        needs.push(Need::new("clicks", text, "").about(found.unclicked));
    }
    needs
}

/// Returns the need for channels that the server switched off.
fn channels(store: &Store) -> Result<Option<(String, String)>, StoreError> {
    let channels = store.list_channels()?.into_iter().map(|it| it.channel);
    let off = channels.filter(|channel| !channel.off_reason.is_empty());
    let off: Vec<String> = off
        .map(|channel| format!("{}: {}", channel.name, channel.off_reason))
        .collect();
    if off.is_empty() {
        return Ok(None);
    }
    let number = u64::try_from(off.len()).unwrap_or_default();
    let were = counted(number, "channel was", "channels were");
    Ok(Some((format!("{were} switched off"), off.join(" "))))
}

/// Returns the sellers whose links have the owner's tag, and those whose links could.
fn tags(store: &Store) -> Result<(Vec<String>, Vec<String>), StoreError> {
    let rules = store.link_rules()?;
    let sellers = store.count_sources()?.into_iter().map(|(name, _)| name);
    let (tagged, others): (Vec<_>, Vec<_>) =
        sellers.partition(|name| rules.tag_for(name).is_some());
    let could = others
        .into_iter()
        .filter(|name| rules.can_be_tagged(name).is_ok());
    Ok((tagged, could.collect()))
}

/// Returns the need to choose rules for sellers whose programme is known to forbid something.
fn sources(store: &Store) -> Result<Option<(String, String)>, StoreError> {
    let settings = store.settings()?;
    let undecided: Vec<String> = store
        .count_sources()?
        .into_iter()
        .filter(|(name, _)| {
            Programme::for_seller(name).is_some() && !settings.shop.sources.contains_key(name)
        })
        .map(|(name, _)| name)
        .collect();
    if undecided.is_empty() {
        return Ok(None);
    }
    let have = if undecided.len() == 1 { "has" } else { "have" };
    Ok(Some((
        format!("{} {have} rules for prices and stars", undecided.join(", ")),
        "Decide what you show.".to_owned(),
    )))
}

fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
