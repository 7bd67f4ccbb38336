//! Mails without an account: an address asks for them, confirms by the link of a mail, and ends them by
//! the link of each mail. No answer tells whether an address is known.

mod alerts;
mod digest;
mod letter;
mod push;

use std::hash::{BuildHasher as _, RandomState};
use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use ipnet::IpNet;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use url::Url;
use utoipa::ToSchema;

use self::alerts::AlertBody;
pub(crate) use self::alerts::BrowserRequest;
use self::digest::Rendered;
use self::letter::{Letter, Paragraph};
use self::push::PushSender;
use crate::accounts::{AccountError, MailServer, Secrets, random};
use crate::domain::{Email, rfc3339};
use crate::mail::{Failure, Message};
use crate::store::outgoing::{Job, Outcome};
use crate::store::subscribers::asking::AskedFor;
use crate::store::subscribers::{Subscriber, Subscription};
use crate::store::{Store, StoreError};
use crate::storefront::list_query::parse;
use crate::storefront::{Storefront, Storefronts, absolute, heading};

/// Seconds until a mail that failed is tried again, by its failures; the last one repeats.
const BACK_OFF: [i64; 6] = [1, 5, 30, 300, 900, 3_600];

/// The subscribers of a shop. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Subscribers(Arc<Inner>);

struct Inner {
    store: Store,
    secrets: Secrets,
    mail: MailServer,
    storefronts: Arc<Storefronts>,
    public_url: Url,
    /// The digest that was written last: the next subscriber usually gets the same.
    last: Mutex<Option<Rendered>>,
    push: PushSender,
    /// Of the codes of networks.
    salt: RandomState,
}

/// Lists and alerts of an address.
#[derive(Serialize, ToSchema)]
pub(crate) struct SubscriptionBody {
    lists: Vec<FollowedList>,
    /// The prices that it waits for
    alerts: Vec<AlertBody>,
}

/// A list whose new deals an address gets by mail.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct FollowedList {
    id: i64,
    /// Its heading, like `Books, up to ₹500.00`
    heading: String,
    /// Its address
    path: String,
    weekly: bool,
    confirmed: bool,
}

/// Numbers of the addresses that get mails without an account.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SubscribersBody {
    confirmed: i64,
    /// Addresses that have not confirmed yet
    waiting: i64,
    /// Prices that confirmed addresses wait for
    alerts: i64,
    /// Prices that browsers wait for
    push_alerts: i64,
    /// The lists that confirmed addresses follow, those of the most first; at most 100
    lists: Vec<ListFollowers>,
}

/// Numbers of the addresses that follow a list.
#[derive(Serialize, ToSchema)]
struct ListFollowers {
    /// The list's heading, like `Books, up to ₹500.00`
    heading: String,
    /// The list's address
    path: String,
    daily: i64,
    weekly: i64,
}

/// Subject of a mail.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Payload {
    /// Asks a subscriber, by key, to confirm.
    Ask(i64),
    /// Has the new deals of a list.
    Digest { key: i64, since: i64, until: i64 },
    /// Has the price of an alert, by key.
    Alert(i64),
}

impl Subscribers {
    /// Combines the subscribers in the database, the key of their links, and the mail server.
    pub(crate) fn new(
        store: Store,
        secrets: Secrets,
        mail: MailServer,
        storefronts: Arc<Storefronts>,
        public_url: Url,
        networks: Vec<IpNet>,
    ) -> Self {
        Self(Arc::new(Inner {
            store,
            secrets,
            mail,
            storefronts,
            push: PushSender::new(networks, public_url.clone()),
            public_url,
            last: Mutex::default(),
            salt: RandomState::new(),
        }))
    }

    /// True if there is a mail server.
    pub(crate) fn can_mail(&self) -> bool {
        self.0.mail.current().server().is_some()
    }

