//! Webhooks: events that are sent to addresses of programs.

use jiff::Timestamp;

use crate::domain::named;

named! {
    /// Kind of event.
    WebhookEvent {
        /// A product became visible to visitors.
        ProductAdded = "product.added";
        /// A product that visitors see was changed.
        ProductChanged = "product.changed";
        /// Visitors no longer see a product as a deal.
        ProductEnded = "product.ended";
        /// A scheduled backup failed.
        BackupFailed = "backup.failed";
        /// Sent once when it is asked for, never subscribed to.
        Test = "webhook.test";
    }
}

/// A webhook, without its secrets.
#[derive(Debug, Clone, PartialEq)]
pub struct Webhook {
    /// Public identifier.
    pub id: String,
    /// Address to which events are sent.
    pub url: String,
    /// Events that are sent.
    pub events: Vec<WebhookEvent>,
    /// Whether events are sent.
    pub is_on: bool,
    /// Why the server switched it off, a sentence; empty otherwise.
    pub off_reason: String,
    /// Time of the first failure since the last success.
    pub failing_since: Option<Timestamp>,
    /// Number of events that wait.
    pub waiting: u64,
    /// Number of events that were dropped because too many waited.
    pub dropped: u64,
    /// End of the secret before the last rotation.
    pub former_until: Option<Timestamp>,
    /// Time of creation.
    pub created_at: Timestamp,
}

impl Webhook {
    /// Host of the address, for logs: a path may contain a secret.
    pub fn host(&self) -> String {
        let host = url::Url::parse(&self.url).ok();
        host.and_then(|url| url.host_str().map(str::to_owned))
            .unwrap_or_default()
    }
}

/// An event as it is sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Notification {
    /// The header `webhook-id`, the same for each attempt.
    pub message: String,
    /// Kind of event.
    pub event: WebhookEvent,
    /// Id of the product.
    pub subject: Option<String>,
    /// State of the product after the event.
    pub state: Option<String>,
    /// Time of the event.
    pub at: Timestamp,
}

/// One attempt to deliver an event.
#[derive(Debug, Clone, PartialEq)]
pub struct Delivery {
    /// Number of the attempt in the log.
    pub number: i64,
    /// The message that was sent.
    pub sent: Notification,
    /// Attempts so far, with this one.
    pub attempt: u32,
    /// HTTP status of the answer.
    pub status: Option<u16>,
    /// Why it failed, a sentence; empty if it was delivered.
    pub error: String,
    /// Time of the attempt.
    pub at: Timestamp,
    /// Time of the next attempt.
    pub next_at: Option<Timestamp>,
}
