//! Sends queued events, and switches off webhooks that keep failing.

use ipnet::IpNet;
use jiff::fmt::rfc2822;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use url::Url;

use super::PURPOSE;
use super::signature::signature;
use crate::accounts::{MailSender, Secrets, monotonic_clock};
use crate::domain::{Webhook, WebhookEvent, rfc3339};
use crate::fetch::{Fetcher, MessageAnswer, takes_messages};
use crate::store::outgoing::{Job, Outcome, Sent};
use crate::store::{QueuedEvent, Store, StoreError, StoredWebhook};

/// Seconds until an event is tried again, by its failures: 8 attempts in about 28 hours.
const BACK_OFF: [i64; 7] = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000];
/// Time of failure after which a webhook is switched off.
const LONGEST_FAILURE: SignedDuration = SignedDuration::from_hours(24);
/// Longest wait that a receiver may ask for, so that several attempts are made before [`LONGEST_FAILURE`].
const LONGEST_WAIT: SignedDuration = SignedDuration::from_hours(6);

/// Sends the queued events of webhooks.
pub struct WebhookSender {
    store: Store,
    secrets: Secrets,
    fetcher: Fetcher,
    allowed: Vec<IpNet>,
    /// The shop's address, for links.
    shop: Url,
}

impl WebhookSender {
    /// Combines the queue, the key of the secrets, the networks that may be reached, and the shop's address.
    pub fn new(store: Store, secrets: Secrets, allowed: Vec<IpNet>, shop: Url) -> Self {
        Self {
            store,
            secrets,
            fetcher: Fetcher::allowing(allowed.clone()),
            allowed,
            shop,
        }
    }

    /// Sends an event. Switches its webhook off, with a mail to the administrators, when it is gone or keeps failing.
    ///
    /// # Errors
    ///
    /// When the database refuses.
    pub fn send(&self, job: &Job, mail: &MailSender) -> Result<Sent, StoreError> {
        let to = self.store.webhook_of(&job.lane)?;
        let (Some(to), Some(queued)) = (to, QueuedEvent::of(job)) else {
            return Ok(Outcome::Done.into());
        };
        let Some(event) = queued.event() else {
            return Ok(Outcome::Done.into());
        };
        let now = monotonic_clock::now();
        let host = to.webhook.host();
        let (status, error, wait) = match self.post(job, &to, &queued, event, now) {
            Ok(answer) if (200..300).contains(&answer.status) => {
                return Ok(Outcome::Done.and(to.delivered(now)));
            }
            Ok(answer) => {
                let wait = answer.retry_after.and_then(|text| wait_of(&text, now));
                (Some(answer.status), sentence(answer.status), wait)
            }
            Err(reason) => (None, reason, None),
        };
        tracing::warn!(host, error, "an event could not be delivered to a webhook");
        let now = monotonic_clock::now();
        let is_test = event == WebhookEvent::Test;
        if !is_test && let Some(reason) = off_reason(&to.webhook, status, &error, now) {
            self.store
                .switch_webhook_off(to, error, reason.clone(), now)?;
            tracing::error!(host, reason, "a webhook was switched off");
            if let Err(error) = mail.report_webhook_off(&host, &reason) {
                tracing::warn!(error, "the mail about a webhook could not be sent");
            }
            return Ok(Outcome::Done.into());
        }
        let record = to.failed(error.clone(), is_test, now);
        let outcome = match BACK_OFF.get(job.attempts as usize) {
            _ if is_test => Outcome::Done,
            Some(seconds) => Outcome::Again {
                next_at: now + SignedDuration::from_secs(*seconds).max(wait.unwrap_or_default()),
                error,
                // One answer may be about one event; no answer is about all.
                lane_waits: status.is_none() || wait.is_some(),
            },
            None => Outcome::GivenUp { error },
        };
        Ok(outcome.and(record))
    }

