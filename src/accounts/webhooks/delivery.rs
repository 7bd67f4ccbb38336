//! Sends queued events, tries them again, and switches off webhooks that keep failing.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use ipnet::IpNet;
use jiff::fmt::rfc2822;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use url::Url;

use super::PURPOSE;
use super::signature::signature;
use crate::accounts::{MailSender, Secrets, monotonic_clock};
use crate::domain::{WebhookEvent, rfc3339};
use crate::fetch::{Fetcher, MessageAnswer, takes_messages};
use crate::store::{Attempt, QueuedEvent, Store, StoreError};

/// Seconds until an event is tried again, by its failures: 8 attempts in about 28 hours.
const BACK_OFF: [i64; 7] = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000];
/// Time of failure after which a webhook is switched off.
const LONGEST_FAILURE: SignedDuration = SignedDuration::from_hours(24);
/// Time between two looks for webhooks that became due while another's delivery is under way.
const NEWS: Duration = Duration::from_millis(100);
/// Longest wait that a receiver may ask for, so that several attempts are made before [`LONGEST_FAILURE`].
const LONGEST_WAIT: SignedDuration = SignedDuration::from_hours(6);

/// Sends what is queued for webhooks.
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

    /// Sends the events that are due: one at a time to each webhook, and to all webhooks at once, so that a
    /// slow receiver delays only its own. Starts no further delivery when `is_stopping`.
    ///
    /// # Errors
    ///
    /// When the database refuses; a failed delivery is recorded and tried again later.
    pub fn send_due(
        &self,
        mail: &MailSender,
        is_stopping: impl Fn() -> bool,
    ) -> Result<(), StoreError> {
        thread::scope(|scope| {
            // Ids of the webhooks with a delivery under way.
            let mut sending = HashSet::new();
            let (ended, endings) = mpsc::channel();
            let mut outcome = Ok(());
            loop {
                let mut due = Vec::new();
                if outcome.is_ok() && !is_stopping() {
                    let found = self.store.due_webhook_events(monotonic_clock::now());
                    outcome = found.map(|found| due = found);
                }
                due.retain(|event| sending.insert(event.to.webhook.id.clone()));
                for event in due {
                    let ended = ended.clone();
                    scope.spawn(move || {
                        let id = event.to.webhook.id.clone();
                        let sent = catch_unwind(AssertUnwindSafe(|| self.send(event, mail)));
                        let panicked = |_| StoreError::Other("a delivery panicked".to_owned());
                        ended.send((id, sent.map_err(panicked).flatten()))
                    });
                }
                if sending.is_empty() {
                    return outcome;
                }
                if let Ok((id, sent)) = endings.recv_timeout(NEWS) {
                    sending.remove(&id);
                    outcome = outcome.and(sent);
                }
            }
        })
    }

    fn send(&self, event: QueuedEvent, mail: &MailSender) -> Result<(), StoreError> {
        let host = event.to.webhook.host();
        let attempt = self.attempt(&event, monotonic_clock::now());
        let (error, off_reason) = (attempt.error.clone(), attempt.off_reason.clone());
        let now = monotonic_clock::now();
        self.store.record_webhook_attempt(event, attempt, now)?;
        if !error.is_empty() {
            tracing::warn!(host, error, "an event could not be delivered to a webhook");
        }
        if let Some(reason) = off_reason {
            tracing::error!(host, reason, "a webhook was switched off");
            if let Err(error) = mail.report_webhook_off(&host, &reason) {
                tracing::warn!(error, "the mail about a webhook could not be sent");
            }
        }
        Ok(())
    }

    fn attempt(&self, event: &QueuedEvent, now: Timestamp) -> Attempt {
        let (status, error, wait) = match self.post(event, now) {
            Ok(answer) if (200..300).contains(&answer.status) => return Attempt::default(),
            Ok(answer) => {
                let wait = answer.retry_after.and_then(|text| wait_of(&text, now));
                (Some(answer.status), sentence(answer.status), wait)
            }
            Err(reason) => (None, reason, None),
        };
        if event.event == WebhookEvent::Test {
            return Attempt {
                error,
                ..Attempt::default()
            };
        }
        let delay = BACK_OFF.get(event.attempts as usize);
        let delay = delay.map(|seconds| SignedDuration::from_secs(*seconds));
        let since = event.to.webhook.failing_since;
        let off_reason = if status == Some(410) {
            Some(error.clone())
        } else if since.is_some_and(|since| now.duration_since(since.0) >= LONGEST_FAILURE) {
            Some(format!("Nothing was delivered for a day. {error}"))
        } else {
            None
        };
        Attempt {
            error,
            next_at: delay.map(|delay| now + delay.max(wait.unwrap_or_default())),
            // One answer may be about one event; no answer is about all.
            all_wait: status.is_none() || wait.is_some(),
            off_reason,
        }
    }

    /// Posts an event; the error is a sentence.
    fn post(&self, event: &QueuedEvent, now: Timestamp) -> Result<MessageAnswer, String> {
        let (to, message) = (&event.to.webhook, &event.message);
        let url = Url::parse(&to.url).ok();
        let url = url.filter(|url| takes_messages(url, &self.allowed));
        let url = url.ok_or("The address may not be requested: change it to one with https.")?;
        let body = self.body(event);
        let secret = self.secrets.open(PURPOSE, &to.id, &event.to.sealed);
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

    fn body(&self, event: &QueuedEvent) -> String {
        let mut link = self.shop.clone();
        link.set_path("");
        if let Ok(mut segments) = link.path_segments_mut() {
            segments.pop_if_empty();
            if let Some(id) = &event.subject {
                segments.push("details").push(id);
            } else if event.event == WebhookEvent::BackupFailed {
                segments.push("admin");
            }
        }
        let mut data = json!({ "link": link.as_str() });
        for (name, value) in [("id", &event.subject), ("state", &event.state)] {
            if let Some(value) = value {
                data[name] = value.as_str().into();
            }
        }
        let (kind, at) = (event.event.as_str(), rfc3339(event.at));
        json!({ "type": kind, "timestamp": at, "data": data }).to_string()
    }
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
