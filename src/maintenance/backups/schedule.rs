//! The schedule of backups in force: of the command line, or else the one that an administrator chose.

use std::net::IpAddr;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ipnet::IpNet;
use url::Url;

use super::{BackupPlace, BackupPlan};
use crate::accounts::{AccountError, ChoiceChange, OtherKey, SavedChoice, Secrets, ServerChoice};
use crate::bucket::{Access, BucketKey};
use crate::domain::{BackupChoice, FieldError};
use crate::fetch::{may_dial, takes_messages};
use crate::store::{BackupError, DerivedSetting, ServerSetting, ServerSubject, Store, folder_of};

/// Maximum length of each text.
const MAX_TEXT: usize = 254;

impl ServerChoice for BackupChoice {
    const SUBJECT: ServerSubject = ServerSubject::Backups;
    const SECRET: &'static str = "secretKey";

    fn takes_secret(&self) -> bool {
        !self.key_id.is_empty()
    }

    fn has_secret_of(&self, other: &Self) -> bool {
        (&self.endpoint, &self.key_id) == (&other.endpoint, &other.key_id)
    }

    fn describe(&self) -> String {
        match self.endpoint.as_str() {
            "" => self.place.clone(),
            endpoint => format!("{} at {endpoint}", self.place),
        }
    }
}

/// Options of the command line for a place that was chosen.
#[derive(Debug, Clone)]
pub struct BackupOptions {
    /// Time between two backups.
    pub every: Duration,
    /// Number of backups to keep.
    pub keep: usize,
    /// Networks that are not public in which the provider of a bucket may be.
    pub networks: Vec<IpNet>,
}

impl BackupOptions {
    /// Makes the plan of these settings, if they name a place. One whose key can't be read fails in each
    /// run.
    pub fn plan(
        &self,
        setting: Option<&ServerSetting>,
        secrets: Option<&Secrets>,
    ) -> Option<BackupPlan> {
        let choice = BackupChoice::stored(setting);
        let secret = setting.map(|setting| BackupChoice::secret(setting, secrets))?;
        self.plan_of(&choice, secret.map(Option::unwrap_or_default))
    }

    fn plan_of(
        &self,
        choice: &BackupChoice,
        secret: Result<String, OtherKey>,
    ) -> Option<BackupPlan> {
        if choice.place.is_empty() {
            return None;
        }
        let place = BackupPlace::parse(&choice.place).ok()?;
        let access = match (&place, secret) {
            (BackupPlace::Folder(_), _) => Access::Variables,
            (BackupPlace::Bucket(_), Err(OtherKey)) => Access::Missing(
                "the secret key was stored with another key than the shop's. Enter it again in the office, at \
                 Settings, Backups."
                    .to_owned(),
            ),
            (BackupPlace::Bucket(_), Ok(secret)) => {
                let networks = self.networks.clone();
                Access::Key(Arc::new(BucketKey {
                    endpoint: Url::parse(&choice.endpoint).ok(),
                    region: choice.region.clone(),
                    id: choice.key_id.clone(),
                    secret,
                    may_dial: Arc::new(move |address: IpAddr| may_dial(address, &networks)),
                }))
            }
        };
        Some(BackupPlan::new(place, access, self.every, self.keep))
    }
}

/// The schedule of backups in force. Clones share it.
#[derive(Clone)]
pub struct BackupSchedule {
    source: Arc<Source>,
    extra: Arc<Mutex<Extra>>,
}

/// State of a backup that an administrator asks for beside the schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extra {
    None,
    /// The job was woken for one.
    Wanted,
    /// It failed, and is made by the next run.
    Failed,
}

enum Source {
    Given(Option<BackupPlan>),
    Chosen(Box<Chosen>),
}

struct Chosen {
    store: Store,
    secrets: Secrets,
    options: BackupOptions,
    plan: DerivedSetting<Option<BackupPlan>>,
}

impl BackupSchedule {
    /// Always uses this plan, or none.
    pub fn given(plan: Option<BackupPlan>) -> Self {
        Self::of(Source::Given(plan))
    }

    /// Uses what the settings say at any time.
    pub fn chosen(store: Store, secrets: Secrets, options: BackupOptions) -> Self {
        Self::of(Source::Chosen(Box::new(Chosen {
            store,
            secrets,
            options,
            plan: DerivedSetting::new(ServerSubject::Backups),
        })))
    }

