//! Webhooks: events that are sent to addresses of programs.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use url::Url;
use utoipa::ToSchema;

use crate::domain::{Rfc3339, named};

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
        /// Sent on request only; nobody can subscribe to it.
        Test = "webhook.test";
    }
}

/// A webhook, without its secret, as in responses.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = WebhookBody)]
#[serde(rename_all = "camelCase")]
pub struct Webhook {
    /// Public identifier.
    pub id: String,
    /// Address to which events are sent.
    pub url: String,
    /// Events that are sent.
    pub events: Vec<WebhookEvent>,
    /// Whether events are sent.
    #[serde(rename = "on")]
    pub is_on: bool,
    /// Why the server switched it off, a sentence; empty otherwise.
    pub off_reason: String,
    /// First failure since the last success; null if the last delivery succeeded.
    #[schema(required = true)]
    pub failing_since: Option<Rfc3339>,
    /// Why the last failed attempt failed, a sentence; empty before the first failure.
    pub last_error: String,
    /// Time of the last failed attempt.
    #[schema(required = true)]
    pub last_error_at: Option<Rfc3339>,
    /// Time of the last success.
    #[schema(required = true)]
    pub delivered_at: Option<Rfc3339>,
    /// Events that wait.
    pub waiting: u64,
    /// Events that were dropped because too many waited.
    pub dropped: u64,
    /// Time of creation.
    pub created_at: Rfc3339,
}

/// A webhook that is to be made or changed, as it is sent.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[schema(as = SaveWebhookRequest)]
pub struct WebhookRequest {
    /// An https address without a name or password.
    #[serde(default)]
    #[schema(value_type = String, required = true)]
    pub url: Value,
    /// Events to send, without `webhook.test`.
    #[serde(default)]
    #[schema(value_type = Vec<WebhookEvent>, required = true)]
    pub events: Vec<String>,
    /// Whether events are sent; true if left out.
    pub on: Option<bool>,
}

impl Webhook {
    /// Host of the address, for logs: a path may contain a secret.
    pub fn host(&self) -> String {
        let url = Url::parse(&self.url).ok();
        url.and_then(|url| url.host_str().map(str::to_owned))
            .unwrap_or_default()
    }
}
