//! Digests: mails of the new deals of a list, at the hour that the owner chose.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};

use super::letter::{Letter, Paragraph};
use super::{Subscribers, list_path};
use crate::domain::{
    ListQuery, Product, beginning_of_hour, counted, day_in_india, hour_in_india, rupees,
    time_in_india,
};
use crate::mail::Message;
use crate::store::StoreError;
use crate::store::subscribers::digests::DigestMails;
use crate::storefront::list_query::parse;
use crate::storefront::{Storefront, absolute, details_path, heading};

/// Maximum number of deals in a mail.
const MOST: usize = 20;
/// Digests that are queued in one transaction.
const AT_ONCE: u32 = 500;
/// Time after which a mail that could not be sent is dropped: the next one is near.
const LIFETIME: SignedDuration = SignedDuration::from_hours(20);
/// Time for which a mail that was written is sent to others too: prices may change.
const FRESH: Duration = Duration::from_secs(60);
/// Day of the week of weekly digests, Monday, as 1970-01-05 was.
const MONDAY: i64 = 4;

/// Beginning and end of the time in which the deals of a mail were published, in milliseconds.
type Period = (i64, i64);

/// A digest for all subscribers to a list.
pub(super) struct Rendered {
    query: String,
    period: Period,
    at: Instant,
    /// None without new deals.
    mail: Option<Arc<Letter>>,
}

/// The new deals of a list.
struct News {
    heading: String,
    /// At most [`MOST`], by the sellers' rules.
    deals: Vec<Product>,
    /// Number of the others, of at most a hundred.
    others: usize,
}

impl Subscribers {
    /// Queues the digests that are due. Lists without new deals give no mail.
    pub(crate) fn queue_digests(&self, now: Timestamp) -> Result<(), StoreError> {
        let store = &self.0.store;
        if !self.can_mail() {
            return Ok(());
        }
        let front = self.0.storefronts.current(store)?;
        for (is_weekly, days) in [(false, 1), (true, 7)] {
            let until = last_due(front.settings.shop.hour_of_digests(), is_weekly, now);
            let earliest = until - SignedDuration::from_hours(24 * days);
            for group in store.due_digests(is_weekly, until)? {
                let since = group.since.max(earliest);
                let period = (since.as_millisecond(), until.as_millisecond());
                let news = self.news(&front, &group.query, period)?;
                let mails = news.map(|_| DigestMails {
                    since,
                    expires_at: now + LIFETIME,
                });
                let send = || store.send_digests(group.clone(), until, mails, AT_ONCE, now);
                while send().wait()? == AT_ONCE as usize {}
            }
        }
        Ok(())
    }

    /// Writes a digest for a subscriber; none without new deals, or if it was ended since.
    pub(super) fn digest(&self, key: i64, period: Period) -> Result<Option<Message>, StoreError> {
        let Some((query, subscriber)) = self.0.store.confirmed_digest(key)? else {
            return Ok(None);
        };
        let Some(mail) = self.mail(&query, period)? else {
            return Ok(None);
        };
        let link = self.link(&subscriber);
        let words = "You get this mail because you asked for it. Change it, or get no more:";
        Ok(Some(mail.to(subscriber.email, words, link)))
    }

    /// Returns the texts of a digest, written at most a minute ago.
    fn mail(&self, query: &str, period: Period) -> Result<Option<Arc<Letter>>, StoreError> {
        let mut last = self.0.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = last.as_ref().filter(|known| {
            known.query == query && known.period == period && known.at.elapsed() < FRESH
        }) {
            return Ok(known.mail.clone());
        }
        let front = self.0.storefronts.current(&self.0.store)?;
        let news = self.news(&front, query, period)?;
        let mail = news.map(|news| Arc::new(self.write(&front, query, &news)));
        *last = Some(Rendered {
            query: query.to_owned(),
            period,
            at: Instant::now(),
            mail: mail.clone(),
        });
        Ok(mail)
    }