    /// Has an address asked whether it wants the new deals of a list, unless its owner does this; false if the
    /// shop has asked too many. `network` is that of a stranger.
    pub(crate) fn follow(
        &self,
        email: Email,
        network: Option<IpAddr>,
        list: (String, bool),
    ) -> Result<bool, AccountError> {
        let asked = self.asked_for(email, network)?;
        let followed = self.0.store.follow_list(asked, list, Timestamp::now());
        Ok(followed.wait()?)
    }

    fn asked_for(&self, email: Email, network: Option<IpAddr>) -> Result<AskedFor, AccountError> {
        // Neighbours may belong to the same people.
        let code = |address: IpAddr| {
            let bits = if address.is_ipv4() { 24 } else { 48 };
            let neighbours = IpNet::new(address, bits).map(|network| network.trunc());
            self.0.salt.hash_one(neighbours.ok()).cast_signed()
        };
        Ok(AskedFor {
            hash: self.0.secrets.address_hash(&email.key()),
            email,
            seed: random()?,
            network: network.map(code),
        })
    }

    /// Finds the subscriber with this token.
    pub(crate) fn find(&self, token: &str) -> Result<Option<Subscriber>, StoreError> {
        match self.0.secrets.seed_of_subscription(token) {
            Some(seed) => self.0.store.subscriber_of_seed(seed),
            None => Ok(None),
        }
    }

    /// Returns what the subscriber with this token gets; nothing for an unknown token.
    pub(crate) fn subscription(&self, token: &str) -> Result<SubscriptionBody, StoreError> {
        let (digests, alerts) = match self.find(token)? {
            Some(Subscriber { key, .. }) => (self.0.store.digests_of(key)?, self.alerts_of(key)?),
            None => (Vec::new(), Vec::new()),
        };
        let front = self.0.storefronts.current(&self.0.store)?;
        let lists = digests.into_iter().map(|digest| FollowedList {
            id: digest.key,
            heading: heading_of(&front, &digest.query),
            path: list_path(&digest.query),
            weekly: digest.is_weekly,
            confirmed: digest.is_confirmed,
        });
        Ok(SubscriptionBody {
            lists: lists.collect(),
            alerts,
        })
    }

    /// Confirms, changes or ends what the subscriber with this token gets; an unknown token or action changes
    /// nothing.
    pub(crate) fn change(&self, token: &str, action: &str, list: i64) -> Result<(), StoreError> {
        let (store, now) = (&self.0.store, Timestamp::now());
        let Some(subscriber) = self.find(token)? else {
            return Ok(());
        };
        let key = subscriber.key;
        let hash = self
            .0
            .secrets
            .address_hash(&subscriber.email.to_lowercase());
        let changed = match action {
            "confirm" => store.confirm_subscriber(key, hash, now),
            "leave" => store.remove_subscriber(key, hash, now),
            "end" => store.end_subscription(&subscriber, hash, Subscription::List(list), now),
            "end-alert" => {
                store.end_subscription(&subscriber, hash, Subscription::Alert(list), now)
            }
            "daily" | "weekly" => store.change_digest(key, list, action == "weekly"),
            _ => return Ok(()),
        };
        changed.wait()
    }

    /// Returns the numbers of subscribers.
    pub(crate) fn numbers(&self) -> Result<SubscribersBody, StoreError> {
        let store = &self.0.store;
        let (confirmed, waiting) = store.count_subscribers()?;
        let (alerts, push_alerts) = store.count_alerts()?;
        let front = self.0.storefronts.current(store)?;
        let lists = store.count_digests()?.into_iter();
        Ok(SubscribersBody {
            confirmed,
            waiting,
            alerts,
            push_alerts,
            lists: lists
                .map(|(query, daily, weekly)| ListFollowers {
                    heading: heading_of(&front, &query),
                    path: list_path(&query),
                    daily,
                    weekly,
                })
                .collect(),
        })
    }

