//! Products that went live, changed their price or ended, which triggers write down for the channels.

use jiff::Timestamp;
use rusqlite::params;

use super::posts::{follow, has_room, post};
use super::with_rule;
use crate::domain::{Filters, PostQueued, PricedSearch};
use crate::store::Store;
use crate::store::db::error::Result;
use crate::store::db::rows::run;
use crate::store::list::filter::filtered;

/// A product that posts or rules may be about.
#[derive(Debug, Clone)]
pub(crate) struct ChannelNews {
    /// The product's id.
    pub(crate) product: String,
    /// True if it went live or became cheaper.
    pub(crate) is_offered: bool,
    edition: i64,
}

impl Store {
    /// Returns news, at most so many.
    pub(crate) fn channel_news(&self, most: u32) -> Result<Vec<ChannelNews>> {
        self.read(|connection| {
            let sql =
                "SELECT product, is_offered, edition FROM channel_news ORDER BY rowid LIMIT ?";
            let mut statement = connection.prepare_cached(sql)?;
            let news = statement.query_map([most], |row| {
                Ok(ChannelNews {
                    product: row.get("product")?,
                    is_offered: row.get("is_offered")?,
                    edition: row.get("edition")?,
                })
            })?;
            Ok(news.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Returns the ids of the channels that post by a rule.
    pub(crate) fn channels_with_rule(&self) -> Result<Vec<String>> {
        self.read(with_rule)
    }

    /// Returns those of these products that a list has.
    pub(crate) fn products_in_list(
        &self,
        filters: &Filters,
        ids: &[String],
    ) -> Result<Vec<String>> {
        let priced = PricedSearch::read(filters);
        let filters = priced.as_ref().map_or(filters, |priced| &priced.filters);
        self.with_snapshot(true, |snapshot| {
            let words = snapshot.words(filters);
            if filters.search.is_some() && words.is_none() {
                return Ok(Vec::new());
            }
            let found = filtered(snapshot, filters, words.as_ref())?;
            let sql = "SELECT key, id FROM live_products WHERE id IN (SELECT value FROM json_each(?)) ORDER BY key";
            let mut statement = snapshot.connection.prepare_cached(sql)?;
            let ids = serde_json::Value::from(ids).to_string();
            let live = statement.query_map([ids], |row| Ok((row.get(0)?, row.get(1)?)))?;
            let live: Vec<(u32, String)> = live.collect::<rusqlite::Result<_>>()?;
            let is_listed = |key| found.as_ref().is_none_or(|keys| keys.contains(key));
            let listed = live.into_iter().filter(|(key, _)| is_listed(*key));
            Ok(listed.map(|(_, id)| id).collect())
        })
    }

    /// Queues posts by rules, as pairs of channel and product, and what brings posts up to date; deletes the news,
    /// except of products that changed meanwhile. Returns how many were queued by rules.
    pub(crate) fn settle_channel_news(
        &self,
        news: Vec<ChannelNews>,
        wanted: Vec<(String, String)>,
        now: Timestamp,
    ) -> Result<usize> {
        self.write(move |connection| {
            let mut queued = 0;
            for (channel, product) in &wanted {
                if has_room(connection, channel)? {
                    let became = post(connection, channel, product, true, now)?;
                    queued += usize::from(became == PostQueued::Queued);
                }
            }
            for one in &news {
                follow(connection, &one.product, now)?;
                let sql = "DELETE FROM channel_news WHERE product = ? AND edition = ?";
                run(connection, sql, params![one.product, one.edition])?;
            }
            Ok(queued)
        })
        .wait()
    }
}
