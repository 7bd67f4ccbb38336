//! Price alerts, by mail and by push messages.

use std::net::IpAddr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest as _, Sha256};
use url::Url;
use utoipa::ToSchema;

use super::letter::{Letter, Paragraph};
use super::push::{self, Pushed};
use super::{Payload, Subscribers};
use crate::accounts::AccountError;
use crate::domain::{Email, Paise, PriceVerdictKind, Product, WishedPrice, date_in_india, rupees};
use crate::mail::Message;
use crate::store::StoreError;
use crate::store::outgoing::{Job, Outcome, Sent};
use crate::store::subscribers::alerts::push::forget;
use crate::store::subscribers::alerts::{AlertsSet, DueAlert, ListedAlert, Receiver, Watcher};
use crate::storefront::{absolute, details_path};

/// A price that an address waits for.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct AlertBody {
    id: i64,
    title: String,
    /// Address of the product's page
    path: String,
    /// Rupees
    target: Paise,
    confirmed: bool,
}

/// A browser, as its Push API describes it.
#[derive(Deserialize, ToSchema)]
pub(crate) struct BrowserRequest {
    /// Address at its push service
    #[serde(default)]
    pub(crate) endpoint: String,
    #[serde(default)]
    pub(crate) keys: BrowserKeys,
}

/// Keys of a browser in base64url.
#[derive(Deserialize, ToSchema, Default)]
pub(crate) struct BrowserKeys {
    #[serde(default)]
    p256dh: String,
    #[serde(default)]
    auth: String,
}

impl Subscribers {
    /// Sets alerts by mail. The address is asked first, unless its owner does this; `network` is that of a
    /// stranger.
    pub(crate) fn set_alerts_by_mail(
        &self,
        email: Email,
        network: Option<IpAddr>,
        products: Vec<String>,
        wish: WishedPrice,
    ) -> Result<AlertsSet, AccountError> {
        let watcher = Watcher::Address(self.asked_for(email, network)?);
        Ok(self.set_alerts(watcher, products, wish)?)
    }

    /// Sets alerts in a browser; `None` if it can't be pushed to.
    pub(crate) fn set_alerts_in_browser(
        &self,
        request: &BrowserRequest,
        products: Vec<String>,
        wish: WishedPrice,
    ) -> Result<Option<AlertsSet>, StoreError> {
        let BrowserRequest { endpoint, keys } = request;
        let allowed = self.0.push.allowed();
        let browser = push::browser(endpoint, &keys.p256dh, &keys.auth, allowed);
        browser
            .map(|browser| self.set_alerts(Watcher::Browser(browser), products, wish))
            .transpose()
    }

    fn set_alerts(
        &self,
        watcher: Watcher,
        products: Vec<String>,
        wish: WishedPrice,
    ) -> Result<AlertsSet, StoreError> {
        let offers = self.offers()?;
        let now = Timestamp::now();
        self.0
            .store
            .set_alerts(watcher, products, wish, offers, now)
            .wait()
    }

    /// Returns what applies the sellers' rules to a product, and tells whether there may be alerts.
    fn offers(&self) -> Result<impl Fn(&mut Product) -> bool + Send + use<>, StoreError> {
        let front = self.0.storefronts.current(&self.0.store)?;
        Ok(move |product: &mut Product| {
            front.apply_rules([&mut *product]);
            product.offers_alerts()
        })
    }

    /// Looks at the alerts whose price moved, until none is left; makes the key of push messages first.
    pub(crate) fn look_at_alerts(&self, is_stopping: impl Fn() -> bool) -> Result<(), StoreError> {
        let store = &self.0.store;
        self.0
            .push
            .load(store, &self.0.secrets)
            .map_err(StoreError::Other)?;
        while store.has_due_alerts(Timestamp::now())? && !is_stopping() {
            store
                .look_at_alerts(self.offers()?, Timestamp::now())
                .wait()?;
        }
        Ok(())
    }

    /// Returns the key by which browsers know the shop.
    pub(crate) fn push_key(&self) -> Option<String> {
        self.0.push.public_key()
    }

    /// Ends all alerts of a browser.
    pub(crate) fn forget_browser(&self, endpoint: String) -> Result<(), StoreError> {
        // As it is stored.
        let endpoint = Url::parse(&endpoint).map_or(endpoint, String::from);
        self.0.store.remove_push_browser(endpoint).wait()
    }

