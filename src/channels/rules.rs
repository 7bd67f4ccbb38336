//! Posts by rules, and posts that are to follow their deals.

use std::sync::PoisonError;

use jiff::{SignedDuration, Timestamp};

use super::Channels;
use crate::domain::shown_facts;
use crate::store::StoreError;
use crate::storefront::list_query;

/// News at a time.
const AT_ONCE: u32 = 1_000;
/// Time between two comparisons of all posts with their deals: a price becomes too old without a change.
const COMPARED_EVERY: SignedDuration = SignedDuration::from_hours(1);

impl Channels {
    /// Queues posts of deals that went live or became cheaper, and what brings posts up to date. Does nothing if
    /// nothing was committed since the last time.
    ///
    /// # Errors
    ///
    /// When the database refuses.
    pub(crate) fn look_for_news(&self, now: Timestamp) -> Result<(), StoreError> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        // Before the news are read, so that a commit in between is seen next time.
        let version = self.store.version()?;
        if seen.version != Some(version) {
            self.settle_news(now)?;
            seen.version = Some(version);
        }
        let is_due = |at: Timestamp| now.duration_since(at) >= COMPARED_EVERY;
        if seen.compared_at.is_none_or(is_due) {
            self.compare_posts(now)?;
            seen.compared_at = Some(now);
        }
        Ok(())
    }

    fn settle_news(&self, now: Timestamp) -> Result<(), StoreError> {
        loop {
            let news = self.store.channel_news(AT_ONCE)?;
            if news.is_empty() {
                return Ok(());
            }
            let offered = news.iter().filter(|one| one.is_offered);
            let offered: Vec<String> = offered.map(|one| one.product.clone()).collect();
            let wanted = self.wanted(&offered, now)?;
            let queued = self.store.settle_channel_news(news, wanted, now)?;
            if queued > 0 {
                tracing::info!(posts = queued, "deals are posted by rules");
            }
        }
    }

    /// Returns which channels want which of these products by their rules.
    fn wanted(
        &self,
        products: &[String],
        now: Timestamp,
    ) -> Result<Vec<(String, String)>, StoreError> {
        let mut wanted = Vec::new();
        if products.is_empty() {
            return Ok(wanted);
        }
        let front = self.storefronts.current(&self.store)?;
        for id in self.store.channels_with_rule()? {
            let rule = self.store.find_channel(&id)?.channel.rule;
            let query = match list_query::parse(&rule.query, front.names()) {
                Ok(query) => query,
                Err(errors) => {
                    let error = errors.first().map_or("", |error| error.message.as_str());
                    let error = format!("Nothing is posted by the rule. {error}");
                    self.store.note_channel_error(id, error, now)?;
                    continue;
                }
            };
            for product in self.store.products_in_list(&query.filters, products)? {
                if !rule.proven_only || self.is_proven(&product)? {
                    wanted.push((id.clone(), product));
                }
            }
        }
        Ok(wanted)
    }

    /// True if a product's price is proven to be lower than before.
    fn is_proven(&self, id: &str) -> Result<bool, StoreError> {
        let product = self.shown_product(id)?;
        let verdict = product.and_then(|product| product.verdict);
        Ok(verdict.is_some_and(|verdict| verdict.kind.is_cheaper()))
    }

    /// Queues the posts that say what their deals no longer are.
    fn compare_posts(&self, now: Timestamp) -> Result<(), StoreError> {
        let mut outdated = Vec::new();
        for (id, shown) in self.store.followed_products(now)? {
            if shown_facts(self.shown_product(&id)?.as_ref()) != shown {
                outdated.push(id);
            }
        }
        self.store.follow_products(outdated, now)
    }
}