    /// Posts an event; the error is a sentence.
    fn post(
        &self,
        job: &Job,
        to: &StoredWebhook,
        queued: &QueuedEvent,
        event: WebhookEvent,
        now: Timestamp,
    ) -> Result<MessageAnswer, String> {
        let message = &queued.message;
        let url = Url::parse(&to.webhook.url).ok();
        let url = url.filter(|url| takes_messages(url, &self.allowed));
        let url = url.ok_or("The address may not be requested: change it to one with https.")?;
        let body = self.body(job, queued, event);
        let secret = self.secrets.open(PURPOSE, &to.webhook.id, &to.sealed);
        let secret =
            secret.ok_or("The secret can't be read with the shop's key: make the webhook anew.")?;
        let seconds = now.as_second();
        let headers = [
            ("webhook-id", message.clone()),
            ("webhook-timestamp", seconds.to_string()),
            (
                "webhook-signature",
                signature(&secret, message, seconds, &body),
            ),
        ];
        let answer = self.fetcher.post(&url, &headers, &body);
        answer.map_err(|error| format!("{error}."))
    }

    fn body(&self, job: &Job, queued: &QueuedEvent, event: WebhookEvent) -> String {
        let mut link = self.shop.clone();
        let id = Some(&job.subject).filter(|id| !id.is_empty());
        link.set_path("");
        if let Ok(mut segments) = link.path_segments_mut() {
            segments.pop_if_empty();
            if let Some(id) = id {
                segments.push("details").push(id);
            } else if event == WebhookEvent::BackupFailed {
                segments.push("admin");
            }
        }
        let mut data = json!({ "link": link.as_str() });
        for (name, value) in [("id", id), ("state", queued.state.as_ref())] {
            if let Some(value) = value {
                data[name] = value.as_str().into();
            }
        }
        let (kind, at) = (event.as_str(), rfc3339(job.created_at));
        json!({ "type": kind, "timestamp": at, "data": data }).to_string()
    }
}

/// Returns why a webhook that failed is switched off, if it is.
fn off_reason(
    webhook: &Webhook,
    status: Option<u16>,
    error: &str,
    now: Timestamp,
) -> Option<String> {
    if status == Some(410) {
        return Some(error.to_owned());
    }
    let since = webhook.failing_since.as_ref()?;
    let is_long = now.duration_since(since.0) >= LONGEST_FAILURE;
    is_long.then(|| format!("Nothing was delivered for a day. {error}"))
}

/// Describes an answer that is no success.
fn sentence(status: u16) -> String {
    match status {
        300..400 => format!("It answered with a redirect ({status}), which is not followed."),
        410 => "It answered that it is gone (410).".to_owned(),
        429 => "It answered that there were too many requests (429).".to_owned(),
        _ => format!("It answered with status {status}."),
    }
}

/// Reads `Retry-After`: seconds or a date.
fn wait_of(text: &str, now: Timestamp) -> Option<SignedDuration> {
    let text = text.trim();
    let wait = match text.parse::<u32>() {
        Ok(seconds) => SignedDuration::from_secs(seconds.into()),
        Err(_) => rfc2822::parse(text).ok()?.timestamp().duration_since(now),
    };
    Some(wait.clamp(SignedDuration::ZERO, LONGEST_WAIT))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_is_seconds_or_a_date_and_at_most_six_hours() {
        let now: Timestamp = "2026-11-25T10:00:00Z".parse().unwrap();
        let seconds = |text| wait_of(text, now).map(|wait| wait.as_secs());
        assert_eq!(seconds("120"), Some(120));
        assert_eq!(seconds("Wed, 25 Nov 2026 10:01:00 GMT"), Some(60));
        assert_eq!(seconds("Wed, 25 Nov 2026 09:00:00 GMT"), Some(0));
        assert_eq!(seconds("86400"), Some(21_600));
        assert_eq!(seconds("soon"), None);
    }

    #[test]
    fn eight_attempts_take_about_28_hours() {
        let hours = BACK_OFF.iter().sum::<i64>() as f64 / 3_600.0;
        assert!((27.0..29.0).contains(&hours), "{hours}");
    }
}