    pub(super) fn alerts_of(&self, subscriber: i64) -> Result<Vec<AlertBody>, StoreError> {
        let alerts = self.0.store.alerts_of(subscriber)?.into_iter();
        let body = |alert: ListedAlert| AlertBody {
            id: alert.key,
            title: alert.title,
            path: details_path(&alert.product),
            target: alert.target,
            confirmed: alert.is_confirmed,
        };
        Ok(alerts.map(body).collect())
    }

    /// Finds an alert whose price is still at the target or below; with what to say.
    fn price_news(&self, key: i64) -> Result<Option<(DueAlert, News)>, StoreError> {
        let Some(mut alert) = self.0.store.due_alert(key)? else {
            return Ok(None);
        };
        let product = &mut alert.product;
        if !self.offers()?(product) || product.details.final_price > alert.target {
            return Ok(None);
        }
        let news = self.words(&alert);
        Ok(Some((alert, news)))
    }

    fn words(&self, alert: &DueAlert) -> News {
        let product = &alert.product;
        let details = &product.details;
        let verdict = product.verdict.as_deref();
        let lowest = verdict.filter(|it| it.kind == PriceVerdictKind::Lowest90);
        let before = product.prices.figures().and_then(|figures| figures.low90);
        let compared = match (lowest, before) {
            (Some(lowest), _) => format!("{}.", lowest.words),
            (None, Some(low)) if low < details.final_price => {
                format!(
                    "Not the lowest: it cost {} in the last 90 days.",
                    rupees(low)
                )
            }
            _ => "Not watched for long enough to call it the lowest.".to_owned(),
        };
        let mut link = absolute(&self.0.public_url, &details_path(&product.id));
        link.query_pairs_mut().append_pair("utm_source", "alert");
        News {
            price: rupees(details.final_price),
            target: rupees(alert.target),
            compared,
            seen: date_in_india(product.last_seen()),
            link: link.into(),
        }
    }

    /// Writes the mail of an alert.
    pub(super) fn alert_mail(&self, key: i64) -> Result<Option<Message>, StoreError> {
        let Some((alert, news)) = self.price_news(key)? else {
            return Ok(None);
        };
        let Receiver::Subscriber(subscriber) = alert.receiver else {
            return Ok(None);
        };
        let front = self.0.storefronts.current(&self.0.store)?;
        let (name, details) = (front.name(), &alert.product.details);
        let (seller, heading) = (
            &details.source,
            format!("{}: {}", news.price, details.title),
        );
        let price = format!(
            "{} at {seller}. You wait for {} or less.",
            news.price, news.target
        );
        let seen = format!(
            "Price seen on {}. Check it at {seller} before you buy.",
            news.seen
        );
        let paragraphs = [
            Paragraph::linked(details.title.clone(), news.link, vec![price, news.compared]),
            Paragraph::of(seen),
            Paragraph::of(front.disclosure.as_str()),
        ];
        let letter = Letter::new(heading.clone(), name, &heading, &paragraphs);
        let words = format!("To end this and other mails from {name}:");
        let link = self.link(&subscriber);
        Ok(Some(letter.to(subscriber.email, &words, link)))
    }

    /// Sends the push message of an alert.
    pub(crate) fn push(&self, job: &Job) -> Result<Sent, StoreError> {
        let Ok(Payload::Alert(key)) = serde_json::from_str(&job.payload) else {
            let error = "The job can't be read.".to_owned();
            return Ok(Outcome::GivenUp { error }.into());
        };
        let found = self.price_news(key)?;
        let Some((alert, news)) = found else {
            return Ok(Outcome::Done.into());
        };
        let Receiver::Browser(browser) = alert.receiver else {
            return Ok(Outcome::Done.into());
        };
        let details = &alert.product.details;
        let title: String = details.title.chars().take(200).collect();
        let message = json!({
            "title": format!("{} at {}", news.price, details.source),
            "body": format!("{title}\n{}", news.compared),
            "url": news.link,
            "tag": alert.product.id,
        });
        let topic: String = Sha256::digest(alert.product.id.as_bytes())[..16]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let message = message.to_string();
        let sender = &self.0.push;
        let pushed = sender.send(
            &browser,
            message.as_bytes(),
            &topic,
            job.attempts,
            Timestamp::now(),
        );
        Ok(match pushed {
            Pushed::Ended(outcome) => outcome.into(),
            Pushed::Gone => {
                Outcome::Done.and(move |connection| forget(connection, &browser.endpoint))
            }
        })
    }
}

/// Words of a message about a price.
struct News {
    price: String,
    target: String,
    /// Whether it is the lowest in 90 days, a sentence.
    compared: String,
    /// Day on which it was last seen.
    seen: String,
    link: String,
}