    /// Returns all confirmed addresses with the headings of their lists, and logs that `actor` has them.
    pub(crate) fn export(&self, actor: String) -> Result<Vec<[String; 3]>, StoreError> {
        let store = &self.0.store;
        let front = self.0.storefronts.current(store)?;
        let all = store.export_subscribers(actor, Timestamp::now()).wait()?;
        let rows = all.into_iter().map(|subscriber| {
            let queries = subscriber.queries.iter();
            let headings: Vec<String> = queries.map(|query| heading_of(&front, query)).collect();
            let at = rfc3339(subscriber.confirmed_at);
            [subscriber.email, at, headings.join("; ")]
        });
        let header = ["email", "confirmedAt", "lists"].map(str::to_owned);
        Ok([header].into_iter().chain(rows).collect())
    }

    /// Sends a mail of the queue.
    pub(crate) fn send(&self, job: &Job) -> Result<Outcome, StoreError> {
        let message = match serde_json::from_str(&job.payload) {
            Ok(Payload::Ask(key)) => self.ask(key)?,
            Ok(Payload::Digest { key, since, until }) => self.digest(key, (since, until))?,
            Ok(Payload::Alert(key)) => self.alert_mail(key)?,
            Err(error) => {
                let error = format!("The job can't be read: {error}.");
                return Ok(Outcome::GivenUp { error });
            }
        };
        // The subscriber has left, or nothing is new any more.
        let Some(message) = message else {
            return Ok(Outcome::Done);
        };
        Ok(match self.0.mail.current().send(&message) {
            Ok(()) => Outcome::Done,
            Err(Failure {
                reason, is_final, ..
            }) if is_final => Outcome::GivenUp { error: reason },
            Err(Failure {
                reason, is_of_mail, ..
            }) => {
                tracing::warn!(reason, "a mail to a subscriber could not be sent");
                let step = (job.attempts as usize).min(BACK_OFF.len() - 1);
                Outcome::Again {
                    next_at: Timestamp::now() + SignedDuration::from_secs(BACK_OFF[step]),
                    error: reason,
                    lane_waits: !is_of_mail,
                }
            }
        })
    }

    /// Address at which a subscriber confirms, changes and ends the mails.
    fn link(&self, subscriber: &Subscriber) -> String {
        let token = self.0.secrets.subscription(&subscriber.seed);
        absolute(&self.0.public_url, &format!("/subscriptions/{token}")).into()
    }

    /// Writes the mail that asks a subscriber. It has no words of the sender of the form, who may be
    /// somebody else.
    fn ask(&self, key: i64) -> Result<Option<Message>, StoreError> {
        let Some(subscriber) = self.0.store.subscriber(key)? else {
            return Ok(None);
        };
        let front = self.0.storefronts.current(&self.0.store)?;
        let (name, link) = (front.name(), self.link(&subscriber));
        let heading = format!("Do you want mails from {name}?");
        let paragraphs = [
            Paragraph::of(format!(
                "Somebody, probably you, asked for mails about deals from {} to this address.",
                self.0.public_url
            )),
            Paragraph::linked(
                "See which, and get them".to_owned(),
                link.clone(),
                Vec::new(),
            ),
            Paragraph::of(
                "If it was not you, ignore this mail: no other comes for a week, and then the address is deleted.",
            ),
            Paragraph::of(name),
        ];
        let letter = Letter::new(heading.clone(), name, &heading, &paragraphs);
        let words = "To get none for 30 days either, stop all mails here:";
        Ok(Some(letter.to(subscriber.email, words, link)))
    }
}

/// Returns the heading of a list; its query if it can't be read any more, as when its collection has ended.
fn heading_of(front: &Storefront, query: &str) -> String {
    parse(query, front.names()).map_or_else(|_| query.to_owned(), |list| heading(&list.filters))
}

fn list_path(query: &str) -> String {
    match query {
        "" => "/".to_owned(),
        query => format!("/?{query}"),
    }
}
