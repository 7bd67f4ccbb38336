//! Settings of the shop.

use std::collections::BTreeSet;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Map;

use super::Store;
use super::categories;
use super::db::error::StoreError;
use super::db::rows::scalar;
use super::pictures::{PICTURE_GONE, note_picture};
use super::products::activity::ActivityLog;
use super::products::links::rewrite::{LinksToRewrite, RewrittenLinks};
use super::products::links::{ChangedTag, SellerToRewrite};
use super::products::prices::track;
use crate::domain::{
    Action, ArchivedShop, FieldError, LinkRules, Logo, Section, SectionKind, Settings,
    SettingsChange, changed_settings,
};

/// Reason for a rejected change.
#[derive(Debug, Clone, thiserror::Error)]
pub enum SettingsError {
    /// Invalid values.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Invalid(Vec<FieldError>),
    /// The version is outdated.
    #[error("somebody else changed the settings in the meantime")]
    Changed,
}

impl Store {
    /// Returns the number of changes.
    pub fn settings_version(&self) -> Result<i64, StoreError> {
        self.read(version)
    }

    /// Returns the current settings.
    pub fn settings(&self) -> Result<Settings, StoreError> {
        self.read(read)
    }

    /// Returns the address with which the ids of the feed begin, if the shop has been public.
    pub fn feed_base(&self) -> Result<Option<String>, StoreError> {
        let sql = "SELECT address FROM feed_base";
        self.read(|connection| Ok(scalar(connection, sql, []).optional()?))
    }

    /// Keeps the shop's first public address.
    pub fn keep_feed_base(&self, address: &str) -> Result<(), StoreError> {
        if self.feed_base()?.is_some() {
            return Ok(());
        }
        let sql = "INSERT OR IGNORE INTO feed_base (id, address) VALUES (1, ?)";
        self.execute(sql, [address.to_owned()]).wait()
    }

    /// Changes the settings if their version is still `seen` (`None` for any), and returns the new
    /// ones; `actor` is logged. Links of sellers with another tag are rewritten in parts.
    pub fn change_settings(
        &self,
        change: SettingsChange,
        seen: Option<i64>,
        actor: String,
        now: Timestamp,
    ) -> Result<Result<Settings, SettingsError>, StoreError> {
        let begin = move |connection: &Connection| apply(connection, &change, seen, None, now);
        let changed = self.rewrite_links(Box::new(begin), actor, now)?;
        Ok(changed.map(|(settings, _)| settings))
    }

    /// Sets the tag of a seller and rewrites its links in parts, as one entry of the log; an empty tag
    /// leaves the links.
    pub fn change_tag(
        &self,
        source: &str,
        tag: &str,
        actor: String,
        now: Timestamp,
    ) -> Result<Result<RewrittenLinks, SettingsError>, StoreError> {
        let change = tag_change(source, tag);
        let source = source.to_owned();
        let begin =
            move |connection: &Connection| apply(connection, &change, None, Some(source), now);
        let changed = self.rewrite_links(Box::new(begin), actor, now)?;
        Ok(changed.map(|(_, links)| links))
    }

    /// Returns what [`Store::change_tag`] would change.
    pub fn preview_tag(
        &self,
        source: &str,
        tag: &str,
    ) -> Result<Result<RewrittenLinks, SettingsError>, StoreError> {
        let next = match tag_change(source, tag).apply(&self.settings()?) {
            Ok(next) => next,
            Err(errors) => return Ok(Err(SettingsError::Invalid(errors))),
        };
        let rules = next.shop.link_rules();
        self.preview_links(rules, &[source.to_owned()]).map(Ok)
    }
}

fn tag_change(source: &str, tag: &str) -> SettingsChange {
    let name = format!("{}{source}", SettingsChange::TAG);
    SettingsChange::new(Map::from_iter([(name, tag.into())]))
}

/// Applies a change, and returns the links to rewrite: of sellers with another tag, and of the `cleaned`
/// one.
fn apply(
    connection: &Connection,
    change: &SettingsChange,
    seen: Option<i64>,
    cleaned: Option<String>,
    now: Timestamp,
) -> Result<Result<(Settings, LinksToRewrite), SettingsError>, StoreError> {
    let current = read(connection)?;
    if seen.is_some_and(|seen| seen != current.version) {
        return Ok(Err(SettingsError::Changed));
    }
    let next = match change.apply(&current) {
        Ok(next) => next,
        Err(errors) => return Ok(Err(SettingsError::Invalid(errors))),
    };
    let errors = check_sections(connection, &current, &next, now)?;
    if !errors.is_empty() {
        return Ok(Err(SettingsError::Invalid(errors)));
    }
    let shop =
        serde_json::to_string(&next.shop).map_err(|error| StoreError::Other(error.to_string()))?;
    let logo = next.logo.as_ref();
    connection.execute(
        "UPDATE settings SET version = ?, shop = ?, mark_type = ?, mark = ?",
        params![
            next.version,
            shop,
            logo.map(|logo| logo.kind),
            logo.map(|logo| &logo.bytes)
        ],
    )?;
    let untracked = |settings: &Settings| -> Vec<String> {
        let rules = settings.shop.sources.iter();
        let untracked = rules.filter(|(_, rules)| !rules.history);
        untracked.map(|(source, _)| source.clone()).collect()
    };
    if untracked(&current) != untracked(&next) {
        track(connection, &untracked(&next))?;
    }
    let rules = next.shop.link_rules();
    let links = LinksToRewrite {
        sellers: sellers_of(connection, &rules, [&current, &next], cleaned)?,
        rules,
        details: changed_settings(&current, &next),
    };
    Ok(Ok((next, links)))
}