    fn of(source: Source) -> Self {
        Self {
            source: Arc::new(source),
            extra: Arc::new(Mutex::new(Extra::None)),
        }
    }

    /// Has the next run make a backup even if none is due; false if one is being made.
    pub fn request(&self) -> bool {
        let is_idle = !self.is_making();
        if is_idle {
            *self.lock_extra() = Extra::Wanted;
        }
        is_idle
    }

    /// Whether a backup is being made, or was requested and begins in a moment.
    pub fn is_making(&self) -> bool {
        *self.lock_extra() == Extra::Wanted || self.current().is_some_and(|plan| plan.is_making())
    }

    /// Makes a backup if one is due or was requested, and returns the time until the next; `None` without
    /// a place.
    ///
    /// # Errors
    ///
    /// A sentence; a requested backup is then made by the next run.
    pub fn run(&self, store: &Store) -> Result<Option<Duration>, BackupError> {
        let is_wanted = *self.lock_extra() != Extra::None;
        let run = self.current().map(|plan| plan.run(store, is_wanted));
        if is_wanted {
            *self.lock_extra() = match run {
                Some(Err(_)) => Extra::Failed,
                _ => Extra::None,
            };
        }
        run.transpose()
    }

    fn lock_extra(&self) -> MutexGuard<'_, Extra> {
        self.extra.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// True if options of the command line decide.
    pub fn is_given(&self) -> bool {
        matches!(*self.source, Source::Given(_))
    }

    /// Describes how often a backup is made and how many are kept.
    pub fn frequency(&self) -> String {
        match &*self.source {
            Source::Given(None) => String::new(),
            Source::Given(Some(plan)) => describe_frequency(plan.every, plan.keep),
            Source::Chosen(chosen) => describe_frequency(chosen.options.every, chosen.options.keep),
        }
    }

    /// Returns the plan in force, if there are backups: if the settings can't be read, the last one.
    pub fn current(&self) -> Option<BackupPlan> {
        match &*self.source {
            Source::Given(plan) => plan.clone(),
            Source::Chosen(chosen) => {
                let make = |setting: Option<&ServerSetting>| {
                    chosen.options.plan(setting, Some(&chosen.secrets))
                };
                chosen.plan.current(&chosen.store, make).flatten()
            }
        }
    }

    /// Validates and stores a change; an empty place switches backups off. A folder is made and tried first.
    ///
    /// # Errors
    ///
    /// [`AccountError::Invalid`] with a message for each field, and those of [`ChoiceChange::save`].
    pub fn change(&self, mut change: ChoiceChange<BackupChoice>) -> Result<(), AccountError> {
        let Source::Chosen(chosen) = &*self.source else {
            return Err(AccountError::Changed);
        };
        let (store, secrets, options) = (&chosen.store, &chosen.secrets, &chosen.options);
        let choice = &mut change.choice;
        if choice.place.is_empty() {
            *choice = BackupChoice::default();
            return change.save(store, secrets);
        }
        let place = BackupPlace::parse(&choice.place)
            .map_err(|reason| invalid("place", &format!("It can't be used: {reason}.")))?;
        match place {
            BackupPlace::Folder(folder) => {
                let folder = root_of(store.path()).join(folder);
                check_folder(&folder, store.path())?;
                *choice = BackupChoice {
                    place: folder.display().to_string(),
                    ..BackupChoice::default()
                };
                if let Some(plan) = options.plan_of(choice, Ok(String::new())) {
                    let tried = plan.test(store.path());
                    tried.map_err(|error| invalid("place", &sentence(&error.to_string())))?;
                }
            }
            BackupPlace::Bucket(_) => {
                let saved = SavedChoice::<BackupChoice>::read(store)?;
                let has_secret = match &change.secret {
                    Some(secret) => !secret.is_empty(),
                    None => saved.secret_at.is_some(),
                };
                let errors = check_bucket(&change, has_secret, &options.networks);
                if !errors.is_empty() {
                    return Err(AccountError::Invalid(errors));
                }
            }
        }
        change.save(store, secrets)
    }
}

/// Describes how often a backup is made and how many are kept.
fn describe_frequency(every: Duration, keep: usize) -> String {
    let minutes = every.as_secs() / 60;
    let (number, unit) = match minutes {
        0..120 => (minutes, "minute"),
        _ => (minutes / 60, "hour"),
    };
    let every = crate::domain::counted(number, unit);
    format!("Every {every}; the newest {keep} are kept.")
}