    /// Reads the deals of a list that were published in a period, if there are any.
    fn news(
        &self,
        front: &Storefront,
        query: &str,
        (since, until): Period,
    ) -> Result<Option<News>, StoreError> {
        // A collection or category of the query may have ended.
        let Ok(list) = parse(query, front.names()) else {
            return Ok(None);
        };
        let newest = ListQuery {
            limit: ListQuery::MAX_LIMIT,
            filters: list.filters.clone(),
            ..ListQuery::default()
        };
        let mut deals = self.0.store.list_products(&newest)?.page.items;
        deals.retain(|deal| {
            let at = deal.published_at.as_millisecond();
            since < at && at <= until
        });
        let others = deals.len().saturating_sub(MOST);
        deals.truncate(MOST);
        // A mail is read later: it has no price that must not be old.
        front.apply_rules_to_tiles(&mut deals);
        let is_any = !deals.is_empty();
        Ok(is_any.then(|| News {
            heading: heading(&list.filters),
            deals,
            others,
        }))
    }

    fn write(&self, front: &Storefront, query: &str, news: &News) -> Letter {
        let name = front.name();
        let absolute = |path: &str| {
            let mut address = absolute(&self.0.public_url, path);
            address.query_pairs_mut().append_pair("utm_source", "mail");
            String::from(address)
        };
        let mut paragraphs: Vec<Paragraph> = news
            .deals
            .iter()
            .map(|deal| {
                let address = absolute(&details_path(&deal.id));
                Paragraph::linked(deal.details.title.clone(), address, vec![price(deal)])
            })
            .collect();
        let number = counted(news.deals.len() + news.others, "new deal");
        let title = format!("{number}: {}", news.heading);
        let more = match news.others {
            0 => format!("All of {}", news.heading),
            others => format!("{} more of {}", others, news.heading),
        };
        paragraphs.push(Paragraph::linked(
            more,
            absolute(&list_path(query)),
            Vec::new(),
        ));
        let mut note = format!(
            "Prices as of {}. {}",
            time_in_india(Timestamp::now()),
            front.disclosure
        );
        let shown = news.deals.iter().filter_map(|deal| deal.shown.as_ref());
        let disclosures: BTreeSet<&str> = shown.map(|shown| &*shown.disclosure).collect();
        for disclosure in disclosures.iter().filter(|it| !it.is_empty()) {
            // Writing to a String can't fail.
            let _ = write!(note, " {disclosure}");
        }
        paragraphs.push(Paragraph {
            link: None,
            lines: vec![note, name.to_owned()],
        });
        Letter::new(format!("{title} · {name}"), name, &title, &paragraphs)
    }
}

/// Writes the price of a deal as its seller's rules let a mail have it, and its end.
fn price(deal: &Product) -> String {
    let details = &deal.details;
    let mut words = if deal.hides_price() {
        format!("See the price at {}", details.source)
    } else if details.final_price < details.price {
        format!(
            "{} instead of {} (−{}%) at {}",
            rupees(details.final_price),
            rupees(details.price),
            details.discount.whole_percent(),
            details.source
        )
    } else {
        format!("{} at {}", rupees(details.final_price), details.source)
    };
    if let Some(end) = details.lifetime.ends_at {
        // Writing to a String can't fail.
        let _ = write!(words, ", until {}", time_in_india(end));
    }
    words
}

/// Returns when digests were due last: each day at an hour in India, or on Mondays.
fn last_due(hour: i64, is_weekly: bool, now: Timestamp) -> Timestamp {
    let mut day = day_in_india(now);
    if hour_in_india(now) < day * 24 + hour {
        day -= 1;
    }
    if is_weekly {
        day -= (day - MONDAY).rem_euclid(7);
    }
    beginning_of_hour(day * 24 + hour)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_due_each_day_at_an_hour_in_india_and_on_mondays() {
        let due = |is_weekly, now: &str| {
            let due = last_due(8, is_weekly, now.parse().unwrap());
            due.to_string()
        };
        // 08:00 in India is 02:30 UTC; 28 November 2026 is a Saturday.
        assert_eq!(due(false, "2026-11-28T02:30:00Z"), "2026-11-28T02:30:00Z");
        assert_eq!(due(false, "2026-11-28T02:29:59Z"), "2026-11-27T02:30:00Z");
        assert_eq!(due(true, "2026-11-28T12:00:00Z"), "2026-11-23T02:30:00Z");
        assert_eq!(due(true, "2026-11-30T02:29:59Z"), "2026-11-23T02:30:00Z");
        assert_eq!(due(true, "2026-11-30T02:30:00Z"), "2026-11-30T02:30:00Z");
    }
}