/// Sets unset settings from an archive; tags only in a shop that was empty, so that no link of a product is without
/// the tag of its seller.
pub(crate) fn set_archived(
    connection: &Connection,
    archived: &ArchivedShop,
    was_empty: bool,
    actor: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    let own = SettingsChange::values_of(&read(connection)?);
    let front_page = Map::from_iter([("frontPage".to_owned(), archived.front_page.clone())]);
    for mut values in [archived.settings.clone(), front_page] {
        values.retain(|name, value| {
            let is_free = !own.contains_key(name) && !value.is_null();
            is_free && (was_empty || !name.starts_with(SettingsChange::TAG))
        });
        if values.is_empty() {
            continue;
        }
        let change = SettingsChange::new(values);
        if let Ok((_, links)) = apply(connection, &change, None, None, now)?
            && !links.details.is_empty()
        {
            ActivityLog::new(actor, now).write(connection, Action::Set, None, links.details)?;
        }
    }
    Ok(())
}

/// Notes the use of the pictures of changed sections, and returns an error for each picture and category
/// that is not there.
fn check_sections(
    connection: &Connection,
    current: &Settings,
    next: &Settings,
    now: Timestamp,
) -> Result<Vec<FieldError>, StoreError> {
    let (former, sections) = (&current.shop.front_page, &next.shop.front_page);
    let mut errors = Vec::new();
    if sections == former {
        return Ok(errors);
    }
    let categories = categories::read(connection)?;
    let former: Vec<String> = former.iter().map(|it| it.picture.clone()).collect();
    for (at, section) in sections.iter().enumerate() {
        if !note_picture(connection, &section.picture, &former, now)? {
            errors.push(Section::error(at, "picture", PICTURE_GONE));
        }
        let sql = "SELECT EXISTS (SELECT 1 FROM collections WHERE slug = ?)";
        let (kind, is_there) = match section.kind {
            // A collection may have been deleted since.
            _ if current.shop.front_page.contains(section) => continue,
            SectionKind::Category => ("category", categories.find(&section.name).is_some()),
            SectionKind::Collection => ("collection", scalar(connection, sql, [&section.name])?),
            _ => continue,
        };
        if !is_there {
            let message = format!("There is no {kind} {}.", section.name);
            errors.push(Section::error(at, "name", &message));
        }
    }
    Ok(errors)
}

/// Returns each seller with another tag than before, and the `cleaned` one.
fn sellers_of(
    connection: &Connection,
    rules: &LinkRules,
    settings: [&Settings; 2],
    cleaned: Option<String>,
) -> Result<Vec<SellerToRewrite>, StoreError> {
    let [old, new] = settings.map(|settings| &settings.shop.tags);
    let names = old.keys().chain(new.keys());
    let changed = names.filter(|source| old.get(*source) != new.get(*source));
    let sellers: BTreeSet<String> = changed.cloned().chain(cleaned).collect();
    let seller = |name: String| {
        let [before, after] = [old, new].map(|tags| tags.get(&name).cloned().unwrap_or_default());
        let changed = (before != after).then_some(ChangedTag { before, after });
        SellerToRewrite::find(connection, rules, &name, changed)
    };
    sellers.into_iter().map(seller).collect()
}

pub(crate) fn version(connection: &Connection) -> Result<i64, StoreError> {
    Ok(scalar(connection, "SELECT version FROM settings", [])?)
}

pub(crate) fn read(connection: &Connection) -> Result<Settings, StoreError> {
    let mut statement =
        connection.prepare_cached("SELECT version, shop, mark_type, mark FROM settings")?;
    let (version, shop, kind, bytes): (i64, String, Option<String>, Option<Vec<u8>>) = statement
        .query_row([], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
        })?;
    let shop = serde_json::from_str(&shop)
        .map_err(|error| StoreError::Other(format!("the settings can't be read: {error}")))?;
    let kind = kind.as_deref().and_then(Logo::media_type);
    let logo = kind.zip(bytes).map(|(kind, bytes)| Logo { kind, bytes });
    Ok(Settings {
        version,
        shop,
        logo,
    })
}
