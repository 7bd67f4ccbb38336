//! Webhooks by Standard Webhooks: their rules and secrets; `delivery` sends the events.

pub(super) mod delivery;
mod signature;

use ipnet::IpNet;
use jiff::SignedDuration;
use url::Url;

use super::{AccountError, Accounts, monotonic_clock};
use crate::domain::{FieldError, Webhook, WebhookEvent};
use crate::fetch::takes_messages;
use crate::store::{MAX_WEBHOOKS, StoreError, WebhookChoice, WebhookSaved, new_id};
use signature::{as_text, new_secret};

/// Purpose for which secrets are sealed.
const PURPOSE: &str = "webhook";
/// Time for which a secret stays valid after its rotation.
const OVERLAP: SignedDuration = SignedDuration::from_hours(24);
const MAX_URL: usize = 2_000;

/// A webhook that is to be made or changed.
#[derive(Debug, Clone)]
pub struct WebhookRequest {
    /// Address to which events are sent.
    pub url: String,
    /// Names of events.
    pub events: Vec<String>,
    /// Whether events are sent.
    pub is_on: bool,
}

impl WebhookRequest {
    /// Validates the request; `allowed` are the networks that may be reached by http.
    fn check(&self, allowed: &[IpNet]) -> Result<WebhookChoice, AccountError> {
        let mut errors = Vec::new();
        let url = Url::parse(self.url.trim())
            .ok()
            .filter(|url| url.as_str().len() <= MAX_URL && takes_messages(url, allowed));
        if url.is_none() {
            let message =
                "Enter an https address without a name or password, like https://example.com/hook.";
            errors.push(FieldError::new("url", message));
        }
        let mut events = Vec::new();
        for name in &self.events {
            match WebhookEvent::parse(name).filter(|event| *event != WebhookEvent::Test) {
                Some(event) if !events.contains(&event) => events.push(event),
                Some(_) => {}
                None => errors.push(FieldError::new("events", known_events())),
            }
        }
        if self.events.is_empty() {
            errors.push(FieldError::new("events", known_events()));
        }
        match url {
            Some(mut url) if errors.is_empty() => {
                url.set_fragment(None);
                Ok(WebhookChoice {
                    url: url.into(),
                    events,
                    is_on: self.is_on,
                })
            }
            _ => Err(AccountError::Invalid(errors)),
        }
    }
}

fn known_events() -> String {
    let events = WebhookEvent::ALL.into_iter();
    let names: Vec<_> = events
        .filter(|event| *event != WebhookEvent::Test)
        .map(WebhookEvent::as_str)
        .collect();
    format!("Choose events of {}.", names.join(", "))
}

impl Accounts {
    /// Makes a webhook; returns it with its secret, which is shown only now.
    ///
    /// # Errors
    ///
    /// [`AccountError::Invalid`] for an address that may not be requested or that another webhook has, for
    /// unknown events, or too many webhooks.
    pub fn add_webhook(
        &self,
        request: &WebhookRequest,
        allowed: &[IpNet],
        actor: &str,
    ) -> Result<(Webhook, String), AccountError> {
        let choice = request.check(allowed)?;
        let (id, secret) = (new_id(), new_secret()?);
        let sealed = self.0.secrets.seal(PURPOSE, &id, &secret)?;
        let now = monotonic_clock::now();
        let saved = self
            .0
            .store
            .insert_webhook(id, choice, sealed, actor, now)?;
        Ok((saved_webhook(saved)?, as_text(&secret)))
    }

    /// Changes a webhook, or switches it on or off.
    ///
    /// # Errors
    ///
    /// As [`Accounts::add_webhook`]; [`AccountError::Unknown`] if there is none.
    pub fn change_webhook(
        &self,
        id: &str,
        request: &WebhookRequest,
        allowed: &[IpNet],
        actor: &str,
    ) -> Result<Webhook, AccountError> {
        let choice = request.check(allowed)?;
        let now = monotonic_clock::now();
        let saved = self.0.store.update_webhook(id, choice, actor, now);
        saved_webhook(saved.map_err(unknown)?)
    }

    /// Makes a new secret and returns it; the one before is valid for another 24 hours.
    ///
    /// # Errors
    ///
    /// [`AccountError::Unknown`] if there is no such webhook.
    pub fn rotate_webhook(&self, id: &str, actor: &str) -> Result<(Webhook, String), AccountError> {
        let secret = new_secret()?;
        let sealed = self.0.secrets.seal(PURPOSE, id, &secret)?;
        let now = monotonic_clock::now();
        let store = &self.0.store;
        let webhook = store.rotate_webhook(id, sealed, now + OVERLAP, actor, now);
        Ok((webhook.map_err(unknown)?, as_text(&secret)))
    }

    /// Removes a webhook, by its id or address, with everything that waits for it.
    ///
    /// # Errors
    ///
    /// [`AccountError::Unknown`] if there is none.
    pub fn remove_webhook(&self, wanted: &str, actor: &str) -> Result<Webhook, AccountError> {
        let removed = self
            .0
            .store
            .delete_webhook(wanted, actor, monotonic_clock::now());
        removed.map_err(unknown)
    }

    /// Queues a test for a webhook, by its id or address.
    ///
    /// # Errors
    ///
    /// [`AccountError::Unknown`] if there is none.
    pub fn test_webhook(&self, wanted: &str) -> Result<(), AccountError> {
        let message = format!("msg_{}", new_id());
        let queued = self
            .0
            .store
            .queue_webhook_test(wanted, message, monotonic_clock::now());
        queued.map_err(unknown)
    }

    /// Queues what a delivery sent once more.
    ///
    /// # Errors
    ///
    /// [`AccountError::Unknown`] if there is no such webhook or delivery.
    pub fn send_delivery_again(&self, id: &str, delivery: i64) -> Result<(), AccountError> {
        let queued = self
            .0
            .store
            .queue_delivery_again(id, delivery, monotonic_clock::now());
        queued.map_err(unknown)
    }
}

fn unknown(error: StoreError) -> AccountError {
    match error {
        StoreError::NotFound => AccountError::Unknown,
        other => other.into(),
    }
}

fn saved_webhook(saved: WebhookSaved) -> Result<Webhook, AccountError> {
    let message = match saved {
        WebhookSaved::Saved(webhook) => return Ok(*webhook),
        WebhookSaved::UrlTaken => {
            "Another webhook has this address. Change that one, or choose another address."
                .to_owned()
        }
        WebhookSaved::TooMany => {
            format!("A shop has at most {MAX_WEBHOOKS} webhooks. Remove one first.")
        }
    };
    Err(AccountError::Invalid(vec![FieldError::new("url", message)]))
}