/// Returns the folder beneath which an administrator may choose one: that of the database.
pub fn root_of(database: &Path) -> PathBuf {
    let folder = folder_of(database);
    std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned())
}

/// Refuses a folder that is not beneath the database's, or has a name like the shop's own files there. A link
/// there may lead to another disk: only who has the machine can make one.
fn check_folder(folder: &Path, database: &Path) -> Result<(), AccountError> {
    let root = root_of(database);
    let own = database.file_name().unwrap_or_default().to_string_lossy();
    let shown = root.display().to_string();
    let example = format!("{}/backups", shown.trim_end_matches('/'));
    let outside = || {
        let message = format!(
            "Only a folder inside {shown} can be chosen here, like {example}. For any other, whoever runs the \
             server sets DEALS_BACKUP_DIR, or makes a link to it inside {shown}."
        );
        invalid("place", &message)
    };
    let mut parts = folder
        .strip_prefix(&root)
        .map_err(|_| outside())?
        .components();
    let mut is_below = false;
    for part in &mut parts {
        let Component::Normal(name) = part else {
            return Err(outside());
        };
        let name = name.to_string_lossy();
        if name.starts_with('.') || name.starts_with(&*own) {
            let message = format!(
                "A folder's name cannot begin with a dot or with {own}, like the shop's own files. Choose \
                 another name, like {example}."
            );
            return Err(invalid("place", &message));
        }
        is_below = true;
    }
    if is_below { Ok(()) } else { Err(outside()) }
}

/// Returns the errors of a bucket.
fn check_bucket(
    change: &ChoiceChange<BackupChoice>,
    has_secret: bool,
    networks: &[IpNet],
) -> Vec<FieldError> {
    let mut errors = Vec::new();
    let mut require = |holds: bool, field: &str, message: &str| {
        if !holds {
            errors.push(FieldError::new(field, message));
        }
    };
    let choice = &change.choice;
    let is_key = |text: &str| {
        !text.is_empty()
            && text.len() <= MAX_TEXT
            && text
                .chars()
                .all(|c| c.is_ascii_graphic() && !"\"'".contains(c))
    };
    let endpoint = Url::parse(&choice.endpoint);
    let is_endpoint = endpoint.is_ok_and(|url| {
        takes_messages(&url, networks)
            && url.path() == "/"
            && url.query().is_none()
            && url.fragment().is_none()
    });
    require(
        choice.endpoint.is_empty() || (is_endpoint && choice.endpoint.len() <= MAX_TEXT),
        "endpoint",
        "Enter the provider's https address without a path, like https://s3.example.com, or nothing for \
         Amazon.",
    );
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '-';
    require(
        is_key(&choice.region) && choice.region.chars().all(is_word),
        "region",
        "Enter the bucket's region, like eu-central-1, or auto.",
    );
    require(
        is_key(&choice.key_id),
        "keyId",
        "Enter the id of the access key, without blanks and quotes.",
    );
    require(
        has_secret && change.secret.as_deref().is_none_or(is_key),
        "secretKey",
        "Enter the secret key, without blanks and quotes.",
    );
    errors
}

fn invalid(field: &str, message: &str) -> AccountError {
    AccountError::Invalid(vec![FieldError::new(field, message)])
}

/// Returns a reason as a sentence of its own.
pub(crate) fn sentence(reason: &str) -> String {
    let mut letters = reason.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    let words: String = first.chain(letters).collect();
    format!("{}.", words.trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chosen_folder_is_one_below_that_of_the_database() {
        let database = Path::new("/srv/shop/deals.sqlite");
        for fine in ["/srv/shop/backups", "/srv/shop/a/b", "/srv/shop/दुकान"] {
            assert!(check_folder(Path::new(fine), database).is_ok(), "{fine}");
        }
        for wrong in [
            "/srv/shop",
            "/srv/shop/",
            "/srv/shop/..",
            "/srv/shop/a/../../b",
            "/srv/shop/.ssh",
            "/srv/shop/a/.b",
            "/srv/shop/deals.sqlite",
            "/srv/shop/deals.sqlite.acme",
            "/srv/shopping",
            "/etc",
            "/",
            "backups",
            "../backups",
        ] {
            let refused = check_folder(Path::new(wrong), database).unwrap_err();
            assert!(refused.to_string().contains("/srv/shop/backups"), "{wrong}");
        }
    }
}
